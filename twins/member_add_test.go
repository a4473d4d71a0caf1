package twins_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// addressee is a user of an account with its own address.
func addressee(id, account string) twinplatform.Principal {
	p := user(id, account)
	p.Email, p.DisplayName = id+"@example.com", "The "+id
	return p
}

func (w *world) know(t testing.TB, people ...twinplatform.Principal) {
	t.Helper()
	for _, p := range people {
		if err := w.Know(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
}

func byEmail(email string, roleIDs ...string) twins.NewMember {
	return twins.NewMember{Email: twinplatform.NullString(email), RoleIDs: roleIDs}
}

// came is what came of adding: the ids of members and the addresses of invitations.
func came(added twins.AddedMembers) (out []string) {
	for _, m := range added.Members {
		out = append(out, fmt.Sprint("member ", m.Value.ID, " ", m.Value.DisplayName))
	}
	for _, i := range added.Invitations {
		out = append(out, "invitation "+i.Value.Email)
	}
	return out
}

func TestKnownPeopleBecomeMembersAndOthersAreInvited(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "x", "schedules_read")
	w.know(t, addressee("ann", acme), addressee("far", other))
	twice := addressee("one", acme)
	w.know(t, twice)
	twice.ID = "two"
	w.know(t, twice)
	added, err := w.AddMembers(admin(t), twin.ID, twins.NewMembers{Members: []twins.NewMember{
		byEmail("ANN@example.com", role.ID), byEmail("far@example.com", role.ID), byEmail("one@example.com", role.ID), byEmail("nobody@example.com", role.ID),
		{ID: "robot", MemberType: twinplatform.Service, RoleIDs: []string{role.ID}},
	}})
	want := []string{"member ann The ann", "member robot ", "invitation far@example.com", "invitation one@example.com", "invitation nobody@example.com"}
	if diff := cmp.Diff(want, came(added)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for id, holds := range map[string]bool{"ann": true, "robot": true, "far": false, "one": false, "two": false} {
		w.wantAllowed(t, holds, user(id, acme), "schedules_read", twin.ID)
	}
	_, err = w.AddMembers(admin(t), twin.ID, twins.NewMembers{Members: []twins.NewMember{byEmail("new@example.com", role.ID), byEmail("ann@example.com", role.ID)}})
	wantProblem(t, err, twinplatform.Conflict, "memberExists : InvalidValue id")
	page, err := w.Invitations(admin(t), twin.ID, twins.InvitationQuery{})
	if page.Len() != 3 || err != nil {
		t.Errorf("a refused request left %d invitations, %v; want the 3 of before", page.Len(), err)
	}
}

func TestInvitationKeepsItsMessageAndItsRolesAsTheyWereSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	first, second := w.grant(t, twin.ID, "x", "schedules_read"), w.grant(t, twin.ID, "y", "twins_read")
	for _, sent := range [][]string{{first.ID, second.ID}, {second.ID, first.ID, second.ID}} {
		who := byEmail(fmt.Sprintf("%s@example.com", sent[0]), "")
		who.RoleIDs = sent
		added, err := w.AddMembers(admin(t), twin.ID, twins.NewMembers{Members: []twins.NewMember{who}, CustomMessage: "Welcome to the tower."})
		if err != nil {
			t.Fatal(err)
		}
		rec, err := w.Invitation(admin(t), twin.ID, added.Invitations[0].Value.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := twins.Invitation{CustomMessage: "Welcome to the tower.", RoleIDs: sent[:2], Status: twins.InvitationPending}
		got := twins.Invitation{CustomMessage: rec.Value.CustomMessage, RoleIDs: rec.Value.RoleIDs, Status: rec.Value.Status}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(twins.Invitation{})); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	_, err := w.AddMembers(admin(t), twin.ID, twins.NewMembers{
		Members:       []twins.NewMember{byEmail("new@example.com", first.ID)},
		CustomMessage: strings.Repeat("x", twins.MaxMessage+1),
	})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidAccessControlRequest : InvalidValue customMessage")
}

func TestTheCallerOfEachChangeIsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	ann, bob := addressee("ann", acme), addressee("bob", acme)
	ann.AdministratorRoles = []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}
	twin := w.twin(t, as(t, ann), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "x", "schedules_read")
	if _, err := w.PrimaryAccount(as(t, bob)); err != nil { // which changes nothing
		t.Fatal(err)
	}
	for email, want := range map[string]string{"bob@example.com": "invitation bob@example.com", "ann@example.com": ""} {
		added, err := w.AddMembers(as(t, ann), twin.ID, twins.NewMembers{Members: []twins.NewMember{byEmail(email, role.ID)}})
		if want == "" {
			wantProblem(t, err, twinplatform.Conflict, "memberExists : InvalidValue id")
		} else if diff := cmp.Diff([]string{want}, came(added)); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
	// An address that someone else wrote next to a member identifies no one.
	if _, err := w.CreateMember(as(t, ann), twin.ID, twins.NewMember{ID: "mallory", Email: "boss@example.com", RoleIDs: []string{role.ID}}); err != nil {
		t.Fatal(err)
	}
	added, err := w.AddMembers(as(t, ann), twin.ID, twins.NewMembers{Members: []twins.NewMember{byEmail("boss@example.com", role.ID)}})
	if diff := cmp.Diff([]string{"invitation boss@example.com"}, came(added)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	wantProblem(t, w.Know(as(t, bob), addressee("boss", acme)), twinplatform.Forbidden, "InsufficientPermissions :")
	moved := ann
	moved.Email = "ann@new.example"
	w.know(t, moved)
	added, err = w.AddMembers(as(t, moved), twin.ID, twins.NewMembers{Members: []twins.NewMember{byEmail("ann@example.com", role.ID)}})
	if diff := cmp.Diff([]string{"invitation ann@example.com"}, came(added)); diff != "" || err == nil == (diff != "") {
		t.Errorf("an address that is no longer used: %v (-want +got):\n%s", err, diff)
	}
}

// phoneBook is a directory of a program's own.
type phoneBook map[string]twinplatform.Principal

func (b phoneBook) PersonByEmail(_ context.Context, _, email string) (twinplatform.Principal, bool, error) {
	p, known := b[email]
	return p, known, nil
}

func TestDirectoryOfTheProgramListsKnownPrincipals(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{People: phoneBook{"ann@example.com": addressee("ann", acme), "ghost@example.com": {}}})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "x", "schedules_read")
	added, err := w.AddMembers(admin(t), twin.ID, twins.NewMembers{Members: []twins.NewMember{byEmail("ann@example.com", role.ID), byEmail("ghost@example.com", role.ID)}})
	want := []string{"member ann The ann", "invitation ghost@example.com"}
	if diff := cmp.Diff(want, came(added)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestRequestsForMembersAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "manager", twins.PermissionManageMembers)
	w.know(t, addressee("ann", acme))
	high, err := w.CreateRole(admin(t), twin.ID, twins.NewRole{DisplayName: "High", Permissions: []string{"schedules_modify"}})
	if err != nil {
		t.Fatal(err)
	}
	const invalid = "InvalidAccessControlRequest : "
	tests := map[string]struct {
		by   context.Context
		ask  []twins.NewMember
		kind twinplatform.Kind
		want string
	}{
		"nobody": {admin(t), nil, twinplatform.Unprocessable, invalid + "MissingRequiredProperty members"},
		"who is nameless": {
			admin(t),
			[]twins.NewMember{byEmail("a@b", role.ID), {}},
			twinplatform.Unprocessable,
			invalid + "MissingRequiredProperty members[1].email, MissingRequiredProperty members[1].roleIds",
		},
		"no address":                {admin(t), []twins.NewMember{byEmail("ann", role.ID)}, twinplatform.Unprocessable, invalid + "InvalidValue members[0].email"},
		"101 roles":                 {admin(t), slices.Repeat([]twins.NewMember{byEmail("a@b", role.ID)}, 101), twinplatform.Unprocessable, invalid + "InvalidValue members"},
		"role unknown":              {admin(t), []twins.NewMember{byEmail("a@b", "x")}, twinplatform.Unprocessable, invalid + "InvalidValue roleIds"},
		"by a stranger":             {as(t, user("stranger", acme)), []twins.NewMember{byEmail("a@b", role.ID)}, twinplatform.NotFound, "twinNotFound twinId:"},
		"to what the caller lacks":  {as(t, user("manager", acme)), []twins.NewMember{byEmail("ann@example.com", high.Value().ID)}, twinplatform.Forbidden, "InsufficientPermissions :"},
		"inviting to what it lacks": {as(t, user("manager", acme)), []twins.NewMember{byEmail("a@b", high.Value().ID)}, twinplatform.Forbidden, "InsufficientPermissions :"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := w.AddMembers(tt.by, twin.ID, twins.NewMembers{Members: tt.ask})
			wantProblem(t, err, tt.kind, tt.want)
		})
	}
}

