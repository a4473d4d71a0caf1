package shards

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// errElsewhere reports that a place does not have the shard of a transaction, errFrozen that it
// is about to give it up.
var (
	errElsewhere = errors.New("shards: the shard changes its place")
	errFrozen    = fmt.Errorf("%w soon", errElsewhere)
)

// guard reads in a transaction, with what is read first, whether the shard is in its place.
// Nothing is shown of a place that does not have it, and nothing is written there.
type guard struct {
	store *Store
	shard string
	place string
	write bool

	r       storage.Reader
	checked bool
	err     error // the failure of the check
	rec     record
	noted   []string // keys that are written
}

// check reads what the place says of itself.
func (g *guard) check() error {
	if g.checked || g.err != nil {
		return g.err
	}
	rec, found, err := read(g.r)
	switch {
	case err != nil:
		g.err = err
	case !found || rec.Place != g.place || rec.Shard != g.shard || !rec.serves():
		g.err = errElsewhere
	case g.write && rec.State == Frozen:
		g.err = errFrozen
	}
	g.rec, g.checked = rec, true
	return g.err
}

// first does it in the journey of the first read, where there is a network.
func (g *guard) first(keys []string, ranges ...storage.Range) error {
	if g.checked || g.err != nil {
		return g.err
	}
	if far, ok := g.r.(storage.Prefetcher); ok {
		if g.err = far.Prefetch(append(slices.Clip(keys), placeKey), ranges...); g.err != nil {
			return g.err
		}
	}
	return g.check()
}

// note notes that a key is written.
func (g *guard) note(key string) { g.noted = append(g.noted, key) }

// outcome is what a transaction comes to whose function has returned err.
func (g *guard) outcome(err error) error {
	switch {
	case g.err != nil:
		return g.err
	case err != nil:
		return err
	case g.write || g.checked:
		return g.check()
	}
	return nil
}

// log writes down which keys a transaction has written while its shard moves. That also lets
// it meet the end of the move, which reads where it writes.
func (g *guard) log(w storage.Writer) error {
	if g.rec.State != Moving || len(g.noted) == 0 {
		return nil
	}
	slices.Sort(g.noted)
	keys := slices.Compact(g.noted)
	for len(keys) > 0 {
		n, size := 0, 2
		for n < len(keys) && size+2*len(keys[n])+8 <= mostLogged { // in base64, with what is around it
			size += 2*len(keys[n]) + 8
			n++
		}
		raw := make([][]byte, n)
		for i, key := range keys[:n] {
			raw[i] = []byte(key) // which need not be text
		}
		text, err := json.Marshal(raw)
		if err != nil {
			return err
		}
		if err := w.Put(logPrefix+rand.Text(), text); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

// reader is what a function reads by.
func (g *guard) reader() storage.Reader {
	if _, far := g.r.(storage.Prefetcher); far {
		return farReader{g}
	}
	return nearReader{g}
}

// nearReader reads what is no further away than memory.
type nearReader struct{ *guard }

// farReader reads over a network.
type farReader struct{ *guard }

var (
	_ storage.Reader     = nearReader{}
	_ storage.Prefetcher = farReader{}
)

// Get implements storage.Reader.
func (r nearReader) Get(key string) ([]byte, error) { return r.get(key) }

// Get implements storage.Reader.
func (r farReader) Get(key string) ([]byte, error) { return r.get(key) }

// Scan implements storage.Reader.
func (r nearReader) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return r.scan(prefix, func() iter.Seq2[string, []byte] { return r.r.Scan(prefix, after) }, -1)
}

// Scan implements storage.Reader.
func (r farReader) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return r.scan(prefix, func() iter.Seq2[string, []byte] { return r.r.Scan(prefix, after) }, -1)
}

// Prefetch implements storage.Prefetcher.
func (r farReader) Prefetch(keys []string, ranges ...storage.Range) error {
	if !r.checked {
		return r.first(keys, ranges...)
	}
	if r.err != nil {
		return r.err
	}
	return storage.Prefetch(r.r, keys, ranges...)
}

