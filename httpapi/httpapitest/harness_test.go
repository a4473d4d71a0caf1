package httpapitest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// answered is an answer that was read to its end.
type answered struct {
	status int
	header http.Header
	body   string
}

// send sends a request and reads the answer.
func send(t testing.TB, c *http.Client, method, url, body string) answered {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answered{res.StatusCode, res.Header, string(all)}
}

// code is that of an answer's error.
func (a answered) code() string {
	var body struct {
		Error struct{ Code string }
	}
	_ = json.Unmarshal([]byte(a.body), &body)
	return body.Error.Code
}

// plan makes a schedule, through Go, and returns the address of its tasks.
func plan(t testing.TB, tw *httpapitest.Harness) string {
	t.Helper()
	ctx := twinplatform.WithPrincipal(t.Context(), tw.Admin())
	_, err := tw.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: tw.NewTwin("Bridge")})
	if err != nil {
		t.Fatal(err)
	}
	return tw.URL + "/schedules/plan/tasks"
}

const dig = `{"id":"dig","name":"Dig","plannedStart":"2026-01-05T09:00:00Z","plannedDuration":3600,"type":"Work"}`

func TestHarnessServesTheAPIInABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tw := httpapitest.New(t)
		tasks := plan(t, tw)
		if a := send(t, tw.Client(), "POST", tasks, dig); a.status != 202 {
			t.Fatalf("answer %d %s", a.status, a.body)
		}
		if a := send(t, tw.Client(), "GET", tasks+"/dig", ""); a.status != 200 || !strings.Contains(a.body, `"name":"Dig"`) {
			t.Errorf("answer %d %s", a.status, a.body)
		}
	})
}
