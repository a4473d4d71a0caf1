package schedules_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// randomPlan is a random plan of P6 that was scheduled.
func randomPlan(t testing.TB, seed uint64) *planner.Plan {
	t.Helper()
	p, err := planner.Read(bytes.NewReader(scheduledFile(t, seed, planner.XER)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// together is a plan with the projects of several, whose tasks are called after them.
func together(format planner.Format, plans ...*planner.Plan) *planner.Plan {
	all := &planner.Plan{Format: format}
	for i, p := range plans {
		number := func(id string) string {
			if id == "" {
				return ""
			}
			kind := strings.TrimRight(id, "0123456789") // such as that of nodes
			n, _ := strconv.Atoi(id[len(kind):])
			return kind + strconv.Itoa(10_000*(i+1)+n)
		}
		for _, x := range p.Projects {
			x.ID, x.CalendarID, x.Code = number(x.ID), number(x.CalendarID), fmt.Sprint(x.Code, "-", i)
			x.Name, x.ExternalID, x.CodeValueIDs, x.Values, x.Notes = "Project of "+x.Code, "", nil, nil, nil
			all.Projects = append(all.Projects, x)
		}
		for _, x := range p.Calendars {
			x.ID, x.BaseID, x.Name = number(x.ID), number(x.BaseID), fmt.Sprint(x.Name, " of ", i)
			all.Calendars = append(all.Calendars, x)
		}
		for _, x := range p.Tasks {
			x.ID, x.ProjectID, x.ParentID, x.CalendarID = number(x.ID), number(x.ProjectID), number(x.ParentID), number(x.CalendarID)
			x.Name, x.ExternalID, x.CodeValueIDs, x.Values = fmt.Sprint(x.Name, " of ", i), "", nil, nil
			all.Tasks = append(all.Tasks, x)
		}
		for _, x := range p.Links {
			x.ID, x.PredecessorID, x.SuccessorID = number(x.ID), number(x.PredecessorID), number(x.SuccessorID)
			all.Links = append(all.Links, x)
		}
		for _, x := range p.Resources {
			x.ID, x.CalendarID, x.ParentID = number(x.ID), number(x.CalendarID), number(x.ParentID)
			x.Code, x.Name, x.ExternalID, x.CodeValueIDs, x.Values = fmt.Sprint(x.Code, "-", i), fmt.Sprint(x.Name, " of ", i), "", nil, nil
			all.Resources = append(all.Resources, x)
		}
		for _, x := range p.Assignments {
			x.ID, x.TaskID, x.ResourceID, x.ExternalID, x.AccountID = number(x.ID), number(x.TaskID), number(x.ResourceID), "", ""
			all.Assignments = append(all.Assignments, x)
		}
	}
	return all
}

// severalProjects is a file of a plan with the projects of several. A planner has scheduled it.
func severalProjects(t testing.TB, format planner.Format, plans ...*planner.Plan) []byte {
	t.Helper()
	var out bytes.Buffer
	all := together(format, plans...)
	for i := range all.Projects { // they are not alike
		x := &all.Projects[i]
		x.Critical, x.LongestPath = int64(3600*i), i%2 == 1
		x.MustFinish = 0
	}
	s, err := all.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	for i := range all.Tasks {
		d := s.Dates(i)
		all.Tasks[i].File = planner.Dates{Start: d.Start, Finish: d.Finish, EarlyStart: d.EarlyStart, EarlyFinish: d.EarlyFinish, PlannedStart: d.Start, PlannedFinish: d.Finish}
	}
	if _, err := planner.Write(&out, all, format); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// heldPlans are the plans of P6 among the held cases, in the order of their names.
func heldPlans(t testing.TB) (plans []*planner.Plan) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(heldCases)) {
		if c := heldCases[name]; c.format != planner.MSPDI {
			c.format = planner.XER
			plans = append(plans, c.plan(t))
		}
	}
	return plans
}

// TestProjectsOfOneFileAreScheduledAsEachIsAlone imports small plans, of which each has its own
// data date and calendars, in one file: each task has the dates that its planner finds for it
// where the project is alone.
func TestProjectsOfOneFileAreScheduledAsEachIsAlone(t *testing.T) {
	t.Parallel()
	plans := heldPlans(t)
	alone := make(map[string]string)
	for i := range plans {
		one := make([]*planner.Plan, len(plans)) // all other ones are empty
		for j := range one {
			one[j] = new(planner.Plan)
		}
		one[i] = plans[i]
		maps.Copy(alone, foundOf(t, together(planner.XER, one...)))
	}
	for _, format := range []planner.Format{planner.XER, planner.P6XML} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if _, err := planner.Write(&out, together(format, plans...), format); err != nil {
				t.Fatal(err)
			}
			p := inMemory(t)
			p.importPlan(out.Bytes(), exchange.PlannerImportOptions{})
			if diff := gocmp.Diff(alone, p.found()); diff != "" {
				t.Errorf("(-alone +together)\n%s", diff)
			}
			if sim := p.simulate(); sim.TaskChangeCount > 0 {
				t.Errorf("a rescheduling moves %+v", sim.TaskChanges)
			}
		})
	}
}

