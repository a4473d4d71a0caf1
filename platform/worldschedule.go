package platform

import "github.com/seed-933f9a09/twinplatform/schedules"

// Schedule is a schedule with all that it holds.
type Schedule struct {
	schedules.NewSchedule
	// State is Ready when empty. One that is Processing takes no changes, and
	// SetState alone moves it on.
	State schedules.State `json:"state,omitempty"`
	// TaskStatusIDs gives the ids that its tasks show as statusId.
	TaskStatusIDs schedules.TaskStatusIDs `json:"taskStatusIds,omitzero"`

	schedules.Contents
}
