package records

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// polls batches the polls of all areas over a store that other processes write to as well:
// one transaction asks for all of them whether there is something to do.
type polls struct {
	mu      sync.Mutex
	waiting []*poll // guarded by mu; the first of them runs the batch
}

// poll is one caller of Poll.
type poll struct {
	look func(storage.Reader) error
	err  error
	done chan struct{} // closed when err is set
}

// gathers is how long the first caller of a batch waits for others.
const gathers = 20 * time.Millisecond

// errAlone has a caller poll by itself: the one that ran the batch was stopped.
var errAlone = errors.New("records: no reader looked")

// NextPoll is how long to wait for the next poll of a period. Polls of one period fall on the
// same moments, so that they meet in a batch.
func NextPoll(every time.Duration) time.Duration {
	every = max(every, time.Millisecond)
	return every - time.Duration(time.Now().UnixNano())%every
}

// Poll is View for callers that ask at the moments of NextPoll whether there is work. It waits
// up to 20 ms for others, and runs fn in one transaction with theirs, maybe by another
// goroutine; fn has ended when Poll returns.
func (db *DB) Poll(ctx context.Context, fn func(*View) error) error {
	if db.polls == nil || db.Epoch() != "" {
		return db.View(ctx, fn)
	}
	err := db.polls.ask(ctx, db.store, func(r storage.Reader) error {
		keys, err := db.keysOf(r)
		if err != nil {
			return err
		}
		return fn(&View{r: r, keys: keys, db: db, ctx: ctx, committed: true})
	})
	if errors.Is(err, errAlone) || errors.Is(err, errNoKeys) {
		return db.View(ctx, fn)
	}
	return wrap(err)
}

// PollStore is Poll for what is no record, over a store of Budgeted; over others it is View.
func PollStore(ctx context.Context, s storage.Store, fn func(storage.Reader) error) error {
	b, ok := s.(*budgeted)
	if !ok || b.Epoch() != "" {
		return s.View(ctx, fn)
	}
	err := b.polls.ask(ctx, b.Store, fn)
	if errors.Is(err, errAlone) {
		return s.View(ctx, fn)
	}
	return err
}

// ask runs fn in the next batch.
func (p *polls) ask(ctx context.Context, s storage.Store, fn func(storage.Reader) error) error {
	one := &poll{look: fn, done: make(chan struct{})}
	p.mu.Lock()
	p.waiting = append(p.waiting, one)
	first := len(p.waiting) == 1
	p.mu.Unlock()
	if first {
		p.lookForAll(ctx, s)
	}
	select {
	case <-one.done:
		return one.err
	case <-ctx.Done():
	}
	if p.withdraw(one) {
		return ctx.Err()
	}
	<-one.done // fn runs, and is its caller's until it has ended
	return one.err
}

// withdraw takes a poll out of the batch, unless that runs already.
func (p *polls) withdraw(one *poll) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.waiting, one)
	if i < 0 {
		return false
	}
	p.waiting = slices.Delete(p.waiting, i, i+1)
	return true
}

// lookForAll gathers a batch and runs it.
func (p *polls) lookForAll(ctx context.Context, s storage.Store) {
	timer := time.NewTimer(gathers)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	p.mu.Lock()
	all := p.waiting
	p.waiting = nil
	p.mu.Unlock()
	looked := false
	err := s.View(ctx, func(r storage.Reader) error {
		var failed []error
		for _, one := range all {
			one.err = one.look(r)
			failed = append(failed, one.err)
		}
		looked = true
		return errors.Join(failed...) // the engine may run it again
	})
	for _, one := range all {
		switch {
		case ctx.Err() != nil:
			one.err = errAlone
		case err != nil && (!looked || one.err != nil):
			one.err = err
		}
		close(one.done)
	}
}
