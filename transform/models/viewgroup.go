package models

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// MaxViewGroups is how many groups of saved views a model has.
const MaxViewGroups = 1_000

// ViewGroup is a group of saved views of a model. A view is in one group or in none.
type ViewGroup struct {
	CreatedBy       twinplatform.NullString `json:"createdBy"`       // principal; null for the platform itself
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"` // set by the platform
	Deleted         bool                    `json:"deleted"`         // true in deltas alone
	DisplayName     string                  `json:"displayName"`     // 1 to MaxName characters
	ID              string                  `json:"id"`              // unique within the account; never changes
	ModelID         string                  `json:"modelId"`         // whose views it holds
	// Shared reports whether the group is meant for others than its maker.
	Shared bool `json:"shared"`

	// AccountID is the account within which the id is unique, ModelAccountID the one
	// within which that of the model is. They are not on the wire.
	AccountID      string `json:"-"`
	ModelAccountID string `json:"-"`
}

func (g *ViewGroup) place() place {
	return place{id: g.ID, accountID: g.AccountID, modelID: g.ModelID, modelAccountID: g.ModelAccountID}
}

var viewGroupRecords = records.Collection[ViewGroup]{
	Name:        "view-groups",
	Part:        func(g *ViewGroup) string { return g.AccountID },
	ID:          func(g *ViewGroup) string { return g.place().key() },
	Hidden:      func(g *ViewGroup) any { return &hiddenView{&g.AccountID, &g.ModelAccountID} },
	MarkDeleted: func(g *ViewGroup) { g.Deleted = true },
	Indexes: []records.Index[ViewGroup]{
		{Name: "model", Value: func(g *ViewGroup) string { return g.place().modelKey() }},
		{Name: calledIndex, Value: func(g *ViewGroup) string { return called(g.AccountID, g.ID) }},
	},
}

// NewViewGroup asks for a group of saved views.
type NewViewGroup struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// ModelID is required and names a model of the registry.
	ModelID string `json:"modelId"`
	// DisplayName is required and has at most 255 characters.
	DisplayName string `json:"displayName"`
	Shared      bool   `json:"shared"` // false for its maker alone
}

// ViewGroupPatch changes a group of saved views: what is left out stays.
type ViewGroupPatch struct {
	DisplayName twinplatform.Optional[string] `json:"displayName,omitzero"` // not empty, up to MaxName characters
	Shared      twinplatform.Optional[bool]   `json:"shared,omitzero"`
}

var viewGroupKind = entity.Kind[ViewGroup, NewViewGroup, ViewGroupPatch]{
	Records: &viewGroupRecords, One: "group", Many: "groups", Resource: "group",
	Missing: problem.NotFound("SavedViewGroupNotFound", "groupId", "group of saved views"),
	Bad:     &InvalidSavedViewRequest,
	Members: func(g *ViewGroup, n *NewViewGroup, p *ViewGroupPatch) []entity.Member {
		return []entity.Member{
			entity.ID(&g.ID, &n.ID, nil),
			entity.Text("modelId", &g.ModelID, &n.ModelID, nil).Max(MaxID).Required().Refers(&modelRecords),
			entity.Text("displayName", &g.DisplayName, &n.DisplayName, &p.DisplayName).Max(MaxName).Required(),
			entity.Value("shared", &g.Shared, &n.Shared, &p.Shared),
		}
	},
}

var viewGroups = ofModel[ViewGroup, NewViewGroup, ViewGroupPatch]{
	registry: registry[ViewGroup]{
		&viewGroupRecords, func(_ caller, g *ViewGroup) (string, error) { return g.AccountID, nil },
		func(g *ViewGroup) string { return g.place().modelKey() },
		problem.Conflict("SavedViewGroupExists", "id", "A group with this id exists already."),
	},
	kind: &viewGroupKind, place: (*ViewGroup).place,
}

// CreateViewGroup makes a group of saved views (POST /saved-views/groups). It needs
// PermissionModelsWrite on the model or its twin.
//
// Errors: InvalidSavedViewRequest with MissingRequiredProperty (modelId, displayName)
// or InvalidValue; ModelNotFound; InsufficientPermissions; SavedViewGroupExists;
// LimitExceeded for more than MaxViewGroups.
func (s *Service) CreateViewGroup(ctx context.Context, n NewViewGroup) (twinplatform.Result[ViewGroup], error) {
	return viewGroups.create(ctx, s, n, MaxViewGroups, func(g *ViewGroup, m made) {
		g.ID, g.AccountID, g.ModelAccountID, g.CreatedBy, g.CreatedDateTime = m.id, m.accountID, m.modelAccountID, m.by,
			m.at
	})
}

// ViewGroup returns a group of saved views (GET /saved-views/groups/{groupId}). It needs
// PermissionModelsRead on the model or its twin. Errors: SavedViewGroupNotFound, also
// for a caller who may not see it; AmbiguousId where several accounts have the id, none
// of them the caller's.
func (s *Service) ViewGroup(ctx context.Context, groupID string) (twinplatform.Record[ViewGroup], error) {
	return viewGroups.get(ctx, s, groupID)
}

// ViewGroupQuery selects the groups of saved views to list.
type ViewGroupQuery struct {
	twinplatform.ListOptions
	// ModelID lists the groups of one model; required.
	ModelID string
}

// ViewGroups lists the groups of saved views of a model by id (GET
// /saved-views/groups).
//
// Errors: InvalidSavedViewRequest with MissingRequiredProperty (modelId) or
// InvalidValue (top, continuation, delta); ModelNotFound.
func (s *Service) ViewGroups(ctx context.Context, q ViewGroupQuery) (twinplatform.Page[ViewGroup], error) {
	return viewGroups.list(ctx, s, q.ModelID, q.ListOptions, nil)
}

// UpdateViewGroup changes a group of saved views (PATCH /saved-views/groups/{groupId}).
// It needs PermissionModelsWrite on the model or its twin.
//
// Errors: InvalidSavedViewRequest with InvalidValue; SavedViewGroupNotFound;
// InsufficientPermissions; VersionMismatch.
func (s *Service) UpdateViewGroup(ctx context.Context, groupID string, p ViewGroupPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ViewGroup], error) {
	return viewGroups.update(ctx, s, groupID, p, pre)
}

// DeleteViewGroup removes a group (DELETE /saved-views/groups/{groupId}). Its views stay,
// in no group. It needs PermissionModelsWrite on the model or its twin.
//
// Errors: SavedViewGroupNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteViewGroup(ctx context.Context, groupID string, pre ...twinplatform.Precondition) error {
	return viewGroups.remove(ctx, s, groupID, pre, func(u *records.Update, _ caller, p place) error {
		of := func(v *SavedView) bool { return v.modelKey() == p.modelKey() }
		return changeViews(u, p.scope(), groupIndex, p.key(), of, func(v *SavedView) { v.GroupID = "" })
	})
}
