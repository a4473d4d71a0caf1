package schedules

import (
	"context"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
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
			f, err := svc.In(x.Nth(0)).OpenPlannerExport(ctx, x.Nth(1))
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
		route.On(svc.In, schedules.Plan.ExportPlanner)).Summarized("Export to a planning tool"), read}
}
