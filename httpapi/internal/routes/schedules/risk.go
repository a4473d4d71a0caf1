package schedules

import (
	"bytes"
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
)

// riskAnswer is a risk analysis under its key.
type riskAnswer struct {
	Analysis analysis.RiskAnalysis `json:"riskAnalysis"`
}

func riskRoutes(svc *schedules.Service) cycle.Routes {
	type query = analysis.RiskQuery
	n := &route.Resource{Many: "risks"}
	analyze := route.Answer(n.Operation("analyze", http.MethodPost, route.Schedule+"/risk/analyze",
		"Estimate when a Schedule may end"), http.StatusOK,
		func(ctx context.Context, x *cycle.Exchange, o analysis.RiskOptions) (out riskAnswer, err error) {
			out.Analysis, err = analysisIn(svc)(x.Nth(0)).AnalyzeRisk(ctx, o)
			return out, err
		})
	analyze.BodyOptional = true
	filters := []route.Filter{
		route.AtLeastOne("runs", "How often the schedule is scheduled: 1,000 unless it is given, 100,000 at most.",
			func(q *query) *int { return &q.Runs }),
		route.Count("seed", "What begins the random numbers.", func(q *query) *int { return &q.Seed }),
		route.Text("distribution", "What durations are drawn from: Triangular or Pert.",
			func(q *query) *analysis.RiskDistribution { return &q.Distribution }),
		route.AtLeastOne("optimisticPercent",
			"The shortest duration in percent of the planned one: 90 unless it is given.",
			func(q *query) *int { return &q.OptimisticPercent }),
		route.AtLeastOne("pessimisticPercent",
			"The longest duration in percent of the planned one: 125 unless it is given.",
			func(q *query) *int { return &q.PessimisticPercent }),
		route.Flag("bare", "True leaves out the colours, for pages that have them.",
			func(q *query) *bool { return &q.Bare }),
	}
	return cycle.Routes{analyze, pictureRoute(n.Operation("svg", http.MethodGet, route.Schedule+"/risk.svg",
		"Draw when a Schedule may end"), filters, route.Bind(analysisIn(svc), analysis.Plan.RiskSVG))}
}

// pictureRoute answers with a picture that has no pages.
func pictureRoute[Q any](o cycle.Operation, filters []route.Filter,
	draw func(context.Context, string, Q) (analysis.Chart, error),
) *cycle.Route {
	return &cycle.Route{
		PaidBy:    cycle.ByWork,
		Operation: route.Filtered(o, filters),
		Replies:   cycle.Bytes([]string{"image/svg+xml"}, "Content-Security-Policy"),
		Serve: func(ctx context.Context, x *cycle.Exchange) error {
			var q Q
			if err := route.Fill(x, &q, filters); err != nil {
				return err
			}
			c, err := draw(ctx, x.Nth(0), q)
			if err != nil {
				return err
			}
			x.W.Header().Set("Content-Security-Policy", c.Policy)
			return x.Give(cycle.Download{
				Reader: bytes.NewReader(c.Text), Name: "", MediaType: c.MediaType,
				Size: int64(len(c.Text)),
			})
		},
	}
}
