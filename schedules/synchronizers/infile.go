package synchronizers

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// InFile is a task as the last file of a synchronizer has it.
type InFile struct {
	Code           twinplatform.NullString `json:"code,omitzero"`
	ExternalID     twinplatform.NullString `json:"externalId,omitzero"`
	Deleted        bool                    `json:"deleted"`
	File           PlannedDates            `json:"file"`
	SynchronizerID string                  `json:"synchronizerId"`
	TaskID         string                  `json:"taskId"`
}

// PlannedDates are the dates and the float of a task. What is not known is null.
type PlannedDates struct {
	Critical    *bool                 `json:"critical"`
	DrivingPath *bool                 `json:"drivingPath"` // on the longest path
	EarlyFinish twinplatform.DateTime `json:"earlyFinish"`
	EarlyStart  twinplatform.DateTime `json:"earlyStart"`
	Finish      twinplatform.DateTime `json:"finish"`
	FreeFloat   *int64                `json:"freeFloat"` // in seconds of working time
	LateFinish  twinplatform.DateTime `json:"lateFinish"`
	LateStart   twinplatform.DateTime `json:"lateStart"`
	Start       twinplatform.DateTime `json:"start"`
	TotalFloat  *int64                `json:"totalFloat"` // in seconds of working time
}

// InFiles are the tasks of the last files of a schedule, for imports and exports.
var InFiles = records.Collection[InFile]{
	Name:        "planned-tasks",
	ID:          func(p *InFile) string { return records.Join(p.SynchronizerID, p.TaskID) },
	MarkDeleted: func(p *InFile) { p.Deleted = true },
}
