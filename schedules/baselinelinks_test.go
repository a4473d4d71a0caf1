package schedules_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// covers: operations baselineTaskLinks.listOfAll
func TestTaskLinksOfAllBaselinesAreListedTogether(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.tasks("a", "b", "c")
		p.links("a FinishToStart b")
		p.baseline("first")
		p.links("b FinishToStart c")
		p.baseline("second")
		list := func(q schedules.TaskLinksOfBaselinesQuery) (all []string) {
			p.Helper()
			links, _ := readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.BaselineTaskLink], error) {
				q.ListOptions = o
				return p.in().TaskLinksOfBaselines(p.ctx, q)
			})
			for _, l := range links {
				all = append(all, l.BaselineID+" "+l.PredecessorID+l.SuccessorID)
			}
			return all
		}
		for _, top := range []int{1, 2, 100} {
			if got := list(schedules.TaskLinksOfBaselinesQuery{ListOptions: twinplatform.ListOptions{Top: top}}); len(got) != 3 {
				p.Errorf("pages of %d: %q", top, got)
			}
		}
		if diff := cmp.Diff([]string{"first ab"}, list(schedules.TaskLinksOfBaselinesQuery{BaselineID: "first"})); diff != "" {
			p.Error(diff)
		}
		if got := list(schedules.TaskLinksOfBaselinesQuery{BaselineID: "nothing"}); got != nil {
			p.Errorf("of no baseline: %q", got)
		}
		if diff := cmp.Diff([]string{"second bc"}, list(schedules.TaskLinksOfBaselinesQuery{SuccessorID: "c"})); diff != "" {
			p.Error(diff)
		}
		if got := list(schedules.TaskLinksOfBaselinesQuery{PredecessorID: "a"}); len(got) != 2 {
			p.Errorf("downstream of a: %q", got)
		}
		if got := list(schedules.TaskLinksOfBaselinesQuery{BaselineID: "second", PredecessorID: "a"}); len(got) != 1 {
			p.Errorf("downstream of a in the second: %q", got)
		}
		if _, err := p.in().DeleteBaselines(p.ctx, []string{"second"}); err != nil {
			p.Fatal(err)
		}
		if diff := cmp.Diff([]string{"first ab"}, list(schedules.TaskLinksOfBaselinesQuery{})); diff != "" {
			p.Error(diff)
		}
		_, err := p.in().TaskLinksOfBaselines(p.ctx, schedules.TaskLinksOfBaselinesQuery{ListOptions: twinplatform.ListOptions{Delta: "x"}})
		invalid("InvalidValue delta").check(p, err)
	})
}

func TestTaskLinksOfBaselinesLeaveOutWhatIsBeingClearedAway(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(many(6_000)...)
	p.links("task-000000 FinishToStart task-000001")
	p.baseline("a")
	if !p.interrupt(3, func(ctx context.Context, svc *schedules.Service) error {
		_, err := svc.In(p.id).DeleteBaselines(ctx, []string{"a"})
		return err
	}) {
		t.Fatal("the deletion was done before it could be interrupted")
	}
	list := func() int {
		page, err := p.in().TaskLinksOfBaselines(p.ctx, schedules.TaskLinksOfBaselinesQuery{})
		if err != nil {
			t.Fatal(err)
		}
		return page.Len()
	}
	if n := list(); n != 0 {
		t.Errorf("%d links of a baseline that is gone", n)
	}
	p.baseline("a")
	if n := list(); n != 1 {
		t.Errorf("%d links of the baseline that took its place, want 1", n)
	}
}
