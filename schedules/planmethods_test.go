package schedules_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// ofAll are the methods of the service that are not about one schedule.
var ofAll = map[string]bool{
	"CreateSchedule": true, "Schedules": true, "In": true, "Run": true, "Transactional": true, "HoldsOf": true,
	"PurgeDeletedSchedules": true, "AmbiguousID": true,
}

func TestPlanHasEveryMethodThatIsAboutOneSchedule(t *testing.T) {
	t.Parallel()
	service, plan := reflect.TypeFor[*schedules.Service](), reflect.TypeFor[schedules.Plan]()
	for method := range service.Methods() {
		name := method.Name
		if name == "Schedule" {
			name = "Get"
		}
		own, ok := plan.MethodByName(name)
		if ok == ofAll[method.Name] {
			t.Errorf("%s: in Plan %t", method.Name, ok)
			continue
		}
		if !ok {
			continue
		}
		// The receiver and the context, and the id of the schedule in the service alone.
		var want, got []string
		for i := 3; i < method.Type.NumIn(); i++ {
			want = append(want, method.Type.In(i).String())
		}
		for i := 2; i < own.Type.NumIn(); i++ {
			got = append(got, own.Type.In(i).String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestPlanIsTheScheduleWithItsId(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{})
	plan, other := p.svc.In(p.id), p.svc.In("nobody's")
	if _, err := plan.CreateTask(p.ctx, schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work}); err != nil {
		t.Fatal(err)
	}
	if rec, err := p.svc.Task(p.ctx, p.id, "a"); err != nil || rec.Value.Name != "a" {
		t.Errorf("got %+v, %v", rec.Value, err)
	}
	if rec, err := plan.Get(p.ctx); err != nil || rec.Value.ID != p.id || plan.ID() != p.id {
		t.Errorf("got %+v, %v", rec.Value, err)
	}
	_, err := other.Task(p.ctx, "a")
	noTask.check(t, err)
}
