package cpm_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

func TestTasksAreWhereTheirLinksPutThem(t *testing.T) {
	t.Parallel()
	milestone := func(k cpm.Kind) func(*cpm.Task) { return func(t *cpm.Task) { t.Kind = k } }
	held := func(c cpm.ConstraintType, s string) func(*cpm.Task) {
		return func(x *cpm.Task) {
			at, err := worktime.Parse("2026-" + s + ":00")
			if err != nil {
				t.Fatal(err)
			}
			x.Constraints = append(x.Constraints, cpm.Constraint{Type: c, Date: at})
		}
	}
	simple := func(p *plan) *plan { return p.task("a", 2).task("b", 3) }
	tests := map[string]struct {
		plan    func(*plan) *plan
		options cpm.Options
		want    map[string]string
	}{
		"finish to start": {func(p *plan) *plan { return simple(p).link("a FS b") }, cpm.Options{}, map[string]string{
			"a": "01-05T09:00..01-06T17:00 01-05T09:00..01-06T17:00 0 0",
			"b": "01-07T09:00..01-09T17:00 01-07T09:00..01-09T17:00 0 0",
		}},
		"finish to start, a lag over the weekend": {func(p *plan) *plan { return simple(p).link("a FS b 3") }, cpm.Options{}, map[string]string{
			"b": "01-12T09:00..01-14T17:00 01-12T09:00..01-14T17:00 0 0",
		}},
		"finish to start with a lead": {func(p *plan) *plan { return simple(p).link("a FS b -1") }, cpm.Options{}, map[string]string{
			"b": "01-06T09:00..01-08T17:00 01-06T09:00..01-08T17:00 0 0",
		}},
		"a lead does not pull before the project": {func(p *plan) *plan { return simple(p).link("a FS b -9") }, cpm.Options{}, map[string]string{
			"b": "01-05T09:00..01-07T17:00 01-05T09:00..01-07T17:00 0 0",
		}},
		"start to start": {func(p *plan) *plan { return simple(p).link("a SS b 1") }, cpm.Options{}, map[string]string{
			"a": "01-05T09:00..01-06T17:00 01-05T09:00..01-06T17:00 0 0",
			"b": "01-06T09:00..01-08T17:00 01-06T09:00..01-08T17:00 0 0",
		}},
		"finish to finish": {func(p *plan) *plan { return p.task("a", 4).task("b", 1).link("a FF b 1") }, cpm.Options{}, map[string]string{
			"a": "01-05T09:00..01-08T17:00 01-05T09:00..01-08T17:00 0 0",
			"b": "01-09T09:00..01-09T17:00 01-09T09:00..01-09T17:00 0 0",
		}},
		"start to finish": {func(p *plan) *plan { return p.task("x", 5).task("a", 1).task("b", 1).link("x FS a").link("a SF b") }, cpm.Options{}, map[string]string{
			"b": "01-09T09:00..01-09T17:00 01-12T09:00..01-12T17:00 1 1",
		}},
		"several links between two": {func(p *plan) *plan { return p.task("a", 5).task("b", 2).link("a SS b 1").link("a FF b 1") }, cpm.Options{}, map[string]string{
			"b": "01-09T09:00..01-12T17:00 01-09T09:00..01-12T17:00 0 0",
		}},
		"float of the shorter of two ways": {func(p *plan) *plan {
			return p.task("a", 1).task("b", 5).task("c", 2).task("d", 1).link("a FS b").link("a FS c").link("b FS d").link("c FS d")
		}, cpm.Options{}, map[string]string{
			"c": "01-06T09:00..01-07T17:00 01-09T09:00..01-12T17:00 3 3",
			"d": "01-13T09:00..01-13T17:00 01-13T09:00..01-13T17:00 0 0",
		}},
		"a finish milestone keeps the evening, a start milestone moves to the morning": {func(p *plan) *plan {
			return p.task("a", 5).task("m", 0, milestone(cpm.FinishMilestone)).task("n", 0, milestone(cpm.StartMilestone)).link("a FS m").link("a FS n")
		}, cpm.Options{}, map[string]string{
			"m": "01-09T17:00..01-09T17:00 01-09T17:00..01-09T17:00 0 0",
			"n": "01-12T09:00..01-12T09:00 01-12T09:00..01-12T09:00 0 0",
		}},
		"no lead pulls a finish milestone before the project": {func(p *plan) *plan {
			return p.task("a", 0, milestone(cpm.StartMilestone)).task("m", 0, milestone(cpm.FinishMilestone)).link("a FS m -0.125")
		}, cpm.Options{}, map[string]string{
			"m": "01-05T09:00..01-05T09:00 01-05T09:00..01-05T09:00 0 0",
		}},
		"a finish milestone is not before what it is below": {func(p *plan) *plan {
			return p.task("s", 0, held(cpm.StartNoEarlier, "01-12T09:00")).task("m", 0, milestone(cpm.FinishMilestone)).nest("m", "s")
		}, cpm.Options{}, map[string]string{
			"m": "01-12T09:00..01-12T09:00 01-12T09:00..01-12T09:00 0 0",
		}},
		"a finish milestone that a lag leads to keeps the evening": {func(p *plan) *plan {
			return p.task("a", 2).task("m", 0, milestone(cpm.FinishMilestone)).task("n", 0, milestone(cpm.StartMilestone)).link("a SS m 1").link("a SS n 1")
		}, cpm.Options{}, map[string]string{
			"m": "01-05T17:00..01-05T17:00 01-06T17:00..01-06T17:00 1 1",
			"n": "01-06T09:00..01-06T09:00 01-07T09:00..01-07T09:00 1 1",
		}},
		"a constraint pushes": {func(p *plan) *plan {
			return p.task("a", 1, held(cpm.StartNoEarlier, "01-07T09:00")).task("b", 1, held(cpm.FinishNoEarlier, "01-09T17:00"))
		}, cpm.Options{}, map[string]string{
			"a": "01-07T09:00..01-07T17:00 01-09T09:00..01-09T17:00 2 2",
			"b": "01-09T09:00..01-09T17:00 01-09T09:00..01-09T17:00 0 0",
		}},
		"in P6 a bound leaves early dates alone": {func(p *plan) *plan {
			return p.task("a", 2).task("b", 1, held(cpm.StartNoLater, "01-06T09:00")).link("a FS b")
		}, cpm.Options{}, map[string]string{
			"b": "01-07T09:00..01-07T17:00 01-06T09:00..01-06T17:00 -1 0",
		}},
		"in Microsoft Project a bound outranks links": {func(p *plan) *plan {
			return p.task("a", 2).task("b", 1, held(cpm.StartNoLater, "01-06T09:00")).link("a FS b")
		}, cpm.Options{Profile: cpm.MSProject}, map[string]string{
			"a": "01-05T09:00..01-06T17:00 01-02T09:00..01-05T17:00 -1 0",
			"b": "01-06T09:00..01-06T17:00 01-06T09:00..01-06T17:00 0 0",
		}},
		"a mandatory date breaks logic": {func(p *plan) *plan {
			return p.task("a", 2).task("b", 1, held(cpm.MandatoryStart, "01-05T09:00")).link("a FS b")
		}, cpm.Options{}, map[string]string{
			"b": "01-05T09:00..01-05T17:00 01-05T09:00..01-05T17:00 0 1",
		}},
		"as late as possible uses up free float": {func(p *plan) *plan {
			return p.task("a", 1, held(cpm.AsLateAsPossible, "01-05T09:00")).task("b", 5).task("c", 1).link("a FS c").link("b FS c")
		}, cpm.Options{}, map[string]string{
			"a": "01-09T09:00..01-09T17:00 01-09T09:00..01-09T17:00 0 0",
		}},
		"a date by which all must end": {simple, cpm.Options{Project: cpm.Project{MustFinish: begin + 8*hour}}, map[string]string{
			"b": "01-05T09:00..01-07T17:00 01-01T09:00..01-05T17:00 -2 0",
		}},
		"a deadline": {func(p *plan) *plan {
			return p.task("a", 1, func(t *cpm.Task) { t.Deadline = begin + 24*hour + 8*hour }).task("b", 5)
		}, cpm.Options{}, map[string]string{"a": "01-05T09:00..01-05T17:00 01-06T09:00..01-06T17:00 1 4"}},
		"elapsed lag": {func(p *plan) *plan { return p.task("a", 5).task("b", 1).link("a FS b 3") }, cpm.Options{Lag: cpm.LagElapsed}, map[string]string{
			"b": "01-12T09:00..01-12T17:00 01-12T09:00..01-12T17:00 0 0",
		}},
		"a summary holds what is below it, and waits for it": {func(p *plan) *plan {
			return p.task("x", 1).task("s", 0).task("a", 1).task("b", 2).task("y", 1).nest("a", "s").nest("b", "s").link("x FS s").link("s FS y")
		}, cpm.Options{}, map[string]string{
			"a": "01-06T09:00..01-06T17:00 01-07T09:00..01-07T17:00 1 1",
			"b": "01-06T09:00..01-07T17:00 01-06T09:00..01-07T17:00 0 0",
			"s": "01-06T09:00..01-07T17:00 01-06T09:00..01-07T17:00 0 0",
			"y": "01-08T09:00..01-08T17:00 01-08T09:00..01-08T17:00 0 0",
			"x": "01-05T09:00..01-05T17:00 01-05T09:00..01-05T17:00 0 0",
		}},
		"hammocks": {func(p *plan) *plan {
			return p.task("a", 1).task("b", 3).task("c", 4).task("d", 6).task("x", 1).task("y", 1).
				task("long", 0, milestone(cpm.LongHammock)).task("short", 0, milestone(cpm.ShortHammock)).
				link("c FS x").link("d FS y").
				link("a FS long").link("b FS long").link("long FS x").link("long FS y").
				link("a FS short").link("b FS short").link("short FS x").link("short FS y")
		}, cpm.Options{}, map[string]string{
			"long":  "01-05T17:00..01-13T09:00 -..-",
			"short": "01-07T17:00..01-09T09:00 -..-",
			"a":     "01-05T09:00..01-05T17:00 01-13T09:00..01-13T17:00 6 6",
		}},
		"what is inactive is not there": {func(p *plan) *plan {
			return p.task("a", 1).task("b", 9, func(t *cpm.Task) { t.Inactive = true }).task("c", 1).link("a FS b").link("b FS c")
		}, cpm.Options{}, map[string]string{"b": "-..- -..-", "c": "01-05T09:00..01-05T17:00 01-05T09:00..01-05T17:00 0 0"}},
		"what is manual stays": {func(p *plan) *plan {
			return p.task("a", 3).task("b", 9, func(t *cpm.Task) { t.Manual, t.Start, t.Finish = true, begin, begin+8*hour }).task("c", 1).link("a FS b").link("b FS c")
		}, cpm.Options{Profile: cpm.MSProject}, map[string]string{
			"b": "01-05T09:00..01-05T17:00 01-06T09:00..01-06T17:00 1 0", "c": "01-06T09:00..01-06T17:00 01-07T09:00..01-07T17:00 1 1",
		}},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := c.plan(newPlan(t))
			r, got := p.schedule(c.options), map[string]string{}
			for id := range c.want {
				got[id] = p.dates(r, id)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestProgressIsKeptAndRemainingWorkIsBehindTheDataDate(t *testing.T) {
	t.Parallel()
	wednesday := begin + 2*worktime.Day
	out := func(p *plan) *plan { // b began before a ended
		return p.task("a", 4, func(t *cpm.Task) { t.ActualStart, t.Remaining = begin, 3*day }).
			task("b", 2, func(t *cpm.Task) { t.ActualStart, t.Remaining = begin, day }).
			task("done", 1, func(t *cpm.Task) { t.ActualStart, t.ActualFinish = begin, begin+8*hour }).
			task("c", 1).link("a FS b").link("done FS c")
	}
	for name, c := range map[string]struct {
		options cpm.Options
		want    map[string]string
	}{
		"retained logic waits for predecessors": {cpm.Options{}, map[string]string{
			"a": "01-07T09:00..01-09T17:00 01-07T09:00..01-09T17:00 0 0", "b": "01-12T09:00..01-12T17:00 01-12T09:00..01-12T17:00 0 0",
			"c": "01-07T09:00..01-07T17:00 01-12T09:00..01-12T17:00 3 3", "done": "01-07T09:00..01-07T09:00 01-12T09:00..01-12T09:00",
		}},
		"progress override continues": {cpm.Options{Progress: cpm.ProgressOverride}, map[string]string{
			"a": "01-07T09:00..01-09T17:00 01-07T09:00..01-09T17:00 0 0", "b": "01-07T09:00..01-07T17:00 01-09T09:00..01-09T17:00 2 2",
		}},
		"Microsoft Project keeps tasks where they began": {cpm.Options{Profile: cpm.MSProject}, map[string]string{
			"a": "01-05T09:00..01-08T17:00 01-05T09:00..01-06T17:00 -2 0", "b": "01-05T09:00..01-06T17:00 01-05T09:00..01-08T17:00 2 2",
			"c": "01-06T09:00..01-06T17:00 01-08T09:00..01-08T17:00 2 2", "done": "01-05T09:00..01-05T17:00 01-05T09:00..01-05T17:00 0 0",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := out(newPlan(t))
			c.options.DataDate = wednesday
			r, got := p.schedule(c.options), map[string]string{}
			for id := range c.want {
				got[id] = p.dates(r, id)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestLogicIsRetainedThroughWhatHasEnded has what P6 23.12 was seen to do: a task that has
// ended is at the data date with nothing left to do, or at what it should have waited for
// and did not, and hands that on; a lag from an actual date is not counted again.
func TestLogicIsRetainedThroughWhatHasEnded(t *testing.T) {
	t.Parallel()
	wednesday := begin + 2*worktime.Day
	ended := func(t *cpm.Task) { t.ActualStart, t.ActualFinish = begin, begin+8*hour }
	begun := func(remaining int64) func(*cpm.Task) {
		return func(t *cpm.Task) { t.ActualStart, t.Remaining = begin, remaining*day }
	}
	for name, c := range map[string]struct {
		progress cpm.Progress
		plan     func(*plan) *plan
		want     map[string]string
	}{
		"a task out of sequence hands on what it should have waited for": {cpm.RetainedLogic, func(p *plan) *plan {
			return p.task("open", 3).task("done", 1, ended).task("next", 1).task("free", 5).link("open FS done").link("done FS next")
		}, map[string]string{
			"open": "01-07T09:00..01-09T17:00 01-08T09:00..01-12T17:00 1 0", "done": "01-09T17:00..01-09T17:00 01-13T09:00..01-13T09:00",
			"next": "01-12T09:00..01-12T17:00 01-13T09:00..01-13T17:00 1 1", "free": "01-07T09:00..01-13T17:00 01-07T09:00..01-13T17:00 0 0",
		}},
		"progress override hands nothing on": {cpm.ProgressOverride, func(p *plan) *plan {
			return p.task("open", 3).task("done", 1, ended).task("next", 1).link("open FS done").link("done FS next")
		}, map[string]string{
			"open": "01-07T09:00..01-09T17:00 01-07T09:00..01-09T17:00 0 0", "done": "01-07T09:00..01-07T09:00 01-09T09:00..01-09T09:00",
			"next": "01-07T09:00..01-07T17:00 01-09T09:00..01-09T17:00 2 2",
		}},
		"a lag passes from the actual finish on": {cpm.RetainedLogic, func(p *plan) *plan {
			return p.task("done", 1, ended).task("next", 1).task("soon", 1).link("done FS next 4").link("done FS soon 1")
		}, map[string]string{
			"done": "01-07T09:00..01-07T09:00 01-07T09:00..01-07T09:00", "next": "01-12T09:00..01-12T17:00 01-12T09:00..01-12T17:00 0 0",
			"soon": "01-07T09:00..01-07T17:00 01-12T09:00..01-12T17:00 3 3",
		}},
		"a start waits for where its predecessor continues": {cpm.RetainedLogic, func(p *plan) *plan {
			return p.task("open", 3).task("goes_on", 4, begun(2)).task("next", 1).link("open FS goes_on").link("goes_on SS next 1")
		}, map[string]string{
			"goes_on": "01-12T09:00..01-13T17:00 01-12T09:00..01-13T17:00 0 0", "next": "01-12T09:00..01-12T17:00 01-13T09:00..01-13T17:00 1 1",
		}},
		"a lag passes from the actual start on": {cpm.RetainedLogic, func(p *plan) *plan {
			return p.task("goes_on", 4, begun(2)).task("next", 1).link("goes_on SS next 7")
		}, map[string]string{
			"goes_on": "01-07T09:00..01-08T17:00 01-07T09:00..01-08T17:00 0 0", "next": "01-14T09:00..01-14T17:00 01-14T09:00..01-14T17:00 0 0",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := c.plan(newPlan(t))
			r, got := p.schedule(cpm.Options{Progress: c.progress, Project: cpm.Project{DataDate: wednesday}}), map[string]string{}
			for id := range c.want {
				got[id] = p.dates(r, id)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestProjectsOfOneNetworkEndEachForItself has two projects with a link between them, and
// the dates and the floats that P6 gave them.
func TestProjectsOfOneNetworkEndEachForItself(t *testing.T) {
	t.Parallel()
	c, err := worktime.New(worktime.Definition{Week: worktime.EachWeekday(worktime.Hours{{From: 8 * hour, To: 16 * hour}})})
	if err != nil {
		t.Fatal(err)
	}
	n := cpm.NewNetwork()
	second := worktime.Date(2024, time.May, 28, 0, 0, 0)
	other := n.Project(cpm.Project{Start: second})
	first := n.Add(cpm.Task{Duration: 64 * hour, Remaining: 66 * hour, ActualStart: worktime.Date(2023, time.March, 8, 8, 0, 0)})
	for range 2 {
		n.Add(cpm.Task{Duration: 40 * hour, Project: other})
	}
	n.Join(cpm.Link{Predecessor: first, Successor: 2})
	o := cpm.Options{Project: cpm.Project{Calendar: c, Start: worktime.Date(2023, time.March, 6, 0, 0, 0), DataDate: worktime.Date(2023, time.October, 6, 0, 0, 0)}}
	dates := func() (all []string) {
		r, err := cpm.Schedule(n, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n.Len() {
			d := r.Dates(i)
			all = append(all, fmt.Sprint(d.EarlyStart, d.EarlyFinish, d.LateStart, d.LateFinish, d.TotalFloat/hour, d.FreeFloat/hour, d.Longest))
		}
		return all
	}
	want := []string{
		"2023-10-06T08:00:00 2023-10-18T10:00:00 2023-10-06T08:00:00 2023-10-18T10:00:00 0 1270 true",
		"2024-05-28T08:00:00 2024-06-03T16:00:00 2024-05-28T08:00:00 2024-06-03T16:00:00 0 0 true",
		"2024-05-28T08:00:00 2024-06-03T16:00:00 2024-05-28T08:00:00 2024-06-03T16:00:00 0 0 true",
	}
	if diff := cmp.Diff(want, dates()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	o.Together = true
	if got := dates()[0]; !strings.HasSuffix(got, " 1270 1270 false") {
		t.Errorf("with one finish for all the first has %s", got)
	}
}

// TestAProjectOfSummariesAloneDoesNotHoldTheTasksOfOthers schedules a task below a summary of
// a project that has no other task, whose finish is unknown.
func TestAProjectOfSummariesAloneDoesNotHoldTheTasksOfOthers(t *testing.T) {
	t.Parallel()
	n := cpm.NewNetwork()
	other := n.Project(cpm.Project{})
	above, task := n.Add(cpm.Task{ID: "above", Project: other}), n.Add(cpm.Task{ID: "task", Duration: day})
	n.Nest(task, above)
	r, err := cpm.Schedule(n, cpm.Options{Project: cpm.Project{Calendar: office(t), Start: begin}})
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Dates(task); d.TotalFloat != 0 || d.LateFinish != begin+8*worktime.Time(hour) {
		t.Errorf("it ends at the latest %v with a float of %d", d.LateFinish, d.TotalFloat)
	}
	if got := r.Finish(other); got != 0 {
		t.Errorf("the project of the summary ends %v", got)
	}
}

func TestWarningsNameWhatAPlannerIsToKnow(t *testing.T) {
	t.Parallel()
	held := func(c cpm.ConstraintType) func(*cpm.Task) {
		return func(t *cpm.Task) { t.Constraints = []cpm.Constraint{{Type: c, Date: begin}} }
	}
	hammock := func(t *cpm.Task) { t.Kind = cpm.ShortHammock }
	for name, c := range map[string]struct {
		plan    *plan
		options cpm.Options
		want    string
	}{
		"open ends":                               {newPlan(t).task("a", 1).task("b", 1).link("a FS b"), cpm.Options{}, "NoPredecessor a, NoSuccessor b"},
		"no open end in a summary":                {newPlan(t).task("x", 1).task("s", 0).task("a", 1).task("y", 1).nest("a", "s").link("x FS s").link("s FS y"), cpm.Options{}, "NoPredecessor x, NoSuccessor y"},
		"a constraint that links outrank":         {newPlan(t).task("a", 1).task("b", 1, held(cpm.StartNoLater)).link("a FS b"), cpm.Options{}, "NoPredecessor a, NoSuccessor b, ConstraintBroken b"},
		"a link that a constraint outranks":       {newPlan(t).task("a", 1).task("b", 1, held(cpm.MandatoryStart)).link("a FS b"), cpm.Options{}, "NoPredecessor a, NoSuccessor b, LinkBroken a-b"},
		"a deadline that is missed":               {newPlan(t).task("a", 2, func(t *cpm.Task) { t.Deadline = begin + 8*hour }), cpm.Options{}, "NoPredecessor a, NoSuccessor a, DeadlineMissed a"},
		"what began before its predecessor ended": {newPlan(t).task("a", 2).task("b", 1, func(t *cpm.Task) { t.ActualStart, t.Remaining = begin, 4*hour }).link("a FS b"), cpm.Options{Project: cpm.Project{DataDate: begin + worktime.Day}}, "NoPredecessor a, NoSuccessor b, OutOfSequence a-b"},
		"what ended and should have waited": {
			newPlan(t).
				task("a", 1, func(t *cpm.Task) { t.ActualStart, t.ActualFinish = begin, begin+8*hour }).
				task("b", 1, func(t *cpm.Task) { t.ActualStart, t.ActualFinish = begin, begin+8*hour }).link("a FS b").link("a SS b"),
			cpm.Options{Project: cpm.Project{DataDate: begin + worktime.Day}},
			"OutOfSequence a-b",
		},
		"an actual date to come":            {newPlan(t).task("a", 1, func(t *cpm.Task) { t.ActualStart, t.ActualFinish = begin, begin+8*hour }), cpm.Options{}, "ActualAfterDataDate a"},
		"a short hammock upside down":       {newPlan(t).task("a", 5).task("b", 1).task("x", 1).task("h", 0, hammock).link("a FS h").link("h FS x"), cpm.Options{}, "NoPredecessor a, NoSuccessor a, NoPredecessor b, NoSuccessor b, NoPredecessor x, NoSuccessor x, InvertedHammock h"},
		"a link to the finish of a summary": {newPlan(t).task("x", 1).task("s", 0).task("a", 1).nest("a", "s").link("x FF s").link("s FS x"), cpm.Options{}, "NoSuccessor x, NoPredecessor a, LinkIgnored x-s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, w := range c.plan.schedule(c.options).Warnings() {
				of := ""
				if w.Task >= 0 {
					of = c.plan.ID(w.Task)
				} else {
					l := c.plan.Links()[w.Link]
					of = c.plan.ID(l.Predecessor) + "-" + c.plan.ID(l.Successor)
				}
				got = append(got, string(w.Code)+" "+of)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestACycleIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan *plan
		want []string
	}{
		"of links":             {newPlan(t).task("x", 1).task("a", 1).task("b", 1).task("c", 1).link("x FS a").link("a FS b").link("b SS c").link("c FF a"), []string{"a", "b", "c", "a"}},
		"of a summary":         {newPlan(t).task("s", 1).task("a", 1).task("b", 1).nest("a", "s").link("s FS b").link("b FS a"), []string{"s", "b", "a", "s"}},
		"of what is below one": {newPlan(t).task("s", 1).task("u", 1).nest("s", "u").nest("u", "s"), []string{"s", "u", "s"}},
	} {
		_, err := cpm.Schedule(c.plan.Network, cpm.Options{Project: cpm.Project{Calendar: worktime.Continuous, Start: begin}})
		cycle, ok := errors.AsType[*cpm.CycleError](err)
		if !ok {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(cycle.Tasks[1:], " "); !strings.Contains(got+" "+got, strings.Join(c.want[1:], " ")) || cycle.Tasks[0] != cycle.Tasks[len(cycle.Tasks)-1] {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWorkContinuesWhenItIsResumedAndEndsWhenExpected(t *testing.T) {
	t.Parallel()
	begun := func(t *cpm.Task) { t.ActualStart, t.Remaining = begin, 3*day }
	resumed := func(t *cpm.Task) { begun(t); t.Resume = begin + 7*worktime.Day }
	expected := func(days int64) func(*cpm.Task) {
		return func(t *cpm.Task) { t.ExpectedFinish = begin + worktime.Time(days*worktime.Day+8*hour) }
	}
	for name, c := range map[string]struct {
		profile cpm.Profile
		task    func(*cpm.Task)
		finish  worktime.Time
	}{
		"continues at once":                  {cpm.P6, begun, begin + 2*worktime.Day + 8*hour},
		"is resumed in P6":                   {cpm.P6, resumed, begin + 9*worktime.Day + 8*hour},
		"is resumed in Microsoft Project":    {cpm.MSProject, resumed, begin + 9*worktime.Day + 8*hour},
		"is expected later":                  {cpm.P6, expected(8), begin + 8*worktime.Day + 8*hour},
		"is expected earlier":                {cpm.P6, expected(0), begin + 8*hour},
		"was expected before it begins":      {cpm.P6, expected(-7), begin},
		"is expected in Microsoft Project":   {cpm.MSProject, expected(8), begin + 4*worktime.Day + 8*hour},
		"is resumed, and expected in P6":     {cpm.P6, func(t *cpm.Task) { resumed(t); expected(11)(t) }, begin + 11*worktime.Day + 8*hour},
		"is resumed before it has begun":     {cpm.P6, func(t *cpm.Task) { t.Resume = begin + 7*worktime.Day }, begin + 4*worktime.Day + 8*hour},
		"is resumed on the day of its start": {cpm.MSProject, func(t *cpm.Task) { begun(t); t.Resume = begin }, begin + 4*worktime.Day + 8*hour},
	} {
		n := newPlan(t).task("a", 5, c.task)
		r, err := cpm.Schedule(n.Network, cpm.Options{Profile: c.profile, Project: cpm.Project{Calendar: office(t), Start: begin}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Dates(0); got.Finish != c.finish || got.TotalFloat != 0 {
			t.Errorf("it %s: %v with a float of %d, want %v", name, got.Finish, got.TotalFloat, c.finish)
		}
	}
}

func TestConstraintsOfASummaryHoldWhatIsBelowIt(t *testing.T) {
	t.Parallel()
	n := newPlan(t).task("s", 0, func(t *cpm.Task) {
		t.Constraints = []cpm.Constraint{
			{Type: cpm.StartNoEarlier, Date: begin + 7*worktime.Day}, {Type: cpm.FinishNoLater, Date: begin + 8*worktime.Day + 8*hour},
		}
	}).task("a", 1).task("b", 10)
	n.Nest(1, 0)
	r, err := cpm.Schedule(n.Network, cpm.Options{Profile: cpm.MSProject, Project: cpm.Project{Calendar: office(t), Start: begin}})
	if err != nil {
		t.Fatal(err)
	}
	d := r.Dates(1)
	if d.Start != begin+7*worktime.Day || d.LateFinish != begin+8*worktime.Day+8*hour || d.TotalFloat != day {
		t.Errorf("%+v", d)
	}
}

func TestNetworksWithoutSenseAreRefused(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]*plan{
		"a duration below none":   newPlan(t).task("a", -1),
		"an end before the start": newPlan(t).task("a", 1, func(t *cpm.Task) { t.ActualStart, t.ActualFinish = begin, begin-1 }),
		"an end without a start":  newPlan(t).task("a", 1, func(t *cpm.Task) { t.ActualFinish = begin }),
		"by hand without dates":   newPlan(t).task("a", 1, func(t *cpm.Task) { t.Manual = true }),
		"a fifth constraint":      newPlan(t).task("a", 1, func(t *cpm.Task) { t.Constraints = make([]cpm.Constraint, 5) }),
		"a link to itself":        newPlan(t).task("a", 1).link("a FS a"),
	} {
		if _, err := cpm.Schedule(n.Network, cpm.Options{Project: cpm.Project{Calendar: worktime.Continuous, Start: begin}}); !errors.Is(err, cpm.ErrNetwork) {
			t.Errorf("%s: %v", name, err)
		}
	}
	n := newPlan(t).task("a", 1)
	n.Join(cpm.Link{Predecessor: 0, Successor: 7})
	if _, err := cpm.Schedule(n.Network, cpm.Options{Project: cpm.Project{Calendar: worktime.Continuous, Start: begin}}); !errors.Is(err, cpm.ErrNetwork) {
		t.Errorf("a link to nothing: %v", err)
	}
	if _, err := cpm.Schedule(n.Network, cpm.Options{}); !errors.Is(err, cpm.ErrOptions) {
		t.Errorf("no calendar: %v", err)
	}
}

// BenchmarkSchedule schedules a million tasks with two million links on one calendar,
// and 24,400 with 36,780 on several.
func BenchmarkSchedule(b *testing.B) {
	several := []*worktime.Calendar{office(b), worktime.Continuous, nil}
	for _, c := range []struct {
		name         string
		tasks, links int
		calendars    []*worktime.Calendar
	}{{"million", 1_000_000, 2_000_000, []*worktime.Calendar{nil}}, {"24400", 24_400, 36_780, several}} {
		b.Run(c.name, func(b *testing.B) {
			if testing.Short() {
				c.tasks, c.links = c.tasks/100, c.links/100
			}
			n, r := cpm.NewNetwork(), rand.New(rand.NewPCG(1, 1))
			for i := range c.tasks {
				n.Add(cpm.Task{Duration: int64(1+r.IntN(40)) * hour, Calendar: c.calendars[i%len(c.calendars)]})
			}
			for range c.links {
				a := r.IntN(c.tasks - 1)
				n.Join(cpm.Link{Predecessor: a, Successor: a + 1 + r.IntN(min(100, c.tasks-1-a)), Type: cpm.LinkType(r.IntN(4)), Lag: int64(r.IntN(8)) * hour})
			}
			o := cpm.Options{Project: cpm.Project{Calendar: office(b), Start: begin}}
			b.ReportAllocs()
			for b.Loop() {
				res, err := cpm.Schedule(n, o)
				if err != nil {
					b.Fatal(err)
				}
				res.Dates(0) // with the longest path
			}
		})
	}
}

func TestANetworkWithAnotherTaskLeavesTheFirstAsItWas(t *testing.T) {
	t.Parallel()
	n := cpm.NewNetwork()
	dig := n.Add(cpm.Task{ID: "dig", Duration: 8 * worktime.Hour})
	longer := n.Task(dig)
	longer.Duration *= 2
	changed := n.With(dig, longer)
	if got, want := n.Task(dig).Duration, int64(8*worktime.Hour); got != want {
		t.Errorf("the first takes %d seconds, want %d", got, want)
	}
	if got, want := changed.Task(dig).Duration, int64(16*worktime.Hour); got != want {
		t.Errorf("the other takes %d seconds, want %d", got, want)
	}
}
