package platform_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// farAway is a platform over a store that counts the journeys to it, with a schedule of
// a twin of which the caller is a member.
type farAway struct {
	*testing.T
	*platform.Platform
	store *distant.Store
	ctx   context.Context
}

const distantPlan = "plan"

// noon is what the clock shows all the time, so that no step ends for its time.
var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

func newDistant(t *testing.T) *farAway {
	t.Helper()
	return newDistantBy(t, func() time.Time { return noon })
}

// newDistantBy is newDistant by a clock; nil is that on the wall.
func newDistantBy(t *testing.T, now func() time.Time) *farAway {
	t.Helper()
	store := distant.Over(memory.New())
	d := &farAway{t, over(t, store, platform.Config{Env: twinplatform.Env{Now: now}}), store, nil}
	twin := made[twinplatform.Result[twins.Twin]](t)(d.Twins.CreateTwin(t.Context(), twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})).Value().ID
	role := made[twinplatform.Result[twins.Role]](t)(d.Twins.CreateRole(t.Context(), twin, twins.NewRole{
		DisplayName: "Planner", Permissions: []string{schedules.PermissionRead, schedules.PermissionModify},
	})).Value().ID
	d.must(errOf(d.Twins.CreateMember(t.Context(), twin, twins.NewMember{ID: "ann", RoleIDs: []string{role}})))
	d.ctx = twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: "ann", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}})
	d.must(errOf(d.Schedules.CreateSchedule(d.ctx, schedules.NewSchedule{ID: distantPlan, Name: "Plan", TwinID: twin})))
	return d
}

func (d *farAway) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// tasks are requests for tasks with the numbers from one on.
func (d *farAway) tasks(from, n int) (batch []schedules.NewTask) {
	for i := range n {
		batch = append(batch, schedules.NewTask{
			ID: fmt.Sprintf("task-%05d", from+i), Name: "n", Type: schedules.Work, PlannedStart: twinplatform.At(noon), PlannedDuration: new(int32(3600 * (1 + i%7))),
		})
	}
	return batch
}

func (d *farAway) create(from, n int) {
	d.Helper()
	for ; n > 0; from, n = from+1000, n-1000 {
		d.must(errOf(d.Schedules.In(distantPlan).CreateTasks(d.ctx, d.tasks(from, min(n, 1000)))))
	}
}

// base makes a calendar that is based on the standard one the default.
func (d *farAway) base() {
	d.Helper()
	in := d.Schedules.In(distantPlan)
	d.must(errOf(in.CreateCalendar(d.ctx, schedules.NewCalendar{ID: "site", Name: "Site", ParentID: schedules.StandardCalendar})))
	d.must(errOf(in.UpdateProjectScheduling(d.ctx, schedules.ProjectSchedulingPatch{CalendarID: twinplatform.Set("site")})))
}

// link links each of n tasks to the next.
func (d *farAway) link(from, n int) {
	d.Helper()
	var links []schedules.NewTaskLink
	batch := d.tasks(from, n)
	for i := range n - 1 {
		links = append(links, schedules.NewTaskLink{PredecessorID: batch[i].ID, SuccessorID: batch[i+1].ID, Type: schedules.FinishToStart})
	}
	d.must(errOf(d.Schedules.In(distantPlan).CreateTaskLinks(d.ctx, links)))
}

func (d *farAway) list(o twinplatform.ListOptions) twinplatform.Page[schedules.Task] {
	d.Helper()
	return made[twinplatform.Page[schedules.Task]](d.T)(d.Schedules.In(distantPlan).Tasks(d.ctx, schedules.TaskQuery{ListOptions: o}))
}

