package schedules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// storedOperation is an operation in those files.
const storedOperation = "id-0005"

var storedFormat = recordstest.Stored{
	World: func(t *testing.T, store storage.Store) { storedWorld(t, store) },
	Read: func(t *testing.T, store storage.Store) []string {
		return readEverything(openStored(t, store))
	},
	Kinds: schedules.Kinds(),
}

func openStored(t *testing.T, store storage.Store) *plan {
	t.Helper()
	p := &plan{T: t, ctx: t.Context(), store: store}
	p.svc = newService(p.store, storedConfig(nil))
	return p
}

// TestStoredFormatIsReadForEver loads a store of every format and reads
// everything in it: records, versions, the tokens that clients hold, and work that
// was accepted and is still to be done.
func TestStoredFormatIsReadForEver(t *testing.T) {
	t.Parallel()
	storedFormat.ReadForEver(t, goOn)
}

// goOn works with a store of an earlier format.
func goOn(t *testing.T, store storage.Store, want []string) {
	t.Helper()
	p := openStored(t, store)
	// The tokens in the file are as good as on the day they were handed out.
	p.id = "tower"
	for _, line := range want {
		kind, token, _ := strings.Cut(line, " token of tasks: ")
		var err error
		switch kind {
		case "delta":
			_, err = p.in().Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Delta: token}})
		case "continuation":
			_, err = p.in().Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Continuation: token, Top: 1}})
		}
		if err != nil {
			t.Errorf("the %s token: %v", kind, err)
		}
	}
	// New work begins with what was accepted and not done.
	p.baseline("today")
	if task := p.task("accepted"); task.Name != "Accepted" {
		t.Errorf("the accepted work made %+v", task)
	}
	// The counters continue where they were.
	p.schedule(schedules.NewSchedule{ID: "new", Name: "New", TwinID: "twin"})
	p.id = "new"
	if tasks, _ := p.allTasks(twinplatform.ListOptions{}); len(tasks) != 0 {
		t.Errorf("the new schedule holds %d tasks", len(tasks))
	}
}

func TestStoredFormatIsWrittenAsBefore(t *testing.T) {
	t.Parallel()
	storedFormat.Written(t)
}

func storedConfig(next func() string) schedules.Config {
	return schedules.Config{Env: twinplatform.Env{Now: func() time.Time { return morning }, NewID: next}}
}

// storedPlan is the file that was imported into the store.
func storedPlan(t *testing.T) []byte {
	t.Helper()
	return xerOf(t, xer{
		nodes: []xerNode{{"W2", "Node", ""}}, resources: []string{"R1"}, links: []xerLink{{"A10", "A20", "PR_FS", 4}},
		tasks: []xerTask{{code: "A10", node: "W2", hours: 8, early: "2026-03-02 08:00"}, {code: "A20", hours: 16}}, assignments: []xerAssignment{{"A10", "R1", 8}},
	})
}

