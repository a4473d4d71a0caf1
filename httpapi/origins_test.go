package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

const app = "https://app.example"

// withPages serves schedules to pages of origins.
func withPages(t *testing.T, change func(*httpapi.Config)) *httpapi.Handler {
	t.Helper()
	root := twinplatform.Principal{ID: "root", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
	cfg := httpapi.Config{
		Schedules:     schedules.New(memory.New(), schedules.Config{Twins: worldTwins}, scheduling.Feature, planfiles.Feature),
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"root": root}), Origins: []string{app},
	}
	if change != nil {
		change(&cfg)
	}
	h, err := httpapi.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A browser sends no token with the question whether a page may send its request.
func TestPageOfAKnownOriginAsksWithoutATokenAndReadsWhatItNeeds(t *testing.T) {
	t.Parallel()
	h := withPages(t, nil)
	for _, method := range []string{"GET", "POST", "PATCH", "DELETE"} {
		w := ask(h, "OPTIONS", "/schedules/plan/tasks/dig", "", "Origin: "+app, "Access-Control-Request-Method: "+method, "Access-Control-Request-Headers: authorization,content-type,if-match")
		got := w.Header()
		if w.Code != 204 || got.Get("Access-Control-Allow-Origin") != app || !slices.Contains(strings.Split(got.Get("Access-Control-Allow-Methods"), ", "), method) ||
			got.Get("Access-Control-Allow-Headers") != "authorization,content-type,if-match" || got.Get("Access-Control-Max-Age") == "" || got.Get("X-Request-Id") == "" {
			t.Errorf("before %s: %d %v", method, w.Code, got)
		}
		if vary := strings.Join(got.Values("Vary"), ", "); !strings.Contains(vary, "Origin") || !strings.Contains(vary, "Access-Control-Request-Headers") {
			t.Errorf("before %s the answer varies by %q", method, vary)
		}
	}
	made := ask(h, "POST", "/schedules", `{"id":"plan","name":"Plan","twinId":"tower"}`, "Authorization: Bearer root", "Origin: "+app)
	if made.Code != 201 {
		t.Fatalf("%d %s", made.Code, made.Body)
	}
	refused := ask(h, "GET", "/schedules/plan", "", "Origin: "+app)
	if refused.Code != 401 {
		t.Fatalf("without a token: %d", refused.Code)
	}
	for _, w := range []http.Header{made.Header(), refused.Header(), ask(h, "GET", "/schedules/none", "", "Authorization: Bearer root", "Origin: "+app).Header()} {
		if w.Get("Access-Control-Allow-Origin") != app || !slices.Contains(w.Values("Vary"), "Origin") || w.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("the answer has %v", w)
		}
		exposed := strings.Split(w.Get("Access-Control-Expose-Headers"), ", ")
		for _, name := range []string{"ETag", "Location", "Operation-Location", "Retry-After", "WWW-Authenticate", "X-Request-Id", "Delta-Token", "Continuation-Token"} {
			if !slices.ContainsFunc(exposed, func(e string) bool { return strings.EqualFold(e, name) }) {
				t.Errorf("the page cannot read %s: %q", name, exposed)
			}
		}
	}
}

func TestPageOfAnotherOriginLearnsNothing(t *testing.T) {
	t.Parallel()
	h := withPages(t, nil)
	for _, origin := range []string{"https://evil.example", "https://app.example.evil.example", "http://app.example", "null"} {
		asked := ask(h, "OPTIONS", "/schedules", "", "Origin: "+origin, "Access-Control-Request-Method: POST")
		sent := ask(h, "GET", "/schedules/plan", "", "Authorization: Bearer root", "Origin: "+origin)
		if asked.Code != 403 || asked.Header().Get("Access-Control-Allow-Origin")+sent.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %v, %v", origin, asked.Code, asked.Header(), sent.Header())
		}
	}
	if w := ask(h, "OPTIONS", "/schedules", "", "Origin: "+app, "Access-Control-Request-Method: TRACE"); w.Code != 403 {
		t.Errorf("a page may send TRACE: %d", w.Code)
	}
	// Without origins a handler answers as if it knew nothing of cross-origin requests.
	plain := withPages(t, func(c *httpapi.Config) { c.Origins = nil })
	w := ask(plain, "OPTIONS", "/schedules", "", "Origin: "+app, "Access-Control-Request-Method: POST")
	if w.Code == 204 || w.Header().Get("Vary") != "" || w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("without origins: %d %v", w.Code, w.Header())
	}
}

// Pages read headers under the names that the deployment gives them.
func TestExposedHeadersHaveTheNamesOfTheDeployment(t *testing.T) {
	t.Parallel()
	h := withPages(t, func(c *httpapi.Config) {
		c.Origins = []string{"*"}
		c.Vocabulary = httpapi.Vocabulary{Headers: map[string]string{"Operation-Location": "Work-Location"}}
	})
	w := ask(h, "GET", "/schedules", "", "Authorization: Bearer root", "Origin: https://any.example")
	exposed := strings.Split(w.Header().Get("Access-Control-Expose-Headers"), ", ")
	if !slices.Contains(exposed, "Work-Location") || slices.Contains(exposed, "Operation-Location") || w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("exposed are %q to %q", exposed, w.Header().Get("Access-Control-Allow-Origin"))
	}
}

func TestQuestionsOfBrowsersHaveTheAllowanceOfTheirNetwork(t *testing.T) {
	t.Parallel()
	h := withPages(t, func(c *httpapi.Config) { c.Rate = 2 })
	var codes []int
	for range 3 {
		codes = append(codes, ask(h, "OPTIONS", "/schedules", "", "Origin: "+app, "Access-Control-Request-Method: POST").Code)
	}
	if diff := cmp.Diff([]int{204, 204, 429}, codes); diff != "" {
		t.Error(diff)
	}
}

func TestOriginsAreThoseThatBrowsersSend(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"", "app.example", "https://app.example/", "https://App.example", "https://"} {
		_, err := httpapi.New(httpapi.Config{Authenticator: httpapi.StaticTokens(nil), Origins: []string{wrong}})
		if err == nil {
			t.Errorf("%q is taken for an origin", wrong)
		}
	}
}
