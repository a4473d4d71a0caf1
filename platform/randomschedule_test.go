package platform_test

import (
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// id is one of a few, so that most are there.
func (g *gardener) id(resource string) string { return fmt.Sprintf("%s-%d", resource, g.r.IntN(12)) }

func (g *gardener) plan() {
	ctx, twin := g.inside()
	n := schedules.NewSchedule{
		ID: fmt.Sprint("plan-", g.r.IntN(3)), Name: g.name(), TwinID: twin, ModelID: twinplatform.NullString(g.text()),
		Type: choice(g, []schedules.ScheduleType{schedules.V10, schedules.V65}),
	}
	if _, err := g.Schedules.CreateSchedule(ctx, n); g.do("plan", err) {
		g.plans = append(g.plans, grown{ctx, n.ID, n.Type == schedules.V65})
	}
}

// planned hands over a schedule, if there is one.
func (g *gardener) planned(fn func(p grown)) {
	if p := choice(g, g.plans); p.id != "" {
		fn(p)
	}
}

func (g *gardener) tasks() {
	g.planned(func(p grown) {
		n := schedules.NewTask{
			ID: g.id("task"), Name: g.name(), UserDefinedID: g.text(), Comment: g.text(), URL: g.text(),
			Type: choice(g, []schedules.TaskType{schedules.Work, schedules.Work, schedules.Work, schedules.StartKeyDate, schedules.FinishKeyDate, schedules.ShortHammock, schedules.LongHammock, schedules.DelayTask}),
		}
		if g.often(2) {
			n.ParentID = g.id("task")
		}
		switch n.Type {
		case schedules.FinishKeyDate:
			n.PlannedFinish = g.maybe(g.at())
		case schedules.ShortHammock, schedules.LongHammock:
		case schedules.StartKeyDate:
			n.PlannedStart = g.maybe(g.at())
		default:
			n.PlannedStart = g.maybe(g.at())
			if g.often(3) {
				n.PlannedDuration = new(int32(g.r.IntN(1_000_000)))
			}
		}
		_, err := g.Schedules.CreateTask(p.ctx, p.id, n)
		if err != nil {
			n.ParentID, n.UserDefinedID = "", ""
			_, err = g.Schedules.CreateTask(p.ctx, p.id, n)
		}
		g.do("task", err)
	})
}

func (g *gardener) taskChange() {
	g.planned(func(p grown) {
		var patch schedules.TaskPatch
		name := ""
		switch g.r.IntN(8) {
		case 0:
			name, patch.Status = "started", twinplatform.Set(schedules.Started)
			if g.often(2) {
				patch.ActualStart, patch.PercentComplete = twinplatform.Set(g.at()), twinplatform.Set(int32(g.r.IntN(101)))
			}
		case 1:
			name, patch.Status = "finished", twinplatform.Set(schedules.Finished)
			if g.often(2) {
				patch.ActualFinish = twinplatform.Set(g.at())
			}
		case 2:
			name, patch.Status = "planned", twinplatform.Set(schedules.Planned)
		case 3:
			name, patch.Type = "retyped", twinplatform.Set(choice(g, []schedules.TaskType{schedules.Work, schedules.FinishKeyDate, schedules.ShortHammock, schedules.RFITask}))
		case 4:
			name, patch.ConstraintType = "constrained", twinplatform.Set(schedules.StartBetween)
			patch.ConstraintEarlyDate, patch.ConstraintLateDate, patch.ExpectedFinish = twinplatform.Set(g.at()), twinplatform.Set(g.at()), twinplatform.Set(g.at())
		case 5:
			name, patch.PhysicalQuantity = "measured", twinplatform.Set(float64(g.r.IntN(100))/7)
			patch.ActualPhysicalQuantity, patch.EstimatedRate = twinplatform.Set(float64(g.r.IntN(100))), twinplatform.Set(0.1)
			patch.PhysicalQuantityUnit = twinplatform.Set(units.ResourceUnitType("Meter"))
		case 6:
			name, patch.PlannedStart = "moved", twinplatform.Set(g.at())
		case 7:
			name, patch.ParentID = "reparented", twinplatform.Set(g.id("task"))
		}
		_, err := g.Schedules.In(p.id).UpdateTask(p.ctx, g.id("task"), patch)
		g.do("task."+name, err)
	})
}

func (g *gardener) links() {
	g.planned(func(p grown) {
		_, err := g.Schedules.In(p.id).CreateTaskLinks(p.ctx, []schedules.NewTaskLink{{
			ID: g.id("link"), PredecessorID: g.id("task"), SuccessorID: g.id("task"), Lag: int32(g.r.IntN(2000) - 1000),
			Type: choice(g, []schedules.TaskLinkType{schedules.FinishToStart, schedules.StartToStart, schedules.FinishToFinish, schedules.StartToFinish}),
		}})
		g.do("link", err)
	})
}

func (g *gardener) resources() {
	g.planned(func(p grown) {
		n := schedules.NewResource{
			ID: g.id("resource"), Name: g.name(), Description: g.text(), LeadTime: int32(g.r.IntN(100)), RuleID: g.text(),
			Type: choice(g, []schedules.ResourceType{schedules.MaterialResource, schedules.LocationResource, schedules.EquipmentResource, schedules.HumanResource, schedules.UnknownResourceType}),
		}
		if g.often(2) {
			n.ParentID = g.id("resource")
		}
		if g.often(2) {
			n.Renewable, n.Quantity = new(g.often(2)), new(float64(n.LeadTime/2))
		}
		if n.Type == schedules.HumanResource {
			n.Email = "crew@example.com"
		}
		if g.often(3) {
			n.CalendarID = g.id("calendar")
		}
		_, err := g.Schedules.In(p.id).CreateResource(p.ctx, n)
		if err != nil {
			n.ParentID, n.CalendarID = "", ""
			_, err = g.Schedules.In(p.id).CreateResource(p.ctx, n)
		}
		g.do("resource", err)
		_, err = g.Schedules.In(p.id).UpdateResource(p.ctx, g.id("resource"), schedules.ResourcePatch{Name: twinplatform.Set(g.name()), Description: twinplatform.Set(g.text())})
		g.do("resource.update", err)
	})
}

func (g *gardener) assignments() {
	g.planned(func(p grown) {
		id := g.id("assignment")
		n := schedules.NewResourceAssignment{
			ID: id, TaskID: g.id("task"), ResourceID: g.id("resource"), AppearanceProfileID: g.name(),
			PlannedUtilization: schedules.Utilization{ResourceCount: float64(g.r.IntN(5)), ResourceUnits: float64(g.r.IntN(9)), PercentOfTotalResourceUnitsPerDay: 100 * g.r.Float64()},
		}
		if g.often(2) {
			n.RemainingUtilization = &schedules.Utilization{ResourceUnitsPerDay: g.r.Float64()}
		}
		_, err := g.Schedules.In(p.id).CreateResourceAssignment(p.ctx, n)
		g.do("assignment", err)
		_, err = g.Schedules.In(p.id).UpdateResourceAssignment(p.ctx, id, schedules.ResourceAssignmentPatch{ResourceAssignmentFields: schedules.ResourceAssignmentFields{
			ActualUtilization: twinplatform.Set(schedules.ActualUtilization{ResourceUnits: float64(g.r.IntN(9))}),
		}})
		g.do("assignment.update", err)
	})
}

func (g *gardener) group() {
	g.planned(func(p grown) {
		id := g.id("group")
		_, err := g.Schedules.In(p.id).CreateResourceGroup(p.ctx, schedules.NewResourceGroup{ID: id, Name: g.name(), Description: g.text(), URL: g.text()})
		g.do("group", err)
		_, err = g.Schedules.In(p.id).UpdateResourceGroup(p.ctx, id, schedules.ResourceGroupPatch{ForemanResourceID: twinplatform.Set(g.id("resource"))})
		g.do("group.foreman", err)
		for range 3 {
			_, err = g.Schedules.In(p.id).AddResourcesToGroup(p.ctx, id, []string{g.id("resource")})
			g.do("group.member", err)
		}
	})
}

func (g *gardener) statuses() {
	g.planned(func(p grown) {
		category, set, item, status := g.id("category"), g.id("set"), g.id("item"), g.id("status")
		_, err := statuses.In(g.Schedules.In(p.id)).CreateResourceStatusCategory(p.ctx, statuses.NewResourceStatusCategory{ID: category, Name: g.name()})
		g.do("category", err)
		_, err = statuses.In(g.Schedules.In(p.id)).CreateResourceStatusSet(p.ctx, statuses.NewResourceStatusSet{ID: set, Name: g.name(), StatusCategoryID: category})
		g.do("set", err)
		_, err = statuses.In(g.Schedules.In(p.id)).CreateResourceStatusItem(p.ctx, statuses.NewResourceStatusItem{
			ID: item, Name: g.name(), StatusSetID: set, Color: "#12ab56", IsVisible: new(g.often(2)), Transparency: int32(g.r.IntN(100)),
			UseOriginalTransparency: g.often(2),
		})
		g.do("item", err)
		_, err = statuses.In(g.Schedules.In(p.id)).CreateStatusHistoryItem(p.ctx, statuses.NewStatusHistoryItem{
			ID: status, ResourceID: g.id("resource"), StatusItemID: item, Date: g.at(), IsCritical: g.often(2), Note: g.text(),
		})
		g.do("status", err)
		patch := statuses.StatusHistoryItemPatch{Note: twinplatform.Set(g.name())}
		if g.often(2) {
			patch.IsCritical = twinplatform.Set(true)
			patch.CriticalUntil = twinplatform.Set(twinplatform.At(time.Date(2190, 1, 2, 3, g.r.IntN(60), 5, 600e6, time.UTC)))
		}
		_, err = statuses.In(g.Schedules.In(p.id)).UpdateStatusHistoryItem(p.ctx, status, patch)
		g.do("status.update", err)
	})
}

func (g *gardener) appearances() {
	g.planned(func(p grown) {
		id := g.id("profile")
		n := animation.NewAppearanceProfile{
			ID: id, Name: g.name(), Action: choice(g, []animation.AppearanceAction{"", animation.InstallAction, animation.RemoveAction}),
			StartAppearance: &animation.StillAppearance{Color: "#12ab56", Transparency: int32(g.r.IntN(101)), UseOriginalColor: g.often(2)},
		}
		if g.often(2) {
			n.ParentID = g.id("profile")
		}
		if g.often(2) {
			n.ActiveAppearance = &animation.ActiveAppearance{
				FinishTransparency: 5, GrowthSimulation: &animation.GrowthSimulation{Mode: animation.CustomGrowth, Direction: &animation.Vector{X: g.r.Float64(), Z: -1}},
			}
		}
		_, err := animation.In(g.Schedules.In(p.id)).CreateAppearanceProfile(p.ctx, n)
		g.do("profile", err)
		patch := animation.AppearanceProfilePatch{Name: twinplatform.Set(g.name())}
		if g.often(2) {
			patch.ParentID = twinplatform.Set(g.id("profile"))
		}
		_, err = animation.In(g.Schedules.In(p.id)).UpdateAppearanceProfile(p.ctx, g.id("profile"), patch)
		g.do("profile.update", err)
		if g.often(6) {
			_, err = animation.In(g.Schedules.In(p.id)).DeleteAppearanceProfile(p.ctx, g.id("profile"))
			g.do("profile.delete", err)
		}
	})
}

func (g *gardener) animations() {
	g.planned(func(p grown) {
		transform, path, along, binding := g.id("transform"), g.id("path"), g.id("along"), g.id("binding")
		matrix := make([]float64, 16)
		for i := range matrix {
			matrix[i] = g.r.Float64()
		}
		_, err := animation.In(g.Schedules.In(p.id)).CreateTransform(p.ctx, animation.NewTransform{ID: transform, Transform: matrix})
		g.do("transform", err)
		_, err = animation.In(g.Schedules.In(p.id)).CreatePath(p.ctx, animation.NewPath{ID: path, Name: g.text()})
		g.do("path", err)
		_, err = animation.In(g.Schedules.In(p.id)).CreateKeyframe(p.ctx, animation.NewKeyframe{
			ID: g.id("keyframe"), PathID: path, Time: g.r.Float64(), Position: &animation.Vector{X: g.r.Float64()}, Rotation: &animation.Rotation{Angle: 0.5},
		})
		g.do("keyframe", err)
		end := g.r.Float64()
		_, err = animation.In(g.Schedules.In(p.id)).CreatePathAssignment(p.ctx, animation.NewPathAssignment{
			ID: along, PathID: path, MotionEnd: &end, Alignment: animation.AlignMaxY, ReverseDirection: g.often(2),
		})
		g.do("path.assignment", err)
		_, err = animation.In(g.Schedules.In(p.id)).CreateBinding(p.ctx, animation.NewBinding{
			ID: binding, AnimatedEntityID: g.name(), TaskID: g.id("task"), TransformID: transform, PathAssignmentID: along,
		})
		g.do("binding", err)
		patch := animation.BindingPatch{AnimatedEntityID: twinplatform.Set("0x" + g.name())}
		if g.often(2) {
			patch.AppearanceProfileID = twinplatform.Set(g.id("profile"))
		}
		if g.often(2) {
			patch.ResourceID = twinplatform.Set(g.id("resource"))
		}
		_, err = animation.In(g.Schedules.In(p.id)).UpdateBinding(p.ctx, binding, patch)
		g.do("binding.update", err)
	})
}

func (g *gardener) codes() {
	g.planned(func(p grown) {
		code, value, task := g.id("code"), g.id("codevalue"), g.id("task")
		_, err := codes.In(g.Schedules.In(p.id)).CreateCode(p.ctx, codes.NewCode{
			ID: code, Name: g.name(), Category: choice(g, []codes.CodeCategory{codes.ActivityCode, codes.ActivityCode, codes.CostCode, codes.ResourceGroupCode}),
		})
		g.do("code", err)
		_, err = codes.In(g.Schedules.In(p.id)).UpdateCode(p.ctx, code, codes.CodePatch{Name: twinplatform.Set(g.name())})
		g.do("code.update", err)
		n := codes.NewCodeValue{ID: value, CodeID: code, Name: g.name(), Description: g.text(), Color: "#12ab56"}
		if g.often(2) {
			n.ParentID = g.id("codevalue")
		}
		_, err = codes.In(g.Schedules.In(p.id)).CreateCodeValue(p.ctx, n)
		g.do("code.value", err)
		patch := codes.CodeValuePatch{Color: twinplatform.Null[string]()}
		if g.often(2) {
			patch.ParentID = twinplatform.Set(g.id("codevalue"))
		}
		_, err = codes.In(g.Schedules.In(p.id)).UpdateCodeValue(p.ctx, value, patch)
		g.do("code.value.update", err)
		_, err = codes.In(g.Schedules.In(p.id)).CreateCodeValueAssignment(p.ctx, codes.NewCodeValueAssignment{TaskID: task, CodeValueID: value})
		g.do("code.assignment", err)
		if g.often(3) {
			g.do("code.assignment.delete", codes.In(g.Schedules.In(p.id)).DeleteCodeValueAssignment(p.ctx, task, value))
		}
		if g.often(6) {
			_, err = codes.In(g.Schedules.In(p.id)).DeleteCode(p.ctx, g.id("code"))
			g.do("code.delete", err)
		}
	})
}

func (g *gardener) calendars() {
	g.planned(func(p grown) {
		day := schedules.DayType{ID: "day", Type: schedules.NormalDay, Description: g.text(), TimeBlocks: []schedules.TimeBlock{{StartTime: fmt.Sprintf("0%d:30", g.r.IntN(10)), EndTime: "24:00"}}}
		n := schedules.NewCalendar{
			ID: g.id("calendar"), Name: g.name(), DayTypes: []schedules.DayType{day, {ID: "off", Type: schedules.NonWorkingDay, Color: "#a0b1c2"}},
			Week: schedules.CalendarWeek{MondayDayTypeID: "day", ThursdayDayTypeID: "day"},
			Exceptions: []schedules.CalendarException{
				{Name: g.text(), StartDate: "2026-01-06", DayTypeID: "day"},
				{StartDate: "2026-01-01", EndDate: "2027-01-01", Recurrence: &schedules.Recurrence{Frequency: schedules.MonthlyRecurrence, Position: "Last", Weekdays: []schedules.Weekday{"Thursday"}}},
			},
		}
		if g.often(2) {
			n.ParentID = g.id("calendar")
		}
		_, err := g.Schedules.In(p.id).CreateCalendar(p.ctx, n)
		g.do("calendar", err)
		patch := schedules.CalendarPatch{Name: twinplatform.Set(g.name())}
		if g.often(3) {
			patch.ParentID = twinplatform.Set(g.id("calendar"))
		}
		_, err = g.Schedules.In(p.id).UpdateCalendar(p.ctx, g.id("calendar"), patch)
		g.do("calendar.update", err)
		_, err = g.Schedules.In(p.id).UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{CalendarID: twinplatform.Set(g.id("calendar")), TimeZone: twinplatform.Set(choice(g, []string{"UTC", "Europe/Berlin", "America/St_Johns"}))})
		g.do("calendar.default", err)
		_, err = g.Schedules.In(p.id).UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{Projects: twinplatform.Set([]schedules.Project{
			{ID: "tower", Code: g.name()}, {ID: "yard", Name: g.name(), CalendarID: twinplatform.NullString(g.id("calendar")), CriticalFloat: 3600},
		})})
		g.do("projects", err)
		_, err = g.Schedules.In(p.id).UpdateTask(p.ctx, g.id("task"), schedules.TaskPatch{CalendarID: twinplatform.Set(g.id("calendar")), ProjectID: twinplatform.Set("yard")})
		g.do("calendar.task", err)
		if g.often(3) {
			_, err = g.Schedules.In(p.id).DeleteCalendar(p.ctx, g.id("calendar"))
			g.do("calendar.delete", err)
		}
	})
}

