package console

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// editView is the form of an operation: with the members that are needed, have an example or a
// value, and with the others. A deletion has what goes with the record in their place.
type editView struct {
	*request

	Action        string
	Kept          []keptView
	Button        string
	Refused       *refusal
	Changed       bool // meanwhile, by others
	Deletes       bool
	Gone          []goneView
	First, Others []fieldView
	Open          bool // the others are seen at once: something is wrong with one
}

// keptView is a value that a form sends as it is.
type keptView struct{ Name, Value string }

// fieldView is a field with its value, what it may be, and what was wrong with it. Control is
// the kind of its input, or group where it has fields of its own.
type fieldView struct {
	Path, Label, Note, Wrong string
	Control, Value, Hint     string
	Options                  []optionView
	Needed                   bool // by the schema
	Required                 bool // by the form, which does not ask for members of what may be left out
	Number                   bool
	Moment                   bool     // a date with a time
	Suggested                []string // values that it may have, among others
	Was                      *string  // the value of the record that the form was made from
	Rows                     []rowView
	More                     string // where the button for one more leads; empty without one
	JSON                     bool   // it may be typed as JSON
}

// rowView are the fields of an object, or of one of several.
type rowView struct {
	Path, Title, Wrong string
	Fields             []fieldView
}

// ID is that of the input.
func (f fieldView) ID() string { return idOfField(f.Path) }

// ID is that of the group.
func (w rowView) ID() string { return idOfField(w.Path) }

func idOfField(path string) string { return "m-" + strings.ReplaceAll(path, ".", "-") }

// Described are the elements that describe the input.
func (f fieldView) Described() string {
	if f.Wrong == "" {
		return f.ID() + "-note"
	}
	return f.ID() + "-note " + f.ID() + "-wrong"
}

// show is the form with what is typed into it, and with what was refused of that.
func (e *edit) show(r *request, refused *refusal) (view, error) {
	r.title = e.title()
	page := editView{
		request: r, Action: r.Link(at("edit", e.ID)), Kept: e.kept(), Button: verbs[e.Method].button, Refused: refused,
		Deletes: e.Method == http.MethodDelete,
	}
	if !r.Writable() {
		return r.show("edit", page)
	}
	if refused != nil {
		page.Changed = refused.stale()
	}
	if page.Deletes {
		gone, err := e.goes(r)
		if err != nil {
			return view{}, err
		}
		page.Gone = gone
		return r.show("edit", page)
	}
	form := formView{request: r, edit: e, action: page.Action, wrong: e.wrong(refused)}
	for i := range e.entries {
		one := &e.entries[i]
		f := form.field(one)
		f.Required = one.required && !one.grouped()
		if was := e.was[one.name]; e.record != "" {
			f.Was = &was
		}
		switch wrong := form.isWrong(one.path); {
		case one.first, one.required, !e.tabled && (one.exemplary || one.filled() || one.asked() || wrong):
			page.First = append(page.First, f)
		default:
			page.Others, page.Open = append(page.Others, f), page.Open || wrong || one.asked()
		}
	}
	return r.show("edit", page)
}

// kept is what the form is about.
func (e *edit) kept() []keptView {
	all := []keptView{{"etag", e.etag}, {"id", e.id}, {"next", e.next}}
	for _, name := range slices.Sorted(maps.Keys(e.given)) {
		if !slices.ContainsFunc(e.fields, func(f editField) bool { return f.name == name }) {
			all = append(all, keptView{"m." + name, e.given[name]})
		}
	}
	for _, p := range e.parameters {
		if p.In == "path" {
			id, _ := url.PathUnescape(e.in[p.Name])
			all = append(all, keptView{p.Field(), id})
		}
	}
	return slices.DeleteFunc(all, func(k keptView) bool { return k.Value == "" })
}

