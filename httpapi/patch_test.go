package httpapi_test

import (
	stdjson "encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// TestPatchesDropNoMemberOfTheRecord sends, to each operation that changes a record of
// the platform's areas, every member that its records have, each alone and with another
// value than it has: it is that value afterwards, or it is refused by its name. What is
// left out stays.
func TestPatchesDropNoMemberOfTheRecord(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("some seconds")
	}
	tried := make(map[string]bool)
	for folder, world := range worlds {
		if folder == "schedules" {
			continue // schedules have their own tests
		}
		for id, s := range scenariosIn(t, folder) {
			h := world(t)
			operations := h.Operations()
			i := slices.IndexFunc(operations, func(o httpapi.Operation) bool { return o.ID == id })
			if i < 0 || operations[i].Method != http.MethodPatch {
				continue
			}
			a, ok := s.acceptedBy(h, id)
			if !ok {
				t.Errorf("%s: no request is taken", id)
				continue
			}
			tried[id] = true
			t.Run(id, func(t *testing.T) {
				t.Parallel()
				tryMembers(t, a, world, drifting[id])
			})
		}
	}
	for _, o := range httpapi.Operations() {
		if o.Method == http.MethodPatch && o.Area != "schedules" && !tried[o.ID] {
			t.Errorf("%s is not tried", o.ID)
		}
	}
}

// drifting are members that differ from one read to the next, such as a time of reading or
// addresses that are signed again: what was read of them is taken and passed over.
var drifting = map[string][]string{"realityData.update": {"lastAccessedDateTime"}, "detectors.update": {"versions"}}

// tryMembers sends the members of the record that a request changes.
func tryMembers(t *testing.T, a accepted, world func(testing.TB) *httpapi.Handler, drifting []string) {
	h := world(t)
	begun := a.begin(t, h)
	record := changedRecord(t, begun.try(t, a, a.body))
	for _, member := range slices.Sorted(maps.Keys(record)) {
		talk := a.begin(t, world(t))
		if w := talk.try(t, a, a.body); w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		value := otherThan(record[member])
		w := talk.try(t, a, map[string]any{member: value})
		if w.Code != http.StatusOK {
			if !refusedFor(t, w, member) && !namesMember(t, w, member) {
				t.Errorf("%s is refused without its name: %d %s", member, w.Code, w.Body)
			}
			continue
		}
		after := changedRecord(t, w)
		if isNow(value, after[member]) || slices.Contains(drifting, member) {
			continue
		}
		t.Errorf("%s: %v is taken for it, and it is %v; it was %v", member, value, after[member], record[member])
	}
}

// namesMember reports whether a refusal names a member, or a part of it.
func namesMember(t *testing.T, w *httptest.ResponseRecorder, member string) bool {
	t.Helper()
	e := failureOf(t, w)
	return e.Target == member || slices.ContainsFunc(e.Details, func(d struct{ Code, Message, Target string }) bool {
		rest, is := strings.CutPrefix(d.Target, member)
		return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// isNow reports whether a member is what was sent: texts in any case, objects with what
// else they had, and lists of nothing may be left out.
func isNow(sent, is any) bool {
	switch sent := sent.(type) {
	case string:
		text, _ := is.(string)
		return strings.EqualFold(sent, text)
	case map[string]any:
		object, _ := is.(map[string]any)
		for name, v := range sent {
			if !cmp.Equal(v, object[name]) {
				return false
			}
		}
		return true
	case []any:
		if len(sent) == 0 && is == nil {
			return true
		}
	}
	return cmp.Equal(sent, is)
}

// changedRecord is the one record of an answer, which may be empty.
func changedRecord(t *testing.T, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	if w.Code == http.StatusNoContent {
		return nil
	}
	var body map[string]any
	if err := stdjson.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if len(body) == 1 {
		for _, v := range body {
			if record, ok := v.(map[string]any); ok {
				return record
			}
		}
	}
	return body
}

// otherThan is another value of the same type.
func otherThan(v any) any {
	switch v := v.(type) {
	case string:
		return v + "x"
	case float64:
		return v + 1
	case bool:
		return !v
	case []any:
		if len(v) > 0 {
			return []any{}
		}
		return []any{"x"}
	case map[string]any:
		return map[string]any{"x": "y"}
	}
	return "x"
}
