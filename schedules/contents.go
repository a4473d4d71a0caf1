package schedules

import (
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// Export reads everything that a schedule holds.
//
// Errors: ScheduleNotFound.
func (c *Contents) Export(ctx context.Context, p Plan) error {
	sc, err := p.s.Schedule(ctx, p.id)
	if err != nil {
		return err
	}
	for _, list := range entity.Lists[*content](kinds) {
		if err := list.Export(ctx, &content{plan: p, world: c, of: sc.Value.Type}); err != nil {
			return err
		}
	}
	return nil
}

// Seed makes everything in a schedule that holds nothing, not even a calendar. at is
// given the time at which what is made next was made, and the zero time for the present:
// whoever seeds moves the clock of the service by it.
//
// Errors are those of the calls that make it, with the list and the place in it.
func (c *Contents) Seed(ctx context.Context, p Plan, at func(time.Time)) error {
	return seedLists(ctx, entity.Lists[*content](kinds), &content{plan: p, world: c, at: at})
}

// seedLists seeds lists in the order of what their records refer to.
func seedLists(ctx context.Context, lists []*entity.List[*content], into *content) error {
	lists, err := entity.SeedOrder(lists)
	if err != nil {
		return err
	}
	for _, list := range lists {
		if err := list.Seed(ctx, into); err != nil {
			return err
		}
	}
	for _, list := range lists {
		if list.Finish == nil {
			continue
		}
		if err := list.Finish(ctx, into); err != nil {
			return err
		}
	}
	return nil
}

// content is what a schedule holds, on its way into a world or out of one.
type content struct {
	plan  Plan
	world *Contents
	of    ScheduleType    // that is exported
	at    func(time.Time) // see Contents.Seed
}

// exportOf reads all records of a type, each as what seeds it.
type exportOf[W any] func(ctx context.Context, c *content) ([]W, error)

// seedOf makes the items of a list of a world.
type seedOf[W any] func(ctx context.Context, c *content, list string, items []W) error

// listed is the list of a type of record in a world.
type listed[W any] struct {
	name  string
	items func(*Contents) *[]W
	read  exportOf[W]
	seed  seedOf[W]
	after []string
	only  ScheduleType // that has such records; empty means all
	// node is the id of an item and that of its parent. Nil means that there are no parents.
	node func(*W) (id, parent string)
	// then completes what was read. Nil means that it is complete.
	then func(ctx context.Context, c *content, items []W) error
}

// list is the list for package entity.
func (l listed[W]) list() *entity.List[*content] {
	return &entity.List[*content]{
		Name: l.name, After: l.after,
		Export: func(ctx context.Context, c *content) error {
			if l.only != "" && l.only != c.of {
				return nil
			}
			items, err := l.read(ctx, c)
			if err == nil && l.then != nil {
				err = l.then(ctx, c, items)
			}
			*l.items(c.world) = items
			return err
		},
		Seed: func(ctx context.Context, c *content) error {
			items := *l.items(c.world)
			if l.node != nil {
				items = entity.ParentsFirst(items, l.node)
			}
			return l.seed(ctx, c, l.name, items)
		},
	}
}

// keeps is a type of record that is listed in worlds as the requests that make such
// records. after names the lists of what they refer to.
func keeps[T, N, P, Q any, O twinplatform.QueryOf[Q]](
	k *entity.Kind[T, N, P], name string, items func(*Contents) *[]N,
	list func(Plan, context.Context, Q) (twinplatform.Page[T], error), seed seedOf[N], after ...string,
) entity.Stored {
	l := listed[N]{name: name, items: items, read: reading[N, T, Q, O](list), seed: seed, after: after}
	if k.Parent != nil {
		l.node = k.Node
	}
	return entity.KeepsKind(k, l.list())
}

// reading reads the records that a method of Plan lists.
func reading[W, T, Q any, O twinplatform.QueryOf[Q]](
	list func(Plan, context.Context, Q) (twinplatform.Page[T], error),
) exportOf[W] {
	return func(ctx context.Context, c *content) ([]W, error) {
		page := func(ctx context.Context, q Q) (twinplatform.Page[T], error) { return list(c.plan, ctx, q) }
		var q Q
		return entity.Collect[W, T, Q, O](ctx, page, q)
	}
}

// single makes items one after the other.
func single[W, R any](create func(Plan, context.Context, W) (R, error)) seedOf[W] {
	return func(ctx context.Context, c *content, list string, items []W) error {
		return entity.Each(list, items, func(item W) error {
			_, err := create(c.plan, ctx, item)
			return err
		})
	}
}

// batched makes items in batches that one call takes.
func batched[W, R any](create func(Plan, context.Context, []W) (R, error)) seedOf[W] {
	return func(ctx context.Context, c *content, list string, items []W) error {
		return entity.Batches(list, items, MaxBatch, func(batch []W) error {
			_, err := create(c.plan, ctx, batch)
			return err
		})
	}
}

// timed makes items one after the other, each as of the time that it was made.
func timed[W, R any](made func(*W) twinplatform.DateTime, create func(Plan, context.Context, *W) (R, error)) seedOf[W] {
	return func(ctx context.Context, c *content, list string, items []W) error {
		defer c.at(time.Time{})
		return entity.Each(list, items, func(item W) error {
			c.at(made(&item).Time)
			_, err := create(c.plan, ctx, &item)
			return err
		})
	}
}
