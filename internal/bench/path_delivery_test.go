package bench_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// endpoints is to how many each event goes.
const endpoints = 16

// deliveryPaths are events from their publication until all endpoints of a TLS receiver
// have answered, compared with a bare client that posts the same bodies over as many
// connections. The work is so many deliveries; ours are recorded, signed, guarded and
// accounted for.
var deliveryPaths = []path{
	{name: "deliver-memory", must: must{cpu: 1.6}, size: 8_000, small: 2 * endpoints, prepare: func(tb testing.TB, size int) (raw, own func(int) error, n int) {
		return delivered(tb, memory.New(), size)
	}},
	{name: "deliver-file", must: must{cpu: 1.6}, size: 8_000, small: 2 * endpoints, prepare: func(tb testing.TB, size int) (raw, own func(int) error, n int) {
		return delivered(tb, opened(tb, filepath.Join(tb.TempDir(), "store")), size)
	}},
}

func delivered(tb testing.TB, store storage.Store, size int) (raw, own func(int) error, n int) {
	tb.Helper()
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
	}))
	tb.Cleanup(receiver.Close)
	roots := x509.NewCertPool()
	roots.AddCert(receiver.Certificate())
	w := worldOver(tb, store, webhooks.Config{
		AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, RootCAs: roots, Pool: 2 * endpoints,
	})
	for i := range endpoints {
		w.webhook(fmt.Sprint(receiver.URL, "/", i))
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, MaxIdleConnsPerHost: endpoints}}
	tb.Cleanup(client.CloseIdleConnections)
	body := fmt.Sprintf(`{"content":{"jobId":"job"},"eventType":"realityConversion.jobCompleted.v1","enqueuedDateTime":"0001-01-01T00:00:00.000Z",`+
		`"twinId":%q,"messageId":"01890a5d-ac96-774b-bcce-b302099a8057","webhookId":"01890a5d-ac96-774b-bcce-b302099a8057"}`, w.twin)
	return func(n int) error { return post(client, receiver.URL, body, n) }, func(n int) error {
		for range events(n) {
			w.publish()
		}
		made, err := w.Webhooks.Deliver(w.application())
		if err != nil {
			return err
		}
		return want("deliveries", made, events(n)*endpoints)
	}, size
}

// events is how many make n deliveries, or a few more.
func events(n int) int { return (n + endpoints - 1) / endpoints }

// post has a bare client make as many requests as the events have endpoints.
func post(client *http.Client, url, body string, n int) error {
	var all sync.WaitGroup
	failed := make(chan error, endpoints)
	for i := range endpoints {
		all.Go(func() {
			for range events(n) {
				res, err := client.Post(fmt.Sprint(url, "/", i), "application/json", bytes.NewReader([]byte(body)))
				if err != nil {
					failed <- err
					return
				}
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
		})
	}
	all.Wait()
	close(failed)
	return <-failed
}

// webhook makes an active webhook for all events of the twin.
func (w *world) webhook(url string) (id string) {
	w.tb.Helper()
	ctx := w.application()
	res, err := w.Webhooks.CreateWebhook(ctx, webhooks.NewWebhook{
		Scope: webhooks.TwinScope, ScopeID: w.twin, CallbackURL: url, EventTypes: webhooks.EventTypes(),
	})
	w.must(err)
	_, err = w.Webhooks.UpdateWebhook(ctx, res.Value().ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)})
	w.must(err)
	return res.Value().ID
}
