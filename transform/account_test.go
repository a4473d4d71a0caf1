package transform_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge/judgetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// accounts maps twins to their accounts.
type accounts map[string]string

func (a accounts) TwinAccount(_ context.Context, twinID string) (string, bool, error) {
	account, ok := a[twinID]
	return account, ok, nil
}

// members may do everything in their own account, and guests also in that of acme.
type members struct{}

func (members) Allowed(_ context.Context, p twinplatform.Principal, _ string, at twinplatform.Target) (bool, error) {
	return p.AccountID == at.AccountID || p.ID == "guest" && at.AccountID == "acme", nil
}

func caller(t *testing.T, account, id string) context.Context {
	return twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: id, AccountID: account})
}

// newAccounts has a project in each of three accounts.
func newAccounts() *transform.Service {
	return transform.New(memory.New(), transform.Config{
		Env: twinplatform.Env{Authorizer: members{}}, Twins: accounts{"bridge": "acme", "mine": "other", "third": "third"},
	})
}

// fill makes the same model with the same view in a project.
func fill(t *testing.T, svc *transform.Service, ctx context.Context, twinID string) {
	t.Helper()
	if _, err := svc.Models().CreateModel(ctx, models.NewModel{ID: "tower", TwinID: twinID, DisplayName: twinID}); err != nil {
		t.Fatal(err)
	}
	if _, err := svc.Models().CreateModel(ctx, models.NewModel{ID: "target", TwinID: twinID, DisplayName: twinID}); err != nil {
		t.Fatal(err)
	}
	if _, err := svc.Models().CreateSavedView(ctx, models.NewSavedView{ID: "front", ModelID: "tower", DisplayName: twinID, Shared: true}); err != nil {
		t.Fatal(err)
	}
}

func configuration(twinID string) transform.NewConfiguration {
	return transform.NewConfiguration{
		TransformName: "x", Comment: "x", SourceProjectID: twinID, SourceModelID: "tower", TargetProjectID: twinID, TargetModelID: "target",
		TransformParameters: &transform.NewParameters{SavedViewID: "front"},
	}
}

