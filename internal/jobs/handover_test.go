package jobs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// beforeUpdate is a store at which work is done before its n-th update.
func beforeUpdate(store storage.Store, n int, work func()) storage.Store {
	s := storetest.Alone(store)
	s.Before(func() error {
		if n--; n == 0 {
			work()
		}
		return nil
	})
	return s
}

// leave leaves work in the journal of a store, as a process that ended does.
func leave(t *testing.T, store storage.Store, env twinplatform.Env, c chore) (operationID string) {
	t.Helper()
	env.Background = true
	d := newDomain(t, store, env)
	res, err := d.chores.Start(t.Context(), jobs.Spec{Scope: board, Subjects: c.Marks, Keep: true}, &c)
	if err != nil {
		t.Fatal(err)
	}
	return res.ID
}

func TestAFailureThatAnotherCallerReportedIsNotReturned(t *testing.T) {
	t.Parallel()
	store := memory.New()
	id := leave(t, store, twinplatform.Env{}, chore{Marks: []string{"a", "bad"}, Fail: "bad"})
	other := newDomain(t, store, twinplatform.Env{})
	// Its third update is to record the failure of the second.
	d := newDomain(t, beforeUpdate(store, 3, func() {
		if _, err := other.start(t.Context(), chore{Marks: []string{"b"}}, false); err != nil {
			t.Error(err)
		}
	}), twinplatform.Env{})
	if _, err := d.start(t.Context(), chore{Marks: []string{"c"}}, false); err != nil {
		t.Errorf("work of another failed with %v", err)
	}
	if op := d.operation(id); op.Status != twinplatform.OperationFailed || !errors.Is(op.Failure, errRefused) {
		t.Errorf("the operation is %+v", op)
	}
	d.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1})
}

func TestWorkGivenUpWhileEarlierWorkIsResumedIsDoneByTheNextCaller(t *testing.T) {
	t.Parallel()
	store := memory.New()
	leave(t, store, twinplatform.Env{NewID: func() string { return "later" }}, chore{Marks: []string{"a", "b"}})
	ctx, giveUp := context.WithCancel(t.Context())
	var d *domain
	d = newDomain(t, beforeUpdate(store, 2, func() {
		if _, err := d.start(ctx, chore{Marks: []string{"c", "d"}}, false); err != nil {
			t.Errorf("got %v", err)
		}
	}), twinplatform.Env{})
	d.before = func(mark string) {
		if mark == "d" {
			giveUp()
		}
	}
	for _, mark := range []string{"e", "f"} {
		if _, err := d.start(t.Context(), chore{Marks: []string{mark}}, false); err != nil {
			t.Fatal(err)
		}
	}
	d.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1})
}
