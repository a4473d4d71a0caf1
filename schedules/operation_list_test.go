package schedules_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// operations reads the list to its end.
func (p *plan) operations(q schedules.OperationQuery) (all []twinplatform.Operation) {
	p.Helper()
	for op, err := range twinplatform.All(p.ctx, p.in().Operations, q) {
		if err != nil {
			p.Fatal(err)
		}
		all = append(all, op)
	}
	return all
}

func idsOf(all []twinplatform.Operation) (ids []string) {
	for _, op := range all {
		ids = append(ids, op.ID)
	}
	return ids
}

// covers: operations operations.list
func TestOperationsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		var want []string
		for range 25 {
			res, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{Name: "n", Type: schedules.Work})
			if err != nil {
				p.Fatal(err)
			}
			want = append(want, res.ID)
		}
		slices.Reverse(want)
		p.schedule(schedules.NewSchedule{ID: "other", Name: "n", TwinID: "t"})
		if _, err := p.svc.CreateTask(p.ctx, "other", schedules.NewTask{Name: "n", Type: schedules.Work}); err != nil {
			p.Fatal(err)
		}
		for _, top := range []int{0, 1, 7, 25, 26} {
			got := p.operations(schedules.OperationQuery{ListOptions: twinplatform.ListOptions{Top: top}})
			if diff := cmp.Diff(want, idsOf(got)); diff != "" {
				p.Errorf("by %d:\n%s", top, diff)
			}
		}
		page, err := p.in().Operations(p.ctx, schedules.OperationQuery{ListOptions: twinplatform.ListOptions{Top: 1}})
		if err != nil {
			p.Fatal(err)
		}
		ops, err := page.Values()
		if err != nil || len(ops) != 1 || ops[0].Kind != "tasks.create" || len(ops[0].Subjects) != 1 || page.Delta != "" {
			p.Errorf("the newest is %+v, %v", ops, err)
		}
		one, err := p.in().Operation(p.ctx, want[0])
		if err != nil || string(one.JSON) != string(page.JSON()[0]) {
			p.Errorf("listed as %s, read as %s, %v", page.JSON()[0], one.JSON, err)
		}
		if got := p.operations(schedules.OperationQuery{OperationID: want[3]}); len(got) != 1 || got[0].ID != want[3] {
			p.Errorf("one is asked for, and listed are %+v", got)
		}
		if got := p.operations(schedules.OperationQuery{OperationID: want[3][:5]}); len(got) != 0 {
			p.Errorf("a part of an id lists %+v", got)
		}
		// A client that has the page gets one more.
		again := schedules.OperationQuery{ListOptions: twinplatform.ListOptions{Top: 1, IfNoneMatch: page.ETag}}
		if page, err := p.in().Operations(p.ctx, again); err != nil || !page.NotModified {
			p.Errorf("the same page is %+v, %v", page, err)
		}
		if _, err := p.in().DeleteTasks(p.ctx, []string{ops[0].Subjects[0]}); err != nil {
			p.Fatal(err)
		}
		if page, err := p.in().Operations(p.ctx, again); err != nil || page.NotModified || page.Len() != 1 {
			p.Errorf("the page after another operation is %+v, %v", page, err)
		}
	})
}

func TestOperationsAreListedByStatus(t *testing.T) {
	t.Parallel()
	p := inBackground(t, nil)
	create := func(id string) string {
		res, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{ID: id, Name: "n", Type: schedules.Work})
		if err != nil {
			t.Fatal(err)
		}
		return res.ID
	}
	first, same := create("same"), create("same")
	go func() { _ = p.svc.Run(p.ctx) }()
	if _, err := p.in().Wait(p.ctx, same); err == nil {
		t.Fatal("two tasks of one id were made")
	}
	p.svc = newService(p.store, schedules.Config{Env: twinplatform.Env{Background: true}})
	for _, test := range []struct {
		statuses []twinplatform.OperationStatus
		want     []string
	}{
		{nil, []string{same, first}},
		{[]twinplatform.OperationStatus{twinplatform.OperationFailed}, []string{same}},
		{[]twinplatform.OperationStatus{twinplatform.OperationSucceeded}, []string{first}},
		{[]twinplatform.OperationStatus{twinplatform.OperationSucceeded, twinplatform.OperationFailed}, []string{same, first}},
		{[]twinplatform.OperationStatus{twinplatform.OperationNotStarted, twinplatform.OperationRunning}, nil},
	} {
		got := p.operations(schedules.OperationQuery{Statuses: test.statuses, ListOptions: twinplatform.ListOptions{Top: 1}})
		if diff := cmp.Diff(test.want, idsOf(got)); diff != "" {
			t.Errorf("%q:\n%s", test.statuses, diff)
		}
		for _, op := range got {
			if failed := op.Status == twinplatform.OperationFailed; failed != (op.Failure != nil) || failed && op.Failure.Code != "AlreadyExists" {
				t.Errorf("%s failed with %v", op.Status, op.Failure)
			}
		}
	}
	_, err := p.in().Operations(p.ctx, schedules.OperationQuery{Statuses: []twinplatform.OperationStatus{"Done"}})
	invalid("InvalidValue status").check(t, err)
	_, err = p.in().Operations(p.ctx, schedules.OperationQuery{ListOptions: twinplatform.ListOptions{Top: schedules.MaxTop + 1}})
	invalid("InvalidValue top").check(t, err)
	_, err = p.in().Operations(p.ctx, schedules.OperationQuery{ListOptions: twinplatform.ListOptions{Delta: "x"}})
	invalid("InvalidValue delta").check(t, err)
	_, err = p.svc.In("missing").Operations(p.ctx, schedules.OperationQuery{})
	noSchedule.check(t, err)
}

func TestOperationsAreListedForAsLongAsTheyAreKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Now: time.Now, Retain: time.Hour}})
		create := func() string {
			res, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{Name: "n", Type: schedules.Work})
			if err != nil {
				t.Fatal(err)
			}
			return res.ID
		}
		old := create()
		time.Sleep(50 * time.Minute)
		kept := create()
		if diff := cmp.Diff([]string{kept, old}, idsOf(p.operations(schedules.OperationQuery{}))); diff != "" {
			t.Error(diff)
		}
		ctx, stop := context.WithTimeout(p.ctx, 30*time.Minute)
		defer stop()
		if err := p.svc.Run(ctx); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{kept}, idsOf(p.operations(schedules.OperationQuery{}))); diff != "" {
			t.Error(diff)
		}
	})
}