func TestOnlyTheInvitedAcceptAnInvitation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "x", "schedules_read")
	added, err := w.AddMembers(admin(t), twin.ID, twins.NewMembers{Members: []twins.NewMember{byEmail("new@example.com", role.ID)}})
	if err != nil {
		t.Fatal(err)
	}
	id := added.Invitations[0].Value.ID
	for name, p := range map[string]twinplatform.Principal{"without an address": user("new", acme), "of another one": addressee("newer", acme), "an administrator": admined()} {
		_, err := w.AcceptInvitation(as(t, p), twin.ID, id, twins.NewMember{ID: p.ID, Email: "new@example.com"})
		if err == nil {
			t.Errorf("%s accepted", name)
		}
		wantProblem(t, err, twinplatform.NotFound, "InvitationNotFound invitationId:")
	}
	guest := addressee("guest", other)
	guest.Email = "New@Example.com"
	res, err := w.AcceptInvitation(as(t, guest), twin.ID, id, twins.NewMember{ID: "somebody else", RoleIDs: []string{"any"}})
	if m := res.Value(); err != nil || m.ID != "guest" || !slices.Equal(m.RoleIDs, []string{role.ID}) || len(m.Roles) != 1 {
		t.Errorf("member %+v, %v", m, err)
	}
	w.wantAllowed(t, true, guest, "schedules_read", twin.ID)
	w.wantAllowed(t, false, guest, "schedules_modify", twin.ID)
	_, err = w.AcceptInvitation(as(t, guest), twin.ID, id, twins.NewMember{})
	wantProblem(t, err, twinplatform.NotFound, "InvitationNotFound invitationId:")
}

