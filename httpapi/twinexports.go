package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/twins"
)

// addressed is an export with the address of its file.
func addressed(x *exchange, e *twins.Export, stored []byte) ([]byte, error) {
	return x.rerooted(stored, "outputUrl", string(e.OutputURL)), nil
}

func exportRows(svc *twins.Service) rows {
	type query = twins.ExportQuery
	n := &noun{path: allTwins + "/exports", many: "exports", one: "export", things: "the caller's exports of twins", thing: "an export of twins"}
	list := n.windowRow(reflect.TypeFor[twins.Export](), reflect.TypeFor[query](), func(ctx context.Context, x *exchange, q any) (page, error) {
		from, err := svc.Exports(ctx, *q.(*query))
		if err != nil {
			return page{}, err
		}
		return remade(x, from, addressed)
	}, []filter{skip(func(q *query) *int { return &q.Skip })}).unversioned()
	get := completed(get(n, svc.Export), addressed)
	get.apart = "exports" // beside /twins/{twinId}/account
	read := &row{
		cost:      byRequest,
		Operation: n.operation("read", http.MethodGet, twins.ExportPath+"/{fileName}", "Read the file of an export of twins"),
		replies:   []reply{{status: http.StatusOK, headers: []string{"Content-Disposition"}}},
		serve: func(ctx context.Context, x *exchange) error {
			f, err := svc.OpenExport(ctx, x.nth(0))
			if err != nil {
				return err
			}
			return x.give(download{f, f.Name, f.Type, f.Size})
		},
	}
	read.Scopes = []string{}
	return rows{
		completed(create(n, svc.CreateExport), addressed).says("Export twins").needs("none"), list.needs("none"), get.needs("none"), read.needs("none"),
	}
}
