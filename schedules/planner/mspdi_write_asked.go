package planner

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// Microsoft Project says some things of each item, and programs that read its files take something
// else where they are missing: GNOME Planner takes a task without Milestone for one.

// maxCalendarName is how many characters of UTF-16 the name of a calendar may have.
const maxCalendarName = 51

// nameable replaces what separates resources from one another, and from how much there is of
// them: no name may have it.
var nameable = strings.NewReplacer(", ", " - ", ",", "-", "[", "(", "]", ")")

// names are what resources or calendars are called, by their ids.
func (x *mspdiWriter) names(kind string, n, most int, item func(i int) (id, name string)) map[string]string {
	all, taken := make(map[string]string, n), make(map[string]bool, n)
	var changed []string
	for i := range n {
		id, name := item(i)
		name = x.text(kind, id, name)
		all[id] = cut(nameable.Replace(name), most)
		if all[id] == name {
			taken[name] = true
		} else {
			changed = append(changed, id)
		}
	}
	for _, id := range changed {
		name := all[id]
		for number := 2; taken[all[id]]; number++ {
			suffix := " " + strconv.Itoa(number)
			all[id] = cut(name, most-len(suffix)) + suffix
		}
		taken[all[id]] = true
		x.lose(kind, id, "It is called "+strconv.Quote(all[id])+
			": names of Microsoft Project have no comma and no brackets, and those of calendars "+
			strconv.Itoa(maxCalendarName)+" characters at most.")
	}
	return all
}

// cut is the beginning of a text, of so many characters of UTF-16 at most.
func cut(s string, most int) string {
	n := 0
	for i, r := range s {
		if n += max(utf16.RuneLen(r), 1); n > most {
			return strings.TrimSpace(s[:i])
		}
	}
	return s
}

// maxResourceName is how many characters the name of a resource may have.
const maxResourceName = 255

// prepareNames finds what resources and calendars are called. A resource without a name is called
// by its code.
func (x *mspdiWriter) prepareNames() {
	x.calendarNames = x.names("calendar", len(x.Calendars), maxCalendarName, func(i int) (id, name string) {
		return x.Calendars[i].ID, x.Calendars[i].Name
	})
	x.resourceNames = x.names("resource", len(x.Resources), maxResourceName, func(i int) (id, name string) {
		r := &x.Resources[i]
		if r.Name == "" {
			x.lose("resource", r.ID, "It is called by its code: it has no name.")
		}
		return r.ID, cmp.Or(r.Name, r.Code, r.ID)
	})
}

// prepareWork finds how many hours of work tasks take: those of their assignments, and of the tasks
// below them. Material and costs are no work.
func (x *mspdiWriter) prepareWork() {
	x.work = make(map[string]float64)
	works := make(map[string]bool, len(x.Resources))
	for i := range x.Resources {
		works[x.Resources[i].ID] = x.Resources[i].Type != Material && x.Resources[i].Type != Cost
	}
	for i := range x.Assignments {
		if a := &x.Assignments[i]; works[a.ResourceID] {
			x.work[a.TaskID] += a.Units
		}
	}
	for i := len(x.Tasks) - 1; i >= 0; i-- { // each is behind what it is below
		if t := &x.Tasks[i]; t.ParentID != "" {
			x.work[t.ParentID] += x.work[t.ID]
		}
	}
}

// say adds what each task of Microsoft Project says of itself, where nothing is left of the task that
// says it: whether it is a milestone, of which type it is and how much work it takes.
func (x *mspdiWriter) say(t *Task, v values) {
	left := func(member string) bool {
		return x.Format == MSPDI && x.left["Task"].member(t.ID, member) != ""
	}
	switch {
	case t.Kind == cpm.StartMilestone || t.Kind == cpm.FinishMilestone:
		v["Milestone"] = "1"
	case !left("Milestone"):
		v["Milestone"] = "0"
	}
	if !left("Type") {
		if v["Type"] = fixedUnits; t.Kind == cpm.Summary {
			v["Type"] = fixedDuration
		}
	}
	if !left("Work") {
		v["Work"] = x.period("task", t.ID, x.work[t.ID])
	}
	x.sayDates(t, v)
	if x.Format != MSPDI && t.ActualFinish != 0 {
		v["PercentComplete"] = "100"
	}
}

// The types of tasks.
const (
	fixedUnits    = "0"
	fixedDuration = "1"
)

// sayDates gives a task of another format dates where its file has none, as it has none of nodes of the
// WBS, and what spans others the working time between them.
func (x *mspdiWriter) sayDates(t *Task, v values) {
	if x.scheduled == nil {
		return
	}
	start, finish := t.File.Start, t.File.Finish
	if start == 0 && finish == 0 {
		d := x.scheduled.Dates(x.taskOf[t.ID])
		start, finish = d.Start, d.Finish
	}
	v["Start"], v["Finish"] = instant(start), instant(finish)
	if t.Kind != cpm.Summary && t.Kind != cpm.LongHammock && t.Kind != cpm.ShortHammock {
		return
	}
	if start != 0 && finish > start {
		spanning := *t
		spanning.Duration = x.scheduled.calendars.worked(t).Between(start, finish)
		v["Duration"], v["RemainingDuration"] = period(spanning.Duration), period(spanning.left())
	}
}
