package statuses

import (
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// StatusHistoryItem records that a resource had a status from a time on. The newest one of
// a resource in a category is its current status there, which the 3D entities show that
// show the resource.
type StatusHistoryItem struct {
	// CriticalUntil is when IsCritical becomes false by itself. It is there only while that is
	// to come.
	CriticalUntil twinplatform.DateTime `json:"criticalUntil,omitzero"`
	Date          twinplatform.DateTime `json:"date"`    // when the resource came to the status; never changes
	Deleted       bool                  `json:"deleted"` // true in deltas alone
	ID            string                `json:"id"`      // unique in the schedule; never changes
	// IsCritical marks a status that needs attention, until it is cleared or CriticalUntil has
	// come.
	IsCritical       bool                  `json:"isCritical"`
	Note             string                `json:"note"`             // up to MaxText characters
	RecordDate       twinplatform.DateTime `json:"recordDate"`       // when it was recorded; set by the platform
	ResourceID       string                `json:"resourceId"`       // never changes
	StatusCategoryID string                `json:"statusCategoryId"` // that of the status item
	StatusItemID     string                `json:"statusItemId"`     // the status; never changes
}

// newer reports whether a status takes the place of another one of its resource and
// category: on the same date the one does that was recorded later.
func (h *StatusHistoryItem) newer(than *StatusHistoryItem) bool {
	if by := h.Date.Compare(than.Date.Time); by != 0 {
		return by > 0
	}
	if by := h.RecordDate.Compare(than.RecordDate.Time); by != 0 {
		return by > 0
	}
	return h.ID >= than.ID
}

// aspect is what a resource has one current status of.
func (h *StatusHistoryItem) aspect() string { return records.Join(h.ResourceID, h.StatusCategoryID) }

var historyRecords = records.Collection[StatusHistoryItem]{
	Name:        model.StatusHistory.Name,
	ID:          func(h *StatusHistoryItem) string { return h.ID },
	MarkDeleted: func(h *StatusHistoryItem) { h.Deleted = true },
	Indexes: []records.Index[StatusHistoryItem]{
		{Name: model.StatusOfResource, Value: func(h *StatusHistoryItem) string { return h.ResourceID }},
		{Name: "item", Value: func(h *StatusHistoryItem) string { return h.StatusItemID }},
		{Name: "aspect", Value: (*StatusHistoryItem).aspect},
		{Name: criticalUntil, Value: func(h *StatusHistoryItem) string { return model.Sortable(h.CriticalUntil) }},
	},
}

// currentStatuses hold the newest status of each resource in each category once
// more, so that a list of them, and its delta, costs what it shows.
var currentStatuses = records.Collection[StatusHistoryItem]{
	Name:        "resource-current-statuses",
	ID:          (*StatusHistoryItem).aspect,
	MarkDeleted: func(h *StatusHistoryItem) { h.Deleted = true },
}

var historyMissing = problem.NotFound("StatusHistoryItemNotFound", "statusHistoryItemId", "status history item")

var historyKind = entity.Kind[StatusHistoryItem, NewStatusHistoryItem, StatusHistoryItemPatch]{
	Records: &historyRecords, One: "statusHistoryItem", Many: "statusHistoryItems", Resource: "status history item",
	Missing: historyMissing, Bad: &model.InvalidRequest,
	Members: func(h *StatusHistoryItem, n *NewStatusHistoryItem, p *StatusHistoryItemPatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.ID(&h.ID, &n.ID, &p.ID),
			entity.Ref("resourceId", &h.ResourceID, &n.ResourceID, &p.ResourceID,
				model.Resources).Max(model.MaxText).Required().Owns(),
			entity.Ref("statusItemId", &h.StatusItemID, &n.StatusItemID, &p.StatusItemID, &statusItemRecords).
				Max(model.MaxText).Required().Owns(),
			entity.Text("statusCategoryId", &h.StatusCategoryID, &n.StatusCategoryID,
				&p.StatusCategoryID).Max(model.MaxText).
				Refers(&statusCategoryRecords),
			entity.Value("date", &h.Date, &n.Date, &p.Date).Blank(twinplatform.DateTime.IsZero).Required(),
			entity.Value("isCritical", &h.IsCritical, &n.IsCritical, &p.IsCritical),
			entity.Value(criticalUntil, &h.CriticalUntil, &n.CriticalUntil,
				&p.CriticalUntil).Blank(twinplatform.DateTime.IsZero),
			entity.Text("note", &h.Note, &n.Note, &p.Note).Max(model.MaxText),
			entity.Fixed("recordDate", &n.RecordDate, nil),
		}
	},
	AfterCreate: func(h *StatusHistoryItem, _ *NewStatusHistoryItem, c *problem.Checks) { h.endsAlone(c) },
	AfterUpdate: func(h, stored *StatusHistoryItem, p *StatusHistoryItemPatch, c *problem.Checks) {
		if !h.IsCritical && p.CriticalUntil.Or(twinplatform.DateTime{}).IsZero() {
			h.CriticalUntil = twinplatform.DateTime{}
		}
		h.endsAlone(c)
		problem.AsIs(c, "resourceId", p.ResourceID, stored.ResourceID)
		problem.AsIs(c, "statusItemId", p.StatusItemID, stored.StatusItemID)
		problem.AsIs(c, "statusCategoryId", p.StatusCategoryID, stored.StatusCategoryID)
		model.AsIsDate(c, "date", p.Date, stored.Date)
		model.AsIsDate(c, "recordDate", p.RecordDate, stored.RecordDate)
		h.ResourceID, h.StatusItemID, h.StatusCategoryID, h.Date = stored.ResourceID, stored.StatusItemID,
			stored.StatusCategoryID, stored.Date
	},
	Validate:   historyFits,
	AfterWrite: func(u *records.Update, s records.Scope, h, _ *StatusHistoryItem) error { return showCurrent(u, s, h) },
	Cascade:    clearCurrent,
}

