package twins_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func (w *world) wantAllowed(t testing.TB, want bool, p twinplatform.Principal, permission, twinID string) {
	t.Helper()
	got, err := w.Allowed(t.Context(), p, permission, twinplatform.Target{TwinID: twinID})
	if got != want || err != nil {
		t.Errorf("%s holds %s: %t, %v; want %t", p.ID, permission, got, err, want)
	}
}

func TestPermissionsImplyOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{Permissions: []string{"Forms_InventedAccess"}})
	tests := []struct {
		held     []string
		yes, not []string
	}{
		{[]string{"schedules_read"}, []string{"schedules_read", "twins_read"}, []string{"schedules_modify", "twins_create", "twins_modify", "Forms_ViewAccess", "*"}},
		{[]string{"Forms_CreateAccess"}, []string{"Forms_CreateAccess", "Forms_ViewAccess", "twins_read"}, []string{"Forms_ModifyAccess", "Forms_FullAccess"}},
		{[]string{"Forms_DeleteForms"}, []string{"Forms_ViewAccess"}, []string{"Forms_CreateAccess"}},
		{[]string{"Forms_InventedAccess"}, []string{"Forms_ViewAccess"}, []string{"Forms_CreateAccess"}},
		{[]string{"Forms_ViewAccess"}, []string{"Forms_ViewAccess"}, []string{"Forms_CreateAccess"}},
		{
			[]string{"Forms_FullAccess"},
			[]string{"Forms_ViewAccess", "Forms_CreateAccess", "Forms_ModifyAccess", "Forms_AssignAccess", "Forms_ApproveAccess", "Forms_CommentAccess", "Forms_DeleteForms"},
			[]string{"twins_modify", "schedules_read", "Forms_ManageDefinitions"},
		},
		{[]string{"Forms_ManageDefinitions"}, []string{"Forms_ViewAccess"}, []string{"Forms_CreateAccess", "Forms_FullAccess"}},
		{[]string{"realitydata_create"}, []string{"realitydata_create", "twins_read"}, []string{"realitydata_use", "realitydata_manage"}},
		{[]string{"models_write"}, []string{"models_write"}, []string{"models_read"}},
		{[]string{"webhooks_maintainer"}, []string{"webhooks_maintainer"}, []string{"twins_modify"}},
		{[]string{"twins_create", "twins_modify"}, []string{"twins_create", "twins_modify"}, []string{"members_manage", "roles_manage"}},
		{nil, nil, []string{"twins_read", "Forms_ViewAccess"}},
	}
	for i, test := range tests {
		id := fmt.Sprint("member", i)
		twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: id, AccountID: acme})
		w.grant(t, twin.ID, id, test.held...)
		for _, permission := range test.yes {
			w.wantAllowed(t, true, user(id, acme), permission, twin.ID)
		}
		for _, permission := range test.not {
			w.wantAllowed(t, false, user(id, acme), permission, twin.ID)
		}
	}
}

func TestPermissionsHoldBelowAndNotAbove(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	all := hierarchy(t, w)
	w.grant(t, all["North"].ID, "m", "schedules_read")
	w.grant(t, all["Bearings"].ID, "m", "schedules_modify")
	m := user("m", acme)
	for name, want := range map[string][2]bool{
		"North": {true, false}, "North bridge": {true, false}, "North ruin": {true, false}, "Bearings": {true, true}, "South": {}, "South station": {}, "Elsewhere": {},
	} {
		w.wantAllowed(t, want[0], m, "schedules_read", all[name].ID)
		w.wantAllowed(t, want[1], m, "schedules_modify", all[name].ID)
	}
	w.wantAllowed(t, false, m, "schedules_read", acme)
	w.wantAllowed(t, false, m, "schedules_read", nada)

	// Held at the account, it holds everywhere in it.
	w.grant(t, acme, "n", "models_read")
	w.wantAllowed(t, true, user("n", acme), "models_read", all["Bearings"].ID)
	w.wantAllowed(t, false, user("n", acme), "models_read", all["Elsewhere"].ID)
	for target, want := range map[twinplatform.Target]bool{{AccountID: acme}: true, {AccountID: other}: false, {}: false} {
		if got, err := w.Allowed(t.Context(), user("n", acme), "models_read", target); got != want || err != nil {
			t.Errorf("at %+v: %t, %v", target, got, err)
		}
	}
	// Administrators hold everything in their account and nothing elsewhere,
	// even where the caller did not know the account.
	boss := user("manager", acme, "Co-Administrator")
	w.wantAllowed(t, true, boss, "anything", all["Bearings"].ID)
	w.wantAllowed(t, false, boss, "anything", all["Elsewhere"].ID)
	w.wantAllowed(t, false, user("", acme), "twins_read", all["North"].ID)
}

