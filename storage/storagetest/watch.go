package storagetest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// patience is how long nothing may continue before a promise counts as hanging.
const patience = 5 * time.Second

// glances is how often the watchdog looks in that time. It counts its looks and not
// the time, so that a machine on which nothing proceeds is not the engine's fault.
const glances = 50

// watchdog knows which calls of the stores of one check are under way, and how long
// each of them has got nowhere.
type watchdog struct {
	// nested calls are made within others, which get on as they do.
	nested bool

	mu        sync.Mutex
	calls     []*call // in the order in which they began
	idle      int     // glances since the last call began or ended
	abandoned bool    // the check was given up: its stores fail from now on
}

// watched is a store that a watchdog looks after.
type watched struct {
	storage.Store
	*watchdog
}

var _ interface {
	storage.Store
	storage.Compactor
	storage.Historian
	storage.Restorer
} = (*watched)(nil)

// call is one that is under way.
type call struct {
	name string
	idle int // glances since it began, or its function did or ended
}

// over is a store that w looks after.
func (w *watchdog) over(s storage.Store) storage.Store { return &watched{s, w} }

// engine is an engine with stores that w looks after, from their opening on.
func (w *watchdog) engine(e Engine) Engine {
	watch := func(name string, open func() (storage.Store, error)) (storage.Store, error) {
		_, end := w.begin(name)
		defer end()
		s, err := open()
		if err != nil {
			return nil, err
		}
		return w.over(s), nil
	}
	out := e
	out.New = func(t testing.TB) storage.Store {
		s, _ := watch("New", func() (storage.Store, error) { return e.New(t), nil })
		return s
	}
	if e.Open != nil {
		out.Open = func(dir string) (storage.Store, error) {
			return watch("Open", func() (storage.Store, error) { return e.Open(dir) })
		}
	}
	if e.OpenOn != nil {
		out.OpenOn = func(disk *Disk) (storage.Store, error) {
			return watch("OpenOn", func() (storage.Store, error) { return e.OpenOn(disk) })
		}
	}
	return out
}

// watch runs a check of an engine, and fails the test when it hangs. It reports whether
// it did.
func (w *watchdog) watch(t *testing.T, engine Engine, check func()) (hangs bool) {
	t.Helper()
	patience := cmp.Or(engine.Patience, patience)
	w.calls = nil
	done := make(chan struct{})
	go func() { // in which FailNow and SkipNow end the check alone
		defer close(done)
		check()
	}()
	look := time.NewTicker(patience / glances)
	defer look.Stop()
	for {
		select {
		case <-done:
			return false
		case <-look.C:
			if what := w.glance(); what != "" {
				t.Errorf("hangs: %s for %v", what, patience)
				return true
			}
		}
	}
}

// glance reports what hangs, if anything does, and gives the check up then. Of calls
// within calls it is the innermost, which began last.
func (w *watchdog) glance() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle++
	stuck := ""
	for _, c := range w.calls {
		if c.idle++; c.idle > glances {
			stuck = c.name + " got nowhere"
		}
	}
	if stuck == "" && w.idle > glances {
		stuck = fmt.Sprintf("none of %d calls under way began or ended", len(w.calls))
	}
	w.abandoned = stuck != ""
	return stuck
}

// begin and its end surround a call.
func (w *watchdog) begin(name string) (c *call, end func()) {
	c = &call{name: name}
	w.note(func() { w.calls = append(w.calls, c) })
	return c, func() {
		w.note(func() { w.calls = slices.DeleteFunc(w.calls, func(other *call) bool { return other == c }) })
	}
}

// note records progress. Once the check has been given up it does
// not return, so that what is left of the check neither spins nor speaks.
func (w *watchdog) note(change func()) {
	w.mu.Lock()
	if w.abandoned {
		w.mu.Unlock()
		select {}
	}
	defer w.mu.Unlock()
	w.idle = 0
	if w.nested {
		for _, c := range w.calls {
			c.idle = 0
		}
	}
	change()
}

// View implements storage.Store.
func (w *watched) View(ctx context.Context, fn func(storage.Reader) error) error {
	c, end := w.begin("View")
	defer end()
	return w.Store.View(ctx, func(r storage.Reader) error {
		w.note(func() { c.idle = 0 })
		defer w.note(func() { c.idle = 0 })
		return fn(r)
	})
}

// Update implements storage.Store.
func (w *watched) Update(ctx context.Context, fn func(storage.Writer) error) error {
	c, end := w.begin("Update")
	defer end()
	return w.Store.Update(ctx, func(tx storage.Writer) error {
		w.note(func() { c.idle = 0 })
		defer w.note(func() { c.idle = 0 })
		return fn(tx)
	})
}

// Close implements storage.Store.
func (w *watched) Close() error {
	_, end := w.begin("Close")
	defer end()
	return w.Store.Close()
}

// Compact implements storage.Compactor for every engine.
func (w *watched) Compact(ctx context.Context) error {
	_, end := w.begin("Compact")
	defer end()
	return storage.Compact(ctx, w.Store)
}

// Restore implements storage.Restorer for every engine.
func (w *watched) Restore(ctx context.Context, r io.Reader) error {
	_, end := w.begin("Restore")
	defer end()
	return storage.Restore(ctx, w.Store, r)
}

// History implements storage.Historian for every engine.
func (w *watched) History(r storage.Reader) (string, error) { return storage.History(w.Store, r) }

// restoresAtOnce reports whether the engine below does.
func restoresAtOnce(s storage.Store) bool {
	if w, ok := s.(*watched); ok {
		s = w.Store
	}
	_, ok := s.(storage.Restorer)
	return ok
}
