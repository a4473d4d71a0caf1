// Package dated holds plans with their dates, for packages that read them: package gantt
// draws a plan, package compare compares two, package quality judges one. A plan may come
// from a planner's file, from a stored schedule, or from anywhere else.
//
//	plan := &dated.Plan{Name: "Bridge", Projects: []dated.Project{{Calendar: office}}}
//	plan.Tasks = append(plan.Tasks, dated.Task{ID: "dig", Parent: dated.None, Dates: cpm.Dates{Start: start, Finish: finish}})
//
// Times are local ones without a zone, durations and floats are seconds of working time:
// see package worktime.
package dated

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// None is the place of no task.
const None = -1

// Plan is tasks with dates, and the links between them.
type Plan struct {
	Name string
	// Projects are what tasks have in common. A plan without any has one without data
	// date, in which work never stops.
	Projects []Project
	Tasks    []Task // each behind what it is below
	Links    []Link
	// Resources are what tasks use, and Assignments which task uses how much of which.
	Resources   []Resource
	Assignments []Assignment
	// PrivateIDs reports that a store or a file made the ids, so that no one calls a task
	// by its id: a task without a code has no label.
	PrivateIDs bool
	// Network and Options are what the dates were found by, nil where they were not found
	// so. Its tasks have the numbers in Task.Node.
	Network *cpm.Network
	Options cpm.Options
}

// Project is what tasks have in common.
type Project struct {
	ID, Code, Name string
	// Calendar applies to tasks that name none. Without one, work never stops.
	Calendar *worktime.Calendar
	// Start is when the project begins, DataDate until when it is known what was done,
	// MustFinish when it is to have ended. Each is zero where it is not known.
	Start, DataDate, MustFinish worktime.Time
}

// Task is one of a plan.
type Task struct {
	ID string
	// Key is by what the task is known in other plans; the ID where it is empty. Template is
	// what it was copied from, which its copies have too; empty where that is not known.
	Key, Template string
	// Code and Name are for people.
	Code, Name string
	// Parent is the place of the task that this one is below, None at the top.
	Parent int
	// Project is the place of the task's project.
	Project int
	// Node is the number of the task in the network.
	Node int
	Kind cpm.Kind
	// Calendar measures the durations and the float. A task without one uses the calendar
	// of its project.
	Calendar *worktime.Calendar
	// Duration is all of the working time, Remaining what of it is still to be done.
	// Both are in seconds; a task that has ended has nothing remaining.
	Duration, Remaining int64
	// Dates are when the task is to be done, or was; all zero where it has none.
	cpm.Dates
	ActualStart, ActualFinish worktime.Time
	// Suspend is when work on a task that has begun was interrupted, Resume when it
	// continues.
	Suspend, Resume worktime.Time
	// Splits are where work on it pauses by plan.
	Splits      []cpm.Split
	Constraints []cpm.Constraint
	Deadline    worktime.Time
	Inactive    bool
	// Unplaced reports that its place among the tasks that are below the same one means
	// nothing: they were not put into an order.
	Unplaced bool
	// Resources is how many resources are assigned.
	Resources int
	// Baseline is where the task once was planned.
	Baseline Span
}

// Span is from when until when something takes.
type Span struct {
	Start, Finish worktime.Time // zero where there is none
	Duration      int64         // working time in seconds
}

// Resource is what tasks use.
type Resource struct {
	ID string
	// Code and Name are for people.
	Code, Name string
	// Unit is in what units of it are counted, such as "hours"; empty where that is not known.
	Unit string
	// Renewable resources are free again after a task; of others a task leaves less.
	Renewable bool
	// Limit is how many of a renewable one there are at any one time, and how much of
	// another there is in all; nil where that is not known.
	Limit *float64
}

// Assignment records that a task uses a resource.
type Assignment struct {
	// Task and Resource are places in the plan.
	Task, Resource int
	// AtOnce is how many of the resource work at a time, Units what the whole task takes,
	// Actual what it has taken and Remaining what it is still to take.
	AtOnce, Units, Actual, Remaining float64
}

// Link is one of a plan.
type Link struct {
	ID string
	// Predecessor and Successor are the places of two tasks.
	Predecessor, Successor int
	Type                   cpm.LinkType
	// Lag is in seconds of working time, of time where it is Elapsed, or a share of the
	// predecessor's duration in percent.
	Lag              int64
	Percent, Elapsed bool
	cpm.LinkDates
}

// CalendarOf is the calendar of the task at a place.
func (p *Plan) CalendarOf(task int) *worktime.Calendar {
	t := &p.Tasks[task]
	return cmp.Or(t.Calendar, p.ProjectOf(task).Calendar, worktime.Continuous)
}

// ProjectOf is the project of the task at a place.
func (p *Plan) ProjectOf(task int) Project {
	if i := p.Tasks[task].Project; i >= 0 && i < len(p.Projects) {
		return p.Projects[i]
	}
	return Project{}
}

// Label is how people call the task at a place: by its code, or by its id unless that is
// private.
func (p *Plan) Label(task int) string {
	if p.PrivateIDs {
		return p.Tasks[task].Code
	}
	return p.Tasks[task].Label()
}

// Label is how people call the task: by its code, or by its id.
func (t *Task) Label() string { return cmp.Or(t.Code, t.ID) }

// Milestone reports whether the task has no duration by its kind.
func (t *Task) Milestone() bool { return t.Kind == cpm.StartMilestone || t.Kind == cpm.FinishMilestone }

// Hammock reports whether the task spans what it is linked to.
func (t *Task) Hammock() bool { return t.Kind == cpm.LongHammock || t.Kind == cpm.ShortHammock }

// Ended reports whether the task is done.
func (t *Task) Ended() bool { return t.ActualFinish != 0 }

// Only is the plan of one project, with the links between its tasks. The ends of what is
// left out are not reported.
func (p *Plan) Only(project int) *Plan {
	only := p.With(func(i int) bool { return p.Tasks[i].Project == project })
	only.Name = p.Projects[project].Name
	return only
}

// With is the plan with the tasks at some places alone, and the links between them. What a task is
// below is there where it is.
func (p *Plan) With(has func(task int) bool) *Plan {
	only := *p
	only.Tasks, only.Links, only.Assignments = nil, nil, nil
	places := make([]int, len(p.Tasks))
	for i := range p.Tasks {
		t := p.Tasks[i]
		if places[i] = None; !has(i) {
			continue
		}
		if t.Parent != None {
			t.Parent = places[t.Parent]
		}
		places[i] = len(only.Tasks)
		only.Tasks = append(only.Tasks, t)
	}
	for _, l := range p.Links {
		if l.Predecessor, l.Successor = places[l.Predecessor], places[l.Successor]; l.Predecessor != None &&
			l.Successor != None {
			only.Links = append(only.Links, l)
		}
	}
	for _, a := range p.Assignments {
		if a.Task = places[a.Task]; a.Task != None {
			only.Assignments = append(only.Assignments, a)
		}
	}
	return &only
}

// shownProjects is how many projects a heading names.
const shownProjects = 3

// ProjectNames are the names of the projects: of many the first three, and how many more
// there are.
func (p *Plan) ProjectNames() string {
	var names []string
	for i := range p.Projects {
		if i == shownProjects {
			more := len(p.Projects) - i
			names[i-1] += fmt.Sprintf(" and %d more", more)
			break
		}
		names = append(names, cmp.Or(p.Projects[i].Name, p.Projects[i].Code, p.Projects[i].ID))
	}
	return strings.Join(names, ", ")
}
