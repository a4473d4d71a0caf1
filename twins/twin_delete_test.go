package twins_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestDeletionIsForOrganizationAdministrators(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	parent := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Parent"})
	w.grant(t, parent.ID, "owner", twins.PermissionCreate)
	mine := w.twin(t, as(t, user("owner", acme)), twins.NewTwin{DisplayName: "Mine", ParentID: parent.ID})
	w.grantTo(t, mine.ID, other, "guest", twins.PermissionModify)
	for _, p := range []twinplatform.Principal{user("owner", acme), user("guest", other, "Account Administrator")} {
		wantProblem(t, w.DeleteTwin(as(t, p), mine.ID), twinplatform.Forbidden, "InsufficientPermissions :")
	}
	wantProblem(t, w.DeleteTwin(as(t, user("boss", other, "Account Administrator")), mine.ID), twinplatform.NotFound, "twinNotFound twinId:")
	if err := w.DeleteTwin(admin(t), mine.ID); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, w.DeleteTwin(admin(t), mine.ID), twinplatform.NotFound, "twinNotFound twinId:")
	_, err := w.Twin(admin(t), mine.ID)
	wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
	if ok, err := w.Allowed(t.Context(), user("owner", acme), twins.PermissionRead, twinplatform.Target{TwinID: mine.ID}); ok || err != nil {
		t.Errorf("the owner of a deleted twin may still read it: %t, %v", ok, err)
	}
}

func TestDeletionLosesNothingSilently(t *testing.T) {
	t.Parallel()
	holds := map[string]string{}
	held := func(_ context.Context, twinID string) (string, error) { return holds[twinID], nil }
	broken := errors.New("the disk is on fire")
	var fails error
	w := newWorld(t, twins.Config{Holders: []twinplatform.TwinHolder{twinplatform.TwinHolderFunc(held)}})
	w.AddHolder(twinplatform.TwinHolderFunc(func(context.Context, string) (string, error) { return "", fails }))
	parent := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Parent"})
	child := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Child", ParentID: parent.ID})

	holds[parent.ID], holds[child.ID] = "schedules", "forms"
	wantProblem(t, w.DeleteTwin(admin(t), parent.ID), twinplatform.Conflict, "TwinNotEmpty : TwinHasChildren twinId, TwinInUse schedules")
	wantProblem(t, w.DeleteTwin(admin(t), child.ID), twinplatform.Conflict, "TwinNotEmpty : TwinInUse forms")
	delete(holds, child.ID)
	fails = broken
	if err := w.DeleteTwin(admin(t), child.ID); !errors.Is(err, broken) {
		t.Errorf("a holder that fails: %v", err)
	}
	fails = nil
	if err := w.DeleteTwin(admin(t), child.ID); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, w.DeleteTwin(admin(t), parent.ID), twinplatform.Conflict, "TwinNotEmpty : TwinInUse schedules")
	delete(holds, parent.ID)
	if err := w.DeleteTwin(admin(t), parent.ID); err != nil {
		t.Fatal(err)
	}
	page, err := w.Twins(t.Context(), twins.TwinQuery{IncludeInactive: true})
	wantNames(t, names(t, page, err), acme)
}

// A twin made again under a used id, which only the system can do, begins with nothing of
// the old.
func TestDeletedTwinLeavesNoRightsBehind(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	old := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "Old", ID: nada, AccountID: acme})
	w.grant(t, old.ID, "member", twins.PermissionModify)
	role := w.grant(t, old.ID, "second", twins.PermissionModify)
	if _, err := w.CreateInvitation(t.Context(), old.ID, twins.NewInvitation{Email: "a@b.c", RoleIDs: []string{role.ID}}); err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteTwin(t.Context(), old.ID); err != nil {
		t.Fatal(err)
	}
	w.twin(t, t.Context(), twins.NewTwin{DisplayName: "Old", ID: nada, AccountID: acme})
	if ok, err := w.Allowed(t.Context(), user("member", acme), twins.PermissionRead, twinplatform.Target{TwinID: nada}); ok || err != nil {
		t.Errorf("Allowed: %t, %v", ok, err)
	}
	page, err := w.Twins(as(t, user("member", acme)), twins.TwinQuery{})
	wantNames(t, names(t, page, err))
	members, err := w.Members(t.Context(), nada, twins.MemberQuery{})
	if err != nil || members.Len() != 0 {
		t.Errorf("%d members, %v", members.Len(), err)
	}
	roles, err := w.Roles(t.Context(), nada, twins.RoleQuery{})
	if err != nil || roles.Len() != 1 {
		t.Errorf("%d roles, %v", roles.Len(), err)
	}
	invitations, err := w.Invitations(t.Context(), nada, twins.InvitationQuery{})
	if err != nil || invitations.Len() != 0 {
		t.Errorf("%d invitations, %v", invitations.Len(), err)
	}
}

// grants lets everybody do what it names.
type grants map[string]bool

func (g grants) Allowed(_ context.Context, _ twinplatform.Principal, permission string, _ twinplatform.Target) (bool, error) {
	return g[permission], nil
}

func TestAnotherAuthorizerMayGrantDeletion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		granted grants
		may     bool
	}{
		{"all that roles can hold", grants{twins.PermissionRead: true, twins.PermissionModify: true, twins.PermissionAll: true}, false},
		{"deletion too", grants{twins.PermissionRead: true, twins.PermissionDelete: true}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{Env: twinplatform.Env{Authorizer: tt.granted}})
			a := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A", AccountID: acme})
			err := w.DeleteTwin(as(t, user("stranger", other)), a.ID)
			if tt.may && err != nil {
				t.Error(err)
			}
			if !tt.may {
				wantProblem(t, err, twinplatform.Forbidden, "InsufficientPermissions :")
			}
		})
	}
}
