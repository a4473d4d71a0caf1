package entity

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// reference is how the records of one type refer to those of another, or of the own one.
type reference struct {
	fate

	member string // on the wire; empty: their ids begin with that of the other
	from   kin
	to     *records.Table
	target *ties  // of what they refer to; nil until the types are related
	index  string // by which they are found; empty as member is
	at     int    // of the index among those of the collection
}

// kin is a type of record, whatever its types, as those see it that it refers to.
type kin interface {
	ties() *ties
	Remove(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error)
	clear(u *records.Update, s records.Scope, id, member string) (bytes int, err error)
	FoundBy(index string) records.Found
}

// ties are what a type of record refers to, and what refers to it.
type ties struct {
	table         *records.Table
	resource      string // what errors call a record
	holder        string // what errors call what holds the records
	inUse, target string // code and target of the refusal to delete one that is in use
	out, in       []*reference
	tree          *reference // to the own type, one of out; nil: there is none
}

// probe is the id by which the index of a member is found: no record has it.
const probe = "\x00probe"

// ties are made once, of the table of members.
func (k *Kind[T, N, P]) ties() *ties {
	k.once.Do(func() {
		t := &ties{table: k.Records.Table(), resource: k.Resource}
		if k.Missing != nil {
			t.inUse = strings.TrimSuffix(k.Missing.Code, "NotFound") + "InUse"
		}
		_, t.target = k.Deletion()
		b := k.bind()
		for _, m := range b.members {
			if m, ok := m.(*RefMember); ok {
				m.store(probe)
				t.refer(k, m, t.indexOf(&b.record))
				m.store("")
			}
		}
		k.idle.Put(b)
		k.tied = t
	})
	return k.tied
}

// indexOf is the place of the index that finds a record by the probe; -1 where none does.
func (t *ties) indexOf(v any) int {
	for i := range t.table.Indexes() {
		if t.table.IndexValue(v, i) == probe {
			return i
		}
	}
	return -1
}

func (t *ties) refer(from kin, m *RefMember, at int) {
	if at < 0 {
		panic(fmt.Sprintf("entity: %s of %s refers to %s, and no index finds it", m.name, t.table.Name(),
			m.to.Table().Name()))
	}
	r := &reference{fate: m.fate, member: m.name, from: from, to: m.to.Table(), index: t.table.Indexes()[at], at: at}
	if t.out = append(t.out, r); r.to.Name() == t.table.Name() {
		t.tree = r
	}
}

// Relate lets the types of records of an area know which of them refer to which, as their rows
// say. What refers to a record goes with it in the order of the types. holder is what errors call
// what holds the records, such as schedule.
func Relate(holder string, kinds []Stored) []Stored {
	all := make(map[string]*ties, len(kinds))
	for i := range kinds {
		if k := kinds[i].kin(); k != nil {
			all[kinds[i].Name] = k.ties()
			k.ties().holder = holder
		}
	}
	for i := range kinds {
		for _, r := range kinds[i].references() {
			to := all[r.to.Name()]
			if to == nil {
				panic("entity: " + kinds[i].Name + " refers to " + r.to.Name() +
					", which is no type of record of the area")
			}
			if r.target == nil {
				r.target, to.in = to, append(to.in, r)
			}
		}
	}
	return kinds
}

// kin is the kind of the records, or nil where the kit does not know it.
func (k *Stored) kin() kin {
	of, _ := k.Kind.(kin)
	return of
}

// references returns what the rows refer to, and what was declared of the whole.
func (k *Stored) references() (all []*reference) {
	if of := k.kin(); of != nil {
		all = of.ties().out
	}
	return append(slices.Clip(all), k.refers...)
}

// Below declares that the ids of the records begin with that of a record of another type, with
// which they go.
func (k Stored) Below(to Referred) Stored {
	k.refers = append(slices.Clip(k.refers),
		&reference{fate: fate{owned: true}, from: &plain{k.Records}, to: to.Table()})
	return k
}

// With declares that the records are found in an index by the id of a record of another type,
// with which they go.
func (k Stored) With(index string, to Referred) Stored {
	r := &reference{fate: fate{owned: true}, from: &plain{k.Records}, to: to.Table(), index: index}
	k.refers = append(slices.Clip(k.refers), r)
	return k
}

// plain are records that the kit keeps without knowing their kind.
type plain struct{ table *records.Table }

func (p *plain) ties() *ties { return &ties{table: p.table} }

func (p *plain) Remove(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error) {
	return Drop(u, s, p.table, id, step)
}

func (p *plain) clear(*records.Update, records.Scope, string, string) (bytes int, err error) {
	return 0, errors.ErrUnsupported
}

func (p *plain) FoundBy(index string) records.Found { return records.Found{In: p.table, Index: index} }

