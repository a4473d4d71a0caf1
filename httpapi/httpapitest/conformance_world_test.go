package httpapitest_test

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// callbackURL is the address of the receiver.
const callbackURL = "https://receiver.example.com/events"

// rightWorld is a platform that the suite finds nothing wrong with.
type rightWorld struct {
	platform *platform.Platform
	handler  http.Handler
	receiver http.Handler // takes the deliveries
}

// conformanceCallers are the callers of the suite.
func conformanceCallers() map[string]twinplatform.Principal {
	scopes := []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify}
	admin := []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}
	const acme, other = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
	return map[string]twinplatform.Principal{
		"admin":    {ID: "admin", DisplayName: "Admin", AccountID: acme, Scopes: scopes, AdministratorRoles: admin},
		"service":  {ID: "service", AccountID: acme, Kind: twinplatform.Service, Scopes: scopes, AdministratorRoles: admin},
		"reader":   {ID: "reader", AccountID: acme, Scopes: scopes},
		"stranger": {ID: "stranger", AccountID: other, Scopes: scopes, AdministratorRoles: admin},
	}
}

func newRightWorld(t testing.TB, configure ...func(*platform.Config, *httpapi.Config)) *rightWorld {
	t.Helper()
	w := new(rightWorld)
	files, err := filestore.Temporary(filestore.Config{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := platform.Config{RealityData: realitydata.Config{Containers: files}, Webhooks: webhooks.Config{Transport: serving(func(rw http.ResponseWriter, r *http.Request) { w.receiver.ServeHTTP(rw, r) })}}
	api := httpapi.Config{Authenticator: httpapi.StaticTokens(conformanceCallers()), Rate: httpapi.Unlimited}
	for _, c := range configure {
		c(&cfg, &api)
	}
	p, err := platform.New(memory.New(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	api.Twins, api.Schedules, api.Forms, api.RealityData, api.Transform, api.Webhooks = p.Twins, p.Schedules, p.Forms, p.RealityData, p.Transform, p.Webhooks
	w.platform = p
	if w.handler, err = httpapi.New(api); err != nil {
		t.Fatal(err)
	}
	return w
}

// deliver makes the deliveries that are due.
func (w *rightWorld) deliver(ctx context.Context) error {
	_, err := w.platform.Webhooks.Deliver(ctx)
	return err
}

// serving is a transport to a handler, without a socket.
type serving http.HandlerFunc

// RoundTrip implements http.RoundTripper.
func (h serving) RoundTrip(r *http.Request) (*http.Response, error) {
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr, in.Host = r.URL.RequestURI(), "192.0.2.1:1234", r.URL.Host
	if r.URL.Scheme == "https" {
		in.TLS = new(tls.ConnectionState)
	}
	if in.Body == nil {
		in.Body = http.NoBody
	}
	defer func() { _ = in.Body.Close() }()
	w := httptest.NewRecorder()
	h(w, in)
	res := w.Result()
	res.Request = r
	return res, nil
}

// drained reads what is left of a body.
func drained(r io.Reader) string {
	b, err := io.ReadAll(r)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
