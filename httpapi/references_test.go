package httpapi_test

import (
	"fmt"
	"maps"
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
	c, err := contractOf(httpapi.OpenAPI("/"))
	if err != nil {
		t.Fatal(err)
	}
	var tried atomic.Int32
	t.Cleanup(func() {
		if tried.Load() < 60 {
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
			path, method := operations[i].Path, strings.ToLower(operations[i].Method)
			described := c.at("paths", path, method)
			schema := c.at("paths", path, method, "requestBody", "content", "application/json", "schema")
			refs := c.references(schema, a.body, nil)
			if !ok || len(refs) == 0 {
				continue
			}
			t.Run(id, func(t *testing.T) {
				t.Parallel()
				for _, ref := range refs {
					name := id + " " + strings.Join(ref, ".")
					w := a.begin(t, s.world(t)).try(t, a, referring(t, a.body, ref).(map[string]any))
					tried.Add(1)
					if taken := w.Code < 400; taken || takenAnyhow[name] != "" {
						if taken != (takenAnyhow[name] != "") {
							t.Errorf("%s of nothing: %d %s", name, w.Code, w.Body)
						}
						continue
					}
					codes := fmt.Sprint(described["x-errors"].(map[string]any)[strconv.Itoa(w.Code)])
					if !strings.Contains(codes, failureOf(t, w).Code) {
						t.Errorf("%s: refused with %d %s, documented are %s", name, w.Code, w.Body, codes)
					}
				}
			})
		}
	}
}

// references are the paths to the members of a body that refer to records, as its schema says.
func (c *contract) references(schema map[string]any, body any, at []string) (all [][]string) {
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
			if _, sent := body[name]; p["x-refers-to"] != nil && (sent || len(at) == 0) {
				all = append(all, path)
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
