package schedules_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// morning is when the tests take place.
var morning = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// plan is a schedule under test with the service that holds it.
type plan struct {
	*testing.T
	ctx   context.Context
	svc   *schedules.Service
	store storage.Store
	id    string
}

// in is the handle of the schedule.
func (p *plan) in() schedules.Plan { return p.svc.In(p.id) }

// onEachEngine runs a test over a fresh schedule on every engine.
func onEachEngine(t *testing.T, run func(p *plan)) {
	t.Helper()
	storetest.OnEach(t, func(t *testing.T, store storage.Store) { run(newPlan(t, store, schedules.Config{})) })
}

// newPlan makes a schedule of type v10 over a store.
func newPlan(t *testing.T, store storage.Store, cfg schedules.Config) *plan {
	t.Helper()
	t.Cleanup(func() { _ = store.Close() })
	if cfg.Env.Now == nil {
		cfg.Env.Now = func() time.Time { return morning }
	}
	p := &plan{T: t, ctx: t.Context(), svc: newService(store, cfg), store: store, id: "plan"}
	p.schedule(schedules.NewSchedule{ID: p.id, Name: "Plan", TwinID: "twin"})
	return p
}

// inMemory is a fresh plan for a test that has nothing to do with the engine.
func inMemory(t *testing.T) *plan {
	t.Helper()
	return newPlan(t, memory.New(), schedules.Config{})
}

// schedule makes a schedule, in which durations are elapsed time.
func (p *plan) schedule(n schedules.NewSchedule) schedules.Schedule {
	p.Helper()
	n.Elapsed = true
	res, err := p.svc.CreateSchedule(p.ctx, n)
	if err != nil {
		p.Fatal(err)
	}
	return res.Value()
}

// v65 makes the plan a schedule of type v6.5.
func (p *plan) v65() *plan {
	p.Helper()
	p.id = "plan-v6.5"
	p.schedule(schedules.NewSchedule{ID: p.id, Name: "Old plan", TwinID: "twin", Type: schedules.V65})
	return p
}

// tasks makes tasks from lines such as "dig 2026-03-02T09:00:00Z 3600" or just
// "dig", all of them Work.
func (p *plan) tasks(lines ...string) {
	p.Helper()
	batch := make([]schedules.NewTask, len(lines))
	for i, line := range lines {
		f := strings.Fields(line)
		batch[i] = schedules.NewTask{ID: f[0], Name: f[0], Type: schedules.Work}
		if len(f) > 1 {
			batch[i].PlannedStart = date(p, f[1])
		}
		if len(f) > 2 {
			batch[i].PlannedDuration = seconds(p, f[2])
		}
	}
	p.create(batch...)
}

// create makes tasks, a thousand at a time.
func (p *plan) create(batch ...schedules.NewTask) {
	p.Helper()
	for len(batch) > 0 {
		n := min(len(batch), schedules.MaxBatch)
		if _, err := p.in().CreateTasks(p.ctx, batch[:n]); err != nil {
			p.Fatal(err)
		}
		batch = batch[n:]
	}
}

// many are n tasks named after their numbers.
func many(n int) []schedules.NewTask {
	batch := make([]schedules.NewTask, n)
	for i := range batch {
		id := fmt.Sprintf("task-%06d", i)
		batch[i] = schedules.NewTask{ID: id, Name: id, Type: schedules.Work}
	}
	return batch
}

// links makes task links from lines such as "a FinishToStart b 60", whose id is
// "a-b".
func (p *plan) links(lines ...string) {
	p.Helper()
	if _, err := p.in().CreateTaskLinks(p.ctx, newLinks(p, lines...)); err != nil {
		p.Fatal(err)
	}
}

func newLinks(t testing.TB, lines ...string) []schedules.NewTaskLink {
	t.Helper()
	batch := make([]schedules.NewTaskLink, len(lines))
	for i, line := range lines {
		f := strings.Fields(line)
		batch[i] = schedules.NewTaskLink{
			ID: f[0] + "-" + f[2], PredecessorID: f[0], Type: schedules.TaskLinkType(f[1]), SuccessorID: f[2],
		}
		if len(f) > 3 {
			batch[i].Lag = *seconds(t, f[3])
		}
	}
	return batch
}

func (p *plan) task(id string) schedules.Task {
	p.Helper()
	rec, err := p.in().Task(p.ctx, id)
	if err != nil {
		p.Fatal(err)
	}
	return rec.Value
}

func (p *plan) patch(id string, patch schedules.TaskPatch, pre ...twinplatform.Precondition) schedules.Task {
	p.Helper()
	res, err := p.in().UpdateTask(p.ctx, id, patch, pre...)
	if err != nil {
		p.Fatal(err)
	}
	if diff := cmp.Diff(p.task(id), res.Value()); diff != "" {
		p.Fatalf("what the update returned is not what is stored (-stored +returned):\n%s", diff)
	}
	return res.Value()
}

