package httpapi_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/transform"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// world is a platform that serves every area, with a plan in it, always the same:
//
//   - the twin tower of the account acme with the schedules plan (v10), old
//     (v6.5), busy and busy-old (v10 and v6.5, still Processing);
//   - the callers writer and reader, who hold permissions on tower, admin, who
//     administers acme, and stranger from another account.
type world struct {
	schedules *schedules.Service
	handler   *httpapi.Handler
}

var moment = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// permissions are those that callers hold on the tower.
type permissions map[string][]string

func (p permissions) Allowed(_ context.Context, who twinplatform.Principal, permission string, target twinplatform.Target) (bool, error) {
	return target.TwinID == "tower" && slices.Contains(p[who.ID], permission), nil
}

type twins map[string]string

var worldTwins = twins{"tower": "acme", "bridge": "acme", "abroad": "other"}

func (t twins) TwinAccount(_ context.Context, id string) (string, bool, error) {
	account, ok := t[id]
	return account, ok, nil
}

func newWorld(t testing.TB, configure ...func(*httpapi.Config)) *world {
	t.Helper()
	return newWorldOn(t, plannedGround(t), configure...)
}

// plannedGround is a store with what the world holds.
func plannedGround(t testing.TB) ground {
	t.Helper()
	return plannedWorlds.ground(t, func(t testing.TB, on ground) *httpapi.Handler { return newWorldOn(t, on).handler })
}

func newWorldOn(t testing.TB, on ground, configure ...func(*httpapi.Config)) *world {
	t.Helper()
	// Whatever a test makes is called new-01 and so on.
	var ids atomic.Int64
	var seeded atomic.Bool
	env := twinplatform.Env{
		Now: func() time.Time { return moment },
		NewID: func() string {
			if !seeded.Load() {
				return twinplatform.NewGUID()
			}
			return fmt.Sprintf("new-%02d", ids.Add(1))
		},
		Gate: on.gate,
		Authorizer: on.rights(permissions{
			"writer": {schedules.PermissionRead, schedules.PermissionModify},
			"reader": {schedules.PermissionRead},
		}),
	}
	directory := on.twins(worldTwins)
	scopes := []string{twinplatform.ScopePlatform}
	store := on.store
	cfg := httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{
			"writer":   {ID: "writer", AccountID: "acme", Scopes: scopes},
			"reader":   {ID: "reader", AccountID: "acme", Scopes: scopes},
			"stranger": {ID: "stranger", AccountID: "other", Scopes: scopes, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}},
			"admin":    {ID: "admin", AccountID: "acme", Scopes: append(scopes, twinplatform.ScopeWebhooksRead), AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}},
			"bare":     {ID: "bare", AccountID: "acme", Scopes: []string{twinplatform.ScopeWebhooksRead}},
		}),
		Schedules:   schedules.New(store, schedules.Config{Env: env, Twins: directory, Boxes: siteModel{}, Elements: siteModel{}}, scheduling.Feature, planfiles.Feature),
		Forms:       forms.New(store, forms.Config{Env: env, Twins: directory}),
		Twins:       twinsapi.New(store, twinsapi.Config{Env: env}),
		Webhooks:    webhooks.New(store, webhooks.Config{Env: env, Twins: directory}),
		RealityData: realitydata.New(store, realitydata.Config{Env: env, Twins: directory}),
		Transform:   transform.New(store, transform.Config{Env: env, Twins: directory}),
		Rate:        httpapi.Unlimited,
		BaseURL:     "https://api.test",
		Env:         env,
	}
	for _, c := range configure {
		c(&cfg)
	}
	h, err := httpapi.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{schedules: cfg.Schedules, handler: h}
	on.plant(func() int64 {
		w.seed(t)
		return 0
	})
	on.rewind(func() { seeded.Store(true); ids.Store(0) })
	return w
}

