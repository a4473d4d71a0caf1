package models

import (
	"context"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
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
	// Extensions are what programs keep with the view, by name. [Service.ViewExtension]
	// has their data.
	Extensions []ExtensionOfView       `json:"extensions"`
	GroupID    twinplatform.NullString `json:"groupId"` // of the model; null for a view in no group
	ID         string                  `json:"id"`      // unique within the account; never changes
	// ModelID is the model that the view shows; null for a view of a twin alone.
	ModelID twinplatform.NullString `json:"modelId"`
	// Data are the view as a viewer sent it; left out where it sent none.
	Data ViewData `json:"savedViewData,omitzero"`
	// Shared views can be used by others than their maker, and by
	// transformations.
	Shared bool `json:"shared"`
	// TagIDs and Tags are the tags of the view, by id.
	TagIDs []string    `json:"tagIds"`
	Tags   []TagOfView `json:"tags"`
	// TwinID names the twin to which the view belongs: the twin of its model, where it has
	// one.
	TwinID string `json:"twinId,omitzero"`
	View   View   `json:"view"` // what it shows, as transformations read it

	// AccountID names the account within which the id of the view is unique, ModelAccountID
	// the account within which the id of its model is. Each is empty where the id is unique
	// over all accounts. Neither is on the wire.
	AccountID      string `json:"-"`
	ModelAccountID string `json:"-"`
}

func (v *SavedView) place() place {
	p := place{id: v.ID, accountID: v.AccountID, modelID: string(v.ModelID), modelAccountID: v.ModelAccountID}
	if v.ModelID == "" {
		p.twinID = v.TwinID
	}
	return p
}

func (v *SavedView) key() string      { return v.place().key() }
func (v *SavedView) modelKey() string { return v.place().modelKey() }

// groupIndex finds the views of a group.
const groupIndex = "group"

func (v *SavedView) groupKey() string {
	if v.GroupID == "" {
		return ""
	}
	return area.Key(v.AccountID, string(v.GroupID))
}

var savedViewRecords = records.Collection[SavedView]{
	Name:        "saved-views",
	Part:        func(v *SavedView) string { return v.AccountID },
	ID:          (*SavedView).key,
	Hidden:      func(v *SavedView) any { return &hiddenView{&v.AccountID, &v.ModelAccountID} },
	MarkDeleted: func(v *SavedView) { v.Deleted = true },
	Indexes: []records.Index[SavedView]{
		{Name: "model", Value: (*SavedView).modelKey},
		{Name: "twin", Value: func(v *SavedView) string { return v.place().twinID }},
		{Name: calledIndex, Value: func(v *SavedView) string { return called(v.AccountID, v.ID) }},
		{Name: groupIndex, Value: (*SavedView).groupKey},
	},
}

type hiddenView struct {
	AccountID      *string `json:"accountId"`
	ModelAccountID *string `json:"modelAccountId"`
}

var savedViewKind = entity.Kind[SavedView, NewSavedView, SavedViewPatch]{
	Records: &savedViewRecords, One: "savedView", Many: "savedViews", Resource: "saved view",
	Missing: area.NoView(), Bad: &InvalidSavedViewRequest,
	Members: func(v *SavedView, n *NewSavedView, p *SavedViewPatch) []entity.Member {
		return []entity.Member{
			entity.ID(&v.ID, &n.ID, nil),
			entity.Text("modelId", &v.ModelID, &n.ModelID, nil).Max(MaxID).Refers(&modelRecords),
			entity.Text("twinId", &v.TwinID, &n.TwinID, nil).Max(MaxID).Refers(entity.Elsewhere("twins")),
			entity.Text("displayName", &v.DisplayName, &n.DisplayName, &p.DisplayName).Max(MaxName).Required(),
			entity.Value("shared", &v.Shared, &n.Shared, &p.Shared),
			entity.Text("groupId", &v.GroupID, &n.GroupID, &p.GroupID).Max(MaxID).Refers(&viewGroupRecords),
			entity.Set("tagIds", &v.TagIDs, &n.TagIDs, &p.TagIDs).Valid(checkTagIDs,
				schema.List(0, MaxTagsOfView, schema.Value{})).Refers(&viewTagRecords),
			entity.Text("changesetId", &v.ChangesetID, &n.ChangesetID, nil).Max(MaxID).Refers(&changesetRecords),
			entity.Value("view", &v.View, &n.View,
				&p.View).Valid(func(c *problem.Checks, name string, v View) { v.check(c, name) }),
			entity.Value("savedViewData", &v.Data, &n.Data,
				&p.Data).Valid(func(c *problem.Checks, name string, d ViewData) { d.check(c, name) }),
		}
	},
	AfterCreate: func(v *SavedView, _ *NewSavedView, c *problem.Checks) {
		if v.ModelID == "" && v.TwinID == "" {
			c.Missing("modelId")
		}
		v.View, v.Extensions = v.View.Normal(), []ExtensionOfView{}
		if v.View.showsAll() {
			v.View = v.Data.shown()
		}
	},
	AfterUpdate: func(v, stored *SavedView, p *SavedViewPatch, _ *problem.Checks) {
		if v.View = v.View.Normal(); !p.View.Present() && v.Data != stored.Data &&
			reflect.DeepEqual(v.View, stored.Data.shown()) {
			v.View = v.Data.shown()
		}
	},
	Validate: savedViewFits,
	Cascade: func(u *records.Update, s records.Scope, key string, step *records.Step) (whole bool, err error) {
		step.Spend(0)
		return true, clearView(u, s, key)
	},
}

