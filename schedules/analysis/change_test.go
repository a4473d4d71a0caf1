package analysis_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/plantest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
)

// changer changes a plan at random. What the schedule refuses changes nothing.
type changer struct {
	*world
	*rand.Rand
	story strings.Builder // what was taken
	taken map[string]int  // how often by this plan, by the name of the change
	all   map[string]int  // also, by all plans
}

// planned is how many tasks a plan has, by ids such as t07, besides those that it imports.
const planned = 14

func newChanger(w *world, r *rand.Rand, all map[string]int) *changer {
	c := &changer{world: w, Rand: r, taken: make(map[string]int), all: all}
	in := w.nodes[0].In(w.id)
	w.must(in.CreateCalendar(w.ctx, c.calendar("c0")))
	for range planned {
		c.createTask(in)
	}
	for range planned {
		c.createLink(in)
	}
	c.createResource(in)
	return c
}

func (c *changer) id() string         { return fmt.Sprintf("t%02d", c.IntN(planned)) }
func (c *changer) calendarID() string { return choice(c, []string{"", "c0", "c1", "c2"}) }

// orNull is an id, or null for none.
func orNull(id string) twinplatform.Optional[string] {
	if id == "" {
		return twinplatform.Null[string]()
	}
	return twinplatform.Set(id)
}

func choice[V any](c *changer, from []V) V { return from[c.IntN(len(from))] }

// some are so many of all at most.
func (c *changer) some(all []string, n int) (picked []string) {
	for _, i := range c.Perm(len(all))[:min(n, len(all))] {
		picked = append(picked, all[i])
	}
	return picked
}

// task is the id of one that may be there.
func (c *changer) task() string {
	if all := c.tasks(); len(all) > 0 && c.IntN(4) > 0 {
		return choice(c, all)
	}
	return c.id()
}

// date is one of a few weeks, or none.
func (c *changer) date() twinplatform.Optional[twinplatform.DateTime] {
	if c.IntN(5) == 0 {
		return twinplatform.Null[twinplatform.DateTime]()
	}
	return twinplatform.Set(at(c.IntN(500)))
}

func (c *changer) hours(most int) int32 { return int32(c.IntN(most) * 1800) }

func (c *changer) sometimes() twinplatform.Optional[bool] { return twinplatform.Set(c.IntN(3) == 0) }

var constraints = []schedules.ConstraintType{
	schedules.NoConstraint, schedules.CannotReschedule, schedules.StartAsap, schedules.StartAlap, schedules.StartOn, schedules.StartAfter, schedules.StartBefore,
	schedules.StartBetween, schedules.FinishOn, schedules.FinishAfter, schedules.FinishBefore, schedules.FinishBetween,
}

var taskTypes = []schedules.TaskType{
	schedules.Work, schedules.Work, schedules.DelayTask, schedules.StartKeyDate, schedules.FinishKeyDate, schedules.LongHammock, schedules.ShortHammock,
}

