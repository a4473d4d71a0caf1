package platform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/schedules"
)

func (s *seeder) schedules(w *World) []part {
	return partsOf(w.Schedules, func(plan *Schedule) part {
		return part{
			id: plan.ID, key: key(plan.TwinID, plan.ID), twin: plan.TwinID,
			find:   func(ctx context.Context) error { return outcome(s.Schedules.Schedule(ctx, plan.ID)) },
			make:   func(ctx context.Context) error { return s.makeSchedule(ctx, plan) },
			remove: func(ctx context.Context) error { return s.removeSchedule(ctx, plan.ID) },
		}
	})
}

// removeSchedule removes a schedule that was not completed; one that is
// Processing would refuse it.
func (s *seeder) removeSchedule(ctx context.Context, id string) error {
	if err := s.Schedules.SetState(ctx, id, schedules.Ready); err != nil {
		return err
	}
	return s.Schedules.DeleteSchedule(ctx, id)
}

func (s *seeder) makeSchedule(ctx context.Context, plan *Schedule) error {
	made := plan.NewSchedule
	made.TaskStatusIDs = plan.TaskStatusIDs
	made.Elapsed = true // the world says which calendars there are
	if _, err := s.Schedules.CreateSchedule(ctx, made); err != nil {
		return err
	}
	err := plan.Seed(ctx, s.Schedules.In(plan.ID), func(at date) { s.at = at })
	if err != nil || plan.State == "" || plan.State == schedules.Ready {
		return err
	}
	return s.Schedules.SetState(ctx, plan.ID, plan.State)
}
