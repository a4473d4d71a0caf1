package httpapi_test

import (
	stdjson "encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// guidParameters are the query parameters that the document describes as GUIDs, under each
// of their spellings, by operation.
func guidParameters(t *testing.T) map[string][]string {
	t.Helper()
	var d struct {
		Paths map[string]map[string]stdjson.RawMessage
	}
	if err := stdjson.Unmarshal(httpapi.OpenAPI("/"), &d); err != nil {
		t.Fatal(err)
	}
	found := make(map[string][]string)
	for path, item := range d.Paths {
		for method, raw := range item {
			var operation struct {
				Parameters []struct{ Name, In, Description string }
			}
			if method == "parameters" || stdjson.Unmarshal(raw, &operation) != nil {
				continue
			}
			at := strings.ToUpper(method) + " " + path
			for _, p := range operation.Parameters {
				of, alias := strings.CutPrefix(p.Description, "Another spelling of ")
				of, _, _ = strings.Cut(of, ".")
				if p.In == "query" && (strings.Contains(p.Description, "GUID") || alias && slices.Contains(found[at], of)) {
					found[at] = append(found[at], p.Name)
				}
			}
		}
	}
	return found
}

// A twin that does not exist has no records, but an id that is malformed is a mistake of
// the caller, and an error.
func TestIDsThatAreNoGUIDsAreRefusedWhereTheDocumentWantsGUIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	parameters := guidParameters(t)
	for at := range maps.Keys(parameters) {
		for _, name := range parameters[at] {
			method, path, _ := strings.Cut(at, " ")
			path = strings.NewReplacer("{", "", "}", "").Replace(path)
			status, target := 422, name
			switch {
			case path == "/schedules":
				status = 400 // as all that is invalid in the area
			case path == "/forms" || path == "/issues":
				target = "projectId" // as the specification has it, whichever was sent
			}
			body := ""
			if method == "PUT" {
				body = `{"security":null}`
			}
			rec := ask(w.handler, method, path+"?"+name+"=x", body, "Authorization: Bearer admin")
			if rec.Code != status || !strings.Contains(rec.Body.String(), `"target":"`+target+`"`) {
				t.Errorf("%s?%s=x: %d %s", at, name, rec.Code, rec.Body)
			}
		}
	}
	named := 0
	for _, o := range httpapi.Operations() {
		for _, p := range o.Query {
			if strings.Contains(strings.ToLower(p.Name), "twin") && !strings.HasSuffix(p.Name, "s") || p.Name == "projectId" {
				named++
				if !slices.Contains(parameters[o.Method+" "+o.Path], p.Name) {
					t.Errorf("%s: the document does not describe %q as a GUID", o.ID, p.Name)
				}
			}
		}
	}
	if named < 15 {
		t.Errorf("only %d parameters name twins", named)
	}
}
