package httpapitest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
)

// names are the names in braces of a path.
var names = regexp.MustCompile(`\{\w+\}`)

func TestEveryDocumentedErrorCanBeForcedByName(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	c := tw.Client()
	forced := 0
	for _, o := range httpapi.Operations() {
		url := tw.URL + names.ReplaceAllString(o.Path, "x")
		for _, e := range o.Errors {
			forced++
			tw.Faults.Add(httpapitest.Fault{Op: o.ID, Status: e.Status, Code: e.Code})
			a := send(t, c, o.Method, url, "")
			if a.status != e.Status || a.code() != e.Code || !strings.Contains(a.body, `"message":"`) {
				t.Errorf("%s: wanted %d %s, got %d %s", o.ID, e.Status, e.Code, a.status, a.body)
			}
			if waits := a.header.Get("Retry-After") != ""; waits != (e.Status == 429) {
				t.Errorf("%s: %d asks to wait: %v", o.ID, e.Status, waits)
			}
		}
	}
	if left := tw.Faults.Pending(); forced < 1000 || len(left) > 0 {
		t.Errorf("%d errors were forced, and are left: %+v", forced, left)
	}
}

func TestFaultHappensAsOftenAsConfigured(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Skip: 1, Times: 2, Status: 429, RetryAfter: time.Minute})
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Code: "StoreUnavailable"})
	var got []string
	for i := range 5 {
		a := send(t, tw.Client(), "POST", tasks, fmt.Sprintf(`{"name":"%d","type":"Work"}`, i))
		got = append(got, strings.TrimSpace(fmt.Sprint(a.status, " ", a.code(), " ", a.header.Get("Retry-After"))))
		send(t, tw.Client(), "GET", tasks, "") // which nothing is wrong with
	}
	want := []string{"503 StoreUnavailable", "429 RateLimitExceeded 60", "429 RateLimitExceeded 60", "202", "202"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if a := send(t, tw.Client(), "GET", tasks, ""); strings.Count(a.body, `"id"`) != 2 {
		t.Errorf("refused calls did something: %s", a.body)
	}
}

func TestClientThatDoesNotWaitIsRefusedAgain(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.list", Status: 429, RetryAfter: time.Minute})
	for _, step := range []struct {
		wait   time.Duration
		status int
		after  string
	}{{0, 429, "60"}, {0, 429, "60"}, {20 * time.Second, 429, "40"}, {40*time.Second - time.Nanosecond, 429, "1"}, {time.Nanosecond, 200, ""}} {
		tw.Advance(step.wait)
		if a := send(t, tw.Client(), "GET", tasks, ""); a.status != step.status || a.header.Get("Retry-After") != step.after {
			t.Errorf("%v later: %d, Retry-After %q; want %d, %q", step.wait, a.status, a.header.Get("Retry-After"), step.status, step.after)
		}
	}
}

func TestAnswerThatIsLostIsOfACallThatWasCarriedOut(t *testing.T) {
	t.Parallel()
	for name, base := range map[string]func(*httpapitest.Harness) (string, *http.Client){
		"in process": func(tw *httpapitest.Harness) (string, *http.Client) { return tw.URL, tw.Client() },
		"over a socket": func(tw *httpapitest.Harness) (string, *http.Client) {
			url := tw.Listen()
			return url, &http.Client{Transport: bearer(tw.TokenOf(tw.Admin()))}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tw := httpapitest.New(t)
			plan(t, tw)
			url, c := base(tw)
			tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Lost: true})
			r, _ := http.NewRequestWithContext(t.Context(), "POST", url+"/schedules/plan/tasks", strings.NewReader(dig))
			if res, err := c.Do(r); err == nil {
				_ = res.Body.Close()
				t.Fatalf("answered with %d", res.StatusCode)
			}
			if a := send(t, c, "GET", url+"/schedules/plan/tasks/dig", ""); a.status != 200 {
				t.Errorf("the task is not there: %d %s", a.status, a.body)
			}
			if e := tw.Journal.Of("tasks.create"); len(e) != 1 || !e[0].Lost || e[0].Status != 202 {
				t.Errorf("the journal has %v", e)
			}
		})
	}
}

// bearer is a transport that sends a token.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func TestTruncatedAnswerEndsInTheMiddle(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	plan(t, tw)
	url := tw.Listen()
	socket := &http.Client{Transport: bearer(tw.TokenOf(tw.Admin()))}
	for name, call := range map[string]func() (*http.Response, error){
		"in process":    func() (*http.Response, error) { return tw.Client().Get(tw.URL + "/schedules/plan") },
		"over a socket": func() (*http.Response, error) { return socket.Get(url + "/schedules/plan") },
	} {
		tw.Faults.Add(httpapitest.Fault{Op: "schedules.get", Truncated: true})
		res, err := call()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if !errors.Is(err, io.ErrUnexpectedEOF) || res.StatusCode != 200 || len(body) == 0 || int64(len(body)) >= res.ContentLength {
			t.Errorf("%s: %d with %d of %d bytes, %v", name, res.StatusCode, len(body), res.ContentLength, err)
		}
	}
}

