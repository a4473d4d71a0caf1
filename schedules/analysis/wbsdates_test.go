package analysis_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
)

// hoursOf are times as hours after the beginning of plans.
func hoursOf(start, finish twinplatform.DateTime) string {
	if start.IsZero() || finish.IsZero() {
		return "none"
	}
	return fmt.Sprint(start.Sub(monday).Hours(), " ", finish.Sub(monday).Hours())
}

// wbs are the dates of the WBS tasks of a plan, as they are listed.
func (w *world) wbs(in schedules.Plan) map[string]string {
	w.Helper()
	all, skip := make(map[string]string), 0
	for {
		page, err := analysis.In(in).WBSDates(w.ctx, analysis.WBSDatesQuery{
			ListOptions: twinplatform.ListOptions{Top: 3}, Skip: skip,
		})
		w.must(nil, err)
		for x, err := range page.OnPage() {
			w.must(nil, err)
			all[x.TaskID] = hoursOf(x.Start, x.Finish)
		}
		if skip += 3; page.Next == "" {
			return all
		}
	}
}

// charted are the dates of the rows of the chart that others are below.
func (w *world) charted(in schedules.Plan) map[string]string {
	w.Helper()
	rows, err := analysis.In(in).GanttRows(w.ctx, analysis.ChartQuery{Rows: analysis.MaxChartRows})
	w.must(nil, err)
	all := make(map[string]string)
	for _, r := range rows.Rows {
		if r.IsParent {
			all[r.TaskID] = hoursOf(r.Start, r.Finish)
		}
	}
	return all
}

func (w *world) all(in schedules.Plan) (all []schedules.Task) {
	w.Helper()
	page, err := in.Tasks(w.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: 1_000}})
	w.must(nil, err)
	all, err = page.Values()
	w.must(nil, err)
	return all
}

// unchanged takes a baseline, from which the plan does not differ.
func (w *world) unchanged(in schedules.Plan, id string) {
	w.Helper()
	w.must(in.CreateBaseline(w.ctx, schedules.NewBaseline{ID: id, Name: id}))
	page, err := analysis.In(in).CompareBaseline(w.ctx, id, analysis.ComparisonQuery{})
	w.must(nil, err)
	if len(page.Tasks) != 0 {
		w.Errorf("a baseline that was just taken differs in %+v", page.Tasks)
	}
}

// spansOf are the dates of the WBS tasks by a count over all that is below each.
func spansOf(tasks []schedules.Task) map[string]string {
	below := make(map[string][]schedules.Task)
	for _, t := range tasks {
		below[string(t.ParentID)] = append(below[string(t.ParentID)], t)
	}
	all := make(map[string]string)
	var span func(t schedules.Task) (start, finish twinplatform.DateTime)
	span = func(t schedules.Task) (start, finish twinplatform.DateTime) {
		for _, child := range below[t.ID] {
			s, f := span(child)
			if child.IsInactive || s.IsZero() {
				continue
			}
			if start.IsZero() || s.Before(start.Time) {
				start = s
			}
			if f.After(finish.Time) {
				finish = f
			}
		}
		if t.IsWBS {
			all[t.ID] = hoursOf(start, finish)
		}
		if !t.IsWBS { // whose own dates are of no time that follows from below
			start, finish = t.PlannedStart, t.PlannedFinish
		}
		return start, finish
	}
	for _, t := range below[""] {
		span(t)
	}
	return all
}

