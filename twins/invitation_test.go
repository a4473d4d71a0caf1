package twins_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// invite invites an address to roles of a twin, as a caller.
func (w *world) invite(t testing.TB, ctx context.Context, twinID, email string, roleIDs ...string) twins.Invitation {
	t.Helper()
	res, err := w.CreateInvitation(ctx, twinID, twins.NewInvitation{Email: email, RoleIDs: roleIDs})
	if err != nil {
		t.Fatalf("inviting %s: %v", email, err)
	}
	return res.Value()
}

// accept accepts an invitation as someone.
func (w *world) accept(t testing.TB, p twinplatform.Principal, twinID, invitationID string) error {
	t.Helper()
	_, err := w.AcceptInvitation(as(t, p), twinID, invitationID, twins.NewMember{})
	return err
}

// join makes someone with an address a member by an invitation.
func (w *world) join(t testing.TB, p twinplatform.Principal, twinID string, roleIDs ...string) {
	t.Helper()
	if err := w.accept(t, p, twinID, w.invite(t, t.Context(), twinID, p.Email, roleIDs...).ID); err != nil {
		t.Fatalf("%s does not become a member: %v", p.ID, err)
	}
}

func mustNot(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestInvitationsOfAndToARemovedMemberAreWithdrawn(t *testing.T) {
	t.Parallel()
	eve, friend := addressee("eve", acme), addressee("friend", other)
	for name, tt := range map[string]struct {
		// removeFrom says from which twin eve is removed: the one of the invitation, or the one above it.
		above bool
		// before prepares the invitation that is tried, and who tries it.
		before func(t *testing.T, w *world, twinID, owner string) (twins.Invitation, twinplatform.Principal)
	}{
		"to its address": {false, func(t *testing.T, w *world, twinID, owner string) (twins.Invitation, twinplatform.Principal) {
			return w.invite(t, admin(t), twinID, "EVE@example.com", owner), eve
		}},
		"to its address below": {true, func(t *testing.T, w *world, twinID, owner string) (twins.Invitation, twinplatform.Principal) {
			return w.invite(t, admin(t), twinID, "eve@example.com", owner), eve
		}},
		"by it": {false, func(t *testing.T, w *world, twinID, owner string) (twins.Invitation, twinplatform.Principal) {
			return w.invite(t, as(t, eve), twinID, friend.Email, owner), friend
		}},
		"by it below": {true, func(t *testing.T, w *world, twinID, owner string) (twins.Invitation, twinplatform.Principal) {
			return w.invite(t, as(t, eve), twinID, friend.Email, owner), friend
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			top := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Top"})
			below := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Below", ParentID: top.ID})
			at := below
			if !tt.above {
				at = top
			}
			w.join(t, eve, top.ID, w.ownerRole(t, top.ID))
			kept := w.invite(t, admin(t), at.ID, "somebody@example.com", w.ownerRole(t, at.ID))
			invitation, who := tt.before(t, w, at.ID, w.ownerRole(t, at.ID))
			mustNot(t, w.DeleteMember(admin(t), top.ID, eve.ID))
			err := w.accept(t, who, at.ID, invitation.ID)
			if name == "by it below" { // which stays, for as long as someone else may give it back its rights
				wantProblem(t, err, twinplatform.Conflict, "InvitationNotValid invitationId:")
			} else {
				wantProblem(t, err, twinplatform.NotFound, "InvitationNotFound invitationId:")
			}
			w.wantAllowed(t, false, who, twins.PermissionRead, at.ID)
			if _, err := w.Invitation(admin(t), at.ID, kept.ID); err != nil {
				t.Errorf("the invitation of someone else by someone else: %v", err)
			}
		})
	}
}

func TestCallersCannotInviteThemselves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	eve := addressee("eve", other)
	owner := w.ownerRole(t, twin.ID)
	w.join(t, eve, twin.ID, owner)
	const refused = "InvalidAccessControlRequest : InvalidValue email"
	_, err := w.CreateInvitation(as(t, eve), twin.ID, twins.NewInvitation{Email: "Eve@Example.com", RoleIDs: []string{owner}})
	wantProblem(t, err, twinplatform.Unprocessable, refused)
	_, err = w.AddOwner(as(t, eve), twin.ID, twins.NewOwner{Email: "EVE@example.com"})
	wantProblem(t, err, twinplatform.Unprocessable, refused)
	_, err = w.AddMembers(as(t, eve), twin.ID, twins.NewMembers{Members: []twins.NewMember{byEmail("eve@EXAMPLE.com", owner)}})
	wantProblem(t, err, twinplatform.Unprocessable, refused)
	// A principal with two addresses is detected when it accepts.
	invitation := w.invite(t, as(t, eve), twin.ID, "eve@second.example", owner)
	second := eve
	second.Email = "eve@second.example"
	wantProblem(t, w.accept(t, second, twin.ID, invitation.ID), twinplatform.NotFound, "InvitationNotFound invitationId:")
}

func TestAdministratorAddsItselfByItsAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A", AccountID: acme})
	boss := admined()
	boss.Email = "boss@example.com"
	added, err := w.AddMembers(as(t, boss), twin.ID, twins.NewMembers{Members: []twins.NewMember{byEmail("Boss@example.com", w.ownerRole(t, twin.ID))}})
	if err != nil || len(added.Members) != 1 || added.Members[0].Value.ID != boss.ID {
		t.Errorf("%v, %v; want the administrator as a member", came(added), err)
	}
}

func TestInvitationGivesOnlyWhatItsInviterCanStillGive(t *testing.T) {
	t.Parallel()
	guest := addressee("guest", other)
	for name, tt := range map[string]struct {
		change func(t *testing.T, w *world, twinID, roleID string) // what happens between invitation and acceptance
		valid  bool
	}{
		"as before":     {func(*testing.T, *world, string, string) {}, true},
		"without right": {func(t *testing.T, w *world, twinID, roleID string) { w.setRole(t, twinID, roleID, "schedules_read") }, false},
		"without what the roles hold": {func(t *testing.T, w *world, twinID, roleID string) {
			w.setRole(t, twinID, roleID, twins.PermissionManageMembers)
		}, false},
		"the role holds more since": {func(t *testing.T, w *world, twinID, _ string) {
			page, err := w.Roles(t.Context(), twinID, twins.RoleQuery{})
			mustNot(t, err)
			all, err := page.Values()
			mustNot(t, err)
			for _, r := range all {
				if r.DisplayName == "given" {
					w.setRole(t, twinID, r.ID, "schedules_read", "schedules_modify")
				}
			}
		}, false},
		"with another role that holds the same": {func(t *testing.T, w *world, twinID, roleID string) {
			_, err := w.AddOwner(t.Context(), twinID, twins.NewOwner{ID: "boss"})
			mustNot(t, err)
			w.setRole(t, twinID, roleID, twins.PermissionRead)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
			role := w.grant(t, twin.ID, "boss", twins.PermissionManageMembers, "schedules_read")
			w.grant(t, twin.ID, "someone", "schedules_read")
			given, err := w.CreateRole(t.Context(), twin.ID, twins.NewRole{DisplayName: "given", Permissions: []string{"schedules_read"}})
			mustNot(t, err)
			invitation := w.invite(t, as(t, user("boss", acme)), twin.ID, guest.Email, given.Value().ID)
			tt.change(t, w, twin.ID, role.ID)
			err = w.accept(t, guest, twin.ID, invitation.ID)
			w.wantAllowed(t, tt.valid, guest, "schedules_read", twin.ID)
			if tt.valid {
				mustNot(t, err)
				return
			}
			wantProblem(t, err, twinplatform.Conflict, "InvitationNotValid invitationId:")
			_, err = w.AcceptInvitation(t.Context(), twin.ID, invitation.ID, twins.NewMember{ID: "guest"})
			wantProblem(t, err, twinplatform.Conflict, "InvitationNotValid invitationId:")
			if _, err := w.Invitation(admin(t), twin.ID, invitation.ID); err != nil {
				t.Errorf("what was refused is gone: %v", err)
			}
		})
	}
}

// setRole gives a role other permissions.
func (w *world) setRole(t testing.TB, twinID, roleID string, permissions ...string) {
	t.Helper()
	_, err := w.UpdateRole(t.Context(), twinID, roleID, twins.RolePatch{Permissions: twinplatform.Set(permissions)})
	mustNot(t, err)
}

func TestInvitationEnds(t *testing.T) {
	t.Parallel()
	guest := addressee("guest", other)
	for name, tt := range map[string]struct {
		after time.Duration
		ended bool
	}{
		"just before": {14*24*time.Hour - time.Second, false},
		"in time":     {14 * 24 * time.Hour, true},
		"later":       {20 * 24 * time.Hour, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
			invitation := w.invite(t, admin(t), twin.ID, guest.Email, w.ownerRole(t, twin.ID))
			w.now = w.now.Add(tt.after)
			err := w.accept(t, guest, twin.ID, invitation.ID)
			w.wantAllowed(t, !tt.ended, guest, twins.PermissionRead, twin.ID)
			if !tt.ended {
				mustNot(t, err)
				return
			}
			wantProblem(t, err, twinplatform.Conflict, "InvitationExpired invitationId:")
			again := w.invite(t, admin(t), twin.ID, strings.ToUpper(guest.Email), w.ownerRole(t, twin.ID))
			wantProblem(t, w.accept(t, guest, twin.ID, invitation.ID), twinplatform.NotFound, "InvitationNotFound invitationId:")
			mustNot(t, w.accept(t, guest, twin.ID, again.ID))
		})
	}
}

func TestAddressIsInvitedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	elsewhere := w.twin(t, admin(t), twins.NewTwin{DisplayName: "B"})
	owner := w.ownerRole(t, twin.ID)
	first := w.invite(t, admin(t), twin.ID, "new@example.com", owner)
	const exists = "invitationExists : InvalidValue email"
	_, err := w.CreateInvitation(admin(t), twin.ID, twins.NewInvitation{Email: "NEW@example.com", RoleIDs: []string{owner}})
	wantProblem(t, err, twinplatform.Conflict, exists)
	_, err = w.AddMembers(admin(t), twin.ID, twins.NewMembers{Members: []twins.NewMember{byEmail("new@example.com", owner)}})
	wantProblem(t, err, twinplatform.Conflict, exists)
	_, err = w.AddMembers(admin(t), twin.ID, twins.NewMembers{Members: []twins.NewMember{byEmail("two@example.com", owner), byEmail("TWO@example.com", owner)}})
	wantProblem(t, err, twinplatform.Conflict, exists)
	_, err = w.AddOwner(admin(t), twin.ID, twins.NewOwner{Email: "new@example.com"})
	wantProblem(t, err, twinplatform.Conflict, exists)
	w.invite(t, admin(t), elsewhere.ID, "new@example.com", w.ownerRole(t, elsewhere.ID))
	mustNot(t, w.DeleteInvitation(admin(t), twin.ID, first.ID))
	w.invite(t, admin(t), twin.ID, "new@example.com", owner)
}

func TestEndedInvitationsAreForgotten(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	w := newWorld(t, twins.Config{
		InvitationTime: time.Hour, Env: twinplatform.Env{Now: func() time.Time { return now }, Retain: time.Minute},
	})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role, err := w.CreateRole(admin(t), twin.ID, twins.NewRole{DisplayName: "given", Permissions: []string{"schedules_read"}})
	mustNot(t, err)
	old := w.invite(t, admin(t), twin.ID, "old@example.com", role.Value().ID)
	if got, want := old.ExpiresDateTime.Time, now.Add(time.Hour); !got.Equal(want) {
		t.Errorf("it expires at %v, want %v", got, want)
	}
	now = now.Add(30 * time.Minute)
	w.invite(t, admin(t), twin.ID, "young@example.com", w.ownerRole(t, twin.ID))
	wantProblem(t, w.DeleteRole(admin(t), twin.ID, role.Value().ID), twinplatform.Conflict, "RoleInUse :")
	now = now.Add(30 * time.Minute)
	mustNot(t, w.DeleteRole(admin(t), twin.ID, role.Value().ID)) // which an ended invitation does not hold
	left := func() (addresses []string) {
		more, err := w.ForgetInvitations(t.Context())
		if more || err != nil {
			t.Fatal(more, err)
		}
		page, err := w.Invitations(admin(t), twin.ID, twins.InvitationQuery{})
		mustNot(t, err)
		all, err := page.Values()
		mustNot(t, err)
		for _, i := range all {
			addresses = append(addresses, i.Email)
		}
		return addresses
	}
	if diff := cmp.Diff([]string{"old@example.com", "young@example.com"}, sorted(left())); diff != "" {
		t.Errorf("right after the end (-want +got):\n%s", diff)
	}
	now = now.Add(time.Minute)
	if diff := cmp.Diff([]string{"young@example.com"}, left()); diff != "" {
		t.Errorf("after the retention (-want +got):\n%s", diff)
	}
}

func sorted(texts []string) []string {
	slices.Sort(texts)
	return texts
}

func TestInvitationsWithoutEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{InvitationTime: -1})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	guest := addressee("guest", other)
	invitation := w.invite(t, admin(t), twin.ID, guest.Email, w.ownerRole(t, twin.ID))
	w.now = w.now.AddDate(10, 0, 0)
	if !invitation.ExpiresDateTime.IsZero() {
		t.Errorf("it expires at %v", invitation.ExpiresDateTime)
	}
	mustNot(t, w.accept(t, guest, twin.ID, invitation.ID))
}

// staff is a directory of callers.
type staff map[string]twinplatform.Principal

func (d staff) Principal(_ context.Context, accountID, id string) (twinplatform.Principal, bool, error) {
	p, ok := d[id]
	return p, ok && p.AccountID == accountID, nil
}

func TestInvitationOfAnAdministratorWhoIsNoneAnyMoreIsNotAccepted(t *testing.T) {
	t.Parallel()
	guest := addressee("guest", other)
	boss := user("boss", acme, twinplatform.AccountAdministrator)
	for name, tt := range map[string]struct {
		later staff
		valid bool
	}{
		"as before": {staff{"boss": boss}, true},
		"demoted":   {staff{"boss": user("boss", acme)}, false},
		"struck":    {staff{}, false},
		"another":   {staff{"boss": user("boss", other, twinplatform.AccountAdministrator)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := staff{"boss": boss}
			w := newWorld(t, twins.Config{Env: twinplatform.Env{Principals: known}})
			twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A", AccountID: acme})
			invitation := w.invite(t, as(t, boss), twin.ID, guest.Email, w.ownerRole(t, twin.ID))
			delete(known, "boss")
			maps.Copy(known, tt.later)
			err := w.accept(t, guest, twin.ID, invitation.ID)
			w.wantAllowed(t, tt.valid, guest, twins.PermissionModify, twin.ID)
			if tt.valid {
				mustNot(t, err)
			} else {
				wantProblem(t, err, twinplatform.Conflict, "InvitationNotValid invitationId:")
			}
		})
	}
}
