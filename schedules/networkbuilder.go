package schedules

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// solution is a network with its dates.
type solution struct {
	*cpm.Result
	network *cpm.Network
	ids     []string       // of the tasks, by their numbers
	numbers map[string]int // of the tasks, by their ids
	links   []string       // ids of the links, by their numbers
	// driven are the tasks that something precedes, or what they are below.
	driven  map[string]bool
	anchors []anchor // of the tasks, by their numbers
	start   worktime.Time
	// projects is how many there are.
	projects int
}

// networkBuilder makes the network of package cpm.
type networkBuilder struct {
	*network
	only     map[string]bool // nil for all
	start    worktime.Time   // of the plan, once it is known
	projects map[string]int  // their numbers in the network
}

func (n *network) builder(only map[string]bool) *networkBuilder {
	b := &networkBuilder{network: n, only: only, projects: make(map[string]int, len(n.settings.Projects))}
	for i := range n.settings.Projects {
		b.projects[n.settings.Projects[i].ID] = i
	}
	return b
}

// anchor is a date of a task that scheduling does not move, or where a task would be
// that the beginning of the plan alone holds: a weak one. Zero is none.
type anchor struct {
	at   worktime.Time
	weak bool
}

// anchor is that of a task.
func (b *networkBuilder) anchor(t *Task, driven bool) (a anchor) {
	local := b.calendars.local
	planned, early := local(cmp.Or(t.PlannedStart, t.PlannedFinish)), local(t.ConstraintEarlyDate)
	switch {
	case t.Type.hammock() || t.IsWBS:
	case t.Status != Planned:
		a.at = local(cmp.Or(t.ActualStart, t.ActualFinish))
	case t.ConstraintType == CannotReschedule:
		a.at = planned
	case driven:
		a = anchor{planned, true}
	case t.ConstraintType == StartAfter, t.ConstraintType == StartOn, t.ConstraintType == StartBetween:
		a.at = cmp.Or(early, planned)
	case t.ConstraintType == FinishAfter, t.ConstraintType == FinishOn, t.ConstraintType == FinishBetween:
		if a.at = cmp.Or(early, local(t.ConstraintLateDate)); a.at != 0 && t.PlannedDuration != nil {
			a.at = b.calendars.ofTask(t).Add(a.at, -int64(*t.PlannedDuration)-t.paused())
		}
	default:
		a = anchor{planned, t.ConstraintType != NoConstraint}
	}
	return a
}

// start is when a plan with such anchors begins: when the settings say, or else with the
// first of them. The data date is for plans without any.
func (b *networkBuilder) startOf(anchors []anchor) worktime.Time {
	if set := b.calendars.local(b.settings.StartDate); set != 0 {
		return set
	}
	var strong, weak worktime.Time
	for _, a := range anchors {
		first := &strong
		if a.weak {
			first = &weak
		}
		if a.at != 0 && (*first == 0 || a.at < *first) {
			*first = a.at
		}
	}
	return cmp.Or(strong, weak, b.calendars.local(b.settings.DataDate))
}

// build makes the network and finds its dates.
func (b *networkBuilder) build() (*solution, error) {
	f := &solution{network: cpm.NewNetwork(), ids: sorted(b.tasks), numbers: make(map[string]int, len(b.tasks)), links: sorted(b.links), driven: b.driven()}
	f.network.Grow(len(f.ids), len(f.links))
	f.anchors = make([]anchor, 0, len(f.ids))
	for _, id := range f.ids {
		f.anchors = append(f.anchors, b.anchor(b.tasks[id], f.driven[id]))
	}
	if f.start = b.startOf(f.anchors); f.start == 0 { // before the work of making the network
		return nil, errUnscheduled
	}
	b.start = f.start
	f.projects = max(1, len(b.settings.Projects))
	for i := 1; i < f.projects; i++ {
		f.network.Project(b.project(b.calendars.projects[b.settings.Projects[i].ID], 0))
	}
	for i, id := range f.ids {
		f.network.Add(b.task(b.tasks[id], f.driven[id]))
		f.numbers[id] = i
	}
	for i, id := range f.ids {
		if above, ok := f.numbers[b.tasks[id].parent()]; ok {
			f.network.Nest(i, above)
		}
	}
	for _, id := range f.links {
		f.network.Join(b.link(f, b.links[id]))
	}
	var err error
	f.Result, err = cpm.Schedule(f.network, b.options(f.start))
	return f, model.Unschedulable(err)
}

