package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// observed returns a configuration whose observer records its calls.
func observed(seen *[]httpapi.Observation) httpapi.Config {
	return httpapi.Config{Observer: func(_ context.Context, o httpapi.Observation) { *seen = append(*seen, o) }}
}

func TestObserverIsCalledOncePerRequest(t *testing.T) {
	t.Parallel()
	var seen []httpapi.Observation
	h := things(t, observed(&seen), thing())
	ask(h, "GET", "/things/a", "")
	ask(h, "GET", "/things/missing", "")
	ask(h, "GET", "/things", "", "Authorization: Bearer wrong")
	ask(h, "GET", "/nowhere", "")
	ask(h, "PUT", "/things", "")
	ask(h, "GET", "/things//a", "")
	ask(things(t, observed(&seen), failing(nil, "out of luck")), "GET", "/things/a", "")
	ask(things(t, observed(&seen), failing(errors.New("disk on fire"), nil)), "GET", "/things/a", "")
	var got []string
	for _, o := range seen {
		line := fmt.Sprintf("%s %s %d %s", o.Method, o.Operation, o.Status, o.Principal.ID)
		if o.Err != nil {
			line += " " + o.Err.Code
		}
		if o.RequestID == "" || o.Began.IsZero() || o.Duration < 0 {
			t.Errorf("%s: %+v", line, o)
		}
		got = append(got, line)
	}
	want := []string{
		"GET T3 200 me", "GET T3 404 me ThingNotFound", "GET T1 401  HeaderNotFound", "GET  404 me ResourceNotFound",
		"PUT  405 me MethodNotAllowed", "GET  404 me ResourceNotFound", "GET T3 500 me InternalError", "GET T3 500 me InternalError",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
	if cause := twinplatform.Cause(seen[7].Err); cause.Error() != "disk on fire" {
		t.Errorf("the cause is %v", cause)
	}
}

func TestObserverGetsWhatNothingRead(t *testing.T) {
	t.Parallel()
	for request, want := range map[string][]string{
		"POST /things?name=a&Name=b {\"name\":\"a\",\"Name2\":1,\"inner\":{\"off\":1}}": {"name", "Name", "Name2", "inner.off"},
		"POST /things {\"name\":\"a\"}":                     nil,
		"GET /things?name=a&other=1 ":                       {"other"},
		"DELETE /things?thingIds=a {\"ids\":[\"a\"]}":       {"(body)"},
		"POST /things/a/strict {\"name\":\"a\",\"more\":1}": {"more"},
		"GET /things/a?" + strings.Repeat("x&", 200) + " ":  slicesOf("x", 100),
	} {
		var seen []httpapi.Observation
		h := things(t, observed(&seen), thing())
		method, rest, _ := strings.Cut(request, " ")
		target, body, _ := strings.Cut(rest, " ")
		ask(h, method, target, body)
		if diff := cmp.Diff(want, seen[0].Unread); diff != "" {
			t.Errorf("%s (-want +got):\n%s", request, diff)
		}
	}
}

func slicesOf(s string, n int) []string {
	return strings.Split(strings.TrimSuffix(strings.Repeat(s+" ", n), " "), " ")
}

func TestObserversAreCalledInTheirOrder(t *testing.T) {
	t.Parallel()
	var seen []string
	observer := func(name string) httpapi.Observer {
		return func(_ context.Context, o httpapi.Observation) { seen = append(seen, name+" "+o.Operation) }
	}
	panics := func(context.Context, httpapi.Observation) { panic("no more room") }
	h := things(t, httpapi.Config{Observer: httpapi.Observers(observer("a"), nil, panics, observer("b"))}, thing())
	if res := ask(h, "GET", "/things/a", ""); res.Code != http.StatusOK {
		t.Errorf("an observer that panics: %d", res.Code)
	}
	if diff := cmp.Diff([]string{"a T3", "b T3"}, seen); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
	if httpapi.Observers(nil, nil) != nil {
		t.Error("observers that are none are an observer")
	}
}

func TestObserverThatPanicsIsNotNoticedByClients(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := things(t, httpapi.Config{
		Env:      twinplatform.Env{Logger: slog.New(slog.NewTextHandler(&log, nil))},
		Observer: func(context.Context, httpapi.Observation) { panic("no more room") },
	}, thing())
	if w := ask(h, "GET", "/things/a", ""); w.Code != 200 || strings.Contains(w.Body.String(), "room") {
		t.Errorf("answer %d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), `level=ERROR msg="the observer panicked" panic="no more room"`) {
		t.Errorf("logged:\n%s", log.String())
	}
}

func TestObserverIsCalledForAnAnswerThatIsCutOff(t *testing.T) {
	t.Parallel()
	var seen []httpapi.Observation
	h := things(t, observed(&seen), thing())
	func() {
		defer func() {
			if v := recover(); v != http.ErrAbortHandler {
				t.Errorf("the connection continues after %v", v)
			}
		}()
		r := request("GET", "/things/a")
		r.Header.Set("Authorization", "Bearer "+token)
		h.ServeHTTP(panicking{&discard{header: make(http.Header)}}, r)
	}()
	if len(seen) != 1 || seen[0].Status != 200 || seen[0].Err == nil || seen[0].Err.Code != "RequestAborted" {
		t.Errorf("observed %+v", seen)
	}
}

func TestRequestIDIsTakenOverOrMade(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	env := twinplatform.Env{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	h := things(t, httpapi.Config{Env: env}, failing(errors.New("disk on fire"), nil))
	seen := make(map[string]bool)
	for sent, kept := range map[string]bool{
		"job-7": true, "a.b_c:d/e+f=g@h": true, strings.Repeat("x", 128): true,
		"": false, strings.Repeat("x", 129): false, "two words": false, "é": false, "line\nbreak": false, `"quoted"`: false,
	} {
		r := request("GET", "/things/a")
		r.Header.Set("Authorization", "Bearer "+token)
		if sent != "" {
			r.Header["X-Request-Id"] = []string{sent}
		}
		log.Reset()
		w := newRecorder()
		h.ServeHTTP(w, r)
		got := w.Header().Get("X-Request-Id")
		if kept != (got == sent) || got == "" || seen[got] {
			t.Errorf("%q is answered with the id %q", sent, got)
		}
		seen[got] = true
		if lines := strings.Split(strings.TrimSpace(log.String()), "\n"); len(lines) != 2 ||
			!strings.Contains(lines[0], " request="+quotedInLog(got)+" ") || !strings.Contains(lines[1], " request="+quotedInLog(got)+" ") {
			t.Errorf("logged:\n%s", log.String())
		}
	}
	r := request("GET", "/things/a")
	r.Header["X-Request-Id"] = []string{"one", "two"}
	w := newRecorder()
	h.ServeHTTP(w, r)
	if got := w.Header().Get("X-Request-Id"); got == "one" || got == "two" {
		t.Errorf("of two ids, %q was taken", got)
	}
}

// quotedInLog is a value as slog.TextHandler writes it.
func quotedInLog(s string) string {
	if strings.ContainsAny(s, `="`) {
		return fmt.Sprintf("%q", s)
	}
	return s
}
