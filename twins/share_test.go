package twins_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// share makes a share of a twin.
func (w *world) share(t testing.TB, ctx context.Context, twinID string) twins.Share {
	t.Helper()
	res, err := w.CreateShare(ctx, twinID, twins.NewShare{})
	mustNot(t, err)
	return res.Value()
}

// bearer is a context of the holder of the key of a share.
func (w *world) bearer(t testing.TB, key string) context.Context {
	t.Helper()
	p, err := w.SharePrincipal(t.Context(), key)
	mustNot(t, err)
	return as(t, p)
}

func (w *world) wantClosed(t testing.TB, key string) {
	t.Helper()
	if _, err := w.SharePrincipal(t.Context(), key); !errors.Is(err, twinplatform.Unauthenticated) {
		t.Errorf("a key that opens nothing ends with %v", err)
	}
}

func TestShareReadsItsTwinAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
	below := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Below", ParentID: twin}).ID
	made := w.share(t, admin(t), twin)
	ctx := w.bearer(t, made.ShareKey)
	if _, err := w.Twin(ctx, twin); err != nil {
		t.Errorf("reading the twin: %v", err)
	}
	page, err := w.Twins(ctx, twins.TwinQuery{})
	if diff := cmp.Diff([]string{"A"}, names(t, page, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	held, err := w.PermissionsAt(ctx, twin)
	if diff := cmp.Diff([]string{"Forms_ViewAccess", "models_read", "schedules_read", "twins_read"}, held); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for name, call := range map[string]func() error{
		"a twin below": func() error { return errOf(w.Twin(ctx, below)) },
		"the account":  func() error { return errOf(w.Twin(ctx, acme)) },
	} {
		if err := call(); !errors.Is(err, twinplatform.NotFound) {
			t.Errorf("%s: %v, want NotFound", name, err)
		}
	}
	for name, call := range map[string]func() error{
		"members":      func() error { return errOf(w.Members(ctx, twin, twins.MemberQuery{})) },
		"groups":       func() error { return errOf(w.Groups(ctx, twin, twins.GroupQuery{})) },
		"repositories": func() error { return errOf(w.Repositories(ctx, twin, twins.RepositoryQuery{})) },
		"shares":       func() error { return errOf(w.Shares(ctx, twin, twins.ShareQuery{})) },
		"sharing on":   func() error { return errOf(w.CreateShare(ctx, twin, twins.NewShare{})) },
		"revoking":     func() error { return w.DeleteShare(ctx, twin, made.ID) },
		"a favorite":   func() error { return w.AddFavorite(ctx, twin) },
		"a change":     func() error { return errOf(w.UpdateTwin(ctx, twin, twins.TwinPatch{Type: twinplatform.Set("x")})) },
	} {
		if err := call(); !errors.Is(err, twinplatform.Forbidden) {
			t.Errorf("%s: %v, want Forbidden", name, err)
		}
	}
}

func TestShareEndsWithEachOfItsReasons(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, w *world, twinID, shareID string){
		"its time": func(_ *testing.T, w *world, _, _ string) { w.now = w.now.Add(twins.MaxShareTime) },
		"revoked": func(t *testing.T, w *world, twinID, shareID string) {
			mustNot(t, w.DeleteShare(admin(t), twinID, shareID))
		},
		"its twin": func(t *testing.T, w *world, twinID, _ string) { mustNot(t, w.DeleteTwin(admin(t), twinID)) },
		"its maker manages the twin no more": func(t *testing.T, w *world, twinID, _ string) {
			mustNot(t, w.DeleteMember(admin(t), twinID, "mia"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
			w.grant(t, twin, "mia", twins.PermissionManageMembers, "schedules_read")
			made := w.share(t, as(t, user("mia", acme)), twin)
			held, err := w.PermissionsAt(w.bearer(t, made.ShareKey), twin)
			if diff := cmp.Diff([]string{"schedules_read", "twins_read"}, held); diff != "" || err != nil {
				t.Errorf("%v (-what the maker may read +what the share may):\n%s", err, diff)
			}
			end(t, w, twin, made.ID)
			w.wantClosed(t, made.ShareKey)
		})
	}
}

func TestKeysOfSharesAreNotGuessedAndNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
	one, two := w.share(t, admin(t), twin), w.share(t, admin(t), twin)
	named, secret, _ := strings.Cut(one.ShareKey, ".")
	_, other, _ := strings.Cut(two.ShareKey, ".")
	for _, key := range []string{"", ".", named, named + ".", named + "." + other, "." + secret, one.ShareKey + "x", one.ID, strings.Repeat("A", 9_000)} {
		w.wantClosed(t, key)
	}
	rec, err := w.Share(admin(t), twin, one.ID)
	page, err2 := w.Shares(admin(t), twin, twins.ShareQuery{})
	if err != nil || err2 != nil || page.Len() != 2 || rec.Value.ShareKey != "" || strings.Contains(string(rec.JSON), secret) {
		t.Errorf("%s, %d, %v, %v", rec.JSON, page.Len(), err, err2)
	}
	err = w.store.View(t.Context(), func(r storage.Reader) error {
		for key, value := range r.Scan("", "") {
			if strings.Contains(key+string(value), secret) {
				t.Errorf("the store has the key at %q", key)
			}
		}
		return nil
	})
	mustNot(t, err)
}

func TestRequestsForSharesAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
	w.grant(t, twin, "ann", "schedules_read")
	until := func(at time.Time) error {
		return errOf(w.CreateShare(admin(t), twin, twins.NewShare{Expiration: twinplatform.At(at)}))
	}
	_, err := w.CreateShare(admin(t), twin, twins.NewShare{ShareContract: "Gold"})
	wantProblem(t, err, twinplatform.NotFound, "ShareContractNotFound shareContract:")
	wantProblem(t, until(w.now), twinplatform.Unprocessable, "InvalidAccessControlRequest : InvalidValue expiration")
	wantProblem(t, until(w.now.Add(twins.MaxShareTime+time.Second)), twinplatform.Unprocessable, "InvalidAccessControlRequest : InvalidValue expiration")
	ann := as(t, user("ann", acme))
	wantProblem(t, errOf(w.CreateShare(ann, twin, twins.NewShare{})), twinplatform.Forbidden, "InsufficientPermissions :")
	wantProblem(t, errOf(w.Shares(ann, twin, twins.ShareQuery{})), twinplatform.Forbidden, "InsufficientPermissions :")
	wantProblem(t, errOf(w.Share(admin(t), twin, nada)), twinplatform.NotFound, "ShareNotFound shareId:")
	wantProblem(t, errOf(w.Shares(as(t, user("eve", acme)), twin, twins.ShareQuery{})), twinplatform.NotFound, "twinNotFound twinId:")
	for range twins.MaxShares {
		mustNot(t, until(w.now.Add(time.Hour)))
	}
	wantProblem(t, until(w.now.Add(time.Hour)), twinplatform.Conflict, "LimitExceeded : InvalidValue")
	w.now = w.now.Add(time.Hour)
	mustNot(t, until(w.now.Add(time.Hour))) // in place of those that have ended
}

func TestShareThatEndsBehindItsAuthenticationReadsNothing(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, w *world, twinID, shareID string){
		"its time": func(_ *testing.T, w *world, _, _ string) { w.now = w.now.Add(twins.MaxShareTime) },
		"revoked": func(t *testing.T, w *world, twinID, shareID string) {
			mustNot(t, w.DeleteShare(admin(t), twinID, shareID))
		},
		"its maker is gone": func(t *testing.T, w *world, twinID, _ string) {
			mustNot(t, w.DeleteMember(admin(t), twinID, "mia"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
			w.grant(t, twin, "mia", twins.PermissionManageMembers, "schedules_read")
			made := w.share(t, as(t, user("mia", acme)), twin)
			ctx := w.bearer(t, made.ShareKey)
			if _, err := w.Twin(ctx, twin); err != nil {
				t.Fatal(err)
			}
			end(t, w, twin, made.ID)
			_, err := w.Twin(ctx, twin)
			wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
			_, err = w.PermissionsAt(ctx, twin)
			wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
			page, err := w.Twins(ctx, twins.TwinQuery{})
			if got := names(t, page, err); len(got) > 0 {
				t.Errorf("lists %v", got)
			}
		})
	}
}

// failing cannot be asked.
type failing struct{}

var errFailing = errors.New("unknown")

func (failing) Good(context.Context) (bool, error)          { return true, errFailing }
func (failing) Holds(context.Context, string) (bool, error) { return true, errFailing }

func TestReaderWhoseGrantCannotBeAskedReadsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"}).ID
	ctx := as(t, twinplatform.Principal{ID: "x", ReadOnly: &twinplatform.ReadOnly{TwinID: twin, Permissions: twins.SharePermissions(), Grant: failing{}}})
	if _, err := w.Twin(ctx, twin); !errors.Is(err, errFailing) {
		t.Error(err)
	}
	if _, err := w.Twins(ctx, twins.TwinQuery{}); !errors.Is(err, errFailing) {
		t.Error(err)
	}
}
