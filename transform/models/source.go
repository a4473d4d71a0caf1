package models

import (
	"context"
	"iter"
)

// Source is a model whose content a transformation takes. It keeps the content of its
// changesets: read as of one of them, it is the same forever.
type Source interface {
	// Read runs fn over the content as of a changeset; an empty id means the latest.
	// fn may run again, and keeps nothing of Content.
	Read(ctx context.Context, changesetID string, fn func(Content) error) error
}

// Content is what a model holds as of a changeset. No element is above itself.
type Content interface {
	// Changeset is the one that the content is as of; the zero one before the first.
	Changeset() Changeset
	// Element returns an element without its geometry, or nil.
	Element(id string) (*Element, error)
	// Geometry reads the geometry of an element that this Content has returned.
	Geometry(e *Element) ([]byte, error)
	// Elements yields the elements behind one, without their geometry, in an order of
	// the model's own; behind an empty id are all. A failure ends the sequence.
	Elements(after string) iter.Seq2[*Element, error]
	// Changed yields what was inserted, updated or deleted after a changeset, behind a
	// place; behind an empty one is all. An element may be among it several times. A
	// failure ends the sequence, as does ChangesetNotFound at its beginning.
	Changed(since, after string) iter.Seq2[Change, error]
}

// Distant is implemented by a Content or a Draft that may be over a network. Declare names elements that are read or
// written next, so that they are read together, and reports whether that pays.
type Distant interface {
	Declare(ids []string) (far bool)
}

// Change records that a changeset changed an element.
type Change struct {
	ElementID string
	Place     string // in the order of changes
}

// Target is a model that a transformation brings content into. What it writes to a
// draft is invisible until it appears, all of it, as one changeset.
type Target interface {
	// Write changes the draft with an id, all that fn does or nothing, and begins it
	// where there is none. fn may run again. It writes a thousand elements and a few
	// megabytes at most, and takes some milliseconds.
	//
	// Errors: Conflict, where another draft is open, and where the draft was committed;
	// of models of the registry InvalidModelRequest too, for what CreateChangeset refuses.
	Write(ctx context.Context, draftID string, fn func(Draft) error) error
	// Commit makes the draft a changeset of the same id. Committing it again returns
	// the changeset; a draft without a change is dropped, and the changeset is the
	// zero one.
	Commit(ctx context.Context, draftID, description string) (Changeset, error)
	// Discard drops the draft, if it is there.
	Discard(ctx context.Context, draftID string) error
}

// Draft is a model as it will be.
type Draft interface {
	// Element returns an element without its geometry, or nil.
	Element(id string) (*Element, error)
	// Needed reports whether an element is the parent or the scope of another.
	Needed(id string) (bool, error)
	// Elements yields the elements whose ids begin with a prefix, behind one of them,
	// without their geometry, in an order of the model's own; behind an empty id are
	// all. A failure ends the sequence.
	Elements(prefix, after string) iter.Seq2[*Element, error]
	// Put inserts or replaces an element whose parent and scope are there. Without
	// Geometry, the element keeps the geometry it has if GeometryHash is its hash. An
	// element that stays as it is counts as no change.
	Put(e Element) error
	// Delete removes an element that is not needed.
	Delete(id string) error
}
