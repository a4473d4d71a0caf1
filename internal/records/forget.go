package records

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Forget forgets, in one short transaction, some of what ended at a time or
// before, the oldest first, and reports whether there is more. Delta tokens from
// before a forgotten deletion are refused from then on.
func (db *DB) Forget(ctx context.Context, until time.Time) (more bool, err error) {
	last := endedKey(momentOf(until)+1, "")
	due := false
	err = db.View(ctx, func(v *View) error {
		due = false
		for key := range v.r.Scan(endedPrefix, "") {
			due = key < last
			break
		}
		return nil
	})
	if err != nil || !due {
		return false, err
	}
	err = db.Update(ctx, func(u *Update) error {
		more = false
		f := forgetting{u: u, purged: make(map[string]uint64)}
		step := NewStep(u)
		for key, err := range endedBefore(u, last) {
			if err != nil {
				return err
			}
			ok, err := step.Next(len(key))
			if err != nil {
				return err
			}
			if more = !ok; more {
				break
			}
			if err := f.entry(key); err != nil {
				return err
			}
		}
		return f.settle()
	})
	return more, err
}

// endedBefore yields the keys of the queue before one, and declares what they are about.
func endedBefore(u *Update, last string) iter.Seq2[string, error] {
	entries := func(yield func(string, error) bool) {
		for key := range u.r.Scan(endedPrefix, "") {
			if key >= last || !yield(key, nil) {
				return
			}
		}
	}
	return Together(u, 0, entries, func(next []string) error {
		for _, key := range next {
			_, of, _ := strings.Cut(key[len(endedPrefix):], "/")
			Declare(u, Need{at: key}, Need{at: of})
		}
		return nil
	})
}

// forgetting is one transaction of forgetting.
type forgetting struct {
	u      *Update
	purged map[string]uint64 // latest forgotten revision, by the key that keeps it
}

// entry forgets what an entry of the queue is about, and the entry. One that was
// written again since, or is gone with its scope, has no end at that moment.
func (f *forgetting) entry(key string) error {
	at, of, ok := strings.Cut(key[len(endedPrefix):], "/")
	s, whole := slotOf(of)
	n, err := strconv.ParseUint(at, 16, 64)
	if !ok || !whole || err != nil {
		return errors.New("records: an entry of what has ended is malformed: " + key)
	}
	stored, err := f.u.r.Get(of)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return f.u.w.Delete(key)
	case err != nil:
		return err
	}
	e, err := s.ending(stored)
	if err != nil {
		return err
	}
	if e.at != moment(n) {
		return f.u.w.Delete(key)
	}
	return f.ended(s, of, e)
}

// ended forgets what is stored under a key, with its entry in the queue.
func (f *forgetting) ended(s slot, key string, e ending) error {
	part, err := partOf(f.u, e.at, key)
	if err != nil {
		return err
	}
	if err := f.u.dequeueEnd(key, e.at); err != nil {
		return err
	}
	if err := f.u.w.Delete(key); err != nil {
		return err
	}
	t := &Table{name: s.collection}
	switch s.table {
	case tombstoneTable:
		if err := t.dropChange(f.u, s.in(part), e.revision); err != nil {
			return err
		}
	case liveTable:
		return nil
	}
	k := t.key(s.in(part), "purged", part)
	f.purged[k] = max(f.purged[k], e.revision)
	return nil
}

// settle writes down from where on deltas are whole.
func (f *forgetting) settle() error {
	if err := storage.Prefetch(f.u.r, slices.Sorted(maps.Keys(f.purged))); err != nil {
		return err
	}
	for key, revision := range f.purged {
		before, err := getNumber(f.u.r, key)
		if err != nil {
			return err
		}
		if revision <= before {
			continue
		}
		if err := f.u.w.Put(key, binary.BigEndian.AppendUint64(nil, revision)); err != nil {
			return err
		}
	}
	return nil
}

// ForgetIn forgets all that ended in a scope at a time or before, in short
// transactions. may fails a transaction in which it is not to continue.
func (db *DB) ForgetIn(ctx context.Context, s Scope, until time.Time, may func(*Update) error) error {
	for after, more := "", true; more; {
		var next string
		err := db.Update(ctx, func(u *Update) (err error) {
			if err := may(u); err != nil {
				return err
			}
			next, more, err = u.forgetIn(s, until, after)
			return err
		})
		if err != nil {
			return err
		}
		after = next
	}
	return nil
}

// forgetIn does one step behind a key, and returns the one to continue behind.
func (u *Update) forgetIn(s Scope, until time.Time, after string) (next string, more bool, err error) {
	f := forgetting{u: u, purged: make(map[string]uint64)}
	step := NewStep(u)
	for m, err := range expirables(u.r, s.key(), after) {
		if err != nil {
			return "", false, err
		}
		ok, err := step.Next(len(m.key))
		if err != nil {
			return "", false, err
		}
		if !ok {
			return after, true, f.settle()
		}
		after = m.key
		if m.at > momentOf(until) || m.at == 0 {
			continue
		}
		if err := f.ended(m.slot, m.key, m.ending); err != nil {
			return "", false, err
		}
	}
	return "", false, f.settle()
}
