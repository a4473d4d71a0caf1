package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// mark is what the work of these tests writes.
type mark struct {
	ID    string `json:"id"`
	Times int    `json:"times"`
}

var marks = records.Collection[mark]{Name: "marks", ID: func(m *mark) string { return m.ID }}

const board records.Scope = "board-1"

// chore asks for marks to be made, one step each.
type chore struct {
	Marks []string `json:"marks"`
	Fail  string   `json:"fail"`  // refuse the work at this mark
	Panic string   `json:"panic"` // panic at this mark
}

var errRefused = &twinplatform.Error{Kind: twinplatform.Conflict, Code: "Refused", Message: "The mark is refused."}

// domain is a small domain over a store.
type domain struct {
	t      testing.TB
	db     *records.DB
	runner *jobs.Runner
	chores jobs.Kind[chore, mark]
	before func(mark string) // called at the beginning of a step
	refuse error             // what a step fails with that is to fail
}

func newDomain(t testing.TB, store storage.Store, env twinplatform.Env) *domain {
	d := &domain{t: t, db: records.New(store), before: func(string) {}, refuse: errRefused}
	d.runner = jobs.NewRunner(d.db, env, "test")
	d.chores = jobs.Define(d.runner, "chore", func(u *records.Update, w *jobs.Work[chore, mark]) (jobs.Progress, error) {
		id := w.Payload.Marks[0]
		d.before(id)
		switch id {
		case w.Payload.Fail:
			return jobs.Progress{}, d.refuse
		case w.Payload.Panic:
			panic("boom")
		}
		m, err := marks.Value(u, board, id)
		if errors.Is(err, records.ErrNotFound) {
			m, err = &mark{ID: id}, nil
		}
		if err != nil {
			return jobs.Progress{}, err
		}
		m.Times++
		rec, err := marks.Put(u, board, m)
		if err != nil {
			return jobs.Progress{}, err
		}
		w.Records = []twinplatform.Record[mark]{rec}
		w.Payload.Marks = w.Payload.Marks[1:]
		if len(w.Payload.Marks) == 0 {
			return jobs.Done, nil
		}
		return jobs.Progress{Percent: 10}, nil
	})
	return d
}

func (d *domain) start(ctx context.Context, c chore, keep bool) (twinplatform.Result[mark], error) {
	return d.chores.Start(ctx, jobs.Spec{Scope: board, Subjects: c.Marks, Keep: keep}, &c)
}

