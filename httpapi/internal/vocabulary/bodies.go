package vocabulary

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// Bodies are the shapes of the bodies of an operation as the OpenAPI document has
// them, in the specification's names.
type Bodies struct {
	Sent    *shape.Shape         // nil: no body is
	Answers map[int]*shape.Shape // by their statuses
	// Headings are the words that headers of requests take, by the header.
	Headings map[string][]string
	Asked    []string // the words that parameters of the query take
}

// BodiesIn are the bodies of the operations of an OpenAPI document, by their methods and
// paths. Permissions are what members of that name hold, besides others.
func BodiesIn(described map[string]any, permissions []string) func(method, path string) Bodies {
	s := schemaShapes{
		named: document.At(described, "components", "schemas"), met: make(map[string]*shape.Shape),
		permissions: &shape.Shape{Elem: &shape.Shape{Words: sameWords(permissions)}},
	}
	return func(method, path string) Bodies {
		return s.ofOperation(document.At(described, "paths", path, strings.ToLower(method)))
	}
}

// schemaShapes makes shapes of JSON schemas.
type schemaShapes struct {
	named map[string]any
	met   map[string]*shape.Shape
	// permissions is a list of them.
	permissions *shape.Shape
}

func (s schemaShapes) ofOperation(o map[string]any) Bodies {
	out := Bodies{
		Sent: s.of(document.SchemaIn(document.At(o, "requestBody"))), Answers: make(map[int]*shape.Shape),
		Headings: make(map[string][]string),
	}
	for status, answer := range document.At(o, "responses") {
		if n, err := strconv.Atoi(status); err == nil && n < 400 {
			out.Answers[n] = s.of(document.SchemaIn(answer.(map[string]any)))
		}
	}
	parameters, _ := o["parameters"].([]any)
	for _, p := range parameters {
		p := p.(map[string]any)
		words := wordsOf(s.of(p["schema"].(map[string]any)))
		switch {
		case len(words) == 0:
		case p["in"] == "query":
			out.Asked = append(out.Asked, words...)
		case p["in"] == "header":
			out.Headings[p["name"].(string)] = words
		}
	}
	return out
}

// wordsOf are the words of an enumeration, or of a list of such.
func wordsOf(s *shape.Shape) []string {
	if s != nil && s.Elem != nil {
		s = s.Elem
	}
	if s == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(s.Words))
}

// of is the shape of a schema; nil where it has no names and words.
func (s schemaShapes) of(schema map[string]any) *shape.Shape {
	if ref, ok := schema["$ref"].(string); ok {
		return s.ofNamed(ref[strings.LastIndexByte(ref, '/')+1:])
	}
	var out *shape.Shape
	for _, word := range []string{"oneOf", "anyOf", "allOf"} {
		variants, _ := schema[word].([]any)
		for _, v := range variants {
			out = merged(out, s.of(v.(map[string]any)))
		}
	}
	return merged(out, s.own(schema))
}

// ofNamed is the shape of a schema that may hold itself.
func (s schemaShapes) ofNamed(name string) *shape.Shape {
	if known, ok := s.met[name]; ok {
		return known
	}
	out := new(shape.Shape)
	s.met[name] = out
	if made := s.of(document.At(s.named, name)); made != nil {
		*out = *made
	}
	return out
}

// own is what a schema says without its variants.
func (s schemaShapes) own(schema map[string]any) *shape.Shape {
	var out shape.Shape
	switch words := schema["enum"].(type) {
	case []string:
		out.Words = sameWords(words)
	case []any:
		var texts []string
		for _, w := range words {
			if text, ok := w.(string); ok {
				texts = append(texts, text)
			}
		}
		out.Words = sameWords(texts)
	}
	if properties := document.At(schema, "properties"); properties != nil {
		out.Fields = make(map[string]shape.Property, len(properties))
		for name, p := range properties {
			in := s.of(p.(map[string]any))
			if name == permissionsMember && in == nil {
				in = s.permissions
			}
			out.Fields[name] = shape.Property{In: in}
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		out.Elem = s.of(items)
	}
	if each, ok := schema["additionalProperties"].(map[string]any); ok {
		out.Each = s.of(each)
	}
	kinds, _ := schema["type"].([]string)
	out.Integer = schema["type"] == "integer" || slices.Contains(kinds, "integer")
	out.Base64 = schema["contentEncoding"] == "base64"
	if out.Fields == nil && out.Elem == nil && out.Each == nil && out.Words == nil && !out.Integer && !out.Base64 {
		return nil
	}
	return &out
}

// permissionsMember is the member that lists permissions wherever there are any.
const permissionsMember = "permissions"

func sameWords(words []string) map[string]string {
	out := make(map[string]string, len(words))
	for _, w := range words {
		out[w] = w
	}
	return out
}

// merged is a shape of what either of two allows.
func merged(a, b *shape.Shape) *shape.Shape {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := *a
	out.Integer, out.Base64 = a.Integer || b.Integer, a.Base64 || b.Base64
	if b.Fields != nil {
		out.Fields = maps.Clone(b.Fields)
		for name, p := range a.Fields {
			if p.In != nil || out.Fields[name].In == nil {
				out.Fields[name] = p
			}
		}
	}
	if out.Elem == nil {
		out.Elem = b.Elem
	}
	if out.Each == nil {
		out.Each = b.Each
	}
	if b.Words != nil {
		out.Words = maps.Clone(b.Words)
		maps.Copy(out.Words, a.Words)
	}
	return &out
}
