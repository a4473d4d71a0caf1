package transformations

import (
	"context"
	"io"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

const inModel = route.Models + "/{modelId}"

// asOf is the parameter that says which changeset of a model is meant.
var asOf = cycle.Parameter{
	Name:        "changesetId",
	Description: "The changeset as of which the model is read. The latest one unless it is given.",
}

func changesetRoutes(svc *models.Service) cycle.Routes {
	n := &route.Resource{
		Path: inModel + "/changesets", Many: "changesets", One: "changeset",
		Plural: "changesets of a model, the first one first", Singular: "a changeset",
	}
	changes := &route.Resource{
		Path: n.Each() + "/changes", Many: "changes", Name: "elementChanges",
		Plural: "what a changeset did to elements",
	}
	return cycle.Routes{
		route.CreateIn(n, route.Makes(svc.CreateChangeset)).Summarized("Change a model by a changeset"),
		gltfRoute(svc),
		route.ListIn(n, cycle.Paging{}, svc.Changesets),
		route.GetIn(n, svc.Changeset),
		route.ListBelow(changes, cycle.Paging{NoDelta: true}, svc.ElementChanges),
	}
}

// imported is the answer to an import of a 3D model.
type imported struct {
	Changeset models.Changeset       `json:"changeset"`
	Warnings  []models.ImportWarning `json:"warnings"`
}

func gltfRoute(svc *models.Service) *cycle.Route {
	o := cycle.Operation{
		ID: "models.importGltf", Method: http.MethodPost, Path: inModel + "/gltf",
		Summary: "Import a 3D model in glTF 2.0: its nodes become elements", Origin: cycle.Chosen,
	}
	r := route.Answer(o, http.StatusCreated,
		func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out imported, err error) {
			err = x.Take(models.MaxGLTFBytes, func(body io.Reader) error {
				got, err := svc.ImportGLTF(ctx, x.Nth(0), body)
				if err != nil {
					return err
				}
				out = imported{got.Changeset.Value(), got.Warnings}
				x.W.Header().Set("ETag", got.Changeset.Records[0].ETag)
				x.W.Header().Set("Location", x.To(route.Models+"/"+x.Nth(0)+"/changesets", out.Changeset.ID).Href)
				return nil
			})
			return out, err
		})
	r.Raw, r.Media = true, "model/gltf-binary"
	r.Replies[0].Headers = []string{"ETag", "Location"}
	return r
}

func namedVersionRoutes(svc *models.Service) cycle.Routes {
	n := &route.Resource{
		Path: inModel + "/named-versions", Many: "namedVersions", One: "namedVersion",
		Plural: "named versions of a model", Singular: "a named version",
	}
	return cycle.Routes{
		route.CreateIn(n, route.Makes(svc.CreateNamedVersion)).Summarized("Name a changeset of a model"),
		route.ListIn(n, cycle.Paging{}, svc.NamedVersions),
		route.GetIn(n, svc.NamedVersion),
	}
}

func elementRoutes(svc *models.Service) cycle.Routes {
	n := &route.Resource{
		Path: inModel + "/elements", Many: "elements", One: "element",
		Plural: "elements of a model, without their geometry", Singular: "an element with its geometry",
	}
	one := n.GetRoute(reflect.TypeFor[models.Element](),
		func(ctx context.Context, x *cycle.Exchange) (cycle.Record, error) {
			rec, err := svc.Element(ctx, x.Nth(0), x.Nth(1), x.Query(asOf.Name))
			return route.RecordOf(x, &rec, err)
		})
	one.Query = []cycle.Parameter{asOf}
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{NoDelta: true}, svc.Elements,
			route.Text(asOf.Name, asOf.Description, func(q *models.ElementQuery) *string { return &q.ChangesetID }),
			route.Text("parentId", "List the parts of this element.",
				func(q *models.ElementQuery) *string { return &q.ParentID }),
			route.Text("category", "List the elements of this category.",
				func(q *models.ElementQuery) *string { return &q.Category }),
			route.Text("class", "List the elements of this class.",
				func(q *models.ElementQuery) *string { return &q.Class })),
		one,
		extentsRoute(svc),
	}
}

// extents is the answer to what space a model takes.
type extents struct {
	Extents *models.Box `json:"extents"`
}

func extentsRoute(svc *models.Service) *cycle.Route {
	o := cycle.Operation{
		ID: "models.extents", Method: http.MethodGet, Path: inModel +
			"/extents", Summary: "Get the extents of a model", Origin: cycle.Chosen, Query: []cycle.Parameter{asOf},
	}
	return route.Answer(o, http.StatusOK,
		func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out extents, err error) {
			out.Extents, err = svc.Extents(ctx, x.Nth(0), x.Query(asOf.Name))
			return out, err
		})
}
