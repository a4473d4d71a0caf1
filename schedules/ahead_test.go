package schedules_test

import (
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// manyTasks are tasks with the numbers from zero on.
func manyTasks(p *plan, n int, each func(i int, t *schedules.NewTask)) (ids []string) {
	p.Helper()
	batch := make([]schedules.NewTask, n)
	for i := range batch {
		batch[i] = schedules.NewTask{ID: fmt.Sprintf("task-%04d", i), Name: "n", Type: schedules.Work}
		each(i, &batch[i])
		ids = append(ids, batch[i].ID)
	}
	if _, err := p.in().CreateTasks(p.ctx, batch); err != nil {
		p.Fatal(err)
	}
	return ids
}

func manyLinks(p *plan, links []schedules.NewTaskLink) {
	p.Helper()
	if _, err := p.in().CreateTaskLinks(p.ctx, links); err != nil {
		p.Fatal(err)
	}
}

// What a change has to look at may be as much as a schedule holds. It is looked at before
// the change has the writer, which no one else gets meanwhile.
func TestFewKeysAreReadInTheWriterHoweverManyAChangeLooksAt(t *testing.T) {
	t.Parallel()
	const n = 1_000
	ordered := func(from, to string) schedules.NewTaskLink {
		return schedules.NewTaskLink{PredecessorID: from, SuccessorID: to, Type: schedules.FinishToStart}
	}
	plain := func(int, *schedules.NewTask) {}
	move := func(p *plan, id string) error {
		_, err := p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{PlannedStart: twinplatform.Set(at(3))})
		return err
	}
	for name, prepare := range map[string]func(p *plan) func() error{
		"a link in the middle of a chain": func(p *plan) func() error {
			ids := manyTasks(p, n, plain)
			var chain []schedules.NewTaskLink
			for i := range n - 1 {
				chain = append(chain, ordered(ids[i], ids[i+1]))
			}
			manyLinks(p, chain)
			return func() error {
				_, err := p.in().CreateTaskLinks(p.ctx, []schedules.NewTaskLink{ordered(ids[n/2], ids[n/2+10])})
				return err
			}
		},
		"a date of a task with many links": func(p *plan) func() error {
			ids := manyTasks(p, n, plain)
			var links []schedules.NewTaskLink
			for _, id := range ids[1:] {
				links = append(links, ordered(ids[0], id))
			}
			manyLinks(p, links)
			return func() error { return move(p, ids[0]) }
		},
		"a date next to a hammock with many links": func(p *plan) func() error {
			ids := manyTasks(p, n, func(i int, t *schedules.NewTask) {
				if i == 0 {
					t.Type = schedules.LongHammock
				}
			})
			var links []schedules.NewTaskLink
			for _, id := range ids[1:] {
				links = append(links, ordered(ids[0], id))
			}
			manyLinks(p, links)
			return func() error { return move(p, ids[1]) }
		},
		"a task that moves with many below it": func(p *plan) func() error {
			ids := manyTasks(p, n, func(i int, t *schedules.NewTask) {
				if i > 1 {
					t.ParentID = "task-0000"
				}
			})
			return func() error {
				_, err := p.in().UpdateTask(p.ctx, ids[0], schedules.TaskPatch{ParentID: twinplatform.Set(ids[1])})
				return err
			}
		},
		"a batch": func(p *plan) func() error {
			return func() error {
				manyTasks(p, n, plain)
				return nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := &stepped{tally: tally{Store: memory.New()}}
			work := prepare(newPlan(t, store, schedules.Config{}))
			store.most = 0
			if err := work(); err != nil {
				t.Fatal(err)
			}
			if store.most > 800 {
				t.Errorf("%d keys were read in the writer", store.most)
			}
		})
	}
}
