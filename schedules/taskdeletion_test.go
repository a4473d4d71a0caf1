package schedules_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// covers: Filters: rule S13: taskIds separated by commas
// covers: operations tasks.deleteMany
func TestDeletionTakesWhatBelongsToATask(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.create(
			schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work},
			schedules.NewTask{ID: "a1", Name: "a1", Type: schedules.Work, ParentID: "a"},
			schedules.NewTask{ID: "a11", Name: "a11", Type: schedules.Work, ParentID: "a1"},
			schedules.NewTask{ID: "b", Name: "b", Type: schedules.Work},
			schedules.NewTask{ID: "b1", Name: "b1", Type: schedules.Work, ParentID: "b"},
			schedules.NewTask{ID: "c", Name: "c", Type: schedules.Work},
		)
		p.links("a11 FinishToStart c", "b1 FinishToStart c", "c FinishToStart a1")
		if _, err := userfields.In(p.in()).CreateUserField(p.ctx, userfields.NewUserField{ID: "f", Name: "f", Category: userfields.TaskField, Type: userfields.StringField, Color: "#112233"}); err != nil {
			p.Fatal(err)
		}
		for _, id := range []string{"a11", "c"} {
			if _, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, userfields.TaskField, userfields.NewUserFieldValue{TaskID: id, UserFieldID: "f", StringValue: new("v")}); err != nil {
				p.Fatal(err)
			}
		}
		values := func(o twinplatform.ListOptions) ([]userfields.UserFieldValue, string) {
			return readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[userfields.UserFieldValue], error) {
				return userfields.In(p.in()).UserFieldValues(p.ctx, userfields.TaskField, userfields.UserFieldValueQuery{ListOptions: o})
			})
		}
		_, tasks := p.allTasks(twinplatform.ListOptions{})
		_, links := p.allLinks(twinplatform.ListOptions{})
		_, assigned := values(twinplatform.ListOptions{})
		_, err := p.in().DeleteTasks(p.ctx, []string{"a", "missing"})
		refusal{kind: twinplatform.NotFound, code: "TaskNotFound", target: "taskIds", says: "missing"}.check(p, err)
		if all, _ := p.allTasks(twinplatform.ListOptions{}); len(all) != 6 {
			p.Fatalf("the refused deletion left %d tasks, want 6", len(all))
		}
		p.delete("a", "a11", "b1", "a")

		var said []string
		changed, _ := p.allTasks(twinplatform.ListOptions{Delta: tasks})
		for _, c := range changed {
			said = append(said, fmt.Sprintf("task %s deleted %v", c.ID, c.Deleted))
		}
		changedLinks, _ := p.allLinks(twinplatform.ListOptions{Delta: links})
		for _, c := range changedLinks {
			said = append(said, fmt.Sprintf("link %s deleted %v", c.ID, c.Deleted))
		}
		changedValues, _ := values(twinplatform.ListOptions{Delta: assigned})
		for _, c := range changedValues {
			said = append(said, fmt.Sprintf("value of %s deleted %v", c.TaskID, c.Deleted))
		}
		want := []string{
			"task a11 deleted true", "task a1 deleted true", "task a deleted true", "task b1 deleted true", "task b deleted false",
			"link a11-c deleted true", "link c-a1 deleted true", "link b1-c deleted true",
			"value of a11 deleted true",
		}
		if diff := cmp.Diff(want, said); diff != "" {
			p.Errorf("the deltas say (-want +got):\n%s", diff)
		}
		if p.task("b").IsWBS {
			p.Error("the parent still counts as one")
		}
	})
}

// grove is a plan with n tasks under one parent, each linked to the one before,
// and a hammock over some of them.
func grove(t *testing.T, n int) *plan {
	t.Helper()
	p := inMemory(t)
	p.tasks("root")
	all := many(n)
	for i := range all {
		all[i].ParentID, all[i].PlannedStart, all[i].PlannedDuration = "root", at(float64(i)), new(int32(3600))
	}
	p.create(all...)
	p.create(schedules.NewTask{ID: "hammock", Name: "hammock", Type: schedules.LongHammock}, schedules.NewTask{ID: "stays", Name: "stays", Type: schedules.Work, PlannedStart: at(1)})
	var lines []string
	for i := range n - 1 {
		lines = append(lines, fmt.Sprintf("%s FinishToStart %s", all[i].ID, all[i+1].ID))
	}
	for i := range 50 {
		lines = append(lines, fmt.Sprintf("%s StartToStart hammock", all[i].ID))
	}
	lines = append(lines, "stays StartToStart hammock")
	for len(lines) > 0 {
		k := min(len(lines), schedules.MaxBatch)
		p.links(lines[:k]...)
		lines = lines[k:]
	}
	return p
}

func (p *plan) onlyStaysIsLeft() {
	p.Helper()
	tasks, _ := p.allTasks(twinplatform.ListOptions{})
	links, _ := p.allLinks(twinplatform.ListOptions{})
	if len(tasks) != 2 || len(links) != 1 || links[0].ID != "stays-hammock" {
		p.Errorf("%d tasks and %d links are left, want 2 and 1", len(tasks), len(links))
	}
	if got := p.task("hammock").PlannedStart; !got.Equal(at(1).Time) {
		p.Errorf("the hammock starts at %v, want %v", got, at(1))
	}
}

func TestLargeDeletionGoesInSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	p := grove(t, 3_000)
	_, delta := p.allTasks(twinplatform.ListOptions{Top: schedules.MaxTop})
	p.delete("root")
	p.onlyStaysIsLeft()
	changed, _ := p.allTasks(twinplatform.ListOptions{Top: schedules.MaxTop, Delta: delta})
	deleted := 0
	for _, c := range changed {
		if c.Deleted {
			deleted++
		}
	}
	if deleted != 3_001 {
		t.Errorf("the delta lists %d deletions, want 3001", deleted)
	}
}

func TestInterruptedDeletionIsCompletedByTheNextProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	for n := 2; ; n += 1 + n/2 {
		p := grove(t, 1_500)
		died := p.interrupt(n, func(ctx context.Context, svc *schedules.Service) error {
			_, err := svc.In(p.id).DeleteTasks(ctx, []string{"root"})
			return err
		})
		if !died {
			if n < 4 {
				t.Fatalf("the deletion took %d transactions, want more to interrupt", n-1)
			}
			return
		}
		// Work that has begun is carried through in whatever state.
		if err := p.svc.SetState(p.ctx, p.id, schedules.Processing); err != nil {
			t.Fatal(err)
		}
		next := newService(p.store, schedules.Config{})
		_, err := next.CreateTask(p.ctx, p.id, schedules.NewTask{Name: "x", Type: schedules.Work})
		processing.check(t, err)
		p.onlyStaysIsLeft()
	}
}

func TestTasksWithLongTextsAreDeletedTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	p := inMemory(t)
	all := many(600)
	ids := make([]string, len(all))
	for i := range all {
		all[i].Name, all[i].URL, ids[i] = strings.Repeat("長", 10_000), strings.Repeat("u", 10_000), all[i].ID
	}
	for len(all) > 0 {
		p.create(all[:100]...)
		all = all[100:]
	}
	p.delete(ids...)
	if left, _ := p.allTasks(twinplatform.ListOptions{}); len(left) != 0 {
		t.Errorf("%d tasks are left", len(left))
	}
}
