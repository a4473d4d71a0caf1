// Package schedules manages project schedules and the data attached to them:
// tasks and their links, calendars, resources and resource groups, and baselines.
//
// More of what a schedule holds is in separate packages, each opened with a [Plan]:
// schedules/animation (3D entities, appearance, animation), schedules/codes, schedules/statuses,
// schedules/userfields, schedules/files and schedules/synchronizers. schedules/scheduling reschedules and
// schedules/exchange imports and exports files of planning tools, where [New] is given their features.
// schedules/analysis draws, compares and judges.
//
// A [Service] does the work over any storage.Store:
//
//	svc := schedules.New(memory.New(), schedules.Config{})
//	s, err := svc.CreateSchedule(ctx, schedules.NewSchedule{Name: "Tower", TwinID: twinID})
//	if err != nil {
//		return err
//	}
//	dig, err := svc.In(s.Value().ID).CreateTask(ctx, schedules.NewTask{Name: "Dig", Type: schedules.Work})
//
// Every call checks what the caller in its context may do; a program that puts
// no principal into the context acts as the system. Every failure is a
// *twinplatform.Error with the documented code.
//
// # The plan
//
// [Service.CreateSchedule], [Service.Schedule] and [Service.Schedules] are about whole schedules. What is in one is reached
// by its handle, [Service.In], which returns a [Plan]: tasks, task links, calendars, resources and their assignments,
// baselines, settings. Packages codes, statuses, userfields, animation and files have the rest, each opened with a [Plan].
//
// # Dates
//
// Dates follow from durations, links, calendars and constraints. Package cpm computes them, worktime knows calendars,
// and package analysis shows the plan with its dates: charts, comparisons, quality, progress and risk.
//
// # Long work
//
// A call that takes long is a twinplatform.Operation. It has ended when the call returns, unless the Env of the
// [Config] lets operations run in the background.
//
// # Planner files
//
// Package planner reads and writes files of Primavera P6 and Microsoft Project; package exchange imports and exports
// them, and a synchronizer records that.
package schedules

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// The permissions of the schedules area, held on the schedule's twin.
// Organization administrators hold both.
const (
	// PermissionRead lets a caller see a schedule and all that it holds.
	PermissionRead = twinplatform.PermissionSchedulesRead
	// PermissionModify lets a caller change it. It is of use only together
	// with PermissionRead: what a caller may not see, it cannot name.
	PermissionModify = twinplatform.PermissionSchedulesModify
)

// Limits of the schedules area.
const (
	// MaxTop is the largest page of a list; 100 is taken where the
	// request names none.
	MaxTop = model.MaxTop
	// MaxTopV65 is the largest page of a list of what a v6.5 schedule holds.
	MaxTopV65 = model.MaxTopV65
	// MaxBatch is the number of items that one batch or one list of ids holds.
	MaxBatch = model.MaxBatch
	// MaxDepth is the number of tasks, appearance profiles, code values or rules above one another that
	// one is made or moved to.
	MaxDepth = model.MaxDepth
	// MaxComment is the length of a task's comment, in characters.
	MaxComment = 1_000
	// MaxText is the length of every other text, in characters.
	MaxText = model.MaxText
	// MaxEmail is the length of an email address, in bytes.
	MaxEmail = 254
	// MaxID is the length of an id that a caller chooses, in characters.
	MaxID = problem.MaxID
)

// Config configures a Service. The zero value is ready.
type Config struct {
	// Env is the clock, the ids, the log, the authorizer and the mode of
	// operations.
	Env twinplatform.Env
	// Twins reports which twins schedules can be made for. Nil takes every id for a twin
	// of the caller's own account, and of none where the system calls. One that is
	// twinplatform.Transactional is asked within the transaction that makes the schedule,
	// any other before it.
	Twins twinplatform.TwinDirectory
	// Boxes has the boxes around the elements of 3D models, by which growth is cut and paths are aligned. Nil
	// knows of no model.
	Boxes animation.Boxes
	// Elements has the elements of 3D models, which rules bind to tasks. Nil knows of no model.
	Elements animation.Elements
}