func checkTagIDs(c *problem.Checks, name string, ids []string) {
	if len(ids) > MaxTagsOfView {
		c.Bad(name, "A saved view has %d tags at most.", MaxTagsOfView)
	}
}

// savedViewFits checks that the group and the tags of a view belong to the same model as
// the view, and copies the names of the tags into it.
func savedViewFits(tx records.Reading, _ records.Scope, v, _ *SavedView, c *problem.Checks) error {
	if v.GroupID != "" {
		g, err := viewGroups.sibling(tx, v, string(v.GroupID))
		if err != nil {
			return err
		}
		if g == nil {
			c.Bad("groupId", "The model has no group '%s'.", v.GroupID)
		}
	}
	v.Tags = make([]TagOfView, len(v.TagIDs))
	for i, id := range v.TagIDs {
		t, err := viewTags.sibling(tx, v, id)
		switch {
		case err != nil:
			return err
		case t == nil:
			c.Bad("tagIds", "The model has no tag '%s'.", id)
		default:
			v.Tags[i] = TagOfView{t.DisplayName, t.ID}
		}
	}
	return nil
}

// savedViews registers the saved views of all models.
var savedViews = ofModel[SavedView, NewSavedView, SavedViewPatch]{
	registry: registry[SavedView]{
		&savedViewRecords, caller.accountOfView, (*SavedView).modelKey,
		problem.Conflict("SavedViewExists", "id", "A saved view with this id exists already."),
	},
	kind: &savedViewKind, place: (*SavedView).place,
}

// NewSavedView asks for a saved view to be registered.
type NewSavedView struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// ModelID names a model of the registry. It is required without TwinID.
	ModelID string `json:"modelId"`
	// TwinID names a twin: that of the model or, without a model, the one that the view
	// is of.
	TwinID string `json:"twinId,omitzero"`
	// DisplayName is required and has at most 255 characters.
	DisplayName string `json:"displayName"`
	Shared      bool   `json:"shared"` // false for its maker alone
	// ChangesetID is the latest changeset of the model when empty.
	ChangesetID string `json:"changesetId"`
	// GroupID names a group of the model; null and empty mean none.
	GroupID twinplatform.NullString `json:"groupId"`
	// TagIDs name tags of the model, at most MaxTagsOfView.
	TagIDs []string `json:"tagIds"`
	// If View is left out, it follows from the categories, models and emphasis of Data;
	// without these everything is shown.
	View View `json:"view"`
	// Data have at most 256 KiB as JSON, and are at most MaxViewDataDepth deep.
	Data ViewData `json:"savedViewData,omitzero"`
}

// SavedViewPatch changes a saved view: what is left out stays. Its changeset stays the
// one at which it was made.
type SavedViewPatch struct {
	DisplayName twinplatform.Optional[string] `json:"displayName,omitzero"` // not empty, up to MaxName characters
	Shared      twinplatform.Optional[bool]   `json:"shared,omitzero"`
	// a group of the model; null takes it out of its group
	GroupID twinplatform.Optional[string]   `json:"groupId,omitzero"`
	TagIDs  twinplatform.Optional[[]string] `json:"tagIds,omitzero"` // in place of all; tags of the model
	View    twinplatform.Optional[View]     `json:"view,omitzero"`   // in place of the whole
	// Data replace all data; null clears them. A view that was derived from its data
	// follows them unless View is given.
	Data twinplatform.Optional[ViewData] `json:"savedViewData,omitzero"`
}