// marks are the marks made so far with how often each was made.
func (d *domain) marks() map[string]int {
	d.t.Helper()
	out := map[string]int{}
	err := d.db.View(context.Background(), func(v *records.View) error {
		for m, err := range marks.All(v, board, "") {
			if err != nil {
				return err
			}
			out[m.ID] = m.Times
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

func (d *domain) operation(id string) twinplatform.Operation {
	d.t.Helper()
	var op twinplatform.Operation
	err := d.db.View(context.Background(), func(v *records.View) error {
		rec, err := d.runner.Operation(v, board, id)
		op = rec.Value
		return err
	})
	if err != nil {
		d.t.Fatalf("operation %s: %v", id, err)
	}
	return op
}

func (d *domain) wantMarks(want map[string]int) {
	d.t.Helper()
	if diff := cmp.Diff(want, d.marks()); diff != "" {
		d.t.Error(diff)
	}
}

func TestWorkIsDoneWhenStartReturns(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{false, true} {
		d := newDomain(t, memory.New(), twinplatform.Env{})
		res, err := d.start(context.Background(), chore{Marks: []string{"a"}}, keep)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(mark{ID: "a", Times: 1}, res.Value()); diff != "" {
			t.Error(diff)
		}
		d.wantMarks(map[string]int{"a": 1})
		if !keep {
			if res.ID != "" {
				t.Errorf("an operation was made of work that needs none: %s", res.ID)
			}
			continue
		}
		op := d.operation(res.ID)
		if diff := cmp.Diff(res.Operation, op); diff != "" {
			t.Error(diff)
		}
		if op.Status != twinplatform.OperationSucceeded || op.PercentComplete != 100 || op.Kind != "chore" {
			t.Errorf("got %+v", op)
		}
		if diff := cmp.Diff([]string{"a"}, op.Subjects); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRefusedWorkLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, background := range []bool{false, true} {
		store := memory.New()
		d := newDomain(t, store, twinplatform.Env{Background: background})
		res, err := d.start(context.Background(), chore{Marks: []string{"a"}, Fail: "a"}, true)
		if !errors.Is(err, errRefused) || res.ID != "" {
			t.Errorf("background %v: %+v, %v", background, res, err)
		}
		d.wantMarks(map[string]int{})
		_ = store.View(context.Background(), func(r storage.Reader) error {
			for key := range r.Scan("", "") {
				if key != "platform/secret" && key != "platform/format" {
					t.Errorf("background %v: %s is left", background, key)
				}
			}
			return nil
		})
	}
}

func TestWorkInStepsIsDoneWhenStartReturns(t *testing.T) {
	t.Parallel()
	d := newDomain(t, memory.New(), twinplatform.Env{})
	res, err := d.start(context.Background(), chore{Marks: []string{"a", "b", "c"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	d.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1})
	if res.Value().ID != "c" || res.Status != twinplatform.OperationSucceeded {
		t.Errorf("got %+v", res)
	}
}

func TestFailureInALaterStepIsReturnedAndRecorded(t *testing.T) {
	t.Parallel()
	d := newDomain(t, memory.New(), twinplatform.Env{NewID: func() string { return "op" }})
	_, err := d.start(context.Background(), chore{Marks: []string{"a", "b", "c"}, Fail: "b"}, false)
	if !errors.Is(err, errRefused) {
		t.Errorf("got %v", err)
	}
	op := d.operation("op")
	if op.Status != twinplatform.OperationFailed || op.FailureDescription != "The mark is refused." || op.Failure == nil || op.Failure.Code != "Refused" {
		t.Errorf("got %+v", op)
	}
}

// A client decides how long the words are that an error quotes, and how many mistakes it lists.
func TestWorkEndsHoweverMuchIsSaidOfItsFailure(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\x01é", 400_000)
	many := make([]twinplatform.Detail, 1000)
	for i := range many {
		many[i] = twinplatform.Detail{Code: "InvalidValue", Message: fmt.Sprint(i, " ", long[:1000]), Target: long}
	}
	for name, refuse := range map[string]*twinplatform.Error{
		"a long message":      {Kind: twinplatform.Invalid, Code: "Refused", Message: long, Target: long},
		"a long detail":       {Kind: twinplatform.Invalid, Code: "Refused", Message: "No.", Details: []twinplatform.Detail{{Code: "InvalidValue", Message: long}}},
		"many details":        {Kind: twinplatform.Invalid, Code: "Refused", Message: "No.", Details: many},
		"many, and a message": {Kind: twinplatform.Invalid, Code: "Refused", Message: long, Details: many},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDomain(t, memory.New(), twinplatform.Env{NewID: func() string { return "op" }})
			d.refuse = refuse
			if _, err := d.start(t.Context(), chore{Marks: []string{"a", "b"}, Fail: "b"}, false); twinplatform.AsError(err).Code != "Refused" {
				t.Errorf("the caller gets %.200v", err)
			}
			op := d.operation("op")
			if op.Status != twinplatform.OperationFailed || op.Failure == nil || op.Failure.Code != "Refused" {
				t.Fatalf("the operation is %v", op.Status)
			}
			if said := string(op.FailureDescription); !strings.HasPrefix(said, refuse.Message[:3]) || len(said) > 200_000 || !utf8.ValidString(said) {
				t.Errorf("%d bytes say %.50q", len(said), said)
			}
			if left := len(refuse.Details) - len(op.Failure.Details); left > 0 && !strings.Contains(op.Failure.Message, fmt.Sprintf(" %d of its 1000 details are left out.", left)) {
				t.Errorf("%d details are left out of %q", left, op.Failure.Message)
			}
		})
	}
}

func TestBackgroundWorkWaitsForRunAndIsDoneOnceInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDomain(t, memory.New(), twinplatform.Env{Background: true})
		var order []string
		var results []twinplatform.Result[mark]
		for i := range 5 {
			res, err := d.start(t.Context(), chore{Marks: []string{fmt.Sprint(i), fmt.Sprint(i, "x")}}, false)
			if err != nil {
				t.Fatal(err)
			}
			if res.Status != twinplatform.OperationNotStarted || len(res.Records) != 0 {
				t.Errorf("accepted as %+v", res)
			}
			results = append(results, res)
		}
		d.wantMarks(map[string]int{})
		d.before = func(m string) { order = append(order, m) }
		stop := d.run(t)
		defer stop()
		for _, res := range results {
			op, err := d.runner.Wait(t.Context(), board, res.ID)
			if err != nil || op.Status != twinplatform.OperationSucceeded || op.PercentComplete != 100 {
				t.Errorf("got %+v, %v", op, err)
			}
		}
		if diff := cmp.Diff([]string{"0", "0x", "1", "1x", "2", "2x", "3", "3x", "4", "4x"}, order); diff != "" {
			t.Error(diff)
		}
		d.wantMarks(map[string]int{"0": 1, "0x": 1, "1": 1, "1x": 1, "2": 1, "2x": 1, "3": 1, "3x": 1, "4": 1, "4x": 1})
		// What comes while Run waits is done too.
		res, err := d.start(t.Context(), chore{Marks: []string{"late"}}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.runner.Wait(t.Context(), board, res.ID); err != nil {
			t.Fatal(err)
		}
	})
}

// run starts the runner and returns a function that stops it.
func (d *domain) run(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.runner.Run(ctx) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	}
}

func TestFailureInTheBackgroundIsRecordedAndStopsNothingElse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDomain(t, memory.New(), twinplatform.Env{Background: true})
		var ids []string
		for _, c := range []chore{
			{Marks: []string{"a", "b"}, Fail: "b"},
			{Marks: []string{"c", "d"}, Panic: "d"},
			{Marks: []string{"e"}},
		} {
			res, err := d.start(t.Context(), c, false)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, res.ID)
		}
		defer d.run(t)()
		for i, want := range []twinplatform.NullString{"The mark is refused.", "An unexpected error occurred.", ""} {
			op, err := d.runner.Wait(t.Context(), board, ids[i])
			if err != nil || op.FailureDescription != want || op.PercentComplete != 100 {
				t.Errorf("%d: got %+v, %v", i, op, err)
			}
		}
		d.wantMarks(map[string]int{"a": 1, "c": 1, "e": 1})
	})
}

