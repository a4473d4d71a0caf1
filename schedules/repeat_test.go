package schedules_test

import (
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// subjects are the things that an operation is about.
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
		must(p.svc.CreateResource(p.ctx, p.id, schedules.NewResource{ID: "r", Name: "r", Type: schedules.HumanResource}))
		must(p.svc.CreateResource(p.ctx, p.id, schedules.NewResource{ID: "s", Name: "s", Type: schedules.HumanResource}))
		must(p.svc.CreateResourceGroup(p.ctx, p.id, schedules.NewResourceGroup{ID: "g", Name: "g"}))
		must(p.svc.AddResourcesToGroup(p.ctx, p.id, "g", []string{"r", "s"}))
		must(p.svc.CreateBaseline(p.ctx, p.id, schedules.NewBaseline{ID: "x", Name: "x"}))
		must(p.svc.CreateBaseline(p.ctx, p.id, schedules.NewBaseline{ID: "y", Name: "y"}))
		for _, deletion := range []struct {
			what string
			ids  []string
			do   func(ids []string) ([]string, error)
		}{
			{"task links", []string{links[0].ID, links[1].ID}, func(ids []string) ([]string, error) { return subjects(p.svc.DeleteTaskLinks(p.ctx, p.id, ids)) }},
			{"tasks", []string{"a", "b"}, func(ids []string) ([]string, error) { return subjects(p.svc.DeleteTasks(p.ctx, p.id, ids)) }},
			{"members", []string{"r", "s"}, func(ids []string) ([]string, error) {
				return subjects(p.svc.RemoveResourcesFromGroup(p.ctx, p.id, "g", ids))
			}},
			{"resources", []string{"r", "s"}, func(ids []string) ([]string, error) { return subjects(p.svc.DeleteResources(p.ctx, p.id, ids)) }},
			{"baselines", []string{"x", "y"}, func(ids []string) ([]string, error) { return subjects(p.svc.DeleteBaselines(p.ctx, p.id, ids)) }},
		} {
			first, second := deletion.ids[0], deletion.ids[1]
			got, err := deletion.do([]string{first, second, first})
			if err != nil || !slices.Equal(got, deletion.ids) {
				p.Errorf("deletion of %s is about %q, %v; want %q", deletion.what, got, err, deletion.ids)
			}
		}
	})
}
