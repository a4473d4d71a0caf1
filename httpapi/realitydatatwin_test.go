package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// TestDataCenterFollowsTheTwin makes reality data in twins of two data centers.
//
// covers: Reality data: rule dataCenterLocation is that of the twin
func TestDataCenterFollowsTheTwin(t *testing.T) {
	t.Parallel()
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	admin := twinplatform.Principal{
		ID: "admin", AccountID: "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90", Kind: twinplatform.User,
		Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	}
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"admin": admin}), Twins: p.Twins, RealityData: p.RealityData,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, location := range []string{"UK South", "Japan East"} {
		w := ask(h, http.MethodPost, "/twins", `{"class":"Endeavor","displayName":"`+location+`","dataCenterLocation":"`+location+`"}`, "Authorization: Bearer admin")
		_, id, _ := strings.Cut(w.Header().Get("Location"), "/twins/")
		if id == "" {
			t.Fatal(w.Code, w.Body)
		}
		w = ask(h, http.MethodPost, "/reality-management/reality-data", `{"twinId":"`+id+`","displayName":"x","type":"LAS"}`, "Authorization: Bearer admin")
		if w.Code != http.StatusCreated || !strings.Contains(w.Body.String(), `"dataCenterLocation":"`+location+`"`) {
			t.Errorf("%s: %d %s", location, w.Code, w.Body)
		}
	}
}