// CreateSavedView registers a saved view of a model, or of a twin alone. It needs
// PermissionModelsWrite on the twin or the model.
//
// Errors: InvalidSavedViewRequest with MissingRequiredProperty (modelId,
// displayName) or InvalidValue, also for a twin that is not that of the model;
// ModelNotFound; TwinNotFound; ChangesetNotFound; InsufficientPermissions;
// SavedViewExists.
func (s *Service) CreateSavedView(ctx context.Context, n NewSavedView) (twinplatform.Result[SavedView], error) {
	return create(ctx, s, &savedViewKind, n, caller.insertView)
}

// insertView adds a view to a model that the caller may change.
func (c caller) insertView(u *records.Update, view SavedView) (twinplatform.Record[SavedView], error) {
	return c.insertViewAt(u, view, func(m *Model) (content, error) { return contentAt(u, m, string(view.ChangesetID)) })
}

// insertViewAt adds a view as of the content that it was made at.
func (c caller) insertViewAt(u *records.Update, view SavedView,
	as func(*Model) (content, error),
) (rec twinplatform.Record[SavedView], err error) {
	if view.ModelID == "" {
		return c.insertTwinView(u, view)
	}
	savedViews.expectNew(c, view.place())
	m, target, err := c.changeableModel(string(view.ModelID))
	if err != nil {
		return rec, err
	}
	if view.TwinID != "" && view.TwinID != m.TwinID {
		var checks problem.Checks
		checks.Bad("twinId", "The model is of another twin.")
		return rec, checks.Err(InvalidSavedViewRequest)
	}
	view.TwinID = m.TwinID
	view.AccountID, view.ModelAccountID, view.CreatedDateTime = target.AccountID, m.AccountID, c.s.now()
	if view.ID == "" {
		view.ID = c.newID()
	}
	if err := savedViews.free(c, view.AccountID, view.ID); err != nil {
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
	return savedViewKind.Insert(u, area.InAccount(view.AccountID), &view, &problem.Checks{})
}

// insertTwinView adds a view of a twin without a model.
func (c caller) insertTwinView(u *records.Update, view SavedView) (rec twinplatform.Record[SavedView], err error) {
	twin, err := c.Project(view.TwinID)
	if err := twinMissing.Unless(twin.Visible, err); err != nil {
		return rec, err
	}
	if err := problem.Needs(PermissionModelsWrite).Unless(c.Allowed(PermissionModelsWrite, twin.Target)); err != nil {
		return rec, err
	}
	if view.ChangesetID != "" {
		var checks problem.Checks
		checks.Bad("changesetId", "A view of a twin without a model has no changeset.")
		return rec, checks.Err(InvalidSavedViewRequest)
	}
	view.AccountID, view.CreatedDateTime = twin.Target.AccountID, c.s.now()
	if view.ID == "" {
		view.ID = c.newID()
	}
	if err := savedViews.free(c, view.AccountID, view.ID); err != nil {
		return rec, err
	}
	return savedViewKind.Insert(u, area.InAccount(view.AccountID), &view, &problem.Checks{})
}

// RestoreSavedView is CreateSavedView for a view that was elsewhere: without a
// ChangesetID it was made when the model had none, and not as of the latest one. The
// REST API has no operation for it.
func (s *Service) RestoreSavedView(ctx context.Context, n NewSavedView) (twinplatform.Result[SavedView], error) {
	return create(ctx, s, &savedViewKind, n,
		func(c caller, u *records.Update, view SavedView) (twinplatform.Record[SavedView], error) {
			return c.insertViewAt(u, view, func(m *Model) (content, error) {
				if view.ChangesetID == "" {
					return content{tx: u, in: m.content()}, nil
				}
				return contentAt(u, m, string(view.ChangesetID))
			})
		})
}

// SavedView returns a registered saved view. It needs PermissionModelsRead on
// the twin of its model. Errors: SavedViewNotFound, also for a caller who may
// not see it; AmbiguousId where several accounts have the id, none of them the
// caller's.
func (s *Service) SavedView(ctx context.Context, savedViewID string) (twinplatform.Record[SavedView], error) {
	return savedViews.get(ctx, s, savedViewID)
}

// SavedViewQuery selects the saved views to list.
type SavedViewQuery struct {
	twinplatform.ListOptions
	// ModelID lists the views of one model. It is required without TwinID.
	ModelID string
	// TwinID lists the views of a twin that belong to no model. Together with ModelID it
	// names the twin of that model.
	TwinID string
	// GroupID lists the views of one group of the model.
	GroupID string
}

// SavedViews lists the registered views of a model, or those of a twin that are of no
// model, by id. It needs PermissionModelsRead on the model or the twin.
//
// Errors: InvalidSavedViewRequest with MissingRequiredProperty (modelId) or
// InvalidValue (twinId, top, continuation, delta); ModelNotFound; TwinNotFound.
func (s *Service) SavedViews(ctx context.Context, q SavedViewQuery) (twinplatform.Page[SavedView], error) {
	if q.ModelID == "" && q.TwinID != "" {
		return s.viewsOfTwin(ctx, q)
	}
	return savedViews.list(ctx, s, q.ModelID, q.ListOptions,
		func(c caller, m *Model, query *records.Query[SavedView]) error {
			if q.TwinID != "" && q.TwinID != m.TwinID {
				var checks problem.Checks
				checks.Bad("twinId", "The model is of another twin.")
				return checks.Err(InvalidSavedViewRequest)
			}
			if q.GroupID == "" {
				return nil
			}
			query.Filter = q.GroupID
			query.Match = func(v *SavedView) bool { return string(v.GroupID) == q.GroupID && v.modelKey() == m.key() }
			account, err := c.accountOfModel(m)
			query.In(groupIndex, area.Key(account, q.GroupID))
			return err
		})
}

// viewsOfTwin lists the views of a twin that are of no model. Of a twin whose models the
// caller may not read there is nothing.
func (s *Service) viewsOfTwin(ctx context.Context, q SavedViewQuery) (page twinplatform.Page[SavedView], err error) {
	var checks problem.Checks
	checks.AtMost("twinId", q.TwinID, MaxID)
	if q.GroupID != "" {
		checks.Bad("groupId", "Groups are of models.")
	}
	if err := checks.Err(InvalidSavedViewRequest); err != nil {
		return page, err
	}
	return read(ctx, s, func(c caller) (page twinplatform.Page[SavedView], err error) {
		p, _ := c.Caller()
		twin, err := c.ProjectOf(p.AccountID, q.TwinID)
		if err != nil {
			return page, err
		}
		if strange := problem.Strange("twinId", q.TwinID, twin.Visible); strange != nil {
			return page, problem.With(InvalidSavedViewRequest, strange...)
		}
		if err := twinMissing.Unless(twin.Visible, nil); err != nil {
			return page, err
		}
		query := records.Query[SavedView]{ListOptions: q.ListOptions, Index: "twin", Equals: q.TwinID}
		if may, err := c.AllowedAny(twin.Target, PermissionModelsRead, PermissionModelsWrite); err != nil {
			return page, err
		} else if !may {
			query.Equals = area.NoOne
		}
		judge.OwnAlone(c.Judge, &query, twin.Target.AccountID, func(v *SavedView) string { return v.AccountID })
		return savedViewKind.List(c.tx, area.InAccount(twin.Target.AccountID), paging, query)
	})
}

// UpdateSavedView changes a saved view (PATCH /saved-views/{savedViewId}).
// Transformations that run from then on are filtered by what it shows now. It needs
// PermissionModelsWrite on the model or its twin.
//
// Errors: InvalidSavedViewRequest with InvalidValue, also for a group or a tag that the
// model does not have; SavedViewNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) UpdateSavedView(ctx context.Context, savedViewID string, p SavedViewPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[SavedView], error) {
	return savedViews.update(ctx, s, savedViewID, p, pre)
}

// DeleteSavedView removes a saved view with its extensions and its image (DELETE
// /saved-views/{savedViewId}). It needs PermissionModelsWrite on the model or its twin.
//
// Errors: SavedViewNotFound; InsufficientPermissions; VersionMismatch; SavedViewInUse while
// a transformation configuration filters by the view, with a detail for each that the
// caller may see, whose target is the id of the configuration. It names 20 at most.
func (s *Service) DeleteSavedView(ctx context.Context, savedViewID string, pre ...twinplatform.Precondition) error {
	return savedViews.remove(ctx, s, savedViewID, pre, func(u *records.Update, c caller, p place) error {
		if err := c.s.uses.ViewUnused(c.Judge, u, p.modelKey(), p.id); err != nil {
			return err
		}
		return clearView(u, p.scope(), p.key())
	})
}
