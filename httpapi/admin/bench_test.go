package admin_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// BenchmarkRequestsCounted answers the shortest of requests with and without metrics,
// alternately, and reports what a request takes with them as a share of what it takes
// without: the middle one of many rounds.
func BenchmarkRequestsCounted(b *testing.B) {
	store := memory.New()
	p := opened(b, store)
	me := twinplatform.Principal{ID: "me", AccountID: "acme", Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
	twin, err := p.Twins.CreateTwin(twinplatform.WithPrincipal(b.Context(), me), twins.NewTwin{Class: "Thing", DisplayName: "Bridge"})
	if err != nil {
		b.Fatal(err)
	}
	requests := admin.NewRequests()
	serving := func(observer httpapi.Observer) http.Handler {
		h, err := httpapi.New(httpapi.Config{
			Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"secret": me}),
			Twins:         p.Twins, Observer: observer, Rate: httpapi.Unlimited,
		})
		if err != nil {
			b.Fatal(err)
		}
		return h
	}
	bare, counted := serving(nil), admin.NewProbes(admin.Version{}, nil).Wrap(serving(requests.Observe))
	round := func(h http.Handler) time.Duration {
		const each = 2000
		began := time.Now()
		for range each {
			r := httptest.NewRequest(http.MethodGet, "/twins/"+twin.Value().ID, nil)
			r.Header.Set("Authorization", "Bearer secret")
			w := httptest.NewRecorder()
			if h.ServeHTTP(w, r); w.Code != http.StatusOK {
				b.Fatal(w.Code, w.Body)
			}
		}
		return time.Since(began) / each
	}
	var ratios []float64
	var took time.Duration
	for b.Loop() {
		// Each goes first as often as the other.
		first, second, third, fourth := round(bare), round(counted), round(counted), round(bare)
		ratios = append(ratios, float64(second+third)/float64(first+fourth))
		took = second
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "counted/bare")
	b.ReportMetric(float64(took.Nanoseconds()), "ns/request")
}
