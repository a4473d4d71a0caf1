package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// operation is one that can be tried out.
type operation struct {
	httpapi.Operation

	parameters []parameter
	media      string            // of the body; empty where there is none
	needed     bool              // the body is
	example    string            // of the body
	required   []string          // members that the body, or something in it, cannot do without
	refers     map[string]string // the collections that members of the body refer to, as far as its schema says

	fields  []editField // of the form that makes or changes a record
	wrapper string      // the member with the records that are written at once; empty for one
}

// parameter is one of an operation, as the OpenAPI document has it.
type parameter struct {
	Name, In, Description string
	Required              bool
	Schema                json.RawMessage
}

// openAPI is what is read of the document.
type openAPI struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct{ Schemas map[string]json.RawMessage }
}

// readOperations reads them from the API's own document, in its order.
func (c *Console) readOperations() ([]operation, error) {
	w := &taken{header: make(http.Header)}
	req, err := http.NewRequest(http.MethodGet, "/openapi.json", nil)
	if err != nil {
		return nil, err
	}
	c.api.ServeHTTP(w, req)
	if w.status != http.StatusOK {
		return nil, fmt.Errorf("console: the OpenAPI document: %d", w.status)
	}
	var doc openAPI
	if err := json.Unmarshal(w.body.Bytes(), &doc); err != nil {
		return nil, fmt.Errorf("console: the OpenAPI document: %w", err)
	}
	var out []operation
	for _, o := range c.api.Operations() {
		raw := doc.Paths[o.Path][strings.ToLower(o.Method)]
		if raw == nil {
			continue
		}
		one := operation{Operation: o}
		if err := one.read(raw, &doc); err != nil {
			return nil, fmt.Errorf("console: the OpenAPI document: %s: %w", o.ID, err)
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		return nil, errors.New("console: the OpenAPI document has no operations")
	}
	return out, nil
}

// read reads an operation of the OpenAPI document: its parameters, and its body with an
// example of it.
func (o *operation) read(raw []byte, doc *openAPI) error {
	var described struct {
		Parameters  []parameter
		RequestBody *struct {
			Required bool
			Content  map[string]struct{ Schema, Example json.RawMessage }
		}
	}
	if err := json.Unmarshal(raw, &described); err != nil {
		return err
	}
	o.parameters = slices.DeleteFunc(
		described.Parameters, func(p parameter) bool { return p.In == "header" && p.Name == "Accept" },
	)
	if described.RequestBody == nil {
		return nil
	}
	o.needed = described.RequestBody.Required
	for media, content := range described.RequestBody.Content {
		o.media = media
		if media != "application/json" {
			continue
		}
		o.refers = make(map[string]string)
		o.readMembers(doc, content.Schema, 0)
		o.fields, o.wrapper = doc.fieldsOf(content.Schema)
		v := any(content.Example)
		if len(content.Example) == 0 {
			v = doc.exampleOf(content.Schema, 0)
		}
		if v != nil {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			if err := e.Encode(v); err != nil {
				return err
			}
			o.example = b.String()
		}
	}
	return nil
}

// schema is what examples are made from.
type schema struct {
	Ref        string `json:"$ref"`
	Type       any
	Examples   []json.RawMessage
	Enum       []json.RawMessage
	Default    json.RawMessage
	Properties orderedSchemas
	Required   []string
	Items      json.RawMessage
	OneOf      []json.RawMessage
	AllOf      []json.RawMessage
	Refers     string `json:"x-refers-to"`
}

// orderedSchemas are properties in the order in which the document has them.
type orderedSchemas []namedSchema

type namedSchema struct {
	name string
	raw  json.RawMessage
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *orderedSchemas) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		*o = append(*o, namedSchema{name.(string), raw})
	}
	return nil
}

// maxExample is how deep examples go, and how many members that are not required an
// example has.
const (
	maxExampleDepth   = 6
	maxExampleMembers = 8
)

// exampleOf is an example of a value, nil where none is known.
func (doc *openAPI) exampleOf(raw json.RawMessage, depth int) any {
	var s schema
	if depth > maxExampleDepth || len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return nil
	}
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case s.Ref != "":
		return doc.exampleOf(doc.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")], depth+1)
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.Properties) > 0:
		return doc.exampleObject(&s, depth)
	case len(s.Items) > 0:
		if v := doc.exampleOf(s.Items, depth+1); v != nil {
			return []any{v}
		}
		return []any{}
	case len(s.OneOf) > 0:
		return doc.exampleOf(s.OneOf[0], depth+1)
	case len(s.AllOf) > 0:
		return doc.exampleOf(s.AllOf[0], depth+1)
	case s.Default != nil:
		return s.Default
	}
	return nil
}

// readMembers notes which members are required in a value or below it, and to what they refer.
func (o *operation) readMembers(doc *openAPI, raw json.RawMessage, depth int) {
	var s schema
	if depth > maxExampleDepth || len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return
	}
	if s.Ref != "" {
		o.readMembers(doc, doc.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")], depth+1)
		return
	}
	o.required = append(o.required, s.Required...)
	for _, below := range slices.Concat(s.OneOf, s.AllOf, []json.RawMessage{s.Items}) {
		o.readMembers(doc, below, depth+1)
	}
	for _, p := range s.Properties {
		var of schema
		if json.Unmarshal(p.raw, &of) == nil && of.Refers != "" {
			o.refers[p.name] = of.Refers
		}
		o.readMembers(doc, p.raw, depth+1)
	}
}

// sample is an example with its members in order.
type sample []sampleMember

type sampleMember struct {
	name  string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o sample) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// exampleObject has what is required, and what the document has an example for.
func (doc *openAPI) exampleObject(s *schema, depth int) any {
	var out sample
	optional := 0
	for _, p := range s.Properties {
		required := slices.Contains(s.Required, p.name)
		if !required && (depth > 2 || optional == maxExampleMembers || p.name == "id" || p.name == "deleted" ||
			!hasExample(p.raw)) {
			continue
		}
		v := doc.exampleOf(p.raw, depth+1)
		if v == nil {
			if !required {
				continue
			}
			v = ""
		}
		if !required {
			optional++
		}
		out = append(out, sampleMember{p.name, v})
	}
	return out
}

// hasExample reports whether a schema has its own example.
func hasExample(raw json.RawMessage) bool {
	var s struct{ Examples []json.RawMessage }
	return json.Unmarshal(raw, &s) == nil && len(s.Examples) > 0
}
