package httpapi_test

import (
	"cmp"
	stdjson "encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// document is as much of an OpenAPI document as tests look at.
type document struct {
	OpenAPI    string
	Servers    []struct{ URL string }
	Paths      map[string]map[string]described
	Components struct{ Schemas map[string]any }
}

type described struct {
	OperationID string `json:"operationId"`
	Summary     string
	Tags        []string
	Preview     bool           `json:"x-preview"`
	Origin      httpapi.Origin `json:"x-origin"`
	Operation   string         `json:"x-operation"`
	Deprecated  bool
	Security    []map[string][]string
	Scopes      []string `json:"x-scopes"`
	Parameters  []struct {
		In, Name string
		Required bool
	}
	RequestBody map[string]any `json:"requestBody"`
	Responses   map[string]struct {
		Content, Headers map[string]any
		Ref              string `json:"$ref"`
	}
}

// id is that of the operation.
func (d described) id() string { return cmp.Or(d.Operation, d.OperationID) }

func parse(t *testing.T, raw []byte) (d document) {
	t.Helper()
	if err := stdjson.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// checkDocument holds a document to the operations it was made from, and to
// itself.
func checkDocument(t *testing.T, d document, operations []httpapi.Operation, raw string) {
	t.Helper()
	if d.OpenAPI != "3.1.0" {
		t.Errorf("version %q", d.OpenAPI)
	}
	n := 0
	for _, methods := range d.Paths {
		n += len(methods)
	}
	if n != len(operations) {
		t.Errorf("%d operations are described, %d served", n, len(operations))
	}
	for _, o := range operations {
		got := d.Paths[o.Path][strings.ToLower(o.Method)]
		if got.OperationID != o.ID || got.Operation != o.SpecID || got.Summary != o.Summary || got.Preview != o.Preview || got.Origin != o.Origin || got.Deprecated != o.Deprecated {
			t.Errorf("%s: described as %+v", o.ID, got)
		}
		if got.Security == nil || (len(got.Security) > 0) != (len(o.Scopes) > 0) || !slices.Equal(got.Scopes, o.Scopes) {
			t.Errorf("%s: security %v, scopes %v", o.ID, got.Security, got.Scopes)
		}
		inPath := 0
		for _, p := range got.Parameters {
			if p.In == "path" {
				inPath++
				if !p.Required || !strings.Contains(o.Path, "{"+p.Name+"}") {
					t.Errorf("%s: path parameter %s", o.ID, p.Name)
				}
			}
		}
		if inPath != strings.Count(o.Path, "{") {
			t.Errorf("%s: %d path parameters", o.ID, inPath)
		}
		if got.Responses["429"].Ref != "#/components/responses/TooManyRequests" {
			t.Errorf("%s: no 429", o.ID)
		}
		// What a POST asks for may all be in its path.
		needs := o.Method == "PATCH" || o.Method == "PUT"
		if has := got.RequestBody != nil; needs && !has || has && !needs && o.Method != "POST" {
			t.Errorf("%s: body %v", o.ID, got.RequestBody)
		}
	}
	if names := operationNames(d); len(names) != n || names[""] {
		t.Errorf("%d operations have %d names", n, len(names))
	}
	for rest := raw; ; {
		_, after, ok := strings.Cut(rest, `"#/components/schemas/`)
		if !ok {
			break
		}
		name, _, _ := strings.Cut(after, `"`)
		if d.Components.Schemas[name] == nil {
			t.Errorf("schema %s is not described", name)
		}
		rest = after
	}
}

func operationNames(d document) map[string]bool {
	names := make(map[string]bool)
	for _, methods := range d.Paths {
		for _, o := range methods {
			names[o.OperationID] = true
		}
	}
	return names
}

func TestTypesWithTheirOwnEncodingDeclareTheirSchema(t *testing.T) {
	t.Parallel()
	if types := httpapi.Undeclared(); len(types) > 0 {
		t.Errorf("these have no schema: %v", types)
	}
}

// TestEachMemberThatEndsInIdSaysInTheDocumentToWhatItRefers names each member of a body of which
// neither a row nor a schema says to what it refers, or why to nothing; and each collection that is
// referred to, and has no records by their ids.
func TestEachMemberThatEndsInIdSaysInTheDocumentToWhatItRefers(t *testing.T) {
	t.Parallel()
	for _, member := range httpapi.Unexplained() {
		t.Errorf("%s: nothing says to what it refers, or why to nothing", member)
	}
	garden := ask(inTheGarden(t, newWorld(t).handler), "GET", "/openapi.json", "").Body.String()
	for words, raw := range map[string]string{"specification": string(httpapi.OpenAPI("/")), "garden": garden} {
		places := make(map[string]bool)
		for p := range parse(t, []byte(raw)).Paths {
			if strings.HasSuffix(p, "}") {
				places[path.Base(path.Dir(p))] = true
			}
		}
		all := strings.Split(raw, `"x-refers-to":"`)[1:]
		for _, rest := range all {
			if name, _, _ := strings.Cut(rest, `"`); !places[name] {
				t.Errorf("%s: %s: no path has one of them by its id", words, name)
			}
		}
		if len(all) < 200 {
			t.Errorf("%s: %d members refer to something", words, len(all))
		}
	}
}

// covers: operations openapi
func TestDocumentOfTheTable(t *testing.T) {
	t.Parallel()
	h := things(t, httpapi.Config{}, thing())
	w := ask(h, "GET", "/openapi.json", "", "Authorization: ")
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("answer %d %v", w.Code, w.Header())
	}
	d := parse(t, w.Body.Bytes())
	checkDocument(t, d, h.Operations(), w.Body.String())
	if d.Servers[0].URL != "http://example.com" {
		t.Errorf("servers %v", d.Servers)
	}
	thing := d.Components.Schemas["httpapi.ThingBody"].(map[string]any)["properties"].(map[string]any)
	// A request may leave them all out, and null is as that.
	want := map[string]any{
		"id": orNull("string"), "name": orNull("string"),
		"count":  orNull("integer", "format", "int32"),
		"ratio":  orNull("number", "format", "double"),
		"ratios": orNull("array", "items", map[string]any{"type": "number", "format": "double"}),
		"start":  orNull("string", "format", "date-time"),
		"note":   orNull("string"),
		"tags":   orNull("array", "items", map[string]any{"type": "string"}),
		"inner":  map[string]any{"oneOf": []any{map[string]any{"$ref": "#/components/schemas/httpapi.ThingPart"}, map[string]any{"type": "null"}}},
		"batch":  orNull("array", "items", map[string]any{"$ref": "#/components/schemas/httpapi.ThingPart"}),
		"any":    orNull("object", "additionalProperties", map[string]any{}),
	}
	if diff := gocmp.Diff(want, thing); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
}

func orNull(kind string, more ...any) map[string]any {
	out := map[string]any{"type": []any{kind, "null"}}
	for i := 0; i < len(more); i += 2 {
		out[more[i].(string)] = more[i+1]
	}
	return out
}

// TestEveryAnswerPromisedIsGiven holds the document to the conversations: each
// answer in one is described, and each success that is described comes in one. In
// background mode, whatever is an operation answers 202.
func TestEveryAnswerPromisedIsGiven(t *testing.T) {
	t.Parallel()
	document := parse(t, httpapi.OpenAPI("https://api.example.com"))
	given := make(map[string]map[string]bool)
	note := func(operation, status string) {
		if given[operation] == nil {
			given[operation] = make(map[string]bool)
		}
		given[operation][status] = true
	}
	for _, m := range modelRequests(t) {
		if m.acceptsInBackground() {
			note(m.ID, "202")
		}
	}
	h := newWorld(t).handler
	everything := everyScenario(t)
	for _, s := range everything {
		for _, st := range s.steps {
			_, method, target := requestLine(st.request)
			status, _, _ := strings.Cut(st.answer, "\n")
			o, ok := h.OperationOf(request(method, target))
			if !ok {
				continue
			}
			note(o.ID, status)
			if _, ok := document.Paths[o.Path][strings.ToLower(o.Method)].Responses[status]; !ok {
				t.Errorf("%s answers %s in %s, which is not described", o.ID, status, s.path)
			}
		}
	}
	for path, methods := range document.Paths {
		for method, described := range methods {
			for status := range described.Responses {
				if status[0] < '4' && status != "304" && everything[described.id()] != nil && !given[described.id()][status] {
					t.Errorf("%s %s (%s) never answers %s", method, path, described.OperationID, status)
				}
			}
		}
	}
}

func TestHeadersThatAreReadAreDescribed(t *testing.T) {
	t.Parallel()
	document := parse(t, httpapi.OpenAPI("https://api.example.com"))
	for _, o := range httpapi.Operations() {
		headers := make(map[string]bool)
		for _, p := range document.Paths[o.Path][strings.ToLower(o.Method)].Parameters {
			if p.In == "header" {
				headers[p.Name] = true
			}
		}
		if headers["Accept"] != (len(o.Scopes) > 0) || headers["Prefer"] != o.Prefers {
			t.Errorf("%s: headers %v", o.ID, headers)
		}
	}
}

func TestDocumentOfEverything(t *testing.T) {
	t.Parallel()
	raw := httpapi.OpenAPI("https://api.example.com")
	d := parse(t, raw)
	checkDocument(t, d, httpapi.Operations(), string(raw))
	if d.Servers[0].URL != "https://api.example.com" {
		t.Errorf("servers %v", d.Servers)
	}
}
