package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
)

func dataScenarios(t testing.TB) map[string]*scenario {
	t.Helper()
	return scenariosIn(t, "realitydata", "detectors", "transformations")
}

func TestDataScenarios(t *testing.T) {
	t.Parallel()
	holdAll(t, dataScenarios(t), newDataWorld)
}

// right is one good request to an operation about something that exists, and
// the statuses that it has for each caller; 0 means as the writer.
type right struct {
	method, path, body string
	// missing replaces what exists by what does not, in path and body.
	missing []string

	writer, reader, stranger, foreign int
}

const (
	tower   = "tower"
	t1Body  = `{"transformName":"x","comment":"y","sourceProjectId":"tower","sourceModelId":"source","targetProjectId":"annex","targetModelId":"target","transformParameters":{"savedViewId":"shared"}}`
	cracks  = "/reality-analysis/detectors/@acme%2Fcracks"
	rust    = "/reality-analysis/detectors/@acme%2Frust"
	scan    = "/reality-management/reality-data/" + scanID
	absence = "absent"

	conversion = "/reality-conversion/jobs/" + conversionID
	analysis   = "/reality-analysis/jobs/" + analysisID
)

var dataRights = map[string]right{
	// R1 has no 404: a twin that is missing is refused as one that is forbidden.
	"realityData.create":      {"POST", "/reality-management/reality-data/", `{"twinId":"tower","displayName":"x","type":"LAS"}`, []string{tower, absence}, 201, 403, 403, 403},
	"realityData.list":        {"GET", "/reality-management/reality-data?twinId=tower", "", []string{tower, absence}, 200, 200, 422, 422},
	"realityData.get":         {"GET", scan, "", []string{scanID, absentID}, 200, 200, 404, 404},
	"realityData.update":      {"PATCH", scan, `{"group":"x"}`, []string{scanID, absentID}, 200, 403, 404, 404},
	"realityData.delete":      {"DELETE", scan, "", []string{scanID, absentID}, 204, 403, 404, 404},
	"realityData.readAccess":  {"GET", scan + "/readaccess", "", []string{scanID, absentID}, 200, 200, 404, 404},
	"realityData.writeAccess": {"GET", scan + "/writeaccess", "", []string{scanID, absentID}, 200, 403, 404, 404},
	"realityData.twins":       {"GET", scan + "/twins", "", []string{scanID, absentID}, 200, 200, 404, 404},
	"realityData.associate":   {"POST", scan + "/twins/annex", "", []string{scanID, absentID}, 200, 403, 404, 404},
	"realityData.dissociate":  {"DELETE", scan + "/twins/tower", "", []string{scanID, absentID}, 204, 403, 404, 404},
	"realityData.move":        {"PATCH", scan + "/move", `{"twinId":"annex"}`, []string{scanID, absentID}, 204, 403, 404, 404},

	"conversionJobs.create":   {"POST", "/reality-conversion/jobs", `{"type":"Conversion","name":"x","twinId":"tower","inputs":[{"id":"` + scanID + `"}],"outputs":["LAS"]}`, []string{tower, absence}, 201, 403, 403, 403},
	"conversionJobs.list":     {"GET", "/reality-conversion/jobs?twinId=tower", "", []string{tower, absence}, 200, 200, 422, 422},
	"conversionJobs.get":      {"GET", conversion, "", []string{conversionID, absentID}, 200, 200, 404, 404},
	"conversionJobs.update":   {"PATCH", conversion, `{"name":"y"}`, []string{conversionID, absentID}, 200, 403, 404, 404},
	"conversionJobs.delete":   {"DELETE", conversion, "", []string{conversionID, absentID}, 204, 403, 404, 404},
	"conversionJobs.progress": {"GET", conversion + "/progress", "", []string{conversionID, absentID}, 200, 200, 404, 404},
	"analysisJobs.create":     {"POST", "/reality-analysis/jobs", `{"type":"Checksum","name":"x","twinId":"tower","inputs":[{"id":"` + scanID + `"}]}`, []string{tower, absence}, 201, 403, 403, 403},
	"analysisJobs.list":       {"GET", "/reality-analysis/jobs?twinId=tower", "", []string{tower, absence}, 200, 200, 422, 422},
	"analysisJobs.get":        {"GET", analysis, "", []string{analysisID, absentID}, 200, 200, 404, 404},
	"analysisJobs.update":     {"PATCH", analysis, `{"name":"y"}`, []string{analysisID, absentID}, 200, 403, 404, 404},
	"analysisJobs.delete":     {"DELETE", analysis, "", []string{analysisID, absentID}, 204, 403, 404, 404},
	"analysisJobs.progress":   {"GET", analysis + "/progress", "", []string{analysisID, absentID}, 200, 200, 404, 404},

	// Any caller with an account may make a detector; members of the account see it.
	"detectors.create":           {"POST", "/reality-analysis/detectors", `{"name":"@x/new","type":"PhotoObjectDetector"}`, nil, 201, 201, 201, 201},
	"detectors.list":             {"GET", "/reality-analysis/detectors", "", nil, 200, 200, 200, 200},
	"detectors.get":              {"GET", rust, "", []string{"rust", absence}, 200, 200, 200, 404},
	"detectors.update":           {"PATCH", rust, `{"displayName":"x"}`, []string{"rust", absence}, 200, 403, 403, 404},
	"detectors.delete":           {"DELETE", rust, "", []string{"rust", absence}, 204, 403, 403, 404},
	"detectorVersions.create":    {"POST", rust + "/versions", `{"versionNumber":"3.0"}`, []string{"rust", absence}, 201, 403, 403, 404},
	"detectorVersions.complete":  {"POST", cracks + "/versions/2.0/complete", "", nil, 204, 403, 403, 403},
	"detectorVersions.publish":   {"POST", cracks + "/versions/1.0/publish", "", nil, 204, 403, 403, 403},
	"detectorVersions.unpublish": {"POST", cracks + "/versions/1.0/unpublish", "", nil, 204, 403, 403, 403},
	"detectorVersions.delete":    {"DELETE", cracks + "/versions/2.0", "", nil, 204, 403, 403, 403},

	"configurations.create":  {"POST", "/transformations/configurations/filterbysavedview", t1Body, []string{tower, absence}, 201, 403, 404, 404},
	"configurations.list":    {"GET", "/transformations/configurations?projectId=annex", "", []string{"annex", absence}, 200, 200, 422, 422},
	"configurations.get":     {"GET", "/transformations/configurations/new-01", "", []string{"new-01", absence}, 200, 200, 404, 404},
	"configurations.delete":  {"DELETE", "/transformations/configurations/new-01", "", []string{"new-01", absence}, 204, 403, 404, 404},
	"models.create":          {"POST", "/models", `{"twinId":"tower","displayName":"x"}`, []string{tower, absence}, 201, 403, 404, 404},
	"models.list":            {"GET", "/models?twinId=tower", "", []string{tower, absence}, 200, 200, 422, 422},
	"models.get":             {"GET", "/models/free", "", []string{"free", absence}, 200, 200, 404, 404},
	"models.delete":          {"DELETE", "/models/free", "", []string{"free", absence}, 204, 403, 404, 404},
	"transformations.create": {"POST", "/transformations", `{"configurationId":"new-01"}`, []string{"new-01", absence}, 201, 403, 404, 404},
	"transformations.list":   {"GET", "/transformations?configurationId=new-01", "", []string{"new-01", absence}, 200, 200, 200, 200},
	"transformations.get":    {"GET", "/transformations/new-90", "", []string{"new-90", absence}, 200, 200, 404, 404},
	"transformations.report": {"GET", "/transformations/new-90/report", "", []string{"new-90", absence}, 200, 200, 404, 404},
	"transformations.delete": {"DELETE", "/transformations/new-91", "", []string{"new-91", absence}, 200, 403, 404, 404},
	"changesets.create":      {"POST", "/models/source/changesets", "{}", []string{"source", absence}, 201, 403, 404, 404},
	"changesets.list":        {"GET", "/models/source/changesets", "", []string{"source", absence}, 200, 200, 404, 404},
	"changesets.get":         {"GET", "/models/source/changesets/one", "", []string{"source", absence}, 200, 200, 404, 404},
	"elementChanges.list":    {"GET", "/models/source/changesets/one/changes", "", []string{"source", absence}, 200, 200, 404, 404},
	"elements.list":          {"GET", "/models/source/elements", "", []string{"source", absence}, 200, 200, 404, 404},
	"elements.get":           {"GET", "/models/source/elements/wall", "", []string{"source", absence}, 200, 200, 404, 404},
	"models.extents":         {"GET", "/models/source/extents", "", []string{"source", absence}, 200, 200, 404, 404},
	"namedVersions.create":   {"POST", "/models/source/named-versions", `{"name":"x"}`, []string{"source", absence}, 201, 403, 404, 404},
	"namedVersions.list":     {"GET", "/models/source/named-versions", "", []string{"source", absence}, 200, 200, 404, 404},
	"namedVersions.get":      {"GET", "/models/source/named-versions/v1", "", []string{"source", absence}, 200, 200, 404, 404},
	"modelMembers.create":    {"POST", "/models/source/members", `{"id":"x","roleIds":["viewer"]}`, []string{"source", absence}, 201, 403, 404, 404},
	"modelMembers.list":      {"GET", "/models/source/members", "", []string{"source", absence}, 200, 200, 404, 404},
	"modelMembers.get":       {"GET", "/models/source/members/guest", "", []string{"source", absence}, 200, 200, 404, 404},
	"modelMembers.update":    {"PATCH", "/models/source/members/guest", `{"roleIds":["editor"]}`, []string{"source", absence}, 200, 403, 404, 404},
	"modelMembers.delete":    {"DELETE", "/models/source/members/guest", "", []string{"source", absence}, 204, 403, 404, 404},
	"savedViews.create":      {"POST", "/saved-views", `{"modelId":"free","displayName":"x"}`, []string{"free", absence}, 201, 403, 404, 404},
	"savedViews.list":        {"GET", "/saved-views?modelId=source", "", []string{"source", absence}, 200, 200, 404, 404},
	"savedViews.get":         {"GET", "/saved-views/private", "", []string{"private", absence}, 200, 200, 404, 404},
	"savedViews.update":      {"PATCH", "/saved-views/private", `{"displayName":"x"}`, []string{"private", absence}, 200, 403, 404, 404},
	"savedViews.delete":      {"DELETE", "/saved-views/private", "", []string{"private", absence}, 204, 403, 404, 404},

	"savedViewGroups.create":     {"POST", "/saved-views/groups", `{"modelId":"free","displayName":"x"}`, []string{"free", absence}, 201, 403, 404, 404},
	"savedViewGroups.list":       {"GET", "/saved-views/groups?modelId=source", "", []string{"source", absence}, 200, 200, 404, 404},
	"models.importGltf":          {"POST", "/models/free/gltf", `{"asset":{"version":"2.0"},"nodes":[{}]}`, []string{"free", absence}, 201, 403, 404, 404},
	"savedViewGroups.get":        {"GET", "/saved-views/groups/inside", "", []string{"inside", absence}, 200, 200, 404, 404},
	"savedViewGroups.update":     {"PATCH", "/saved-views/groups/inside", `{"displayName":"x"}`, []string{"inside", absence}, 200, 403, 404, 404},
	"savedViewGroups.delete":     {"DELETE", "/saved-views/groups/inside", "", []string{"inside", absence}, 204, 403, 404, 404},
	"savedViewTags.create":       {"POST", "/saved-views/tags", `{"modelId":"free","displayName":"x"}`, []string{"free", absence}, 201, 403, 404, 404},
	"savedViewTags.list":         {"GET", "/saved-views/tags?modelId=source", "", []string{"source", absence}, 200, 200, 404, 404},
	"savedViewTags.get":          {"GET", "/saved-views/tags/approved", "", []string{"approved", absence}, 200, 200, 404, 404},
	"savedViewTags.update":       {"PATCH", "/saved-views/tags/approved", `{"displayName":"x"}`, []string{"approved", absence}, 200, 403, 404, 404},
	"savedViewTags.delete":       {"DELETE", "/saved-views/tags/approved", "", []string{"approved", absence}, 204, 403, 404, 404},
	"savedViewExtensions.list":   {"GET", "/saved-views/private/extensions", "", []string{"private", absence}, 200, 200, 404, 404},
	"savedViewExtensions.get":    {"GET", "/saved-views/private/extensions/markup", "", []string{"private", absence}, 200, 200, 404, 404},
	"savedViewExtensions.set":    {"PUT", "/saved-views/private/extensions", `{"extensionName":"x","data":"x"}`, []string{"private", absence}, 200, 403, 404, 404},
	"savedViewImages.get":        {"GET", "/saved-views/private/image", "", []string{"private", absence}, 200, 200, 404, 404},
	"savedViewImages.set":        {"PUT", "/saved-views/private/image", `{"image":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAADklEQVR4nGNoaGhgAGIADAgDAcWhuYYAAAAASUVORK5CYII="}`, []string{"private", absence}, 200, 403, 404, 404},
	"savedViewExtensions.delete": {"DELETE", "/saved-views/private/extensions/markup", "", []string{"private", absence}, 204, 403, 404, 404},
}

