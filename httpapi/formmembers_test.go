package httpapi_test

import (
	stdjson "encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// TestEveryReadOnlyPropertyOfAFormIsRefusedByName sends every property that a
// form can show back as null: it is cleared, or refused by its name.
//
// covers: Form data representation: rule type, discipline, number, state are read-only and follow from the definition
func TestEveryReadOnlyPropertyOfAFormIsRefusedByName(t *testing.T) {
	t.Parallel()
	h := formsWorld(t)
	send := func(method, path string, body any) (int, map[string]any) {
		t.Helper()
		text := ""
		if body != nil {
			raw, err := stdjson.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			text = string(raw)
		}
		w := ask(h, method, path, text, "Authorization: Bearer owner")
		var answer map[string]any
		if err := stdjson.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		return w.Code, answer
	}
	if code, _ := send("PATCH", "/forms/crack", map[string]any{"status": "Closed"}); code != http.StatusOK {
		t.Fatal(code)
	}
	_, shown := send("GET", "/forms/crack", nil)
	var refused []string
	for name, value := range shown["formData"].(map[string]any) {
		code, answer := send("PATCH", "/forms/crack", map[string]any{name: nil})
		if code == http.StatusOK {
			if now := answer["formData"].(map[string]any)[name]; cmp.Equal(now, value) && name != "properties" {
				t.Errorf("%s: null is dropped with a 200", name)
			}
			continue
		}
		refused = append(refused, name)
		for _, method := range []string{"PATCH", "POST"} {
			path, body := "/forms/crack", map[string]any{name: "other"}
			if method == "POST" {
				if name == "formId" {
					continue // which a new form needs
				}
				path, body["formId"] = "/forms", "rfi"
			}
			code, answer := send(method, path, body)
			if code != http.StatusUnprocessableEntity {
				t.Errorf("%s %s: %d", method, name, code)
				continue
			}
			detail := answer["error"].(map[string]any)["details"].([]any)[0].(map[string]any)
			if detail["code"] != "InvalidValue" || detail["target"] != name {
				t.Errorf("%s %s: %v", method, name, detail)
			}
		}
	}
	slices.Sort(refused)
	want := []string{
		"_links", "createdBy", "createdDateTime", "discipline", "displayName", "formId", "id", "lastModifiedBy", "lastModifiedDateTime",
		"number", "state", "statusColor", "type",
	}
	if diff := cmp.Diff(want, refused); diff != "" {
		t.Errorf("read-only properties (-want +got):\n%s", diff)
	}
}

// covers: F1: http rule projectId is an alias of twinId
func TestEitherSpellingOfAParameterIsDescribed(t *testing.T) {
	t.Parallel()
	d := parse(t, httpapi.OpenAPI("https://api.test"))
	for _, path := range []string{"/forms", "/forms/formDefinitions", "/issues/formDefinitions"} {
		required := map[string]bool{}
		for _, p := range d.Paths[path]["get"].Parameters {
			required[p.Name] = p.Required
		}
		for _, name := range []string{"twinId", "projectId"} {
			if is, described := required[name]; !described || is {
				t.Errorf("%s: %s is described: %t, and required: %t", path, name, described, is)
			}
		}
	}
}
