package models_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/modelstest"
	"github.com/seed-933f9a09/twinplatform/transform/models"
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
	for name, change := range map[string]func(*models.Element){
		"no id":                   func(e *models.Element) { e.ID = "" },
		"a long id":               func(e *models.Element) { e.ID = long },
		"an id that no path has":  func(e *models.Element) { e.ID = "a/b" },
		"no class":                func(e *models.Element) { e.Class = "" },
		"a long class":            func(e *models.Element) { e.Class = long },
		"a long category":         func(e *models.Element) { e.Category = twinplatform.NullString(long) },
		"a long sub-model":        func(e *models.Element) { e.SubModelID = twinplatform.NullString(long) },
		"a long code":             func(e *models.Element) { e.Code = twinplatform.NullString(long) },
		"no GUID":                 func(e *models.Element) { e.FederationGUID = "x" },
		"a box without an end":    func(e *models.Element) { e.BoundingBox = &models.Box{High: models.Point{X: math.Inf(1)}} },
		"much geometry":           func(e *models.Element) { e.Geometry = make([]byte, models.MaxGeometryBytes+1) },
		"a property without name": func(e *models.Element) { e.Properties = models.ElementProperties{"": 1} },
		"large properties": func(e *models.Element) {
			e.Properties = models.ElementProperties{"a": strings.Repeat("x", 65<<10)}
		},
		"a mandatory one too much": func(e *models.Element) { e.MandatoryProperties = []string{"Mark"} },
	} {
		e := models.Element{ID: "new", Class: "Wall"}
		change(&e)
		err := target.Write(t.Context(), "draft", func(d models.Draft) error { return d.Put(e) })
		if !modelstest.IsCode(err, "InvalidModelRequest") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, id := range []string{"", strings.Repeat("x", models.MaxID+1), "a/b"} {
		if err := target.Write(t.Context(), id, func(models.Draft) error { return nil }); !modelstest.IsCode(err, "InvalidModelRequest") {
			t.Errorf("a draft called %q: %v", id, err)
		}
	}
	if _, err := target.Commit(t.Context(), "draft", strings.Repeat("x", models.MaxComment+1)); !modelstest.IsCode(err, "InvalidModelRequest") {
		t.Errorf("a long description: %v", err)
	}
}
