package schedules

// Plan is one schedule: what it holds is read and changed by the methods of a Plan.
//
//	plan := svc.In(tower.Value().ID)
//	dig, err := plan.Task(ctx, "dig")
//	for task, err := range twinplatform.All(ctx, plan.Tasks, schedules.TaskQuery{}) { … }
//
// A Plan is a handle that holds nothing but the id, is cheap to make and safe for
// concurrent use. That the schedule is missing is found out by the first call. The
// schedule as a whole is a record of the [Service], which creates, reads, lists, clones
// and deletes it.
type Plan struct {
	s  *Service
	id string
}

// In is the schedule with an id.
func (s *Service) In(scheduleID string) Plan { return Plan{s, scheduleID} }

// ID is the id of the schedule.
func (p Plan) ID() string { return p.id }
