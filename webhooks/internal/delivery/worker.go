package delivery

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// item is a delivery of a batch.
type item struct {
	delivery string
	message  *message
	test     bool
	second   bool // the second probe, whose failure shows nothing
}

// batch is what one worker does: some deliveries to one endpoint, which it has on
// lease.
type batch struct {
	owner    string
	endpoint *Endpoint
	sign     Sign
	items    []item
	first    int64 // attempt number, that of the first item
	flow     flow  // that it was the turn of
	probe    bool  // the circuit is open
	barred   bool  // it was not known whether the webhook may receive the events
}

// endsWith reports whether the batch ends with an attempt: the circuit was open and the
// endpoint took the oldest event, so that the others follow in their order.
func (b *batch) endsWith(i int, a attempt) bool { return a.outcome == Accepted && b.items[i+1].second }

// timeSlice is how long a worker stays with one endpoint, apart from the attempt
// that is under way when it is over.
const timeSlice = 250 * time.Millisecond

// flushAfter is how soon an answer is recorded. Answers that come faster than that
// share a transaction, and a crash repeats no more than those.
const flushAfter = 50 * time.Millisecond

// worker makes the deliveries of a batch, one after the other.
type worker struct {
	g *Engine
	b *batch

	mu         sync.Mutex
	unrecorded []attempt
	stop       bool
	err        error
	timer      *time.Timer // flushes while an attempt is under way

	held atomic.Pointer[time.Time] // when it was last seen that the lease is valid for half of it at least
}

// work runs a batch to its end, or until ctx is done. An attempt that is under way
// then is brought to its end.
func (g *Engine) work(ctx context.Context, b *batch) (f finished) {
	w := &worker{g: g, b: b}
	f.flow = b.flow
	defer func() {
		if v := recover(); v != nil {
			f.err = fmt.Errorf("webhooks: panic: %v\n%s", v, debug.Stack())
		}
	}()
	held := context.WithoutCancel(ctx)
	if g.cfg.Epoch == "" {
		var end context.CancelFunc
		held, end = context.WithCancel(held)
		defer w.keep(held, end)()
	}
	f.attempts = w.run(ctx, held)
	f.err = w.err
	return f
}

// beats is how often the lease is looked after in its time. It is renewed when half of it
// is over.
const beats = 5

// keep renews the lease while attempts are under way, and ends them where it is another's,
// or where the store has not answered for so long that it may be soon. It continues until
// what it returns is called.
func (w *worker) keep(ctx context.Context, end context.CancelFunc) (rest func()) {
	term := w.g.cfg.Lease
	now := time.Now()
	w.held.Store(&now)
	rested, kept := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(kept)
		defer end()
		ticks := time.NewTicker(term / beats)
		defer ticks.Stop()
		for time.Since(*w.held.Load()) < term/2-term/beats/2 {
			select {
			case <-rested:
				return
			case <-ticks.C:
				if !w.renew(ctx, term/beats) {
					return
				}
			}
		}
	}()
	return func() {
		close(rested)
		<-kept
	}
}

// renew renews the lease, and reports whether the endpoint is still on lease to this
// worker, as far as it could be seen.
func (w *worker) renew(ctx context.Context, patience time.Duration) (mine bool) {
	if !w.mu.TryLock() {
		return true // what is being recorded renews it too
	}
	defer w.mu.Unlock()
	if w.stop {
		return true // it was given back, and there is nothing left to end
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	now := time.Now()
	mine, err := w.g.onLease(ctx, w.b, func(x *effects, l *State) error { return x.lease(l, true) })
	switch {
	case err != nil:
		return true
	case mine:
		w.held.Store(&now)
	default:
		w.stop = true
	}
	return mine
}

func (w *worker) run(stopping, ctx context.Context) (attempts int) {
	began := w.g.now()
	for i, it := range w.b.items {
		if stopping.Err() != nil {
			w.flush(ctx, true)
			return attempts
		}
		if !it.test && !w.entitled(ctx) {
			return attempts
		}
		a := attempt{it, w.g.post(ctx, w.b, i)}
		attempts++
		last := i == len(w.b.items)-1 || w.b.endsWith(i, a) || !w.b.probe && w.g.now().Sub(began) >= timeSlice
		if w.add(ctx, a, last) || last {
			return attempts
		}
	}
	return attempts
}

// entitled reports whether the webhook may receive events now. When it may not, or that
// cannot be found out, the endpoint is released and tried later.
func (w *worker) entitled(ctx context.Context) bool {
	r, err := w.b.endpoint.Entitlement(ctx, w.b.barred)
	if r.Held && err == nil {
		return true
	}
	w.flush(ctx, false)
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		w.stop = true // the lease is lost, or may be
	}
	if !w.stop {
		w.stop, w.err = true, w.g.withhold(ctx, w.b, err)
	}
	return false
}

// add notes an attempt and reports whether the batch is at its end.
func (w *worker) add(ctx context.Context, a attempt, last bool) (end bool) {
	w.mu.Lock()
	w.unrecorded = append(w.unrecorded, a)
	if len(w.unrecorded) == 1 && !last && a.outcome == Accepted {
		w.timer = time.AfterFunc(flushAfter, func() { w.flush(ctx, false) })
	}
	w.mu.Unlock()
	if a.outcome != Accepted {
		w.g.logAttempt(ctx, w.b, a)
	}
	if last || a.outcome != Accepted {
		w.flush(ctx, last)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stop
}

// flush records what is not yet; the last time it also gives the lease back.
func (w *worker) flush(ctx context.Context, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.stop || len(w.unrecorded) == 0 && !last {
		return
	}
	now := time.Now()
	goOn, err := w.g.recordAttempts(ctx, w.b, w.unrecorded, last)
	if ctx.Err() != nil {
		goOn, err = false, nil // the next holder of the endpoint makes them again
	}
	if goOn {
		w.held.Store(&now)
	}
	w.unrecorded, w.stop, w.err = nil, !goOn, err
}
