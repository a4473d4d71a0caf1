package records

import (
	"encoding/binary"
	"strings"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// A reservation is room in the budget that long work holds for what it is going to write in
// a scope, so that it is refused before it begins rather than in the middle. It is a record
// that counts as many bytes more than it has: it takes part in the transactions that write,
// and a process that resumes the work finds it.

// reservedKey returns the key under which a scope keeps its reservation.
func (s Scope) reservedKey() string { return s.key() + reserved }

const reserved = "reserved/r"

// reservedBy is how many bytes a record reserves.
func reservedBy(key string, value []byte) int64 {
	if len(value) != 8 || !strings.HasSuffix(key, "/"+reserved) {
		return 0
	}
	return int64(binary.BigEndian.Uint64(value)) //nolint:gosec // as Reserve wrote it
}

// Reserve makes the reservation of a scope one of so many bytes; 0 ends it. The transaction
// fails with AccountStorageFull (409) or StorageFull (409) where there is no room for them.
// In a store whose bytes are not counted it reserves nothing, and ends what was reserved
// when they were.
func (s Scope) Reserve(u *Update, bytes int64) error {
	if !u.db.Budgeted() && (bytes > 0 || u.remote()) { // no engine over a network counts
		return nil
	}
	before, err := s.reservation(u)
	if err != nil {
		return err
	}
	u.reserving += max(bytes-before, 0)
	if bytes > 0 {
		return u.w.Put(s.reservedKey(), binary.BigEndian.AppendUint64(nil, uint64(bytes)))
	}
	if before > 0 {
		return u.w.Delete(s.reservedKey())
	}
	return nil
}

// SpendReserved takes what the transaction has written so far from the reservation of a
// scope. A step of long work calls it once, behind all that it writes.
func (s Scope) SpendReserved(u *Update) error {
	p, ok := pending(u.w)
	if !ok || !u.db.Budgeted() {
		return nil
	}
	before, err := s.reservation(u)
	if err != nil || before == 0 {
		return err
	}
	return s.Reserve(u, max(before-int64(p.Written()), 0))
}

func (s Scope) reservation(tx Reading) (int64, error) {
	value, err := lookup(tx, s.reservedKey())
	return reservedBy(s.reservedKey(), value), err
}

// pending is what a transaction has written so far, where its engine tells.
func pending(w storage.Writer) (p storage.Pending, ok bool) {
	if t, counts := w.(*tally); counts {
		w = t.Writer
	}
	p, ok = w.(storage.Pending)
	return p, ok
}

// Budgeted reports whether the bytes of the store are counted and limited.
func (db *DB) Budgeted() bool { return db.ledger.limited() }

// Measuring adds up the bytes of what a scope holds, tombstones aside, in steps. The payload
// of long work keeps it.
type Measuring struct {
	Bytes int64 `json:"bytes,omitempty"`
	// After is the last key that was counted.
	After string `json:"after,omitempty"`
}

// Run counts as much as the step takes, and reports whether that was the rest.
func (m *Measuring) Run(tx Reading, s Scope, step *Step) (whole bool, err error) {
	for key, value := range tx.view().r.Scan(s.key(), m.After) {
		if more, err := step.More(); !more || err != nil {
			return false, err
		}
		step.done++ // which writes nothing, so that it takes nothing else from the step
		m.After = key
		if !tombstone(strings.TrimPrefix(key, s.key())) {
			m.Bytes += int64(len(key) + len(value))
		}
	}
	return true, nil
}

// tombstone reports whether a key, without its scope, holds a tombstone.
func tombstone(key string) bool {
	_, key, _ = strings.Cut(key, "/")
	return strings.HasPrefix(key, tombstoneTable+"/")
}