// taskMembers are the members of a patch of a task that may move dates, or what of it is shown,
// each with what gives it another value.
var taskMembers = map[string]func(c *changer, p *schedules.TaskPatch){
	"Name": func(c *changer, p *schedules.TaskPatch) {
		p.Name = twinplatform.Set(fmt.Sprint("Träger ", c.IntN(99)))
	},
	"UserDefinedID": func(c *changer, p *schedules.TaskPatch) {
		p.UserDefinedID = twinplatform.Set(fmt.Sprint("A", c.IntN(99)))
	},
	"Type": func(c *changer, p *schedules.TaskPatch) { p.Type = twinplatform.Set(choice(c, taskTypes)) },
	"ParentID": func(c *changer, p *schedules.TaskPatch) {
		p.ParentID = orNull(choice(c, []string{"", c.task()}))
	},
	"ActualStart": func(c *changer, p *schedules.TaskPatch) {
		p.Status, p.ActualStart = twinplatform.Set(schedules.Started), c.date()
	},
	"ActualFinish": func(c *changer, p *schedules.TaskPatch) {
		p.Status, p.ActualFinish = twinplatform.Set(schedules.Finished), c.date()
	},
	"PercentComplete": func(c *changer, p *schedules.TaskPatch) {
		p.Status, p.PercentComplete = twinplatform.Set(schedules.Started), twinplatform.Set(int32(c.IntN(101)))
	},
	"RemainingDuration":     func(c *changer, p *schedules.TaskPatch) { p.RemainingDuration = twinplatform.Set(c.hours(60)) },
	"PlannedStart":          func(c *changer, p *schedules.TaskPatch) { p.PlannedStart = c.date() },
	"PlannedFinish":         func(c *changer, p *schedules.TaskPatch) { p.PlannedFinish = c.date() },
	"PlannedDuration":       func(c *changer, p *schedules.TaskPatch) { p.PlannedDuration = twinplatform.Set(c.hours(80)) },
	"ExpectedFinish":        func(c *changer, p *schedules.TaskPatch) { p.ExpectedFinish = c.date() },
	"Deadline":              func(c *changer, p *schedules.TaskPatch) { p.Deadline = c.date() },
	"ExternalEarlyStart":    func(c *changer, p *schedules.TaskPatch) { p.ExternalEarlyStart = c.date() },
	"ExternalLateFinish":    func(c *changer, p *schedules.TaskPatch) { p.ExternalLateFinish = c.date() },
	"ConstraintEarlyDate":   func(c *changer, p *schedules.TaskPatch) { p.ConstraintEarlyDate = c.date() },
	"ConstraintLateDate":    func(c *changer, p *schedules.TaskPatch) { p.ConstraintLateDate = c.date() },
	"SecondConstraintDate":  func(c *changer, p *schedules.TaskPatch) { p.SecondConstraintDate = c.date() },
	"SuspendDate":           func(c *changer, p *schedules.TaskPatch) { p.SuspendDate = c.date() },
	"ResumeDate":            func(c *changer, p *schedules.TaskPatch) { p.ResumeDate = c.date() },
	"IsInactive":            func(c *changer, p *schedules.TaskPatch) { p.IsInactive = c.sometimes() },
	"IsPlaceholder":         func(c *changer, p *schedules.TaskPatch) { p.IsPlaceholder = c.sometimes() },
	"IsSummary":             func(c *changer, p *schedules.TaskPatch) { p.IsSummary = c.sometimes() },
	"IsMandatory":           func(c *changer, p *schedules.TaskPatch) { p.IsMandatory = c.sometimes() },
	"UsesResourceCalendars": func(c *changer, p *schedules.TaskPatch) { p.UsesResourceCalendars = twinplatform.Set(c.IntN(3) > 0) },
	"PhysicalPercentComplete": func(c *changer, p *schedules.TaskPatch) {
		p.PhysicalPercentComplete = twinplatform.Set(float64(c.IntN(101)))
	},
	"CalendarID": func(c *changer, p *schedules.TaskPatch) { p.CalendarID = orNull(c.calendarID()) },
	"ProjectID": func(c *changer, p *schedules.TaskPatch) {
		p.ProjectID = orNull(choice(c, []string{"", "p0", "p1"}))
	},
	"Status": func(c *changer, p *schedules.TaskPatch) {
		p.Status = twinplatform.Set(choice(c, []schedules.TaskStatus{schedules.Planned, schedules.Planned, schedules.Started, schedules.Finished}))
	},
	"PercentCompleteType": func(c *changer, p *schedules.TaskPatch) {
		p.PercentCompleteType = twinplatform.Set(choice(c, []schedules.PercentCompleteType{schedules.PercentOfDuration, schedules.PercentOfUnits, schedules.PercentPhysical}))
	},
	"ConstraintType": func(c *changer, p *schedules.TaskPatch) {
		p.ConstraintType, p.ConstraintEarlyDate, p.ConstraintLateDate = twinplatform.Set(choice(c, constraints)), c.date(), c.date()
	},
	"SecondConstraintType": func(c *changer, p *schedules.TaskPatch) {
		p.SecondConstraintType, p.SecondConstraintDate = twinplatform.Set(choice(c, constraints)), c.date()
	},
	"Splits": func(c *changer, p *schedules.TaskPatch) {
		p.Splits = twinplatform.Set([]schedules.TaskSplit{{After: 1 + c.hours(9), Duration: 1 + c.hours(30)}, {After: 20_000 + c.hours(9), Duration: 1 + c.hours(9)}}[:1+c.IntN(2)])
	},
}

