package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// model is a request of an operation that succeeds, as the operation's scenario
// has it, with what must come before.
type model struct {
	httpapi.Operation
	before  []step
	request string
}

// modelRequests are one for each operation of the schedules area.
func modelRequests(t testing.TB) []model {
	t.Helper()
	h := newWorld(t).handler
	all := scenarios(t)
	var out []model
	for _, o := range h.Operations() {
		s := all[o.ID]
		if s == nil {
			continue
		}
		i := slices.IndexFunc(s.steps, func(st step) bool {
			_, method, target := requestLine(st.request)
			found, _ := h.OperationOf(request(method, target))
			return found.ID == o.ID && strings.HasPrefix(st.answer, "2")
		})
		if i >= 0 {
			out = append(out, model{Operation: o, before: s.steps[:i], request: s.steps[i].request})
		}
	}
	return out
}

// each runs a check of every operation, in its own world.
func each(t *testing.T, check func(*testing.T, *world, model), configure ...func(*httpapi.Config)) {
	t.Helper()
	for _, m := range modelRequests(t) {
		t.Run(m.ID, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, configure...)
			var c conversation
			for _, st := range m.before {
				c.send(t, w.handler, st.request)
			}
			check(t, w, m)
		})
	}
}

// of returns the request of a model as another caller, or to another schedule.
func (m model) of(caller, schedule string) string {
	_, rest, found := strings.Cut(m.request, "as ")
	if found {
		_, rest, _ = strings.Cut(rest, "\n")
	} else {
		rest = m.request
	}
	if schedule != "" {
		for _, name := range []string{"plan", "old"} {
			rest = strings.Replace(rest, "/schedules/"+name, "/schedules/"+schedule, 1)
		}
	}
	return "as " + caller + "\n" + rest
}

func (m model) writes() bool {
	asks := m.Method == http.MethodGet || m.Method == http.MethodOptions || m.ID == "qualityViolations.analyze" || m.ID == "risks.analyze"
	return !asks
}

// inSchedule reports whether the operation is one within a schedule.
func (m model) inSchedule() bool { return strings.Contains(m.Path, "{scheduleId}") }

// version is a version of all that a schedule holds.
func version(w *world, schedule string) string {
	return ask(w.handler, "GET", "/schedules/"+schedule+"/tasks", "", "Authorization: Bearer writer").Header().Get("ETag")
}

// covers: Conventions: rule Authorization is required
// covers: Conventions: http rule the scope twin-platform is required
// covers: Errors: http error HeaderNotFound
// covers: Everywhere: http error HeaderNotFound
func TestEveryOperationNeedsAToken(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, m model) {
		for _, caller := range []string{"nobody", "bare", ""} {
			var c conversation
			res := c.send(t, w.handler, m.of(caller, ""))
			checkAnswer(t, res)
			if res.Code != 401 || !strings.Contains(res.Body.String(), `"HeaderNotFound"`) {
				t.Errorf("as %q: %d %s", caller, res.Code, res.Body)
			}
		}
	})
}

// TestWhatTheCallerMayNotSeeIsNotThere compares a schedule of which the caller
// may see nothing with one that does not exist.
//
// covers: Permissions: permission who may not read gets the 404 of what is missing
func TestWhatTheCallerMayNotSeeIsNotThere(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, m model) {
		if !m.inSchedule() {
			return
		}
		var c conversation
		hidden := c.send(t, w.handler, m.of("stranger", ""))
		missing := c.send(t, w.handler, m.of("stranger", "nowhere"))
		checkAnswer(t, hidden)
		if hidden.Code != 404 {
			t.Errorf("answer %d %s", hidden.Code, hidden.Body)
		}
		if diff := cmp.Diff(shown(missing), shown(hidden)); diff != "" {
			t.Errorf("a hidden schedule differs from a missing one (-missing +hidden):\n%s", diff)
		}
	})
}

