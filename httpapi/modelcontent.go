package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/transform"
)

const inModel = allModels + "/{modelId}"

// asOf is the parameter that says which changeset of a model is meant.
var asOf = Parameter{Name: "changesetId", Description: "The changeset as of which the model is read. The latest one unless it is given."}

func changesetRows(svc *transform.Service) rows {
	n := &noun{path: inModel + "/changesets", many: "changesets", one: "changeset", things: "changesets of a model, the first one first", thing: "a changeset"}
	changes := &noun{path: n.each() + "/changes", many: "changes", name: "elementChanges", things: "what a changeset did to elements"}
	return rows{
		createIn(n, svc.CreateChangeset).says("Change a model by a changeset"),
		listIn(n, paging{}, svc.Changesets),
		getIn(n, svc.Changeset),
		listBelow(changes, paging{noDelta: true}, svc.ElementChanges),
	}
}

func namedVersionRows(svc *transform.Service) rows {
	n := &noun{path: inModel + "/named-versions", many: "namedVersions", one: "namedVersion", things: "named versions of a model", thing: "a named version"}
	return rows{
		createIn(n, svc.CreateNamedVersion).says("Name a changeset of a model"),
		listIn(n, paging{}, svc.NamedVersions),
		getIn(n, svc.NamedVersion),
	}
}

func elementRows(svc *transform.Service) rows {
	n := &noun{path: inModel + "/elements", many: "elements", one: "element", things: "elements of a model, without their geometry", thing: "an element with its geometry"}
	one := n.getRow(reflect.TypeFor[transform.Element](), func(ctx context.Context, x *exchange) (record, error) {
		rec, err := svc.Element(ctx, x.nth(0), x.nth(1), x.query(asOf.Name))
		return recordOf(x, &rec, err)
	})
	one.Query = []Parameter{asOf}
	return rows{
		listIn(n, paging{noDelta: true}, svc.Elements,
			text(asOf.Name, asOf.Description, func(q *transform.ElementQuery) *string { return &q.ChangesetID }),
			text("parentId", "List the parts of this element.", func(q *transform.ElementQuery) *string { return &q.ParentID }),
			text("category", "List the elements of this category.", func(q *transform.ElementQuery) *string { return &q.Category }),
			text("class", "List the elements of this class.", func(q *transform.ElementQuery) *string { return &q.Class })),
		one,
		extentsRow(svc),
	}
}

// extents is the answer to what space a model takes.
type extents struct {
	Extents *transform.Box `json:"extents"`
}

func extentsRow(svc *transform.Service) *row {
	o := Operation{
		ID: "models.extents", Method: http.MethodGet, Path: inModel + "/extents", Summary: "Get the extents of a model", Origin: Chosen, Query: []Parameter{asOf},
	}
	return answer(o, http.StatusOK, func(ctx context.Context, x *exchange, _ nothing) (out extents, err error) {
		out.Extents, err = svc.Extents(ctx, x.nth(0), x.query(asOf.Name))
		return out, err
	})
}