// Service is the schedules area. It is safe for concurrent use.
type Service struct {
	db       *records.DB
	env      twinplatform.Env
	twins    twinplatform.TwinDirectory
	jobs     *jobs.Runner
	blobs    *blob.Keeper
	boxes    animation.Boxes
	elements animation.Elements
	recent   recently
	meant    meanings
	// earlierEnd notifies Run of something that may end before all others.
	earlierEnd func()
	// access leads features to the schedules, and features are their calls.
	access   model.Access
	features []model.Calls

	// What the layers of this package do in one service, each found by the function of its name.
	// Behind interfaces, what imports this package does not compile every generic type that they
	// are made of once more.
	known, families, clones any
}

// known is what a service remembers of schedules, and deletes them by.
type known struct {
	// schedules spares decoding the schedule that every call is about.
	schedules records.Cache[Schedule]
	deletion  jobs.Kind[removal, Schedule]
}

func knownOf(s *Service) *known { return s.known.(*known) }

// progress is how far a step has come.
type progress = jobs.Progress

var done = jobs.Done

// Run works off operations until ctx is done: those of background mode, and
// those that an earlier process left unfinished. It also ends the marks of statuses that
// are over (see EndDue), and forgets what was deleted and what was done longer ago than
// Env.Retain. It returns nil then, and an error only when the store does.
func (s *Service) Run(ctx context.Context) error { return s.jobs.Run(ctx) }

// Operation returns a long-running operation of a schedule (Get Operation).
//
// Errors: OperationNotFound, also for a schedule that is missing or not for the
// caller to see.
func (p Plan) Operation(ctx context.Context, operationID string) (rec twinplatform.Record[twinplatform.Operation],
	err error,
) {
	p.s.jobs.Asked(operationID)
	missing := problem.NotFound("OperationNotFound", "operationId", "operation")
	err = p.s.read(ctx, p.id, missing, func(v *records.View, sc *Schedule) error {
		rec, err = p.s.jobs.Operation(v, sc.scope(), operationID)
		return missing.Or(err)
	})
	return rec, err
}

// Wait blocks until an operation is done and returns it. In the default mode
// operations are done before the call that starts them returns.
//
// Errors: as Operation; that of an operation which failed, which is returned with it; the
// context's, when it ends first; and OperationsNotRunning when operations run in the
// background and no one has called Run.
func (p Plan) Wait(ctx context.Context, operationID string) (op twinplatform.Operation, err error) {
	missing := problem.NotFound("OperationNotFound", "operationId", "operation")
	var scope records.Scope
	err = p.s.read(ctx, p.id, missing, func(_ *records.View, sc *Schedule) error {
		scope = sc.scope()
		return nil
	})
	if err != nil {
		return op, err
	}
	if op, err = p.s.jobs.Wait(ctx, scope, operationID); err != nil {
		return op, missing.Or(err)
	}
	// The caller may no longer see the schedule.
	rec, err := p.Operation(ctx, operationID)
	if err == nil {
		err = rec.Value.Err()
	}
	return rec.Value, err
}

func (s *Service) now() twinplatform.DateTime { return twinplatform.At(s.env.Now()) }

// idOr is an id that the caller chose, or else a new one.
func (s *Service) idOr(id string) string {
	if id == "" {
		return s.env.NewID()
	}
	return id
}

// Plan is one schedule: what it holds is read and changed by the methods of a Plan.
//
//	plan := svc.In(tower.Value().ID)
//	dig, err := plan.Task(ctx, "dig")
//	for task, err := range twinplatform.All(ctx, plan.Tasks, schedules.TaskQuery{}) { … }
//
// A Plan is a handle that holds nothing but the id, is cheap to make and safe for
// concurrent use. That the schedule is missing is found out by the first call. The
// schedule as a whole is a record of the [Service], which creates, reads, lists, clones
// and deletes it.
type Plan struct {
	s  *Service
	id string
}

// In is the schedule with an id.
func (s *Service) In(scheduleID string) Plan { return Plan{s, scheduleID} }

// ID is the id of the schedule.
func (p Plan) ID() string { return p.id }

// Feature is what a package adds to a Service, such as scheduling.Feature.
type Feature = model.Feature

// features are what the packages below this one add to a schedule.
var features = []model.Feature{
	statuses.Feature, userfields.Feature, codes.Feature, files.Feature, animation.Feature, synchronizers.Feature,
}

