package planner

import (
	"cmp"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Profile is whose rules the plan is scheduled by.
func (p *Plan) Profile() cpm.Profile {
	if p.Format == MSPDI {
		return cpm.MSProject
	}
	return cpm.P6
}

// Standard is the calendar of a plan that names none, or one without working time: from
// Monday to Friday, 8:00 to 16:00.
var Standard = worktime.Definition{Week: worktime.EachWeekday(worktime.Hours{{From: 8 * worktime.Hour, To: 16 * worktime.Hour}})}

// Scheduled is a plan with what its logic says of its dates.
type Scheduled struct {
	*cpm.Result
	Plan *Plan
	// Warnings name what stands in the way, beside those of the plan.
	Warnings []Warning
	// What it was scheduled by.
	network   *cpm.Network
	options   cpm.Options
	calendars map[string]*worktime.Calendar
}

// Schedule schedules the plan from its logic alone: what the file says of dates counts
// where it is actual, a constraint or given by hand. Tasks and links have the numbers
// that they have in the plan.
//
// Errors: *cpm.CycleError, cpm.ErrNetwork.
func (p *Plan) Schedule() (*Scheduled, error) {
	s := &Scheduled{Plan: p, network: cpm.NewNetwork()}
	s.calendars = s.makeCalendars()
	projects := s.setOptions()
	place := make(map[string]int, len(p.Tasks))
	for i := range p.Tasks {
		t := &p.Tasks[i]
		place[t.ID] = s.network.Add(cpm.Task{
			ID: cmp.Or(t.Code, t.ID), Kind: t.Kind, Project: projects[t.ProjectID], Calendar: s.calendars[t.CalendarID], Duration: t.Duration,
			Remaining: t.Remaining, ActualStart: t.ActualStart, ActualFinish: t.ActualFinish, Constraints: t.Constraints, Deadline: t.Deadline,
			Manual: t.Manual && t.File.Start != 0 && t.File.Finish >= t.File.Start, Start: t.File.Start, Finish: t.File.Finish, Inactive: t.Inactive,
		})
		if t.ParentID != "" {
			s.network.Nest(place[t.ID], place[t.ParentID])
		}
	}
	for _, l := range p.Links {
		link := cpm.Link{Predecessor: place[l.PredecessorID], Successor: place[l.SuccessorID], Type: l.Type, Lag: l.Lag, Percent: l.Percent}
		if l.Elapsed {
			link.Calendar = worktime.Continuous
		}
		s.network.Join(link)
	}
	var err error
	s.Result, err = cpm.Schedule(s.network, s.options)
	return s, err
}

// makeCalendars are those of the plan by id.
func (s *Scheduled) makeCalendars() map[string]*worktime.Calendar {
	definitions := map[string]*worktime.Definition{}
	for _, c := range s.Plan.Calendars {
		definitions[c.ID] = &worktime.Definition{Week: c.Week, Exceptions: c.Exceptions}
	}
	all := make(map[string]*worktime.Calendar, len(definitions))
	for _, c := range s.Plan.Calendars {
		definitions[c.ID].Base = definitions[c.BaseID]
	}
	for _, c := range s.Plan.Calendars {
		made, err := worktime.New(*definitions[c.ID])
		if err != nil {
			s.Warnings = append(s.Warnings, Warning{"calendar " + c.ID, "The standard calendar stands in for it: " + err.Error()})
			made, _ = worktime.New(Standard) // it is sound
		}
		all[c.ID] = made
	}
	return all
}

// setOptions takes the options from the first project, and returns the numbers of all.
func (s *Scheduled) setOptions() (projects map[string]int) {
	o := &s.options
	o.Profile = s.Plan.Profile()
	projects = make(map[string]int)
	for i, p := range s.Plan.Projects {
		x := cpm.Project{Calendar: s.calendars[p.CalendarID], Start: p.Start, DataDate: p.DataDate, MustFinish: p.MustFinish, Critical: p.Critical}
		if i > 0 {
			projects[p.ID] = s.network.Project(x)
			continue
		}
		o.Project, o.Lag, o.Progress, o.Together, o.OpenEndsCritical = x, p.Lag, p.Progress, p.Together, p.OpenEndsCritical
	}
	if o.Calendar == nil {
		o.Calendar, _ = worktime.New(Standard) // it is sound
	}
	if o.Start == 0 {
		o.Start = s.earliest()
	}
	return projects
}

// earliest is the first time that the tasks of the plan know.
func (s *Scheduled) earliest() (t worktime.Time) {
	for i := range s.Plan.Tasks {
		if at := s.Plan.Tasks[i].File.Start; at != 0 && (t == 0 || at < t) {
			t = at
		}
	}
	return cmp.Or(t, worktime.Date(2000, time.January, 3, 0, 0, 0))
}