// still are the members of a patch of a task that move nothing.
var still = []string{
	"ID", "TaskAsRead", "StatusID", "PhysicalQuantity", "ActualPhysicalQuantity", "PhysicalQuantityUnit", "EstimatedRate", "Priority", "Expenses", "Notes", "Steps",
	"Comment", "URL",
}

// settingMembers are those of a patch of the settings.
var settingMembers = map[string]func(c *changer, p *schedules.ProjectSchedulingPatch){
	"DataDate":             func(c *changer, p *schedules.ProjectSchedulingPatch) { p.DataDate = c.date() },
	"CalendarID":           func(c *changer, p *schedules.ProjectSchedulingPatch) { p.CalendarID = orNull(c.calendarID()) },
	"CriticalFloat":        func(c *changer, p *schedules.ProjectSchedulingPatch) { p.CriticalFloat = twinplatform.Set(c.hours(20)) },
	"FloatToLastProject":   func(c *changer, p *schedules.ProjectSchedulingPatch) { p.FloatToLastProject = c.sometimes() },
	"IgnoreExpectedFinish": func(c *changer, p *schedules.ProjectSchedulingPatch) { p.IgnoreExpectedFinish = c.sometimes() },
	"IgnoreExternalDates":  func(c *changer, p *schedules.ProjectSchedulingPatch) { p.IgnoreExternalDates = c.sometimes() },
	"IsAutomatic":          func(c *changer, p *schedules.ProjectSchedulingPatch) { p.IsAutomatic = c.sometimes() },
	"MustFinishBy":         func(c *changer, p *schedules.ProjectSchedulingPatch) { p.MustFinishBy = c.date() },
	"OpenEndsCritical":     func(c *changer, p *schedules.ProjectSchedulingPatch) { p.OpenEndsCritical = c.sometimes() },
	"StartDate":            func(c *changer, p *schedules.ProjectSchedulingPatch) { p.StartDate = c.date() },
	"TimeZone": func(c *changer, p *schedules.ProjectSchedulingPatch) {
		p.TimeZone = twinplatform.Set(choice(c, []string{"UTC", "Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns"}))
	},
	"CriticalPathType": func(c *changer, p *schedules.ProjectSchedulingPatch) {
		p.CriticalPathType = twinplatform.Set(choice(c, []schedules.CriticalPathType{schedules.CriticalByFloat, schedules.CriticalLongest}))
	},
	"TotalFloatType": func(c *changer, p *schedules.ProjectSchedulingPatch) {
		p.TotalFloatType = twinplatform.Set(choice(c, []schedules.TotalFloatType{
			schedules.FinishFloat, schedules.StartFloat, schedules.SmallestFloat,
		}))
	},
	"LagCalendar": func(c *changer, p *schedules.ProjectSchedulingPatch) {
		p.LagCalendar = twinplatform.Set(choice(c, []schedules.LagCalendar{
			schedules.LagByProfile, schedules.LagOfPredecessor, schedules.LagOfSuccessor, schedules.LagOfSchedule, schedules.LagElapsed,
		}))
	},
	"Profile": func(c *changer, p *schedules.ProjectSchedulingPatch) {
		p.Profile = twinplatform.Set(choice(c, []schedules.SchedulingProfile{schedules.ProfileP6, schedules.ProfileMicrosoftProject}))
	},
	"ProgressMode": func(c *changer, p *schedules.ProjectSchedulingPatch) {
		p.ProgressMode = twinplatform.Set(choice(c, []schedules.ProgressMode{schedules.RetainedLogic, schedules.ProgressOverride, schedules.ActualDates}))
	},
	"Projects": func(c *changer, p *schedules.ProjectSchedulingPatch) {
		all := []schedules.Project{{ID: "p0", Name: "First"}, {
			ID: "p1", Code: "P1", CalendarID: twinplatform.NullString(c.calendarID()), CriticalFloat: c.hours(20), DataDate: c.date().Or(twinplatform.DateTime{}),
			MustFinishBy: c.date().Or(twinplatform.DateTime{}), StartDate: c.date().Or(twinplatform.DateTime{}), IgnoreExternalDates: c.IntN(2) == 0,
			CriticalPathType: choice(c, []schedules.CriticalPathType{schedules.CriticalByFloat, schedules.CriticalLongest}),
		}}
		p.Projects = twinplatform.Set(all[:c.IntN(3)])
	},
}

