package twins_test

import (
	"context"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Someone who is added without being asked gains nothing in another account, however it
// is added, and no one of the own account takes its place.
func TestPrincipalOfAnotherAccountComesInByInvitationAlone(t *testing.T) {
	t.Parallel()
	const permission = twinplatform.PermissionSchedulesRead
	added := map[string]func(ctx context.Context, w *world, twinID, roleID string) error{
		"a member": func(ctx context.Context, w *world, twinID, roleID string) error {
			_, err := w.CreateMember(ctx, twinID, twins.NewMember{ID: "ann", Email: "ann@acme.example", RoleIDs: []string{roleID}})
			return err
		},
		"several members": func(ctx context.Context, w *world, twinID, roleID string) error {
			_, err := w.AddMembers(ctx, twinID, twins.NewMembers{Members: []twins.NewMember{{ID: "ann", Email: "ann@acme.example", RoleIDs: []string{roleID}}}})
			return err
		},
		"an owner": func(ctx context.Context, w *world, twinID, _ string) error {
			_, err := w.AddOwner(ctx, twinID, twins.NewOwner{ID: "ann", Email: "ann@acme.example"})
			return err
		},
	}
	for name, add := range added {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			boss := as(t, user("boss", other, twinplatform.AccountAdministrator))
			twin := w.twin(t, boss, twins.NewTwin{DisplayName: "Theirs"})
			role := w.grant(t, twin.ID, "x", permission)
			ann := user("ann", acme)
			ann.Email = "ann@acme.example"
			if err := add(boss, w, twin.ID, role.ID); err != nil {
				t.Fatal(err)
			}
			w.wantAllowed(t, false, ann, permission, twin.ID)
			w.wantAllowed(t, true, user("ann", other), permission, twin.ID)
			page, err := w.Twins(as(t, ann), twins.TwinQuery{})
			wantNames(t, names(t, page, err))
			if err := w.DeleteMember(boss, twin.ID, "ann"); err != nil {
				t.Fatal(err)
			}
			invited, err := w.CreateInvitation(boss, twin.ID, twins.NewInvitation{Email: "ann@acme.example", RoleIDs: []string{role.ID}})
			if err != nil {
				t.Fatal(err)
			}
			// A user who was removed accepts invitations made since then.
			if _, err := w.AcceptInvitation(as(t, ann), twin.ID, invited.Value().ID, twins.NewMember{}); err != nil {
				t.Fatal(err)
			}
			w.wantAllowed(t, true, ann, permission, twin.ID)
			w.wantAllowed(t, false, user("ann", other), permission, twin.ID)
			page, err = w.Twins(as(t, ann), twins.TwinQuery{})
			wantNames(t, names(t, page, err), "Theirs")
		})
	}
}

func TestOnlyTheSystemSetsTheAccountOfAMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "x", twins.PermissionRead)
	n := twins.NewMember{ID: "guest", AccountID: other, RoleIDs: []string{role.ID}}
	_, err := w.CreateMember(admin(t), twin.ID, n)
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidAccessControlRequest : InvalidValue accountId")
	_, err = w.AddMembers(admin(t), twin.ID, twins.NewMembers{Members: []twins.NewMember{n}})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidAccessControlRequest : InvalidValue accountId")
	res, err := w.CreateMember(t.Context(), twin.ID, n)
	if err != nil || res.Value().AccountID != other {
		t.Fatalf("%+v, %v", res, err)
	}
	w.wantAllowed(t, true, user("guest", other), twins.PermissionRead, twin.ID)
	w.wantAllowed(t, false, user("guest", acme), twins.PermissionRead, twin.ID)
}

// A twin that belongs to no account has no people.
func TestMemberOfATwinWithoutAnAccountIsOfAny(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A"})
	w.grant(t, twin.ID, "ann", twins.PermissionRead)
	for _, account := range []string{acme, other, ""} {
		w.wantAllowed(t, true, user("ann", account), twins.PermissionRead, twin.ID)
	}
}
