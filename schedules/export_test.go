package schedules

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// SeedAnyhow is Seed with the lists in any order that what their records refer to allows.
func (c *Contents) SeedAnyhow(ctx context.Context, p Plan, at func(model.Date), r *rand.Rand) error {
	lists := entity.Lists[*content](kinds)
	r.Shuffle(len(lists), func(i, j int) { lists[i], lists[j] = lists[j], lists[i] })
	return seedLists(ctx, lists, &content{model.Transfer{At: at}, p, c})
}

// Reference is a member that refers to another record, with the lists of worlds that have the
// records and what they refer to.
type Reference struct {
	entity.Fact

	List, ToList string
}

// References are the members of all types of records of schedules of which the kit checks what
// they refer to.
func References() (all []Reference) {
	lists := make(map[string]string)
	for _, k := range kinds {
		if l, listed := k.World.(*entity.List[*content]); listed {
			lists[k.Name] = l.Name
		}
	}
	for _, f := range entity.Facts(kinds) {
		if f.Checked {
			all = append(all, Reference{f, lists[f.Kind], lists[f.To]})
		}
	}
	return all
}

// Drop deletes a record of a schedule, and nothing that belongs to it.
func Drop(ctx context.Context, p Plan, collection, id string) error {
	i := slices.IndexFunc(kinds, func(k entity.Stored) bool { return k.Name == collection })
	return p.s.area().Change(ctx, p.id, nil, func(u *records.Update, sc *model.Schedule) error {
		return kinds[i].Records.Delete(u, sc.Scope, id)
	})
}

// Delete deletes a record of a schedule with all that goes with it, each step in a transaction, as
// the operation does.
func Delete(ctx context.Context, p Plan, collection, id string) error {
	i := slices.IndexFunc(kinds, func(k entity.Stored) bool { return k.Name == collection })
	kind := kinds[i].Kind.(interface {
		RemoveAll(u *records.Update, s records.Scope, d *entity.Deletion) (whole bool, err error)
	})
	left := entity.Deletion{IDs: []string{id}}
	for {
		var next entity.Deletion
		var whole bool
		err := p.s.area().Change(ctx, p.id, nil, func(u *records.Update, sc *model.Schedule) (err error) {
			next = left
			whole, err = kind.RemoveAll(u, sc.Scope, &next)
			return err
		})
		if whole || err != nil {
			return err
		}
		left = next
	}
}