// storedWorld is a store with every type of record in every condition: made,
// changed, deleted, and accepted but not done.
func storedWorld(t *testing.T, store storage.Store) *plan {
	t.Helper()
	n := 0
	cfg := storedConfig(func() string { n++; return fmt.Sprintf("id-%04d", n) })
	p := &plan{T: t, ctx: t.Context(), store: store, id: "tower"}
	must := recordstest.Must(t)
	p.svc = newService(p.store, cfg)
	p.schedule(schedules.NewSchedule{ID: "tower", Name: "Tower", TwinID: "twin", ModelID: "model"})
	p.schedule(schedules.NewSchedule{ID: "gone", Name: "Gone", TwinID: "twin"})
	must(p.svc.DeleteSchedule(p.ctx, "gone"))

	p.create(
		schedules.NewTask{ID: "phase", Name: "Phase", Type: schedules.Work},
		schedules.NewTask{ID: "dig", Name: "Graben \"tief\"\n", Type: schedules.Work, ParentID: "phase", PlannedStart: at(1), PlannedDuration: new(int32(7200)), Comment: "Löcher", URL: "https://example.com/?a=1&b=<2>", UserDefinedID: "A1"},
		schedules.NewTask{ID: "pour", Name: "Pour", Type: schedules.Work, ParentID: "phase", PlannedStart: at(4), PlannedDuration: new(int32(3600))},
		schedules.NewTask{ID: "start", Name: "Start", Type: schedules.StartKeyDate, PlannedStart: at(1)},
		schedules.NewTask{ID: "end", Name: "End", Type: schedules.FinishKeyDate, PlannedFinish: at(9)},
		schedules.NewTask{ID: "long", Name: "Long", Type: schedules.LongHammock},
		schedules.NewTask{ID: strings.Repeat("名", 100), Name: "A long id", Type: schedules.MeetingTask},
		schedules.NewTask{ID: "gone", Name: "Gone", Type: schedules.Work},
	)
	p.links("dig FinishToStart pour 600", "start FinishToStart long", "long FinishToStart end", "gone StartToStart end")
	p.patch("dig", schedules.TaskPatch{
		Status: twinplatform.Set(schedules.Finished), ActualStart: twinplatform.Set(at(-2)), ActualFinish: twinplatform.Set(at(-1.5)),
		PhysicalQuantity: twinplatform.Set(12.5), PhysicalQuantityUnit: twinplatform.Set(units.CubicMeter), ConstraintType: twinplatform.Set(schedules.StartOn),
		ConstraintEarlyDate: twinplatform.Set(twinplatform.At(morning.Add(123456789))),
	})
	deleted, err := p.in().DeleteTasks(p.ctx, []string{"gone"})
	must(err)
	if deleted.ID != storedOperation {
		t.Fatalf("the operation is %s", deleted.ID)
	}
	p.baseline("first")
	p.baseline("gone")
	_, err = p.in().DeleteBaselines(p.ctx, []string{"gone"})
	must(err)
	_, err = synchronizers.In(p.in()).CreateSynchronizer(p.ctx, synchronizers.Synchronizer{
		ID: "planner", SynchronizerName: "Planner", ProjectName: "Tower", Projects: []synchronizers.PlannerProject{{ID: "1", UserDefinedID: "T"}},
		SynchronizationDetails: synchronizers.SynchronizationDetails{
			Created: synchronizers.SynchronizationCounts{Tasks: new(64)}, Warnings: []synchronizers.SynchronizationWarning{{Message: "no calendar"}},
		},
	})
	must(err)

	_, err = p.in().CreateResources(p.ctx, []schedules.NewResource{
		{ID: "crew", Name: "Crew", Type: schedules.HumanResource, Email: "crew@example.com"},
		{ID: "concrete", Name: "Concrete", Type: schedules.MaterialResource, UnitType: units.CubicMeter, LeadTime: 86400, Description: "C30"},
		{ID: "crane", Name: "Crane", Type: schedules.EquipmentResource, ParentID: "crew"},
		{ID: "gone", Name: "Gone", Type: schedules.LocationResource},
	})
	must(err)
	_, err = p.in().CreateResourceGroup(p.ctx, schedules.NewResourceGroup{ID: "group", Name: "Group"})
	must(err)
	_, err = p.in().AddResourcesToGroup(p.ctx, "group", []string{"crew", "crane", "gone"})
	must(err)
	_, err = statuses.In(p.in()).CreateResourceStatusCategory(p.ctx, statuses.NewResourceStatusCategory{ID: "category", Name: "Category"})
	must(err)
	_, err = statuses.In(p.in()).CreateResourceStatusSet(p.ctx, statuses.NewResourceStatusSet{ID: "set", Name: "Set", StatusCategoryID: "category"})
	must(err)
	_, err = statuses.In(p.in()).CreateResourceStatusItem(p.ctx, statuses.NewResourceStatusItem{ID: "item", Name: "Item", StatusSetID: "set", Color: "#a0b1c2", Transparency: 40})
	must(err)
	for _, id := range []string{"had", "has", "took back"} {
		_, err = statuses.In(p.in()).CreateStatusHistoryItem(p.ctx, statuses.NewStatusHistoryItem{ID: id, ResourceID: "crane", StatusItemID: "item", Date: at(float64(len(id))), IsCritical: id == "has", Note: "Note"})
		must(err)
	}
	_, err = statuses.In(p.in()).DeleteStatusHistoryItem(p.ctx, "took back")
	must(err)
	_, err = p.in().CreateResourceAssignments(p.ctx, []schedules.NewResourceAssignment{
		{ID: "digging", TaskID: "dig", ResourceID: "crew", AppearanceProfileID: "install", PlannedUtilization: schedules.Utilization{ResourceCount: 2, ResourceUnits: 16}},
		{ID: "pouring", TaskID: "pour", ResourceID: "concrete", AppearanceProfileID: "install", PlannedUtilization: schedules.Utilization{ResourceUnits: 12.5}},
		{ID: "resting", TaskID: "pour", ResourceID: "crew", AppearanceProfileID: "neutral"},
	})
	must(err)
	_, err = p.in().DeleteResourceAssignments(p.ctx, []string{"resting"})
	must(err)
	for i, category := range []userfields.UserFieldCategory{userfields.TaskField, userfields.ResourceField, userfields.ResourceGroupField} {
		field := fmt.Sprint("field-", i)
		_, err = userfields.In(p.in()).CreateUserField(p.ctx, userfields.NewUserField{ID: field, Name: "Field", Category: category, Type: userfields.FloatField})
		must(err)
		n := userfields.NewUserFieldValue{UserFieldID: field, FloatValue: new(1.5)}
		*[]*string{&n.TaskID, &n.ResourceID, &n.ResourceGroupID}[i] = []string{"dig", "gone", "group"}[i]
		_, err = userfields.In(p.in()).SetUserFieldValue(p.ctx, category, n)
		must(err)
	}
	_, err = p.in().DeleteResources(p.ctx, []string{"gone"})
	must(err)

	_, err = animation.In(p.in()).CreateAppearanceProfile(p.ctx, animation.NewAppearanceProfile{
		ID: "install", Name: "Install", Action: animation.InstallAction, StartAppearance: &animation.StillAppearance{Color: "#a0b1c2", Transparency: 100},
		ActiveAppearance: &animation.ActiveAppearance{GrowthSimulation: &animation.GrowthSimulation{Mode: animation.CustomGrowth, Direction: &animation.Vector{Z: 1}}},
	})
	must(err)
	p.animated()
	_, err = animation.In(p.in()).UpdateKeyframe(p.ctx, "keyframe", animation.KeyframePatch{Position: twinplatform.Set(animation.Vector{X: 1.5}), Rotation: twinplatform.Set(animation.Rotation{Angle: 1, Z: 1})})
	must(err)
	p.bind(animation.NewBinding{ID: "gone", AnimatedEntityID: "0x2f", TaskID: "pour"})
	_, err = animation.In(p.in()).DeleteBindings(p.ctx, []string{"gone"})
	must(err)
	p.coded()
	p.filtered()
	p.reschedule()
	p.baseline("rescheduled")
	must(codes.In(p.in()).DeleteCodeValueAssignment(p.ctx, "coded", "labour"))
	_, err = p.in().CreateRule(p.ctx, schedules.NewRule{ID: "gone"})
	must(err)
	_, err = p.in().DeleteRule(p.ctx, "gone")
	must(err)
	p.calendars()
	p.calendar(working("gone", "08:00-16:00"))
	_, err = p.in().DeleteCalendar(p.ctx, "gone")
	must(err)
	p.create(schedules.NewTask{ID: "on site", Name: "On site", Type: schedules.Work, CalendarID: "site", PlannedDuration: new(int32(7200))})
	p.scheduling("", "Europe/Berlin")
	p.importPlan(storedPlan(t), exchange.PlannerImportOptions{})
	p.profiles("slowly install", "gone")
	_, err = animation.In(p.in()).DeleteAppearanceProfile(p.ctx, "gone")
	must(err)

	p.id = "model"
	p.schedule(schedules.NewSchedule{ID: "model", Name: "Model", TwinID: "twin", Type: schedules.V65})
	p.tasks("build")
	p.resources("bricks")
	p.uses("build bricks")
	p.entity(animation.NewEntity3D{ID: "wall", Name: "Wall", ModelElementID: "0x1f", ResourceID: "bricks"})
	p.entity(animation.NewEntity3D{ID: "window", Name: "Window", ParentID: "wall"})
	_, err = userfields.In(p.in()).CreateUserField(p.ctx, userfields.NewUserField{ID: "field", Name: "Field", Category: userfields.Entity3DField, Type: userfields.StringField})
	must(err)
	_, err = userfields.In(p.in()).SetUserFieldValue(p.ctx, userfields.Entity3DField, userfields.NewUserFieldValue{Entity3DID: "wall", UserFieldID: "field", StringValue: new("v")})
	must(err)
	_, err = animation.In(p.in()).DeleteEntities3D(p.ctx, []string{"window"})
	must(err)
	must(p.in().PurgeDeleted(p.ctx, 0))
	must(p.svc.SetState(p.ctx, p.id, schedules.Processing))

	cfg.Env.Background = true
	background := newService(p.store, cfg)
	accepted, err := background.CreateTask(p.ctx, "tower", schedules.NewTask{ID: "accepted", Name: "Accepted", Type: schedules.Work, PlannedStart: at(3), PlannedDuration: new(int32(60))})
	must(err)
	if accepted.Status != twinplatform.OperationNotStarted {
		t.Fatalf("accepted as %+v", accepted)
	}
	return p
}

