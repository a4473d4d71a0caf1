package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/quality"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
)

// judged are the points that a baseline is for, and the tasks that are late by it.
func (w *world) judged(baselineID string) (said []string) {
	w.Helper()
	options := analysis.QualityOptions{BaselineID: baselineID, Points: []quality.Point{quality.MissedTasks, quality.CriticalPathLengthIndex, quality.BaselineExecutionIndex}}
	in := analysis.In(w.nodes[0].In(w.id))
	all, err := in.AnalyzeQuality(w.ctx, options)
	w.must(nil, err)
	for _, r := range all {
		said = append(said, fmt.Sprintf("%s %s %d %s", r.Point, r.State, r.Checked, r.Reason))
	}
	page, err := in.QualityViolations(w.ctx, analysis.QualityViolationQuery{QualityOptions: options})
	w.must(nil, err)
	late, err := page.Values()
	w.must(nil, err)
	for _, v := range late {
		said = append(said, fmt.Sprintf("%s %s: %s", v.Point, v.TaskID, v.Detail))
	}
	return said
}

func (w *world) baseline(id string, current bool) {
	w.Helper()
	w.must(w.nodes[0].In(w.id).CreateBaseline(w.ctx, schedules.NewBaseline{ID: id, Name: id, IsCurrent: current}))
}

func TestQualityIsJudgedByTheCurrentBaselineUnlessAnotherIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	in := w.chain()
	dataDate := func(d twinplatform.Optional[twinplatform.DateTime]) {
		t.Helper()
		w.must(in.UpdateProjectScheduling(w.ctx, schedules.ProjectSchedulingPatch{DataDate: d}))
	}
	says := func(what string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, w.judged("")); diff != "" {
			t.Errorf("%s (-want +got)\n%s", what, diff)
		}
	}
	none := func(because, target string) []string {
		return []string{"MissedTasks NotApplicable 0 " + because, "CriticalPathLengthIndex NotApplicable 0 " + because + target, "BaselineExecutionIndex NotApplicable 0 " + because}
	}
	const noTarget = " It has no must-finish date either."
	says("at first", none("The plan has no data date.", "")...)
	dataDate(twinplatform.Set(at(12 * 24)))
	w.must(scheduling.In(in).Reschedule(w.ctx, scheduling.Rescheduling{}))
	says("with a data date", none("The plan has no baseline.", noTarget)...)
	w.baseline("z-other", false)
	says("with a baseline that is not current", none("None of the baselines of the plan is current, and none was named.", noTarget)...)

	// The tasks were to end before the data date when the baseline was made that becomes current.
	dataDate(twinplatform.Null[twinplatform.DateTime]())
	w.must(in.UpdateTask(w.ctx, "a", schedules.TaskPatch{PlannedStart: twinplatform.Set(at(0))}))
	w.must(scheduling.In(in).Reschedule(w.ctx, scheduling.Rescheduling{}))
	w.now = w.now.AddDate(0, 0, 1)
	w.baseline("m-early", true)
	dataDate(twinplatform.Set(at(12 * 24)))
	w.must(scheduling.In(in).Reschedule(w.ctx, scheduling.Rescheduling{}))
	early := w.judged("m-early")
	if len(early) != 7 || early[0] != "MissedTasks Failed 2 " {
		t.Fatalf("by the early baseline it is judged %q", early)
	}
	says("with one that is current", early...)
	w.now = w.now.AddDate(0, 0, 1)
	w.baseline("a-late", true) // which is the first by its id
	late := w.judged("a-late")
	if cmp.Equal(early, late) {
		t.Fatalf("both baselines judge %q", late)
	}
	says("with two that are current", late...)
	if diff := cmp.Diff(early, w.judged("m-early")); diff != "" {
		t.Errorf("with the one that is named (-want +got)\n%s", diff)
	}
	_, err := in.DeleteBaselines(w.ctx, []string{"a-late"})
	w.must(nil, err)
	says("once the last is deleted", early...)
}

// TestComparisonOfATaskFindsItBehindHundreds lets 250 tasks move behind one another, and asks for
// the last of them, for one that has not moved, and for those of one plan alone.
func TestComparisonOfATaskFindsItBehindHundreds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	in := w.chain()
	w.must(in.UpdateProjectScheduling(w.ctx, schedules.ProjectSchedulingPatch{MustFinishBy: twinplatform.Set(at(90 * 24))})) // so that floats stay
	tasks, links := make([]schedules.NewTask, 250), make([]schedules.NewTaskLink, 250)
	for i := range tasks {
		tasks[i] = schedules.NewTask{ID: fmt.Sprintf("t%03d", i), Name: "Moved", Type: schedules.Work, PlannedDuration: new(int32(8 * 3600))}
		links[i] = schedules.NewTaskLink{ID: fmt.Sprintf("k%03d", i), PredecessorID: "a", SuccessorID: tasks[i].ID, Type: schedules.FinishToStart}
	}
	tasks = append(tasks, schedules.NewTask{ID: "zz", Name: "Still", Type: schedules.Work, PlannedStart: at(0), PlannedDuration: new(int32(8 * 3600))})
	w.must(in.CreateTasks(w.ctx, tasks))
	w.must(in.CreateTaskLinks(w.ctx, links))
	w.must(scheduling.In(in).Reschedule(w.ctx, scheduling.Rescheduling{}))
	w.baseline("then", true)
	w.must(in.UpdateTask(w.ctx, "a", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](10 * 8 * 3600)}))
	w.must(in.UpdateTaskLinks(w.ctx, []schedules.TaskLinkPatch{{ID: "k249", Lag: twinplatform.Set[int32](8 * 3600)}}))
	w.must(in.DeleteTasks(w.ctx, []string{"t000"}))
	w.must(in.CreateTasks(w.ctx, []schedules.NewTask{{ID: "new", Name: "New", Type: schedules.Work, PlannedDuration: new(int32(3600))}}))
	w.must(scheduling.In(in).Reschedule(w.ctx, scheduling.Rescheduling{}))
	const days = 8 * 3600
	for id, want := range map[string]string{
		"t249": "Changed 48 1", "zz": "Unchanged 0 0", "new": "Added - 0", "t000": "Removed - 1", "nowhere": "", "a": "Changed 0 2",
	} {
		c, err := analysis.In(in).CompareBaseline(w.ctx, "then", analysis.ComparisonQuery{TaskID: id})
		w.must(nil, err)
		said := ""
		for _, v := range c.Tasks {
			later := "-"
			if v.StartVariance != nil {
				later = fmt.Sprint(*v.StartVariance / 3600)
			}
			said = strings.TrimSpace(fmt.Sprintf("%s %s %s %d", said, v.Change, later, len(c.Links)))
			if v.Change == compare.Unchanged && (v.BaselineStart.IsZero() || !v.BaselineStart.Equal(v.Start.Time) || *v.BaselineDuration != days) {
				t.Errorf("the task that has not moved was there from %v on for %v", v.BaselineStart, v.BaselineDuration)
			}
		}
		if said != want || c.Next != 0 || c.TaskCounts.Changed != 251 {
			t.Errorf("%s: %q, next %d of %+v; want %q", id, said, c.Next, c.TaskCounts, want)
		}
	}
	whole, err := analysis.In(in).CompareBaseline(w.ctx, "then", analysis.ComparisonQuery{})
	if err != nil || len(whole.Tasks) != analysis.DefaultTop || whole.Next != analysis.DefaultTop {
		t.Errorf("the first page has %d tasks, the next begins at %d: %v", len(whole.Tasks), whole.Next, err)
	}
}
