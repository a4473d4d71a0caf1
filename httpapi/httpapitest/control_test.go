package httpapitest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/control"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

func TestControlsOverHTTPDoWhatTheHarnessDoes(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithControls())
	tasks := plan(t, tw)
	c := tw.ClientWith("")
	test := tw.URL + control.Prefix
	var issued struct{ Token string }
	a := send(t, c, "POST", test+"/tokens", `{"permissions":["schedules_read","schedules_modify"],"expiresAfter":"2h"}`)
	if err := json.Unmarshal([]byte(a.body), &issued); err != nil || issued.Token == "" {
		t.Fatalf("answer %d %s", a.status, a.body)
	}
	client := tw.ClientWith(issued.Token)
	for _, step := range []struct {
		method, path, body string
		status             int
		has                string
	}{
		{"GET", test + "/clock", "", 200, `{"now":"2026-01-05T09:00:00Z"}`},
		{"POST", test + "/clock", `{"advance":"90s"}`, 200, `{"now":"2026-01-05T09:01:30Z"}`},
		{"POST", test + "/clock", `{"advance":"-1s"}`, 400, "forward only"},
		{"POST", test + "/clock", `{"forward":"1s"}`, 400, "forward"},
		{"POST", test + "/faults", `{"op":"tasks.create","status":429,"retryAfter":"1m","times":1}`, 204, ""},
		{"GET", test + "/faults", "", 200, `{"faults":[{"op":"tasks.create","times":1,"status":429,"retryAfter":"1m0s"}]}`},
		{"POST", tasks, dig, 429, "RateLimitExceeded"},
		{"POST", tasks, dig, 202, ""},
		{"POST", test + "/faults", `{"op":"tasks.create","status":418}`, 400, "tasks.create is not documented to answer with 418"},
		{"POST", test + "/faults", `{"op":"entity3dUserFieldValues.set","lost":true}`, 204, ""},
		{"DELETE", test + "/faults", "", 204, ""},
		{"GET", test + "/faults", "", 200, `{"faults":[]}`},
		{"POST", test + "/snapshots", "", 200, `{"snapshot":1}`},
		{"DELETE", tasks + "/dig", "", 202, ""},
		{"POST", test + "/snapshots/restore", `{"snapshot":2}`, 400, "there is no snapshot 2"},
		{"POST", test + "/snapshots/restore", `{"snapshot":1}`, 204, ""},
		{"GET", tasks + "/dig", "", 200, `"Dig"`},
		{"GET", test + "/journal?operation=tasks.create", "", 200, `"status":429,"code":"RateLimitExceeded","requestId":"","fault":{"op":"tasks.create"`},
		{"DELETE", test + "/journal", "", 204, ""},
		{"GET", test + "/journal", "", 200, `{"exchanges":[]}`},
		{"POST", test + "/operations", `{"kind":"task.created"}`, 400, `did you mean \"tasks.create\"?`},
		{"POST", test + "/operations", `{"kind":"tasks.create","percent":100}`, 400, "0 to 99"},
		{"POST", test + "/operations", `{"kind":"tasks.create","failWith":"Nothing"}`, 400, "no operation fails with"},
		{"POST", test + "/operations", `{"kind":"tasks.create","afterPolls":-1}`, 400, "0 or more"},
		{"POST", test + "/operations", `{"kind":"tasks.create","percent":40}`, 204, ""},
		{"POST", tasks, `{"id":"slow","name":"Slow","type":"Work"}`, 202, ""},
		{"GET", tasks + "/slow", "", 404, ""},
		{"GET", test + "/operations", "", 200, `"held":[{"id":"`},
		{"DELETE", test + "/operations?kind=baselines.create", "", 400, "is not held"},
		{"DELETE", test + "/operations", "", 204, ""},
		{"GET", tasks + "/slow", "", 200, `"Slow"`},
		{"GET", test + "/operations", "", 200, `"held":[]`},
		{"POST", test + "/operations/release", `{"id":"nobody"}`, 400, "not held"},
		{"POST", test + "/operations/release", `{"id":"nobody","failWith":"AlreadyExists"}`, 400, "failWith"},
		{"POST", test + "/operations/fail", `{"id":"nobody"}`, 400, "failWith"},
		{"POST", test + "/operations/fail", `{"id":"nobody","failWith":"Nothing"}`, 400, "no operation fails with"},
		{"GET", test + "/deliveries", "", 200, `{"deliveries":[]}`},
		{"POST", test + "/deliveries/fail", `{"times":0}`, 400, "cannot fail"},
		{"POST", test + "/deliveries/replay", `{"messageId":"none"}`, 400, "nothing with the id"},
		{"POST", test + "/deliveries/drain", "", 200, `{"attempts":0}`},
		{"GET", test + "/nothing", "", 400, "there is no control GET /_test/nothing"},
		{"POST", test + "/clock", `{"advance":"2h"}`, 200, ""},
		{"GET", tasks, "", 401, ""},
	} {
		a := send(t, client, step.method, step.path, step.body)
		if a.status != step.status || !strings.Contains(a.body, step.has) {
			t.Errorf("%s %s %s: %d %s", step.method, step.path, step.body, a.status, a.body)
		}
	}
}

