package platform_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// TestCloneOfAnyScheduleIsExportedAsTheSchedule clones schedules that grew at random.
func TestCloneOfAnyScheduleIsExportedAsTheSchedule(t *testing.T) {
	t.Parallel()
	done := make(map[string]int)
	compared := 0
	for seed := range uint64(3) {
		p := over(t, memory.New(), platform.Config{})
		g := &gardener{Platform: p, t: t, r: rand.New(rand.NewPCG(seed, 6)), done: done}
		g.grow(800)
		for _, plan := range g.plans {
			g.clone(plan)
		}
		compared += g.compareClones()
	}
	if compared < 3 {
		t.Errorf("%d clones were compared; the worlds had %v", compared, done)
	}
}

// clonesNames is what the ids of clones end with.
const clonesNames = "-clone"

// clone makes a clone of a schedule, if it is there yet, of the type that is cloned, and
// has none.
func (g *gardener) clone(p grown) {
	g.do("ready", g.Schedules.SetState(p.ctx, p.id, schedules.Ready))
	sc, err := g.Schedules.Schedule(p.ctx, p.id)
	_, before := g.Schedules.Schedule(p.ctx, p.id+clonesNames)
	if err != nil || before == nil || sc.Value.Type != schedules.V10 {
		return
	}
	_, err = g.Schedules.CloneSchedule(p.ctx, p.id, schedules.NewClone{ID: p.id + clonesNames, Name: sc.Value.Name})
	if !g.do("clone", err) {
		g.t.Error(err)
	}
}

// compareClones compares clones with their schedules, as an export has both, and returns
// how many there were.
func (g *gardener) compareClones() (n int) {
	w, err := platform.ReadWorld(strings.NewReader(exported(g.t, g.Platform)))
	if err != nil {
		g.t.Fatal(err)
	}
	plans := make(map[string]platform.Schedule)
	for _, plan := range w.Schedules {
		plans[plan.TwinID+" "+plan.ID] = plan
	}
	for name, clone := range plans {
		of, ok := strings.CutSuffix(name, clonesNames)
		if !ok {
			continue
		}
		n++
		clone.ID = strings.TrimSuffix(clone.ID, clonesNames)
		if diff := cmp.Diff(written(g.t, plans[of]), written(g.t, clone)); diff != "" {
			g.t.Errorf("%s (-schedule +clone):\n%s", name, diff)
		}
	}
	return n
}

// written is a schedule of a world as text.
func written(t *testing.T, s platform.Schedule) string {
	t.Helper()
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
