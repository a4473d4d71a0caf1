package schedules_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// tally counts the values that the updates of a store read.
type tally struct {
	storage.Store
	reads int
}

func (s *tally) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return s.Store.Update(ctx, func(w storage.Writer) error { return fn(tallyWriter{w, s}) })
}

type tallyWriter struct {
	storage.Writer
	s *tally
}

func (w tallyWriter) Get(key string) ([]byte, error) {
	w.s.reads++
	return w.Writer.Get(key)
}

func (w tallyWriter) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for key, value := range w.Writer.Scan(prefix, after) {
			w.s.reads++
			if !yield(key, value) {
				return
			}
		}
	}
}

// The start of a project is linked to all that begins with it. What one link
// more costs does not depend on how many there are.
func TestAChangeOfALinkReadsNoOtherLinksOfItsTasks(t *testing.T) {
	t.Parallel()
	const n = 500
	store := &tally{Store: memory.New()}
	p := newPlan(t, store, schedules.Config{})
	p.create(schedules.NewTask{ID: "start", Name: "Start", Type: schedules.StartKeyDate, PlannedStart: at(1)})
	var links []schedules.NewTaskLink
	for i := range n {
		id := fmt.Sprint("task-", i)
		p.create(schedules.NewTask{ID: id, Name: id, Type: schedules.Work})
		links = append(links, schedules.NewTaskLink{ID: "link-" + id, PredecessorID: "start", SuccessorID: id, Type: schedules.FinishToStart})
	}
	if _, err := p.svc.CreateTaskLinks(p.ctx, p.id, links[1:]); err != nil {
		t.Fatal(err)
	}
	for _, change := range []struct {
		name string
		make func() error
	}{
		{"creation", func() error {
			_, err := p.svc.CreateTaskLinks(p.ctx, p.id, links[:1])
			return err
		}},
		{"update", func() error {
			_, err := p.svc.UpdateTaskLinks(p.ctx, p.id, []schedules.TaskLinkPatch{{ID: links[0].ID, Type: twinplatform.Set(schedules.StartToStart)}})
			return err
		}},
		{"deletion", func() error {
			_, err := p.svc.DeleteTaskLinks(p.ctx, p.id, []string{links[0].ID})
			return err
		}},
		{"deletion of a task", func() error {
			_, err := p.svc.DeleteTasks(p.ctx, p.id, []string{"task-1"})
			return err
		}},
	} {
		store.reads = 0
		if err := change.make(); err != nil {
			t.Fatal(err)
		}
		if store.reads > n/5 {
			t.Errorf("the %s of one of %d links read %d values", change.name, n, store.reads)
		}
	}
}
