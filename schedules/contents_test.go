package schedules_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// planned is a schedule of a world.
type planned struct {
	schedules.NewSchedule
	schedules.Contents
}

// plansOfTheBridge are schedules that have every list between them.
func plansOfTheBridge(t *testing.T) []planned {
	t.Helper()
	text, err := os.ReadFile("../examples/server/testdata/world-bridge.json")
	if err != nil {
		t.Fatal(err)
	}
	var world struct {
		Schedules []planned `json:"schedules"`
	}
	if err := json.Unmarshal(text, &world); err != nil {
		t.Fatal(err)
	}
	return world.Schedules
}

// allowed lets everybody do everything: what is seeded is made in the name of its makers.
type allowed struct{}

func (allowed) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	return true, nil
}

// seedDate is when something of a world was made.
type seedDate = twinplatform.Optional[twinplatform.DateTime]

// reseeded is the export of a schedule that was seeded with what a plan holds.
func (n *planned) reseeded(t *testing.T, seed func(*schedules.Contents, schedules.Plan, func(seedDate)) error) string {
	t.Helper()
	var at seedDate
	clock := func() time.Time {
		if at.Present() {
			return at.Or(twinplatform.DateTime{}).Time
		}
		return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	}
	svc := newService(memory.New(), schedules.Config{Env: twinplatform.Env{Authorizer: allowed{}, Now: clock}})
	made := n.NewSchedule
	made.Elapsed = true
	if _, err := svc.CreateSchedule(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	plan := svc.In(n.ID)
	if err := seed(&n.Contents, plan, func(made seedDate) { at = made }); err != nil {
		t.Errorf("%s: %v", n.ID, err)
	}
	var after schedules.Contents
	if err := after.Export(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(after, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Each list names all others that its records refer to: whatever else the order is, the
// same schedule comes of it.
func TestContentsAreTheSameInEveryOrderThatReferencesAllow(t *testing.T) {
	t.Parallel()
	for _, n := range plansOfTheBridge(t) {
		want := n.reseeded(t, func(c *schedules.Contents, p schedules.Plan, at func(seedDate)) error {
			return c.Seed(t.Context(), p, at)
		})
		for order := range uint64(20) {
			r := rand.New(rand.NewPCG(order, 7))
			got := n.reseeded(t, func(c *schedules.Contents, p schedules.Plan, at func(seedDate)) error {
				return c.SeedAnyhow(t.Context(), p, at, r)
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, order %d (-usual +other):\n%s", n.ID, order, diff)
			}
		}
	}
}

// The lists of a schedule in a world and the types of its records are the same.
func TestEveryKindOfAScheduleIsInItsContentsOrDeclaresWhyNot(t *testing.T) {
	t.Parallel()
	lists := []string{"schedules"}
	for f := range reflect.TypeFor[schedules.Contents]().Fields() {
		name := f.Tag.Get("json")
		lists = append(lists, name[:len(name)-len(",omitempty")])
	}
	for _, problem := range entity.CheckWorld(schedules.Kinds(), lists) {
		t.Error(problem)
	}
}
