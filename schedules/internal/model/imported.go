package model

import (
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Imported is a type of record that imports write.
type Imported struct {
	Records *records.Table
	// Put writes a record.
	Put func(u *records.Update, s records.Scope, w *Written) error
	// Remove deletes a record without others below it, with what belongs to it, and
	// reports false when the step ended before that. One that is gone needs no deletion.
	Remove func(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error)
	// RemoveAll deletes records as Remove does, as far as the step reaches, and returns how many that were. It takes
	// the place of Remove unless it is nil.
	RemoveAll func(u *records.Update, s records.Scope, ids []string, step *records.Step) (gone int, err error)
	// Declare declares, over a network, what Put reads of the records that are written next. Nil means nothing.
	Declare func(u *records.Update, s records.Scope, next []*Written) error
	// DeclareRemoval declares what Remove reads of the records with ids that are deleted next. Nil means nothing.
	DeclareRemoval func(u *records.Update, s records.Scope, ids []string) error
}

// Written is a record that an import writes.
type Written struct {
	// Value points at the record. It is nil where an earlier process found it out: then
	// it is read of its JSON.
	Value any
	// JSON is how its table encodes the record.
	JSON records.Encoded
	// Unused reports that its id was never used before.
	Unused bool
}

// Of is the record, which is one of a table, and how it is encoded by this process: nil
// where that was done by an earlier one.
func (w *Written) Of(t *records.Table) (any, records.Encoded, error) {
	if w.Value != nil {
		return w.Value, w.JSON, nil
	}
	v, err := t.Decode(w.JSON)
	return v, nil, err
}

// Imports are records to which nothing belongs.
func Imports[T any](c *records.Collection[T]) Imported {
	return Imported{
		Records: c.Table(), Put: putOf(c.Table()), Remove: dropOf(c), Declare: DeclareWritten(c.Table()),
		DeclareRemoval: func(u *records.Update, s records.Scope, ids []string) error {
			records.Declare(u, c.Needs(s, ids...)...)
			return nil
		},
	}
}

// ImportsKind are records of a type that the kit knows whole.
func ImportsKind[T, N, P any](k *entity.Kind[T, N, P]) Imported {
	return Imported{
		Records: k.Records.Table(), Put: putOf(k.Records.Table()), Remove: removeOf(k),
		Declare: DeclareWritten(k.Records.Table()), DeclareRemoval: k.DeclareRemoval,
	}
}

// DeclareWritten is an Imported.Declare for records that Put writes into a table.
func DeclareWritten(t *records.Table) func(*records.Update, records.Scope, []*Written) error {
	return func(u *records.Update, s records.Scope, next []*Written) error {
		for _, w := range next {
			v, _, err := w.Of(t)
			if err != nil {
				return err
			}
			if !w.Unused {
				records.Declare(u, t.NeedsOfNew(s, t.ID(v))...)
			}
		}
		return nil
	}
}

func putOf(t *records.Table) func(*records.Update, records.Scope, *Written) error {
	return func(u *records.Update, s records.Scope, w *Written) error {
		v, encoded, err := w.Of(t)
		if err != nil {
			return err
		}
		return t.PutEncoded(u, s, v, encoded, w.Unused)
	}
}

func dropOf[T any](c *records.Collection[T]) func(*records.Update, records.Scope, string, *records.Step) (bool, error) {
	return func(u *records.Update, s records.Scope, id string, step *records.Step) (bool, error) {
		has, err := c.Has(u, s, id)
		if !has || err != nil {
			return true, err
		}
		return entity.Drop(u, s, c.Table(), id, step)
	}
}

func removeOf[T, N, P any](k *entity.Kind[T, N, P]) func(*records.Update, records.Scope, string, *records.Step) (bool,
	error) {
	return func(u *records.Update, s records.Scope, id string, step *records.Step) (bool, error) {
		has, err := k.Records.Has(u, s, id)
		if !has || err != nil {
			return true, err
		}
		return k.Remove(u, s, id, step)
	}
}