// Whatever a plan is changed to, its WBS tasks have the dates of what is below them, for who has looked at it before and
// for who has not, in the list and in the chart.
func TestWBSTasksHaveTheDatesOfWhatIsBelowThem(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Seeds(12, 4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 53))
			w := newWorld(t, 1)
			in := w.nodes[0].In(w.id)
			const size = 30
			name := func(i int) string { return fmt.Sprintf("t%02d", i*7%size) }
			batch := make([]schedules.NewTask, size)
			for i := range batch {
				n := schedules.NewTask{ID: name(i), Name: name(i), Type: schedules.Work, IsInactive: rnd.IntN(9) == 0}
				if i > 0 && rnd.IntN(5) > 0 {
					n.ParentID = name(rnd.IntN(min(i, 12)))
				}
				if rnd.IntN(3) > 0 {
					n.PlannedStart, n.PlannedDuration = at(rnd.IntN(900)), new(int32(3600*(1+rnd.IntN(40))))
				}
				batch[i] = n
			}
			w.must(in.CreateTasks(w.ctx, batch))
			for step := range 12 {
				tasks := w.all(in)
				want, wanted := spansOf(tasks), make(map[string]string)
				for _, x := range tasks {
					if x.IsWBS {
						wanted[x.ID] = want[x.ID]
						if want[x.ID] == "none" { // its own stay
							wanted[x.ID] = hoursOf(x.PlannedStart, x.PlannedFinish)
						}
					}
				}
				for who, in := range map[string]schedules.Plan{"before": in, "not before": w.fresh().In(w.id)} {
					if diff := cmp.Diff(want, w.wbs(in)); diff != "" {
						t.Fatalf("at step %d, for who has looked %s (-counted +listed):\n%s", step, who, diff)
					}
					if diff := cmp.Diff(wanted, w.charted(in)); diff != "" {
						t.Fatalf("at step %d, in the chart of who has looked %s (-counted +drawn):\n%s", step, who, diff)
					}
				}
				id, patch := tasks[rnd.IntN(len(tasks))].ID, schedules.TaskPatch{}
				switch rnd.IntN(5) {
				case 0:
					_, _ = in.DeleteTasks(w.ctx, []string{id})
					continue
				case 1, 2:
					patch.ParentID = twinplatform.Set(name(rnd.IntN(12)))
				case 3:
					patch.PlannedStart = twinplatform.Null[twinplatform.DateTime]()
					patch.PlannedDuration = twinplatform.Null[int32]()
				default:
					patch.PlannedStart, patch.PlannedDuration = twinplatform.Set(at(rnd.IntN(2_000))), twinplatform.Set[int32](7200)
				}
				_, _ = in.UpdateTask(w.ctx, id, patch)
				if step%4 == 3 {
					w.unchanged(in, fmt.Sprint("b", step))
				}
				if len(w.all(in)) == 0 {
					return
				}
			}
		})
	}
}

