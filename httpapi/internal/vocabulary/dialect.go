package vocabulary

import (
	"cmp"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// Operation is what a vocabulary needs to know of an operation of the platform, in the
// words of the specification.
type Operation struct {
	ID, Method, Path, Area string

	Operations string       // the path under which its long-running operations are asked for; empty: nowhere
	Apart      string       // the segment of Path that is matched as if it were a name; empty: none
	InPath     []string     // names in braces in Path
	Query      []Parameter  // that it reads
	Codes      []string     // of its errors
	Reads      *shape.Shape // what its body is decoded as; nil: it has none
	Bodies                  // as the OpenAPI document has them
}

// family is the name of the operations of one kind of record in an area:
// models.savedViews, of savedViews.list and the others that begin so.
func (o *Operation) family() string {
	kind, _, _ := strings.Cut(o.ID, ".")
	return o.Area + "." + kind
}

// parameter is the parameter of a name; nil where there is none.
func (o *Operation) parameter(name string) *Parameter {
	i := slices.IndexFunc(o.Query, func(p Parameter) bool { return p.Name == name || p.Alias == name && name != "" })
	if i < 0 {
		return nil
	}
	return &o.Query[i]
}

// Parameter is a parameter of the query of an operation.
type Parameter struct {
	Name, Alias string // Alias is another spelling; empty: none
	Enumerates  bool   // it takes words of an enumeration
	Expression  bool   // it takes an expression that names members
}

// spelled are the names of a parameter.
func (p Parameter) spellings() []string {
	if p.Alias == "" {
		return []string{p.Name}
	}
	return []string{p.Name, p.Alias}
}

// Dialect is a vocabulary as a list of operations speaks it. A nil one is the
// specification's.
type Dialect struct {
	Vocabulary

	Wordings   []*Wording // by the number of the operation
	operations []Operation
	places     map[string]string // what beginnings of paths are called
}

// Wording is how an operation speaks under a vocabulary. A nil one is the
// specification's.
type Wording struct {
	Lexicon

	At           string       // its path, as clients send it
	ApartAt      string       // the segment that sets it apart, as clients send it
	OperationsAt string       // where its long-running operations are asked for
	In           *shape.Shape // of bodies, as they come; nil: it reads none

	operation *Operation
	area      string               // the narrowest name of Areas that it is under; empty: none
	out       map[int]*shape.Shape // of answers by their statuses, as they are made
	asked     map[string]string    // parameters as they come, and what the operation calls them
	queried   []string             // parameters as the specification has them
	columns   map[string]string    // members of what is listed as they come, and in the specification
	values    map[string]string    // words of enumerations as they come, and in the specification
	sent      *shape.Shape         // of bodies, in the specification's names
	names     map[string]string    // of members and of what the path names
	headers   map[string]string    // by the specification's names
	// headings are the words that headers take, as they come, by the specification's names.
	headings map[string]map[string]string
}

// Asked is what the operation calls a parameter that comes; ok is false for one that it
// does not have.
func (w *Wording) Asked(name string) (known string, ok bool) {
	known, ok = w.asked[name]
	return cmp.Or(known, name), ok
}

// Header is the deployment's name of a header.
func (w *Wording) Header(name string) string { return cmp.Or(w.headers[name], name) }

// Answer is the shape of an answer of a status; nil where it is sent as it is.
func (w *Wording) Answer(status int) *shape.Shape { return w.out[status] }

// Speak returns the dialect of a list of operations. platform lists the operations of all
// areas, also of those that are not in the list: a vocabulary of a whole deployment is
// valid for a handler that serves a part of it. headers lists the headers that only the
// platform defines, not HTTP. It fails where the vocabulary is ambiguous or names what
// there is not.
func (v Vocabulary) Speak(operations, platform []Operation, headers []string) (*Dialect, error) {
	c := clashes{v: v}
	c.names(slices.Concat(operations, platform), headers)
	d := &Dialect{Vocabulary: v, operations: operations, places: make(map[string]string)}
	t := translation{made: make(map[spoken]*shape.Shape), clashes: &c}
	for i := range operations {
		o := &operations[i]
		d.Wordings = append(d.Wordings, t.wording(o))
		d.place(o)
	}
	c.paths(operations, d.Wordings)
	return d, c.err()
}

// place notes what the beginnings of an operation's path are called.
func (d *Dialect) place(o *Operation) {
	for begin := o.Path; begin != "/" && begin != "."; begin = path.Dir(begin) {
		if !strings.Contains(begin, "{") && d.places[begin] == "" {
			l, _ := d.lexiconOf(o)
			d.places[begin] = l.Path(begin)
		}
	}
}

// At is what a path below the root of the API is called. What is behind the longest
// beginning of it that operations have are ids.
func (d *Dialect) At(p string) string {
	if d == nil {
		return p
	}
	for begin := p; begin != "/" && begin != "."; begin = path.Dir(begin) {
		if as, ok := d.places[begin]; ok {
			return as + p[len(begin):]
		}
	}
	return d.Of("").Path(p)
}

// spoken is a shape as a lexicon says it; from reports whether it is read or written.
type spoken struct {
	shape, typed *shape.Shape
	area         string
	reads        bool
	answers      bool
}

// translation makes shapes in the names of a deployment.
type translation struct {
	made    map[spoken]*shape.Shape
	clashes *clashes
	Lexicon
	area, operation string
	answers         bool // what is written is of answers
	seconded        bool // what is written has second names
}

func (t *translation) wording(o *Operation) *Wording {
	l, area := t.clashes.v.lexiconOf(o)
	t.Lexicon, t.operation, t.area = l, o.ID, area
	w := &Wording{
		Lexicon: l, area: area, At: l.Path(o.Path), OperationsAt: l.Path(o.Operations), operation: o,
		sent: t.writes(o.Sent),
		out:  make(map[int]*shape.Shape), asked: make(map[string]string), names: make(map[string]string),
		columns: t.columnsOf(o.Answers[http.StatusOK]), values: l.valuesOf(),
		headers: t.clashes.v.Headers, headings: make(map[string]map[string]string),
	}
	for name, words := range o.Headings {
		w.headings[name] = make(map[string]string)
		met := make(map[string]string)
		for _, word := range words {
			t.clashes.note(met, o.ID, "values", word, l.Word(word))
			w.headings[name][l.Word(word)] = word
		}
	}
	if o.Reads != nil {
		w.In = t.reads(o.Sent, o.Reads)
	}
	t.answers, t.seconded = true, true
	defer func() { t.answers, t.seconded = false, false }()
	for status, answer := range o.Answers {
		if answer = t.writes(answer); answer.Renames() {
			w.out[status] = answer
		}
	}
	if o.Apart != "" {
		w.ApartAt = path.Base(l.Path(o.Path[:strings.Index(o.Path, o.Apart)] + o.Apart))
	}
	t.query(o, w)
	for _, name := range o.InPath {
		w.names[name] = l.Member(name)
	}
	return w
}

// query fills in what the parameters of an operation are called.
func (t *translation) query(o *Operation, w *Wording) {
	names := make(map[string]string)
	for _, p := range o.Query {
		for _, name := range p.spellings() {
			as := t.Parameter(name)
			t.clashes.note(names, o.ID, "parameters", name, as)
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
	key := spoken{shape: from, area: t.area, answers: t.answers}
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
			out.Words[w] = t.Word(w)
			t.clashes.note(met, t.operation, "values", w, out.Words[w])
		}
	}
	if from.Fields != nil {
		out.Fields = make(map[string]shape.Property, len(from.Fields))
		met := make(map[string]string)
		for _, name := range slices.Sorted(maps.Keys(from.Fields)) {
			p := shape.Property{As: t.other(name), In: t.writes(from.Fields[name].In), Omit: t.answers && t.omits(name)}
			if t.seconded {
				p.Also = t.also(name)
			}
			out.Fields[name] = p
			for _, as := range append(t.Seconds(name), t.Member(name)) {
				t.clashes.note(met, t.operation, "members", name, as)
			}
		}
	}
	return out
}

// other is what a member is called, where that is something else.
func (t *translation) other(name string) string {
	if as := t.Member(name); as != name {
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
	key := spoken{shape: from, typed: typed, area: t.area, reads: true}
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
			out.Words[t.Word(w)] = w
		}
	}
	if from.Fields != nil {
		out.Fields = make(map[string]shape.Property, len(from.Fields))
		for name, p := range from.Fields {
			as, inside := t.Member(name), ""
			if as != name {
				inside = name
			}
			out.Fields[as] = shape.Property{As: inside, In: t.reads(p.In, typed.Fields[name].In)}
			t.readsSeconds(out.Fields, name, out.Fields[as].In)
		}
	}
	return out
}
