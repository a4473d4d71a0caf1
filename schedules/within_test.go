package schedules_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// fleeting is a store in which a right lasts until the n-th transaction begins, an
// authorizer that has the right, and a directory with one twin, which is there for as
// long.
type fleeting struct {
	storage.Store
	left atomic.Int32 // transactions to go, once it is positive
	gone atomic.Bool
}

func (f *fleeting) begin() {
	if f.left.Load() > 0 && f.left.Add(-1) == 0 {
		f.gone.Store(true)
	}
}

func (f *fleeting) View(ctx context.Context, fn func(storage.Reader) error) error {
	f.begin()
	return f.Store.View(ctx, fn)
}

func (f *fleeting) Update(ctx context.Context, fn func(storage.Writer) error) error {
	f.begin()
	return f.Store.Update(ctx, fn)
}

// within answers from the store, as the platform's own twins do.
type within struct{ *fleeting }

func (within) Transactional() {}

func (f *fleeting) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	return !f.gone.Load(), nil
}

func (f *fleeting) TwinAccount(context.Context, string) (string, bool, error) {
	return "account", !f.gone.Load(), nil
}

var someone = twinplatform.Principal{ID: "somebody", AccountID: "account"}

// TestCallersAreJudgedInTheTransactionThatActs takes a right away as each of the
// transactions of each call begins: what begins after that does nothing.
func TestCallersAreJudgedInTheTransactionThatActs(t *testing.T) {
	t.Parallel()
	for _, background := range []bool{false, true} {
		for _, typ := range []schedules.ScheduleType{schedules.V10, schedules.V65} {
			reads, writes := callsOf(typ)
			writes = append(slices.Clip(writes), upkeep[0])
			seeded := memory.New()
			callable(newPlan(t, seeded, schedules.Config{Twins: &fleeting{Store: seeded}}), "s", typ)
			for i, c := range append(slices.Clip(reads), writes...) {
				write := i >= len(reads)
				for nth := int32(1); ; nth++ {
					fork, err := memory.Fork(seeded)
					if err != nil {
						t.Fatal(err)
					}
					f := &fleeting{Store: fork}
					svc := newService(f, schedules.Config{Twins: f, Env: twinplatform.Env{Authorizer: within{f}, Background: background}})
					ctx := twinplatform.WithPrincipal(t.Context(), someone)
					if _, err := svc.In("s").Tasks(ctx, schedules.TaskQuery{}); err != nil {
						t.Fatal(err) // it has been seen before
					}
					before := recordstest.Dump(t, f.Store)
					f.left.Store(nth)
					err = c.do(ctx, svc, "s")
					if !f.gone.Load() {
						break // there are not so many transactions
					}
					if nth > 1 && write && err == nil {
						break // it was done in the one before
					}
					c.missing.check(t, err)
					if recordstest.Dump(t, f.Store) != before {
						t.Errorf("%s without the right changed the store (background %v)", c.name, background)
					}
				}
			}
		}
	}
}

// TestTwinThatGoesAsItsScheduleIsMadeGetsNone deletes the twin as the
// transaction that makes a schedule of it begins.
func TestTwinThatGoesAsItsScheduleIsMadeGetsNone(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]func(*fleeting) twinplatform.Env{
		"the program's own authorizer": func(*fleeting) twinplatform.Env {
			return twinplatform.Env{Authorizer: grants{}}
		},
		"the platform's authorizer": func(f *fleeting) twinplatform.Env { return twinplatform.Env{Authorizer: within{f}} },
		"no authorizer":             func(*fleeting) twinplatform.Env { return twinplatform.Env{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fleeting{Store: memory.New()}
			p := newPlan(t, f, schedules.Config{Twins: f})
			svc := newService(f, schedules.Config{Twins: within{f}, Env: env(f)})
			before := recordstest.Dump(t, f.Store)
			f.left.Store(1)
			_, err := svc.CreateSchedule(p.ctx, schedules.NewSchedule{Name: "n", TwinID: "twin"})
			invalid("InvalidValue twinId").check(t, err)
			if recordstest.Dump(t, f.Store) != before {
				t.Error("the refused schedule is there")
			}
		})
	}
}

func TestSchedulesOfATwinAreListedByWhoMaySeeItNow(t *testing.T) {
	t.Parallel()
	f := &fleeting{Store: memory.New()}
	p := newPlan(t, f, schedules.Config{Twins: f})
	svc := newService(f, schedules.Config{Twins: within{f}, Env: twinplatform.Env{Authorizer: within{f}}})
	ctx := twinplatform.WithPrincipal(p.ctx, someone)
	list := func() (int, error) {
		page, err := svc.Schedules(ctx, schedules.ScheduleQuery{TwinID: "twin"})
		return len(page.JSON()), err
	}
	if n, err := list(); n != 1 || err != nil {
		t.Fatalf("listed %d schedules, want 1: %v", n, err)
	}
	f.left.Store(1)
	n, err := list()
	if invalid("InvalidValue twinId").check(t, err); n != 0 {
		t.Errorf("listed %d schedules of a twin that is gone", n)
	}
}