// covers: Operations of transformations and models: rule ids are those of an account
func TestEveryAccountHasItsOwnIDs(t *testing.T) {
	t.Parallel()
	svc := newAccounts()
	acme, other := caller(t, "acme", "ann"), caller(t, "other", "eve")
	fill(t, svc, acme, "bridge")
	fill(t, svc, other, "mine")
	for twinID, ctx := range map[string]context.Context{"bridge": acme, "mine": other} {
		m, err := svc.Models().Model(ctx, "tower")
		if err != nil || m.Value.TwinID != twinID {
			t.Errorf("%s: the model is that of %q, %v", twinID, m.Value.TwinID, err)
		}
		v, err := svc.Models().SavedView(ctx, "front")
		if err != nil || v.Value.DisplayName != twinID {
			t.Errorf("%s: the view is %q, %v", twinID, v.Value.DisplayName, err)
		}
		page, err := svc.Models().SavedViews(ctx, models.SavedViewQuery{ModelID: "tower"})
		if err != nil || page.Len() != 1 {
			t.Errorf("%s: %d views, %v", twinID, page.Len(), err)
		}
		if _, err := svc.Models().CreateModel(ctx, models.NewModel{ID: "tower", TwinID: twinID, DisplayName: "x"}); twinplatform.AsError(err).Code != "ModelExists" {
			t.Errorf("%s: the same id twice: %v", twinID, err)
		}
		if _, err := svc.Models().CreateSavedView(ctx, models.NewSavedView{ID: "front", ModelID: "tower", DisplayName: "x"}); twinplatform.AsError(err).Code != "SavedViewExists" {
			t.Errorf("%s: the same view twice: %v", twinID, err)
		}
	}
	res, err := svc.CreateConfiguration(other, configuration("mine"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := svc.Configurations(acme, transform.ConfigurationQuery{TargetModelID: "target"})
	if err != nil || list.Len() != 0 {
		t.Errorf("acme has %d configurations of another account, %v", list.Len(), err)
	}
	if list, err = svc.Configurations(other, transform.ConfigurationQuery{TargetModelID: "target"}); err != nil || list.Len() != 1 {
		t.Errorf("other has %d configurations, %v", list.Len(), err)
	}
	// What another account names does not hold a model back.
	if err := svc.Models().DeleteModel(acme, "tower"); err != nil {
		t.Error(err)
	}
	if err := svc.Models().DeleteModel(other, "tower"); twinplatform.AsError(err).Code != "ModelInUse" {
		t.Errorf("a model in use: %v", err)
	}
	if err := svc.DeleteConfiguration(other, res.Value().ID); err != nil {
		t.Fatal(err)
	}
	if _, err := svc.Models().SavedView(other, "front"); err != nil {
		t.Errorf("the view went with the model of another account: %v", err)
	}
}

// TestIDOfAnotherAccountRevealsNothing compares every answer about an id that another
// account has with that about one that no one has.
//
// covers: Operations of transformations and models: rule ids are those of an account
func TestIDOfAnotherAccountRevealsNothing(t *testing.T) {
	t.Parallel()
	other := caller(t, "other", "eve")
	answers := func(taken bool) (all []*twinplatform.Error) {
		svc := newAccounts()
		if taken {
			fill(t, svc, caller(t, "acme", "ann"), "bridge")
		}
		_, model := svc.Models().Model(other, "tower")
		_, view := svc.Models().SavedView(other, "front")
		_, views := svc.Models().SavedViews(other, models.SavedViewQuery{ModelID: "tower"})
		_, made := svc.Models().CreateModel(other, models.NewModel{ID: "tower", TwinID: "mine", DisplayName: "x"})
		_, madeView := svc.Models().CreateSavedView(other, models.NewSavedView{ID: "front", ModelID: "tower", DisplayName: "x"})
		_, configured := svc.CreateConfiguration(other, configuration("bridge"))
		for _, err := range []error{
			model, view, views, made, madeView, configured,
			svc.Models().DeleteSavedView(other, "front"), svc.Models().DeleteModel(other, "tower"), svc.Models().DeleteModel(other, "target"),
		} {
			all = append(all, twinplatform.AsError(err))
		}
		return all
	}
	if diff := cmp.Diff(answers(false), answers(true), cmpopts.IgnoreUnexported(twinplatform.Error{})); diff != "" {
		t.Errorf("(-free +taken): %s", diff)
	}
}

func TestGuestsAndTheSystemMeanTheOnlyOneThatTheySee(t *testing.T) {
	t.Parallel()
	svc := newAccounts()
	guest := caller(t, "other", "guest")
	fill(t, svc, caller(t, "acme", "ann"), "bridge")
	for name, ctx := range map[string]context.Context{"guest": guest, "system": t.Context()} {
		if m, err := svc.Models().Model(ctx, "tower"); err != nil || m.Value.TwinID != "bridge" {
			t.Errorf("%s: the only one is that of %q, %v", name, m.Value.TwinID, err)
		}
	}
	fill(t, svc, caller(t, "third", "bob"), "third")
	if m, err := svc.Models().Model(guest, "tower"); err != nil || m.Value.TwinID != "bridge" {
		t.Errorf("the guest means that of %q, %v", m.Value.TwinID, err)
	}
	for name, err := range map[string]error{
		"model": outcome(svc.Models().Model(t.Context(), "tower")), "view": outcome(svc.Models().SavedView(t.Context(), "front")), "deletion": svc.Models().DeleteModel(t.Context(), "tower"),
	} {
		if twinplatform.AsError(err).Code != "AmbiguousId" || !errors.Is(err, twinplatform.Conflict) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	fill(t, svc, caller(t, "other", "eve"), "mine")
	if m, err := svc.Models().Model(guest, "tower"); err != nil || m.Value.TwinID != "mine" {
		t.Errorf("the guest with an own one means that of %q, %v", m.Value.TwinID, err)
	}
}

// What an account had is not replaced by what another one calls by its id.
func TestDeletedEntryIsNotReplacedByThatOfAnotherAccount(t *testing.T) {
	t.Parallel()
	svc := newAccounts()
	guest, ann := caller(t, "other", "guest"), caller(t, "acme", "ann")
	fill(t, svc, ann, "bridge")
	fill(t, svc, guest, "mine")
	for _, err := range []error{svc.Models().DeleteSavedView(guest, "front"), svc.Models().DeleteModel(guest, "tower")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, err := range map[string]error{
		"model": outcome(svc.Models().Model(guest, "tower")), "view": outcome(svc.Models().SavedView(guest, "front")), "deletion": svc.Models().DeleteModel(guest, "tower"),
	} {
		if !errors.Is(err, twinplatform.NotFound) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if m, err := svc.Models().Model(ann, "tower"); err != nil || m.Value.TwinID != "bridge" {
		t.Errorf("acme means that of %q, %v", m.Value.TwinID, err)
	}
}

func outcome[T any](_ T, err error) error { return err }

func TestWhatIsTakenAwayJustBeforeIsNotActedOn(t *testing.T) {
	t.Parallel()
	judgetest.TakenAway(t, "transform/", func(t *testing.T, store storage.Store, env twinplatform.Env, twins twinplatform.TwinDirectory) judgetest.Acts {
		svc := transform.New(store, transform.Config{Env: env, Twins: twins})
		fill(t, svc, t.Context(), "bridge")
		if _, err := svc.Models().CreateModel(t.Context(), models.NewModel{ID: "free", TwinID: "bridge", DisplayName: "x"}); err != nil {
			t.Fatal(err)
		}
		made, err := svc.CreateConfiguration(t.Context(), configuration("bridge"))
		if err != nil {
			t.Fatal(err)
		}
		return judgetest.Acts{
			"model": func(ctx context.Context) error {
				return outcome(svc.Models().CreateModel(ctx, models.NewModel{ID: "new", TwinID: "bridge", DisplayName: "x"}))
			},
			"view": func(ctx context.Context) error {
				return outcome(svc.Models().CreateSavedView(ctx, models.NewSavedView{ID: "new", ModelID: "tower", DisplayName: "x"}))
			},
			"configuration":    func(ctx context.Context) error { return outcome(svc.CreateConfiguration(ctx, configuration("bridge"))) },
			"no configuration": func(ctx context.Context) error { return svc.DeleteConfiguration(ctx, made.Value().ID) },
			"no view":          func(ctx context.Context) error { return svc.Models().DeleteSavedView(ctx, "front") },
			"no model":         func(ctx context.Context) error { return svc.Models().DeleteModel(ctx, "free") },
		}
	})
}
