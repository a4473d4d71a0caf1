package httpapi_test

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// takenAnyhow are members that may name what is not there, with the reason.
var takenAnyhow = map[string]string{
	"microsoftProjectImports.create synchronizerId": "the import makes the synchronizer",
	"plannerImports.create synchronizerId":          "the import makes the synchronizer",
	"plannerExports.create synchronizerId":          "the export makes the synchronizer",
	"schedules.create modelId":                      "models may be in another service",
	"schedules.clone modelId":                       "models may be in another service",
}

// TestNoRequestIsTakenThatRefersToNothing sends, to each operation that takes a body, each member
// that refers to a record with the id of none: it is refused with an error that the document has.
func TestNoRequestIsTakenThatRefersToNothing(t *testing.T) {
	t.Parallel()
	eachReference(t, 60, func(t *testing.T, begin func() *tries, r reference) bool {
		r.refused(t, begin().try(t, r.in, referring(t, r.in.body, r.path).(map[string]any)))
		return true
	})
}

// TestNoRequestIsTakenThatRefersToWhatWasDeleted deletes, before each operation that takes a body, a
// record that the body refers to: it is refused with an error that the document has. Where the record
// is in use its deletion is refused, and the operation is not tried.
func TestNoRequestIsTakenThatRefersToWhatWasDeleted(t *testing.T) {
	t.Parallel()
	eachReference(t, 25, func(t *testing.T, begin func() *tries, r reference) bool {
		talk := begin()
		if !talk.deletes(t, r) {
			return false
		}
		r.refused(t, talk.try(t, r.in, r.in.body))
		return true
	})
}

// A reference is a member of a body that an operation takes, which refers to a record.
type reference struct {
	of   httpapi.Operation
	in   accepted
	path []string
	kind string // of the record: the last but one segment of its path
	c    *contract
}

func (r reference) String() string { return r.of.ID + " " + strings.Join(r.path, ".") }

// eachReference calls try with each reference of each operation, and a function that begins its
// conversation in a world of its own. At least so many are to be tried.
func eachReference(t *testing.T, least int32, try func(*testing.T, func() *tries, reference) bool) {
	c, err := contractOf(httpapi.OpenAPI("/"))
	if err != nil {
		t.Fatal(err)
	}
	var tried atomic.Int32
	t.Cleanup(func() {
		if tried.Load() < least {
			t.Errorf("%d references are tried", tried.Load())
		}
	})
	for _, s := range settings(t) {
		operations := s.world(t).Operations()
		for id, conversation := range s.all {
			i := slices.IndexFunc(operations, func(o httpapi.Operation) bool { return o.ID == id })
			if i < 0 {
				continue
			}
			a, ok := conversation.acceptedBy(s.world(t), id)
			r := reference{of: operations[i], in: a, c: c}
			refs := c.references(r.schema(), a.body, nil)
			if !ok || len(refs) == 0 {
				continue
			}
			t.Run(id, func(t *testing.T) {
				t.Parallel()
				for _, found := range refs {
					r := r
					r.path, r.kind = found.path, found.kind
					if try(t, func() *tries { return a.begin(t, s.world(t)) }, r) {
						tried.Add(1)
					}
				}
			})
		}
	}
}

func (r reference) described(more ...string) map[string]any {
	return r.c.at(append([]string{"paths", r.of.Path, strings.ToLower(r.of.Method)}, more...)...)
}

func (r reference) schema() map[string]any {
	return r.described("requestBody", "content", "application/json", "schema")
}

// refused fails the test unless an answer is a documented error, or the reference is one that is taken anyhow.
func (r reference) refused(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if taken := w.Code < 400; taken || takenAnyhow[r.String()] != "" {
		if taken != (takenAnyhow[r.String()] != "") {
			t.Errorf("%s is taken: %d %s", r, w.Code, w.Body)
		}
		return
	}
	codes := fmt.Sprint(r.described()["x-errors"].(map[string]any)[strconv.Itoa(w.Code)])
	if !strings.Contains(codes, failureOf(t, w).Code) {
		t.Errorf("%s: refused with %d %s, documented are %s", r, w.Code, w.Body, codes)
	}
}

// deletes deletes the record that a reference refers to, in the scope of its operation, and reports whether
// it is gone.
func (x *tries) deletes(t *testing.T, r reference) bool {
	t.Helper()
	id, ok := sentAt(r.in.body, r.path).(string)
	if !ok {
		return false
	}
	caller, _, target := requestLine(r.in.request)
	target, _, _ = strings.Cut(target, "?")
	scope := make(map[string]string)
	for i, segment := range strings.Split(r.of.Path, "/") {
		if strings.HasPrefix(segment, "{") {
			scope[segment] = strings.Split(target, "/")[i]
		}
	}
	for _, o := range x.h.Operations() {
		path := strings.Split(o.Path, "/")
		if n := len(path); o.Method != "DELETE" || n < 3 || path[n-2] != r.kind {
			continue
		}
		for i, segment := range path[:len(path)-1] {
			if strings.HasPrefix(segment, "{") {
				path[i] = scope[segment]
			}
		}
		path[len(path)-1] = id
		if slices.Contains(path[1:], "") {
			continue
		}
		w := x.send(t, x.h, strings.TrimPrefix("as "+caller+"\n", "as \n")+"DELETE "+strings.Join(path, "/"))
		if w.Code < 300 {
			return true
		}
	}
	return false
}

// sentAt is the value in a body at a path.
func sentAt(body any, path []string) any {
	for _, name := range path {
		switch b := body.(type) {
		case map[string]any:
			body = b[name]
		case []any:
			body = b[0]
		}
	}
	return body
}

// A referring member is the path to it, and the kind of what it refers to.
type referringMember struct {
	path []string
	kind string
}

// references are the members of a body that refer to records, as its schema says.
func (c *contract) references(schema map[string]any, body any, at []string) (all []referringMember) {
	schema = c.resolve(schema)
	for _, word := range []string{"oneOf", "allOf"} {
		variants, _ := schema[word].([]any)
		for _, v := range variants {
			all = append(all, c.references(v.(map[string]any), body, at)...)
		}
	}
	switch body := body.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			p, path := properties[name].(map[string]any), append(slices.Clip(at), name)
			kind, refers := p["x-refers-to"].(string)
			if _, sent := body[name]; refers && (sent || len(at) == 0) {
				all = append(all, referringMember{path, kind})
			} else if sent {
				all = append(all, c.references(p, body[name], path)...)
			}
		}
	case []any:
		if items, ok := schema["items"].(map[string]any); ok && len(body) > 0 {
			all = append(all, c.references(items, body[0], append(slices.Clip(at), "0"))...)
		}
	}
	return all
}

// referring is a body in which the member at a path refers to nothing.
func referring(t *testing.T, body any, path []string) any {
	t.Helper()
	const nowhere = "0f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a0f"
	switch body := body.(type) {
	case map[string]any:
		out := maps.Clone(body)
		out[path[0]] = referring(t, body[path[0]], path[1:])
		if len(path) == 1 && strings.HasSuffix(path[0], "Ids") {
			out[path[0]] = []any{nowhere}
		}
		return out
	case []any:
		if len(path) > 0 {
			return append([]any{referring(t, body[0], path[1:])}, body[1:]...)
		}
	}
	return nowhere
}
