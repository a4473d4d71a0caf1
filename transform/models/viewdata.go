package models

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Limits of the data of a saved view.
const (
	MaxViewData      = 256 << 10 // bytes as JSON without white space
	MaxViewDataDepth = 24        // objects and lists in one another
)

// ViewData is a view as a viewer describes it: a JSON object such as {"spatialView": {"camera":
// {…}, "extents": […], "categories": {"enabled": [], "disabled": []}}}. It is kept with its names,
// texts and numbers in their order, the numbers as they were written; white space and needless
// escapes are not kept. Empty means that there is none.
type ViewData string

// MarshalJSON implements json.Marshaler.
func (d ViewData) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	return []byte(d), nil
}

// UnmarshalJSON implements json.Unmarshaler. Null is no data.
func (d *ViewData) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*d = ""
		return nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, b); err != nil {
		return err
	}
	*d = ViewData(plainTexts(compact.Bytes()))
	return nil
}

// plainTexts is compact JSON whose names and texts have no escapes but those that they need,
// as in all answers; numbers stay as they were written.
func plainTexts(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		from := bytes.IndexByte(b, '"')
		if from < 0 {
			return append(out, b...)
		}
		out = append(out, b[:from]...)
		end := from + 1
		for b[end] != '"' {
			if b[end] == '\\' {
				end++
			}
			end++
		}
		var text string
		if json.Unmarshal(b[from:end+1], &text) == nil {
			out = wire.AppendString(out, text)
		}
		b = b[end+1:]
	}
	return out
}

// check reports the violations of data.
func (d ViewData) check(c *problem.Checks, name string) {
	switch {
	case d == "":
	case len(d) > MaxViewData:
		c.Bad(name, "The data of a view have %d bytes at most.", MaxViewData)
	case d[0] != '{' || !json.Valid([]byte(d)):
		c.Bad(name, "The data of a view are a JSON object.")
	case d.depth() > MaxViewDataDepth:
		c.Bad(name, "The data of a view are %d objects and lists deep at most.", MaxViewDataDepth)
	default:
		var of problem.Checks
		v := d.shown()
		if v.check(&of, "view"); of.Err(InvalidSavedViewRequest) != nil {
			c.Bad(name, "The data say more of what is drawn than a view has room for.")
		}
	}
}

// depth is how many objects and lists of valid data lie in one another.
func (d ViewData) depth() (most int) {
	depth, text := 0, false
	for i := 0; i < len(d); i++ {
		switch c := d[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			depth++
			most = max(most, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return most
}

// drawn is the part of the data about what is drawn, by the names that viewers have for
// it.
type drawn struct {
	Categories, Models         listed
	AlwaysDrawn, NeverDrawn    loose[[]string]
	IsAlwaysDrawnExclusive     loose[bool]
	PerModelCategoryVisibility loose[[]struct {
		ModelID, CategoryID string
		Visible             bool
	}]
}

type listed struct{ Enabled, Disabled loose[[]string] }

// UnmarshalJSON takes nothing of what is no object.
func (l *listed) UnmarshalJSON(b []byte) error {
	type plain listed
	var p plain
	if json.Unmarshal(b, &p) == nil {
		*l = listed(p)
	}
	return nil
}

// loose is a value that is left as it is by JSON of another type: data are free to call
// something else so.
type loose[T any] struct{ is T }

// UnmarshalJSON implements json.Unmarshaler.
func (l *loose[T]) UnmarshalJSON(b []byte) error {
	var v T
	if json.Unmarshal(b, &v) == nil {
		l.is = v
	}
	return nil
}

// shown is the view that data describe, in themselves or in the first of their members by
// name that describes one; all is shown where none does.
func (d ViewData) shown() View {
	var parts map[string]json.RawMessage
	if d == "" || json.Unmarshal([]byte(d), &parts) != nil {
		return View{}.Normal()
	}
	parts[""] = json.RawMessage(d)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		var of drawn
		if json.Unmarshal(parts[name], &of) != nil {
			continue
		}
		if v := of.view(); !v.showsAll() {
			return v
		}
	}
	return View{}.Normal()
}

func (d *drawn) view() View {
	v := View{
		AlwaysDrawn: d.AlwaysDrawn.is, NeverDrawn: d.NeverDrawn.is, Exclusive: d.IsAlwaysDrawnExclusive.is,
		ShownCategories: d.Categories.Enabled.is, HiddenCategories: d.Categories.Disabled.is,
		ShownModels: d.Models.Enabled.is, HiddenModels: d.Models.Disabled.is,
	}
	for _, o := range d.PerModelCategoryVisibility.is {
		v.CategoryOverrides = append(v.CategoryOverrides,
			CategoryOverride{Category: o.CategoryID, SubModelID: o.ModelID, Visible: o.Visible})
	}
	return v.Normal()
}
