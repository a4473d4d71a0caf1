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

// PathTask is a task of a path, as scheduling finds it, with where it was done or is planned and what holds it there.
// Variances are in seconds of its working time, above zero where it is later than in the baseline that was asked for;
// they and its dates there are null where it has none or no baseline was asked for.
type PathTask struct {
	ActualFinish        twinplatform.DateTime    `json:"actualFinish"` // null while it is not done
	ActualStart         twinplatform.DateTime    `json:"actualStart"`  // null while it has not begun
	BaselineFinish      twinplatform.DateTime    `json:"baselineFinish"`
	BaselineStart       twinplatform.DateTime    `json:"baselineStart"`
	CalendarID          twinplatform.NullString  `json:"calendarId"` // null for that of the schedule
	ConstraintEarlyDate twinplatform.DateTime    `json:"constraintEarlyDate"`
	ConstraintLateDate  twinplatform.DateTime    `json:"constraintLateDate"`
	ConstraintType      schedules.ConstraintType `json:"constraintType"`
	// in seconds of working time; null where it has none
	DownstreamTotalFloat *int64                  `json:"downstreamTotalFloat"`
	EarlyFinish          twinplatform.DateTime   `json:"earlyFinish"`
	EarlyStart           twinplatform.DateTime   `json:"earlyStart"`
	FinishVariance       *int64                  `json:"finishVariance"`
	Name                 string                  `json:"name"`
	PlannedFinish        twinplatform.DateTime   `json:"plannedFinish"`
	PlannedStart         twinplatform.DateTime   `json:"plannedStart"`
	StartVariance        *int64                  `json:"startVariance"`
	Status               schedules.TaskStatus    `json:"status"`
	TaskID               string                  `json:"taskId"`
	UserDefinedID        twinplatform.NullString `json:"userDefinedId"`
}

// set gives a task of a path what is known of it by its plan.
func (t *PathTask) set(of *schedules.Task) {
	t.Status, t.UserDefinedID, t.CalendarID = of.Status, twinplatform.NullString(of.UserDefinedID), of.CalendarID
	t.ActualStart, t.ActualFinish = of.ActualStart, of.ActualFinish
	t.PlannedStart, t.PlannedFinish = of.PlannedStart, of.PlannedFinish
	t.ConstraintType, t.ConstraintEarlyDate, t.ConstraintLateDate = of.ConstraintType, of.ConstraintEarlyDate,
		of.ConstraintLateDate
}

// DrivingPathQuery selects what a path is compared with.
type DrivingPathQuery struct {
	BaselineID string // a baseline; empty is none
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
// With a baseline, each task has its dates there, and by how much it is later: by when it was done, else by when it is
// planned.
//
// Errors: as CriticalPath, and TaskNotFound, BaselineNotFound.
func (p Plan) DrivingPath(ctx context.Context, taskID string, q DrivingPathQuery) (path Path, err error) {
	err = p.plans.Planned(ctx, p.id, func(v *records.View, n *rescheduling.Network) error {
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
		return path.against(v, n, q.BaselineID)
	})
	return path, err
}

// against compares the tasks of a path with a baseline, if there is an id of one.
func (p *Path) against(v *records.View, n *rescheduling.Network, baselineID string) error {
	if baselineID == "" {
		return nil
	}
	ids := make([]string, len(p.Tasks))
	for i := range p.Tasks {
		ids[i] = p.Tasks[i].TaskID
	}
	rows, err := rescheduling.BaselineRows(v, n.Scope, baselineID, ids)
	if err != nil {
		return err
	}
	for i := range p.Tasks {
		t := &p.Tasks[i]
		row, number, ok := rows[t.TaskID], 0, false
		if number, ok = n.Find(t.TaskID); row == nil || !ok {
			continue
		}
		var filled rescheduling.Filled
		c := n.Calendars.OfTask(n.Fill(&filled, number))
		later := func(was, is twinplatform.DateTime) *int64 {
			if was.IsZero() || is.IsZero() {
				return nil
			}
			return new(c.Between(n.Calendars.Local(was), n.Calendars.Local(is)))
		}
		t.BaselineStart, t.BaselineFinish = row.StartDate, row.FinishDate
		t.StartVariance = later(t.BaselineStart, cmp.Or(t.ActualStart, t.PlannedStart))
		finish := t.PlannedFinish
		if t.Status == schedules.Started {
			finish = t.EarlyFinish // to which what remains leads
		}
		t.FinishVariance = later(t.BaselineFinish, cmp.Or(t.ActualFinish, finish))
	}
	return nil
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
		var filled rescheduling.Filled
		task := PathTask{
			TaskID: t.TaskID(), Name: t.TaskName(), EarlyStart: n.Calendars.Global(d.EarlyStart),
			EarlyFinish: n.Calendars.Global(d.EarlyFinish),
		}
		task.set(n.Fill(&filled, number))
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
