package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// A whole server: the schedules area in memory, one token, mounted under a
// prefix.
func ExampleNew() {
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{
			"a-secret-token": {
				ID: "ann", AccountID: "acme", Kind: twinplatform.User,
				Scopes:             []string{twinplatform.ScopePlatform},
				AdministratorRoles: []string{"Account Administrator"},
			},
		}),
		Schedules: schedules.New(memory.New(), schedules.Config{Twins: oneTwin{}}),
	})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", http.StripPrefix("/api", h))
	srv := httptest.NewServer(mux)
	defer srv.Close()

	send := func(method, path, body string) {
		req, err := http.NewRequest(method, srv.URL+path, strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer a-secret-token")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			log.Fatal(err)
		}
		defer res.Body.Close()
		answer, err := io.ReadAll(res.Body)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(res.StatusCode, strings.ReplaceAll(string(answer), srv.URL, "http://host"))
	}
	send("POST", "/api/schedules", `{"id": "plan", "name": "Tower", "twinId": "tower"}`)
	send("POST", "/api/schedules/plan/user-fields", `{"id": "cost", "name": "Cost", "category": "Task", "type": "Float", "color": "#808080"}`)
	send("GET", "/api/schedules/plan/user-fields?$top=10", "")
	send("DELETE", "/api/schedules/plan", "")

	// Output:
	// 201 {"schedule":{"deleted":false,"id":"plan","isNextGen":true,"modelId":null,"name":"Tower","twinId":"tower","type":"v10"}}
	// 201 {"userField":{"category":"Task","color":"#808080","deleted":false,"id":"cost","name":"Cost","type":"Float"}}
	// 200 {"userFields":[{"category":"Task","color":"#808080","deleted":false,"id":"cost","name":"Cost","type":"Float"}],"_links":{"self":{"href":"http://host/api/schedules/plan/user-fields?$top=10"},"next":null}}
	// 204
}

// oneTwin says that there is a twin, and whose it is.
type oneTwin struct{}

func (oneTwin) TwinAccount(_ context.Context, id string) (string, bool, error) {
	return "acme", id == "tower", nil
}

// sessions is an authenticator of one's own: tokens that may end.
type sessions struct {
	open map[string]twinplatform.Principal
}

func (s sessions) Authenticate(_ context.Context, token string) (twinplatform.Principal, error) {
	if p, ok := s.open[token]; ok {
		return p, nil
	}
	return twinplatform.Principal{}, twinplatform.Unauthenticated
}

func ExampleAuthenticator() {
	h, err := httpapi.New(httpapi.Config{
		Authenticator: sessions{},
		Schedules:     schedules.New(memory.New(), schedules.Config{}),
	})
	if err != nil {
		log.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/schedules?twinId=tower", nil)
	r.Header.Set("Authorization", "Bearer ended")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)

	// Output:
	// 401 {"error":{"code":"HeaderNotFound","message":"The Authorization header was not found in the request. Access denied."}}
}

// The route table is data: here, the technical previews of the schedules area.
func ExampleOperations() {
	for _, o := range httpapi.Operations() {
		if o.Area == "schedules" && o.Preview {
			fmt.Println(o.ID, o.Method, o.Path)
		}
	}

	// Output:
	// S20 GET /schedules/{scheduleId}/resources/{resourceId}
	// S17 GET /schedules/{scheduleId}/resource-groups/{resourceGroupId}/resources
	// S3 GET /schedules/{scheduleId}/resource-status-sets/{resourceStatusSetId}/resource-status-items
	// S1 POST /schedules/{scheduleId}/resources/user-field-values
	// S8 GET /schedules/{scheduleId}/entities-3d/{entity3dId}
	// S14 GET /schedules/{scheduleId}/imports/planner/synchronizers/{synchronizerId}
}
