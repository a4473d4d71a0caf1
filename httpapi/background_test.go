package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
)

// acceptsInBackground reports whether an operation is accepted in background mode:
// each that writes, but that schedules are made and deleted, and values deleted, at
// once.
func (m model) acceptsInBackground() bool {
	value := strings.HasSuffix(m.Path, "/{userFieldId}") && strings.Contains(m.Path, "user-field-values")
	atOnce := m.ID == "schedules.delete" || m.ID == "codeValueAssignments.delete" || strings.Contains(m.Path, "/files")
	if strings.Contains(m.Path, "/imports/") {
		return false // they need a file: see schedules.TestImportInBackgroundIsDoneByRun
	}
	return m.writes() && m.inSchedule() && !atOnce && (m.Method != http.MethodDelete || !value)
}

// TestBackgroundMode does every change in background mode: it is accepted with
// 202, its operation can be asked for, and once it has run it is done.
//
// covers: Operation: state an operation goes on in background until it has succeeded
// covers: Operation: state an operation fails and says why
// covers: Operations of schedules: rule S1 answers 200 when done, 202 in background
func TestBackgroundMode(t *testing.T) {
	t.Parallel()
	for _, m := range modelRequests(t) {
		if !m.acceptsInBackground() {
			continue
		}
		t.Run(m.ID, func(t *testing.T) {
			t.Parallel()
			store := plannedGround(t).store
			// The same data, by a service that leaves its work to Run.
			svc := schedules.New(store, schedules.Config{Env: twinplatform.Env{Background: true}, Twins: worldTwins, Boxes: siteModel{}, Elements: siteModel{}}, scheduling.Feature, planfiles.Feature)
			h, err := httpapi.New(httpapi.Config{
				Schedules:     svc,
				Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"root": {ID: "root", AccountID: "acme", Scopes: me.Scopes, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}}}),
			})
			if err != nil {
				t.Fatal(err)
			}
			var c conversation
			res := c.send(t, h, m.of("root", ""))
			checkAnswer(t, res)
			id, at := res.Header().Get("Operation-Id"), res.Header().Get("Operation-Location")
			if res.Code != 202 || id == "" || !strings.Contains(res.Body.String(), `"operation":{"id":"`+id+`"}`) || !strings.Contains(res.Body.String(), `"href":"`+at+`"`) {
				t.Fatalf("answer %d %v %s", res.Code, res.Header(), res.Body)
			}
			if got := ask(h, "GET", at, "", "Authorization: Bearer root"); !strings.Contains(got.Body.String(), `"status":"NotStarted"`) {
				t.Errorf("operation: %d %s", got.Code, got.Body)
			}
			ctx, cancel := context.WithCancel(t.Context())
			stopped := make(chan error)
			go func() { stopped <- svc.Run(ctx) }()
			schedule := strings.Split(at, "/")[4]
			op, err := svc.In(schedule).Wait(t.Context(), id)
			if err != nil || op.Status != twinplatform.OperationSucceeded {
				t.Errorf("operation: %+v, %v", op, err)
			}
			cancel()
			if err := <-stopped; err != nil {
				t.Error(err)
			}
			if got := ask(h, "GET", at, "", "Authorization: Bearer root"); !strings.Contains(got.Body.String(), `"status":"Succeeded"`) {
				t.Errorf("operation: %d %s", got.Code, got.Body)
			}
		})
	}
}
