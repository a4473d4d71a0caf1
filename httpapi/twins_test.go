package httpapi_test

import (
	stdjson "encoding/json"
	"fmt"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/conversations"
	twinsapi "github.com/seed-933f9a09/twinplatform/twins"
)

// Ids of the twins' world.
const (
	acmeID   = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
	otherID  = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
	towerID  = "11111111-1111-4111-8111-111111111111"
	secretID = "22222222-2222-4222-8222-222222222222"
	absentID = "99999999-9999-4999-8999-999999999999"
)

// newTwinsWorld is a platform with twins in it, always the same:
//
//   - the account acme with the project tower, below it the asset lobby and the
//     inactive work package shell;
//   - the account other with the project secret;
//   - the repository earth for all twins, with the resources relief and sea;
//   - at the tower: the repository of aerial images with the resource aerial:2024;
//   - at the tower: writer, its owner, and reader, with the role of a reader;
//   - admin, who administers acme, stranger, who belongs to acme and has a role
//     there that is worth nothing, foreign, who administers other, and bare, whose
//     token carries no scope.
func newTwinsWorld(t testing.TB) *httpapi.Handler {
	t.Helper()
	return newTwinsWorldOn(t, twinsWorlds.ground(t, newTwinsWorldOn))
}

func newTwinsWorldOn(t testing.TB, on ground) *httpapi.Handler {
	t.Helper()
	var ids atomic.Int64
	env := twinplatform.Env{
		Now:     moment.UTC,
		NewGUID: func() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", ids.Add(1)) },
		Gate:    on.gate,
	}
	svc := twinsapi.New(on.store, twinsapi.Config{Env: env, Repositories: []twinsapi.GlobalRepository{{
		ID:            "earth",
		NewRepository: twinsapi.NewRepository{Class: twinsapi.ClassGIS, SubClass: "UrlTemplate", DisplayName: "Earth", URI: "https://earth.example.com/{z}/{x}/{y}.png"},
		Resources:     []twinsapi.NewRepositoryResource{{ID: "relief", DisplayName: "Relief", Type: "Imagery"}, {ID: "sea", DisplayName: "Sea"}},
	}}})
	addresses := map[string]string{"stranger": "stranger@example.com", "guest": "new@example.com"}
	who := func(id, account string, roles ...twinplatform.AdministratorRole) twinplatform.Principal {
		return twinplatform.Principal{
			ID: id, DisplayName: strings.ToUpper(id[:1]) + id[1:], AccountID: account, Kind: twinplatform.User, Email: addresses[id],
			Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: roles,
		}
	}
	bare := who("bare", acmeID, "Account Administrator")
	bare.Scopes = []string{twinplatform.ScopeWebhooksModify}
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.BearerTokens(issued{
			"writer": who("writer", acmeID), "reader": who("reader", acmeID), "stranger": who("stranger", acmeID),
			"admin": who("admin", acmeID, "Account Administrator"), "foreign": who("foreign", otherID, "Co-Administrator"),
			"nobody": who("nobody", ""), "bare": bare, "guest": who("guest", otherID),
		}),
		Twins: svc, Rate: httpapi.Unlimited, BaseURL: "https://api.test", Env: env,
	})
	if err != nil {
		t.Fatal(err)
	}
	on.plant(func() int64 {
		seedTwins(t, svc, who("stranger", acmeID))
		return 0
	})
	on.rewind(func() { ids.Store(1_000) }) // what a test makes is distinguished from what was there
	return h
}

