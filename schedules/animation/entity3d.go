package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
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

var entity3DKind = entity.Kind[Entity3D, NewEntity3D, Entity3DPatch]{
	Records: &entity3DRecords, One: model.Entities3D.One, Many: model.Entities3D.Many, Batches: true,
	Resource: model.Entities3D.Resource,
	Missing:  model.Entities3D.Missing, Bad: &model.InvalidRequest,
	Members: func(v *Entity3D, n *NewEntity3D, p *Entity3DPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Text("modelElementId", &v.ModelElementID, &n.ModelElementID, &p.ModelElementID).Max(model.MaxText).
				NotRef("it is an element of a 3D model, which the platform does not have"),
			entity.Text("name", &v.Name, &n.Name, &p.Name).Max(model.MaxText).Required(),
			entity.Ref("parentId", &v.ParentID, &n.ParentID, &p.ParentID, &entity3DRecords).Owns(),
			entity.Ref("resourceId", &v.ResourceID, &n.ResourceID, &p.ResourceID, model.Resources).Clears(),
		}
	},
}

func (e *Entity3D) parent() string { return string(e.ParentID) }

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
func (p Plan) DeleteEntities3D(ctx context.Context, entity3DIDs []string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Entity3D], error) {
	return callsOf(p).entities3D.Remove(ctx, p.id, entity3DIDs, pre)
}
