package models

import (
	"context"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// contentPaging limits the pages of lists of a model's content. What a model holds as of a
// changeset never changes, so these lists have no deltas.
var contentPaging = problem.Paging{MaxTop: MaxTop}

// Changeset returns a changeset of a model. It needs PermissionModelsRead on the
// model or its twin.
//
// Errors: ModelNotFound; ChangesetNotFound.
func (s *Service) Changeset(ctx context.Context, modelID, changesetID string) (twinplatform.Record[Changeset], error) {
	ctx = s.reading(ctx, needsCalled(changesetID))
	return read(ctx, s, func(c caller) (rec twinplatform.Record[Changeset], err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return rec, err
		}
		key, err := changesetKey(c.tx, m.content(), changesetID)
		if err != nil {
			return rec, err
		}
		return changesetRecords.Get(c.tx, m.content(), key)
	})
}

// changesetKey is the id of the record of a changeset.
func changesetKey(tx records.Reading, in records.Scope, id string) (key string, err error) {
	if in != "" {
		for key := range changesetRecords.IDs(tx, in, calledIndex, id) {
			return key, nil
		}
	}
	return "", changesetKind.Missing.Err()
}

// contentAt is what a model holds as of a changeset; an empty id means the latest.
func contentAt(tx records.Reading, m *Model, changesetID string) (content, error) {
	out := content{tx: tx, in: m.content()}
	if changesetID == "" {
		state, err := stateOf(tx, m.content())
		out.at = state.Sequence
		return out, err
	}
	key, err := changesetKey(tx, m.content(), changesetID)
	if err != nil {
		return out, err
	}
	out.at, err = strconv.ParseUint(key, 16, 64)
	return out, err
}

// ChangesetQuery selects the changesets to list.
type ChangesetQuery struct {
	twinplatform.ListOptions
}

// Changesets lists the changesets of a model, the first one first. It needs
// PermissionModelsRead on the model or its twin.
//
// Errors: ModelNotFound; InvalidModelRequest with InvalidValue (top, continuation,
// delta).
func (s *Service) Changesets(ctx context.Context, modelID string, q ChangesetQuery) (twinplatform.Page[Changeset],
	error,
) {
	query := records.Query[Changeset]{ListOptions: q.ListOptions}
	ctx = s.reading(ctx, func(tx records.Reading, in records.Scope) []records.Need {
		return changesetRecords.NeedsOfList(tx, in, query)
	})
	return read(ctx, s, func(c caller) (page twinplatform.Page[Changeset], err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return page, err
		}
		return changesetKind.List(c.tx, m.content(), paging, query)
	})
}

// ElementChange is what a changeset did to an element.
type ElementChange struct {
	Change    ChangeKind `json:"change"`
	ElementID string     `json:"elementId"`
}

// ElementChangeQuery selects the changes of a changeset to list.
type ElementChangeQuery struct {
	twinplatform.ListOptions
}

// ElementChanges lists what a changeset did, by the ids of the elements. It needs
// PermissionModelsRead on the model or its twin. The list follows no changes.
//
// Errors: ModelNotFound; ChangesetNotFound; InvalidModelRequest with InvalidValue
// (top, continuation, delta).
func (s *Service) ElementChanges(ctx context.Context, modelID, changesetID string,
	q ElementChangeQuery,
) (twinplatform.Page[ElementChange], error) {
	ctx = s.reading(ctx, needsCalled(changesetID))
	return read(ctx, s, func(c caller) (page twinplatform.Page[ElementChange], err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return page, err
		}
		key, err := changesetKey(c.tx, m.content(), changesetID)
		if err != nil {
			return page, err
		}
		stored, err := changeRecords.List(c.tx, m.content(), records.Query[change]{
			ListOptions: q.ListOptions, Op: "elementChanges", MaxTop: MaxTop, Prefix: key + "/",
		})
		if err := contentPaging.Listed(err, InvalidModelRequest); err != nil || stored.NotModified {
			return twinplatform.MapPage[ElementChange](stored, nil, nil), err
		}
		changes, err := stored.Values()
		if err != nil {
			return page, err
		}
		recs := make([]twinplatform.Record[ElementChange], len(changes))
		for i, ch := range changes {
			recs[i], err = recordOf(ElementChange{ch.Kind, ch.ID}, "")
			if err != nil {
				return page, err
			}
		}
		out := twinplatform.PageOf(recs)
		return twinplatform.MapPage(stored, out.JSON(),
			func(i int) (ElementChange, error) { return recs[i].Value, nil }), nil
	})
}

// ElementQuery selects the elements to list: those that all of it is true for.
type ElementQuery struct {
	twinplatform.ListOptions
	// ChangesetID lists the elements as of a changeset; empty means the latest. A
	// listing stays at the changeset at which it began.
	ChangesetID string
	// ParentID lists the parts of one element.
	ParentID string
	// Category lists the elements of one category.
	Category string
	// Class lists the elements of one class.
	Class string
}

// Elements lists the elements of a model without their geometry, each category,
// class or parent without reading the others. It needs PermissionModelsRead on the
// model or its twin. The list follows no changes: see ElementChanges.
//
// Errors: ModelNotFound; ChangesetNotFound; InvalidModelRequest with InvalidValue
// (top, continuation, delta).
func (s *Service) Elements(ctx context.Context, modelID string, q ElementQuery) (twinplatform.Page[Element], error) {
	ctx = s.reading(ctx, needsCalled(q.ChangesetID))
	return read(ctx, s, func(c caller) (page twinplatform.Page[Element], err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return page, err
		}
		at, err := contentAt(c.tx, m, q.ChangesetID)
		if err != nil {
			return page, err
		}
		// A page continues as of the changeset of the one before.
		if began, token, ok := strings.Cut(q.Continuation, "."); ok {
			if n, err := strconv.ParseUint(began, 16, 64); err == nil && n <= at.at &&
				(q.ChangesetID == "" || n == at.at) {
				at.at, q.Continuation = n, token
			}
		}
		if page, err = at.list(m.content(), q); err == nil && page.Next != "" {
			page.Next = strconv.FormatUint(at.at, 16) + "." + page.Next
		}
		return page, err
	})
}

