package rescheduling

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Solution is a network with its dates.
type Solution struct {
	*cpm.Result
	// driven reports of the tasks, by their numbers, that something precedes them, or what they
	// are below.
	driven  []bool
	anchors []anchor // of the tasks, by their numbers; nil where they do not count
	Begin   worktime.Time
	// projects is how many there are.
	projects int
}

// Builder makes the network of package cpm.
type Builder struct {
	*Network
	only     map[string]bool // nil for all
	start    worktime.Time   // of the plan, once it is known
	Projects map[string]int  // their numbers in the network
	filled   Filled          // that was looked at last
}

// Builder makes the network of some tasks alone, or of all.
func (n *Network) Builder(only map[string]bool) *Builder {
	b := &Builder{Network: n, only: only, Projects: make(map[string]int, len(n.Settings.Projects))}
	for i := range n.Settings.Projects {
		b.Projects[n.Settings.Projects[i].ID] = i
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
func (b *Builder) anchor(t *schedules.Task, driven bool) (a anchor) {
	local := b.Calendars.Local
	planned, early := local(cmp.Or(t.PlannedStart, t.PlannedFinish)), local(t.ConstraintEarlyDate)
	switch {
	case core.IsHammock(t.Type) || t.IsWBS:
	case t.Status != schedules.Planned:
		a.at = local(cmp.Or(t.ActualStart, t.ActualFinish))
	case t.ConstraintType == schedules.CannotReschedule:
		a.at = planned
	case driven:
		a = anchor{planned, true}
	case t.ConstraintType == schedules.StartAfter, t.ConstraintType == schedules.StartOn,
		t.ConstraintType == schedules.StartBetween:
		a.at = cmp.Or(early, planned)
	case t.ConstraintType == schedules.FinishAfter, t.ConstraintType == schedules.FinishOn,
		t.ConstraintType == schedules.FinishBetween:
		if a.at = cmp.Or(early, local(t.ConstraintLateDate)); a.at != 0 && t.PlannedDuration != nil {
			a.at = b.Calendars.OfTask(t).Add(a.at, -int64(*t.PlannedDuration)-core.Paused(t))
		}
	default:
		a = anchor{planned, t.ConstraintType != schedules.NoConstraint}
	}
	return a
}

// start is when a plan with such anchors begins: when the settings say, or else with the
// first of them. The data date is for plans without any.
func (b *Builder) startOf(anchors []anchor) worktime.Time {
	if set := b.Calendars.Local(b.Settings.StartDate); set != 0 {
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
	return cmp.Or(strong, weak, b.Calendars.Local(b.Settings.DataDate))
}

// Build makes the network and finds its dates.
func (b *Builder) Build() (*Solution, error) {
	f, n := &Solution{driven: b.driven()}, cpm.NewNetwork()
	n.Grow(len(b.Tasks), len(b.Links))
	if b.Settings.StartDate.IsZero() { // or else they do not count
		f.anchors = make([]anchor, len(b.Tasks))
		for i := range b.Tasks {
			f.anchors[i] = b.anchor(b.Fill(&b.filled, i), f.driven[i])
		}
	}
	if f.Begin = b.startOf(f.anchors); f.Begin == 0 { // before the work of making the network
		return nil, errUnscheduled
	}
	b.start = f.Begin
	f.projects = max(1, len(b.Settings.Projects))
	for i := 1; i < f.projects; i++ {
		n.Project(b.project(b.Calendars.Projects[b.Settings.Projects[i].ID], 0))
	}
	for i := range b.Tasks {
		n.Add(b.task(b.Fill(&b.filled, i), f.driven[i]))
	}
	for i := range b.Tasks {
		if above := b.Tasks[i].parent; above != none {
			n.Nest(i, int(above))
		}
	}
	for i := range b.Links {
		n.Join(b.link(&b.Links[i]))
	}
	var err error
	f.Result, err = cpm.Schedule(n, b.options(f.Begin))
	return f, model.Unschedulable(err)
}

// driven are the tasks that something precedes, or what they are below.
func (b *Builder) driven() []bool {
	direct, all := make([]bool, len(b.Tasks)), make([]bool, len(b.Tasks))
	for i := range b.Links {
		direct[b.Links[i].Successor] = true
	}
	for i := range b.Tasks {
		for at := int32(i); at != none && !all[i]; at = b.Tasks[at].parent {
			all[i] = direct[at]
		}
	}
	return all
}

// options are by what the network is scheduled.
func (b *Builder) options(start worktime.Time) cpm.Options {
	set := &b.Settings
	return cpm.Options{
		Project: b.project(set, start), Together: set.FloatToLastProject,
		Profile: core.Profiles[set.Profile], Lag: core.LagCalendars[set.LagCalendar],
		Progress:         core.ProgressModes[set.ProgressMode],
		OpenEndsCritical: set.OpenEndsCritical,
		Float:            core.TotalFloatTypes[set.TotalFloatType],
	}
}

// project is one by what its tasks are scheduled. It begins when that says, or else then.
func (b *Builder) project(set *schedules.ProjectScheduling, start worktime.Time) cpm.Project {
	local := b.Calendars.Local
	return cpm.Project{
		Calendar: cmp.Or(b.Calendars.Of(string(set.CalendarID)), b.Calendars.Standard), Start: cmp.Or(start,
			local(set.StartDate)),
		DataDate: local(set.DataDate), MustFinish: local(set.MustFinishBy), Critical: int64(set.CriticalFloat),
	}
}

// task is a task of the schedule as one of the network. One that nothing precedes and no
// constraint moves is where it is planned.
func (b *Builder) task(t *schedules.Task, driven bool) cpm.Task {
	local := b.Calendars.Local
	set := b.Calendars.SetOf(t)
	c := cpm.Task{
		ID: t.ID, Project: b.Projects[string(t.ProjectID)], Kind: core.KindOf(t.Type), Calendar: b.calendarOf(t),
		Inactive: t.IsInactive, NeverCritical: t.IsPlaceholder,
	}
	if t.PlannedDuration != nil && c.Kind == cpm.Work {
		c.Duration = int64(*t.PlannedDuration)
	}
	planned := local(cmp.Or(t.PlannedStart, t.PlannedFinish))
	switch {
	case t.IsWBS: // which is where those below it are
		c.Kind, c.Constraints = cpm.Summary, b.Constraints(t)
		return c
	case t.Status == schedules.Finished:
		c.ActualFinish = local(cmp.Or(t.ActualFinish, t.ActualStart))
		c.ActualStart = local(cmp.Or(t.ActualStart, t.ActualFinish))
		c.ActualStart = min(c.ActualStart, c.ActualFinish) // which a change of the clock may have turned round
		return c
	case t.Status == schedules.Started:
		c.ActualStart = local(t.ActualStart)
		if core.Resumes(t, set, b.Calendars.Working(t)) {
			c.Resume = local(t.ResumeDate)
		}
		if t.RemainingDuration != nil {
			c.Remaining = int64(*t.RemainingDuration)
		}
	case planned != 0 && (t.ConstraintType == schedules.CannotReschedule || b.only != nil && !b.only[t.ID]):
		c.Manual, c.Start, c.Finish = true, planned, max(planned, local(cmp.Or(t.PlannedFinish, t.PlannedStart)))
		return c
	}
	c.Split(core.Pauses(t), core.Profiles[set.Profile])
	c.Constraints, c.Deadline = b.Constraints(t), local(t.Deadline)
	if t.ConstraintType == schedules.NoConstraint && !driven && planned != 0 && t.Status == schedules.Planned {
		if start := local(set.StartDate); start != 0 { // before which only constraints of planners may put it
			planned = max(planned, start)
		}
		c.Constraints = append(c.Constraints, cpm.Constraint{Type: cpm.StartNoEarlier, Date: planned})
	}
	if core.Expects(set) {
		c.ExpectedFinish = local(t.ExpectedFinish)
	}
	c.Constraints = append(c.Constraints, b.external(t)...)
	return c
}

// link is a link of the schedule as one of the network.
func (b *Builder) link(l *networkLink) cpm.Link {
	return cpm.Link{
		Predecessor: int(l.Predecessor), Successor: int(l.Successor), Type: LinkTypeIn(l.LinkType()),
		Lag: int64(l.Lag), Calendar: b.Calendars.Of(string(b.names.at(l.calendar))),
	}
}

// resourceWork is when the resources of the tasks work that are done when they do.
type resourceWork struct {
	tasks     int                           // how many tasks are
	calendars map[string][]string           // ids of calendars, by task; an empty one is that of the schedule
	combined  map[string]*worktime.Calendar // by the calendars that were put together
	spent     int64                         // exceptional days of those
}

// readWork reads when resources work, of a plan that has tasks for which that counts.
func (n *Network) readWork(v *records.View) error {
	n.forgetWork()
	if n.work.tasks == 0 {
		return nil
	}
	n.work.calendars = make(map[string][]string)
	all := core.Assignments.From(v, n.Scope, "")
	all = records.Together(v, 0, all, func(next []*schedules.ResourceAssignment) error {
		for _, a := range next {
			records.Declare(v, core.Resources.Needs(n.Scope, a.ResourceID)...)
		}
		return nil
	})
	for a, err := range all {
		if err == nil {
			err = records.Interrupted(v)
		}
		if err != nil {
			return err
		}
		number, ok := n.Find(a.TaskID)
		if !ok || !n.Tasks[number].byResources() {
			continue
		}
		r, err := core.Worker(a, v, n.Scope, &n.Settings)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		task, calendar := n.Tasks[number].TaskID(), n.names.place(r.CalendarID)
		if of := n.work.calendars[task]; !slices.Contains(of, string(r.CalendarID)) {
			n.work.calendars[task] = append(of, string(n.names.at(calendar)))
			n.use(calendar, 1)
		}
	}
	return nil
}

// forgetWork forgets when resources work.
func (n *Network) forgetWork() {
	for _, ids := range n.work.calendars {
		for _, id := range ids {
			n.use(n.names.place(twinplatform.NullString(id)), -1)
		}
	}
	n.work.calendars, n.work.combined, n.work.spent = nil, nil, 0
}

// workChanged reports whether resources may work at another time since a revision.
func (n *Network) workChanged(v *records.View, since uint64) (bool, error) {
	if n.work.tasks == 0 {
		return false, nil
	}
	changed, err := changedSince(v, n.Scope, core.Assignments.Table(), since)
	if changed || err != nil {
		return changed, err
	}
	return changedSince(v, n.Scope, core.Resources.Table(), since)
}

// calendarOf is the calendar of a task in the network; nil is that of the schedule.
func (b *Builder) calendarOf(t *schedules.Task) *worktime.Calendar {
	own, ids := b.Calendars.Of(string(t.CalendarID)), b.work.calendars[t.ID]
	if len(ids) == 0 {
		return own
	}
	work := make([]*worktime.Calendar, len(ids))
	for i, id := range ids {
		work[i] = cmp.Or(b.Calendars.Of(id), b.Calendars.Standard)
	}
	if b.Settings.Profile == schedules.ProfileP6 {
		return core.Slowest(work, max(b.start, b.Calendars.Local(t.ActualStart)), t)
	}
	key := core.WorkKey(t, ids)
	made, ok := b.work.combined[key]
	if !ok {
		if b.work.combined == nil {
			b.work.combined = make(map[string]*worktime.Calendar)
		}
		if made = core.Together(own, work, &b.work.spent); made == nil || own == nil && made == b.Calendars.Standard {
			made = own
		}
		b.work.combined[key] = made
	}
	return made
}