func (g *gardener) rules() {
	g.planned(func(p grown) {
		n := schedules.NewRule{ID: g.id("rule"), Description: g.text(), Rate: g.r.Float64(), Unit: units.Pair, UserDefinedID: g.name()}
		if g.often(2) {
			n.ParentID = g.id("rule")
		}
		_, err := g.Schedules.In(p.id).CreateRule(p.ctx, n)
		g.do("rule", err)
		_, err = g.Schedules.In(p.id).UpdateRule(p.ctx, g.id("rule"), schedules.RulePatch{Rate: twinplatform.Set(g.r.Float64()), Unit: twinplatform.Null[units.ResourceUnitType]()})
		g.do("rule.update", err)
		_, err = g.Schedules.In(p.id).CreateTaskQueryFilter(p.ctx, schedules.NewTaskQueryFilter{
			ID: g.id("filter"), Name: g.name(), Version: 3, IsShared: g.often(2),
			TaskConditions: schedules.TaskConditions{TaskName: &schedules.TextCondition{Operation: schedules.TextEndsWith, Values: []string{g.name()}}},
		})
		g.do("filter", err)
		_, err = g.Schedules.In(p.id).UpdateTaskQueryFilter(p.ctx, g.id("filter"), schedules.NewTaskQueryFilter{Name: g.name(), WithChildren: true})
		g.do("filter.update", err)
		_, err = g.Schedules.In(p.id).UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{DataDate: twinplatform.Set(twinplatform.At(time.Date(2026, 1, 1+g.r.IntN(28), 0, 0, 0, 0, time.UTC)))})
		g.do("data.date", err)
		if g.often(6) {
			_, err = g.Schedules.In(p.id).DeleteRule(p.ctx, g.id("rule"))
			g.do("rule.delete", err)
		}
	})
}

