package twins_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// The accounts and people of the tests.
const (
	acme  = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
	other = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
	nada  = "00000000-0000-4000-8000-000000000000" // names nothing
)

func user(id, account string, adminRoles ...twinplatform.AdministratorRole) twinplatform.Principal {
	return twinplatform.Principal{
		ID: id, DisplayName: strings.ToUpper(id), AccountID: account, Kind: twinplatform.User,
		Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: adminRoles,
	}
}

func as(t testing.TB, p twinplatform.Principal) context.Context {
	return twinplatform.WithPrincipal(t.Context(), p)
}

func admin(t testing.TB) context.Context { return as(t, user("admin", acme, "Account Administrator")) }

// world is a service with its store and, unless it is given one, a clock that the test
// moves.
type world struct {
	*twins.Service
	store storage.Store
	now   time.Time
}

func newWorld(t testing.TB, cfg twins.Config) *world {
	t.Helper()
	w := &world{store: storetest.New(t), now: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)}
	t.Cleanup(func() {
		if err := w.store.Close(); err != nil {
			t.Error(err)
		}
	})
	if cfg.Env.Now == nil {
		cfg.Env.Now = func() time.Time { return w.now }
	}
	w.Service = twins.New(w.store, cfg)
	err := records.New(w.store).Update(t.Context(), func(u *records.Update) error { return u.Listen() })
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// twin makes a twin of a name.
func (w *world) twin(t testing.TB, ctx context.Context, n twins.NewTwin) twins.Twin {
	t.Helper()
	if n.Class == "" {
		n.Class = twins.Endeavor
	}
	res, err := w.CreateTwin(ctx, n)
	if err != nil {
		t.Fatalf("CreateTwin(%q): %v", n.DisplayName, err)
	}
	return res.Value()
}

// grant makes a role of the permissions, and a principal of the account of the twin a
// member with it.
func (w *world) grant(t testing.TB, twinID, memberID string, permissions ...string) twins.Role {
	t.Helper()
	return w.grantTo(t, twinID, "", memberID, permissions...)
}

// grantTo is grant for a principal of an account.
func (w *world) grantTo(t testing.TB, twinID, accountID, memberID string, permissions ...string) twins.Role {
	t.Helper()
	role, err := w.CreateRole(t.Context(), twinID, twins.NewRole{DisplayName: "role of " + memberID, Permissions: permissions})
	if err != nil {
		t.Fatalf("CreateRole: %v", err)
	}
	if _, err := w.CreateMember(t.Context(), twinID, twins.NewMember{ID: memberID, AccountID: accountID, RoleIDs: []string{role.Value().ID}}); err != nil {
		t.Fatalf("CreateMember(%s): %v", memberID, err)
	}
	return role.Value()
}

// events are the events recorded since the last call.
func (w *world) events(t testing.TB) (out []twinplatform.Event) {
	t.Helper()
	err := records.New(w.store).Update(t.Context(), func(u *records.Update) error {
		out = nil
		for q, err := range records.Events(u) {
			if err != nil {
				return err
			}
			out = append(out, q.Event)
			if err := u.Take(q); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// problem is an error in short: its code, and the code and target of each
// detail.
func problem(err error) string {
	if err == nil {
		return ""
	}
	e, ok := errors.AsType[*twinplatform.Error](err)
	if !ok {
		return "no platform error: " + err.Error()
	}
	var details []string
	for _, d := range problemtest.Details(e) {
		details = append(details, d.Code+" "+d.Target)
	}
	slices.Sort(details)
	return strings.TrimSpace(e.Code + " " + e.Target + ": " + strings.Join(details, ", "))
}

func wantProblem(t testing.TB, err error, kind twinplatform.Kind, want string) {
	t.Helper()
	if got := problem(err); got != want {
		t.Errorf("error %q, want %q", got, want)
	}
	if !errors.Is(err, kind) {
		t.Errorf("error %v is not of the kind %v", err, kind)
	}
}

func names(t testing.TB, page twinplatform.Page[twins.Twin], err error) []string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	values, err := page.Values()
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.DisplayName
	}
	return out
}

func wantNames(t testing.TB, got []string, want ...string) {
	t.Helper()
	got = slices.Clone(got)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
		t.Errorf("twins (-want +got):\n%s", diff)
	}
}
