package schedules

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// TaskLinkType says which ends of two tasks a link ties together.
type TaskLinkType string

// The task link types.
const (
	FinishToStart       TaskLinkType = "FinishToStart"
	StartToFinish       TaskLinkType = "StartToFinish"
	StartToStart        TaskLinkType = "StartToStart"
	FinishToFinish      TaskLinkType = "FinishToFinish"
	UnknownTaskLinkType TaskLinkType = "Unknown"
)

var taskLinkTypes = []TaskLinkType{FinishToStart, StartToFinish, StartToStart, FinishToFinish, UnknownTaskLinkType}

// TaskLink is a dependency between two tasks.
type TaskLink struct {
	// CalendarID is the calendar of the lag; that of the predecessor where it is null.
	CalendarID twinplatform.NullString `json:"calendarId"`
	CreatedOn  twinplatform.DateTime   `json:"createdOn"` // set by the platform
	Deleted    bool                    `json:"deleted"`   // true in deltas alone
	ID         string                  `json:"id"`        // unique in the schedule; never changes
	// Lag is the minimum time between the tied ends, in seconds; a lead is
	// negative.
	Lag           int32        `json:"lag"`
	PredecessorID string       `json:"predecessorId"` // the task that the link begins at
	SuccessorID   string       `json:"successorId"`   // the task that the link holds
	Type          TaskLinkType `json:"type"`          // Unknown holds as FinishToStart
}

var taskLinkRecords = records.Collection[TaskLink]{
	Name:        "task-links",
	ID:          func(l *TaskLink) string { return l.ID },
	MarkDeleted: func(l *TaskLink) { l.Deleted = true },
	Indexes: []records.Index[TaskLink]{
		{Name: "predecessor", Value: func(l *TaskLink) string { return l.PredecessorID }},
		{Name: "successor", Value: func(l *TaskLink) string { return l.SuccessorID }},
		{Name: ofCalendar, Value: func(l *TaskLink) string { return string(l.CalendarID) }},
	},
}

var taskLinkMissing = problem.NotFound("TaskLinkNotFound", "taskLinkId", "task link")

var taskLinkKind = entity.Kind[TaskLink, NewTaskLink, TaskLinkPatch]{
	Records: &taskLinkRecords, One: "taskLink", Many: "taskLinks", Batches: true, Noun: "task link",
	Missing: taskLinkMissing, Bad: &InvalidRequest,
	Members: func(l *TaskLink, n *NewTaskLink, p *TaskLinkPatch) []entity.Member {
		return []entity.Member{
			entity.ID(&l.ID, &n.ID, nil),
			entity.Text("predecessorId", &l.PredecessorID, &n.PredecessorID, &p.PredecessorID).Max(MaxText).Required(),
			entity.Text("successorId", &l.SuccessorID, &n.SuccessorID, &p.SuccessorID).Max(MaxText).Required(),
			entity.Enum("type", &l.Type, &n.Type, &p.Type, taskLinkTypes).Required(),
			entity.Value("lag", &l.Lag, &n.Lag, &p.Lag),
			entity.Text("calendarId", &l.CalendarID, &n.CalendarID, &p.CalendarID),
			entity.Fixed("createdOn", &n.CreatedOn, nil),
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
		}
	},
	AfterUpdate: func(l, _ *TaskLink, p *TaskLinkPatch, c *problem.Checks) {
		model.AsIsDate(c, "createdOn", p.CreatedOn, l.CreatedOn)
	},
}

// taskLinkFamily are task links with the calls that there are to them.
type taskLinkFamily struct {
	*model.Family[TaskLink, NewTaskLink, TaskLinkPatch]
	update model.Change[[]TaskLinkPatch, TaskLink]
	delete model.Change[[]string, TaskLink]
}

// taskLinksOf defines the changes to task links: a whole batch of them is held to
// the tasks and to one another, and tells on hammocks.
func taskLinksOf(s *Service) taskLinkFamily {
	f := model.ReadingsOf(s.area(), &taskLinkKind)
	f.Many = model.DefineChange(s.area(), "taskLinks.create", func(u *records.Update, e *model.Edit[[]NewTaskLink, TaskLink]) error {
		return insertTaskLinks(u, e, s.now())
	}, "taskLinks.createMany")
	return taskLinkFamily{
		Family: f,
		update: model.DefineChange(s.area(), "taskLinks.update", updateTaskLinks, "taskLinks.updateMany"),
		delete: model.DefineChange(s.area(), "taskLinks.delete", deleteTaskLinks, "taskLinks.deleteMany", "taskLinks.delete"),
	}
}