var fieldTypes = []userfields.UserFieldType{userfields.IntegerField, userfields.StringField, userfields.StartDateField, userfields.BooleanField, userfields.FloatField}

func (g *gardener) fields() {
	g.planned(func(p grown) {
		for _, category := range []userfields.UserFieldCategory{userfields.TaskField, userfields.ResourceField, userfields.ResourceGroupField, userfields.Entity3DField} {
			fieldType := choice(g, fieldTypes)
			_, err := userfields.In(g.Schedules.In(p.id)).CreateUserField(p.ctx, userfields.NewUserField{ID: "field-" + string(category) + string(fieldType), Name: g.name(), Category: category, Type: fieldType, Color: "#000000"})
			g.do("field", err)
		}
	})
}

func (g *gardener) values() {
	g.planned(func(p grown) {
		for _, b := range []struct {
			category userfields.UserFieldCategory
			n        userfields.NewUserFieldValue
		}{
			{userfields.TaskField, userfields.NewUserFieldValue{TaskID: g.id("task")}},
			{userfields.ResourceField, userfields.NewUserFieldValue{ResourceID: g.id("resource")}},
			{userfields.ResourceGroupField, userfields.NewUserFieldValue{ResourceGroupID: g.id("group")}},
			{userfields.Entity3DField, userfields.NewUserFieldValue{Entity3DID: g.id("entity")}},
		} {
			for _, fieldType := range fieldTypes {
				n := b.n
				n.UserFieldID = "field-" + string(b.category) + string(fieldType)
				switch fieldType {
				case userfields.IntegerField:
					n.IntValue = new(g.r.Int64() - g.r.Int64())
				case userfields.FloatField:
					n.FloatValue = new(g.r.NormFloat64())
				case userfields.BooleanField:
					n.BoolValue = new(g.often(2))
				case userfields.StartDateField:
					n.DateValue = g.at()
				default:
					n.StringValue = new(g.text())
				}
				_, err := userfields.In(g.Schedules.In(p.id)).SetUserFieldValue(p.ctx, b.category, n)
				g.do("value."+string(b.category)+string(fieldType), err)
			}
		}
	})
}

