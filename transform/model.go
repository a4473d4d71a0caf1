package transform

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// Model is an entry of the registry of models.
type Model struct {
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"`
	Deleted         bool                    `json:"deleted"`
	Description     twinplatform.NullString `json:"description"`
	DisplayName     string                  `json:"displayName"`
	ID              string                  `json:"id"`
	// TwinID is the project that the model belongs to.
	TwinID string `json:"twinId"`
}

var modelRecords = records.Collection[Model]{
	Name:        "models",
	ID:          func(m *Model) string { return m.ID },
	MarkDeleted: func(m *Model) { m.Deleted = true },
	Indexes:     []records.Index[Model]{{Name: "twin", Value: func(m *Model) string { return m.TwinID }}},
}

// registry answers from the service's own models and saved views.
type registry struct{ s *Service }

var _ ModelDirectory = registry{}

func (r registry) LookupModel(ctx context.Context, modelID string) (m Model, ok bool, err error) {
	return lookup(ctx, r.s, &modelRecords, modelID)
}

func (r registry) LookupSavedView(ctx context.Context, savedViewID string) (v SavedView, ok bool, err error) {
	return lookup(ctx, r.s, &savedViewRecords, savedViewID)
}

func lookup[T any](ctx context.Context, s *Service, c *records.Collection[T], id string) (found T, ok bool, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		p, err := c.Value(v, area, id)
		if err == nil {
			found, ok = *p, true
		}
		return err
	})
	if errors.Is(err, records.ErrNotFound) {
		err = nil
	}
	return found, ok, err
}

// NewModel asks for a model to be registered.
type NewModel struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// TwinID is required and names a project.
	TwinID string `json:"twinId"`
	// DisplayName is required and has at most 255 characters.
	DisplayName string `json:"displayName"`
	// Description has at most 1,000 characters.
	Description twinplatform.NullString `json:"description"`
}

// CreateModel registers a model and tells models.modelCreated.v1. It needs
// PermissionModelsWrite on the twin.
//
// Errors: InvalidModelRequest with MissingRequiredProperty (twinId, displayName)
// or InvalidValue; TwinNotFound; InsufficientPermissions; ModelExists.
func (s *Service) CreateModel(ctx context.Context, n NewModel) (res twinplatform.Result[Model], err error) {
	var c refuse.Checks
	c.ID("id", n.ID)
	c.Need("twinId", n.TwinID, MaxID)
	c.Need("displayName", n.DisplayName, MaxName)
	c.AtMost("description", string(n.Description), MaxComment)
	if err := c.Err(errModel); err != nil {
		return res, err
	}
	twin, err := s.project(ctx, n.TwinID)
	if err != nil {
		return res, err
	}
	if !twin.visible {
		return res, errNoTwin.Err()
	}
	if err := s.require(ctx, PermissionModelsWrite, twin.target); err != nil {
		return res, err
	}
	m := Model{ID: n.ID, TwinID: n.TwinID, DisplayName: n.DisplayName, Description: n.Description, CreatedDateTime: s.now()}
	if m.ID == "" {
		m.ID = s.env.NewGUID()
	}
	event := s.modelEvent(ctx, "models.modelCreated.v1", m.ID, twin.target)
	err = s.db.Update(ctx, func(u *records.Update) error {
		rec, err := modelRecords.Insert(u, area, &m)
		if err != nil {
			return err
		}
		res.Records = []twinplatform.Record[Model]{rec}
		return u.Emit(event)
	})
	if errors.Is(err, records.ErrExists) {
		err = &twinplatform.Error{Kind: twinplatform.Conflict, Code: "ModelExists", Target: "id", Message: "A model with this id exists already."}
	}
	if err != nil {
		return twinplatform.Result[Model]{}, err
	}
	return res, nil
}

// require fails unless the caller holds a permission at the target.
func (s *Service) require(ctx context.Context, permission string, target twinplatform.Target) error {
	allowed, err := s.env.Allowed(ctx, permission, target)
	if err == nil && !allowed {
		err = refuse.Forbidden
	}
	return err
}