// driven are the tasks that something precedes, or what they are below.
func (b *networkBuilder) driven() map[string]bool {
	direct, all := make(map[string]bool), make(map[string]bool)
	for _, l := range b.links {
		direct[l.SuccessorID] = true
	}
	for id := range b.tasks {
		for at := id; at != ""; at = b.tasks[at].parent() {
			if direct[at] {
				all[id] = true
				break
			}
		}
	}
	return all
}

// options are by what the network is scheduled.
func (b *networkBuilder) options(start worktime.Time) cpm.Options {
	set := &b.settings
	return cpm.Options{
		Project: b.project(set, start), Together: set.FloatToLastProject,
		Profile: profiles[set.Profile], Lag: lagCalendars[set.LagCalendar], Progress: progressModes[set.ProgressMode], OpenEndsCritical: set.OpenEndsCritical,
	}
}

// project is one by what its tasks are scheduled. It begins when that says, or else then.
func (b *networkBuilder) project(set *ProjectScheduling, start worktime.Time) cpm.Project {
	local := b.calendars.local
	return cpm.Project{
		Calendar: cmp.Or(b.calendars.of(string(set.CalendarID)), b.calendars.standard), Start: cmp.Or(start, local(set.StartDate)),
		DataDate: local(set.DataDate), MustFinish: local(set.MustFinishBy), Critical: int64(set.CriticalFloat),
	}
}

// task is a task of the schedule as one of the network. One that nothing precedes and no
// constraint moves is where it is planned.
func (b *networkBuilder) task(t *Task, driven bool) cpm.Task {
	local := b.calendars.local
	set := b.calendars.setOf(t)
	c := cpm.Task{ID: t.ID, Project: b.projects[string(t.ProjectID)], Kind: t.Type.network(), Calendar: b.calendarOf(t), Inactive: t.IsInactive, NeverCritical: t.IsPlaceholder}
	if t.PlannedDuration != nil && c.Kind == cpm.Work {
		c.Duration = int64(*t.PlannedDuration)
	}
	planned := local(cmp.Or(t.PlannedStart, t.PlannedFinish))
	switch {
	case t.IsWBS: // which is where those below it are
		c.Kind, c.Constraints = cpm.Summary, b.constraints(t)
		return c
	case t.Status == Finished:
		c.ActualFinish = local(cmp.Or(t.ActualFinish, t.ActualStart))
		c.ActualStart = local(cmp.Or(t.ActualStart, t.ActualFinish))
		c.ActualStart = min(c.ActualStart, c.ActualFinish) // which a change of the clock may have turned round
		return c
	case t.Status == Started:
		c.ActualStart = local(t.ActualStart)
		if t.resumes(set, b.calendars.working(t)) {
			c.Resume = local(t.ResumeDate)
		}
		if t.RemainingDuration != nil {
			c.Remaining = int64(*t.RemainingDuration)
		}
	case planned != 0 && (t.ConstraintType == CannotReschedule || b.only != nil && !b.only[t.ID]):
		c.Manual, c.Start, c.Finish = true, planned, max(planned, local(cmp.Or(t.PlannedFinish, t.PlannedStart)))
		return c
	}
	c.Split(t.pauses(), profiles[set.Profile])
	c.Constraints, c.Deadline = b.constraints(t), local(t.Deadline)
	if t.ConstraintType == NoConstraint && !driven && planned != 0 && t.Status == Planned {
		c.Constraints = append(c.Constraints, cpm.Constraint{Type: cpm.StartNoEarlier, Date: planned})
	}
	if set.expects() {
		c.ExpectedFinish = local(t.ExpectedFinish)
	}
	c.Constraints = append(c.Constraints, b.external(t)...)
	return c
}

// link is a link of the schedule as one of the network.
func (b *networkBuilder) link(f *solution, l *TaskLink) cpm.Link {
	return cpm.Link{
		Predecessor: f.numbers[l.PredecessorID], Successor: f.numbers[l.SuccessorID], Type: l.Type.network(),
		Lag: int64(l.Lag), Calendar: b.calendars.of(string(l.CalendarID)),
	}
}