func (g *gardener) entities() {
	g.planned(func(p grown) {
		n := animation.NewEntity3D{ID: g.id("entity"), Name: g.name(), ModelElementID: twinplatform.NullString(g.text())}
		if g.often(2) {
			n.ParentID = twinplatform.NullString(g.id("entity"))
		}
		if g.often(2) {
			n.ResourceID = twinplatform.NullString(g.id("resource"))
		}
		_, err := animation.In(g.Schedules.In(p.id)).CreateEntity3D(p.ctx, n)
		if err != nil {
			n.ParentID, n.ResourceID = "", ""
			_, err = animation.In(g.Schedules.In(p.id)).CreateEntity3D(p.ctx, n)
		}
		g.do("entity", err)
		_, err = animation.In(g.Schedules.In(p.id)).UpdateEntity3D(p.ctx, n.ID, animation.Entity3DPatch{ResourceID: twinplatform.Set(g.id("resource"))})
		g.do("entity.resource", err)
	})
}

func (g *gardener) baseline() {
	g.planned(func(p grown) {
		_, err := g.Schedules.In(p.id).CreateBaseline(p.ctx, schedules.NewBaseline{ID: g.id("baseline"), Name: g.name()})
		g.do("baseline", err)
	})
}

func (g *gardener) synchronizer() {
	g.planned(func(p grown) {
		y := synchronizers.Synchronizer{
			ID: g.id("synchronizer"), SynchronizerName: g.name(), ProjectName: g.text(), OriginalProjectPath: g.text(), SynchronizationTime: g.maybe(g.at()),
			Projects:               []synchronizers.PlannerProject{{ID: g.id("project"), UserDefinedID: g.text()}},
			SynchronizationDetails: synchronizers.SynchronizationDetails{Warnings: []synchronizers.SynchronizationWarning{{Message: g.text()}}, Created: synchronizers.SynchronizationCounts{Tasks: new(7)}},
		}
		_, err := synchronizers.In(g.Schedules.In(p.id)).CreateSynchronizer(p.ctx, y)
		g.do("synchronizer", err)
		_, err = synchronizers.In(g.Schedules.In(p.id)).UpdateSynchronizer(p.ctx, g.id("synchronizer"), synchronizers.SynchronizerPatch{
			ProjectName: twinplatform.Set(g.text()), ProjectPath: twinplatform.Set(g.text()), SynchronizationType: twinplatform.Set(synchronizers.SynchronizationTo),
		})
		g.do("synchronizer.update", err)
	})
}
