package httpapi_test

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// TestExamplesOfTheDocumentAreOfConversations keeps examples.txt in step with what
// conversations send and are answered. After a rewriting, the document is another:
// run it again.
func TestExamplesOfTheDocumentAreOfConversations(t *testing.T) { //nolint:paralleltest // it may rewrite what the others read
	testsize.OneClient(t)
	c, err := contractOf(httpapi.OpenAPI("/"))
	if err != nil {
		t.Fatal(err)
	}
	h, met := newWorld(t).handler, make(seen)
	all := everyScenario(t)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		for _, st := range all[id].steps {
			_, method, target := requestLine(st.request)
			o, ok := h.OperationOf(request(method, target))
			status, answer, _ := strings.Cut(st.answer, "\n")
			if !ok || !strings.HasPrefix(status, "2") {
				continue
			}
			at := c.at("paths", o.Path, strings.ToLower(method))
			met.body(c, bodySchema(at["requestBody"]), st.request)
			met.body(c, bodySchema(c.at("paths", o.Path, strings.ToLower(method), "responses", status)), answer)
		}
	}
	for id, s := range all {
		if body := sentBody(h, s); body != nil {
			met[id] = body
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(met)) {
		value, err := stdjson.Marshal(met[name])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\t%s\n", name, value)
	}
	sameFile(t, "internal/document/examples.txt", b.String())
}

// sentBody is the first body with which the operation of a conversation succeeds in it;
// nil where it takes none.
func sentBody(h *httpapi.Handler, s *scenario) stdjson.RawMessage {
	for _, st := range s.steps {
		_, method, target := requestLine(st.request)
		o, ok := h.OperationOf(request(method, target))
		_, body, _ := strings.Cut(conversations.Pictures(st.request), "\n\n")
		if ok && o.ID == s.operation() && strings.HasPrefix(st.answer, "2") && stdjson.Valid([]byte(body)) {
			return stdjson.RawMessage(strings.TrimSpace(body))
		}
	}
	return nil
}

// TestExamplesOfBodiesAreThoseOfTheirConversations holds the example that the document has
// of each body of JSON to what its schema says, and to a request that succeeds.
func TestExamplesOfBodiesAreThoseOfTheirConversations(t *testing.T) {
	t.Parallel()
	c, err := contractOf(httpapi.OpenAPI("/"))
	if err != nil {
		t.Fatal(err)
	}
	h, all := newWorld(t).handler, everyScenario(t)
	for _, o := range httpapi.Operations() {
		content := c.at("paths", o.Path, strings.ToLower(o.Method), "requestBody", "content", "application/json")
		if content == nil {
			continue
		}
		var want any
		if body := sentBody(h, all[o.ID]); body != nil {
			if err := stdjson.Unmarshal(body, &want); err != nil {
				t.Fatal(err)
			}
		}
		if diff := gocmp.Diff(want, content["example"]); diff != "" {
			t.Errorf("%s: example (-sent +described):\n%s", o.ID, diff)
			continue
		}
		if content["example"] == nil {
			continue // its conversation sends none, and it may be left out
		}
		for _, wrong := range c.wrong(content["schema"].(map[string]any), o.ID, content["example"]) {
			t.Error(wrong)
		}
	}
}

// bodySchema is the schema of a JSON body, if one is described.
func bodySchema(described any) map[string]any {
	node, _ := described.(map[string]any)
	for _, name := range []string{"content", "application/json", "schema"} {
		node, _ = node[name].(map[string]any)
	}
	return node
}

// seen are the first values met of members, by the names of their schemas.
type seen map[string]any

func (met seen) body(c *contract, schema map[string]any, message string) {
	_, body, _ := strings.Cut(message, "\n\n")
	var v any
	if schema != nil && stdjson.Unmarshal([]byte(body), &v) == nil {
		met.value(c, schema, "", v)
	}
}

// value notes the members of a value, which the schema of a name describes.
func (met seen) value(c *contract, schema map[string]any, name string, v any) {
	if ref, ok := schema["$ref"].(string); ok {
		name = strings.TrimSuffix(ref[strings.LastIndexByte(ref, '/')+1:], "Input")
		schema = c.resolve(schema)
	}
	for _, word := range []string{"oneOf", "anyOf", "allOf"} {
		for _, one := range asList(schema[word]) {
			met.value(c, one.(map[string]any), name, v)
		}
	}
	switch v := v.(type) {
	case []any:
		items, _ := schema["items"].(map[string]any)
		for _, item := range v {
			met.value(c, items, "", item)
		}
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for _, member := range slices.Sorted(maps.Keys(properties)) {
			met.member(c, properties[member].(map[string]any), name, member, v[member])
		}
	}
}

// member notes the value of a member, unless it would say more of the conversation
// than of the member.
func (met seen) member(c *contract, schema map[string]any, name, member string, v any) {
	switch v := v.(type) {
	case nil, bool:
	case map[string]any, []any:
		met.value(c, schema, "", v)
	default:
		full := name + "." + member
		if text, ok := v.(string); ok && (text == "" || len(text) > 100 || isAddress(text)) {
			return
		}
		if _, known := met[full]; !known && name != "" && schema["enum"] == nil && schema["$ref"] == nil {
			met[full] = v
		}
	}
}

// isAddress reports whether a text is a link.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != ""
}
