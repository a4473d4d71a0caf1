package planner

import (
	"cmp"
	"slices"
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
var Standard = worktime.Definition{
	Week: worktime.EachWeekday(worktime.Hours{{From: 8 * worktime.Hour, To: 16 * worktime.Hour}}),
}

// Scheduled is a plan with the dates that its logic gives.
type Scheduled struct {
	*cpm.Result
	Plan *Plan
	// Warnings name what is in the way, besides those of the plan.
	Warnings []Warning
	// What it was scheduled by.
	network   *cpm.Network
	options   cpm.Options
	calendars *calendars
	spans     map[int]int // what a task is below whose dates it has
}

// Schedule schedules the plan from its logic alone: dates of the file count where it is
// actual, a constraint or given by hand. Tasks and links have the numbers that they have
// in the plan.
//
// Errors: *cpm.CycleError, cpm.ErrNetwork, and ErrTooLarge where the calendars have more
// exceptions than any plan needs.
func (p *Plan) Schedule() (*Scheduled, error) {
	s := &Scheduled{Plan: p, network: cpm.NewNetwork(), spans: make(map[int]int)}
	if err := s.makeCalendars(); err != nil {
		return nil, err
	}
	projects := s.setOptions()
	s.network.Grow(len(p.Tasks), len(p.Links))
	place := make(map[string]int, len(p.Tasks))
	for i := range p.Tasks {
		t := &p.Tasks[i]
		place[t.ID] = s.network.Add(s.task(t, projects))
		if t.ParentID != "" {
			s.network.Nest(place[t.ID], place[t.ParentID])
			if t.WBSSummary {
				s.spans[i] = place[t.ParentID]
			}
		}
	}
	for _, l := range p.Links {
		link := cpm.Link{
			Predecessor: place[l.PredecessorID], Successor: place[l.SuccessorID], Type: l.Type, Lag: l.Lag,
			Percent: l.Percent,
		}
		if l.Elapsed {
			link.Calendar = worktime.Continuous
		}
		s.network.Join(link)
	}
	if s.calendars.spent > maxDays {
		return nil, ErrTooLarge
	}
	var err error
	s.Result, err = cpm.Schedule(s.network, s.options)
	return s, err
}

// Dates returns the scheduled dates of the task at a place of Plan.Tasks. A WBS summary has
// the dates of the node that it is below, because it spans that node's tasks. In P6 a level
// of effort that has not begun starts where its remaining work starts, even if a task that
// it is linked to began earlier.
func (s *Scheduled) Dates(task int) cpm.Dates {
	if above, ok := s.spans[task]; ok {
		task = above
	}
	d := s.Result.Dates(task)
	if t := &s.Plan.Tasks[task]; t.Kind == cpm.LongHammock && t.Status() == Planned && s.Plan.Profile() == cpm.P6 {
		d.Start = d.EarlyStart
	}
	return d
}

// task is one of the plan as it is scheduled.
func (s *Scheduled) task(t *Task, projects map[string]int) cpm.Task {
	x := cpm.Task{
		ID: cmp.Or(t.Code, t.ID), Kind: t.Kind, Project: projects[t.ProjectID], Calendar: s.calendars.of(t),
		Duration:  t.Duration,
		Remaining: t.Remaining, ActualStart: t.ActualStart, ActualFinish: t.ActualFinish, Constraints: t.Constraints,
		Deadline: t.Deadline,
		Manual: t.Manual && t.File.Start != 0 &&
			t.File.Finish >= t.File.Start, Start: t.File.Start, Finish: t.File.Finish,
		Inactive: t.Inactive, NeverCritical: t.Placeholder,
	}
	if x.Manual { // which no constraint moves
		x.Constraints = nil
	}
	if s.Plan.Profile() == cpm.MSProject {
		// What is done up to where it stopped, and what remains, lie apart where it is split.
		if t.Suspend != 0 && s.calendars.effective(x.Calendar).Between(t.Suspend, t.Resume) > 0 {
			x.Resume = t.Resume
		}
		x.Split(t.Splits, cpm.MSProject)
		return x
	}
	x.Resume = t.Resume
	x.Split(t.Splits, cpm.P6)
	if len(s.Plan.Projects) == 0 {
		return x
	}
	project := &s.Plan.Projects[projects[t.ProjectID]]
	if !project.IgnoreExpected {
		x.ExpectedFinish = t.ExpectedFinish
	}
	if project.IgnoreExternal {
		return x
	}
	x.Constraints = slices.Clip(x.Constraints)
	if t.ExternalStart != 0 {
		x.Constraints = append(x.Constraints, cpm.Constraint{Type: cpm.StartNoEarlier, Date: t.ExternalStart})
	}
	if t.ExternalFinish != 0 {
		x.Constraints = append(x.Constraints, cpm.Constraint{Type: cpm.FinishNoLater, Date: t.ExternalFinish})
	}
	return x
}

// setOptions takes the options from the first project, because a schedule has one set of
// them, adds each other project to the network, and returns its number there by its id.
func (s *Scheduled) setOptions() (projects map[string]int) {
	s.options.Profile = s.Plan.Profile()
	projects = make(map[string]int)
	for i, p := range s.Plan.Projects {
		x := cpm.Project{
			Calendar: s.calendars.byID[p.CalendarID], Start: p.Start, DataDate: p.DataDate, MustFinish: p.MustFinish,
			Critical: p.Critical,
		}
		if i > 0 {
			projects[p.ID] = s.network.Project(x)
			continue
		}
		o := &s.options
		o.Project, o.Lag, o.Progress, o.Float, o.Together, o.OpenEndsCritical = x, p.Lag, p.Progress, p.Float,
			p.Together, p.OpenEndsCritical
	}
	s.options.Calendar = s.calendars.effective(s.options.Calendar)
	if s.options.Start == 0 {
		s.options.Start = s.earliest()
	}
	s.calendars.start = s.options.Start
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

// xerFloats and p6Floats are what the total float of a level of effort is, by how P6 calls it.
var (
	xerFloats = map[string]cpm.FloatType{
		"FT_FF": cpm.FinishFloat, "FT_SF": cpm.StartFloat, "FT_MIN": cpm.SmallestFloat,
	}
	p6Floats = map[string]cpm.FloatType{
		"Finish Float = Late Finish - Early Finish": cpm.FinishFloat,
		"Start Float = Late Start - Early Start":    cpm.StartFloat,
		"Smallest of Start Float and Finish Float":  cpm.SmallestFloat,
	}
	xerFloatNames = inverse(xerFloats)
	p6FloatNames  = inverse(p6Floats)
	floatTypes    = words("type of total float", cpm.FinishFloat, "from late to early finishes", xerFloats, p6Floats)
)