func admined() twinplatform.Principal {
	p := addressee("boss", acme)
	p.AdministratorRoles = []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}
	return p
}

func TestOwnersAreListedAddedAndRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "x", twins.PermissionManageMembers)
	w.know(t, addressee("ann", acme), addressee("x", acme))
	for _, email := range []string{"ann@example.com", "x@example.com", "far@example.com"} {
		_, err := w.AddOwner(as(t, user("x", acme)), twin.ID, twins.NewOwner{Email: email})
		wantProblem(t, err, twinplatform.Forbidden, "InsufficientPermissions :")
	}
	for _, tt := range [][2]string{{"ann@example.com", "member ann The ann"}, {"x@example.com", "member x "}, {"far@example.com", "invitation far@example.com"}, {"ann@example.com", "member ann The ann"}} {
		added, err := w.AddOwner(admin(t), twin.ID, twins.NewOwner{Email: tt[0]})
		if diff := cmp.Diff([]string{tt[1]}, came(added)); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
	w.wantOwners(t, twin.ID, "admin", "ann", "x")
	_, err := w.AddOwner(admin(t), twin.ID, twins.NewOwner{})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidAccessControlRequest : MissingRequiredProperty email")
	for _, id := range []string{"ann", "x"} {
		if err := w.RemoveOwner(admin(t), twin.ID, id); err != nil {
			t.Fatal(err)
		}
		wantProblem(t, w.RemoveOwner(admin(t), twin.ID, id), twinplatform.NotFound, "TeamMemberNotFound memberId:")
	}
	w.wantOwners(t, twin.ID, "admin")
	_, err = w.Member(admin(t), twin.ID, "ann")
	wantProblem(t, err, twinplatform.NotFound, "TeamMemberNotFound memberId:")
	if rec, err := w.Member(admin(t), twin.ID, "x"); err != nil || !slices.Equal(rec.Value.RoleIDs, []string{role.ID}) {
		t.Errorf("the other role of a member: %+v, %v", rec.Value, err)
	}
}

func (w *world) wantOwners(t testing.TB, twinID string, want ...string) {
	t.Helper()
	page, err := w.Owners(admin(t), twinID, twins.MemberQuery{})
	all, err2 := page.Values()
	var got []string
	for _, m := range all {
		got = append(got, m.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || err2 != nil {
		t.Errorf("owners, %v, %v (-want +got):\n%s", err, err2, diff)
	}
}

func TestMembersAreAsNewAsTheRolesThatTheyShow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "x", "schedules_read")
	before, err := w.Member(admin(t), twin.ID, "x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.UpdateRole(admin(t), twin.ID, role.ID, twins.RolePatch{DisplayName: twinplatform.Set("Renamed")}); err != nil {
		t.Fatal(err)
	}
	after, err := w.Member(admin(t), twin.ID, "x")
	if err != nil || after.ETag == before.ETag || len(after.Value.Roles) != 1 || after.Value.Roles[0].DisplayName != "Renamed" {
		t.Errorf("%+v of version %s, before %s, %v", after.Value.Roles, after.ETag, before.ETag, err)
	}
}

func TestCallersAreShownWhatTheyMayDo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{Permissions: []string{"my.own"}})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	part := w.twin(t, admin(t), twins.NewTwin{DisplayName: "B", ParentID: twin.ID})
	w.grant(t, twin.ID, "x", "schedules_read", "my.own")
	w.grant(t, part.ID, "x", "Forms_CreateAccess")
	for _, tt := range []struct {
		by   twinplatform.Principal
		at   string
		want []string
	}{
		{user("x", acme), twin.ID, []string{"my.own", "schedules_read", "twins_read"}},
		{user("x", acme), part.ID, []string{"Forms_CreateAccess", "Forms_ViewAccess", "my.own", "schedules_read", "twins_read"}},
		{admined(), twin.ID, twins.Permissions()},
	} {
		got, err := w.PermissionsAt(as(t, tt.by), tt.at)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.by.ID, err, diff)
		}
	}
	_, err := w.PermissionsAt(as(t, user("y", acme)), twin.ID)
	wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
}
