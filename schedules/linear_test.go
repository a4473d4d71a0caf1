package schedules_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// stepped counts what the largest of the updates of a store reads, and all together.
type stepped struct {
	tally
	most, all int
}

func (s *stepped) Update(ctx context.Context, fn func(storage.Writer) error) error {
	s.reads = 0
	err := s.tally.Update(ctx, fn)
	s.most, s.all = max(s.most, s.reads), s.all+s.reads
	return err
}

// historyReads are the reads of taking back all but one of the statuses that one resource
// had n times, the newest first.
func historyReads(t *testing.T, n int) int {
	t.Helper()
	store := &stepped{tally: tally{Store: memory.New()}}
	p := newPlan(t, store, schedules.Config{})
	p.resources("crane")
	p.statuses("progress", "progress/delivery", "progress/delivery/late", "progress/delivery/onsite")
	for i := range n {
		p.record(statuses.NewStatusHistoryItem{ID: fmt.Sprintf("%05d", i), ResourceID: "crane", StatusItemID: "late", Date: at(float64(n - i))})
	}
	p.recorded("crane onsite 0")
	store.all = 0
	for i := range n {
		if _, err := statuses.In(p.in()).DeleteStatusHistoryItem(p.ctx, fmt.Sprintf("%05d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := p.history(statuses.StatusHistoryQuery{LatestOnly: true}); got != "crane-onsite-0" {
		t.Fatalf("current is %q", got)
	}
	return store.all
}

func TestTakingStatusesBackReadsTheirHistoryOnce(t *testing.T) {
	t.Parallel()
	few, many := historyReads(t, 100), historyReads(t, 400)
	if many > 5*few {
		t.Errorf("taking back 100 statuses of a resource reads %d values, and 400 %d", few, many)
	}
}

func TestResourceInUseIsSoughtInSteps(t *testing.T) {
	t.Parallel()
	const below = 4000
	store := &stepped{tally: tally{Store: memory.New()}}
	p := newPlan(t, store, schedules.Config{})
	p.tasks("dig")
	p.resources("firm", "used firm")
	for from := 0; from < below; from += 1000 {
		batch := make([]schedules.NewResource, 1000)
		for i := range batch {
			batch[i] = schedules.NewResource{ID: fmt.Sprintf("r%04d", from+i), Name: "n", Type: schedules.HumanResource, ParentID: "firm"}
			if i%3 == 2 {
				batch[i].ParentID = batch[i-1].ID
			}
		}
		if _, err := p.in().CreateResources(p.ctx, batch); err != nil {
			t.Fatal(err)
		}
	}
	p.uses("dig used")
	store.most, store.all = 0, 0
	_, err := p.in().DeleteResources(p.ctx, []string{"firm"})
	refusal{kind: twinplatform.Conflict, code: "ResourceInUse", target: "resourceIds", says: "'used' is used by the task 'dig'"}.check(t, err)
	if store.most > 8_000 || store.all > 8*below {
		t.Errorf("the largest step reads %d values, all %d, of %d resources", store.most, store.all, below)
	}
	if page, err := p.in().Resources(p.ctx, schedules.ResourceQuery{ListOptions: twinplatform.ListOptions{Top: 10_000}}); err != nil || page.Len() != below+2 {
		t.Errorf("the refused deletion left %d, %v", page.Len(), err)
	}
	p.delete("dig")
	p.deleteResources("firm")
	if page, err := p.in().Resources(p.ctx, schedules.ResourceQuery{}); err != nil || page.Len() != 0 {
		t.Errorf("left are %d, %v", page.Len(), err)
	}
}
