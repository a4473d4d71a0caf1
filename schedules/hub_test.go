package schedules_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
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
	if _, err := p.in().CreateTaskLinks(p.ctx, links[1:]); err != nil {
		t.Fatal(err)
	}
	for _, change := range []struct {
		name string
		make func() error
	}{
		{"creation", func() error {
			_, err := p.in().CreateTaskLinks(p.ctx, links[:1])
			return err
		}},
		{"update", func() error {
			_, err := p.in().UpdateTaskLinks(p.ctx, []schedules.TaskLinkPatch{{ID: links[0].ID, Type: twinplatform.Set(schedules.StartToStart)}})
			return err
		}},
		{"deletion", func() error {
			_, err := p.in().DeleteTaskLinks(p.ctx, []string{links[0].ID})
			return err
		}},
		{"deletion of a task", func() error {
			_, err := p.in().DeleteTasks(p.ctx, []string{"task-1"})
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

// What is asked of many links in the middle of a large plan is asked once.
func TestCirclesOfABatchAreSoughtTogether(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	const half = 1500
	store := &tally{Store: memory.New()}
	p := newPlan(t, store, schedules.Config{})
	p.create(many(2 * half)...)
	link := func(from, to int) schedules.NewTaskLink {
		return schedules.NewTaskLink{
			ID:            fmt.Sprint(from, "-", to),
			PredecessorID: fmt.Sprintf("task-%06d", from), SuccessorID: fmt.Sprintf("task-%06d", to), Type: schedules.FinishToStart,
		}
	}
	for from := range 2 {
		var chain []schedules.NewTaskLink
		for i := from * half; i < (from+1)*half-1; i++ {
			chain = append(chain, link(i, i+1))
		}
		for part := range slices.Chunk(chain, schedules.MaxBatch) {
			if _, err := p.in().CreateTaskLinks(p.ctx, part); err != nil {
				t.Fatal(err)
			}
		}
	}
	var across []schedules.NewTaskLink
	for i := range schedules.MaxBatch - 1 {
		across = append(across, link(500+i, half+i))
	}
	store.reads = 0
	if _, err := p.in().CreateTaskLinks(p.ctx, across); err != nil {
		t.Fatal(err)
	}
	if store.reads > 100_000 {
		t.Errorf("%d links among %d tasks read %d values", len(across), 2*half, store.reads)
	}
	var back []schedules.NewTaskLink
	for i := range schedules.MaxBatch - 1 {
		back = append(back, link(i, half+i+1))
	}
	back = append(back, link(half+700, 600))
	_, err := p.in().CreateTaskLinks(p.ctx, back)
	invalid("InvalidValue batch[999].successorId").saying("cycle task-002200 → task-000600 → ").check(t, err)

	var turned []schedules.TaskLinkPatch
	for i, l := range across {
		turned = append(turned, schedules.TaskLinkPatch{ID: l.ID, SuccessorID: twinplatform.Set(link(0, half+i+2).SuccessorID)})
	}
	turned[400].PredecessorID = twinplatform.Set("task-002999")
	turned[400].SuccessorID = twinplatform.Set("task-000000")
	store.reads = 0
	_, err = p.in().UpdateTaskLinks(p.ctx, turned)
	if !errors.Is(err, twinplatform.Invalid) || !strings.Contains(err.Error(), "would close the cycle") {
		t.Errorf("an update that closes circles got %v", err)
	}
	if store.reads > 100_000 {
		t.Errorf("the update of %d links among %d tasks read %d values", len(turned), 2*half, store.reads)
	}
}
