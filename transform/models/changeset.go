package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// MaxChanges is how many elements one changeset inserts, updates and deletes at most
// where it is made by one call; a [Target] has no such limit.
const MaxChanges = 1_000

// MaxChangesBytes is how long the geometry and the properties of the elements of such
// a changeset may be together.
const MaxChangesBytes = 8 << 20

// Changeset is a change of a model. It never changes itself.
type Changeset struct {
	CreatedBy       twinplatform.NullString `json:"createdBy"`       // principal; null for the platform itself
	CreatedDateTime twinplatform.DateTime   `json:"createdDateTime"` // set by the platform
	Deleted         bool                    `json:"deleted"`         // true in deltas alone
	DeletedCount    int                     `json:"deletedCount"`    // elements that it deleted
	Description     twinplatform.NullString `json:"description"`     // up to MaxComment characters
	ElementCount    int                     `json:"elementCount"`    // elements in the model as of it
	// Extents hold the bounding boxes of all elements up to it. They grow and never
	// shrink; null while no element has taken space.
	Extents       *Box                    `json:"extents"`
	ID            string                  `json:"id"`            // unique within the model
	Index         int                     `json:"index"`         // 1 for the first changeset of the model
	InsertedCount int                     `json:"insertedCount"` // elements that it inserted
	ParentID      twinplatform.NullString `json:"parentId"`      // the changeset before it; null for the first
	UpdatedCount  int                     `json:"updatedCount"`  // elements that it updated
}

var changesetRecords = records.Collection[Changeset]{
	Name:        "changesets",
	ID:          func(c *Changeset) string { return inOrder(uint64(c.Index)) },
	MarkDeleted: func(c *Changeset) { c.Deleted = true },
	Indexes:     []records.Index[Changeset]{{Name: calledIndex, Value: func(c *Changeset) string { return c.ID }}},
}

// NewChangeset asks for a changeset.
type NewChangeset struct {
	// ID is chosen by the platform when empty: 40 hexadecimal digits then.
	ID string `json:"id"`
	// ParentID names the latest changeset of the model; empty means that one, whatever
	// it is.
	ParentID string `json:"parentId"`
	// Description has at most 1,000 characters.
	Description twinplatform.NullString `json:"description"`
	// Inserted are new elements. The parts of an element may come before it.
	Inserted []NewElement `json:"inserted"`
	// Updated are elements as they are to be, whole. Their geometry stays where it is
	// left out.
	Updated []ElementUpdate `json:"updated"`
	// Deleted are the ids of elements to delete. What is left may not be a part of
	// them, or have its code within them.
	Deleted []string `json:"deleted"`
}

var changesetKind = entity.Kind[Changeset, NewChangeset, none]{
	Records: &changesetRecords, One: "changeset", Many: "changesets", Resource: "changeset",
	Missing: problem.NotFound("ChangesetNotFound", "changesetId", "changeset"), Bad: &InvalidModelRequest,
	Members: func(c *Changeset, n *NewChangeset, _ *none) []entity.Member {
		return []entity.Member{
			entity.ID(&c.ID, &n.ID, nil),
			entity.Text("parentId", &c.ParentID, &n.ParentID, nil).Max(MaxID).Refers(&changesetRecords),
			entity.Text("description", &c.Description, &n.Description, nil).Max(MaxComment),
		}
	},
	AfterCreate: func(_ *Changeset, n *NewChangeset, c *problem.Checks) { n.check(c) },
}

var errChangesetExists = problem.Conflict("ChangesetExists", "id",
	"A changeset of the model with this id exists already.")

var errNotLatest = problem.Conflict("ChangesetConflict", "parentId",
	"The parent is not the latest changeset of the model. Read what has changed since, and ask again.")

// check reports the violations of the changes that show without the model.
func (n *NewChangeset) check(c *problem.Checks) {
	if len(n.Inserted)+len(n.Updated)+len(n.Deleted) > MaxChanges {
		c.Bad("inserted", "A changeset inserts, updates and deletes %d elements at most.", MaxChanges)
		return
	}
	seen := make(map[string]bool)
	once := func(id string) {
		if id != "" && seen[id] {
			c.Bad("id", "A changeset has the element '%s' once at most.", id)
		}
		seen[id] = true
	}
	size := 0
	for i := range n.Inserted {
		c.At("inserted", i)
		size += n.Inserted[i].check(c)
		once(n.Inserted[i].ID)
	}
	for i := range n.Updated {
		c.At("updated", i)
		c.Need("id", n.Updated[i].ID, MaxID)
		size += (*NewElement)(&n.Updated[i]).check(c)
		once(n.Updated[i].ID)
	}
	for i, id := range n.Deleted {
		c.At("deleted", i)
		c.Need("id", id, MaxID)
		once(id)
	}
	if c.At("", 0); size > MaxChangesBytes {
		c.Bad("inserted", "The elements of a changeset have %d bytes of geometry and properties at most.",
			MaxChangesBytes)
	}
}

