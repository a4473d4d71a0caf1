package schedules

import (
	"context"
	"iter"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
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

var entity3DMissing = refuse.NotFound("Entity3dNotFound", "entity3dId", "3D entity")

// entity3DKinds are the sorts of change to 3D entities.
type entity3DKinds struct {
	create kind[NewEntity3D, Entity3D]
	remove kind[deletion, Entity3D]
}

func defineEntity3DKinds(s *Service) entity3DKinds {
	return entity3DKinds{
		create: change(s, "entity3d.create", addEntity3D),
		remove: changeInSteps(s, "entities3d.delete", removeEntities3D),
	}
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

func (n *NewEntity3D) check(c *refuse.Checks) {
	asIs(c, "deleted", n.Deleted, false)
	c.ID("id", n.ID)
	c.AtMost("modelElementId", string(n.ModelElementID), MaxText)
	c.Need("name", n.Name, MaxText)
}

// CreateEntity3D makes a 3D entity (POST …/entities-3d). It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a v10
// schedule, MissingRequiredProperty (name) or InvalidValue (id, name,
// modelElementId, parentId); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (s *Service) CreateEntity3D(ctx context.Context, scheduleID string, n NewEntity3D) (res twinplatform.Result[Entity3D], err error) {
	var c refuse.Checks
	n.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	if n.ID == "" {
		n.ID = s.env.NewID()
	}
	return s.entities3D.create.startIf(ctx, scheduleID, v65Only, direct, []string{n.ID}, n)
}

func addEntity3D(u *records.Update, e *edit[NewEntity3D, Entity3D]) error {
	n := e.Request
	if n.ParentID != "" {
		var c refuse.Checks
		has, err := entity3DRecords.Has(u, e.scope, string(n.ParentID))
		if err != nil {
			return err
		}
		if string(n.ParentID) == n.ID {
			c.Bad("parentId", "The 3D entity would be its own ancestor.")
		} else if !has {
			c.Bad("parentId", "The schedule has no 3D entity with this id.")
		}
		if err := c.Err(InvalidRequest); err != nil {
			return err
		}
	}
	rec, err := entity3DRecords.Insert(u, e.scope, &Entity3D{
		ID: n.ID, ModelElementID: n.ModelElementID, Name: n.Name, ParentID: n.ParentID,
	})
	e.wrote(rec)
	return written(err, entity3DMissing, "3D entity", n.ID)
}

// Entity3D returns a 3D entity (S8, technical preview).
//
// Errors: Entity3dNotFound, also for a schedule that is missing or not for the
// caller to see; InvalidSchedulesRequest with InvalidParameter (scheduleId) for
// a v10 schedule.
func (s *Service) Entity3D(ctx context.Context, scheduleID, entity3DID string) (rec twinplatform.Record[Entity3D], err error) {
	err = s.read(ctx, scheduleID, entity3DMissing, func(v *records.View, sc *Schedule) error {
		if err := v65Only(sc); err != nil {
			return err
		}
		rec, err = entity3DRecords.Get(v, sc.scope(), entity3DID)
		return entity3DMissing.Or(err)
	})
	return rec, err
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
func (s *Service) Entities3D(ctx context.Context, scheduleID string, q Entity3DQuery) (page twinplatform.Page[Entity3D], err error) {
	err = s.read(ctx, scheduleID, scheduleMissing, func(v *records.View, sc *Schedule) error {
		if err := v65Only(sc); err != nil {
			return err
		}
		page, err = entity3DRecords.List(v, sc.scope(), records.Query[Entity3D]{ListOptions: q.ListOptions, Op: "entities3d"})
		return paging.Listed(err, InvalidRequest)
	})
	return page, err
}

// DeleteEntities3D deletes up to 1,000 3D entities, with all entities below them
// and their user field values, as a long-running operation. A large deletion
// goes in steps. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (scheduleId) for a v10
// schedule, MissingRequiredProperty or InvalidValue (entity3dIds);
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// Entity3dNotFound, and then nothing is deleted.
func (s *Service) DeleteEntities3D(ctx context.Context, scheduleID string, entity3DIDs []string) (res twinplatform.Result[Entity3D], err error) {
	if err := checkBatch("entity3dIds", len(entity3DIDs)); err != nil {
		return res, err
	}
	return s.entities3D.remove.startIf(ctx, scheduleID, v65Only, tracked, entity3DIDs, deletion{IDs: entity3DIDs})
}

func removeEntities3D(u *records.Update, e *edit[deletion, Entity3D]) (progress, error) {
	if e.Request.Total == 0 {
		for _, id := range e.Request.IDs {
			has, err := entity3DRecords.Has(u, e.scope, id)
			if err != nil {
				return progress{}, err
			}
			if !has {
				return progress{}, noneOf("Entity3dNotFound", "entity3dIds", "3D entity", id).Err()
			}
		}
	}
	r := remover{
		budget: recordsPerStep,
		below:  func(id string) iter.Seq[string] { return entity3DRecords.IDs(u, e.scope, "parent", id) },
		remove: func(id string, budget *int) (whole bool, err error) { return removeEntity3D(u, e.scope, id, budget) },
	}
	return r.run(&e.Request)
}

// removeEntity3D deletes an entity without children, with its values, and
// reports false when the budget of records ended before that.
func removeEntity3D(u *records.Update, s records.Scope, id string, budget *int) (whole bool, err error) {
	e, err := entity3DRecords.Value(u, s, id)
	if missingRecord(err) {
		return true, nil // it went with its parent
	}
	if err != nil {
		return false, err
	}
	if whole, err := removeValues(u, s, entity3DValues, id, budget); !whole || err != nil {
		return false, err
	}
	*budget -= 1 + (len(e.Name)+len(e.ModelElementID))/textPerRecord
	return true, entity3DRecords.Delete(u, s, id)
}
