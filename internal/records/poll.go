package records

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// polls let those look together who look every so often, over a store that other processes
// write to as well, whether there is something to do: in one transaction for all, however
// many areas there are.
type polls struct {
	mu      sync.Mutex
	waiting []*poll // guarded by mu; the first of them looks for all
}

// poll is one who looks.
type poll struct {
	look func(storage.Reader) error
	err  error
	done chan struct{} // closed when err is set
}

// gathers is how long the first who looks waits for others.
const gathers = 20 * time.Millisecond

// errAlone has one look alone: who looked for all was stopped.
var errAlone = errors.New("records: nobody looked")

// NextPoll is after how long to look again, every so often: those who look as often look at
// the same moments.
func NextPoll(every time.Duration) time.Duration {
	every = max(every, time.Millisecond)
	return every - time.Duration(time.Now().UnixNano())%every
}

// Poll is View for those who look every so often, as NextPoll says. It may take a moment
// longer, until others look too.
func (db *DB) Poll(ctx context.Context, fn func(*View) error) error {
	if db.polls == nil || db.Tenure() != "" {
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

// PollStore is Poll of what is no record, for a store of Budgeted; of others it is View.
func PollStore(ctx context.Context, s storage.Store, fn func(storage.Reader) error) error {
	b, ok := s.(*budgeted)
	if !ok || b.Tenure() != "" {
		return s.View(ctx, fn)
	}
	err := b.polls.ask(ctx, b.Store, fn)
	if errors.Is(err, errAlone) {
		return s.View(ctx, fn)
	}
	return err
}

// ask has fn look with all others who do so by now.
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

// withdraw takes back what nobody has begun to look for.
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

// lookForAll waits for others and looks for them too.
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
