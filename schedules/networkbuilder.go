package schedules

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// solution is a network with its dates.
type solution struct {
	*cpm.Result
	// driven reports of the tasks, by their numbers, that something precedes them, or what they
	// are below.
	driven  []bool
	anchors []anchor // of the tasks, by their numbers; nil where they do not count
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
	filled   filledTask      // that was looked at last
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
	f, n := &solution{driven: b.driven()}, cpm.NewNetwork()
	n.Grow(len(b.tasks), len(b.links))
	if b.settings.StartDate.IsZero() { // or else they do not count
		f.anchors = make([]anchor, len(b.tasks))
		for i := range b.tasks {
			f.anchors[i] = b.anchor(b.fill(&b.filled, i), f.driven[i])
		}
	}
	if f.start = b.startOf(f.anchors); f.start == 0 { // before the work of making the network
		return nil, errUnscheduled
	}
	b.start = f.start
	f.projects = max(1, len(b.settings.Projects))
	for i := 1; i < f.projects; i++ {
		n.Project(b.project(b.calendars.projects[b.settings.Projects[i].ID], 0))
	}
	for i := range b.tasks {
		n.Add(b.task(b.fill(&b.filled, i), f.driven[i]))
	}
	for i := range b.tasks {
		if above := b.tasks[i].parent; above != none {
			n.Nest(i, int(above))
		}
	}
	for i := range b.links {
		n.Join(b.link(&b.links[i]))
	}
	var err error
	f.Result, err = cpm.Schedule(n, b.options(f.start))
	return f, model.Unschedulable(err)
}

// driven are the tasks that something precedes, or what they are below.
func (b *networkBuilder) driven() []bool {
	direct, all := make([]bool, len(b.tasks)), make([]bool, len(b.tasks))
	for i := range b.links {
		direct[b.links[i].successor] = true
	}
	for i := range b.tasks {
		for at := int32(i); at != none && !all[i]; at = b.tasks[at].parent {
			all[i] = direct[at]
		}
	}
	return all
}

// options are by what the network is scheduled.
func (b *networkBuilder) options(start worktime.Time) cpm.Options {
	set := &b.settings
	return cpm.Options{
		Project: b.project(set, start), Together: set.FloatToLastProject,
		Profile: profiles[set.Profile], Lag: lagCalendars[set.LagCalendar], Progress: progressModes[set.ProgressMode],
		OpenEndsCritical: set.OpenEndsCritical,
		Float:            totalFloatTypes[set.TotalFloatType],
	}
}

// project is one by what its tasks are scheduled. It begins when that says, or else then.
func (b *networkBuilder) project(set *ProjectScheduling, start worktime.Time) cpm.Project {
	local := b.calendars.local
	return cpm.Project{
		Calendar: cmp.Or(b.calendars.of(string(set.CalendarID)), b.calendars.standard), Start: cmp.Or(start,
			local(set.StartDate)),
		DataDate: local(set.DataDate), MustFinish: local(set.MustFinishBy), Critical: int64(set.CriticalFloat),
	}
}

// task is a task of the schedule as one of the network. One that nothing precedes and no
// constraint moves is where it is planned.
func (b *networkBuilder) task(t *Task, driven bool) cpm.Task {
	local := b.calendars.local
	set := b.calendars.setOf(t)
	c := cpm.Task{
		ID: t.ID, Project: b.projects[string(t.ProjectID)], Kind: t.Type.network(), Calendar: b.calendarOf(t),
		Inactive: t.IsInactive, NeverCritical: t.IsPlaceholder,
	}
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
		if start := local(set.StartDate); start != 0 { // before which only constraints of planners may put it
			planned = max(planned, start)
		}
		c.Constraints = append(c.Constraints, cpm.Constraint{Type: cpm.StartNoEarlier, Date: planned})
	}
	if set.expects() {
		c.ExpectedFinish = local(t.ExpectedFinish)
	}
	c.Constraints = append(c.Constraints, b.external(t)...)
	return c
}

// link is a link of the schedule as one of the network.
func (b *networkBuilder) link(l *networkLink) cpm.Link {
	return cpm.Link{
		Predecessor: int(l.predecessor), Successor: int(l.successor), Type: l.linkType().network(),
		Lag: int64(l.lag), Calendar: b.calendars.of(string(b.names.at(l.calendar))),
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
func (n *network) readWork(v *records.View) error {
	n.forgetWork()
	if n.work.tasks == 0 {
		return nil
	}
	n.work.calendars = make(map[string][]string)
	for a, err := range assignmentRecords.From(v, n.scope, "") {
		if err == nil {
			err = records.Interrupted(v)
		}
		if err != nil {
			return err
		}
		number, ok := n.find(a.TaskID)
		if !ok || !n.tasks[number].byResources() {
			continue
		}
		r, err := a.worker(v, n.scope, &n.settings)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		task, calendar := n.tasks[number].taskID(), n.names.place(r.CalendarID)
		if of := n.work.calendars[task]; !slices.Contains(of, string(r.CalendarID)) {
			n.work.calendars[task] = append(of, string(n.names.at(calendar)))
			n.use(calendar, 1)
		}
	}
	return nil
}

// forgetWork forgets when resources work.
func (n *network) forgetWork() {
	for _, ids := range n.work.calendars {
		for _, id := range ids {
			n.use(n.names.place(twinplatform.NullString(id)), -1)
		}
	}
	n.work.calendars, n.work.combined, n.work.spent = nil, nil, 0
}

// workChanged reports whether resources may work at another time since a revision.
func (n *network) workChanged(v *records.View, since uint64) (bool, error) {
	if n.work.tasks == 0 {
		return false, nil
	}
	changed, err := changedSince(v, n.scope, &assignmentRecords, since)
	if changed || err != nil {
		return changed, err
	}
	return changedSince(v, n.scope, &resourceRecords, since)
}

// calendarOf is the calendar of a task in the network; nil is that of the schedule.
func (b *networkBuilder) calendarOf(t *Task) *worktime.Calendar {
	own, ids := b.calendars.of(string(t.CalendarID)), b.work.calendars[t.ID]
	if len(ids) == 0 {
		return own
	}
	work := make([]*worktime.Calendar, len(ids))
	for i, id := range ids {
		work[i] = cmp.Or(b.calendars.of(id), b.calendars.standard)
	}
	if b.settings.Profile == ProfileP6 {
		return slowest(work, max(b.start, b.calendars.local(t.ActualStart)), t)
	}
	key := workKey(t, ids)
	made, ok := b.work.combined[key]
	if !ok {
		if b.work.combined == nil {
			b.work.combined = make(map[string]*worktime.Calendar)
		}
		if made = together(own, work, &b.work.spent); made == nil || own == nil && made == b.calendars.standard {
			made = own
		}
		b.work.combined[key] = made
	}
	return made
}
