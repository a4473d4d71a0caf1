package schedules

import "github.com/seed-933f9a09/twinplatform/internal/jobs"

// planning is what a service knows of plans that it schedules.
type planning struct {
	networks   networks
	automatic  automatic
	reschedule jobs.Kind[rescheduling, struct{}]
}

func planningOf(s *Service) *planning { return s.planning.(*planning) }

func definePlanning(s *Service) *planning {
	s.followedByRescheduling()
	return &planning{
		reschedule: jobs.DefineOutside(s.jobs, "schedule.reschedule", jobs.Outside[rescheduling]{
			Step: s.rescheduleStep, Failed: s.rescheduleFailed, Alone: true,
		}, "tasks.reschedule").Holdable(),
	}
}