// A WBS task follows what is below it in its chart, while what was planned of it itself stays, and a baseline that was
// just taken does not differ from the plan.
func TestDatesFromBelowStayApartFromWhatWasPlanned(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	in := w.nodes[0].In(w.id)
	work := func(id, parent string, start int) schedules.NewTask {
		return schedules.NewTask{
			ID: id, Name: id, Type: schedules.Work, ParentID: parent, PlannedStart: at(start), PlannedDuration: new(int32(3600)),
		}
	}
	none := schedules.NewTask{ID: "site", Name: "site", Type: schedules.Work}
	w.must(in.CreateTasks(w.ctx, []schedules.NewTask{
		none, work("pit", "site", 3), work("dig", "pit", 24), work("pour", "pit", 72),
	}))
	want := map[string]string{"site": "24 74", "pit": "24 74"}
	if diff := cmp.Diff(want, w.wbs(in)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	pit, err := in.Task(w.ctx, "pit")
	w.must(nil, err)
	if got := hoursOf(pit.Value.PlannedStart, pit.Value.PlannedFinish); got != "3 4" {
		t.Errorf("what was planned of it itself is now %s", got)
	}
	w.unchanged(in, "b")
	w.must(in.UpdateTask(w.ctx, "pour", schedules.TaskPatch{PlannedStart: twinplatform.Set(at(96))}))
	page, err := analysis.In(in).CompareBaseline(w.ctx, "b", analysis.ComparisonQuery{})
	w.must(nil, err)
	later := make(map[string]string)
	for _, x := range page.Tasks {
		later[x.TaskID] = hoursOf(x.Start, x.Finish)
	}
	if diff := cmp.Diff(map[string]string{"site": "24 98", "pit": "24 98", "pour": "96 98"}, later); diff != "" {
		t.Errorf("since the baseline (-want +got):\n%s", diff)
	}
}

// What becomes of a task after a baseline was taken changes nothing of that: not what it spans, and not when it ends.
func TestABaselineStaysWhateverBecomesOfItsTasks(t *testing.T) {
	t.Parallel()
	set := twinplatform.Set[bool]
	for name, c := range map[string]struct {
		task  string
		patch schedules.TaskPatch
	}{
		"a task is made inactive":         {"pour", schedules.TaskPatch{IsInactive: set(true)}},
		"a task is made active":           {"dropped", schedules.TaskPatch{IsInactive: set(false)}},
		"a task gets another one below":   {},
		"an empty one is a summary still": {"empty", schedules.TaskPatch{Name: twinplatform.Set("empty still")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1)
			in := w.nodes[0].In(w.id)
			work := func(id, parent string, start int) schedules.NewTask {
				return schedules.NewTask{
					ID: id, Name: id, Type: schedules.Work, ParentID: parent, PlannedStart: at(start), PlannedDuration: new(int32(3600)),
				}
			}
			dropped, empty := work("dropped", "site", 500), work("empty", "site", 900)
			dropped.IsInactive, empty.IsSummary = true, true
			w.must(in.CreateTasks(w.ctx, []schedules.NewTask{
				work("site", "", 3), work("dig", "site", 24), work("pour", "site", 72), dropped, empty,
			}))
			w.unchanged(in, "b")
			if c.task == "" {
				w.must(in.CreateTasks(w.ctx, []schedules.NewTask{work("cure", "pour", 100)}))
			} else {
				w.must(in.UpdateTask(w.ctx, c.task, c.patch))
			}
			w.must(in.UpdateTask(w.ctx, "dig", schedules.TaskPatch{PlannedStart: twinplatform.Set(at(25))}))
			page, err := analysis.In(in).CompareBaseline(w.ctx, "b", analysis.ComparisonQuery{})
			w.must(nil, err)
			for _, x := range page.Tasks {
				if got := hoursOf(x.BaselineStart, x.BaselineFinish); x.TaskID == "site" && got != "24 74" {
					t.Errorf("in the baseline the site is from and to %s", got)
				}
			}
			move, err := analysis.In(in).FinishMove(w.ctx, "b", analysis.FinishMoveQuery{})
			w.must(nil, err)
			if got := hoursOf(at(0), move.BaselineFinish); got != "0 74" && c.task != "" {
				t.Errorf("the baseline ends at %s", got)
			}
		})
	}
}

func TestDatesOfATaskThatIsNoWBSAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	in := w.nodes[0].In(w.id)
	w.must(in.CreateTasks(w.ctx, []schedules.NewTask{
		{ID: "site", Name: "site", Type: schedules.Work}, {ID: "dig", Name: "dig", Type: schedules.Work, ParentID: "site"},
	}))
	for id, want := range map[string]string{
		"none": "TaskNotFound: taskId", "dig": "InvalidSchedulesRequest: InvalidValue taskId", "site": "",
	} {
		page, err := analysis.In(in).WBSDates(w.ctx, analysis.WBSDatesQuery{TaskID: id})
		got := ""
		if e, ok := errors.AsType[*twinplatform.Error](err); ok {
			got = e.Code + ": " + e.Target
			for _, d := range e.Details {
				got += d.Code + " " + d.Target
			}
		}
		if got != want || want == "" && page.Len() != 1 {
			t.Errorf("of %s: %q, %v, and %d are listed", id, got, err, page.Len())
		}
	}
}
