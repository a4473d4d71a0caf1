package model

import (
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// needs are what a sort of change reads in the scope of a schedule, which follows from the
// request.
type needs[P any] struct {
	of func(s records.Scope, request *P) []records.Need // nil: nothing is declared
}

// Needs says what the change reads besides the schedule: its read set. It is not asked
// where the store is not over a network.
func (c Change[P, T]) Needs(of func(s records.Scope, request *P) []records.Need) Change[P, T] {
	c.needs.of = of
	return c
}

// in are the needs of a request in a scope, with those of what follows the change.
func (n *needs[P]) in(r *Rules, s records.Scope, request *P) (all []records.Need) {
	if n.of != nil {
		all = n.of(s, request)
	}
	if r.Follows != nil {
		all = append(all, r.Follows.Needs(s)...)
	}
	return all
}

// NeedsOfEach are what is read before the records that a batch asks for are made.
func NeedsOfEach[T, N, P any](k *entity.Kind[T, N, P]) func(s records.Scope, batch *[]N) []records.Need {
	return func(s records.Scope, batch *[]N) (all []records.Need) {
		for i := range *batch {
			all = append(all, k.NeedsOfRequest(s, &(*batch)[i])...)
		}
		return all
	}
}
