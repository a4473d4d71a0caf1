// Package distant counts the journeys to a store as if it were behind a network.
package distant

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// Store is a store that counts the journeys to it, as an engine over a network makes
// them: one for each read that was not read ahead and for each page of a scan, with the
// first of which the transaction begins, and one that carries its writes and its end.
type Store struct {
	storage.Store

	journeys atomic.Int64
	// Journey is called on each journey, unless it is nil.
	Journey func()
}

// Over returns a store over another to which the journeys are counted.
func Over(s storage.Store) *Store { return &Store{Store: s} }

// Journeys returns how many journeys there were since it was called last.
func (d *Store) Journeys() int { return int(d.journeys.Swap(0)) }

func (d *Store) travel() {
	d.journeys.Add(1)
	if d.Journey != nil {
		d.Journey()
	}
}

// line is the way of one transaction to the store.
type line struct {
	to    *Store
	r     storage.Reader // of the store
	begun bool
	asked bool // a caller has read the history
}

var _ engine.Line = (*line)(nil)

// Fetch implements engine.Line.
func (l *line) Fetch(keys []string, ranges []storage.Range) (values [][]byte, pages []engine.Page, err error) {
	l.begun = true
	l.to.travel()
	values, pages = make([][]byte, len(keys)), make([]engine.Page, len(ranges))
	for i, key := range keys {
		value, err := l.r.Get(key)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return nil, nil, err
		}
		if err == nil {
			values[i] = append([]byte{}, value...)
		}
	}
	for i, at := range ranges {
		p := &pages[i]
		for key, value := range storage.AtMost(l.r.Scan(at.Prefix, at.After), at.Limit) {
			p.Keys, p.Values = append(p.Keys, key), append(p.Values, value)
			led, err := l.follow(at, string(value))
			if err != nil {
				return nil, nil, err
			}
			p.Led = append(p.Led, led)
		}
		p.More = len(p.Keys) == at.Limit
	}
	return values, pages, nil
}

// follow reads the keys that a value leads to.
func (l *line) follow(at storage.Range, value string) (to engine.Led, err error) {
	for i, prefix := range at.Follow {
		if prefix == "" || i > 0 && to.Values[0] != nil {
			continue
		}
		led, ok, err := storage.Find(l.r, prefix+value)
		if err != nil {
			return to, err
		}
		if ok {
			to.Values[i] = append([]byte{}, led...)
		}
	}
	return to, nil
}

// begin begins the transaction if nothing has.
func (l *line) begin() {
	if !l.begun {
		l.begun = true
		l.to.travel()
	}
}

type (
	reader struct {
		engine.RemoteReader
		*line
	}
	writer struct {
		engine.RemoteWriter
		*line
	}
)

// View implements storage.Store.
func (d *Store) View(ctx context.Context, fn func(storage.Reader) error) error {
	return d.Store.View(ctx, func(inner storage.Reader) error {
		l := &line{to: d, r: inner}
		r := &reader{*engine.NewRemoteReader(l), l}
		defer r.End()
		err := r.Outcome(fn(r))
		if err == nil && l.asked {
			l.begin()
		}
		return err
	})
}

// Update implements storage.Store.
func (d *Store) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return d.Store.Update(ctx, func(inner storage.Writer) error {
		l := &line{to: d, r: inner}
		w := &writer{*engine.NewRemoteWriter(l), l}
		defer w.End()
		if err := w.Outcome(ctx, fn(w)); err != nil {
			return err
		}
		if w.Len() > 0 || l.asked {
			l.begin()
		}
		if l.begun {
			d.travel()
		}
		return write(inner, w.Changes())
	})
}

// write writes what a transaction has decided.
func write(to storage.Writer, changes iter.Seq2[string, []byte]) error {
	for key, value := range changes {
		var err error
		if value == nil {
			err = to.Delete(key)
		} else {
			err = to.Put(key, value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Restore implements storage.Restorer.
func (d *Store) Restore(ctx context.Context, r io.Reader) error {
	return storage.Restore(ctx, d.Store, r)
}

// History implements storage.Historian.
func (d *Store) History(r storage.Reader) (string, error) {
	switch r := r.(type) {
	case *reader:
		r.asked = true
		return storage.History(d.Store, r.r)
	case *writer:
		r.asked = true
		return storage.History(d.Store, r.r)
	}
	return "", errors.New("distant: the transaction is none of this store")
}
