package twins_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestRoleHasEveryFieldOfTheRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{Permissions: []string{"my-own.permission:x"}})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	res, err := w.CreateRole(admin(t), twin.ID, twins.NewRole{
		DisplayName: "Planner", Description: "Plans.", Permissions: []string{"schedules_read", "schedules_modify", "schedules_read", "my-own.permission:x"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"description":"Plans.","displayName":"Planner","id":"` + res.Value().ID + `","permissions":["my-own.permission:x","schedules_modify","schedules_read"],"type":"Custom"}`
	rec, err := w.Role(admin(t), twin.ID, res.Value().ID)
	if got := string(rec.JSON); got != want || err != nil {
		t.Errorf("role %s, %v\nwant %s", got, err, want)
	}
	res, err = w.UpdateRole(admin(t), twin.ID, rec.Value.ID, twins.RolePatch{
		DisplayName: twinplatform.Set("Reader"), Description: twinplatform.Null[string](), Permissions: twinplatform.Null[[]string](),
	}, twinplatform.IfMatch(rec.ETag))
	want = `{"description":null,"displayName":"Reader","id":"` + res.Value().ID + `","permissions":[],"type":"Custom"}`
	if err != nil || string(res.Records[0].JSON) != want {
		t.Errorf("role %+v, %v\nwant %s", res.Value(), err, want)
	}
	_, err = w.UpdateRole(admin(t), twin.ID, rec.Value.ID, twins.RolePatch{DisplayName: twinplatform.Set("X")}, twinplatform.IfMatch(rec.ETag))
	wantProblem(t, err, twinplatform.Conflict, "VersionMismatch ifMatch:")
	if err := w.DeleteRole(admin(t), twin.ID, rec.Value.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.Role(admin(t), twin.ID, rec.Value.ID)
	wantProblem(t, err, twinplatform.NotFound, "RoleNotFound roleId:")
	wantProblem(t, w.DeleteRole(admin(t), twin.ID, rec.Value.ID), twinplatform.NotFound, "RoleNotFound roleId:")
	_, err = w.UpdateRole(admin(t), twin.ID, rec.Value.ID, twins.RolePatch{})
	wantProblem(t, err, twinplatform.NotFound, "RoleNotFound roleId:")
}

func TestRolesAndMembersAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "m", "schedules_read")
	roles, err := w.Roles(admin(t), twin.ID, twins.RoleQuery{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := roles.Values()
	if err != nil {
		t.Fatal(err)
	}
	owner := all[slices.IndexFunc(all, func(r twins.Role) bool { return r.Owner })]
	long := strings.Repeat("x", 256)
	newRole := func(n twins.NewRole) func() error {
		return func() error { _, err := w.CreateRole(admin(t), twin.ID, n); return err }
	}
	newMember := func(n twins.NewMember) func() error {
		return func() error { _, err := w.CreateMember(admin(t), twin.ID, n); return err }
	}
	patchMember := func(id string, p twins.MemberPatch, pre ...twinplatform.Precondition) func() error {
		return func() error { _, err := w.UpdateMember(admin(t), twin.ID, id, p, pre...); return err }
	}
	invite := func(n twins.NewInvitation) func() error {
		return func() error { _, err := w.CreateInvitation(admin(t), twin.ID, n); return err }
	}
	const invalid = "InvalidAccessControlRequest : "
	tests := map[string]struct {
		call func() error
		kind twinplatform.Kind
		want string
	}{
		"role without a name":              {newRole(twins.NewRole{}), twinplatform.Unprocessable, invalid + "MissingRequiredProperty displayName"},
		"role with too long texts":         {newRole(twins.NewRole{DisplayName: long, Description: twinplatform.NullString(long)}), twinplatform.Unprocessable, invalid + "InvalidValue description, InvalidValue displayName"},
		"role with a malformed permission": {newRole(twins.NewRole{DisplayName: "A", Permissions: []string{"a b"}}), twinplatform.Unprocessable, invalid + "InvalidValue permissions"},
		"role with all permissions":        {newRole(twins.NewRole{DisplayName: "A", Permissions: []string{twins.PermissionAll}}), twinplatform.Unprocessable, invalid + "InvalidValue permissions"},
		"role with a too long permission":  {newRole(twins.NewRole{DisplayName: "A", Permissions: []string{long[:101]}}), twinplatform.Unprocessable, invalid + "InvalidValue permissions"},
		"role of a used name":              {newRole(twins.NewRole{DisplayName: "Owner"}), twinplatform.Conflict, "roleExists : InvalidValue displayName"},
		"owner role changed": {func() error {
			_, err := w.UpdateRole(admin(t), twin.ID, owner.ID, twins.RolePatch{DisplayName: twinplatform.Set("X")})
			return err
		}, twinplatform.Conflict, "OwnerRole :"},
		"owner role deleted": {func() error { return w.DeleteRole(admin(t), twin.ID, owner.ID) }, twinplatform.Conflict, "OwnerRole :"},
		"used role deleted":  {func() error { return w.DeleteRole(admin(t), twin.ID, role.ID) }, twinplatform.Conflict, "RoleInUse :"},

		"member with nothing": {newMember(twins.NewMember{}), twinplatform.Unprocessable, invalid + "MissingRequiredProperty id, MissingRequiredProperty roleIds"},
		"member with everything wrong": {
			newMember(twins.NewMember{ID: long, MemberType: "Robot", DisplayName: twinplatform.NullString(long), Email: "nobody", RoleIDs: []string{"x"}}),
			twinplatform.Unprocessable, invalid + "InvalidValue displayName, InvalidValue email, InvalidValue id, InvalidValue memberType",
		},
		"member that no path names":    {newMember(twins.NewMember{ID: "..", RoleIDs: []string{role.ID}}), twinplatform.Unprocessable, invalid + "InvalidValue id"},
		"member with unknown roles":    {newMember(twins.NewMember{ID: "n", RoleIDs: []string{"x", role.ID, "y"}}), twinplatform.Unprocessable, invalid + "InvalidValue roleIds, InvalidValue roleIds"},
		"member added again":           {newMember(twins.NewMember{ID: "m", RoleIDs: []string{role.ID}}), twinplatform.Conflict, "memberExists : InvalidValue id"},
		"member that is missing":       {patchMember("n", twins.MemberPatch{}), twinplatform.NotFound, "TeamMemberNotFound memberId:"},
		"member left without roles":    {patchMember("m", twins.MemberPatch{RoleIDs: twinplatform.Set([]string{})}), twinplatform.Unprocessable, invalid + "MissingRequiredProperty roleIds"},
		"member given unknown roles":   {patchMember("m", twins.MemberPatch{RoleIDs: twinplatform.Set([]string{"x"})}), twinplatform.Unprocessable, invalid + "InvalidValue roleIds"},
		"member of an old version":     {patchMember("m", twins.MemberPatch{Email: twinplatform.Set("a@b")}, twinplatform.IfMatch(`"x"`)), twinplatform.Conflict, "VersionMismatch ifMatch:"},
		"missing member removed":       {func() error { return w.DeleteMember(admin(t), twin.ID, "n") }, twinplatform.NotFound, "TeamMemberNotFound memberId:"},
		"invitation with nothing":      {invite(twins.NewInvitation{}), twinplatform.Unprocessable, invalid + "MissingRequiredProperty email, MissingRequiredProperty roleIds"},
		"invitation with unknown role": {invite(twins.NewInvitation{Email: "a@b", RoleIDs: []string{"x"}}), twinplatform.Unprocessable, invalid + "InvalidValue roleIds"},
		"missing invitation withdrawn": {func() error { return w.DeleteInvitation(admin(t), twin.ID, nada) }, twinplatform.NotFound, "InvitationNotFound invitationId:"},
		"missing invitation accepted": {func() error {
			_, err := w.AcceptInvitation(t.Context(), twin.ID, nada, twins.NewMember{ID: "n"})
			return err
		}, twinplatform.NotFound, "InvitationNotFound invitationId:"},
		"invitation accepted by another": {func() error {
			_, err := w.AcceptInvitation(admin(t), twin.ID, nada, twins.NewMember{ID: "n"})
			return err
		}, twinplatform.NotFound, "InvitationNotFound invitationId:"},
		"list of members": {func() error { _, err := w.Members(admin(t), twin.ID, twins.MemberQuery{Skip: -1}); return err }, twinplatform.Unprocessable, invalid + "InvalidValue skip"},
		"list of roles": {func() error {
			_, err := w.Roles(admin(t), twin.ID, twins.RoleQuery{ListOptions: twinplatform.ListOptions{Top: 1001}})
			return err
		}, twinplatform.Unprocessable, invalid + "InvalidValue top"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblem(t, test.call(), test.kind, test.want)
		})
	}
}

func TestMemberHasEveryFieldOfTheRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A", AccountID: acme})
	role := w.grant(t, twin.ID, "x", "schedules_read")
	// Ids of principals come from elsewhere and may hold anything.
	const id = "auth0|a/b c"
	res, err := w.CreateMember(admin(t), twin.ID, twins.NewMember{
		ID: id, MemberType: twinplatform.Service, DisplayName: "Robot", Email: "robot@example.com", RoleIDs: []string{role.ID, role.ID},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"createdDateTime":"2026-01-31T09:00:00Z","displayName":"Robot","email":"robot@example.com","id":"` + id + `","memberType":"Service","roleIds":["` + role.ID + `"],"roles":[{"description":null,"displayName":"role of x","id":"` + role.ID + `","permissions":["schedules_read"],"type":"Custom"}]}`
	rec, err := w.Member(admin(t), twin.ID, id)
	if got := string(rec.JSON); got != want || err != nil || rec.ETag != res.Records[0].ETag {
		t.Errorf("member %s, %v\nwant %s", got, err, want)
	}
	w.wantAllowed(t, true, user(id, acme), "schedules_read", twin.ID)
	w.wantAllowed(t, false, user("auth0|a", acme), "schedules_read", twin.ID)
	res, err = w.UpdateMember(admin(t), twin.ID, id, twins.MemberPatch{DisplayName: twinplatform.Null[string](), Email: twinplatform.Null[string]()}, twinplatform.IfMatch(rec.ETag))
	if m := res.Value(); err != nil || m.DisplayName != "" || m.Email != "" || len(m.RoleIDs) != 1 {
		t.Errorf("patched member %+v, %v", m, err)
	}
	page, err := w.Members(as(t, user(id, acme)), twin.ID, twins.MemberQuery{ListOptions: twinplatform.ListOptions{Top: 1}})
	if err != nil || page.Len() != 1 || page.Next != "1" || page.ETag == "" || page.Delta != "" {
		t.Errorf("page of %d, next %q, %v", page.Len(), page.Next, err)
	}
	var ids []string
	for m, err := range twinplatform.AllIn(admin(t), w.Members, twin.ID, twins.MemberQuery{ListOptions: twinplatform.ListOptions{Top: 1}}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.ID)
	}
	if diff := cmp.Diff([]string{id, "x"}, ids); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	if err := w.DeleteMember(admin(t), twin.ID, id); err != nil {
		t.Fatal(err)
	}
	_, err = w.Member(admin(t), twin.ID, id)
	wantProblem(t, err, twinplatform.NotFound, "TeamMemberNotFound memberId:")
}

