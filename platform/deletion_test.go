package platform_test

import (
	"context"
	"errors"
	"maps"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// creations make whatever belongs to a twin: its content, a form of a definition
// that another twin shares, and a webhook, which does not keep a twin from being
// deleted.
func creations(t *testing.T, p *platform.Platform) map[string]func(context.Context, *platform.Platform, string) error {
	t.Helper()
	home := newTwin(as(t, "ada", "Account Administrator"), t, p)
	shared, err := p.Forms.CreateFormDefinition(t.Context(), forms.NewFormDefinition{
		DisplayName: "Diary", Type: "Diary", TwinID: home, Status: forms.Approved, ShareType: forms.ReadOnly,
	})
	if err != nil {
		t.Fatal(err)
	}
	all := maps.Clone(content)
	all["forms"] = func(ctx context.Context, p *platform.Platform, twin string) error {
		_, err := p.Forms.CreateForm(ctx, forms.NewForm{FormID: shared.Value().ID, TwinID: twin})
		return err
	}
	all["webhooks"] = func(ctx context.Context, p *platform.Platform, twin string) error {
		_, err := p.Webhooks.CreateWebhook(ctx, webhooks.NewWebhook{
			CallbackURL: receiver, EventTypes: []webhooks.EventType{event.TypeTwinDeleted}, Scope: webhooks.TwinScope, ScopeID: twin,
		})
		return err
	}
	return all
}

// application is a service application that administers the account, and so may
// make everything there is.
func application(t *testing.T) context.Context {
	t.Helper()
	p, _ := twinplatform.PrincipalFrom(as(t, "app", twinplatform.AccountAdministrator))
	p.Kind, p.Scopes = twinplatform.Service, append(p.Scopes, twinplatform.ScopeWebhooksModify)
	return twinplatform.WithPrincipal(t.Context(), p)
}

func TestNothingIsMadeInATwinThatIsDeletedJustBefore(t *testing.T) {
	t.Parallel()
	store := storetest.Over(memory.New())
	p := over(t, store, platform.Config{})
	for what, create := range creations(t, p) {
		if err := create(application(t), p, newTwin(application(t), t, p)); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		twin := newTwin(application(t), t, p)
		store.Next(func() {
			if err := p.Twins.DeleteTwin(t.Context(), twin); err != nil {
				t.Error(err)
			}
		})
		if err := create(application(t), p, twin); err == nil || store.Waits() {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestTwinIsNotDeletedUnderWhatIsMadeJustBefore(t *testing.T) {
	t.Parallel()
	store := storetest.Over(memory.New())
	p := over(t, store, platform.Config{})
	for what, create := range creations(t, p) {
		twin := newTwin(application(t), t, p)
		store.Next(func() {
			if err := create(application(t), p, twin); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		})
		if err := p.Twins.DeleteTwin(t.Context(), twin); (err == nil) != (what == "webhooks") || store.Waits() {
			t.Errorf("deleting a twin with %s: %v", what, err)
		}
	}
}

// However they race: either the twin is gone and nothing was made in it, or
// something was made and the twin is there.
func TestNothingBelongsToATwinThatIsGone(t *testing.T) {
	t.Parallel()
	p := opened(t, platform.Config{})
	all := creations(t, p)
	delete(all, "webhooks") // which may be there, and receive the deletion
	deleted := 0
	for range 60 {
		for what, create := range all {
			twin := newTwin(application(t), t, p)
			var wg sync.WaitGroup
			var creation, deletion error
			wg.Go(func() { creation = create(application(t), p, twin) })
			wg.Go(func() { deletion = p.Twins.DeleteTwin(t.Context(), twin) })
			wg.Wait()
			if deletion == nil {
				deleted++
			}
			if (creation == nil) == (deletion == nil) || errors.Is(errors.Join(creation, deletion), twinplatform.Internal) {
				t.Fatalf("making %s: %v; deleting the twin: %v", what, creation, deletion)
			}
		}
	}
	if rounds := 60 * len(all); deleted == 0 || deleted == rounds {
		t.Logf("in %d of %d races the twin was deleted", deleted, rounds)
	}
}
