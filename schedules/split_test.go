package schedules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

const hourOf = 3600

// halves are splits of a task of eight hours: a day behind its first two, and four hours behind
// its sixth.
var halves = []schedules.TaskSplit{{After: 2 * hourOf, Duration: 8 * hourOf}, {After: 6 * hourOf, Duration: 4 * hourOf}}

// TestATaskEndsLaterByItsPauses splits a task: what is computed of it and what follows it is
// behind its pauses, by the rules of both tools.
func TestATaskEndsLaterByItsPauses(t *testing.T) {
	t.Parallel()
	for _, profile := range []schedules.SchedulingProfile{schedules.ProfileP6, schedules.ProfileMicrosoftProject} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			p := house(t)
			if _, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{Profile: twinplatform.Set(profile)}); err != nil {
				t.Fatal(err)
			}
			p.patch("dig", schedules.TaskPatch{Splits: twinplatform.Set(halves)})
			if got := p.planned("dig"); got[0] != "dig Mon 09:00 Wed 13:00" {
				t.Errorf("planned: %s", got)
			}
			p.reschedule()
			if diff := cmp.Diff([]string{"dig Mon 09:00 Wed 13:00", "pour Wed 13:00 Thu 13:00"}, p.planned("dig", "pour")); diff != "" {
				t.Errorf("rescheduled (-want +got)\n%s", diff)
			}
			if sim := p.simulate(); sim.TaskChangeCount != 0 {
				t.Errorf("a second rescheduling moves %+v", sim.TaskChanges)
			}
			p.patch("dig", schedules.TaskPatch{PlannedStart: twinplatform.Set(date(t, "2026-03-05T09:00:00Z"))})
			if got := p.planned("dig"); got[0] != "dig Thu 09:00 Mon 13:00" {
				t.Errorf("moved to Thursday: %s", got)
			}
			p.patch("dig", schedules.TaskPatch{Splits: twinplatform.Null[[]schedules.TaskSplit]()})
			if got := p.planned("dig"); got[0] != "dig Thu 09:00 Thu 17:00" || p.task("dig").Splits != nil {
				t.Errorf("in one piece again: %s", got)
			}
		})
	}
}

// TestWhatRemainsOfASplitTaskPausesWhereItHasNotCome starts one, and counts the pauses that are
// still to come as its analysis does.
func TestWhatRemainsOfASplitTaskPausesWhereItHasNotCome(t *testing.T) {
	t.Parallel()
	for profile, want := range map[schedules.SchedulingProfile]string{
		schedules.ProfileP6:               "Tue 13:00", // four of eight hours are left as of Monday, and a pause of four
		schedules.ProfileMicrosoftProject: "Wed 13:00", // from its start, with all pauses
	} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			p := house(t)
			set := schedules.ProjectSchedulingPatch{Profile: twinplatform.Set(profile), DataDate: twinplatform.Set(date(t, "2026-03-02T13:00:00Z"))}
			if _, err := p.in().UpdateProjectScheduling(p.ctx, set); err != nil {
				t.Fatal(err)
			}
			p.patch("dig", schedules.TaskPatch{
				Splits: twinplatform.Set(halves), Status: twinplatform.Set(schedules.Started),
				ActualStart: twinplatform.Set(date(t, "2026-03-02T09:00:00Z")), PercentComplete: twinplatform.Set(int32(50)),
			})
			if got := p.task("dig").EstimatedFinish.Format("Mon 15:04"); got != want {
				t.Errorf("it is estimated to end %s, want %s", got, want)
			}
			p.reschedule()
			if got := p.analysis("dig").EarlyFinish.Format("Mon 15:04"); got != want {
				t.Errorf("its early finish is %s, want %s", got, want)
			}
		})
	}
}

