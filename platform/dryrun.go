package platform

import (
	"context"
	"iter"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// stage is a seeder over a copy of the store: it sees what the store holds, and what it
// writes is forgotten. It has no containers, whose bytes are not part of the dry run.
func (p *Platform) stage(o SeedOptions) (*seeder, error) {
	cfg := p.cfg
	cfg.RealityData.Containers = nil
	return newSeeder(p, cfg, &dryRun{under: p.store, over: memory.New()}, o)
}

// dryRun is a store whose writes overlay another one and never reach it.
type dryRun struct {
	under, over storage.Store
}

var _ storage.Store = (*dryRun)(nil)

// Values over the other store begin with one of these.
const (
	gone = '-'
	kept = '+'
)

func (s *dryRun) View(ctx context.Context, fn func(storage.Reader) error) error {
	return s.under.View(ctx, func(under storage.Reader) error {
		return s.over.View(ctx, func(over storage.Reader) error {
			return fn(dryRunWriter{under: under, over: over}.reader())
		})
	})
}

func (s *dryRun) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.under.View(ctx, func(under storage.Reader) error {
		return s.over.Update(ctx, func(over storage.Writer) error {
			w := dryRunWriter{under: under, over: over, writer: over}
			if far, ok := under.(storage.Prefetcher); ok {
				return fn(farDryRun{w, far})
			}
			return fn(w)
		})
	})
}

func (s *dryRun) Close() error { return s.over.Close() }

// dryRunWriter is a transaction of both stores.
type dryRunWriter struct {
	under, over storage.Reader
	writer      storage.Writer
}

// reader is the transaction for one that does not write.
func (r dryRunWriter) reader() storage.Reader {
	if far, ok := r.under.(storage.Prefetcher); ok {
		return farDryRun{r, far}
	}
	return r
}

// farDryRun is a transaction of both stores of which the lower one is asked over a network.
type farDryRun struct {
	dryRunWriter
	far storage.Prefetcher
}

var _ storage.Prefetcher = farDryRun{}

// Prefetch implements storage.Prefetcher.
func (r farDryRun) Prefetch(keys []string, ranges ...storage.Range) error {
	return r.far.Prefetch(keys, ranges...)
}

// ScanLimit implements storage.Prefetcher.
func (r farDryRun) ScanLimit(prefix, after string, limit int) iter.Seq2[string, []byte] {
	below := func(yield func(string, []byte) bool) {
		n, last := 0, after
		for key, value := range r.far.ScanLimit(prefix, after, limit) {
			if !yield(key, value) {
				return
			}
			n, last = n+1, key
		}
		if n == limit { // some of them are deleted above
			r.far.Scan(prefix, last)(yield)
		}
	}
	return storage.AtMost(r.merged(below, prefix, after), limit)
}

func (r dryRunWriter) Get(key string) ([]byte, error) {
	value, err := r.over.Get(key)
	switch {
	case err != nil:
		return r.under.Get(key)
	case value[0] == gone:
		return nil, storage.ErrNotFound
	}
	return value[1:], nil
}

func (r dryRunWriter) Put(key string, value []byte) error {
	return r.writer.Put(key, append([]byte{kept}, value...))
}

func (r dryRunWriter) Delete(key string) error { return r.writer.Put(key, []byte{gone}) }

// Scan merges the keys of both; a key over the store hides the one in it.
func (r dryRunWriter) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return r.merged(r.under.Scan(prefix, after), prefix, after)
}

// merged is a scan of the store with what lies over it.
func (r dryRunWriter) merged(under iter.Seq2[string, []byte], prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		next, stop := iter.Pull2(r.over.Scan(prefix, after))
		defer stop()
		key, value, more := next()
		pass := func(before func(key string) bool) bool { // what lies over the store
			for ; more && before(key); key, value, more = next() {
				if value[0] == kept && !yield(key, value[1:]) {
					return false
				}
			}
			return true
		}
		for below, v := range under {
			if !pass(func(key string) bool { return key < below }) {
				return
			}
			if hidden := more && key == below; !hidden && !yield(below, v) {
				return
			}
		}
		pass(func(string) bool { return true })
	}
}
