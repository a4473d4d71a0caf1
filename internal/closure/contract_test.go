package closure_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// contract is the OpenAPI document, whose schemas are judged by a validator that is not ours.
type contract struct {
	document   map[string]any
	compiler   *jsonschema.Compiler
	operations []*operation // by path and method

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema // by pointer
}

// operation is one of the document.
type operation struct {
	name, method, path string
	segments           []string
	parameters         []parameter
	body               map[string]any // schema of JSON; nil where there is none
	raw                bool           // takes a body that is no JSON
	answers            map[string]any // by status
	pointer            string         // to the operation
}

type parameter struct {
	in, name string
	required bool
	schema   map[string]any
}

// theContract is read once.
var theContract = sync.OnceValue(func() *contract {
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(httpapi.OpenAPI(baseURL)))
	if err != nil {
		panic(err)
	}
	c := &contract{document: raw.(map[string]any), compiler: jsonschema.NewCompiler(), compiled: make(map[string]*jsonschema.Schema)}
	c.closed()
	c.compiler.DefaultDraft(jsonschema.Draft2020)
	c.compiler.AssertFormat()
	for name, bits := range map[string]int{"int32": 32, "int64": 64} {
		c.compiler.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(v any) error { return isInt(v, bits) }})
	}
	c.compiler.RegisterFormat(&jsonschema.Format{Name: "double", Validate: isDouble})
	if err := c.compiler.AddResource("openapi.json", raw); err != nil {
		panic(err)
	}
	paths := c.document["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		methods := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(methods)) {
			c.operations = append(c.operations, c.operation(path, method, methods[method].(map[string]any)))
		}
	}
	return c
})

func isInt(v any, bits int) error {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	_, err := strconv.ParseInt(string(n), 10, bits)
	return err
}

func isDouble(v any) error {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	f, err := n.Float64()
	if err == nil && math.IsInf(f, 0) {
		err = fmt.Errorf("%s is no double", n)
	}
	return err
}

func (c *contract) operation(path, method string, o map[string]any) *operation {
	op := &operation{
		name: o["operationId"].(string), method: strings.ToUpper(method), path: path, segments: strings.Split(path, "/")[1:],
		answers: o["responses"].(map[string]any), pointer: "/paths/" + escaped(path) + "/" + method,
	}
	parameters, _ := o["parameters"].([]any)
	for _, p := range parameters {
		p := c.resolve(p.(map[string]any))
		schema, _ := p["schema"].(map[string]any)
		required, _ := p["required"].(bool)
		op.parameters = append(op.parameters, parameter{p["in"].(string), p["name"].(string), required, schema})
	}
	body, _ := o["requestBody"].(map[string]any)
	content, _ := body["content"].(map[string]any)
	media, isJSON := content["application/json"].(map[string]any)
	op.body, _ = media["schema"].(map[string]any)
	op.raw = len(content) > 0 && !isJSON
	return op
}

func escaped(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

// closed refuses, in every schema of an object that lists its members, all others: the
// document says exactly what is answered. Parts of an allOf stay open, and their whole is
// closed in their place.
func (c *contract) closed() {
	parts := make(map[string]bool) // references within an allOf
	each(c.document, func(schema map[string]any) {
		all, _ := schema["allOf"].([]any)
		for _, part := range all {
			if ref, ok := part.(map[string]any)["$ref"].(string); ok {
				parts[ref] = true
			}
		}
	})
	open := make(map[string]bool)
	for ref := range parts {
		open[fmt.Sprintf("%p", c.at(ref))] = true
	}
	each(c.document, func(schema map[string]any) {
		all, _ := schema["allOf"].([]any)
		for _, part := range all {
			open[fmt.Sprintf("%p", part)] = true
		}
		if len(all) > 0 {
			schema["unevaluatedProperties"] = false
		}
	})
	each(c.document, func(schema map[string]any) {
		_, lists := schema["properties"].(map[string]any)
		_, said := schema["additionalProperties"]
		if lists && !said && schema["allOf"] == nil && !open[fmt.Sprintf("%p", schema)] {
			schema["additionalProperties"] = false
		}
	})
}

// each calls fn for each object of a document.
func each(node any, fn func(map[string]any)) {
	switch node := node.(type) {
	case map[string]any:
		fn(node)
		for _, v := range node {
			each(v, fn)
		}
	case []any:
		for _, v := range node {
			each(v, fn)
		}
	}
}

// at is what a reference names.
func (c *contract) at(ref string) map[string]any {
	node := c.document
	for token := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		node, _ = node[token].(map[string]any)
	}
	return node
}

func (c *contract) resolve(schema map[string]any) map[string]any {
	for {
		ref, ok := schema["$ref"].(string)
		if !ok {
			return schema
		}
		schema = c.at(ref)
	}
}

// find is the operation of a request, with what its path binds; nil where there is none.
func (c *contract) find(method, path string) (op *operation, bound map[string]string) {
	got := strings.Split(strings.TrimPrefix(path, "/"), "/")
	best := -1
	for _, o := range c.operations {
		if o.method != method || len(o.segments) != len(got) {
			continue
		}
		fixed, binds, matches := 0, make(map[string]string), true
		for i, s := range o.segments {
			switch name, isParameter := parameterName(s); {
			case isParameter && got[i] != "":
				binds[name] = got[i]
			case s == got[i]:
				fixed += 1 << (len(got) - i)
			default:
				matches = false
			}
		}
		if matches && fixed > best {
			best, op, bound = fixed, o, binds
		}
	}
	return op, bound
}

func parameterName(segment string) (name string, ok bool) {
	if !strings.HasPrefix(segment, "{") {
		return "", false
	}
	return strings.Trim(segment, "{}"), true
}

// of is the operation of a method at the same path; nil where there is none.
func (c *contract) of(method, path string) *operation {
	for _, o := range c.operations {
		if o.method == method && o.path == path {
			return o
		}
	}
	return nil
}

// wrong reports what the document has against an answer; empty means nothing.
func (c *contract) wrong(op *operation, status int, header http.Header, body []byte) string {
	key := strconv.Itoa(status)
	answer, ok := op.answers[key].(map[string]any)
	if !ok {
		return "the status is not documented"
	}
	pointer := op.pointer + "/responses/" + key
	if ref, ok := answer["$ref"].(string); ok {
		pointer, answer = strings.TrimPrefix(ref, "#"), c.at(ref)
	}
	content, _ := answer["content"].(map[string]any)
	if len(content) == 0 {
		if len(body) > 0 && (status == http.StatusNoContent || status == http.StatusNotModified) {
			return "there is a body and none is documented"
		}
		return ""
	}
	media, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	if content["*/*"] != nil {
		return ""
	}
	if _, ok := content[media]; !ok {
		return fmt.Sprintf("the media type %q is not documented", media)
	}
	if media != "application/json" {
		return ""
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err.Error()
	}
	schema, err := c.schema(pointer + "/content/" + escaped(media) + "/schema")
	if err != nil {
		return err.Error()
	}
	if err := schema.Validate(value); err != nil {
		return err.Error()
	}
	return ""
}

func (c *contract) schema(pointer string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.compiled[pointer]; ok {
		return s, nil
	}
	s, err := c.compiler.Compile("openapi.json#" + pointer)
	c.compiled[pointer] = s
	return s, err
}