func TestSplitsThatNoTaskCanHaveAreRefused(t *testing.T) {
	t.Parallel()
	p := house(t)
	for name, c := range map[string]struct {
		patch schedules.TaskPatch
		want  string
	}{
		"at the start":              {schedules.TaskPatch{Splits: twinplatform.Set([]schedules.TaskSplit{{Duration: 1}})}, "InvalidValue splits[0].after"},
		"without a pause":           {schedules.TaskPatch{Splits: twinplatform.Set([]schedules.TaskSplit{{After: 1}})}, "InvalidValue splits[0].duration"},
		"in another order":          {schedules.TaskPatch{Splits: twinplatform.Set([]schedules.TaskSplit{{After: 2, Duration: 1}, {After: 1, Duration: 1}})}, "InvalidValue splits[1].after"},
		"twice at once":             {schedules.TaskPatch{Splits: twinplatform.Set([]schedules.TaskSplit{{After: 2, Duration: 1}, {After: 2, Duration: 1}})}, "InvalidValue splits[1].after"},
		"at the end":                {schedules.TaskPatch{Splits: twinplatform.Set([]schedules.TaskSplit{{After: 8 * hourOf, Duration: 1}})}, "InvalidValue splits[0].after"},
		"of a milestone":            {schedules.TaskPatch{Type: twinplatform.Set(schedules.StartKeyDate), Splits: twinplatform.Set(halves)}, "InvalidValue splits"},
		"more than a task has":      {schedules.TaskPatch{Splits: twinplatform.Set(make([]schedules.TaskSplit, schedules.MaxSplits+1))}, "InvalidValue splits"},
		"behind a shorter duration": {schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(6 * hourOf))}, "InvalidValue plannedDuration"},
	} {
		p.patch("dig", schedules.TaskPatch{Splits: twinplatform.Set(halves)})
		_, err := p.in().UpdateTask(p.ctx, "dig", c.patch)
		t.Log(name)
		invalid(c.want).check(t, err)
	}
	p.patch("dig", schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(6 * hourOf)), Splits: twinplatform.Set(halves[:1])})
	p.patch("dig", schedules.TaskPatch{Type: twinplatform.Set(schedules.StartKeyDate)})
	if x := p.task("dig"); x.Splits != nil {
		t.Errorf("a milestone has the splits %+v", x.Splits)
	}
}

// TestSplitsOfATaskWithChildrenCountForNothing puts a task below a split one.
func TestSplitsOfATaskWithChildrenCountForNothing(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.patch("fence", schedules.TaskPatch{Splits: twinplatform.Set([]schedules.TaskSplit{{After: hourOf, Duration: 8 * hourOf}})})
	p.create(schedules.NewTask{ID: "post", Name: "post", Type: schedules.Work, ParentID: "fence", PlannedStart: date(t, "2026-03-02T09:00:00Z"), PlannedDuration: new(int32(4 * hourOf))})
	p.reschedule()
	if got := p.planned("fence"); got[0] != "fence Mon 09:00 Mon 13:00" {
		t.Errorf("planned: %s", got)
	}
}

// TestSplitsComeOutAsTheyCameIn creates a split task and exports it to a file of Microsoft Project,
// whose import keeps it; a file of P6 names what it loses.
func TestSplitsComeOutAsTheyCameIn(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.create(schedules.NewTask{ID: "paint", Name: "paint", Type: schedules.Work, PlannedStart: date(t, "2026-03-02T09:00:00Z"), PlannedDuration: new(int32(8 * hourOf)), Splits: halves})
	if _, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{Profile: twinplatform.Set(schedules.ProfileMicrosoftProject)}); err != nil {
		t.Fatal(err)
	}
	content := p.export(exchange.PlannerExport{Format: exchange.FormatMSPDI})
	again := inMemory(t)
	again.importPlan(content, exchange.PlannerImportOptions{})
	tasks, _ := again.allTasks(twinplatform.ListOptions{})
	found := false
	for _, x := range tasks {
		if x.Name == "paint" {
			found = true
			if diff := cmp.Diff(halves, x.Splits); diff != "" || x.PlannedFinish.Format("Mon 15:04") != "Wed 13:00" {
				t.Errorf("it ends %s; splits (-want +got)\n%s", x.PlannedFinish, diff)
			}
		}
	}
	if !found {
		t.Error("the file has no such task")
	}
	if y := again.importPlan(content, exchange.PlannerImportOptions{}); y.SynchronizationDetails.Updated.Tasks != nil && *y.SynchronizationDetails.Updated.Tasks != 0 {
		t.Errorf("a second import changes %d tasks", *y.SynchronizationDetails.Updated.Tasks)
	}
	file := p.readExport(planner.XER)
	for i := range file.Tasks {
		if len(file.Tasks[i].Splits) > 0 {
			t.Errorf("a file of P6 has splits: %+v", file.Tasks[i].Splits)
		}
	}
}
