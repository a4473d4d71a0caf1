package animation

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Binding records that an entity of the 3D model shows a task: how it looks, where it is
// put and along what it moves meanwhile. Bindings are made in v10 schedules only.
type Binding struct {
	// AnimatedEntityID is the id of the entity in the 3D model, such as 0x1f. It is kept as
	// the client gave it.
	AnimatedEntityID string `json:"animatedEntityId"`
	// how the entity looks; null when there is none
	AppearanceProfileID twinplatform.NullString `json:"appearanceProfileId"`
	Deleted             bool                    `json:"deleted"` // true in deltas alone
	ID                  string                  `json:"id"`      // unique in the schedule; never changes
	// along what it moves; null when there is none
	PathAssignmentID     twinplatform.NullString `json:"pathAssignmentId"`
	ResourceAssignmentID twinplatform.NullString `json:"resourceAssignmentId"` // of the task; null when there is none
	// moves as one; null when there is none, or once it is deleted
	ResourceGroupID twinplatform.NullString `json:"resourceGroupId"`
	ResourceID      twinplatform.NullString `json:"resourceId"`  // what the entity is; null when there is none
	TaskID          string                  `json:"taskId"`      // what the entity shows
	TransformID     twinplatform.NullString `json:"transformId"` // where it is put; null when there is none
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
	Records: &bindingRecords, One: "animationBinding", Many: "animationBindings", Batches: true,
	Resource: "animation binding",
	Missing:  bindingMissing, Bad: &model.InvalidRequest,
	Members: func(b *Binding, n *NewBinding, p *BindingPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&b.ID, &n.ID, &p.ID),
			entity.Text("animatedEntityId", &b.AnimatedEntityID, &n.AnimatedEntityID,
				&p.AnimatedEntityID).Max(problem.MaxID).Required().
				NotRef("it is an element of a 3D model, which the platform does not have"),
			entity.Ref("taskId", &b.TaskID, &n.TaskID, &p.TaskID, model.Tasks).Max(model.MaxText).Required().Owns(),
			entity.Ref("appearanceProfileId", &b.AppearanceProfileID, &n.AppearanceProfileID, &p.AppearanceProfileID,
				&profileRecords).
				Keeps("named"),
			entity.Ref("pathAssignmentId", &b.PathAssignmentID, &n.PathAssignmentID, &p.PathAssignmentID,
				&pathAssignmentRecords).
				Keeps("named"),
			entity.Ref("resourceGroupId", &b.ResourceGroupID, &n.ResourceGroupID, &p.ResourceGroupID,
				model.ResourceGroups).Clears(),
			entity.Ref("resourceId", &b.ResourceID, &n.ResourceID, &p.ResourceID,
				model.Resources).Keeps("named").Owns(),
			entity.Ref("transformId", &b.TransformID, &n.TransformID, &p.TransformID, &transformRecords).Keeps("named"),
			entity.Ref(
				"resourceAssignmentId", &b.ResourceAssignmentID, &n.ResourceAssignmentID, &p.ResourceAssignmentID,
				model.ResourceAssignments,
			).Owns(),
		}
	},
	Validate: bindingFits,
}

// bindingFits checks that the resource assignment that a binding names is one of its task and its
// resource.
func bindingFits(tx records.Reading, s records.Scope, b, _ *Binding, c *problem.Checks) error {
	if b.ResourceAssignmentID == "" {
		return nil
	}
	a, err := model.Assignments.Lookup(tx, s, string(b.ResourceAssignmentID))
	switch {
	case err != nil || a == nil:
		return err
	case a.TaskID != b.TaskID:
		c.Bad("resourceAssignmentId", "The resource assignment is one of the task '%s'.", a.TaskID)
	case b.ResourceID != "" && string(b.ResourceID) != a.ResourceID:
		c.Bad("resourceAssignmentId", "The resource assignment is one of the resource '%s'.", a.ResourceID)
	}
	return nil
}

// ShowsResource reports whether an entity of the animation is a resource.
func ShowsResource(tx records.Reading, s records.Scope, resourceID string) bool {
	_, shows := bindingRecords.FirstID(tx, s, boundResource, resourceID, "")
	return shows
}
