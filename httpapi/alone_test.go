package httpapi_test

import (
	stdjson "encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// servedAlone is what an area makes in a twin, by the area: the requests one after the other, in
// which $id is that of what the latest answer is about.
var servedAlone = map[string][]string{
	"schedules": {
		`POST /schedules {"twinId":"$twin","name":"Plan"}`,
		`GET /schedules/$id`, `GET /schedules?twinId=$twin`,
	},
	"forms": {
		`POST /forms/formDefinitions {"twinId":"$twin","displayName":"Snag","type":"Issue","status":"Approved"}`,
		`GET /forms/formDefinitions/$id`, `GET /forms/formDefinitions?twinId=$twin`,
		`POST /forms/ {"formId":"$id","subject":"A crack"}`,
		`GET /forms/$id`, `GET /forms?projectId=$twin`, `PATCH /forms/$id {"subject":"Two cracks"}`, `GET /forms/$id/comments`,
	},
	"reality data": {
		`POST /reality-management/reality-data/ {"twinId":"$twin","displayName":"Scan","type":"3MX","classification":"Model"}`,
		`GET /reality-management/reality-data/$id`, `GET /reality-management/reality-data?twinId=$twin`,
		`PATCH /reality-management/reality-data/$id {"displayName":"Scans"}`, `GET /reality-management/reality-data/$id/twins`,
	},
	"models": {
		`POST /models {"twinId":"$twin","displayName":"Structure"}`,
		`GET /models/$id`, `GET /models?twinId=$twin`,
		`POST /models/$id/changesets {"id":"one","description":"A wall","inserted":[{"id":"wall","class":"Wall","parentId":null}]}`,
		`GET /models/$id/elements`,
	},
	"webhooks": {
		`POST /webhooks {"callbackUrl":"https://receiver.example.com/hook","scope":"Twin","scopeId":"$twin","eventTypes":["twins.twinCreated.v1"]}`,
		`GET /webhooks/$id`, `GET /webhooks`,
	},
}

// TestEveryAreaServesWithoutADirectoryOfTwins makes records in every area, each served
// alone with no configuration. To the administrator of another account, who names the same
// twin, they do not exist.
func TestEveryAreaServesWithoutADirectoryOfTwins(t *testing.T) {
	t.Parallel()
	for area, requests := range servedAlone {
		t.Run(area, func(t *testing.T) {
			t.Parallel()
			who := func(account string) twinplatform.Principal {
				return twinplatform.Principal{
					ID: "admin-" + account, AccountID: account, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}, Kind: twinplatform.Service,
					Scopes: []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksModify, twinplatform.ScopeWebhooksRead},
				}
			}
			h, err := httpapi.New(httpapi.Config{
				Schedules: schedules.New(memory.New(), schedules.Config{}, scheduling.Feature, planfiles.Feature), Forms: forms.New(memory.New(), forms.Config{}),
				RealityData: realitydata.New(memory.New(), realitydata.Config{}), Transform: transform.New(memory.New(), transform.Config{}),
				Webhooks:      webhooks.New(memory.New(), webhooks.Config{}),
				Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"ours": who("acme"), "theirs": who("zenith")}),
			})
			if err != nil {
				t.Fatal(err)
			}
			values := strings.NewReplacer("$twin", "11111111-1111-4111-8111-111111111111")
			for _, r := range requests {
				head, body, _ := strings.Cut(values.Replace(r), " {")
				method, target, _ := strings.Cut(head, " ")
				if body != "" {
					body = "{" + body
				}
				if method != http.MethodPost {
					other := ask(h, method, target, body, "Authorization: Bearer theirs")
					if found := other.Code < 300 && !strings.Contains(other.Body.String(), `":[]`); found {
						t.Errorf("%s %s as another account: %d %s", method, target, other.Code, other.Body)
					}
				}
				w := ask(h, method, target, body, "Authorization: Bearer ours")
				if w.Code >= 300 || method == http.MethodGet && strings.Contains(w.Body.String(), `":[],"_links"`) && !strings.HasSuffix(target, "/comments") {
					t.Fatalf("%s %s %s: %d %s", method, target, body, w.Code, w.Body)
				}
				if method == http.MethodPost {
					if id := idIn(t, w.Body.Bytes()); id != "one" {
						values = strings.NewReplacer("$twin", "11111111-1111-4111-8111-111111111111", "$id", id)
					}
				}
			}
		})
	}
}

// idIn is the id of the record of an answer.
func idIn(t *testing.T, body []byte) string {
	t.Helper()
	var answer map[string]any
	if err := stdjson.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	if id, ok := answer["id"].(string); ok {
		return id
	}
	for name, member := range answer {
		if record, ok := member.(map[string]any); ok && name != "_links" && name != "operation" {
			if id, ok := record["id"].(string); ok {
				return id
			}
		}
	}
	t.Fatalf("no id in %s", body)
	return ""
}
