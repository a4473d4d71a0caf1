package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// spanned are the dates that a baseline has of each task, as hours after morning.
func (p *plan) spanned(baseline string) map[string]string {
	p.Helper()
	out := make(map[string]string)
	for _, row := range p.baselineTasks(baseline) {
		out[row.TaskID] = hoursOf(row.StartDate) + " " + hoursOf(row.FinishDate)
	}
	return out
}

func hoursOf(d twinplatform.DateTime) string {
	if d.IsZero() {
		return "-"
	}
	return fmt.Sprint(d.Sub(morning).Hours())
}

func in(hours float64) twinplatform.DateTime {
	return twinplatform.At(morning.Add(time.Duration(hours * float64(time.Hour))))
}

func TestSummaryOfABaselineSpansWhatIsBelowItWhereItHasNoDates(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		work := func(id, parent string) schedules.NewTask {
			return schedules.NewTask{ID: id, Name: id, Type: schedules.Work, ParentID: parent}
		}
		dated := func(id, parent string, start float64) schedules.NewTask {
			n := work(id, parent)
			n.PlannedStart, n.PlannedDuration = in(start), new(int32(3600))
			return n
		}
		key := func(id, parent string, kind schedules.TaskType, at float64) schedules.NewTask {
			n := schedules.NewTask{ID: id, Name: id, Type: kind, ParentID: parent}
			if kind == schedules.StartKeyDate {
				n.PlannedStart = in(at)
			} else {
				n.PlannedFinish = in(at)
			}
			return n
		}
		begun := work("begun", "project")
		begun.PlannedStart = in(5)
		milestone := schedules.NewTask{ID: "milestone", Name: "milestone", Type: schedules.StartKeyDate, ParentID: "project"}
		p.create(
			work("project", ""), work("a phase", "project"), work("z phase", "project"), dated("dig", "z phase", 2), dated("pour", "a phase", 4),
			key("handover", "z phase", schedules.FinishKeyDate, 9), key("kickoff", "a phase", schedules.StartKeyDate, 1),
			work("empty", "project"), work("emptier", "empty"),
			dated("own", "project", 3), dated("outside own", "own", 30),
			begun, dated("late", "begun", 6), milestone, dated("at the milestone", "milestone", 7), work("alone", ""),
		)
		p.baseline("b")
		want := map[string]string{
			"project": "1 9", "a phase": "1 5", "z phase": "2 9", "dig": "2 3", "pour": "4 5", "handover": "- 9", "kickoff": "1 -",
			"empty": "- -", "emptier": "- -", "own": "3 4", "outside own": "30 31", "begun": "5 7", "late": "6 7",
			"milestone": "- -", "at the milestone": "7 8", "alone": "- -",
		}
		if diff := cmp.Diff(want, p.spanned("b")); diff != "" {
			p.Errorf("(-want +got):\n%s", diff)
		}
		page, err := p.in().BaselineTasks(p.ctx, "b", schedules.BaselineTaskQuery{})
		if err != nil {
			p.Fatal(err)
		}
		p.patch("dig", schedules.TaskPatch{ParentID: twinplatform.Set("a phase"), PlannedStart: twinplatform.Set(in(100))})
		p.delete("pour")
		if diff := cmp.Diff(want, p.spanned("b")); diff != "" {
			p.Errorf("after the tasks have changed (-want +got):\n%s", diff)
		}
		changes, err := p.in().BaselineTasks(p.ctx, "b", schedules.BaselineTaskQuery{ListOptions: twinplatform.ListOptions{Delta: page.Delta}})
		if err != nil || changes.Len() != 0 {
			p.Errorf("%d rows are listed as changed, %v", changes.Len(), err)
		}
	})
}

// spansOf are the dates that a baseline is to have of tasks, by a count over all of them.
func spansOf(tasks []schedules.Task) map[string]string {
	type dates struct{ start, finish twinplatform.DateTime }
	below := make(map[string][]schedules.Task)
	for _, t := range tasks {
		below[string(t.ParentID)] = append(below[string(t.ParentID)], t)
	}
	out := make(map[string]string)
	var span func(t schedules.Task) dates
	span = func(t schedules.Task) dates {
		d, children := dates{t.PlannedStart, t.PlannedFinish}, dates{}
		for _, child := range below[t.ID] {
			of := span(child)
			if of.start.IsZero() {
				of.start = of.finish
			}
			if of.finish.IsZero() {
				of.finish = of.start
			}
			if of.start.IsZero() {
				continue
			}
			if children.start.IsZero() || of.start.Before(children.start.Time) {
				children.start = of.start
			}
			if of.finish.After(children.finish.Time) {
				children.finish = of.finish
			}
		}
		if t.Type == schedules.Work && d.start.IsZero() && d.finish.IsZero() {
			d = children
		}
		out[t.ID] = hoursOf(d.start) + " " + hoursOf(d.finish)
		return d
	}
	for _, top := range below[""] {
		span(top)
	}
	return out
}

