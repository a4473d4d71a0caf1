package schedules

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

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
		if t := n.tasks[a.TaskID]; t == nil || !t.byResources() {
			continue
		}
		r, err := a.worker(v, n.scope, &n.settings)
		if err != nil {
			return err
		}
		if r != nil && !slices.Contains(n.work.calendars[a.TaskID], string(r.CalendarID)) {
			n.work.calendars[a.TaskID] = append(n.work.calendars[a.TaskID], string(r.CalendarID))
			n.use(r.CalendarID, 1)
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
