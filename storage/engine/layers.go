package engine

import (
	"errors"
	"iter"
	"maps"
	"sync"

	"github.com/tidwall/btree"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Layers are what transactions have decided that run one after the other over one snapshot,
// each over what those before it have written, and that are committed together. One that
// fails is not added, and the next does not see it. The zero value has none.
type Layers struct {
	changes btree.Map[string, change]
	bytes   int
}

// Writer returns the next transaction, over what is at the end of a line. Others may be added
// while it waits for the first thing that it fetches: it is over those, too. Nothing is added while
// it runs.
func (l *Layers) Writer(line Line) *RemoteWriter {
	w := NewRemoteWriter(line)
	w.below = l
	w.source = layered{l, w.remote, firstPage}
	return w
}

// Add adds what a transaction has decided.
func (l *Layers) Add(w *RemoteWriter) {
	w.changes.Scan(func(key string, c change) bool {
		l.changes.Set(key, c)
		return true
	})
	l.bytes += w.bytes
}

// Len returns the number of keys that all have changed together.
func (l *Layers) Len() int { return l.changes.Len() }

// Bytes is how much all have written, whatever was replaced.
func (l *Layers) Bytes() int { return l.bytes }

// Changes is Writer.Changes of all together.
func (l *Layers) Changes() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		l.changes.Scan(func(key string, c change) bool { return yield(key, c.value) })
	}
}

// layered is what was decided over what is at the end of a line.
type layered struct {
	layers *Layers
	remote *Remote
	likely int // how many records of a scan are wanted
}

// Get implements Source.
func (s layered) Get(key string) ([]byte, error) {
	c, decided := s.layers.changes.Get(key)
	if !decided {
		value, err := s.remote.Get(key)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return nil, err
		}
		if c, decided = s.layers.changes.Get(key); !decided { // meanwhile, too
			return value, err
		}
	}
	if c.deleted {
		return nil, storage.NotFound(key)
	}
	return c.value, nil
}

// Scan implements Source.
func (s layered) Scan(prefix, after string, visit func(key string, value []byte) bool) error {
	// What is decided while this waits belongs to the scan.
	if err := s.remote.Prefetch(nil, storage.Range{Prefix: prefix, After: after, Limit: s.likely}); err != nil {
		return err
	}
	own := overlay{iter: s.layers.changes.Iter(), prefix: prefix}
	own.seek(after)
	return own.merge(limited{s.remote, s.likely}, after, visit)
}

// Recall is what was fetched of one snapshot, for several transactions that read the same. It
// is safe for concurrent use.
type Recall struct {
	mu     sync.Mutex // guards the fields below
	values map[string][]byte
	pages  map[storage.Range]Page
}

// NewRecall returns one of a snapshot of which nothing was fetched.
func NewRecall() *Recall {
	return &Recall{values: make(map[string][]byte), pages: make(map[storage.Range]Page)}
}

// Find returns what Line.Fetch would, and false where some of it was not fetched.
func (m *Recall) Find(keys []string, ranges []storage.Range) (values [][]byte, pages []Page, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, key := range keys {
		value, ok := m.values[key]
		if !ok {
			return nil, nil, false
		}
		values = append(values, value)
	}
	for _, at := range ranges {
		page, ok := m.pages[at]
		if !ok {
			return nil, nil, false
		}
		pages = append(pages, page)
	}
	return values, pages, true
}

// Fetch fetches by a line what was not fetched yet.
func (m *Recall) Fetch(line Line, keys []string, ranges []storage.Range) error {
	keys, ranges = m.missing(keys, ranges)
	if len(keys)+len(ranges) == 0 {
		return nil
	}
	values, pages, err := line.Fetch(keys, ranges)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, key := range keys {
		m.values[key] = values[i]
	}
	for i, at := range ranges {
		m.pages[at] = pages[i]
		maps.Insert(m.values, pages[i].followed(at))
	}
	return nil
}

// missing is what was not fetched, once.
func (m *Recall) missing(keys []string, ranges []storage.Range) (left []string, open []storage.Range) {
	m.mu.Lock()
	defer m.mu.Unlock()
	asked, begun := make(map[string]bool), make(map[storage.Range]bool)
	for _, key := range keys {
		if _, known := m.values[key]; !known && !asked[key] {
			asked[key] = true
			left = append(left, key)
		}
	}
	for _, at := range ranges {
		if _, known := m.pages[at]; !known && !begun[at] {
			begun[at] = true
			open = append(open, at)
		}
	}
	return left, open
}
