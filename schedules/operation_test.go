package schedules_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// covers: Operation
func TestOperationsAreDoneAtOnceByDefault(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		res, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work})
		if err != nil {
			p.Fatal(err)
		}
		if res.Value().ID != "a" {
			p.Errorf("the task was not made before the call returned: %+v", res)
		}
		rec, err := p.in().Operation(p.ctx, res.ID)
		if err != nil {
			p.Fatal(err)
		}
		want := `{"createdAt":"2026-03-02T08:00:00Z","failureDescription":null,"id":"` + res.ID +
			`","percentComplete":100,"status":"Succeeded","subStatus":"Succeeded","updatedAt":"2026-03-02T08:00:00Z"}`
		if diff := cmp.Diff(want, string(rec.JSON)); diff != "" || rec.ETag == "" {
			p.Errorf("operation with the ETag %s (-want +got):\n%s", rec.ETag, diff)
		}
		if diff := cmp.Diff(rec.Value, res.Operation); diff != "" {
			p.Errorf("what was returned is not what is stored:\n%s", diff)
		}
		if waited, err := p.in().Wait(p.ctx, res.ID); err != nil || waited.ID != res.ID {
			p.Errorf("waited for %+v, %v", waited, err)
		}
		deleted, err := p.in().DeleteTasks(p.ctx, []string{"a"})
		if err != nil || deleted.Status != twinplatform.OperationSucceeded || !cmp.Equal(deleted.Subjects, []string{"a"}) {
			p.Errorf("deleted by %+v, %v", deleted.Operation, err)
		}
		direct, err := p.in().CreateTasks(p.ctx, []schedules.NewTask{{Name: "b", Type: schedules.Work}})
		if err != nil || direct.Operation.ID != "" {
			p.Errorf("a batch left the operation %+v, %v", direct.Operation, err)
		}
		_, err = p.in().Operation(p.ctx, "missing")
		noOperation.check(p, err)
		_, err = p.svc.In("missing").Operation(p.ctx, res.ID)
		noOperation.check(p, err)
		_, err = p.in().Wait(p.ctx, "missing")
		noOperation.check(p, err)
		p.schedule(schedules.NewSchedule{ID: "other", Name: "n", TwinID: "t"})
		_, err = p.svc.In("other").Operation(p.ctx, res.ID)
		noOperation.check(p, err)
	})
}

// inBackground is a plan whose operations wait for Run.
func inBackground(t *testing.T, now func() time.Time) *plan {
	t.Helper()
	return newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Background: true, Now: now}})
}

// covers: Operation: state an operation goes on in background until it has succeeded
func TestOperationsInBackgroundWaitForRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := inBackground(t, time.Now)
		started := time.Now()
		res, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work})
		if err != nil {
			t.Fatal(err)
		}
		if res.Status != twinplatform.OperationNotStarted || res.PercentComplete != 0 || len(res.Records) != 0 || !cmp.Equal(res.Subjects, []string{"a"}) {
			t.Errorf("accepted as %+v", res)
		}
		_, err = p.in().Task(p.ctx, "a")
		noTask.check(t, err)
		batch, err := p.in().CreateTasks(p.ctx, []schedules.NewTask{{ID: "b", Name: "b", Type: schedules.Work}})
		if err != nil || batch.Operation.ID == "" {
			t.Errorf("the batch was accepted as %+v, %v", batch, err)
		}

		var ended time.Time
		waited := make(chan twinplatform.Operation, 1)
		go func() {
			op, err := p.in().Wait(p.ctx, batch.ID)
			if err != nil {
				t.Error(err)
			}
			ended = time.Now()
			waited <- op
		}()
		impatient, give := context.WithTimeout(p.ctx, time.Second)
		defer give()
		if op, err := p.in().Wait(impatient, res.ID); err != context.DeadlineExceeded || op.Status != twinplatform.OperationNotStarted {
			t.Errorf("waited for %+v, %v", op, err)
		}
		ctx, stop := context.WithCancel(p.ctx)
		ran := make(chan error, 1)
		go func() { ran <- p.svc.Run(ctx) }()
		if op := <-waited; op.Status != twinplatform.OperationSucceeded || !op.CreatedAt.Equal(started) || !op.UpdatedAt.Equal(started.Add(time.Second)) {
			t.Errorf("the batch ended as %+v", op)
		}
		if !ended.Equal(started.Add(time.Second)) {
			t.Errorf("the wait took until %v", ended)
		}
		for _, id := range []string{"a", "b"} {
			if _, err := p.in().Task(p.ctx, id); err != nil {
				t.Error(err)
			}
		}
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
}

