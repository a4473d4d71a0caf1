package schedules_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// call is one operation on a schedule that holds what callable makes.
type call struct {
	name string
	do   func(ctx context.Context, svc *schedules.Service, id string) error
	// missing is the 404 of the operation.
	missing refusal
}

// callable makes a schedule of a type with something for every call.
func callable(p *plan, id string, typ schedules.ScheduleType) {
	p.Helper()
	p.id = id
	p.schedule(schedules.NewSchedule{ID: id, Name: id, TwinID: "twin", Type: typ})
	p.tasks("a", "b", "c")
	p.links("a FinishToStart b")
	p.baseline("baseline")
	p.resources("crew")
	p.uses("a crew")
	if typ == schedules.V65 {
		p.entity(animation.NewEntity3D{ID: "entity"})
	} else if _, err := synchronizers.In(p.svc.In(id)).CreateSynchronizer(p.ctx, synchronizers.Synchronizer{ID: "planner", SynchronizerName: "planner"}); err != nil {
		p.Fatal(err)
	}
	if typ == schedules.V10 {
		p.profiles("install")
		p.animated()
		p.coded()
		p.calendars()
	}
}

var readsOfBoth = []call{
	{"Schedule", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.Schedule(ctx, id)
		return err
	}, noSchedule},
	{"Operations", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Operations(ctx, schedules.OperationQuery{})
		return err
	}, noSchedule},
	{"Task", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Task(ctx, "a")
		return err
	}, noTask},
	{"Tasks", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Tasks(ctx, schedules.TaskQuery{})
		return err
	}, noSchedule},
	{"TaskLink", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).TaskLink(ctx, "a-b")
		return err
	}, noTaskLink},
	{"TaskLinks", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).TaskLinks(ctx, schedules.TaskLinkQuery{})
		return err
	}, noSchedule},
	{"Baseline", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Baseline(ctx, "baseline")
		return err
	}, noBaseline},
	{"Baselines", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).Baselines(ctx, schedules.BaselineQuery{})
		return err
	}, noSchedule},
	{"BaselineTasks", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).BaselineTasks(ctx, "baseline", schedules.BaselineTaskQuery{})
		return err
	}, noBaseline},
	{"BaselineTaskLinks", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).BaselineTaskLinks(ctx, "baseline", schedules.BaselineTaskLinkQuery{})
		return err
	}, noBaseline},
	{"ResourceAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).ResourceAssignment(ctx, "a-crew")
		return err
	}, noAssignment},
	{"ResourceAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).ResourceAssignments(ctx, schedules.ResourceAssignmentQuery{})
		return err
	}, noSchedule},
	{"ResourceAssignmentsOfTask", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).ResourceAssignmentsOfTask(ctx, "a", schedules.ResourceAssignmentQuery{})
		return err
	}, noTask},
	{"ResourceAssignmentsOfResource", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).ResourceAssignmentsOfResource(ctx, "crew", schedules.ResourceAssignmentQuery{})
		return err
	}, noResource},
	{"ResourceAvailability", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).ResourceAvailability(ctx, "crew")
		return err
	}, noResource},
}

var readsOfV65 = append(slices.Clip(readsOfBoth),
	call{"Entity3D", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Entity3D(ctx, "entity")
		return err
	}, noEntity},
	call{"Entities3D", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Entities3D(ctx, animation.Entity3DQuery{})
		return err
	}, noSchedule},
	call{"Entities3DOfResource", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Entities3DOfResource(ctx, "crew", animation.Entity3DQuery{})
		return err
	}, noResource},
	call{"StatusHistoryItemsOfEntity3D", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := statuses.In(svc.In(id)).StatusHistoryItemsOfEntity3D(ctx, "entity", statuses.StatusHistoryQuery{})
		return err
	}, noEntity},
	call{"Entities3DOfTask", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).Entities3DOfTask(ctx, "a", animation.Entity3DQuery{})
		return err
	}, noTask},
)

var readsOfV10 = append(slices.Concat(readsOfBoth, readsOfAnimation, readsOfCodes, readsOfCalendars),
	call{"Synchronizer", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := synchronizers.In(svc.In(id)).Synchronizer(ctx, "planner")
		return err
	}, noPlanner},
	call{"AppearanceProfile", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).AppearanceProfile(ctx, "install")
		return err
	}, noProfile},
	call{"AppearanceProfiles", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).AppearanceProfiles(ctx, animation.AppearanceProfileQuery{})
		return err
	}, noSchedule},
)