// What is written while a baseline is being made moves the dates of whatever is above it,
// and of whatever it was below before.
func TestSpansOfABaselineAreThoseOfItsMoment(t *testing.T) {
	t.Parallel()
	for seed := range testsize.Of[uint64](20, 4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 31))
			store := storetest.Over(memory.New())
			p := newPlan(t, store, schedules.Config{})
			const summaries, leaves = 40, 2_400
			name := func(i int) string { return fmt.Sprintf("t%04d", i*7919%(summaries+leaves)) }
			batch := make([]schedules.NewTask, summaries+leaves)
			for i := range batch {
				batch[i] = schedules.NewTask{ID: name(i), Name: name(i), Type: schedules.Work}
				if i > 0 {
					batch[i].ParentID = name(rnd.IntN(min(i, summaries)))
				}
				if i >= summaries || rnd.IntN(8) == 0 {
					batch[i].PlannedStart, batch[i].PlannedDuration = in(float64(rnd.IntN(9_000))), new(int32(3600))
				}
			}
			p.create(batch...)
			change := func() {
				id := name(rnd.IntN(len(batch)))
				patch := schedules.TaskPatch{}
				switch rnd.IntN(5) {
				case 0:
					_, _ = p.in().DeleteTasks(p.ctx, []string{name(summaries + rnd.IntN(leaves))})
					return
				case 1:
					patch.ParentID = twinplatform.Set(name(rnd.IntN(summaries)))
				case 2:
					patch.PlannedStart, patch.PlannedDuration = twinplatform.Null[twinplatform.DateTime](), twinplatform.Null[int32]()
				default:
					patch.PlannedStart, patch.PlannedDuration = twinplatform.Set(in(float64(rnd.IntN(20_000)-5_000))), twinplatform.Set(int32(7200))
				}
				_, _ = p.in().UpdateTask(p.ctx, id, patch)
			}
			steps, busy := 0, false
			store.Before(func() error {
				if busy {
					return nil
				}
				busy = true
				for range rnd.IntN(6) {
					if steps < 60 {
						change()
					}
				}
				busy = false
				steps++
				return nil
			})
			p.baseline("b")
			store.Rest()
			tasks, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Task], error) {
				return p.in().Tasks(p.ctx, schedules.TaskQuery{ListOptions: o})
			})
			if steps < 3 {
				t.Errorf("it was made in %d steps", steps)
			}
			if diff := cmp.Diff(spansOf(tasks), p.spanned("b")); diff != "" {
				t.Errorf("made in %d steps (-counted +baseline):\n%s", steps, diff)
			}
		})
	}
}

// Who keeps writing below a task with many children does not keep its baseline from being made.
func TestBaselineOfASummaryIsMadeWhileOthersWriteBelowIt(t *testing.T) {
	t.Parallel()
	store := storetest.Over(memory.New())
	p := newPlan(t, store, schedules.Config{})
	const leaves = 5_000
	name := func(i int) string { return fmt.Sprintf("t%04d", i) }
	batch := []schedules.NewTask{{ID: "summary", Name: "Summary", Type: schedules.Work}}
	for i := range leaves {
		batch = append(batch, schedules.NewTask{
			ID: name(i), Name: name(i), Type: schedules.Work, ParentID: "summary",
			PlannedStart: in(float64(i)), PlannedDuration: new(int32(3600)),
		})
	}
	p.create(batch...)
	const enough = 2_000
	steps, busy := 0, false
	store.Before(func() error {
		if busy || steps == enough {
			return nil
		}
		busy = true
		steps++
		p.patch(name(1+steps*7%(leaves-2)), schedules.TaskPatch{PlannedStart: twinplatform.Set(in(float64(1 + steps%(leaves-2))))})
		p.patch("summary", schedules.TaskPatch{Name: twinplatform.Set(fmt.Sprintf("Summary %d", steps))})
		busy = false
		return nil
	})
	p.baseline("b")
	store.Rest()
	if got := p.spanned("b")["summary"]; got != "0 5000" {
		t.Errorf("the summary is from and to %s, want 0 5000", got)
	}
	if steps == enough {
		t.Errorf("it was not made before the writing ended, after %d steps", steps)
	}
}