// Area is what the packages of features, such as schedules/files, get of the service. It is
// of use to them alone, whose In takes a Plan.
func (p Plan) Area() model.Area { return p.s.area() }

func (s *Service) area() model.Area {
	return model.Area{
		Access: s.access, DB: s.db, Env: s.env, Jobs: s.jobs, Blobs: s.blobs, Boxes: s.boxes, Elements: s.elements,
		Calls: s.features,
	}
}

// What a caller may do is judged in the transaction that acts on it: whatever is
// taken back before the transaction begins is taken back for it too.

func (s *Service) bench() judge.Bench { return judge.Bench{DB: s.db, Env: s.env, Twins: s.twins} }

// read runs fn over a schedule that is visible to the caller, in one transaction. m is
// the error where there is none.
func (s *Service) read(ctx context.Context, id string, m *problem.Absent,
	fn func(*records.View, *Schedule) error,
) error {
	return s.bench().View(ctx, func(v *records.View, j *judge.Judge) error {
		sc, err := s.visible(v, j, id, m)
		if err != nil {
			return err
		}
		return fn(v, sc)
	})
}

// changeable returns the schedule with an id, within a transaction that may change
// it on behalf of the caller.
func (s *Service) changeable(tx judge.Transaction, j *judge.Judge, id string) (*Schedule, error) {
	j = j.In(tx)
	sc, err := s.visible(tx, j, id, scheduleMissing)
	if err != nil {
		return nil, err
	}
	return sc, mayModify(j, sc.target())
}

// still checks that a schedule which an earlier transaction found changeable is so yet:
// by now another one may have its id.
func (s *Service) still(tx judge.Transaction, j *judge.Judge, id string, sc *Schedule) error {
	now, err := s.changeable(tx, j, id)
	if err == nil && now.scope() != sc.scope() {
		err = scheduleMissing.Err()
	}
	return err
}

func mayModify(j *judge.Judge, at twinplatform.Target) error {
	return problem.Needs(PermissionModify).Unless(j.Allowed(PermissionModify, at))
}

// twin returns where permissions on a twin are asked for, and whether the twin is
// visible to the caller.
func (s *Service) twin(j *judge.Judge, twinID string) (at twinplatform.Target, visible bool, err error) {
	at, visible, err = j.Twin(twinID)
	if err != nil || !visible {
		return at, false, err
	}
	visible, err = j.Allowed(PermissionRead, at)
	return at, visible, err
}

// ready checks within a transaction that the schedule which the work was
// accepted for is still there and takes changes. Work that has begun is carried
// through, whatever the state has become.
func (s *Service) ready(tx records.Reading, p model.Place, begun bool) (*Schedule, error) {
	sc, err := knownOf(s).schedules.Value(tx, &scheduleRecords, allAccounts, cmp.Or(p.Key, p.ScheduleID))
	if err != nil {
		return nil, scheduleMissing.Or(err)
	}
	if sc.scope() != p.Scope {
		return nil, scheduleMissing.Err()
	}
	if sc.State != Ready && !begun {
		return nil, notInitialized(sc.State)
	}
	return sc, nil
}

func (sc *Schedule) place() model.Place {
	return model.Place{ScheduleID: sc.ID, Key: scheduleKey(sc), Scope: sc.scope(), StatusIDs: sc.TaskStatusIDs}
}

// notInitialized refuses a write to a schedule that is not ready for one.
func notInitialized(state State) error {
	return problem.Conflict("ScheduleNotInitialized", "",
		fmt.Sprintf("The schedule is not initialized. Its current state is %s.", state))
}

// plotOn is the account of a twin that the caller may make a schedule for.
func (s *Service) plotOn(j *judge.Judge, twinID string) (accountID string, err error) {
	at, visible, err := s.twin(j, twinID)
	if err == nil && !visible {
		err = noTwin()
	}
	if err == nil {
		err = mayModify(j, at)
	}
	return at.AccountID, err
}

// noTwin refuses to make a schedule for a twin.
func noTwin() error {
	return invalid(problem.BadValue("twinId", "%s", problem.NoTwin(PermissionModify)))
}
