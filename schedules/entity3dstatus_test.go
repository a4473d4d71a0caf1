package schedules_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// shownAt lists the statuses that an entity shows by id, the deleted ones marked.
func (p *plan) shownAt(entity string, q statuses.StatusHistoryQuery) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[statuses.StatusHistoryItem], error) {
		q.ListOptions = o
		return statuses.In(p.in()).StatusHistoryItemsOfEntity3D(p.ctx, entity, q)
	})
	return idList(all, historyListed), delta
}

// siteOf makes a v6.5 schedule with resources that have statuses, and entities.
func (p *plan) siteOf() {
	p.Helper()
	p.v65()
	p.resources("crane", "crew")
	p.shows("boom crane", "hook crane", "man crew", "sky")
	p.statuses("progress", "progress/delivery", "progress/delivery/ordered", "progress/delivery/onsite", "safety", "safety/checks", "safety/checks/checked")
	p.recorded("crane ordered 1", "crane onsite 5", "crane checked 2", "crew ordered 4")
}

// TestStatusesOfAResourceAreShownOnIts3DObject is the sentence of the specification, that a
// resource status "lets the statuses of a resource be recorded and shown on its 3D object".
//
// covers: Status history: rule it "lets the statuses of a resource be recorded and shown on its 3D object"
func TestStatusesOfAResourceAreShownOnIts3DObject(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.siteOf()
		latest := statuses.StatusHistoryQuery{LatestOnly: true}
		for _, tt := range []struct {
			entity string
			q      statuses.StatusHistoryQuery
			want   string
		}{
			{"boom", statuses.StatusHistoryQuery{}, "crane-checked-2 crane-onsite-5 crane-ordered-1"},
			{"hook", statuses.StatusHistoryQuery{}, "crane-checked-2 crane-onsite-5 crane-ordered-1"},
			{"boom", latest, "crane-onsite-5 crane-checked-2"},
			{"boom", statuses.StatusHistoryQuery{LatestOnly: true, StatusCategoryIDs: []string{"progress"}}, "crane-onsite-5"},
			{"man", latest, "crew-ordered-4"},
			{"man", statuses.StatusHistoryQuery{ResourceID: "crane"}, "crew-ordered-4"},
			{"sky", statuses.StatusHistoryQuery{}, ""},
			{"sky", latest, ""},
		} {
			tt.q.Top = 1
			if got, _ := p.shownAt(tt.entity, tt.q); got != tt.want {
				p.Errorf("%s shows %q by %+v, want %q", tt.entity, got, tt.q, tt.want)
			}
		}
	})
}

// covers: operations statusHistoryItems.listOfEntity3d
func TestEntityFollowsTheStatusesOfTheResourceItShows(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.siteOf()
		_, delta := p.shownAt("boom", statuses.StatusHistoryQuery{LatestOnly: true})
		since := statuses.StatusHistoryQuery{LatestOnly: true, ListOptions: twinplatform.ListOptions{Delta: delta}}
		p.recorded("crane ordered 6", "crew onsite 6")
		if _, err := statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, "crane-checked-2", statuses.StatusHistoryItemPatch{IsCritical: twinplatform.Set(true)}); err != nil {
			p.Fatal(err)
		}
		if got, _ := p.shownAt("boom", since); got != "crane-ordered-6 crane-checked-2" {
			p.Errorf("since then it shows %q", got)
		}
		_, err := animation.In(p.in()).UpdateEntity3D(p.ctx, "boom", animation.Entity3DPatch{ResourceID: twinplatform.Set("crew")})
		if err != nil {
			p.Fatal(err)
		}
		if got, _ := p.shownAt("boom", statuses.StatusHistoryQuery{LatestOnly: true}); got != "crew-onsite-6" {
			p.Errorf("of the other resource it shows %q", got)
		}
		_, err = statuses.In(p.in()).StatusHistoryItemsOfEntity3D(p.ctx, "boom", since)
		invalid("InvalidValue delta").check(p, err)
		p.deleteResources("crew")
		if got, _ := p.shownAt("man", statuses.StatusHistoryQuery{}); got != "" {
			p.Errorf("without its resource it shows %q", got)
		}
	})
}

func TestStatusesOfAnEntityAreNotShownForV10Schedules(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	_, err := statuses.In(p.in()).StatusHistoryItemsOfEntity3D(p.ctx, "any", statuses.StatusHistoryQuery{})
	invalid("InvalidParameter scheduleId").saying("v10").check(t, err)
	p.v65()
	for _, schedule := range []string{p.id, "missing"} {
		_, err := statuses.In(p.svc.In(schedule)).StatusHistoryItemsOfEntity3D(p.ctx, "missing", statuses.StatusHistoryQuery{})
		noEntity.check(t, err)
	}
}

// What an entity shows is what a count over the history of its resource says, and a copy by
// deltas agrees.
func TestEntityShowsTheNewestByCount(t *testing.T) {
	t.Parallel()
	for seed := range 10 {
		p := newPlan(t, memory.New(), schedules.Config{})
		p.v65()
		p.resources("r0", "r1")
		p.shows("e0 r0", "e1 r1")
		p.statuses("c0", "c0/s0", "c0/s0/i0", "c0/s0/i1", "c1", "c1/s1", "c1/s1/i2")
		rnd := rand.New(rand.NewPCG(uint64(seed), 17))
		f := copyOf[statuses.StatusHistoryItem]{
			listed: func(h statuses.StatusHistoryItem) (string, bool) { return h.StatusCategoryID, h.Deleted },
			fetch: func(o twinplatform.ListOptions) (twinplatform.Page[statuses.StatusHistoryItem], error) {
				return statuses.In(p.in()).StatusHistoryItemsOfEntity3D(p.ctx, "e1", statuses.StatusHistoryQuery{ListOptions: o, LatestOnly: true})
			},
		}
		for range 30 {
			p.changeHistory(rnd)
			if rnd.IntN(2) == 0 {
				f.step(p, 1+rnd.IntN(2))
			}
		}
		f.complete(p)
		want := make(map[string]statuses.StatusHistoryItem)
		page, err := statuses.In(p.in()).StatusHistoryItemsOf(p.ctx, "r1", statuses.StatusHistoryQuery{LatestOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		all, _ := page.Values()
		for _, h := range all {
			want[h.StatusCategoryID] = h
		}
		if diff := cmp.Diff(want, f.have); diff != "" {
			t.Fatalf("history %d (-of the resource +of the entity):\n%s", seed, diff)
		}
	}
}
