package transform

import (
	"context"
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// SavedView is an entry of the registry of saved views.
type SavedView struct {
	CreatedDateTime twinplatform.DateTime `json:"createdDateTime"` // set by the platform
	Deleted         bool                  `json:"deleted"`         // true in deltas alone
	DisplayName     string                `json:"displayName"`     // 1 to MaxName characters
	ID              string                `json:"id"`              // unique within the account; never changes
	// ModelID is the model that the view shows.
	ModelID string `json:"modelId"`
	// Shared views can be used by others than their maker, and by
	// transformations.
	Shared bool `json:"shared"`

	// AccountID is the account within which the id is unique, ModelAccountID the
	// one within which that of the model is; each is empty where the id is unique
	// over all accounts. They are not on the wire.
	AccountID      string `json:"-"`
	ModelAccountID string `json:"-"`
}

func (v *SavedView) key() string      { return key(v.AccountID, v.ID) }
func (v *SavedView) modelKey() string { return key(v.ModelAccountID, v.ModelID) }

type hiddenView SavedView

type hiddenViewFields struct {
	AccountID      string `json:"accountId"`
	ModelAccountID string `json:"modelAccountId"`
}

func (h *hiddenView) MarshalJSON() ([]byte, error) {
	return json.Marshal(hiddenViewFields{h.AccountID, h.ModelAccountID})
}

func (h *hiddenView) UnmarshalJSON(b []byte) error {
	var f hiddenViewFields
	err := json.Unmarshal(b, &f)
	h.AccountID, h.ModelAccountID = f.AccountID, f.ModelAccountID
	return err
}

var savedViewRecords = records.Collection[SavedView]{
	Name:        "saved-views",
	ID:          (*SavedView).key,
	Hidden:      func(v *SavedView) any { return (*hiddenView)(v) },
	MarkDeleted: func(v *SavedView) { v.Deleted = true },
	Indexes: []records.Index[SavedView]{
		{Name: "model", Value: (*SavedView).modelKey},
		{Name: calledIndex, Value: func(v *SavedView) string { return called(v.AccountID, v.ID) }},
	},
}

// NewSavedView asks for a saved view to be registered.
type NewSavedView struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// ModelID is required and names a model of the registry.
	ModelID string `json:"modelId"`
	// DisplayName is required and has at most 255 characters.
	DisplayName string `json:"displayName"`
	Shared      bool   `json:"shared"` // false for its maker alone
}

// CreateSavedView registers a saved view. It needs PermissionModelsWrite on the
// twin of the model.
//
// Errors: InvalidSavedViewRequest with MissingRequiredProperty (modelId,
// displayName) or InvalidValue; ModelNotFound; InsufficientPermissions;
// SavedViewExists.
func (s *Service) CreateSavedView(ctx context.Context, n NewSavedView) (res twinplatform.Result[SavedView], err error) {
	var c refuse.Checks
	c.ID("id", n.ID)
	c.Need("modelId", n.ModelID, MaxID)
	c.Need("displayName", n.DisplayName, MaxName)
	if err := c.Err(InvalidSavedViewRequest); err != nil {
		return res, err
	}
	view := SavedView{ID: n.ID, ModelID: n.ModelID, DisplayName: n.DisplayName, Shared: n.Shared, CreatedDateTime: s.now()}
	err = s.update(ctx, func(u *records.Update, c sight) error {
		rec, err := c.insertView(u, view)
		res.Records = []twinplatform.Record[SavedView]{rec}
		return err
	})
	if err != nil {
		return twinplatform.Result[SavedView]{}, err
	}
	return res, nil
}

// insertView adds a view to a model that the caller may change.
func (c sight) insertView(u *records.Update, view SavedView) (rec twinplatform.Record[SavedView], err error) {
	m, target, err := c.writableModel(view.ModelID)
	if err != nil {
		return rec, err
	}
	if view.ID == "" {
		view.ID = c.s.env.NewGUID()
	}
	if err := c.viewIsFree(target.AccountID, view.ID); err != nil {
		return rec, err
	}
	view.AccountID, view.ModelAccountID = target.AccountID, m.AccountID
	return savedViewRecords.Insert(u, area, &view)
}