func TestCallersGrantAndRevokeOnlyWhatTheyHold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	parent := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Parent"})
	w.grant(t, parent.ID, "maker", twins.PermissionCreate)
	twin := w.twin(t, as(t, user("maker", acme)), twins.NewTwin{DisplayName: "A", ParentID: parent.ID})
	rec, err := w.Member(t.Context(), twin.ID, "maker")
	if err != nil {
		t.Fatal(err)
	}
	owner := rec.Value.RoleIDs[0]
	high := w.grant(t, twin.ID, "high", twins.PermissionModify)
	low := w.grant(t, twin.ID, "manager", twins.PermissionManageMembers, twins.PermissionManageRoles, twinplatform.PermissionSchedulesRead)
	manager := as(t, user("manager", acme))
	invitation, err := w.CreateInvitation(manager, twin.ID, twins.NewInvitation{Email: "a@b", RoleIDs: []string{low.ID}})
	if err != nil {
		t.Error("a manager cannot give what it holds:", err)
	}
	refused := map[string]func() error{
		"gives itself the owner role": func() error {
			_, err := w.UpdateMember(manager, twin.ID, "manager", twins.MemberPatch{RoleIDs: twinplatform.Set([]string{owner})})
			return err
		},
		"adds an owner": func() error {
			_, err := w.CreateMember(manager, twin.ID, twins.NewMember{ID: "n", RoleIDs: []string{owner}})
			return err
		},
		"adds a higher member": func() error {
			_, err := w.CreateMember(manager, twin.ID, twins.NewMember{ID: "n", RoleIDs: []string{low.ID, high.ID}})
			return err
		},
		"invites a higher member": func() error {
			_, err := w.CreateInvitation(manager, twin.ID, twins.NewInvitation{Email: "a@b", RoleIDs: []string{high.ID}})
			return err
		},
		"removes the owner": func() error { return w.DeleteMember(manager, twin.ID, "maker") },
		"lowers a higher member": func() error {
			_, err := w.UpdateMember(manager, twin.ID, "high", twins.MemberPatch{RoleIDs: twinplatform.Set([]string{low.ID})})
			return err
		},
		"raises its role": func() error {
			_, err := w.UpdateRole(manager, twin.ID, low.ID, twins.RolePatch{Permissions: twinplatform.Set([]string{twins.PermissionModify})})
			return err
		},
		"lowers a higher role": func() error {
			_, err := w.UpdateRole(manager, twin.ID, high.ID, twins.RolePatch{Permissions: twinplatform.Set([]string{})})
			return err
		},
		"deletes a higher role": func() error { return w.DeleteRole(manager, twin.ID, high.ID) },
		"makes a higher role": func() error {
			_, err := w.CreateRole(manager, twin.ID, twins.NewRole{DisplayName: "N", Permissions: []string{twins.PermissionModify}})
			return err
		},
	}
	for name, call := range refused {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblem(t, call(), twinplatform.Forbidden, "InsufficientPermissions :")
		})
	}
	t.Run("gives and takes what it holds", func(t *testing.T) {
		t.Parallel()
		if err := w.DeleteInvitation(manager, twin.ID, invitation.Value().ID); err != nil {
			t.Error(err)
		}
		if _, err := w.CreateMember(manager, twin.ID, twins.NewMember{ID: "n", RoleIDs: []string{low.ID}}); err != nil {
			t.Error(err)
		}
		if err := w.DeleteMember(manager, twin.ID, "n"); err != nil {
			t.Error(err)
		}
	})
}

func TestInvitationMakesAMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "x", "schedules_read")
	res, err := w.CreateInvitation(admin(t), twin.ID, twins.NewInvitation{Email: "new@example.com", RoleIDs: []string{role.ID}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"createdBy":"admin","createdDateTime":"2026-01-31T09:00:00Z","email":"new@example.com","expiresDateTime":"2026-02-14T09:00:00Z","id":"` + res.Value().ID + `","invitedByEmail":null,"roleIds":["` + role.ID + `"],"roles":[{"description":null,"displayName":"role of x","id":"` + role.ID + `","permissions":["schedules_read"],"type":"Custom"}],"status":"Pending"}`
	page, err := w.Invitations(admin(t), twin.ID, twins.InvitationQuery{})
	if err != nil || page.Len() != 1 || string(page.JSON()[0]) != want {
		t.Errorf("invitations %s, %v\nwant %s", page.JSON(), err, want)
	}
	rec, err := w.Invitation(admin(t), twin.ID, res.Value().ID)
	if err != nil || string(rec.JSON) != want {
		t.Errorf("invitation %s, %v\nwant %s", rec.JSON, err, want)
	}
	wantProblem(t, w.DeleteRole(admin(t), twin.ID, role.ID), twinplatform.Conflict, "RoleInUse :")
	member, err := w.AcceptInvitation(t.Context(), twin.ID, res.Value().ID, twins.NewMember{ID: "new", AccountID: other})
	if m := member.Value(); err != nil || m.Email != "new@example.com" || !slices.Equal(m.RoleIDs, []string{role.ID}) {
		t.Errorf("member %+v, %v", m, err)
	}
	w.wantAllowed(t, true, user("new", other), "schedules_read", twin.ID)
	_, err = w.AcceptInvitation(t.Context(), twin.ID, res.Value().ID, twins.NewMember{ID: "newer"})
	wantProblem(t, err, twinplatform.NotFound, "InvitationNotFound invitationId:")
}

// A twin is deleted in one transaction, whatever belongs to it: the limits are
// made for that.
func TestFullTwinIsDeletedAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "m", "schedules_read")
	add := func(i int) error {
		_, err := w.CreateMember(t.Context(), twin.ID, twins.NewMember{ID: fmt.Sprint(i), RoleIDs: []string{role.ID}})
		return err
	}
	for i := range twins.MaxMembers - 2 { // besides m and the administrator
		if err := add(i); err != nil {
			t.Fatal(i, err)
		}
	}
	wantProblem(t, add(twins.MaxMembers), twinplatform.Conflict, "LimitExceeded : InvalidValue")
	for i := range twins.MaxRoles - 2 {
		if _, err := w.CreateRole(t.Context(), twin.ID, twins.NewRole{DisplayName: fmt.Sprint(i)}); err != nil {
			t.Fatal(i, err)
		}
	}
	_, err := w.CreateRole(t.Context(), twin.ID, twins.NewRole{DisplayName: "more"})
	wantProblem(t, err, twinplatform.Conflict, "LimitExceeded : InvalidValue")
	for i := range twins.MaxInvitations {
		if _, err := w.CreateInvitation(t.Context(), twin.ID, twins.NewInvitation{Email: fmt.Sprint(i, "@b"), RoleIDs: []string{role.ID}}); err != nil {
			t.Fatal(i, err)
		}
	}
	_, err = w.CreateInvitation(t.Context(), twin.ID, twins.NewInvitation{Email: "more@b", RoleIDs: []string{role.ID}})
	wantProblem(t, err, twinplatform.Conflict, "LimitExceeded : InvalidValue")
	if err := w.DeleteTwin(admin(t), twin.ID); err != nil {
		t.Fatal(err)
	}
}

// Ids of principals are others' to choose: the longest there are still distinguish
// members.
func TestMembersOfLongIDsAreDistinguished(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	one, two := strings.Repeat("ü", 254)+"1", strings.Repeat("ü", 254)+"2"
	role := w.grant(t, twin.ID, "x", "schedules_read")
	if _, err := w.CreateMember(admin(t), twin.ID, twins.NewMember{ID: one, RoleIDs: []string{role.ID}}); err != nil {
		t.Fatal(err)
	}
	w.wantAllowed(t, true, user(one, acme), "schedules_read", twin.ID)
	w.wantAllowed(t, false, user(two, acme), "schedules_read", twin.ID)
	if _, err := w.CreateMember(admin(t), twin.ID, twins.NewMember{ID: two, RoleIDs: []string{role.ID}}); err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteMember(admin(t), twin.ID, one); err != nil {
		t.Fatal(err)
	}
	w.wantAllowed(t, false, user(one, acme), "schedules_read", twin.ID)
	w.wantAllowed(t, true, user(two, acme), "schedules_read", twin.ID)
	if err := w.AddFavorite(as(t, user(two, acme)), twin.ID); err != nil {
		t.Fatal(err)
	}
	page, err := w.Favorites(as(t, user(two, acme)), twins.TwinQuery{})
	wantNames(t, names(t, page, err), "A")
	page, err = w.Twins(as(t, user(two, acme)), twins.TwinQuery{})
	wantNames(t, names(t, page, err), "A")
}

func TestOwnerRoleIsTakenBackAsItWasRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	for r, err := range twinplatform.All(t.Context(), func(ctx context.Context, q twins.RoleQuery) (twinplatform.Page[twins.Role], error) {
		return w.Roles(admin(t), twin.ID, q)
	}, twins.RoleQuery{}) {
		if err != nil || !r.Owner {
			t.Fatalf("there is the role %+v: %v", r, err)
		}
		same := twins.RolePatch{
			DisplayName: twinplatform.Set(r.DisplayName), Description: twinplatform.Set(string(r.Description)), Permissions: twinplatform.Set(r.Permissions),
		}
		if _, err := w.UpdateRole(admin(t), twin.ID, r.ID, same); err != nil {
			t.Errorf("as it is: %v", err)
		}
		same.Permissions = twinplatform.Set(r.Permissions[1:])
		_, err := w.UpdateRole(admin(t), twin.ID, r.ID, same)
		wantProblem(t, err, twinplatform.Conflict, "OwnerRole :")
	}
}