// check reports what a record that is new or changed refers to and is not there. stored is the
// record as it was, and nil for a new one.
func (t *ties) check(tx records.Reading, s records.Scope, v, stored any, c *problem.Checks) error {
	for _, r := range t.out {
		id := t.table.IndexValue(v, r.at)
		if id == "" || stored != nil && id == t.table.IndexValue(stored, r.at) {
			continue
		}
		var err error
		if r == t.tree {
			err = t.place(tx, s, v, stored == nil, c)
		} else {
			err = r.exists(tx, s, id, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reference) exists(tx records.Reading, s records.Scope, id string, c *problem.Checks) error {
	has, err := r.to.Has(tx, s, id)
	if err == nil && !has {
		r.missing(id, c)
	}
	return err
}

func (r *reference) missing(id string, c *problem.Checks) {
	c.Bad(r.member, "The %s has no %s with the id '%s'.", r.target.holder, r.target.resource, id)
}

// place checks what lies above a record that is new or has moved: it is there, the record does
// not come below itself, and no record lies too deep.
func (t *ties) place(tx records.Reading, s records.Scope, v any, made bool, c *problem.Checks) error {
	r := t.tree
	parent, id := t.table.IndexValue(v, r.at), t.table.ID(v)
	if made && r.depth == 0 {
		return r.exists(tx, s, parent, c)
	}
	above, err := t.above(tx, s, parent)
	switch {
	case errors.Is(err, records.ErrNotFound):
		r.missing(parent, c)
		return nil
	case err != nil:
		return err
	case !made && above[id]:
		c.Bad(r.member, "The %s would be its own ancestor.", t.resource)
	case r.depth > 0 && len(above)+t.height(tx, s, id) > r.depth:
		c.Bad(r.member, "%s%ss lie at most %d deep.", strings.ToUpper(t.resource[:1]), t.resource[1:], r.depth)
	}
	return nil
}

// above are the ids of a record and of all above it. It fails with ErrNotFound where one of them
// is not there.
func (t *ties) above(tx records.Reading, s records.Scope, id string) (above map[string]bool, err error) {
	above = make(map[string]bool)
	for at := id; at != ""; {
		if above[at] {
			return nil, &CycleError{IDs: []string{at, at}}
		}
		above[at] = true
		if at, err = t.table.PeekIndex(tx, s, at, t.tree.member, t.tree.at); err != nil {
			return nil, err
		}
	}
	return above, nil
}

// height is how many records there are from one down to the deepest below it, itself included, or
// one more than the tree may have where there are more.
func (t *ties) height(tx records.Reading, s records.Scope, id string) (height int) {
	for level := []string{id}; len(level) > 0 && height <= t.tree.depth; height++ {
		var next []string
		for _, id := range level {
			next = slices.AppendSeq(next, t.table.IDs(tx, s, t.tree.index, id))
		}
		level = next
	}
	return height
}

// cascade deletes and clears what refers to a record that is to be deleted, besides those below
// it, and reports false when the step ended before that.
func (t *ties) cascade(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error) {
	for _, r := range t.in {
		switch {
		case r == t.tree:
			continue
		case r.cleared:
			whole, err = r.release(u, s, id, step)
		case r.owned && r.index == "":
			whole, err = r.removeBelow(u, s, id, step)
		case r.owned:
			whole, err = removeFound(r.from, u, s, r.index, id, step)
		default:
			continue
		}
		if !whole || err != nil {
			return false, err
		}
	}
	return true, nil
}

// removeFound deletes the records with a value in an index.
func removeFound(
	of kin, u *records.Update, s records.Scope, index, equals string, step *records.Step,
) (whole bool, err error) {
	for id := range of.ties().table.IDs(u, s, index, equals) {
		if whole, err := of.Remove(u, s, id, step); !whole || err != nil {
			return false, err
		}
	}
	return true, nil
}

// removeBelow deletes the records whose ids begin with an id.
func (r *reference) removeBelow(
	u *records.Update, s records.Scope, id string, step *records.Step,
) (whole bool, err error) {
	table := r.from.ties().table
	for v, err := range table.Below(u, s, id) {
		if err != nil {
			return false, err
		}
		if whole, err := r.from.Remove(u, s, table.ID(v), step); !whole || err != nil {
			return false, err
		}
	}
	return true, nil
}

// release empties the member in the records that refer to one.
func (r *reference) release(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error) {
	for by := range r.from.ties().table.IDs(u, s, r.index, id) {
		if more, err := step.More(); !more || err != nil {
			return false, err
		}
		bytes, err := r.from.clear(u, s, by, r.member)
		if err != nil {
			return false, err
		}
		step.Spend(bytes)
	}
	return true, nil
}

// keeps reports whether something may keep records from being deleted.
func (t *ties) keeps() bool {
	return slices.ContainsFunc(t.in, func(r *reference) bool { return r.kept })
}

// used is the refusal to delete a record that another one refers to.
func (t *ties) used(tx records.Reading, s records.Scope, id string) error {
	for _, r := range t.in {
		if !r.kept {
			continue
		}
		if by, ok := r.from.ties().table.FirstID(tx, s, r.index, id, ""); ok {
			return r.refuse(tx, s, id, by)
		}
	}
	return nil
}

// refuse is the error of a record that is in use by another.
func (r *reference) refuse(tx records.Reading, s records.Scope, id, by string) error {
	from, resource := r.from.ties(), r.from.ties().resource
	if i := slices.IndexFunc(from.out, func(o *reference) bool { return o.member == r.by }); i >= 0 {
		v, err := from.table.Value(tx, s, by)
		if err != nil {
			return err
		}
		by, resource = from.table.IndexValue(v, from.out[i].at), from.out[i].target.resource
	}
	return problem.Conflict(r.target.inUse, r.target.target,
		"The "+r.target.resource+" '"+id+"' is "+r.how+" by the "+resource+" '"+by+"'.")
}

// found are the records that refer to one that is to be deleted.
func (t *ties) found() (all []records.Found) {
	for _, r := range t.in {
		if r.owned {
			all = append(all, r.from.FoundBy(r.index))
		} else if r != t.tree || r.kept {
			all = append(all, records.Found{In: r.from.ties().table, Index: r.index})
		}
	}
	return all
}

// needs are what is read to check what a record refers to.
func (t *ties) needs(s records.Scope, v any) (all []records.Need) {
	for _, r := range t.out {
		if id := t.table.IndexValue(v, r.at); id != "" {
			all = append(all, r.to.Need(s, id))
		}
	}
	if t.tree != nil && t.tree.depth > 0 {
		all = append(all, t.table.NeedIndexed(s, t.tree.index, t.table.ID(v)))
	}
	return all
}
