package model

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// Content is what a schedule holds for a feature, on its way into a world or out of one. L
// are the lists of the world that have it.
type Content[L any] struct {
	Transfer

	Plan  Plan
	Lists L
}

// Transfer is what all lists of a world are read or seeded with.
type Transfer struct {
	// Of is the type of the schedule that is read.
	Of string
	// At is given the time at which what is made next was made.
	At func(Date)
}

// Date is when something of a world was made: at the present where it is left out, and
// at no known time where it is null.
type Date = twinplatform.Optional[twinplatform.DateTime]

type seedingKey struct{}

// Seeding is a context in which the content of a world is made.
func Seeding(ctx context.Context) context.Context { return context.WithValue(ctx, seedingKey{}, true) }

func isSeeding(ctx context.Context) bool { return ctx.Value(seedingKey{}) != nil }

func (t *Transfer) transfer() *Transfer { return t }

// Transferred is what has a Transfer in it, such as a *Content.
type Transferred interface{ transfer() *Transfer }

// ExportOf reads all records of a type, each as what seeds it.
type ExportOf[H, W any] = func(ctx context.Context, h H) ([]W, error)

// SeedOf makes the items of a list of a world.
type SeedOf[H, W any] = func(ctx context.Context, h H, list string, items []W) error

// Listed is the list of a type of record in a world.
type Listed[H Transferred, W any] struct {
	Name  string
	Items func(H) *[]W
	Read  ExportOf[H, W]
	Seed  SeedOf[H, W]
	After []string // lists that are seeded before, besides those of what the records refer to
	Only  string   // type of the schedules that have such records; empty means all
	// Node is the id of an item and that of its parent. Nil means that there are no parents.
	Node func(*W) (id, parent string)
	// Then completes what was read. Nil means that it is complete.
	Then func(ctx context.Context, h H, items []W) error
}

// List is the list for package entity.
func (l Listed[H, W]) List() *entity.List[H] {
	return &entity.List[H]{
		Name: l.Name, After: l.After,
		Export: func(ctx context.Context, h H) error {
			if l.Only != "" && l.Only != h.transfer().Of {
				return nil
			}
			items, err := l.Read(ctx, h)
			if err == nil && l.Then != nil {
				err = l.Then(ctx, h, items)
			}
			*l.Items(h) = items
			return err
		},
		Seed: func(ctx context.Context, h H) error {
			items := *l.Items(h)
			if l.Node != nil {
				items = entity.ParentsFirst(items, l.Node)
			}
			return l.Seed(ctx, h, l.Name, items)
		},
	}
}

// Keeps is a type of record that is listed in worlds as the requests that make such records.
func Keeps[H Transferred, T, N, P any](k *entity.Kind[T, N, P], l Listed[H, N]) entity.Stored {
	if k.IsTree() {
		l.Node = k.Node
	}
	return entity.KeepsKind(k, l.List())
}

// Reading reads the records that a method of a handle lists, which in gives.
func Reading[W, H, P, T, Q any, O twinplatform.QueryOf[Q]](
	in func(H) P, list func(P, context.Context, Q) (twinplatform.Page[T], error),
) ExportOf[H, W] {
	return func(ctx context.Context, h H) ([]W, error) {
		page := func(ctx context.Context, q Q) (twinplatform.Page[T], error) { return list(in(h), ctx, q) }
		var q Q
		return entity.Collect[W, T, Q, O](ctx, page, q)
	}
}

// Single makes items one after the other.
func Single[H, P, W, R any](in func(H) P, create func(P, context.Context, W) (R, error)) SeedOf[H, W] {
	return func(ctx context.Context, h H, list string, items []W) error {
		return entity.Each(list, items, func(item W) error {
			_, err := create(in(h), ctx, item)
			return err
		})
	}
}

// Batched makes items in batches that one call takes.
func Batched[H, P, W, R any](in func(H) P, create func(P, context.Context, []W) (R, error)) SeedOf[H, W] {
	return func(ctx context.Context, h H, list string, items []W) error {
		return entity.Batches(list, items, MaxBatch, func(batch []W) error {
			_, err := create(in(h), ctx, batch)
			return err
		})
	}
}

// Timed makes items one after the other, each as of the time that it was made.
func Timed[H Transferred, P, W, R any](
	in func(H) P, made func(*W) Date, create func(P, context.Context, *W) (R, error),
) SeedOf[H, W] {
	return func(ctx context.Context, h H, list string, items []W) error {
		at := h.transfer().At
		defer at(Date{})
		return entity.Each(list, items, func(item W) error {
			at(made(&item))
			_, err := create(in(h), ctx, &item)
			return err
		})
	}
}