// stillSettings are the members of a patch of the settings that move nothing.
var stillSettings = []string{"Type", "DataDateType", "Code", "ExternalID", "Notes"}

// TestEveryMemberThatMayMoveDatesIsChanged holds the tables to the patches that they are of.
func TestEveryMemberThatMayMoveDatesIsChanged(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		patch   reflect.Type
		changed []string
	}{
		{reflect.TypeFor[schedules.TaskPatch](), slices.Concat(slices.Collect(maps.Keys(taskMembers)), still)},
		{reflect.TypeFor[schedules.ProjectSchedulingPatch](), slices.Concat(slices.Collect(maps.Keys(settingMembers)), stillSettings)},
	} {
		for f := range of.patch.Fields() {
			if !slices.Contains(of.changed, f.Name) {
				t.Errorf("%v: %s is neither changed at random nor among those that move nothing", of.patch, f.Name)
			}
		}
	}
}

// other are changes besides those of members, by their names.
var other = map[string]func(c *changer, in schedules.Plan) error{
	"task":            (*changer).createTask,
	"link":            (*changer).createLink,
	"end of a link":   (*changer).updateLink,
	"resource":        (*changer).createResource,
	"resource's time": (*changer).updateResource,
	"calendar": func(c *changer, in schedules.Plan) error {
		_, err := in.CreateCalendar(c.ctx, c.calendar(choice(c, []string{"c0", "c1", "c2"})))
		return err
	},
	"week of a calendar": func(c *changer, in schedules.Plan) error {
		n := c.calendar(choice(c, []string{"c0", "c1", "c2"}))
		_, err := in.UpdateCalendar(c.ctx, n.ID, schedules.CalendarPatch{
			ParentID: orNull(n.ParentID), DayTypes: twinplatform.Set(n.DayTypes), Week: twinplatform.Set(n.Week), Exceptions: twinplatform.Set(n.Exceptions),
		})
		return err
	},
	"deletion of a task": func(c *changer, in schedules.Plan) error {
		_, err := in.DeleteTasks(c.ctx, []string{c.task()})
		return err
	},
	"deletion of a link": func(c *changer, in schedules.Plan) error {
		_, err := in.DeleteTaskLinks(c.ctx, []string{c.link()})
		return err
	},
	"deletion of a calendar": func(c *changer, in schedules.Plan) error {
		// Of those that are in use none can be deleted.
		ids := []string{"c0", "c1", "c2"}
		var err error
		for _, i := range c.Perm(len(ids)) {
			if _, err = in.DeleteCalendar(c.ctx, ids[i]); err == nil {
				return nil
			}
		}
		return err
	},
	"deletion of a resource": (*changer).deleteResource,
	"baseline": func(c *changer, in schedules.Plan) error {
		_, err := in.CreateBaseline(c.ctx, schedules.NewBaseline{ID: choice(c, baselines), Name: "Then", IsCurrent: c.IntN(2) == 0})
		return err
	},
	"deletion of a baseline": func(c *changer, in schedules.Plan) error {
		_, err := in.DeleteBaselines(c.ctx, []string{choice(c, baselines)})
		return err
	},
	"rescheduling": func(c *changer, in schedules.Plan) error {
		_, err := scheduling.In(in).Reschedule(c.ctx, scheduling.Rescheduling{})
		return err
	},
	"rescheduling of a task": func(c *changer, in schedules.Plan) error {
		_, err := scheduling.In(in).Reschedule(c.ctx, scheduling.Rescheduling{TaskIDs: []string{c.task()}})
		return err
	},
	"purge": func(c *changer, in schedules.Plan) error { return in.PurgeDeleted(c.ctx, 0) },
	"clone": func(c *changer, in schedules.Plan) error {
		id := "clone-" + c.id()
		_, err := c.nodes[0].CloneSchedule(c.ctx, c.world.id, schedules.NewClone{ID: id, Name: "Clone"})
		if err == nil && c.IntN(2) == 0 {
			c.world.id = id
		}
		return err
	},
	"new plan of the same id": func(c *changer, in schedules.Plan) error {
		if c.IntN(4) > 0 {
			return errRefused // it is empty afterwards
		}
		if err := c.nodes[1].DeleteSchedule(c.ctx, c.world.id); err != nil {
			return err
		}
		c.must(c.nodes[0].CreateSchedule(c.ctx, schedules.NewSchedule{ID: c.world.id, Name: "Again", TwinID: "twin"}))
		for range planned {
			_ = c.createTask(in)
			_ = c.createLink(in)
		}
		return nil
	},
	"import": func(c *changer, in schedules.Plan) error {
		format := choice(c, []planner.Format{planner.XER, planner.P6XML, planner.MSPDI})
		content, err := plantest.Random(uint64(c.IntN(3)), format)
		c.must(nil, err)
		file, err := c.upload(in, content)
		if err != nil {
			return err
		}
		_, err = exchange.In(in).Import(c.ctx, exchange.PlannerImport{PlannerFile: exchange.PlannerFile{FileID: file, FilePath: "plan", SynchronizerID: "import"}})
		return err
	},
}

