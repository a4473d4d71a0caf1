package schedules_test

import (
	"reflect"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// ofService are the methods of the service: schedules as records, and what is about all of
// them.
var ofService = map[string]bool{
	"CreateSchedule": true, "Schedule": true, "Schedules": true, "SetState": true, "DeleteSchedule": true, "CloneSchedule": true,
	"In": true, "Run": true, "Transactional": true, "HoldsOf": true, "PurgeDeletedSchedules": true, "EndDue": true, "AmbiguousID": true,
}

// TestWhatAScheduleHoldsIsReachedByItsPlan keeps each method in one place, except for
// CreateTask.
func TestWhatAScheduleHoldsIsReachedByItsPlan(t *testing.T) {
	t.Parallel()
	service, plan := reflect.TypeFor[*schedules.Service](), reflect.TypeFor[schedules.Plan]()
	for method := range service.Methods() {
		_, ofPlan := plan.MethodByName(method.Name)
		switch {
		case method.Name == "CreateTask":
		case ofPlan:
			t.Errorf("%s is a method of Plan and of Service", method.Name)
		case !ofService[method.Name]:
			t.Errorf("%s is a method of Service: what a schedule holds belongs to Plan", method.Name)
		}
	}
}

func TestPlanIsTheScheduleWithItsId(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{})
	plan, other := p.svc.In(p.id), p.svc.In("nobody's")
	if plan.ID() != p.id {
		t.Errorf("got %q", plan.ID())
	}
	if _, err := p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work}); err != nil {
		t.Fatal(err)
	}
	if rec, err := plan.Task(p.ctx, "a"); err != nil || rec.Value.Name != "a" {
		t.Errorf("got %+v, %v", rec.Value, err)
	}
	_, err := other.Task(p.ctx, "a")
	noTask.check(t, err)
}
