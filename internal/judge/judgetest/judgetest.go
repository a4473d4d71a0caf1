// Package judgetest holds a domain to judging its callers in the transaction that
// acts for them.
package judgetest

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// Acts are what callers do with a domain, by their names. Each changes something.
type Acts map[string]func(ctx context.Context) error

// World makes a domain over a store, with all that the acts need.
type World func(t *testing.T, store storage.Store, env twinplatform.Env, twins twinplatform.TwinDirectory) Acts

// TakenAway takes the rights of a caller away, or the twins, right before each act
// writes, and fails when it is acted on. The caller is of the account acme, to which
// all twins belong. The keys of the domain begin with prefix.
func TakenAway(t *testing.T, prefix string, world World) {
	for _, taken := range []string{"rights", "twins"} {
		for name := range newWorld(t, world, new(interrupted)) {
			t.Run(taken+"/"+name, func(t *testing.T) {
				t.Parallel()
				store := new(interrupted)
				act := newWorld(t, world, store)[name]
				store.before = func() { takeAway(t, store.Store, taken) }
				before := dump(t, store.Store, prefix)
				ctx := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: "ann", AccountID: "acme"})
				if err := act(ctx); !errors.Is(err, twinplatform.NotFound) && !errors.Is(err, twinplatform.Forbidden) {
					t.Errorf("got %v", err)
				}
				if diff := cmp.Diff(before, dump(t, store.Store, prefix)); diff != "" {
					t.Errorf("it was acted on: %s", diff)
				}
			})
		}
	}
}

func newWorld(t *testing.T, world World, store *interrupted) Acts {
	t.Helper()
	store.Store = memory.New()
	t.Cleanup(func() { _ = store.Close() })
	answers := local{records.New(store)}
	return world(t, store, twinplatform.Env{Authorizer: answers}, answers)
}

// interrupted is a store in which something happens right before the next change.
type interrupted struct {
	storage.Store

	before func()
}

func (s *interrupted) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if happens := s.before; happens != nil {
		s.before = nil
		happens()
	}
	return s.Store.Update(ctx, fn)
}

// local answers from the platform's own store what was not taken away.
type local struct{ db *records.DB }

var takings = records.Collection[string]{Name: "takings", Untracked: true, ID: func(s *string) string { return *s }}

func takeAway(t *testing.T, store storage.Store, what string) {
	err := records.New(store).Update(context.WithoutCancel(t.Context()), func(u *records.Update) error {
		_, err := takings.Put(u, "takings", &what)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func (local) Transactional() {}

func (l local) has(ctx context.Context, what string) (has bool, err error) {
	err = l.db.View(ctx, func(v *records.View) error {
		taken, err := takings.Has(v, "takings", what)
		has = !taken
		return err
	})
	return has, err
}

func (l local) Allowed(ctx context.Context, p twinplatform.Principal, _ string, at twinplatform.Target) (bool, error) {
	has, err := l.has(ctx, "rights")
	return has && p.AccountID == at.AccountID, err
}

func (l local) TwinAccount(ctx context.Context, _ string) (accountID string, ok bool, err error) {
	ok, err = l.has(ctx, "twins")
	if ok {
		accountID = "acme"
	}
	return accountID, ok, err
}

// dump is all that is in a store under a prefix.
func dump(t *testing.T, store storage.Store, prefix string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := store.View(t.Context(), func(r storage.Reader) error {
		for key, value := range r.Scan(prefix, "") {
			all[key] = string(value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
