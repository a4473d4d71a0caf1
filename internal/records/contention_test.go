package records_test

import (
	"context"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// shared is a store that others may write to too, and notes what was said of Updates.
type shared struct {
	store storage.Store
	hint  string
}

func (s *shared) View(ctx context.Context, fn func(storage.Reader) error) error {
	return s.store.View(ctx, fn)
}

func (s *shared) Update(ctx context.Context, fn func(storage.Writer) error) error {
	s.hint = storage.Contention(ctx)
	return s.store.Update(ctx, fn)
}

func (s *shared) Close() error { return s.store.Close() }

func TestTransactionsContendByAccount(t *testing.T) {
	t.Parallel()
	store := &shared{store: memory.New()}
	db := records.New(store)
	ctx := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: "user", AccountID: "account"})
	ofAccount, ofForm := records.Scope("twins#").Of("account"), records.Scope("form-1")
	for _, test := range []struct {
		name string
		ctx  context.Context
		want string
	}{
		{"of nobody", t.Context(), ""},
		{"of a caller", ctx, "accounts/account"},
		{"of a caller who knows better", storage.WithContention(ctx, "schedules/1"), "schedules/1"},
		{"in the scope of an account", ofAccount.WithContention(t.Context()), "accounts/account"},
		{"in another scope", ofForm.WithContention(t.Context()), "form-1"},
	} {
		if err := db.Update(test.ctx, func(*records.Update) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if store.hint != test.want {
			t.Errorf("transactions %s contend by %q, want %q", test.name, store.hint, test.want)
		}
	}
}
