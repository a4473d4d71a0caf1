package platform

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// Schedule is a schedule with all that it holds.
type Schedule struct {
	schedules.NewSchedule
	// State is Ready when empty. One that is Processing takes no changes, and
	// SetState alone moves it on.
	State schedules.State `json:"state,omitempty"`

	Tasks                    []schedules.NewTask                   `json:"tasks,omitempty"`
	TaskLinks                []TaskLink                            `json:"taskLinks,omitempty"`
	Resources                []schedules.NewResource               `json:"resources,omitempty"`
	ResourceGroups           []ResourceGroup                       `json:"resourceGroups,omitempty"`
	ResourceStatusCategories []schedules.NewResourceStatusCategory `json:"resourceStatusCategories,omitempty"`
	ResourceStatusSets       []schedules.NewResourceStatusSet      `json:"resourceStatusSets,omitempty"`
	ResourceStatusItems      []schedules.NewResourceStatusItem     `json:"resourceStatusItems,omitempty"`
	Entities3D               []schedules.NewEntity3D               `json:"entities3d,omitempty"` // of a v6.5 schedule
	UserFields               []schedules.NewUserField              `json:"userFields,omitempty"`
	UserFieldValues          []UserFieldValue                      `json:"userFieldValues,omitempty"`
	Baselines                []Baseline                            `json:"baselines,omitempty"`
	Synchronizers            []schedules.Synchronizer              `json:"synchronizers,omitempty"` // of a v10 schedule
}

// TaskLink is a task link.
type TaskLink struct {
	schedules.NewTaskLink
	CreatedOn twinplatform.DateTime `json:"createdOn,omitzero"`
}

// ResourceGroup is a resource group and the resources in it.
type ResourceGroup struct {
	schedules.NewResourceGroup
	ResourceIDs []string `json:"resourceIds,omitempty"`
}

// UserFieldValue is the value of a user field that one of the four objects has.
// Value is its wire form; the members of the create request do as well.
type UserFieldValue struct {
	schedules.NewUserFieldValue
	Value *string `json:"value,omitempty"`
}

// Baseline is a baseline with its rows as they were. Where it has neither list it
// is made of the tasks and links of the world.
type Baseline struct {
	schedules.NewBaseline
	CreatedOn twinplatform.DateTime        `json:"createdOn,omitzero"`
	Tasks     []schedules.BaselineTask     `json:"baselineTasks,omitzero"`
	TaskLinks []schedules.BaselineTaskLink `json:"baselineTaskLinks,omitzero"`
}
