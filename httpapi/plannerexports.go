package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules"
)

// plannerExportRows make files of a schedule for planning tools, and give them.
func plannerExportRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/exports/planner", one: "synchronizer", name: "plannerExports"}
	read := &row{
		cost:      byRequest,
		Operation: n.operation("read", http.MethodGet, n.path+"/synchronizers/{synchronizerId}/file", "Read the file of an export to a planning tool"),
		replies:   []reply{{status: http.StatusOK, headers: []string{"Content-Disposition"}}},
		serve: func(ctx context.Context, x *exchange) error {
			f, err := svc.In(x.nth(0)).OpenPlannerExport(ctx, x.nth(1))
			if err != nil {
				return err
			}
			media := "application/octet-stream"
			if strings.HasSuffix(f.Name, ".xml") {
				media = "application/xml"
			}
			return x.give(download{f, f.Name, media, f.Length})
		},
	}
	return rows{acceptIn(n, bind(svc.In, schedules.Plan.ExportPlanner)).says("Export to a planning tool"), read}
}
