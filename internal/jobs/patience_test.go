package jobs_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// impatient is the context of a caller who waits so long.
func impatient(t *testing.T, d time.Duration) context.Context {
	return twinplatform.WithPatience(t.Context(), d)
}

// slow is a domain each step of which takes 2 s.
func slow(t *testing.T) *domain {
	d := newDomain(t, memory.New(), twinplatform.Env{})
	d.before = func(string) { time.Sleep(2 * time.Second) }
	return d
}

func TestWorkThatOutlastsThePatienceOfItsCallerContinues(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := slow(t)
		defer d.run(t)()
		ctx, answered := context.WithCancel(impatient(t, 5*time.Second))
		began := time.Now()
		res, err := d.start(ctx, chore{Marks: []string{"a", "b", "c", "d", "e"}}, false)
		if took := time.Since(began); err != nil || res.ID == "" || res.Status != twinplatform.OperationRunning || len(res.Records) > 0 || took != 5*time.Second {
			t.Fatalf("after %s the caller is answered with %+v, %v", took, res, err)
		}
		answered() // which ends the context of a request
		op, err := res.Wait(t.Context())
		if took := time.Since(began); err != nil || op.Status != twinplatform.OperationSucceeded || took != 10*time.Second {
			t.Errorf("after %s it ended with %+v, %v", took, op, err)
		}
		d.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1})
	})
}

func TestOperationShowsWorkThatFailsAfterThePatienceOfItsCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := slow(t)
		defer d.run(t)()
		res, err := d.start(impatient(t, time.Second), chore{Marks: []string{"a", "b", "bad"}, Fail: "bad"}, false)
		if err != nil || res.Status.Done() {
			t.Fatalf("the caller is answered with %+v, %v", res.Operation, err)
		}
		if op, err := res.Wait(t.Context()); !errors.Is(err, errRefused) || op.Status != twinplatform.OperationFailed {
			t.Errorf("it ended with %+v, %v", op, err)
		}
	})
}

func TestWorkThatIsDoneInTimeIsAnsweredAtItsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := slow(t)
		defer d.run(t)()
		res, err := d.start(impatient(t, 5*time.Second), chore{Marks: []string{"a", "b"}}, false)
		if err != nil || res.Status != twinplatform.OperationSucceeded || len(res.Records) != 1 {
			t.Errorf("the caller is answered with %+v, %v", res, err)
		}
	})
}

// No one would continue with it.
func TestWorkIsWaitedForToItsEndWithoutRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := slow(t)
		res, err := d.start(impatient(t, time.Second), chore{Marks: []string{"a", "b", "c", "d", "e"}}, false)
		if err != nil || res.Status != twinplatform.OperationSucceeded {
			t.Errorf("the caller is answered with %+v, %v", res.Operation, err)
		}
	})
}

func TestWorkThatOutlastedItsCallerIsLeftToTheNextWhenRunEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := slow(t)
		stop := d.run(t)
		res, err := d.start(impatient(t, time.Second), chore{Marks: []string{"a", "b", "c", "d", "e"}}, false)
		if err != nil || res.Status.Done() {
			t.Fatalf("the caller is answered with %+v, %v", res.Operation, err)
		}
		stop()
		before := d.marks()
		time.Sleep(time.Minute)
		d.wantMarks(before)
		if op := d.operation(res.ID); op.Status != twinplatform.OperationRunning {
			t.Errorf("once Run has ended it is %s", op.Status)
		}
		defer d.run(t)()
		if op, err := res.Wait(t.Context()); err != nil || op.Status != twinplatform.OperationSucceeded {
			t.Errorf("the next ended it with %+v, %v", op, err)
		}
		d.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1})
	})
}

func TestCallerWhoLeavesBeforeItsPatienceEndsLeavesItsWorkToRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := slow(t)
		defer d.run(t)()
		ctx, giveUp := context.WithTimeout(impatient(t, time.Minute), 3*time.Second)
		defer giveUp()
		res, err := d.start(ctx, chore{Marks: []string{"a", "b", "c"}}, false)
		if err != nil || res.Status.Done() {
			t.Fatalf("the caller is answered with %+v, %v", res.Operation, err)
		}
		if op, err := res.Wait(t.Context()); err != nil || op.Status != twinplatform.OperationSucceeded {
			t.Errorf("it ended with %+v, %v", op, err)
		}
		d.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1})
	})
}
