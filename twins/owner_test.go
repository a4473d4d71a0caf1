package twins_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// A twin that no one could manage any more would be lost to all but the administrators of
// its account.
//
// covers: Create twin as requested: rule the last owner stays
func TestLastOwnerStays(t *testing.T) {
	t.Parallel()
	leave := func(ctx context.Context, w *world, twinID string) error { return w.DeleteMember(ctx, twinID, "owner") }
	tests := map[string]struct {
		arrange func(t *testing.T, w *world, parent, twin string)
		call    func(ctx context.Context, w *world, twinID string) error
		as      twinplatform.Principal
		refused bool
	}{
		"leaving": {call: leave, refused: true},
		"leaving ownership for another role": {
			call: func(ctx context.Context, w *world, twinID string) error {
				role, err := w.CreateRole(ctx, twinID, twins.NewRole{DisplayName: "Manager", Permissions: twins.Permissions()})
				if err != nil {
					return err
				}
				_, err = w.UpdateMember(ctx, twinID, "owner", twins.MemberPatch{RoleIDs: twinplatform.Set([]string{role.Value().ID})})
				return err
			}, refused: true,
		},
		"leaving it to a member that is no owner": {
			arrange: func(t *testing.T, w *world, _, twin string) { w.grant(t, twin, "other", twins.Permissions()...) },
			call:    leave, refused: true,
		},
		"leaving it to an invited user": {
			arrange: func(t *testing.T, w *world, _, twin string) {
				if _, err := w.CreateInvitation(t.Context(), twin, twins.NewInvitation{Email: "a@b.c", RoleIDs: []string{w.ownerRole(t, twin)}}); err != nil {
					t.Fatal(err)
				}
			},
			call: leave, refused: true,
		},
		"leaving it to another owner": {
			arrange: func(t *testing.T, w *world, _, twin string) { w.own(t, twin, "other") }, call: leave,
		},
		"leaving it to an owner of the twin above": {
			arrange: func(t *testing.T, w *world, parent, _ string) { w.own(t, parent, "other") }, call: leave,
		},
		"staying an owner of the twin above": {
			arrange: func(t *testing.T, w *world, parent, _ string) { w.own(t, parent, "owner") }, call: leave,
		},
		"keeping ownership next to another role": {
			call: func(ctx context.Context, w *world, twinID string) error {
				role, err := w.CreateRole(ctx, twinID, twins.NewRole{DisplayName: "Second"})
				if err != nil {
					return err
				}
				_, err = w.UpdateMember(ctx, twinID, "owner", twins.MemberPatch{RoleIDs: twinplatform.Set([]string{role.Value().ID, w.ownerRole(t, twinID)})})
				return err
			},
		},
		"removed by an administrator, who manages the twin": {call: leave, as: user("boss", acme, twinplatform.CoAdministrator)},
		"leaving as an administrator":                       {call: leave, as: user("owner", acme, twinplatform.CoAdministrator)},
		"leaving as an administrator of another account": {
			arrange: func(t *testing.T, w *world, _, twin string) {
				err := w.DeleteMember(t.Context(), twin, "owner")
				if err == nil {
					_, err = w.CreateMember(t.Context(), twin, twins.NewMember{ID: "owner", AccountID: other, RoleIDs: []string{w.ownerRole(t, twin)}})
				}
				if err != nil {
					t.Fatal(err)
				}
			},
			call: leave, as: user("owner", other, twinplatform.CoAdministrator), refused: true,
		},
		"moving it away from the only owner above": {
			arrange: func(t *testing.T, w *world, parent, twin string) {
				w.own(t, parent, "owner")
				w.grant(t, acme, "owner", twins.PermissionCreate)
				if err := w.DeleteMember(t.Context(), twin, "owner"); err != nil {
					t.Fatal(err)
				}
			},
			call:    func(ctx context.Context, w *world, twinID string) error { return w.move(ctx, twinID, "") },
			refused: true,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			parent := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "Parent", AccountID: acme}).ID
			w.grant(t, parent, "owner", twins.PermissionCreate)
			twin := w.twin(t, as(t, user("owner", acme)), twins.NewTwin{DisplayName: "Twin", ParentID: parent}).ID
			if err := w.DeleteMember(t.Context(), parent, "owner"); err != nil {
				t.Fatal(err)
			}
			if test.arrange != nil {
				test.arrange(t, w, parent, twin)
			}
			if test.as.ID == "" {
				test.as = user("owner", acme)
			}
			err := test.call(as(t, test.as), w, twin)
			switch {
			case test.refused:
				wantProblem(t, err, twinplatform.Conflict, "LastOwner :")
			case err != nil:
				t.Error(err)
			}
		})
	}
}

func TestOfTwoOwnersThatLeaveAtOnceOneStays(t *testing.T) {
	t.Parallel()
	for range 30 {
		w := newWorld(t, twins.Config{})
		twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A", AccountID: acme}).ID
		people := []string{"one", "two"}
		for _, id := range people {
			w.own(t, twin, id)
		}
		errs := make([]error, len(people))
		var wg sync.WaitGroup
		for i, id := range people {
			wg.Go(func() { errs[i] = w.DeleteMember(as(t, user(id, acme)), twin, id) })
		}
		wg.Wait()
		if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs...), twinplatform.Conflict) {
			t.Fatalf("one leaves: %v; the other: %v", errs[0], errs[1])
		}
	}
}