// A journey is a round trip to a store over a network. They are counted with the
// permissions of a member, whose grant is known since it has made a task.
func TestOperationsTakeFewJourneys(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		most    int                             // of each call
		prepare func(d *farAway)                // what comes before
		call    func(d *farAway, i int) (_ any) // the i-th of a kind
	}{
		{"get", 1, func(d *farAway) { d.create(0, 10) }, func(d *farAway, i int) any {
			return made[twinplatform.Record[schedules.Task]](d.T)(d.Schedules.In(distantPlan).Task(d.ctx, d.tasks(i, 1)[0].ID))
		}},
		{"create", 2, nil, func(d *farAway, i int) any {
			return made[twinplatform.Result[schedules.Task]](d.T)(d.Schedules.CreateTask(d.ctx, distantPlan, d.tasks(i, 1)[0]))
		}},
		{"update", 2, func(d *farAway) { d.create(0, 10) }, func(d *farAway, i int) any {
			return made[twinplatform.Result[schedules.Task]](d.T)(d.Schedules.In(distantPlan).UpdateTask(d.ctx, d.tasks(i, 1)[0].ID, schedules.TaskPatch{Name: twinplatform.Set("m")}))
		}},
		{"update of a duration", 2, func(d *farAway) { d.create(0, 10) }, func(d *farAway, i int) any {
			return made[twinplatform.Result[schedules.Task]](d.T)(d.Schedules.In(distantPlan).UpdateTask(d.ctx, d.tasks(i, 1)[0].ID, schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(60 * (i + 1)))}))
		}},
		{"create by a calendar that is based on another", 2, func(d *farAway) { d.base(); d.create(5000, 1) }, func(d *farAway, i int) any {
			return made[twinplatform.Result[schedules.Task]](d.T)(d.Schedules.CreateTask(d.ctx, distantPlan, d.tasks(i, 1)[0]))
		}},
		{"update by a calendar that is based on another", 2, func(d *farAway) { d.base(); d.create(0, 10) }, func(d *farAway, i int) any {
			return made[twinplatform.Result[schedules.Task]](d.T)(d.Schedules.In(distantPlan).UpdateTask(d.ctx, d.tasks(i, 1)[0].ID, schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(60 * (i + 1)))}))
		}},
		{"batch of 1,000", 2, nil, func(d *farAway, i int) any { d.create(1000*i, 1000); return nil }},
		{"page of 100", 1, func(d *farAway) { d.create(0, 1000) }, func(d *farAway, _ int) any {
			return d.list(twinplatform.ListOptions{Top: 100})
		}},
		{"page of 100 behind another", 1, func(d *farAway) { d.create(0, 1000) }, func(d *farAway, i int) any {
			next := d.list(twinplatform.ListOptions{Top: 100 + i}).Next
			d.store.Journeys()
			return d.list(twinplatform.ListOptions{Top: 100, Continuation: next})
		}},
		{"delta of 1,000", 1, nil, func(d *farAway, i int) any {
			delta := d.list(twinplatform.ListOptions{Top: 10_000}).Delta
			d.create(1000*i, 1000)
			d.store.Journeys()
			return d.list(twinplatform.ListOptions{Top: 1000, Delta: delta})
		}},
		{"delta of 100 of 1,000", 1, nil, func(d *farAway, i int) any {
			delta := d.list(twinplatform.ListOptions{Top: 10_000}).Delta
			d.create(1000*i, 1000)
			d.store.Journeys()
			next := d.list(twinplatform.ListOptions{Top: 100, Delta: delta}).Next
			if first := d.store.Journeys(); first > 1 {
				d.Errorf("the first page takes %d journeys", first)
			}
			return d.list(twinplatform.ListOptions{Top: 100, Continuation: next})
		}},
		{"deletion of 1,000", 2, nil, func(d *farAway, i int) any {
			d.create(1000*i, 1000)
			var ids []string
			for _, n := range d.tasks(1000*i, 1000) {
				ids = append(ids, n.ID)
			}
			d.store.Journeys()
			return made[twinplatform.Result[schedules.Task]](d.T)(d.Schedules.In(distantPlan).DeleteTasks(d.ctx, ids))
		}},
		{"999 links", 2, nil, func(d *farAway, i int) any {
			d.create(1000*i, 1000)
			d.store.Journeys()
			d.link(1000*i, 1000)
			return nil
		}},
		{"deletion of 1,000 with links", 10, nil, func(d *farAway, i int) any {
			d.create(1000*i, 1000)
			d.link(1000*i, 1000)
			var ids []string
			for _, n := range d.tasks(1000*i, 1000) {
				ids = append(ids, n.ID)
			}
			d.store.Journeys()
			return made[twinplatform.Result[schedules.Task]](d.T)(d.Schedules.In(distantPlan).DeleteTasks(d.ctx, ids))
		}},
		{"baseline of 9,000", 31, func(d *farAway) { d.create(0, 9000) }, func(d *farAway, _ int) any {
			return made[twinplatform.Result[schedules.Baseline]](d.T)(d.Schedules.In(distantPlan).CreateBaseline(d.ctx, schedules.NewBaseline{Name: "b"}))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDistant(t)
			d.create(90_000, 1)
			if tt.prepare != nil {
				tt.prepare(d)
			}
			took := make([]int, testsize.Of(3, 2))
			for i := range took {
				d.store.Journeys()
				tt.call(d, i)
				took[i] = d.store.Journeys()
			}
			if slices.Max(took) > tt.most {
				t.Errorf("the calls take %d journeys, want %d at most", took, tt.most)
			}
		})
	}
}

