package statuses

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
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

var statusCategoryMissing = problem.NotFound("ResourceStatusCategoryNotFound", "resourceStatusCategoryId",
	"resource status category")

var statusCategoryKind = entity.Kind[ResourceStatusCategory, NewResourceStatusCategory, ResourceStatusCategoryPatch]{
	Records: &statusCategoryRecords, One: "resourceStatusCategory", Many: "resourceStatusCategories",
	Resource: "resource status category",
	Missing:  statusCategoryMissing, Bad: &model.InvalidRequest,
	Members: func(v *ResourceStatusCategory, n *NewResourceStatusCategory,
		p *ResourceStatusCategoryPatch,
	) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Text("name", &v.Name, &n.Name, &p.Name).Max(model.MaxText).Required(),
		}
	},
	UsedWithin: unusedStatus(statusCategoryMissing, (*statusLook).ofCategory),
}

// NewResourceStatusCategory asks for a status category.
type NewResourceStatusCategory struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name    string                      `json:"name"`
	Deleted twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateResourceStatusCategory makes a status category. It needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name) or
// InvalidValue (id, name); ScheduleNotFound; InsufficientPermissions;
// ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateResourceStatusCategory(ctx context.Context,
	n NewResourceStatusCategory,
) (twinplatform.Result[ResourceStatusCategory], error) {
	return p.calls.categories.Create(ctx, p.id, n)
}

// ResourceStatusCategory returns a status category. Errors:
// ResourceStatusCategoryNotFound, also for a schedule that is missing or not for
// the caller to see.
func (p Plan) ResourceStatusCategory(ctx context.Context,
	categoryID string,
) (twinplatform.Record[ResourceStatusCategory], error) {
	return p.calls.categories.Get(ctx, p.id, categoryID)
}

// ResourceStatusCategoryQuery selects the status categories to list.
type ResourceStatusCategoryQuery struct {
	twinplatform.ListOptions
}

// ResourceStatusCategories lists the status categories of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) ResourceStatusCategories(ctx context.Context,
	q ResourceStatusCategoryQuery,
) (twinplatform.Page[ResourceStatusCategory], error) {
	return p.calls.categories.List(ctx, p.id, records.Query[ResourceStatusCategory]{ListOptions: q.ListOptions})
}

// ResourceStatusCategoryPatch changes a status category: what is left out stays.
type ResourceStatusCategoryPatch struct {
	model.AsRead

	Name twinplatform.Optional[string] `json:"name,omitzero"` // not empty, up to MaxText characters
}

// UpdateResourceStatusCategory changes a status category (PATCH). It needs
// PermissionModify.
//
// Errors: as CreateResourceStatusCategory without AlreadyExists;
// ResourceStatusCategoryNotFound; VersionMismatch.
func (p Plan) UpdateResourceStatusCategory(ctx context.Context, categoryID string, patch ResourceStatusCategoryPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceStatusCategory], error) {
	return p.calls.categories.Update(ctx, p.id, categoryID, patch, pre)
}

// DeleteResourceStatusCategory deletes a status category with its sets and their items,
// as a long-running operation that goes in steps when it is large. What is recorded of
// them while it continues goes with them. It needs PermissionModify.
//
// Errors: ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// ResourceStatusCategoryNotFound; VersionMismatch; ResourceStatusItemInUse, as of
// DeleteResourceStatusItem, for one of which a resource had a status.
func (p Plan) DeleteResourceStatusCategory(ctx context.Context, categoryID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceStatusCategory], error) {
	return p.calls.categories.Remove(ctx, p.id, []string{categoryID}, pre)
}