func TestStepsOfUnknownOutcomeAreDoneOnce(t *testing.T) {
	t.Parallel()
	for lost := range 4 {
		synctest.Test(t, func(t *testing.T) {
			store := storetest.Over(memory.New())
			d := newDomain(t, store, twinplatform.Env{Background: true})
			res, err := d.start(t.Context(), chore{Marks: []string{"a", "b", "c"}}, false)
			if err != nil {
				t.Fatal(err)
			}
			store.LoseAfter(lost, fmt.Errorf("the line is dead: %w", storage.ErrUnknown))
			stop := d.run(t)
			defer stop()
			time.Sleep(time.Second / 2) // while one step was made and is not known to be
			store.Rest()
			if _, err := d.runner.Wait(t.Context(), board, res.ID); err != nil {
				t.Fatal(err)
			}
			d.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1})
		})
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDomain(t, memory.New(), twinplatform.Env{Background: true})
		res, err := d.start(t.Context(), chore{Marks: []string{"a"}}, false)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := d.runner.Wait(ctx, board, res.ID); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if _, err := d.runner.Wait(ctx, board, "unknown"); !errors.Is(err, jobs.ErrOperationNotFound) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

// A process that ends between two steps leaves the rest to the next one, and
// nothing is done twice.
func TestWorkResumesWhereAnEarlierProcessEnded(t *testing.T) {
	t.Parallel()
	for _, resume := range []string{"by the next work", "by Run"} {
		t.Run(resume, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := memory.New()
				first := newDomain(t, store, twinplatform.Env{})
				ctx, crash := context.WithCancel(t.Context())
				first.before = func(m string) {
					if m == "c" {
						crash()
					}
				}
				if res, err := first.start(ctx, chore{Marks: []string{"a", "b", "c", "d"}}, false); err != nil || res.Status.Done() {
					t.Fatalf("got %+v, %v", res.Operation, err)
				}
				first.wantMarks(map[string]int{"a": 1, "b": 1})

				second := newDomain(t, store, twinplatform.Env{})
				want := map[string]int{"a": 1, "b": 1, "c": 1, "d": 1}
				if resume == "by Run" {
					stop := second.run(t)
					synctest.Wait()
					stop()
				} else {
					if _, err := second.start(t.Context(), chore{Marks: []string{"next"}}, false); err != nil {
						t.Fatal(err)
					}
					want["next"] = 1
				}
				second.wantMarks(want)
			})
		})
	}
}

