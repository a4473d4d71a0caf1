package scheduling

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
)

// PathLink is a link of a path, with its tasks as scheduling finds them.
type PathLink struct {
	// Float is by how much the predecessor can slip before the link moves the
	// successor, in seconds of working time: 0 where it drives.
	Float         int64                  `json:"float"`
	Lag           int32                  `json:"lag"` // in seconds of working time
	PredecessorID string                 `json:"predecessorId"`
	SuccessorID   string                 `json:"successorId"`
	TaskLinkID    string                 `json:"taskLinkId"`
	Type          schedules.TaskLinkType `json:"type"`
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
	err = p.plans.Planned(ctx, p.id, func(_ *records.View, n *rescheduling.Network) error {
		f, err := n.Dates(ctx)
		if err != nil {
			return err
		}
		path = criticalPath(n, f)
		return nil
	})
	return path, err
}

func criticalPath(n *rescheduling.Network, f *rescheduling.Solution) Path {
	critical := make(map[int]bool)
	for number := range n.Tasks {
		if d := f.Dates(number); !n.Tasks[number].IsWBS() && d.Start != 0 && n.Critical(number, &d) {
			critical[number] = true
		}
	}
	var links []int
	for number, l := range n.Links {
		if critical[int(l.Predecessor)] && critical[int(l.Successor)] && f.Link(number).Driving {
			links = append(links, number)
		}
	}
	return pathOf(n, f, critical, links)
}

// DrivingPath returns why a task of a schedule is where it is (GET
// …/tasks/{taskId}/driving-path): the links that lead to it and drive it, from the first
// task on, as the plan is now. It has no links where nothing drives the task.
//
// Errors: as CriticalPath, and TaskNotFound.
func (p Plan) DrivingPath(ctx context.Context, taskID string) (path Path, err error) {
	err = p.plans.Planned(ctx, p.id, func(_ *records.View, n *rescheduling.Network) error {
		at, ok := n.Find(taskID)
		if !ok {
			return model.Tasks.Missing.Err()
		}
		f, err := n.Dates(ctx)
		if err != nil {
			return err
		}
		links := f.DrivingPath(at)
		tasks := map[int]bool{at: true}
		for _, number := range links {
			l := &n.Links[number]
			tasks[int(l.Predecessor)], tasks[int(l.Successor)] = true, true
		}
		path = pathOf(n, f, tasks, links)
		return nil
	})
	return path, err
}

// pathOf returns tasks and links by their numbers.
func pathOf(n *rescheduling.Network, f *rescheduling.Solution, tasks map[int]bool, links []int) Path {
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
	for _, number := range order[:min(len(order), schedules.MaxTop)] {
		d, t := dates[number], &n.Tasks[number]
		task := PathTask{
			TaskID: t.TaskID(), Name: t.TaskName(), EarlyStart: n.Calendars.Global(d.EarlyStart),
			EarlyFinish: n.Calendars.Global(d.EarlyFinish),
		}
		if d.HasFloat {
			task.DownstreamTotalFloat = &d.TotalFloat
		}
		p.Tasks = append(p.Tasks, task)
	}
	slices.SortStableFunc(links, func(a, b int) int {
		x, y := &n.Links[a], &n.Links[b]
		return cmp.Or(before(int(x.Successor), int(y.Successor)), before(int(x.Predecessor), int(y.Predecessor)))
	})
	for _, number := range links[:min(len(links), schedules.MaxTop)] {
		l := &n.Links[number]
		p.Links = append(p.Links, PathLink{
			TaskLinkID: l.ID, PredecessorID: n.Tasks[l.Predecessor].TaskID(),
			SuccessorID: n.Tasks[l.Successor].TaskID(),
			Type:        l.LinkType(), Lag: l.Lag, Float: f.Link(number).Float,
		})
	}
	return p
}
