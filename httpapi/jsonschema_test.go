package httpapi_test

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// contract is an OpenAPI document that bodies are held to. It knows what JSON
// Schema has of the words that the document uses, and takes no member that the
// document does not have.
type contract struct {
	root map[string]any
}

func contractOf(document []byte) (*contract, error) {
	c := &contract{}
	return c, stdjson.Unmarshal(document, &c.root)
}

// at is what lies under names of the document.
func (c *contract) at(names ...string) map[string]any {
	node := c.root
	for _, name := range names {
		node, _ = node[name].(map[string]any)
	}
	return c.resolve(node)
}

// resolve follows a reference.
func (c *contract) resolve(node map[string]any) map[string]any {
	ref, ok := node["$ref"].(string)
	if !ok {
		return node
	}
	return c.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
}

// wrong is a violation of a value, with its place in the body.
func (c *contract) wrong(schema map[string]any, at string, v any) (out []string) {
	schema = c.resolve(schema)
	bad := func(format string, args ...any) { out = append(out, at+": "+fmt.Sprintf(format, args...)) }
	either, ok := schema["oneOf"].([]any)
	if !ok {
		either, ok = schema["anyOf"].([]any)
	}
	if ok {
		if least := c.leastWrong(either, at, v); least != nil {
			return least
		}
		return nil
	}
	if all, ok := schema["allOf"].([]any); ok {
		schema = c.joined(all)
	}
	if kinds := asList(schema["type"]); len(kinds) > 0 && !slices.ContainsFunc(kinds, func(kind any) bool { return isA(kind.(string), v) }) {
		bad("%v is none of %v", v, kinds)
		return out
	}
	if words, ok := schema["enum"].([]any); ok && !slices.Contains(words, v) {
		bad("%v is none of %v", v, words)
	}
	switch v := v.(type) {
	case string:
		checkString(schema, v, bad)
	case float64:
		if low, ok := schema["minimum"].(float64); ok && v < low {
			bad("%v is less than %v", v, low)
		}
		if high, ok := schema["maximum"].(float64); ok && v > high {
			bad("%v is more than %v", v, high)
		}
	case []any:
		out = append(out, c.wrongItems(schema, at, v)...)
	case map[string]any:
		out = append(out, c.wrongMembers(schema, at, v)...)
	}
	return out
}

func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// leastWrong is nil when a value is one of several.
func (c *contract) leastWrong(either []any, at string, v any) (least []string) {
	for i, one := range either {
		found := c.wrong(one.(map[string]any), at, v)
		if len(found) == 0 {
			return nil
		}
		if i == 0 || v == nil {
			least = found
		}
	}
	return least
}

// joined is an object with the members of several.
func (c *contract) joined(all []any) map[string]any {
	properties, required := make(map[string]any), []any{}
	for _, one := range all {
		one := c.resolve(one.(map[string]any))
		maps.Copy(properties, one["properties"].(map[string]any))
		required = append(required, asList(one["required"])...)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

func isA(kind string, v any) bool {
	switch v := v.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case float64:
		return kind == "number" || kind == "integer" && v == float64(int64(v))
	case []any:
		return kind == "array"
	}
	return kind == "object"
}

func checkString(schema map[string]any, v string, bad func(string, ...any)) {
	n := float64(utf8.RuneCountInString(v))
	if low, ok := schema["minLength"].(float64); ok && n < low {
		bad("%q is shorter than %v", v, low)
	}
	if high, ok := schema["maxLength"].(float64); ok && n > high {
		bad("a text of %v characters is longer than %v", n, high)
	}
	if p, ok := schema["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(v) {
		bad("%q does not match %s", v, p)
	}
	if f, ok := schema["format"].(string); ok && !hasFormat(f, v) {
		bad("%q is no %s", v, f)
	}
}

var guid = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)

func hasFormat(format, v string) bool {
	var err error
	switch format {
	case "date-time":
		_, err = time.Parse(time.RFC3339, v)
	case "uri", "uri-reference":
		_, err = url.Parse(v)
	case "uuid":
		return guid.MatchString(v)
	}
	return err == nil
}

func (c *contract) wrongItems(schema map[string]any, at string, v []any) (out []string) {
	n := float64(len(v))
	if low, ok := schema["minItems"].(float64); ok && n < low {
		out = append(out, fmt.Sprintf("%s: %v items are less than %v", at, n, low))
	}
	if high, ok := schema["maxItems"].(float64); ok && n > high {
		out = append(out, fmt.Sprintf("%s: %v items are more than %v", at, n, high))
	}
	items, _ := schema["items"].(map[string]any)
	for i, item := range v {
		out = append(out, c.wrong(items, fmt.Sprintf("%s[%d]", at, i), item)...)
	}
	return out
}

func (c *contract) wrongMembers(schema map[string]any, at string, v map[string]any) (out []string) {
	for _, name := range asList(schema["required"]) {
		if _, ok := v[name.(string)]; !ok {
			out = append(out, fmt.Sprintf("%s: %v is missing", at, name))
		}
	}
	properties, closed := schema["properties"].(map[string]any)
	more, open := schema["additionalProperties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		switch p, known := properties[name].(map[string]any); {
		case known:
			out = append(out, c.wrong(p, at+"."+name, v[name])...)
		case open:
			out = append(out, c.wrong(more, at+"."+name, v[name])...)
		case closed:
			out = append(out, fmt.Sprintf("%s: %s is not described", at, name))
		}
	}
	return out
}
