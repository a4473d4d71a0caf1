package otel_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	apitrace "go.opentelemetry.io/otel/trace"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/otel"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

const (
	traceID  = "4bf92f3577b34da6a3ce929d0e0e4736"
	parentID = "00f067aa0ba902b7"
)

// serving is an API whose spans are kept, and its log.
func serving(t *testing.T) (h http.Handler, kept *tracetest.InMemoryExporter, log *bytes.Buffer) {
	t.Helper()
	kept, log = tracetest.NewInMemoryExporter(), new(bytes.Buffer)
	provider := trace.NewTracerProvider(trace.WithSyncer(kept))
	t.Cleanup(func() { _ = provider.Shutdown(t.Context()) })
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	spans := otel.New(otel.Config{TracerProvider: provider})
	me := twinplatform.Principal{ID: "me", AccountID: "a", Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform}}
	api, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"sesame": me}), Twins: p.Twins, Observer: spans.Observe,
		Env: twinplatform.Env{Logger: slog.New(slog.NewTextHandler(log, nil))},
	})
	if err != nil {
		t.Fatal(err)
	}
	return spans.Handler(api), kept, log
}

func ask(h http.Handler, target string, header ...string) int {
	r := httptest.NewRequest("GET", target, nil)
	r.Header.Set("Authorization", "Bearer sesame")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}

func TestASpanContinuesTheTraceOfTheClientAndTheLogHasItsIDs(t *testing.T) {
	t.Parallel()
	h, kept, log := serving(t)
	ask(h, "/twins/missing?token=sesame", "Traceparent", "00-"+traceID+"-"+parentID+"-01", "X-Request-Id", "r1")
	spans := kept.GetSpans()
	if len(spans) != 1 {
		t.Fatalf("there are %d spans", len(spans))
	}
	s := spans[0]
	if s.Name != "twins.get" || s.SpanKind != apitrace.SpanKindServer || s.SpanContext.TraceID().String() != traceID || s.Parent.SpanID().String() != parentID {
		t.Errorf("the span is %+v", s)
	}
	got := make(map[attribute.Key]any)
	for _, a := range s.Attributes {
		got[a.Key] = a.Value.AsInterface()
	}
	if size, _ := got["http.response.body.size"].(int64); size <= 0 {
		t.Errorf("the size is %v", got["http.response.body.size"])
	}
	delete(got, "http.response.body.size")
	want := map[attribute.Key]any{
		"http.request.method": "GET", "http.response.status_code": int64(404), "twinplatform.operation": "twins.get",
		"twinplatform.request_id": "r1", "twinplatform.principal_kind": "User", "error.type": "twinNotFound",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
	if s.Status.Code != codes.Unset {
		t.Errorf("a mistake of the client is %v", s.Status)
	}
	if !strings.Contains(log.String(), "trace_id="+traceID+" span_id="+s.SpanContext.SpanID().String()) {
		t.Errorf("the log is %s", log)
	}
}

func TestARequestWithoutAGoodTraceparentBeginsATrace(t *testing.T) {
	t.Parallel()
	h, kept, _ := serving(t)
	ask(h, "/twins")
	ask(h, "/nowhere", "Traceparent", "00-"+strings.Repeat("0", 32)+"-"+parentID+"-01")
	spans := kept.GetSpans()
	if len(spans) != 2 || spans[0].Name != "twins.list" || spans[1].Name != "HTTP" || spans[0].SpanContext.TraceID() == spans[1].SpanContext.TraceID() {
		t.Fatalf("the spans are %+v", spans)
	}
	for _, s := range spans {
		if s.Parent.IsValid() || !s.SpanContext.IsValid() {
			t.Errorf("the span is %+v", s)
		}
	}
}

func TestWithoutAProviderNothingIsRecorded(t *testing.T) {
	t.Parallel()
	spans := otel.New(otel.Config{})
	var traced bool
	spans.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, traced = twinplatform.TraceOf(r.Context())
		spans.Observe(r.Context(), httpapi.Observation{Operation: "twins.list", Status: 500})
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	if traced {
		t.Error("there is a trace")
	}
}

func TestAFaultOfTheServerIsAnErrorOfTheSpan(t *testing.T) {
	t.Parallel()
	kept := tracetest.NewInMemoryExporter()
	provider := trace.NewTracerProvider(trace.WithSyncer(kept))
	spans := otel.New(otel.Config{TracerProvider: provider})
	spans.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		spans.Observe(r.Context(), httpapi.Observation{Operation: "twins.list", Status: 503})
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	if got := kept.GetSpans(); len(got) != 1 || got[0].Status.Code != codes.Error {
		t.Errorf("the spans are %+v", got)
	}
}
