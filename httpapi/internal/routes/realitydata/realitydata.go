// Package realitydata has the routes of the reality data area and of detectors.
package realitydata

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

// Area is the reality data area, served by svc; by nothing where that is nil.
func Area(svc *realitydata.Service) cycle.Area {
	return cycle.Area{
		Name:    "reality data",
		Served:  svc != nil,
		Scopes:  []string{twinplatform.ScopePlatform},
		Read:    realitydata.PermissionUse,
		Modify:  realitydata.PermissionManage,
		Bad:     realitydata.InvalidRequest,
		MaxTop:  realitydata.MaxTop,
		Schemas: realityDataSchemas,
		Routes:  func() cycle.Routes { return append(realityDataRoutes(svc), jobRoutes(svc)...) },
	}
}

type accessAnswer struct {
	Type   realitydata.AccessType  `json:"type"`
	Access realitydata.AccessRight `json:"access"`
	Links  struct {
		ContainerURL cycle.Link `json:"containerUrl"`
	} `json:"_links"`
}

type twinsAnswer struct {
	Twins []string `json:"twins"`
}

type moveBody struct {
	TwinID string `json:"twinId"`
}

func realityDataRoutes(svc *realitydata.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.RealityData, Many: "realityData", One: "realityData", Plural: "reality data",
		Singular: "reality data",
	}
	at := func(verb, method, path, summary string) cycle.Operation {
		return n.Operation(verb, method, route.EachRealityData+path, summary)
	}
	byTwin := []cycle.Parameter{{Name: "twinId", Description: "The GUID of a twin that the data are associated with."}}
	access := func(o cycle.Operation,
		call func(ctx context.Context, id, twinID string) (realitydata.Access, error),
	) *cycle.Route {
		o.Query = byTwin
		return route.Answer(o, http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (accessAnswer, error) {
				a, err := call(ctx, x.Path("realityDataId"), x.Query("twinId"))
				out := accessAnswer{Type: a.Type, Access: a.Access}
				out.Links.ContainerURL.Href = x.Resolve(a.URL)
				return out, err
			})
	}
	gets := n.Gets()
	gets.Query = byTwin
	rs := cycle.Routes{
		route.Create(n, svc.CreateRealityData).AsSpecified("R1").Needs(realitydata.PermissionCreate),
		realityDataList(n, svc),
		route.GetRoute(gets, n.One, reflect.TypeFor[realitydata.RealityData](),
			func(ctx context.Context, x *cycle.Exchange) (cycle.Record, error) {
				rec, err := svc.RealityData(ctx, x.Nth(0), x.Query("twinId"))
				return route.RecordOf(x, &rec, err)
			}),
		route.Update(n, svc.UpdateRealityData).Drifting("lastAccessedDateTime"),
		route.Discard(n, svc.DeleteRealityData),
		access(at("readAccess", http.MethodGet, "/readaccess", "Get an address to read the bytes at"), svc.ReadAccess),
		access(at("writeAccess", http.MethodGet, "/writeaccess", "Get an address to write the bytes to"),
			svc.WriteAccess).Needs(realitydata.PermissionManage),
		route.Answer(at("twins", http.MethodGet, "/twins", "List the twins of reality data"), http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (twinsAnswer, error) {
				ids, err := svc.Twins(ctx, x.Path("realityDataId"))
				return twinsAnswer{append([]string{}, ids...)}, err
			}).Listing("twins", reflect.TypeFor[string]()),
		route.DiscardIn(n, svc.Associate).As(at("associate", http.MethodPost, "/twins/{twinId}",
			"Associate reality data with a twin")).Succeeding(http.StatusOK).OnRecord(),
		route.DiscardIn(n, svc.Dissociate).As(at("dissociate", http.MethodDelete, "/twins/{twinId}",
			"Dissociate reality data from a twin")),
		route.Command(at("move", http.MethodPatch, "/move", "Move reality data to another twin"),
			func(ctx context.Context, x *cycle.Exchange, m moveBody) error {
				return svc.Move(ctx, x.Path("realityDataId"), m.TwinID, x.Preconditions()...)
			}),
	}
	return rs.RefuseMisspelt()
}

func realityDataList(n *route.Resource, svc *realitydata.Service) *cycle.Route {
	type query = realitydata.RealityDataQuery
	return route.List(n, cycle.Paging{Continuation: "continuationToken", NoDelta: true, Bare: true},
		svc.RealityDataList,
		route.Text("twinId", "List what is associated with the twin of this GUID.",
			func(q *query) *string { return &q.TwinID }),
		route.Text("$orderBy", "A property to order by, and desc behind it for the other direction.",
			func(q *query) *string { return &q.OrderBy }),
		route.Text("$search", "Text that the name, a description or a tag contains, in any case.",
			func(q *query) *string { return &q.Search }),
		route.Texts("types", "The types to list, separated by commas.", func(q *query) *[]string { return &q.Types }),
		route.Text("extent", "west,south,east,north in degrees: list what overlaps it.",
			func(q *query) *string { return &q.Extent }),
		route.Text("acquisitionDateTime", "start/end: list what was acquired then.",
			func(q *query) *string { return &q.AcquisitionDateTime }),
		route.Text("createdDateTime", "start/end: list what was created then.",
			func(q *query) *string { return &q.CreatedDateTime }),
		route.Text("modifiedDateTime", "start/end: list what was modified then.",
			func(q *query) *string { return &q.ModifiedDateTime }),
		route.Text("lastAccessedDateTime", "start/end: list what was last accessed then.",
			func(q *query) *string { return &q.LastAccessedDateTime }),
		route.Text("ownerId", "List what this owner has.", func(q *query) *string { return &q.OwnerID }),
		route.Text("dataCenter", "List what is stored there.", func(q *query) *string { return &q.DataCenter }),
		route.Text("tag", "List what has this tag.", func(q *query) *string { return &q.Tag }),
		route.Short(func(q *query) *bool { return &q.Minimal })).Shortly(reflect.TypeFor[realitydata.Summary]())
}

func realityDataSchemas(b *schema.Book) {
	b.Has(reflect.TypeFor[moveBody](), schema.Need("twinId", schema.Value{MinLength: 1}))
	jobSchemas(b)
}
