package platform

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// leaseKey is where a store keeps which process seeds it, or grants, at the moment. No
// scope of the platform's own records begins like that.
const leaseKey = "stored/turn"

// leaderLease is what the store keeps of the process that seeds it, or grants, at the
// moment.
type leaderLease struct {
	Owner string `json:"owner,omitempty"`
	Beat  int64  `json:"beat,omitempty"` // grows while the process is alive
}

// errLeaseLost reports that a process has shown no life for as long as a lease, so that
// another continues with what it did.
var errLeaseLost = errors.New("platform: another process has taken over")

// underLease does work of several transactions that continues where it was left when it is
// done again. Of all processes over the store one at a time does so. The others wait
// until it is done or has shown no life for as long as a lease, by their own clocks.
func (p *Platform) underLease(ctx context.Context, work func(context.Context) error) error {
	select {
	case p.seeding <- struct{}{}:
		defer func() { <-p.seeding }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if storage.Epoch(p.store) != "" {
		return work(ctx) // there are no others
	}
	for {
		if err := p.withLease(ctx, work); !errors.Is(err, errLeaseLost) {
			return err
		}
	}
}

// withLease waits for the lease and does the work, unless the lease is lost.
func (p *Platform) withLease(ctx context.Context, work func(context.Context) error) error {
	mine, err := p.awaitLease(ctx)
	if err != nil {
		return err
	}
	working, lose := context.WithCancelCause(ctx)
	beaten := make(chan struct{})
	go func() {
		defer close(beaten)
		if !p.beat(working, mine) {
			lose(errLeaseLost)
		}
	}()
	err = work(working)
	if errors.Is(context.Cause(working), errLeaseLost) && err != nil {
		err = errLeaseLost
	}
	lose(nil)
	<-beaten
	// Where this fails the others wait for as long as a lease.
	_ = p.store.Update(context.WithoutCancel(ctx), func(w storage.Writer) error {
		if now, err := leaseIn(w); err != nil || now.Owner != mine {
			return err
		}
		return w.Delete(leaseKey)
	})
	return err
}

// awaitLease returns the name under which this process has the lease.
func (p *Platform) awaitLease(ctx context.Context) (mine string, err error) {
	mine = rand.Text()
	term := p.cfg.Env.WithDefaults().Lease
	var seen leaderLease
	for began := time.Now(); ; {
		stale := time.Since(began) >= term
		var now leaderLease
		err := p.store.Update(ctx, func(w storage.Writer) (err error) {
			if now, err = leaseIn(w); err != nil || now.Owner != "" && !(stale && now == seen) {
				return err
			}
			now = leaderLease{Owner: mine}
			return now.put(w)
		})
		switch {
		case err != nil:
			return "", err
		case now.Owner == mine:
			return mine, nil
		case now != seen:
			seen, began = now, time.Now()
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(term / 20):
		}
	}
}

// beat shows that this process is alive until ctx is done. It returns false when it could
// not for so long that another may have the lease.
func (p *Platform) beat(ctx context.Context, mine string) bool {
	term := p.cfg.Env.WithDefaults().Lease
	ticks := time.NewTicker(term / 5)
	defer ticks.Stop()
	for beat := time.Now(); ; {
		select {
		case <-ctx.Done():
			return true
		case <-ticks.C:
		}
		lost := false
		at := time.Now()
		err := p.store.Update(ctx, func(w storage.Writer) error {
			now, err := leaseIn(w)
			if lost = err == nil && now.Owner != mine; err != nil || lost {
				return err
			}
			now.Beat++
			return now.put(w)
		})
		if err == nil {
			beat = at
		}
		if lost || time.Since(beat) >= term*4/5 {
			return false
		}
	}
}

func leaseIn(r storage.Reader) (now leaderLease, err error) {
	text, err := r.Get(leaseKey)
	if errors.Is(err, storage.ErrNotFound) {
		return leaderLease{}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &now)
	}
	return now, err
}

func (t leaderLease) put(w storage.Writer) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return w.Put(leaseKey, text)
}
