package twins

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// addressed is an export with the address of its file.
func addressed(x *cycle.Exchange, e *twins.Export, stored []byte) ([]byte, error) {
	return x.Rerooted(stored, "outputUrl", string(e.OutputURL)), nil
}

func exportRoutes(svc *twins.Service) cycle.Routes {
	type query = twins.ExportQuery
	n := &route.Resource{
		Path: route.Twins + "/exports", Many: "exports", One: "export",
		Plural: "the caller's exports of twins", Singular: "an export of twins",
	}
	list := n.WindowRoute(reflect.TypeFor[twins.Export](), reflect.TypeFor[query](),
		func(ctx context.Context, x *cycle.Exchange, q any) (cycle.Page, error) {
			from, err := svc.Exports(ctx, *q.(*query))
			if err != nil {
				return cycle.Page{}, err
			}
			return route.MapPage(x, from, addressed)
		}, []route.Filter{route.Skip(func(q *query) *int { return &q.Skip })}).Unversioned()
	get := route.Completed(route.Get(n, svc.Export), addressed)
	get.Apart = "exports" // next to /twins/{twinId}/account
	read := &cycle.Route{
		PaidBy: cycle.ByRequest,
		Operation: n.Operation("read", http.MethodGet, twins.ExportPath+"/{fileName}",
			"Read the file of an export of twins"),
		Replies: cycle.Bytes([]string{"application/gzip", "application/zip", "text/csv"}, "Content-Disposition"),
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			f, err := svc.OpenExport(ctx, x.Nth(0))
			if err != nil {
				return err
			}
			return x.Give(cycle.Download{Reader: f, Name: f.Name, MediaType: f.Type, Size: f.Size})
		},
	}
	read.Scopes = []string{}
	return cycle.Routes{
		route.Completed(route.Create(n, svc.CreateExport), addressed).Summarized("Export twins").Needs("none"),
		list.Needs("none"), get.Needs("none"), read.Needs("none"),
	}
}
