package animation

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Binding records that an entity of the 3D model shows a task: how it looks, where it is
// put and along what it moves meanwhile. Bindings are made in v10 schedules only.
type Binding struct {
	// AnimatedEntityID is that of the 3D model, such as 0x1f, and kept as it is given.
	AnimatedEntityID     string                  `json:"animatedEntityId"`
	AppearanceProfileID  twinplatform.NullString `json:"appearanceProfileId"`  // how the entity looks; null when there is none
	Deleted              bool                    `json:"deleted"`              // true in deltas alone
	ID                   string                  `json:"id"`                   // unique in the schedule; never changes
	PathAssignmentID     twinplatform.NullString `json:"pathAssignmentId"`     // along what it moves; null when there is none
	ResourceAssignmentID twinplatform.NullString `json:"resourceAssignmentId"` // of the task; null when there is none
	ResourceGroupID      twinplatform.NullString `json:"resourceGroupId"`      // moves as one; null when there is none, or once it is deleted
	ResourceID           twinplatform.NullString `json:"resourceId"`           // what the entity is; null when there is none
	TaskID               string                  `json:"taskId"`               // what the entity shows
	TransformID          twinplatform.NullString `json:"transformId"`          // where it is put; null when there is none
}

// Names of the indexes of bindings.
const (
	boundEntity     = "entity"
	boundTask       = "task"
	boundProfile    = "profile"
	boundTransform  = "transform"
	boundPath       = "path-assignment"
	boundAssignment = "assignment"
	boundResource   = "resource"
	boundGroup      = "group"
)

var bindingRecords = records.Collection[Binding]{
	Name:        "animation-bindings",
	ID:          func(b *Binding) string { return b.ID },
	MarkDeleted: func(b *Binding) { b.Deleted = true },
	Indexes: []records.Index[Binding]{
		{Name: boundEntity, Value: func(b *Binding) string { return b.AnimatedEntityID }},
		{Name: boundTask, Value: func(b *Binding) string { return b.TaskID }},
		{Name: boundProfile, Value: func(b *Binding) string { return string(b.AppearanceProfileID) }},
		{Name: boundTransform, Value: func(b *Binding) string { return string(b.TransformID) }},
		{Name: boundPath, Value: func(b *Binding) string { return string(b.PathAssignmentID) }},
		{Name: boundAssignment, Value: func(b *Binding) string { return string(b.ResourceAssignmentID) }},
		{Name: boundResource, Value: func(b *Binding) string { return string(b.ResourceID) }},
		{Name: boundGroup, Value: func(b *Binding) string { return string(b.ResourceGroupID) }},
	},
}

var bindingMissing = problem.NotFound("AnimationBindingNotFound", "animationBindingId", "animation binding")

var bindingKind = entity.Kind[Binding, NewBinding, BindingPatch]{
	Records: &bindingRecords, One: "animationBinding", Many: "animationBindings", Batches: true, Resource: "animation binding",
	Missing: bindingMissing, Bad: &model.InvalidRequest,
	Members: func(b *Binding, n *NewBinding, p *BindingPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&b.ID, &n.ID, &p.ID),
			entity.Text("animatedEntityId", &b.AnimatedEntityID, &n.AnimatedEntityID, &p.AnimatedEntityID).Max(problem.MaxID).Required(),
			entity.Text("taskId", &b.TaskID, &n.TaskID, &p.TaskID).Max(model.MaxText).Required(),
			entity.Text("appearanceProfileId", &b.AppearanceProfileID, &n.AppearanceProfileID, &p.AppearanceProfileID),
			entity.Text("pathAssignmentId", &b.PathAssignmentID, &n.PathAssignmentID, &p.PathAssignmentID),
			entity.Text("resourceAssignmentId", &b.ResourceAssignmentID, &n.ResourceAssignmentID, &p.ResourceAssignmentID),
			entity.Text("resourceGroupId", &b.ResourceGroupID, &n.ResourceGroupID, &p.ResourceGroupID),
			entity.Text("resourceId", &b.ResourceID, &n.ResourceID, &p.ResourceID),
			entity.Text("transformId", &b.TransformID, &n.TransformID, &p.TransformID),
		}
	},
	Validate: bindingFits,
	Needs:    bindingNeeds,
}

// bindingFits checks that the schedule has all that a binding names, and that a resource
// assignment is one of its task and its resource.
func bindingFits(tx records.Reading, s records.Scope, b, _ *Binding, c *problem.Checks) error {
	for _, check := range []func() error{
		func() error { return model.Names(tx, s, model.Tasks.Table(), c, "taskId", "task", b.TaskID) },
		func() error {
			return model.Names(tx, s, profileRecords.Table(), c, "appearanceProfileId", profileKind.Resource, string(b.AppearanceProfileID))
		},
		func() error {
			return model.Names(tx, s, pathAssignmentRecords.Table(), c, "pathAssignmentId", pathAssignmentKind.Resource, string(b.PathAssignmentID))
		},
		func() error {
			return model.Names(tx, s, model.ResourceGroups.Table(), c, "resourceGroupId", "resource group", string(b.ResourceGroupID))
		},
		func() error {
			return model.Names(tx, s, model.Resources.Table(), c, "resourceId", "resource", string(b.ResourceID))
		},
		func() error {
			return model.Names(tx, s, transformRecords.Table(), c, "transformId", transformKind.Resource, string(b.TransformID))
		},
		func() error { return b.checkAssignment(tx, s, c) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// bindingNeeds are the records that a binding names.
func bindingNeeds(s records.Scope, b *Binding) []records.Need {
	return slices.Concat(
		model.Tasks.Needs(s, b.TaskID), profileRecords.Needs(s, string(b.AppearanceProfileID)),
		pathAssignmentRecords.Needs(s, string(b.PathAssignmentID)), model.ResourceGroups.Needs(s, string(b.ResourceGroupID)),
		model.Resources.Needs(s, string(b.ResourceID)), transformRecords.Needs(s, string(b.TransformID)),
		model.Assignments.Needs(s, string(b.ResourceAssignmentID)),
	)
}

// foundBound are the bindings that name a record.
func foundBound(index string) func() []records.Found {
	return func() []records.Found { return []records.Found{bindingRecords.FoundBy(index)} }
}

// checkAssignment checks the resource assignment that a binding names, if any.
func (b *Binding) checkAssignment(tx records.Reading, s records.Scope, c *problem.Checks) error {
	if b.ResourceAssignmentID == "" {
		return nil
	}
	a, err := model.Assignments.Lookup(tx, s, string(b.ResourceAssignmentID))
	switch {
	case err != nil:
		return err
	case a == nil:
		c.Bad("resourceAssignmentId", "The schedule has no resource assignment with the id '%s'.", b.ResourceAssignmentID)
	case a.TaskID != b.TaskID:
		c.Bad("resourceAssignmentId", "The resource assignment is one of the task '%s'.", a.TaskID)
	case b.ResourceID != "" && string(b.ResourceID) != a.ResourceID:
		c.Bad("resourceAssignmentId", "The resource assignment is one of the resource '%s'.", a.ResourceID)
	}
	return nil
}

// notBound refuses to delete what an animation binding names.
func notBound(index, code, target, resource string) func(tx records.Reading, s records.Scope, id string) error {
	return func(tx records.Reading, s records.Scope, id string) error {
		for binding := range bindingRecords.IDs(tx, s, index, id) {
			return problem.Conflict(code, target, "The "+resource+" '"+id+"' is named by the animation binding '"+binding+"'.")
		}
		return nil
	}
}
