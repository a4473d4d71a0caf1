package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// seededPrefix is where the store keeps how far each schedule of a seed has
// come.
const seededPrefix = "examples/server/seeded/"

// The marks under it.
const (
	seedBegun = "begun" // being filled; what is there is not whole
	seedDone  = "done"  // belongs to the users now
)

// seeder fills a store with the schedules of a world, each of them once in the
// life of the store. What users have done to one since, also deleting it, stays.
type seeder struct {
	store storage.Store
	svc   *schedules.Service // runs operations at once
	log   *slog.Logger
}

func (s *seeder) apply(ctx context.Context, w *world) error {
	for _, plan := range w.Schedules {
		mark, err := s.mark(ctx, plan.ID)
		if err != nil {
			return err
		}
		if mark == seedDone {
			s.log.InfoContext(ctx, "seed applied before", "schedule", plan.ID)
			continue
		}
		if err := s.schedule(ctx, plan, mark == seedBegun); err != nil {
			return fmt.Errorf("seeding schedule %q: %w", plan.ID, err)
		}
		s.log.InfoContext(ctx, "seed applied", "schedule", plan.ID,
			"tasks", len(plan.Tasks), "taskLinks", len(plan.TaskLinks), "resources", len(plan.Resources))
	}
	return nil
}

// schedule makes one schedule. again says that an earlier process died over it.
func (s *seeder) schedule(ctx context.Context, plan worldSchedule, again bool) error {
	if again {
		if err := s.svc.DeleteSchedule(ctx, plan.ID); err != nil && !errors.Is(err, twinplatform.NotFound) {
			return err
		}
	} else {
		_, err := s.svc.Schedule(ctx, plan.ID)
		if err == nil {
			return errors.New("the store has a schedule of this id that does not come from a seed")
		}
		if !errors.Is(err, twinplatform.NotFound) {
			return err
		}
	}
	if err := s.setMark(ctx, plan.ID, seedBegun); err != nil {
		return err
	}
	if _, err := s.svc.CreateSchedule(ctx, plan.NewSchedule); err != nil {
		return err
	}
	if err := inBatches("tasks", parentsFirst(plan.Tasks), func(batch []schedules.NewTask) error {
		_, err := s.svc.CreateTasks(ctx, plan.ID, batch)
		return err
	}); err != nil {
		return err
	}
	if err := inBatches("taskLinks", plan.TaskLinks, func(batch []schedules.NewTaskLink) error {
		_, err := s.svc.CreateTaskLinks(ctx, plan.ID, batch)
		return err
	}); err != nil {
		return err
	}
	if err := inBatches("resources", plan.Resources, func(batch []schedules.NewResource) error {
		_, err := s.svc.CreateResources(ctx, plan.ID, batch)
		return err
	}); err != nil {
		return err
	}
	return s.setMark(ctx, plan.ID, seedDone)
}

// inBatches hands items over in batches that one call takes.
func inBatches[T any](name string, items []T, create func([]T) error) error {
	at := 0
	for batch := range slices.Chunk(items, schedules.MaxBatch) {
		if err := create(batch); err != nil {
			return fmt.Errorf("%s %d to %d: %w", name, at+1, at+len(batch), err)
		}
		at += len(batch)
	}
	return nil
}

// parentsFirst returns tasks in an order in which no task comes before its
// parent, so that they can be created in batches.
func parentsFirst(tasks []schedules.NewTask) []schedules.NewTask {
	index := make(map[string]int, len(tasks))
	for i, t := range tasks {
		if t.ID != "" {
			index[t.ID] = i
		}
	}
	out := make([]schedules.NewTask, 0, len(tasks))
	placed := make([]bool, len(tasks))
	for i := range tasks {
		var chain []schedules.NewTask
		// A circle of parents ends where it began; creating it is refused.
		for at, known := i, true; known && !placed[at]; at, known = index[tasks[at].ParentID] {
			placed[at] = true
			chain = append(chain, tasks[at])
		}
		slices.Reverse(chain)
		out = append(out, chain...)
	}
	return out
}

func (s *seeder) mark(ctx context.Context, scheduleID string) (string, error) {
	var mark []byte
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		mark, err = r.Get(seededPrefix + scheduleID)
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		return err
	})
	return string(mark), err
}

func (s *seeder) setMark(ctx context.Context, scheduleID, mark string) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		return w.Put(seededPrefix+scheduleID, []byte(mark))
	})
}
