package schedules_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// TestNoMemberRefersToWhatIsNotThere tries each member of each type of record that refers to
// another, with an id that no record has, and with that of a record that was deleted and is there
// in another schedule: one error, and nothing is changed.
func TestNoMemberRefersToWhatIsNotThere(t *testing.T) {
	t.Parallel()
	plans := plansOfTheBridge(t)
	all := schedules.References()
	if len(all) < 30 {
		t.Errorf("%d references are tried", len(all))
	}
	for _, ref := range all {
		t.Run(ref.Kind+"."+ref.Member, func(t *testing.T) {
			t.Parallel()
			plan, item := itemWith(t, plans, ref)
			if item == nil {
				t.Fatalf("no schedule of the bridge has %s and %s", ref.List, ref.ToList)
			}
			svc := filledTwice(t, memory.New(), plan)
			missing, was := []string{"nowhere"}, ""
			if was, _ = item[ref.Member].(string); was != "" {
				missing = append(missing, was)
				if err := schedules.Drop(t.Context(), svc.In(plan.ID), ref.To, was); err != nil {
					t.Fatal(err)
				}
			}
			if _, own := item["id"]; own {
				item["id"] = "the-new-one"
			}
			before := exportOf(t, svc.In(plan.ID))
			for _, id := range missing {
				item[ref.Member] = id
				refused(t, contentsWith(t, ref.List, item).Seed(t.Context(), svc.In(plan.ID), func(seedDate) {}), ref.Member, id)
			}
			if after := exportOf(t, svc.In(plan.ID)); after != before {
				t.Errorf("a request that was refused has changed something: %s", after)
			}
			item[ref.Member] = was // which the other schedule has
			err := contentsWith(t, ref.List, item).Seed(t.Context(), svc.In("other"), func(seedDate) {})
			if err != nil && strings.Contains(err.Error(), "The schedule has no") {
				t.Errorf("where it is there: %v", err)
			}
		})
	}
}

// TestDeletionsUnderLoadLeaveNoReferenceBehind lets several callers make and delete records of all
// types at random, whatever comes of each: in the end each record refers to what is there.
func TestDeletionsUnderLoadLeaveNoReferenceBehind(t *testing.T) {
	t.Parallel()
	engines := map[string]func(*testing.T) storage.Store{
		"memory": func(*testing.T) storage.Store { return memory.New() },
		"buntdb": func(t *testing.T) storage.Store {
			store, err := buntdb.Open(filepath.Join(t.TempDir(), "db"), buntdb.Options{Durability: buntdb.SyncNever, ReserveBytes: -1})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { store.Close() })
			return store
		},
	}
	var made, deleted atomic.Int32
	t.Cleanup(func() {
		if made.Load() < 10 || deleted.Load() < 10 {
			t.Errorf("%d records were made, and %d deleted", made.Load(), deleted.Load())
		}
	})
	for name, open := range engines {
		for i, plan := range plansOfTheBridge(t) {
			for seed := range testsize.Seeds(20, 1) {
				t.Run(fmt.Sprint(name, i, seed), func(t *testing.T) {
					t.Parallel()
					leavesNothingBehind(t, filledTwice(t, open(t), plan), plan, seed, &made, &deleted)
				})
			}
		}
	}
}

