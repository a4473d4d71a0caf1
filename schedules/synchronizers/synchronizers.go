// Package synchronizers keeps what the files of planning tools leave behind in a schedule: synchronizers, each of
// which records its imports and exports, and when the last file of each has planned the tasks.
//
//	plan := svc.In(scheduleID) // a schedules.Plan
//	y, err := synchronizers.In(plan).Synchronizer(ctx, synchronizerID)
//
// Package exchange imports and exports. MaxText and MaxBatch are limits of package schedules.
package synchronizers

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Feature is what the service of schedules knows of synchronizers, except for PlannedDates.
var Feature = model.Feature{
	Kinds:    []entity.Stored{entity.Keeps(&Records, synchronizersInWorld)},
	Calls:    func(area model.Area) model.Calls { return callsOf(area) },
	Imported: []model.Imported{model.Imports(&Records), model.Imports(&InFiles)},
	Schemas:  func(b *schema.Book) { schema.Enum(b, synchronizationTypes) },
}

// Plan is the synchronizers of one schedule.
type Plan struct {
	calls *calls
	id    string
}

// In are the synchronizers of a schedule, which a schedules.Plan is.
func In(plan model.Plan) Plan { return Plan{model.CallsOf[*calls](plan.Area()), plan.ID()} }

// calls are what a service does with synchronizers.
type calls struct {
	area          model.Area
	synchronizers *model.Family[Synchronizer, Synchronizer, SynchronizerPatch]
}

// Feature implements model.Calls.
func (*calls) Feature() string { return "synchronizers" }

func callsOf(area model.Area) *calls {
	return &calls{area: area, synchronizers: synchronizersOf(area)}
}

// SynchronizerQuery selects the synchronizers to list.
type SynchronizerQuery struct {
	twinplatform.ListOptions
}

// Synchronizers lists the synchronizers of a schedule by id. The REST API has no
// operation for it.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) Synchronizers(ctx context.Context, q SynchronizerQuery) (twinplatform.Page[Synchronizer], error) {
	return p.calls.synchronizers.List(ctx, p.id, records.Query[Synchronizer]{ListOptions: q.ListOptions})
}