// covers: Errors: error InsufficientPermissions
// covers: Permissions: permission who may read and not change gets 403 on S1, S11, S12, S13
func TestEveryChangeNeedsThePermission(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, m model) {
		if !m.writes() || !m.inSchedule() {
			return
		}
		before := version(w, "plan") + version(w, "old")
		var c conversation
		res := c.send(t, w.handler, m.of("reader", ""))
		checkAnswer(t, res)
		if res.Code != 403 || !strings.Contains(res.Body.String(), `"InsufficientPermissions"`) {
			t.Errorf("answer %d %s", res.Code, res.Body)
		}
		if version(w, "plan")+version(w, "old") != before {
			t.Error("something was changed")
		}
	})
}

// covers: Errors: error ScheduleNotInitialized
// covers: States: state Processing: changes are refused and nothing changes
func TestASchedulesBeingSetUpTakesNoChanges(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, m model) {
		if !m.writes() || !m.inSchedule() || m.ID == "schedules.delete" {
			return
		}
		busy := "busy"
		if strings.Contains(m.request, "/schedules/old") {
			busy = "busy-old"
		}
		var c conversation
		res := c.send(t, w.handler, m.of("writer", busy))
		checkAnswer(t, res)
		if res.Code != 409 || !strings.Contains(res.Body.String(), `"ScheduleNotInitialized"`) || !strings.Contains(res.Body.String(), "Processing") {
			t.Errorf("answer %d %s", res.Code, res.Body)
		}
	})
}

// covers: Conventions: http rule every operation is rate limited
// covers: Errors: http rule retry-after is a whole number of seconds
// covers: Everywhere: http rule 429 in every area
func TestEveryOperationIsLimited(t *testing.T) {
	t.Parallel()
	c := newClock()
	each(t, func(t *testing.T, w *world, m model) {
		var c conversation
		last := c.send(t, w.handler, m.of("admin", ""))
		for range 20 {
			last = c.send(t, w.handler, m.of("admin", ""))
		}
		checkAnswer(t, last)
		if last.Code != 429 || last.Header().Get("Retry-After") != "3" {
			t.Errorf("answer %d %v %s", last.Code, last.Header(), last.Body)
		}
	}, func(cfg *httpapi.Config) {
		cfg.Rate = 20
		cfg.Env = c.env()
	})
}

func TestASlashAtTheEndMakesNoDifference(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, m model) {
		caller, method, target := requestLine(m.request)
		path, query, _ := strings.Cut(target, "?")
		other := path + "/"
		if trimmed, ok := strings.CutSuffix(path, "/"); ok {
			other = trimmed
		}
		line := method + " " + target
		var c conversation
		res := c.send(t, w.handler, strings.Replace(m.request, line, method+" "+other+"?"+query, 1))
		if res.Code >= 300 {
			t.Errorf("as %q: %d %s", caller, res.Code, res.Body)
		}
	})
}

// omissible are the operations whose body may be left out.
var omissible = map[string]bool{"tasks.reschedule": true, "qualityViolations.analyze": true, "risks.analyze": true}

// TestMalformedBodies sends what no operation takes.
func TestMalformedBodies(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, m model) {
		if m.Method != http.MethodPost && m.Method != http.MethodPatch {
			return
		}
		head, body, _ := strings.Cut(m.request, "\n\n")
		body = strings.TrimSpace(body)
		if !strings.HasPrefix(body, "{") {
			return // bytes are taken as they are
		}
		before := version(w, "plan") + version(w, "old")
		for name, test := range map[string]struct {
			body string
			want int
			code string
		}{
			"none":        {"", 400, "InvalidRequestBody"},
			"half":        {body[:len(body)-1], 400, "InvalidRequestBody"},
			"two":         {body + body, 400, "InvalidRequestBody"},
			"an array":    {"[" + body + "]", 400, "InvalidRequestBody"},
			"a text":      {`"x"`, 400, "InvalidRequestBody"},
			"null":        {"null", 400, "InvalidRequestBody"},
			"twice":       {`{"id": "x", "ID": "y", ` + body[1:], 400, "InvalidRequestBody"},
			"depth":       {`{"other": ` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `, ` + body[1:], 400, "InvalidRequestBody"},
			"not UTF-8":   {`{"other": "` + "\xc3\x28" + `", ` + body[1:], 400, "InvalidRequestBody"},
			"two MiB":     {`{"other": "` + strings.Repeat("x", 2<<20) + `", ` + body[1:], 413, "RequestTooLarge"},
			"many values": {`{"other": [` + strings.Repeat("0,", 60_000) + `0], ` + body[1:], 400, "InvalidRequestBody"},
			"unknown":     {`{"other": [{"x": null}], ` + body[1:], 400, `target":"other`},
		} {
			if name == "none" && omissible[m.ID] {
				continue
			}
			var c conversation
			res := c.send(t, w.handler, head+"\n\n"+test.body)
			checkAnswer(t, res)
			if res.Code != test.want || !strings.Contains(res.Body.String(), `"`+test.code+`"`) {
				t.Errorf("%s: %d %.300s", name, res.Code, res.Body)
			}
		}
		if version(w, "plan")+version(w, "old") != before {
			t.Error("something was changed")
		}
	})
}