// The first request to a schedule, and the first of a caller, read together whatever can be
// known. The twin is of the account of its members.
func TestTheFirstRequestToAScheduleTakesFewJourneys(t *testing.T) {
	t.Parallel()
	store := distant.Over(memory.New())
	d := &farAway{t, over(t, store, platform.Config{}), store, nil}
	as := func(who string) context.Context {
		return twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{
			ID: who, AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: map[string][]twinplatform.AdministratorRole{"boss": {twinplatform.AccountAdministrator}}[who],
		})
	}
	boss := as("boss")
	twin := made[twinplatform.Result[twins.Twin]](t)(d.Twins.CreateTwin(boss, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})).Value().ID
	role := made[twinplatform.Result[twins.Role]](t)(d.Twins.CreateRole(boss, twin, twins.NewRole{
		DisplayName: "Planner", Permissions: []string{schedules.PermissionRead, schedules.PermissionModify},
	})).Value().ID
	for _, who := range []string{"ann", "bob"} {
		d.must(errOf(d.Twins.CreateMember(boss, twin, twins.NewMember{ID: who, RoleIDs: []string{role}})))
	}
	for _, id := range []string{"one", "two", "three"} {
		d.must(errOf(d.Schedules.CreateSchedule(boss, schedules.NewSchedule{ID: id, Name: "Plan", TwinID: twin})))
	}
	for i, step := range []struct {
		who, schedule string
		create, get   int
	}{
		{"ann", "one", 9, 2}, // whose permissions no one has asked for
		{"ann", "two", 3, 2},
		{"ann", "three", 3, 2},
		{"bob", "one", 9, 2},
		{"bob", "two", 3, 2},
		{"ann", "one", 2, 1},
	} {
		ctx := as(step.who)
		store.Journeys()
		d.must(errOf(d.Schedules.CreateTask(ctx, step.schedule, d.tasks(i, 1)[0])))
		create := store.Journeys()
		made[twinplatform.Record[schedules.Task]](t)(d.Schedules.In(step.schedule).Task(ctx, d.tasks(i, 1)[0].ID))
		if get := store.Journeys(); create > step.create || get > step.get {
			t.Errorf("%s in %s: %d journeys to create a task and %d to get it, want %d and %d at most", step.who, step.schedule, create, get, step.create, step.get)
		}
	}
}

// batches are requests about n records, the numbers of which begin with from. No two members
// of them are equal.
type batches struct {
	*farAway
	plan    schedules.Plan
	from, n int
}

// each are requests for the numbers.
func each[T any](b batches, request func(i int) T) (all []T) {
	for i := range b.n {
		all = append(all, request(b.from+i))
	}
	return all
}

func id(kind string) func(i int) string { return func(i int) string { return fmt.Sprint(kind, i) } }

func (b batches) makeTasks() {
	b.must(errOf(b.plan.CreateTasks(b.ctx, each(b, func(i int) schedules.NewTask {
		return schedules.NewTask{ID: id("t")(i), Name: fmt.Sprint("Dig ", i), Type: schedules.Work, UserDefinedID: fmt.Sprint("U-", i*7)}
	}))))
}

func (b batches) makeTasksBelowOthers() {
	b.must(errOf(b.plan.CreateTasks(b.ctx, each(b, func(i int) schedules.NewTask {
		return schedules.NewTask{ID: id("below")(i), Name: fmt.Sprint("Pour ", i), Type: schedules.Work, UserDefinedID: fmt.Sprint("B-", i*5), ParentID: id("t")(i)}
	}))))
}

func (b batches) makeResources() {
	b.must(errOf(b.plan.CreateResources(b.ctx, each(b, func(i int) schedules.NewResource {
		return schedules.NewResource{ID: id("r")(i), Name: fmt.Sprint("Crane ", i), Type: schedules.EquipmentResource, UserDefinedID: fmt.Sprint("R-", i*3)}
	}))))
}

func (b batches) makeLinks() {
	b.must(errOf(b.plan.CreateTaskLinks(b.ctx, each(b, func(i int) schedules.NewTaskLink {
		return schedules.NewTaskLink{ID: id("l")(i), PredecessorID: id("t")(i), SuccessorID: id("below")(b.from + (i+1-b.from)%b.n), Type: schedules.StartToStart}
	}))))
}

