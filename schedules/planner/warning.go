package planner

import (
	"fmt"
	"slices"
	"strings"
)

// Warning is something that a file says and a plan does not hold, or not so.
type Warning struct {
	// What names the item: the kind and the id of it, such as "task 17".
	What string
	Text string
	// Kind is equal for warnings that differ in the item and in what is quoted of it alone. It is
	// the Text where it is empty.
	Kind string
}

// MaxWarnings is how many warnings a plan has at most; the last one says that there are
// more.
const MaxWarnings = 10_000

// warn adds a warning, whose kind is the form of its text.
func (p *Plan) warn(what, form string, values ...any) {
	w := Warning{what, form, form}
	if len(values) > 0 {
		w.Text = fmt.Sprintf(form, values...)
	} else {
		w.Text = strings.ReplaceAll(form, "%%", "%")
	}
	p.warned(w)
}

// maxPlace and maxText bound what a warning says, in bytes: it quotes the file, which may have
// anything in place of an id.
const maxPlace, maxText = 100, 300

// warned adds a warning.
func (p *Plan) warned(w Warning) {
	w.What, w.Text, w.Kind = short(w.What, maxPlace), short(w.Text, maxText), short(w.Kind, maxPlace)
	switch n := len(p.Warnings); {
	case n < MaxWarnings-1:
		p.Warnings = append(p.Warnings, w)
	case n < MaxWarnings:
		p.Warnings = append(p.Warnings, Warning{What: "file", Text: "There are more warnings than these."})
	}
}

// short is text of so many bytes at most.
func short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most-len("…")], "") + "…"
}

// placesShown is how many items of a group it names.
const placesShown = 3

// WarningGroup are warnings of one kind, of items of one kind.
type WarningGroup struct {
	Warning          // the first
	Count   int      // how many there are
	Places  []string // the items of the first three, each named once
}

// Grouped are warnings by their kinds, in the order of the first of each.
func Grouped(warnings []Warning) (groups []WarningGroup) {
	type key struct{ of, kind string }
	known := make(map[key]int)
	for _, w := range warnings {
		k := key{kind: w.Kind}
		if k.kind == "" {
			k.kind = w.Text
		}
		if at := strings.LastIndexByte(w.What, ' '); at >= 0 {
			k.of = w.What[:at]
		}
		at, ok := known[k]
		if !ok {
			at = len(groups)
			known[k], groups = at, append(groups, WarningGroup{Warning: w})
		}
		g := &groups[at]
		if g.Count++; len(g.Places) < placesShown && !slices.Contains(g.Places, w.What) {
			g.Places = append(g.Places, w.What)
		}
	}
	return groups
}

// String is the first warning, with how many there are and where the next ones are.
func (g WarningGroup) String() string {
	s := g.What + ": " + g.Text
	if g.Count > 1 {
		s += fmt.Sprintf(" There are %d of this kind", g.Count)
		if len(g.Places) > 1 {
			s += ", the next of " + strings.Join(g.Places[1:], " and ")
		}
		s += "."
	}
	return s
}
