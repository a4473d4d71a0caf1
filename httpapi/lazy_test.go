package httpapi_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// A program that makes a handler for each of its tests waits for no route table.
//
//nolint:paralleltest // it counts allocations
func TestHandlerMakesItsRoutesWhenTheyAreAskedFor(t *testing.T) {
	config := httpapi.Config{
		Authenticator: httpapi.StaticTokens(nil), Schedules: schedules.New(memory.New(), schedules.Config{}, scheduling.Feature, planfiles.Feature), Rate: httpapi.Unlimited,
	}
	made := func() {
		if _, err := httpapi.New(config); err != nil {
			t.Fatal(err)
		}
	}
	made() // what all handlers have in common
	if n := testing.AllocsPerRun(10, made); n > 1_000 {
		t.Errorf("one more handler takes %.0f allocations", n)
	}
}
