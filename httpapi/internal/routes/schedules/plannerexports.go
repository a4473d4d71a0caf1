package schedules

import (
	"context"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
)

// plannerExportRoutes make files of a schedule for planning tools, and give them.
func plannerExportRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{Path: route.Schedule + "/exports/planner", One: "synchronizer", Name: "plannerExports"}
	read := &cycle.Route{
		PaidBy: cycle.ByRequest,
		Operation: n.Operation("read", http.MethodGet, n.Path+"/synchronizers/{synchronizerId}/file",
			"Read the file of an export to a planning tool"),
		Replies: cycle.Bytes([]string{"application/octet-stream", "application/xml"}, "Content-Disposition"),
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			f, err := exchange.In(svc.In(x.Nth(0))).OpenExport(ctx, x.Nth(1))
			if err != nil {
				return err
			}
			media := "application/octet-stream"
			if strings.HasSuffix(f.Name, ".xml") {
				media = "application/xml"
			}
			return x.Give(cycle.Download{Reader: f, Name: f.Name, MediaType: media, Size: f.Length})
		},
	}
	return cycle.Routes{route.AcceptIn(n,
		route.On(exchangeOf(svc), exchange.Plan.Export)).Summarized("Export to a planning tool"), read}
}
