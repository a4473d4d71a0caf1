package shards

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// How much is read at once, and written in one transaction, when a shard is copied.
const (
	pageRecords = 2000
	pageBytes   = 4 << 20
	stepWrites  = 1000
	stepBytes   = 1 << 20
	logEntries  = 1000
	fewEntries  = 50 // of the log, for which writes may wait
)

// entry is a record, or the absence of one.
type entry struct {
	key    string
	value  []byte
	absent bool
}

// page reads records behind a key, up to another one that is not empty, and reports whether there
// may be others.
func page(ctx context.Context, s storage.Store, after, upto string) (all []entry, more bool, err error) {
	err = s.View(ctx, func(r storage.Reader) error {
		all, more = nil, false
		size := 0
		for key, value := range storage.ScanLimit(r, "", after, pageRecords+1) {
			if upto != "" && key > upto {
				break
			}
			if len(all) >= pageRecords || size >= pageBytes {
				more = true
				break
			}
			all = append(all, entry{key: key, value: value})
			size += len(key) + len(value)
		}
		return nil
	})
	return all, more, err
}

// copyAll makes the target what the source was at some time since it began, but for what is
// noted. It writes what differs: after an attempt that was cut off, little.
func (m *move) copyAll(ctx context.Context) error {
	for after := ""; ; {
		want, more, err := page(ctx, m.from.store, after, "")
		if err != nil {
			return err
		}
		upto := ""
		if more {
			upto = want[len(want)-1].key
		}
		if err := m.match(ctx, want, after, upto); err != nil {
			return err
		}
		if after = upto; !more {
			return nil
		}
	}
}

// match makes what the target has in a range what it is to be.
func (m *move) match(ctx context.Context, want []entry, after, upto string) error {
	for {
		have, more, err := page(ctx, m.to.store, after, upto)
		if err != nil {
			return err
		}
		at := upto
		if more {
			at = have[len(have)-1].key
		}
		n := 0
		for n < len(want) && (at == "" || want[n].key <= at) {
			n++
		}
		if err := m.write(ctx, differences(want[:n], have)); err != nil {
			return err
		}
		if want, after = want[n:], at; !more {
			return nil
		}
	}
}

// differences is what makes one row of records another.
func differences(want, have []entry) (changes []entry) {
	for len(want)+len(have) > 0 {
		switch {
		case len(have) == 0 || len(want) > 0 && want[0].key < have[0].key:
			changes, want = append(changes, want[0]), want[1:]
		case len(want) == 0 || have[0].key < want[0].key:
			changes, have = append(changes, entry{key: have[0].key, absent: true}), have[1:]
		default:
			if string(want[0].value) != string(have[0].value) {
				changes = append(changes, want[0])
			}
			want, have = want[1:], have[1:]
		}
	}
	return changes
}

// write writes at the target, in steps.
func (m *move) write(ctx context.Context, changes []entry) error {
	for len(changes) > 0 {
		n, size := 0, 0
		for n < len(changes) && n < stepWrites && size < stepBytes {
			size += len(changes[n].key) + len(changes[n].value)
			n++
		}
		step := changes[:n]
		err := m.target(ctx, func(w storage.Writer) error {
			for _, e := range step {
				if err := e.put(w); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		changes = changes[n:]
	}
	return nil
}

func (e entry) put(w storage.Writer) error {
	switch {
	case local(e.key):
		return nil
	case e.absent:
		return w.Delete(e.key)
	}
	return w.Put(e.key, e.value)
}

// noted reads some records of the log behind one of them, and what the keys that they name
// have now.
func (m *move) noted(ctx context.Context, after string) (log []string, changes []entry, err error) {
	err = m.from.store.View(ctx, func(r storage.Reader) error {
		log, changes = nil, nil
		var keys []string
		seen := make(map[string]bool, pageRecords) // many write the same counters
		for key, value := range storage.ScanLimit(r, logPrefix, after, logEntries) {
			var raw [][]byte
			if err := json.Unmarshal(value, &raw); err != nil {
				return fmt.Errorf("shards: %q: %w", key, err)
			}
			log = append(log, key)
			for _, k := range raw {
				if key := string(k); !seen[key] {
					seen[key] = true
					keys = append(keys, key)
				}
			}
			if len(keys) >= pageRecords {
				break
			}
		}
		changes, err = now(r, keys)
		return err
	})
	return log, changes, err
}

// now reads what keys have.
func now(r storage.Reader, keys []string) (all []entry, err error) {
	if err := storage.Prefetch(r, keys); err != nil {
		return nil, err
	}
	for _, key := range keys {
		value, err := r.Get(key)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return nil, err
		}
		all = append(all, entry{key, value, err != nil})
	}
	return all, nil
}

// drain copies what was noted, and forgets it, until little is left.
func (m *move) drain(ctx context.Context) error {
	for {
		log, changes, err := m.noted(ctx, "")
		if err == nil {
			err = m.write(ctx, changes)
		}
		if err == nil && len(log) > 0 {
			err = m.forget(ctx, func(w storage.Writer) error {
				for _, key := range log {
					if err := w.Delete(key); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err != nil || len(log) < fewEntries {
			return err
		}
	}
}

// rest copies what is noted when nothing more can be.
func (m *move) rest(ctx context.Context) error {
	for after := ""; ; {
		log, changes, err := m.noted(ctx, after)
		if err == nil {
			err = m.write(ctx, changes)
		}
		if err != nil || len(log) == 0 {
			return err
		}
		after = log[len(log)-1]
	}
}