// TestEveryDataOperationIsHeldToTheRights sends every operation as each caller, and
// compares what exists with what does not where the caller may see neither.
//
// covers: T1 as requested: permission source and target permission on the projects
// covers: Everywhere: http rule 401 in every area
func TestEveryDataOperationIsHeldToTheRights(t *testing.T) {
	t.Parallel()
	for _, o := range newDataWorld(t).Operations() {
		if _, ok := dataRights[o.ID]; !ok && o.ID != "openapi" && o.ID != "savedViewImages.read" { // which asks no one who it is
			t.Errorf("%s has no request", o.ID)
		}
	}
	for id, r := range dataRights {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			send := func(caller string, replace ...string) *httptest.ResponseRecorder {
				h := newDataWorld(t)
				fill := strings.NewReplacer(replace...)
				authorization := "Authorization: "
				if caller != "" {
					authorization += "Bearer " + caller
				}
				req := request(r.method, r.path)
				if o, ok := h.OperationOf(req); !ok || o.ID != id {
					t.Fatalf("the request is for %s", o.ID)
				}
				return ask(h, r.method, fill.Replace(r.path), fill.Replace(r.body), authorization)
			}
			for caller, want := range map[string]int{
				"writer": r.writer, "admin": r.writer, "reader": r.reader, "stranger": r.stranger, "foreign": r.foreign, "nobody": r.foreign,
				"bare": 401, "unknown": 401, "": 401,
			} {
				w := send(caller)
				checkAnswer(t, w)
				if w.Code != want {
					t.Errorf("%q: %d, want %d: %s", caller, w.Code, want, w.Body)
				}
				if r.missing == nil || caller != "stranger" && caller != "foreign" && caller != "nobody" {
					continue
				}
				if r.stranger == 200 && id != "realityData.list" && caller == "stranger" && !strings.HasSuffix(id, ".list") {
					continue // sees it
				}
				if r.stranger == 403 && caller == "stranger" && strings.HasPrefix(id, "detector") {
					continue // sees it, and may not change it
				}
				missing := send(caller, r.missing...)
				got := strings.ReplaceAll(shown(w), r.missing[0], r.missing[1])
				want := shown(missing)
				if diff := cmp.Diff(withoutTokens(want), withoutTokens(got)); diff != "" {
					t.Errorf("%q: what exists differs from what does not (-missing +hidden):\n%s", caller, diff)
				}
			}
		})
	}
}

