package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxRows is of how many objects or pairs a form has the fields. More are JSON.
const maxRows = 100

// entry is a field with what is typed into it. Its path is that of the member in the body,
// such as splits.0.after; in a form it is called m. and its path.
type entry struct {
	*editField

	path  string
	text  string    // of a plain field, or JSON in place of fields
	plain bool      // the text counts
	rows  [][]entry // of an object one; of a list or a map one for each, and empty ones at the end
	empty int       // how many of the rows are empty
	more  bool      // one more was asked for
}

// typed is what a form sends of a member and below it, by the parts of its path.
type typed struct {
	texts []string // of the member itself
	sent  bool
	below map[string]*typed
}

// typedIn is what a form sends of members.
func typedIn(form url.Values) *typed {
	root := &typed{}
	for name, texts := range form {
		path, is := strings.CutPrefix(name, "m.")
		if !is {
			continue
		}
		at := root
		for part := range strings.SplitSeq(path, ".") {
			if at.below == nil {
				at.below = make(map[string]*typed)
			}
			if at.below[part] == nil {
				at.below[part] = &typed{}
			}
			at = at.below[part]
		}
		at.texts, at.sent = texts, true
	}
	return root
}

// at is what is sent of a member; nil for nothing.
func (t *typed) at(name string) *typed {
	if t == nil {
		return nil
	}
	return t.below[name]
}

// ask is what a button of a field asks for besides sending the form: one more row in what is
// typed, or JSON in place of its fields.
type ask struct {
	in   *typed
	json bool
}

// asking is what the button asks for with which a form was sent; nothing for that of the form.
func (t *typed) asking(form url.Values) (a ask, is bool) {
	for _, name := range []string{"more", "json"} {
		if path := form.Get(name); path != "" {
			a.in, a.json = t, name == "json"
			for part := range strings.SplitSeq(path, ".") {
				a.in = a.in.at(part)
			}
			return a, true
		}
	}
	return a, false
}

