package schedules_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestResultOfFinishedWorkIsDoneAndWaitsForNothing(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{})
	ctx, cancel := context.WithCancel(p.ctx)
	created, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work})
	if err != nil {
		t.Fatal(err)
	}
	deleted, err := p.in().DeleteTasks(p.ctx, []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	schedule, err := p.svc.CreateSchedule(p.ctx, schedules.NewSchedule{Name: "s", TwinID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	cancel() // a caller that does not wait is not notified
	waits := map[string]func(context.Context) (twinplatform.Operation, error){
		"created": created.Wait, "deleted": deleted.Wait, "made at once": schedule.Wait,
	}
	for name, wait := range waits {
		op, err := wait(ctx)
		if err != nil || op.Status != twinplatform.OperationSucceeded || op.SubStatus != op.Status || op.PercentComplete != 100 {
			t.Errorf("%s: %+v, %v", name, op, err)
		}
	}
	if !created.Status.Done() || !cmp.Equal(created.Subjects, []string{"a"}) || created.Kind != "tasks.create" {
		t.Errorf("created as %+v", created.Operation)
	}
}

func TestResultOfARefusedWriteHasNothingToWaitFor(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{})
	res, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{})
	if err == nil || res.Status.Done() {
		t.Fatalf("got %+v, %v", res, err)
	}
	if _, err := res.Wait(p.ctx); !errors.Is(err, twinplatform.ErrNothingToWaitFor) {
		t.Errorf("got %v", err)
	}
}

func TestResultInTheBackgroundIsWaitedForWithoutIds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := inBackground(t, time.Now)
		create := func() twinplatform.Result[schedules.Task] {
			res, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work})
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		first, second := create(), create()
		ctx, stop := context.WithCancel(p.ctx)
		defer stop()
		go func() { _ = p.svc.Run(ctx) }()
		if op, err := first.Wait(p.ctx); err != nil || op.Status != twinplatform.OperationSucceeded || op.ID != first.ID {
			t.Errorf("the first: %+v, %v", op, err)
		}
		op, err := second.Wait(p.ctx)
		idTaken.check(t, err)
		if op.Status != twinplatform.OperationFailed {
			t.Errorf("the second: %+v", op)
		}
		stop()
		synctest.Wait()
	})
}

func TestWaitingWithoutRunEndsWithAnErrorAndALogLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		defer store.Close()
		var log bytes.Buffer
		ctx := t.Context()
		svc := newService(store, schedules.Config{Env: twinplatform.Env{
			Background: true, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		}})
		plan, err := svc.CreateSchedule(ctx, schedules.NewSchedule{Name: "s", TwinID: "t"})
		if err != nil {
			t.Fatal(err)
		}
		res, err := svc.CreateTask(ctx, plan.Value().ID, schedules.NewTask{Name: "a", Type: schedules.Work})
		if err != nil {
			t.Fatal(err)
		}
		_, err = res.Wait(ctx)
		if e, ok := errors.AsType[*twinplatform.Error](err); !ok || e.Code != "OperationsNotRunning" || !strings.Contains(e.Message, "Run") {
			t.Errorf("got %v", err)
		}
		if !strings.Contains(log.String(), "Run is not called") || !strings.Contains(log.String(), res.ID) {
			t.Errorf("logged %q", log.String())
		}
	})
}
