package schedules_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// january is 8:00 on a day of January 2026, of which the 5th is a Monday.
func january(day int) worktime.Time { return worktime.Date(2026, time.January, day, 8, 0, 0) }

// heldCase is a file of which a planner has scheduled the two tasks A, of five days, and B, of
// two, which follows A.
type heldCase struct {
	format planner.Format
	change func(p *planner.Plan, a, b *planner.Task)
	// member is the one of planner.Task that it is about.
	member string
}

// content is the file.
func (c heldCase) content(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := planner.Write(&out, c.plan(t), c.format); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// plan is what the file holds.
func (c heldCase) plan(t testing.TB) *planner.Plan {
	t.Helper()
	const days = 8 * worktime.Hour
	plan := &planner.Plan{
		Format:    c.format,
		Projects:  []planner.Project{{ID: "1", Code: "P", Name: "Project", CalendarID: "1", Start: january(5), DataDate: january(5)}},
		Calendars: []planner.Calendar{{ID: "1", Name: "Five days", Week: worktime.EachWeekday(worktime.Hours{{From: 8 * worktime.Hour, To: 16 * worktime.Hour}})}},
		Tasks: []planner.Task{
			{ID: "10", Code: "N", Name: "Node", ProjectID: "1", Kind: cpm.Summary},
			{ID: "11", Code: "A", Name: "First", ProjectID: "1", ParentID: "10", CalendarID: "1", Duration: 5 * days, Remaining: 5 * days, Planned: 5 * days},
			{ID: "12", Code: "B", Name: "Second", ProjectID: "1", ParentID: "10", CalendarID: "1", Duration: 2 * days, Remaining: 2 * days, Planned: 2 * days},
		},
		Links: []planner.Link{{ID: "1", PredecessorID: "11", SuccessorID: "12"}},
	}
	c.change(plan, &plan.Tasks[1], &plan.Tasks[2])
	s, err := plan.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	for i := range plan.Tasks {
		d := s.Dates(i)
		if x := &plan.Tasks[i]; x.File.Start == 0 {
			x.File = planner.Dates{Start: d.Start, Finish: d.Finish, EarlyStart: d.EarlyStart, EarlyFinish: d.EarlyFinish, PlannedStart: d.Start, PlannedFinish: d.Finish}
		}
	}
	return plan
}

// begun lets a task have begun on a day, as of a data date, with so many days left to do.
func begun(p *planner.Plan, t *planner.Task, day, dataDate, left int) {
	p.Projects[0].DataDate = january(dataDate)
	t.ActualStart, t.Remaining = january(day), int64(left)*8*worktime.Hour
	if p.Format == planner.MSPDI {
		t.Percent = 100 - 100*float64(t.Remaining)/float64(t.Duration)
	}
}

// onFridays lets a resource do a task that works on Fridays alone.
func onFridays(p *planner.Plan, t *planner.Task) {
	p.Calendars = append(p.Calendars, planner.Calendar{ID: "2", Name: "Fridays", Week: worktime.Week{time.Friday: {{From: 8 * worktime.Hour, To: 16 * worktime.Hour}}}})
	p.Resources = []planner.Resource{{ID: "1", Code: "R", Name: "Expert", Type: planner.Human, CalendarID: "2"}}
	p.Assignments = []planner.Assignment{{ID: "1", TaskID: t.ID, ResourceID: "1", Units: 16, RemainingUnits: 16, UnitsPerTime: 1}}
	t.ResourceCalendars = true
}

// heldCases are what planners know of a task, and what the stored plan is to know.
var heldCases = map[string]heldCase{
	"more remains than was planned": {planner.XER, func(p *planner.Plan, a, _ *planner.Task) { begun(p, a, 5, 12, 10) }, "Remaining"},
	"percent is physical": {planner.XER, func(p *planner.Plan, a, _ *planner.Task) {
		begun(p, a, 5, 7, 3)
		a.PercentOf, a.Physical, a.Percent = planner.OfPhysical, 30, 30
	}, "Physical"},
	"percent is physical, and all of it remains": {planner.P6XML, func(p *planner.Plan, a, _ *planner.Task) {
		begun(p, a, 5, 7, 5)
		a.PercentOf, a.Physical, a.Percent = planner.OfPhysical, 25, 25
	}, "Physical"},
	"expected finish": {planner.XER, func(_ *planner.Plan, a, _ *planner.Task) { a.ExpectedFinish = january(16) + 8*worktime.Hour }, "ExpectedFinish"},
	"suspended": {planner.XER, func(p *planner.Plan, a, _ *planner.Task) {
		begun(p, a, 5, 7, 3)
		a.Suspend, a.Resume = january(7), january(19)
	}, "Resume"},
	"external early start":      {planner.XER, func(_ *planner.Plan, _, b *planner.Task) { b.ExternalStart = january(20) }, "ExternalStart"},
	"external late finish":      {planner.P6XML, func(_ *planner.Plan, _, b *planner.Task) { b.ExternalFinish = january(9) }, "ExternalFinish"},
	"resource dependent":        {planner.XER, func(p *planner.Plan, _, b *planner.Task) { onFridays(p, b) }, "ResourceCalendars"},
	"resource dependent in XML": {planner.P6XML, func(p *planner.Plan, _, b *planner.Task) { onFridays(p, b) }, "ResourceCalendars"},
	"resource calendar":         {planner.MSPDI, func(p *planner.Plan, _, b *planner.Task) { onFridays(p, b) }, "ResourceCalendars"},
	"split": {planner.MSPDI, func(p *planner.Plan, a, _ *planner.Task) {
		begun(p, a, 5, 7, 3)
		a.Suspend, a.Resume = january(6)+8*worktime.Hour, january(14)
	}, "Resume"},
	"split before it begins": {planner.MSPDI, func(_ *planner.Plan, a, _ *planner.Task) {
		a.Splits = []cpm.Split{{After: 8 * worktime.Hour, Pause: 20 * worktime.Hour}, {After: 20 * worktime.Hour, Pause: worktime.Hour}}
	}, "Splits"},
	"split once it has begun": {planner.MSPDI, func(p *planner.Plan, a, _ *planner.Task) {
		begun(p, a, 5, 7, 3)
		a.Suspend, a.Resume = january(6)+8*worktime.Hour, january(14)
		a.Splits = []cpm.Split{{After: 24 * worktime.Hour, Pause: 12 * worktime.Hour}}
	}, "Splits"},
	"mandatory start": {planner.XER, func(_ *planner.Plan, _, b *planner.Task) {
		b.Constraints = []cpm.Constraint{{Type: cpm.MandatoryStart, Date: january(7)}}
	}, "Constraints"},
	"mandatory finish": {planner.P6XML, func(_ *planner.Plan, _, b *planner.Task) {
		b.Constraints = []cpm.Constraint{{Type: cpm.MandatoryFinish, Date: january(9) + 8*worktime.Hour}}
	}, "Constraints"},
	"second constraint": {planner.XER, func(_ *planner.Plan, _, b *planner.Task) {
		b.Constraints = []cpm.Constraint{{Type: cpm.StartNoEarlier, Date: january(12)}, {Type: cpm.FinishNoLater, Date: january(9) + 8*worktime.Hour}}
	}, "Constraints"},
	"deadline": {planner.MSPDI, func(_ *planner.Plan, _, b *planner.Task) { b.Deadline = january(9) + 8*worktime.Hour }, "Deadline"},
	"inactive": {planner.MSPDI, func(_ *planner.Plan, a, _ *planner.Task) { a.Inactive = true }, "Inactive"},
	"free text for dates": {planner.MSPDI, func(_ *planner.Plan, _, b *planner.Task) {
		b.Manual, b.Placeholder = true, true
		b.File = planner.Dates{Start: january(12), Finish: january(13) + 8*worktime.Hour}
	}, "Placeholder"},
	"manual where a constraint does not hold it": {planner.MSPDI, func(_ *planner.Plan, _, b *planner.Task) {
		b.Manual, b.Constraints = true, []cpm.Constraint{{Type: cpm.StartNoEarlier, Date: january(20)}}
		b.File = planner.Dates{Start: january(7), Finish: january(8) + 8*worktime.Hour}
	}, "Manual"},
	"manual on another day than it must start": {planner.MSPDI, func(_ *planner.Plan, _, b *planner.Task) {
		b.Manual, b.Constraints = true, []cpm.Constraint{{Type: cpm.MandatoryStart, Date: january(14)}}
		b.File = planner.Dates{Start: january(7), Finish: january(8) + 8*worktime.Hour}
	}, "Manual"},
	"costs": {planner.XER, func(p *planner.Plan, _, b *planner.Task) {
		onFridays(p, b)
		p.Assignments[0].Costs, b.Costs = planner.Costs{Planned: 100, Remaining: 100}, planner.Costs{Planned: 100, Remaining: 100}
	}, "Costs"},
}

// unwarned are the members of a task without a member of a separate record which need no
// warning.
var unwarned = map[string]string{
	"WBSSummary": "which the span of the task stands for",
}

// TestImportWarnsOfWhatAScheduleDoesNotHold imports each readable file: nothing that it has of a
// task is dropped in silence.
func TestImportWarnsOfWhatAScheduleDoesNotHold(t *testing.T) {
	t.Parallel()
	all := exportedPlans(t)
	for name, c := range heldCases {
		all[name] = c.content(t)
	}
	for name, content := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := planner.Read(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, w := range inMemory(t).importPlan(content, exchange.PlannerImportOptions{}).SynchronizationDetails.Warnings {
				said = append(said, w.Message)
			}
			warnedOf(t, file, said)
		})
	}
}

