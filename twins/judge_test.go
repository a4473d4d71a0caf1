package twins_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Whatever a caller could do a moment ago: what counts is the transaction that
// does it.
func TestEveryChangeIsJudgedWhereItHappens(t *testing.T) {
	t.Parallel()
	for name, c := range calls {
		if slices.Contains(c.may, "!owner") {
			continue // the store does not know who administers
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			p := newPlaces(t, w)
			store := storetest.Over(w.store)
			late := &world{Service: twins.New(store, twins.Config{}), store: store}
			owner := as(t, user("owner", acme))
			twin, err := late.Twin(owner, p.twin)
			if err != nil {
				t.Fatal(err)
			}
			lost := false
			store.Next(func() {
				lost = true
				for _, id := range []string{p.twin, string(twin.Value.ParentID)} {
					if err := w.DeleteMember(t.Context(), id, "owner"); err != nil {
						t.Error(err)
					}
				}
			})
			if err := c.call(owner, late, p); lost && !errors.Is(err, twinplatform.NotFound) {
				t.Errorf("who has just lost the twin continues: %v", err)
			}
		})
	}
}

// local is a holder that answers from the store, and so within the transaction.
type local struct{ twinplatform.TwinHolderFunc }

func (local) Transactional() {}

func TestHolderOverTheStoreIsAskedInTheTransactionThatDeletes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	what := ""
	store := storetest.Over(w.store)
	late := twins.New(store, twins.Config{Holders: []twinplatform.TwinHolder{local{func(context.Context, string) (string, error) { return what, nil }}}})
	if _, err := late.Twin(admin(t), twin.ID); err != nil {
		t.Fatal(err)
	}
	store.Next(func() { what = "schedules" })
	wantProblem(t, late.DeleteTwin(admin(t), twin.ID), twinplatform.Conflict, "TwinNotEmpty : TwinInUse schedules")
	what = ""
	if err := late.DeleteTwin(admin(t), twin.ID); err != nil {
		t.Error(err)
	}
}

// stranger is an authorizer of the program's own, which writes what it was asked
// into the platform's store. Within a transaction it would wait for itself.
type stranger struct {
	store storage.Store
	asked []string
}

func (s *stranger) Allowed(ctx context.Context, _ twinplatform.Principal, permission string, _ twinplatform.Target) (bool, error) {
	s.asked = append(s.asked, permission)
	return true, s.store.Update(ctx, func(w storage.Writer) error { return w.Put("asked", []byte(permission)) })
}

func TestAnotherAuthorizerIsAskedOutsideTransactions(t *testing.T) {
	t.Parallel()
	for name, c := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				inner := newWorld(t, twins.Config{})
				p := newPlaces(t, inner)
				authorizer := &stranger{store: inner.store}
				w := &world{Service: twins.New(inner.store, twins.Config{Env: twinplatform.Env{Authorizer: authorizer}}), store: inner.store}
				if err := c.call(as(t, user("anybody", other)), w, p); err != nil {
					t.Error(err)
				}
				once := slices.Compact(slices.Sorted(slices.Values(authorizer.asked)))
				if len(authorizer.asked) == 0 || len(once) != len(authorizer.asked) {
					t.Errorf("it was asked %v", authorizer.asked)
				}
			})
		})
	}
}