// list is a page of elements.
func (c content) list(in records.Scope, q ElementQuery) (twinplatform.Page[Element], error) {
	query := records.Query[Element]{ListOptions: q.ListOptions, Op: "elements", MaxTop: MaxTop}
	query.In("parent", q.ParentID)
	query.In("category", q.Category)
	query.In("class", q.Class)
	query.Filter = strings.Join([]string{inOrder(c.at), q.ParentID, q.Category, q.Class}, "\x00")
	var failed error
	query.Match = func(e *Element) bool {
		if q.ParentID != "" && string(e.ParentID) != q.ParentID ||
			q.Category != "" && string(e.Category) != q.Category || q.Class != "" && e.Class != q.Class {
			return false
		}
		shown, err := c.shows(e)
		if err != nil {
			failed = err
		}
		return shown
	}
	page, err := elementRecords.List(c.tx, in, query)
	if failed != nil {
		err = failed
	}
	return page, contentPaging.Listed(err, InvalidModelRequest)
}

// Element returns an element with its geometry as of a changeset; an empty id of one
// means the latest. It needs PermissionModelsRead on the model or its twin.
//
// Errors: ModelNotFound; ChangesetNotFound; ElementNotFound.
func (s *Service) Element(ctx context.Context, modelID, elementID, changesetID string) (twinplatform.Record[Element],
	error,
) {
	ctx = s.reading(ctx, needsCalled(changesetID))
	return read(ctx, s, func(c caller) (rec twinplatform.Record[Element], err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return rec, err
		}
		at, err := contentAt(c.tx, m, changesetID)
		if err != nil {
			return rec, err
		}
		e, err := at.element(elementID)
		if err := elementMissing.Unless(e != nil, err); err != nil {
			return rec, err
		}
		stored, err := elementRecords.Get(c.tx, m.content(), elementRecords.ID(e))
		if err != nil {
			return rec, err
		}
		if e.Geometry, err = at.geometry(e); err != nil {
			return rec, err
		}
		return recordOf(*e, stored.ETag)
	})
}

// Boxes are the boxes of those elements of a model that are there and have one, by their ids, as of the latest
// changeset: all are read at once, without their geometry. It needs PermissionModelsRead on the model or its twin.
//
// Errors: ModelNotFound.
func (s *Service) Boxes(ctx context.Context, modelID string, elementIDs []string) (boxes map[string]Box, err error) {
	err = s.eachOf(ctx, modelID, elementIDs, func() func(content, *Element) (bool, error) {
		boxes = make(map[string]Box, len(elementIDs))
		return func(_ content, e *Element) (bool, error) {
			if e.BoundingBox != nil {
				boxes[e.ID] = *e.BoundingBox
			}
			return true, nil
		}
	})
	return boxes, err
}

// Geometries are the geometries of those elements of a model that are there and have one, by their ids, as of the
// latest changeset. Those that would come to more than so many bytes are not read, and then they are not whole. It
// needs PermissionModelsRead on the model or its twin.
//
// Errors: ModelNotFound.
func (s *Service) Geometries(ctx context.Context, modelID string, elementIDs []string, most int) (
	all map[string][]byte, whole bool, err error,
) {
	err = s.eachOf(ctx, modelID, elementIDs, func() func(content, *Element) (bool, error) {
		left := most
		all, whole = make(map[string][]byte), true
		return func(at content, e *Element) (bool, error) {
			data, err := at.geometry(e)
			if left -= len(data); err != nil || left < 0 {
				whole = false
				return false, err
			}
			if len(data) > 0 {
				all[e.ID] = data
			}
			return true, nil
		}
	})
	return all, whole, err
}

// eachOf calls what begin returns with those elements of a model that are there, as of the latest changeset, until it
// returns false. It begins again where the transaction does.
func (s *Service) eachOf(ctx context.Context, modelID string, elementIDs []string,
	begin func() func(content, *Element) (more bool, err error),
) error {
	ctx = s.reading(ctx, needsCalled(""))
	_, err := read(ctx, s, func(c caller) (none struct{}, err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return none, err
		}
		at, err := contentAt(c.tx, m, "")
		if err != nil {
			return none, err
		}
		fn := begin()
		for _, id := range elementIDs {
			e, err := at.element(id)
			if err != nil {
				return none, err
			}
			if e == nil {
				continue
			}
			if more, err := fn(at, e); !more || err != nil {
				return none, err
			}
		}
		return none, nil
	})
	return err
}

var elementMissing = problem.NotFound("ElementNotFound", "elementId", "element")

// Extents returns the box that holds all elements of a model up to a changeset; an
// empty id means the latest. It is nil while no element has taken space. It needs
// PermissionModelsRead on the model or its twin.
//
// Errors: ModelNotFound; ChangesetNotFound.
func (s *Service) Extents(ctx context.Context, modelID, changesetID string) (*Box, error) {
	return read(ctx, s, func(c caller) (*Box, error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return nil, err
		}
		if changesetID == "" {
			state, err := stateOf(c.tx, m.content())
			return state.Extents, err
		}
		key, err := changesetKey(c.tx, m.content(), changesetID)
		if err != nil {
			return nil, err
		}
		v, err := changesetRecords.Value(c.tx, m.content(), key)
		if err != nil {
			return nil, err
		}
		return v.Extents, nil
	})
}
