package models

import (
	"errors"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// change is what a changeset did to an element.
type change struct {
	ID        string     `json:"id"` // of the element
	Kind      ChangeKind `json:"kind"`
	Changeset uint64     `json:"changeset"` // its sequence
}

// ChangeKind is what a changeset did to an element.
type ChangeKind string

// The kinds of changes.
const (
	Inserted ChangeKind = "Inserted"
	Updated  ChangeKind = "Updated"
	Removed  ChangeKind = "Deleted"
)

var changeKinds = []ChangeKind{Inserted, Updated, Removed}

var changeRecords = records.Collection[change]{
	Name: "changes", Untracked: true,
	ID: func(c *change) string { return changeKey(c.Changeset, c.ID) },
}

func changeKey(sequence uint64, id string) string { return records.Join(inOrder(sequence), id) }

// draft is a changeset in the making, within one transaction. What it writes is seen
// by no reader before it is committed, since readers read as of an earlier changeset.
type draft struct {
	content // as it will be

	u      *records.Update
	state  *contentState
	before content // as it is
	// whole drafts keep each element that is put, also what stays as it was.
	whole bool
}

var errDraftOpen = problem.Conflict("ChangesetInProgress", "modelId",
	"Another changeset of the model is being made, such as that of a transformation.")

// openDraft continues the draft that has an id, or begins it.
func openDraft(u *records.Update, in records.Scope, id string) (*draft, error) {
	state, err := stateOf(u, in)
	if err != nil {
		return nil, err
	}
	switch d := state.Draft; {
	case d == nil:
		state.Draft = &draftState{ID: id, Extents: state.Extents}
	case d.ID != id || d.Discarded:
		return nil, errDraftOpen
	}
	return &draft{
		u: u, state: state, before: content{u, in, state.Sequence}, content: content{u, in, state.Sequence + 1},
	}, nil
}

// save keeps what the draft has come to.
func (d *draft) save() error {
	_, err := stateRecords.Put(d.u, d.in, d.state)
	return err
}

// errNoGeometry reports that an element names a geometry that was not given.
var errNoGeometry = errors.New("transform: the geometry is not that of the element, and was not given")

// put adds or replaces an element. Geometry that is nil stays where its hash is
// unchanged.
func (d *draft) put(e Element) error {
	prior, own, err := d.versions(e.ID)
	if err != nil {
		return err
	}
	e.ChangesetID, e.ChangesetIndex, e.CreatedIndex, e.Deleted = d.state.Draft.ID, int(d.at), int(d.at), false
	if prior != nil {
		e.CreatedIndex = prior.CreatedIndex
	}
	if err := d.putGeometry(&e, prior, own); err != nil {
		return err
	}
	if !d.whole && own == nil && prior != nil && sameElement(prior, &e) {
		return nil
	}
	kind := Inserted
	if prior != nil {
		kind = Updated
	}
	d.state.Draft.Extents = d.state.Draft.Extents.union(e.BoundingBox)
	return d.write(e, kind)
}

// versions are the latest committed version of an element and the one that the draft
// has written; nil where there is none.
func (d *draft) versions(id string) (prior, own *Element, err error) {
	d.declare(id)
	own, err = d.version(id)
	if err != nil || own == nil {
		return nil, nil, err
	}
	if own.sequence() < d.at {
		prior, own = own, nil
	} else if prior, err = d.before.version(id); err != nil {
		return nil, nil, err
	}
	if prior != nil && prior.Deleted {
		prior = nil
	}
	return prior, own, nil
}

// declare declares what is read of an element before the draft writes it.
func (d *draft) declare(id string) {
	if id == "" || !records.Remote(d.u) {
		return
	}
	records.Declare(d.u, elementRecords.Needs(d.in, versionKey(id, d.at))...)
	records.Declare(d.u, changeRecords.Needs(d.in, changeKey(d.at, id))...)
	records.Declare(d.u, elementRecords.NeedAfter(d.in, versionKey(id, d.at+1)))
}

// putGeometry keeps the geometry of an element apart, unless it is there already.
func (d *draft) putGeometry(e, prior, own *Element) error {
	data := e.Geometry
	if e.Geometry = nil; data != nil {
		e.GeometryHash = hashOf(data)
	}
	e.GeometryIndex = 0
	if e.GeometryHash == "" {
		return nil
	}
	for _, v := range []*Element{prior, own} {
		if v != nil && v.GeometryHash == e.GeometryHash {
			e.GeometryIndex = v.GeometryIndex
			return nil
		}
	}
	if data == nil {
		return errNoGeometry
	}
	e.GeometryIndex = int(d.at)
	_, err := geometryRecords.Put(d.u, d.in, &geometry{ID: e.ID, Sequence: d.at, Data: data})
	return err
}

// write keeps a version, and what kind of change it is.
func (d *draft) write(e Element, kind ChangeKind) error {
	if _, err := elementRecords.Put(d.u, d.in, &e); err != nil {
		return err
	}
	before, err := changeRecords.Lookup(d.u, d.in, changeKey(d.at, e.ID))
	if err != nil {
		return err
	}
	if before != nil {
		d.count(before.Kind, -1)
	}
	d.count(kind, 1)
	_, err = changeRecords.Put(d.u, d.in, &change{ID: e.ID, Kind: kind, Changeset: d.at})
	return err
}

// remove deletes an element that is there.
func (d *draft) remove(id string) error {
	prior, own, err := d.versions(id)
	if err != nil {
		return err
	}
	if prior == nil {
		return d.forget(own)
	}
	e := *prior
	e.ChangesetID, e.ChangesetIndex, e.Deleted = d.state.Draft.ID, int(d.at), true
	return d.write(e, Removed)
}

// forget takes back an element that the draft has inserted.
func (d *draft) forget(own *Element) error {
	if own == nil {
		return nil
	}
	d.count(Inserted, -1)
	return eraseVersion(d.u, d.in, own.ID, d.at)
}

// eraseVersion removes all that a changeset which is not committed wrote of an element.
func eraseVersion(u *records.Update, in records.Scope, id string, sequence uint64) error {
	err := geometryRecords.Erase(u, in, versionKey(id, sequence))
	if err == nil {
		err = elementRecords.Erase(u, in, versionKey(id, sequence))
	}
	if err == nil {
		err = changeRecords.Erase(u, in, changeKey(sequence, id))
	}
	return err
}

func (d *draft) count(kind ChangeKind, n int) {
	switch s := d.state.Draft; kind {
	case Inserted:
		s.Inserted += n
	case Updated:
		s.Updated += n
	case Removed:
		s.Deleted += n
	}
}

// sameElement reports whether two versions say the same.
func sameElement(a, b *Element) bool {
	x, y := *a, *b
	for _, e := range []*Element{&x, &y} {
		e.ChangesetID, e.ChangesetIndex, e.CreatedIndex, e.Geometry, e.GeometryIndex = "", 0, 0, nil, 0
	}
	return reflect.DeepEqual(x.Normal(), y.Normal())
}

// discard does one step of erasing what a draft has written, and reports whether
// there is more.
func discard(u *records.Update, in records.Scope, id string) (more bool, err error) {
	state, err := stateOf(u, in)
	if err != nil || state.Draft == nil || state.Draft.ID != id {
		return false, err
	}
	step := records.NewStep(u)
	for c, err := range changeRecords.All(u, in, inOrder(state.Sequence+1)+"/") {
		if err != nil {
			return false, err
		}
		ok, err := step.Next(0)
		if err != nil {
			return false, err
		}
		if more = !ok; more {
			break
		}
		if err := eraseVersion(u, in, c.ID, c.Changeset); err != nil {
			return false, err
		}
	}
	if state.Draft.Discarded = true; !more {
		state.Draft = nil
	}
	_, err = stateRecords.Put(u, in, state)
	return more, err
}
