package twins_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// places are what the calls of the matrix are about.
type places struct{ twin, role, spareRole, member, invitation, repository string }

// calls are all operations on one twin.
var calls = map[string]struct {
	call func(ctx context.Context, w *world, p places) error
	// may are those besides the owner, the administrator and the system who may
	// make the call.
	may []string
}{
	"Twin":    {func(ctx context.Context, w *world, p places) error { _, err := w.Twin(ctx, p.twin); return err }, []string{"reader"}},
	"Account": {func(ctx context.Context, w *world, p places) error { _, err := w.Account(ctx, p.twin); return err }, []string{"reader"}},
	"UpdateTwin": {func(ctx context.Context, w *world, p places) error {
		_, err := w.UpdateTwin(ctx, p.twin, twins.TwinPatch{Type: twinplatform.Set("T")})
		return err
	}, nil},
	"CreateTwin": {func(ctx context.Context, w *world, p places) error {
		_, err := w.CreateTwin(ctx, twins.NewTwin{Class: twins.Thing, DisplayName: "Child", ParentID: p.twin})
		return err
	}, nil},
	"DeleteTwin":     {func(ctx context.Context, w *world, p places) error { return w.DeleteTwin(ctx, p.twin) }, []string{"!owner"}},
	"AddFavorite":    {func(ctx context.Context, w *world, p places) error { return w.AddFavorite(ctx, p.twin) }, []string{"reader"}},
	"RemoveFavorite": {func(ctx context.Context, w *world, p places) error { return w.RemoveFavorite(ctx, p.twin) }, []string{"reader"}},
	"AddRecent":      {func(ctx context.Context, w *world, p places) error { return w.AddRecent(ctx, p.twin) }, []string{"reader"}},
	"Roles": {func(ctx context.Context, w *world, p places) error {
		_, err := w.Roles(ctx, p.twin, twins.RoleQuery{})
		return err
	}, []string{"reader"}},
	"Role": {func(ctx context.Context, w *world, p places) error { _, err := w.Role(ctx, p.twin, p.role); return err }, []string{"reader"}},
	"CreateRole": {func(ctx context.Context, w *world, p places) error {
		_, err := w.CreateRole(ctx, p.twin, twins.NewRole{DisplayName: "New"})
		return err
	}, nil},
	"UpdateRole": {func(ctx context.Context, w *world, p places) error {
		_, err := w.UpdateRole(ctx, p.twin, p.role, twins.RolePatch{DisplayName: twinplatform.Set("Renamed")})
		return err
	}, nil},
	"DeleteRole": {func(ctx context.Context, w *world, p places) error { return w.DeleteRole(ctx, p.twin, p.spareRole) }, nil},
	"Members": {func(ctx context.Context, w *world, p places) error {
		_, err := w.Members(ctx, p.twin, twins.MemberQuery{})
		return err
	}, []string{"reader"}},
	"Member": {func(ctx context.Context, w *world, p places) error {
		_, err := w.Member(ctx, p.twin, p.member)
		return err
	}, []string{"reader"}},
	"CreateMember": {func(ctx context.Context, w *world, p places) error {
		_, err := w.CreateMember(ctx, p.twin, twins.NewMember{ID: "new", RoleIDs: []string{p.role}})
		return err
	}, nil},
	"UpdateMember": {func(ctx context.Context, w *world, p places) error {
		_, err := w.UpdateMember(ctx, p.twin, p.member, twins.MemberPatch{RoleIDs: twinplatform.Set([]string{p.role, p.spareRole})})
		return err
	}, nil},
	"DeleteMember": {func(ctx context.Context, w *world, p places) error { return w.DeleteMember(ctx, p.twin, p.member) }, nil},
	"TwinImage": {func(ctx context.Context, w *world, p places) error {
		_, err := w.TwinImage(ctx, p.twin)
		return err
	}, []string{"reader"}},
	"SetTwinImage": {func(ctx context.Context, w *world, p places) error {
		_, err := w.SetTwinImage(ctx, p.twin, strings.NewReader(picture(1, 1)))
		return err
	}, nil},
	"DeleteTwinImage": {func(ctx context.Context, w *world, p places) error { return w.DeleteTwinImage(ctx, p.twin) }, nil},
	"Repositories": {func(ctx context.Context, w *world, p places) error {
		_, err := w.Repositories(ctx, p.twin, twins.RepositoryQuery{})
		return err
	}, []string{"reader"}},
	"Repository": {func(ctx context.Context, w *world, p places) error {
		_, err := w.Repository(ctx, p.twin, p.repository)
		return err
	}, []string{"reader"}},
	"CreateRepository": {func(ctx context.Context, w *world, p places) error {
		_, err := w.CreateRepository(ctx, p.twin, twins.NewRepository{Class: "Subsurface", URI: "https://bores.example.com"})
		return err
	}, nil},
	"UpdateRepository": {func(ctx context.Context, w *world, p places) error {
		_, err := w.UpdateRepository(ctx, p.twin, p.repository, twins.RepositoryPatch{DisplayName: twinplatform.Set("Map")})
		return err
	}, nil},
	"DeleteRepository": {func(ctx context.Context, w *world, p places) error {
		return w.DeleteRepository(ctx, p.twin, p.repository)
	}, nil},
	"RepositoryResources": {func(ctx context.Context, w *world, p places) error {
		_, err := w.RepositoryResources(ctx, p.twin, p.repository, twins.RepositoryResourceQuery{})
		return err
	}, []string{"reader"}},
	"RepositoryResource": {func(ctx context.Context, w *world, p places) error {
		_, err := w.RepositoryResource(ctx, p.twin, p.repository, "bore")
		return err
	}, []string{"reader"}},
	"RepositoryResourceGraphics": {func(ctx context.Context, w *world, p places) error {
		_, err := w.RepositoryResourceGraphics(ctx, p.twin, p.repository, "bore")
		return err
	}, []string{"reader"}},
	"RepositoryResourceMetadata": {func(ctx context.Context, w *world, p places) error {
		_, err := w.RepositoryResourceMetadata(ctx, p.twin, p.repository, "bore")
		return err
	}, []string{"reader"}},
	"CreateRepositoryResource": {func(ctx context.Context, w *world, p places) error {
		_, err := w.CreateRepositoryResource(ctx, p.twin, p.repository, twins.NewRepositoryResource{ID: "shaft", DisplayName: "Shaft"})
		return err
	}, nil},
	"UpdateRepositoryResource": {func(ctx context.Context, w *world, p places) error {
		_, err := w.UpdateRepositoryResource(ctx, p.twin, p.repository, "bore", twins.RepositoryResourcePatch{DisplayName: twinplatform.Set("Shaft")})
		return err
	}, nil},
	"DeleteRepositoryResource": {func(ctx context.Context, w *world, p places) error {
		return w.DeleteRepositoryResource(ctx, p.twin, p.repository, "bore")
	}, nil},
	"Invitations": {func(ctx context.Context, w *world, p places) error {
		_, err := w.Invitations(ctx, p.twin, twins.InvitationQuery{})
		return err
	}, []string{"reader"}},
	"Invitation": {func(ctx context.Context, w *world, p places) error {
		_, err := w.Invitation(ctx, p.twin, p.invitation)
		return err
	}, []string{"reader"}},
	"CreateInvitation": {func(ctx context.Context, w *world, p places) error {
		_, err := w.CreateInvitation(ctx, p.twin, twins.NewInvitation{Email: "n@b.c", RoleIDs: []string{p.role}})
		return err
	}, nil},
	"DeleteInvitation": {func(ctx context.Context, w *world, p places) error {
		return w.DeleteInvitation(ctx, p.twin, p.invitation)
	}, nil},
}

