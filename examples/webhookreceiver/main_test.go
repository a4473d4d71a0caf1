package main

import (
	"context"
	"crypto/x509"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// lines takes what a program prints and hands it on line by line.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)
	return len(b), nil
}

func (l lines) next(t *testing.T) string {
	t.Helper()
	select {
	case line := <-l:
		return line
	case <-time.After(time.Minute):
		t.Fatal("the program prints nothing more")
		return ""
	}
}

const secret = "a secret of at least thirty-two characters"

func TestEventsOfThePlatformArePrintedOnce(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ca := filepath.Join(t.TempDir(), "receiver.pem")
	out, log := make(lines, 10), make(lines, 10)
	ended := make(chan error, 1)
	getenv := func(string) string { return secret }
	go func() { ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-write-ca", ca}, getenv, out, log) }()
	_, url, _ := strings.Cut(strings.TrimSpace(log.next(t)), "receiving at ")

	pem, err := os.ReadFile(ca)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	svc := webhooks.New(memory.New(), webhooks.Config{RootCAs: pool, AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	made, err := svc.CreateWebhook(ctx, webhooks.NewWebhook{
		CallbackURL: url, Scope: webhooks.TwinScope, ScopeID: "tower", EventTypes: webhooks.EventTypes(), Secret: webhooks.NewSecret(secret),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := svc.UpdateWebhook(ctx, made.Value().ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)}); err != nil {
		t.Fatal(err)
	}
	e, err := svc.Publish(ctx, twinplatform.Event{Type: string(webhooks.RealityConversionJobCompleted), TwinID: "tower", Content: []byte(`{"jobId":"job"}`)})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if n, err := svc.Deliver(ctx); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		page, err := svc.Deliveries(ctx, made.Value().ID, webhooks.DeliveryQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for d := range page.OnPage() {
			if d.State != webhooks.Delivered {
				t.Errorf("delivery %+v", d)
			}
			if _, err := svc.Redeliver(ctx, made.Value().ID, d.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if line := out.next(t); !strings.Contains(line, e.ID) || !strings.Contains(line, `"content":{"jobId":"job"}`) {
		t.Errorf("printed %s", line)
	}
	if len(out) > 0 {
		t.Errorf("printed once more: %s", out.next(t))
	}
}

func TestStartIsRefusedWithoutASecret(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	for name, args := range map[string][]string{
		"none":           nil,
		"no such file":   {"-secret-file", filepath.Join(t.TempDir(), "missing")},
		"key without it": {"-key", "key.pem"},
		"unknown flag":   {"-unknown"},
	} {
		if err := run(t.Context(), args, none, io.Discard, io.Discard); err == nil {
			t.Errorf("%s: started", name)
		}
	}
}
