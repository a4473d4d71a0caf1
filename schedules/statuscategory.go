package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// ResourceStatusCategory holds the status sets of one aspect of resources.
type ResourceStatusCategory struct {
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	Name    string `json:"name"`    // 1 to MaxText characters
}

var statusCategoryRecords = records.Collection[ResourceStatusCategory]{
	Name:        "resource-status-categories",
	ID:          func(c *ResourceStatusCategory) string { return c.ID },
	MarkDeleted: func(c *ResourceStatusCategory) { c.Deleted = true },
}

var statusCategoryMissing = refuse.NotFound("ResourceStatusCategoryNotFound", "resourceStatusCategoryId", "resource status category")

var statusCategoryRules = rules[ResourceStatusCategory]{
	records: &statusCategoryRecords, noun: "resource status category", missing: statusCategoryMissing,
	clear: func(u *records.Update, s records.Scope, id string, budget *int) (whole bool, err error) {
		return statusSetRules.removeFound(u, s, "category", id, budget)
	},
}

// statusKinds are the sorts of change to one of the three kinds of records that
// resource statuses consist of.
type statusKinds[N creation[T], P patch[T], T any] struct {
	create kind[N, T]
	update kind[patched[P], T]
	remove kind[deletion, T]
}

func defineStatusKinds[N creation[T], P patch[T], T any](s *Service, name string, r *rules[T]) statusKinds[N, P, T] {
	return statusKinds[N, P, T]{
		create: creates[N](s, name+".create", r),
		update: updates[P](s, name+".update", r),
		remove: removes(s, name+".delete", r.missing.Target, r),
	}
}

// NewResourceStatusCategory asks for a status category.
type NewResourceStatusCategory struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name    string                      `json:"name"`
	Deleted twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

func (n NewResourceStatusCategory) record() *ResourceStatusCategory {
	return &ResourceStatusCategory{ID: n.ID, Name: n.Name}
}

func (n NewResourceStatusCategory) check(c *refuse.Checks) {
	asIs(c, "deleted", n.Deleted, false)
	c.ID("id", n.ID)
	c.Need("name", n.Name, MaxText)
}

// CreateResourceStatusCategory makes a status category. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name) or
// InvalidValue (id, name); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (s *Service) CreateResourceStatusCategory(ctx context.Context, scheduleID string, n NewResourceStatusCategory) (twinplatform.Result[ResourceStatusCategory], error) {
	n.ID = s.idOr(n.ID)
	return create(ctx, s.statusCategories.create, scheduleID, n.ID, n)
}

// ResourceStatusCategory returns a status category. Errors:
// ResourceStatusCategoryNotFound, also for a schedule that is missing or not for
// the caller to see.
func (s *Service) ResourceStatusCategory(ctx context.Context, scheduleID, categoryID string) (twinplatform.Record[ResourceStatusCategory], error) {
	return get(ctx, s, scheduleID, statusCategoryMissing, &statusCategoryRecords, categoryID)
}

// ResourceStatusCategoryQuery says which status categories to list.
type ResourceStatusCategoryQuery struct {
	twinplatform.ListOptions
}

// ResourceStatusCategories lists the status categories of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (s *Service) ResourceStatusCategories(ctx context.Context, scheduleID string, q ResourceStatusCategoryQuery) (twinplatform.Page[ResourceStatusCategory], error) {
	return list(ctx, s, scheduleID, scheduleMissing, &statusCategoryRecords,
		records.Query[ResourceStatusCategory]{ListOptions: q.ListOptions, Op: "resourceStatusCategories"}, nil)
}

// ResourceStatusCategoryPatch changes a status category: what is left out stays.
type ResourceStatusCategoryPatch struct {
	AsRead

	Name twinplatform.Optional[string] `json:"name,omitzero"` // not empty, up to MaxText characters
}

func (p ResourceStatusCategoryPatch) check(c *refuse.Checks) {
	if p.Name.Present() {
		c.Need("name", p.Name.Or(""), MaxText)
	}
}

func (p ResourceStatusCategoryPatch) apply(v *ResourceStatusCategory, _ *refuse.Checks) {
	p.Name.Apply(&v.Name)
}

// UpdateResourceStatusCategory changes a status category (PATCH). It needs
// PermissionModify.
//
// Errors: as CreateResourceStatusCategory without AlreadyExists;
// ResourceStatusCategoryNotFound; VersionMismatch.
func (s *Service) UpdateResourceStatusCategory(ctx context.Context, scheduleID, categoryID string, p ResourceStatusCategoryPatch, pre ...twinplatform.Precondition) (twinplatform.Result[ResourceStatusCategory], error) {
	return update(ctx, s.statusCategories.update, scheduleID, categoryID, twinplatform.IfMatchHeader(pre...), p)
}

// DeleteResourceStatusCategory deletes a status category with its sets and their
// items, as a long-running operation that goes in steps when it is large. It
// needs PermissionModify.
//
// Errors: ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// ResourceStatusCategoryNotFound.
func (s *Service) DeleteResourceStatusCategory(ctx context.Context, scheduleID, categoryID string) (twinplatform.Result[ResourceStatusCategory], error) {
	return remove(ctx, s.statusCategories.remove, scheduleID, "resourceStatusCategoryId", []string{categoryID})
}
