// Package bench measures how long the work of one caller makes the others wait, and how
// many times longer work takes than the least that it could be.
//
// A store has one writer, so that whatever holds it for long stalls every account.
// Work is measured over a [Store], with a writer that keeps writing: see [Store.WithWriter].
package bench

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Store is a store that measures how long its transactions hold the writer.
type Store struct {
	storage.Store
	held, worked atomic.Int64
}

// Over returns a store over another.
func Over(store storage.Store) *Store { return &Store{Store: store} }

// Update implements storage.Store.
func (s *Store) Update(ctx context.Context, fn func(storage.Writer) error) error {
	var began time.Time
	var worked time.Duration
	err := s.Store.Update(ctx, func(w storage.Writer) (err error) {
		began = time.Now() // the writer is ours
		worked, err = onCPU(func() error { return fn(w) })
		return err
	})
	if !began.IsZero() {
		raise(&s.held, time.Since(began))
		raise(&s.worked, worked)
	}
	return err
}

// raise keeps the longer of two times.
func raise(longest *atomic.Int64, d time.Duration) {
	for {
		before := longest.Load()
		if int64(d) <= before || longest.CompareAndSwap(before, int64(d)) {
			return
		}
	}
}

// Waits say what work did to a concurrent writer.
type Waits struct {
	Took   time.Duration // the work
	Writes int           // of the concurrent writer, each begun when the one before had ended
	// Longest, P99 and Median are of the times that these writes took.
	Longest, P99, Median time.Duration
	// Held is the longest time for which a transaction held the writer, and Worked the
	// longest that the processor was at one, where the system measures it.
	Held, Worked time.Duration
}

// WithWriter does work while another goroutine calls write over and over, each time with
// the next number from zero on.
func (s *Store) WithWriter(ctx context.Context, write func(ctx context.Context, i int) error,
	work func(context.Context) error,
) (Waits, error) {
	var took []time.Duration
	var stopped atomic.Bool
	ended := make(chan error, 1)
	ready := make(chan struct{})
	go func() {
		for i := 0; ; i++ {
			began := time.Now()
			if err := write(ctx, i); err != nil {
				ended <- err
				return
			}
			if took = append(took, time.Since(began)); i == 0 {
				took = took[:0] // the first one fills caches
				close(ready)
			}
			if i > 0 && stopped.Load() { // the last one has waited for the end of the work
				ended <- nil
				return
			}
		}
	}()
	select {
	case <-ready:
	case err := <-ended:
		return Waits{}, err
	}
	s.held.Store(0)
	s.worked.Store(0)
	began := time.Now()
	err := work(ctx)
	w := Waits{Took: time.Since(began)}
	stopped.Store(true)
	if err = errors.Join(err, <-ended); err != nil {
		return Waits{}, err
	}
	w.Held, w.Worked = time.Duration(s.held.Load()), time.Duration(s.worked.Load())
	w.Writes = len(took)
	if slices.Sort(took); len(took) > 0 {
		w.Longest, w.P99, w.Median = took[len(took)-1], took[len(took)*99/100], took[len(took)/2]
	}
	return w, nil
}