func (b batches) makeAssignments() {
	b.must(errOf(b.plan.CreateResourceAssignments(b.ctx, each(b, func(i int) schedules.NewResourceAssignment {
		return schedules.NewResourceAssignment{ID: id("a")(i), TaskID: id("below")(i), ResourceID: id("r")(i), AppearanceProfileID: "Neutral"}
	}))))
}

func (b batches) makeCodeValues() {
	b.must(errOf(codes.In(b.plan).CreateCodeValues(b.ctx, each(b, func(i int) codes.NewCodeValue {
		return codes.NewCodeValue{ID: id("v")(i), CodeID: "phase", Name: fmt.Sprint("Phase ", i)}
	}))))
}

func (b batches) assignCodeValues() {
	b.must(errOf(codes.In(b.plan).CreateCodeValueAssignments(b.ctx, each(b, func(i int) codes.NewCodeValueAssignment {
		return codes.NewCodeValueAssignment{TaskID: id("t")(i), CodeValueID: id("v")(i)}
	}))))
}

func (b batches) setUserFieldValues() {
	b.must(errOf(userfields.In(b.plan).SetUserFieldValues(b.ctx, userfields.TaskField, each(b, func(i int) userfields.NewUserFieldValue {
		return userfields.NewUserFieldValue{TaskID: id("t")(i), UserFieldID: "crew", StringValue: new(fmt.Sprint("Crew ", i))}
	}))))
}

// TestBatchesTakeNoJourneyForEachRecord makes every request about several records, with ten and
// then with nearly a thousand.
func TestBatchesTakeNoJourneyForEachRecord(t *testing.T) {
	t.Parallel()
	steps := []struct {
		name string
		do   func(b batches)
	}{
		{"tasks with codes", batches.makeTasks},
		{"tasks below others", batches.makeTasksBelowOthers},
		{"resources", batches.makeResources},
		{"links", batches.makeLinks},
		{"assignments", batches.makeAssignments},
		{"values of a code", batches.makeCodeValues},
		{"values of codes at tasks", batches.assignCodeValues},
		{"values of user fields", batches.setUserFieldValues},
		{"changes of links", func(b batches) {
			b.must(errOf(b.plan.UpdateTaskLinks(b.ctx, each(b, func(i int) schedules.TaskLinkPatch {
				return schedules.TaskLinkPatch{ID: id("l")(i), Lag: twinplatform.Set(int32(i + 1))}
			}))))
		}},
		{"members of a group", func(b batches) { b.must(errOf(b.plan.AddResourcesToGroup(b.ctx, "crew", each(b, id("r"))))) }},
		{"members of no group", func(b batches) {
			b.must(errOf(b.plan.RemoveResourcesFromGroup(b.ctx, "crew", each(b, id("r")))))
		}},
		{"deletion of links", func(b batches) { b.must(errOf(b.plan.DeleteTaskLinks(b.ctx, each(b, id("l"))))) }},
		{"deletion of assignments", func(b batches) { b.must(errOf(b.plan.DeleteResourceAssignments(b.ctx, each(b, id("a"))))) }},
		{"deletion of resources", func(b batches) { b.must(errOf(b.plan.DeleteResources(b.ctx, each(b, id("r"))))) }},
		{"deletion of tasks", func(b batches) { b.must(errOf(b.plan.DeleteTasks(b.ctx, each(b, id("below"))))) }},
	}
	d := newDistant(t)
	plan := d.Schedules.In(distantPlan)
	d.must(errOf(codes.In(plan).CreateCode(d.ctx, codes.NewCode{ID: "phase", Name: "Phase", Category: codes.ActivityCode})))
	d.must(errOf(userfields.In(plan).CreateUserField(d.ctx, userfields.NewUserField{ID: "crew", Name: "Crew", Category: userfields.TaskField, Type: userfields.StringField})))
	d.must(errOf(plan.CreateResourceGroup(d.ctx, schedules.NewResourceGroup{ID: "crew", Name: "Crew"})))
	took := func(from, n int) (all []int) {
		for _, step := range steps {
			d.store.Journeys()
			step.do(batches{d, plan, from, n})
			all = append(all, d.store.Journeys())
		}
		return all
	}
	most := testsize.Of(990, 200)
	few, many := took(80_000, 10), took(0, most)
	for i, step := range steps {
		if many[i] > few[i] {
			t.Errorf("%s: ten take %d journeys, %d take %d", step.name, few[i], most, many[i])
		}
	}
}
