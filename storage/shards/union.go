package shards

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// viewAll runs fn over all shards, each in one committed state. The home comes first.
func (s *Store) viewAll(ctx context.Context, fn func(storage.Reader) error) error {
	names := []string{homeShard}
	for _, shard := range s.Shards() {
		if shard != homeShard {
			names = append(names, shard)
		}
	}
	if len(names) == 1 {
		return s.read(ctx, homeShard, fn)
	}
	return s.within(ctx, names, nil, fn)
}

// within opens one shard after the other, and runs fn over all of them.
func (s *Store) within(ctx context.Context, names []string, open []*guard, fn func(storage.Reader) error) error {
	if len(names) == 0 {
		return fn(&union{shards: open})
	}
	return s.view(ctx, names[0], func(_ storage.Reader, g *guard) error {
		if err := g.first(nil); err != nil {
			return err
		}
		return s.within(ctx, names[1:], append(slices.Clip(open), g), fn)
	})
}

// union reads several shards as one.
type union struct{ shards []*guard }

var _ storage.Reader = (*union)(nil)

// Get implements storage.Reader: the value in the first shard that has the key.
func (u *union) Get(key string) ([]byte, error) {
	for _, g := range u.shards {
		value, err := g.get(key)
		if !errors.Is(err, storage.ErrNotFound) {
			return value, err
		}
	}
	return nil, storage.NotFound(key)
}

// Scan implements storage.Reader: it merges the shards in the order of keys, each key once.
func (u *union) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		heads := make([]*head, 0, len(u.shards))
		defer func() {
			for _, h := range heads {
				h.stop()
			}
		}()
		for _, g := range u.shards {
			h := new(head)
			h.next, h.stop = iter.Pull2(g.reader().Scan(prefix, after))
			heads = append(heads, h)
			h.advance()
		}
		for {
			least := leastOf(heads)
			if least == nil || !yield(least.key, least.value) {
				return
			}
			key := least.key
			for _, h := range heads {
				if h.more && h.key == key {
					h.advance()
				}
			}
		}
	}
}

// history is that of the home.
func (u *union) history() (string, error) { return u.shards[0].history() }

// head is where the scan of a shard stands.
type head struct {
	key   string
	value []byte
	more  bool
	next  func() (string, []byte, bool)
	stop  func()
}

func (h *head) advance() { h.key, h.value, h.more = h.next() }

// leastOf is the first of those with the least key; nil when all are at their ends.
func leastOf(heads []*head) (least *head) {
	for _, h := range heads {
		if h.more && (least == nil || h.key < least.key) {
			least = h
		}
	}
	return least
}
