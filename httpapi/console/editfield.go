package console

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/html"
)

// editField is a member of the body of an operation, as a field of a form.
type editField struct {
	name, kind, description string // kind is text, number, bool, enum, time, list or json
	options                 []string
	required, exemplary     bool // exemplary: the document has an example for it
}

// editSchema is what is read of a schema to make fields.
type editSchema struct {
	Ref         string `json:"$ref"`
	Type        any
	Format      string
	Description string
	Enum        []any
	Examples    []json.RawMessage
	Properties  orderedSchemas
	Required    []string
	Items       json.RawMessage
	OneOf       []json.RawMessage
}

// resolve is a schema behind its references, and behind null as its only alternative.
func (doc *openAPI) resolve(raw json.RawMessage) (s editSchema) {
	for range maxExampleDepth {
		was := s
		s = editSchema{}
		if json.Unmarshal(raw, &s) != nil {
			return s
		}
		if s.Description == "" {
			s.Description = was.Description
		}
		next := json.RawMessage(nil)
		for _, one := range s.OneOf {
			if !bytes.Contains(one, []byte(`"null"`)) {
				next = one
			}
		}
		if s.Ref != "" {
			next = doc.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
		}
		if next == nil {
			return s
		}
		raw = next
	}
	return s
}

// is reports whether a schema takes values of a JSON type.
func (s *editSchema) is(name string) bool {
	list, _ := s.Type.([]any)
	return s.Type == name || slices.Contains(list, any(name))
}

// kind is that of the field for values of a schema.
func (s *editSchema) kind(doc *openAPI) (kind string, options []string) {
	for _, v := range s.Enum {
		if text, ok := v.(string); ok {
			options = append(options, text)
		}
	}
	switch {
	case len(options) > 0:
		return "enum", options
	case s.is("boolean"):
		return "bool", nil
	case s.is("integer"), s.is("number"):
		return "number", nil
	case s.is("string") && s.Format == "date-time":
		return "time", nil
	case s.is("string"):
		return "text", nil
	case s.is("array"):
		items := doc.resolve(s.Items)
		if kind, options := items.kind(doc); kind == "text" || kind == "enum" {
			return "list", options
		}
	}
	return "json", nil
}

// fieldsOf are the fields of the body of an operation. Where the body is a list of records
// in a member, such as batch, they are those of one record, and wrapper is that member.
func (doc *openAPI) fieldsOf(raw json.RawMessage) (fields []editField, wrapper string) {
	s := doc.resolve(raw)
	if len(s.Properties) == 1 {
		list := doc.resolve(s.Properties[0].raw)
		if items := doc.resolve(list.Items); list.is("array") && len(items.Properties) > 0 {
			s, wrapper = items, s.Properties[0].name
		}
	}
	for _, p := range s.Properties {
		if p.name == "deleted" || p.name == "_links" {
			continue
		}
		of := doc.resolve(p.raw)
		f := editField{
			name: p.name, description: of.Description,
			required: slices.Contains(s.Required, p.name), exemplary: hasExample(p.raw),
		}
		f.kind, f.options = of.kind(doc)
		fields = append(fields, f)
	}
	return fields, wrapper
}

// shown is a value of a record as the text of the field.
func (f *editField) shown(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	case []any:
		if f.kind == "list" {
			lines := make([]string, len(v))
			for i, one := range v {
				lines[i], _ = one.(string)
			}
			return strings.Join(lines, "\n")
		}
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return ""
	}
	return string(b)
}

// value is the text of a field as the body has it; nil for an empty one. What is no number
// stays a text, which the API refuses with the name of the member.
func (f *editField) value(texts []string) (v any, ok bool) {
	text := strings.TrimSpace(strings.ReplaceAll(strings.Join(texts, "\n"), "\r\n", "\n"))
	switch {
	case text == "":
		return nil, true
	case f.kind == "list":
		return strings.FieldsFunc(text, func(c rune) bool { return c == '\n' }), true
	case f.kind == "bool":
		return text == "true", true
	case f.kind == "json" || f.kind == "number" && json.Valid([]byte(text)):
		return json.RawMessage(text), json.Valid([]byte(text))
	}
	return text, true
}

// input is the field with its value, what it may be, and what was wrong with it.
func (f *editField) input(value, wrong string, choices [][2]string) html.Node {
	id := "m-" + f.name
	described := id + "-note"
	problem := html.Node{}
	if wrong != "" {
		problem = html.El("small", html.Attr("id", id+"-wrong"), html.Class("wrong"), html.Text(wrong))
		described += " " + id + "-wrong"
	}
	parts := []html.Part{
		html.Attr("id", id), html.Attr("name", "m."+f.name), html.Attr("aria-describedby", described),
		html.If(wrong != "", html.Attr("aria-invalid", "true")), html.If(f.required, html.Flag("required")),
	}
	return html.El(
		"div", html.Class("field"),
		html.El("label", html.Attr("for", id), html.Text(words(f.name)), html.If(f.required, html.Text(" (required)"))),
		f.control(parts, value, choices), problem,
		html.El("small", html.Attr("id", id+"-note"), html.Text(f.description)),
	)
}

// control is the input itself.
func (f *editField) control(parts []html.Part, value string, choices [][2]string) html.Node {
	chosen := strings.Split(value, "\n")
	list := func(options [][2]string) html.Node {
		return html.Each(options, func(o [2]string) html.Node {
			selected := html.If(slices.Contains(chosen, o[0]), html.Flag("selected"))
			return html.El("option", html.Attr("value", o[0]), selected, html.Text(o[1]))
		})
	}
	options := choices
	for _, o := range f.options {
		options = append(options, [2]string{o, o})
	}
	switch {
	case f.kind == "bool":
		return html.El("select", append(parts, list([][2]string{{"", "—"}, {"true", "yes"}, {"false", "no"}}))...)
	case f.kind == "list" && len(options) > 0:
		// Browsers send nothing of a choice without any.
		none := html.El("input", html.Attr("type", "hidden"), html.Attr("name", "m."+f.name), html.Attr("value", ""))
		many := append(parts, html.Flag("multiple"), html.Attr("size", "6"), list(options))
		return html.Group(none, html.El("select", many...))
	case len(options) > 0:
		known := slices.ContainsFunc(options, func(o [2]string) bool { return o[0] == value })
		if !known && value != "" {
			options = append(options, [2]string{value, value})
		}
		return html.El("select", append(parts, list(append([][2]string{{"", "—"}}, options...)))...)
	case f.kind == "list" || f.kind == "json" || strings.Contains(value, "\n"):
		parts = append(parts, html.Attr("rows", "4"), html.Attr("spellcheck", "false"), html.Text(value))
		return html.El("textarea", parts...)
	}
	hint := map[string]string{"time": "2026-03-02T08:00:00Z", "number": "0"}[f.kind]
	return html.El("input", append(
		parts, html.Attr("value", value), html.Attr("placeholder", hint), html.Attr("autocomplete", "off"),
		html.If(f.kind == "number", html.Attr("inputmode", "decimal")),
	)...)
}
