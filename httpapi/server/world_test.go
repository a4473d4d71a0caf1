package server

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

const (
	bridgeFile = "../../examples/server/testdata/world-bridge.json"
	bridge     = "b0000000-0000-4000-8000-000000000010"
	cloud      = "b0000000-0000-4000-8000-0000000000a1"
)

// census is what a server shows of the second seed, by area.
func (s *running) census() map[string][]string {
	s.t.Helper()
	out := make(map[string][]string)
	for _, l := range []struct{ path, name, property string }{
		{"/twins?includeInactive=true", "twins", "displayName"},
		{"/access-control/twins/" + bridge + "/roles", "roles", "displayName"},
		{"/access-control/twins/" + bridge + "/members", "members", "id"},
		{"/twins/" + bridge + "/repositories", "repositories", "displayName"},
		{"/models?twinId=" + bridge, "models", "id"},
		{"/saved-views?modelId=nb-design&groupId=nb-structure", "savedViews", "id"},
		{"/saved-views/groups?modelId=nb-design", "groups", "id"},
		{"/saved-views/tags?modelId=nb-design", "tags", "id"},
		{"/forms/formDefinitions?status=any&twinId=" + bridge, "formDefinitions", "id"},
		{"/reality-management/reality-data?twinId=" + bridge, "realityData", "id"},
		{"/reality-analysis/detectors", "detectors", "name"},
		{"/schedules?twinId=" + bridge, "schedules", "id"},
		{"/schedules/nb-plan/tasks", "tasks", "id"},
		{"/schedules/nb-plan/task-links", "taskLinks", "id"},
		{"/schedules/nb-plan/resources", "resources", "id"},
	} {
		records, _ := s.list(l.path, l.name)
		out[l.name] = ids(records, l.property)
	}
	a := s.call("GET", "/forms?twinId="+bridge, "", http.StatusOK)
	for _, f := range a.body["forms"].(map[string]any)["formDataInstances"].([]any) {
		out["forms"] = append(out["forms"], f.(map[string]any)["id"].(string))
	}
	return out
}

// What clients' own tests page through is in a seed of its own: people, owners and groups with roles, more than a page
// of each.
func TestASeedHasPeopleAndGroupsToPageThrough(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", "../../examples/server/testdata/world-people.json")
	twin := "/access-control/twins/c0000000-0000-4000-8000-000000000010"
	for path, least := range map[string]int{"/members/users": 8, "/members/groups": 5, "/members/owners": 2, "/groups": 5} {
		name := path[strings.LastIndexByte(path, '/')+1:]
		if name != "groups" || path == "/members/groups" {
			name = "members"
		}
		if records, _ := s.list(twin+path, name); len(records) < least {
			t.Errorf("%s has %d records, want %d", path, len(records), least)
		}
	}
}

func TestSeedFillsEveryArea(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", bridgeFile)
	got := s.census()
	for name, want := range map[string][]string{
		"twins":           {"River Works", "North Bridge", "South Bridge", "Deck"},
		"roles":           {"Owner", "Surveyor", "Site manager"},
		"members":         {"b0000000-0000-4000-8000-0000000000c2", "b0000000-0000-4000-8000-0000000000c3"},
		"repositories":    {"Flood maps"},
		"models":          {"nb-design", "nb-issued"},
		"savedViews":      {"nb-piers"},
		"groups":          {"nb-structure"},
		"tags":            {"nb-checked"},
		"formDefinitions": {"nb-diary", "nb-rfi", "rw-inspection"},
		"forms":           {"rfi-cover", "rfi-access", "inspection-1"},
		"realityData":     {cloud},
		"detectors":       {"@river-works/cracks"},
		"schedules":       {"nb-plan", "nb-import"},
		"tasks":           {"piers", "dig", "pour"},
		"taskLinks":       {"dig-pour"},
		"resources":       {"crew"},
	} {
		sameSet(t, name, want, got[name])
	}
	form := s.call("GET", "/forms/rfi-cover", "", http.StatusOK).body["formData"].(map[string]any)
	wantSame(t, "number of the first form", "NB-RFI-00001", form["number"])
	deck := s.call("GET", "/twins/b0000000-0000-4000-8000-000000000012", "", http.StatusOK).body["twin"].(map[string]any)
	wantSame(t, "parent of a twin that is before it", bridge, deck["parentId"])
	detector := s.call("GET", "/reality-analysis/detectors/"+url.PathEscape("@river-works/cracks"), "", http.StatusOK).body["detector"].(map[string]any)
	wantSame(t, "latest version", "1.1", detector["latestVersion"])
	made := s.call("POST", "/forms/", `{"formId": "nb-rfi"}`, http.StatusCreated).body["formData"].(map[string]any)
	wantSame(t, "number of a form after those of the seed", "NB-RFI-00003", made["number"])
}

