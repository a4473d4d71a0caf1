package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// NewTaskLink asks for a task link.
type NewTaskLink struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// PredecessorID, SuccessorID and Type are required.
	PredecessorID string       `json:"predecessorId"`
	SuccessorID   string       `json:"successorId"`
	Type          TaskLinkType `json:"type"`
	// Lag is in seconds.
	Lag int32 `json:"lag"`
	// CalendarID names a calendar of the schedule, and none when it is empty.
	CalendarID string `json:"calendarId,omitempty"`
	// CreatedOn is the platform's to say: only null is taken.
	CreatedOn twinplatform.Optional[twinplatform.DateTime] `json:"createdOn,omitzero"`
	Deleted   twinplatform.Optional[bool]                  `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateTaskLinks makes up to 1,000 task links, all or none (POST
// …/task-links/batch). It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (predecessorId,
// successorId, type) or InvalidValue (the same, id), also for an end that does
// not exist and for a link that ties a task to itself, to its ancestor or into
// a circle; ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// AlreadyExists.
func (p Plan) CreateTaskLinks(ctx context.Context, batch []NewTaskLink) (twinplatform.Result[TaskLink], error) {
	return familiesOf(p.s).taskLinks.CreateMany(ctx, p.id, batch)
}

func insertTaskLinks(u *records.Update, e *model.Edit[[]NewTaskLink, TaskLink], now twinplatform.DateTime) error {
	if err := records.Long(u, len(e.Request)); err != nil {
		return err
	}
	records.Subjects(u, ends(e.Request)...)
	var stale plan.Stale
	checker := newLinkChecker(u, e.Scope, "batch")
	for i := range e.Request {
		l := taskLinkKind.New(&e.Request[i])
		l.CreatedOn = now
		if err := checker.check(l, i); err != nil {
			return err
		}
		rec, err := taskLinkKind.Insert(u, e.Scope, l, &problem.Checks{})
		if err != nil {
			return err
		}
		e.Wrote(rec)
		stale.Link(l.PredecessorID, l.SuccessorID)
	}
	if err := checker.finish(); err != nil {
		return err
	}
	return deriveHammocks(u, e.Scope, &stale)
}

// ends are the ids of the tasks that links are to tie.
func ends(links []NewTaskLink) []string {
	ids := make([]string, 0, 2*len(links))
	for i := range links {
		ids = append(ids, links[i].PredecessorID, links[i].SuccessorID)
	}
	return ids
}
