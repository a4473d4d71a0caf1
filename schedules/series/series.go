// Package series follows a plan over its updates: when it was to end at each data date, how far the finish slipped
// since the update before, and what work was added and removed.
//
//	points, err := series.Of(updates)
//
// Planners draw this trend by hand each month. Tasks of two updates are the same as dated.Match says, also where an
// update was made by copying the project. Summaries and hammocks, which follow from other tasks, are no work.
package series

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/compare"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// MaxUpdates is how many updates a series has at most.
const MaxUpdates = 500

// What a series fails with; the messages name the updates.
var (
	ErrDataDate = errors.New("an update needs a data date of its own")
	ErrOther    = errors.New("these are not updates of one plan")
	ErrMany     = fmt.Errorf("a series has 1 to %d updates", MaxUpdates)
)

// Update is the plan at one data date.
type Update struct {
	Name string // for people, such as that of a file
	Plan *dated.Plan
}

// Point is an update in its series. The first has nothing that it could differ from.
type Point struct {
	Name          string
	DataDate      worktime.Time
	Start, Finish worktime.Time // of the first and the last task, zero where none has dates
	Tasks         int
	Done          float64 // share of the working time of all tasks that is done, from 0 to 1

	// Slipped is how much later the plan ends than at the update before, and Late how much later than at the first
	// one; below zero is earlier. Both are working days of the project.
	Slipped, Late float64
	// Cause is what moved the finish furthest since the update before; its Reason is empty where nothing did.
	Cause   compare.Cause
	CauseBy float64 // in working days

	// Added and Removed are tasks, AddedWork and RemovedWork what they take, and ChangedWork how much longer tasks
	// take that are in both updates, in working days of their calendars.
	Added, Removed                      int
	AddedWork, RemovedWork, ChangedWork float64
}

// Of puts updates into the order of their data dates and compares each with the one before.
//
// Errors: ErrDataDate for an update without a data date, with several, or with that of another; ErrOther for one
// that has, under the same names, less than half of the tasks that the smaller of it and the one before has; ErrMany.
func Of(updates []Update) ([]Point, error) {
	if len(updates) == 0 || len(updates) > MaxUpdates {
		return nil, ErrMany
	}
	dates := make(map[worktime.Time]string, len(updates))
	for _, u := range updates {
		at, err := dataDate(u.Plan)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", u.Name, err)
		}
		if other, there := dates[at]; there {
			return nil, fmt.Errorf("%w: %s and %s have the same, %v", ErrDataDate, other, u.Name, at)
		}
		dates[at] = u.Name
	}
	updates = slices.Clone(updates)
	slices.SortFunc(updates, func(a, b Update) int {
		x, _ := dataDate(a.Plan) // which each has
		y, _ := dataDate(b.Plan)
		return cmp.Compare(x, y)
	})
	points := make([]Point, len(updates))
	for i, u := range updates {
		points[i] = standing(u)
		if i == 0 {
			continue
		}
		if err := points[i].since(updates[i-1], u); err != nil {
			return nil, err
		}
		points[i].Late = points[i-1].Late + points[i].Slipped
	}
	return points, nil
}

// dataDate is that of the projects that have tasks.
func dataDate(p *dated.Plan) (at worktime.Time, err error) {
	for i := range p.Tasks {
		of := p.ProjectOf(i).DataDate
		if i > 0 && of != at {
			return 0, fmt.Errorf("%w, and its projects have several: choose one", ErrDataDate)
		}
		at = of
	}
	if at == 0 {
		return 0, ErrDataDate
	}
	return at, nil
}

// standing is what an update says by itself.
func standing(u Update) Point {
	p := Point{Name: u.Name}
	p.DataDate, _ = dataDate(u.Plan) // which it has
	var all, left float64
	for i := range u.Plan.Tasks {
		t := &u.Plan.Tasks[i]
		if t.Inactive { // a planning tool may keep its dates
			continue
		}
		if t.Start != 0 && (p.Start == 0 || t.Start < p.Start) {
			p.Start = t.Start
		}
		p.Finish = max(p.Finish, t.Finish)
		if !isWork(t) {
			continue
		}
		p.Tasks++
		all, left = all+float64(t.Duration), left+float64(t.Remaining)
	}
	if all > 0 {
		p.Done = 1 - left/all
	}
	return p
}

func isWork(t *dated.Task) bool { return t.Kind != cpm.Summary && !t.Hammock() && !t.Inactive }

// days is how long a task takes, in working days of its calendar.
func days(p *dated.Plan, task int) float64 {
	return float64(p.Tasks[task].Duration) / float64(p.CalendarOf(task).Day())
}

// since is what changed since the update before.
func (p *Point) since(before, now Update) error {
	was, is := before.Plan, now.Plan
	places, kept, same := dated.Match(is, was), make([]bool, len(was.Tasks)), 0
	for i, at := range places {
		if at != dated.None {
			kept[at] = isWork(&is.Tasks[i]) // what is no work any more was removed from it
		}
		switch {
		case !isWork(&is.Tasks[i]):
		case at == dated.None || !isWork(&was.Tasks[at]):
			p.Added++
			p.AddedWork += days(is, i)
		default:
			p.ChangedWork += days(is, i) - days(was, at)
			if is.Tasks[i].Name == was.Tasks[at].Name {
				same++
			}
		}
	}
	tasks := 0
	for at := range was.Tasks {
		if !isWork(&was.Tasks[at]) {
			continue
		}
		if tasks++; !kept[at] {
			p.Removed++
			p.RemovedWork += days(was, at)
		}
	}
	if 2*same < min(tasks, p.Tasks) {
		return fmt.Errorf("%w: of the %d tasks of %s %d are in %s under the same names", ErrOther, p.Tasks,
			now.Name, same, before.Name)
	}
	move := compare.Finish(was, is)
	day := float64(move.Day)
	p.Slipped = float64(move.Move) / day
	for _, c := range move.Causes {
		if max(c.By, -c.By) > max(p.Cause.By, -p.Cause.By) {
			p.Cause, p.CauseBy = c, float64(c.By)/day
		}
	}
	return nil
}
