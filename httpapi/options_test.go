package httpapi_test

import (
	stdjson "encoding/json"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// Every list refuses options that no list has, however they are spelled, and takes what
// is no option.
func TestEveryListRefusesUnknownOptions(t *testing.T) {
	t.Parallel()
	everything := []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify}
	h := newWorld(t, func(cfg *httpapi.Config) {
		cfg.Authenticator = httpapi.StaticTokens(map[string]twinplatform.Principal{token: {ID: "admin", AccountID: "acme", Scopes: everything, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}})
	}).handler
	lists := 0
	for _, o := range h.Operations() {
		if !httpapi.Lists(o.ID) {
			continue
		}
		lists++
		if strings.HasPrefix(o.ID, "gantt.") || o.ID == "animation.glb" { // which refuse every parameter that they do not know
			continue
		}
		path := strings.NewReplacer("{", "", "}", "").Replace(o.Path)
		for _, query := range []string{"$colour=red", "%24colour=red", "$COLOUR", "&&$colour=", "$=1", "colour=red&$colour=1&$colour=2", "$topp=1", "%24%24top=1", "$ top=1"} {
			w := ask(h, "GET", path+"?"+strings.ReplaceAll(query, " ", "+"), "")
			var body struct {
				Error struct {
					Code    string
					Details []struct{ Code, Target, Message string }
				}
			}
			err := stdjson.Unmarshal(w.Body.Bytes(), &body)
			if err != nil || w.Code != 400 && w.Code != 422 || len(body.Error.Details) != 1 || !strings.HasPrefix(body.Error.Details[0].Target, "$") {
				t.Errorf("%s?%s: %d %s", path, query, w.Code, w.Body)
			}
		}
		for _, query := range []string{"colour=red", "&colour=red", "%63olour=1&colour=2"} {
			if w := ask(h, "GET", path+"?"+query, ""); strings.Contains(w.Body.String(), "colour") && w.Code >= 400 {
				t.Errorf("%s?%s: %d %s", path, query, w.Code, w.Body)
			}
		}
	}
	if lists < 60 {
		t.Errorf("%d lists", lists)
	}
}
