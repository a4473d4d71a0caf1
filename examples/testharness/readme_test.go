package testharness_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

func TestClientWaitsAndSucceeds(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t) // the whole platform, in memory, until the test ends
	tw.Faults.Add(httpapitest.Fault{Op: "schedules.create", Status: 429, RetryAfter: time.Minute})
	plan := `{"name": "Plan", "twinId": "` + tw.NewTwin("Bridge") + `"}`
	for _, want := range []int{http.StatusTooManyRequests, http.StatusCreated} {
		res, err := tw.Client().Post(tw.URL+"/schedules", "application/json", strings.NewReader(plan))
		if err != nil || res.Body.Close() != nil || res.StatusCode != want {
			t.Fatal(res, err)
		}
		tw.Advance(time.Minute) // nobody waits: it is the platform's clock
	}
}