// withoutTokens is an answer without its version and tokens, which are made with
// a key of the store's own.
func withoutTokens(answer string) string {
	var out []string
	for line := range strings.SplitSeq(answer, "\n") {
		if !strings.HasPrefix(line, "ETag:") && !strings.HasPrefix(line, "Delta-Token:") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func TestPartsOfRealityDataAreSpelledInAnyCase(t *testing.T) {
	t.Parallel()
	h := newDataWorld(t)
	for target, want := range map[string]string{
		"GET /reality-management/reality-data/" + scanID + "/readAccess":           "realityData.readAccess",
		"GET /reality-management/reality-data/" + scanID + "/READACCESS/":          "realityData.readAccess",
		"GET /reality-management/reality-data/" + scanID + "/writeAccess?twinId=x": "realityData.writeAccess",
		"GET /reality-management/reality-data/" + scanID + "/Twins":                "realityData.twins",
		"POST /reality-management/reality-data/" + scanID + "/Twins/annex":         "realityData.associate",
		"DELETE /reality-management/reality-data/a%2Fb/TWINS/Annex/":               "realityData.dissociate",
		"PATCH /reality-management/reality-data/" + scanID + "/Move":               "realityData.move",
	} {
		method, path, _ := strings.Cut(target, " ")
		if o, ok := h.OperationOf(request(method, path)); !ok || o.ID != want {
			t.Errorf("%s is for %q", target, o.ID)
		}
	}
	for path, want := range map[string]int{
		"/reality-management/reality-data/" + scanID + "/Twins":      200,
		"/reality-management/reality-data/" + scanID + "/readAccess": 200,
		"/reality-management/Reality-data/" + scanID + "/twins":      404,
		"/reality-management/reality-data/" + scanID + "/twinz":      404,
	} {
		if w := ask(h, "GET", path, "", "Authorization: Bearer writer"); w.Code != want {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	// Ids keep their case.
	if w := ask(h, "DELETE", "/reality-management/reality-data/"+scanID+"/TWINS/TOWER", "", "Authorization: Bearer writer"); w.Code != 404 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(h, "PUT", "/reality-management/reality-data/"+scanID+"/Twins", "", "Authorization: Bearer writer"); w.Code != 405 || w.Header().Get("Allow") != "GET" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// covers: Form definition values: http rule deprecated, technical preview; its successor is not deprecated
// covers: T1 as requested: http rule technical preview
func TestFlagsOfPreviews(t *testing.T) {
	t.Parallel()
	want := map[string]bool{"resourceUserFieldValues.set": true, "resourceStatusSets.listItems": true, "entities3d.get": true, "plannerSynchronizers.get": true, "resourceGroups.listResources": true, "resources.get": true, "configurations.create": true, "issues.formDefinitions.update": true, "formDefinitions.update": true}
	for _, o := range httpapi.Operations() {
		if o.Preview != want[o.ID] {
			t.Errorf("%s: preview is %v", o.ID, o.Preview)
		}
		if o.Deprecated != (o.ID == "issues.formDefinitions.update") {
			t.Errorf("%s: deprecated is %v", o.ID, o.Deprecated)
		}
	}
}

// The answers of a deprecated operation, failures too, say since when it is, and what takes its
// place for the same record; those of no other do.
func TestDeprecatedOperationsNameTheirSuccessor(t *testing.T) {
	t.Parallel()
	h := formsWorld(t)
	byID := make(map[string]httpapi.Operation)
	for _, o := range h.Operations() {
		byID[o.ID] = o
	}
	braces := regexp.MustCompile(`\{[^}]*\}`)
	for _, o := range byID {
		answer := ask(h, o.Method, braces.ReplaceAllString(o.Path, "no%20one"), "{}", "Authorization: Bearer writer")
		since, link := answer.Header().Get("Deprecation"), answer.Header().Get("Link")
		if !o.Deprecated {
			if since != "" || link != "" || o.Successor != "" {
				t.Errorf("%s is not deprecated, and says Deprecation %q, Link %q, successor %q", o.ID, since, link, o.Successor)
			}
			continue
		}
		next, ok := byID[o.Successor]
		if !ok || next.Deprecated || next.Method != o.Method || !slices.Equal(braces.FindAllString(next.Path, -1), braces.FindAllString(o.Path, -1)) {
			t.Errorf("%s has the successor %+v", o.ID, next)
		}
		want := "<https://api.test" + braces.ReplaceAllString(next.Path, "no%20one") + `>; rel="successor-version"`
		if !regexp.MustCompile(`^@\d{10}$`).MatchString(since) || link != want {
			t.Errorf("%s says Deprecation %q, Link %q, want %s", o.ID, since, link, want)
		}
	}
}

// TestAnyMediaTypeIsServed asks for both versions, for anything and for nothing.
//
// covers: Conventions: http rule Accept is answered whatever it is
// covers: Everywhere: http rule both media types are served
func TestAnyMediaTypeIsServed(t *testing.T) {
	t.Parallel()
	for _, accept := range []string{
		"application/vnd.vendor.twin-platform.v1+json", "application/vnd.vendor.twin-platform.v2+json", "*/*", "application/json", "text/html", "",
	} {
		for id, r := range dataRights {
			w := ask(newDataWorld(t), r.method, r.path, r.body, "Authorization: Bearer writer", "Accept: "+accept)
			if w.Code != r.writer || w.Body.Len() > 0 && w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%s as %q: %d %v", id, accept, w.Code, w.Header())
			}
		}
	}
}

// covers: operations savedViewImages.read
func TestImageOfASavedViewIsServedByItsAddressAlone(t *testing.T) {
	t.Parallel()
	h := newDataWorld(t)
	w := ask(h, "GET", "/saved-views/private/image", "", "Authorization: Bearer reader")
	_, address, _ := strings.Cut(w.Body.String(), `{"href":"https://api.test`)
	address, _, found := strings.Cut(address, `"`)
	if w.Code != 200 || !found {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for _, method := range []string{"GET", "HEAD"} {
		w := ask(h, method, address, "")
		if got := w.Header(); w.Code != 200 || got.Get("Content-Type") != "image/png" || got.Get("Content-Length") != fmt.Sprint(len(conversations.PNG(3, 2))) || got.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: %d %v", method, address, w.Code, got)
		}
		if method == "GET" && w.Body.String() != conversations.PNG(3, 2) {
			t.Errorf("%s: %q", address, w.Body)
		}
	}
	for _, name := range []string{"x", absentID + ".png", strings.TrimSuffix(address[len("/saved-view-images/"):], "png") + "jpeg"} {
		w := ask(h, "GET", "/saved-view-images/"+name, "")
		if checkAnswer(t, w); w.Code != 404 || !strings.Contains(w.Body.String(), `"code":"SavedViewImageNotFound"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestADetectorWithoutAddressesIsNotSentTwice(t *testing.T) {
	t.Parallel()
	h := newDataWorld(t)
	const path = "/reality-analysis/detectors/@writer%2Fcracks-again"
	made := ask(h, "POST", "/reality-analysis/detectors", `{"name":"@writer/cracks-again","type":"PhotoObjectDetector"}`, "Authorization: ", "Authorization: Bearer writer")
	if made.Code != http.StatusCreated {
		t.Fatalf("%d %s", made.Code, made.Body)
	}
	tag := "If-None-Match: " + made.Header().Get("ETag")
	if w := ask(h, "GET", path, "", "Authorization: ", "Authorization: Bearer writer", tag); w.Code != http.StatusNotModified || w.Body.Len() > 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(h, "GET", path, "", "Authorization: ", "Authorization: Bearer writer", `If-None-Match: "other"`); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
