package statuses

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// ResourceStatusSet holds the status items among which a resource has one at a
// time.
type ResourceStatusSet struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	Name    string `json:"name"`    // 1 to MaxText characters
	// StatusCategoryID is the category that the set is in.
	StatusCategoryID string `json:"statusCategoryId"`
}

var statusSetRecords = records.Collection[ResourceStatusSet]{
	Name:        "resource-status-sets",
	ID:          func(v *ResourceStatusSet) string { return v.ID },
	MarkDeleted: func(v *ResourceStatusSet) { v.Deleted = true },
	Indexes: []records.Index[ResourceStatusSet]{{
		Name:  "category",
		Value: func(v *ResourceStatusSet) string { return v.StatusCategoryID },
	}},
}

var statusSetMissing = problem.NotFound("ResourceStatusSetNotFound", "resourceStatusSetId", "resource status set")

var statusSetKind = entity.Kind[ResourceStatusSet, NewResourceStatusSet, ResourceStatusSetPatch]{
	Records: &statusSetRecords, One: "resourceStatusSet", Many: "resourceStatusSets", Resource: "resource status set",
	Missing: statusSetMissing, Bad: &model.InvalidRequest,
	Members: func(v *ResourceStatusSet, n *NewResourceStatusSet, p *ResourceStatusSetPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Text("name", &v.Name, &n.Name, &p.Name).Max(model.MaxText).Required(),
			entity.Ref("statusCategoryId", &v.StatusCategoryID, &n.StatusCategoryID, &p.StatusCategoryID,
				&statusCategoryRecords).
				Max(model.MaxText).Required().Owns(),
		}
	},
	Validate:   statusSetFits,
	UsedWithin: unusedStatus(statusSetMissing, (*statusLook).ofSet),
}

// statusSetFits checks that a set of which resources had a status stays in its category.
func statusSetFits(tx records.Reading, s records.Scope, v, stored *ResourceStatusSet, c *problem.Checks) error {
	if stored != nil && stored.StatusCategoryID != v.StatusCategoryID &&
		recorded(tx, s, slices.Collect(statusItemRecords.IDs(tx, s, "set", v.ID))...) {
		c.Bad("statusCategoryId", "Resources had a status of the set: it stays in the category '%s'.",
			stored.StatusCategoryID)
	}
	return nil
}

// NewResourceStatusSet asks for a status set.
type NewResourceStatusSet struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name string `json:"name"`
	// StatusCategoryID is required.
	StatusCategoryID string                      `json:"statusCategoryId"`
	Deleted          twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateResourceStatusSet makes a status set. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name,
// statusCategoryId) or InvalidValue (id, name, and statusCategoryId for a
// category that does not exist); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateResourceStatusSet(ctx context.Context,
	n NewResourceStatusSet,
) (twinplatform.Result[ResourceStatusSet], error) {
	return p.calls.sets.Create(ctx, p.id, n)
}

// ResourceStatusSet returns a status set. Errors: ResourceStatusSetNotFound, also
// for a schedule that is missing or not for the caller to see.
func (p Plan) ResourceStatusSet(ctx context.Context, setID string) (twinplatform.Record[ResourceStatusSet], error) {
	return p.calls.sets.Get(ctx, p.id, setID)
}

// ResourceStatusSetQuery selects the status sets to list.
type ResourceStatusSetQuery struct {
	twinplatform.ListOptions
}

// ResourceStatusSets lists the status sets of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) ResourceStatusSets(ctx context.Context, q ResourceStatusSetQuery) (twinplatform.Page[ResourceStatusSet],
	error,
) {
	return p.calls.sets.List(ctx, p.id, records.Query[ResourceStatusSet]{ListOptions: q.ListOptions})
}

// ResourceStatusSetsOf lists the status sets of a category by id (S7).
//
// Errors: ResourceStatusCategoryNotFound, also for a schedule that is missing or
// not for the caller to see; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) ResourceStatusSetsOf(ctx context.Context, categoryID string,
	q ResourceStatusSetQuery,
) (twinplatform.Page[ResourceStatusSet], error) {
	return p.calls.sets.ListOf(ctx, p.id, statusCategoryMissing, model.Exists(&statusCategoryRecords, categoryID),
		records.Query[ResourceStatusSet]{
			ListOptions: q.ListOptions, Op: "resourceStatusSetsOf", Index: "category",
			Equals: categoryID,
		})
}

// ResourceStatusSetPatch changes a status set: what is left out stays.
type ResourceStatusSetPatch struct {
	model.AsRead

	Name twinplatform.Optional[string] `json:"name,omitzero"` // not empty, up to MaxText characters
	// StatusCategoryID moves the set to another category, until a resource had a
	// status of it.
	StatusCategoryID twinplatform.Optional[string] `json:"statusCategoryId,omitzero"`
}

// UpdateResourceStatusSet changes a status set (PATCH). It needs
// PermissionModify.
//
// Errors: as CreateResourceStatusSet without AlreadyExists;
// ResourceStatusSetNotFound; VersionMismatch.
func (p Plan) UpdateResourceStatusSet(ctx context.Context, setID string, patch ResourceStatusSetPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceStatusSet], error) {
	return p.calls.sets.Update(ctx, p.id, setID, patch, pre)
}

// DeleteResourceStatusSet deletes a status set with its items, as a long-running
// operation that goes in steps when it is large. What is recorded of them while it
// continues goes with them. It needs PermissionModify.
//
// Errors: ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// ResourceStatusSetNotFound; VersionMismatch; ResourceStatusItemInUse, as of
// DeleteResourceStatusItem, for one of which a resource had a status.
func (p Plan) DeleteResourceStatusSet(ctx context.Context, setID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceStatusSet], error) {
	return p.calls.sets.Remove(ctx, p.id, []string{setID}, pre)
}
