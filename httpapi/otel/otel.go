// Package otel makes OpenTelemetry spans of the requests of an API.
//
//	spans := otel.New(otel.Config{TracerProvider: provider})
//	api, err := httpapi.New(httpapi.Config{Observer: spans.Observe, …})
//	…
//	handler := spans.Handler(api)
//
// A span is called after its operation, such as tasks.create, and continues the trace that the
// client names in its traceparent header; requests are logged under its ids. It has the
// attributes of the semantic conventions for HTTP servers that hold no secret: method, status
// and the code of the error; neither path nor query, and nothing of the caller but the kind.
//
// The program twinplatform makes no spans. A program of one's own does: see the example.
package otel

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// Config sets where spans go. The zero value sends them where the global provider does,
// which is nowhere unless the program has set one.
type Config struct {
	// TracerProvider makes the spans; nil: the global one.
	TracerProvider trace.TracerProvider
	// Propagator reads the headers of requests; nil: W3C Trace Context.
	Propagator propagation.TextMapPropagator
}

// Spans makes spans of requests. It is safe for concurrent use.
type Spans struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
}

// New returns what makes spans.
func New(cfg Config) *Spans {
	if cfg.TracerProvider == nil {
		cfg.TracerProvider = otel.GetTracerProvider()
	}
	if cfg.Propagator == nil {
		cfg.Propagator = propagation.TraceContext{}
	}
	const name = "github.com/seed-933f9a09/twinplatform/httpapi/otel"
	return &Spans{tracer: cfg.TracerProvider.Tracer(name), propagator: cfg.Propagator}
}

// unknownOperation is what a span is called whose request is for no operation.
const unknownOperation = "HTTP"

// Handler serves each request in a span, which ends when h has served it.
func (s *Spans) Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := s.propagator.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		parent := trace.SpanContextFromContext(ctx).SpanID()
		ctx, span := s.tracer.Start(ctx, unknownOperation, trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		if of := span.SpanContext(); of.IsValid() {
			ctx = twinplatform.WithTrace(ctx,
				twinplatform.Trace{ID: of.TraceID(), Span: of.SpanID(), Parent: parent, Sampled: of.IsSampled()})
		}
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Observe sets the outcome of a request on its span. It is an [httpapi.Observer].
func (s *Spans) Observe(ctx context.Context, o httpapi.Observation) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	if o.Operation != "" {
		span.SetName(o.Operation)
	}
	span.SetAttributes(
		attribute.String("http.request.method", o.Method),
		attribute.Int("http.response.status_code", o.Status),
		attribute.Int64("http.response.body.size", o.Size),
		attribute.String("twinplatform.operation", o.Operation),
		attribute.String("twinplatform.request_id", o.RequestID),
	)
	if o.Principal.Kind != "" {
		span.SetAttributes(attribute.String("twinplatform.principal_kind", string(o.Principal.Kind)))
	}
	if o.Err != nil {
		span.SetAttributes(attribute.String("error.type", o.Err.Code))
	}
	// What a client did wrong is no error of the server, by the conventions.
	if o.Status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
}
