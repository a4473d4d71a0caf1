package models

import (
	"errors"
	"iter"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// contentState is what a model holds at present, and what is being added to it.
type contentState struct {
	ID          string      `json:"id"`          // stateID
	Sequence    uint64      `json:"sequence"`    // of the latest changeset; 0: there is none
	ChangesetID string      `json:"changesetId"` // the latest one
	Elements    int         `json:"elements"`
	Extents     *Box        `json:"extents"`
	Draft       *draftState `json:"draft"` // nil while none is open
}

// draftState is a changeset that is not visible yet.
type draftState struct {
	ID        string `json:"id"`
	Inserted  int    `json:"inserted"`
	Updated   int    `json:"updated"`
	Deleted   int    `json:"deleted"`
	Extents   *Box   `json:"extents"`
	Discarded bool   `json:"discarded"` // what it has written is being erased
}

const stateID = "state"

var stateRecords = records.Collection[contentState]{
	Name: "content", Untracked: true,
	ID: func(s *contentState) string { return s.ID },
}

// content is what a model holds as of a changeset. Without a scope it is empty.
type content struct {
	tx records.Reading
	in records.Scope
	at uint64 // sequence of the changeset
}

// stateOf is the state of the content in a scope.
func stateOf(tx records.Reading, in records.Scope) (*contentState, error) {
	none := &contentState{ID: stateID}
	if in == "" {
		return none, nil
	}
	s, err := stateRecords.Lookup(tx, in, stateID)
	if s == nil {
		s = none
	}
	return s, err
}

// version is the latest version of an element, which may be its deletion, or nil.
func (c content) version(id string) (*Element, error) {
	if c.in == "" {
		return nil, nil
	}
	// Keys sort the newest version first: the first one behind that of the next changeset
	// is the version as of this changeset.
	for e, err := range elementRecords.From(c.tx, c.in, versionKey(id, c.at+1)) {
		if err != nil || e.ID != id {
			return nil, err
		}
		return e, nil
	}
	return nil, nil
}

// element is an element without its geometry, or nil.
func (c content) element(id string) (*Element, error) {
	e, err := c.version(id)
	if e == nil || e.Deleted {
		return nil, err
	}
	return e, nil
}

// geometry reads the geometry of an element, nil where it has none.
func (c content) geometry(e *Element) ([]byte, error) {
	if e.GeometryIndex == 0 {
		return nil, nil
	}
	g, err := geometryRecords.Value(c.tx, c.in, versionKey(e.ID, uint64(e.GeometryIndex)))
	if err != nil {
		return nil, err
	}
	return g.Data, nil
}

// shows reports whether a version is the one that is seen.
func (c content) shows(e *Element) (bool, error) {
	if e.Deleted || e.sequence() > c.at {
		return false, nil
	}
	now, err := c.version(e.ID)
	return now != nil && now.ChangesetIndex == e.ChangesetIndex, err
}

// elements yields the elements behind one, without their geometry. A failure ends
// the sequence.
func (c content) elements(after string) iter.Seq2[*Element, error] {
	return c.beginning("", after)
}

// beginning yields the elements whose ids begin with a prefix, behind one of them.
func (c content) beginning(prefix, after string) iter.Seq2[*Element, error] {
	if c.in == "" {
		return func(func(*Element, error) bool) {}
	}
	from := prefix
	if after != "" {
		from = records.Join(after, pastVersions)
	}
	return func(yield func(*Element, error) bool) {
		seen := ""
		for e, err := range elementRecords.From(c.tx, c.in, from) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !strings.HasPrefix(e.ID, prefix) {
				return
			}
			if e.sequence() > c.at || e.ID == seen {
				continue
			}
			if seen = e.ID; !e.Deleted && !yield(e, nil) {
				return
			}
		}
	}
}

// pastVersions comes after every version of an element.
const pastVersions = "~"

// dependents reports whether an element is the parent or the scope of another.
func (c content) dependents(id string) (bool, error) {
	for _, index := range []string{"parent", "scope"} {
		for e, err := range elementRecords.Find(c.tx, c.in, index, id) {
			if err == nil {
				err = records.Interrupted(c.tx)
			}
			if err != nil {
				return false, err
			}
			if shown, err := c.shows(e); err != nil || shown && e.ID != id {
				return shown, err
			}
		}
	}
	return false, nil
}

// errCycle reports that elements are parts or scopes of themselves.
var errCycle = errors.New("transform: elements are parts or scopes of themselves")

// maxHeight is how many elements may be above one another.
const maxHeight = 1_000

// acyclic fails with errCycle where an element is above itself.
func (c content) acyclic(e *Element) error {
	seen := map[string]bool{}
	above := e.Above()
	for len(above) > 0 {
		id := above[len(above)-1]
		above = above[:len(above)-1]
		if id == e.ID || len(seen) > maxHeight {
			return errCycle
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		up, err := c.element(id)
		if err != nil {
			return err
		}
		if up != nil {
			above = append(above, up.Above()...)
		}
	}
	return nil
}
