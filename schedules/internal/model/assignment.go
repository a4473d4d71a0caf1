package model

import "github.com/seed-933f9a09/twinplatform/internal/records"

// Assignment is what features read of a resource assignment.
type Assignment struct {
	ID                  string `json:"id"`
	TaskID              string `json:"taskId"`
	ResourceID          string `json:"resourceId"`
	AppearanceProfileID string `json:"appearanceProfileId"`
}

// Indexes of resource assignments.
const (
	AssignedTask     = "task"
	AssignedResource = "resource"
)

// Assignments are the resource assignments of a schedule for features, which read them and
// write none.
var Assignments = records.Collection[Assignment]{
	Name: "resource-assignments",
	ID:   func(a *Assignment) string { return a.ID },
	Indexes: []records.Index[Assignment]{
		{Name: AssignedTask, Value: func(a *Assignment) string { return a.TaskID }},
		{Name: AssignedResource, Value: func(a *Assignment) string { return a.ResourceID }},
	},
}

// UnchangedAppearance is the appearance profile of assignments that name none and of those that came with a planner
// file, which has no appearance: the name of the action that changes nothing.
const UnchangedAppearance = "Neutral"
