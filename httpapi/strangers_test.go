package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	"github.com/seed-933f9a09/twinplatform/httpapi/ratelimit"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
)

// askFrom asks without a token from an address of a client.
func askFrom(h http.Handler, remote, method, target string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, http.NoBody)
	r.RemoteAddr = remote
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const strangersRate = 20

// shownToAll is a handler and, by operation, an address that needs no token with something
// at it.
func shownToAll(t *testing.T, limited func(*httpapi.Config, *clock)) (h *httpapi.Handler, addresses map[string]string) {
	t.Helper()
	c, store := newClock(), memory.New()
	svc := twinsapi.New(store, twinsapi.Config{})
	views := transform.New(store, transform.Config{Twins: svc})
	admin := twinplatform.Principal{ID: "ada", AccountID: "acme", Kind: twinplatform.User, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
	ctx := twinplatform.WithPrincipal(t.Context(), admin)
	made, err := svc.CreateTwin(ctx, twinsapi.NewTwin{Class: "Thing", DisplayName: "A"})
	if err != nil {
		t.Fatal(err)
	}
	img, err := svc.SetTwinImage(ctx, made.Value().ID, strings.NewReader(conversations.PNG(2, 2)))
	if err != nil {
		t.Fatal(err)
	}
	export, err := svc.CreateExport(ctx, twinsapi.ExportRequest{OutputFormat: "Csv"})
	if err != nil {
		t.Fatal(err)
	}
	must[models.Model](t)(views.Models().CreateModel(ctx, models.NewModel{ID: "bim", TwinID: made.Value().ID, DisplayName: "Bim"}))
	must[models.SavedView](t)(views.Models().CreateSavedView(ctx, models.NewSavedView{ID: "view", ModelID: "bim", DisplayName: "All"}))
	shown, err := views.Models().SetViewImage(ctx, "view", strings.NewReader(conversations.PNG(3, 3)))
	if err != nil {
		t.Fatal(err)
	}
	cfg := httpapi.Config{Authenticator: httpapi.StaticTokens(nil), Twins: svc, Transform: views, Env: c.env()}
	limited(&cfg, c)
	if h, err = httpapi.New(cfg); err != nil {
		t.Fatal(err)
	}
	return h, map[string]string{
		"twinImages.read": img.Value.SmallImageURL, "exports.read": string(export.Value().OutputURL), "savedViewImages.read": shown.URL,
		"openapi": "/openapi.json",
	}
}

// limitedBy are the ways to limit requests to strangersRate a minute.
var limitedBy = map[string]func(*testing.T) func(*httpapi.Config, *clock){
	"in memory": func(*testing.T) func(*httpapi.Config, *clock) {
		return func(cfg *httpapi.Config, _ *clock) { cfg.Rate = strangersRate }
	},
	"in the store": func(t *testing.T) func(*httpapi.Config, *clock) {
		return func(cfg *httpapi.Config, c *clock) {
			l, err := ratelimit.New(memory.New(), ratelimit.Config{Rate: strangersRate, Now: c.env().Now})
			if err != nil {
				t.Fatal(err)
			}
			cfg.RateLimiter = l
		}
	},
}

// flooded is how many of fifty times as many requests as are allowed are refused.
func flooded(h http.Handler, target string, remote func(i int) string) (refused int) {
	for i := range 50 * strangersRate {
		if askFrom(h, remote(i), "GET", target).Code == http.StatusTooManyRequests {
			refused++
		}
	}
	return refused
}

// Every operation that needs no token answers the requests of one network however many
// come from another, and what a network guesses takes nothing from an address there is.
func TestNoOperationWithoutATokenIsLostToStrangers(t *testing.T) {
	t.Parallel()
	for name, limit := range limitedBy {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, addresses := shownToAll(t, limit(t))
			for _, o := range httpapi.Operations() {
				address, tried := addresses[o.ID]
				if len(o.Scopes) > 0 {
					continue
				}
				if !tried {
					t.Errorf("%s is not tried", o.ID)
					continue
				}
				if _, names, _ := strings.Cut(o.Path, "{"); names != "" {
					holdGuesses(t, h, o, address)
				}
				if flooded(h, address, func(int) string { return "203.0.113.5:1024" }) == 0 {
					t.Errorf("%s is answered however often it is asked for", o.ID)
				}
				if w := askFrom(h, "203.0.113.6:9", "GET", address); w.Code != http.StatusOK {
					t.Errorf("%s is refused to another network: %d %s", o.ID, w.Code, w.Body)
				}
			}
		})
	}
}

