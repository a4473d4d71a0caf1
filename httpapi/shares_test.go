package httpapi_test

import (
	"context"
	stdjson "encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
)

// sharedTower is a handler over a twin with a share, and the key of it.
func sharedTower(t *testing.T) (h *httpapi.Handler, ids []string, key string) {
	t.Helper()
	env := twinplatform.Env{Now: moment.UTC}
	p, err := platform.New(memory.New(), platform.Config{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	h, err = httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(nil), Rate: httpapi.Unlimited, Env: env,
		Schedules: p.Schedules, Forms: p.Forms, Twins: p.Twins, Webhooks: p.Webhooks, RealityData: p.RealityData, Transform: p.Transform,
	})
	if err != nil {
		t.Fatal(err)
	}
	owner := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: "owner", AccountID: acmeID, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}})
	for _, name := range []string{"Tower", "Other"} {
		res, err := p.Twins.CreateTwin(owner, twinsapi.NewTwin{Class: twinsapi.Endeavor, DisplayName: name})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, res.Value().ID)
		if _, err := p.Schedules.CreateSchedule(owner, schedules.NewSchedule{ID: name, Name: name, TwinID: res.Value().ID}); err != nil {
			t.Fatal(err)
		}
	}
	share, err := p.Twins.CreateShare(owner, ids[0], twinsapi.NewShare{})
	if err != nil {
		t.Fatal(err)
	}
	return h, ids, "Authorization: Basic " + share.Value().ShareKey
}

// A share changes nothing, and the document marks what it may call.
func TestBearerOfAShareIsRefusedWhateverIsNotDeclaredForShares(t *testing.T) {
	t.Parallel()
	h, ids, key := sharedTower(t)
	var document struct {
		Paths map[string]map[string]struct {
			Security []map[string][]string `json:"security"`
		} `json:"paths"`
	}
	if err := stdjson.Unmarshal(httpapi.OpenAPI("https://api.test"), &document); err != nil {
		t.Fatal(err)
	}
	open := 0
	for _, o := range h.Operations() {
		if len(o.Scopes) == 0 {
			continue // it takes no credentials
		}
		declared := false
		for _, one := range document.Paths[o.Path][strings.ToLower(o.Method)].Security {
			_, shared := one["share"]
			declared = declared || shared
		}
		if declared && o.Method != http.MethodGet {
			t.Errorf("%s changes something and is declared for shares", o.ID)
		}
		if declared {
			open++
		}
		for _, twin := range ids {
			path := strings.NewReplacer("{twinId}", twin, "{scheduleId}", "Tower").Replace(o.Path)
			w := ask(h, o.Method, inBraces.ReplaceAllString(path, "11111111-1111-4111-8111-111111111111"), `{}`, key)
			// The scope of shares is not that of webhooks.
			refused := w.Code == http.StatusForbidden || w.Code == http.StatusUnauthorized && o.Area == "webhooks"
			if !declared && !refused || declared && w.Code == http.StatusUnauthorized {
				t.Errorf("%s: %d %s; declared: %v", o.ID, w.Code, w.Body, declared)
			}
		}
	}
	if open < 100 {
		t.Errorf("%d operations are declared for shares", open)
	}
}

var inBraces = regexp.MustCompile(`\{\w+\}`)

func TestBearerOfAShareSeesNothingOfOtherTwins(t *testing.T) {
	t.Parallel()
	h, ids, key := sharedTower(t)
	for path, want := range map[string]int{
		"/schedules/Tower": 200, "/schedules/Other": 404, "/schedules/Tower/tasks": 200, "/schedules/Other/tasks": 404,
		"/schedules?twinId=" + ids[0]: 200,
		"/twins/" + ids[0]:            200, "/twins/" + ids[1]: 404,
		"/access-control/twins/" + ids[0] + "/permissions": 200, "/access-control/twins/" + ids[1] + "/permissions": 404,
	} {
		if w := ask(h, "GET", path, "", key); w.Code != want {
			t.Errorf("%s: %d, want %d: %s", path, w.Code, want, w.Body)
		}
	}
	for _, o := range h.Operations() {
		if o.Method != http.MethodGet || len(o.Scopes) == 0 {
			continue
		}
		path := strings.NewReplacer("{twinId}", ids[1], "{scheduleId}", "Other").Replace(o.Path)
		path = inBraces.ReplaceAllString(path, ids[1]) + "?twinId=" + ids[1]
		if w := ask(h, "GET", path, "", key); o.ID != "users.me" && strings.Contains(w.Body.String(), `"Other"`) {
			t.Errorf("%s shows another twin: %s", o.ID, w.Body)
		}
	}
}

func TestBearerOfAShareReadsOverHTTPWithItsOwnAllowance(t *testing.T) {
	t.Parallel()
	env := twinplatform.Env{Now: moment.UTC}
	svc := twinsapi.New(memory.New(), twinsapi.Config{Env: env})
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{
			"owner": {ID: "owner", AccountID: acmeID, Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}},
		}),
		Twins: svc, Rate: 8, Env: env,
	})
	if err != nil {
		t.Fatal(err)
	}
	owner := twinplatform.WithPrincipal(context.Background(), twinplatform.Principal{ID: "owner", AccountID: acmeID, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}})
	var ids []string
	for _, name := range []string{"Tower", "Other"} {
		res, err := svc.CreateTwin(owner, twinsapi.NewTwin{Class: twinsapi.Endeavor, DisplayName: name})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, res.Value().ID)
	}
	var made struct{ Share twinsapi.Share }
	w := ask(h, "POST", "/access-control/twins/"+ids[0]+"/shares", `{}`, "Authorization: Bearer owner")
	if err := stdjson.Unmarshal(w.Body.Bytes(), &made); err != nil || w.Code != http.StatusCreated || made.Share.ShareKey == "" {
		t.Fatalf("%d %s %v", w.Code, w.Body, err)
	}
	key := "Authorization: Basic " + made.Share.ShareKey
	for _, step := range []struct {
		method, path, body, as string
		want                   int
	}{
		{"GET", "/twins/" + ids[0], "", key, 200},
		{"GET", "/twins/" + ids[1], "", key, 404},
		{"GET", "/users/me", "", key, 200},
		{"GET", "/access-control/twins/" + ids[0] + "/members", "", key, 403},
		{"PATCH", "/twins/" + ids[0], `{"type":"x"}`, key, 403},
		{"POST", "/twins/favorites/" + ids[0], "", key, 403},
		{"GET", "/twins/" + ids[0], "", "Authorization: Bearer " + made.Share.ShareKey, 401},
		{"GET", "/twins/" + ids[0], "", key + "x", 401},
		{"GET", "/twins/" + ids[0], "", key, 200},
		{"GET", "/twins/" + ids[0], "", key, 200},
		{"GET", "/twins/" + ids[0], "", key, 429}, // of its own allowance
		{"GET", "/twins/" + ids[0], "", "Authorization: Bearer owner", 200},
		{"DELETE", "/access-control/twins/" + ids[0] + "/shares/" + made.Share.ID, "", "Authorization: Bearer owner", 204},
		{"GET", "/twins/" + ids[0], "", key, 401},
	} {
		if w := ask(h, step.method, step.path, step.body, step.as); w.Code != step.want {
			t.Errorf("%s %s as %.24s…: %d, want %d: %s", step.method, step.path, step.as, w.Code, step.want, w.Body)
		}
	}
}