// must is for what cannot fail in a test's world.
func must[T any](t testing.TB) func(twinplatform.Result[T], error) {
	return func(_ twinplatform.Result[T], err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) seed(t testing.TB) {
	ctx := t.Context()
	svc := w.schedules
	for _, n := range []schedules.NewSchedule{
		{ID: "plan", Name: "Tower", TwinID: "tower"},
		{ID: "old", Name: "Tower, earlier", TwinID: "tower", Type: schedules.V65},
		{ID: "busy", Name: "Tower, being set up", TwinID: "tower", State: schedules.Processing},
		{ID: "busy-old", Name: "Tower, earlier, being set up", TwinID: "tower", Type: schedules.V65, State: schedules.Processing},
		{ID: "elsewhere", Name: "Abroad", TwinID: "abroad"},
	} {
		n.Elapsed = true
		must[schedules.Schedule](t)(svc.CreateSchedule(ctx, n))
	}
	day := int32(8 * 60 * 60)
	at := func(d int) twinplatform.DateTime { return twinplatform.At(moment.AddDate(0, 0, d)) }
	must[schedules.Task](t)(svc.In("plan").CreateTasks(ctx, []schedules.NewTask{
		{ID: "build", Name: "Build", Type: schedules.Work},
		{ID: "dig", Name: "Dig", Type: schedules.Work, ParentID: "build", PlannedStart: at(0), PlannedDuration: &day},
		{ID: "pour", Name: "Pour", Type: schedules.Work, ParentID: "build", PlannedStart: at(1), PlannedDuration: &day, Comment: "C25/30"},
		{ID: "roof", Name: "Roof", Type: schedules.DeliveryTask, PlannedStart: at(3), PlannedDuration: &day},
	}))
	must[schedules.TaskLink](t)(svc.In("plan").CreateTaskLinks(ctx, []schedules.NewTaskLink{
		{ID: "dig-pour", PredecessorID: "dig", SuccessorID: "pour", Type: schedules.FinishToStart},
		{ID: "pour-roof", PredecessorID: "pour", SuccessorID: "roof", Type: schedules.FinishToStart, Lag: day},
	}))
	must[schedules.Baseline](t)(svc.In("plan").CreateBaseline(ctx, schedules.NewBaseline{ID: "first", Name: "As tendered"}))
	must[synchronizers.Synchronizer](t)(synchronizers.In(svc.In("plan")).CreateSynchronizer(ctx, synchronizers.Synchronizer{ID: "import", SynchronizerName: "Weekly import", ProjectName: "Tower"}))
	must[schedules.Task](t)(svc.CreateTask(ctx, "old", schedules.NewTask{ID: "raise", Name: "Raise", Type: schedules.Work}))
	must[schedules.Resource](t)(svc.In("old").CreateResources(ctx, []schedules.NewResource{
		{ID: "bricks", Name: "Bricks", Type: schedules.MaterialResource}, {ID: "doors", Name: "Doors", Type: schedules.MaterialResource},
	}))
	must[schedules.ResourceAssignment](t)(svc.In("old").CreateResourceAssignments(ctx, []schedules.NewResourceAssignment{
		{ID: "raise-bricks", TaskID: "raise", ResourceID: "bricks", AppearanceProfileID: "install"},
		{ID: "raise-doors", TaskID: "raise", ResourceID: "doors", AppearanceProfileID: "install"},
	}))
	must[animation.Entity3D](t)(animation.In(svc.In("old")).CreateEntity3D(ctx, animation.NewEntity3D{ID: "wall", Name: "Wall", ModelElementID: "0x20", ResourceID: "bricks"}))
	must[animation.Entity3D](t)(animation.In(svc.In("old")).CreateEntity3D(ctx, animation.NewEntity3D{ID: "door", Name: "Door", ParentID: "wall", ResourceID: "doors"}))
	must[statuses.ResourceStatusCategory](t)(statuses.In(svc.In("old")).CreateResourceStatusCategory(ctx, statuses.NewResourceStatusCategory{ID: "supply", Name: "Supply"}))
	must[statuses.ResourceStatusSet](t)(statuses.In(svc.In("old")).CreateResourceStatusSet(ctx, statuses.NewResourceStatusSet{ID: "transport", Name: "Transport", StatusCategoryID: "supply"}))
	for i, id := range []string{"loaded", "unloaded"} {
		must[statuses.ResourceStatusItem](t)(statuses.In(svc.In("old")).CreateResourceStatusItem(ctx, statuses.NewResourceStatusItem{ID: id, Name: "Is " + id, StatusSetID: "transport", Color: "#8d6e63"}))
		must[statuses.StatusHistoryItem](t)(statuses.In(svc.In("old")).CreateStatusHistoryItem(ctx, statuses.NewStatusHistoryItem{
			ID: "bricks-" + id, ResourceID: "bricks", StatusItemID: id, Date: twinplatform.At(moment.AddDate(0, 0, i+2)), Note: "Truck " + id,
		}))
	}
	w.seedResources(t)
}

func (w *world) seedResources(t testing.TB) {
	ctx := t.Context()
	svc := w.schedules
	must[schedules.Resource](t)(svc.In("plan").CreateResources(ctx, []schedules.NewResource{
		{ID: "ann", Name: "Ann", Type: schedules.HumanResource, Email: "ann@example.com"},
		{ID: "bob", Name: "Bob", Type: schedules.HumanResource},
		{ID: "concrete", Name: "Concrete", Type: schedules.MaterialResource, UnitType: units.CubicMeter, Quantity: new(60.0)},
		{ID: "crane", Name: "Crane", Type: schedules.EquipmentResource},
	}))
	must[schedules.ResourceAssignment](t)(svc.In("plan").CreateResourceAssignments(ctx, []schedules.NewResourceAssignment{
		{ID: "dig-concrete", TaskID: "dig", ResourceID: "concrete", AppearanceProfileID: "temporary"},
		{
			ID: "pour-concrete", TaskID: "pour", ResourceID: "concrete", AppearanceProfileID: "install",
			PlannedUtilization: schedules.Utilization{PercentOfOneResourceUnitPerDay: 100, PercentOfTotalResourceUnitsPerDay: 50, ResourceCount: 2, ResourceUnits: 12.5, ResourceUnitsPerDay: 6.25},
			ActualUtilization:  schedules.ActualUtilization{ResourceCount: 1, ResourceUnits: 2.5},
		},
	}))
	must[schedules.ResourceGroup](t)(svc.In("plan").CreateResourceGroup(ctx, schedules.NewResourceGroup{ID: "crew", Name: "Crew", ForemanResourceID: "ann"}))
	must[schedules.Resource](t)(svc.In("plan").AddResourcesToGroup(ctx, "crew", []string{"ann", "bob"}))
	must[statuses.ResourceStatusCategory](t)(statuses.In(svc.In("plan")).CreateResourceStatusCategory(ctx, statuses.NewResourceStatusCategory{ID: "progress", Name: "Progress"}))
	must[statuses.ResourceStatusSet](t)(statuses.In(svc.In("plan")).CreateResourceStatusSet(ctx, statuses.NewResourceStatusSet{ID: "delivery", Name: "Delivery", StatusCategoryID: "progress"}))
	for _, id := range []string{"ordered", "on-site"} {
		must[statuses.ResourceStatusItem](t)(statuses.In(svc.In("plan")).CreateResourceStatusItem(ctx, statuses.NewResourceStatusItem{ID: id, Name: "Is " + id, StatusSetID: "delivery", Color: "#00ff00"}))
	}
	must[statuses.ResourceStatusCategory](t)(statuses.In(svc.In("plan")).CreateResourceStatusCategory(ctx, statuses.NewResourceStatusCategory{ID: "safety", Name: "Safety"}))
	must[statuses.ResourceStatusSet](t)(statuses.In(svc.In("plan")).CreateResourceStatusSet(ctx, statuses.NewResourceStatusSet{ID: "checks", Name: "Checks", StatusCategoryID: "safety"}))
	must[statuses.ResourceStatusItem](t)(statuses.In(svc.In("plan")).CreateResourceStatusItem(ctx, statuses.NewResourceStatusItem{ID: "unchecked", Name: "Not checked", StatusSetID: "checks", Color: "#ff8000"}))
	for id, n := range map[string]statuses.NewStatusHistoryItem{
		"crane-ordered": {ResourceID: "crane", StatusItemID: "ordered", Date: twinplatform.At(moment), Note: "By telephone"},
		"crane-on-site": {ResourceID: "crane", StatusItemID: "on-site", Date: twinplatform.At(moment.AddDate(0, 0, 1))},
		"bob-on-site":   {ResourceID: "bob", StatusItemID: "on-site", Date: twinplatform.At(moment)},
	} {
		n.ID = id
		must[statuses.StatusHistoryItem](t)(statuses.In(svc.In("plan")).CreateStatusHistoryItem(ctx, n))
	}
	w.seedAnimation(t)
	w.seedCodes(t)
	w.seedCalendars(t)
	for schedule, fields := range map[string][]userfields.NewUserField{
		"plan": {
			{ID: "cost", Name: "Cost", Category: userfields.TaskField, Type: userfields.FloatField},
			{ID: "owner", Name: "Owner", Category: userfields.ResourceField, Type: userfields.StringField},
			{ID: "checked", Name: "Checked", Category: userfields.ResourceField, Type: userfields.BooleanField},
			{ID: "size", Name: "Size", Category: userfields.ResourceGroupField, Type: userfields.IntegerField},
		},
		"old": {{ID: "made", Name: "Made", Category: userfields.Entity3DField, Type: userfields.StartDateField}},
	} {
		for _, f := range fields {
			must[userfields.UserField](t)(userfields.In(svc.In(schedule)).CreateUserField(ctx, f))
		}
	}
	text, cost, size := "Main contractor", 1250.5, int64(2)
	for category, n := range map[userfields.UserFieldCategory]userfields.NewUserFieldValue{
		userfields.TaskField:          {TaskID: "dig", UserFieldID: "cost", FloatValue: &cost},
		userfields.ResourceField:      {ResourceID: "crane", UserFieldID: "owner", StringValue: &text},
		userfields.ResourceGroupField: {ResourceGroupID: "crew", UserFieldID: "size", IntValue: &size},
	} {
		must[userfields.UserFieldValue](t)(userfields.In(svc.In("plan")).SetUserFieldValue(ctx, category, n))
	}
	must[userfields.UserFieldValue](t)(userfields.In(svc.In("old")).SetUserFieldValue(ctx, userfields.Entity3DField,
		userfields.NewUserFieldValue{Entity3DID: "wall", UserFieldID: "made", DateValue: twinplatform.At(moment)}))
}

func (w *world) seedAnimation(t testing.TB) {
	ctx := t.Context()
	svc := w.schedules
	for _, n := range []animation.NewAppearanceProfile{
		{
			ID: "install", Name: "Install", Action: animation.InstallAction,
			StartAppearance: &animation.StillAppearance{Transparency: 100, UseOriginalColor: true},
			ActiveAppearance: &animation.ActiveAppearance{
				Color: "#00ff00", StartTransparency: 80, FinishTransparency: 20,
				GrowthSimulation: &animation.GrowthSimulation{Mode: animation.BottomTopGrowth, PauseDuringNonWorkingTime: true},
			},
			EndAppearance: &animation.StillAppearance{UseOriginalColor: true, UseOriginalTransparency: true},
		},
		{ID: "install-slowly", Name: "Install slowly", ParentID: "install"},
		{ID: "remove", Name: "Remove", Action: animation.RemoveAction},
	} {
		must[animation.AppearanceProfile](t)(animation.In(svc.In("plan")).CreateAppearanceProfile(ctx, n))
	}
	must[animation.Transform](t)(animation.In(svc.In("plan")).CreateTransforms(ctx, []animation.NewTransform{
		{ID: "aside", Transform: []float64{1, 0, 0, 12.5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
		{ID: "unused", Transform: make([]float64, 16)},
	}))
	for _, id := range []string{"round", "straight"} {
		must[animation.Path](t)(animation.In(svc.In("plan")).CreatePath(ctx, animation.NewPath{ID: id, Name: "The way " + id}))
	}
	must[animation.Keyframe](t)(animation.In(svc.In("plan")).CreateKeyframes(ctx, []animation.NewKeyframe{
		{ID: "round-0", PathID: "round", Position: &animation.Vector{X: 1, Y: 2, Z: 3}, Rotation: &animation.Rotation{Angle: 90, Z: 1}},
		{ID: "round-1", PathID: "round", Time: 1, Position: &animation.Vector{X: 4.5}},
		{ID: "straight-0", PathID: "straight"},
	}))
	end := 1.0
	for id, path := range map[string]string{"drive": "round", "spare": "round"} {
		must[animation.PathAssignment](t)(animation.In(svc.In("plan")).CreatePathAssignment(ctx, animation.NewPathAssignment{
			ID: id, PathID: path, Alignment: animation.AlignMinZ, Center: &animation.Vector{Z: 0.5}, MotionStart: new(float64), MotionEnd: &end, PauseDuringNonWorkingTime: true,
		}))
	}
	must[animation.Binding](t)(animation.In(svc.In("plan")).CreateBindings(ctx, []animation.NewBinding{
		{ID: "dig-0x1f", AnimatedEntityID: "0x1f", TaskID: "dig", AppearanceProfileID: "install", PathAssignmentID: "drive", TransformID: "aside", ResourceGroupID: "crew"},
		{ID: "pour-0x1f", AnimatedEntityID: "0x1f", TaskID: "pour", AppearanceProfileID: "remove", ResourceID: "concrete", ResourceAssignmentID: "pour-concrete"},
		{ID: "pour-0x2f", AnimatedEntityID: "0x2f", TaskID: "pour"},
	}))
}

func (w *world) seedCalendars(t testing.TB) {
	const week, yard = "week", "yard"
	for _, n := range []schedules.NewCalendar{
		{
			ID: week, Name: "Week",
			DayTypes: []schedules.DayType{{ID: "long", Type: schedules.NormalDay, Color: "#a0b1c2", Description: "Long day", TimeBlocks: []schedules.TimeBlock{
				{StartTime: "07:00", EndTime: "12:00"}, {StartTime: "13:00", EndTime: "18:00"},
			}}},
			Week: schedules.CalendarWeek{MondayDayTypeID: "long", TuesdayDayTypeID: "long", WednesdayDayTypeID: "long", ThursdayDayTypeID: "long"},
			Exceptions: []schedules.CalendarException{{
				Name: "Christmas", StartDate: "2026-12-25", EndDate: "2030-12-26",
				Recurrence: &schedules.Recurrence{Frequency: schedules.YearlyRecurrence, Month: 12, Day: 25},
			}},
		},
		{
			ID: yard, Name: "Yard", ParentID: week, DayTypes: []schedules.DayType{{ID: "off", Type: schedules.NonWorkingDay}},
			Week:       schedules.CalendarWeek{MondayDayTypeID: "off"},
			Exceptions: []schedules.CalendarException{{StartDate: "2026-05-01", DayTypeID: "off"}},
		},
	} {
		must[schedules.Calendar](t)(w.schedules.In("plan").CreateCalendar(t.Context(), n))
	}
}

func (w *world) seedCodes(t testing.TB) {
	ctx := t.Context()
	svc := w.schedules
	for _, n := range []codes.NewCode{
		{ID: "phase", Name: "Phase", Category: codes.ActivityCode},
		{ID: "account", Name: "Account", Category: codes.ActivityCode},
		{ID: "trade", Name: "Trade", Category: codes.ResourceCode},
	} {
		must[codes.Code](t)(codes.In(svc.In("plan")).CreateCode(ctx, n))
	}
	must[codes.CodeValue](t)(codes.In(svc.In("plan")).CreateCodeValues(ctx, []codes.NewCodeValue{
		{ID: "site", CodeID: "phase", Name: "Site", Description: "Before anything stands", Color: "#804000"},
		{ID: "groundwork", CodeID: "phase", Name: "Groundwork", ParentID: "site"},
		{ID: "shell", CodeID: "phase", Name: "Shell"},
		{ID: "labour", CodeID: "account", Name: "Labour"},
		{ID: "electricians", CodeID: "trade", Name: "Electricians"},
	}))
	must[codes.CodeValueAssignment](t)(codes.In(svc.In("plan")).CreateCodeValueAssignments(ctx, []codes.NewCodeValueAssignment{
		{TaskID: "dig", CodeValueID: "groundwork"}, {TaskID: "dig", CodeValueID: "labour"}, {TaskID: "pour", CodeValueID: "shell"},
	}))
	must[schedules.TaskQueryFilter](t)(svc.In("plan").CreateTaskQueryFilter(twinplatform.WithPrincipal(ctx, twinplatform.Principal{ID: "admin", AccountID: "acme", AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}}), schedules.NewTaskQueryFilter{
		ID: "late", Name: "Late", IsShared: true, Version: 2, WithChildren: true,
		TaskConditions: schedules.TaskConditions{
			TaskPlannedFinish: &schedules.DateCondition{Operation: schedules.OrderLess, Values: []twinplatform.DateTime{twinplatform.At(moment)}},
			TaskStatus:        &schedules.StatusCondition{Operation: schedules.WordNotEquals, Values: []schedules.TaskStatus{schedules.Finished}},
		},
	}))
	must[schedules.TaskQueryFilter](t)(svc.In("plan").CreateTaskQueryFilter(ctx, schedules.NewTaskQueryFilter{ID: "pours", Name: "Pours", TaskConditions: schedules.TaskConditions{
		TaskName: &schedules.TextCondition{Operation: schedules.TextContainsFold, Values: []string{"pour"}},
	}}))
	for _, n := range []schedules.NewRule{
		{ID: "concreting", Description: "Concreting", Rate: 12, Unit: units.CubicMeter, UserDefinedID: "RUL00001"},
		{ID: "by-hand", Description: "By hand", ParentID: "concreting", Rate: 1.5, Unit: units.CubicMeter, UserDefinedID: "RUL00002"},
	} {
		must[schedules.Rule](t)(svc.In("plan").CreateRule(ctx, n))
	}
}
