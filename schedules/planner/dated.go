package planner

import (
	"cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// Dated is the plan with the dates that were found, as those want it who look at plans:
// tasks and links have the places that they have in the plan.
func (s *Scheduled) Dated() *dated.Plan {
	p := s.Plan
	d := &dated.Plan{Network: s.network, Options: s.options}
	project := make(map[string]int, len(p.Projects))
	for i, x := range p.Projects {
		project[x.ID] = i
		d.Projects = append(d.Projects, dated.Project{
			ID: x.ID, Name: cmp.Or(x.Name, x.Code), Calendar: cmp.Or(s.calendars.byID[x.CalendarID], s.options.Calendar),
			Start: x.Start, DataDate: x.DataDate, MustFinish: x.MustFinish,
		})
		if i == 0 {
			d.Name = cmp.Or(x.Name, x.Code)
		}
	}
	place := make(map[string]int, len(p.Tasks))
	d.Tasks = make([]dated.Task, 0, len(p.Tasks))
	for i := range p.Tasks {
		t := &p.Tasks[i]
		place[t.ID] = i
		task := dated.Task{
			ID: t.ID, Key: t.ExternalID, Code: t.Code, Name: t.Name, Parent: dated.None, Project: project[t.ProjectID], Node: i, Kind: t.Kind,
			Calendar: s.network.Task(i).Calendar, Dates: s.Dates(i), ActualStart: t.ActualStart, ActualFinish: t.ActualFinish,
			Constraints: t.Constraints, Deadline: t.Deadline, Inactive: t.Inactive,
		}
		if t.ParentID != "" {
			task.Parent = place[t.ParentID]
		}
		if x := project[t.ProjectID]; x < len(p.Projects) && p.Projects[x].LongestPath {
			task.Critical = task.Longest
		}
		d.Tasks = append(d.Tasks, task)
		s.measure(d, t)
	}
	for _, a := range p.Assignments {
		d.Tasks[place[a.TaskID]].Resources++
	}
	for i, l := range p.Links {
		d.Links = append(d.Links, dated.Link{
			ID: l.ID, Predecessor: place[l.PredecessorID], Successor: place[l.SuccessorID], Type: l.Type, Lag: l.Lag,
			Percent: l.Percent, Elapsed: l.Elapsed, LinkDates: s.Link(i),
		})
	}
	return d
}

// measure tells how long the last task takes, and what of it remains: of what spans
// others that is the working time from its start to its finish. A task of P6 that has
// begun takes what it took until its remaining work, and that.
func (s *Scheduled) measure(d *dated.Plan, t *Task) {
	at := len(d.Tasks) - 1
	task, c := &d.Tasks[at], d.CalendarOf(at)
	switch {
	case task.Milestone():
		return
	case t.Kind != cpm.Work || task.Ended() || t.Manual:
		task.Duration = max(c.Between(task.Start, task.Finish), 0)
	case task.ActualStart != 0 && s.options.Profile == cpm.P6:
		task.Duration = t.Remaining + max(c.Between(task.ActualStart, task.EarlyStart), 0)
	default:
		task.Duration = t.Duration
	}
	switch {
	case task.Ended():
	case task.ActualStart != 0:
		task.Remaining = t.Remaining
	default:
		task.Remaining = task.Duration
	}
}
