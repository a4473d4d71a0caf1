package records

import (
	"fmt"
	"math"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// asking is a transaction that asks for room.
type asking struct {
	of      *holding // nil: the store
	written int64
	demand
}

// demand is by how much something would grow.
type demand struct {
	grown   int64
	content int64 // of what is not the platform's own
	touches bool  // such content
}

// fits reports whether a transaction may make something grow: never beyond the limit, but
// what takes content away, or leaves none behind that it finds, always may. What
// changes it and leaves its length has an eighth more, for the traces of that.
func (d demand) fits(used, limit int64) bool {
	if limit <= 0 || d.grown <= 0 || !d.touches || d.content < 0 {
		return true
	}
	if d.content == 0 {
		limit += limit / 8
	}
	return used+d.grown <= limit
}

// limited reports whether bytes are counted, and there is a limit.
func (l *Ledger) limited() bool {
	return l != nil && l.counts.Load() && l.room.Load() != math.MaxInt64
}

// ask fails a transaction for which there is no room. It reserves so many bytes beyond those
// that it writes.
func (l *Ledger) ask(w storage.Writer, reserving int64) error {
	if !l.limited() {
		return nil
	}
	p, ok := pending(w)
	if !ok || int64(p.Written())+reserving <= l.room.Load() {
		return nil
	}
	if l.hasRoom(p, reserving) {
		return nil
	}
	before, err := committed(p)
	if err != nil {
		return err
	}
	return l.weigh(p, before)
}

// hasRoom reports whether there is room for a transaction even if all that it writes is
// new.
func (l *Ledger) hasRoom(p storage.Pending, reserving int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refresh()
	if written := int64(p.Written()) + reserving; l.limits.Store > 0 && l.total+written > l.limits.Store {
		return false
	}
	if l.limits.Account <= 0 {
		return true
	}
	var asks []asking
	for key, value := range p.Changes() {
		if value == nil {
			continue
		}
		a := l.asking(&asks, l.whose(key, value).Of)
		if a == nil {
			continue
		}
		a.written += weightOf(key, value)
		if a.of.bytes+a.written > l.limits.Account {
			return false
		}
	}
	return true
}

// asking is what a transaction asks of the account that an owner counts to; nil where it
// counts to none that has anything yet.
func (l *Ledger) asking(asks *[]asking, o Owner) *asking {
	h := l.owners[o.Kind][o.Name]
	for h != nil && h.above != nil {
		h = h.above
	}
	if h == nil || h.Kind != AccountOwner {
		return nil
	}
	for i := range *asks {
		if (*asks)[i].of == h {
			return &(*asks)[i]
		}
	}
	*asks = append(*asks, asking{of: h})
	return &(*asks)[len(*asks)-1]
}

// committed returns the values that a transaction replaces, in the order of its changes.
func committed(p storage.Pending) (before [][]byte, err error) {
	if storage.Prefetches(p) {
		var keys []string
		for key := range p.Changes() {
			keys = append(keys, key)
		}
		if err := storage.Prefetch(p, keys); err != nil {
			return nil, err
		}
	}
	for key := range p.Changes() {
		value, err := p.Committed(key)
		if err != nil && !isMissing(err) {
			return nil, err
		}
		before = append(before, value)
	}
	return before, nil
}

// weigh fails a transaction that makes something grow beyond its limit.
func (l *Ledger) weigh(p storage.Pending, before [][]byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all demand
	var asks []asking
	at := 0
	for key, value := range p.Changes() {
		was := before[at]
		at++
		for _, side := range [...]struct {
			value []byte
			sign  int64
		}{{was, -1}, {value, 1}} {
			if side.value == nil {
				continue
			}
			share, upkeep := l.whose(key, side.value), l.upkeep(key)
			n := side.sign * weightOf(key, side.value)
			all.weigh(n, upkeep)
			if a := l.asking(&asks, share.Of); a != nil {
				a.weigh(n, upkeep)
			}
		}
	}
	for _, a := range asks {
		if used := a.of.bytes; !a.fits(used, l.limits.Account) {
			return accountFull(used, a.grown, l.limits.Account)
		}
	}
	if used := l.total; !all.fits(used, l.limits.Store) {
		return storeFull(used, all.grown, l.limits.Store)
	}
	return nil
}

func (d *demand) weigh(n int64, upkeep bool) {
	d.grown += n
	if !upkeep {
		d.touches = true
		d.content += n
	}
}

// accountFull refuses what an account has no room for.
func accountFull(used, asked, allowed int64) error {
	return &twinplatform.Error{
		Kind: twinplatform.Conflict, Code: "AccountStorageFull",
		Message: fmt.Sprintf("The account would have more bytes than is allowed: %d are used, %d asked for, %d "+
			"allowed. Deletions make room.", used, asked, allowed),
	}
}

// storeFull refuses what the store has no room for.
func storeFull(used, asked, allowed int64) error {
	return &twinplatform.Error{
		Kind: twinplatform.Conflict, Code: "StorageFull",
		Message: fmt.Sprintf("The platform takes no more bytes at present: %d are used, %d asked for, %d allowed. "+
			"Deletions make room.", used, asked, allowed),
	}
}

// Fits fails where there is no room for what a transaction has written so far, which a
// transaction asks that is given up on purpose.
func (u *Update) Fits() error { return u.db.ledger.ask(u.w, u.reserving) }
