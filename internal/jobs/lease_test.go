package jobs_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// node is a domain as one of several processes has it, over a store that they share.
type node struct {
	*domain

	store *storetest.Eventful
	mu    sync.Mutex
	steps []string // that it has begun
	stop  func()   // ends Run, and waits for that
}

// newNode returns one that calls Run if it is to.
func newNode(t *testing.T, store storage.Store, env twinplatform.Env, runs bool) *node {
	t.Helper()
	n := &node{store: storetest.Over(store), stop: func() {}}
	n.domain = newDomain(t, n.store, env)
	n.before = func(id string) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.steps = append(n.steps, id)
	}
	if runs {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if err := n.runner.Run(ctx); err != nil {
				t.Error(err)
			}
		}()
		n.stop = func() { cancel(); <-ended }
	}
	return n
}

func (n *node) begun() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.steps...)
}

// slowly makes each step of a node take a while.
func (n *node) slowly(each time.Duration) {
	note := n.before
	n.before = func(id string) { note(id); time.Sleep(each) }
}

func TestWorkOfACallerIsDoneByNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		caller, other := newNode(t, store, twinplatform.Env{}, false), newNode(t, store, twinplatform.Env{}, true)
		defer other.stop()
		caller.slowly(twinplatform.DefaultLease - time.Second) // which is longer than a lease in all
		work := chore{Marks: []string{"a", "b", "c", "d", "e"}}
		if _, err := caller.start(t.Context(), work, true); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([][]string{work.Marks, nil}, [][]string{caller.begun(), other.begun()}); diff != "" {
			t.Error(diff)
		}
	})
}

func TestWorkOfADeadProcessIsTakenOverWithinTheLease(t *testing.T) {
	t.Parallel()
	for _, background := range []bool{false, true} {
		t.Run(fmt.Sprintf("background %v", background), func(t *testing.T) {
			t.Parallel()
			tries := 0 // of a first step, without effect
			if background {
				tries = 1
			}
			synctest.Test(t, func(t *testing.T) {
				store := memory.New()
				env := twinplatform.Env{Lease: 3 * time.Second, Background: background}
				dead := newNode(t, store, env, background)
				defer dead.stop()
				ctx, bury := context.WithCancel(t.Context())
				defer bury()
				dead.store.Before(func() error {
					if len(dead.begun()) < 2+tries {
						return nil
					}
					<-ctx.Done() // it does nothing any more, and is never notified
					return ctx.Err()
				})
				go func() { _, _ = dead.start(ctx, chore{Marks: []string{"a", "b", "c", "d"}}, true) }()
				synctest.Wait()
				other := newNode(t, store, env, true)
				defer other.stop()
				time.Sleep(2 * time.Second)
				if got := other.begun(); len(got) > 0 {
					t.Errorf("another has begun %v within the lease", got)
				}
				time.Sleep(3 * time.Second) // a second is what it looks for work in
				synctest.Wait()
				if diff := cmp.Diff([]string{"c", "d"}, other.begun()); diff != "" {
					t.Error(diff)
				}
				other.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1, "d": 1})
			})
		})
	}
}

func TestWorkOfAProcessThatEndsIsTakenUpAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		env := twinplatform.Env{Lease: time.Hour, Background: true} // and looks every twelve minutes
		ends := newNode(t, store, env, true)
		ends.slowly(time.Second)
		res, err := ends.start(t.Context(), chore{Marks: []string{"a", "b", "c", "d"}}, true)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2500 * time.Millisecond)
		ends.stop()
		other := newNode(t, store, env, true)
		defer other.stop()
		began := time.Now()
		if _, err := res.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("another continues with it after %v", took)
		}
		other.wantMarks(map[string]int{"a": 1, "b": 1, "c": 1, "d": 1})
	})
}

