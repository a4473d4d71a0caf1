package models

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Limits of tags.
const (
	MaxViewTags   = 1_000 // of a model
	MaxTagsOfView = 20    // of one saved view
)

// ViewTag is a word that saved views of a model are marked with.
type ViewTag struct {
	CreatedBy       twinplatform.NullString `json:"createdBy"`       // principal; null for the platform itself
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"` // set by the platform
	Deleted         bool                    `json:"deleted"`         // true in deltas alone
	DisplayName     string                  `json:"displayName"`     // 1 to MaxName characters
	ID              string                  `json:"id"`              // unique within the account; never changes
	ModelID         string                  `json:"modelId"`         // whose views it marks

	// AccountID is the account within which the id is unique, ModelAccountID the one
	// within which that of the model is. They are not on the wire.
	AccountID      string `json:"-"`
	ModelAccountID string `json:"-"`
}

// TagOfView is a tag as a saved view shows it.
type TagOfView struct {
	DisplayName string `json:"displayName"`
	ID          string `json:"id"`
}

func (t *ViewTag) place() place {
	return place{id: t.ID, accountID: t.AccountID, modelID: t.ModelID, modelAccountID: t.ModelAccountID}
}

var viewTagRecords = records.Collection[ViewTag]{
	Name:        "view-tags",
	Part:        func(t *ViewTag) string { return t.AccountID },
	ID:          func(t *ViewTag) string { return t.place().key() },
	Hidden:      func(t *ViewTag) any { return &hiddenView{&t.AccountID, &t.ModelAccountID} },
	MarkDeleted: func(t *ViewTag) { t.Deleted = true },
	Indexes: []records.Index[ViewTag]{
		{Name: "model", Value: func(t *ViewTag) string { return t.place().modelKey() }},
		{Name: calledIndex, Value: func(t *ViewTag) string { return called(t.AccountID, t.ID) }},
	},
}

// NewViewTag asks for a tag of saved views.
type NewViewTag struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// ModelID is required and names a model of the registry.
	ModelID string `json:"modelId"`
	// DisplayName is required and has at most 255 characters.
	DisplayName string `json:"displayName"`
}

// ViewTagPatch changes a tag of saved views: what is left out stays.
type ViewTagPatch struct {
	DisplayName twinplatform.Optional[string] `json:"displayName,omitzero"` // not empty, up to MaxName characters
}

var viewTagKind = entity.Kind[ViewTag, NewViewTag, ViewTagPatch]{
	Records: &viewTagRecords, One: "tag", Many: "tags", Resource: "tag",
	Missing: problem.NotFound("SavedViewTagNotFound", "tagId", "tag of saved views"), Bad: &InvalidSavedViewRequest,
	Members: func(t *ViewTag, n *NewViewTag, p *ViewTagPatch) []entity.Member {
		return []entity.Member{
			entity.ID(&t.ID, &n.ID, nil),
			entity.Text("modelId", &t.ModelID, &n.ModelID, nil).Max(MaxID).Required().Refers(&modelRecords),
			entity.Text("displayName", &t.DisplayName, &n.DisplayName, &p.DisplayName).Max(MaxName).Required(),
		}
	},
	AfterWrite: func(u *records.Update, _ records.Scope, t, stored *ViewTag) error {
		if t.DisplayName == stored.DisplayName {
			return nil
		}
		return t.place().changeTagged(u, func(v *SavedView, at int) { v.Tags[at].DisplayName = t.DisplayName })
	},
}

// changeTagged changes the views that have the tag of a place. No index finds them: the
// views of the model are read.
func (p place) changeTagged(u *records.Update, change func(v *SavedView, at int)) error {
	has := func(v *SavedView) bool { return slices.Contains(v.TagIDs, p.id) }
	return changeViews(u, p.scope(), "model", p.modelKey(), has,
		func(v *SavedView) { change(v, slices.Index(v.TagIDs, p.id)) })
}

var viewTags = ofModel[ViewTag, NewViewTag, ViewTagPatch]{
	registry: registry[ViewTag]{
		&viewTagRecords, func(_ caller, t *ViewTag) (string, error) { return t.AccountID, nil },
		func(t *ViewTag) string { return t.place().modelKey() },
		problem.Conflict("SavedViewTagExists", "id", "A tag with this id exists already."),
	},
	kind: &viewTagKind, place: (*ViewTag).place,
}

// CreateViewTag makes a tag of saved views (POST /saved-views/tags). It needs
// PermissionModelsWrite on the model or its twin.
//
// Errors: InvalidSavedViewRequest with MissingRequiredProperty (modelId, displayName)
// or InvalidValue; ModelNotFound; InsufficientPermissions; SavedViewTagExists;
// LimitExceeded for more than MaxViewTags.
func (s *Service) CreateViewTag(ctx context.Context, n NewViewTag) (twinplatform.Result[ViewTag], error) {
	return viewTags.create(ctx, s, n, MaxViewTags, func(t *ViewTag, m made) {
		t.ID, t.AccountID, t.ModelAccountID, t.CreatedBy, t.CreatedDateTime = m.id, m.accountID, m.modelAccountID, m.by,
			m.at
	})
}

// ViewTag returns a tag of saved views (GET /saved-views/tags/{tagId}). It needs
// PermissionModelsRead on the model or its twin. Errors: SavedViewTagNotFound, also for
// a caller who may not see it; AmbiguousId where several accounts have the id, none of
// them the caller's.
func (s *Service) ViewTag(ctx context.Context, tagID string) (twinplatform.Record[ViewTag], error) {
	return viewTags.get(ctx, s, tagID)
}

// ViewTagQuery selects the tags of saved views to list.
type ViewTagQuery struct {
	twinplatform.ListOptions
	// ModelID lists the tags of one model; required.
	ModelID string
}

// ViewTags lists the tags of saved views of a model by id (GET /saved-views/tags).
//
// Errors: InvalidSavedViewRequest with MissingRequiredProperty (modelId) or
// InvalidValue (top, continuation, delta); ModelNotFound.
func (s *Service) ViewTags(ctx context.Context, q ViewTagQuery) (twinplatform.Page[ViewTag], error) {
	return viewTags.list(ctx, s, q.ModelID, q.ListOptions, nil)
}

// UpdateViewTag changes a tag (PATCH /saved-views/tags/{tagId}), and how the views show
// it that have it. It needs PermissionModelsWrite on the model or its twin.
//
// Errors: InvalidSavedViewRequest with InvalidValue; SavedViewTagNotFound;
// InsufficientPermissions; VersionMismatch.
func (s *Service) UpdateViewTag(ctx context.Context, tagID string, p ViewTagPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ViewTag], error) {
	return viewTags.update(ctx, s, tagID, p, pre)
}

// DeleteViewTag removes a tag (DELETE /saved-views/tags/{tagId}), also from the views
// that have it. It needs PermissionModelsWrite on the model or its twin.
//
// Errors: SavedViewTagNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteViewTag(ctx context.Context, tagID string, pre ...twinplatform.Precondition) error {
	return viewTags.remove(ctx, s, tagID, pre, func(u *records.Update, _ caller, p place) error {
		return p.changeTagged(u, func(v *SavedView, at int) {
			v.TagIDs, v.Tags = slices.Delete(v.TagIDs, at, at+1), slices.Delete(v.Tags, at, at+1)
		})
	})
}
