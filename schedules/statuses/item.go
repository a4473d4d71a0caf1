package statuses

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// ResourceStatusItem is a status that a resource can have, and how it makes the
// resource look.
type ResourceStatusItem struct {
	// Color is in the form #rrggbb.
	Color   string `json:"color"`
	Deleted bool   `json:"deleted"` // true in deltas alone
	ID      string `json:"id"`      // unique in the schedule; never changes
	// IsVisible reports whether resources with the item are shown.
	IsVisible bool   `json:"isVisible"`
	Name      string `json:"name"` // 1 to MaxText characters
	// StatusSetID is the set that the item is in.
	StatusSetID string `json:"statusSetId"`
	// Transparency is 0 (opaque) to 100 percent. It applies while
	// UseOriginalTransparency is false.
	Transparency            int32 `json:"transparency"`
	UseOriginalTransparency bool  `json:"useOriginalTransparency"` // true leaves Transparency without effect
}

var statusItemRecords = records.Collection[ResourceStatusItem]{
	Name:        model.StatusItems.Name,
	ID:          func(v *ResourceStatusItem) string { return v.ID },
	MarkDeleted: func(v *ResourceStatusItem) { v.Deleted = true },
	Indexes: []records.Index[ResourceStatusItem]{{
		Name:  "set",
		Value: func(v *ResourceStatusItem) string { return v.StatusSetID },
	}},
}

var statusItemMissing = problem.NotFound("ResourceStatusItemNotFound", "resourceStatusItemId", "resource status item")

var statusItemKind = entity.Kind[ResourceStatusItem, NewResourceStatusItem, ResourceStatusItemPatch]{
	Records: &statusItemRecords, One: "resourceStatusItem", Many: "resourceStatusItems",
	Resource: "resource status item",
	Missing:  statusItemMissing, Bad: &model.InvalidRequest,
	Members: func(v *ResourceStatusItem, n *NewResourceStatusItem, p *ResourceStatusItemPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Text("name", &v.Name, &n.Name, &p.Name).Max(model.MaxText).Required(),
			entity.Ref("statusSetId", &v.StatusSetID, &n.StatusSetID, &p.StatusSetID, &statusSetRecords).
				Max(model.MaxText).Required().Owns(),
			entity.Text("color", &v.Color, &n.Color, &p.Color).Max(model.MaxText).Required().Valid(model.CheckColor,
				model.Color),
			entity.Pointer("isVisible", &v.IsVisible, &n.IsVisible, &p.IsVisible).Default(true),
			entity.Value("transparency", &v.Transparency, &n.Transparency,
				&p.Transparency).Valid(model.CheckTransparency, schema.Range(0, 100)),
			entity.Value("useOriginalTransparency", &v.UseOriginalTransparency, &n.UseOriginalTransparency,
				&p.UseOriginalTransparency),
		}
	},
	Validate:   statusItemFits,
	UsedWithin: unusedStatus(statusItemMissing, (*statusLook).ofItem),
}

// statusItemFits checks that the set of an item is there, and that an item which
// resources had stays in its category.
func statusItemFits(tx records.Reading, s records.Scope, v, stored *ResourceStatusItem, c *problem.Checks) error {
	if stored == nil || stored.StatusSetID == v.StatusSetID {
		return nil
	}
	set, err := statusSetRecords.Lookup(tx, s, v.StatusSetID)
	if err != nil || set == nil {
		return err
	}
	before, err := categoryOf(tx, s, v.ID)
	if err == nil && before != set.StatusCategoryID && recorded(tx, s, v.ID) {
		c.Bad("statusSetId", "Resources had the status: it stays in the category '%s'.", before)
	}
	return err
}

// NewResourceStatusItem asks for a status item. Null and left out are the same
// in it.
type NewResourceStatusItem struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name, StatusSetID and Color are required.
	Name        string `json:"name"`
	StatusSetID string `json:"statusSetId"`
	// Color is in the form #rrggbb.
	Color string `json:"color"`
	// IsVisible is true when nil.
	IsVisible *bool `json:"isVisible"`
	// Transparency is 0 to 100.
	Transparency int32 `json:"transparency"`
	// true leaves Transparency without effect
	UseOriginalTransparency bool                        `json:"useOriginalTransparency"`
	Deleted                 twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// CreateResourceStatusItem makes a status item. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name,
