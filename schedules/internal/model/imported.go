package model

import (
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Imported is a type of record that imports write.
type Imported struct {
	Records *records.Table
	// Put writes a record.
	Put func(u *records.Update, s records.Scope, record json.RawMessage) error
	// Remove deletes a record without others below it, with what belongs to it, and
	// reports false when the step ended before that. One that is gone needs no deletion.
	Remove func(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error)
}

// Imports are records to which nothing belongs.
func Imports[T any](c *records.Collection[T]) Imported {
	return Imported{c.Table(), putOf(c), dropOf(c)}
}

// ImportsKind are records of a type that the kit knows whole.
func ImportsKind[T, N, P any](k *entity.Kind[T, N, P]) Imported {
	return Imported{k.Records.Table(), putOf(k.Records), removeOf(k)}
}

func putOf[T any](c *records.Collection[T]) func(*records.Update, records.Scope, json.RawMessage) error {
	return func(u *records.Update, s records.Scope, record json.RawMessage) error {
		var v T
		if err := json.Unmarshal(record, &v); err != nil {
			return err
		}
		_, err := c.Put(u, s, &v)
		return err
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

func removeOf[T, N, P any](k *entity.Kind[T, N, P]) func(*records.Update, records.Scope, string, *records.Step) (bool, error) {
	return func(u *records.Update, s records.Scope, id string, step *records.Step) (bool, error) {
		has, err := k.Records.Has(u, s, id)
		if !has || err != nil {
			return true, err
		}
		return k.Remove(u, s, id, step)
	}
}
