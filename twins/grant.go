package twins

import (
	"context"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Allowed implements twinplatform.Authorizer: it reports whether p holds the
// permission through a role at the target's twin or at one above it. An
// organization administrator of the twin's account holds every permission. At a
// twin that does not exist nobody holds any.
//
// In a context that carries a transaction over the same store it reads through
// that; else it opens one of its own.
func (s *Service) Allowed(ctx context.Context, p twinplatform.Principal, permission string, target twinplatform.Target) (allowed bool, err error) {
	twinID := target.TwinID
	if twinID == "" {
		twinID = target.AccountID
	}
	if twinID == "" {
		return false, nil
	}
	err = s.db.View(ctx, func(v *records.View) error {
		g, err := found(s.grantOf(v, p.ID, twinID))
		allowed = g != nil && (s.env.Administers(p, g.account) || g.held.allows(permission))
		return err
	})
	return allowed, err
}

// grant is what one principal may do at one twin, and where that is.
type grant struct {
	account string
	held    permissionSet
}

// grantOf returns what a principal may do at a twin, or records.ErrNotFound when
// there is no such twin.
func (s *Service) grantOf(tx records.Reading, principalID, twinID string) (*grant, error) {
	cache, err := s.cacheFor(tx)
	if err != nil {
		return nil, err
	}
	key := grantKey{principalID, twinID}
	if g, ok := cache.grants.get(key); ok {
		return g, nil
	}
	g, err := resolve(tx, principalID, twinID)
	if err != nil {
		return nil, err
	}
	cache.grants.put(key, g, 1)
	return g, nil
}

// resolve collects what the roles of a principal hold, from the twin upwards.
func resolve(tx records.Reading, principalID, twinID string) (*grant, error) {
	at, err := nodeRecords.Value(tx, allAccounts, twinID)
	if err != nil {
		return nil, err
	}
	g := &grant{account: at.account()}
	for principalID != "" {
		if err := g.addMember(tx, at.ID, principalID); err != nil {
			return nil, err
		}
		if at.ParentID == "" {
			break
		}
		if at, err = nodeRecords.Value(tx, inAccount(g.account), string(at.ParentID)); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// addMember adds what a principal holds by being a member of a twin, if it is one.
func (g *grant) addMember(tx records.Reading, twinID, principalID string) error {
	m, err := found(memberRecords.Value(tx, inTwin(twinID), recordID(twinID, principalID)))
	if m == nil || err != nil {
		return err
	}
	return g.add(tx, twinID, m.RoleIDs)
}

// add adds the permissions of roles at a twin.
func (g *grant) add(tx records.Reading, twinID string, roleIDs []string) error {
	for _, id := range roleIDs {
		r, err := roleRecords.Value(tx, inTwin(twinID), recordID(twinID, id))
		if err != nil {
			return err
		}
		if g.held == nil {
			g.held = make(permissionSet)
		}
		for _, permission := range r.holds() {
			g.held[permission] = true
		}
	}
	return nil
}

// grantCache keeps grants for as long as nothing changes that they follow from:
// every transaction that changes twins, roles or members leaves a new epoch in
// the store, and a cache serves the transactions that read its own epoch.
// Epochs are random, so that a store which is put back to an earlier state
// never meets what was cached of another.
type grantCache struct {
	epoch string

	grants  kept[grantKey, *grant]
	members kept[grantKey, bool] // what seesAsMember says
	// joined are the twins that principals are members of, with the branches among them.
	joined kept[string, *joined]
	// places are the last twins of pages, behind which the next ones begin.
	places kept[beginning, string]
}

type grantKey struct{ principalID, twinID string }

// beginning is where a page of a list begins: skip twins of a query of a caller.
type beginning struct {
	principalID string
	account     string
	administers bool
	query       string
	skip        int
}

// maxKept bounds each part of the cache. A full one begins anew.
const maxKept = 1 << 16

// kept is a part of the cache.
type kept[K comparable, V any] struct {
	mu   sync.RWMutex
	m    map[K]V
	size int
}

func (k *kept[K, V]) get(key K) (v V, ok bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	v, ok = k.m[key]
	return v, ok
}

// put keeps a value that takes so much of the room.
func (k *kept[K, V]) put(key K, v V, size int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.m == nil || k.size+size > maxKept {
		k.m, k.size = make(map[K]V), 0
	}
	k.m[key], k.size = v, k.size+size
}

// cacheFor returns the cache for the state that a transaction reads.
func (s *Service) cacheFor(tx records.Reading) (*grantCache, error) {
	epoch, err := found(epochs.Value(tx, allAccounts, epochID))
	if err != nil {
		return nil, err
	}
	if epoch == nil {
		epoch = new(string)
	}
	cache := s.grants.Load()
	if cache == nil || cache.epoch != *epoch {
		cache = &grantCache{epoch: *epoch}
		s.grants.Store(cache)
	}
	return cache, nil
}

// epochs holds the one epoch.
var epochs = records.Collection[string]{
	Name: "epoch", Untracked: true,
	ID: func(*string) string { return epochID },
}

const epochID = "now"

// newEpoch marks that a transaction changes who may do what. Its randomness is
// the machine's even where the platform's ids are made otherwise.
func newEpoch(u *records.Update) error {
	epoch := twinplatform.NewGUID()
	_, err := epochs.Put(u, allAccounts, &epoch)
	return err
}
