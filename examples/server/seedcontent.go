package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/transform"
)

func (s *seeder) applyModels(ctx context.Context, w *world) error {
	return each(ctx, s, "models", "model", w.Models, func(m *transform.NewModel) part {
		return part{
			id:   m.ID,
			find: func(ctx context.Context) error { return outcome(s.Transform.Model(ctx, m.ID)) },
			make: func(ctx context.Context) error { return outcome(s.Transform.CreateModel(ctx, *m)) },
		}
	})
}

func (s *seeder) applySavedViews(ctx context.Context, w *world) error {
	return each(ctx, s, "savedViews", "saved view", w.SavedViews, func(v *transform.NewSavedView) part {
		return part{
			id:   v.ID,
			find: func(ctx context.Context) error { return outcome(s.Transform.SavedView(ctx, v.ID)) },
			make: func(ctx context.Context) error { return outcome(s.Transform.CreateSavedView(ctx, *v)) },
		}
	})
}

func (s *seeder) applyDefinitions(ctx context.Context, w *world) error {
	return each(ctx, s, "formDefinitions", "form definition", w.FormDefinitions, func(d *worldDefinition) part {
		return part{
			id:   d.ID,
			find: func(ctx context.Context) error { return outcome(s.Forms.Definition(ctx, d.ID)) },
			make: func(ctx context.Context) error {
				s.next = d.ID
				res, err := s.Forms.CreateDefinition(ctx, d.NewDefinition)
				return asChosen(d.ID, res.Value().ID, err)
			},
		}
	})
}

func (s *seeder) applyForms(ctx context.Context, w *world) error {
	return each(ctx, s, "forms", "form", w.Forms, func(f *worldForm) part {
		return part{
			id:   f.ID,
			find: func(ctx context.Context) error { return outcome(s.Forms.Form(ctx, f.ID)) },
			make: func(ctx context.Context) error {
				s.next = f.ID
				res, err := s.Forms.CreateForm(ctx, f.NewForm)
				return asChosen(f.ID, res.Value().ID, err)
			},
		}
	})
}

func (s *seeder) applyRealityData(ctx context.Context, w *world) error {
	return each(ctx, s, "realityData", "reality data", w.RealityData, func(d *worldRealityData) part {
		id := strings.ToLower(d.ID)
		return part{
			id:   id,
			find: func(ctx context.Context) error { return outcome(s.RealityData.Get(ctx, id, "")) },
			make: func(ctx context.Context) error {
				s.next = id
				res, err := s.RealityData.Create(ctx, d.NewRealityData)
				return asChosen(id, res.Value().ID, err)
			},
		}
	})
}

func (s *seeder) applyDetectors(ctx context.Context, w *world) error {
	return each(ctx, s, "detectors", "detector", w.Detectors, func(d *worldDetector) part {
		return part{
			id:     d.Name,
			find:   func(ctx context.Context) error { return outcome(s.RealityData.Detector(ctx, d.Name)) },
			make:   func(ctx context.Context) error { return s.makeDetector(ctx, d) },
			remove: func(ctx context.Context) error { return s.RealityData.DeleteDetector(ctx, d.Name) },
		}
	})
}

// makeDetector makes a detector in the name of its owner.
func (s *seeder) makeDetector(ctx context.Context, d *worldDetector) error {
	owner := twinplatform.Principal{ID: d.OwnerID, AccountID: d.AccountID, Kind: twinplatform.User}
	if owner.ID == "" {
		owner.ID = s.owner.ID
	}
	if owner.AccountID == "" {
		owner.AccountID = s.owner.AccountID
	}
	ctx = twinplatform.WithPrincipal(ctx, owner)
	if _, err := s.RealityData.CreateDetector(ctx, d.NewDetector); err != nil {
		return err
	}
	for _, v := range d.Versions {
		if err := s.makeDetectorVersion(ctx, d.Name, v); err != nil {
			return fmt.Errorf("version %q: %w", v.VersionNumber, err)
		}
	}
	return nil
}

func (s *seeder) makeDetectorVersion(ctx context.Context, name string, v worldDetectorVersion) error {
	if _, _, err := s.RealityData.CreateDetectorVersion(ctx, name, v.NewDetectorVersion); err != nil {
		return err
	}
	err := s.RealityData.CompleteDetectorVersion(ctx, name, v.VersionNumber)
	if err == nil && v.Published {
		err = s.RealityData.PublishDetectorVersion(ctx, name, v.VersionNumber)
	}
	return err
}

// asChosen fails unless what was made has the id of the seed.
func asChosen(want, got string, err error) error {
	if err == nil && got != want {
		err = fmt.Errorf("it was made as %q", got)
	}
	return err
}

func (s *seeder) applySchedules(ctx context.Context, w *world) error {
	return each(ctx, s, "schedules", "schedule", w.Schedules, func(plan *worldSchedule) part {
		return part{
			id:     plan.ID,
			find:   func(ctx context.Context) error { return outcome(s.Schedules.Schedule(ctx, plan.ID)) },
			make:   func(ctx context.Context) error { return s.makeSchedule(ctx, plan) },
			remove: func(ctx context.Context) error { return s.Schedules.DeleteSchedule(ctx, plan.ID) },
		}
	})
}

func (s *seeder) makeSchedule(ctx context.Context, plan *worldSchedule) error {
	if _, err := s.Schedules.CreateSchedule(ctx, plan.NewSchedule); err != nil {
		return err
	}
	tasks := parentsFirst(plan.Tasks, func(t *schedules.NewTask) string { return t.ID }, func(t *schedules.NewTask) string { return t.ParentID })
	if err := inBatches("tasks", tasks, func(batch []schedules.NewTask) error {
		return outcome(s.Schedules.CreateTasks(ctx, plan.ID, batch))
	}); err != nil {
		return err
	}
	if err := inBatches("taskLinks", plan.TaskLinks, func(batch []schedules.NewTaskLink) error {
		return outcome(s.Schedules.CreateTaskLinks(ctx, plan.ID, batch))
	}); err != nil {
		return err
	}
	return inBatches("resources", plan.Resources, func(batch []schedules.NewResource) error {
		return outcome(s.Schedules.CreateResources(ctx, plan.ID, batch))
	})
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
