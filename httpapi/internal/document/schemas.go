package document

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Schemas describes Go types as JSON Schema: their form from the tags that
// encoding/json reads, what values may be from what the domains declare of their
// checks. Exported structs and enumerations are described once, under the name of
// their package and their own.
//
// The same type is another as an answer, which has all of its members, and as a
// request, which may leave some out. Answers are described first; a type that is
// in requests too is described there under another name.
type Schemas struct {
	api      API
	named    map[string]any
	book     schema.Book
	texts    func(name string) string
	examples func(name string) json.RawMessage
	requests bool // what is described is in requests
	// nullLinks is how the lists of the operation that is described end.
	nullLinks bool
	answered  map[reflect.Type]bool
	// undeclared are types with an encoding of their own whose schema is declared
	// nowhere.
	undeclared []reflect.Type
	// unexplained are members that end in Id, of which nothing says to what they refer or why to nothing.
	unexplained []string
}

func newSchemas(api API) *Schemas {
	s := &Schemas{
		api: api, named: make(map[string]any), answered: make(map[reflect.Type]bool),
		texts: descriptions(api.RequestID), examples: examples(),
	}
	for _, declare := range api.Declare {
		declare(&s.book)
	}
	return s
}

// Page is the body of a list.
func (s *Schemas) Page(key string, record, short reflect.Type) map[string]any {
	return Object(key, s.Records(record, short), "_links", s.pageLinks())
}

// pageLinks is the schema of links to a page and the next one.
func (s *Schemas) pageLinks() map[string]any {
	if s.nullLinks {
		return Object("self", Link(), "next", Nullable(Link()))
	}
	links := Object("self", Link())
	links["properties"].(map[string]any)["next"] = Link()
	return links
}

// WindowLinks is the schema of the links of a page that clients find by its place, which
// also has one to the page before.
func (s *Schemas) WindowLinks() map[string]any {
	links := s.pageLinks()
	links["properties"].(map[string]any)["prev"] = Link()
	return links
}

// Records is the schema of the records of a list; where clients can ask for short ones,
// short is their type, else nil. A list of both has one schema, whose members are there in
// each of them or optional: generators that know no union read it.
func (s *Schemas) Records(record, short reflect.Type) map[string]any {
	if short == nil {
		return ArrayOf(s.Of(record))
	}
	brief := s.properties(short)
	const about = "A record of a list. By default it has the members that are required; Prefer: " +
		"return=representation asks for all."
	return ArrayOf(s.loose(record, "Listed", about, func(whole map[string]any) {
		always := brief["required"].([]string)
		rare := func(name string) bool { return !slices.Contains(always, name) }
		whole["required"] = slices.DeleteFunc(whole["required"].([]string), rare)
	}))
}

// Chosen are records of a list in which the client chooses the members ($select).
func (s *Schemas) Chosen(record reflect.Type) map[string]any {
	const about = "A record of a list, with those members that $select names."
	return ArrayOf(s.loose(record, "Selection", about, func(whole map[string]any) { delete(whole, "required") }))
}

// loose describes a record that may be without members which it has elsewhere; loosen says which are required.
func (s *Schemas) loose(record reflect.Type, suffix, about string, loosen func(map[string]any)) map[string]any {
	name := s.componentName(record) + suffix
	if s.named[name] == nil {
		whole := s.properties(record)
		loosen(whole)
		whole["description"] = about
		if !shared(record) {
			return whole
		}
		s.named[name] = whole
	}
	return Reference(name)
}

// Of describes a type.
func (s *Schemas) Of(t reflect.Type) map[string]any {
	out, null := s.bare(t)
	if null {
		return Nullable(out)
	}
	return out
}

// bare describes the values of a type other than null, and reports whether it has null.
func (s *Schemas) bare(typ reflect.Type) (out map[string]any, null bool) {
	t := shape.See(typ)
	out, null = s.value(t)
	return out, null || t.Pointer || t.Optional
}

// value is bare of what is behind pointers and Optional.
func (s *Schemas) value(t shape.Type) (out map[string]any, null bool) {
	switch t.Go {
	case reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}, false
	case reflect.TypeFor[twinplatform.DateTime]():
		return map[string]any{"type": "string", "format": "date-time"}, true
	case reflect.TypeFor[twinplatform.NullString]():
		return map[string]any{"type": "string"}, true
	}
	if describe, ok := s.api.Special[t.Go]; ok {
		return describe(s)
	}
	if (t.Reads || t.Writes) && !s.declared(t.Go) {
		s.undeclared = append(s.undeclared, t.Go)
	}
	return s.kind(t), t.Kind == shape.Bytes
}

func (s *Schemas) kind(t shape.Type) map[string]any {
	switch t.Kind {
	case shape.Text:
		return s.Enumeration(t.Go)
	case shape.Bool:
		return map[string]any{"type": "boolean"}
	case shape.Integer:
		if t.Go.Kind() == reflect.Int32 {
			return map[string]any{"type": "integer", "format": "int32"}
		}
		return map[string]any{"type": "integer", "format": "int64"}
	case shape.Number:
		return map[string]any{"type": "number", "format": "double"}
	case shape.Bytes:
		return map[string]any{"type": "string", "contentEncoding": "base64"}
	case shape.List:
		return ArrayOf(s.Of(t.Elem()))
	case shape.Map:
		return map[string]any{"type": "object", "additionalProperties": s.Of(t.Elem())}
	case shape.Object:
		return s.structure(t.Go)
	}
	return map[string]any{}
}

