package storagetest

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Shared opens an empty store, and the same store once more with each call of open, as
// another process would. The suites close what is opened.
type Shared func(t testing.TB) (open func() storage.Store)

// RunHandles checks the promises of package storage where two handles are open on one
// store: what one of them has acknowledged the other shows at once, and their Updates are
// one row. Engines whose store belongs to one handle at a time have no use for it.
func RunHandles(t *testing.T, shared Shared) {
	t.Helper()
	for _, p := range slices.Concat(handlePromises, serialPromises) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			open := shared(t)
			a, b := open(), open()
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("broken promise: %s", p.text)
				}
				if err := errors.Join(a.Close(), b.Close()); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
			p.check(t, a, b)
		})
	}
}

// handlePromise is one sentence about two handles.
type handlePromise struct {
	name  string
	text  string
	check func(t *testing.T, a, b storage.Store)
}

var handlePromises = []handlePromise{
	{
		"AcknowledgedIsSeenByTheOther",
		"What an Update of one handle has written is there for the other once it has returned.", func(t *testing.T, a,
			b storage.Store,
		) {
			for n := range 20 {
				put(t, a, "a", strconv.Itoa(n))
				wantValue(t, b, "a", strconv.Itoa(n))
				put(t, b, "b", strconv.Itoa(n))
				wantValue(t, a, "b", strconv.Itoa(n))
			}
		},
	},
	{
		"AViewIsNotDisturbed", "A View of one handle continues to read its state whatever the other writes.",
		func(t *testing.T, a, b storage.Store) {
			put(t, a, "a", "0", "b", "0")
			runs := 0
			view(t, a, func(r storage.Reader) {
				want := strconv.Itoa(runs)
				if value, err := r.Get("a"); err != nil || string(value) != want {
					t.Errorf("Get(a) = %q, %v", value, err)
				}
				runs++
				put(t, b, "a", strconv.Itoa(runs), "b", strconv.Itoa(runs))
				if value, err := r.Get("b"); err != nil || string(value) != want {
					t.Errorf("Get(b) = %q, %v: what the other wrote shows", value, err)
				}
			})
		},
	},
	{
		"UpdatesOfBothAreSerial", "Updates of both handles that read and write lose nothing to each other.",
		func(t *testing.T, a, b storage.Store) {
			const writers, rounds = 3, 15
			var group sync.WaitGroup
			for _, s := range []storage.Store{a, b} {
				for range writers {
					group.Go(func() {
						for range rounds {
							if err := increment(t, s, "n"); err != nil {
								t.Error(err)
								return
							}
						}
					})
				}
			}
			group.Wait()
			wantValue(t, a, "n", strconv.Itoa(2*writers*rounds))
			wantValue(t, b, "n", strconv.Itoa(2*writers*rounds))
		},
	},
	{
		"AHistoryIsOfBoth", "A history that begins through one handle is that of the other too.",
		func(t *testing.T, a, b storage.Store) {
			put(t, a, "a", "1")
			before := historyIn(t, b)
			saved := backup(t, a)
			restore(t, a, saved)
			now := historyIn(t, b)
			if now == before || now != historyIn(t, a) {
				t.Errorf("the other is in the history %q, was in %q", now, before)
			}
			err := b.Update(t.Context(), func(w storage.Writer) error {
				if name, err := storage.History(b, w); err != nil || name != now {
					t.Errorf("an Update of the other is in the history %q, %v", name, err)
				}
				_, err := w.Get("a")
				return err
			})
			if err != nil {
				t.Error(err)
			}
		},
	},
	{"AWatchHearsOfTheOther", "After Notify on one handle those who watch the topic on another are woken, and see " +
		"what was acknowledged before.", func(t *testing.T, a, b storage.Store) {
		needsWatcher(t, a)
		tokens := storage.Watch(t.Context(), b, "this", "that")
		for n := range 20 {
			put(t, a, "a", strconv.Itoa(n))
			storage.Notify(a, []string{"this", "that"}[n%2])
			wantToken(t, tokens)
			wantValue(t, b, "a", strconv.Itoa(n))
		}
	}},
	{"NotifyDoesNotBlock", "Notify does not wait, however many notices are pending, and watchers are woken all the " +
		"same.", func(t *testing.T, a, b storage.Store) {
		needsWatcher(t, a)
		tokens := storage.Watch(t.Context(), b, "topic 9999")
		for n := range 10_000 {
			storage.Notify(a, "topic "+strconv.Itoa(n))
		}
		wantToken(t, tokens)
		put(t, a, "a", "1")
	}},
	{
		"AWatchEndsWithItsContext", "There are no tokens once the context is done, and other watches continue.",
		func(t *testing.T, a, b storage.Store) {
			needsWatcher(t, a)
			ctx, cancel := context.WithCancel(t.Context())
			ended, goesOn := storage.Watch(ctx, b, "topic"), storage.Watch(t.Context(), b, "topic")
			storage.Notify(a, "topic")
			wantToken(t, ended)
			wantToken(t, goesOn)
			cancel()
			for range 3 { // the first may have been on its way
				storage.Notify(a, "topic")
				wantToken(t, goesOn)
			}
			select {
			case <-ended:
			default:
			}
			for range 3 {
				storage.Notify(a, "topic")
				wantToken(t, goesOn)
			}
			select {
			case <-ended:
				t.Error("a watch whose context is done was woken")
			default:
			}
		},
	},
	{
		"AWatchEndsWithItsStore", "Close waits for no watch, and a closed handle may be watched and notified.",
		func(t *testing.T, a, b storage.Store) {
			needsWatcher(t, a)
			tokens := storage.Watch(t.Context(), b, "topic")
			storage.Notify(b, "topic")
			wantToken(t, tokens)
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			storage.Notify(b, "topic")
			storage.Watch(t.Context(), b, "topic")
			put(t, a, "a", "1")
			storage.Notify(a, "topic")
		},
	},
	{
		"OneMayBeClosed", "What one handle has written stays when it is closed, and the other continues.",
		func(t *testing.T, a, b storage.Store) {
			put(t, a, "a", "1")
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			wantValue(t, b, "a", "1")
			put(t, b, "a", "2")
			wantValue(t, b, "a", "2")
		},
	},
}

// needsWatcher skips a promise that is none of the engine's.
func needsWatcher(t *testing.T, s storage.Store) {
	t.Helper()
	if _, ok := s.(storage.Watcher); !ok {
		t.Skip("the engine is no storage.Watcher")
	}
}

func wantToken(t *testing.T, tokens <-chan struct{}) {
	t.Helper()
	select {
	case <-tokens:
	case <-time.After(2 * patience):
		t.Fatal("no watcher was woken")
	}
}

func errorIf(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