func TestWorkThatItsCallerGaveUpIsDoneByTheNextCaller(t *testing.T) {
	t.Parallel()
	d := newDomain(t, memory.New(), twinplatform.Env{})
	ctx, giveUp := context.WithCancel(context.Background())
	d.before = func(m string) {
		if m == "b" {
			giveUp()
		}
	}
	res, err := d.start(ctx, chore{Marks: []string{"a", "b"}}, false)
	if err != nil || res.Status.Done() || len(res.Records) > 0 {
		t.Fatalf("work that was given up is answered with %+v, %v", res, err)
	}
	if _, err := d.start(context.Background(), chore{Marks: []string{"c"}}, false); err != nil {
		t.Fatal(err)
	}
	d.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1})
	if op, err := res.Wait(t.Context()); err != nil || op.Status != twinplatform.OperationSucceeded {
		t.Errorf("waiting for it gives %+v, %v", op, err)
	}
}

// TestWorkThatIsAcceptedIsNeverReportedAsRefused loses the store behind each step but the
// first: a caller that sent the work again would have it done twice.
func TestWorkThatIsAcceptedIsNeverReportedAsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := storetest.Over(memory.New())
		d := newDomain(t, store, twinplatform.Env{})
		d.before = func(m string) {
			if m == "b" {
				store.FailAfter(0, fmt.Errorf("network: %w", storage.ErrUnavailable))
			}
		}
		res, err := d.start(t.Context(), chore{Marks: []string{"a", "b", "c"}}, false)
		if err != nil || res.ID == "" || res.Status.Done() {
			t.Fatalf("accepted work is answered with %+v, %v", res.Operation, err)
		}
		d.before = func(string) {}
		store.Rest()
		defer d.run(t)()
		if op, err := res.Wait(t.Context()); err != nil || op.Status != twinplatform.OperationSucceeded {
			t.Errorf("it ended with %+v, %v", op, err)
		}
		d.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1})
	})
}

func TestRunTriesAgainWhenTheStoreTakesWritesAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := storetest.Over(memory.New())
		d := newDomain(t, store, twinplatform.Env{Background: true})
		res, err := d.start(t.Context(), chore{Marks: []string{"a"}}, false)
		if err != nil {
			t.Fatal(err)
		}
		store.FailAfter(0, fmt.Errorf("disk: %w", storage.ErrUnavailable))
		if _, err := d.start(t.Context(), chore{Marks: []string{"b"}}, false); !errors.Is(err, twinplatform.Unavailable) {
			t.Errorf("a full store accepted work: %v", err)
		}
		defer d.run(t)()
		time.Sleep(10 * time.Minute) // of the bubble's clock
		if op := d.operation(res.ID); op.Status != twinplatform.OperationNotStarted {
			t.Errorf("on a full store the operation is %s", op.Status)
		}
		store.Rest()
		op, err := d.runner.Wait(t.Context(), board, res.ID)
		if err != nil || op.Status != twinplatform.OperationSucceeded {
			t.Errorf("got %+v, %v", op, err)
		}
		d.wantMarks(map[string]int{"a": 1})
	})
}

func TestConcurrentWorkIsEachDoneOnce(t *testing.T) {
	t.Parallel()
	d := newDomain(t, memory.New(), twinplatform.Env{})
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error)
	go func() { ran <- d.runner.Run(ctx) }()
	want := map[string]int{}
	errs := make(chan error)
	for i := range 40 {
		name := fmt.Sprint(i)
		want[name], want[name+"x"], want[name+"y"] = 1, 1, 1
		go func() {
			_, err := d.start(context.Background(), chore{Marks: []string{name, name + "x", name + "y"}}, true)
			errs <- err
		}()
	}
	for range 40 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	cancel()
	if err := <-ran; err != nil {
		t.Error(err)
	}
	d.wantMarks(want)
}
