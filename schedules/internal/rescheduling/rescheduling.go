// Package rescheduling computes the plan of a schedule: its network, the dates that follow from it, what a rescheduling
// writes of these, and the plan as others look at it. What callers see of that is in package scheduling, and packages
// analysis and exchange read it.
package rescheduling

import (
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// core is what package schedules shows to those who schedule its plans.
var core = schedules.Inside(model.Key{})

// Plans are the plans of a service.
type Plans struct{ model.Area }

// Of are the plans of a service.
func Of(area model.Area) *Plans { return &Plans{area} }

// kept are the networks of each service.
var kept records.PerDB[networks]

func (s *Plans) networks() *networks { return kept.In(s.DB) }

// At calls fn with the network of a schedule as a transaction sees it, brought up to
// date. It is for transactions that write nothing: what they see is there.
func (s *Plans) At(v *records.View, sc *model.Schedule, fn func(*Network) error) error {
	return s.networks().at(v, sc, fn)
}

// Bound bounds what is kept to networks of so many tasks and links, and to plans of so many as they are shown, for
// tests of what lies beyond; 0 is the usual bound.
func (s *Plans) Bound(tasks, shown int) {
	s.networks().most, s.networks().mostShown = tasks, shown
}

// Shown is how many tasks and links there are in each plan that is kept as it is shown.
func (s *Plans) Shown() (sizes []int) {
	for _, p := range s.networks().shown {
		sizes = append(sizes, p.size())
	}
	return sizes
}

// Scheduler reschedules the plans of a service, also after the changes of those that are automatic.
type Scheduler struct {
	Plans

	Reschedule jobs.Kind[Rescheduling, struct{}]

	automatic automatic
}

var _ model.Follower = (*Scheduler)(nil)

// NewScheduler defines how the plans of a service are rescheduled.
func NewScheduler(area model.Area) *Scheduler {
	s := &Scheduler{Plans: Plans{area}}
	s.Reschedule = jobs.DefineOutside(s.Jobs, "schedule.reschedule", jobs.Outside[Rescheduling]{
		Step: s.rescheduleStep, Failed: s.rescheduleFailed, Alone: true,
	}, "tasks.reschedule").Holdable()
	return s
}

// Feature implements model.Calls.
func (*Scheduler) Feature() string { return "scheduling" }