// What a caller may not see is the same as what is not there, whatever it asks.
//
// covers: Errors and permissions of create twin: permission organization administrators
// covers: operations of twins
// covers: operations of accessControl
func TestEveryCallIsHeldToTheRights(t *testing.T) {
	t.Parallel()
	callers := map[string]func(*testing.T) context.Context{
		"owner":         func(t *testing.T) context.Context { return as(t, user("owner", acme)) },
		"reader":        func(t *testing.T) context.Context { return as(t, user("reader", acme)) },
		"stranger":      func(t *testing.T) context.Context { return as(t, user("stranger", acme)) },
		"nobody":        func(t *testing.T) context.Context { return as(t, user("", acme)) },
		"other account": func(t *testing.T) context.Context { return as(t, user("boss", other, "Account Administrator")) },
		"administrator": func(t *testing.T) context.Context { return admin(t) },
		"system":        func(t *testing.T) context.Context { return t.Context() },
	}
	for name, c := range calls {
		for caller, ctx := range callers {
			t.Run(name+" by "+caller, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, twins.Config{})
				p := newPlaces(t, w)
				err := c.call(ctx(t), w, p)
				absent := c.call(ctx(t), w, absentFrom(p))
				if !errors.Is(absent, twinplatform.NotFound) {
					t.Errorf("on a twin that is missing: %v", absent)
				}
				switch {
				case slices.Contains([]string{"stranger", "nobody", "other account"}, caller):
					if diff := cmp.Diff(absent.Error(), err.Error()); diff != "" || !errors.Is(err, twinplatform.NotFound) {
						t.Errorf("a twin that is not for the caller differs from one that is missing:\n%s", diff)
					}
				case caller == "reader" && !slices.Contains(c.may, "reader"), caller == "owner" && slices.Contains(c.may, "!owner"):
					wantProblem(t, err, twinplatform.Forbidden, "InsufficientPermissions :")
				case err != nil:
					t.Error(err)
				}
			})
		}
	}
}

