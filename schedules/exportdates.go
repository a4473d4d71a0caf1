package schedules

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// addComputed adds what a scheduling of the plan as it is finds of its tasks. A planned task
// that is elsewhere has none of it: planners would put it there.
func (e *planExport) addComputed() {
	f, err := e.network.builder(nil).build()
	if err != nil { // nothing is found of it
		return
	}
	places := e.taskPlaces()
	for number := range e.network.tasks {
		id, d := e.network.tasks[number].taskID(), f.Dates(number)
		t := e.tasks[id]
		at, ok := places[e.task.of(id)]
		if !ok || t.IsWBS && e.Format != planner.MSPDI || d.EarlyStart == 0 {
			continue
		}
		d.Critical = e.network.critical(number, &d)
		e.compute(t, &e.Tasks[at].File, d)
	}
}

// taskPlaces are the places of the tasks of the file by their ids there.
func (e *planExport) taskPlaces() map[string]int {
	places := make(map[string]int, len(e.Tasks))
	for i := range e.Tasks {
		places[e.Tasks[i].ID] = i
	}
	return places
}

// dateAssignment gives an assignment the dates that its resource has for itself, else those when it
// worked, else those of its task.
func (e *planExport) dateAssignment(a *ResourceAssignment, out *planner.Assignment, task planner.Dates) {
	own := func(date, otherwise worktime.Time) worktime.Time {
		if date == 0 || date >= task.Start && date <= task.Finish {
			return cmp.Or(date, otherwise)
		}
		e.warn("The resource assignment (ID=%s) is planned for %s, when its task is not; in the file it has the date of the task.", a.ID, date)
		return otherwise
	}
	out.Start = own(e.calendars.local(a.PlannedStart), cmp.Or(out.ActualStart, task.Start))
	out.Finish = own(e.calendars.local(a.PlannedFinish), cmp.Or(out.ActualFinish, task.Finish))
}

// compute gives a task what is found of it.
func (e *planExport) compute(t *Task, file *planner.Dates, d cpm.Dates) {
	if t.Status == Planned && (file.Start != d.Start || file.Finish != d.Finish && !t.IsWBS) {
		return
	}
	if t.Status == Started || t.IsWBS {
		file.Finish = d.Finish
	}
	file.EarlyStart, file.EarlyFinish, file.LateStart, file.LateFinish = d.EarlyStart, d.EarlyFinish, d.LateStart, d.LateFinish
	if d.HasFloat {
		file.TotalFloat, file.FreeFloat = &d.TotalFloat, &d.FreeFloat
	}
	if e.Format != planner.MSPDI {
		file.DrivingPath = &d.Longest
	}
	if e.to != FormatXER {
		file.Critical = new(d.Critical)
	}
}

// usedCalendars are the calendars that the plan or something in it is on.
func (e *planExport) usedCalendars(calendars map[string]*Calendar) map[string]bool {
	used := map[string]bool{string(e.settings.CalendarID): true}
	for _, p := range e.settings.Projects {
		used[string(p.CalendarID)] = true
	}
	for _, t := range e.tasks {
		used[string(t.CalendarID)] = true
	}
	for _, l := range e.links {
		used[string(l.CalendarID)] = true
	}
	for _, c := range calendars {
		used[c.parent()] = true
	}
	for _, r := range e.resources {
		used[string(r.CalendarID)] = true
	}
	return used
}
