package realitydata_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge/judgetest"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func outcome[T any](_ T, err error) error { return err }

func TestWhatIsTakenAwayJustBeforeIsNotActedOn(t *testing.T) {
	t.Parallel()
	judgetest.TakenAway(t, "realitydata/", func(t *testing.T, store storage.Store, env twinplatform.Env, twins twinplatform.TwinDirectory) judgetest.Acts {
		svc := realitydata.New(store, realitydata.Config{Env: env, Twins: twins})
		n := realitydata.NewRealityData{TwinID: "bridge", DisplayName: "x", Type: "LAS", OwnerID: "someone"}
		made, err := svc.CreateRealityData(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		id := made.Value().ID
		update := func(ctx context.Context, p realitydata.RealityDataPatch) error {
			return outcome(svc.UpdateRealityData(ctx, id, p))
		}
		return judgetest.Acts{
			"create": func(ctx context.Context) error { return outcome(svc.CreateRealityData(ctx, n)) },
			"update": func(ctx context.Context) error {
				return update(ctx, realitydata.RealityDataPatch{Group: twinplatform.Set("x")})
			},
			"complete": func(ctx context.Context) error {
				return update(ctx, realitydata.RealityDataPatch{Authoring: twinplatform.Set(false)})
			},
			"measure":      func(ctx context.Context) error { return outcome(svc.Measure(ctx, id)) },
			"delete":       func(ctx context.Context) error { return svc.DeleteRealityData(ctx, id) },
			"associate":    func(ctx context.Context) error { return svc.Associate(ctx, id, "road") },
			"dissociate":   func(ctx context.Context) error { return svc.Dissociate(ctx, id, "bridge") },
			"move":         func(ctx context.Context) error { return svc.Move(ctx, id, "road") },
			"read access":  func(ctx context.Context) error { return outcome(svc.ReadAccess(ctx, id, "")) },
			"write access": func(ctx context.Context) error { return outcome(svc.WriteAccess(ctx, id, "")) },
		}
	})
}

// TestForeignAuthorizerIsNeverAskedWithinATransaction has one that would wait for the
// store's one writer forever.
func TestForeignAuthorizerIsNeverAskedWithinATransaction(t *testing.T) {
	t.Parallel()
	store := &busy{Store: memory.New()}
	svc := realitydata.New(store, realitydata.Config{Env: twinplatform.Env{Authorizer: store}, Twins: store})
	ctx := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: "ann", AccountID: "acme"})
	res, err := svc.CreateRealityData(ctx, realitydata.NewRealityData{TwinID: "bridge", DisplayName: "x", Type: "LAS"})
	if err != nil {
		t.Fatal(err)
	}
	id := res.Value().ID
	for name, err := range map[string]error{
		"associate": svc.Associate(ctx, id, "road"), "dissociate": svc.Dissociate(ctx, id, "road"), "move": svc.Move(ctx, id, "road"), "delete": svc.DeleteRealityData(ctx, id),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if store.asked == 0 || store.within > 0 {
		t.Errorf("asked %d times, %d of them within a transaction", store.asked, store.within)
	}
}

// busy is a store, a directory and an authorizer that reports when it is asked.
type busy struct {
	storage.Store

	open, asked, within int
}

func (b *busy) Update(ctx context.Context, fn func(storage.Writer) error) error {
	b.open++
	defer func() { b.open-- }()
	return b.Store.Update(ctx, fn)
}

func (b *busy) ask() {
	if b.asked++; b.open > 0 {
		b.within++
	}
}

func (b *busy) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	b.ask()
	return true, nil
}

func (b *busy) TwinAccount(context.Context, string) (string, bool, error) {
	b.ask()
	return "acme", true, nil
}

// places is a directory of twins in several data centers.
type places struct{ directory }

func (places) TwinDataCenter(_ context.Context, twinID string) (string, error) {
	return map[string]string{"bridge": "UK South", "road": "Japan East", "tunnel": "UK South"}[twinID], nil
}

