package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
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

// shownToAll is a handler and an address that needs no token, with an image at it.
func shownToAll(t *testing.T) (h *httpapi.Handler, addresses map[string]string) {
	t.Helper()
	c, svc := newClock(), twinsapi.New(memory.New(), twinsapi.Config{})
	admin := twinplatform.Principal{ID: "ada", AccountID: "acme", Kind: twinplatform.User, AdministratorRoles: []string{twinplatform.AccountAdministrator}}
	ctx := twinplatform.WithPrincipal(t.Context(), admin)
	made, err := svc.CreateTwin(ctx, twinsapi.NewTwin{Class: "Thing", DisplayName: "A"})
	if err != nil {
		t.Fatal(err)
	}
	img, err := svc.SetTwinImage(ctx, made.Value().ID, strings.NewReader(pngOf(2, 2)))
	if err != nil {
		t.Fatal(err)
	}
	h, err = httpapi.New(httpapi.Config{Authenticator: httpapi.StaticTokens(nil), Twins: svc, Rate: strangersRate, Env: c.env()})
	if err != nil {
		t.Fatal(err)
	}
	return h, map[string]string{"twinImages.read": img.Value.SmallImageURL}
}

// Whatever strangers of other networks ask for without a token, and however often, a
// neighbour reads what an address opens, and is told of a wrong token that it is wrong.
func TestStrangersTakeNothingFromNeighbours(t *testing.T) {
	t.Parallel()
	h, addresses := shownToAll(t)
	flood := func(remote func(i int) string, target string) (refused int) {
		for i := range 5 * strangersRate {
			if askFrom(h, remote(i), "GET", target).Code == http.StatusTooManyRequests {
				refused++
			}
		}
		return refused
	}
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
func TestAddressesHaveAllowancesOfTheirOwn(t *testing.T) {
	t.Parallel()
	h, addresses := shownToAll(t)
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