// TestNoCostsOfATaskAreNoneThatAreIgnored imports what TaskJuggler exports, where resources alone have costs.
func TestNoCostsOfATaskAreNoneThatAreIgnored(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	for _, w := range p.importPlan(plannerFile(t, "cases/taskjuggler.xml"), exchange.PlannerImportOptions{}).SynchronizationDetails.Warnings {
		if strings.Contains(w.Message, "(Costs)") {
			t.Errorf("the import warns %q", w.Message)
		}
	}
	out, _ := p.exportedPlan(exchange.FormatMSPDI)
	if got := out.Tasks[1].Costs.Planned; out.Tasks[1].Name != "Dig" || got != 1 {
		t.Errorf("%s costs %v in the export, want 1 of Dig", out.Tasks[1].Name, got)
	}
}

// warnedOf holds warnings to name each task with a member that nothing keeps.
func warnedOf(t *testing.T, file *planner.Plan, said []string) {
	t.Helper()
	named := func(parts ...string) bool {
		for _, message := range said {
			all := true
			for _, part := range parts {
				all = all && strings.Contains(message, part)
			}
			if all {
				return true
			}
		}
		return false
	}
	for i := range file.Tasks {
		x := reflect.ValueOf(&file.Tasks[i]).Elem()
		for f := range x.Type().Fields() {
			if planPlaces["Task."+f.Name].kept != "" || unwarned[f.Name] != "" || x.FieldByIndex(f.Index).IsZero() {
				continue
			}
			if label := fmt.Sprintf("(ID=%s)", file.Tasks[i].Code); !named(label, "("+f.Name+")") && !named(fmt.Sprintf("(ID=%s)", file.Tasks[i].ID), "("+f.Name+")") {
				t.Errorf("no warning names %s of task %s: %q", f.Name, label, said)
			}
		}
	}
}

