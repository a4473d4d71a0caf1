package server

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

const conformanceTokens = `[
	{"token": "t-admin", "principal": {"id": "ada", "accountId": "acme", "kind": "User", "scopes": ["twin-platform"], "organizationAdmin": true}},
	{"token": "t-robot", "principal": {"id": "robot", "accountId": "acme", "kind": "Service", "scopes": ["webhooks:modify"], "organizationAdmin": true}},
	{"token": "t-reader", "principal": {"id": "rea", "accountId": "acme", "kind": "User", "scopes": ["twin-platform"]}},
	{"token": "t-stranger", "principal": {"id": "eve", "accountId": "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb", "kind": "User", "scopes": ["twin-platform", "webhooks:modify"], "organizationAdmin": true}}
]`

// The program is held to the documented behaviour over its socket, deliveries
// included, with operations before the answer and in the background.
func TestProcessConforms(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	program := build(t)
	for name, args := range map[string][]string{"at once": nil, "in the background": {"-background"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var observer http.Handler
			endpoint := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { observer.ServeHTTP(w, r) }))
			t.Cleanup(endpoint.Close)
			seen := httpapitest.NewDeliveryObserver(endpoint.URL, nil)
			observer = seen
			authority := fileWith(t, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: endpoint.Certificate().Raw})))
			s, _ := launch(t, program, append(args, "-rate", "0", "-tokens", fileWith(t, conformanceTokens), "-webhook-allow", "127.0.0.0/8", "-webhook-ca", authority)...)
			httpapitest.Conformance(t, s.base, "t-admin",
				httpapitest.ConformanceClient(s.client), httpapitest.ConformanceService("t-robot"), httpapitest.ConformanceStranger("t-stranger"),
				httpapitest.ConformanceReader("t-reader", "rea"), httpapitest.ConformanceReceiver(seen))
		})
	}
}
