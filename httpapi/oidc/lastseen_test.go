package oidc_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/oidc"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

var _ webhooks.VisitorDirectory = (*oidc.Verifier)(nil)

// An application is as in its last token, also when that has expired; a person is not
// remembered.
func TestAnApplicationIsRememberedAsInItsLastToken(t *testing.T) {
	t.Parallel()
	inWorld(t, func(c *oidc.Config) { c.RolesClaim = "groups" }, func(t *testing.T, w *world) {
		robot := map[string]any{"sub": "robot", "azp": nil, "client_id": "robot", "groups": []string{"Account Administrator"}}
		w.want("good", w.k.token(t, "at+jwt", robot), "a token of an application")
		w.want("good", w.k.token(t, "at+jwt", nil), "a token of a person")
		time.Sleep(24 * time.Hour)
		first := time.Now().Add(-24 * time.Hour)
		last := func(issuer, account, id string) (twinplatform.Principal, time.Time, bool) {
			t.Helper()
			who, at, ok, err := w.v.LastSeen(t.Context(), issuer, account, id)
			if err != nil {
				t.Fatal(err)
			}
			return who, at, ok
		}
		who, at, ok := last(realm, "acme", "robot")
		if diff := cmp.Diff([]twinplatform.AdministratorRole{"Account Administrator"}, who.AdministratorRoles); !ok || !at.Equal(first) || who.Issuer != realm || diff != "" {
			t.Errorf("%t, at %s, of %s %s", ok, at, who.Issuer, diff)
		}
		if _, known, _ := w.v.Principal(t.Context(), "acme", "robot"); known {
			t.Error("it may call with a token that has expired")
		}
		robot["groups"] = nil
		w.want("good", w.k.token(t, "at+jwt", robot), "a later token")
		if who, at, ok = last(realm, "acme", "robot"); !ok || len(who.AdministratorRoles) > 0 || !at.Equal(first.Add(24*time.Hour)) {
			t.Errorf("after another token it is %+v, at %s", who, at)
		}
		for name, asked := range map[string][3]string{
			"a person": {realm, "acme", "id-ann"}, "another account": {realm, "other", "robot"}, "another issuer": {"https://other.example", "acme", "robot"},
		} {
			if who, _, ok := last(asked[0], asked[1], asked[2]); ok {
				t.Errorf("%s is known as %+v", name, who)
			}
		}
	})
}
