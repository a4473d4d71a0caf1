package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
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
		if err := list.Export(ctx, &content{model.Transfer{Of: string(sc.Value.Type)}, p, c}); err != nil {
			return err
		}
	}
	return nil
}

// Seed makes everything in a schedule that holds nothing, not even a calendar. at is
// given the time at which what is made next was made: left out for the present, and null
// for what has no date. The caller moves the clock of the service by it, which is the zero
// time then.
//
// A v6.5 schedule takes the animation that it shows and that no call changes.
//
// Errors are those of the calls that make it, with the list and the place in it.
func (c *Contents) Seed(ctx context.Context, p Plan, at func(twinplatform.Optional[twinplatform.DateTime])) error {
	return seedLists(model.Seeding(ctx), entity.Lists[*content](kinds), &content{model.Transfer{At: at}, p, c})
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
	model.Transfer // see Contents.Seed

	plan  Plan
	world *Contents
}

func (c *content) in() Plan { return c.plan }

// listed is the list of a type of record in a world.
type listed[W any] = model.Listed[*content, W]

// keeps is a type of record that is listed in worlds as the requests that make such
// records. after names the lists of what they refer to.
func keeps[T, N, P, Q any, O twinplatform.QueryOf[Q]](
	k *entity.Kind[T, N, P], name string, items func(*Contents) *[]N,
	list func(Plan, context.Context, Q) (twinplatform.Page[T], error), seed model.SeedOf[*content, N], after ...string,
) entity.Stored {
	of := func(c *content) *[]N { return items(c.world) }
	return model.Keeps(k, listed[N]{Name: name, Items: of, Read: reading[N, T, Q, O](list), Seed: seed, After: after})
}

// plain is as keeps, for a type of record whose changes follow from its kind. changed says in
// which kinds of schedules there are any; nil: in all.
func plain[T, N, P, Q any, O twinplatform.QueryOf[Q]](
	k *entity.Kind[T, N, P], changed func(*model.Schedule) error, name string, items func(*Contents) *[]N,
	list func(Plan, context.Context, Q) (twinplatform.Page[T], error), seed model.SeedOf[*content, N], after ...string,
) entity.Stored {
	row := keeps[T, N, P, Q, O](k, name, items, list, seed, after...)
	row.Kind = model.Plain[T, N, P]{Kind: k, Changed: changed}
	return row
}

// inWorlds are the types of records of a feature, with the lists that Contents has for them.
func inWorlds[L any](f *model.Feature, lists func(*Contents) L) (kinds []entity.Stored) {
	for _, k := range f.Kinds {
		if l, ok := k.World.(*entity.List[*model.Content[L]]); ok {
			k.World = entity.Through(l, func(c *content) *model.Content[L] {
				return &model.Content[L]{Transfer: c.Transfer, Plan: c.plan, Lists: lists(c.world)}
			})
		}
		kinds = append(kinds, k)
	}
	return kinds
}

// reading reads the records that a method of Plan lists.
func reading[W, T, Q any, O twinplatform.QueryOf[Q]](
	list func(Plan, context.Context, Q) (twinplatform.Page[T], error),
) model.ExportOf[*content, W] {
	return model.Reading[W, *content, Plan, T, Q, O]((*content).in, list)
}

// single makes items one after the other.
func single[W, R any](create func(Plan, context.Context, W) (R, error)) model.SeedOf[*content, W] {
	return model.Single((*content).in, create)
}

// batched makes items in batches that one call takes.
func batched[W, R any](create func(Plan, context.Context, []W) (R, error)) model.SeedOf[*content, W] {
	return model.Batched((*content).in, create)
}

// timed makes items one after the other, each as of the time that it was made.
func timed[W, R any](
	made func(*W) model.Date, create func(Plan, context.Context, *W) (R, error),
) model.SeedOf[*content, W] {
	return model.Timed((*content).in, made, create)
}