// SavedView returns a registered saved view. It needs PermissionModelsRead on
// the twin of its model. Errors: SavedViewNotFound, also for a caller who may
// not see it; AmbiguousId where several accounts have the id, none of them the
// caller's.
func (s *Service) SavedView(ctx context.Context, savedViewID string) (rec twinplatform.Record[SavedView], err error) {
	err = s.view(ctx, func(v *records.View, c sight) error {
		view, err := c.savedView(savedViewID)
		if err != nil {
			return err
		}
		rec, err = savedViewRecords.Get(v, area, view.key())
		return err
	})
	return rec, err
}

// savedView returns the registered saved view that the caller means by an id.
func (c sight) savedView(id string) (*SavedView, error) {
	view, err := among(c, &savedViewRecords, id, c.accountOfView, func(v *SavedView) (bool, error) {
		m, err := valueOr(c.tx, &modelRecords, v.modelKey())
		if err != nil || m == nil {
			return false, err
		}
		return c.readable(m.TwinID)
	})
	if err == nil && view == nil {
		err = errNoSavedView.Err()
	}
	return view, err
}

// SavedViewQuery says which saved views to list.
type SavedViewQuery struct {
	twinplatform.ListOptions
	// ModelID lists the views of one model; required.
	ModelID string
}

// SavedViews lists the registered views of a model by id.
//
// Errors: InvalidSavedViewRequest with MissingRequiredProperty (modelId) or
// InvalidValue (top, continuation, delta); ModelNotFound.
func (s *Service) SavedViews(ctx context.Context, q SavedViewQuery) (page twinplatform.Page[SavedView], err error) {
	var c refuse.Checks
	c.Need("modelId", q.ModelID, MaxID)
	if err := c.Err(InvalidSavedViewRequest); err != nil {
		return page, err
	}
	err = s.view(ctx, func(v *records.View, c sight) error {
		m, err := c.readableModel(q.ModelID)
		if err != nil {
			return err
		}
		page, err = savedViewRecords.List(v, area, records.Query[SavedView]{
			ListOptions: q.ListOptions, Op: "savedViews", MaxTop: MaxTop, Index: "model", Equals: m.key(),
		})
		return paging.Listed(err, InvalidSavedViewRequest)
	})
	return page, err
}

// DeleteSavedView removes a saved view. Configurations that name it stay; to run
// one, it is to be given another view. It needs PermissionModelsWrite on the
// twin of the model.
//
// Errors: SavedViewNotFound; InsufficientPermissions.
func (s *Service) DeleteSavedView(ctx context.Context, savedViewID string) error {
	return s.update(ctx, func(u *records.Update, c sight) error {
		view, err := c.savedView(savedViewID)
		if err != nil {
			return err
		}
		m, err := valueOr(u, &modelRecords, view.modelKey())
		if err != nil {
			return err
		}
		target, _, err := c.Twin(m.TwinID)
		if err == nil {
			err = c.require(PermissionModelsWrite, target)
		}
		if err != nil {
			return err
		}
		return savedViewRecords.Delete(u, area, view.key())
	})
}

// viewsPerStep is how many saved views one transaction removes.
const viewsPerStep = 1_000

// clearSavedViews removes the views of a model, and reports whether there are
// more of them than one transaction removes.
func clearSavedViews(u *records.Update, modelKey string) (more bool, err error) {
	n := 0
	for id := range savedViewRecords.IDs(u, area, "model", modelKey) {
		if n++; n > viewsPerStep {
			return true, nil
		}
		if err := savedViewRecords.Delete(u, area, id); err != nil {
			return false, err
		}
	}
	return false, nil
}