// settings are those of the schedule.
func (p *plan) settings() schedules.ProjectScheduling {
	p.Helper()
	set, err := p.in().ProjectScheduling(p.ctx)
	if err != nil {
		p.Fatal(err)
	}
	return set.Value
}

func (p *plan) setProjects(all ...schedules.Project) error {
	p.Helper()
	_, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{Projects: twinplatform.Set(all)})
	return err
}

// covers: operations projectScheduling.get
func TestImportNamesTheProjectsOfItsFileByTheirCodes(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	content := plannerFile(t, "MultiprojectWithExternal.xer")
	y := p.importPlan(content, exchange.PlannerImportOptions{})
	var said []string
	for _, x := range p.settings().Projects {
		said = append(said, fmt.Sprint(x.ID, " ", x.Code, " ", x.Name, " ", x.DataDate, " ", x.ExternalID != ""))
	}
	want := []string{"TestProject TestProject (New Project)  false", "TestProject2 TestProject2 (New Project2) 2024-05-28T00:00:00Z true"}
	if diff := gocmp.Diff(want, said); diff != "" {
		t.Errorf("the projects (-want +got):\n%s", diff)
	}
	count := make(map[string]int)
	tasks, _ := p.allTasks(twinplatform.ListOptions{})
	for _, x := range tasks {
		count[string(x.ProjectID)]++
	}
	if count["TestProject"] == 0 || count["TestProject2"] == 0 || len(count) != 2 {
		t.Errorf("tasks name %v", count)
	}
	for _, w := range y.SynchronizationDetails.Warnings {
		if strings.Contains(w.Message, "projects") {
			t.Errorf("the import warns: %s", w.Message)
		}
	}
	before := p.settings()
	if diff := gocmp.Diff(noChanges, changes(t, p.importPlan(content, exchange.PlannerImportOptions{}))); diff != "" {
		t.Errorf("a second import changes:\n%s", diff)
	}
	if diff := gocmp.Diff(before, p.settings()); diff != "" {
		t.Errorf("a second import changes the projects:\n%s", diff)
	}
}

func TestDataDateOfAProjectMovesItsOwnTasksAlone(t *testing.T) {
	t.Parallel()
	p := house(t)
	house := schedules.Project{ID: "house", Code: "H"}
	if err := p.setProjects(house, schedules.Project{ID: "yard", Code: "Y", DataDate: date(t, "2026-03-16T08:00:00Z")}); err != nil {
		t.Fatal(err)
	}
	p.create(schedules.NewTask{ID: "pave", Name: "Pave", Type: schedules.Work, PlannedDuration: new(int32(8 * 3600)), ProjectID: "yard"})
	found := func() string {
		p.reschedule()
		return fmt.Sprint(p.analysis("pave").EarlyStart, p.analysis("pour").EarlyStart)
	}
	first := found()
	if !strings.HasPrefix(first, "2026-03-16") {
		t.Errorf("found %s", first)
	}
	if err := p.setProjects(house, schedules.Project{ID: "yard", Code: "Y", DataDate: date(t, "2026-03-18T08:00:00Z")}); err != nil {
		t.Fatal(err)
	}
	second := found()
	if !strings.HasPrefix(second, "2026-03-18") || second[20:] != first[20:] {
		t.Errorf("found %s, and before %s", second, first)
	}
}