func TestTheTestClockNeverGoesBack(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithControls())
	c, test := tw.ClientWith(""), tw.URL+control.Prefix
	random := rand.New(rand.NewPCG(25, 4))
	advances := []string{"2562047h", "2562047h", "2562047h47m16.854775807s"}
	for range 50 {
		advances = append(advances, time.Duration(random.Int64N(math.MaxInt64)).String())
	}
	moved, before := 0, tw.Now()
	for _, advance := range advances {
		a := send(t, c, "POST", test+"/clock", `{"advance":"`+advance+`"}`)
		after := tw.Now()
		switch {
		case a.status == 200 && after.After(before):
			moved++
		case a.status != 400 || !after.Equal(before) || !strings.Contains(a.body, "2262"):
			t.Fatalf("from %v by %s to %v: %d %s", before, advance, after, a.status, a.body)
		}
		before = after
		if a := send(t, tw.Client(), "GET", tw.URL+"/twins", ""); a.status != 200 {
			t.Fatalf("at %v: %d %s", after, a.status, a.body)
		}
	}
	if a := send(t, c, "POST", test+"/clock", `{"advance":"1s"}`); a.status != 200 || moved == len(advances) {
		t.Errorf("%d of %d moved the clock, and then: %d %s", moved, len(advances), a.status, a.body)
	}
}

func TestPagesOfOtherSitesDoNotReachTheControls(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithControls())
	for _, header := range []string{"Sec-Fetch-Site: cross-site", "Origin: https://evil.example"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, tw.URL+control.Prefix+"/clock", strings.NewReader(`{"advance":"1h"}`))
		if err != nil {
			t.Fatal(err)
		}
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
		before := tw.Now()
		res, err := tw.ClientWith("").Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusForbidden || !tw.Now().Equal(before) {
			t.Errorf("with %s the clock answers %d and is at %v", header, res.StatusCode, tw.Now())
		}
	}
}

func TestControlsAreOffUnlessAskedFor(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	if a := send(t, tw.Client(), "POST", tw.URL+"/_test/clock", `{"advance":"1h"}`); a.status != 404 || a.code() != "ResourceNotFound" {
		t.Errorf("answer %d %s", a.status, a.body)
	}
}

// ask has a handler answer.
func ask(h http.Handler, method, target, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, strings.NewReader(body)))
	return w
}

func TestASnapshotThatCannotBeRestoredIsAnAnswer(t *testing.T) {
	t.Parallel()
	opened := 0
	tw := httpapitest.New(t, httpapitest.WithControls(), httpapitest.WithAPI(func(cfg *httpapi.Config) {
		if opened++; opened > 1 {
			cfg.BaseURL = "nowhere"
		}
	}))
	if a := ask(tw, "POST", "/_test/snapshots", ""); a.Code != 200 {
		t.Fatalf("answer %d %s", a.Code, a.Body)
	}
	if a := ask(tw, "POST", "/_test/snapshots/restore", `{"snapshot":1}`); a.Code != 400 || !strings.Contains(a.Body.String(), "nowhere") {
		t.Errorf("answer %d %s, want 400 and why", a.Code, a.Body)
	}
}

