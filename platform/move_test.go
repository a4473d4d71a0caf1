package platform_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// An account moves to another deployment, which has accounts of its own, by the part of an export
// that is the account's, and is there what it was.
func TestAnAccountIsMovedByExportAndSeed(t *testing.T) {
	t.Parallel()
	account := func(p *platform.Platform, name string) (id string) {
		t.Helper()
		who := twinplatform.Principal{
			ID: twinplatform.NewGUID(), AccountID: twinplatform.NewGUID(), Kind: twinplatform.User, Email: name + "@example.com",
			AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}, Scopes: []string{twinplatform.ScopePlatform},
		}
		ctx := twinplatform.WithPrincipal(t.Context(), who)
		plan := made[twinplatform.Result[schedules.Schedule]](t)(p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{
			Name: "Plan of " + name, TwinID: newTwin(ctx, t, p),
		}))
		_, err := p.Schedules.In(plan.Value().ID).CreateTask(ctx, schedules.NewTask{ID: "slab", Name: "Pour for " + name, Type: schedules.Work})
		if err != nil {
			t.Fatal(err)
		}
		return who.AccountID
	}
	one, other := over(t, memory.New(), platform.Config{}), over(t, memory.New(), platform.Config{})
	moved := account(one, "ann")
	account(one, "bob")
	account(other, "carol")

	part := func(p *platform.Platform) *platform.World {
		t.Helper()
		w := made[*platform.World](t)(p.Export(t.Context()))
		foreign := func(twinID string) bool {
			i := slices.IndexFunc(w.Twins, func(v platform.Twin) bool { return v.ID == twinID })
			return i < 0 || w.Twins[i].TwinAccountID.Or("") != moved
		}
		return &platform.World{
			Schedules: slices.DeleteFunc(slices.Clone(w.Schedules), func(s platform.Schedule) bool { return foreign(s.TwinID) }),
			Roles:     slices.DeleteFunc(slices.Clone(w.Roles), func(r platform.Role) bool { return foreign(r.TwinID) }),
			Members:   slices.DeleteFunc(slices.Clone(w.Members), func(m platform.Member) bool { return foreign(m.TwinID) }),
			Twins:     slices.DeleteFunc(slices.Clone(w.Twins), func(v platform.Twin) bool { return foreign(v.ID) }),
		}
	}
	want := part(one)
	if err := other.Seed(t.Context(), want, platform.SeedOptions{}); err != nil {
		t.Fatal(err)
	}
	text := func(w *platform.World) string {
		var b strings.Builder
		if err := w.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if diff := cmp.Diff(text(want), text(part(other))); diff != "" || len(want.Twins) < 1 || len(want.Schedules) != 1 {
		t.Errorf("what was moved (-before +after):\n%s", diff)
	}
}
