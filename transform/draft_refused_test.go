package transform_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
)

// TestDraftsTakeNoElementThatACreateRefuses writes what CreateChangeset refuses as a
// transformation does, and as programs may that fill models of the registry.
func TestDraftsTakeNoElementThatACreateRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	target, err := w.Target(t.Context(), "source-model")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 256)
	for name, change := range map[string]func(*transform.Element){
		"no id":                   func(e *transform.Element) { e.ID = "" },
		"a long id":               func(e *transform.Element) { e.ID = long },
		"an id that no path has":  func(e *transform.Element) { e.ID = "a/b" },
		"no class":                func(e *transform.Element) { e.Class = "" },
		"a long class":            func(e *transform.Element) { e.Class = long },
		"a long category":         func(e *transform.Element) { e.Category = twinplatform.NullString(long) },
		"a long sub-model":        func(e *transform.Element) { e.SubModelID = twinplatform.NullString(long) },
		"a long code":             func(e *transform.Element) { e.Code = twinplatform.NullString(long) },
		"no GUID":                 func(e *transform.Element) { e.FederationGUID = "x" },
		"a box without an end":    func(e *transform.Element) { e.BoundingBox = &transform.Box{High: transform.Point{X: math.Inf(1)}} },
		"much geometry":           func(e *transform.Element) { e.Geometry = make([]byte, transform.MaxGeometryBytes+1) },
		"a property without name": func(e *transform.Element) { e.Properties = transform.ElementProperties{"": 1} },
		"large properties": func(e *transform.Element) {
			e.Properties = transform.ElementProperties{"a": strings.Repeat("x", 65<<10)}
		},
		"a mandatory one too much": func(e *transform.Element) { e.MandatoryProperties = []string{"Mark"} },
	} {
		e := transform.Element{ID: "new", Class: "Wall"}
		change(&e)
		err := target.Write(t.Context(), "draft", func(d transform.Draft) error { return d.Put(e) })
		if !isCode(err, "InvalidModelRequest") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, id := range []string{"", strings.Repeat("x", transform.MaxID+1), "a/b"} {
		if err := target.Write(t.Context(), id, func(transform.Draft) error { return nil }); !isCode(err, "InvalidModelRequest") {
			t.Errorf("a draft called %q: %v", id, err)
		}
	}
	if _, err := target.Commit(t.Context(), "draft", strings.Repeat("x", transform.MaxComment+1)); !isCode(err, "InvalidModelRequest") {
		t.Errorf("a long description: %v", err)
	}
}