// covers: Reality data: rule dataCenterLocation is that of the twin
func TestDataAreKeptWhereTheirTwinIs(t *testing.T) {
	t.Parallel()
	svc := realitydata.New(memory.New(), realitydata.Config{
		Twins: places{directory{"bridge": "acme", "road": "acme", "tunnel": "acme", "other": "acme"}}, DataCenter: "West Europe",
	})
	for twinID, want := range map[string]string{"bridge": "UK South", "road": "Japan East", "other": "West Europe"} {
		res, err := svc.CreateRealityData(t.Context(), realitydata.NewRealityData{TwinID: twinID, DisplayName: "x", Type: "LAS"})
		if err != nil || res.Value().DataCenterLocation != want {
			t.Errorf("%s: %q, %v", twinID, res.Value().DataCenterLocation, err)
		}
		if twinID != "bridge" {
			continue
		}
		if err := svc.Move(t.Context(), res.Value().ID, "road"); !errors.Is(err, twinplatform.Unprocessable) || !strings.Contains(err.Error(), "twinId") {
			t.Errorf("moved to another data center: %v", err)
		}
		if err := svc.Move(t.Context(), res.Value().ID, "tunnel"); err != nil {
			t.Errorf("moved within the data center: %v", err)
		}
	}
}

func TestAuthoringIsTrueOrFalse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	d := w.create(realitydata.NewRealityData{Authoring: true})
	_, err := w.UpdateRealityData(t.Context(), d.ID, realitydata.RealityDataPatch{Authoring: twinplatform.Null[bool](), ID: twinplatform.Set("other")})
	if diff := cmp.Diff([]string{"InvalidRealityDataRequest", "InvalidValue id", "InvalidValue authoring"}, problemtest.Brief(err)); diff != "" {
		t.Error(diff)
	}
}

// TestNamesOfDetectorsAreThoseOfAnAccount has two accounts with detectors of one name.
//
// covers: Operations of detectors: rule names are those of an account
func TestNamesOfDetectorsAreThoseOfAnAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	ann, eve, bob := in(t, "acme", "ann"), in(t, "other", "eve"), in(t, "third", "bob")
	n := realitydata.NewDetector{Name: "cracks", Type: realitydata.PhotoObjectDetector}
	for _, ctx := range []context.Context{ann, eve} {
		if _, err := w.CreateDetector(ctx, n); err != nil {
			t.Fatalf("a name that another account has: %v", err)
		}
		if _, err := w.CreateDetector(ctx, n); problemtest.Brief(err)[0] != "DetectorExists" {
			t.Errorf("a name twice: %v", err)
		}
	}
	publish := func(ctx context.Context) error {
		if _, _, err := w.CreateDetectorVersion(ctx, "cracks", realitydata.NewDetectorVersion{VersionNumber: "1.0"}); err != nil {
			return err
		}
		if err := w.CompleteDetectorVersion(ctx, "cracks", "1.0"); err != nil {
			return err
		}
		return w.PublishDetectorVersion(ctx, "cracks", "1.0")
	}
	if _, err := w.Detector(bob, "cracks"); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("a stranger before it is published: %v", err)
	}
	if err := publish(ann); err != nil {
		t.Fatal(err)
	}
	if err := publish(eve); problemtest.Brief(err)[0] != "DetectorExists" {
		t.Errorf("a second one published: %v", err)
	}
	for account, ctx := range map[string]context.Context{"acme": bob, "other": eve} {
		if rec, err := w.Detector(ctx, "cracks"); err != nil || rec.Value.AccountID != account {
			t.Errorf("it is that of %q, %v", rec.Value.AccountID, err)
		}
	}
	if _, err := w.CreateDetector(bob, n); problemtest.Brief(err)[0] != "DetectorExists" {
		t.Errorf("a name that is published: %v", err)
	}
	if _, err := w.Detector(t.Context(), "cracks"); problemtest.Brief(err)[0] != "AmbiguousId" {
		t.Errorf("the system: %v", err)
	}
	if err := w.DeleteDetector(eve, "cracks"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Detector(t.Context(), "cracks"); err != nil {
		t.Errorf("the only one: %v", err)
	}
}
