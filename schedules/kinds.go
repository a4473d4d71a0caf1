package schedules

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// Contents is what a schedule holds, as worlds have it: lists of requests that make it
// again. Each list is of a type of record, see the kinds below.
type Contents struct {
	Tasks []NewTask `json:"tasks,omitempty"` // parents may come later
	// between tasks of the schedule
	TaskLinks           []TaskLinkSeed          `json:"taskLinks,omitempty"`
	Resources           []NewResource           `json:"resources,omitempty"` // parents may come later
	ResourceAssignments []NewResourceAssignment `json:"resourceAssignments,omitempty"`
	// each with its members
	ResourceGroups           []ResourceGroupSeed                  `json:"resourceGroups,omitempty"`
	ResourceStatusCategories []statuses.NewResourceStatusCategory `json:"resourceStatusCategories,omitempty"`
	ResourceStatusSets       []statuses.NewResourceStatusSet      `json:"resourceStatusSets,omitempty"`
	ResourceStatusItems      []statuses.NewResourceStatusItem     `json:"resourceStatusItems,omitempty"`
	StatusHistory            []statuses.StatusHistoryItemSeed     `json:"statusHistoryItems,omitempty"`
	Entities3D               []animation.NewEntity3D              `json:"entities3d,omitempty"` // of a v6.5 schedule
	// with those that have no value
	UserFields      []userfields.NewUserField       `json:"userFields,omitempty"`
	UserFieldValues []userfields.UserFieldValueSeed `json:"userFieldValues,omitempty"`
	// Appearance and animation: of a v10 schedule. Parents of profiles may come later.
	AppearanceProfiles         []animation.AppearanceProfileSeed `json:"appearanceProfiles,omitempty"`
	Animation3DTransforms      []animation.NewTransform          `json:"animation3dTransforms,omitempty"`
	Animation3DPaths           []animation.NewPath               `json:"animation3dPaths,omitempty"`
	Keyframes                  []animation.NewKeyframe           `json:"keyframes,omitempty"`
	Animation3DPathAssignments []animation.NewPathAssignment     `json:"animation3dPathAssignments,omitempty"`
	AnimationBindings          []animation.NewBinding            `json:"animationBindings,omitempty"`
	// How the plan is sorted and computed: of a v10 schedule. Parents may come later.
	Codes                []codes.NewCode                `json:"codes,omitempty"`
	CodeValues           []codes.NewCodeValue           `json:"codeValues,omitempty"`
	CodeValueAssignments []codes.NewCodeValueAssignment `json:"codeValueAssignments,omitempty"`
	Rules                []NewRule                      `json:"rules,omitempty"`
	TaskQueryFilters     []TaskQueryFilterSeed          `json:"taskQueryFilters,omitempty"`
	Calendars            []NewCalendar                  `json:"calendars,omitempty"`
	// ProjectScheduling is of a v10 schedule; nil where nothing was set. Without a calendar
	// in it durations and lags are elapsed time.
	ProjectScheduling *ProjectSchedulingPatch      `json:"projectScheduling,omitempty"`
	Baselines         []BaselineSeed               `json:"baselines,omitempty"`
	Synchronizers     []synchronizers.Synchronizer `json:"synchronizers,omitempty"` // of a v10 schedule
}