// errRefused is of a change that is not made.
var errRefused = fmt.Errorf("it is not made")

// changes are the names of all changes.
func changes() (names []string) {
	for name := range other {
		names = append(names, name)
	}
	for name := range taskMembers {
		names = append(names, "task's "+name)
	}
	for name := range settingMembers {
		names = append(names, "settings' "+name)
	}
	return slices.Sorted(slices.Values(names))
}

// change makes one change through one of the nodes: of two the one that was taken less.
func (c *changer) change() {
	c.Helper()
	in := choice(c, c.nodes).In(c.world.id)
	names := changes()
	name, err := choice(c, names), error(nil)
	if second := choice(c, names); c.taken[second] < c.taken[name] {
		name = second
	}
	made := []string{name}
	if member, ok := strings.CutPrefix(name, "task's "); ok {
		made, err = c.updateTask(in, member)
	} else if member, ok := strings.CutPrefix(name, "settings' "); ok {
		var p schedules.ProjectSchedulingPatch
		settingMembers[member](c, &p)
		_, err = in.UpdateProjectScheduling(c.ctx, p)
	} else {
		err = other[name](c, in)
	}
	if err != nil {
		return
	}
	for _, name := range made {
		c.taken[name]++
		c.all[name]++
	}
	fmt.Fprintln(&c.story, strings.Join(made, ", "))
}

// updateTask gives a task another value of a member, and of up to two others.
func (c *changer) updateTask(in schedules.Plan, member string) (made []string, err error) {
	var p schedules.TaskPatch
	for _, name := range append(c.some(slices.Sorted(maps.Keys(taskMembers)), c.IntN(3)), member) {
		taskMembers[name](c, &p)
		made = append(made, "task's "+name)
	}
	_, err = in.UpdateTask(c.ctx, c.task(), p)
	return made, err
}

func (c *changer) createTask(in schedules.Plan) error {
	n := schedules.NewTask{ID: c.id(), Name: fmt.Sprint("Pfahl ", c.IntN(99)), Type: choice(c, taskTypes)}
	switch n.Type {
	case schedules.FinishKeyDate:
		n.PlannedFinish = c.date().Or(twinplatform.DateTime{})
	case schedules.LongHammock, schedules.ShortHammock:
	case schedules.StartKeyDate:
		n.PlannedStart = c.date().Or(twinplatform.DateTime{})
	default:
		n.PlannedStart, n.PlannedDuration, n.CalendarID = c.date().Or(twinplatform.DateTime{}), new(c.hours(80)), c.calendarID()
	}
	if c.IntN(4) == 0 {
		n.ParentID = c.id()
	}
	_, err := in.CreateTasks(c.ctx, []schedules.NewTask{n})
	return err
}

