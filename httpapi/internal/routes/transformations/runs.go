package transformations

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/transform"
)

type oneTransformation struct {
	Transformation transform.Transformation `json:"transformation"`
}

type oneReport struct {
	Report transform.Report `json:"report"`
}

func transformationRoutes(svc *transform.Service) cycle.Routes {
	n := &route.Resource{
		Path: "/transformations", Many: "transformations", One: "transformation",
		Plural: "transformations of a configuration or into a model", Singular: "a transformation",
	}
	runs := route.Answer(n.Creates(), http.StatusCreated,
		func(ctx context.Context, x *cycle.Exchange, b transform.NewTransformation) (out oneTransformation, err error) {
			b.Queue, _ = strconv.ParseBool(x.Header(route.Queueing))
			res, err := svc.RunTransformation(ctx, b)
			if err != nil {
				return out, err
			}
			x.W.Header().Set("ETag", res.Records[0].ETag)
			x.W.Header().Set("Location", x.To(n.Path, res.Value().ID).Href)
			out.Transformation = res.Value()
			return out, nil
		}).Summarized("Run a configuration; the header Enable-Transformation-Queueing: true lets it wait for others " +
		"of its target").
		Needs(transform.PermissionModelsRead + " at the source, " + transform.PermissionModelsWrite + " at the target")
	runs.Replies[0].Headers = []string{"ETag", "Location"}
	report := n.Operation("report", http.MethodGet, n.Each()+"/report", "Get what a transformation did")
	type query = transform.TransformationQuery
	return cycle.Routes{
		runs,
		route.Window(n, svc.Transformations,
			route.Text("configurationId", "The configuration. Required without targetModelId.",
				func(q *query) *string { return &q.ConfigurationID }),
			route.Text("targetModelId", "The target model.", func(q *query) *string { return &q.TargetModelID }),
			route.Text("Status", "List transformations in this state.",
				func(q *query) *transform.TransformationStatus { return &q.Status }),
			route.Text("OrderBy", "A property, such as createdDateTime, and desc behind it for the other direction.",
				func(q *query) *string { return &q.OrderBy }),
			route.Skip(func(q *query) *int { return &q.Skip }),
			route.Short(func(q *query) *bool { return &q.Minimal })).
			Shortly(reflect.TypeFor[transform.TransformationSummary]()),
		route.Get(n, svc.Transformation),
		route.Answer(n.Deletes(), http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out oneTransformation, err error) {
				rec, err := svc.CancelTransformation(ctx, x.Path("transformationId"), x.Preconditions()...)
				out.Transformation = rec.Value
				return out, err
			}).Summarized("Abort a transformation that is not done"),
		route.Answer(report, http.StatusOK,
			func(ctx context.Context, x *cycle.Exchange, _ cycle.Nothing) (out oneReport, err error) {
				out.Report, err = svc.TransformationReport(ctx, x.Path("transformationId"))
				return out, err
			}),
	}
}
