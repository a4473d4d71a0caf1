package httpapitest_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
)

// wrapper makes another handler of one.
type wrapper func(http.Handler) http.Handler

// exchange is an answer that a defect may change.
type exchange struct {
	request *http.Request
	status  int
	header  http.Header
	body    map[string]any // nil when there is none
}

// fail makes the answer an error.
func (x *exchange) fail(status int, code string) {
	x.status, x.body = status, map[string]any{"error": map[string]any{"code": code, "message": "It is wrong."}}
}

// answer replaces the status and the body of the answer.
func (x *exchange) answer(status int, body map[string]any) { x.status, x.body = status, body }

// problem is the error of the answer.
func (x *exchange) problem() map[string]any {
	e, _ := x.body["error"].(map[string]any)
	return e
}

// record is a member of the answer, or an empty one.
func (x *exchange) record(name string) map[string]any {
	if r, ok := x.body[name].(map[string]any); ok {
		return r
	}
	return map[string]any{}
}

// list changes a list of the answer, where there is one.
func (x *exchange) list(name string, change func([]any) []any) {
	if l, ok := x.body[name].([]any); ok {
		x.body[name] = change(l)
	}
}

// has reports whether the request has a parameter.
func (x *exchange) has(parameter string) bool { return x.request.URL.Query().Has(parameter) }

// concerns reports whether a request is one of a pattern, such as "GET .*/tasks".
func concerns(pattern string) func(*http.Request) bool {
	re := regexp.MustCompile("^(?:" + pattern + ")/?$")
	return func(r *http.Request) bool { return re.MatchString(r.Method + " " + r.URL.Path) }
}

// answers changes the answers to some requests.
func answers(pattern string, change func(*exchange)) wrapper {
	mine := concerns(pattern)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !mine(r) {
				next.ServeHTTP(w, r)
				return
			}
			x := handled(next, r)
			change(x)
			x.write(w)
		})
	}
}

// handled is the answer of a handler.
func handled(h http.Handler, r *http.Request) *exchange {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	x := &exchange{request: r, status: rec.Code, header: rec.Header()}
	d := json.NewDecoder(rec.Body)
	d.UseNumber()
	if d.Decode(&x.body) != nil {
		x.body = nil
	}
	return x
}

func (x *exchange) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), x.header)
	w.Header().Del("Content-Length")
	w.WriteHeader(x.status)
	if x.body == nil {
		return
	}
	if err := json.NewEncoder(w).Encode(x.body); err != nil {
		panic(err)
	}
}

// requests changes some requests before they are answered.
func requests(pattern string, change func(*http.Request)) wrapper {
	mine := concerns(pattern)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if mine(r) {
				change(r)
			}
			next.ServeHTTP(w, r)
		})
	}
}

// bodies changes the bodies of some requests.
func bodies(pattern string, change func(map[string]any)) wrapper {
	return requests(pattern, func(r *http.Request) {
		text := drained(r.Body)
		var body map[string]any
		if json.Unmarshal([]byte(text), &body) == nil {
			change(body)
			text = encoded(body)
		}
		restore(r, text)
	})
}

// restore gives a request a body.
func restore(r *http.Request, body string) {
	r.Body, r.ContentLength = http.NoBody, 0
	if body != "" {
		r.Body, r.ContentLength = readCloser{strings.NewReader(body)}, int64(len(body))
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

func encoded(v any) string {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		panic(err)
	}
	return b.String()
}

// without drops a parameter of a request.
func without(r *http.Request, parameter string) {
	q := r.URL.Query()
	q.Del(parameter)
	r.URL.RawQuery = q.Encode()
}

// dropped drops a parameter of some requests.
func dropped(pattern, parameter string) wrapper {
	return requests(pattern, func(r *http.Request) { without(r, parameter) })
}

// withParameter sets a parameter of a request.
func withParameter(r *http.Request, name, value string) {
	without(r, name)
	r.URL.RawQuery += "&" + name + "=" + url.QueryEscape(value)
}

// tasksList and others are requests that defects concern.
const (
	tasksList   = `GET /schedules/[^/]+/tasks`
	aTask       = `GET /schedules/[^/]+/tasks/[^/]+`
	newTask     = `POST /schedules/[^/]+/tasks`
	patchTask   = `PATCH /schedules/[^/]+/tasks/[^/]+`
	deleteTasks = `DELETE /schedules/[^/]+/tasks`
	operation   = `GET /schedules/[^/]+/operations/[^/]+`
	newSchedule = `POST /schedules`
	newWebhook  = `POST /webhooks`
)

// problems changes the error of every answer that has one.
func problems(change func(*exchange, map[string]any)) wrapper {
	return answers(`.*`, func(x *exchange) {
		if e := x.problem(); e != nil {
			change(x, e)
		}
	})
}

// coded changes the answers with an error code.
func coded(code string, change func(*exchange)) wrapper {
	return problems(func(x *exchange, e map[string]any) {
		if e["code"] == code {
			change(x)
		}
	})
}

// headerless takes a header from answers.
func headerless(pattern, name string) wrapper {
	return answers(pattern, func(x *exchange) { x.header.Del(name) })
}

// recoded gives answers of one status another.
func recoded(pattern string, from, to int) wrapper {
	return answers(pattern, func(x *exchange) {
		if x.status == from {
			x.status = to
		}
	})
}

// member changes a record of the answers.
func member(pattern, record string, change func(map[string]any)) wrapper {
	return answers(pattern, func(x *exchange) {
		if r, ok := x.body[record].(map[string]any); ok {
			change(r)
		}
	})
}

// deltas changes the records of the deltas of tasks.
func deltas(change func([]any) []any) wrapper {
	return answers(tasksList, func(x *exchange) {
		if x.has("deltaToken") {
			x.list("tasks", change)
		}
	})
}

// isDeleted reports whether a record is a tombstone.
func isDeleted(r any) bool {
	m, _ := r.(map[string]any)
	return m["deleted"] == true
}

// inboxed changes deliveries before they come to the receiver.
func inboxed(change func(header http.Header, body map[string]any)) wrapper {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var body map[string]any
			text := drained(r.Body)
			if err := json.Unmarshal([]byte(text), &body); err != nil {
				panic(err)
			}
			before := encoded(body)
			if change(r.Header, body); encoded(body) != before {
				text = encoded(body)
			}
			restore(r, text)
			next.ServeHTTP(w, r)
		})
	}
}
