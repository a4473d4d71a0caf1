package records

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// expirable is something stored that has ended, or may end.
type expirable struct {
	key   string
	value []byte
	slot  slot
	ending
}

// lasting are the scopes that no collection is in.
var lasting = []string{"ended", "outbox", "platform", "scopes"}

// expirables yields what may end under a prefix, behind a key. It hops over live
// records, so that it costs little where nothing has ended. A failure ends the
// sequence.
func expirables(r storage.Reader, prefix, after string) iter.Seq2[expirable, error] {
	return func(yield func(expirable, error) bool) {
		for next, more := after, true; more; {
			next, more = expirablesFrom(r, prefix, next, yield)
		}
	}
}

// expirablesFrom yields as far as there is nothing to hop over, and returns the
// key behind which it continues.
func expirablesFrom(r storage.Reader, prefix, after string, yield func(expirable, error) bool) (next string, more bool) {
	for key, value := range r.Scan(prefix, after) {
		s, ok := slotOf(key)
		switch {
		case slices.Contains(lasting, s.scope):
			return s.scope + "/\xff", true
		case !ok:
			continue
		case !s.expires():
			return s.last(), true
		}
		e, err := s.ending(value)
		if !yield(expirable{key: key, value: value, slot: s, ending: e}, err) || err != nil {
			break
		}
	}
	return "", false
}

// adoptedKey keeps how far Adopt has come: behind which key it continues.
const adoptedKey = "platform/adopted"

// adopted is what adoptedKey keeps in the end.
const adopted = "\xff"

// Bounds on one step of an adoption, which reads while others write.
const (
	adoptionsPerStep = 500
	timePerLook      = 10 * time.Millisecond
)

// Adopt gives a time, the present, to what ended in a store of an earlier
// version, which kept none. It does one step and reports whether there are more;
// once it has come to the end of a store it does nothing.
func (db *DB) Adopt(ctx context.Context) (more bool, err error) {
	var found []string
	var next string
	err = db.View(ctx, func(v *View) error {
		found, next = nil, adopted
		from, err := v.r.Get(adoptedKey)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		more = string(from) != adopted
		if more {
			found, next, err = timeless(v.r, string(from))
		}
		return err
	})
	if err != nil || !more {
		return false, err
	}
	err = db.Update(ctx, func(u *Update) error {
		for _, key := range found {
			if err := u.adopt(key); err != nil {
				return err
			}
		}
		return u.w.Put(adoptedKey, []byte(next))
	})
	return next != adopted, err
}

// timeless returns keys, behind one, of what ended without a time, as many as one
// step adopts, and the key to continue behind.
func timeless(r storage.Reader, from string) (found []string, next string, err error) {
	began, bytes := time.Now(), 0
	for m, err := range expirables(r, "", from) {
		if err != nil {
			return nil, "", err
		}
		if m.at == 0 {
			found = append(found, m.key)
			bytes += len(m.value)
		}
		if len(found) == adoptionsPerStep || bytes > bytesPerStep || time.Since(began) > timePerLook {
			return found, m.key, nil
		}
	}
	return found, adopted, nil
}

// adopt gives a time to what ended without one.
func (u *Update) adopt(key string) error {
	stored, err := u.r.Get(key)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	s, _ := slotOf(key)
	e, err := s.ending(stored)
	switch {
	case err != nil || e.at != 0:
		return err
	case s.collection == purgeMarks:
		return u.w.Delete(key)
	}
	now := u.now()
	if s.table == indexTombstoneTable {
		stored = indexTombstone{revision: e.revision, at: now}.seal()
	} else {
		whole, err := open(stored)
		if err != nil {
			return err
		}
		if s.table == liveTable && !done(whole) {
			return nil
		}
		whole.ended = now
		stored = whole.seal()
	}
	if err := u.w.Put(key, stored); err != nil {
		return err
	}
	return u.enqueueEnd("", key, now)
}

// done reports whether a stored operation has ended.
func done(e envelope) bool {
	var o struct {
		Status twinplatform.OperationStatus `json:"status"`
	}
	return json.Unmarshal(e.wire, &o) == nil && o.Status.Done()
}
