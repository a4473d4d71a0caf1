package httpapitest_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// stranger is the client of someone who knows of this module no more than the harness: it
// posts, and waits as long as it is asked to.
type stranger struct {
	t    testing.TB
	tw   *httpapitest.Harness
	http *http.Client
}

// call sends a request and returns status, header and body; 0 where the connection
// ended before the answer did.
func (s stranger) call(method, path, body string) (int, http.Header, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.tw.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := s.http.Do(r)
	if err != nil {
		return 0, nil, ""
	}
	defer res.Body.Close()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, nil, ""
	}
	return res.StatusCode, res.Header, string(all)
}

// patient is call that tries again when it is asked to wait.
func (s stranger) patient(method, path, body string) int {
	s.t.Helper()
	for {
		status, header, _ := s.call(method, path, body)
		seconds, err := strconv.Atoi(header.Get("Retry-After"))
		if err != nil {
			return status
		}
		s.tw.Advance(time.Duration(seconds) * time.Second)
	}
}

func (s stranger) want(method, path, body string, want int) string {
	s.t.Helper()
	status, _, got := s.call(method, path, body)
	if status != want {
		s.t.Errorf("%s %s answers %d %s; want %d", method, path, status, got, want)
	}
	return got
}

// bridge is a world with a twin and a plan for it.
var bridge = fstest.MapFS{"bridge.json": {Data: []byte(`{
	"twins": [{"id": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90", "displayName": "Bridge", "class": "Thing"}],
	"schedules": [{"id": "plan", "name": "Plan", "twinId": "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"}]
}`)}}

func newStranger(t testing.TB, tw *httpapitest.Harness) stranger {
	return stranger{t, tw, tw.ClientWith(tw.Token("schedules_read", "schedules_modify"))}
}

const paint = `{"id": "paint", "title": "Paint", "type": "Work"}`

// gardens has the names of the deployment that the strangers know.
var gardens = fstest.MapFS{"gardens.json": {Data: []byte(`{
	"segments": {"schedules": "seasons", "tasks": "chores"}, "members": {"name": "title"}, "parts": {"task": "chore"}
}`)}}

// Whatever a harness is for, fifty times at once; each takes a few milliseconds.
func TestStrangersTestTheirClients(t *testing.T) {
	t.Parallel()
	for i := range testsize.Of(50, 12) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			s := newStranger(t, httpapitest.New(t,
				httpapitest.WithWorld(bridge, "bridge.json"), httpapitest.WithVocabularyFile(gardens, "gardens.json"),
				httpapitest.WithNumberedIDs(), httpapitest.WithRate(20)))
			s.clock()
			s.faults()
			s.operations()
			s.deliveries()
			s.state()
			s.socket()
			t.Logf("took %v", time.Since(began))
		})
	}
}

// clock uses up the allowance and waits for the next call, on the clock.
func (s stranger) clock() {
	for range 20 {
		s.want("GET", "/seasons/plan", "", 200)
	}
	before := s.tw.Now()
	if status := s.patient("GET", "/seasons/plan", ""); status != 200 || s.tw.Now().Sub(before) != 3*time.Second {
		s.t.Errorf("answer %d after %v", status, s.tw.Now().Sub(before))
	}
	s.tw.Advance(time.Minute)
}

// faults meets a busy server, a lost answer and one that is cut off.
func (s stranger) faults() {
	before := s.tw.Now()
	s.tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Times: 2, Status: 429, RetryAfter: time.Minute})
	if status := s.patient("POST", "/seasons/plan/chores", paint); status != 202 || s.tw.Now().Sub(before) != 2*time.Minute {
		s.t.Errorf("a patient client is answered with %d after %v", status, s.tw.Now().Sub(before))
	}
	s.tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Lost: true})
	s.want("POST", "/seasons/plan/chores", `{"id": "lost", "title": "Lost", "type": "Work"}`, 0)
	s.want("POST", "/seasons/plan/chores", `{"id": "lost", "title": "Lost", "type": "Work"}`, 409)
	s.tw.Faults.Add(httpapitest.Fault{Op: "tasks.get", Truncated: true})
	s.want("GET", "/seasons/plan/chores/lost", "", 0)
	s.want("GET", "/seasons/plan/chores/lost?misspelt=1", "", 200)
	s.tw.Journal.Require(s.t, "tasks.create", 5)
	if err := s.tw.Journal.WaitFor(s.t.Context(), "tasks.get", 2); err != nil {
		s.t.Error(err)
	}
	if calls := s.tw.Journal.Of("tasks.get"); len(calls[1].Unread) != 1 || calls[1].Unread[0] != "misspelt" {
		s.t.Errorf("nothing read %q", calls[1].Unread)
	}
}

// operations meets one that runs for a while and fails.
func (s stranger) operations() {
	held := s.tw.Operations.Hold("tasks.create")
	_, header, _ := s.call("POST", "/seasons/plan/chores", `{"title": "Fail", "type": "Work"}`)
	at := strings.TrimPrefix(header.Get("Operation-Location"), s.tw.URL)
	if got := s.want("GET", at, "", 200); !strings.Contains(got, `"status":"Running"`) {
		s.t.Errorf("held: %s", got)
	}
	held.FailWith("ScheduleNotInitialized")
	if got := s.want("GET", at, "", 200); !strings.Contains(got, `"status":"Failed"`) {
		s.t.Errorf("failed: %s", got)
	}
}

// deliveries receives the event of a twin at the second attempt, and once more on demand.
func (s stranger) deliveries() {
	ctx, hooks := s.t.Context(), s.tw.Webhooks
	hooks.Subscribe("twins.twinCreated.v1")
	hooks.FailNext(1, http.StatusServiceUnavailable)
	s.tw.NewTwin("Pier")
	hooks.Drain(ctx)
	s.tw.Advance(5 * time.Second)
	hooks.Drain(ctx)
	got := hooks.Deliveries()
	if len(got) != 2 || got[0].Status != http.StatusServiceUnavailable || got[1].Status != http.StatusNoContent || got[1].Err != nil {
		s.t.Fatalf("attempts: %+v", got)
	}
	if hooks.Replay(ctx, got[1].MessageID); len(hooks.Deliveries()) != 3 {
		s.t.Errorf("%d attempts", len(hooks.Deliveries()))
	}
}

// state comes back to where it was, and tries two ways from there.
func (s stranger) state() {
	before := s.tw.Snapshot()
	s.want("DELETE", "/seasons/plan/chores/paint", "", 202)
	s.want("GET", "/seasons/plan/chores/paint", "", 404)
	s.tw.Restore(before)
	s.want("GET", "/seasons/plan/chores/paint", "", 200)
	fork := newStranger(s.t, s.tw.Fork(s.t))
	fork.want("DELETE", "/seasons/plan/chores/paint", "", 202)
	s.want("GET", "/seasons/plan/chores/paint", "", 200)
}

// socket calls the same from outside of the process.
func (s stranger) socket() {
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.tw.Listen()+"/seasons/plan/chores/shovel", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.tw.Token("schedules_read"))
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 404 || !strings.Contains(string(got), `"code":"ChoreNotFound"`) {
		s.t.Errorf("a chore that is not there is answered with %d %s (%v)", res.StatusCode, got, err)
	}
}
