package models

import (
	"encoding/json"
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Limits of a view.
const (
	MaxViewIDs       = 10_000    // ids in each of its lists
	MaxViewOverrides = 1_000     // overrides of categories
	MaxViewBytes     = 256 << 10 // all of it as JSON
)

// View is what a saved view shows of a model. The zero value shows all that there is
// to look at, which is what has a category. Of what was in the model when the view was
// made, an element is shown
//
//   - never, when NeverDrawn names it, else
//   - when AlwaysDrawn names it, and with Exclusive nothing but that, else
//   - unless its sub-model or its category is hidden, or not among those that are shown
//     where any is; CategoryOverrides of a category within a sub-model count
//     instead of those of the category.
type View struct {
	AlwaysDrawn       []string           `json:"alwaysDrawn"`       // ids of elements
	CategoryOverrides []CategoryOverride `json:"categoryOverrides"` // each pair once
	Exclusive         bool               `json:"exclusive"`         // only AlwaysDrawn is drawn
	HiddenCategories  []string           `json:"hiddenCategories"`
	HiddenModels      []string           `json:"hiddenModels"`    // sub-models
	NeverDrawn        []string           `json:"neverDrawn"`      // ids of elements
	ShownCategories   []string           `json:"shownCategories"` // empty: all that are not hidden
	ShownModels       []string           `json:"shownModels"`     // sub-models; empty: all that are not hidden
}

// CategoryOverride sets whether a category within a sub-model is shown.
type CategoryOverride struct {
	Category   string `json:"category"`   // required; up to MaxID characters
	SubModelID string `json:"subModelId"` // required; up to MaxID characters
	Visible    bool   `json:"visible"`
}

// lists are the lists of ids, by name.
func (v *View) lists() map[string]*[]string {
	return map[string]*[]string{
		"alwaysDrawn": &v.AlwaysDrawn, "hiddenCategories": &v.HiddenCategories, "hiddenModels": &v.HiddenModels,
		"neverDrawn": &v.NeverDrawn, "shownCategories": &v.ShownCategories, "shownModels": &v.ShownModels,
	}
}

// check reports the violations of a view.
func (v *View) check(c *problem.Checks, name string) {
	for list, ids := range v.lists() {
		if len(*ids) > MaxViewIDs {
			c.Bad(name+"."+list, "The list has %d ids at most.", MaxViewIDs)
		}
	}
	if len(v.CategoryOverrides) > MaxViewOverrides {
		c.Bad(name+".categoryOverrides", "The list has %d overrides at most.", MaxViewOverrides)
	}
	for _, o := range v.CategoryOverrides {
		c.Need(name+".categoryOverrides.category", o.Category, MaxID)
		c.Need(name+".categoryOverrides.subModelId", o.SubModelID, MaxID)
	}
	if b, err := json.Marshal(v); err != nil || len(b) > MaxViewBytes {
		c.Bad(name, "A view has %d bytes at most.", MaxViewBytes)
	}
}

// Normal is the view without null lists.
func (v View) Normal() View {
	for _, ids := range v.lists() {
		if *ids == nil {
			*ids = []string{}
		}
	}
	if v.CategoryOverrides == nil {
		v.CategoryOverrides = []CategoryOverride{}
	}
	return v
}

// showsAll reports whether a view leaves nothing out.
func (v View) showsAll() bool { return reflect.DeepEqual(v.Normal(), View{}.Normal()) }

func describeViews(b *schema.Book) {
	ids := schema.List(0, MaxViewIDs, schema.Value{})
	b.Has(
		reflect.TypeFor[View](),
		schema.May("alwaysDrawn", ids), schema.May("hiddenCategories", ids), schema.May("hiddenModels", ids),
		schema.May("neverDrawn", ids), schema.May("shownCategories", ids), schema.May("shownModels", ids),
		schema.May("categoryOverrides", schema.List(0, MaxViewOverrides, schema.Value{})),
	)
	b.Is(reflect.TypeFor[ViewData](), schema.Value{})
	b.Has(reflect.TypeFor[CategoryOverride](), schema.NeedText("category", MaxID), schema.NeedText("subModelId", MaxID))
}
