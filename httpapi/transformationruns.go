package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/transform"
)

// queueing is the header that lets a transformation wait for others of its target.
const queueing = "Enable-Transformation-Queueing"

type oneTransformation struct {
	Transformation transform.Transformation `json:"transformation"`
}

type oneReport struct {
	Report transform.Report `json:"report"`
}

func transformationRows(svc *transform.Service) rows {
	n := &noun{path: "/transformations", many: "transformations", one: "transformation", things: "transformations of a configuration or into a model", thing: "a transformation"}
	runs := answer(n.creates(), http.StatusCreated, func(ctx context.Context, x *exchange, b transform.NewTransformation) (out oneTransformation, err error) {
		b.Queue, _ = strconv.ParseBool(x.header(queueing))
		res, err := svc.RunTransformation(ctx, b)
		if err != nil {
			return out, err
		}
		x.w.Header().Set("ETag", res.Records[0].ETag)
		x.w.Header().Set("Location", x.to(n.path, res.Value().ID).Href)
		out.Transformation = res.Value()
		return out, nil
	}).says("Run a configuration; the header Enable-Transformation-Queueing: true lets it wait for others of its target").
		needs(transform.PermissionModelsRead + " at the source, " + transform.PermissionModelsWrite + " at the target")
	runs.replies[0].headers = []string{"ETag", "Location"}
	report := n.operation("report", http.MethodGet, n.each()+"/report", "Get what a transformation did")
	type query = transform.TransformationQuery
	return rows{
		runs,
		window(n, svc.Transformations,
			text("configurationId", "The configuration. Required without targetModelId.", func(q *query) *string { return &q.ConfigurationID }),
			text("targetModelId", "The target model.", func(q *query) *string { return &q.TargetModelID }),
			text("Status", "List transformations in this state.", func(q *query) *transform.TransformationStatus { return &q.Status }),
			text("OrderBy", "A property, such as createdDateTime, and desc behind it for the other direction.", func(q *query) *string { return &q.OrderBy }),
			skip(func(q *query) *int { return &q.Skip }),
			short(func(q *query) *bool { return &q.Minimal })).shortly(reflect.TypeFor[transform.TransformationSummary]()),
		get(n, svc.Transformation),
		answer(n.deletes(), http.StatusOK, func(ctx context.Context, x *exchange, _ nothing) (out oneTransformation, err error) {
			rec, err := svc.CancelTransformation(ctx, x.path("transformationId"), x.preconditions()...)
			out.Transformation = rec.Value
			return out, err
		}).says("Abort a transformation that is not done"),
		answer(report, http.StatusOK, func(ctx context.Context, x *exchange, _ nothing) (out oneReport, err error) {
			out.Report, err = svc.TransformationReport(ctx, x.path("transformationId"))
			return out, err
		}),
	}
}
