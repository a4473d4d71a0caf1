package cpm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// TestDatesAreTheLeastAndTheMostThatLinksAdmit holds random networks of one calendar to
// inequalities that know nothing of an order: they are relaxed until nothing moves.
func TestDatesAreTheLeastAndTheMostThatLinksAdmit(t *testing.T) {
	t.Parallel()
	c := office(t)
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		n, p := 2+r.IntN(30), newPlan(t)
		durations := make([]int64, n)
		for i := range n {
			durations[i] = int64(r.IntN(20)) * hour
			p.Add(cpm.Task{ID: fmt.Sprint(i), Duration: durations[i]})
		}
		var links []cpm.Link
		for range r.IntN(3 * n) {
			a, b := r.IntN(n), r.IntN(n)
			if a == b {
				continue
			}
			l := cpm.Link{Predecessor: min(a, b), Successor: max(a, b), Type: cpm.LinkType(r.IntN(4)), Lag: int64(r.IntN(30)-10) * hour}
			links = append(links, l)
			p.Join(l)
		}
		least, finish := relaxed(c, durations, links)
		res := p.schedule(cpm.Options{Project: cpm.Project{Calendar: c}})
		for i := range n {
			d := res.Dates(i)
			if got := c.Worked(d.EarlyStart); got != least[i] {
				t.Fatalf("seed %d: task %d begins %v, want %v", seed, i, d.EarlyStart, c.StartAt(least[i]))
			}
			if got := c.Worked(d.EarlyFinish) - c.Worked(d.EarlyStart); got != durations[i] {
				t.Fatalf("seed %d: task %d takes %d, want %d", seed, i, got, durations[i])
			}
		}
		most := relaxedLate(durations, links, finish)
		for i := range n {
			d := res.Dates(i)
			if got := c.Worked(d.LateFinish); got != most[i] || d.TotalFloat != most[i]-durations[i]-least[i] {
				t.Fatalf("seed %d: task %d ends %v at the latest, float %d, want %v", seed, i, d.LateFinish, d.TotalFloat, c.FinishAt(most[i]))
			}
		}
		followDrivers(t, res, p, links)
	}
}

// TestNothingThatIsToBeDoneIsBeforeItsProject schedules random networks of every kind: only
// what began, or what a date puts there, is before the start of its project or its data date.
func TestNothingThatIsToBeDoneIsBeforeItsProject(t *testing.T) {
	t.Parallel()
	calendars := []*worktime.Calendar{office(t), worktime.Continuous, nil}
	milestones := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 5))
		start := begin + worktime.Time(r.IntN(7*24))*worktime.Time(hour)
		o := cpm.Options{
			Project: cpm.Project{Calendar: calendars[0], Start: start, DataDate: start + worktime.Time(r.IntN(3)*86400)},
			Profile: cpm.Profile(r.IntN(2)), Progress: cpm.Progress(r.IntN(3)), Lag: cpm.LagCalendar(r.IntN(5)),
		}
		tasks, build := anyNetwork(r, calendars)
		for i := range tasks { // the second project begins on another day
			tasks[i].Project = 0
			if tasks[i].Kind == cpm.Work && tasks[i].ActualStart == 0 && !tasks[i].Manual && r.IntN(4) == 0 {
				tasks[i].Kind = cpm.FinishMilestone
			}
		}
		network := build(tasks, start)
		res, err := cpm.Schedule(network, o)
		if err != nil {
			t.Fatal(seed, err)
		}
		earliest := o.Start
		if o.Profile == cpm.P6 {
			earliest = o.DataDate
		}
		for i := range tasks {
			task := network.Task(i)
			if task.Kind > cpm.FinishMilestone || task.ActualStart != 0 || task.Manual || len(task.Constraints) > 0 {
				continue
			}
			if task.Kind == cpm.FinishMilestone {
				milestones++
			}
			if d := res.Dates(i); d.EarlyStart < earliest || d.EarlyFinish < earliest {
				t.Fatalf("seed %d: task %d is at %v to %v, before %v", seed, i, d.EarlyStart, d.EarlyFinish, earliest)
			}
		}
	}
	if milestones < 500 {
		t.Errorf("%d finish milestones only", milestones)
	}
}

// relaxed are the early starts and the finish of the project.
func relaxed(c *worktime.Calendar, durations []int64, links []cpm.Link) (least []int64, finish int64) {
	for range durations {
		least = append(least, c.Worked(begin))
	}
	for moved := true; moved; {
		moved = false
		for _, l := range links {
			at := least[l.Predecessor] + l.Lag
			if l.Type == cpm.FinishToStart || l.Type == cpm.FinishToFinish {
				at += durations[l.Predecessor]
			}
			if l.Type == cpm.FinishToFinish || l.Type == cpm.StartToFinish {
				at -= durations[l.Successor]
			}
			if at > least[l.Successor] {
				least[l.Successor], moved = at, true
			}
		}
	}
	for i, d := range durations {
		finish = max(finish, least[i]+d)
	}
	return least, finish
}

// relaxedLate are the late finishes.
func relaxedLate(durations []int64, links []cpm.Link, finish int64) (most []int64) {
	for range durations {
		most = append(most, finish)
	}
	for moved := true; moved; {
		moved = false
		for _, l := range links {
			at := most[l.Successor] - l.Lag
			if l.Type == cpm.FinishToStart || l.Type == cpm.StartToStart {
				at -= durations[l.Successor]
			}
			if l.Type == cpm.StartToStart || l.Type == cpm.StartToFinish {
				at += durations[l.Predecessor]
			}
			if at < most[l.Predecessor] {
				most[l.Predecessor], moved = at, true
			}
		}
	}
	return most
}

// followDrivers holds the driving path of each task to links that drive, one behind the
// other, from a task that none drives.
func followDrivers(t *testing.T, r *cpm.Result, p *plan, links []cpm.Link) {
	t.Helper()
	for i := range p.Len() {
		at := -1
		for _, link := range r.DrivingPath(i) {
			l := links[link]
			if d := r.Link(link); !d.Driving || d.Float != 0 || at >= 0 && at != l.Predecessor {
				t.Fatalf("the way to %d goes over %+v: %+v", i, l, d)
			}
			at = l.Successor
		}
		if at >= 0 && at != i {
			t.Fatalf("the way to %d ends at %d", i, at)
		}
	}
}
