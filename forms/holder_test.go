package forms_test

import (
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestShowsWhatATwinHasOfForms(t *testing.T) {
	t.Parallel()
	const tower, bridge = "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90", "0b7e1c52-9d34-4f6a-8e21-5a9c3d7f1b40"
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	svc := forms.New(store, forms.Config{})
	want := func(twinID, what string) {
		t.Helper()
		if got, err := svc.HoldsOf(t.Context(), twinID); got != what || err != nil {
			t.Errorf("HoldsOf(%s) is %q, %v; want %q", twinID, got, err, what)
		}
	}
	want(tower, "")
	want("an account", "")
	d, err := svc.CreateFormDefinition(t.Context(), forms.NewFormDefinition{
		TwinID: tower, DisplayName: "Request", Type: "RFI", Status: forms.Approved, ShareType: forms.ReadOnly,
	})
	if err != nil {
		t.Fatal(err)
	}
	want(tower, "form definitions")
	want(strings.ToUpper(tower), "form definitions")
	want(bridge, "")
	f, err := svc.CreateForm(t.Context(), forms.NewForm{FormID: d.Value().ID, TwinID: bridge})
	if err != nil {
		t.Fatal(err)
	}
	want(bridge, "forms")
	if err := svc.DeleteForm(t.Context(), f.Value().ID); err != nil {
		t.Fatal(err)
	}
	want(bridge, "")
	if err := svc.DeleteFormDefinition(t.Context(), d.Value().ID); err != nil {
		t.Fatal(err)
	}
	want(tower, "")
}
