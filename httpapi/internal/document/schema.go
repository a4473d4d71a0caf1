// Package document makes the OpenAPI document.
package document

import "maps"

// Vendor is the vendor prefix in the media types of the specification.
const Vendor = "vendor.twin-platform"

// Object is the schema of an object that has all of these members: names, each with the
// schema behind it.
func Object(pairs ...any) map[string]any {
	properties := make(map[string]any, len(pairs)/2)
	required := make([]string, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		properties[name] = pairs[i+1]
		required = append(required, name)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// ArrayOf is the schema of an array.
func ArrayOf(items map[string]any) map[string]any {
	return map[string]any{"type": "array", "items": items}
}

// Link is the address of something.
func Link() map[string]any {
	return Object("href", map[string]any{"type": "string", "format": "uri-reference"})
}

// Nullable is s or null.
func Nullable(s map[string]any) map[string]any {
	kind, ok := s["type"].(string)
	if !ok && len(s) > 0 {
		return map[string]any{"oneOf": []any{s, map[string]any{"type": "null"}}}
	}
	s = maps.Clone(s)
	if ok {
		s["type"] = []string{kind, "null"}
	}
	if words, ok := s["enum"].([]string); ok {
		s["enum"] = withNull(words)
	}
	return s
}

func withNull(words []string) []any {
	out := make([]any, len(words), len(words)+1)
	for i, w := range words {
		out[i] = w
	}
	return append(out, nil)
}

// Reference is to the schema of a name.
func Reference(name string) map[string]any {
	return map[string]any{"$ref": "#/components/schemas/" + name}
}

// Content is a body of JSON.
func Content(schema map[string]any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}

// SchemaIn is the schema of a body of JSON; nil where it has none.
func SchemaIn(body map[string]any) map[string]any {
	return At(body, "content", "application/json", "schema")
}

// At is what lies under names of a document; nil where nothing does.
func At(node map[string]any, names ...string) map[string]any {
	for _, name := range names {
		node, _ = node[name].(map[string]any)
	}
	return node
}
