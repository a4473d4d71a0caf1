package storagetest

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// RunModel drives a store and a plain map through the same random transactions,
// some of which are given up, and compares all that can be read, within the
// transactions and after them. Engines with files are closed and opened in
// between, and compacted where they can be. It ends with a call that gets nowhere
// for 5 seconds, or Engine.Patience.
func RunModel(t *testing.T, engine Engine) {
	t.Helper()
	for seed := range uint64(Scale(20)) {
		dog := new(watchdog)
		dog.watch(t, engine, func() { modelRun(t, dog.engine(engine), seed) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// modelRun is one history.
func modelRun(t *testing.T, engine Engine, seed uint64) {
	m := &model{t: t, h: newWorkload(seed, 600), content: map[string]string{}}
	if engine.Open == nil {
		m.s = engine.New(t)
	} else {
		dir := t.TempDir()
		m.reopen = func() (storage.Store, error) { return engine.Open(dir) }
		m.open()
	}
	for range 60 {
		if m.act(); t.Failed() {
			return
		}
	}
	if err := m.s.Close(); err != nil {
		t.Fatal(err)
	}
}

// model is a store and what it should hold.
type model struct {
	t       *testing.T
	h       *workload
	s       storage.Store
	reopen  func() (storage.Store, error)
	content map[string]string
}

func (m *model) open() {
	var err error
	if m.s, err = m.reopen(); err != nil {
		m.t.Fatal(err)
	}
}

// act makes one random call and compares.
func (m *model) act() {
	switch n := m.h.random.IntN(20); {
	case n == 0 && m.reopen != nil:
		if err := m.s.Close(); err != nil {
			m.t.Fatal(err)
		}
		m.open()
	case n == 1:
		if err := storage.Compact(m.t.Context(), m.s); err != nil {
			m.t.Fatal(err)
		}
	default:
		m.transact()
	}
	view(m.t, m.s, func(r storage.Reader) { m.compare(r, m.content) })
}

// transact runs a transaction that is given up once in a while.
func (m *model) transact() {
	giveUp := m.h.random.IntN(5) == 0
	seed := m.h.random.Uint64()
	var after map[string]string
	err := m.s.Update(m.t.Context(), func(w storage.Writer) error {
		// Whatever a rerun does is the same again.
		m.h.random = rand.New(rand.NewPCG(seed, 4))
		after = maps.Clone(m.content)
		for range m.h.random.IntN(12) {
			c := m.h.write()
			if err := apply(w, []write{c}); err != nil {
				return err
			}
			if c.delete {
				delete(after, c.key)
			} else {
				after[c.key] = c.value
			}
			m.compare(w, after)
		}
		if giveUp {
			return errTest
		}
		return nil
	})
	switch {
	case giveUp && !errors.Is(err, errTest):
		m.t.Errorf("Update = %v, want the function's error", err)
	case !giveUp && err != nil:
		m.t.Errorf("Update: %v", err)
	case !giveUp:
		m.content = after
	}
}

// compare reads a random prefix, a random key and a random range, ahead or at once.
func (m *model) compare(r storage.Reader, want map[string]string) {
	prefix, after := "", ""
	switch m.h.random.IntN(3) {
	case 1:
		prefix = []string{"key ", "key 1", "a", "\x00", "\xff", "none"}[m.h.random.IntN(6)]
	case 2:
		after = m.h.write().key
	}
	var keys []string
	for key := range want {
		if strings.HasPrefix(key, prefix) && key > after {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	key := m.h.write().key
	if m.h.random.IntN(3) == 0 { // which changes no answer
		if err := storage.Prefetch(r, []string{key, m.h.write().key},
			storage.Range{Prefix: prefix, After: after, Limit: m.h.random.IntN(20)}); err != nil {
			m.t.Errorf("Prefetch: %v", err)
		}
	}
	scan := r.Scan(prefix, after)
	if m.h.random.IntN(2) == 0 {
		limit := m.h.random.IntN(2*len(keys) + 1)
		scan, keys = storage.ScanLimit(r, prefix, after, limit), keys[:min(limit, len(keys))]
	}
	var got []string
	for key, value := range scan {
		got = append(got, key)
		if string(value) != want[key] {
			m.t.Errorf("Scan(%q, %q): %q has %d bytes, want %d", prefix, after, key, len(value), len(want[key]))
		}
	}
	if !slices.Equal(keys, got) {
		m.t.Errorf("Scan(%q, %q) (-want +got):\n%s", prefix, after, cmp.Diff(keys, got))
	}
	value, err := r.Get(key)
	stored, there := want[key]
	if there != (err == nil) || (there && string(value) != stored) ||
		(err != nil && !errors.Is(err, storage.ErrNotFound)) {
		m.t.Errorf("Get(%q) = %d bytes, %v; want %d bytes, there: %t", key, len(value), err, len(stored), there)
	}
}
