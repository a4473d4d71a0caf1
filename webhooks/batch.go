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
}

// batch is what one worker does: some deliveries of one lane, which it has on
// lease.
type batch struct {
	owner   string
	webhook Webhook
	secrets []Secret // the present one first
	items   []item
}

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
		m := made{it, s.attempt(ctx, b, it.message)}
		f.attempts++
		if w.add(ctx, m, i == len(b.items)-1) {
			break
		}
	}
	f.err = w.err
	return f
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
