package schedules_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/quality"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
)

// house is a plan on the standard calendar: dig, pour and roof one behind the other, of a
// day each, with two days between the last; and a fence of half a day next to them.
func house(t *testing.T) *plan {
	t.Helper()
	p := standard(t)
	p.tasks("dig 2026-03-02T09:00:00Z 28800", "fence 2026-03-02T09:00:00Z 14400", "pour 2026-03-02T09:00:00Z 28800", "roof 2026-03-02T09:00:00Z 28800")
	p.create(schedules.NewTask{ID: "done", Name: "done", Type: schedules.FinishKeyDate})
	p.links("dig FinishToStart pour", "pour FinishToStart roof 57600", "dig StartToStart fence", "roof FinishToStart done", "fence FinishToStart done")
	return p
}

// planned is when a task is planned to begin and to end.
func (p *plan) planned(ids ...string) (said []string) {
	p.Helper()
	for _, id := range ids {
		t := p.task(id)
		said = append(said, fmt.Sprintf("%s %s %s", id, t.PlannedStart.Format("Mon 15:04"), t.PlannedFinish.Format("Mon 15:04")))
	}
	return said
}

// covers: operations tasks.reschedule taskSchedulingAnalyses.list
func TestRescheduledTasksAreWhereTheirLinksAndCalendarsPutThem(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule()
	want := []string{"dig Mon 09:00 Mon 17:00", "pour Tue 09:00 Tue 17:00", "roof Fri 09:00 Fri 17:00", "fence Mon 09:00 Mon 13:00"}
	if diff := cmp.Diff(want, p.planned("dig", "pour", "roof", "fence")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	all, delta := p.analyses(twinplatform.ListOptions{})
	var said []string
	for _, a := range all {
		said = append(said, fmt.Sprintf("%s %t %d %d", a.TaskID, a.IsCritical, *a.DownstreamTotalFloat/3600, *a.DownstreamFreeFloat/3600))
	}
	if diff := cmp.Diff([]string{"dig true 0 0", "done true 0 0", "fence false 36 36", "pour true 0 0", "roof true 0 0"}, said); diff != "" {
		t.Errorf("analyses (-want +got)\n%s", diff)
	}
	p.patch("fence", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](43_200)})
	p.reschedule()
	changes, _ := p.analyses(twinplatform.ListOptions{Delta: delta})
	if len(changes) != 1 || changes[0].TaskID != "fence" || *changes[0].DownstreamTotalFloat != 28*3600 {
		t.Errorf("the delta lists %+v", changes)
	}
	p.delete("fence")
	if changes, _ = p.analyses(twinplatform.ListOptions{Delta: delta}); len(changes) != 1 || !changes[0].Deleted {
		t.Errorf("once it is deleted, the delta lists %+v", changes)
	}
}

