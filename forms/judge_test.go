package forms_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// eventful is a store in which something happens right before a transaction,
// and which knows when it is within one.
type eventful struct {
	storage.Store
	until  atomic.Int64 // transactions until it happens; less than 1: it has, or never will
	happen func()
	within atomic.Int64
}

func (e *eventful) begin() (end func()) {
	if e.until.Add(-1) == 0 {
		e.happen()
	}
	e.within.Add(1)
	return func() { e.within.Add(-1) }
}

func (e *eventful) View(ctx context.Context, fn func(storage.Reader) error) error {
	defer e.begin()()
	return e.Store.View(ctx, fn)
}

func (e *eventful) Update(ctx context.Context, fn func(storage.Writer) error) error {
	defer e.begin()()
	return e.Store.Update(ctx, fn)
}

// registry is an authorizer and a directory of twins that answers for one caller
// and one twin, while there are any.
type registry struct{ allowed, exists atomic.Bool }

func (r *registry) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	return r.allowed.Load() && r.exists.Load(), nil
}

func (r *registry) TwinAccount(context.Context, string) (string, bool, error) {
	return "acme", r.exists.Load(), nil
}

func (*registry) Transactional() {}

// changes are the operations that change definitions.
var changes = []operation{
	{"create definition", nil, "ProjectNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.CreateFormDefinition(ctx, forms.NewFormDefinition{TwinID: w.twin, DisplayName: "n", Type: "t"})
		return err
	}},
	{"update definition", nil, "UpsertNotSupported", func(ctx context.Context, o *office, w work) error {
		_, err := o.UpdateFormDefinition(ctx, w.definition, forms.FormDefinitionPatch{Status: twinplatform.Set(forms.Maintenance)})
		return err
	}},
	{"delete definition", nil, "FormDefinitionNotFound", func(ctx context.Context, o *office, w work) error {
		if err := o.DeleteFormDefinition(ctx, w.definition); code(err) != "FormDefinitionInUse" {
			return err
		}
		return nil
	}},
	{"set layout", nil, "FormDefinitionNotFound", func(ctx context.Context, o *office, w work) error {
		if err := o.SetLayout(ctx, w.definition, forms.Layout{Definition: `{}`}); code(err) != "FormDefIsClosed" {
			return err
		}
		return nil
	}},
	{"get security", nil, "FormDefinitionNotFound", func(ctx context.Context, o *office, w work) error {
		_, err := o.Security(ctx, w.definition, w.twin)
		return err
	}},
	{"set security", nil, "FormDefinitionNotFound", func(ctx context.Context, o *office, w work) error {
		return o.SetSecurity(ctx, w.definition, w.twin, &forms.Security{Grants: []forms.Grant{}})
	}},
}

// TestRightsAreJudgedInTheTransactionThatActs lets the caller lose its
// permissions, or the twin its existence, right before each of the transactions
// that an operation makes: whichever it is, the operation is refused.
func TestRightsAreJudgedInTheTransactionThatActs(t *testing.T) {
	t.Parallel()
	events := map[string]func(*registry){
		"permissions lost": func(r *registry) { r.allowed.Store(false) },
		"twin deleted":     func(r *registry) { r.exists.Store(false) },
	}
	for name, event := range events {
		for _, op := range slices.Concat(operations, changes) {
			t.Run(name+"/"+op.name, func(t *testing.T) {
				t.Parallel()
				for i, happened := int64(1), true; happened; i++ {
					store, r := &eventful{Store: memory.New()}, new(registry)
					r.allowed.Store(true)
					r.exists.Store(true)
					o := open(t)
					o.Service = forms.New(store, forms.Config{Env: twinplatform.Env{Authorizer: r}, Twins: r})
					w := o.filled(o.definition())
					happened = false
					store.happen = func() { happened = true; event(r) }
					store.until.Store(i)
					err := op.do(o.as("keeper"), o, w)
					if got := code(err); happened && !strings.Contains(got, op.missing) || !happened && err != nil {
						t.Errorf("before transaction %d: %v, want %s", i, err, op.missing)
					}
					if !happened && i == 1 {
						t.Error("there is no transaction")
					}
				}
			})
		}
	}
}

// TestNothingOutsideTheStoreIsAskedWithinATransaction keeps other writers from waiting
// for an authorizer or a directory that answers over a network.
func TestNothingOutsideTheStoreIsAskedWithinATransaction(t *testing.T) {
	t.Parallel()
	store := &eventful{Store: memory.New()}
	asked := 0
	ask := func() {
		if asked++; store.within.Load() > 0 {
			t.Error("asked within a transaction")
		}
	}
	o := open(t)
	o.Service = forms.New(store, forms.Config{
		Env:   twinplatform.Env{Authorizer: asking{o.held, ask}},
		Twins: asking{o.held, ask},
	})
	for _, op := range slices.Concat(operations, changes) {
		for _, caller := range []string{"keeper", "viewer", "stranger"} {
			w := o.filled(o.definition())
			asked = 0
			err := op.do(o.as(caller), o, w)
			if caller == "keeper" && err != nil {
				t.Errorf("%s: %v", op.name, err)
			}
			if asked == 0 {
				t.Errorf("%s: no one was asked", op.name)
			}
		}
		if _, err := o.HoldsOf(t.Context(), tower); err != nil {
			t.Error(err)
		}
	}
}

// asking is an authorizer and a directory elsewhere.
type asking struct {
	held
	ask func()
}

func (a asking) Allowed(ctx context.Context, p twinplatform.Principal, permission string, target twinplatform.Target) (bool, error) {
	a.ask()
	return a.held.Allowed(ctx, p, permission, target)
}

func (a asking) TwinAccount(_ context.Context, id string) (string, bool, error) {
	a.ask()
	return "acme", id == tower || id == bridge, nil
}

func TestAuthorizerThatFailsIsNoRefusal(t *testing.T) {
	t.Parallel()
	broken := errors.New("no connection")
	for _, within := range []bool{false, true} {
		var authorizer twinplatform.Authorizer = broke{broken}
		if within {
			authorizer = brokeWithin{broke{broken}}
		}
		o := open(t)
		o.Service = forms.New(memory.New(), forms.Config{Env: twinplatform.Env{Authorizer: authorizer}})
		w := o.filled(o.definition())
		for _, op := range slices.Concat(operations, changes) {
			if err := op.do(o.as("viewer"), o, w); !errors.Is(err, broken) {
				t.Errorf("%s, within %t: %v", op.name, within, err)
			}
		}
	}
}

type broke struct{ err error }

func (b broke) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	return false, fmt.Errorf("asking: %w", b.err)
}

type brokeWithin struct{ broke }

func (brokeWithin) Transactional() {}