// rows are the numbers of those that are sent, in their order.
func (t *typed) rows() (numbers []int) {
	for name := range t.below {
		if n, err := strconv.Atoi(name); err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// read is the field with what was typed. Rows without anything in them come last.
func (f *editField) read(path string, t *typed, a ask) entry {
	e := entry{editField: f, path: path}
	switch {
	case !f.grouped() || t != nil && t.sent:
		e.plain = true
		if t != nil {
			e.text = strings.Join(t.texts, "\n")
		}
		return e
	case f.kind == objectKind:
		e.rows = [][]entry{readAll(f.fields, path, t, a)}
		return e
	}
	asked := t != nil && t == a.in
	e.more = asked && !a.json
	e.readRows(t, a)
	if asked && a.json {
		return e.asJSON()
	}
	return e
}

// readRows reads the rows that were typed, and adds an empty one.
func (e *entry) readRows(t *typed, a ask) {
	var empty []*typed
	if t != nil {
		for _, n := range t.rows() {
			of := t.below[strconv.Itoa(n)]
			row := readAll(e.fields, e.rowPath(len(e.rows)), of, a)
			if filled(row) {
				e.rows = append(e.rows, row)
			} else {
				empty = append(empty, of)
			}
		}
	}
	if e.more || len(empty) == 0 {
		empty = append(empty, nil)
	}
	for _, of := range empty {
		e.rows = append(e.rows, readAll(e.fields, e.rowPath(len(e.rows)), of, a))
	}
	e.empty = len(empty)
}

func (e *entry) rowPath(i int) string { return e.path + "." + strconv.Itoa(i) }

// readAll are fields with what was typed into them.
func readAll(fields []editField, path string, t *typed, a ask) []entry {
	row := make([]entry, len(fields))
	for i := range fields {
		f := &fields[i]
		row[i] = f.read(path+"."+f.name, t.at(f.name), a)
	}
	return row
}

// of is the field with a value of a record. What its fields cannot show as it is, is JSON.
func (f *editField) of(path string, v any) entry {
	e := entry{editField: f, path: path}
	if !f.grouped() {
		e.text, e.plain = f.shown(v), true
		return e
	}
	e.rows = e.rowsOf(v)
	if f.kind == mapKind && nested(v) {
		return entry{editField: f, path: path, text: jsonOf(v), plain: true}
	}
	if got, bad := e.value(); len(bad) > 0 || len(e.rows) > maxRows || canonical(got) != canonical(v) {
		return entry{editField: f, path: path, text: jsonOf(v), plain: true}
	}
	return e
}

// nested reports whether an object has lists or objects in it.
func nested(v any) bool {
	o, _ := v.(map[string]any)
	for _, one := range o {
		switch one.(type) {
		case []any, map[string]any:
			return true
		}
	}
	return false
}

// rowsOf are the rows of a value, and an empty one.
func (e *entry) rowsOf(v any) (rows [][]entry) {
	switch {
	case e.kind == objectKind:
		return [][]entry{ofAll(e.fields, e.path, v)}
	case e.kind == itemsKind:
		list, _ := v.([]any)
		for _, one := range list {
			rows = append(rows, ofAll(e.fields, e.rowPath(len(rows)), one))
		}
	case e.kind == mapKind:
		pairs, _ := v.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(pairs)) {
			pair := map[string]any{"name": name, "value": pairs[name]}
			rows = append(rows, ofAll(e.fields, e.rowPath(len(rows)), pair))
		}
	}
	e.empty = 1
	return append(rows, readAll(e.fields, e.rowPath(len(rows)), nil, ask{}))
}

// ofAll are fields with the members of an object.
func ofAll(fields []editField, path string, v any) []entry {
	o, _ := v.(map[string]any)
	row := make([]entry, len(fields))
	for i := range fields {
		f := &fields[i]
		row[i] = f.of(path+"."+f.name, o[f.name])
	}
	return row
}

// asJSON is the entry as JSON in place of its fields.
func (e *entry) asJSON() entry {
	text := ""
	if v, _ := e.value(); v != nil {
		text = jsonOf(v)
	}
	return entry{editField: e.editField, path: e.path, text: text, plain: true}
}

// filled reports whether anything is typed into one of several fields.
func filled(row []entry) bool {
	return slices.ContainsFunc(row, func(e entry) bool { return e.filled() })
}

// filled reports whether anything is typed into the field.
func (e *entry) filled() bool {
	return strings.TrimSpace(e.text) != "" || slices.ContainsFunc(e.rows, filled)
}

// asked reports whether one more was asked for in the field.
func (e *entry) asked() bool {
	return e.more || slices.ContainsFunc(e.rows, func(row []entry) bool {
		return slices.ContainsFunc(row, func(e entry) bool { return e.asked() })
	})
}

// value is what is typed as the body has it; nil for nothing. What cannot be sent is bad.
func (e *entry) value() (v any, bad []detail) {
	switch {
	case e.plain:
		v, ok := e.editField.value(e.text)
		if !ok {
			message := cmp.Or(wants[e.as], wanted[e.kind], wanted[jsonKind])
			return nil, []detail{{Message: message, Target: targetOf(e.path)}}
		}
		return v, nil
	case e.kind == objectKind:
		return valueOf(e.rows[0])
	case e.kind == mapKind:
		return e.pairs()
	}
	var list []any
	for _, row := range e.rows[:len(e.rows)-e.empty] {
		one, wrong := valueOf(row)
		list, bad = append(list, one), append(bad, wrong...)
	}
	if len(list) == 0 {
		return nil, bad
	}
	return list, bad
}

// valueOf is the object of what is typed into fields; nil for an empty one.
func valueOf(row []entry) (v any, bad []detail) {
	o := make(map[string]any)
	for i := range row {
		member, wrong := row[i].value()
		if bad = append(bad, wrong...); member != nil {
			o[row[i].name] = member
		}
	}
	if len(o) == 0 {
		return nil, bad
	}
	return o, bad
}

// pairs is the object whose names and values are typed. A name without a value is null.
func (e *entry) pairs() (v any, bad []detail) {
	o := make(map[string]any)
	for _, row := range e.rows[:len(e.rows)-e.empty] {
		name := strings.TrimSpace(row[0].text)
		value, wrong := row[1].value()
		bad = append(bad, wrong...)
		_, twice := o[name]
		switch {
		case name == "":
			bad = append(bad, detail{Message: "This has no name.", Target: targetOf(row[0].path)})
		case twice:
			bad = append(bad, detail{Message: "This name is there twice.", Target: targetOf(row[0].path)})
		}
		o[name] = value
	}
	if len(o) == 0 {
		return nil, bad
	}
	return o, bad
}

// emptied adds null for what an object had and has no more: some are merged into what is there.
func (e *entry) emptied(now, was any) {
	is, _ := now.(map[string]any)
	had, _ := was.(map[string]any)
	if e.kind != objectKind || e.plain || is == nil {
		return
	}
	for _, f := range e.rows[0] {
		switch v, kept := is[f.name]; {
		case kept:
			f.emptied(v, had[f.name])
		case f.nullable && canonical(had[f.name]) != canonical(nil):
			is[f.name] = nil
		}
	}
}

// targetOf is a path as errors of the API have it: splits[0].after.
func targetOf(path string) string {
	var b strings.Builder
	for i, part := range strings.Split(path, ".") {
		if _, err := strconv.Atoi(part); err == nil {
			b.WriteString("[" + part + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(part)
	}
	return b.String()
}

// find is the path of the field, or of the row, that an error of the API is about: the nearest
// that the form has.
func (e *entry) find(parts []string) string {
	switch {
	case len(parts) == 0 || e.plain:
		return e.path
	case e.kind == objectKind:
		if path := findIn(e.rows[0], parts); path != "" {
			return path
		}
		return e.path
	case e.kind == mapKind:
		for _, row := range e.rows {
			if row[0].text == parts[0] {
				return row[1].path
			}
		}
	}
	i, err := strconv.Atoi(parts[0])
	if err != nil || i < 0 || i >= len(e.rows) {
		return e.path
	}
	if path := findIn(e.rows[i], parts[1:]); path != "" {
		return path
	}
	return e.rowPath(i)
}

// findIn is find in the one of several fields that has the name; empty where none has.
func findIn(fields []entry, parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	for i := range fields {
		if fields[i].name == parts[0] {
			return fields[i].find(parts[1:])
		}
	}
	return ""
}

// canonical is a value as text that can be compared: nothing is as null, and so is what has
// nothing in it.
func canonical(v any) string {
	b, err := json.Marshal(pruned(plainOf(v)))
	if err != nil {
		return ""
	}
	return string(b)
}

// plainOf is a value as it is read from JSON.
func plainOf(v any) (plain any) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if d.Decode(&plain) != nil {
		return nil
	}
	return plain
}

// pruned is a value without members that have nothing in them.
func pruned(v any) any {
	switch v := v.(type) {
	case string:
		if v != "" {
			return v
		}
	case []any:
		for i := range v {
			v[i] = pruned(v[i])
		}
		if len(v) > 0 {
			return v
		}
	case map[string]any:
		for name, member := range v {
			if member = pruned(member); member == nil {
				delete(v, name)
			} else {
				v[name] = member
			}
		}
		if len(v) > 0 {
			return v
		}
	default:
		return v
	}
	return nil
}
