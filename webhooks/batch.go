package webhooks

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// item is a delivery of a batch.
type item struct {
	delivery string
	message  *message
	test     bool
	spare    bool // the second probe, which tells nothing when it fails
}

// batch is what one worker does: some deliveries of one lane, which it has on
// lease.
type batch struct {
	owner   string
	webhook Webhook
	secrets []string // the present one first
	items   []item
	row     row  // that it was the turn of
	probe   bool // the endpoint is down
	barred  bool // it was not known whether the events may be heard
}

// over reports whether the batch ends with an attempt: the endpoint was down and
// took the oldest event, so that the others follow in their order.
func (b *batch) over(i int, m made) bool { return m.outcome == Accepted && b.items[i+1].spare }

// slice is how long a worker stays with one endpoint, apart from the attempt
// that is under way when it is over.
const slice = 250 * time.Millisecond

// keepWithin is how soon an answer is recorded. Answers that come faster than
// that share a transaction, and a crash repeats no more than those.
const keepWithin = 50 * time.Millisecond

// worker makes the deliveries of a batch, one after the other.
type worker struct {
	s *Service
	b *batch

	mu    sync.Mutex
	open  []made // not yet recorded
	stop  bool
	err   error
	timer *time.Timer // records what is open, while an attempt is under way
}

// work runs a batch to its end, or until stopping.
func (s *Service) work(ctx context.Context, stopping <-chan struct{}, b *batch) (f finished) {
	w := &worker{s: s, b: b}
	f.row = b.row
	began := s.now()
	defer func() {
		if v := recover(); v != nil {
			f.err = fmt.Errorf("webhooks: panic: %v\n%s", v, debug.Stack())
		}
	}()
	for i, it := range b.items {
		select {
		case <-stopping:
			w.keep(ctx, true)
			f.err = w.err
			return f
		default:
		}
		if !it.test && !w.heard(ctx) {
			break
		}
		m := made{it, s.attempt(ctx, b, it.message)}
		f.attempts++
		last := i == len(b.items)-1 || b.over(i, m) || !b.probe && s.now().Sub(began) >= slice
		if w.add(ctx, m, last) || last {
			break
		}
	}
	f.err = w.err
	return f
}

// heard reports whether the webhook may hear of events now. When it may not, or
// that cannot be found out, the lane is given back and left alone for a while.
func (w *worker) heard(ctx context.Context) bool {
	r, err := w.s.rightOf(ctx, &w.b.webhook, w.b.barred)
	if r.held && err == nil {
		return true
	}
	w.keep(ctx, false)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.stop {
		w.stop, w.err = true, w.s.withhold(ctx, w.b, err)
	}
	return false
}

// add notes an attempt and reports whether the batch is at its end.
func (w *worker) add(ctx context.Context, m made, last bool) (end bool) {
	w.mu.Lock()
	w.open = append(w.open, m)
	if len(w.open) == 1 && !last && m.outcome == Accepted {
		w.timer = time.AfterFunc(keepWithin, func() { w.keep(ctx, false) })
	}
	w.mu.Unlock()
	if m.outcome != Accepted {
		w.s.logAttempt(ctx, w.b, m)
	}
	if last || m.outcome != Accepted {
		w.keep(ctx, last)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stop
}

// keep records what is open; the last time it also gives the lease back.
func (w *worker) keep(ctx context.Context, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.stop || len(w.open) == 0 && !last {
		return
	}
	goOn, err := w.s.record(ctx, w.b, w.open, last)
	w.open, w.stop, w.err = nil, !goOn, err
}
