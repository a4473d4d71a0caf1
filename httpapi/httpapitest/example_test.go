package httpapitest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// runTest does what go test does for a function TestClient.
func runTest(testClient func(t *testing.T)) {
	testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "TestClient", F: testClient}})
}

// makePlan is the client under test.
func makePlan(client *http.Client, url, twin string) (status int, err error) {
	res, err := client.Post(url+"/schedules", "application/json", strings.NewReader(`{"id": "plan", "name": "Plan", "twinId": "`+twin+`"}`))
	if err != nil {
		return 0, err
	}
	return res.StatusCode, res.Body.Close()
}

// A client is called with the address and the HTTP client of the harness; what it did
// is looked up through Go, and in the journal.
func ExampleNew() {
	runTest(func(t *testing.T) {
		tw := httpapitest.New(t)
		fmt.Println(makePlan(tw.Client(), tw.URL, tw.NewTwin("Bridge")))

		plan, err := tw.Schedules.Schedule(t.Context(), "plan")
		fmt.Println(plan.Value.Name, err)
		tw.Journal.Require(t, "schedules.create", 1)
	})
	// Output:
	// 201 <nil>
	// Plan <nil>
}

// A fault happens to a call on cue, in the documented form, and so often as it says.
func ExampleFaults_Add() {
	runTest(func(t *testing.T) {
		tw := httpapitest.New(t)
		twin := tw.NewTwin("Bridge")
		tw.Faults.Add(httpapitest.Fault{Op: "schedules.create", Status: 429, RetryAfter: time.Minute})
		fmt.Println(makePlan(tw.Client(), tw.URL, twin))
		fmt.Println(makePlan(tw.Client(), tw.URL, twin)) // too early
		tw.Advance(time.Minute)
		fmt.Println(makePlan(tw.Client(), tw.URL, twin))

		// A call that is carried out, and whose answer is lost.
		tw.Faults.Add(httpapitest.Fault{Op: "schedules.delete", Lost: true})
		req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, tw.URL+"/schedules/plan", nil)
		if err != nil {
			t.Fatal(err)
		}
		if res, err := tw.Client().Do(req); err == nil {
			t.Error(res.Status, res.Body.Close())
		}
		_, err = tw.Schedules.Schedule(t.Context(), "plan")
		fmt.Println(err)
	})
	// Output:
	// 429 <nil>
	// 429 <nil>
	// 201 <nil>
	// ScheduleNotFound (scheduleId): The requested schedule is not available.
}

// Callers may do what their tokens say.
func ExampleHarness_Token() {
	runTest(func(t *testing.T) {
		tw := httpapitest.New(t)
		twin := tw.NewTwin("Bridge")
		fmt.Println(makePlan(tw.ClientWith(tw.Token(twinplatform.PermissionSchedulesRead)), tw.URL, twin))
		fmt.Println(makePlan(tw.ClientWith(tw.Token(twinplatform.PermissionSchedulesRead, twinplatform.PermissionSchedulesModify)), tw.URL, twin))
	})
	// Output:
	// 403 <nil>
	// 201 <nil>
}

// Subtests continue from the same state, each in its own world.
func ExampleHarness_Fork() {
	runTest(func(t *testing.T) {
		tw := httpapitest.New(t)
		if _, err := makePlan(tw.Client(), tw.URL, tw.NewTwin("Bridge")); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"Dig", "Pour"} {
			t.Run(name, func(t *testing.T) {
				fork := tw.Fork(t)
				made, err := fork.Schedules.CreateTask(t.Context(), "plan", schedules.NewTask{ID: "first", Name: name, Type: schedules.Work})
				fmt.Println(made.Value().Name, err)
			})
		}
	})
	// Output:
	// Dig <nil>
	// Pour <nil>
}