func seedTwins(t testing.TB, svc *twinsapi.Service, stranger twinplatform.Principal) {
	ctx := t.Context()
	if err := svc.Know(ctx, stranger); err != nil {
		t.Fatal(err)
	}
	made := must[twinsapi.Twin](t)
	made(svc.CreateTwin(ctx, twinsapi.NewTwin{Class: twinsapi.Account, DisplayName: "Acme", Number: "ACME", ID: acmeID}))
	made(svc.CreateTwin(ctx, twinsapi.NewTwin{
		Class: twinsapi.Endeavor, DisplayName: "Tower", Number: "T-1", Type: "High-rise", ID: towerID, AccountID: acmeID,
	}))
	made(svc.CreateTwin(ctx, twinsapi.NewTwin{Class: twinsapi.Thing, DisplayName: "Lobby", Number: "T-2", ParentID: towerID}))
	made(svc.CreateTwin(ctx, twinsapi.NewTwin{
		Class: twinsapi.Endeavor, SubClass: twinsapi.WorkPackage, DisplayName: "Shell", Number: "T-3", Status: twinsapi.Inactive, ParentID: towerID,
	}))
	made(svc.CreateTwin(ctx, twinsapi.NewTwin{Class: twinsapi.Endeavor, DisplayName: "Secret", Number: "S-1", ID: secretID, AccountID: otherID}))
	roles, err := svc.Roles(ctx, towerID, twinsapi.RoleQuery{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := roles.Values()
	if err != nil {
		t.Fatal(err)
	}
	readers, err := svc.CreateRole(ctx, towerID, twinsapi.NewRole{DisplayName: "Reader", Permissions: []string{twinsapi.PermissionRead}})
	must[twinsapi.Role](t)(readers, err)
	must[twinsapi.Role](t)(svc.CreateRole(ctx, towerID, twinsapi.NewRole{DisplayName: "Planner", Permissions: []string{"schedules_modify", "schedules_read"}}))
	must[twinsapi.Member](t)(svc.CreateMember(ctx, towerID, twinsapi.NewMember{ID: "writer", RoleIDs: []string{all[0].ID}}))
	must[twinsapi.Member](t)(svc.CreateMember(ctx, towerID, twinsapi.NewMember{
		ID: "reader", DisplayName: "Reader", Email: "reader@example.com", RoleIDs: []string{readers.Value().ID},
	}))
	must[twinsapi.Invitation](t)(svc.CreateInvitation(ctx, towerID, twinsapi.NewInvitation{Email: "new@example.com", RoleIDs: []string{readers.Value().ID}}))
	aerial, err := svc.CreateRepository(ctx, towerID, twinsapi.NewRepository{
		Class: "GeographicInformationSystem", SubClass: "WebMapTileService", DisplayName: "Aerial images", URI: "https://maps.example.com/aerial",
		Authentication: &twinsapi.RepositoryAuthentication{Type: twinsapi.InHeader, Key: "X-Key", Value: "open sesame"},
	})
	must[twinsapi.Repository](t)(aerial, err)
	must[twinsapi.RepositoryResource](t)(svc.CreateRepositoryResource(ctx, towerID, aerial.Value().ID, twinsapi.NewRepositoryResource{
		ID: "aerial:2024", DisplayName: "Of 2024", Type: "Layer", Properties: twinsapi.RepositoryResourceProperties{"flown": "2024-05-01"},
	}))
	if _, err := svc.SetTwinImage(ctx, towerID, strings.NewReader(conversations.PNG(4, 2))); err != nil {
		t.Fatal(err)
	}
	crew, err := svc.CreateGroup(ctx, towerID, twinsapi.NewGroup{Name: "Surveyors", Description: "Who measures on site.", Members: []string{"surveyor"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := svc.AddGroupMembers(ctx, towerID, []twinsapi.NewGroupMember{{GroupID: crew.Value().ID, RoleIDs: []string{readers.Value().ID}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := svc.CreateShare(ctx, towerID, twinsapi.NewShare{}); err != nil {
		t.Fatal(err)
	}
}

func twinsScenarios(t testing.TB) map[string]*scenario {
	t.Helper()
	return scenariosIn(t, "twins")
}

func TestTwinsScenarios(t *testing.T) {
	t.Parallel()
	holdAll(t, twinsScenarios(t), newTwinsWorld)
}

// requests are one good request to every operation about a twin, with {twin} in place of
// its id.
var twinsRequests = map[string]struct {
	method, path, body string
	// reader and owner are the statuses for these; an administrator of the account always
	// succeeds, as the owner does by default.
	success, reader, owner int
}{
	"exports.create":    {"POST", "/twins/exports", `{"outputFormat":"Csv"}`, 201, 201, 0},
	"exports.list":      {"GET", "/twins/exports", "", 200, 200, 0},
	"exports.get":       {"GET", "/twins/exports/99999999-9999-4999-8999-999999999999", "", 404, 404, 0},
	"twinImages.set":    {"PUT", "/twins/{twin}/image", conversations.PNG(3, 2), 201, 403, 0},
	"twinImages.get":    {"GET", "/twins/{twin}/image", "", 200, 200, 0},
	"twinImages.delete": {"DELETE", "/twins/{twin}/image", "", 204, 403, 0},
	"twins.create":      {"POST", "/twins/", `{"class":"Thing","displayName":"New","parentId":"{twin}"}`, 201, 403, 0},
	"twins.get":         {"GET", "/twins/{twin}", "", 200, 200, 0},
	"twins.update":      {"PATCH", "/twins/{twin}", `{"type":"Spire"}`, 200, 403, 0},
	"twins.delete":      {"DELETE", "/twins/{twin}", "", 409, 403, 403},
	"twins.account":     {"GET", "/twins/{twin}/account", "", 200, 200, 0},
	"favorites.add":     {"POST", "/twins/favorites/{twin}", "", 204, 204, 0},
	"favorites.remove":  {"DELETE", "/twins/favorites/{twin}", "", 204, 204, 0},
	"recents.add":       {"POST", "/twins/recents/{twin}", "", 204, 204, 0},
	"members.list":      {"GET", "/access-control/twins/{twin}/members", "", 200, 200, 0},
	"members.get":       {"GET", "/access-control/twins/{twin}/members/reader", "", 200, 200, 0},
	"members.create":    {"POST", "/access-control/twins/{twin}/members", `{"members":[{"id":"new","roleIds":["{role}"]}]}`, 201, 403, 0},
	"members.update":    {"PATCH", "/access-control/twins/{twin}/members/reader", `{"email":"r@example.com"}`, 200, 403, 0},
	"members.delete":    {"DELETE", "/access-control/twins/{twin}/members/reader", "", 204, 403, 0},
	"users.list":        {"GET", "/access-control/twins/{twin}/members/users", "", 200, 200, 0},
	"users.get":         {"GET", "/access-control/twins/{twin}/members/users/reader", "", 200, 200, 0},
	"users.create":      {"POST", "/access-control/twins/{twin}/members/users", `{"members":[{"email":"newer@example.com","roleIds":["{role}"]}]}`, 201, 403, 0},
	"users.update":      {"PATCH", "/access-control/twins/{twin}/members/users/reader", `{"email":"r@example.com"}`, 200, 403, 0},
	"users.delete":      {"DELETE", "/access-control/twins/{twin}/members/users/reader", "", 204, 403, 0},
	"owners.list":       {"GET", "/access-control/twins/{twin}/members/owners", "", 200, 200, 0},
	"owners.create":     {"POST", "/access-control/twins/{twin}/members/owners", `{"email":"newer@example.com"}`, 201, 403, 0},
	"owners.delete":     {"DELETE", "/access-control/twins/{twin}/members/owners/writer", "", 204, 403, 409},
	"groups.list":       {"GET", "/access-control/twins/{twin}/groups", "", 200, 200, 0},
	"groups.get":        {"GET", "/access-control/twins/{twin}/groups/{group}", "", 200, 200, 0},
	"groups.create":     {"POST", "/access-control/twins/{twin}/groups", `{"name":"New","members":["reader"]}`, 201, 403, 0},
	"groups.update":     {"PATCH", "/access-control/twins/{twin}/groups/{group}", `{"members":[]}`, 200, 403, 0},
	"groups.delete":     {"DELETE", "/access-control/twins/{twin}/groups/{group}", "", 204, 403, 0},

	"groupMembers.list":   {"GET", "/access-control/twins/{twin}/members/groups", "", 200, 200, 0},
	"groupMembers.get":    {"GET", "/access-control/twins/{twin}/members/groups/{group}", "", 200, 200, 0},
	"groupMembers.create": {"POST", "/access-control/twins/{twin}/members/groups", `{"members":[{"groupId":"{group}","roleIds":["{role}"]}]}`, 409, 403, 0},
	"groupMembers.update": {"PATCH", "/access-control/twins/{twin}/members/groups/{group}", `{"roleIds":["{role}"]}`, 200, 403, 0},
	"groupMembers.delete": {"DELETE", "/access-control/twins/{twin}/members/groups/{group}", "", 204, 403, 0},
	"shares.list":         {"GET", "/access-control/twins/{twin}/shares", "", 200, 403, 0},
	"shares.get":          {"GET", "/access-control/twins/{twin}/shares/{share}", "", 200, 403, 0},
	"shares.create":       {"POST", "/access-control/twins/{twin}/shares", `{}`, 201, 403, 0},
	"shares.delete":       {"DELETE", "/access-control/twins/{twin}/shares/{share}", "", 204, 403, 0},
	"users.me":            {"GET", "/users/me", "", 200, 200, 0},
	"permissions.mine":    {"GET", "/access-control/twins/{twin}/permissions", "", 200, 200, 0},
	// No one here has the address that is invited.
	"invitations.accept":                 {"POST", "/access-control/twins/{twin}/members/invitations/{invitation}/accept", "", 404, 404, 404},
	"permissions.list":                   {"GET", "/access-control/permissions", "", 200, 200, 0},
	"permissions.listForTwins":           {"GET", "/access-control/twins/permissions", "", 200, 200, 0},
	"repositories.list":                  {"GET", "/twins/{twin}/repositories", "", 200, 200, 0},
	"repositories.get":                   {"GET", "/twins/{twin}/repositories/00000000-0000-4000-8000-000000000020", "", 200, 200, 0},
	"repositories.create":                {"POST", "/twins/{twin}/repositories", `{"class":"Subsurface","uri":"https://bores.example.com"}`, 201, 403, 0},
	"repositories.update":                {"PATCH", "/twins/{twin}/repositories/00000000-0000-4000-8000-000000000020", `{"displayName":"Map"}`, 200, 403, 0},
	"repositories.delete":                {"DELETE", "/twins/{twin}/repositories/00000000-0000-4000-8000-000000000020", "", 204, 403, 0},
	"repositoryResources.list":           {"GET", "/twins/{twin}/repositories/00000000-0000-4000-8000-000000000020/resources", "", 200, 200, 0},
	"repositoryResources.get":            {"GET", "/twins/{twin}/repositories/00000000-0000-4000-8000-000000000020/resources/aerial:2024", "", 200, 200, 0},
	"repositoryResources.graphics":       {"GET", "/twins/{twin}/repositories/00000000-0000-4000-8000-000000000020/resources/aerial:2024/graphics", "", 200, 200, 0},
	"repositoryResources.metadata":       {"GET", "/twins/{twin}/repositories/00000000-0000-4000-8000-000000000020/resources/aerial:2024/metadata", "", 200, 200, 0},
	"repositoryResources.create":         {"POST", "/twins/{twin}/repositories/00000000-0000-4000-8000-000000000020/resources", `{"id":"aerial:2025","displayName":"Of 2025"}`, 201, 403, 0},
	"repositoryResources.update":         {"PATCH", "/twins/{twin}/repositories/00000000-0000-4000-8000-000000000020/resources/aerial:2024", `{"displayName":"Old"}`, 200, 403, 0},
	"repositoryResources.delete":         {"DELETE", "/twins/{twin}/repositories/00000000-0000-4000-8000-000000000020/resources/aerial:2024", "", 204, 403, 0},
	"globalRepositories.list":            {"GET", "/twins/repositories", "", 200, 200, 0},
	"globalRepositories.get":             {"GET", "/twins/repositories/earth", "", 200, 200, 0},
	"globalRepositoryResources.list":     {"GET", "/twins/repositories/earth/resources", "", 200, 200, 0},
	"globalRepositoryResources.get":      {"GET", "/twins/repositories/earth/resources/relief", "", 200, 200, 0},
	"globalRepositoryResources.graphics": {"GET", "/twins/repositories/earth/resources/relief/graphics", "", 200, 200, 0},
	"roles.list":                         {"GET", "/access-control/twins/{twin}/roles", "", 200, 200, 0},
	"roles.get":                          {"GET", "/access-control/twins/{twin}/roles/{role}", "", 200, 200, 0},
	"roles.create":                       {"POST", "/access-control/twins/{twin}/roles", `{"displayName":"New"}`, 201, 403, 0},
	"roles.update":                       {"PATCH", "/access-control/twins/{twin}/roles/{role}", `{"description":"Plans."}`, 200, 403, 0},
	"roles.delete":                       {"DELETE", "/access-control/twins/{twin}/roles/{role}", "", 204, 403, 0},
	"invitations.list":                   {"GET", "/access-control/twins/{twin}/members/invitations", "", 200, 200, 0},
	"invitations.get":                    {"GET", "/access-control/twins/{twin}/members/invitations/{invitation}", "", 200, 200, 0},
	"invitations.create":                 {"POST", "/access-control/twins/{twin}/members/invitations", `{"email":"n@example.com","roleIds":["{role}"]}`, 201, 403, 0},
	"invitations.delete":                 {"DELETE", "/access-control/twins/{twin}/members/invitations/{invitation}", "", 204, 403, 0},
	"twins.list":                         {"GET", "/twins?parentId={twin}", "", 200, 200, 0},
	"favorites.list":                     {"GET", "/twins/favorites", "", 200, 200, 0},
	"recents.list":                       {"GET", "/twins/recents", "", 200, 200, 0},
	// Every user of the account may know it.
	"twins.myPrimaryAccount": {"GET", "/twins/myprimaryaccount", "", 200, 200, 0},
}

// ofTheCaller are the operations that are about no twin.
var ofTheCaller = []string{
	"globalRepositories.list", "globalRepositories.get", "globalRepositoryResources.list", "globalRepositoryResources.get", "globalRepositoryResources.graphics",
	"permissions.list", "permissions.listForTwins", "twins.list", "favorites.list", "recents.list", "twins.myPrimaryAccount", "exports.list", "exports.create", "users.me",
}

// covers: Errors and permissions of create twin: permission organization administrators
// covers: Everywhere: http rule 401 in every area
func TestEveryTwinsOperationIsHeldToTheRights(t *testing.T) {
	t.Parallel()
	for _, o := range newTwinsWorld(t).Operations() {
		if _, ok := twinsRequests[o.ID]; !ok && len(o.Scopes) > 0 {
			t.Errorf("%s has no request", o.ID)
		}
	}
	for id, r := range twinsRequests {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			owner := r.owner
			if owner == 0 {
				owner = r.success
			}
			for caller, want := range map[string]int{
				"admin": r.success, "writer": owner, "reader": r.reader, "stranger": 404, "foreign": 404, "bare": 401, "unknown": 401, "": 401,
			} {
				h := newTwinsWorld(t)
				w := sendFor(t, h, caller, r.method, r.path, r.body, towerID)
				checkAnswer(t, w)
				if slices.Contains(ofTheCaller, id) && want == 404 {
					want = r.success
				}
				if w.Code != want {
					t.Errorf("%q: %d, want %d: %s", caller, w.Code, want, w.Body)
				}
				if want != 404 {
					continue
				}
				// The same answer as for what is not there.
				missing := sendFor(t, newTwinsWorld(t), caller, r.method, r.path, r.body, absentID)
				if diff := cmp.Diff(shown(missing), shown(w)); diff != "" {
					t.Errorf("%q: what exists differs from what does not:\n%s", caller, diff)
				}
			}
		})
	}
}

// sendFor sends a request about a twin; {role} is a role of the tower that no one has,
// {invitation} the open invitation to it, {group} its group, {share} its share.
func sendFor(t *testing.T, h *httpapi.Handler, caller, method, path, body, twinID string) *httptest.ResponseRecorder {
	t.Helper()
	first := func(path, key, name string) string {
		w := ask(h, "GET", "/access-control/twins/"+towerID+path, "", "Authorization: Bearer admin")
		var page map[string]stdjson.RawMessage
		var items []map[string]any
		if err := stdjson.Unmarshal(w.Body.Bytes(), &page); err != nil {
			t.Fatal(err)
		}
		if err := stdjson.Unmarshal(page[key], &items); err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			if name == "" || item["displayName"] == name {
				return item["id"].(string)
			}
		}
		t.Fatalf("no %s at %s", key, path)
		return ""
	}
	fill := strings.NewReplacer("{twin}", twinID, "{role}", first("/roles", "roles", "Planner"), "{invitation}", first("/members/invitations", "invitations", ""), "{group}", first("/groups", "groups", ""), "{share}", first("/shares", "shares", ""))
	authorization := "Authorization: "
	if caller != "" {
		authorization += "Bearer " + caller
	}
	return ask(h, method, fill.Replace(path), fill.Replace(body), authorization)
}

// covers: operations twinImages.read
func TestImageOfATwinIsServedByItsAddressAlone(t *testing.T) {
	t.Parallel()
	h := newTwinsWorld(t)
	for path, body := range map[string]string{"/twins/" + towerID: `"image":"`, "/twins?$select=id,image&number=T-1": `"image":"`, "/twins/" + towerID + "/image": `"largeImageUrl":"`} {
		w := ask(h, "GET", path, "", "Authorization: Bearer reader")
		_, address, found := strings.Cut(w.Body.String(), body+"https://api.test")
		address, _, _ = strings.Cut(address, `"`)
		if !found {
			t.Fatalf("%s: %s", path, w.Body)
		}
		for _, method := range []string{"GET", "HEAD"} {
			w := ask(h, method, address, "")
			if got := w.Header(); w.Code != 200 || got.Get("Content-Type") != "image/png" || got.Get("Content-Length") != fmt.Sprint(len(conversations.PNG(4, 2))) || got.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s %s: %d %v", method, address, w.Code, got)
			}
			if method == "GET" && w.Body.String() != conversations.PNG(4, 2) {
				t.Errorf("%s: %q", address, w.Body)
			}
		}
	}
	for _, name := range []string{"00000000-0000-4000-8000-000000000021-small.jpeg", absentID + "-large.png", "x"} {
		w := ask(h, "GET", "/twin-images/"+name, "")
		if checkAnswer(t, w); w.Code != 404 || !strings.Contains(w.Body.String(), `"code":"twinImageNotFound"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	w := ask(h, "PUT", "/twins/"+towerID+"/image", strings.Repeat("x", twinsapi.MaxImageBytes+1), "Authorization: Bearer writer")
	if checkAnswer(t, w); w.Code != 413 {
		t.Errorf("an image that is too large: %d %s", w.Code, w.Body)
	}
}

// covers: operations exports.read
func TestFileOfAnExportIsServedByItsAddressAlone(t *testing.T) {
	t.Parallel()
	h := newTwinsWorld(t)
	made := ask(h, "POST", "/twins/exports", `{"outputFormat":"Csv","select":"number,displayName","filter":"number eq 'T-1'"}`, "Authorization: Bearer reader")
	_, address, found := strings.Cut(made.Body.String(), `"outputUrl":"https://api.test`)
	address, _, _ = strings.Cut(address, `"`)
	if !found {
		t.Fatal(made.Body)
	}
	const want = "number,displayName\nT-1,Tower\n"
	w := ask(h, "GET", address, "")
	if got := w.Header(); w.Code != 200 || w.Body.String() != want || got.Get("Content-Type") != "text/csv; charset=utf-8" || got.Get("Content-Length") != fmt.Sprint(len(want)) {
		t.Errorf("%d %v %q", w.Code, got, w.Body)
	}
	for _, name := range []string{absentID + ".csv", "x"} {
		w := ask(h, "GET", "/twin-exports/"+name, "")
		if checkAnswer(t, w); w.Code != 404 || !strings.Contains(w.Body.String(), `"code":"twinExportNotFound"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	id := path.Base(made.Header().Get("Location"))
	for _, caller := range []string{"admin", "foreign"} {
		if w := ask(h, "GET", "/twins/exports/"+id, "", "Authorization: Bearer "+caller); w.Code != 404 {
			t.Errorf("%s sees the export of another: %d %s", caller, w.Code, w.Body)
		}
	}
}

// A permission that no one asks for is refused in a role, with the one that was meant.
func TestMisspeltPermissionsOfRolesAreRefusedWithTheNearestKnownName(t *testing.T) {
	t.Parallel()
	h := newTwinsWorld(t)
	roles := "/access-control/twins/" + towerID + "/roles"
	made := ask(h, "POST", roles, `{"displayName":"Clerk","permissions":["schedules_read"]}`, "Authorization: Bearer admin")
	if made.Code != 201 {
		t.Fatalf("%d %s", made.Code, made.Body)
	}
	for _, tt := range []struct{ method, path string }{{"POST", roles}, {"PATCH", made.Header().Get("Location")}} {
		for misspelt, near := range map[string]string{
			"schedule_read": "schedules_read", "Forms_Veiw": "Forms_ViewAccess", "SCHEDULES_MODIFY": "schedules_modify", "twin_read": "twins_read",
		} {
			body := `{"displayName":"Other","permissions":["schedules_read","` + misspelt + `"]}`
			w := ask(h, tt.method, strings.TrimPrefix(tt.path, "https://api.test"), body, "Authorization: Bearer admin")
			if want := "There is no permission '" + misspelt + "'; did you mean '" + near + "'?"; w.Code != 422 || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s with %s: %d %s", tt.method, misspelt, w.Code, w.Body)
			}
		}
	}
}