func TestSeedIsAppliedOnce(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "twin.db")
	s := start(t, "-db", db, "-seed", bridgeFile)
	s.call("DELETE", "/forms/rfi-access", "", http.StatusNoContent)
	s.call("DELETE", "/transformations/configurations/nb-issue", "", http.StatusNoContent)
	s.call("DELETE", "/saved-views/nb-piers", "", http.StatusNoContent)
	s.call("PATCH", "/twins/"+bridge, `{"displayName": "Old Bridge"}`, http.StatusOK)
	s.call("DELETE", "/access-control/twins/"+bridge+"/members/b0000000-0000-4000-8000-0000000000c3", "", http.StatusNoContent)
	before := s.census()
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	again := start(t, "-db", db, "-seed", bridgeFile)
	wantSame(t, "after a restart", before, again.census())
}

func TestFilesOutliveTheServerNextToItsStore(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "twin.db")
	address := func(s *running, access string) string {
		a := s.call("GET", "/reality-management/reality-data/"+cloud+"/"+access+"?twinId="+bridge, "", http.StatusOK)
		at := a.body["_links"].(map[string]any)["containerUrl"].(map[string]any)["href"].(string)
		return strings.Replace(at, "?", "/cloud/north.las?", 1)
	}
	send := func(s *running, method, address, body string, status int) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := s.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != status {
			t.Fatalf("%s answers %d, want %d: %s (%v)", method, resp.StatusCode, status, text, err)
		}
		return string(text)
	}
	key := fileWith(t, strings.Repeat("k", 32)+"\n")
	s := start(t, "-db", db, "-seed", bridgeFile, "-file-key", key)
	send(s, "PUT", address(s, "readaccess"), "points", http.StatusForbidden)
	send(s, "PUT", address(s, "writeaccess"), "points", http.StatusCreated)
	known := strings.TrimPrefix(address(s, "readaccess"), s.base)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	again := start(t, "-db", db, "-file-key", key)
	wantSame(t, "the file", "points", send(again, "GET", address(again, "readaccess"), "", http.StatusOK))
	wantSame(t, "the file at the address from before", "points", send(again, "GET", again.base+known, "", http.StatusOK))
	if err := again.stop(); err != nil {
		t.Fatal(err)
	}
	unsigned := start(t, "-db", db)
	send(unsigned, "GET", unsigned.base+known, "", http.StatusForbidden)
}

