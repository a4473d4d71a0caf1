package schedules_test

import (
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// subjects are the records that an operation is about.
func subjects[T any](res twinplatform.Result[T], err error) ([]string, error) {
	return res.Subjects, err
}

func TestAnIdThatADeletionListsTwiceIsOneSubject(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.tasks("a", "b", "c", "d")
		p.links("b FinishToStart c", "c FinishToStart d")
		links, _ := p.allLinks(twinplatform.ListOptions{})
		must := func(_ any, err error) {
			p.Helper()
			if err != nil {
				p.Fatal(err)
			}
		}
		must(p.in().CreateResource(p.ctx, schedules.NewResource{ID: "r", Name: "r", Type: schedules.HumanResource}))
		must(p.in().CreateResource(p.ctx, schedules.NewResource{ID: "s", Name: "s", Type: schedules.HumanResource}))
		must(p.in().CreateResourceGroup(p.ctx, schedules.NewResourceGroup{ID: "g", Name: "g"}))
		must(p.in().AddResourcesToGroup(p.ctx, "g", []string{"r", "s"}))
		must(p.in().CreateBaseline(p.ctx, schedules.NewBaseline{ID: "x", Name: "x"}))
		must(p.in().CreateBaseline(p.ctx, schedules.NewBaseline{ID: "y", Name: "y"}))
		for _, deletion := range []struct {
			what string
			ids  []string
			do   func(ids []string) ([]string, error)
		}{
			{"task links", []string{links[0].ID, links[1].ID}, func(ids []string) ([]string, error) { return subjects(p.in().DeleteTaskLinks(p.ctx, ids)) }},
			{"tasks", []string{"a", "b"}, func(ids []string) ([]string, error) { return subjects(p.in().DeleteTasks(p.ctx, ids)) }},
			{"members", []string{"r", "s"}, func(ids []string) ([]string, error) {
				return subjects(p.in().RemoveResourcesFromGroup(p.ctx, "g", ids))
			}},
			{"resources", []string{"r", "s"}, func(ids []string) ([]string, error) { return subjects(p.in().DeleteResources(p.ctx, ids)) }},
			{"baselines", []string{"x", "y"}, func(ids []string) ([]string, error) { return subjects(p.in().DeleteBaselines(p.ctx, ids)) }},
		} {
			first, second := deletion.ids[0], deletion.ids[1]
			got, err := deletion.do([]string{first, second, first})
			if err != nil || !slices.Equal(got, deletion.ids) {
				p.Errorf("deletion of %s is about %q, %v; want %q", deletion.what, got, err, deletion.ids)
			}
		}
	})
}
