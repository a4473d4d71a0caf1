package httpapitest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

// A client meets an operation that is half done, and then fails.
func ExampleOperations_Hold() {
	testClient := func(t *testing.T) {
		tw := httpapitest.New(t)
		client := tw.Client()
		twin := tw.NewTwin("Bridge")
		post := func(path, body string) *http.Response {
			res, err := client.Post(tw.URL+path, "application/json", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		status := func(at string) string {
			res, err := client.Get(at)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			var found struct {
				Operation struct {
					Status, FailureDescription string
					PercentComplete            int
				}
			}
			if err := json.NewDecoder(res.Body).Decode(&found); err != nil {
				t.Fatal(err)
			}
			op := found.Operation
			return strings.TrimSpace(fmt.Sprintf("%s, %d percent %s", op.Status, op.PercentComplete, op.FailureDescription))
		}
		post("/schedules", `{"id": "plan", "name": "Plan", "twinId": "`+twin+`"}`).Body.Close()

		held := tw.Operations.Hold("tasks.create")
		made := post("/schedules/plan/tasks", `{"name": "Dig", "type": "Work"}`)
		made.Body.Close()
		fmt.Println(status(made.Header.Get("Operation-Location")))

		held.FailWith("ScheduleNotInitialized")
		fmt.Println(status(made.Header.Get("Operation-Location")))
	}
	// go test does this for a function TestClient.
	testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "TestClient", F: testClient}})
	// Output:
	// Running, 50 percent
	// Failed, 100 percent The schedule is not initialized. Its current state is 'Processing'.
}