// covers: operations projectScheduling.update
func TestProjectsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	p := house(t)
	own := schedules.Project{ID: "house"}
	if err := p.setProjects(own, schedules.Project{ID: "yard"}); err != nil {
		t.Fatal(err)
	}
	p.create(schedules.NewTask{ID: "pave", Name: "Pave", Type: schedules.Work, PlannedDuration: new(int32(60)), ProjectID: "yard"})
	for name, c := range map[string]struct {
		projects []schedules.Project
		want     refusal
	}{
		"without an id":           {[]schedules.Project{{Name: "House"}}, invalid("MissingRequiredProperty projects[0].id")},
		"twice the same":          {[]schedules.Project{own, {ID: "yard"}, {ID: "yard"}}, invalid("InvalidValue projects[2].id")},
		"a first with its own":    {[]schedules.Project{{ID: "house", CriticalFloat: 1}, {ID: "yard"}}, invalid("InvalidValue projects[0]")},
		"an unknown calendar":     {[]schedules.Project{own, {ID: "yard", CalendarID: "missing"}}, invalid("InvalidValue projects[1].calendarId")},
		"one with tasks left out": {[]schedules.Project{own}, invalid("InvalidValue projects").saying("yard")},
		"a word that is none":     {[]schedules.Project{own, {ID: "yard", CriticalPathType: "Shortest"}}, invalid("InvalidValue projects[1].criticalPathType")},
		"too many":                {slices.Repeat([]schedules.Project{own}, schedules.MaxProjects+1), invalid("InvalidValue projects")},
	} {
		if err := p.setProjects(c.projects...); err == nil {
			t.Errorf("%s: taken", name)
		} else {
			c.want.check(t, err)
		}
	}
	_, err := p.in().UpdateTask(p.ctx, "pave", schedules.TaskPatch{ProjectID: twinplatform.Set("missing")})
	invalid("InvalidValue projectId").check(t, err)
	p.calendar(working("yard", "09:00-13:00"))
	if err := p.setProjects(own, schedules.Project{ID: "yard", CalendarID: "yard"}); err != nil {
		t.Fatal(err)
	}
	_, err = p.in().DeleteCalendar(p.ctx, "yard")
	refusal{kind: twinplatform.Conflict, code: "CalendarInUse", target: "calendarId"}.check(t, err)
	p.patch("pave", schedules.TaskPatch{ProjectID: twinplatform.Null[string]()})
	if err := p.setProjects(); err != nil {
		t.Fatal(err)
	}
	if got := p.settings().Projects; got != nil {
		t.Errorf("there are %v left", got)
	}
}

func TestTaskWithoutACalendarIsDoneInTheTimeOfItsProject(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.calendar(working("short", "09:00-13:00"))
	if err := p.setProjects(schedules.Project{ID: "house"}, schedules.Project{ID: "yard", CalendarID: "short"}); err != nil {
		t.Fatal(err)
	}
	p.create(schedules.NewTask{ID: "pave", Name: "Pave", Type: schedules.Work, PlannedStart: date(t, "2026-03-02T09:00:00Z"), PlannedDuration: new(int32(8 * 3600)), ProjectID: "yard"})
	ends := func(want string) {
		t.Helper()
		if got := p.task("pave").PlannedFinish.Format("Mon 15:04"); got != want {
			t.Errorf("it ends %s, want %s", got, want)
		}
	}
	ends("Tue 13:00")
	if err := p.setProjects(schedules.Project{ID: "house"}, schedules.Project{ID: "yard"}); err != nil {
		t.Fatal(err)
	}
	ends("Mon 17:00")
	p.patch("pave", schedules.TaskPatch{ProjectID: twinplatform.Null[string]()})
	ends("Mon 17:00")
}

// TestFileWithoutAProjectIsImportedAsOne imports files that other programs have made: an XER
// without a table of projects, and an XML of P6 whose project has no id.
func TestFileWithoutAProjectIsImportedAsOne(t *testing.T) {
	t.Parallel()
	xer := strings.Split(string(xerOf(t, randomXER(1, 20))), "%T\t")
	xer = slices.DeleteFunc(xer, func(table string) bool {
		return strings.HasPrefix(table, "PROJECT\r\n") || strings.HasPrefix(table, "PROJECT\n")
	})
	xml := string(plannerFile(t, "MultiprojectWithExternal.xml"))
	for name, content := range map[string]string{
		"XER": strings.Join(xer, "%T\t"),
		"XML": strings.ReplaceAll(strings.ReplaceAll(xml, "<ObjectId>5494</ObjectId>", ""), "<ProjectObjectId>5494</ProjectObjectId>", ""),
	} {
		file, err := planner.Read(strings.NewReader(content))
		if err != nil {
			t.Fatal(name, err)
		}
		if len(file.Projects) != 1 {
			t.Fatalf("%s: read %+v", name, file.Projects)
		}
		at := slices.IndexFunc(file.Warnings, func(w planner.Warning) bool { return w.What == "project "+file.Projects[0].ID })
		if at < 0 {
			t.Fatalf("%s: warned of %+v", name, file.Warnings)
		}
		p := inMemory(t)
		y := p.importPlan([]byte(content), exchange.PlannerImportOptions{})
		if said := y.SynchronizationDetails.Warnings; len(said) <= at || !strings.Contains(said[at].Message, file.Warnings[at].Text) {
			t.Errorf("%s: the import warns of %+v", name, said)
		}
		if len(y.Projects) != 1 || p.settings().Projects != nil || counted(t, y.SynchronizationDetails.Created)["tasks"] == 0 {
			t.Errorf("%s: imported %+v", name, y)
		}
	}
}