func TestConstraintsHoldTasksToTheirDates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		patch schedules.TaskPatch
		want  string
	}{
		"StartAsap":        {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.StartAsap)}, "fence Mon 09:00 Mon 13:00"},
		"StartAlap":        {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.StartAlap)}, "fence Fri 13:00 Fri 17:00"},
		"StartAfter":       {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.StartAfter), ConstraintEarlyDate: twinplatform.Set(at(25))}, "fence Tue 09:00 Tue 13:00"},
		"StartOn":          {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.StartOn), ConstraintEarlyDate: twinplatform.Set(at(49))}, "fence Wed 09:00 Wed 13:00"},
		"StartBetween":     {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.StartBetween), ConstraintEarlyDate: twinplatform.Set(at(29)), ConstraintLateDate: twinplatform.Set(at(73))}, "fence Tue 13:00 Tue 17:00"},
		"FinishAfter":      {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.FinishAfter), ConstraintEarlyDate: twinplatform.Set(at(31))}, "fence Tue 11:00 Tue 15:00"},
		"FinishOn":         {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.FinishOn), ConstraintLateDate: twinplatform.Set(at(29))}, "fence Tue 09:00 Tue 13:00"},
		"FinishBefore":     {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.FinishBefore), ConstraintLateDate: twinplatform.Set(at(31))}, "fence Mon 09:00 Mon 13:00"},
		"CannotReschedule": {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.CannotReschedule), PlannedStart: twinplatform.Set(at(97))}, "fence Fri 09:00 Fri 13:00"},
		"without its date": {schedules.TaskPatch{ConstraintType: twinplatform.Set(schedules.StartAfter)}, "fence Mon 09:00 Mon 13:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := house(t)
			p.patch("fence", c.patch)
			p.reschedule()
			if diff := cmp.Diff([]string{c.want, "roof Fri 09:00 Fri 17:00"}, p.planned("fence", "roof")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTasksWithoutPredecessorsStayWhereTheyArePlanned(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.tasks("garden 2026-03-11T10:00:00Z 14400", "weekend 2026-03-14T10:00:00Z 14400")
	p.reschedule()
	want := []string{"garden Wed 10:00 Wed 14:00", "weekend Mon 09:00 Mon 13:00"}
	if diff := cmp.Diff(want, p.planned("garden", "weekend")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// Nothing that is still to be done is before the data date.
	_, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{DataDate: twinplatform.Set(date(t, "2026-03-12T09:00:00Z"))})
	if err != nil {
		t.Fatal(err)
	}
	p.reschedule()
	if diff := cmp.Diff([]string{"garden Thu 09:00 Thu 13:00", "dig Thu 09:00 Thu 17:00"}, p.planned("garden", "dig")); diff != "" {
		t.Errorf("behind the data date (-want +got)\n%s", diff)
	}
}

func TestTasksThatAloneAreRescheduledLeaveTheOthers(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule("pour")
	want := []string{"dig Mon 09:00 Mon 17:00", "pour Tue 09:00 Tue 17:00", "roof Mon 09:00 Mon 17:00"}
	if diff := cmp.Diff(want, p.planned("dig", "pour", "roof")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if all, _ := p.analyses(twinplatform.ListOptions{}); len(all) != 0 {
		t.Errorf("analyses of a part: %+v", all)
	}
}

func TestTasksAboveOthersGetTheirSpan(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.tasks("all")
	for _, id := range []string{"dig", "pour", "roof"} {
		p.patch(id, schedules.TaskPatch{ParentID: twinplatform.Set("all")})
	}
	p.reschedule()
	if diff := cmp.Diff([]string{"all Mon 09:00 Fri 17:00"}, p.planned("all")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if d := p.task("all").PlannedDuration; d == nil || *d != 5*28_800 {
		t.Errorf("it takes %v", d)
	}
}

// covers: operations paths.critical paths.driving
func TestCriticalPathAndDrivingPathShowWhyTasksAreWhereTheyAre(t *testing.T) {
	t.Parallel()
	p := house(t)
	path := func(of scheduling.Path, err error) (tasks, links string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range of.Tasks {
			tasks += x.TaskID + " "
		}
		for _, x := range of.Links {
			links += x.TaskLinkID + " "
		}
		return tasks, links
	}
	tasks, links := path(scheduling.In(p.in()).CriticalPath(p.ctx))
	if tasks != "dig pour roof done " || links != "dig-pour pour-roof roof-done " {
		t.Errorf("critical: %s, %s", tasks, links)
	}
	if tasks, links = path(scheduling.In(p.in()).DrivingPath(p.ctx, "roof", scheduling.DrivingPathQuery{})); tasks != "dig pour roof " || links != "dig-pour pour-roof " {
		t.Errorf("driving: %s, %s", tasks, links)
	}
	if tasks, links = path(scheduling.In(p.in()).DrivingPath(p.ctx, "dig", scheduling.DrivingPathQuery{})); tasks != "dig " || links != "" {
		t.Errorf("nothing drives dig: %s, %s", tasks, links)
	}
}

func TestSimulationChangesNothingAndWarns(t *testing.T) {
	t.Parallel()
	p := house(t)
	before, _ := p.allTasks(twinplatform.ListOptions{})
	sim := p.simulate()
	if sim.TaskChangeCount != 3 || sim.TaskChanges[0].TaskID != "done" || !sim.Finish.Equal(date(t, "2026-03-06T17:00:00Z").Time) {
		t.Errorf("simulated %+v", sim)
	}
	var warned []string
	for _, w := range sim.Warnings {
		warned = append(warned, string(w.Code)+" "+string(w.TaskID))
	}
	if diff := cmp.Diff([]string{"NoPredecessor dig", "NoSuccessor done"}, warned); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	after, _ := p.allTasks(twinplatform.ListOptions{})
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the tasks are others:\n%s", diff)
	}
}

// covers: operations gantt.svg gantt.mmd
func TestScheduleIsDrawn(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.baseline("first")
	p.reschedule()
	chart, err := analysis.In(p.in()).GanttSVG(p.ctx, analysis.ChartQuery{BaselineID: "first"})
	if err != nil || chart.Pages != 1 {
		t.Fatal(chart.Pages, err)
	}
	for _, want := range []string{"<svg", "dig", "critical", "baseline"} {
		if !bytes.Contains(chart.Text, []byte(want)) {
			t.Errorf("the picture has no %q", want)
		}
	}
	paged, err := analysis.In(p.in()).GanttSVG(p.ctx, analysis.ChartQuery{Rows: 2, Page: 3})
	if err != nil || paged.Pages != 3 {
		t.Error(paged.Pages, err)
	}
	text, err := analysis.In(p.in()).GanttMermaid(p.ctx, analysis.ChartQuery{})
	if err != nil || !strings.HasPrefix(string(text.Text), "gantt") {
		t.Errorf("%s, %v", text.Text, err)
	}
	for name, c := range map[string]struct {
		q    analysis.ChartQuery
		want refusal
	}{
		"no such page":     {analysis.ChartQuery{Page: 7}, invalid("InvalidValue page")},
		"too many rows":    {analysis.ChartQuery{Rows: analysis.MaxChartRows + 1, Levels: -1}, invalid("InvalidValue levels", "InvalidValue rows")},
		"no such scale":    {analysis.ChartQuery{Scale: "inch"}, invalid("InvalidValue scale")},
		"backwards":        {analysis.ChartQuery{From: at(5), To: at(1)}, invalid("InvalidValue to")},
		"no such baseline": {analysis.ChartQuery{BaselineID: "none"}, noBaseline},
	} {
		_, err := analysis.In(p.in()).GanttSVG(p.ctx, c.q)
		t.Log(name)
		c.want.check(t, err)
	}
	p.tasks("a", "b")
	_, err = analysis.In(p.svc.In("nowhere")).GanttSVG(p.ctx, analysis.ChartQuery{})
	noSchedule.check(t, err)
	p.v65()
	_, err = analysis.In(p.in()).GanttSVG(p.ctx, analysis.ChartQuery{})
	notOfV65.check(t, err)
}

// A chart with a baseline writes the baseline into its plan: what others see next is the plan
// without it, and the plan as it has become.
func TestAChartIsThatOfThePlanHoweverItWasLookedAtBefore(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule()
	p.baseline("first")
	drawn := func(q analysis.ChartQuery) string {
		t.Helper()
		chart, err := analysis.In(p.in()).GanttSVG(p.ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		return string(chart.Text)
	}
	before := drawn(analysis.ChartQuery{})
	with := drawn(analysis.ChartQuery{BaselineID: "first"})
	if before == with {
		t.Error("the baseline is not drawn")
	}
	if diff := cmp.Diff(before, drawn(analysis.ChartQuery{})); diff != "" {
		t.Errorf("behind one with a baseline the chart is another one (-before +after):\n%s", diff)
	}
	p.patch("pour", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](2 * 28_800)})
	if drawn(analysis.ChartQuery{}) == before {
		t.Error("the chart does not follow a change")
	}
}

// The plans that were looked at last are kept as they are shown, within a bound.
func TestPlansThatWereLookedAtLastAreKeptWithinABound(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	plans := rescheduling.Of(p.in().Area())
	plans.Bound(0, 5)
	for _, plan := range []struct{ id, tasks string }{{"one", "a"}, {"two", "a b"}, {"three", "a b c"}, {"six", "a b c d e f"}} {
		p.id = plan.id
		p.schedule(schedules.NewSchedule{ID: plan.id, Name: plan.id, TwinID: "twin"})
		p.tasks(strings.Fields(plan.tasks)...)
	}
	for _, c := range []struct {
		id   string
		want []int
	}{{"one", []int{1}}, {"two", []int{1, 2}}, {"two", []int{1, 2}}, {"three", []int{2, 3}}, {"six", []int{2, 3}}, {"two", []int{3, 2}}, {"one", []int{2, 1}}} {
		if _, err := analysis.In(p.svc.In(c.id)).GanttRows(p.ctx, analysis.ChartQuery{}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, plans.Shown()); diff != "" {
			t.Errorf("behind %s (-want +got)\n%s", c.id, diff)
		}
	}
}

// covers: operations gantt.json
func TestChartIsFoldedAndSearched(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.create(schedules.NewTask{ID: "all", Name: "All of it", Type: schedules.Work})
	p.patch("dig", schedules.TaskPatch{ParentID: twinplatform.Set("all")})
	p.reschedule()
	for name, c := range map[string]struct {
		q    analysis.ChartQuery
		want []string
	}{
		"whole":    {analysis.ChartQuery{}, []string{"fence 2026-03-02", "all critical 2026-03-02", "dig below critical 2026-03-02", "pour critical 2026-03-03", "roof critical 2026-03-06", "done critical 2026-03-06"}},
		"folded":   {analysis.ChartQuery{Toggled: []string{"all", "nowhere"}, Rows: 2}, []string{"fence 2026-03-02", "all folded critical 2026-03-02"}},
		"unfolded": {analysis.ChartQuery{Toggled: []string{"all"}, Levels: 1, Rows: 3}, []string{"fence 2026-03-02", "all critical 2026-03-02", "dig below critical 2026-03-02"}},
		"searched": {analysis.ChartQuery{Search: "DIG"}, []string{"all above critical 2026-03-02", "dig below critical 2026-03-02"}},
		"critical": {analysis.ChartQuery{Critical: true, Search: "o"}, []string{"pour critical 2026-03-03", "roof critical 2026-03-06", "done critical 2026-03-06"}},
	} {
		chart, err := analysis.In(p.in()).GanttRows(p.ctx, c.q)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, r := range chart.Rows {
			s := r.TaskID
			for _, is := range []struct {
				word string
				is   bool
			}{{"folded", r.IsFolded}, {"above", !r.IsMatch}, {"below", r.Level == 1}, {"critical", r.IsCritical}} {
				if is.is {
					s += " " + is.word
				}
			}
			said = append(said, s+" "+r.StartDate)
		}
		if diff := cmp.Diff(c.want, said); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	chart, err := analysis.In(p.in()).GanttRows(p.ctx, analysis.ChartQuery{Rows: 2, Page: 3})
	if err != nil || chart.PageCount != 3 {
		t.Fatal(chart.PageCount, err)
	}
	days := 0.0
	want := analysis.ChartRow{
		TaskID: "roof", Name: "roof", DurationDays: 1, TotalFloatDays: &days, IsCritical: true, IsMatch: true,
		Start: twinplatform.At(time.Date(2026, 3, 6, 9, 0, 0, 0, time.UTC)), Finish: twinplatform.At(time.Date(2026, 3, 6, 17, 0, 0, 0, time.UTC)),
		StartDate: "2026-03-06", FinishDate: "2026-03-06",
	}
	if diff := cmp.Diff(want, chart.Rows[0]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	many := strings.Split(strings.Repeat("x,", analysis.MaxToggled), ",")
	_, err = analysis.In(p.in()).GanttRows(p.ctx, analysis.ChartQuery{Toggled: many, Search: strings.Repeat("x", analysis.MaxSearch+1)})
	invalid("InvalidValue toggled", "InvalidValue search").check(t, err)
	_, err = analysis.In(p.svc.In("nowhere")).GanttRows(p.ctx, analysis.ChartQuery{})
	noSchedule.check(t, err)
}

func TestEmptyScheduleIsDrawn(t *testing.T) {
	t.Parallel()
	p := standard(t)
	if chart, err := analysis.In(p.in()).GanttSVG(p.ctx, analysis.ChartQuery{}); err != nil || chart.Pages != 1 {
		t.Error(chart.Pages, err)
	}
}

// covers: operations comparisons.get comparisons.csv
func TestScheduleIsComparedWithItsBaseline(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule()
	p.baseline("first")
	p.patch("pour", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](2 * 28_800)})
	p.tasks("paint 2026-03-09T09:00:00Z 3600")
	p.delete("fence")
	p.reschedule()
	c, err := analysis.In(p.in()).CompareBaseline(p.ctx, "first", analysis.ComparisonQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(analysis.ChangeCounts{Added: 1, Changed: 3, Removed: 1, Unchanged: 1}, c.TaskCounts); diff != "" {
		t.Errorf("tasks (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(analysis.ChangeCounts{Removed: 2, Unchanged: 3}, c.LinkCounts); diff != "" {
		t.Errorf("links (-want +got)\n%s", diff)
	}
	if c.FinishVariance != 28_800 || c.Later != 3 || c.Longer != 1 {
		t.Errorf("%+v", c)
	}
	for _, x := range c.Tasks {
		if x.TaskID == "roof" && (x.BaselineTotalFloat == nil || x.TotalFloatVariance == nil || *x.TotalFloatVariance != 0) {
			t.Errorf("the float of the roof: %+v", x)
		}
		if x.TaskID == "pour" && (*x.DurationVariance != 28_800 || *x.FinishVariance != 28_800 || *x.StartVariance != 0) {
			t.Errorf("pour: %+v", x)
		}
	}
	lines, err := analysis.In(p.in()).CompareBaselineCSV(p.ctx, "first")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(lines)
	if err != nil || !strings.HasPrefix(string(text), "change,id,") || bytes.Count(text, []byte("\n")) != 7 || int64(len(text)) != lines.Size {
		t.Errorf("%s, %v", text, err)
	}
	_, err = analysis.In(p.in()).CompareBaseline(p.ctx, "none", analysis.ComparisonQuery{})
	noBaseline.check(t, err)
	_, err = analysis.In(p.svc.In("nowhere")).CompareBaseline(p.ctx, "none", analysis.ComparisonQuery{})
	noBaseline.check(t, err)
}

func TestPagesOfAComparisonHaveEachChangeOnce(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule()
	p.baseline("first")
	p.patch("pour", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](2 * 28_800)})
	p.tasks("paint 2026-03-09T09:00:00Z 3600")
	p.delete("fence")
	p.reschedule()
	whole, err := analysis.In(p.in()).CompareBaseline(p.ctx, "first", analysis.ComparisonQuery{})
	if err != nil || whole.Next != 0 || whole.Top != analysis.DefaultTop || len(whole.Tasks) != 5 || len(whole.Links) != 2 {
		t.Fatalf("%d tasks, %d links, next %d: %v", len(whole.Tasks), len(whole.Links), whole.Next, err)
	}
	var tasks []analysis.TaskVariance
	var links []analysis.LinkDifference
	q := analysis.ComparisonQuery{Top: 2}
	for pages := 1; ; pages++ {
		c, err := analysis.In(p.in()).CompareBaseline(p.ctx, "first", q)
		if err != nil || len(c.Tasks) > 2 || len(c.Links) > 2 || c.TaskCounts != whole.TaskCounts {
			t.Fatalf("%+v, %v", c, err)
		}
		tasks, links = append(tasks, c.Tasks...), append(links, c.Links...)
		if q.Skip = c.Next; q.Skip == 0 {
			if pages != 3 {
				t.Errorf("%d pages", pages)
			}
			break
		}
	}
	if diff := cmp.Diff(whole.Tasks, tasks); diff != "" {
		t.Errorf("tasks (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(whole.Links, links); diff != "" {
		t.Errorf("links (-want +got)\n%s", diff)
	}
	_, err = analysis.In(p.in()).CompareBaseline(p.ctx, "first", analysis.ComparisonQuery{Top: analysis.MaxTop + 1, Skip: -1})
	invalid("InvalidValue top", "InvalidValue skip").check(t, err)
}

// covers: operations finishMoves.get
func TestTheFinishOfAScheduleMovesByWhatChanged(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule()
	p.baseline("first")
	p.patch("pour", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](2 * 28_800)})
	p.reschedule()
	p.baseline("second")
	m, err := analysis.In(p.in()).FinishMove(p.ctx, "first", analysis.FinishMoveQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Move != 28_800 || m.MoveDays != 1 || m.Remainder != 0 || len(m.Causes) != 1 {
		t.Fatalf("%+v", m)
	}
	if c := m.Causes[0]; c.TaskID != "pour" || c.Reason != compare.ChangedDuration || c.Contribution != m.Move || c.ContributionDays != 1 {
		t.Errorf("%+v", c)
	}
	back, err := analysis.In(p.in()).FinishMove(p.ctx, "second", analysis.FinishMoveQuery{ToBaselineID: "first"})
	if err != nil || back.Move != -m.Move || len(back.Causes) != 1 || back.Causes[0].TaskID != "pour" || back.Causes[0].Contribution != -m.Move {
		t.Errorf("%+v, %v", back, err)
	}
	for _, q := range []analysis.FinishMoveQuery{{}, {ToBaselineID: "first"}} {
		_, err = analysis.In(p.in()).FinishMove(p.ctx, "none", q)
		noBaseline.check(t, err)
	}
	_, err = analysis.In(p.in()).FinishMove(p.ctx, "first", analysis.FinishMoveQuery{ToBaselineID: "none"})
	noBaseline.check(t, err)
}

// covers: operations qualityViolations.analyze qualityViolations.list
func TestQualityOfAScheduleIsJudged(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule()
	all, err := analysis.In(p.in()).AnalyzeQuality(p.ctx, analysis.QualityOptions{IncludeMilestones: true})
	if err != nil || len(all) != 14 {
		t.Fatal(len(all), err)
	}
	if r := all[0]; r.Point != quality.Logic || r.State != quality.Failed || r.ViolationCount != 2 || r.Number != 1 {
		t.Errorf("%+v", r)
	}
	if r := all[11]; r.Point != quality.CriticalPathTest || r.State != quality.Passed {
		t.Errorf("%+v", r)
	}
	q := analysis.QualityViolationQuery{QualityOptions: analysis.QualityOptions{IncludeMilestones: true, Points: []quality.Point{quality.Logic}}, ListOptions: twinplatform.ListOptions{Top: 1}}
	page, err := analysis.In(p.in()).QualityViolations(p.ctx, q)
	if err != nil || page.Len() != 1 || page.Next != "1" {
		t.Fatal(page.Len(), page.Next, err)
	}
	q.Skip = 1
	page, err = analysis.In(p.in()).QualityViolations(p.ctx, q)
	values, _ := page.Values()
	if err != nil || len(values) != 1 || page.Next != "" || values[0].TaskID == "" {
		t.Fatal(values, page.Next, err)
	}
	for name, o := range map[string]analysis.QualityOptions{
		"no such point": {Points: []quality.Point{"Beauty"}}, "a negative threshold": {Thresholds: map[quality.Point]float64{quality.Leads: -1}}, "negative days": {HighFloatDays: -1},
	} {
		t.Log(name)
		_, err = analysis.In(p.in()).AnalyzeQuality(p.ctx, o)
		if e := twinplatform.AsError(err); e == nil || e.Code != "InvalidSchedulesRequest" {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = analysis.In(p.in()).QualityViolations(p.ctx, analysis.QualityViolationQuery{Skip: -1, ListOptions: twinplatform.ListOptions{Top: schedules.MaxTop + 1}})
	invalid("InvalidValue top", "InvalidValue skip").check(t, err)
	_, err = analysis.In(p.in()).AnalyzeQuality(p.ctx, analysis.QualityOptions{BaselineID: "none"})
	noBaseline.check(t, err)
}

// covers: operations baselineTaskSchedulingAnalyses.list
func TestBaselinesKeepTheAnalysesOfTheirMoment(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.baseline("before")
	p.reschedule()
	p.baseline("first")
	p.patch("dig", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](57_600)})
	p.reschedule()
	kept := func(baseline string) (said []string) {
		page, err := scheduling.In(p.in()).BaselineSchedulingAnalyses(p.ctx, baseline, scheduling.BaselineSchedulingAnalysisQuery{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := page.Values()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			said = append(said, fmt.Sprintf("%s %s %t %d %s", a.BaselineID, a.TaskID, a.IsCritical, *a.DownstreamTotalFloat/3600, a.EarlyFinish.Format("Mon 15:04")))
		}
		return said
	}
	if said := kept("before"); said != nil {
		t.Errorf("before the first rescheduling: %q", said)
	}
	want := []string{"first dig true 0 Mon 17:00", "first done true 0 Fri 17:00", "first fence false 36 Mon 13:00", "first pour true 0 Tue 17:00", "first roof true 0 Fri 17:00"}
	if diff := cmp.Diff(want, kept("first")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, err := p.in().DeleteBaselines(p.ctx, []string{"first"}); err != nil {
		t.Fatal(err)
	}
	_, err := scheduling.In(p.in()).BaselineSchedulingAnalyses(p.ctx, "first", scheduling.BaselineSchedulingAnalysisQuery{})
	noBaseline.check(t, err)
}

func TestEstimatedFinishIsWhenATaskEndsByWhatIsKnown(t *testing.T) {
	t.Parallel()
	p := house(t)
	estimated := func(id, want string) {
		t.Helper()
		if got := p.task(id).EstimatedFinish; !got.Equal(date(t, want).Time) {
			t.Errorf("%s is estimated to end %s, want %s", id, got, want)
		}
	}
	estimated("dig", "2026-03-02T17:00:00Z")
	p.patch("dig", schedules.TaskPatch{Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(date(t, "2026-03-03T13:00:00Z"))})
	estimated("dig", "2026-03-04T13:00:00Z")
	p.calendar(working("short", "09:00-13:00"))
	p.scheduling("short", "UTC")
	estimated("dig", "2026-03-05T13:00:00Z")
	done := date(t, "2026-03-04T11:00:00Z")
	p.patch("dig", schedules.TaskPatch{Status: twinplatform.Set(schedules.Finished), ActualFinish: twinplatform.Set(done), TaskAsRead: schedules.TaskAsRead{EstimatedFinish: twinplatform.Set(done)}})
	estimated("dig", "2026-03-04T11:00:00Z")
	_, err := p.in().UpdateTask(p.ctx, "dig", schedules.TaskPatch{TaskAsRead: schedules.TaskAsRead{EstimatedFinish: twinplatform.Set(at(900))}})
	invalid("InvalidValue estimatedFinish").check(t, err)
}