// declared reports whether the book describes a type.
func (s *Schemas) declared(t reflect.Type) bool {
	_, ok := s.book.Value(t)
	return ok || s.book.Knows(t)
}

// Enumeration describes a string, and under its name one of an enumeration.
func (s *Schemas) Enumeration(t reflect.Type) map[string]any {
	v, ok := s.book.Value(t)
	if !ok {
		return map[string]any{"type": "string"}
	}
	name := s.componentName(t)
	if _, ok := s.named[name]; !ok {
		s.named[name] = s.described(name, map[string]any{"type": "string", "enum": v.Enum})
	}
	return Reference(name)
}

// componentName is what the document calls a type: by the domain.
func (s *Schemas) componentName(t reflect.Type) string { return schema.Area(t) + "." + s.book.Name(t) }

func (s *Schemas) structure(t reflect.Type) map[string]any {
	if !shared(t) {
		return s.properties(t)
	}
	name := s.componentName(t)
	if s.requests && s.answered[t] {
		name += "Input"
	}
	if _, ok := s.named[name]; !ok {
		s.named[name] = nil // met, so that a type may hold itself
		s.answered[t] = s.answered[t] || !s.requests
		s.named[name] = s.described(s.componentName(t), s.properties(t))
	}
	return Reference(name)
}

// shared reports whether a type is described under its name.
func shared(t reflect.Type) bool {
	name := t.Name()
	return name != "" && name[0] >= 'A' && name[0] <= 'Z' && !strings.Contains(name, "[")
}

// described puts the doc comment of name into its schema.
func (s *Schemas) described(name string, out map[string]any) map[string]any {
	if text := s.texts(name); text != "" {
		out["description"] = text
	}
	return out
}

func (s *Schemas) properties(t reflect.Type) map[string]any {
	properties, required := make(map[string]any), []string{}
	for _, f := range shape.See(t).Members() {
		m := s.member(t, f)
		p := s.property(f, m)
		s.exemplify(p, s.componentName(t)+"."+f.Name)
		s.refer(p, t, f.In, f.Name)
		properties[f.Name] = p
		if s.requests && m.Required || !s.requests && !f.Omitted {
			required = append(required, f.Name)
		}
	}
	out := map[string]any{"type": "object", "properties": properties}
	if names := s.api.Links[t]; names != nil && !s.requests {
		links := make(map[string]any, len(names))
		for _, name := range names {
			links[name] = Link()
		}
		properties["_links"] = map[string]any{"type": "object", "properties": links}
	}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// member is what is known of a property of a type, or of the one embedded in it.
func (s *Schemas) member(t reflect.Type, f shape.Member) schema.Member {
	if m := s.book.Member(t, f.Name); m.Name != "" {
		return m
	}
	return s.book.Member(f.In, f.Name)
}

// refer puts into a property of a type, or of the one embedded in it, to what it refers.
func (s *Schemas) refer(property map[string]any, t, in reflect.Type, name string) {
	if !schema.IsID(name) {
		return
	}
	switch to, whyNot := s.book.Refers(name, t, in); {
	case to != "":
		property["x-refers-to"] = to
	case whyNot == "":
		s.unexplained = append(s.unexplained, s.componentName(t)+"."+name)
	}
}

func (s *Schemas) property(f shape.Member, m schema.Member) map[string]any {
	seen := shape.See(f.Type)
	out, null := s.bare(f.Type)
	if m.Enum != nil {
		out = map[string]any{"type": "string"}
	}
	limit(out, m.Value)
	switch {
	case s.requests:
		null = !m.Kept && (!m.Required || seen.Optional)
	case seen.Pointer && !seen.Optional && f.Omitted:
		null = false
	}
	if null {
		out = Nullable(out)
	}
	if text := s.texts(s.componentName(f.In) + "." + f.Name); text != "" {
		out["description"] = text
	}
	if m.Default != nil && s.requests {
		out["default"] = m.Default
	}
	if m.Example != nil {
		out["examples"] = []any{m.Example}
	}
	return out
}

// limit writes down what a value may be.
func limit(out map[string]any, v schema.Value) {
	for name, n := range map[string]int{
		"minLength": v.MinLength, "maxLength": v.MaxLength, "minItems": v.MinItems,
		"maxItems": v.MaxItems,
	} {
		if n != 0 {
			out[name] = n
		}
	}
	for name, n := range map[string]*float64{"minimum": v.Minimum, "maximum": v.Maximum} {
		if n != nil {
			out[name] = *n
		}
	}
	for name, text := range map[string]string{"pattern": v.Pattern, "format": v.Format, "x-refers-to": v.RefersTo} {
		if text != "" {
			out[name] = text
		}
	}
	if v.Enum != nil {
		out["enum"] = v.Enum
	}
	if items, ok := out["items"].(map[string]any); ok && v.Item != nil {
		limit(items, *v.Item)
	}
}
