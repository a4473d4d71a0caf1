package httpapi

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// bodyShapes are the shapes of the bodies of an operation as the OpenAPI document has
// them: of what is sent, and of the answers by their statuses.
type bodyShapes struct {
	in  *shape.Shape
	out map[int]*shape.Shape
}

// shapeTables are the shapes of the tables that were asked for, by their patterns.
// Describing a table takes longer than all else of a handler.
var shapeTables sync.Map // of []bodyShapes

// shapesOf returns the shapes of a table, row by row, in the specification's names.
func shapesOf(table rows) []bodyShapes {
	key := strings.Join(table.patterns(), "\n")
	if known, ok := shapeTables.Load(key); ok {
		return known.([]bodyShapes)
	}
	d := newDescription()
	document := d.of(table)
	s := schemaShapes{named: d.named, met: make(map[string]*shape.Shape)}
	out := make([]bodyShapes, len(table))
	for i, r := range table {
		out[i] = s.ofOperation(at(document, "paths", r.Path, strings.ToLower(r.Method)))
	}
	known, _ := shapeTables.LoadOrStore(key, out)
	return known.([]bodyShapes)
}

// at is what lies under names of a document; nil where nothing does.
func at(node map[string]any, names ...string) map[string]any {
	for _, name := range names {
		node, _ = node[name].(map[string]any)
	}
	return node
}

// schemaShapes makes shapes of JSON schemas.
type schemaShapes struct {
	named map[string]any
	met   map[string]*shape.Shape
}

func (s schemaShapes) ofOperation(o map[string]any) bodyShapes {
	out := bodyShapes{in: s.of(schemaIn(at(o, "requestBody"))), out: make(map[int]*shape.Shape)}
	for status, answer := range at(o, "responses") {
		if n, err := strconv.Atoi(status); err == nil && n < 400 {
			out.out[n] = s.of(schemaIn(answer.(map[string]any)))
		}
	}
	return out
}

func schemaIn(body map[string]any) map[string]any {
	return at(body, "content", "application/json", "schema")
}

// of is the shape of a schema; nil where it says nothing of names and words.
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
	if made := s.of(at(s.named, name)); made != nil {
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
	if properties := at(schema, "properties"); properties != nil {
		out.Fields = make(map[string]shape.Property, len(properties))
		for name, p := range properties {
			out.Fields[name] = shape.Property{In: s.of(p.(map[string]any))}
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