func TestLatencyGoesByOnTheClock(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	began := tw.Now()
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Latency: 30 * time.Second})
	if a := send(t, tw.Client(), "POST", tasks, dig); a.status != 202 || tw.Now().Sub(began) != 30*time.Second {
		t.Errorf("answer %d after %v", a.status, tw.Now().Sub(began))
	}
	c := tw.Client()
	c.Timeout = 10 * time.Second
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.delete", Latency: 30 * time.Second})
	r, _ := http.NewRequestWithContext(t.Context(), "DELETE", tasks+"/dig", nil)
	res, err := c.Do(r)
	if err == nil {
		_ = res.Body.Close()
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a client that waits for 10 seconds gets %v", err)
	}
	if a := send(t, c, "GET", tasks+"/dig", ""); a.status != 200 {
		t.Errorf("what was given up was done: %d", a.status)
	}
}

func TestBareFaultAnswersAsAProxyWould(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	const page = "<html><h1>502 Bad Gateway</h1></html>"
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Bare: true, Status: 502, Body: page})
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Bare: true, Status: 500})
	tw.Faults.Add(httpapitest.Fault{Op: "tasks.create", Bare: true, Status: 503, RetryAfter: time.Minute, Times: 1})
	for _, want := range []answered{
		{status: 502, body: page, header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}},
		{status: 500},
		{status: 503, header: http.Header{"Retry-After": {"60"}}},
	} {
		got := send(t, tw.Client(), "POST", tasks, dig)
		if got.status != want.status || got.body != want.body || got.header.Get("Content-Type") != want.header.Get("Content-Type") || got.header.Get("Retry-After") != want.header.Get("Retry-After") {
			t.Errorf("%d %v %q", got.status, got.header, got.body)
		}
	}
	if a := send(t, tw.Client(), "GET", tasks+"/dig", ""); a.status != 404 {
		t.Errorf("what failed was done: %d", a.status)
	}
	for want, fault := range map[string]httpapitest.Fault{
		"a bare fault has a Status": {Op: "tasks.create", Bare: true, Body: page},
		"from 400 to 599":           {Op: "tasks.create", Bare: true, Status: 200},
		"no Code":                   {Op: "tasks.create", Bare: true, Status: 500, Code: "InternalError"},
		"that of a bare fault":      {Op: "tasks.create", Status: 429, Body: page},
	} {
		if err := tw.Faults.Check(fault); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v\nwant %s", fault, err, want)
		}
	}
}

func TestSpecificationsIDOfAnOperationIsTakenAndItsNameShown(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	tasks := plan(t, tw)
	tw.Faults.Add(httpapitest.Fault{Op: "S11", Status: 503})
	if left := tw.Faults.Pending(); len(left) != 1 || left[0].Op != "tasks.create" {
		t.Errorf("pending: %+v", left)
	}
	for _, want := range []int{503, 202} {
		if a := send(t, tw.Client(), "POST", tasks, dig); a.status != want {
			t.Errorf("%d, not %d", a.status, want)
		}
	}
	tw.Journal.Require(t, "S11", 2)
	tw.Journal.Require(t, "tasks.create", 2)
	if e := tw.Journal.Of("S11"); len(e) != 2 || e[0].Operation != "tasks.create" {
		t.Errorf("the journal has %v", e)
	}
}

func TestFaultsThatCannotBeAreRefusedWithWhatThereIs(t *testing.T) {
	t.Parallel()
	tw := httpapitest.New(t)
	for want, fault := range map[string]httpapitest.Fault{
		`there is no operation "task.list"; did you mean "tasks.list" (GET /schedules/{scheduleId}/tasks)`: {Op: "task.list", Status: 429},
		"tasks.create is not documented to answer with 418; it is with 400 InvalidSchedulesRequest, 401":   {Op: "tasks.create", Status: 418},
		"tasks.create is not documented to answer with TaskNotFound":                                       {Op: "tasks.create", Code: "TaskNotFound"},
		"tasks.create is not documented to answer with 400 AlreadyExists":                                  {Op: "tasks.create", Status: 400, Code: "AlreadyExists"},
		"the fault does nothing":                   {Op: "tasks.create"},
		"no negative numbers":                      {Op: "tasks.create", Times: -1, Lost: true},
		"either answers with an error, or loses":   {Op: "tasks.create", Status: 429, Lost: true},
		"loses the answer, or cuts it off":         {Op: "tasks.create", Truncated: true, Lost: true},
		"409 AlreadyExists does not ask clients":   {Op: "tasks.create", Status: 409, Code: "AlreadyExists", RetryAfter: time.Second},
		"RetryAfter is of a fault with the Status": {Op: "tasks.create", Lost: true, RetryAfter: time.Second},
		`there is no operation ""`:                 {Lost: true},
	} {
		if err := tw.Faults.Check(fault); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v\nwant %s", fault, err, want)
		}
	}
	failed := &failingTest{TB: t}
	if fork := tw.Fork(failed); !failed.by(func() { fork.Faults.Add(httpapitest.Fault{Op: "nothing"}) }) || !strings.Contains(failed.text, "there is no operation") {
		t.Errorf("a test continues with a fault that cannot be: %q", failed.text)
	}
	if left := tw.Faults.Pending(); len(left) > 0 {
		t.Errorf("left are %+v", left)
	}
}

// failingTest is a test that may fail.
type failingTest struct {
	testing.TB
	text string
}

type fatal struct{}

func (f *failingTest) Helper() {}
func (f *failingTest) Errorf(format string, args ...any) {
	f.text += fmt.Sprintf(format, args...)
}

func (f *failingTest) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	panic(fatal{})
}

// by reports whether do ends the test.
func (f *failingTest) by(do func()) (failed bool) {
	defer func() {
		if v := recover(); v != nil {
			if _, failed = v.(fatal); !failed {
				panic(v)
			}
		}
	}()
	do()
	return false
}
