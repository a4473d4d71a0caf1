package schedules

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// PathLink is a link of a path, with its tasks as scheduling finds them.
type PathLink struct {
	// Float is by how much the predecessor can slip before the link moves the
	// successor, in seconds of working time: 0 where it drives.
	Float         int64        `json:"float"`
	Lag           int32        `json:"lag"` // in seconds of working time
	PredecessorID string       `json:"predecessorId"`
	SuccessorID   string       `json:"successorId"`
	TaskLinkID    string       `json:"taskLinkId"`
	Type          TaskLinkType `json:"type"`
}

// PathTask is a task of a path, as scheduling finds it.
type PathTask struct {
	// in seconds of working time; null where it has none
	DownstreamTotalFloat *int64                `json:"downstreamTotalFloat"`
	EarlyFinish          twinplatform.DateTime `json:"earlyFinish"`
	EarlyStart           twinplatform.DateTime `json:"earlyStart"`
	Name                 string                `json:"name"`
	TaskID               string                `json:"taskId"`
}

// Path is tasks and the links between them that say why they are where they are.
type Path struct {
	// Links are in the order of their tasks; MaxTop at most.
	Links []PathLink `json:"links"`
	// Tasks are in the order in which they begin, MaxTop at most; those above others are
	// left out.
	Tasks []PathTask `json:"tasks"`
}

// CriticalPath returns the critical tasks of a schedule as its plan is now (GET
// …/tasks/critical-path), and the links between them that drive. What is critical says
// CriticalPathType of the ProjectScheduling.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId, of another type than
// v10) or MissingRequiredProperty (startDate); ScheduleNotFound; CircularDependency;
// LimitExceeded, where calendars from before MaxCalendarRuns are larger than that.
func (p Plan) CriticalPath(ctx context.Context) (path Path, err error) {
	err = p.s.planned(ctx, p.id, func(_ *records.View, n *network) error {
		f, err := n.dates(ctx)
		if err != nil {
			return err
		}
		path = n.criticalPath(f)
		return nil
	})
	return path, err
}

func (n *network) criticalPath(f *solution) Path {
	critical := make(map[int]bool)
	for number := range n.tasks {
		if d := f.Dates(number); !n.tasks[number].isWBS() && d.Start != 0 && n.critical(number, &d) {
			critical[number] = true
		}
	}
	var links []int
	for number, l := range n.links {
		if critical[int(l.predecessor)] && critical[int(l.successor)] && f.Link(number).Driving {
			links = append(links, number)
		}
	}
	return n.path(f, critical, links)
}

// DrivingPath returns why a task of a schedule is where it is (GET
// …/tasks/{taskId}/driving-path): the links that lead to it and drive it, from the first
// task on, as the plan is now. It has no links where nothing drives the task.
//
// Errors: as CriticalPath, and TaskNotFound.
func (p Plan) DrivingPath(ctx context.Context, taskID string) (path Path, err error) {
	err = p.s.planned(ctx, p.id, func(_ *records.View, n *network) error {
		at, ok := n.find(taskID)
		if !ok {
			return taskMissing.Err()
		}
		f, err := n.dates(ctx)
		if err != nil {
			return err
		}
		links := f.DrivingPath(at)
		tasks := map[int]bool{at: true}
		for _, number := range links {
			l := &n.links[number]
			tasks[int(l.predecessor)], tasks[int(l.successor)] = true, true
		}
		path = n.path(f, tasks, links)
		return nil
	})
	return path, err
}

// path returns tasks and links by their numbers.
func (n *network) path(f *solution, tasks map[int]bool, links []int) Path {
	p := Path{Tasks: []PathTask{}, Links: []PathLink{}}
	dates := make(map[int]cpm.Dates, len(tasks))
	order := make([]int, 0, len(tasks))
	for number := range tasks {
		order, dates[number] = append(order, number), f.Dates(number)
	}
	before := func(a, b int) int {
		return cmp.Or(cmp.Compare(dates[a].Start, dates[b].Start), cmp.Compare(dates[a].Finish, dates[b].Finish),
			cmp.Compare(a, b))
	}
	slices.SortFunc(order, before)
	for _, number := range order[:min(len(order), MaxTop)] {
		d, t := dates[number], &n.tasks[number]
		task := PathTask{
			TaskID: t.taskID(), Name: t.taskName(), EarlyStart: n.calendars.global(d.EarlyStart),
			EarlyFinish: n.calendars.global(d.EarlyFinish),
		}
		if d.HasFloat {
			task.DownstreamTotalFloat = &d.TotalFloat
		}
		p.Tasks = append(p.Tasks, task)
	}
	slices.SortStableFunc(links, func(a, b int) int {
		x, y := &n.links[a], &n.links[b]
		return cmp.Or(before(int(x.successor), int(y.successor)), before(int(x.predecessor), int(y.predecessor)))
	})
	for _, number := range links[:min(len(links), MaxTop)] {
		l := &n.links[number]
		p.Links = append(p.Links, PathLink{
			TaskLinkID: l.id, PredecessorID: n.tasks[l.predecessor].taskID(),
			SuccessorID: n.tasks[l.successor].taskID(),
			Type:        l.linkType(), Lag: l.lag, Float: f.Link(number).Float,
		})
	}
	return p
}

// analysis is what was found of a task.
func (n *network) analysis(f *solution, number int) SchedulingAnalysis {
	d, global := f.Dates(number), n.calendars.global
	a := SchedulingAnalysis{
		TaskID: n.tasks[number].taskID(), IsCritical: n.critical(number, &d), IsOnLongestPath: d.Longest,
		EarlyStart: global(d.EarlyStart), EarlyFinish: global(d.EarlyFinish), LateStart: global(d.LateStart),
		LateFinish: global(d.LateFinish),
	}
	if d.HasFloat {
		a.DownstreamTotalFloat, a.DownstreamFreeFloat = &d.TotalFloat, &d.FreeFloat
	}
	return a
}

// critical reports whether a task is that has such dates.
func (n *network) critical(number int, d *cpm.Dates) bool {
	if n.calendars.setIn(n.names.at(n.tasks[number].project)).CriticalPathType == CriticalLongest {
		return d.Longest
	}
	return d.Critical
}
