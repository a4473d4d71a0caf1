package entity

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Stored is a type of record that a domain keeps, whatever its Go type. A domain
// lists all of its own in one slice. Records are erased with the scope that they are in.
type Stored struct {
	// Name names its collection.
	Name string
	// Records lists what it keeps for good within what holds them, and what a copy
	// of it has too. It is nil for any other type of record.
	Records *records.Table
	// Kind knows its members, where the kit knows it whole.
	Kind Described
	// Backfill, if set, completes such records in a scope after they were copied. It goes
	// through those whose ids come after one, as far as the step reaches, and returns the
	// id to continue after, or that it went through all.
	Backfill Backfilling
	// Passing records are there only while something is under way.
	Passing bool
	// Held is the content that a twin has while it has such records, which keep it from
	// being deleted. Empty records keep no twin.
	Held string
	// Has reports whether a twin has such records.
	Has func(tx *records.View, twinID string) (bool, error)
	// World is how such records are in a world.
	World World

	refers []*reference // see Below and With
}

// Described is a Kind, whatever its types.
type Described interface {
	// Describe returns what the kind declares of the members of its types.
	Describe(*schema.Book)
	facts() []Fact
}

// Backfilling is a step of a backfill.
type Backfilling func(u *records.Update, s records.Scope, after string, step *records.Step) (last string, whole bool,
	err error)

// Keeps is a type of record that keeps no twin from being deleted.
func Keeps[T any](c *records.Collection[T], w World) Stored {
	return Stored{Name: c.Name, Records: c.Table(), World: w}
}

// KeepsKind is as Keeps, for a type of record that the kit knows whole.
func KeepsKind[T, N, P any](k *Kind[T, N, P], w World) Stored {
	return Stored{Name: k.Records.Name, Records: k.Records.Table(), Kind: k, World: w}
}

// Describe returns what is declared of the kinds of a domain.
func Describe(b *schema.Book, kinds []Stored) {
	for _, k := range kinds {
		if k.Kind != nil {
			k.Kind.Describe(b)
		}
	}
}

// BackfilledBy is k with the step that completes its records in a scope that k was copied
// into.
func (k Stored) BackfilledBy(by Backfilling) Stored {
	k.Backfill = by
	return k
}

// Passes is a type of record that is there only while something is under way. It is in no
// world.
func Passes[T any](c *records.Collection[T]) Stored {
	return Stored{Name: c.Name, Passing: true, World: NotInWorld("it is there only while something is under way")}
}

// HeldBy is a type of record that a twin is found by in an index.
func HeldBy[T any](held string, c *records.Collection[T], s records.Scope, index string, w World) Stored {
	return Stored{Name: c.Name, Held: held, World: w, Has: func(tx *records.View, twinID string) (bool, error) {
		for range c.IDs(tx, s, index, twinID) {
			return true, nil
		}
		return false, nil
	}}
}

// HeldIn is a type of record of which those of a twin have an id with a prefix, in a
// scope.
func HeldIn[T any](
	held string, c *records.Collection[T], of func(twinID string) (s records.Scope, prefix string), w World,
) Stored {
	return Stored{Name: c.Name, Held: held, World: w, Has: func(tx *records.View, twinID string) (bool, error) {
		s, prefix := of(twinID)
		for _, err := range c.All(tx, s, prefix) {
			return true, err
		}
		return false, nil
	}}
}

// HoldsOf reports what a domain holds of a twin: the first of its types of records that
// the twin has, or nothing.
func HoldsOf(ctx context.Context, db *records.DB, kinds []Stored, twinID string) (what string, err error) {
	err = db.View(ctx, func(v *records.View) error {
		what = ""
		for _, k := range kinds {
			if k.Has == nil {
				continue
			}
			has, err := k.Has(v, twinID)
			if err != nil {
				return err
			}
			if has {
				what = k.Held
				return nil
			}
		}
		return nil
	})
	return what, err
}
