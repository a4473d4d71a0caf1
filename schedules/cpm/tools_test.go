package cpm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// after is the beginning of a working day so many days behind the first.
func after(days int) worktime.Time { return begin + worktime.Time(days)*worktime.Day }

// evening is the end of a working day so many days behind the first.
func evening(days int) worktime.Time { return after(days) + 8*worktime.Time(hour) }

// TestToolsHoldTasksAsTheyWereSeenTo has what real files of P6 and of Microsoft Project show.
func TestToolsHoldTasksAsTheyWereSeenTo(t *testing.T) {
	t.Parallel()
	effort := func(with ...func(*cpm.Task)) func(*cpm.Task) {
		return func(t *cpm.Task) {
			t.Kind = cpm.LongHammock
			for _, fn := range with {
				fn(t)
			}
		}
	}
	expected := func(at worktime.Time) func(*cpm.Task) { return func(t *cpm.Task) { t.ExpectedFinish = at } }
	held := func(c cpm.ConstraintType, at worktime.Time) func(*cpm.Task) {
		return func(t *cpm.Task) { t.Constraints = append(t.Constraints, cpm.Constraint{Type: c, Date: at}) }
	}
	begun := func(at worktime.Time) func(*cpm.Task) { return func(t *cpm.Task) { t.ActualStart = at } }
	ended := func(at worktime.Time) func(*cpm.Task) { return func(t *cpm.Task) { t.ActualFinish = at } }
	microsoft := cpm.Options{Profile: cpm.MSProject}
	dataDate := cpm.Options{Project: cpm.Project{DataDate: after(2)}}
	for name, c := range map[string]struct {
		options cpm.Options
		plan    func(*plan) *plan
		want    map[string]string
	}{
		"an expected finish stretches a task whose links let it end sooner": {cpm.Options{}, func(p *plan) *plan {
			return p.task("a", 2).task("b", 1, expected(evening(4))).link("a FF b")
		}, map[string]string{"b": "01-06T09:00..01-09T17:00 01-06T09:00..01-09T17:00 0 0"}},
		"an expected finish that a finish-to-finish link outranks leaves the duration": {cpm.Options{}, func(p *plan) *plan {
			return p.task("a", 5).task("b", 2, expected(evening(1))).link("a FF b 1")
		}, map[string]string{"b": "01-09T09:00..01-12T17:00 01-09T09:00..01-12T17:00 0 0"}},
		"so does one that a start-to-finish link outranks": {cpm.Options{}, func(p *plan) *plan {
			return p.task("x", 4).task("a", 3).task("b", 2, expected(evening(1))).link("x FS a").link("a SF b")
		}, map[string]string{"b": "01-07T09:00..01-08T17:00 01-12T09:00..01-13T17:00 3 0"}},
		"so does one that a later date outranks": {cpm.Options{}, func(p *plan) *plan {
			return p.task("a", 5).task("b", 2, expected(evening(1)), held(cpm.FinishNoEarlier, evening(3)))
		}, map[string]string{"b": "01-07T09:00..01-08T17:00 01-08T09:00..01-09T17:00 1 0"}},
		"an expected finish that has passed ends what begins later at once": {cpm.Options{}, func(p *plan) *plan {
			return p.task("a", 4).task("b", 2, expected(evening(1))).link("a FS b")
		}, map[string]string{"b": "01-09T09:00..01-09T09:00 01-09T09:00..01-09T09:00 0 0"}},
		"a level of effort has the late dates of its predecessors": {cpm.Options{}, func(p *plan) *plan {
			return p.task("a", 1).task("b", 2).task("c", 3).task("z", 10).task("l", 0, effort()).
				link("a SS l").link("b SS l 1").link("b FF l").link("c FF l")
		}, map[string]string{"l": "01-05T09:00..01-07T17:00 01-16T09:00..01-16T17:00 7 0"}},
		"and none where their ends precede neither of its own": {cpm.Options{}, func(p *plan) *plan {
			return p.task("a", 1).task("z", 10).task("l", 0, effort()).link("a FS l").link("l FS z")
		}, map[string]string{"l": "01-05T17:00..01-05T17:00 -..-"}},
		"a level of effort by its starts": {cpm.Options{Float: cpm.StartFloat}, func(p *plan) *plan {
			return p.task("a", 1).task("b", 3).task("z", 10).task("l", 0, effort()).link("a SS l").link("b FF l")
		}, map[string]string{"l": "01-05T09:00..01-07T17:00 01-16T09:00..01-16T17:00 9 0"}},
		"a level of effort by the smaller of both": {cpm.Options{Float: cpm.SmallestFloat}, func(p *plan) *plan {
			return p.task("a", 1).task("b", 3).task("z", 10).task("l", 0, effort()).link("a SS l").link("b FF l")
		}, map[string]string{"l": "01-05T09:00..01-07T17:00 01-16T09:00..01-16T17:00 7 0"}},
		"a level of effort that has begun continues at the data date": {dataDate, func(p *plan) *plan {
			return p.task("a", 5).task("l", 0, effort(begun(begin-7*worktime.Day))).link("a SS l").link("a FF l")
		}, map[string]string{"l": "01-07T09:00..01-13T17:00 01-07T09:00..01-13T17:00 0 0"}},
		"one all of whose predecessors have ended ends at the data date": {dataDate, func(p *plan) *plan {
			return p.task("a", 1, begun(begin), ended(evening(0))).task("l", 0, effort(begun(begin))).link("a SS l").link("a FF l")
		}, map[string]string{"l": "01-07T09:00..01-07T09:00 01-07T09:00..01-07T09:00 0 0"}},
		"Microsoft Project starts no earlier than before its project": {microsoft, func(p *plan) *plan {
			return p.task("a", 2, held(cpm.StartNoEarlier, begin-3*worktime.Day)).task("b", 1).task("c", 1).link("a FS c")
		}, map[string]string{
			"a": "01-02T09:00..01-05T17:00 01-02T09:00..01-05T17:00 0 0", "b": "01-05T09:00..01-05T17:00 01-06T09:00..01-06T17:00 1 1",
			"c": "01-06T09:00..01-06T17:00 01-06T09:00..01-06T17:00 0 0",
		}},
		"Microsoft Project finishes no earlier than before its project": {microsoft, func(p *plan) *plan {
			return p.task("a", 2, held(cpm.FinishNoEarlier, evening(-3)))
		}, map[string]string{"a": "01-01T09:00..01-02T17:00 01-01T09:00..01-02T17:00 0 0"}},
		"links hold what Microsoft Project starts no earlier": {microsoft, func(p *plan) *plan {
			return p.task("a", 1).task("b", 2, held(cpm.StartNoEarlier, begin-3*worktime.Day)).link("a FS b")
		}, map[string]string{"b": "01-06T09:00..01-07T17:00 01-06T09:00..01-07T17:00 0 0"}},
		"in P6 nothing starts before its project": {cpm.Options{}, func(p *plan) *plan {
			return p.task("a", 2, held(cpm.StartNoEarlier, begin-3*worktime.Day))
		}, map[string]string{"a": "01-05T09:00..01-06T17:00 01-05T09:00..01-06T17:00 0 0"}},
	} {
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

// TestALevelOfEffortStaysWhereItEnded has one that has ended, and one that has begun, before
// the data date.
func TestALevelOfEffortStaysWhereItEnded(t *testing.T) {
	t.Parallel()
	p := newPlan(t).task("a", 5).
		task("ended", 0, func(t *cpm.Task) {
			t.Kind, t.ActualStart, t.ActualFinish = cpm.LongHammock, begin-7*worktime.Day, evening(-3)
		}).
		task("begun", 0, func(t *cpm.Task) { t.Kind, t.ActualStart = cpm.LongHammock, begin-7*worktime.Day }).
		link("a SS ended").link("a FF ended").link("a SS begun").link("a FF begun")
	r := p.schedule(cpm.Options{Project: cpm.Project{DataDate: after(1)}})
	d := r.Dates(p.ids["ended"])
	if d.Start != begin-7*worktime.Day || d.Finish != evening(-3) || d.HasFloat || d.Critical {
		t.Errorf("the ended one is from %v to %v, with float %t, critical %t", d.Start, d.Finish, d.HasFloat, d.Critical)
	}
	if d = r.Dates(p.ids["begun"]); d.Start != begin-7*worktime.Day || d.EarlyStart != after(1) || d.Finish != evening(7) {
		t.Errorf("the begun one is from %v, continues at %v and ends %v", d.Start, d.EarlyStart, d.Finish)
	}
}
