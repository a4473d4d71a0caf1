package httpapi

import (
	"path"
	"reflect"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// schemas describes Go types as JSON Schema, from the tags that encoding/json
// reads. Exported structs are described once, under the name of their package
// and their own.
type schemas struct {
	named map[string]any
}

func object(pairs ...any) map[string]any {
	properties := make(map[string]any, len(pairs)/2)
	required := make([]string, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		properties[name] = pairs[i+1]
		required = append(required, name)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

func arrayOf(items map[string]any) map[string]any {
	return map[string]any{"type": "array", "items": items}
}

func nullable(s map[string]any) map[string]any {
	if kind, ok := s["type"].(string); ok {
		s["type"] = []string{kind, "null"}
		return s
	}
	return map[string]any{"oneOf": []any{s, map[string]any{"type": "null"}}}
}

// page is the body of a list.
func (s *schemas) page(key string, record reflect.Type) map[string]any {
	link := object("href", map[string]any{"type": "string", "format": "uri"})
	return object(
		key, arrayOf(s.of(record)),
		"_links", object("self", link, "next", nullable(object("href", map[string]any{"type": "string", "format": "uri"}))),
	)
}

// of describes a type.
func (s *schemas) of(t reflect.Type) map[string]any {
	switch t {
	case reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeFor[twinplatform.DateTime]():
		return map[string]any{"type": []string{"string", "null"}, "format": "date-time"}
	case reflect.TypeFor[twinplatform.NullString]():
		return map[string]any{"type": []string{"string", "null"}}
	}
	if inner, ok := optional(t); ok {
		return nullable(s.of(inner))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(s.of(t.Elem()))
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int32:
		return map[string]any{"type": "integer", "format": "int32"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer", "format": "int64"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number", "format": "double"}
	case reflect.Slice:
		return arrayOf(s.of(t.Elem()))
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.structure(t)
	}
	return map[string]any{}
}

func (s *schemas) structure(t reflect.Type) map[string]any {
	name := t.Name()
	shared := name != "" && name[0] >= 'A' && name[0] <= 'Z' && !strings.Contains(name, "[")
	name = path.Base(t.PkgPath()) + "." + name
	if shared {
		ref := map[string]any{"$ref": "#/components/schemas/" + name}
		if _, ok := s.named[name]; ok {
			return ref
		}
		s.named[name] = nil // met, so that a type may hold itself
		s.named[name] = s.properties(t)
		return ref
	}
	return s.properties(t)
}

func (s *schemas) properties(t reflect.Type) map[string]any {
	properties := make(map[string]any)
	for _, f := range fieldsOf(t) {
		properties[f.name] = s.of(f.typ)
	}
	return map[string]any{"type": "object", "properties": properties}
}
