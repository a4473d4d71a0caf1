package planner

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Dated is the plan with the dates that were found, as those want it who look at plans:
// tasks and links have the places that they have in the plan, and tasks the baseline
// with which the tool compares.
func (s *Scheduled) Dated() *dated.Plan {
	p := s.Plan
	d := &dated.Plan{Network: s.network, Options: s.options, PrivateIDs: true}
	project := make(map[string]int, len(p.Projects))
	for i, x := range p.Projects {
		project[x.ID] = i
		d.Projects = append(d.Projects, dated.Project{
			ID: x.ID, Code: x.Code, Name: cmp.Or(x.Name, x.Code), Calendar: cmp.Or(s.calendars.byID[x.CalendarID],
				s.options.Calendar),
			Start: x.Start, DataDate: x.DataDate, MustFinish: x.MustFinish,
		})
	}
	d.Name = d.ProjectNames()
	place := make(map[string]int, len(p.Tasks))
	d.Tasks = make([]dated.Task, 0, len(p.Tasks))
	for i := range p.Tasks {
		t := &p.Tasks[i]
		place[t.ID] = i
		task := dated.Task{
			ID: t.ID, Key: t.ExternalID, Template: t.TemplateID, Code: t.Code, Name: t.Name, Parent: dated.None,
			Project: project[t.ProjectID], Node: i, Kind: t.Kind,
			Calendar: s.network.Task(i).Calendar, Dates: s.Dates(i), ActualStart: t.ActualStart,
			ActualFinish: t.ActualFinish,
			Suspend:      t.Suspend, Resume: t.Resume, Splits: t.Splits, Constraints: t.Constraints,
			Deadline: t.Deadline, Inactive: t.Inactive,
		}
		// A plan lists each task behind what it is below, so the place of the parent is
		// known here.
		if t.ParentID != "" {
			task.Parent = place[t.ParentID]
		}
		// P6 lets a project choose what makes its tasks critical: the longest path, or a
		// limit of total float, by which Dates counts.
		if x := project[t.ProjectID]; x < len(p.Projects) && p.Projects[x].LongestPath {
			task.Critical = task.Longest
		}
		d.Tasks = append(d.Tasks, task)
		d.Measure(i, dated.Work{Duration: t.Duration, Remaining: t.Remaining, Spans: t.Kind != cpm.Work || t.Manual})
	}
	s.assign(d, place)
	for i, l := range p.Links {
		d.Links = append(d.Links, dated.Link{
			ID: l.ID, Predecessor: place[l.PredecessorID], Successor: place[l.SuccessorID], Type: l.Type, Lag: l.Lag,
			Percent: l.Percent, Elapsed: l.Elapsed, LinkDates: s.Link(i),
		})
	}
	for i := range p.Baselines {
		if p.Baselines[i].Current {
			s.setBaseline(d, &p.Baselines[i], place)
		}
	}
	return d
}

// assign sets which tasks use how much of which resources.
func (s *Scheduled) assign(d *dated.Plan, place map[string]int) {
	resources := make(map[string]int, len(s.Plan.Resources))
	for i := range s.Plan.Resources {
		r := &s.Plan.Resources[i]
		resources[r.ID] = i
		// People and equipment are there again the next hour; material is used up.
		x := dated.Resource{ID: r.ID, Code: r.Code, Name: r.Name, Renewable: r.Type != Material, Unit: "hours"}
		if !x.Renewable {
			x.Unit = r.Unit
		}
		if at := slices.IndexFunc(r.Rates, func(rate Rate) bool { return rate.Table == 0 }); x.Renewable && at >= 0 &&
			r.Rates[at].MaxUnits > 0 {
			x.Limit = new(r.Rates[at].MaxUnits)
		}
		d.Resources = append(d.Resources, x)
	}
	for _, a := range s.Plan.Assignments {
		task := place[a.TaskID]
		d.Tasks[task].Resources++
		if resource, ok := resources[a.ResourceID]; ok {
			d.Assignments = append(d.Assignments, dated.Assignment{
				Task: task, Resource: resource, AtOnce: a.UnitsPerTime, Units: a.Units, Actual: a.ActualUnits,
				Remaining: a.RemainingUnits,
			})
		}
	}
}

// setBaseline sets where a baseline has the tasks.
func (s *Scheduled) setBaseline(d *dated.Plan, b *Baseline, place map[string]int) {
	for i := range b.Tasks {
		t := &b.Tasks[i]
		if at, ok := place[t.TaskID]; ok {
			d.Tasks[at].Baseline = dated.Span{Start: t.Start, Finish: t.Finish, Duration: s.took(d.CalendarOf(at), t)}
		}
	}
}