// The writes can all be done one after the other.
var writesOfBoth = []call{
	{"CreateTask", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CreateTask(ctx, id, schedules.NewTask{Name: "n", Type: schedules.Work})
		return err
	}, noSchedule},
	{"CreateTasks", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateTasks(ctx, []schedules.NewTask{{Name: "n", Type: schedules.Work}})
		return err
	}, noSchedule},
	{"UpdateTask", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateTask(ctx, "a", schedules.TaskPatch{Name: twinplatform.Set("new")})
		return err
	}, noSchedule},
	{"CreateTaskLinks", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateTaskLinks(ctx, []schedules.NewTaskLink{{PredecessorID: "b", SuccessorID: "c", Type: schedules.StartToStart}})
		return err
	}, noSchedule},
	{"UpdateTaskLinks", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateTaskLinks(ctx, []schedules.TaskLinkPatch{{ID: "a-b", Lag: twinplatform.Set(int32(1))}})
		return err
	}, noSchedule},
	{"DeleteTaskLinks", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).DeleteTaskLinks(ctx, []string{"a-b"})
		return err
	}, noSchedule},
	{"DeleteTasks", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).DeleteTasks(ctx, []string{"b"})
		return err
	}, noSchedule},
	{"CreateBaseline", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateBaseline(ctx, schedules.NewBaseline{Name: "n"})
		return err
	}, noSchedule},
	{"DeleteBaselines", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).DeleteBaselines(ctx, []string{"baseline"})
		return err
	}, noSchedule},
	{"CreateResourceAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateResourceAssignment(ctx, schedules.NewResourceAssignment{TaskID: "c", ResourceID: "crew", AppearanceProfileID: "install"})
		return err
	}, noSchedule},
	{"CreateResourceAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).CreateResourceAssignments(ctx, []schedules.NewResourceAssignment{{TaskID: "c", ResourceID: "crew", AppearanceProfileID: "install"}})
		return err
	}, noSchedule},
	{"UpdateResourceAssignment", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateResourceAssignment(ctx, "a-crew", assignmentPatch(schedules.ResourceAssignmentFields{AppearanceProfileID: twinplatform.Set("remove")}))
		return err
	}, noSchedule},
	{"UpdateResourceAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).UpdateResourceAssignments(ctx, []schedules.ResourceAssignmentChange{{ID: "a-crew"}})
		return err
	}, noSchedule},
	{"DeleteResourceAssignments", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.In(id).DeleteResourceAssignments(ctx, []string{"a-crew"})
		return err
	}, noSchedule},
}

var deleteSchedule = call{"DeleteSchedule", func(ctx context.Context, svc *schedules.Service, id string) error {
	return svc.DeleteSchedule(ctx, id)
}, noSchedule}

var writesOfV65 = append(slices.Clip(writesOfBoth),
	call{"CreateEntity3D", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).CreateEntity3D(ctx, animation.NewEntity3D{Name: "n"})
		return err
	}, noSchedule},
	call{"UpdateEntity3D", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).UpdateEntity3D(ctx, "entity", animation.Entity3DPatch{ResourceID: twinplatform.Set("crew")})
		return err
	}, noSchedule},
	call{"DeleteEntities3D", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).DeleteEntities3D(ctx, []string{"entity"})
		return err
	}, noSchedule},
	deleteSchedule,
)

var writesOfV10 = append(slices.Concat(writesOfBoth, writesOfAnimation, writesOfCodes, writesOfCalendars),
	call{"CloneSchedule", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := svc.CloneSchedule(ctx, id, schedules.NewClone{Name: "n"})
		return err
	}, noSchedule},
	call{"CreateSynchronizer", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := synchronizers.In(svc.In(id)).CreateSynchronizer(ctx, synchronizers.Synchronizer{SynchronizerName: "n"})
		return err
	}, noSchedule},
	call{"UpdateSynchronizer", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := synchronizers.In(svc.In(id)).UpdateSynchronizer(ctx, "planner", synchronizers.SynchronizerPatch{ProjectName: twinplatform.Set("n")})
		return err
	}, noSchedule},
	call{"CreateAppearanceProfile", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).CreateAppearanceProfile(ctx, animation.NewAppearanceProfile{Name: "n"})
		return err
	}, noSchedule},
	call{"UpdateAppearanceProfile", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).UpdateAppearanceProfile(ctx, "install", animation.AppearanceProfilePatch{Name: twinplatform.Set("n")})
		return err
	}, noSchedule},
	call{"DeleteAppearanceProfile", func(ctx context.Context, svc *schedules.Service, id string) error {
		_, err := animation.In(svc.In(id)).DeleteAppearanceProfile(ctx, "install")
		return err
	}, noSchedule},
	deleteSchedule,
)

