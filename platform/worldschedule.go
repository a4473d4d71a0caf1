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

	Tasks                    []schedules.NewTask                   `json:"tasks,omitempty"`               // parents may come after their children
	TaskLinks                []TaskLink                            `json:"taskLinks,omitempty"`           // between tasks of the schedule
	Resources                []schedules.NewResource               `json:"resources,omitempty"`           // parents may come after their children
	ResourceAssignments      []schedules.NewResourceAssignment     `json:"resourceAssignments,omitempty"` // of tasks and resources above
	ResourceGroups           []ResourceGroup                       `json:"resourceGroups,omitempty"`      // each with its members
	ResourceStatusCategories []schedules.NewResourceStatusCategory `json:"resourceStatusCategories,omitempty"`
	ResourceStatusSets       []schedules.NewResourceStatusSet      `json:"resourceStatusSets,omitempty"`  // each of a category above
	ResourceStatusItems      []schedules.NewResourceStatusItem     `json:"resourceStatusItems,omitempty"` // each of a set above
	StatusHistory            []StatusHistoryItem                   `json:"statusHistoryItems,omitempty"`  // of resources and status items above
	Entities3D               []schedules.NewEntity3D               `json:"entities3d,omitempty"`          // of a v6.5 schedule
	UserFields               []schedules.NewUserField              `json:"userFields,omitempty"`          // with those that have no value
	UserFieldValues          []UserFieldValue                      `json:"userFieldValues,omitempty"`     // of a field above
	AppearanceProfiles       []AppearanceProfile                   `json:"appearanceProfiles,omitempty"`  // of a v10 schedule; parents may come after their children
	// What is animated: of a v10 schedule, each of what stands above it.
	Animation3DTransforms      []schedules.NewAnimation3DTransform      `json:"animation3dTransforms,omitempty"`
	Animation3DPaths           []schedules.NewAnimation3DPath           `json:"animation3dPaths,omitempty"`
	Keyframes                  []schedules.NewKeyframe                  `json:"keyframes,omitempty"`                  // of a path above
	Animation3DPathAssignments []schedules.NewAnimation3DPathAssignment `json:"animation3dPathAssignments,omitempty"` // of a path above
	AnimationBindings          []schedules.NewAnimationBinding          `json:"animationBindings,omitempty"`          // of tasks above
	// How the plan is sorted and computed: of a v10 schedule.
	Codes                []schedules.NewCode                `json:"codes,omitempty"`
	CodeValues           []schedules.NewCodeValue           `json:"codeValues,omitempty"`           // of a code above; parents may come after their children
	CodeValueAssignments []schedules.NewCodeValueAssignment `json:"codeValueAssignments,omitempty"` // of tasks and values above
	Rules                []schedules.NewRule                `json:"rules,omitempty"`                // parents may come after their children
	TaskQueryFilters     []TaskQueryFilter                  `json:"taskQueryFilters,omitempty"`
	Calendars            []schedules.NewCalendar            `json:"calendars,omitempty"` // parents may come after their children
	// ProjectScheduling is of a v10 schedule; nil where nothing was set. Without a calendar
	// in it durations and lags are elapsed time.
	ProjectScheduling *schedules.ProjectSchedulingPatch `json:"projectScheduling,omitempty"`
	Baselines         []Baseline                        `json:"baselines,omitempty"`     // made when all else is there
	Synchronizers     []schedules.Synchronizer          `json:"synchronizers,omitempty"` // of a v10 schedule
}

// TaskLink is a task link.
type TaskLink struct {
	schedules.NewTaskLink
	CreatedOn twinplatform.DateTime `json:"createdOn,omitzero"` // the moment of the seeding when empty
}

// StatusHistoryItem is a recorded status of a resource.
type StatusHistoryItem struct {
	schedules.NewStatusHistoryItem
	RecordDate twinplatform.DateTime `json:"recordDate,omitzero"` // the moment of the seeding when empty
}

// AppearanceProfile is an appearance profile.
type AppearanceProfile struct {
	schedules.NewAppearanceProfile
	CreatedOn twinplatform.DateTime `json:"createdOn,omitzero"` // the moment of the seeding when empty
}

// TaskQueryFilter is a task query filter.
type TaskQueryFilter struct {
	schedules.NewTaskQueryFilter
	CreatedBy twinplatform.NullString `json:"createdBy"` // a principal; null for the platform itself
}

// ResourceGroup is a resource group and the resources in it.
type ResourceGroup struct {
	schedules.NewResourceGroup
	ResourceIDs []string `json:"resourceIds,omitempty"` // resources of the schedule
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
	CreatedOn twinplatform.DateTime        `json:"createdOn,omitzero"` // the moment of the seeding when empty
	Tasks     []schedules.BaselineTask     `json:"baselineTasks,omitzero"`
	TaskLinks []schedules.BaselineTaskLink `json:"baselineTaskLinks,omitzero"`
}