func (c *changer) createLink(in schedules.Plan) error {
	types := []schedules.TaskLinkType{schedules.FinishToStart, schedules.FinishToStart, schedules.StartToStart, schedules.FinishToFinish, schedules.StartToFinish}
	_, err := in.CreateTaskLinks(c.ctx, []schedules.NewTaskLink{{
		ID: fmt.Sprintf("l%02d", c.IntN(30)), PredecessorID: c.task(), SuccessorID: c.task(), Type: choice(c, types), Lag: c.hours(40) - 10*1800,
		CalendarID: choice(c, []string{"", "", c.calendarID()}),
	}})
	return err
}

// link is the id of one.
func (c *changer) link() string {
	var ids []string
	for l, err := range twinplatform.All(c.ctx, c.fresh().In(c.world.id).TaskLinks, schedules.TaskLinkQuery{}) {
		c.must(nil, err)
		ids = append(ids, l.ID)
	}
	if len(ids) == 0 {
		return "none"
	}
	return choice(c, ids)
}

func (c *changer) updateLink(in schedules.Plan) error {
	p := schedules.TaskLinkPatch{ID: c.link()}
	switch c.IntN(4) {
	case 0:
		p.SuccessorID = twinplatform.Set(c.task())
	case 1:
		p.Type = twinplatform.Set(choice(c, []schedules.TaskLinkType{schedules.FinishToStart, schedules.StartToStart, schedules.FinishToFinish}))
	case 2:
		p.CalendarID = orNull(c.calendarID())
	default:
		p.Lag = twinplatform.Set(c.hours(40))
	}
	_, err := in.UpdateTaskLinks(c.ctx, []schedules.TaskLinkPatch{p})
	return err
}

// createResource makes a resource and lets it work on a task.
func (c *changer) createResource(in schedules.Plan) error {
	id := choice(c, []string{"r0", "r1"})
	_, _ = in.CreateResources(c.ctx, []schedules.NewResource{{ID: id, Name: "Kran", Type: schedules.HumanResource, CalendarID: c.calendarID()}})
	_, err := in.CreateResourceAssignments(c.ctx, []schedules.NewResourceAssignment{{
		TaskID: c.task(), ResourceID: id, AppearanceProfileID: "x", PlannedUtilization: schedules.Utilization{ResourceUnits: float64(c.IntN(90)), ResourceCount: 1},
	}})
	return err
}

func (c *changer) updateResource(in schedules.Plan) error {
	_, err := in.UpdateResource(c.ctx, choice(c, []string{"r0", "r1"}), schedules.ResourcePatch{CalendarID: orNull(c.calendarID())})
	return err
}

// deleteResource deletes one, with all that it does.
func (c *changer) deleteResource(in schedules.Plan) error {
	id := choice(c, []string{"r0", "r1"})
	var done []string
	for a, err := range twinplatform.All(c.ctx, in.ResourceAssignments, schedules.ResourceAssignmentQuery{}) {
		if err != nil {
			return err
		}
		if a.ResourceID == id {
			done = append(done, a.ID)
		}
	}
	if len(done) > 0 {
		if _, err := in.DeleteResourceAssignments(c.ctx, done); err != nil {
			return err
		}
	}
	_, err := in.DeleteResources(c.ctx, []string{id})
	return err
}

// calendar is one with random hours on random days, and a day off.
func (c *changer) calendar(id string) schedules.NewCalendar {
	n := schedules.NewCalendar{ID: id, Name: id, DayTypes: []schedules.DayType{{
		ID: "work", Type: schedules.NormalDay, TimeBlocks: []schedules.TimeBlock{{StartTime: fmt.Sprintf("%02d:00", 6+c.IntN(5)), EndTime: fmt.Sprintf("%02d:30", 12+c.IntN(9))}},
	}}}
	if id != "c0" && c.IntN(3) == 0 {
		n.ParentID = "c0"
	}
	n.Week = schedules.CalendarWeek{MondayDayTypeID: "work", TuesdayDayTypeID: "work", ThursdayDayTypeID: "work"}
	if c.IntN(2) == 0 {
		n.Week.FridayDayTypeID, n.Week.SaturdayDayTypeID = "work", "work"
	}
	first := monday.AddDate(0, 0, c.IntN(20)).Format("2006-01-02")
	n.Exceptions = []schedules.CalendarException{{Name: "Off", StartDate: first, EndDate: first}}
	return n
}
