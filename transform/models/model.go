package models

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// Model is an entry of the registry of models.
type Model struct {
	CreatedDateTime twinplatform.DateTime `json:"createdDateTime"` // set by the platform
	Deleted         bool                  `json:"deleted"`         // true in deltas alone
	// up to MaxComment characters; null when there is none
	Description twinplatform.NullString `json:"description"`
	DisplayName string                  `json:"displayName"` // 1 to MaxName characters
	ID          string                  `json:"id"`          // unique within the account; never changes
	// TwinID is the project that the model belongs to.
	TwinID string `json:"twinId"`

	// AccountID is the account within which the id is unique; empty where the
	// project has none: then it is unique over all. It is not on the wire.
	AccountID string `json:"-"`

	// Content names where the store keeps what the model holds. It is not on the wire.
	Content string `json:"-"`
}

func (m *Model) key() string { return area.Key(m.AccountID, m.ID) }

// content is where what the model holds is kept; empty while there is no such place.
func (m *Model) content() records.Scope { return records.Scope(m.Content) }

// makeContent makes a place for what the model will hold.
func (m *Model) makeContent(u *records.Update) error {
	in, err := u.NewScope("model", area.InAccount(m.AccountID))
	m.Content = string(in)
	return err
}

// contentOf is where what a model holds is kept, which is made where there is none.
func (c caller) contentOf(u *records.Update, m *Model) (records.Scope, error) {
	if m.Content != "" {
		return m.content(), nil
	}
	_, err := modelRecords.Modify(u, area.InAccount(m.AccountID), m.key(), "", func(stored *Model) error {
		err := stored.makeContent(u)
		m.Content = stored.Content
		return err
	})
	return m.content(), err
}

var modelRecords = records.Collection[Model]{
	Name:        "models",
	Part:        func(m *Model) string { return m.AccountID },
	ID:          (*Model).key,
	Hidden:      func(m *Model) any { return &hiddenModel{&m.AccountID, records.OmitZero[string]{Of: &m.Content}} },
	MarkDeleted: func(m *Model) { m.Deleted = true },
	Indexes: []records.Index[Model]{
		{Name: "twin", Value: func(m *Model) string { return m.TwinID }},
		{Name: calledIndex, Value: func(m *Model) string { return called(m.AccountID, m.ID) }},
	},
}

type hiddenModel struct {
	AccountID *string                  `json:"accountId"`
	Content   records.OmitZero[string] `json:"content,omitzero"`
}

var modelKind = entity.Kind[Model, NewModel, none]{
	Records: &modelRecords, One: "model", Many: "models", Resource: "model",
	Missing: area.NoModel("modelId"), Bad: &InvalidModelRequest,
	Members: func(m *Model, n *NewModel, _ *none) []entity.Member {
		return []entity.Member{
			entity.ID(&m.ID, &n.ID, nil),
			entity.Text("twinId", &m.TwinID, &n.TwinID, nil).Max(MaxID).Required().Refers(entity.Elsewhere("twins")),
			entity.Text("displayName", &m.DisplayName, &n.DisplayName, nil).Max(MaxName).Required(),
			entity.Text("description", &m.Description, &n.Description, nil).Max(MaxComment),
		}
	},
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

// CreateModel registers a model and emits models.modelCreated.v1. It needs
// PermissionModelsWrite on the twin.
//
// Errors: InvalidModelRequest with MissingRequiredProperty (twinId, displayName)
// or InvalidValue; TwinNotFound; InsufficientPermissions; ModelExists.
func (s *Service) CreateModel(ctx context.Context, n NewModel) (twinplatform.Result[Model], error) {
	return create(ctx, s, &modelKind, n, caller.insertModel)
}

// insertModel adds a model to a project that the caller may write to.
func (c caller) insertModel(u *records.Update, m Model) (rec twinplatform.Record[Model], err error) {
	twin, err := c.Project(m.TwinID)
	if err := twinMissing.Unless(twin.Visible, err); err != nil {
		return rec, err
	}
	if err := problem.Needs(PermissionModelsWrite).Unless(c.Allowed(PermissionModelsWrite, twin.Target)); err != nil {
		return rec, err
	}
	m.AccountID, m.CreatedDateTime = twin.Target.AccountID, c.s.now()
	if m.ID == "" {
		m.ID = c.newID()
	}
	if err := modelRegistry.free(c, m.AccountID, m.ID); err != nil {
		return rec, err
	}
	if err := m.makeContent(u); err != nil {
		return rec, err
	}
	if rec, err = modelRecords.Insert(u, area.InAccount(m.AccountID), &m); err != nil {
		return rec, err
	}
	return rec, c.Emit(u, twin.Target, c.changed(m.ID))
}

// Model returns a registered model. It needs PermissionModelsRead on its twin.
// Errors: ModelNotFound, also for a caller who may not see it; AmbiguousId where
// several accounts have the id, none of them the caller's.
func (s *Service) Model(ctx context.Context, modelID string) (twinplatform.Record[Model], error) {
	return read(ctx, s, func(c caller) (rec twinplatform.Record[Model], err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return rec, err
		}
		return modelRecords.Get(c.tx, area.InAccount(m.AccountID), m.key())
	})
}

// visibleModel returns the registered model that the caller means by an id. What the
// caller may not read does not exist for it.
func (c caller) visibleModel(id string) (*Model, error) {
	m, err := modelRegistry.resolve(c, id, c.Sees)
	return m, modelKind.Missing.Unless(m != nil, err)
}

// ModelQuery selects the models to list.
type ModelQuery struct {
	twinplatform.ListOptions
	// TwinID lists the models of one project; required.
	TwinID string
}

// Models lists the registered models of a project by id. A project whose models
// the caller may not read has none.
//
// Errors: InvalidModelRequest with MissingRequiredProperty (twinId) or
// InvalidValue (top, continuation, delta; twinId, if it is no GUID and the caller sees no
// models of a twin that is called so).
func (s *Service) Models(ctx context.Context, q ModelQuery) (page twinplatform.Page[Model], err error) {
	var c problem.Checks
	c.Need("twinId", q.TwinID, MaxID)
	if err := c.Err(InvalidModelRequest); err != nil {
		return page, err
	}
	return read(ctx, s, func(c caller) (page twinplatform.Page[Model], err error) {
		query := records.Query[Model]{ListOptions: q.ListOptions, Index: "twin", Equals: q.TwinID}
		project, _, err := c.Twin(q.TwinID)
		if err != nil {
			return page, err
		}
		p, _ := c.Caller()
		visible, err := c.Holds(p.AccountID, q.TwinID, PermissionModelsRead, PermissionModelsWrite)
		if err != nil {
			return page, err
		}
		if strange := problem.Strange("twinId", q.TwinID, visible); strange != nil {
			return page, problem.With(InvalidModelRequest, strange...)
		}
		if !visible {
			project.AccountID, query.Equals = p.AccountID, area.NoOne // whosever the twin is
		}
		judge.OwnAlone(c.Judge, &query, project.AccountID, func(m *Model) string { return m.AccountID })
		return modelKind.List(c.tx, area.InAccount(project.AccountID), paging, query)
	})
}
