package planner

import (
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// maxDays is how many exceptional days all calendars of a plan may have together, those of
// their bases included.
const maxDays = 5_000_000

// calendars holds the calendars of a plan while it is scheduled, and those it combines from
// the calendars of tasks and their resources.
type calendars struct {
	s        *Scheduled
	profile  cpm.Profile
	byID     map[string]*worktime.Calendar
	standard *worktime.Calendar
	project  map[string]*worktime.Calendar // by project
	work     map[string][]string           // the calendars of the resources of tasks, by task
	combined map[string]*worktime.Calendar
	start    worktime.Time // of the plan
	spent    int64         // of maxDays
}

// makeCalendars makes those of the plan.
func (s *Scheduled) makeCalendars() error {
	p := s.Plan
	standard, err := worktime.New(Standard)
	if err != nil {
		return err
	}
	c := &calendars{
		s: s, profile: p.Profile(), byID: make(map[string]*worktime.Calendar, len(p.Calendars)), standard: standard,
		project: make(map[string]*worktime.Calendar), combined: make(map[string]*worktime.Calendar),
	}
	definitions := make(map[string]*worktime.Definition, len(p.Calendars))
	for i := range p.Calendars {
		x := &p.Calendars[i]
		definitions[x.ID] = &worktime.Definition{Week: x.Week, Exceptions: x.Exceptions}
	}
	bases := make(map[string]string) // of those that add nothing to them
	for i := range p.Calendars {
		x := &p.Calendars[i]
		definitions[x.ID].Base = definitions[x.BaseID]
		if x.BaseID != "" && len(x.Week)+len(x.Exceptions) == 0 {
			bases[x.ID] = x.BaseID
		}
	}
	for i := range p.Calendars {
		if x := &p.Calendars[i]; bases[x.ID] == "" {
			if c.spent += days(definitions[x.ID]); c.spent > maxDays {
				return ErrTooLarge
			}
			c.byID[x.ID] = c.made(x.ID, definitions[x.ID])
		}
	}
	for id, base := range bases {
		for steps := 0; bases[base] != "" && steps < len(bases); steps++ {
			base = bases[base]
		}
		c.byID[id] = c.byID[base]
	}
	for _, x := range p.Projects {
		c.project[x.ID] = c.effective(c.byID[x.CalendarID])
	}
	c.assign()
	s.calendars = c
	return nil
}

// days is how many days are to be looked at to make a calendar.
func days(d *worktime.Definition) (n int64) {
	for ; d != nil && n <= maxDays; d = d.Base {
		for _, x := range d.Exceptions {
			n += 1 + min(max(int64(x.Last-x.First)/worktime.Day, 0), worktime.MaxExceptionDays)
		}
	}
	return n
}

// made is the calendar of a definition, or the standard one where that makes none.
func (c *calendars) made(id string, d *worktime.Definition) *worktime.Calendar {
	made, err := worktime.New(*d)
	if err != nil {
		c.s.Warnings = append(
			c.s.Warnings, Warning{
				What: "calendar " + id,
				Text: "The standard calendar stands in for it: " + err.Error(),
			},
		)
		return c.standard
	}
	return made
}

// effective is the calendar, or the standard one where there is none.
func (c *calendars) effective(x *worktime.Calendar) *worktime.Calendar {
	if x == nil {
		return c.standard
	}
	return x
}

// assign finds the calendars of those who work at tasks that are done when they work.
func (c *calendars) assign() {
	p := c.s.Plan
	on := make(map[string]bool, len(p.Tasks))
	for i := range p.Tasks {
		if t := &p.Tasks[i]; t.ResourceCalendars && !t.Elapsed && t.Kind == cpm.Work {
			on[t.ID] = true
		}
	}
	resources := index(p.Resources, func(r *Resource) string { return r.ID })
	c.work = make(map[string][]string)
	for _, a := range p.Assignments {
		if !on[a.TaskID] || a.Units == 0 && c.profile == cpm.MSProject {
			continue
		}
		at, ok := resources[a.ResourceID]
		if r := &p.Resources[max(at, 0)]; ok && r.Type != Material && r.Type != Cost && !slices.Contains(
			c.work[a.TaskID], r.CalendarID,
		) {
			add(c.work, a.TaskID, r.CalendarID)
		}
	}
}

// of returns the calendar on which a task is scheduled; nil stands for the calendar of its
// project. Microsoft Project combines the calendars of the task and of its resources, P6
// takes the resource that ends last.
func (c *calendars) of(t *Task) *worktime.Calendar {
	if t.Elapsed {
		return worktime.Continuous
	}
	own, work := c.byID[t.CalendarID], c.work[t.ID]
	if len(work) == 0 {
		return own
	}
	key := strings.Join(append([]string{t.CalendarID, t.ProjectID}, work...), "\x00")
	if made, ok := c.combined[key]; ok && c.profile == cpm.MSProject {
		return made
	}
	var made *worktime.Calendar
	if c.profile == cpm.MSProject {
		made = c.together(t, own, work)
	} else {
		made = c.slowest(t, work)
	}
	c.combined[key] = made
	return made
}

// resource returns the calendar that a resource works by. A resource that names none works
// by the calendar of the task's project.
func (c *calendars) resource(t *Task, id string) *worktime.Calendar {
	if x := c.byID[id]; x != nil {
		return x
	}
	return c.effective(c.project[t.ProjectID])
}

// together is the time at which one of the resources of a task works, and the task may be
// worked at: what Microsoft Project counts as its duration.
func (c *calendars) together(t *Task, own *worktime.Calendar, work []string) (made *worktime.Calendar) {
	for _, id := range work {
		x := c.resource(t, id)
		if own != nil {
			both, err := worktime.Both(own, x)
			if err != nil {
				c.s.Warnings = append(
					c.s.Warnings, Warning{
						What: "task " + t.ID,
						Text: "A resource of it never works when the task is worked at.",
					},
				)
				continue
			}
			x = both
		}
		if made == nil {
			made = x
			continue
		}
		made = worktime.Either(made, x)
		if c.spent += int64(made.Exceptions()); c.spent > maxDays {
			break
		}
	}
	if made == nil {
		return own
	}
	if own == nil && made == c.project[t.ProjectID] {
		return nil
	}
	return made
}

// slowest is the calendar of the resource that takes longest, behind which P6 lets a task
// end that its resources do each in their own time.
func (c *calendars) slowest(t *Task, work []string) (made *worktime.Calendar) {
	var last worktime.Time
	from := max(c.start, t.ActualStart)
	for _, id := range work {
		x := c.resource(t, id)
		if at := x.Add(from, max(t.Duration, 1)); made == nil || at > last {
			made, last = x, at
		}
	}
	return made
}
