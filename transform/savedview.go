package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// SavedView is an entry of the registry of saved views.
type SavedView struct {
	// ChangesetID is the changeset of the model at which the view was made; null where
	// the model had none.
	ChangesetID     twinplatform.NullString `json:"changesetId"`
	ChangesetIndex  int                     `json:"changesetIndex"`  // 0 where there is no changeset
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"` // set by the platform
	Deleted         bool                    `json:"deleted"`         // true in deltas alone
	DisplayName     string                  `json:"displayName"`     // 1 to MaxName characters
	ID              string                  `json:"id"`              // unique within the account; never changes
	// ModelID is the model that the view shows.
	ModelID string `json:"modelId"`
	// Shared views can be used by others than their maker, and by
	// transformations.
	Shared bool `json:"shared"`
	View   View `json:"view"` // what it shows

	// AccountID is the account within which the id is unique, ModelAccountID the
	// one within which that of the model is; each is empty where the id is unique
	// over all accounts. They are not on the wire.
	AccountID      string `json:"-"`
	ModelAccountID string `json:"-"`
}

func (v *SavedView) key() string      { return key(v.AccountID, v.ID) }
func (v *SavedView) modelKey() string { return key(v.ModelAccountID, v.ModelID) }

var savedViewRecords = records.Collection[SavedView]{
	Name:        "saved-views",
	ID:          (*SavedView).key,
	Hidden:      func(v *SavedView) any { return &hiddenView{&v.AccountID, &v.ModelAccountID} },
	MarkDeleted: func(v *SavedView) { v.Deleted = true },
	Indexes: []records.Index[SavedView]{
		{Name: "model", Value: (*SavedView).modelKey},
		{Name: calledIndex, Value: func(v *SavedView) string { return called(v.AccountID, v.ID) }},
	},
	Upgrades: []records.Upgrade{
		records.Added("changesetId", "null"), records.Added("changesetIndex", "0"), records.Added("view", emptyView),
	},
}

// emptyView is the view of what was saved before views had any.
const emptyView = `{"alwaysDrawn":[],"categoryOverrides":[],"exclusive":false,"hiddenCategories":[],"hiddenModels":[],` +
	`"neverDrawn":[],"shownCategories":[],"shownModels":[]}`

type hiddenView struct {
	AccountID      *string `json:"accountId"`
	ModelAccountID *string `json:"modelAccountId"`
}

var savedViewKind = entity.Kind[SavedView, NewSavedView, none]{
	Records: &savedViewRecords, One: "savedView", Many: "savedViews", Noun: "saved view",
	Missing: problem.NotFound("SavedViewNotFound", "savedViewId", "saved view"), Bad: &InvalidSavedViewRequest,
	Members: func(v *SavedView, n *NewSavedView, _ *none) []entity.Member {
		return []entity.Member{
			entity.ID(&v.ID, &n.ID, nil),
			entity.Text("modelId", &v.ModelID, &n.ModelID, nil).Max(MaxID).Required(),
			entity.Text("displayName", &v.DisplayName, &n.DisplayName, nil).Max(MaxName).Required(),
			entity.Value("shared", &v.Shared, &n.Shared, nil),
			entity.Text("changesetId", &v.ChangesetID, &n.ChangesetID, nil).Max(MaxID),
			entity.Value("view", &v.View, &n.View, nil).Valid(func(c *problem.Checks, name string, v View) { v.check(c, name) }),
		}
	},
	Made: func(v *SavedView, _ *NewSavedView, _ *problem.Checks) { v.View = v.View.normal() },
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
	// ChangesetID is the latest changeset of the model when empty.
	ChangesetID string `json:"changesetId"`
	View        View   `json:"view"` // shows all when it is left out
}

// CreateSavedView registers a saved view. It needs PermissionModelsWrite on the
// twin of the model.
//
// Errors: InvalidSavedViewRequest with MissingRequiredProperty (modelId,
// displayName) or InvalidValue; ModelNotFound; ChangesetNotFound;
// InsufficientPermissions; SavedViewExists.
func (s *Service) CreateSavedView(ctx context.Context, n NewSavedView) (twinplatform.Result[SavedView], error) {
	return create(ctx, s, &savedViewKind, n, caller.insertView)
}

