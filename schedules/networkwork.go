package schedules

import (
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// resourceWork is when the resources of the tasks work that are done when they do.
type resourceWork struct {
	tasks     int                           // how many tasks are
	calendars map[string][]string           // ids of calendars, by task; an empty one is that of the schedule
	combined  map[string]*worktime.Calendar // by the calendars that were put together
	spent     int64                         // exceptional days of those
}

// works reports whether a resource works at a task, rather than being used up by it.
func (r *Resource) works() bool { return r.Type == HumanResource || r.Type == EquipmentResource }

// byResources reports whether a task is done when its resources work.
func (t *Task) byResources() bool {
	return t.UsesResourceCalendars && t.Type.network() == cpm.Work && !t.IsWBS
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
		if t := n.tasks[a.TaskID]; t == nil || !t.byResources() || n.settings.Profile == ProfileMicrosoftProject && a.PlannedUtilization.ResourceUnits == 0 {
			continue
		}
		r, err := resourceRecords.Lookup(v, n.scope, a.ResourceID)
		if err != nil {
			return err
		}
		if id := ""; r != nil && r.works() {
			if id = string(r.CalendarID); !slices.Contains(n.work.calendars[a.TaskID], id) {
				n.work.calendars[a.TaskID] = append(n.work.calendars[a.TaskID], id)
				n.use(r.CalendarID, 1)
			}
		}
	}
	return nil
}

// forgetWork forgets when resources work.
func (n *network) forgetWork() {
	for _, ids := range n.work.calendars {
		for _, id := range ids {
			n.use(twinplatform.NullString(id), -1)
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
	own, work := b.calendars.of(string(t.CalendarID)), b.work.calendars[t.ID]
	switch {
	case len(work) == 0:
		return own
	case b.settings.Profile == ProfileP6:
		return b.slowest(t, work)
	}
	key := strings.Join(append([]string{string(t.CalendarID)}, work...), "\x00")
	made, ok := b.work.combined[key]
	if !ok {
		if b.work.combined == nil {
			b.work.combined = make(map[string]*worktime.Calendar)
		}
		made = b.together(own, work)
		b.work.combined[key] = made
	}
	return made
}

// ofResource is the calendar with an id of a resource, or that of the schedule.
func (b *networkBuilder) ofResource(id string) *worktime.Calendar {
	if c := b.calendars.of(id); c != nil {
		return c
	}
	return b.calendars.standard
}

// together is the time at which one of the resources works and the task may be worked at:
// what Microsoft Project counts as its duration.
func (b *networkBuilder) together(own *worktime.Calendar, work []string) (made *worktime.Calendar) {
	for _, id := range work {
		x := b.ofResource(id)
		if own != nil {
			both, err := worktime.Both(own, x)
			if err != nil {
				continue // it never works then
			}
			x = both
		}
		if made == nil {
			made = x
			continue
		}
		made = worktime.Either(made, x)
		if b.work.spent += int64(made.Exceptions()); b.work.spent > MaxCalendarRuns {
			break
		}
	}
	switch {
	case made == nil:
		return own
	case own == nil && made == b.calendars.standard:
		return nil
	}
	return made
}

// slowest is the calendar of the resource that takes longest, behind which P6 lets a task
// end that its resources do each in their own time.
func (b *networkBuilder) slowest(t *Task, work []string) (made *worktime.Calendar) {
	var last worktime.Time
	from, takes := max(b.start, b.calendars.local(t.ActualStart)), int64(1)
	if t.PlannedDuration != nil {
		takes = max(int64(*t.PlannedDuration), 1)
	}
	for _, id := range work {
		x := b.ofResource(id)
		if at := x.Add(from, takes); made == nil || at > last {
			made, last = x, at
		}
	}
	return made
}
