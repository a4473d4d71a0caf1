package httpapitest_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

// A test of three lines holds your own server to the documented behaviour. This one
// stands for any server: it serves twins, and what it lacks is named.
func ExampleConformance() {
	var server http.RoundTripper // reaches it; nil for a server behind a socket

	testServer := func(t *testing.T) {
		server = serving(newRightWorld(t).handler.ServeHTTP)
		httpapitest.Conformance(t, "https://twin.test", "admin",
			httpapitest.ConformanceClient(&http.Client{Transport: server}),
			httpapitest.ConformanceWithout(
				"schedules", "tasks", "lists", "deltas", "versions", "operations", "resources", "baselines",
				"forms", "realityData", "detectors", "transformations", "webhooks", "deliveries",
			))
	}

	// go test does this for a function TestServer.
	fmt.Println(testing.RunTests(func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestServer", F: testServer}}))
	// Output: true
}