// callsOf are the reads and writes of a schedule type.
func callsOf(typ schedules.ScheduleType) (reads, writes []call) {
	if typ == schedules.V65 {
		return readsOfV65, writesOfV65
	}
	return readsOfV10, writesOfV10
}

// upkeep is for the embedding program, in every state of the schedule.
var upkeep = []call{
	{"SetState", func(ctx context.Context, svc *schedules.Service, id string) error {
		return svc.SetState(ctx, id, schedules.Ready)
	}, noSchedule},
	{"PurgeDeleted", func(ctx context.Context, svc *schedules.Service, id string) error {
		return svc.In(id).PurgeDeleted(ctx, 0)
	}, noSchedule},
}

// grants allow callers, by their ids, the permissions on the twin.
type grants map[string][]string

func (g grants) Allowed(_ context.Context, p twinplatform.Principal, permission string, at twinplatform.Target) (bool, error) {
	if at != (twinplatform.Target{TwinID: "twin", AccountID: "account"}) {
		return false, nil
	}
	if slices.Contains(g[p.ID], permission) {
		return true, nil
	}
	return false, nil
}

// oneTwin is a directory with a single twin.
type oneTwin struct{}

func (oneTwin) TwinAccount(_ context.Context, twinID string) (string, bool, error) {
	return "account", twinID == "twin", nil
}

// covers: Conventions: rule Authorization is required
// covers: Permissions
// covers: Errors
// covers: operations of schedules
func TestCallersAreHeldToTheirPermissions(t *testing.T) {
	t.Parallel()
	type may int
	const (
		nothing may = iota
		read
		everything
	)
	callers := []struct {
		name string
		who  *twinplatform.Principal
		may  may
	}{
		{"the system", nil, everything},
		{"an administrator of the account", &twinplatform.Principal{ID: "boss", AccountID: "account", AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.CoAdministrator}}, everything},
		{"who may read and modify", &twinplatform.Principal{ID: "editor", AccountID: "elsewhere"}, everything},
		{"who may read", &twinplatform.Principal{ID: "reader", AccountID: "account"}, read},
		{"who may modify what it cannot see", &twinplatform.Principal{ID: "blind", AccountID: "account"}, nothing},
		{"an administrator of another account", &twinplatform.Principal{ID: "other", AccountID: "elsewhere", AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.CoAdministrator}}, nothing},
		{"a stranger", &twinplatform.Principal{ID: "stranger", AccountID: "account"}, nothing},
		{"no id", &twinplatform.Principal{}, nothing},
	}
	env := twinplatform.Env{Authorizer: grants{
		"reader": {schedules.PermissionRead}, "blind": {schedules.PermissionModify},
		"editor": {schedules.PermissionRead, schedules.PermissionModify},
	}}
	for _, typ := range []schedules.ScheduleType{schedules.V10, schedules.V65} {
		for _, caller := range callers {
			t.Run(string(typ)+" "+caller.name, func(t *testing.T) {
				t.Parallel()
				p := newPlan(t, memory.New(), schedules.Config{Env: env, Twins: oneTwin{}})
				callable(p, "s", typ)
				ctx := p.ctx
				if caller.who != nil {
					ctx = twinplatform.WithPrincipal(ctx, *caller.who)
				}
				try := func(c call, write bool) {
					t.Run(c.name, func(t *testing.T) {
						c.missing.check(t, c.do(ctx, p.svc, "missing"))
						err := c.do(ctx, p.svc, "s")
						switch {
						case caller.may == everything || caller.may == read && !write:
							if err != nil {
								t.Error(err)
							}
						case caller.may == read:
							forbidden.check(t, err)
						default:
							c.missing.check(t, err)
							// Nothing distinguishes the hidden schedule from a missing
							// one.
							if missing := c.do(ctx, p.svc, "missing"); err.Error() != missing.Error() {
								t.Errorf("hidden: %v\nmissing: %v", err, missing)
							}
						}
					})
				}
				reads, writes := callsOf(typ)
				for _, c := range reads {
					try(c, false)
				}
				for _, c := range upkeep {
					try(c, true)
				}
				for _, c := range writes {
					try(c, true)
				}
			})
		}
	}
}

