package records

import (
	"iter"
	"slices"
)

// Found says what is read of records that are found by the id of another: that go with it, or
// that keep it from being deleted.
type Found struct {
	// In keeps them.
	In *Table
	// Index has them for the id. Empty: their own ids begin with it, see [Join].
	Index string
	// Of is what is found by the id of each of them in turn. Nil means nothing.
	Of func() []Found
	// Needs is what the value of each of them leads to. Nil means nothing.
	Needs ValueNeeds
}

// ValueNeeds are what is read of a record, which its value tells, with the type erased.
type ValueNeeds func(s Scope, v any) []Need

// NeedsOfValue are needs with the type erased.
func NeedsOfValue[T any](needs func(s Scope, v *T) []Need) ValueNeeds {
	return func(s Scope, v any) []Need { return needs(s, v.(*T)) }
}

// need is what leads to the records.
func (f Found) need(s Scope, id string) Need {
	if f.Index == "" {
		return Need{at: f.In.key(s, "r", Join(id, "")), scan: shortSpan}
	}
	return f.In.NeedIndexed(s, f.Index, id)
}

// ids yields the ids of those that the need has read ahead.
func (f Found) ids(tx Reading, s Scope, id string) iter.Seq[string] {
	need := f.need(s, id)
	return func(yield func(string) bool) {
		base := f.In.key(s, "r", "")
		for key, value := range tx.view().reads.ScanLimit(need.at, "", shortScan) {
			found := string(value)
			if f.Index == "" {
				found = key[len(base):]
			}
			if !yield(found) {
				return
			}
		}
	}
}

// NeedsOfFound are what leads to what is found by ids.
func NeedsOfFound(s Scope, ids []string, found []Found) (needs []Need) {
	for _, f := range found {
		for _, id := range ids {
			needs = append(needs, f.need(s, id))
		}
	}
	return needs
}

// Follow declares, over a network, what is found by ids, and what is found by that in turn: all
// that is as far from them in one journey. It ends where a transaction has read so much that
// the rest is better left to its next step.
func Follow(tx Reading, s Scope, ids []string, found []Found) error {
	r := tx.view().reads
	if r == nil || len(found) == 0 || len(ids) == 0 || len(r.known)+len(r.begun) > mostKnown {
		return nil
	}
	if err := Prefetch(tx, NeedsOfFound(s, ids, found)...); err != nil {
		return err
	}
	var next []level
	for _, f := range found {
		at := f.found(tx, s, ids)
		Declare(tx, f.In.Needs(s, at.ids...)...)
		if len(at.ids) == 0 {
			continue
		}
		next = append(next, at)
		if f.Of != nil {
			Declare(tx, NeedsOfFound(s, at.ids, f.Of())...)
		}
	}
	for _, at := range next {
		if err := at.follow(tx, s); err != nil {
			return err
		}
	}
	return nil
}

// level are records that were found, with what they lead to.
type level struct {
	Found

	ids []string
}

// found are the records that the needs have read ahead.
func (f Found) found(tx Reading, s Scope, ids []string) level {
	at := level{Found: f}
	for _, id := range ids {
		at.ids = slices.AppendSeq(at.ids, f.ids(tx, s, id))
	}
	return at
}

// follow declares what the values of the records lead to, and follows what is found by them.
func (l level) follow(tx Reading, s Scope) error {
	if l.Needs != nil {
		if err := l.In.declareOf(tx, s, l.ids, l.Needs); err != nil {
			return err
		}
	}
	if l.Of == nil {
		return nil
	}
	return Follow(tx, s, l.ids, l.Of())
}

// DeclareOf declares, over a network, what the values of records with ids lead to, as far as
// these are there.
func DeclareOf[T any](tx Reading, s Scope, c *Collection[T], ids []string, needs func(s Scope, v *T) []Need) error {
	return c.Table().declareOf(tx, s, ids, NeedsOfValue(needs))
}

func (t *Table) declareOf(tx Reading, s Scope, ids []string, needs ValueNeeds) error {
	if !Remote(tx) {
		return nil
	}
	Declare(tx, t.Needs(s, ids...)...)
	for _, id := range ids {
		v, err := t.Lookup(tx, s, id)
		if err != nil {
			return err
		}
		if v != nil {
			Declare(tx, needs(s, v)...)
		}
	}
	return nil
}
