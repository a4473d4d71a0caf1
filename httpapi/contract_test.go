package httpapi_test

import (
	"bytes"
	stdjson "encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

func TestTheFileOfTheDocumentIsThatOfTheTable(t *testing.T) { //nolint:paralleltest // it may rewrite what the others read
	var b bytes.Buffer
	if err := stdjson.Indent(&b, httpapi.OpenAPI("/"), "", " "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	sameFile(t, "openapi.json", b.String())
}

// TestEveryAnswerIsAsTheDocumentSays holds the bodies of all conversations to the
// document.
func TestEveryAnswerIsAsTheDocumentSays(t *testing.T) {
	t.Parallel()
	c, err := contractOf(httpapi.OpenAPI("/"))
	if err != nil {
		t.Fatal(err)
	}
	h, checked := newWorld(t).handler, 0
	for _, s := range everyScenario(t) {
		for _, st := range s.steps {
			_, method, target := requestLine(st.request)
			o, ok := h.OperationOf(request(method, target))
			status, rest, _ := strings.Cut(st.answer, "\n")
			_, body, _ := strings.Cut(rest, "\n\n")
			if !ok {
				continue
			}
			if strings.TrimSpace(body) == "" {
				if method != http.MethodHead && c.at("paths", o.Path, strings.ToLower(method), "responses", status)["content"] != nil {
					t.Errorf("%s: %s of %s has no body, and one is described", s.path, status, o.ID)
				}
				continue
			}
			var v any
			if err := stdjson.Unmarshal([]byte(body), &v); err != nil {
				continue // the bytes of a file
			}
			answer := c.at("paths", o.Path, strings.ToLower(method), "responses", status)
			schema, ok := answer["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
			if !ok {
				t.Errorf("%s: %s of %s has a body that is not described", s.path, status, o.ID)
				continue
			}
			checked++
			for _, wrong := range c.wrong(schema, o.ID+" "+status, v) {
				t.Errorf("%s, %s: %s", s.path, st.title, wrong)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d answers were checked", checked)
	}
}

// TestWhatIsNotImplementedIsNotServed keeps the list of what is missing honest.
func TestWhatIsNotImplementedIsNotServed(t *testing.T) {
	t.Parallel()
	h := newWorld(t).handler
	for _, o := range httpapi.NotImplemented() {
		served, ok := h.OperationOf(request(o.Method, strings.NewReplacer("{", "", "}", "").Replace(o.Path)))
		if ok && !strings.HasSuffix(served.Path, "}") {
			t.Errorf("%s %s is served as %s", o.Method, o.Path, served.ID)
		}
	}
}