// covers: Errors: error ScheduleNotInitialized
// covers: States
func TestProcessingScheduleTakesNoChanges(t *testing.T) {
	t.Parallel()
	for _, typ := range []schedules.ScheduleType{schedules.V10, schedules.V65} {
		t.Run(string(typ), func(t *testing.T) {
			t.Parallel()
			onEachEngine(t, func(p *plan) {
				callable(p, "s", typ)
				if err := p.svc.SetState(p.ctx, "s", schedules.Processing); err != nil {
					p.Fatal(err)
				}
				before := storetest.Keys(p, p.store)
				reads, writes := callsOf(typ)
				background := newService(p.store, schedules.Config{Env: twinplatform.Env{Background: true}})
				for _, c := range writes {
					processing.check(p, c.do(p.ctx, p.svc, "s"))
					processing.check(p, c.do(p.ctx, background, "s"))
				}
				for _, c := range reads {
					if err := c.do(p.ctx, p.svc, "s"); err != nil {
						p.Errorf("%s: %v", c.name, err)
					}
				}
				if after := storetest.Keys(p, p.store); after != before {
					p.Errorf("the refused changes took the store from %d to %d keys", before, after)
				}
				for _, c := range upkeep { // which makes the schedule Ready
					if err := c.do(p.ctx, p.svc, "s"); err != nil {
						p.Errorf("%s: %v", c.name, err)
					}
				}
				for _, c := range writes {
					if err := c.do(p.ctx, p.svc, "s"); err != nil {
						p.Errorf("%s: %v", c.name, err)
					}
				}
			})
		})
	}
}

// lost is an authorizer that cannot find out.
type lost struct{}

var errLost = errors.New("the directory of permissions is away")

func (lost) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	return false, errLost
}

func TestUnknownPermissionIsNoRefusal(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Authorizer: lost{}}})
	ctx := twinplatform.WithPrincipal(p.ctx, twinplatform.Principal{ID: "somebody"})
	_, err := p.svc.Schedule(ctx, p.id)
	if !errors.Is(err, errLost) || twinplatform.AsError(err).Kind != twinplatform.Internal {
		t.Errorf("got %v", err)
	}
	_, err = p.svc.CreateTask(ctx, p.id, schedules.NewTask{Name: "n", Type: schedules.Work})
	if !errors.Is(err, errLost) {
		t.Errorf("got %v", err)
	}
}

// vanishing deletes a schedule, and makes it again, while its caller is judged.
type vanishing struct {
	svc   *schedules.Service
	again bool
}

func (v *vanishing) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	svc := v.svc
	if v.svc = nil; svc == nil {
		return true, nil
	}
	err := svc.DeleteSchedule(context.Background(), "s")
	if err == nil && v.again {
		_, err = svc.CreateSchedule(context.Background(), schedules.NewSchedule{ID: "s", Name: "again", TwinID: "elsewhere"})
	}
	return true, err
}

func TestScheduleThatVanishesWhileItsCallerIsJudgedIsMissing(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	for _, again := range []bool{false, true} {
		for _, c := range append(slices.Clip(readsOfV10), writesOfV10...) {
			p := inMemory(t)
			callable(p, "s", schedules.V10)
			v := &vanishing{svc: p.svc, again: again}
			svc := newService(p.store, schedules.Config{Env: twinplatform.Env{Authorizer: v}})
			ctx := twinplatform.WithPrincipal(p.ctx, twinplatform.Principal{ID: "somebody"})
			err := c.do(ctx, svc, "s")
			if again {
				// It is about the new one, for which the caller was judged as well.
				if twinplatform.AsError(err) != nil && twinplatform.AsError(err).Kind == twinplatform.Internal {
					t.Errorf("%s: %v", c.name, err)
				}
				continue
			}
			c.missing.check(t, err)
		}
	}
}
