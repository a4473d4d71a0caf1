package httpapi

import (
	"context"
	"sync"
	"time"
)

// deadline is the context of a request that may take so long. It has a timer only from
// the moment that somebody waits for its end, which few requests do.
type deadline struct {
	context.Context // of the request

	at    time.Time
	mu    sync.Mutex
	over  bool            // the request is answered
	timed context.Context // once somebody waits
	stop  context.CancelFunc
}

// Deadline implements context.Context.
func (d *deadline) Deadline() (time.Time, bool) {
	if outer, ok := d.Context.Deadline(); ok && outer.Before(d.at) {
		return outer, true
	}
	return d.at, true
}

// Done implements context.Context.
func (d *deadline) Done() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed == nil {
		d.timed, d.stop = context.WithDeadline(d.Context, d.at)
		if d.over {
			d.stop()
		}
	}
	return d.timed.Done()
}

// Err implements context.Context.
func (d *deadline) Err() error {
	d.mu.Lock()
	timed, over := d.timed, d.over
	d.mu.Unlock()
	if timed != nil {
		return timed.Err()
	}
	if err := d.Context.Err(); err != nil {
		return err
	}
	switch {
	case over:
		return context.Canceled
	case !time.Now().Before(d.at):
		return context.DeadlineExceeded
	}
	return nil
}

// end cancels what goes on in the context.
func (d *deadline) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over = true; d.stop != nil {
		d.stop()
	}
}
