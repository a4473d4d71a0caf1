package schedules

import (
	"bytes"
	"context"
	"net/http"
	"slices"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
)

// Answers about progress under their keys.
type (
	curveAnswer struct {
		Curve analysis.ProgressCurve `json:"progressCurve"`
	}
	histogramAnswer struct {
		Histogram analysis.ResourceHistogram `json:"resourceHistogram"`
	}
	lineAnswer struct {
		Line analysis.ProgressLine `json:"progressLine"`
	}
)

func progressRoutes(svc *schedules.Service) cycle.Routes {
	type query = analysis.ProgressQuery
	step := route.Text("step", "How long periods are: Day, Week, Month or Year. Unless it is given, what makes up to "+
		"120 of them.", func(q *query) *analysis.ProgressStep {
		return &q.Step
	})
	baseline := route.Text("baselineId", "Take this baseline for what is planned.",
		func(q *query) *string { return &q.BaselineID })
	measure := route.Text("measure", "What is added up: Count, Duration or Units. Count unless it is given.",
		func(q *query) *analysis.ProgressMeasure { return &q.Measure })
	withoutPeriods := route.Flag("withoutPeriods", "True leaves the periods out of data, and tells when more of which "+
		"Resource is used than there is.", func(q *query) *bool { return &q.WithoutPeriods })
	in := analysisIn(svc)
	return slices.Concat(
		looked("progressCurves", "/progress-curve", "how far a Schedule is",
			[]route.Filter{baseline, measure, step}, nil,
			func(ctx context.Context, id string, q query) (out curveAnswer, err error) {
				out.Curve, err = in(id).ProgressCurve(ctx, q)
				return out, err
			}, route.Bind(in, analysis.Plan.ProgressCurveSVG), route.Bind(in, analysis.Plan.ProgressCurveCSV)),
		looked("resourceHistograms", "/resource-histogram", "what a Schedule uses of its Resources",
			[]route.Filter{step}, []route.Filter{withoutPeriods},
			func(ctx context.Context, id string, q query) (out histogramAnswer, err error) {
				out.Histogram, err = in(id).ResourceHistogram(ctx, q)
				return out, err
			}, route.Bind(in, analysis.Plan.ResourceHistogramSVG), route.Bind(in, analysis.Plan.ResourceHistogramCSV)),
		looked("progressLines", "/progress-line", "how far each Task is ahead or behind", []route.Filter{baseline}, nil,
			func(ctx context.Context, id string, q query) (out lineAnswer, err error) {
				out.Line, err = in(id).ProgressLine(ctx, q)
				return out, err
			}, route.Bind(in, analysis.Plan.ProgressLineSVG), route.Bind(in, analysis.Plan.ProgressLineCSV)),
	)
}

// looked are the routes of one look at a schedule: data, picture and lines of fields. Data have filters of their own
// besides those of all three.
func looked[Out any](name, path, what string, filters, ofData []route.Filter,
	tell func(context.Context, string, analysis.ProgressQuery) (Out, error),
	draw func(context.Context, string, analysis.ProgressQuery) (analysis.Chart, error), lines func(context.Context,
		string, analysis.ProgressQuery) ([]byte, error),
) cycle.Routes {
	n := &route.Resource{Many: name}
	bare := route.Flag("bare", "True leaves out the colours, for pages that have them.",
		func(q *analysis.ProgressQuery) *bool { return &q.Bare })
	ofData = slices.Concat(filters, ofData)
	return cycle.Routes{
		route.Answer(route.Filtered(n.Operation("json", http.MethodGet, route.Schedule+path+".json", "Get "+what),
			ofData), http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out Out, err error) {
				var q analysis.ProgressQuery
				if err := route.Fill(x, &q, ofData); err != nil {
					return out, err
				}
				return tell(ctx, x.Nth(0), q)
			}),
		pictureRoute(n.Operation("svg", http.MethodGet, route.Schedule+path+".svg", "Draw "+what),
			append(slices.Clone(filters), bare), draw),
		{
			PaidBy: cycle.ByWork,
			Operation: route.Filtered(n.Operation("csv", http.MethodGet, route.Schedule+path+".csv",
				"Get "+what+" in lines of fields"), filters),
			Replies: cycle.Bytes([]string{"text/csv"}, "Content-Disposition"),
			Serve: func(ctx context.Context, x *cycle.Exchange) error {
				var q analysis.ProgressQuery
				if err := route.Fill(x, &q, filters); err != nil {
					return err
				}
				text, err := lines(ctx, x.Nth(0), q)
				if err != nil {
					return err
				}
				return x.Give(cycle.Download{
					Reader: bytes.NewReader(text), Name: path[1:] + ".csv",
					MediaType: "text/csv; charset=utf-8", Size: int64(len(text)),
				})
			},
		},
	}
}
