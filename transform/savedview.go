package transform

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// SavedView is an entry of the registry of saved views.
type SavedView struct {
	CreatedDateTime twinplatform.DateTime `json:"createdDateTime"`
	Deleted         bool                  `json:"deleted"`
	DisplayName     string                `json:"displayName"`
	ID              string                `json:"id"`
	// ModelID is the model that the view shows.
	ModelID string `json:"modelId"`
	// Shared views can be used by others than their maker, and by
	// transformations.
	Shared bool `json:"shared"`
}

var savedViewRecords = records.Collection[SavedView]{
	Name:        "saved-views",
	ID:          func(v *SavedView) string { return v.ID },
	MarkDeleted: func(v *SavedView) { v.Deleted = true },
	Indexes:     []records.Index[SavedView]{{Name: "model", Value: func(v *SavedView) string { return v.ModelID }}},
}

// NewSavedView asks for a saved view to be registered.
type NewSavedView struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// ModelID is required and names a model of the registry.
	ModelID string `json:"modelId"`
	// DisplayName is required and has at most 255 characters.
	DisplayName string `json:"displayName"`
	Shared      bool   `json:"shared"`
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
	if err := c.Err(errSavedView); err != nil {
		return res, err
	}
	if err := s.mayWriteModel(ctx, n.ModelID); err != nil {
		return res, err
	}
	view := SavedView{ID: n.ID, ModelID: n.ModelID, DisplayName: n.DisplayName, Shared: n.Shared, CreatedDateTime: s.now()}
	if view.ID == "" {
		view.ID = s.env.NewGUID()
	}
	err = s.db.Update(ctx, func(u *records.Update) error {
		has, err := modelRecords.Has(u, area, n.ModelID)
		if err != nil {
			return err
		}
		if !has {
			return noModel("modelId").Err()
		}
		rec, err := savedViewRecords.Insert(u, area, &view)
		res.Records = []twinplatform.Record[SavedView]{rec}
		return err
	})
	if errors.Is(err, records.ErrExists) {
		err = &twinplatform.Error{Kind: twinplatform.Conflict, Code: "SavedViewExists", Target: "id", Message: "A saved view with this id exists already."}
	}
	if err != nil {
		return twinplatform.Result[SavedView]{}, err
	}
	return res, nil
}

// mayWriteModel fails unless the caller may change a model of the registry.
func (s *Service) mayWriteModel(ctx context.Context, modelID string) error {
	rec, err := s.Model(ctx, modelID)
	if err != nil {
		return err
	}
	twin, err := s.project(ctx, rec.Value.TwinID)
	if err != nil {
		return err
	}
	return s.require(ctx, PermissionModelsWrite, twin.target)
}

// SavedView returns a registered saved view. It needs PermissionModelsRead on
// the twin of its model. Errors: SavedViewNotFound, also for a caller who may
// not see it.
func (s *Service) SavedView(ctx context.Context, savedViewID string) (rec twinplatform.Record[SavedView], err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		rec, err = savedViewRecords.Get(v, area, savedViewID)
		return errNoSavedView.Or(err)
	})
	if err != nil {
		return rec, err
	}
	if _, err := s.Model(ctx, rec.Value.ModelID); errors.Is(err, twinplatform.NotFound) {
		return twinplatform.Record[SavedView]{}, errNoSavedView.Err()
	} else if err != nil {
		return twinplatform.Record[SavedView]{}, err
	}
	return rec, nil
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
// InvalidValue ($top, $continuationToken, $deltaToken); ModelNotFound.
func (s *Service) SavedViews(ctx context.Context, q SavedViewQuery) (page twinplatform.Page[SavedView], err error) {
	var c refuse.Checks
	c.Need("modelId", q.ModelID, MaxID)
	if err := c.Err(errSavedView); err != nil {
		return page, err
	}
	if _, err := s.Model(ctx, q.ModelID); err != nil {
		return page, err
	}
	err = s.db.View(ctx, func(v *records.View) error {
		page, err = savedViewRecords.List(v, area, records.Query[SavedView]{
			ListOptions: q.ListOptions, Op: "savedViews", MaxTop: MaxTop, Index: "model", Equals: q.ModelID,
		})
		return paging.Listed(err, errSavedView)
	})
	return page, err
}

// DeleteSavedView removes a saved view. Configurations that name it stay; to run
// one, it is to be given another view. It needs PermissionModelsWrite on the
// twin of the model.
//
// Errors: SavedViewNotFound; InsufficientPermissions.
func (s *Service) DeleteSavedView(ctx context.Context, savedViewID string) error {
	rec, err := s.SavedView(ctx, savedViewID)
	if err != nil {
		return err
	}
	if err := s.mayWriteModel(ctx, rec.Value.ModelID); err != nil {
		return err
	}
	return s.db.Update(ctx, func(u *records.Update) error {
		return errNoSavedView.Or(savedViewRecords.Delete(u, area, savedViewID))
	})
}

// viewsPerStep is how many saved views one transaction removes.
const viewsPerStep = 1_000

// clearSavedViews removes the views of a model, and reports whether there are
// more of them than one transaction removes.
func clearSavedViews(u *records.Update, modelID string) (more bool, err error) {
	n := 0
	for id := range savedViewRecords.IDs(u, area, "model", modelID) {
		if n++; n > viewsPerStep {
			return true, nil
		}
		if err := savedViewRecords.Delete(u, area, id); err != nil {
			return false, err
		}
	}
	return false, nil
}
