package entity

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Deletion is what is left to delete.
type Deletion struct {
	IDs   []string `json:"ids"`
	Total int      `json:"total"` // ids asked for; 0 until the first of them goes
	// Free is how many of the ids nothing needs, with all below them, and At the record
	// below the next one that was looked at last, or the place within it that
	// Kind.UsedWithin came to. The look ends before the first goes.
	Free int    `json:"free,omitzero"`
	At   string `json:"at,omitzero"`
	// Condition must hold of each of the records until the first of them goes.
	Condition twinplatform.Condition `json:"-"`
}

// Begun reports whether records have begun to go.
func (d *Deletion) Begun() bool { return d.Total > 0 }

// Remover deletes records with all that lies below them, children first, as far
// as a step reaches.
type Remover struct {
	Step *records.Step
	// Below yields the ids of a record's children. Nil means that there are none.
	Below func(id string) iter.Seq[string]
	// Remove deletes a record without children and what belongs to it. It
	// reports false when the step ended before that, and true for a record
	// that is gone already.
	Remove func(id string, step *records.Step) (whole bool, err error)
}

// Run does one step of a deletion and reports whether it was the last. Only what was
// asked for is kept between steps, and the way down to what is left of it is found again.
func (r *Remover) Run(d *Deletion) (whole bool, err error) {
	if !d.Begun() {
		d.Total = len(d.IDs)
	}
	for len(d.IDs) > 0 {
		if whole, err := r.removeSubtree(d.IDs[0]); !whole || err != nil {
			return false, err
		}
		d.IDs = d.IDs[1:]
	}
	return true, nil
}

// removeSubtree deletes a record with all that lies below it. The scan of its children
// stays open meanwhile, so that none is passed twice.
func (r *Remover) removeSubtree(id string) (whole bool, err error) {
	if r.Below != nil {
		for child := range r.Below(id) {
			if whole, err := r.removeSubtree(child); !whole || err != nil {
				return false, err
			}
		}
	}
	if more, err := r.Step.More(); !more || err != nil {
		return false, err
	}
	return r.Remove(id, r.Step)
}

// Drop deletes a record and takes it from the step. It reports false when the step
// ended before that.
func Drop(u *records.Update, s records.Scope, t *records.Table, id string, step *records.Step) (whole bool, err error) {
	if more, err := step.More(); !more || err != nil {
		return false, err
	}
	rec, err := t.Stored(u, s, id)
	if err != nil {
		return false, err
	}
	step.Spend(len(rec.JSON))
	return true, t.Delete(u, s, id)
}

// Remove deletes a record without children and what belongs to it. It reports
// false when the step ended before that.
func (k *Kind[T, N, P]) Remove(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool,
	err error,
) {
	if k.Cascade != nil {
		if whole, err := k.Cascade(u, s, id, step); !whole || err != nil {
			return false, err
		}
	}
	if whole, err := k.RemoveTied(u, s, id, step); !whole || err != nil {
		return false, err
	}
	if k.AfterRemove == nil {
		return Drop(u, s, k.Records.Table(), id, step)
	}
	was, err := k.Records.Value(u, s, id)
	if err != nil {
		return false, err
	}
	if whole, err := Drop(u, s, k.Records.Table(), id, step); !whole || err != nil {
		return false, err
	}
	return true, k.AfterRemove(u, s, was)
}

// RemoveTied deletes and clears what refers to a record that is to be deleted, as the rows of the
// others say, but for those below it. It reports false when the step ended before that.
func (k *Kind[T, N, P]) RemoveTied(
	u *records.Update, s records.Scope, id string, step *records.Step,
) (whole bool, err error) {
	return k.ties().cascade(u, s, id, step)
}

// clear empties a member of a record that refers to another.
func (k *Kind[T, N, P]) clear(u *records.Update, s records.Scope, id, member string) (bytes int, err error) {
	rec, err := k.Records.Modify(u, s, id, "", func(v *T) error {
		b := k.bind()
		b.record = *v
		for _, m := range b.members {
			if m, ok := m.(*RefMember); ok && m.name == member {
				m.store("")
			}
		}
		*v = b.record
		k.releasePatch(b)
		return nil
	})
	return len(rec.JSON), err
}