func leavesNothingBehind(
	t *testing.T, svc *schedules.Service, plan planned, seed uint64, made, deleted *atomic.Int32,
) {
	refs := schedules.References()
	lists := make(map[string][]map[string]any)
	for _, ref := range refs {
		lists[ref.List], lists[ref.ToList] = itemsOf(t, plan, ref.List), itemsOf(t, plan, ref.ToList)
	}
	var callers sync.WaitGroup
	for caller := range uint64(4) {
		callers.Go(func() {
			r := rand.New(rand.NewPCG(seed, caller))
			for i := range 40 {
				ref := refs[r.IntN(len(refs))]
				items, others := lists[ref.List], lists[ref.ToList]
				if len(items) == 0 || len(others) == 0 {
					continue
				}
				id, _ := others[r.IntN(len(others))]["id"].(string)
				var err error
				done := made
				if r.IntN(2) == 0 {
					done = deleted
					err = schedules.Delete(t.Context(), svc.In(plan.ID), ref.To, id)
				} else {
					item := maps.Clone(items[r.IntN(len(items))])
					item[ref.Member], item["id"] = id, fmt.Sprint("new", caller, "-", i)
					delete(item, "userDefinedId") // which another has
					err = contentsWith(t, ref.List, item).Seed(t.Context(), svc.In(plan.ID), func(seedDate) {})
				}
				if _, refused := errors.AsType[*twinplatform.Error](err); err != nil && !refused {
					t.Errorf("%s.%s: %v", ref.Kind, ref.Member, err)
				} else if err == nil {
					done.Add(1)
				}
			}
		})
	}
	callers.Wait()
	var left schedules.Contents
	decode(t, []byte(exportOf(t, svc.In(plan.ID))), &left)
	for _, ref := range refs {
		there := map[any]bool{nil: true, "": true}
		for _, item := range itemsOf(t, planned{Contents: left}, ref.ToList) {
			there[item["id"]] = true
		}
		for _, item := range itemsOf(t, planned{Contents: left}, ref.List) {
			if !there[item[ref.Member]] {
				t.Errorf("%s '%v' refers by %s to '%v', which is gone", ref.Kind, item["id"], ref.Member, item[ref.Member])
			}
		}
	}
}

// itemWith is an item of a list of a plan. It refers to another record of the plan where one of
// the plans has both.
func itemWith(t *testing.T, plans []planned, ref schedules.Reference) (of planned, item map[string]any) {
	for _, plan := range plans {
		items, others := itemsOf(t, plan, ref.List), itemsOf(t, plan, ref.ToList)
		if len(items) == 0 {
			continue
		}
		of, item = plan, items[0]
		for _, x := range items {
			if id, _ := x[ref.Member].(string); id != "" {
				return plan, x
			}
		}
		if len(others) > 0 {
			item[ref.Member] = others[0]["id"]
			return of, item
		}
	}
	return of, item
}

// itemsOf are the items of a list of a plan.
func itemsOf(t *testing.T, plan planned, list string) (items []map[string]any) {
	var lists map[string]json.RawMessage
	decode(t, encode(t, plan.Contents), &lists)
	if text, has := lists[list]; has {
		decode(t, text, &items)
	}
	return items
}

// filledTwice is a service with a plan, and with the same again in the schedule "other".
func filledTwice(t *testing.T, store storage.Store, plan planned) *schedules.Service {
	clock := func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }
	svc := newService(store, schedules.Config{Env: twinplatform.Env{Authorizer: allowed{}, Now: clock}})
	for _, id := range []string{plan.ID, "other"} {
		made := plan.NewSchedule
		made.ID, made.Elapsed = id, true
		if _, err := svc.CreateSchedule(t.Context(), made); err != nil {
			t.Fatal(err)
		}
		if err := plan.Seed(t.Context(), svc.In(id), func(seedDate) {}); err != nil {
			t.Fatal(err)
		}
	}
	return svc
}

// contentsWith has one item, in one list.
func contentsWith(t *testing.T, list string, item map[string]any) *schedules.Contents {
	c := new(schedules.Contents)
	decode(t, encode(t, map[string]any{list: []any{item}}), c)
	return c
}

func exportOf(t *testing.T, p schedules.Plan) string {
	var c schedules.Contents
	if err := c.Export(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return string(encode(t, c))
}

// refused checks that a request is refused with the documented error for a member.
func refused(t *testing.T, err error, member, id string) {
	t.Helper()
	e, ok := errors.AsType[*twinplatform.Error](err)
	if !ok || e.Code != "InvalidSchedulesRequest" {
		t.Errorf("%s '%s': %v, want InvalidSchedulesRequest", member, id, err)
		return
	}
	for _, d := range e.Details {
		named := d.Target == member || strings.HasSuffix(d.Target, "."+member)
		if named && d.Code == "InvalidValue" && strings.HasPrefix(d.Message, "The schedule has no ") && strings.HasSuffix(d.Message, " with the id '"+id+"'.") {
			return
		}
	}
	t.Errorf("%s '%s': no detail of %v says that it is not there", member, id, e.Details)
}

func encode(t *testing.T, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decode(t *testing.T, text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}