// historyFits finds the category of the status of a new record.
func historyFits(tx records.Reading, s records.Scope, h, stored *StatusHistoryItem, c *problem.Checks) error {
	if stored != nil {
		return nil
	}
	category, err := categoryOf(tx, s, h.StatusItemID)
	switch {
	case errors.Is(err, records.ErrNotFound): // which is found already
	case err != nil:
		return err
	case h.StatusCategoryID != "" && h.StatusCategoryID != category:
		c.Bad("statusCategoryId", "The category has no such status item, which is of the category '%s'.", category)
	}
	h.StatusCategoryID = category
	return nil
}

// categoryOf is the category of the set of a status item.
func categoryOf(tx records.Reading, s records.Scope, itemID string) (string, error) {
	item, err := statusItemRecords.Value(tx, s, itemID)
	if err != nil {
		return "", err
	}
	set, err := statusSetRecords.Value(tx, s, item.StatusSetID)
	if err != nil {
		return "", err
	}
	return set.StatusCategoryID, nil
}

// showCurrent makes a status the current one of its resource and category, unless a
// newer one is.
func showCurrent(u *records.Update, s records.Scope, h *StatusHistoryItem) error {
	current, err := currentStatuses.Lookup(u, s, h.aspect())
	if err != nil || current != nil && current.ID != h.ID && !h.newer(current) {
		return err
	}
	_, err = currentStatuses.Put(u, s, h)
	return err
}

// clearCurrent lets the newest of the others be the current status, where one that is
// to be deleted was, and takes it from its place among them.
func clearCurrent(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error) {
	if more, err := step.More(); !more || err != nil {
		return false, err
	}
	h, err := historyRecords.Value(u, s, id)
	if err != nil {
		return false, err
	}
	if err := statusPlaces.Erase(u, s, h.place().id()); err != nil {
		return false, err
	}
	current, err := currentStatuses.Lookup(u, s, h.aspect())
	if err != nil || current == nil || current.ID != id {
		return err == nil, err
	}
	next, err := newestOf(u, s, h.aspect())
	if err != nil {
		return false, err
	}
	if next == nil {
		step.Spend(len(h.Note))
		return true, currentStatuses.Delete(u, s, h.aspect())
	}
	step.Spend(len(next.Note))
	_, err = currentStatuses.Put(u, s, next)
	return true, err
}

// recorded reports whether the history of a resource names one of the status items.
func recorded(tx records.Reading, s records.Scope, itemIDs ...string) bool {
	return slices.ContainsFunc(itemIDs, func(itemID string) bool {
		for range historyRecords.IDs(tx, s, "item", itemID) {
			return true
		}
		return false
	})
}

// historyOf defines the changes to the history of statuses.
func historyOf(area model.Area) *model.Family[StatusHistoryItem, NewStatusHistoryItem, StatusHistoryItemPatch] {
	f := model.FamilyOf(area, &historyKind).Accepted()
	f.One = model.DefineChange(area, "statusHistoryItem.create",
		func(u *records.Update, e *model.Edit[NewStatusHistoryItem, StatusHistoryItem]) error {
			h := historyKind.New(&e.Request)
			h.RecordDate = area.Now()
			rec, err := historyKind.Insert(u, e.Scope, h, &problem.Checks{})
			if err != nil {
				return err
			}
			e.Wrote(rec)
			if _, err := statusPlaces.Put(u, e.Scope, h.place()); err != nil {
				return err
			}
			if err := area.EndsAt(u, e.At, h.CriticalUntil); err != nil {
				return err
			}
			return showCurrent(u, e.Scope, h)
		}, "statusHistoryItems.create")
	f.Patches = model.DefineChange(area, "statusHistoryItem.update",
		func(u *records.Update, e *model.Edit[entity.Patched[StatusHistoryItemPatch], StatusHistoryItem]) error {
			r := &e.Request
			rec, err := historyKind.Modify(u, e.Scope, r.ID, r.IfMatch, &r.Patch)
			if err != nil {
				return err
			}
			e.Wrote(rec)
			return area.EndsAt(u, e.At, rec.Value.CriticalUntil)
		}, "statusHistoryItems.update")
	return f
}
