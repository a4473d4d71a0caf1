package twins_test

import (
	"context"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func (w *world) move(ctx context.Context, twinID, parentID string) error {
	p := twinplatform.Set(parentID)
	if parentID == "" {
		p = twinplatform.Null[string]()
	}
	_, err := w.UpdateTwin(ctx, twinID, twins.TwinPatch{ParentID: p})
	return err
}

// manages is what it takes to give and take a role that holds more.
func manages(more ...string) []string {
	return append([]string{twins.PermissionModify, twins.PermissionManageMembers, twins.PermissionManageRoles}, more...)
}

// covers: Create twin as requested: rule a move gives and takes nothing that the caller could not
func TestMovingATwinGrantsNothing(t *testing.T) {
	t.Parallel()
	type place struct{ a, x, v, below string }
	tests := map[string]struct {
		arrange func(*testing.T, *world, place)
		to      func(place) string // X unless set
		refused bool
	}{
		"to the mover's own twin": {
			arrange: func(t *testing.T, w *world, p place) { w.grant(t, p.v, "mover", twins.PermissionModify) },
			to:      nil, refused: true,
		},
		"to where the mover gains one permission": {
			arrange: func(t *testing.T, w *world, p place) {
				w.grant(t, p.v, "mover", manages()...)
			},
			refused: true,
		},
		"to where another gains what the mover holds, and may not give": {
			arrange: func(t *testing.T, w *world, p place) {
				w.grant(t, p.v, "mover", twins.PermissionModify, twins.PermissionCreate, "schedules_read")
				w.grant(t, p.x, "other", "schedules_read")
			},
			refused: true,
		},
		"to where another gains what the mover may give but does not hold": {
			arrange: func(t *testing.T, w *world, p place) {
				w.grant(t, p.v, "mover", manages(twins.PermissionCreate)...)
				w.grant(t, p.x, "other", "schedules_read")
			},
			refused: true,
		},
		"to where a user is invited to what the mover does not hold": {
			arrange: func(t *testing.T, w *world, p place) {
				w.grant(t, p.v, "mover", manages(twins.PermissionCreate)...)
				role, err := w.CreateRole(t.Context(), p.x, twins.NewRole{DisplayName: "Reader", Permissions: []string{"schedules_read"}})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.CreateInvitation(t.Context(), p.x, twins.NewInvitation{Email: "a@b.c", RoleIDs: []string{role.Value().ID}}); err != nil {
					t.Fatal(err)
				}
			},
			refused: true,
		},
		"from where another loses it": {
			arrange: func(t *testing.T, w *world, p place) {
				w.grant(t, p.v, "mover", twins.PermissionModify, twins.PermissionCreate)
				w.grant(t, p.a, "other", "schedules_read")
			},
			refused: true,
		},
		"from where another loses a part of it": {
			arrange: func(t *testing.T, w *world, p place) {
				w.grant(t, p.v, "mover", twins.PermissionModify, twins.PermissionCreate)
				w.grant(t, p.a, "other", "schedules_read", "schedules_modify")
				w.grant(t, p.v, "other", "schedules_read")
			},
			refused: true,
		},
		"to below the account, where another loses it": {
			arrange: func(t *testing.T, w *world, p place) {
				w.grant(t, p.v, "mover", twins.PermissionModify)
				w.grant(t, acme, "mover", twins.PermissionCreate)
				w.grant(t, p.a, "other", "schedules_read")
			},
			to: func(place) string { return "" }, refused: true,
		},
		"to where nothing changes for anybody": {
			arrange: func(t *testing.T, w *world, p place) {
				w.grant(t, p.v, "mover", twins.PermissionModify, twins.PermissionCreate)
				w.grant(t, p.a, "other", "schedules_read")
				w.grant(t, p.x, "other", "schedules_read")
				w.grant(t, p.v, "third", "models_read")
				w.grant(t, p.x, "third", twins.PermissionRead) // which models_read implies
			},
		},
		"by whom it costs its own permissions alone": {
			arrange: func(t *testing.T, w *world, p place) {
				w.grant(t, p.v, "mover", twins.PermissionModify, twins.PermissionCreate)
				w.grant(t, p.a, "mover", "schedules_read")
			},
		},
		"by whom may give and take all that it changes": {
			arrange: func(t *testing.T, w *world, p place) {
				w.grant(t, p.v, "mover", manages(twins.PermissionCreate, "schedules_read", "models_read")...)
				w.grant(t, p.a, "other", "schedules_read")
				w.grant(t, p.x, "third", "models_read")
			},
		},
		"by an owner": {
			arrange: func(t *testing.T, w *world, p place) {
				w.own(t, p.v, "mover")
				w.own(t, p.a, "other")
				w.own(t, p.x, "third")
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			make := func(name, parent string) string {
				return w.twin(t, t.Context(), twins.NewTwin{DisplayName: name, ParentID: parent, AccountID: acme}).ID
			}
			var p place
			p.a, p.x = make("A", ""), make("X", "")
			p.v = make("V", p.a)
			p.below = make("below V", p.v)
			test.arrange(t, w, p)
			to := p.x
			if test.to != nil {
				to = test.to(p)
			}
			mover := as(t, user("mover", acme))
			if to != "" {
				// What attackers have: the right to make twins somewhere.
				if _, err := w.Member(t.Context(), p.x, "mover"); err != nil {
					w.grant(t, p.x, "mover", twins.PermissionCreate)
				}
			}
			if name == "to the mover's own twin" {
				to = w.twin(t, mover, twins.NewTwin{DisplayName: "M", ParentID: p.x}).ID
			}
			err := w.move(mover, p.v, to)
			if test.refused {
				wantProblem(t, err, twinplatform.Forbidden, "InsufficientPermissions parentId:")
				w.wantAllowed(t, false, user("mover", acme), twins.PermissionAll, p.below)
			} else if err != nil {
				t.Error(err)
			}
			// Administrators are bound by nothing of this.
			if err := w.move(admin(t), p.v, to); err != nil {
				t.Error(err)
			}
		})
	}
}

// own makes someone an owner of a twin.
func (w *world) own(t testing.TB, twinID, memberID string) {
	t.Helper()
	if _, err := w.CreateMember(t.Context(), twinID, twins.NewMember{ID: memberID, RoleIDs: []string{w.ownerRole(t, twinID)}}); err != nil {
		t.Fatal(err)
	}
}

func (w *world) ownerRole(t testing.TB, twinID string) string {
	t.Helper()
	page, err := w.Roles(t.Context(), twinID, twins.RoleQuery{})
	if err != nil {
		t.Fatal(err)
	}
	roles, err := page.Values()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range roles {
		if r.Owner {
			return r.ID
		}
	}
	t.Fatal("the twin has no owner role")
	return ""
}

func TestTwinOfNoAccountIsMovedToTheTopByTheSystemAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	top := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "Top"})
	v := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "V", ParentID: top.ID})
	w.own(t, v.ID, "mover")
	wantProblem(t, w.move(as(t, user("mover", acme)), v.ID, ""), twinplatform.Forbidden, "InsufficientPermissions :")
	if err := w.move(t.Context(), v.ID, ""); err != nil {
		t.Error(err)
	}
}
