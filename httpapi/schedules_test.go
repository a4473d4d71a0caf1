package httpapi_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// scenarios loads the conversations about the operations of an area, by
// operation.
func scenarios(t testing.TB) map[string]*scenario {
	t.Helper()
	return scenariosIn(t, "schedules")
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	holdAll(t, scenarios(t), func(t testing.TB) *httpapi.Handler { return newWorld(t).handler })
}

// TestEveryOperationHasAScenario compares the files with the route table: each
// operation has one, which begins with a request to it that succeeds.
func TestEveryOperationHasAScenario(t *testing.T) {
	t.Parallel()
	wantScenarioForEach(t, newWorld(t).handler, everyScenario(t), "formAttachments.read", "issueAttachments.read", "twinImages.read", "savedViewImages.read", "exports.read", "tasks.xlsx", "gantt.pdf", "animation.glb")
}

// requestLine takes the first lines of a request apart.
func requestLine(text string) (caller, method, target string) {
	line, rest, _ := strings.Cut(text, "\n")
	if as, ok := strings.CutPrefix(line, "as "); ok {
		caller = as
		line, _, _ = strings.Cut(rest, "\n")
	}
	method, target, _ = strings.Cut(line, " ")
	return caller, method, target
}

// TestDocumentedOperations holds the table to the specification.
//
// covers: Operations of schedules: http rule S1 is a technical preview
// covers: Operations of schedules: http rule S3 is a technical preview
// covers: Operations of schedules: http rule S8 is a technical preview
// covers: Operations of schedules: http rule S14 is a technical preview
// covers: Operations of schedules: http rule S17 is a technical preview
// covers: Operations of schedules: http rule S20 is a technical preview
func TestDocumentedOperations(t *testing.T) {
	t.Parallel()
	const s = "/schedules/{scheduleId}"
	want := map[string]string{
		"S1 resourceUserFieldValues.set":       "POST " + s + "/resources/user-field-values (preview)",
		"S2 baselineTaskLinks.list":            "GET " + s + "/baselines/{baselineId}/baseline-task-links",
		"S3 resourceStatusSets.listItems":      "GET " + s + "/resource-status-sets/{resourceStatusSetId}/resource-status-items (preview)",
		"S4 resourceGroupUserFieldValues.list": "GET " + s + "/resource-groups/user-field-values",
		"S5 baselineTasks.list":                "GET " + s + "/baselines/{baselineId}/baseline-tasks",
		"S6 userFields.list":                   "GET " + s + "/user-fields",
		"S7 resourceStatusCategories.listSets": "GET " + s + "/resource-status-categories/{resourceStatusCategoryId}/resource-status-sets",
		"S8 entities3d.get":                    "GET " + s + "/entities-3d/{entity3dId} (preview)",
		"S11 tasks.create":                     "POST " + s + "/tasks",
		"S12 entity3dUserFieldValues.set":      "POST " + s + "/entities-3d/user-field-values",
		"S13 tasks.deleteMany":                 "DELETE " + s + "/tasks",
		"S14 plannerSynchronizers.get":         "GET " + s + "/imports/planner/synchronizers/{synchronizerId} (preview)",
		"S17 resourceGroups.listResources":     "GET " + s + "/resource-groups/{resourceGroupId}/resources (preview)",
		"S20 resources.get":                    "GET " + s + "/resources/{resourceId} (preview)",
		"schedules.get":                        "GET " + s,
		"operations.get":                       "GET " + s + "/operations/{operationId}",
	}
	got := make(map[string]string)
	for _, o := range httpapi.Operations() {
		if o.Origin == httpapi.Chosen || o.Area != "schedules" {
			continue
		}
		name := strings.TrimSpace(o.SpecID + " " + o.ID)
		got[name] = o.Method + " " + o.Path
		if o.Preview {
			got[name] += " (preview)"
		}
		if o.Summary == "" || o.Area == "" || o.Permission == "" || len(o.Scopes) != 1 || o.Deprecated {
			t.Errorf("%s: %+v", o.ID, o)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-specification +table):\n%s", diff)
	}
}
