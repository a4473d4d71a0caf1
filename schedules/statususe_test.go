package schedules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// statusInUse is the refusal to delete statuses of which the history has records.
func statusInUse(target string, historyIDs ...string) refusal {
	r := refusal{kind: twinplatform.Conflict, code: "ResourceStatusItemInUse", target: target}
	for _, id := range historyIDs {
		r.details = append(r.details, r.code+" "+id)
	}
	return r
}

// deletions delete statuses, by the sort.
var deletions = map[string]func(p *plan, id string, pre ...twinplatform.Precondition) error{
	"item": func(p *plan, id string, pre ...twinplatform.Precondition) error {
		_, err := statuses.In(p.in()).DeleteResourceStatusItem(p.ctx, id, pre...)
		return err
	},
	"set": func(p *plan, id string, pre ...twinplatform.Precondition) error {
		_, err := statuses.In(p.in()).DeleteResourceStatusSet(p.ctx, id, pre...)
		return err
	},
	"category": func(p *plan, id string, pre ...twinplatform.Precondition) error {
		_, err := statuses.In(p.in()).DeleteResourceStatusCategory(p.ctx, id, pre...)
		return err
	},
}

// held is which categories, sets and items there are.
func (p *plan) held() string {
	p.Helper()
	categories, _ := p.categories(twinplatform.ListOptions{})
	sets, _ := p.statusSets("", twinplatform.ListOptions{})
	items, _ := p.statusItems("", twinplatform.ListOptions{})
	return strings.Join([]string{categories, sets, items}, ", ")
}

func TestStatusThatResourcesHadIsNotDeleted(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("crane", "crew")
		p.statuses(
			"progress", "progress/delivery", "progress/empty", "progress/shipping", "progress/delivery/ordered", "progress/delivery/onsite",
			"progress/shipping/afloat", "progress/shipping/free", "safety", "safety/checks", "safety/checks/checked", "safety/unused", "safety/unused/none",
		)
		p.recorded("crane ordered 1", "crew ordered 2", "crane onsite 3", "crew afloat 4")
		before, latest := p.held(), statuses.StatusHistoryQuery{LatestOnly: true}
		for _, tt := range []struct {
			sort, id string
			want     refusal
		}{
			{"item", "ordered", statusInUse("resourceStatusItemId", "crane-ordered-1", "crew-ordered-2").saying("The resource 'crew' had the status 'ordered'.")},
			{"set", "delivery", statusInUse("resourceStatusSetId", "crane-onsite-3", "crane-ordered-1", "crew-ordered-2")},
			{"set", "shipping", statusInUse("resourceStatusSetId", "crew-afloat-4")},
			{"category", "progress", statusInUse("resourceStatusCategoryId", "crane-onsite-3", "crane-ordered-1", "crew-ordered-2", "crew-afloat-4").saying("history")},
		} {
			tt.want.check(p, deletions[tt.sort](p, tt.id))
			otherVersion.check(p, deletions[tt.sort](p, tt.id, twinplatform.IfMatch(`"0"`)))
		}
		expect(p, "what refused deletions left", p.held(), before)
		all, _ := p.history(statuses.StatusHistoryQuery{})
		current, _ := p.history(latest)
		expect(p, "the history", all+", "+current, "crane-onsite-3 crane-ordered-1 crew-afloat-4 crew-ordered-2, crane-onsite-3 crew-afloat-4")

		must := func(err error) {
			p.Helper()
			if err != nil {
				p.Fatal(err)
			}
		}
		must(deletions["item"](p, "free"))
		must(deletions["set"](p, "unused"))
		must(deletions["category"](p, "safety"))
		expect(p, "what is left without the unused", p.held(), "progress, delivery empty shipping, afloat onsite ordered")
		for _, id := range []string{"crane-ordered-1", "crew-ordered-2"} {
			_, err := statuses.In(p.in()).DeleteStatusHistoryItem(p.ctx, id)
			must(err)
		}
		must(deletions["item"](p, "ordered"))
		p.deleteResources("crane", "crew")
		must(deletions["category"](p, "progress"))
		expect(p, "what is left", p.held(), ", , ")
	})
}

func TestStatusThatResourcesHadOftenNamesTheFirst(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("crane")
	p.statuses("progress", "progress/delivery", "progress/delivery/late", "progress/delivery/onsite", "progress/other", "progress/other/idle")
	named := make([]string, 0, 21)
	for i := range 21 {
		item := []string{"late", "onsite"}[i/15]
		named = append(named, fmt.Sprintf("%02d", i))
		p.record(statuses.NewStatusHistoryItem{ID: named[i], ResourceID: "crane", StatusItemID: item, Date: at(float64(i))})
	}
	p.record(statuses.NewStatusHistoryItem{ID: "z", ResourceID: "crane", StatusItemID: "idle", Date: at(30)})
	for sort, id := range map[string]string{"set": "delivery", "category": "progress"} {
		want := statusInUse("", append(named[:20:20], "")...)
		want.target = "resourceStatus" + strings.ToUpper(sort[:1]) + sort[1:] + "Id"
		want.saying("others").check(t, deletions[sort](p, id))
	}
}

// What is deleted is looked through in steps before the first of it goes.
func TestStatusInUseIsSoughtInSteps(t *testing.T) {
	t.Parallel()
	const items = 3000
	store := &stepped{tally: tally{Store: memory.New()}}
	p := newPlan(t, store, schedules.Config{})
	p.resources("crane")
	p.statuses("c", "c/s", "c/t", "c/z", "c/z/last")
	for i := range items {
		p.statuses(fmt.Sprintf("c/%c/i%04d", "st"[i%2], i))
	}
	p.recorded("crane last 1")
	store.most, store.all = 0, 0
	statusInUse("resourceStatusCategoryId", "crane-last-1").check(t, deletions["category"](p, "c"))
	if store.most > 4_000 || store.all > 6*items {
		t.Errorf("the largest step reads %d values, all %d, of %d items", store.most, store.all, items)
	}
	if got, _ := p.statusItems("", twinplatform.ListOptions{}); len(strings.Fields(got)) != items+1 {
		t.Errorf("the refused deletion left %d items", len(strings.Fields(got)))
	}
}

// A resource can come to a status behind the look that finds it unused.
func TestStatusRecordedWhileItsCategoryIsDeletedGoesWithIt(t *testing.T) {
	t.Parallel()
	store := storetest.Over(memory.New())
	p := newPlan(t, store, schedules.Config{})
	p.resources("crane")
	p.statuses("c", "c/s")
	for i := range 2_500 {
		p.statuses(fmt.Sprintf("c/s/i%04d", i))
	}
	updates, recorded := 0, false
	store.Before(func() error {
		if updates++; recorded {
			return nil
		}
		if items, _ := p.statusItems("", twinplatform.ListOptions{}); len(strings.Fields(items)) < 2_500 {
			recorded = true
			p.recorded("crane i2499 1")
		}
		return nil
	})
	err := deletions["category"](p, "c")
	store.Rest()
	if err != nil || !recorded {
		t.Fatalf("recorded %t in %d updates: %v", recorded, updates, err)
	}
	all, _ := p.history(statuses.StatusHistoryQuery{})
	latest, _ := p.history(statuses.StatusHistoryQuery{LatestOnly: true})
	expect(t, "left", p.held()+all+latest, ", , ")
}
