package cycle

import (
	"context"
	"sync"
	"time"
)

// deadline is the context of a request that may take so long. It has a timer only from
// the moment that a caller waits for its end, which few requests do.
type deadline struct {
	context.Context // of the request

	mu    sync.Mutex
	at    time.Time
	over  bool            // the request is answered
	late  bool            // its time has run out while a caller waited
	timed context.Context // once a caller waits
	stop  context.CancelFunc
	timer *time.Timer
}

// Deadline implements context.Context.
func (d *deadline) Deadline() (time.Time, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
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
		d.timed, d.stop = context.WithCancel(d.Context)
		if d.over {
			d.stop()
		} else {
			d.timer = time.AfterFunc(time.Until(d.at), d.expire)
		}
	}
	return d.timed.Done()
}

// expire ends the context, unless its time was put off.
func (d *deadline) expire() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if left := time.Until(d.at); left > 0 && !d.over {
		d.timer.Reset(left)
		return
	}
	d.late = d.timed.Err() == nil
	d.stop()
}

// extend puts the end off: the time was not the platform's.
func (d *deadline) extend(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = d.at.Add(by)
}

// Err implements context.Context.
func (d *deadline) Err() error {
	d.mu.Lock()
	timed, over, late, at := d.timed, d.over, d.late, d.at
	d.mu.Unlock()
	switch {
	case late:
		return context.DeadlineExceeded
	case timed != nil:
		return timed.Err()
	}
	if err := d.Context.Err(); err != nil {
		return err
	}
	switch {
	case over:
		return context.Canceled
	case !time.Now().Before(at):
		return context.DeadlineExceeded
	}
	return nil
}

// end cancels what continues in the context.
func (d *deadline) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over = true; d.stop != nil {
		d.stop()
		if d.timer != nil {
			d.timer.Stop()
		}
	}
}
