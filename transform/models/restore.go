package models

import (
	"context"
	"iter"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// RestoredChangeset is a changeset as it was elsewhere.
type RestoredChangeset struct {
	// ID is required.
	ID string
	// Description has at most 1,000 characters.
	Description twinplatform.NullString
	// Extents widen those of the changeset: elements may have taken space that they have
	// left since.
	Extents *Box
	// Changes are what it did, each element once, in any order. Restoring fails with the
	// first failure among them. Nil is no change.
	Changes iter.Seq2[RestoredChange, error]
}

// RestoredChange is what a changeset did to an element.
type RestoredChange struct {
	Kind ChangeKind
	// Element is what it became; of one that was deleted, its id. The id is required, and
	// geometry that an update leaves out stays as it was.
	Element NewElement
	Aspects []Aspect // of the element
}

// RestoreChangeset makes a changeset that a model had elsewhere its latest one, as a
// seed or a migration does: it may be of any size and of no change at all, and elements
// have the aspects that transformations have noted at them. It is read a part at a time
// and invisible before it is whole; while it is written, no other caller changes the
// model, and what an interrupted call has written goes with the model. It needs
// PermissionModelsWrite on the model or its twin. The REST API has no operation for it.
//
// Errors: InvalidModelRequest with InvalidValue or MissingRequiredProperty, as for
// CreateChangeset; ModelNotFound; InsufficientPermissions; ChangesetExists;
// ChangesetInProgress.
func (s *Service) RestoreChangeset(ctx context.Context, modelID string,
	r RestoredChangeset,
) (rec twinplatform.Record[Changeset], err error) {
	if err := checkDraft(r.ID, string(r.Description)); err != nil {
		return rec, err
	}
	own, err := s.own(ctx, modelID)
	if err != nil {
		return rec, err
	}
	// The draft is this call's own from here on.
	if err := own.Write(ctx, r.ID, func(Draft) error { return nil }); err != nil {
		return rec, err
	}
	if err = own.restore(ctx, r); err == nil {
		rec, err = own.restored(ctx, r)
	}
	if err != nil && ctx.Err() == nil {
		if err := own.Discard(ctx, r.ID); err != nil {
			return rec, err
		}
	}
	return rec, err
}

// restore writes the changes of a changeset to its draft.
func (o ownModel) restore(ctx context.Context, r RestoredChangeset) error {
	var batch []RestoredChange
	size := 0
	flush := func() error {
		err := o.restoreSome(ctx, r.ID, batch)
		batch, size = nil, 0
		return err
	}
	for ch, err := range r.changes() {
		if err != nil {
			return err
		}
		of, err := ch.check()
		if err != nil {
			return err
		}
		batch = append(batch, ch)
		if size += of; len(batch) >= area.ItemsPerBatch || size >= area.BytesPerBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return o.consistent(ctx, r.ID)
}

func (r *RestoredChangeset) changes() iter.Seq2[RestoredChange, error] {
	if r.Changes == nil {
		return func(func(RestoredChange, error) bool) {}
	}
	return r.Changes
}

// check reports the violations of a change by itself, and how long it is.
func (ch *RestoredChange) check() (size int, err error) {
	var c problem.Checks
	c.Need("id", ch.Element.ID, MaxID)
	problem.OneOf(&c, "kind", ch.Kind, changeKinds)
	if ch.Kind != Removed {
		size = ch.Element.check(&c)
	}
	return size, c.Err(InvalidModelRequest)
}

// restoreSome writes changes, in short transactions.
func (o ownModel) restoreSome(ctx context.Context, draftID string, left []RestoredChange) error {
	for len(left) > 0 {
		done := 0
		err := o.Write(ctx, draftID, func(d Draft) error {
			done = 0
			var checks problem.Checks
			for began := time.Now(); done < len(left); done++ {
				if done%16 == 15 && time.Since(began) > area.TimePerBatch {
					break
				}
				if err := d.(ownDraft).restore(&checks, &left[done]); err != nil {
					return err
				}
			}
			return checks.Err(InvalidModelRequest)
		})
		if err != nil {
			return err
		}
		left = left[done:]
	}
	return nil
}

// restore makes an element what a changeset made of it, also where that is what it was.
func (d ownDraft) restore(c *problem.Checks, ch *RestoredChange) error {
	w := target{"changes", 0, ch.Element.ID}
	prior, own, err := d.versions(w.id)
	switch {
	case err != nil:
		return err
	case own != nil:
		w.bad(c, "id", "A changeset has the element '%s' once at most.", w.id)
		return nil
	case ch.Kind == Inserted && prior != nil:
		w.bad(c, "id", "The model has an element '%s' already.", w.id)
		return nil
	case ch.Kind == Removed:
		return d.delete(c, w)
	case ch.Kind == Updated && prior == nil:
		w.bad(c, "id", "The model has no element '%s'.", w.id)
		return nil
	}
	e := ch.Element.element(w.id, prior)
	e.Aspects = ch.Aspects
	d.whole = true
	return d.put(e.Normal())
}

// consistent fails where an element of a draft refers to what is not there, or is
// referred to and not there.
func (o ownModel) consistent(ctx context.Context, draftID string) error {
	for after, more := "", true; more; {
		next := ""
		err := o.Write(ctx, draftID, func(d Draft) (err error) {
			next, err = d.(ownDraft).consistentSome(after)
			return err
		})
		if err != nil {
			return err
		}
		after, more = next, next != ""
	}
	return nil
}

// consistentSome looks at the changes behind one, and returns where to continue.
func (d ownDraft) consistentSome(after string) (next string, err error) {
	var checks problem.Checks
	began, n := time.Now(), 0
	for ch, err := range changeRecords.From(d.tx, d.in, max(after, inOrder(d.at))) {
		if err != nil {
			return "", err
		}
		look := d.validate
		if ch.Kind == Removed {
			look = d.unused
		}
		if err := look(&checks, target{"changes", 0, ch.ID}); err != nil {
			return "", err
		}
		if n++; n%16 == 0 && time.Since(began) > area.TimePerBatch {
			next = changeKey(ch.Changeset, ch.ID)
			break
		}
	}
	return next, checks.Err(InvalidModelRequest)
}

// restored makes a draft the latest changeset.
func (o ownModel) restored(ctx context.Context, r RestoredChangeset) (rec twinplatform.Record[Changeset], err error) {
	err = o.s.update(ctx, func(u *records.Update, c caller) error {
		m, err := o.changeable(c)
		if err != nil {
			return err
		}
		d, err := openDraft(u, m.content(), r.ID)
		if err != nil {
			return err
		}
		at, _, err := c.TwinOf(m.AccountID, m.TwinID)
		if err != nil {
			return err
		}
		d.state.Draft.Extents = d.state.Draft.Extents.union(r.Extents)
		rec, err = c.commit(d, m, at, Changeset{ID: r.ID, Description: r.Description, CreatedBy: o.maker(c)})
		return err
	})
	return rec, err
}
