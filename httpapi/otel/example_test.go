package otel_test

import (
	"context"
	"log"
	"os"
	"os/signal"

	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/seed-933f9a09/twinplatform/httpapi/otel"
	"github.com/seed-933f9a09/twinplatform/httpapi/server"
)

// The program twinplatform with spans: the same flags, and an exporter, such as that of
// go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp.
func Example() {
	var exporter trace.SpanExporter // otlptracehttp.New(ctx)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter))
	defer func() { _ = provider.Shutdown(context.WithoutCancel(ctx)) }()

	cfg, err := server.Parse(server.Process{Args: os.Args[1:], Env: os.Environ(), Stdout: os.Stdout, Stderr: os.Stderr})
	if err != nil {
		log.Fatal(err)
	}
	spans := otel.New(otel.Config{TracerProvider: provider})
	cfg.Observer, cfg.Around = spans.Observe, spans.Handler
	if err := server.Run(ctx, cfg); err != nil {
		log.Fatal(err)
	}
}
