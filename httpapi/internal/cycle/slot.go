package cycle

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/allowance"
)

// A large request keeps a core busy for tens of milliseconds. As long as others send requests
// too, those of one account have slots for half of the cores, and wait in line for one, so that
// the others find a core. Long operations take none: they go in steps that give way.

const (
	// largeBody is how many bytes of JSON make a request a large one.
	largeBody = 32 << 10
	// maxInLine is how many requests of an account wait at most: each keeps its body.
	maxInLine = 100
	// together is how long a request of another account counts as there.
	together = time.Second
)

// Slots limits how many large requests of one account are served at once. It is safe for
// concurrent use.
type Slots struct {
	each int // of an account

	mu       sync.Mutex // guards all below
	accounts map[string]*line
	latest   string    // the account that sent the latest request
	at       time.Time // when
	others   time.Time // when any other account sent its latest one
}

// line are the large requests of an account.
type line struct {
	working int
	waiting []chan struct{} // closed once the request has a slot, the first one first
}

// NewSlots returns slots of which an account has half as many as there are cores.
func NewSlots() *Slots {
	return &Slots{each: max(1, runtime.GOMAXPROCS(0)/2), accounts: make(map[string]*line)}
}

// slotsOf is whose slots the requests of a principal take; "" without one.
func slotsOf(p *twinplatform.Principal) string { return cmp.Or(p.AccountID, p.ID) }

// note notes a request of an account, of any size.
func (s *Slots) note(account string, at time.Time) {
	if account == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if account != s.latest {
		s.latest, s.others = account, s.at
	}
	s.at = at
}

// alone reports whether no requests but those of one account have come lately. The caller
// holds mu.
func (s *Slots) alone(account string) bool {
	others := s.others
	if account != s.latest {
		others = s.at
	}
	return time.Since(others) > together
}

// take waits for a slot of an account. It fails with the error of ctx, and with RateLimited
// where too many wait already. Who has one leaves it.
func (s *Slots) take(ctx context.Context, account string) error {
	ready, err := s.queue(account)
	if ready == nil {
		return err
	}
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		s.giveUp(account, ready)
		return ctx.Err()
	}
}

// queue takes a slot that is free, or a place in the line for one.
func (s *Slots) queue(account string) (ready chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.accounts[account]
	if l == nil {
		l = new(line)
		s.accounts[account] = l
	}
	switch {
	case l.working < s.each || len(l.waiting) == 0 && s.alone(account):
		l.working++
		return nil, nil
	case len(l.waiting) >= maxInLine:
		return nil, allowance.Over(time.Second)
	}
	ready = make(chan struct{})
	l.waiting = append(l.waiting, ready)
	return ready, nil
}

// giveUp ends the wait for a slot, which may have come meanwhile.
func (s *Slots) giveUp(account string, ready chan struct{}) {
	s.mu.Lock()
	l := s.accounts[account]
	for i, w := range l.waiting {
		if w == ready {
			l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
			s.mu.Unlock()
			return
		}
	}
	s.mu.Unlock()
	s.leave(account)
}

// leave gives a slot back.
func (s *Slots) leave(account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.accounts[account]
	l.working--
	for len(l.waiting) > 0 && (l.working < s.each || s.alone(account)) {
		close(l.waiting[0])
		l.waiting = l.waiting[1:]
		l.working++
	}
	if l.working == 0 {
		delete(s.accounts, account)
	}
}

// takeSlot waits for a slot of the caller's account, once the request is known to be a large
// one and its body has come.
func (x *Exchange) takeSlot() error {
	account := slotsOf(&x.principal)
	if account == "" || x.slot != "" {
		return nil
	}
	ctx := x.R.Context()
	if x.limited != nil {
		ctx = x.limited
	}
	if err := x.server.Slots.take(ctx, account); err != nil {
		return err
	}
	x.slot = account
	return nil
}

// leaveSlot gives back the slot that the request has, if any: what the client takes to
// receive its answer is no work.
func (x *Exchange) leaveSlot() {
	if x.slot != "" {
		x.server.Slots.leave(x.slot)
		x.slot = ""
	}
}