// TestStrangeIDs puts into every place of a path an id that no record has.
func TestStrangeIDs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, m model) {
		pattern := strings.Split(m.Path, "/")
		_, method, target := requestLine(m.request)
		path, query, _ := strings.Cut(target, "?")
		before := version(w, "plan") + version(w, "old")
		for _, id := range []string{
			"*", "..%2fx", "%2e%2e", ".%2e", "%00", "%0a", "%ff", "%2f", "~", "%7f", "a%00b", "%c3%28", "'", "%5c", "%25", "plan%00",
			strings.Repeat("x", 200), strings.Repeat("%c3%a9", 128), strings.Repeat("x", 5000),
		} {
			segments := strings.Split(path, "/")
			for i, name := range pattern {
				if !strings.HasPrefix(name, "{") {
					continue
				}
				strange := slices.Clone(segments)
				strange[i] = id
				res := ask(w.handler, method, strings.Join(strange, "/")+"?"+query, body(m.request), "Authorization: Bearer writer")
				checkAnswer(t, res)
				if res.Code < 400 {
					t.Errorf("%s for %s: %d %s", id, name, res.Code, res.Body)
				}
			}
		}
		if version(w, "plan")+version(w, "old") != before {
			t.Error("something was changed")
		}
	})
}

func body(request string) string {
	_, body, _ := strings.Cut(request, "\n\n")
	return strings.TrimSpace(body)
}

// TestStrangeQueries gives every parameter of an operation strange values.
func TestStrangeQueries(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world, m model) {
		_, method, target := requestLine(m.request)
		path, _, _ := strings.Cut(target, "?")
		for _, p := range m.Query {
			for _, value := range []string{
				"*", "%00", "%0a", "%ff", "%zz", "..%2fx", "-1", "0", "50001", "abc", "1e3", "", ",", ",,,", "%22", strings.Repeat("x", 5000),
				"x&" + p.Name + "=y", "_", "bAAEAAJvbGR0lK-kRbNDVQxBUqW3L5Ri", "%2B", "a%2Cb", strings.Repeat("x,", 2000),
			} {
				res := ask(w.handler, method, path+"?"+p.Name+"="+value, body(m.request), "Authorization: Bearer writer")
				checkAnswer(t, res)
				if res.Code >= 500 {
					t.Errorf("%s=%s: %d %s", p.Name, value, res.Code, res.Body)
				}
				refused := p.Required || p.Number && p.Name != "$skip" || strings.HasSuffix(p.Name, "Token") && value != ""
				if refused && res.Code < 400 && m.ID != "schedules.list" {
					t.Errorf("%s=%s: %d %s", p.Name, value, res.Code, res.Body)
				}
			}
		}
	})
}

// covers: Conventions: http rule the scope twin-platform is required
func TestScopeOfSchedules(t *testing.T) {
	t.Parallel()
	want := []string{twinplatform.ScopePlatform}
	for _, o := range httpapi.Operations() {
		if o.Area != "schedules" {
			continue
		}
		if diff := cmp.Diff(want, o.Scopes); diff != "" {
			t.Errorf("%s: scopes (-want +got):\n%s", o.ID, diff)
		}
	}
}