func TestWhatCanBeRefusedIsRefusedBeforeItIsAccepted(t *testing.T) {
	t.Parallel()
	p := inBackground(t, nil)
	before := storetest.Keys(t, p.store)
	_, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{Name: "n", Type: schedules.Work, ParentID: "missing"})
	invalid("InvalidValue parentId").check(t, err)
	_, err = p.in().DeleteTasks(p.ctx, []string{"missing"})
	refusal{kind: twinplatform.NotFound, code: "TaskNotFound", target: "taskIds"}.check(t, err)
	_, err = p.in().UpdateTask(p.ctx, "missing", schedules.TaskPatch{})
	noTask.check(t, err)
	if after := storetest.Keys(t, p.store); after != before {
		t.Errorf("the refused work took the store from %d to %d keys", before, after)
	}
}

// covers: Operation: state an operation fails and says why
func TestFailureIsShownInTheOperation(t *testing.T) {
	t.Parallel()
	p := inBackground(t, nil)
	inline := newService(p.store, schedules.Config{})
	create := func(n schedules.NewTask) twinplatform.Operation {
		t.Helper()
		res, err := p.svc.CreateTask(p.ctx, p.id, n)
		if err != nil {
			t.Fatal(err)
		}
		return res.Operation
	}
	parent := create(schedules.NewTask{ID: "parent", Name: "n", Type: schedules.Work})
	go func() { _ = p.svc.Run(p.ctx) }()
	if _, err := p.in().Wait(p.ctx, parent.ID); err != nil {
		t.Fatal(err)
	}

	// No one works from here on until all is accepted.
	p.svc = newService(p.store, schedules.Config{Env: twinplatform.Env{Background: true}})
	first := create(schedules.NewTask{ID: "same", Name: "first", Type: schedules.Work})
	second := create(schedules.NewTask{ID: "same", Name: "second", Type: schedules.Work})
	third := create(schedules.NewTask{ID: "third", Name: "third", Type: schedules.Work})
	go func() { _ = p.svc.Run(p.ctx) }()
	for _, test := range []struct {
		op   twinplatform.Operation
		want twinplatform.OperationStatus
	}{{first, twinplatform.OperationSucceeded}, {second, twinplatform.OperationFailed}, {third, twinplatform.OperationSucceeded}} {
		op, err := p.in().Wait(p.ctx, test.op.ID)
		if (err != nil) != (test.want == twinplatform.OperationFailed) || op.Status != test.want || op.SubStatus != test.want || op.PercentComplete != 100 {
			t.Errorf("ended as %+v, %v, want %s", op, err, test.want)
		}
		if (op.Failure != nil) != (test.want == twinplatform.OperationFailed) || (op.FailureDescription != "") != (op.Failure != nil) {
			t.Errorf("the %s operation says %q, %v", op.Status, op.FailureDescription, op.Failure)
		}
		if op.Failure != nil {
			idTaken.check(t, op.Failure)
			if !strings.Contains(string(op.FailureDescription), "same") {
				t.Errorf("the failure says %q", op.FailureDescription)
			}
		}
	}
	if task, err := inline.In(p.id).Task(p.ctx, "same"); err != nil || task.Value.Name != "first" {
		t.Errorf("the task is %+v, %v", task.Value, err)
	}
}

func TestAcceptedWorkSurvivesARestart(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		accepting := newService(p.store, schedules.Config{Env: twinplatform.Env{Background: true}})
		var ops []string
		for _, n := range many(20) {
			res, err := accepting.CreateTask(p.ctx, p.id, n)
			if err != nil {
				p.Fatal(err)
			}
			ops = append(ops, res.ID)
		}
		next := newService(p.store, schedules.Config{Env: twinplatform.Env{Background: true}})
		go func() { _ = next.Run(p.ctx) }()
		for _, id := range ops {
			if op, err := next.In(p.id).Wait(p.ctx, id); err != nil || op.Status != twinplatform.OperationSucceeded {
				p.Errorf("ended as %+v, %v", op, err)
			}
		}
		if tasks, _ := p.allTasks(twinplatform.ListOptions{}); len(tasks) != 20 {
			p.Errorf("%d tasks were made, want 20", len(tasks))
		}
	})
}

func TestLargestBatchIsAcceptedInBackground(t *testing.T) {
	t.Parallel()
	p := inBackground(t, nil)
	batch := many(schedules.MaxBatch)
	for i := range batch {
		batch[i].Comment = strings.Repeat("c", schedules.MaxComment)
	}
	res, err := p.in().CreateTasks(p.ctx, batch)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = p.svc.Run(p.ctx) }()
	if op, err := p.in().Wait(p.ctx, res.ID); err != nil || op.Status != twinplatform.OperationSucceeded {
		t.Errorf("ended as %+v, %v", op, err)
	}
	if tasks, _ := p.allTasks(twinplatform.ListOptions{Top: schedules.MaxTop}); len(tasks) != len(batch) {
		t.Errorf("%d tasks were made, want %d", len(tasks), len(batch))
	}
}