func (p *plan) delete(taskIDs ...string) {
	p.Helper()
	if _, err := p.in().DeleteTasks(p.ctx, taskIDs); err != nil {
		p.Fatal(err)
	}
}

// allTasks reads all tasks and returns the delta token of the last page.
func (p *plan) allTasks(o twinplatform.ListOptions) (tasks []schedules.Task, delta string) {
	p.Helper()
	return readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Task], error) {
		return p.in().Tasks(p.ctx, schedules.TaskQuery{ListOptions: o})
	})
}

func (p *plan) allLinks(o twinplatform.ListOptions) (links []schedules.TaskLink, delta string) {
	p.Helper()
	return readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.TaskLink], error) {
		return p.in().TaskLinks(p.ctx, schedules.TaskLinkQuery{ListOptions: o})
	})
}

// readAll reads a list to its end.
func readAll[T any](t testing.TB, o twinplatform.ListOptions, fetch func(twinplatform.ListOptions) (twinplatform.Page[T], error)) (all []T, delta string) {
	t.Helper()
	for {
		page, err := fetch(o)
		if err != nil {
			t.Fatal(err)
		}
		values, err := page.Values()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, values...)
		if page.Next == "" {
			return all, page.Delta
		}
		o.Continuation = page.Next
	}
}

// refusal is an error as the specification describes it.
type refusal struct {
	kind    twinplatform.Kind
	code    string
	target  string
	details []string // "code target"
	says    string   // is part of the message, or of a detail's
}

// invalid is a 400 with these details.
func invalid(details ...string) refusal {
	return refusal{kind: twinplatform.Invalid, code: "InvalidSchedulesRequest", details: details}
}

func (r refusal) saying(text string) refusal {
	r.says = text
	return r
}

var (
	noSchedule   = refusal{kind: twinplatform.NotFound, code: "ScheduleNotFound", target: "scheduleId"}
	noTask       = refusal{kind: twinplatform.NotFound, code: "TaskNotFound", target: "taskId"}
	noTaskLink   = refusal{kind: twinplatform.NotFound, code: "TaskLinkNotFound", target: "taskLinkId"}
	noBaseline   = refusal{kind: twinplatform.NotFound, code: "BaselineNotFound", target: "baselineId"}
	noEntity     = refusal{kind: twinplatform.NotFound, code: "Entity3dNotFound", target: "entity3dId"}
	noOperation  = refusal{kind: twinplatform.NotFound, code: "OperationNotFound", target: "operationId"}
	noPlanner    = refusal{kind: twinplatform.NotFound, code: "SynchronizerNotFound", target: "synchronizerId"}
	forbidden    = refusal{kind: twinplatform.Forbidden, code: "InsufficientPermissions"}
	idTaken      = refusal{kind: twinplatform.Conflict, code: "AlreadyExists", target: "id"}
	otherVersion = refusal{kind: twinplatform.Conflict, code: "VersionMismatch", target: twinplatform.TargetIfMatch}
	processing   = refusal{kind: twinplatform.Conflict, code: "ScheduleNotInitialized", says: "Processing"}
)

// check fails the test when err is not the refusal.
func (r refusal) check(t testing.TB, err error) {
	t.Helper()
	e, ok := errors.AsType[*twinplatform.Error](err)
	if !ok {
		t.Fatalf("error is %v, want one of the platform with the code %s", err, r.code)
	}
	got := refusal{kind: e.Kind, code: e.Code, target: e.Target, says: r.says}
	text := e.Message
	for _, d := range problemtest.Details(e) {
		got.details = append(got.details, d.Code+" "+d.Target)
		text += " " + d.Message
	}
	if diff := cmp.Diff(r, got, cmp.AllowUnexported(refusal{})); diff != "" {
		t.Fatalf("refused otherwise than documented (-want +got):\n%s\nerror: %v", diff, err)
	}
	if !strings.Contains(text, r.says) {
		t.Fatalf("the refusal says %q, want it to say %q", text, r.says)
	}
}

func date(t testing.TB, s string) twinplatform.DateTime {
	t.Helper()
	d, err := twinplatform.ParseDateTime(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// seconds reads a number.
func seconds(t testing.TB, s string) *int32 {
	t.Helper()
	var n int32
	if _, err := fmt.Sscan(s, &n); err != nil {
		t.Fatal(err)
	}
	return &n
}

// at is so many hours after the morning.
func at(hours float64) twinplatform.DateTime {
	return twinplatform.At(morning.Add(time.Duration(hours * float64(time.Hour))))
}

// newService is the schedules area with all features.
func newService(store storage.Store, cfg schedules.Config) *schedules.Service {
	return schedules.New(store, cfg, scheduling.Feature, exchange.Feature)
}