// kinds are all types of records of the area, with how worlds have those of a schedule: the
// lists of Contents. What features keep is among those of the core: clones that are under way
// and seeds go through the kinds in this order.
var kinds = entity.Relate("schedule", slices.Concat([]entity.Stored{
	entity.HeldBy("schedules", &scheduleRecords, allAccounts, "twin", entity.InList("schedules")),
	entity.KeepsKind(&taskKind, tasksInWorld),
	entity.KeepsKind(&taskLinkKind, taskLinksInWorld),
	entity.KeepsKind(&resourceKind, resourcesInWorld),
	entity.KeepsKind(&groupKind, resourceGroupsInWorld),
	entity.Keeps(&memberRecords, entity.InList("resourceGroups")).Below(model.ResourceGroups).With(model.MemberResource,
		model.Resources),
	keeps(&assignmentKind, "resourceAssignments",
		func(c *Contents) *[]NewResourceAssignment { return &c.ResourceAssignments },
		Plan.ResourceAssignments, batched(Plan.CreateResourceAssignments)),
}, inWorlds(&statuses.Feature, func(c *Contents) statuses.Lists {
	return statuses.Lists{
		Categories: &c.ResourceStatusCategories, Sets: &c.ResourceStatusSets, Items: &c.ResourceStatusItems,
		History: &c.StatusHistory,
	}
}), inWorlds(&userfields.Feature, func(c *Contents) userfields.Lists {
	return userfields.Lists{UserFields: &c.UserFields, UserFieldValues: &c.UserFieldValues}
}), inWorlds(&animation.Feature, (*Contents).animation), inWorlds(&synchronizers.Feature,
	func(c *Contents) synchronizers.Lists { return synchronizers.Lists{Synchronizers: &c.Synchronizers} },
), inWorlds(&codes.Feature, func(c *Contents) codes.Lists {
	return codes.Lists{Codes: &c.Codes, CodeValues: &c.CodeValues, CodeValueAssignments: &c.CodeValueAssignments}
}), []entity.Stored{
	plain(&ruleKind, model.V10Only, "rules", func(c *Contents) *[]NewRule { return &c.Rules }, Plan.Rules,
		single(Plan.CreateRule)),
	entity.KeepsKind(&filterKind, taskQueryFiltersInWorld),
	entity.Keeps(&projectSchedulingRecords, projectSchedulingInWorld),
	entity.Keeps(&analysisRecords, recomputed),
	entity.KeepsKind(&calendarKind, calendarsInWorld),
	entity.Keeps(&baselineRecords, baselinesInWorld),
	entity.Keeps(baselineTasks(""), entity.InList("baselines")).BackfilledBy(dropRowsOf(baselineTasks)),
	entity.Keeps(baselineTaskLinks(""), entity.InList("baselines")).BackfilledBy(dropRowsOf(baselineTaskLinks)),
	entity.Keeps(baselineAnalyses(""), notRestored).BackfilledBy(dropRowsOf(baselineAnalyses)),
	statuses.Places,
	entity.Passes(&model.Dues), entity.Passes(&markEndRecords),
	entity.Keeps(&importing.ItemRecords, pastImports), entity.Keeps(&synchronizers.InFiles, pastImports),
	entity.Passes(&blob.Pieces), entity.Passes(&blob.Objects),
	entity.Passes(&importing.States), entity.Passes(&importing.Batches),
}, files.Feature.Kinds))

// animation are the lists of what package animation has.
func (c *Contents) animation() animation.Lists {
	return animation.Lists{
		Entities3D: &c.Entities3D, AppearanceProfiles: &c.AppearanceProfiles, Bindings: &c.AnimationBindings,
		Transforms: &c.Animation3DTransforms, Paths: &c.Animation3DPaths, Keyframes: &c.Keyframes,
		PathAssignments: &c.Animation3DPathAssignments,
	}
}

// Why worlds do not have some types of records.
const (
	notRestored = entity.NotInWorld("they are what was found when the baseline was made, which no restored one has")
	recomputed  = entity.NotInWorld("a rescheduling computes them")
	pastImports = entity.NotInWorld("they record what earlier imports were given; a world has what there is")
)

// Kinds are all types of records of the area.
func Kinds() []entity.Stored { return kinds }

var _ twinplatform.NamingHolder = (*Service)(nil)

// HoldsOf reports what the area holds of a twin: "schedules", or nothing. It asks for no
// permission: it keeps twins from being deleted with schedules in them.
func (s *Service) HoldsOf(ctx context.Context, twinID string) (what string, err error) {
	return entity.HoldsOf(ctx, s.db, kinds, twinID)
}

// Transactional reports that HoldsOf, called within a transaction over the same store,
// answers from it.
func (s *Service) Transactional() {}
