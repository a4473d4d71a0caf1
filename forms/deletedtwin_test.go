package forms_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// TestNothingIsMadeInATwinThatIsDeletedMeanwhile interleaves the deletion of a
// twin with what makes something of the forms area in it, transaction by
// transaction and either way round: the twin is left with what was made in it,
// or is gone without.
func TestNothingIsMadeInATwinThatIsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	makers := map[string]func(w *deletedTwin) error{
		"form": func(w *deletedTwin) error {
			_, err := w.forms.CreateForm(t.Context(), forms.NewForm{FormID: w.definition, TwinID: w.twin})
			return err
		},
		"definition": func(w *deletedTwin) error {
			_, err := w.forms.CreateFormDefinition(t.Context(), forms.NewFormDefinition{TwinID: w.twin, DisplayName: "n", Type: "t"})
			return err
		},
	}
	for name, makeIt := range makers {
		remove := func(w *deletedTwin) error { return w.twins.DeleteTwin(t.Context(), w.twin) }
		for order, acts := range map[string][2]func(*deletedTwin) error{
			"the deletion in between": {makeIt, remove}, "the making in between": {remove, makeIt},
		} {
			t.Run(name+", "+order, func(t *testing.T) {
				t.Parallel()
				for i, happened := int64(1), true; happened; i++ {
					w := newDeletedTwin(t)
					happened = false
					var inner error
					w.store.happen = func() { happened = true; inner = acts[1](w) }
					w.store.until.Store(i)
					outer := acts[0](w)
					_, exists, err := w.twins.TwinAccount(t.Context(), w.twin)
					if err != nil {
						t.Fatal(err)
					}
					what, err := w.forms.HoldsOf(t.Context(), w.twin)
					if err != nil {
						t.Fatal(err)
					}
					if exists != (what != "") && happened {
						t.Errorf("before transaction %d: the twin exists: %t, and has %q (%v, %v)", i, exists, what, outer, inner)
					}
				}
			})
		}
	}
}

type deletedTwin struct {
	store            *eventful
	twins            *twins.Service
	forms            *forms.Service
	definition, twin string
}

func newDeletedTwin(t *testing.T) *deletedTwin {
	t.Helper()
	w := &deletedTwin{store: &eventful{Store: memory.New()}}
	w.twins = twins.New(w.store, twins.Config{})
	w.forms = forms.New(w.store, forms.Config{Env: twinplatform.Env{Authorizer: w.twins}, Twins: w.twins})
	w.twins.AddHolder(w.forms)
	p := twinplatform.Principal{ID: guid("boss"), AccountID: guid("acme"), AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}}
	ctx := twinplatform.WithPrincipal(t.Context(), p)
	var ids []string
	for _, name := range []string{"Tower", "Bridge"} {
		res, err := w.twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: name, Number: name})
		ids = append(ids, done(t, res, err).ID)
	}
	w.twin = ids[1]
	res, err := w.forms.CreateFormDefinition(t.Context(), forms.NewFormDefinition{
		TwinID: ids[0], DisplayName: "Request", Type: "RFI", Status: forms.Approved, ShareType: forms.ReadOnly,
	})
	w.definition = done(t, res, err).ID
	return w
}