// RemoveAll does one step of a deletion of records that are all there, and reports
// whether it was the last.
func (k *Kind[T, N, P]) RemoveAll(u *records.Update, s records.Scope, d *Deletion) (whole bool, err error) {
	step := records.NewStep(u)
	if err := k.DeclareRemoval(u, s, step.Ahead(d.IDs)); err != nil {
		return false, err
	}
	if !d.Begun() {
		if err := k.Check(u, s, d); err != nil {
			return false, err
		}
		if whole, err := k.removable(u, s, d, step); !whole || err != nil {
			return false, err
		}
	}
	r := Remover{Step: step, Remove: func(id string, step *records.Step) (whole bool, err error) {
		has, err := k.Records.Has(u, s, id)
		if !has || err != nil {
			return true, err // it went with its parent
		}
		return k.Remove(u, s, id, step)
	}}
	if k.takesChildren() {
		r.Below = func(id string) iter.Seq[string] { return k.below(u, s, id) }
	}
	return r.Run(d)
}

func (k *Kind[T, N, P]) below(tx records.Reading, s records.Scope, id string) iter.Seq[string] {
	return k.Records.IDs(tx, s, k.ties().tree.index, id)
}

// Check checks that there are records with all the ids of a deletion that has not begun,
// and that its condition holds of each.
func (k *Kind[T, N, P]) Check(tx records.Reading, s records.Scope, d *Deletion) error {
	if d.Free == 0 && d.At == "" {
		if err := k.Have(tx, s, d.IDs); err != nil {
			return err
		}
	}
	for _, id := range d.IDs {
		if err := k.Records.Check(tx, s, id, d.Condition); err != nil {
			return k.Missing.Or(err)
		}
	}
	return nil
}

// removable checks that nothing needs one of the records of a deletion or of those below,
// as far as a step reaches. It reports whether that is decided.
func (k *Kind[T, N, P]) removable(tx records.Reading, s records.Scope, d *Deletion, step *records.Step) (whole bool,
	err error,
) {
	for k.UsedWithin != nil && d.Free < len(d.IDs) {
		if d.At, whole, err = k.UsedWithin(tx, s, d.IDs[d.Free], d.At, step); !whole || err != nil {
			return false, err
		}
		d.Free, d.At = d.Free+1, ""
	}
	for (k.Used != nil || k.ties().keeps()) && d.Free < len(d.IDs) {
		if more, err := step.Next(0); !more || err != nil {
			return false, err
		}
		if d.At, err = k.behind(tx, s, d.IDs[d.Free], d.At); err != nil {
			return false, err
		}
		if d.At == "" {
			d.Free++
			continue
		}
		if err := k.used(tx, s, d.At); err != nil {
			return false, err
		}
	}
	return true, nil
}

// used is the refusal to delete a record that something else needs.
func (k *Kind[T, N, P]) used(tx records.Reading, s records.Scope, id string) error {
	if k.Used != nil {
		if err := k.Used(tx, s, id); err != nil {
			return err
		}
	}
	return k.ties().used(tx, s, id)
}

// behind is the record that comes behind one in the tree below a root, which itself is
// the first; it is empty behind the last. Behind one that has gone, or has left the tree
// since, the tree begins again.
func (k *Kind[T, N, P]) behind(tx records.Reading, s records.Scope, root, at string) (string, error) {
	switch {
	case at == "":
		return root, nil
	case !k.takesChildren():
		return "", nil
	}
	for child := range k.below(tx, s, at) {
		return child, nil
	}
	for at != root {
		v, err := k.Records.Lookup(tx, s, at)
		if err != nil {
			return "", err
		}
		if v == nil || k.ParentOf(v) == "" {
			return root, nil
		}
		above := k.ParentOf(v)
		for sibling := range k.Records.IDsFrom(tx, s, k.ties().tree.index, above, at) {
			return sibling, nil
		}
		at = above
	}
	return "", nil
}

// RemoveFound deletes the records with a value in an index, and reports false
// when the step ended before that.
func (k *Kind[T, N, P]) RemoveFound(
	u *records.Update, s records.Scope, index, equals string, step *records.Step,
) (whole bool, err error) {
	return removeFound(k, u, s, index, equals, step)
}

// Have checks that there are records with all the ids of a list.
func (k *Kind[T, N, P]) Have(tx records.Reading, s records.Scope, ids []string) error {
	_, param := k.Deletion()
	if k.Missing.Target == "" {
		param = ""
	}
	for _, id := range ids {
		has, err := k.Records.Has(tx, s, id)
		if err != nil {
			return err
		}
		if !has {
			return problem.NotFound(k.Missing.Code, param, k.Resource+" '"+id+"'").Err()
		}
	}
	return nil
}
