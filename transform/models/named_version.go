package models

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// NamedVersion is a changeset of a model that has a name.
type NamedVersion struct {
	ChangesetID     string                  `json:"changesetId"`
	ChangesetIndex  int                     `json:"changesetIndex"`
	CreatedBy       twinplatform.NullString `json:"createdBy"`       // principal; null for the platform itself
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"` // set by the platform
	Deleted         bool                    `json:"deleted"`         // true in deltas alone
	Description     twinplatform.NullString `json:"description"`     // up to MaxComment characters
	ID              string                  `json:"id"`              // unique within the model
	Name            string                  `json:"name"`            // 1 to MaxName characters; unique within the model
}

var namedVersionRecords = records.Collection[NamedVersion]{
	Name:        "named-versions",
	ID:          func(v *NamedVersion) string { return v.ID },
	MarkDeleted: func(v *NamedVersion) { v.Deleted = true },
	Indexes:     []records.Index[NamedVersion]{{Name: "name", Value: func(v *NamedVersion) string { return v.Name }}},
}

// NewNamedVersion asks for a name of a changeset.
type NewNamedVersion struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required and has at most 255 characters.
	Name string `json:"name"`
	// ChangesetID is the latest changeset when empty.
	ChangesetID string `json:"changesetId"`
	// Description has at most 1,000 characters.
	Description twinplatform.NullString `json:"description"`
}

var namedVersionKind = entity.Kind[NamedVersion, NewNamedVersion, none]{
	Records: &namedVersionRecords, One: "namedVersion", Many: "namedVersions", Resource: "named version",
	Missing: problem.NotFound("NamedVersionNotFound", "namedVersionId", "named version"), Bad: &InvalidModelRequest,
	Members: func(v *NamedVersion, n *NewNamedVersion, _ *none) []entity.Member {
		return []entity.Member{
			entity.ID(&v.ID, &n.ID, nil),
			entity.Text("name", &v.Name, &n.Name, nil).Max(MaxName).Required(),
			entity.Text("changesetId", &v.ChangesetID, &n.ChangesetID, nil).Max(MaxID).Refers(&changesetRecords),
			entity.Text("description", &v.Description, &n.Description, nil).Max(MaxComment),
		}
	},
}

// namedVersionExists refuses a named version for the property that another of the model has.
func namedVersionExists(property string) error {
	return problem.Conflict("NamedVersionExists", property,
		"A named version of the model with this "+property+" exists already.")
}

// CreateNamedVersion names a changeset and emits models.namedVersionCreated.v1. It needs
// PermissionModelsWrite on the model or its twin.
//
// Errors: InvalidModelRequest with MissingRequiredProperty (name) or InvalidValue;
// ModelNotFound; ChangesetNotFound, also for a model without changesets;
// InsufficientPermissions; NamedVersionExists, whose target is what another version of
// the model has: id or name.
func (s *Service) CreateNamedVersion(ctx context.Context, modelID string,
	n NewNamedVersion,
) (twinplatform.Result[NamedVersion], error) {
	return createIn(ctx, s, &namedVersionKind, modelID, n, caller.insertNamedVersion)
}

// insertNamedVersion names a changeset of a model.
func (c caller) insertNamedVersion(u *records.Update, m *Model, at twinplatform.Target,
	v NamedVersion,
) (rec twinplatform.Record[NamedVersion], err error) {
	of, err := changesetOr(u, m, v.ChangesetID)
	if err != nil {
		return rec, err
	}
	if v.ID == "" {
		v.ID = c.newID()
	}
	p, _ := c.Caller()
	v.ChangesetID, v.ChangesetIndex, v.CreatedBy, v.CreatedDateTime = of.ID, of.Index, twinplatform.NullString(p.ID),
		c.s.now()
	records.Declare(u, namedVersionRecords.NeedsOfNew(m.content(), v.ID)...)
	records.Declare(u, namedVersionRecords.NeedsIndexed(m.content(), "name", v.Name)...)
	taken, err := namedVersionRecords.Has(u, m.content(), v.ID)
	if err != nil {
		return rec, err
	}
	named := false
	for range namedVersionRecords.IDs(u, m.content(), "name", v.Name) {
		named = true
	}
	switch {
	case taken:
		return rec, namedVersionExists("id")
	case named:
		return rec, namedVersionExists("name")
	}
	if rec, err = namedVersionRecords.Insert(u, m.content(), &v); err != nil {
		return rec, err
	}
	return rec, c.Emit(u, at, event.NamedVersionCreated{
		ChangesetID: v.ChangesetID, ChangesetIndex: v.ChangesetIndex, ModelID: m.ID, UserID: p.ID, VersionID: v.ID,
	})
}

// changesetOr is a changeset of a model; an empty id means the latest.
func changesetOr(tx records.Reading, m *Model, id string) (*Changeset, error) {
	at, err := contentAt(tx, m, id)
	if err != nil {
		return nil, err
	}
	of, err := changesetRecords.Lookup(tx, m.content(), inOrder(at.at))
	return of, changesetKind.Missing.Unless(of != nil, err)
}

// NamedVersion returns a named version of a model. It needs PermissionModelsRead on
// the model or its twin. Errors: ModelNotFound; NamedVersionNotFound.
func (s *Service) NamedVersion(ctx context.Context, modelID, namedVersionID string) (twinplatform.Record[NamedVersion],
	error,
) {
	ctx = s.reading(ctx, func(_ records.Reading, in records.Scope) []records.Need {
		return namedVersionRecords.Needs(in, namedVersionID)
	})
	return read(ctx, s, func(c caller) (rec twinplatform.Record[NamedVersion], err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return rec, err
		}
		return namedVersionKind.Get(c.tx, m.content(), namedVersionID)
	})
}

// NamedVersionQuery selects the named versions to list.
type NamedVersionQuery struct {
	twinplatform.ListOptions
}

// NamedVersions lists the named versions of a model by id. It needs
// PermissionModelsRead on the model or its twin.
//
// Errors: ModelNotFound; InvalidModelRequest with InvalidValue (top, continuation,
// delta).
func (s *Service) NamedVersions(ctx context.Context, modelID string,
	q NamedVersionQuery,
) (twinplatform.Page[NamedVersion], error) {
	query := records.Query[NamedVersion]{ListOptions: q.ListOptions}
	ctx = s.reading(ctx, func(tx records.Reading, in records.Scope) []records.Need {
		return namedVersionRecords.NeedsOfList(tx, in, query)
	})
	return read(ctx, s, func(c caller) (page twinplatform.Page[NamedVersion], err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return page, err
		}
		return namedVersionKind.List(c.tx, m.content(), paging, query)
	})
}