// covers: Create twin as requested: rule the owner role can be removed and granted
func TestRightsFollowEveryChangeAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A", AccountID: acme})
	m := user("m", acme)
	w.wantAllowed(t, false, m, "schedules_read", twin.ID)
	role := w.grant(t, twin.ID, "m", "schedules_read")
	w.wantAllowed(t, true, m, "schedules_read", twin.ID)
	if _, err := w.UpdateRole(t.Context(), twin.ID, role.ID, twins.RolePatch{Permissions: twinplatform.Set([]string{"schedules_modify"})}); err != nil {
		t.Fatal(err)
	}
	w.wantAllowed(t, false, m, "schedules_read", twin.ID)
	w.wantAllowed(t, true, m, "schedules_modify", twin.ID)
	second := w.grant(t, twin.ID, "x", "models_read")
	if _, err := w.UpdateMember(t.Context(), twin.ID, "m", twins.MemberPatch{RoleIDs: twinplatform.Set([]string{second.ID})}); err != nil {
		t.Fatal(err)
	}
	w.wantAllowed(t, false, m, "schedules_modify", twin.ID)
	w.wantAllowed(t, true, m, "models_read", twin.ID)
	// Another service over the same store sees and makes the same changes.
	if err := twins.New(w.store, twins.Config{}).DeleteMember(t.Context(), twin.ID, "m"); err != nil {
		t.Fatal(err)
	}
	w.wantAllowed(t, false, m, "models_read", twin.ID)
}

// What was cached of one state must not serve another one that has seen as many
// changes.
func TestRightsFollowAStoreThatIsPutBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "A", AccountID: acme})
	var saved bytes.Buffer
	if err := storage.Backup(t.Context(), w.store, &saved); err != nil {
		t.Fatal(err)
	}
	w.grant(t, twin.ID, "first", "models_read")
	w.wantAllowed(t, true, user("first", acme), "models_read", twin.ID)
	w.wantAllowed(t, false, user("second", acme), "models_read", twin.ID)
	if err := storage.Restore(t.Context(), w.store, &saved); err != nil {
		t.Fatal(err)
	}
	w.grant(t, twin.ID, "second", "models_read")
	w.wantAllowed(t, false, user("first", acme), "models_read", twin.ID)
	w.wantAllowed(t, true, user("second", acme), "models_read", twin.ID)
}

func BenchmarkAllowed(b *testing.B) {
	w := newWorld(b, twins.Config{})
	project := w.twin(b, b.Context(), twins.NewTwin{DisplayName: "P", AccountID: acme})
	w.grant(b, project.ID, "m", "schedules_read", "schedules_modify")
	leaf := w.twin(b, b.Context(), twins.NewTwin{DisplayName: "L", ParentID: project.ID})
	ask := func(b *testing.B, id string, want bool) {
		if ok, err := w.Allowed(b.Context(), user("m", acme), "schedules_read", twinplatform.Target{TwinID: id, AccountID: acme}); ok != want || err != nil {
			b.Fatal(ok, err)
		}
	}
	for name, id := range map[string]string{"own": project.ID, "inherited": leaf.ID} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ask(b, id, true)
			}
		})
	}
	b.Run("missing", func(b *testing.B) {
		for b.Loop() {
			ask(b, nada, false)
		}
	})
	// Before every question someone changes who may do what.
	b.Run("uncached", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			if _, err := w.UpdateTwin(b.Context(), leaf.ID, twins.TwinPatch{Type: twinplatform.Set(fmt.Sprint(i))}); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			ask(b, leaf.ID, true)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				ask(b, leaf.ID, true)
			}
		})
	})
}

func BenchmarkTwins(b *testing.B) {
	w := newWorld(b, twins.Config{})
	for i := range 100 {
		p := w.twin(b, b.Context(), twins.NewTwin{DisplayName: fmt.Sprint(i), Number: fmt.Sprint(i), AccountID: acme})
		if i == 50 {
			w.grant(b, p.ID, "m", twins.PermissionRead)
		}
		for j := range 99 {
			w.twin(b, b.Context(), twins.NewTwin{DisplayName: fmt.Sprint(i, j), ParentID: p.ID})
		}
	}
	boss, member := user("boss", acme, "Account Administrator"), user("m", acme)
	for _, test := range []struct {
		name string
		p    twinplatform.Principal
		q    twins.TwinQuery
		want int
	}{
		{"administrator/first page of 10000", boss, twins.TwinQuery{}, 100},
		{"administrator/first page, minimal", boss, twins.TwinQuery{Minimal: true}, 100},
		{"administrator/behind 9000", boss, twins.TwinQuery{Skip: 9000}, 100},
		{"administrator/by number", boss, twins.TwinQuery{Number: "77"}, 1},
		{"administrator/search", boss, twins.TwinQuery{Search: "99 9"}, 10},
		{"member of one in a hundred", member, twins.TwinQuery{}, 100},
	} {
		b.Run(test.name, func(b *testing.B) {
			ctx := as(b, test.p)
			for b.Loop() {
				page, err := w.Twins(ctx, test.q)
				if err != nil || page.Len() != test.want {
					b.Fatal(page.Len(), err)
				}
			}
		})
	}
}

func BenchmarkCreateTwin(b *testing.B) {
	w := newWorld(b, twins.Config{})
	ctx := admin(b)
	for i := 0; b.Loop(); i++ {
		w.twin(b, ctx, twins.NewTwin{DisplayName: fmt.Sprint(i)})
	}
}
