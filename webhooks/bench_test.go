package webhooks_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// BenchmarkDelivery delivers events to endpoints of one TLS receiver on this
// machine, and then has a bare http.Client post the same bodies with the same
// concurrency. The ratio says what share of the bare speed is left when every
// delivery is recorded, signed, guarded and accounted for.
func BenchmarkDelivery(b *testing.B) {
	for name, open := range map[string]func(b *testing.B) storage.Store{
		"memory": func(*testing.B) storage.Store { return memory.New() },
		"file": func(b *testing.B) storage.Store {
			store, err := buntdb.Open(b.TempDir()+"/store", buntdb.Options{})
			if err != nil {
				b.Fatal(err)
			}
			return store
		},
	} {
		b.Run(name, func(b *testing.B) {
			store := open(b)
			defer store.Close()
			benchmarkDelivery(b, store)
			b.ReportMetric(map[string]float64{"memory": 0.80, "file": 0.75}[name], "must")
		})
	}
}

func benchmarkDelivery(b *testing.B, store storage.Store) {
	const endpoints = 16
	events := max(b.N/endpoints, 1)
	var left atomic.Int64
	var all chan struct{}
	url, cfg := tlsReceiver(b, http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		if left.Add(-1) == 0 {
			close(all)
		}
	}))
	expect := func() {
		left.Store(int64(endpoints * events))
		all = make(chan struct{})
	}
	cfg.Pool = 2 * endpoints // an account is given as many workers as are left free
	svc := newService(store, cfg)
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var hooks []webhooks.Webhook
	for i := range endpoints {
		hook, _ := subscribe(b, ctx, svc, webhooks.NewWebhook{CallbackURL: fmt.Sprint(url, "/", i)})
		hooks = append(hooks, hook)
	}
	db := records.New(store)
	for at := range events {
		err := db.Update(ctx, func(u *records.Update) error {
			return u.Emit(twinplatform.Event{
				ID: fmt.Sprint("event-", at), Type: string(webhooks.RealityConversionJobCompleted), TwinID: twinID,
				AccountID: accountID, Time: time.Now(), Content: []byte(`{"jobId":"job"}`),
			})
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	expect()
	ran := make(chan error, 1)
	b.ResetTimer()
	go func() { ran <- svc.Run(ctx) }()
	<-all
	b.StopTimer()
	ours := b.Elapsed()
	cancel()
	if err := <-ran; err != nil {
		b.Fatal(err)
	}
	bare := post(b, cfg, hooks, events, expect)
	n := float64(endpoints * events)
	b.ReportMetric(n/ours.Seconds(), "deliveries/s")
	b.ReportMetric(n/bare.Seconds(), "bare/s")
	b.ReportMetric(bare.Seconds()/ours.Seconds(), "ratio")
}

// post has a bare client post what the service delivered.
func post(b *testing.B, cfg webhooks.Config, hooks []webhooks.Webhook, events int, expect func()) time.Duration {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: tlsConfig(cfg), MaxIdleConnsPerHost: len(hooks)}}
	defer client.CloseIdleConnections()
	expect()
	began := time.Now()
	var group sync.WaitGroup
	for _, hook := range hooks {
		group.Go(func() {
			for at := range events {
				body := fmt.Sprintf(`{"content":{"jobId":"job"},"eventType":"realityConversion.jobCompleted.v1","enqueuedDateTime":"0001-01-01T00:00:00.000Z",`+
					`"twinId":%q,"messageId":"event-%d","webhookId":%q}`, twinID, at, hook.ID)
				res, err := client.Post(hook.CallbackURL, "application/json", bytes.NewReader([]byte(body)))
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
		})
	}
	group.Wait()
	return time.Since(began)
}
