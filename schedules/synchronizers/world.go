package synchronizers

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Lists are the lists of a world that have the synchronizers of a schedule.
type Lists struct{ Synchronizers *[]Synchronizer }

type content = model.Content[Lists]

func in(c *content) Plan { return In(c.Plan) }

var synchronizersInWorld = model.Listed[*content, Synchronizer]{
	Name:  "synchronizers",
	Items: func(c *content) *[]Synchronizer { return c.Lists.Synchronizers },
	Read:  model.Reading[Synchronizer](in, Plan.Synchronizers), Seed: model.Single(in, seedSynchronizer),
	Only: model.V10,
}.List()

// seedSynchronizer makes one as its import left it and then brings it up to date: what
// the import left open is not what came later.
func seedSynchronizer(p Plan, ctx context.Context, y Synchronizer) (res twinplatform.Result[Synchronizer], err error) {
	var later SynchronizerPatch
	for _, p := range []struct {
		original string
		now      *string
		later    *twinplatform.Optional[string]
	}{
		{y.OriginalProjectName, &y.ProjectName, &later.ProjectName},
		{y.OriginalProjectPath, &y.ProjectPath, &later.ProjectPath},
	} {
		if p.original == "" && !y.OriginalSynchronizationTime.IsZero() && *p.now != "" {
			*p.later = twinplatform.Set(*p.now)
			*p.now = ""
		}
	}
	res, err = p.CreateSynchronizer(ctx, y)
	if err != nil || !later.ProjectName.Present() && !later.ProjectPath.Present() {
		return res, err
	}
	return p.UpdateSynchronizer(ctx, y.ID, later)
}
