package httpapi_test

import (
	stdjson "encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// writing is the owner of the tower.
const writing = "Authorization: Bearer writer"

// under is a world that speaks a vocabulary in JSON.
func under(t *testing.T, vocabulary string) *httpapi.Handler {
	t.Helper()
	v, err := httpapi.ParseVocabulary(strings.NewReader(vocabulary))
	if err != nil {
		t.Fatal(err)
	}
	h, err := httpapi.Under(newTwinsWorld(t), v)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestRolesHoldPermissionsInTheWordsOfTheDeployment(t *testing.T) {
	t.Parallel()
	h := under(t, `{"permissions": {"schedules_read": "seasons.look", "roles_manage": "duties.manage", "Forms_ViewAccess": "notes.look"}}`)
	roles := "/access-control/twins/" + towerID + "/roles"
	res := ask(h, "POST", roles, `{"displayName":"Gardener","permissions":["seasons.look","notes.look","twins_read"]}`, writing)
	var made struct {
		Role struct{ Permissions []string }
	}
	if err := stdjson.Unmarshal(res.Body.Bytes(), &made); err != nil || res.Code != 201 {
		t.Fatalf("%d %s", res.Code, res.Body)
	}
	if diff := cmp.Diff([]string{"notes.look", "seasons.look", "twins_read"}, made.Role.Permissions); diff != "" {
		t.Errorf("the role holds (-want +got):\n%s", diff)
	}
	if res := ask(h, "POST", roles, `{"displayName":"Other","permissions":["schedules_read"]}`, writing); res.Code != 422 {
		t.Errorf("by the name that it has elsewhere: %d %s", res.Code, res.Body)
	}
	if res := ask(h, "GET", "/access-control/permissions", "", writing); !strings.Contains(res.Body.String(), `"seasons.look"`) || strings.Contains(res.Body.String(), "schedules_read") {
		t.Errorf("the permissions are %s", res.Body)
	}
	if raw := ask(h, "GET", "/openapi.json", "").Body.String(); strings.Contains(raw, "roles_manage") || !strings.Contains(raw, "duties.manage") {
		at := max(strings.Index(raw, "roles_manage"), 0)
		t.Errorf("the document says roles_manage: %s", raw[max(at-300, 0):min(at+100, len(raw))])
	}
}

func TestHeadersTakeTheWordsOfTheDeployment(t *testing.T) {
	t.Parallel()
	h := under(t, `{"headers": {"X-Twin-Query-Scope": "X-Garden-Scope"}, "values": {"memberOfTwin": "memberOfGarden", "OrganizationAdmin": "HeadGardener"}}`)
	for scope, want := range map[string]int{"memberOfGarden": 200, "HeadGardener": 200, "all": 200, "memberOfTwin": 422, "nobody": 422} {
		if res := ask(h, "GET", "/twins", "", writing, "X-Garden-Scope: "+scope); res.Code != want || want == 422 && !strings.Contains(res.Body.String(), `"X-Garden-Scope"`) {
			t.Errorf("%s: %d %s", scope, res.Code, res.Body)
		}
	}
}

func TestMessagesHaveTheResourceNamesOfTheDeployment(t *testing.T) {
	t.Parallel()
	h := under(t, `{"messages": {"twin": "garden", "role": "duty"}}`)
	for path, want := range map[string]string{
		"/twins/00000000-0000-4000-8000-00000000dead":                                      `"message":"The requested garden is not available."`,
		"/access-control/twins/" + towerID + "/roles/00000000-0000-4000-8000-00000000dead": `"message":"The requested duty is not available."`,
	} {
		if res := ask(h, "GET", path, "", writing); !strings.Contains(res.Body.String(), want) {
			t.Errorf("%s: %s", path, res.Body)
		}
	}
}

func TestMembersThatTheDeploymentDoesNotHaveAreLeftOut(t *testing.T) {
	t.Parallel()
	h := under(t, `{"members": {"displayName": "label"}, "omit": ["createdDateTime", "_links", "id"], "areas": {"twins": {"omit": ["type", "lastModifiedBy"]}}}`)
	plain := newTwinsWorld(t)
	for _, path := range []string{"/twins", "/twins/" + towerID, "/access-control/twins/" + towerID + "/roles"} {
		var got, want any
		if err := stdjson.Unmarshal(ask(h, "GET", path, "", writing).Body.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v: %s", path, err, ask(h, "GET", path, "", writing).Body)
		}
		if err := stdjson.Unmarshal(ask(plain, "GET", path, "", writing).Body.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		left := []string{"createdDateTime", "_links", "id"}
		if strings.HasPrefix(path, "/twins") {
			left = append(left, "type", "lastModifiedBy")
		}
		if diff := cmp.Diff(without(want, left...), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := stdjson.Unmarshal(ask(h, "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for name, s := range doc.Components.Schemas {
		if s.Properties["createdDateTime"] != nil && strings.HasSuffix(name, ".answer") {
			t.Errorf("the document has createdDateTime in %s", name)
		}
	}
}

// without is a value without members, and with displayName called label.
func without(v any, left ...string) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any)
		for name, of := range v {
			if name == "displayName" {
				out["label"] = of
			} else {
				out[name] = without(of, left...)
			}
		}
		for _, name := range left {
			delete(out, name)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, of := range v {
			out[i] = without(of, left...)
		}
		return out
	}
	return v
}

func TestContentsOfEventsHaveTheirOwnNames(t *testing.T) {
	t.Parallel()
	v, err := httpapi.ParseVocabulary(strings.NewReader(`{"members": {"modelId": "plotId", "twinId": "gardenId"}, "contents": {"modelId": "bedId"}}`))
	if err != nil {
		t.Fatal(err)
	}
	d, err := v.Deliveries()
	if err != nil {
		t.Fatal(err)
	}
	const plain, renamed = `{"content":{"modelId":"m","userId":"u"},"twinId":"t"}`, `{"content":{"bedId":"m","userId":"u"},"gardenId":"t"}`
	if got := string(d.Write([]byte(plain))); got != renamed {
		t.Errorf("answered as %s", got)
	}
	if got := string(d.Read([]byte(renamed))); got != plain {
		t.Errorf("read as %s", got)
	}
}

func TestRecordsOfOneKindHaveNamesApartFromTheirArea(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	v, err := httpapi.ParseVocabulary(strings.NewReader(`{
		"members": {"displayName": "label"},
		"areas": {"models": {"members": {"displayName": "title"}}, "models.savedViews": {"members": {"displayName": "caption"}, "segments": {"saved-views": "outlooks"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	h, err := httpapi.Under(newWorld(t).handler, v)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
				}
			}
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := stdjson.Unmarshal(ask(h, "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"twins.create": "label", "models.create": "title", "savedViews.create": "caption", "savedViews.update": "caption", "savedViewGroups.create": "title"}
	got := make(map[string]string)
	for _, methods := range doc.Paths {
		for _, o := range methods {
			ref := o.RequestBody.Content["application/json"].Schema.Ref
			for _, name := range []string{"displayName", "label", "title", "caption"} {
				_, has := doc.Components.Schemas[ref[strings.LastIndexByte(ref, '/')+1:]].Properties[name]
				if _, asked := want[o.OperationID]; asked && has {
					got[o.OperationID] += name
				}
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is called displayName elsewhere (-want +got):\n%s", diff)
	}
	if got := v.Address("/saved-views"); got != "/outlooks" {
		t.Errorf("saved views are at %s", got)
	}
	if v.Member("models.savedViews", "displayName") != "caption" || v.Member("models.savedViewTags", "displayName") != "title" {
		t.Error("the names of one kind of record are not those before the area's")
	}
}

func TestARoleMadeInTheWordsOfTheDeploymentGrantsItsPermissions(t *testing.T) {
	t.Parallel()
	h := under(t, `{"permissions": {"twins_modify": "gardens.change", "members_manage": "guests.manage"}}`)
	at, gate, stranger := "/twins/"+towerID, "/access-control/twins/"+towerID, "Authorization: Bearer stranger"
	if res := ask(h, "PATCH", at, `{"geographicLocation":"Porto"}`, stranger); res.Code != 404 {
		t.Fatalf("before there is a role: %d %s", res.Code, res.Body)
	}
	var made struct{ Role struct{ ID string } }
	res := ask(h, "POST", gate+"/roles", `{"displayName":"Gardener","permissions":["gardens.change"]}`, writing)
	if err := stdjson.Unmarshal(res.Body.Bytes(), &made); err != nil || res.Code != 201 {
		t.Fatalf("%d %s", res.Code, res.Body)
	}
	if res := ask(h, "POST", gate+"/members", `{"members":[{"email":"stranger@example.com","roleIds":["`+made.Role.ID+`"]}]}`, writing); res.Code != 201 {
		t.Fatalf("%d %s", res.Code, res.Body)
	}
	if res := ask(h, "PATCH", at, `{"geographicLocation":"Porto"}`, stranger); res.Code != 200 || !strings.Contains(res.Body.String(), `"geographicLocation":"Porto"`) {
		t.Errorf("what the role grants: %d %s", res.Code, res.Body)
	}
	if res := ask(h, "POST", gate+"/roles", `{"displayName":"Other","permissions":["gardens.change"]}`, stranger); res.Code != 403 {
		t.Errorf("what it does not grant: %d %s", res.Code, res.Body)
	}
	if res := ask(h, "POST", gate+"/members", `{"members":[]}`, stranger); res.Code == 201 {
		t.Errorf("what it does not grant: %d %s", res.Code, res.Body)
	}
}
