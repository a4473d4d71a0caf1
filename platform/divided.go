package platform

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// A store that is divided by accounts, such as that of storage/shards, has a platform for each
// of its parts besides that of the whole. Calls of an account are made by the whole, which
// leads each to the part of the account. What no caller asks for is done by the parts.

// ErrDivided reports that a store is divided by accounts, so that a world, which may be of
// several, is not seeded there.
var ErrDivided = errors.New("platform: the store is divided by accounts: seed it before it is divided, or by calls of its accounts")

// divide makes the platforms of the parts.
func (p *Platform) divide(cfg Config) {
	for _, store := range storage.Parts(p.store) {
		part := newPlatform(store, cfg, nil)
		part.part = true
		p.parts = append(p.parts, part)
	}
}

// Wake wakes the delivery of events, as [webhooks.Service.Wake] does, also where the store is
// divided by accounts.
func (p *Platform) Wake() {
	p.Webhooks.Wake()
	for _, part := range p.parts {
		part.Webhooks.Wake()
	}
}

// Attempts counts the attempts to deliver an event, as [webhooks.Service.Attempts] does, also
// where the store is divided by accounts.
func (p *Platform) Attempts() map[webhooks.Outcome]int64 {
	sum := p.Webhooks.Attempts()
	for _, part := range p.parts {
		for outcome, n := range part.Webhooks.Attempts() {
			sum[outcome] += n
		}
	}
	return sum
}

// each runs fn for each part; for the platform itself where there are none.
func (p *Platform) each(fn func(*Platform) error) error {
	if len(p.parts) == 0 {
		return fn(p)
	}
	var failed error
	for _, part := range p.parts {
		failed = errors.Join(failed, fn(part))
	}
	return failed
}

// callersOf are the callers whose accounts are in a part.
func (p *Platform) callersOf(ctx context.Context, part *Platform, all Callers) (own Callers, err error) {
	store, ok := p.store.(storage.Divided)
	if !ok || part == p {
		return all, nil
	}
	for _, c := range all {
		at, err := store.PartOf(ctx, c.Principal.AccountID)
		if err != nil {
			return nil, fmt.Errorf("the account of %q: %w", c.Principal.ID, err)
		}
		if at == part.store {
			own = append(own, c)
		}
	}
	return own, nil
}

// HasAccount reports whether a store has records of an account, or of people of it. It is the
// shards.Options.Known of a store that was not divided before.
func HasAccount(r storage.Reader, account string) (bool, error) {
	keys := []string{"twins/twins/r/" + records.AccountOf(account).Name}
	for scope := range accountScopes {
		keys = append(keys, scope+"/rev/"+records.AccountOf(account).Name)
	}
	people := "twin-people/people/r/" + records.AccountOf(account).Name + "/"
	if err := storage.Prefetch(r, keys, storage.Range{Prefix: people, Limit: 1}); err != nil {
		return false, err
	}
	for _, key := range keys {
		if _, err := r.Get(key); !errors.Is(err, storage.ErrNotFound) {
			return err == nil, err
		}
	}
	for range storage.ScanLimit(r, people, "", 1) {
		return true, nil
	}
	return false, nil
}