func TestTwinWithContentIsNotDeleted(t *testing.T) {
	t.Parallel()
	const project = "c0000000-0000-4000-8000-000000000001"
	// The demo principal deletes in other accounts too.
	s := start(t, "-seed", fileWith(t, `{"twins": [{"id": "`+project+`", "twinAccountId": "another"}]}`))
	twin := "/twins/" + project
	for _, tt := range []struct{ what, path, body, remove string }{
		{"schedules", "/schedules/", `{"id": "p", "name": "Plan", "twinId": %}`, "/schedules/p"},
		{"models", "/models", `{"id": "m", "displayName": "Model", "twinId": %}`, "/models/m"},
		{"reality data", "/reality-management/reality-data", `{"displayName": "Scan", "type": "LAS", "twinId": %}`, "realityData"},
		{"form definitions", "/forms/formDefinitions", `{"displayName": "Diary", "type": "Diary", "twinId": %}`, "formDefinition"},
	} {
		made := s.call("POST", tt.path, strings.Replace(tt.body, "%", `"`+project+`"`, 1), http.StatusCreated)
		refused := s.call("DELETE", twin, "", http.StatusConflict).body["error"].(map[string]any)["details"].([]any)[0].(map[string]any)
		wantSame(t, "the reason", any(tt.what), refused["target"])
		if !strings.HasPrefix(tt.remove, "/") {
			tt.remove = tt.path + "/" + made.body[tt.remove].(map[string]any)["id"].(string)
		}
		s.call("DELETE", tt.remove, "", http.StatusNoContent)
	}
	// A webhook is not content of the twin: it still receives the deletion.
	hook := s.callAs("demo-service", "POST", "/webhooks/", `{"callbackUrl": "https://receiver.example.com/", "scope": "Twin",
		"scopeId": "`+project+`", "eventTypes": ["twins.twinDeleted.v1"]}`, http.StatusAccepted)
	s.call("DELETE", twin, "", http.StatusNoContent)
	s.callAs("demo-service", "DELETE", "/webhooks/"+hook.body["id"].(string), "", http.StatusNoContent)
}

// A seed reaches what no request makes: a synchronizer, a schedule that is being
// imported, and a baseline of what was once planned.
func TestSeedReachesWhatNoRequestMakes(t *testing.T) {
	t.Parallel()
	s := start(t, "-seed", bridgeFile)
	y := s.call("GET", "/schedules/nb-plan/imports/planner/synchronizers/planner", "", http.StatusOK).body
	wantSame(t, "the project of the first import", "North Bridge", y["synchronizer"].(map[string]any)["originalProjectName"].(string))

	refused := s.call("POST", "/schedules/nb-import/tasks", `{"name": "Dig", "type": "Work"}`, http.StatusConflict).body
	wantSame(t, "why", "ScheduleNotInitialized", refused["error"].(map[string]any)["code"].(string))
	tasks, _ := s.list("/schedules/nb-import/tasks", "tasks")
	wantSame(t, "what is imported so far", []string{"first"}, ids(tasks, "id"))

	rows, _ := s.list("/schedules/nb-plan/baselines/as-tendered/baseline-tasks", "baselineTasks")
	wantSame(t, "a task as it was", []string{"2026-02-02T07:00:00Z"}, ids(rows, "startDate"))
	rows, _ = s.list("/schedules/nb-plan/baselines/as-planned/baseline-tasks", "baselineTasks")
	wantSame(t, "tasks of a baseline without rows", 3, len(rows))
	s.call("GET", "/schedules/sb-plan/entities-3d/span", "", http.StatusOK)
}

// What docs/server.md documents of seeds is what a seed can have.
func TestSeedThatIsShownHasEveryList(t *testing.T) {
	t.Parallel()
	var w *platform.World
	if err := readFile("seed", bridgeFile, &w, from(platform.ReadWorld)); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	var lists map[string][]json.RawMessage
	if err := json.Unmarshal(text, &lists); err != nil {
		t.Fatal(err)
	}
	for name := range reflect.TypeFor[platform.World]().Fields() {
		list, _, _ := strings.Cut(name.Tag.Get("json"), ",")
		if len(lists[list]) == 0 {
			t.Errorf("the seed has no %s", list)
		}
	}
	for f := range reflect.TypeFor[platform.Schedule]().Fields() {
		if !slices.ContainsFunc(w.Schedules, func(s platform.Schedule) bool { return !reflect.ValueOf(s).FieldByIndex(f.Index).IsZero() }) {
			t.Errorf("no schedule of the seed has %s", f.Name)
		}
	}
	for f := range reflect.TypeFor[schedules.Contents]().Fields() {
		if !slices.ContainsFunc(w.Schedules, func(s platform.Schedule) bool { return !reflect.ValueOf(s.Contents).FieldByIndex(f.Index).IsZero() }) {
			t.Errorf("no schedule of the seed has %s", f.Name)
		}
	}
}