func (s *Service) modelEvent(ctx context.Context, eventType, modelID string, target twinplatform.Target) twinplatform.Event {
	p, _ := twinplatform.PrincipalFrom(ctx)
	content, _ := json.Marshal(struct {
		ModelID string `json:"modelId"`
		UserID  string `json:"userId"`
	}{modelID, p.ID})
	return twinplatform.Event{
		ID: s.env.NewGUID(), Type: eventType, TwinID: target.TwinID, AccountID: target.AccountID,
		Time: s.env.Now().UTC(), Content: content,
	}
}

// Model returns a registered model. It needs PermissionModelsRead on its twin.
// Errors: ModelNotFound, also for a caller who may not see it.
func (s *Service) Model(ctx context.Context, modelID string) (rec twinplatform.Record[Model], err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		rec, err = modelRecords.Get(v, area, modelID)
		return noModel("modelId").Or(err)
	})
	if err != nil {
		return rec, err
	}
	readable, err := s.readable(ctx, rec.Value.TwinID)
	if err == nil && !readable {
		err = noModel("modelId").Err()
	}
	if err != nil {
		return twinplatform.Record[Model]{}, err
	}
	return rec, nil
}

// readable reports whether the caller may read the models of a project.
func (s *Service) readable(ctx context.Context, twinID string) (bool, error) {
	twin, err := s.project(ctx, twinID)
	if err != nil || !twin.visible {
		return false, err
	}
	for _, permission := range []string{PermissionModelsRead, PermissionModelsWrite} {
		if allowed, err := s.env.Allowed(ctx, permission, twin.target); allowed || err != nil {
			return allowed, err
		}
	}
	return false, nil
}

// ModelQuery says which models to list.
type ModelQuery struct {
	twinplatform.ListOptions
	// TwinID lists the models of one project; required.
	TwinID string
}

// Models lists the registered models of a project by id. A project whose models
// the caller may not read has none.
//
// Errors: InvalidModelRequest with MissingRequiredProperty (twinId) or
// InvalidValue ($top, $continuationToken, $deltaToken).
func (s *Service) Models(ctx context.Context, q ModelQuery) (page twinplatform.Page[Model], err error) {
	var c refuse.Checks
	c.Need("twinId", q.TwinID, MaxID)
	if err := c.Err(errModel); err != nil {
		return page, err
	}
	readable, err := s.readable(ctx, q.TwinID)
	if err != nil {
		return page, err
	}
	query := records.Query[Model]{ListOptions: q.ListOptions, Op: "models", MaxTop: MaxTop, Index: "twin", Equals: q.TwinID}
	if !readable {
		query.Equals = nobody
	}
	err = s.db.View(ctx, func(v *records.View) error {
		page, err = modelRecords.List(v, area, query)
		return paging.Listed(err, errModel)
	})
	return page, err
}

// nobody is what nothing in an index is called.
const nobody = "\x00"

// DeleteModel removes a model with its saved views and tells
// models.modelDeleted.v1. It needs PermissionModelsWrite on its twin.
//
// Errors: ModelNotFound; InsufficientPermissions; ModelInUse while a
// configuration names the model.
func (s *Service) DeleteModel(ctx context.Context, modelID string) error {
	rec, err := s.Model(ctx, modelID)
	if err != nil {
		return err
	}
	twin, err := s.project(ctx, rec.Value.TwinID)
	if err != nil {
		return err
	}
	if err := s.require(ctx, PermissionModelsWrite, twin.target); err != nil {
		return err
	}
	event := s.modelEvent(ctx, "models.modelDeleted.v1", modelID, twin.target)
	for more := true; more && err == nil; {
		err = s.db.Update(ctx, func(u *records.Update) (err error) {
			more, err = removeModel(u, modelID, event)
			return err
		})
	}
	return err
}

// removeModel removes views of a model that nothing names, and with the last of
// them the model. It reports whether there are more views than one transaction
// removes.
func removeModel(u *records.Update, modelID string, event twinplatform.Event) (more bool, err error) {
	for _, index := range []string{"sourceModel", "targetModel"} {
		for range configurationRecords.IDs(u, area, index, modelID) {
			return false, &twinplatform.Error{
				Kind: twinplatform.Conflict, Code: "ModelInUse", Target: "modelId",
				Message: "A transformation configuration names the model. Delete that first.",
			}
		}
	}
	if more, err = clearSavedViews(u, modelID); more || err != nil {
		return more, err
	}
	if err := modelRecords.Delete(u, area, modelID); err != nil {
		return false, noModel("modelId").Or(err)
	}
	return false, u.Emit(event)
}