func TestControlsServeAnyHandler(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	controls := control.New(func() time.Time { return moment })
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	observed := 0
	h, err := controls.Handler(httpapi.Config{
		Authenticator: httpapi.StaticTokens(nil), Twins: p.Twins,
		Observer: func(context.Context, httpapi.Observation) { observed++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	if w := ask(h, "POST", "/_test/faults", `{"op":"twins.list","code":"InternalError"}`); w.Code != 204 {
		t.Fatalf("answer %d %s", w.Code, w.Body)
	}
	if w := ask(h, "GET", "/twins", ""); w.Code != 500 || !strings.Contains(w.Body.String(), "InternalError") {
		t.Errorf("answer %d %s", w.Code, w.Body)
	}
	if w := ask(h, "GET", "/twins", ""); w.Code != 401 {
		t.Errorf("answer %d %s", w.Code, w.Body)
	}
	if e := controls.Journal.Of("twins.list"); observed != 1 || len(e) != 2 || e[1].Code != "HeaderNotFound" || !e[0].At.Equal(moment) {
		t.Errorf("the journal has %v, %d were observed", e, observed)
	}
}

func TestHeldOperationsAreEndedOneByOne(t *testing.T) {
	t.Parallel()
	controls := control.New(time.Now)
	svc := schedules.New(memory.New(), schedules.Config{Env: twinplatform.Env{Now: controls.Now, Gate: controls.Gate()}}, scheduling.Feature, planfiles.Feature)
	h, err := controls.Handler(httpapi.Config{Authenticator: httpapi.StaticTokens(nil), Schedules: svc})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := svc.CreateSchedule(t.Context(), schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: "tower"}); err != nil {
		t.Fatal(err)
	}
	does := func(method, path, body string, status int, has string) {
		t.Helper()
		if w := ask(h, method, control.Prefix+path, body); w.Code != status || !strings.Contains(w.Body.String(), has) {
			t.Errorf("%s %s %s: %d %s", method, path, body, w.Code, w.Body)
		}
	}
	status := func(id string) twinplatform.OperationStatus {
		t.Helper()
		rec, err := svc.In("plan").Operation(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return rec.Value.Status
	}
	does("POST", "/operations", `{"kind":"tasks.create"}`, 204, "")
	var ids []string
	first := ""
	for range 3 {
		res, err := svc.CreateTask(t.Context(), "plan", schedules.NewTask{Name: "Dig", Type: schedules.Work})
		if err != nil || res.Status != twinplatform.OperationRunning {
			t.Fatalf("the operation is %+v, %v", res.Operation, err)
		}
		ids = append(ids, res.ID)
		first = cmp.Or(first, res.Subjects[0])
	}
	does("GET", "/operations", "", 200, `"held":[{"id":"`+ids[0]+`","kind":"tasks.create","subjectIds":["`+first+`"]},`)
	does("GET", "/operations", "", 200, `"holding":["tasks.create"]`)
	does("POST", "/operations/release", `{"id":"`+ids[1]+`"}`, 204, "")
	does("POST", "/operations/release", `{"id":"`+ids[1]+`"}`, 400, "not held")
	does("POST", "/operations/fail", `{"id":"`+ids[2]+`","failWith":"TaskNotFound"}`, 204, "")
	for i, want := range []twinplatform.OperationStatus{twinplatform.OperationRunning, twinplatform.OperationSucceeded, twinplatform.OperationFailed} {
		if got := status(ids[i]); got != want {
			t.Errorf("operation %d is %s, want %s", i, got, want)
		}
	}
	if err := controls.Operations.Keep("tasks.create", false); err != nil {
		t.Fatal(err)
	}
	if got := status(ids[0]); got != twinplatform.OperationSucceeded {
		t.Errorf("what was kept is %s", got)
	}
	for kind, hold := range map[string]bool{"tasks.create": false, "tasks.paint": true, "": false} {
		if err := controls.Operations.Keep(kind, hold); err == nil {
			t.Errorf("%q is kept: %t", kind, hold)
		}
	}
	// The clock of the controls ends what waits for it.
	does("POST", "/operations", `{"kind":"tasks.create","after":"1m"}`, 204, "")
	res, err := svc.CreateTask(t.Context(), "plan", schedules.NewTask{Name: "Dig", Type: schedules.Work})
	if err != nil {
		t.Fatal(err)
	}
	does("POST", "/clock", `{"advance":"61s"}`, 200, "")
	if got := status(res.ID); got != twinplatform.OperationSucceeded {
		t.Errorf("what waited for the clock is %s", got)
	}
}

func TestDeliveriesAreControlledOverHTTP(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithControls())
	tw.Webhooks.Subscribe(event.TypeTwinCreated)
	tw.NewTwin("Bridge")
	c, test := tw.ClientWith(""), tw.URL+control.Prefix
	answers := func(method, path, body string, status int, has string) string {
		t.Helper()
		a := send(t, c, method, test+path, body)
		if a.status != status || !strings.Contains(a.body, has) {
			t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
		}
		return a.body
	}
	answers("POST", "/deliveries/fail", `{"status":503}`, 204, "")
	answers("POST", "/deliveries/drain", "", 200, `{"attempts":1}`)
	answers("POST", "/clock", `{"advance":"5s"}`, 200, "")
	answers("POST", "/deliveries/drain", "", 200, `{"attempts":1}`)
	var got struct {
		Deliveries []struct {
			Status int
			Fault  string
			Body   struct{ MessageID string }
		}
	}
	if err := json.Unmarshal([]byte(answers("GET", "/deliveries", "", 200, "twins.twinCreated.v1")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Deliveries) != 2 || got.Deliveries[0].Status != 503 || got.Deliveries[1].Status != 204 || got.Deliveries[0].Fault != "" {
		t.Fatalf("got %+v", got)
	}
	answers("POST", "/deliveries/replay", `{"messageId":"`+got.Deliveries[1].Body.MessageID+`"}`, 204, "")
	answers("GET", "/deliveries", "", 200, `"status":204`)
	if n := len(tw.Webhooks.Deliveries()); n != 3 {
		t.Errorf("%d attempts", n)
	}
}

func TestAStepSetsTheClockAndNoTimePasses(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t, httpapitest.WithControls())
	c, clock := tw.ClientWith(""), tw.URL+control.Prefix+"/clock"
	now, passed := tw.Now(), tw.Elapsed()
	want := func(at string, step, advance time.Duration) {
		t.Helper()
		if got := tw.Now(); !got.Equal(now.Add(step + advance)) {
			t.Errorf("%s: it is %v, want %v", at, got, now.Add(step+advance))
		}
		if got := tw.Elapsed(); got != passed+advance {
			t.Errorf("%s: %v have passed, want %v", at, got, passed+advance)
		}
	}
	for _, s := range []struct {
		body           string
		status         int
		step, advanced time.Duration
	}{
		{`{"step":"-10m"}`, 200, -10 * time.Minute, 0},
		{`{"step":"-600000h"}`, 400, -10 * time.Minute, 0},
		{`{"step":"2500000h"}`, 400, -10 * time.Minute, 0},
		{`{"step":"1h","advance":"1m"}`, 200, 50 * time.Minute, time.Minute},
	} {
		if a := send(t, c, "POST", clock, s.body); a.status != s.status {
			t.Errorf("%s: %d %s", s.body, a.status, a.body)
		}
		want(s.body, s.step, s.advanced)
	}
	tw.Step(-50 * time.Minute)
	want("set back in Go", 0, time.Minute)
}
