package console

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Kinds of fields. An object has fields of its own, and so has each item of a list of objects;
// a map has names with values. What has another schema is JSON.
const (
	textKind   = "text"
	numberKind = "number"
	boolKind   = "bool"
	enumKind   = "enum"
	timeKind   = "time"
	listKind   = "list" // of plain values, each in a line
	objectKind = "object"
	itemsKind  = "items"
	mapKind    = "map"
	anyKind    = "any" // a value of a map: JSON, or the text that it is
	jsonKind   = "json"
)

// editField is a member of the body of an operation, as a field of a form.
type editField struct {
	name, kind, description string
	options                 []string
	required, exemplary     bool // exemplary: the document has an example for it
	nullable                bool
	refers                  string      // the collection whose records it names; empty: its name or the record says it
	item                    string      // the kind of the values of a list
	fields                  []editField // of an object, of each item, or of each pair of a map

	label, as, initial string     // as people know it, see peopleField
	suggested          []string   // values that it may have, among others
	first              bool       // people edit it
	units              *editUnits // by what it is typed; nil where it is typed as the API has it
}

// grouped reports whether a field has fields of its own.
func (f *editField) grouped() bool {
	return f.kind == objectKind || f.repeats()
}

// repeats reports whether there may be several of what a field holds.
func (f *editField) repeats() bool { return f.kind == itemsKind || f.kind == mapKind }

// editSchema is what is read of a schema to make fields.
type editSchema struct {
	Ref         string `json:"$ref"`
	Type        any
	Format      string
	Description string
	Enum        []any
	Properties  orderedSchemas
	Required    []string
	Items       json.RawMessage
	OneOf       []json.RawMessage
	Values      json.RawMessage `json:"additionalProperties"`
	Refers      string          `json:"x-refers-to"`
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

// nullable reports whether null is a value of a schema.
func nullable(raw json.RawMessage) bool {
	var s editSchema
	if json.Unmarshal(raw, &s) != nil {
		return false
	}
	return s.is("null") || slices.ContainsFunc(s.OneOf, nullable)
}

// kindOf makes the field one for values of a schema, that is so many objects within others.
func (f *editField) kindOf(doc *openAPI, s *editSchema, depth int) {
	for _, v := range s.Enum {
		if text, ok := v.(string); ok {
			f.options = append(f.options, text)
		}
	}
	f.kind = jsonKind
	switch {
	case len(f.options) > 0:
		f.kind = enumKind
	case s.is("boolean"):
		f.kind = boolKind
	case s.is("integer"), s.is("number"):
		f.kind = numberKind
	case s.is("string") && s.Format == "date-time":
		f.kind = timeKind
	case s.is("string"):
		f.kind = textKind
	case depth == maxExampleDepth:
	case s.is("array"):
		f.listOf(doc, doc.resolve(s.Items), depth)
	case len(s.Properties) > 0:
		f.kind, f.fields = objectKind, doc.members(s, depth+1)
	case s.is("object") && len(s.Values) > 0 && s.Values[0] == '{':
		f.kind, f.fields = mapKind, doc.pair(s.Values)
	}
}

// listOf makes the field one for a list of values of a schema.
func (f *editField) listOf(doc *openAPI, items editSchema, depth int) {
	var item editField
	item.kindOf(doc, &items, depth)
	switch item.kind {
	case textKind, enumKind, timeKind, numberKind:
		f.kind, f.item, f.options = listKind, item.kind, item.options
	case objectKind:
		f.kind, f.fields = itemsKind, item.fields
	}
}

// pair are the fields of a name and of its value in a map.
func (doc *openAPI) pair(values json.RawMessage) []editField {
	s := doc.resolve(values)
	value := editField{name: "value"}
	if value.kindOf(doc, &s, maxExampleDepth); value.kind == jsonKind {
		value.kind = anyKind
	}
	return []editField{{name: "name", kind: textKind}, value}
}

// members are the fields of the members of a schema.
func (doc *openAPI) members(s *editSchema, depth int) (fields []editField) {
	for _, p := range s.Properties {
		if p.name == "deleted" || p.name == "_links" {
			continue
		}
		of := doc.resolve(p.raw)
		f := editField{
			name: p.name, description: of.Description, nullable: nullable(p.raw),
			refers: of.Refers, required: slices.Contains(s.Required, p.name), exemplary: hasExample(p.raw),
		}
		f.kindOf(doc, &of, depth)
		fields = append(fields, f)
	}
	return fields
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
	return doc.members(&s, 0), wrapper
}

// shown is a plain value of a record, or one that is JSON, as the text of the field.
func (f *editField) shown(v any) string {
	if text, ok := f.units.shown(f.as, v); ok {
		return text
	}
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if f.kind == anyKind && (strings.TrimSpace(v) != v || v == "" || json.Valid([]byte(v))) {
			break
		}
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	case []any:
		if f.kind != listKind {
			break
		}
		lines := make([]string, len(v))
		for i, one := range v {
			if o, is := one.(map[string]any); is && f.item == textKind && o["id"] != nil {
				one = o["id"] // records are changed by their ids
			}
			lines[i] = (&editField{kind: f.item}).shown(one)
		}
		return strings.Join(lines, "\n")
	}
	return jsonOf(v)
}

// jsonOf is a value as JSON in lines.
func jsonOf(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return ""
	}
	return string(b)
}

// normal is a text as people mean it, whatever ends its lines: browsers send it in their own way.
func normal(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// value is the text of a plain field, or of JSON, as the body has it; nil for an empty one.
// It is not ok for a text that is no number where there has to be one, since not every operation says at which member it
// is.
func (f *editField) value(text string) (v any, ok bool) {
	text = normal(text)
	switch {
	case text == "":
		return nil, true
	case f.units != nil && wants[f.as] != "":
		return f.units.value(f.as, text)
	case f.kind == listKind:
		list := []any{}
		for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' }) {
			one := any(line)
			if f.item == numberKind && json.Valid([]byte(line)) {
				one = json.RawMessage(line)
			}
			list = append(list, one)
		}
		return list, true
	case f.kind == boolKind:
		return text == "true", true
	case f.kind == jsonKind || f.grouped():
		return json.RawMessage(text), json.Valid([]byte(text))
	case f.kind == numberKind:
		_, err := strconv.ParseFloat(text, 64)
		return json.RawMessage(text), err == nil && json.Valid([]byte(text))
	case f.kind == anyKind:
		if json.Valid([]byte(text)) {
			return json.RawMessage(text), true
		}
	}
	return text, true
}
