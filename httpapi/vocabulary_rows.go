package httpapi

import (
	"cmp"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// dialect is a vocabulary as a table of rows speaks it. A nil one is the
// specification's.
type dialect struct {
	Vocabulary

	wordings []*wording        // by the number of the row
	places   map[string]string // what beginnings of paths are called
	parts    []string          // as parts
}

// wording is how a row speaks under a vocabulary. A nil one is the specification's.
type wording struct {
	lexicon

	path, apart string               // as in row, in the deployment's names
	operations  string               // as in row
	in          *shape.Shape         // of bodies, as they come
	out         map[int]*shape.Shape // of answers by their statuses, as they are made
	asked       map[string]string    // parameters as they come, and what the row calls them
	queried     []string             // parameters as the specification has them
	columns     map[string]string    // members of what is listed as they come, and in the specification
	values      map[string]string    // words of enumerations as they come, and in the specification
	sent        *shape.Shape         // of bodies, in the specification's names
	names       map[string]string    // of members and of what the path names
	headers     map[string]string    // by the specification's names
}

// speaking returns the dialect of a table under a vocabulary; nil where that says
// nothing.
func (v Vocabulary) speaking(table rows) (*dialect, error) {
	if v.key() == "" {
		return nil, nil
	}
	c := clashes{v: v}
	c.names(table)
	d := &dialect{Vocabulary: v, places: make(map[string]string)}
	t := translation{made: make(map[spoken]*shape.Shape), clashes: &c}
	for i, bodies := range shapesOf(table) {
		d.wordings = append(d.wordings, t.row(table[i], bodies, v.of(table[i].Area)))
		d.place(table[i])
	}
	for _, part := range parts {
		as := d.of("reality data").path(eachRealityData + "/" + part)
		d.parts = append(d.parts, path.Base(as))
	}
	c.paths(table, d.wordings)
	return d, c.err()
}

// place notes what the beginnings of a row's path are called.
func (d *dialect) place(r *row) {
	for begin := r.Path; begin != "/" && begin != "."; begin = path.Dir(begin) {
		if !strings.Contains(begin, "{") && d.places[begin] == "" {
			d.places[begin] = d.of(r.Area).path(begin)
		}
	}
}

// at is what a path below the root of the API is called. What is behind the longest
// beginning of it that operations have are ids.
func (d *dialect) at(p string) string {
	if d == nil {
		return p
	}
	for begin := p; begin != "/" && begin != "."; begin = path.Dir(begin) {
		if as, ok := d.places[begin]; ok {
			return as + p[len(begin):]
		}
	}
	return d.of("").path(p)
}

// spoken is a shape as a lexicon says it; from says whether it is read or written.
type spoken struct {
	shape, typed *shape.Shape
	area         string
	reads        bool
}

// translation makes shapes in the names of a deployment.
type translation struct {
	made    map[spoken]*shape.Shape
	clashes *clashes
	lexicon
	area, operation string
}

func (t *translation) row(r *row, bodies bodyShapes, l lexicon) *wording {
	t.lexicon, t.operation, t.area = l, r.ID, ""
	if len(l) > 1 {
		t.area = r.Area
	}
	w := &wording{
		lexicon: l, path: l.path(r.Path), operations: l.path(r.operations), sent: t.writes(bodies.in),
		out: make(map[int]*shape.Shape), asked: make(map[string]string), names: make(map[string]string),
		columns: t.columnsOf(bodies.out[http.StatusOK]), values: l.valuesOf(),
		headers: t.clashes.v.Headers,
	}
	if r.shape != nil {
		w.in = t.reads(bodies.in, r.shape)
	}
	for status, answer := range bodies.out {
		if answer = t.writes(answer); answer.Renames() {
			w.out[status] = answer
		}
	}
	if r.apart != "" {
		w.apart = path.Base(l.path(r.Path[:strings.Index(r.Path, r.apart)] + r.apart))
	}
	t.query(r, w)
	for _, name := range r.names {
		w.names[name] = l.member(name)
	}
	return w
}

// query fills in what the parameters of a row are called.
func (t *translation) query(r *row, w *wording) {
	names := make(map[string]string)
	for _, p := range r.Query {
		for _, name := range p.spelt() {
			as := t.parameter(name)
			t.clashes.note(names, r.ID, "parameters", name, as)
			w.asked[as] = p.Name
			w.queried = append(w.queried, name)
		}
	}
}

// writes is a shape that renames what the specification names.
func (t *translation) writes(from *shape.Shape) *shape.Shape {
	if from == nil {
		return nil
	}
	key := spoken{shape: from, area: t.area}
	if made, ok := t.made[key]; ok {
		return made
	}
	out := new(shape.Shape)
	t.made[key] = out
	out.Elem, out.Each = t.writes(from.Elem), t.writes(from.Each)
	if from.Words != nil {
		out.Words = make(map[string]string, len(from.Words))
		met := make(map[string]string)
		for _, w := range slices.Sorted(maps.Keys(from.Words)) {
			out.Words[w] = t.word(w)
			t.clashes.note(met, t.operation, "values", w, out.Words[w])
		}
	}
	if from.Fields != nil {
		out.Fields = make(map[string]shape.Property, len(from.Fields))
		met := make(map[string]string)
		for _, name := range slices.Sorted(maps.Keys(from.Fields)) {
			out.Fields[name] = shape.Property{As: t.other(name), In: t.writes(from.Fields[name].In)}
			t.clashes.note(met, t.operation, "members", name, t.member(name))
		}
	}
	return out
}

// other is what a member is called, where that is something else.
func (t *translation) other(name string) string {
	if as := t.member(name); as != name {
		return as
	}
	return ""
}

// reads is a shape that renames what the deployment names. What typed knows nothing
// of decodes itself, and is free to take more.
func (t *translation) reads(from, typed *shape.Shape) *shape.Shape {
	if from == nil {
		return nil
	}
	key := spoken{from, typed, t.area, true}
	if made, ok := t.made[key]; ok {
		return made
	}
	out := &shape.Shape{Open: typed == nil, Integer: from.Integer, Base64: from.Base64}
	t.made[key] = out
	if typed == nil {
		typed = new(shape.Shape)
	}
	out.Elem, out.Each = t.reads(from.Elem, typed.Elem), t.reads(from.Each, typed.Each)
	if from.Words != nil {
		out.Words = make(map[string]string, len(from.Words))
		for w := range from.Words {
			out.Words[t.word(w)] = w
		}
	}
	if from.Fields != nil {
		out.Fields = make(map[string]shape.Property, len(from.Fields))
		for name, p := range from.Fields {
			as, inside := t.member(name), ""
			if as != name {
				inside = name
			}
			out.Fields[as] = shape.Property{As: inside, In: t.reads(p.In, typed.Fields[name].In)}
		}
	}
	return out
}

// caseless is where clients write names of what is below things in any case, and
// these names.
func (d *dialect) caseless() (above string, names []string) {
	if d == nil {
		return allRealityData, parts
	}
	return d.at(allRealityData), d.parts
}

// nullLinks says whether links that lead nowhere are written as null.
func (x *exchange) nullLinks() bool {
	if x.h.dialect == nil || x.h.dialect.NullLinks == "" {
		return x.row.nullLinks
	}
	return x.h.dialect.NullLinks == WriteNullLinks
}

// spelt are the names of a parameter.
func (q Parameter) spelt() []string {
	if q.alias == "" {
		return []string{q.Name}
	}
	return []string{q.Name, q.alias}
}

// at is the row's path as clients send it.
func (r *row) at() string {
	if r.wording != nil {
		return r.wording.path
	}
	return r.Path
}

// apartAt is the row's apart as clients send it.
func (r *row) apartAt() string {
	if r.wording != nil {
		return r.wording.apart
	}
	return r.apart
}

// saidParameter is what clients call a parameter.
func (r *row) saidParameter(name string) string {
	if r.wording == nil {
		return name
	}
	return r.wording.parameter(name)
}

// saidHeader is the deployment's name of a header.
func (r *row) saidHeader(name string) string {
	if r.wording == nil {
		return name
	}
	return cmp.Or(r.wording.headers[name], name)
}

// answers is the shape of an answer of a status; nil where it is sent as it is.
func (r *row) answers(status int) *shape.Shape {
	if r == nil || r.wording == nil {
		return nil
	}
	return r.wording.out[status]
}