// heldSeams are the cases that are known to be other in a schedule.
var heldSeams = map[string]bool{}

// TestScheduleFindsWhatThePlannerOfTheFileFinds imports small files that their planners have
// scheduled: a rescheduling moves nothing, and the analyses are those of the file.
func TestScheduleFindsWhatThePlannerOfTheFileFinds(t *testing.T) {
	t.Parallel()
	for name, c := range heldCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content := c.content(t)
			file, err := planner.Read(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			if given := reflect.ValueOf(file.Tasks).Index(1).FieldByName(c.member); given.IsZero() && reflect.ValueOf(file.Tasks).Index(2).FieldByName(c.member).IsZero() {
				t.Fatalf("the file has no %s", c.member)
			}
			p := inMemory(t)
			p.importPlan(content, exchange.PlannerImportOptions{})
			diff := gocmp.Diff(foundOf(t, file), p.found())
			if sim := p.simulate(); sim.TaskChangeCount > 0 {
				diff += fmt.Sprintf("a rescheduling moves %+v", sim.TaskChanges)
			}
			if heldSeams[name] != (diff != "") {
				t.Errorf("known to differ: %t (-file +schedule)\n%s", heldSeams[name], diff)
			}
		})
	}
}

// TestTaskIsDoneWhenItsResourcesWork assigns a resource with a calendar over the API: what is
// computed of a task follows, as does a schedule that is automatic.
func TestTaskIsDoneWhenItsResourcesWork(t *testing.T) {
	t.Parallel()
	for _, profile := range []schedules.SchedulingProfile{schedules.ProfileP6, schedules.ProfileMicrosoftProject} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			p := house(t)
			if _, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{Profile: twinplatform.Set(profile), IsAutomatic: twinplatform.Set(true)}); err != nil {
				t.Fatal(err)
			}
			days := working("short", "09:00-13:00")
			p.calendar(days)
			_, err := p.in().CreateResources(p.ctx, []schedules.NewResource{{ID: "expert", Name: "Expert", Type: schedules.HumanResource, CalendarID: "short"}})
			if err != nil {
				t.Fatal(err)
			}
			ends := func(what, want string) {
				t.Helper()
				if got := p.analysis("pour").EarlyFinish.Format("Mon 15:04"); got != want {
					t.Errorf("%s: it ends %s, want %s", what, got, want)
				}
			}
			p.patch("pour", schedules.TaskPatch{UsesResourceCalendars: twinplatform.Set(true)})
			ends("without a resource", "Tue 17:00")
			if _, err := p.in().CreateResourceAssignments(p.ctx, []schedules.NewResourceAssignment{{
				ID: "a", TaskID: "pour", ResourceID: "expert", AppearanceProfileID: "x", PlannedUtilization: schedules.Utilization{ResourceUnits: 1},
			}}); err != nil {
				t.Fatal(err)
			}
			ends("with one that works half the day", "Wed 13:00")
			if _, err := p.in().UpdateResource(p.ctx, "expert", schedules.ResourcePatch{CalendarID: twinplatform.Null[string]()}); err != nil {
				t.Fatal(err)
			}
			ends("with one that works as the schedule does", "Tue 17:00")
			if _, err := p.in().UpdateResource(p.ctx, "expert", schedules.ResourcePatch{CalendarID: twinplatform.Set("short")}); err != nil {
				t.Fatal(err)
			}
			ends("with one that works half the day again", "Wed 13:00")
			p.patch("pour", schedules.TaskPatch{UsesResourceCalendars: twinplatform.Set(false)})
			ends("whatever its resource does", "Tue 17:00")
		})
	}
}