func TestProcessesShareWorkAndDoEachStepOnce(t *testing.T) {
	t.Parallel()
	store := memory.New()
	env := twinplatform.Env{Background: true}
	var nodes []*node
	for range 3 {
		nodes = append(nodes, newNode(t, store, env, true))
	}
	want := make(map[string]int)
	var group sync.WaitGroup
	for i := range 60 {
		work := chore{}
		for j := range 5 {
			id := fmt.Sprintf("%d-%d", i, j)
			work.Marks, want[id] = append(work.Marks, id), 1
		}
		group.Go(func() {
			res, err := nodes[i%3].start(t.Context(), work, true)
			if err == nil {
				_, err = res.Wait(t.Context())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	nodes[0].wantMarks(want)
	for _, n := range nodes {
		n.stop()
	}
}

func TestWaitReturnsForWorkThatAnotherProcessHasDone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		accepts := newNode(t, store, twinplatform.Env{Background: true}, false)
		res, err := accepts.start(t.Context(), chore{Marks: []string{"a", "b"}}, true)
		if err != nil {
			t.Fatal(err)
		}
		works := newNode(t, store, twinplatform.Env{}, true)
		defer works.stop()
		began := time.Now()
		if _, err := res.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v to be notified", took)
		}
		works.wantMarks(map[string]int{"a": 1, "b": 1})
	})
}

func TestNotifiedProcessesDoNotWaitForThePoll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := storetest.Notifying(memory.New())
		env := twinplatform.Env{Lease: time.Hour, Background: true} // and looks every twelve minutes
		accepts, works := newDomain(t, store, env), newDomain(t, store, env)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- works.runner.Run(ctx) }()
		defer func() { cancel(); <-ended }()
		synctest.Wait()
		for _, work := range []string{"a", "b"} {
			time.Sleep(time.Minute)
			began := time.Now()
			res, err := accepts.start(t.Context(), chore{Marks: []string{work, work + work}}, true)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := res.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > 50*time.Millisecond {
				t.Errorf("the other has done it, and this one was notified of it, after %v", took)
			}
		}
		works.wantMarks(map[string]int{"a": 1, "aa": 1, "b": 1, "bb": 1})
	})
}

// A process that is notified without pause works all the same.
func TestNoticesDoNotKeepAProcessFromWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := storetest.Notifying(memory.New())
		env := twinplatform.Env{Lease: time.Hour, Background: true}
		accepts, works := newDomain(t, store, env), newDomain(t, store, env)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- works.runner.Run(ctx) }()
		defer func() { cancel(); <-ended }()
		synctest.Wait()
		for i := range 100 {
			if _, err := accepts.start(t.Context(), chore{Marks: []string{fmt.Sprint(i)}}, true); err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Millisecond)
		}
		if n := len(works.marks()); n < 80 {
			t.Errorf("%d of 100 pieces of work are done, of which the last was accepted just now", n)
		}
	})
}

// What someone else has accepted or left is for Run: no call pays for it.
func TestNoCallDoesTheWorkOfOthers(t *testing.T) {
	t.Parallel()
	store := memory.New()
	accepts := newNode(t, store, twinplatform.Env{Background: true}, false)
	if _, err := accepts.start(t.Context(), chore{Marks: []string{"theirs"}}, true); err != nil {
		t.Fatal(err)
	}
	caller := newNode(t, store, twinplatform.Env{}, false)
	if _, err := caller.start(t.Context(), chore{Marks: []string{"ours"}}, true); err != nil {
		t.Fatal(err)
	}
	caller.wantMarks(map[string]int{"ours": 1})
}

func TestWorkThatFailsInOneProcessHasFailedInAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		accepts := newNode(t, store, twinplatform.Env{Background: true}, false)
		res, err := accepts.start(t.Context(), chore{Marks: []string{"a", "b"}, Fail: "b"}, true)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			defer newNode(t, store, twinplatform.Env{}, true).stop()
		}
		op, err := res.Wait(t.Context())
		if op.Status != twinplatform.OperationFailed {
			t.Errorf("the operation is %v (%v), want it failed", op.Status, err)
		}
		accepts.wantMarks(map[string]int{"a": 1})
	})
}
