package analysis

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// WBSDates are the dates of a WBS task that follow from what is below it. What was planned of the task itself stays in
// its members.
type WBSDates struct {
	Finish   twinplatform.DateTime   `json:"finish"` // the last of what is below it; null where nothing there has dates
	Name     string                  `json:"name"`
	ParentID twinplatform.NullString `json:"parentId"` // the task that it is below; null at the top
	Start    twinplatform.DateTime   `json:"start"`    // the first of what is below it; null as Finish is
	TaskID   string                  `json:"taskId"`
	// UserDefinedID is null where the task has none.
	UserDefinedID twinplatform.NullString `json:"userDefinedId"`
}

// WBSDatesQuery selects the WBS tasks to list.
type WBSDatesQuery struct {
	// ListOptions: Top alone counts.
	twinplatform.ListOptions
	// Skip leaves out so many WBS tasks from the beginning.
	Skip int
	// TaskID lists that WBS task alone, which is there.
	TaskID string
}

// WBSDates lists the WBS tasks of a schedule with the dates of what is below them at any depth, as the plan is now (GET
// …/wbs-dates): from the first start to the last finish, of actual dates where there are any and else of planned ones.
// Inactive tasks do not count. No rescheduling is needed, and none of it is stored. WBS tasks are listed each behind what
// it is below. The list is paged by number: Page.Next is the Skip of the page behind it.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId, of another type than v10) or InvalidValue (top,
// skip, taskId of a task that is no WBS task); ScheduleNotFound; TaskNotFound; LimitExceeded, as of CriticalPath.
func (p Plan) WBSDates(ctx context.Context, q WBSDatesQuery) (page twinplatform.Page[WBSDates], err error) {
	top, err := window(q.Top, q.Skip, "WBS tasks to skip")
	if err != nil {
		return page, err
	}
	var all []WBSDates
	err = p.look(ctx, model.ScheduleMissing, func(l model.Look) error {
		cal, err := l.Clock()
		if err == nil {
			err = hasWBS(l.Plan(), q.TaskID)
		}
		if err == nil {
			all = wbsDates(l.Plan(), cal, q.TaskID)
		}
		return err
	})
	if err != nil {
		return page, err
	}
	return numbered(all, top, q.Skip)
}

// hasWBS fails for the id of what is no WBS task of a plan.
func hasWBS(p *dated.Plan, id string) error {
	if id == "" {
		return nil
	}
	at := slices.IndexFunc(p.Tasks, func(t dated.Task) bool { return t.ID == id })
	switch {
	case at < 0:
		return model.NoneOf("TaskNotFound", "taskId", "task", id).Err()
	case p.Tasks[at].Kind != cpm.Summary:
		return model.Invalid(problem.BadValue("taskId", "The task '%.100s' is no WBS task: nothing is below it.", id))
	}
	return nil
}

// wbsDates are those of all WBS tasks of a plan, or of the one with an id.
func wbsDates(p *dated.Plan, cal model.Clock, only string) (all []WBSDates) {
	below := p.Below()
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if t.Kind != cpm.Summary || only != "" && t.ID != only {
			continue
		}
		x := WBSDates{
			TaskID: t.ID, Name: t.Name, UserDefinedID: twinplatform.NullString(t.Code),
			Start: cal.Global(below[i].Start), Finish: cal.Global(below[i].Finish),
		}
		if t.Parent >= 0 {
			x.ParentID = twinplatform.NullString(p.Tasks[t.Parent].ID)
		}
		all = append(all, x)
	}
	return all
}