func newPlaces(t *testing.T, w *world) (p places) {
	t.Helper()
	parent := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Parent"})
	w.grant(t, parent.ID, "owner", twins.PermissionCreate)
	p.twin = w.twin(t, as(t, user("owner", acme)), twins.NewTwin{DisplayName: "Mine", ParentID: parent.ID}).ID
	p.role = w.grant(t, p.twin, "reader", twins.PermissionRead).ID
	p.member = "reader"
	spare, err := w.CreateRole(t.Context(), p.twin, twins.NewRole{DisplayName: "Spare", Permissions: []string{twinplatform.PermissionSchedulesRead}})
	if err != nil {
		t.Fatal(err)
	}
	p.spareRole = spare.Value().ID
	invitation, err := w.CreateInvitation(t.Context(), p.twin, twins.NewInvitation{Email: "a@b.c", RoleIDs: []string{p.role}})
	if err != nil {
		t.Fatal(err)
	}
	p.invitation = invitation.Value().ID
	repository, err := w.CreateRepository(t.Context(), p.twin, twins.NewRepository{Class: "Subsurface", URI: "https://soil.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	p.repository = repository.Value().ID
	if _, err := w.CreateRepositoryResource(t.Context(), p.twin, p.repository, twins.NewRepositoryResource{ID: "bore", DisplayName: "Bore"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.SetTwinImage(t.Context(), p.twin, strings.NewReader(picture(4, 2))); err != nil {
		t.Fatal(err)
	}
	return p
}

// absentFrom are the same calls at a twin that is not there.
func absentFrom(p places) places {
	p.twin = nada
	return p
}

// deny is an authorizer that lets one principal read and no one else anything.
type deny struct{ reader string }

func (d deny) Allowed(_ context.Context, p twinplatform.Principal, permission string, _ twinplatform.Target) (bool, error) {
	if p.ID == "broken" {
		return false, errors.New("cannot say")
	}
	return p.ID == d.reader && permission == twins.PermissionRead, nil
}

func TestAnotherAuthorizerDecidesAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{Env: twinplatform.Env{Authorizer: deny{"reader"}}})
	a := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A", AccountID: acme})
	w.twin(t, t.Context(), twins.NewTwin{DisplayName: "B", AccountID: acme, Status: twins.Inactive})
	w.twin(t, t.Context(), twins.NewTwin{DisplayName: "C", AccountID: acme})
	w.grant(t, a.ID, "member", twins.PermissionModify)

	page, err := w.Twins(as(t, user("reader", other)), twins.TwinQuery{})
	wantNames(t, names(t, page, err), acme, "A", "C")
	page, err = w.Twins(as(t, user("reader", other)), twins.TwinQuery{Skip: 1, ListOptions: twinplatform.ListOptions{Top: 1}})
	if err != nil || page.Len() != 1 || page.Next != "2" {
		t.Errorf("page of %d, next %q: %v", page.Len(), page.Next, err)
	}
	page, err = w.Twins(as(t, user("member", acme)), twins.TwinQuery{})
	wantNames(t, names(t, page, err))
	page, err = w.Twins(admin(t), twins.TwinQuery{DisplayName: "A"})
	wantNames(t, names(t, page, err), "A")
	_, err = w.Twin(as(t, user("member", acme)), a.ID)
	wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
	for _, call := range []func() error{
		func() error { _, err := w.Twins(as(t, user("broken", acme)), twins.TwinQuery{}); return err },
		func() error { _, err := w.Twin(as(t, user("broken", acme)), a.ID); return err },
	} {
		if err := call(); err == nil || errors.Is(err, twinplatform.NotFound) {
			t.Errorf("an authorizer that cannot say: %v", err)
		}
	}
}