// CreateChangeset changes a model and emits models.changesReady.v1. It needs
// PermissionModelsWrite on the model or its twin.
//
// Errors: InvalidModelRequest with InvalidValue or MissingRequiredProperty for each
// wrong property, as for an element that is there already, that is missing, that would
// be a part of one that is not there, or of itself; ModelNotFound;
// InsufficientPermissions; ChangesetExists; ChangesetConflict where ParentID is not
// the latest changeset; ChangesetInProgress while a transformation writes to the
// model.
func (s *Service) CreateChangeset(ctx context.Context, modelID string, n NewChangeset) (twinplatform.Result[Changeset],
	error,
) {
	ctx = s.reading(ctx, needsCalled(n.ID))
	return createIn(ctx, s, &changesetKind, modelID, n,
		func(c caller, u *records.Update, m *Model, at twinplatform.Target,
			v Changeset,
		) (rec twinplatform.Record[Changeset], err error) {
			if err := records.Large(u, len(n.Inserted)+len(n.Updated)+len(n.Deleted)); err != nil {
				return rec, err
			}
			in, err := c.contentOf(u, m)
			if err != nil {
				return rec, err
			}
			if v.ID, err = c.changesetID(u, in, v, m); err != nil {
				return rec, err
			}
			d, err := openDraft(u, in, v.ID)
			if err != nil {
				return rec, err
			}
			if err := d.apply(c, n); err != nil {
				return rec, err
			}
			p, _ := c.Caller()
			v.CreatedBy = twinplatform.NullString(p.ID)
			return c.commit(d, m, at, v)
		})
}

// changesetID is the id of a changeset that is to be made on top of the latest one.
func (c caller) changesetID(u *records.Update, in records.Scope, v Changeset, m *Model) (string, error) {
	state, err := stateOf(u, in)
	switch {
	case err != nil:
		return "", err
	case v.ID != "":
		for range changesetRecords.IDs(u, in, calledIndex, v.ID) {
			return "", errChangesetExists
		}
	}
	if v.ParentID != "" && string(v.ParentID) != state.ChangesetID {
		return "", errNotLatest
	}
	if v.ID != "" {
		return v.ID, nil
	}
	sum := sha256.Sum256([]byte(m.key() + "\n" + state.ChangesetID + "\n" + c.s.env.NewGUID()))
	return hex.EncodeToString(sum[:20]), nil
}

// apply makes the changes that were asked for.
func (d *draft) apply(c caller, n NewChangeset) error {
	var checks problem.Checks
	d.declareAll(&n)
	written := make([]target, 0, len(n.Inserted)+len(n.Updated))
	for i := range n.Inserted {
		w := target{"inserted", i, n.Inserted[i].ID}
		if w.id == "" {
			w.id = c.s.env.NewID()
		}
		if err := d.insert(&checks, w, &n.Inserted[i]); err != nil {
			return err
		}
		written = append(written, w)
	}
	for i := range n.Updated {
		w := target{"updated", i, n.Updated[i].ID}
		if err := d.update(&checks, w, (*NewElement)(&n.Updated[i])); err != nil {
			return err
		}
		written = append(written, w)
	}
	for i, id := range n.Deleted {
		if err := d.delete(&checks, target{"deleted", i, id}); err != nil {
			return err
		}
	}
	for i, id := range n.Deleted {
		if err := d.unused(&checks, target{"deleted", i, id}); err != nil {
			return err
		}
	}
	for _, w := range written {
		if err := d.validate(&checks, w); err != nil {
			return err
		}
	}
	return checks.Err(InvalidModelRequest)
}

// commit makes a draft the latest changeset of a model and emits its event.
func (c caller) commit(d *draft, m *Model, at twinplatform.Target, v Changeset) (rec twinplatform.Record[Changeset],
	err error,
) {
	s := d.state
	v.ParentID, v.Index = twinplatform.NullString(s.ChangesetID), int(d.at)
	v.CreatedDateTime = c.s.now()
	v.InsertedCount, v.UpdatedCount, v.DeletedCount = s.Draft.Inserted, s.Draft.Updated, s.Draft.Deleted
	v.ElementCount = s.Elements + v.InsertedCount - v.DeletedCount
	v.Extents = s.Draft.Extents
	*s = contentState{ID: stateID, Sequence: d.at, ChangesetID: v.ID, Elements: v.ElementCount, Extents: v.Extents}
	records.Declare(d.u, changesetRecords.NeedsOfNew(d.in, changesetRecords.ID(&v))...)
	if err := d.save(); err != nil {
		return rec, err
	}
	if rec, err = changesetRecords.Insert(d.u, d.in, &v); err != nil {
		return rec, err
	}
	return rec, c.Emit(d.u, at, event.ChangesReady{ChangesetID: v.ID, ChangesetIndex: v.Index, ModelID: m.ID})
}