// holdGuesses asks from one network for addresses of the operation's form that there are
// not, and then for one that there is.
func holdGuesses(t *testing.T, h http.Handler, o httpapi.Operation, address string) {
	t.Helper()
	const guesser = "198.51.100.9:7"
	parent, _, _ := strings.Cut(o.Path, "{")
	for _, guess := range []string{parent + "nothing", parent + absentID + "-large.png", address + "x"} {
		flooded(h, guess, func(int) string { return guesser })
	}
	for i := range strangersRate {
		if w := askFrom(h, guesser, "GET", address); w.Code != http.StatusOK {
			t.Errorf("%s, request %d behind guesses: %d %s", o.ID, i, w.Code, w.Body)
		}
	}
}

// However often callers of other networks send requests without a token, a neighbour can
// still read at an address that needs none, and still gets 401 for a wrong token.
func TestStrangersTakeNothingFromNeighbours(t *testing.T) {
	t.Parallel()
	h, addresses := shownToAll(t, limitedBy["in memory"](t))
	delete(addresses, "openapi") // which has no separate address
	flood := func(remote func(i int) string, target string) int { return flooded(h, target, remote) }
	one := func(int) string { return "203.0.113.5:1024" }
	sixtyFour := func(i int) string { return fmt.Sprintf("[2001:db8:1:2:%x::9]:443", i) }
	targets := []string{"/twins", "/nowhere", "/twin-images/" + absentID + "-large.png", "/twin-exports/none.csv"}
	for _, address := range addresses {
		targets = append(targets, address)
	}
	for _, target := range targets {
		for _, remote := range []func(int) string{one, sixtyFour} {
			if flood(remote, target) == 0 {
				t.Errorf("%s is answered however often it is asked for", target)
			}
		}
	}
	for id, address := range addresses {
		for _, neighbour := range []string{"203.0.113.6:9", "[2001:db8:1:3::1]:9"} {
			if w := askFrom(h, neighbour, "GET", address); w.Code != http.StatusOK {
				t.Errorf("%s is refused to a neighbour: %d %s", id, w.Code, w.Body)
			}
		}
	}
	if w := askFrom(h, "203.0.113.6:9", "GET", "/twins"); w.Code != http.StatusUnauthorized {
		t.Errorf("a neighbour without a token: %d", w.Code)
	}
}

// What a network asks for elsewhere does not keep it from an address that there is, and
// what it reads at one address not from another.
func TestAddressesHaveSeparateAllowances(t *testing.T) {
	t.Parallel()
	h, addresses := shownToAll(t, limitedBy["in memory"](t))
	delete(addresses, "openapi") // which has no separate address
	const remote = "198.51.100.7:9"
	for range 5 * strangersRate {
		askFrom(h, remote, "GET", "/twins")
		askFrom(h, remote, "GET", "/twin-images/x")
	}
	for id, address := range addresses {
		for i := range strangersRate + 1 {
			want := http.StatusOK
			if i == strangersRate {
				want = http.StatusTooManyRequests
			}
			if w := askFrom(h, remote, "GET", address); w.Code != want || want != 200 && w.Header().Get("Retry-After") == "" {
				t.Errorf("%s, request %d: %d %v", id, i, w.Code, w.Header())
			}
		}
	}
}
