package schedules

import (
	"cmp"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// unheldMembers are the members of a task of a file that a schedule has no member for.
var unheldMembers = []struct {
	name string
	says func(d *planDiff, t *planner.Task) bool
}{
	{"ResourceCalendars", (*planDiff).byResources},
}

// unheld warns of what the file says of its tasks, and the schedule does not hold.
func (d *planDiff) unheld() {
	if d.w.Modes.Tasks == SkipMode {
		return
	}
	d.resourcesAtWork()
	for i := range d.file.Tasks {
		t := &d.file.Tasks[i]
		for _, m := range unheldMembers {
			if m.says(d, t) {
				d.warn("Warning: Task (ID=%s) has more than a schedule holds, which was ignored (%s).", cmp.Or(t.Code, t.ID), m.name)
			}
		}
	}
	if len(d.file.Projects) > 1 {
		var others []string
		for _, p := range d.file.Projects[1:] {
			others = append(others, cmp.Or(p.Code, p.Name, p.ID))
		}
		d.warn("Warning: The file has %d projects; the data date, the calendar and the options of the first are those of all, not those of %s.", len(d.file.Projects), strings.Join(others, ", "))
	}
}

// resourcesAtWork notes the calendars of the resources of each task.
func (d *planDiff) resourcesAtWork() {
	base := make(map[string]string) // of calendars that add nothing to it
	for _, c := range d.file.Calendars {
		if len(c.Week)+len(c.Exceptions) == 0 {
			base[c.ID] = c.BaseID
		}
	}
	own := make(map[string]string) // by resource
	for i := range d.file.Resources {
		if r := &d.file.Resources[i]; r.Type != planner.Material && r.Type != planner.Cost {
			own[r.ID] = r.CalendarID
			for n := 0; base[own[r.ID]] != "" && n <= len(base); n++ {
				own[r.ID] = base[own[r.ID]]
			}
		}
	}
	d.atWork = make(map[string][]string)
	for _, a := range d.file.Assignments {
		if c := own[a.ResourceID]; c != "" {
			d.atWork[a.TaskID] = append(d.atWork[a.TaskID], c)
		}
	}
}

// byResources reports whether a task is done when its resources work, which is not when its
// own calendar says.
func (d *planDiff) byResources(t *planner.Task) bool {
	if !t.ResourceCalendars || t.Elapsed || t.Kind != cpm.Work {
		return false
	}
	own := t.CalendarID
	for _, p := range d.file.Projects {
		if own == "" && p.ID == t.ProjectID {
			own = p.CalendarID
		}
	}
	for _, c := range d.atWork[t.ID] {
		if c != own {
			return true
		}
	}
	return false
}
