// Package exchange imports the files of planning tools into a schedule and exports it as one: XER and XML of Primavera
// P6, and XML of Microsoft Project, which package planner reads and writes.
//
//	svc := schedules.New(store, schedules.Config{}, exchange.Feature)
//	plan := svc.In(scheduleID) // with a file of package files in it
//	_, err := exchange.In(plan).Import(ctx, exchange.PlannerImport{
//		PlannerFile: exchange.PlannerFile{FileID: fileID, SynchronizerID: "contract"},
//	})
//	y, err := synchronizers.In(plan).Synchronizer(ctx, "contract") // what it has done, and what it warns of
//
// MaxText, MaxID and MaxBatch are limits of package schedules, and so are the permissions.
package exchange

import (
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// core is what package schedules shows to those who write its records.
var core = schedules.Inside(model.Key{})

// Feature is what the service of schedules knows of files of planning tools. Without it none is imported or exported.
var Feature = model.Feature{Calls: func(area model.Area) model.Calls { return define(area) }}

// Schemas returns what the checks declare of the types of bodies.
func Schemas(b *schema.Book) {
	schema.Has[PlannedTask](b, schema.Refers("synchronizerId", synchronizers.Records.Name))
	schema.Has[PlannerImport](b, schema.Refers("fileId", "files"))
	schema.Has[ImportedProject](b, schema.NotRef("scheduleProjectId", "projects are no records"))
	schema.Has[PlannerSyncOptions](b, schema.NotRef("useActivityIds", "it is a choice"))
	schema.Enum(b, syncModes)
	describeImports(b)
	describeExports(b)
}

// Plan is one schedule, for files of planning tools.
type Plan struct {
	s  *exchanges
	id string
}

// In is a schedule for files of planning tools, which a schedules.Plan is.
func In(plan model.Plan) Plan { return Plan{model.CallsOf[*exchanges](plan.Area()), plan.ID()} }

// Registered fails where the service of a schedule was made without Feature: then the calls of a Plan panic.
func Registered(plan schedules.Plan) error { return model.Registered[*exchanges](plan.Area()) }

// exchanges are what a service does with files of planning tools.
type exchanges struct {
	*rescheduling.Plans

	imports jobs.Kind[importJob, struct{}]
	exports jobs.Kind[exporting, struct{}]
	// staged is the import that was read last and is not written yet, if there is one.
	staged  atomic.Pointer[importing.Stage]
	repeats repeats
}

// Feature implements model.Calls.
func (*exchanges) Feature() string { return "exchange" }

func define(area model.Area) *exchanges {
	s := &exchanges{Plans: rescheduling.Of(area)}
	s.imports, s.exports = defineImports(s), defineExports(s)
	return s
}
