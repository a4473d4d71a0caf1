package schedules

import (
	"context"
	"iter"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// access leads features to the schedules of a service.
type access struct{ s *Service }

var _ model.Access = access{}

// seen is the schedule as features see it.
func (sc *Schedule) seen() *model.Schedule {
	return &model.Schedule{
		Place: sc.place(), AccountID: sc.AccountID, Name: sc.Name, Type: string(sc.Type), ModelID: string(sc.ModelID),
	}
}

func (a access) Bench() judge.Bench { return a.s.bench() }

func (a access) Read(
	ctx context.Context, scheduleID string, missing *problem.Absent, fn func(*records.View, *model.Schedule) error,
) error {
	return a.s.read(ctx, scheduleID, missing, func(v *records.View, sc *Schedule) error { return fn(v, sc.seen()) })
}

func (a access) Changeable(u *records.Update, j *judge.Judge, scheduleID string) (*model.Schedule, error) {
	sc, err := a.s.changeable(u, j, scheduleID)
	if err != nil {
		return nil, err
	}
	return sc.seen(), nil
}

func (a access) Ready(tx records.Reading, at model.Place, begun bool) (*model.Schedule, error) {
	sc, err := a.s.ready(tx, at, begun)
	if err != nil {
		return nil, err
	}
	return sc.seen(), nil
}

func (a access) Begin(u *records.Update, at model.Place, begun bool) (whole bool, err error) {
	sc, err := a.s.ready(u, at, begun)
	if err != nil {
		return false, err
	}
	return a.s.endMarks(u, sc)
}

func (a access) PlannedTasks(tx records.Reading, s records.Scope, ids []string) iter.Seq2[model.PlannedTask, error] {
	tasks := taskRecords.All(tx, s, "")
	if len(ids) > 0 {
		tasks = tasksWith(tx, s, ids)
	}
	return func(yield func(model.PlannedTask, error) bool) {
		for t, err := range tasks {
			if err != nil {
				yield(model.PlannedTask{}, err)
				return
			}
			if !yield(t.planned(), nil) {
				return
			}
		}
	}
}

// tasksWith yields the tasks with the ids, as far as they are there.
func tasksWith(tx records.Reading, s records.Scope, ids []string) iter.Seq2[*Task, error] {
	return func(yield func(*Task, error) bool) {
		for _, id := range ids {
			t, err := taskRecords.Lookup(tx, s, id)
			if (t != nil || err != nil) && !yield(t, err) {
				return
			}
		}
	}
}

// planned is the task as features see it.
func (t *Task) planned() model.PlannedTask {
	return model.PlannedTask{
		ID: t.ID, Code: t.UserDefinedID, Name: t.Name, Start: t.PlannedStart, Finish: t.PlannedFinish,
	}
}

func (a access) Change(
	ctx context.Context, scheduleID string,
	fits func(*model.Schedule) error, fn func(*records.Update, *model.Schedule) error,
) error {
	return a.Bench().Update(model.Contended(ctx, scheduleID), func(u *records.Update, j *judge.Judge) error {
		sc, err := a.Changeable(u, j, scheduleID)
		if err == nil && fits != nil {
			err = fits(sc)
		}
		if err == nil {
			_, err = a.s.ready(u, sc.Place, false)
		}
		if err != nil {
			return err
		}
		return fn(u, sc)
	})
}

func (a access) EndsAt(u *records.Update, at model.Place, until twinplatform.DateTime) error {
	return a.s.noteEnd(u, at, until)
}

// New returns the schedules area over a store, with what features add to it: scheduling.Feature reschedules, and
// exchange.Feature imports and exports files of planning tools. Without scheduling.Feature no schedule becomes
// automatic, and httpapi.New wants both. It starts nothing; with Env.Background, operations wait for Run.
func New(store storage.Store, cfg Config, more ...Feature) *Service {
	env := cfg.Env.WithDefaults()
	s := &Service{db: records.New(store), env: env, twins: cfg.Twins, boxes: cfg.Boxes, elements: cfg.Elements}
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
	for _, f := range slices.Concat(features, more) {
		if f.Calls != nil {
			s.features = append(s.features, f.Calls(s.area()))
		}
		if f.GC != nil {
			s.jobs.AddGC(f.GC(s.area()))
		}
		if f.Follows != nil {
			s.followedBy(f.Follows(s.area()))
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
	schema.Enum(b, units.All())
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
	describeCalendars(b)
	describeProjects(b)
	schema.Has[TaskQueryFilter](b, schema.Person("createdBy"))
	schema.Has[BaselineTaskLink](b, schema.Refers("predecessorId", "tasks"), schema.Refers("successorId", "tasks"))
	for _, t := range []reflect.Type{
		reflect.TypeFor[NewTask](), reflect.TypeFor[TaskPatch](),
		reflect.TypeFor[Task](),
	} {
		second := schema.May("secondConstraintType", schema.Words(secondConstraintTypes))
		b.Has(t, schema.May("plannedDuration", schema.AtLeast(0)), second)
	}
	b.Has(reflect.TypeFor[ResourceAssignmentChange](), schema.NeedText("id", MaxText))
	b.Has(reflect.TypeFor[TaskLinkPatch](), schema.NeedText("id", MaxText))
	schema.Has[BaselineTaskLink](b, schema.Refers("baselineId", baselineRecords.Name),
		schema.Refers("taskLinkId", taskLinkRecords.Name))
	schema.Has[Task](b, schema.NotRef("statusId", "it says the status in another way"))
	b.Has(reflect.TypeFor[NewSchedule](), problem.RulesOf(new(NewSchedule).check)...)
	b.Has(reflect.TypeFor[NewClone](), problem.RulesOf(new(NewClone).check)...)
	b.Has(reflect.TypeFor[NewBaseline](), problem.RulesOf(new(NewBaseline).check)...)
}
