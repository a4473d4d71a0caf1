package model

import "github.com/seed-933f9a09/twinplatform/internal/entity"

// Plain is a type of record whose family follows from its kind alone.
type Plain[T, N, P any] struct {
	*entity.Kind[T, N, P]

	// Changed says in which kinds of schedules there are changes; nil: in all.
	Changed func(*Schedule) error
}

// Plainly is a [Plain], whatever its types.
type Plainly interface {
	entity.Described
	// Family defines the changes.
	Family(Area) Defined
}

// Defined is a [Family], whatever its types.
type Defined interface{ defined() }

func (*Family[T, N, P]) defined() {}

// Family implements Plainly.
func (p Plain[T, N, P]) Family(area Area) Defined {
	f := FamilyOf(area, p.Kind)
	if p.Changed != nil {
		f.ChangedIn(p.Changed)
	}
	return f
}