// statusSetId, color) or InvalidValue (id, name, color, transparency, and
// statusSetId for a set that does not exist); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateResourceStatusItem(ctx context.Context,
	n NewResourceStatusItem,
) (twinplatform.Result[ResourceStatusItem], error) {
	return p.calls.items.Create(ctx, p.id, n)
}

// ResourceStatusItem returns a status item. Errors: ResourceStatusItemNotFound,
// also for a schedule that is missing or not for the caller to see.
func (p Plan) ResourceStatusItem(ctx context.Context, itemID string) (twinplatform.Record[ResourceStatusItem], error) {
	return p.calls.items.Get(ctx, p.id, itemID)
}

// ResourceStatusItemQuery selects the status items to list.
type ResourceStatusItemQuery struct {
	twinplatform.ListOptions
	// Name lists the items whose name equals or contains it, in upper or lower
	// case.
	Name string
	// StatusSetID lists the items of one set.
	StatusSetID string
}

func (q ResourceStatusItemQuery) query(op string) records.Query[ResourceStatusItem] {
	query := records.Query[ResourceStatusItem]{ListOptions: q.ListOptions, Op: op}
	if q.StatusSetID != "" {
		query.Index, query.Equals = "set", q.StatusSetID
	}
	model.NarrowName(&query, q.Name, func(v *ResourceStatusItem) string { return v.Name })
	return query
}

// ResourceStatusItems lists the status items of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) ResourceStatusItems(ctx context.Context,
	q ResourceStatusItemQuery,
) (twinplatform.Page[ResourceStatusItem], error) {
	return p.calls.items.List(ctx, p.id, q.query("resourceStatusItems"))
}

// ResourceStatusItemsOf lists the status items of a set by id (S3, technical
// preview). Of the query it takes the options alone.
//
// Errors: ResourceStatusSetNotFound, also for a schedule that is missing or not
// for the caller to see; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) ResourceStatusItemsOf(ctx context.Context, setID string,
	q ResourceStatusItemQuery,
) (twinplatform.Page[ResourceStatusItem], error) {
	q.Name, q.StatusSetID = "", setID
	return p.calls.items.ListOf(ctx, p.id, statusSetMissing, model.Exists(&statusSetRecords, setID),
		q.query("resourceStatusItemsOf"))
}

// ResourceStatusItemPatch changes a status item: what is left out stays.
type ResourceStatusItemPatch struct {
	model.AsRead

	Name twinplatform.Optional[string] `json:"name,omitzero"` // not empty, up to MaxText characters
	// StatusSetID moves the item to another set, of the same category once a resource
	// had the status.
	StatusSetID twinplatform.Optional[string] `json:"statusSetId,omitzero"`
	// Color is in the form #rrggbb.
	Color twinplatform.Optional[string] `json:"color,omitzero"`
	// Null makes the item visible.
	IsVisible twinplatform.Optional[bool] `json:"isVisible,omitzero"`
	// Transparency is 0 to 100; null clears it to 0.
	Transparency twinplatform.Optional[int32] `json:"transparency,omitzero"`
	// null makes it false
	UseOriginalTransparency twinplatform.Optional[bool] `json:"useOriginalTransparency,omitzero"`
}

// UpdateResourceStatusItem changes a status item (PATCH). It needs
// PermissionModify.
//
// Errors: as CreateResourceStatusItem without AlreadyExists;
// ResourceStatusItemNotFound; VersionMismatch.
func (p Plan) UpdateResourceStatusItem(ctx context.Context, itemID string, patch ResourceStatusItemPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceStatusItem], error) {
	return p.calls.items.Update(ctx, p.id, itemID, patch, pre)
}

// DeleteResourceStatusItem deletes a status item that no resource had, as a
// long-running operation. It needs PermissionModify.
//
// Errors: ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// ResourceStatusItemNotFound; VersionMismatch; ResourceStatusItemInUse while the history
// of a resource has the status, with a detail for each of its records, whose target is the
// id of the status history item. It names 20 at most.
func (p Plan) DeleteResourceStatusItem(ctx context.Context, itemID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ResourceStatusItem], error) {
	return p.calls.items.Remove(ctx, p.id, []string{itemID}, pre)
}
