package shards

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// View implements storage.Store.
func (s *Store) View(ctx context.Context, fn func(storage.Reader) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	account := storage.Account(ctx)
	if account == "" {
		return s.viewAll(ctx, fn)
	}
	shard, err := s.shard(ctx, account, false)
	if err != nil {
		return err
	}
	return s.read(ctx, shard, fn)
}

// Update implements storage.Store.
func (s *Store) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	shard, err := s.shard(ctx, storage.Account(ctx), true)
	if err != nil {
		return err
	}
	return s.write(ctx, shard, fn)
}

// Parts implements storage.Divided: the shards, the home first.
func (s *Store) Parts() []storage.Store { return slices.Clone(s.parts) }

// PartOf implements storage.Divided.
func (s *Store) PartOf(ctx context.Context, account string) (storage.Store, error) {
	if err := s.gate.Enter(ctx); err != nil {
		return nil, err
	}
	defer s.gate.Leave()
	shard, err := s.shard(ctx, account, true)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(s.parts, func(p storage.Store) bool { return p.(*part).shard == shard })
	return s.parts[at], nil
}

// divide makes the parts.
func (s *Store) divide() {
	s.parts = []storage.Store{&part{s, homeShard}}
	for _, shard := range s.Shards() {
		if shard != homeShard {
			s.parts = append(s.parts, &part{s, shard})
		}
	}
}

// part is one shard as a store.
type part struct {
	*Store
	shard string
}

var _ interface {
	storage.Store
	storage.Fenced
	storage.Historian
	storage.Watcher
} = (*part)(nil)

// View implements storage.Store.
func (p *part) View(ctx context.Context, fn func(storage.Reader) error) error {
	if err := p.gate.Enter(ctx); err != nil {
		return err
	}
	defer p.gate.Leave()
	return p.read(ctx, p.shard, fn)
}

// Update implements storage.Store.
func (p *part) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if err := p.gate.Enter(ctx); err != nil {
		return err
	}
	defer p.gate.Leave()
	return p.write(ctx, p.shard, fn)
}

// Parts implements storage.Divided: a part has none.
func (p *part) Parts() []storage.Store { return nil }

// PartOf implements storage.Divided.
func (p *part) PartOf(context.Context, string) (storage.Store, error) { return p, nil }

// Close implements storage.Store. The whole is closed by those who opened it.
func (p *part) Close() error { return nil }

// History implements storage.Historian. The shards have histories of their own, which are
// taken along when a shard is moved.
func (s *Store) History(r storage.Reader) (string, error) {
	in, ok := r.(interface{ history() (string, error) })
	if !ok {
		return "", errors.New("shards: the reader is not one of this store")
	}
	return in.history()
}

// history names the history of a shard.
func (g *guard) history() (string, error) {
	at := g.store.sites[g.place].store
	name, err := storage.History(at, g.r)
	if err != nil {
		return "", err
	}
	if _, itself := at.(storage.Restorer); itself {
		// What replaces the content of a shard alone begins a history of the shard.
		begun, err := g.r.Get(storage.HistoryKey)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return "", err
		}
		name += string(begun)
	}
	if g.shard != homeShard {
		name += "@" + g.shard
	}
	return name, nil
}

var errEach = fmt.Errorf("shards: %w: each store is backed up and restored by itself", errors.ErrUnsupported)

// Snapshot implements storage.Snapshotter: there is no one state of all.
func (s *Store) Snapshot(context.Context) (storage.Snapshot, error) { return nil, errEach }

// Restore implements storage.Restorer: it fails.
func (s *Store) Restore(context.Context, io.Reader) error { return errEach }

// Compact implements storage.Compactor.
func (s *Store) Compact(ctx context.Context) error {
	var err error
	for _, place := range s.places() {
		err = errors.Join(err, storage.Compact(ctx, s.sites[place].store))
	}
	return err
}

// Fence implements storage.Fenced, in each store that is one.
func (s *Store) Fence(key string, holds func(value []byte) error) {
	for _, at := range s.sites {
		if store, ok := at.store.(storage.Fenced); ok {
			store.Fence(key, holds)
		}
	}
}

// Stats implements storage.Measured: the counts of all stores together.
func (s *Store) Stats() (sum storage.Stats) {
	for _, place := range s.places() {
		one, ok := storage.StatsOf(s.sites[place].store)
		if !ok {
			continue
		}
		sum.Commits += one.Commits
		sum.Flushes += one.Flushes
		sum.Flushing += one.Flushing
		sum.Keys += one.Keys
		sum.LiveBytes += one.LiveBytes
		sum.FileBytes += one.FileBytes
		sum.Compactions += one.Compactions
		sum.FailedCompactions += one.FailedCompactions
		sum.Full = sum.Full || one.Full
		sum.Failure = errors.Join(sum.Failure, one.Failure)
		if one.Remote != nil {
			if sum.Remote == nil {
				sum.Remote = new(storage.RemoteStats)
			}
			addRemote(sum.Remote, one.Remote)
		}
	}
	return sum
}

func addRemote(sum, one *storage.RemoteStats) {
	sum.Broken += one.Broken
	sum.Retries += one.Retries
	sum.Unknown += one.Unknown
	sum.Ended += one.Ended
	sum.Waits += one.Waits
	sum.Waited += one.Waited
	sum.ReplicaViews += one.ReplicaViews
	sum.ReplicaPassed += one.ReplicaPassed
	sum.Combined += one.Combined
	sum.Connections += one.Connections
	sum.InUse += one.InUse
	sum.MostConnections += one.MostConnections
}

// Clock implements storage.Timed: it is that of the first place, for all shards.
func (s *Store) Clock() func() time.Time {
	return storage.TimeOf(s.sites[slices.Min(slices.Collect(maps.Keys(s.sites)))].store)
}

// Notify implements storage.Watcher, at all stores: what is watched may be in any of them.
func (s *Store) Notify(topics ...string) {
	for _, at := range s.sites {
		storage.Notify(at.store, topics...)
	}
}

// Watch implements storage.Watcher, at all stores.
func (s *Store) Watch(ctx context.Context, topics ...string) <-chan struct{} {
	var all []<-chan struct{}
	for _, at := range s.sites {
		if c := storage.Watch(ctx, at.store, topics...); c != nil {
			all = append(all, c)
		}
	}
	if len(all) < 2 {
		return first(all)
	}
	out := make(chan struct{}, 1)
	var group sync.WaitGroup
	for _, c := range all {
		group.Go(func() { relay(ctx, out, c) })
	}
	return out
}

func first(all []<-chan struct{}) <-chan struct{} {
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// relay hands tokens on until the context is done or there are none any more.
func relay(ctx context.Context, out chan<- struct{}, in <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case _, ok := <-in:
			if !ok {
				return
			}
			select {
			case out <- struct{}{}:
			default:
			}
		}
	}
}