// readEverything reads the store through the public API, without changing it.
func readEverything(p *plan) (said []string) {
	p.Helper()
	say := func(what string, page listed, err error) {
		p.Helper()
		if err != nil {
			p.Fatalf("%s: %v", what, err)
		}
		for _, text := range page.ids {
			said = append(said, what+": "+text)
		}
	}
	one := func(what string, json []byte, etag string, err error) {
		p.Helper()
		say(what+" "+etag, listed{ids: []string{string(json)}}, err)
	}
	o := twinplatform.ListOptions{}
	page, err := pageOf(p.svc.Schedules(p.ctx, schedules.ScheduleQuery{}))
	say("schedule", page, err)

	p.id = "tower"
	tasks, err := pageOf(p.in().Tasks(p.ctx, schedules.TaskQuery{}))
	say("task", tasks, err)
	first, err := pageOf(p.in().Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: 1}}))
	say("first task", first, err)
	said = append(said, "delta token of tasks: "+tasks.delta, "continuation token of tasks: "+first.next)
	task, err := p.in().Task(p.ctx, "dig")
	one("one task", task.JSON, task.ETag, err)
	page, err = pageOf(p.in().TaskLinks(p.ctx, schedules.TaskLinkQuery{}))
	say("task link", page, err)
	page, err = pageOf(p.in().TaskLinks(p.ctx, schedules.TaskLinkQuery{SuccessorID: "end"}))
	say("task link to end", page, err)
	page, err = pageOf(p.in().Baselines(p.ctx, schedules.BaselineQuery{}))
	say("baseline", page, err)
	page, err = pageOf(p.in().BaselineTasks(p.ctx, "first", schedules.BaselineTaskQuery{}))
	say("baseline task", page, err)
	page, err = pageOf(p.in().BaselineTaskLinks(p.ctx, "first", schedules.BaselineTaskLinkQuery{}))
	say("baseline task link", page, err)
	planner, err := synchronizers.In(p.in()).Synchronizer(p.ctx, "planner")
	one("synchronizer", planner.JSON, planner.ETag, err)
	page, err = pageOf(exchange.In(p.in()).PlannedTasks(p.ctx, "planner", exchange.PlannedTaskQuery{}))
	say("planned task", page, err)
	op, err := p.in().Operation(p.ctx, storedOperation)
	one("operation", op.JSON, op.ETag, err)
	said = append(said, fmt.Sprintf("operation of %s on %q", op.Value.Kind, op.Value.Subjects))
	page, err = pageOf(p.in().Resources(p.ctx, schedules.ResourceQuery{ListOptions: o}))
	say("resource", page, err)
	page, err = pageOf(p.in().ResourceGroups(p.ctx, schedules.ResourceGroupQuery{}))
	say("resource group", page, err)
	page, err = pageOf(p.in().GroupResources(p.ctx, "group", schedules.ResourceQuery{}))
	say("resource of the group", page, err)
	page, err = pageOf(p.in().ResourceAssignments(p.ctx, schedules.ResourceAssignmentQuery{}))
	say("assignment", page, err)
	page, err = pageOf(p.in().ResourceAssignmentsOfTask(p.ctx, "pour", schedules.ResourceAssignmentQuery{}))
	say("assignment of pour", page, err)
	page, err = pageOf(p.in().ResourceAssignments(p.ctx, schedules.ResourceAssignmentQuery{ResourceID: "crew"}))
	say("assignment of the crew", page, err)
	page, err = pageOf(statuses.In(p.in()).ResourceStatusCategories(p.ctx, statuses.ResourceStatusCategoryQuery{}))
	say("status category", page, err)
	page, err = pageOf(statuses.In(p.in()).ResourceStatusSetsOf(p.ctx, "category", statuses.ResourceStatusSetQuery{}))
	say("status set", page, err)
	page, err = pageOf(statuses.In(p.in()).ResourceStatusItemsOf(p.ctx, "set", statuses.ResourceStatusItemQuery{}))
	say("status item", page, err)
	page, err = pageOf(statuses.In(p.in()).StatusHistoryItems(p.ctx, statuses.StatusHistoryQuery{}))
	say("status", page, err)
	page, err = pageOf(statuses.In(p.in()).StatusHistoryItemsOf(p.ctx, "crane", statuses.StatusHistoryQuery{LatestOnly: true}))
	say("current status", page, err)
	page, err = pageOf(userfields.In(p.in()).UserFields(p.ctx, userfields.UserFieldQuery{}))
	say("user field", page, err)
	for _, category := range []userfields.UserFieldCategory{userfields.TaskField, userfields.ResourceField, userfields.ResourceGroupField} {
		page, err = pageOf(userfields.In(p.in()).UserFieldValues(p.ctx, category, userfields.UserFieldValueQuery{}))
		say("value of a "+string(category), page, err)
	}

	page, err = pageOf(animation.In(p.in()).AppearanceProfiles(p.ctx, animation.AppearanceProfileQuery{}))
	say("appearance profile", page, err)
	page, err = pageOf(animation.In(p.in()).Bindings(p.ctx, animation.BindingQuery{}))
	say("animation binding", page, err)
	page, err = pageOf(animation.In(p.in()).Bindings(p.ctx, animation.BindingQuery{TaskIDs: []string{"digging"}, AnimatedEntityIDs: []string{"0x1f"}}))
	say("animation binding of digging", page, err)
	page, err = pageOf(animation.In(p.in()).Transforms(p.ctx, animation.TransformQuery{}))
	say("3D transform", page, err)
	page, err = pageOf(animation.In(p.in()).Paths(p.ctx, animation.PathQuery{}))
	say("3D path", page, err)
	page, err = pageOf(animation.In(p.in()).Keyframes(p.ctx, animation.KeyframeQuery{PathID: "path"}))
	say("keyframe of the path", page, err)
	page, err = pageOf(animation.In(p.in()).PathAssignments(p.ctx, animation.PathAssignmentQuery{PathID: "path"}))
	say("3D path assignment of the path", page, err)

	page, err = pageOf(codes.In(p.in()).Codes(p.ctx, codes.CodeQuery{}))
	say("code", page, err)
	page, err = pageOf(codes.In(p.in()).CodeValues(p.ctx, codes.CodeValueQuery{CodeID: "phase"}))
	say("value of the code", page, err)
	page, err = pageOf(codes.In(p.in()).CodeValueAssignments(p.ctx, codes.CodeValueAssignmentQuery{CodeValueID: "shell"}))
	say("task with the value", page, err)
	page, err = pageOf(p.in().Rules(p.ctx, schedules.RuleQuery{}))
	say("rule", page, err)
	page, err = pageOf(p.in().Calendars(p.ctx, schedules.CalendarQuery{}))
	say("calendar", page, err)
	page, err = pageOf(p.in().TaskQueryFilters(p.ctx, schedules.TaskQueryFilterQuery{}))
	say("task query filter", page, err)
	scheduling, err := p.in().ProjectScheduling(p.ctx)
	one("project scheduling", scheduling.JSON, "", err)
	page, err = pageOf(p.in().TaskLinksOfBaselines(p.ctx, schedules.TaskLinksOfBaselinesQuery{}))
	say("task link of all baselines", page, err)

	p.id = "model"
	page, err = pageOf(animation.In(p.in()).Entities3D(p.ctx, animation.Entity3DQuery{}))
	say("3D entity", page, err)
	page, err = pageOf(animation.In(p.in()).Entities3D(p.ctx, animation.Entity3DQuery{ResourceID: "bricks"}))
	say("3D entity of the bricks", page, err)
	page, err = pageOf(userfields.In(p.in()).UserFieldValues(p.ctx, userfields.Entity3DField, userfields.UserFieldValueQuery{}))
	say("value of a 3D entity", page, err)
	sc, err := p.svc.Schedule(p.ctx, p.id)
	one("the other schedule", sc.JSON, sc.ETag, err)
	return append(said, "its state: "+string(sc.Value.State))
}
