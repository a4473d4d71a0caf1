package httpapi_test

import (
	stdjson "encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// TestRecordsOfEveryAreaAreTakenBackAsTheyWereRead sends records back, and then with one member
// that no change sets, as which it names that alone.
func TestRecordsOfEveryAreaAreTakenBackAsTheyWereRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		world        func(testing.TB) *httpapi.Handler
		caller, path string
		fixed        string // a member that no change sets
	}{
		"twin":                {newTwinsWorld, "admin", "/twins/" + towerID, "createdBy"},
		"reality data":        {newDataWorld, "writer", "/reality-management/reality-data/00000000-0000-4000-8000-000000000001", "size"},
		"detector":            {newDataWorld, "writer", "/reality-analysis/detectors/@acme%2Fcracks", "type"},
		"saved view":          {newDataWorld, "writer", "/saved-views/shared", "modelId"},
		"form":                {formsWorld, "owner", "/forms/crack", "number"},
		"issue":               {formsWorld, "owner", "/issues/crack", "number"},
		"definition":          {formsWorld, "owner", "/forms/formDefinitions/rfi", "type"},
		"definition, as once": {formsWorld, "owner", "/issues/formDefinitions/rfi", "type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := tt.world(t)
			as := "Authorization: Bearer " + tt.caller
			get := func() map[string]any {
				w := ask(h, http.MethodGet, tt.path, "", as)
				var answer map[string]map[string]any
				if err := stdjson.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
					t.Fatalf("GET answers %d %s: %v", w.Code, w.Body, err)
				}
				for _, record := range answer {
					delete(record, "_links")
					return record
				}
				return nil
			}
			before := get()
			if w := ask(h, http.MethodPatch, tt.path, inJSON(t, before), as); w.Code != http.StatusOK {
				t.Fatalf("sent back it answers %d %s", w.Code, w.Body)
			}
			if diff := cmp.Diff(before, get()); diff != "" {
				t.Errorf("sent back it is another (-was +is):\n%s", diff)
			}
			wrong := maps.Clone(before)
			wrong[tt.fixed] = "other"
			w := ask(h, http.MethodPatch, tt.path, inJSON(t, wrong), as)
			if w.Code < 400 || strings.Count(w.Body.String(), "is not one that may be given") != 1 || !strings.Contains(w.Body.String(), "'"+tt.fixed+"'") {
				t.Errorf("with another %s it answers %d %s", tt.fixed, w.Code, w.Body)
			}
		})
	}
}
