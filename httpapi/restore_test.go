package httpapi_test

import (
	"bytes"
	stdjson "encoding/json"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// A store that is restored under a running server answers what clients still hold from
// before by telling them to list again.
func TestWhatWasHandedOutBeforeARestoreIsRefused(t *testing.T) {
	t.Parallel()
	on := plannedGround(t)
	store := on.store
	w := newWorldOn(t, on, func(cfg *httpapi.Config) {
		env := cfg.Env
		env.Authorizer = permissions{"writer": {schedules.PermissionRead, schedules.PermissionModify}}
		cfg.Schedules = schedules.New(store, schedules.Config{Env: env, Twins: worldTwins}, scheduling.Feature, planfiles.Feature)
	})
	send := func(method, target, body string, head ...string) *httptest.ResponseRecorder {
		return ask(w.handler, method, target, body, append(head, "Authorization: Bearer writer")...)
	}
	const tasks, dig = "/schedules/plan/tasks", "/schedules/plan/tasks/dig"
	var saved bytes.Buffer
	if err := storage.Backup(t.Context(), store, &saved); err != nil {
		t.Fatal(err)
	}
	list := send("GET", tasks, "")
	next := send("GET", tasks+"?$top=1", "").Header().Get("Continuation-Token")
	if a := send("PATCH", dig, `{"name": "Dig deeper"}`); a.Code != 200 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	version := send("GET", dig, "").Header().Get("ETag")
	if err := storage.Restore(t.Context(), store, &saved); err != nil {
		t.Fatal(err)
	}
	// The same revision is taken once more, for another name.
	if a := send("PATCH", dig, `{"name": "Dig wider"}`); a.Code != 200 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	if a := send("GET", dig, "", "If-None-Match: "+version); a.Code != 200 || !strings.Contains(a.Body.String(), "Dig wider") {
		t.Errorf("If-None-Match from before: %d %s", a.Code, a.Body)
	}
	if a := send("GET", tasks, "", "If-None-Match: "+list.Header().Get("ETag")); a.Code != 200 {
		t.Errorf("If-None-Match of a list from before: %d", a.Code)
	}
	if a := send("PATCH", dig, `{"name": "lost update"}`, "If-Match: "+version); a.Code != 409 || codeOf(t, a) != "VersionMismatch" {
		t.Errorf("If-Match from before: %d %s", a.Code, a.Body)
	}
	for parameter, token := range map[string]string{"deltaToken": list.Header().Get("Delta-Token"), "$continuationToken": next} {
		if token == "" {
			t.Fatalf("no %s was handed out", parameter)
		}
		a := send("GET", tasks+"?"+parameter+"="+url.QueryEscape(token), "")
		if a.Code != 400 || !strings.Contains(a.Body.String(), "List the records anew") || !strings.Contains(a.Body.String(), `"`+parameter+`"`) {
			t.Errorf("%s from before: %d %s", parameter, a.Code, a.Body)
		}
	}
}

func codeOf(t *testing.T, a *httptest.ResponseRecorder) string {
	t.Helper()
	var body struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	if err := stdjson.Unmarshal(a.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	return body.Error.Code
}
