// Package shards is a store over several others, for accounts that outgrow one database.
//
//	store, err := shards.Open(ctx, shards.Options{}, home, second, third)
//
// A shard is a whole store with accounts of its own, and the place of a shard is the store that
// it is in. Each transaction is made in one shard: that of the account which
// [storage.WithAccount] names. So it keeps every promise of package storage, and nothing is
// ever committed in two places. Which shard an account is in is kept in the home shard, the one
// that the first store had to begin with; so are the records without an account. An account
// never changes its shard. A shard may change its place: see [Store.Move].
//
// # What is where
//
// Why by account and not by key: records are found by ids, whosever they are, so that no key
// tells its account. So a transaction sees what its shard has, and nothing of the others: who
// is a member of a twin in an account of another shard does not find it. Accounts that
// work together belong in one shard ([Store.Assign]).
//
// A View without an account sees all shards at once, in the order of keys; of a key that
// several have, such as the formats that each keeps for itself, the home's. It sees one
// committed state of each, not one of all. An Update without an account is made in the home.
// Background work is done in each of [Store.Parts].
//
// # What is refused
//
// Backups and histories are those of each store: [storage.Backup] and [storage.Restore] fail
// with [errors.ErrUnsupported]. A shard whose store is not given to Open, a store that belongs to
// others, two that claim the same shard, and one brought back to before its shard was moved
// away are refused by Open.
package shards

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// The errors of this package.
var (
	// ErrForeign reports that a store is none of those that it was opened with, or is unfit
	// for what it was to be.
	ErrForeign = errors.New("shards: not one of these stores")
	// ErrMissing reports that a shard is in none of the stores that were opened.
	ErrMissing = errors.New("shards: a shard is in none of these stores")
	// ErrAssigned reports that an account has its shard already.
	ErrAssigned = errors.New("shards: the account has a shard")
	// ErrReserved reports that a key is one of those that this package keeps.
	ErrReserved = errors.New("shards: the key is reserved")
)

// Options are those of Open. The zero value is good for several processes over
// storage/postgres.
type Options struct {
	// Choose returns the shard of an account that is new; nil spreads them evenly by their
	// names. It is called within a transaction, and given the shards in order.
	Choose func(account string, shards []string) string
	// Known reports whether the home has records of an account from before there were other
	// shards: it then stays there. Nil: none is known.
	Known func(r storage.Reader, account string) (bool, error)
	// Spares are stores without a shard, for [Store.Move] to move one to.
	Spares []storage.Store
	// Patience is for how long transactions wait for a shard that changes its place. 0 means
	// 10 seconds.
	Patience time.Duration
	// Settle is how long after its beginning a transaction of any process, one that stood
	// still included, may be committed: a move waits for so long. Updates are cut off at half of
	// it. 0 means 10 minutes, which storage/postgres keeps, since the database ends sessions that
	// do nothing for 5; negative means that engines make one Update at a time, as those of
	// memory and files do.
	Settle time.Duration
}

func (o Options) withDefaults() Options {
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.Settle == 0 {
		o.Settle = 10 * time.Minute
	}
	return o
}

// Store is a store over several others. It is safe for concurrent use.
type Store struct {
	options Options
	gate    *engine.Gate
	set     string
	sites   map[string]*site // by place; fixed
	parts   []storage.Store  // the shards; fixed

	mu      sync.Mutex       // guards the fields below
	serving map[string]*site // by shard
	epochs  map[string]int64 // of the shards, as far as is known
	shardOf map[string]string
}

// site is a store and how it is named.
type site struct {
	place  string
	number int // of those that Open was given
	store  storage.Store
}

var _ interface {
	storage.Store
	storage.Divided
	storage.Fenced
	storage.Historian
	storage.Measured
	storage.Restorer
	storage.Snapshotter
	storage.Watcher
} = (*Store)(nil)

// Open returns a store over a home and others, which are closed with it. Where they are opened
// for the first time home may have records, and stays what it was for those who have it open
// alone: end them first. The others have none then, and each has a shard. Later the order
// is of no account, and stores may be added. Every process gives the same ones. Where Open
// fails they are left open.
func Open(ctx context.Context, o Options, home storage.Store, others ...storage.Store) (*Store, error) {
	s := &Store{
		options: o.withDefaults(), gate: engine.NewGate(), sites: make(map[string]*site),
		serving: make(map[string]*site), epochs: make(map[string]int64), shardOf: make(map[string]string),
	}
	all := append([]storage.Store{home}, others...)
	if err := s.join(ctx, all); err != nil {
		return nil, err
	}
	for i, store := range append(all, o.Spares...) {
		rec, err := claim(ctx, store, s.set, i >= len(all))
		if err != nil {
			return nil, fmt.Errorf("store %d: %w", i+1, err)
		}
		if s.sites[rec.Place] != nil {
			return nil, fmt.Errorf("store %d: %w: another is the same, or a copy of it", i+1, ErrForeign)
		}
		s.sites[rec.Place] = &site{rec.Place, i + 1, store}
	}
	if err := s.locate(ctx); err != nil {
		return nil, err
	}
	s.divide()
	if err := s.register(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// join finds the name of the set, or makes the first store the home of a new one.
func (s *Store) join(ctx context.Context, all []storage.Store) error {
	for _, store := range append(slices.Clip(all), s.options.Spares...) {
		rec, found, err := readStore(ctx, store)
		if err != nil {
			return err
		}
		if found {
			s.set = rec.Set
			return nil
		}
	}
	rec, err := claimHome(ctx, all[0])
	s.set = rec.Set
	return err
}

// Divided reports whether a store is one of several that belong together, and is not to be
// used alone.
func Divided(ctx context.Context, s storage.Store) (bool, error) {
	_, found, err := readStore(ctx, s)
	return found, err
}

// Close implements storage.Store: it closes all stores.
func (s *Store) Close() error {
	if !s.gate.Close() {
		return nil
	}
	var err error
	for _, at := range s.sites {
		err = errors.Join(err, at.store.Close())
	}
	return err
}
