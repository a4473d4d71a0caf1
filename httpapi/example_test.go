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
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
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
				AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
			},
		}),
		Schedules: schedules.New(memory.New(), schedules.Config{Twins: oneTwin{}}, scheduling.Feature, planfiles.Feature),
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

// oneTwin reports that there is a twin, and whose it is.
type oneTwin struct{}

func (oneTwin) TwinAccount(_ context.Context, id string) (string, bool, error) {
	return "acme", id == "tower", nil
}

// sessions knows callers by a cookie: those who logged in at the program's own page.
type sessions map[string]twinplatform.Principal

func (s sessions) Authenticate(r *http.Request) (twinplatform.Principal, error) {
	cookie, err := r.Cookie("session")
	if err != nil {
		return twinplatform.Principal{}, fmt.Errorf("%w: no session", twinplatform.Unauthenticated)
	}
	p, ok := s[cookie.Value]
	if !ok {
		return p, fmt.Errorf("%w: the session has ended", twinplatform.Unauthenticated)
	}
	return p, nil
}

// Callers who log in elsewhere: a cookie, a client's certificate, or what a handler
// around this one found out.
func ExampleAuthenticator() {
	h, err := httpapi.New(httpapi.Config{
		Authenticator: sessions{"s-1": {ID: "ada", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}}},
		Schedules:     schedules.New(memory.New(), schedules.Config{Twins: oneTwin{}}, scheduling.Feature, planfiles.Feature),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, session := range []string{"s-1", "s-0"} {
		r := httptest.NewRequest("GET", "/schedules", nil)
		r.AddCookie(&http.Cookie{Name: "session", Value: session})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		fmt.Println(w.Code, w.Body)
	}

	// Output:
	// 400 {"error":{"code":"InvalidSchedulesRequest","message":"The request is invalid.","details":[{"code":"MissingRequiredProperty","message":"The required property 'twinId' is missing.","target":"twinId"}]}}
	// 401 {"error":{"code":"HeaderNotFound","message":"The Authorization header was not found in the request. Access denied."}}
}

// issued are tokens that an issuer of one's own gave out.
type issued map[string]twinplatform.Principal

func (i issued) Authenticate(_ context.Context, token string) (twinplatform.Principal, error) {
	if p, ok := i[token]; ok {
		return p, nil
	}
	return twinplatform.Principal{}, twinplatform.Unauthenticated
}

func ExampleBearerTokens() {
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.BearerTokens(issued{}),
		Schedules:     schedules.New(memory.New(), schedules.Config{}, scheduling.Feature, planfiles.Feature),
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

// An observer receives what metrics and traces are made of.
func ExampleObserver() {
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(nil),
		Schedules:     schedules.New(memory.New(), schedules.Config{}, scheduling.Feature, planfiles.Feature),
		Observer: func(_ context.Context, o httpapi.Observation) {
			fmt.Println(o.Operation, o.Method, o.Status, o.RequestID, o.Err.Code, twinplatform.Cause(o.Err))
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/schedules/plan/tasks", nil)
	r.Header.Set("X-Request-Id", "job-7")
	h.ServeHTTP(httptest.NewRecorder(), r)

	// Output:
	// tasks.list GET 401 job-7 HeaderNotFound unauthenticated: no Authorization header
}

// A handler of one's own around the API refuses in the documented form.
func ExampleWriteError() {
	fromHere := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Office") == "" {
				httpapi.WriteError(w, &twinplatform.Error{Kind: twinplatform.Forbidden, Code: "NotFromHere", Message: "The API is for the office."})
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	w := httptest.NewRecorder()
	fromHere(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	fmt.Println(w.Code, w.Header().Get("Content-Type"), w.Body)

	// Output:
	// 403 application/json {"error":{"code":"NotFromHere","message":"The API is for the office."}}
}

// The route table is data: here, the technical previews of the schedules area.
func ExampleOperations() {
	for _, o := range httpapi.Operations() {
		if o.Area == "schedules" && o.Preview {
			fmt.Println(o.ID, o.Method, o.Path)
		}
	}

	// Output:
	// resources.get GET /schedules/{scheduleId}/resources/{resourceId}
	// resourceGroups.listResources GET /schedules/{scheduleId}/resource-groups/{resourceGroupId}/resources
	// resourceStatusSets.listItems GET /schedules/{scheduleId}/resource-status-sets/{resourceStatusSetId}/resource-status-items
	// resourceUserFieldValues.set POST /schedules/{scheduleId}/resources/user-field-values
	// entities3d.get GET /schedules/{scheduleId}/entities-3d/{entity3dId}
	// plannerSynchronizers.get GET /schedules/{scheduleId}/imports/planner/synchronizers/{synchronizerId}
}
