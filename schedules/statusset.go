package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
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
	Indexes:     []records.Index[ResourceStatusSet]{{Name: "category", Value: func(v *ResourceStatusSet) string { return v.StatusCategoryID }}},
}

var statusSetMissing = refuse.NotFound("ResourceStatusSetNotFound", "resourceStatusSetId", "resource status set")

var statusSetRules = rules[ResourceStatusSet]{
	records: &statusSetRecords, noun: "resource status set", missing: statusSetMissing,
	check: func(tx records.Reading, s records.Scope, v *ResourceStatusSet, c *refuse.Checks) error {
		return names(tx, s, &statusCategoryRecords, c, "statusCategoryId", "resource status category", v.StatusCategoryID)
	},
	clear: func(u *records.Update, s records.Scope, id string, budget *int) (whole bool, err error) {
		return statusItemRules.removeFound(u, s, "set", id, budget)
	},
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

func (n NewResourceStatusSet) record() *ResourceStatusSet {
	return &ResourceStatusSet{ID: n.ID, Name: n.Name, StatusCategoryID: n.StatusCategoryID}
}

func (n NewResourceStatusSet) check(c *refuse.Checks) {
	asIs(c, "deleted", n.Deleted, false)
	c.ID("id", n.ID)
	c.Need("name", n.Name, MaxText)
	c.Need("statusCategoryId", n.StatusCategoryID, MaxText)
}

// CreateResourceStatusSet makes a status set. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name,
// statusCategoryId) or InvalidValue (id, name, and statusCategoryId for a
// category that does not exist); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (s *Service) CreateResourceStatusSet(ctx context.Context, scheduleID string, n NewResourceStatusSet) (twinplatform.Result[ResourceStatusSet], error) {
	n.ID = s.idOr(n.ID)
	return create(ctx, s.statusSets.create, scheduleID, n.ID, n)
}

// ResourceStatusSet returns a status set. Errors: ResourceStatusSetNotFound, also
// for a schedule that is missing or not for the caller to see.
func (s *Service) ResourceStatusSet(ctx context.Context, scheduleID, setID string) (twinplatform.Record[ResourceStatusSet], error) {
	return get(ctx, s, scheduleID, statusSetMissing, &statusSetRecords, setID)
}

// ResourceStatusSetQuery says which status sets to list.
type ResourceStatusSetQuery struct {
	twinplatform.ListOptions
}

// ResourceStatusSets lists the status sets of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (s *Service) ResourceStatusSets(ctx context.Context, scheduleID string, q ResourceStatusSetQuery) (twinplatform.Page[ResourceStatusSet], error) {
	return list(ctx, s, scheduleID, scheduleMissing, &statusSetRecords,
		records.Query[ResourceStatusSet]{ListOptions: q.ListOptions, Op: "resourceStatusSets"}, nil)
}

// ResourceStatusSetsOf lists the status sets of a category by id (S7).
//
// Errors: ResourceStatusCategoryNotFound, also for a schedule that is missing or
// not for the caller to see; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (s *Service) ResourceStatusSetsOf(ctx context.Context, scheduleID, categoryID string, q ResourceStatusSetQuery) (twinplatform.Page[ResourceStatusSet], error) {
	return list(ctx, s, scheduleID, statusCategoryMissing, &statusSetRecords,
		records.Query[ResourceStatusSet]{ListOptions: q.ListOptions, Op: "resourceStatusSetsOf", Index: "category", Equals: categoryID}, exists(&statusCategoryRecords, categoryID))
}

// ResourceStatusSetPatch changes a status set: what is left out stays.
type ResourceStatusSetPatch struct {
	AsRead

	Name twinplatform.Optional[string] `json:"name,omitzero"` // not empty, up to MaxText characters
	// StatusCategoryID moves the set to another category.
	StatusCategoryID twinplatform.Optional[string] `json:"statusCategoryId,omitzero"`
}

func (p ResourceStatusSetPatch) check(c *refuse.Checks) {
	if p.Name.Present() {
		c.Need("name", p.Name.Or(""), MaxText)
	}
	if p.StatusCategoryID.Present() {
		c.Need("statusCategoryId", p.StatusCategoryID.Or(""), MaxText)
	}
}

func (p ResourceStatusSetPatch) apply(v *ResourceStatusSet, _ *refuse.Checks) {
	p.Name.Apply(&v.Name)
	p.StatusCategoryID.Apply(&v.StatusCategoryID)
}

// UpdateResourceStatusSet changes a status set (PATCH). It needs
// PermissionModify.
//
// Errors: as CreateResourceStatusSet without AlreadyExists;
// ResourceStatusSetNotFound; VersionMismatch.
func (s *Service) UpdateResourceStatusSet(ctx context.Context, scheduleID, setID string, p ResourceStatusSetPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceStatusSet], error) {
	return update(ctx, s.statusSets.update, scheduleID, setID, twinplatform.IfMatchHeader(pre...), p)
}

// DeleteResourceStatusSet deletes a status set with its items, as a long-running
// operation that goes in steps when it is large. It needs PermissionModify.
//
// Errors: ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// ResourceStatusSetNotFound.
func (s *Service) DeleteResourceStatusSet(ctx context.Context, scheduleID, setID string) (twinplatform.Result[ResourceStatusSet], error) {
	return remove(ctx, s.statusSets.remove, scheduleID, "resourceStatusSetId", []string{setID})
}
