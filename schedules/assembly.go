package schedules

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// New returns the schedules area over a store. It starts nothing; with
// Env.Background, operations wait for Run.
func New(store storage.Store, cfg Config) *Service {
	env := cfg.Env.WithDefaults()
	s := &Service{db: records.New(store), env: env, twins: cfg.Twins}
	s.access = access{s}
	s.blobs = blob.NewKeeper(s.db, env)
	s.jobs = jobs.NewRunner(s.db, env, "schedules")
	s.known = &known{deletion: jobs.Define(s.jobs, "schedule.delete", s.removeSchedule, "schedules.delete")}
	s.clones = jobs.Define(s.jobs, "schedule.clone", s.cloneStep, "schedules.clone").Compensate(abandoned).Holdable()
	s.families = defineFamilies(s)
	for _, k := range kinds {
		if p, ok := k.Kind.(model.Plainly); ok {
			familiesOf(s).plain[k.Name] = p.Family(s.area())
		}
	}
	s.planning = definePlanning(s)
	s.exchanges = defineExchanges(s)
	for _, f := range features {
		if f.Calls != nil {
			s.features = append(s.features, f.Calls(s.area()))
		}
		if f.GC != nil {
			s.jobs.AddGC(f.GC(s.area()))
		}
	}
	s.jobs.AddGC(s.blobs.Sweep)
	s.earlierEnd = s.jobs.At(s.endDue)
	return s
}

// Schemas returns what the checks of this area declare of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	entity.Describe(b, kinds)
	for _, f := range features {
		if f.Schemas != nil {
			f.Schemas(b)
		}
	}
	schema.Enum(b, scheduleTypes)
	schema.Enum(b, taskTypes)
	schema.Enum(b, taskStatuses)
	schema.Enum(b, constraintTypes)
	schema.Enum(b, taskLinkTypes)
	schema.Enum(b, resourceTypes)
	schema.Enum(b, resourceUnitTypes)
	schema.Enum(b, synchronizationTypes)
	schema.Enum(b, syncModes)
	schema.Enum(b, textOperations)
	schema.Enum(b, orderOperations)
	schema.Enum(b, wordOperations)
	schema.Enum(b, dataDateTypes)
	schema.Enum(b, dayTypeKinds)
	schema.Enum(b, recurrenceFrequencies)
	schema.Enum(b, weekdays)
	schema.Enum(b, weekdayPositions)
	describeConditions(b)
	describeCosts(b)
	describeNotes(b)
	describeSplits(b)
	describeProjectNotes(b)
	describeImports(b)
	describeExports(b)
	describeCalendars(b)
	describeProjects(b)
	for _, t := range []reflect.Type{reflect.TypeFor[NewTask](), reflect.TypeFor[TaskPatch](), reflect.TypeFor[Task]()} {
		second := schema.May("secondConstraintType", schema.Words(secondConstraintTypes))
		b.Has(t, schema.May("plannedDuration", schema.AtLeast(0)), second)
	}
	b.Has(reflect.TypeFor[ResourceAssignmentChange](), schema.NeedText("id", MaxText))
	b.Has(reflect.TypeFor[TaskLinkPatch](), schema.NeedText("id", MaxText))
	b.Has(reflect.TypeFor[NewSchedule](), problem.RulesOf(new(NewSchedule).check)...)
	b.Has(reflect.TypeFor[NewClone](), problem.RulesOf(new(NewClone).check)...)
	b.Has(reflect.TypeFor[NewBaseline](), problem.RulesOf(new(NewBaseline).check)...)
}
