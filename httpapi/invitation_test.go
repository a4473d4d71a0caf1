package httpapi_test

import (
	"strings"
	"testing"
	"time"

	stdjson "encoding/json"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
)

// accessWorld is a platform with a twin of the account acme, and callers whose tokens are
// their ids. boss administers acme.
type accessWorld struct {
	*platform.Platform
	h    *httpapi.Handler
	now  time.Time
	twin string
}

func newAccessWorld(t *testing.T, callers ...twinplatform.Principal) *accessWorld {
	t.Helper()
	w := &accessWorld{now: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), twin: towerID}
	env := twinplatform.Env{Now: func() time.Time { return w.now }}
	p, err := platform.New(memory.New(), platform.Config{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	w.Platform = p
	tokens := issued{}
	for _, c := range append(callers, twinplatform.Principal{ID: "boss", AccountID: acmeID, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}) {
		c.Kind, c.Scopes = twinplatform.User, []string{twinplatform.ScopePlatform}
		tokens[c.ID] = c
	}
	w.h, err = httpapi.New(httpapi.Config{
		Authenticator: httpapi.BearerTokens(tokens), Env: env, Rate: httpapi.Unlimited, BaseURL: "https://api.test",
		Twins: p.Twins, Schedules: p.Schedules, Transform: p.Transform, RealityData: p.RealityData,
	})
	if err != nil {
		t.Fatal(err)
	}
	must[twinsapi.Twin](t)(p.Twins.CreateTwin(t.Context(), twinsapi.NewTwin{Class: twinsapi.Endeavor, DisplayName: "Tower", ID: w.twin, AccountID: acmeID}))
	return w
}

// want sends a request as a caller and checks its status and what its body holds.
func (w *accessWorld) want(t *testing.T, caller, request, body string, status int, holds string) string {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	rec := ask(w.h, method, strings.ReplaceAll(path, "{twin}", w.twin), body, "Authorization: Bearer "+caller)
	if rec.Code != status || !strings.Contains(rec.Body.String(), holds) {
		t.Errorf("%s: %s: %d, want %d with %q: %s", caller, request, rec.Code, status, holds, rec.Body)
	}
	return rec.Body.String()
}

// owner is the id of the role of owners.
func (w *accessWorld) owner(t *testing.T) string {
	t.Helper()
	page, err := w.Twins.Roles(t.Context(), w.twin, twinsapi.RoleQuery{})
	if err != nil {
		t.Fatal(err)
	}
	roles, err := page.Values()
	if err != nil || len(roles) == 0 {
		t.Fatal(roles, err)
	}
	return roles[0].ID
}

const invitations = "/access-control/twins/{twin}/members/invitations"

// invite invites an address to be an owner, and returns where to accept that.
func (w *accessWorld) invite(t *testing.T, caller, email string) string {
	t.Helper()
	var b struct {
		Invitation struct{ ID string }
	}
	answer := w.want(t, caller, "POST "+invitations, `{"email":"`+email+`","roleIds":["`+w.owner(t)+`"]}`, 201, `"expiresDateTime":"`)
	if err := stdjson.Unmarshal([]byte(answer), &b); err != nil {
		t.Fatal(err)
	}
	return "POST " + invitations + "/" + b.Invitation.ID + "/accept"
}

func TestWhoWasPutOutDoesNotComeBackByAnInvitation(t *testing.T) {
	t.Parallel()
	eve := twinplatform.Principal{ID: "eve", AccountID: otherID, Email: "eve@example.com"}
	friend := twinplatform.Principal{ID: "friend", AccountID: otherID, Email: "friend@kelvin.example"}
	alike := twinplatform.Principal{ID: "alike", AccountID: otherID, Email: "friend@\u212aelvin.example"}
	w := newAccessWorld(t, eve, friend, alike)
	w.want(t, "eve", w.invite(t, "boss", "EVE@example.com"), "", 200, `"id":"eve"`)
	w.want(t, "eve", "POST "+invitations, `{"email":"Eve@example.com","roleIds":["`+w.owner(t)+`"]}`, 422, "InvalidAccessControlRequest")
	again := w.invite(t, "boss", "eve@example.com")
	w.want(t, "boss", "POST "+invitations, `{"email":"eve@EXAMPLE.com","roleIds":["`+w.owner(t)+`"]}`, 409, "invitationExists")
	friends := w.invite(t, "eve", "friend@kelvin.example")
	w.want(t, "alike", friends, "", 404, "InvitationNotFound")
	w.want(t, "boss", "DELETE /access-control/twins/{twin}/members/eve", "", 204, "")
	w.want(t, "eve", again, "", 404, "InvitationNotFound")
	w.want(t, "friend", friends, "", 404, "InvitationNotFound")
	for _, id := range []string{"eve", "friend", "alike"} {
		w.want(t, id, "GET /twins/{twin}", "", 404, "twinNotFound")
	}
	w.want(t, "boss", "GET "+invitations, "", 200, `"invitations":[]`)
	// A new invitation is good, at the same time too, and until it expires.
	later := w.invite(t, "boss", "friend@kelvin.example")
	w.want(t, "eve", w.invite(t, "boss", "eve@example.com"), "", 200, `"id":"eve"`)
	w.now = w.now.Add(twinsapi.InvitationTime)
	w.want(t, "friend", later, "", 409, "InvitationExpired")
	w.want(t, "friend", "GET /twins/{twin}", "", 404, "twinNotFound")
}

func TestInvitationIsWorthWhatItsInviterHolds(t *testing.T) {
	t.Parallel()
	eve := twinplatform.Principal{ID: "eve", AccountID: acmeID, Email: "eve@example.com"}
	friend := twinplatform.Principal{ID: "friend", AccountID: otherID, Email: "friend@example.com"}
	w := newAccessWorld(t, eve, friend)
	w.want(t, "eve", w.invite(t, "boss", "eve@example.com"), "", 200, `"id":"eve"`)
	friends := w.invite(t, "eve", "friend@example.com")
	role := must[twinsapi.Role](t)
	res, err := w.Twins.CreateRole(t.Context(), w.twin, twinsapi.NewRole{DisplayName: "Manager", Permissions: []string{twinsapi.PermissionManageMembers}})
	role(res, err)
	w.want(t, "boss", "PATCH /access-control/twins/{twin}/members/eve", `{"roleIds":["`+res.Value().ID+`"]}`, 200, "Manager")
	w.want(t, "friend", friends, "", 409, "InvitationNotValid")
	w.want(t, "friend", "GET /twins/{twin}", "", 404, "twinNotFound")
}
