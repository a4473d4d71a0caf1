package closure_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// body is a body for an operation: one that was recorded, with ids of this world and some
// members changed, or one that the schema allows.
func (w *world) body(op *operation, scope string) recorded {
	record := choice(w.r, conversations()[op.name])
	if op.body == nil {
		return record
	}
	var value any
	if record.body == "" || w.r.IntN(4) == 0 || json.Unmarshal([]byte(record.body), &value) != nil {
		value = w.value(op.body, scope, "", 0)
	} else {
		value = w.rebound(value, scope)
		if w.r.IntN(2) == 0 {
			w.mutate(op.body, value, scope)
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		w.Fatal(err)
	}
	return recorded{record.header, string(text)}
}

// rebound is a body with ids of this world in place of those of the recorded one.
func (w *world) rebound(node any, scope string) any {
	switch node := node.(type) {
	case []any:
		for i := range node {
			node[i] = w.rebound(node[i], scope)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(node)) {
			switch v := node[name].(type) {
			case string:
				if id := w.id(scope, name); id != "" {
					node[name] = id
				}
			case []any:
				if strings.HasSuffix(name, "Ids") {
					node[name] = w.ids(scope, name)
					continue
				}
				node[name] = w.rebound(v, scope)
			default:
				node[name] = w.rebound(v, scope)
			}
		}
	}
	return node
}

// id is an id for a member that holds one; empty where it holds none.
func (w *world) id(scope, name string) string {
	switch {
	case name == "id":
		return fmt.Sprintf("%s-%d", choice(w.r, []string{"a", "Größe", "id with spaces", "x"}), w.r.IntN(1_000_000))
	case strings.HasSuffix(name, "Id"):
		return w.known.pick(w.r, scope, name)
	}
	return ""
}

func (w *world) ids(scope, name string) []any {
	ids := []any{}
	for range 1 + w.r.IntN(2) {
		if id := w.known.pick(w.r, scope, strings.TrimSuffix(name, "s")); id != "" && !slices.Contains(ids, any(id)) {
			ids = append(ids, id)
		}
	}
	return ids
}

// mutate gives one object of a body other members that its schema knows.
func (w *world) mutate(schema map[string]any, node any, scope string) {
	schema = w.contract.resolve(schema)
	switch node := node.(type) {
	case []any:
		items := object(schema["items"])
		if len(node) > 0 {
			w.mutate(items, choice(w.r, node), scope)
		}
	case map[string]any:
		properties := w.contract.properties(schema)
		names := slices.Sorted(maps.Keys(properties))
		for range 1 + w.r.IntN(3) {
			name := choice(w.r, names)
			if name == "" {
				return
			}
			inner := object(properties[name])
			if old, there := node[name]; there && w.r.IntN(2) == 0 {
				w.mutate(inner, old, scope)
				continue
			}
			node[name] = w.value(inner, scope, name, 1)
		}
	}
}

// properties are the members of an object, with those of its parts.
func (c *contract) properties(schema map[string]any) map[string]any {
	schema = c.resolve(schema)
	out := make(map[string]any)
	for _, list := range []string{"allOf", "oneOf", "anyOf"} {
		parts, _ := schema[list].([]any)
		for _, part := range parts {
			maps.Copy(out, c.properties(part.(map[string]any)))
		}
	}
	own, _ := schema["properties"].(map[string]any)
	maps.Copy(out, own)
	return out
}

// value is one that a schema allows, as far as it is looked at.
func (w *world) value(schema map[string]any, scope, name string, depth int) any {
	schema = w.contract.resolve(schema)
	if either, ok := schema["oneOf"].([]any); ok {
		return w.value(object(choice(w.r, either)), scope, name, depth)
	}
	if words, ok := schema["enum"].([]any); ok {
		return choice(w.r, words)
	}
	if examples, ok := schema["examples"].([]any); ok && w.r.IntN(3) == 0 && !strings.HasSuffix(name, "Id") {
		return choice(w.r, examples)
	}
	kinds, ok := schema["type"].([]any)
	if !ok {
		kinds = []any{schema["type"]}
	}
	if schema["not"] != nil || len(kinds) == 1 && kinds[0] == nil && schema["properties"] == nil {
		kinds = []any{"string", "number", "boolean", "null"} // anything
	}
	kind := choice(w.r, kinds)
	if kind == "null" && w.r.IntN(3) > 0 {
		kind = kinds[0]
	}
	switch kind {
	case "boolean":
		return w.r.IntN(2) == 0
	case "integer", "number":
		return w.number(schema, kind == "integer")
	case "string":
		return w.text(schema, scope, name)
	case "array":
		return w.array(schema, scope, name, depth)
	case "null":
		return nil
	}
	properties := w.contract.properties(schema)
	required, _ := schema["required"].([]any)
	out := make(map[string]any)
	for _, member := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(member)) || depth < 4 && w.r.IntN(3) == 0 {
			out[member] = w.value(object(properties[member]), scope, member, depth+1)
		}
	}
	return out
}

func (w *world) array(schema map[string]any, scope, name string, depth int) any {
	if strings.HasSuffix(name, "Ids") {
		return w.ids(scope, name)
	}
	items := object(schema["items"])
	low, _ := schema["minItems"].(json.Number)
	least, _ := low.Int64()
	out := []any{}
	for range int(least) + w.r.IntN(3) {
		out = append(out, w.value(items, scope, strings.TrimSuffix(name, "s"), depth+1))
	}
	return out
}

func (w *world) number(schema map[string]any, whole bool) any {
	low, high := bound(schema, "minimum", -1000), bound(schema, "maximum", 100_000)
	switch w.r.IntN(6) {
	case 0:
		return low
	case 1:
		return high
	}
	v := low + w.r.Float64()*(min(high, low+100_000)-low)
	if whole {
		return int64(v)
	}
	return v
}

func bound(schema map[string]any, name string, otherwise float64) float64 {
	n, ok := schema[name].(json.Number)
	if !ok {
		return otherwise
	}
	f, _ := n.Float64()
	return f
}

// edges are dates at which something begins or ends.
var edges = []string{"0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59.999Z", "2026-03-29T02:30:00+01:00", "2024-02-29T00:00:00-11:00"}

func (w *world) date() string {
	if w.r.IntN(8) == 0 {
		return choice(w.r, edges)
	}
	return w.now.Add(time.Duration(w.r.IntN(400*24)-100*24) * time.Hour).Format(time.RFC3339)
}

func (w *world) text(schema map[string]any, scope, name string) any {
	if strings.HasSuffix(name, "Id") || name == "id" {
		if id := w.id(scope, name); id != "" {
			return id
		}
	}
	switch format, _ := schema["format"].(string); format {
	case "date-time":
		return w.date()
	case "email":
		return choice(w.r, []string{"crew@example.com", "Zoë.O'Neil+site@bau.example", "a@b.c"})
	case "uri", "uri-reference":
		return choice(w.r, []string{"https://example.com/a?b=c", "https://example.com/ä ö", ""})
	case "uuid":
		return fmt.Sprintf("%08x-0000-4000-8000-000000000000", w.r.Uint32())
	}
	text := choice(w.r, []string{"", "a", "Größe <4> & \"mehr\"", "two words", "line\u2028end", fmt.Sprint("n", w.r.IntN(1000)), "#12ab56", "UTC", "08:00", "2026-03-02"})
	if bound(schema, "minLength", 0) > 0 && text == "" {
		text = "x"
	}
	return text
}

// object is a schema; an empty one where it is a boolean.
func object(schema any) map[string]any {
	o, _ := schema.(map[string]any)
	return o
}