// took is how long a task of a baseline takes. P6 keeps what was planned of one that had
// begun when the baseline was made, and the dates that it had then: it takes the time
// between these.
func (s *Scheduled) took(c *worktime.Calendar, t *BaselineTask) int64 {
	if s.options.Profile == cpm.P6 && t.Start != 0 {
		return max(c.Between(t.Start, t.Finish), 0)
	}
	return t.Duration
}

// DatedBaseline is a baseline of the plan as a separate plan, in which tasks have the keys that
// they have in the plan. What is above tasks spans them there, too. Where the tool keeps no links
// in baselines, as Microsoft Project does, those of the plan are used.
func (s *Scheduled) DatedBaseline(b *Baseline) *dated.Plan {
	p := s.Plan
	d := &dated.Plan{
		Name:     cmp.Or(b.Name, b.Code),
		Projects: []dated.Project{{ID: b.ID, Name: cmp.Or(b.Name, b.Code), DataDate: b.DataDate}},
	}
	own, in := index(p.Tasks, func(t *Task) string { return t.ID }), make(map[string]int, len(b.Tasks))
	spans, projects := make([]dated.Span, len(p.Tasks)), make(map[string]string)
	for i := range p.Projects {
		projects[p.Projects[i].ID] = p.Projects[i].CalendarID
	}
	for i := range b.Tasks {
		t := &b.Tasks[i]
		task := dated.Task{
			ID: t.ID, Key: t.ExternalID, Code: t.Code, Name: t.Name, Parent: dated.None, Duration: t.Duration,
			Remaining: t.Duration,
			Dates:     cpm.Dates{Start: t.Start, Finish: t.Finish},
		}
		if t.TotalFloat != nil {
			task.HasFloat, task.TotalFloat, task.Critical = true, *t.TotalFloat, *t.TotalFloat <= 0
		}
		if at, ok := own[t.TaskID]; ok {
			task.ID, task.Key, task.Kind = t.TaskID, p.Tasks[at].ExternalID, p.Tasks[at].Kind
			task.Duration = s.took(s.calendarOf(at, projects), t)
			task.Remaining = task.Duration
			spans[at] = dated.Span{Start: t.Start, Finish: t.Finish}
		}
		in[cmp.Or(t.TaskID, t.ID)], in[t.ID] = i, i
		d.Tasks = append(d.Tasks, task)
	}
	s.spanSummaries(d, own, in, spans, projects)
	links := b.Links
	if p.Format == MSPDI {
		links = p.Links
	}
	for _, l := range links {
		from, ok := in[l.PredecessorID]
		to, both := in[l.SuccessorID]
		if ok && both {
			d.Links = append(
				d.Links,
				dated.Link{
					ID: l.ID, Predecessor: from, Successor: to, Type: l.Type, Lag: l.Lag, Percent: l.Percent,
					Elapsed: l.Elapsed,
				},
			)
		}
	}
	return d
}

// calendarOf is the calendar of a task, by the calendars of projects.
func (s *Scheduled) calendarOf(task int, projects map[string]string) *worktime.Calendar {
	return cmp.Or(
		s.network.Task(task).Calendar, s.calendars.byID[projects[s.Plan.Tasks[task].ProjectID]], s.options.Calendar,
	)
}

// spanSummaries adds what is above the tasks of a baseline and not in it itself.
func (s *Scheduled) spanSummaries(
	d *dated.Plan, own, in map[string]int, spans []dated.Span, projects map[string]string,
) {
	p := s.Plan
	for i := len(p.Tasks) - 1; i >= 0; i-- {
		t, span := &p.Tasks[i], &spans[i]
		if span.Start == 0 {
			continue
		}
		if _, ok := in[t.ID]; !ok {
			d.Tasks = append(d.Tasks, dated.Task{
				ID: t.ID, Key: t.ExternalID, Code: t.Code, Name: t.Name, Kind: t.Kind, Parent: dated.None,
				Duration: s.calendarOf(i, projects).Between(span.Start, span.Finish),
				Dates:    cpm.Dates{Start: span.Start, Finish: span.Finish},
			})
		}
		if at, ok := own[t.ParentID]; ok {
			above := &spans[at]
			if above.Start == 0 || span.Start < above.Start {
				above.Start = span.Start
			}
			above.Finish = max(above.Finish, span.Finish)
		}
	}
}
