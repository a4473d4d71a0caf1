// Package model is what the core of the schedules area and its features have in common.
//
// A feature is a package with its own types of records and a handle to them, such as
// schedules/files. It knows of the area only this package, and never imports the core. The
// core knows a feature by its [Feature]: what is stored, what is deleted with a record of
// the core, and what is cleared away. So a schedule is cloned and deleted whole whatever a
// program imports.
package model

import (
	"context"
	"fmt"
	"iter"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Feature is what the core knows of a feature.
type Feature struct {
	// Kinds are its types of records.
	Kinds []entity.Stored
	// Calls, when given, defines what the feature does with its types of records. It is called
	// once for each service, and what it returns is found by CallsOf.
	Calls func(Area) Calls
	// Follows, when given, is what comes after the changes of a plan. Calls are defined by then.
	Follows func(Area) Follower
	// Imported lists what imports write.
	Imported []Imported
	// Expiry, when given, is what ends by itself in schedules.
	Expiry *Expiry
	// Schemas, when given, returns what Kinds do not declare of the types of its bodies.
	Schemas func(*schema.Book)
	// GC, when given, returns what clears away what the feature alone knows to be of no
	// more use.
	GC func(Area) jobs.GC
}

// Calls are what a feature does with its types of records in one service: families and
// changes.
type Calls interface {
	// Feature is the name of the feature.
	Feature() string
}

// CallsOf are the calls of the feature that has the type C for them. Without the feature it panics; Registered
// says so beforehand.
func CallsOf[C Calls](area Area) C {
	c, err := find[C](area)
	if err != nil {
		panic(err)
	}
	return c
}

// Registered fails where the service was made without the feature that has the type C for its calls.
func Registered[C Calls](area Area) error {
	_, err := find[C](area)
	return err
}

func find[C Calls](area Area) (c C, err error) {
	for _, calls := range area.Calls {
		if c, ok := calls.(C); ok {
			return c, nil
		}
	}
	return c, fmt.Errorf("schedules.New was called without %s.Feature", c.Feature())
}

// Area is what a feature gets of the service that it belongs to.
type Area struct {
	Access

	DB       *records.DB
	Env      twinplatform.Env
	Jobs     *jobs.Runner
	Blobs    *blob.Keeper
	Boxes    Boxes    // nil where no model has any
	Elements Elements // nil where there are no models
	Calls    []Calls  // of all features
}

// IDOr is an id that the caller chose, or else a new one.
func (a Area) IDOr(id string) string {
	if id == "" {
		return a.Env.NewID()
	}
	return id
}

// Now is the present by the clock of the service.
func (a Area) Now() twinplatform.DateTime { return twinplatform.At(a.Env.Now()) }

// Access leads to the schedules, with the rights of the caller in the context.
type Access interface {
	// Bench is where the caller is judged.
	Bench() judge.Bench
	// Read runs fn over a schedule that is visible to the caller, in one transaction.
	// missing is the error where there is none.
	Read(ctx context.Context, scheduleID string, missing *problem.Absent, fn func(*records.View, *Schedule) error) error
	// Change runs fn over a schedule that the caller may change and that is ready for
	// changes, in one transaction. fits, when given, says which kinds of schedules take the
	// change, before it is asked whether this one is ready.
	Change(
		ctx context.Context, scheduleID string, fits func(*Schedule) error, fn func(*records.Update, *Schedule) error,
	) error
	// Changeable is a schedule that the caller may change, in the transaction that accepts
	// work on it.
	Changeable(u *records.Update, j *judge.Judge, scheduleID string) (*Schedule, error)
	// Ready is the schedule that work was accepted for, as it is now: it is there yet, and takes changes unless the
	// work has begun.
	Ready(tx records.Reading, at Place, begun bool) (*Schedule, error)
	// Begin begins a step of work that was accepted for a schedule: it is there yet, and takes
	// changes unless the work has begun. It reports false where this step did what comes
	// before all changes, and there may be more of that.
	Begin(u *records.Update, at Place, begun bool) (whole bool, err error)
	// PlannedTasks yields the tasks with the ids, as far as they are there, or all where there
	// are no ids.
	PlannedTasks(tx records.Reading, s records.Scope, ids []string) iter.Seq2[PlannedTask, error]
	// ShownTasks are the tasks with the ids as they are shown, as far as they are there, with the dates of a
	// baseline unless its id is empty.
	ShownTasks(v *records.View, s records.Scope, baselineID string, ids []string) (ShownTasks, error)
	// EndsAt takes care that the Expiry of a feature is called for a schedule when that time has
	// come, unless it is zero.
	EndsAt(u *records.Update, at Place, until twinplatform.DateTime) error
}

// PlannedTask is a task as features see it: what it is called and when it is planned, each date the zero one where it
// is not.
type PlannedTask struct {
	ID, Code, Name string
	Start, Finish  twinplatform.DateTime
}

// Place is where work is done: a schedule, and the scope that distinguishes it from an
// earlier one of the same id.
type Place struct {
	ScheduleID string        `json:"scheduleId"`
	Key        string        `json:"key,omitempty"` // of its record; empty: the id
	Scope      records.Scope `json:"scope"`
	// StatusIDs are what the schedule calls the statuses of its tasks.
	StatusIDs TaskStatusIDs `json:"statusIds,omitzero"`
}

// TaskStatusIDs are the ids of the statuses of the tasks of a schedule that comes from
// elsewhere. Where one is empty the platform's own status counts.
type TaskStatusIDs struct {
	Planned  string `json:"Planned,omitempty"`
	Started  string `json:"Started,omitempty"`
	Finished string `json:"Finished,omitempty"`
}

// Look is a schedule for those who look at its plan.
type Look interface {
	// Plan has the tasks where they stand, with what scheduling finds of them where the
	// schedule can be scheduled.
	Plan() *dated.Plan
	// Unscheduled is why it cannot be scheduled; nil where it can.
	Unscheduled() error
	// Resources gives the plan its resources, and which task uses how much of which.
	Resources() error
	// Baseline is one of the schedule as a plan.
	Baseline(id string) (*dated.Plan, error)
	// CurrentBaseline is the current one as a plan: that of each project, of several. It is nil
	// where none is, and then any reports whether the schedule has baselines at all.
	CurrentBaseline() (p *dated.Plan, any bool, err error)
	// Now is the present by the clock of the service.
	Now() twinplatform.DateTime
	// Clock returns the clock of the schedule's time zone.
	Clock() (Clock, error)
}

// Clock turns the times of a plan into those of the world, and back.
type Clock interface {
	Global(t worktime.Time) twinplatform.DateTime
	Local(t twinplatform.DateTime) worktime.Time
}

// Schedule is one as features see it.
type Schedule struct {
	Place

	AccountID string // that it belongs to
	Name      string
	Type      string // such as v10
	ModelID   string // of the 3D model that it is tied to, if any
}

// Plan is a handle of the core: schedules.Plan.
type Plan interface {
	// ID is the id of the schedule.
	ID() string
	// Area is the service that has it.
	Area() Area
}