// wrong is what was wrong with fields and groups of them, by their paths.
func (e *edit) wrong(refused *refusal) map[string]string {
	wrong := make(map[string]string)
	if refused == nil {
		return wrong
	}
	for _, d := range refused.Details {
		target := d.Target
		if inner, is := strings.CutPrefix(target, e.wrapper+"[0]."); is && e.wrapper != "" {
			target = inner
		}
		parts := strings.FieldsFunc(target, func(c rune) bool { return c == '.' || c == '[' || c == ']' })
		if path := findIn(e.entries, parts); path != "" {
			wrong[path] = strings.TrimSpace(wrong[path] + " " + d.Message)
		}
	}
	return wrong
}

// formView makes the fields of a form.
type formView struct {
	*request
	edit   *edit
	action string
	wrong  map[string]string
}

// isWrong reports whether anything was wrong with a field or below it.
func (f *formView) isWrong(path string) bool {
	for wrong := range f.wrong {
		if wrong == path || strings.HasPrefix(wrong, path+".") {
			return true
		}
	}
	return false
}

// field is a field with what is in it.
func (f *formView) field(e *entry) fieldView {
	v := fieldView{
		Path: e.path, Label: cmp.Or(e.label, words(e.name)), Note: e.description, Wrong: f.wrong[e.path],
		Value: e.text, Needed: e.required, Number: e.kind == numberKind && e.as == "",
	}
	switch {
	case e.as == asMoment && e.plain:
		v.Moment = true
		v.Note = strings.TrimSpace(v.Note + " By the clocks of " + f.zone().String() + ".")
	case e.as == asDays:
		v.Hint = "2 d, 16 h or 30 min"
	case v.Number:
		v.Hint = "0"
	}
	if e.plain {
		f.control(&v, e)
		return v
	}
	v.Control = "group"
	if v.JSON = e.kind == mapKind && e.fields[1].kind == anyKind; v.JSON {
		v.Note = strings.TrimSpace(v.Note + " A value is JSON, or else a text. A name without a value is null.")
	}
	for i := range e.rows {
		row := rowView{Path: e.path, Fields: f.fields(e.rows[i])}
		if e.repeats() {
			row.Path = e.rowPath(i)
			row.Title = strconv.Itoa(i + 1)
		}
		if row.Path != e.path {
			row.Wrong = f.wrong[row.Path]
		}
		v.Rows = append(v.Rows, row)
	}
	if e.repeats() {
		v.More = f.action + "#" + idOfField(e.rowPath(len(e.rows)))
	}
	return v
}

func (f *formView) fields(row []entry) (all []fieldView) {
	for i := range row {
		all = append(all, f.field(&row[i]))
	}
	return all
}

// control is what a value is typed into, or chosen from.
func (f *formView) control(v *fieldView, e *entry) {
	var all [][2]string
	if e.as != asTask {
		all = slices.Clone(f.edit.choicesOf(f.request, e.editField))
	}
	for _, o := range e.options {
		all = append(all, [2]string{o, spaced(o)})
	}
	chosen := strings.Split(e.text, "\n")
	switch {
	case e.grouped():
		v.Control = "textarea"
		return
	case e.kind == boolKind:
		v.Control, all = "select", [][2]string{{"", "—"}, {"true", "yes"}, {"false", "no"}}
	case e.kind == listKind && len(all) > 0:
		v.Control = "many"
	case len(all) > 0:
		known := slices.ContainsFunc(all, func(o [2]string) bool { return o[0] == e.text })
		if !known && e.text != "" {
			all = append(all, [2]string{e.text, e.text})
		}
		v.Control, all = "select", slices.Insert(all, 0, [2]string{"", "—"})
	case e.kind == listKind || e.kind == jsonKind || e.as == asLines || strings.Contains(e.text, "\n"):
		v.Control = "textarea"
		return
	default:
		v.Control, v.Suggested = "input", e.suggested
		return
	}
	for _, o := range all {
		v.Options = append(v.Options, optionView{o[0], o[1], slices.Contains(chosen, o[0])})
	}
}