// insertView adds a view to a model that the caller may change.
func (c caller) insertView(u *records.Update, view SavedView) (twinplatform.Record[SavedView], error) {
	return c.insertViewAt(u, view, func(m *Model) (content, error) { return contentAt(u, m, string(view.ChangesetID)) })
}

// insertViewAt adds a view as of the content that it was made at.
func (c caller) insertViewAt(u *records.Update, view SavedView, as func(*Model) (content, error)) (rec twinplatform.Record[SavedView], err error) {
	m, target, err := c.changeableModel(view.ModelID)
	if err != nil {
		return rec, err
	}
	view.AccountID, view.ModelAccountID, view.CreatedDateTime = target.AccountID, m.AccountID, c.s.now()
	if view.ID == "" {
		view.ID = c.s.env.NewGUID()
	}
	if err := viewRegistry.free(c, view.AccountID, view.ID); err != nil {
		return rec, err
	}
	at, err := as(m)
	if err != nil {
		return rec, err
	}
	if view.ChangesetIndex = int(at.at); at.at > 0 {
		of, err := changesetRecords.Value(u, m.content(), inOrder(at.at))
		if err != nil {
			return rec, err
		}
		view.ChangesetID = twinplatform.NullString(of.ID)
	}
	return savedViewRecords.Insert(u, inAccount(view.AccountID), &view)
}

// SavedView returns a registered saved view. It needs PermissionModelsRead on
// the twin of its model. Errors: SavedViewNotFound, also for a caller who may
// not see it; AmbiguousId where several accounts have the id, none of them the
// caller's.
func (s *Service) SavedView(ctx context.Context, savedViewID string) (twinplatform.Record[SavedView], error) {
	return read(ctx, s, func(c caller) (rec twinplatform.Record[SavedView], err error) {
		view, err := c.visibleView(savedViewID)
		if err != nil {
			return rec, err
		}
		return savedViewRecords.Get(c.tx, inAccount(view.AccountID), view.key())
	})
}

// visibleView returns the registered saved view that the caller means by an id. What
// the caller may not read does not exist for it.
func (c caller) visibleView(id string) (*SavedView, error) {
	view, err := viewRegistry.resolve(c, id, func(v *SavedView) (bool, error) {
		m, err := modelRecords.Lookup(c.tx, inAccount(v.ModelAccountID), v.modelKey())
		if err != nil || m == nil {
			return false, err
		}
		return c.seesModel(m)
	})
	return view, savedViewKind.Missing.Unless(view != nil, err)
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
	var c problem.Checks
	c.Need("modelId", q.ModelID, MaxID)
	if err := c.Err(InvalidSavedViewRequest); err != nil {
		return page, err
	}
	return read(ctx, s, func(c caller) (page twinplatform.Page[SavedView], err error) {
		m, err := c.visibleModel(q.ModelID)
		if err != nil {
			return page, err
		}
		return savedViewKind.List(c.tx, inAccount(m.AccountID), paging, records.Query[SavedView]{ListOptions: q.ListOptions, Index: "model", Equals: m.key()})
	})
}

// DeleteSavedView removes a saved view. Configurations that name it stay; to run
// one, it is to be given another view. It needs PermissionModelsWrite on the
// twin of the model.
//
// Errors: SavedViewNotFound; InsufficientPermissions.
func (s *Service) DeleteSavedView(ctx context.Context, savedViewID string) error {
	return s.update(ctx, func(u *records.Update, c caller) error {
		view, err := c.visibleView(savedViewID)
		if err != nil {
			return err
		}
		m, err := modelRecords.Value(u, inAccount(view.ModelAccountID), view.modelKey())
		if err == nil {
			_, err = c.changeable(m)
		}
		if err != nil {
			return err
		}
		return savedViewRecords.Delete(u, inAccount(view.AccountID), view.key())
	})
}