// ScanLimit implements storage.Prefetcher.
func (r farReader) ScanLimit(prefix, after string, limit int) iter.Seq2[string, []byte] {
	if concerns(prefix) {
		return storage.AtMost(r.Scan(prefix, after), limit)
	}
	return r.scan(prefix, func() iter.Seq2[string, []byte] { return storage.ScanLimit(r.r, prefix, after, limit) }, limit)
}

func (g *guard) get(key string) ([]byte, error) {
	if hidden(key) {
		return nil, storage.NotFound(key)
	}
	if err := g.first([]string{key}); err != nil {
		return nil, err
	}
	return g.r.Get(key)
}

// concerns reports whether records of this package may have a prefix.
func concerns(prefix string) bool {
	return strings.HasPrefix(ours, prefix) || strings.HasPrefix(prefix, ours)
}

// scan passes over the records of this package.
func (g *guard) scan(prefix string, of func() iter.Seq2[string, []byte], limit int) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if g.first(nil) != nil || limit == 0 {
			return
		}
		for key, value := range of() {
			if !hidden(key) && !yield(key, value) {
				return
			}
		}
	}
}

// nearWriter and farWriter are the writers above such readers.
type nearWriter struct {
	nearReader
	w storage.Writer
}

type farWriter struct {
	farReader
	w storage.Writer
}

var (
	_ storage.Writer     = nearWriter{}
	_ storage.Writer     = farWriter{}
	_ storage.Prefetcher = farWriter{}
)

// Put implements storage.Writer.
func (w nearWriter) Put(key string, value []byte) error { return w.put(w.w, key, value) }

// Delete implements storage.Writer.
func (w nearWriter) Delete(key string) error { return w.remove(w.w, key) }

// UseReserve implements storage.Reserving.
func (w nearWriter) UseReserve() { storage.UseReserve(w.w) }

// Put implements storage.Writer.
func (w farWriter) Put(key string, value []byte) error { return w.put(w.w, key, value) }

// Delete implements storage.Writer.
func (w farWriter) Delete(key string) error { return w.remove(w.w, key) }

func (g *guard) put(w storage.Writer, key string, value []byte) error {
	if err := g.admit(key); err != nil {
		return err
	}
	return w.Put(key, value)
}

func (g *guard) remove(w storage.Writer, key string) error {
	if err := g.admit(key); err != nil {
		return err
	}
	return w.Delete(key)
}

// admit notes a key that is to be written.
func (g *guard) admit(key string) error {
	if hidden(key) {
		if g.err == nil {
			g.err = fmt.Errorf("%w: %q", ErrReserved, key)
		}
		return g.err
	}
	g.note(key)
	return g.err
}

// view runs fn over a shard. The reader is that of the engine.
func (s *Store) view(ctx context.Context, shard string, fn func(storage.Reader, *guard) error) error {
	return s.at(ctx, shard, func(at *site) error {
		return at.store.View(ctx, func(r storage.Reader) error {
			g := &guard{store: s, shard: shard, place: at.place, r: r}
			return g.outcome(fn(r, g))
		})
	})
}

// read runs fn of a user over a shard.
func (s *Store) read(ctx context.Context, shard string, fn func(storage.Reader) error) error {
	return s.view(ctx, shard, func(_ storage.Reader, g *guard) error { return fn(g.reader()) })
}

// update runs fn in a transaction of a shard. The writer is that of the engine.
func (s *Store) update(ctx context.Context, shard string, fn func(storage.Writer, *guard) error) error {
	within := ctx
	if s.options.Settle > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, s.options.Settle/2)
		defer cancel()
	}
	err := s.at(within, shard, func(at *site) error {
		return at.store.Update(within, func(w storage.Writer) error {
			g := &guard{store: s, shard: shard, place: at.place, r: w, write: true}
			if err := g.outcome(fn(w, g)); err != nil {
				return err
			}
			return g.log(w)
		})
	})
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("%w: the transaction takes longer than a move waits for it", storage.ErrUnavailable)
	}
	return err
}

// write runs fn of a user in a transaction of a shard.
func (s *Store) write(ctx context.Context, shard string, fn func(storage.Writer) error) error {
	return s.update(ctx, shard, func(w storage.Writer, g *guard) error {
		if _, far := w.(storage.Prefetcher); far {
			return fn(farWriter{farReader{g}, w})
		}
		return fn(nearWriter{nearReader{g}, w})
	})
}
