package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Entity3D is a 3D object. It shows a resource, if any, and so is one of the
// entities of each task that uses the resource, and shows the statuses of the resource
// (Plan.StatusHistoryItemsOfEntity3D); user fields can be assigned to it. Entities exist in
// v6.5 schedules only.
type Entity3D struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	// ModelElementID is the element of the 3D model that the entity shows, if
	// any.
	ModelElementID twinplatform.NullString `json:"modelElementId"`
	Name           string                  `json:"name"`     // 1 to MaxText characters
	ParentID       twinplatform.NullString `json:"parentId"` // the entity above it; null at the top
	// ResourceID is the resource that the entity shows. It is null when there is
	// none, and again when the resource is deleted.
	ResourceID twinplatform.NullString `json:"resourceId"`
}

// shownResource finds the entities that show a resource.
const shownResource = "resource"

var entity3DRecords = records.Collection[Entity3D]{
	Name:        model.Entities3D.Collection(),
	ID:          func(e *Entity3D) string { return e.ID },
	MarkDeleted: func(e *Entity3D) { e.Deleted = true },
	Indexes: []records.Index[Entity3D]{
		{Name: "parent", Value: (*Entity3D).parent},
		{Name: shownResource, Value: func(e *Entity3D) string { return string(e.ResourceID) }},
	},
}

// entity3DKind is what holds of 3D entities whatever the service.
var entity3DKind = entity3DKindWith(nil)

// entity3DKindIn knows what goes with the entities of a service.
func entity3DKindIn(area model.Area) *entity.Kind[Entity3D, NewEntity3D, Entity3DPatch] {
	return entity3DKindWith(func(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error) {
		return area.Cascade(model.Entities3D, u, s, id, step)
	})
}

func entity3DKindWith(
	cascade func(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error),
) *entity.Kind[Entity3D, NewEntity3D, Entity3DPatch] {
	return &entity.Kind[Entity3D, NewEntity3D, Entity3DPatch]{
		Records: &entity3DRecords, One: model.Entities3D.One, Many: model.Entities3D.Many, Batches: true, Resource: model.Entities3D.Resource,
		Missing: model.Entities3D.Missing, Bad: &model.InvalidRequest,
		Members: func(v *Entity3D, n *NewEntity3D, p *Entity3DPatch) []entity.Member {
			return []entity.Member{
				entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
				entity.ID(&v.ID, &n.ID, &p.ID),
				entity.Text("modelElementId", &v.ModelElementID, &n.ModelElementID, &p.ModelElementID).Max(model.MaxText),
				entity.Text("name", &v.Name, &n.Name, &p.Name).Max(model.MaxText).Required(),
				entity.Text("parentId", &v.ParentID, &n.ParentID, &p.ParentID),
				entity.Text("resourceId", &v.ResourceID, &n.ResourceID, &p.ResourceID),
			}
		},
		Validate: entity3DFits,
		Needs: func(s records.Scope, v *Entity3D) []records.Need {
			return append(entity3DRecords.Needs(s, v.parent()), model.Resources.Needs(s, string(v.ResourceID))...)
		},
		Parent:  (*Entity3D).parent,
		Cascade: cascade,
	}
}

func (e *Entity3D) parent() string { return string(e.ParentID) }

// entity3DFits checks that the parent of an entity and the resource that it shows
// are there, and that it does not come below itself.
func entity3DFits(tx records.Reading, s records.Scope, v, stored *Entity3D, c *problem.Checks) error {
	tree := model.TreeOf(&entity3DRecords, (*Entity3D).parent, tx, s)
	if _, err := tree.CheckParent("3D entity", v, stored, c); err != nil {
		return err
	}
	return model.Names(tx, s, model.Resources.Table(), c, "resourceId", "resource", string(v.ResourceID))
}

// Entity3D returns a 3D entity (S8, technical preview).
//
// Errors: Entity3dNotFound, also for a schedule that is missing or not for the
// caller to see; InvalidSchedulesRequest with InvalidParameter (scheduleId) for
// a v10 schedule.
func (p Plan) Entity3D(ctx context.Context, entity3DID string) (twinplatform.Record[Entity3D], error) {
	return callsOf(p).entities3D.Get(ctx, p.id, entity3DID)
}

// DeleteEntities3D deletes up to 1,000 3D entities, with all entities below them
// and their user field values, as a long-running operation. A large deletion
// goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a v10
// schedule, MissingRequiredProperty or InvalidValue (entity3dIds);
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// Entity3dNotFound, and then nothing is deleted; VersionMismatch.
func (p Plan) DeleteEntities3D(ctx context.Context, entity3DIDs []string, pre ...twinplatform.Precondition) (twinplatform.Result[Entity3D], error) {
	return callsOf(p).entities3D.Remove(ctx, p.id, entity3DIDs, pre)
}
