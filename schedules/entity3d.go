package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Entity3D is a 3D object that user fields can be assigned to. Entities exist in
// v6.5 schedules only.
type Entity3D struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	// ModelElementID is the element of the 3D model that the entity shows, if
	// any.
	ModelElementID twinplatform.NullString `json:"modelElementId"`
	Name           string                  `json:"name"`     // 1 to MaxText characters
	ParentID       twinplatform.NullString `json:"parentId"` // the entity above it; null at the top
}

var entity3DRecords = records.Collection[Entity3D]{
	Name:        "entities-3d",
	ID:          func(e *Entity3D) string { return e.ID },
	MarkDeleted: func(e *Entity3D) { e.Deleted = true },
	Indexes:     []records.Index[Entity3D]{{Name: "parent", Value: func(e *Entity3D) string { return string(e.ParentID) }}},
}

var entity3DMissing = problem.NotFound("Entity3dNotFound", "entity3dId", "3D entity")

var entity3DKind = entity.Kind[Entity3D, NewEntity3D, none]{
	Records: &entity3DRecords, One: "entity3d", Many: "entities3d", Batches: true, Noun: "3D entity",
	Missing: entity3DMissing, Bad: &InvalidRequest,
	Members: func(v *Entity3D, n *NewEntity3D, _ *none) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, nil, false),
			entity.ID(&v.ID, &n.ID, nil),
			entity.Text("modelElementId", &v.ModelElementID, &n.ModelElementID, nil).Max(MaxText),
			entity.Text("name", &v.Name, &n.Name, nil).Max(MaxText).Required(),
			entity.Text("parentId", &v.ParentID, &n.ParentID, nil),
		}
	},
	Fits:   entity3DFits,
	Parent: func(v *Entity3D) string { return string(v.ParentID) },
	Clear: func(u *records.Update, s records.Scope, id string, budget *entity.Budget) (whole bool, err error) {
		return removeValues(u, s, entity3DValues, id, budget)
	},
}

// entity3DFits checks that the parent of a new entity is there.
func entity3DFits(tx records.Reading, s records.Scope, v, _ *Entity3D, c *problem.Checks) error {
	if v.ParentID == "" {
		return nil
	}
	has, err := entity3DRecords.Has(tx, s, string(v.ParentID))
	switch {
	case err != nil:
		return err
	case string(v.ParentID) == v.ID:
		c.Bad("parentId", "The 3D entity would be its own ancestor.")
	case !has:
		c.Bad("parentId", "The schedule has no 3D entity with this id.")
	}
	return nil
}

// v65Only refuses what v10 schedules do not have.
func v65Only(sc *Schedule) error {
	if sc.Type == V65 {
		return nil
	}
	return badParameter("scheduleId", "The operation is not supported by "+string(sc.Type)+" schedules.")
}

// NewEntity3D asks for a 3D entity.
type NewEntity3D struct {
	// ID is chosen by the platform when empty.
	ID             string                  `json:"id"`
	ModelElementID twinplatform.NullString `json:"modelElementId"` // an element of the 3D model, if any
	// Name is required.
	Name string `json:"name"`
	// ParentID names an entity of the same schedule.
	ParentID twinplatform.NullString     `json:"parentId"`
	Deleted  twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateEntity3D makes a 3D entity (POST …/entities-3d). It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a v10
// schedule, MissingRequiredProperty (name) or InvalidValue (id, name,
// modelElementId, parentId); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (s *Service) CreateEntity3D(ctx context.Context, scheduleID string, n NewEntity3D) (twinplatform.Result[Entity3D], error) {
	return s.entities3D.create(ctx, scheduleID, n)
}

// Entity3D returns a 3D entity (S8, technical preview).
//
// Errors: Entity3dNotFound, also for a schedule that is missing or not for the
// caller to see; InvalidSchedulesRequest with InvalidParameter (scheduleId) for
// a v10 schedule.
func (s *Service) Entity3D(ctx context.Context, scheduleID, entity3DID string) (twinplatform.Record[Entity3D], error) {
	return s.entities3D.get(ctx, scheduleID, entity3DID)
}

// Entity3DQuery says which 3D entities to list.
type Entity3DQuery struct {
	twinplatform.ListOptions
}

// Entities3D lists the 3D entities of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidParameter
// (scheduleId) for a v10 schedule or InvalidValue (top, continuation,
// delta).
func (s *Service) Entities3D(ctx context.Context, scheduleID string, q Entity3DQuery) (twinplatform.Page[Entity3D], error) {
	return s.entities3D.list(ctx, scheduleID, records.Query[Entity3D]{ListOptions: q.ListOptions})
}

// DeleteEntities3D deletes up to 1,000 3D entities, with all entities below them
// and their user field values, as a long-running operation. A large deletion
// goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a v10
// schedule, MissingRequiredProperty or InvalidValue (entity3dIds);
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// Entity3dNotFound, and then nothing is deleted.
func (s *Service) DeleteEntities3D(ctx context.Context, scheduleID string, entity3DIDs []string) (twinplatform.Result[Entity3D], error) {
	return s.entities3D.remove(ctx, scheduleID, entity3DIDs...)
}
