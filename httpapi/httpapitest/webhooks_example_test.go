package httpapitest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// A client's change is delivered to a receiver that fails at first. Nothing waits: the
// clock is moved.
func ExampleWebhooks() {
	testClient := func(t *testing.T) {
		tw := httpapitest.New(t)
		tw.Webhooks.Subscribe(event.TypeTwinCreated)
		tw.Webhooks.FailNext(1, 500)

		res, err := tw.Client().Post(tw.URL+"/twins", "application/json", strings.NewReader(`{"class": "Thing", "displayName": "Bridge"}`))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()

		tw.Webhooks.Drain(t.Context())
		tw.Advance(5 * time.Second)
		tw.Webhooks.Drain(t.Context())

		for _, d := range tw.Webhooks.Deliveries() {
			fmt.Println(d.EventType, d.Status, "signed:", d.Err == nil)
		}
	}
	// go test does this for a function TestClient.
	testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "TestClient", F: testClient}})
	// Output:
	// twins.twinCreated.v1 500 signed: true
	// twins.twinCreated.v1 204 signed: true
}
