package admin_test

import (
	"fmt"
	"log"
	"net/http/httptest"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// The API and the probes are for clients, the metrics for a separate listener.
func Example() {
	store := memory.New()
	p, err := platform.New(store, platform.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	me := twinplatform.Principal{ID: "me", AccountID: "acme", Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform}}
	requests := admin.NewRequests()
	api, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"secret": me}),
		Observer:      requests.Observe, Twins: p.Twins,
	})
	if err != nil {
		log.Fatal(err)
	}
	version := admin.BuildVersion()
	probes := admin.NewProbes(version, nil, admin.Check{Name: "store", Holds: admin.Writable(store)})
	public := probes.Wrap(api)
	private := admin.New(admin.Config{Requests: requests, Store: store, Platform: p, Version: version})

	for _, path := range []string{"/readyz", "/twins"} {
		w := httptest.NewRecorder()
		public.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		fmt.Println(path, w.Code)
	}
	w := httptest.NewRecorder()
	private.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1:4792/metrics", nil))
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "twinplatform_http_requests_total") {
			fmt.Print(line)
		}
	}
	// Output:
	// /readyz 200
	// /twins 401
	// twinplatform_http_requests_total{operation="twins.list",status="401"} 1
}
