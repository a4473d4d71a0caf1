package schedules_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// A schedule that nothing reschedules would only look as if it were automatic.
func TestAScheduleIsAutomaticOnlyWhereSomethingReschedules(t *testing.T) {
	t.Parallel()
	for name, svc := range map[string]*schedules.Service{
		"":            schedules.New(memory.New(), schedules.Config{}, scheduling.Feature, exchange.Feature),
		"isAutomatic": schedules.New(memory.New(), schedules.Config{}),
	} {
		made, err := svc.CreateSchedule(t.Context(), schedules.NewSchedule{Name: "Tower", TwinID: "tower"})
		if err != nil {
			t.Fatal(err)
		}
		plan := svc.In(made.Value().ID)
		_, err = plan.UpdateProjectScheduling(t.Context(), schedules.ProjectSchedulingPatch{IsAutomatic: twinplatform.Set(true)})
		refused := ""
		if err != nil {
			refused = twinplatform.AsError(err).Details[0].Target
		}
		if refused != name {
			t.Errorf("refused for %q, want %q: %v", refused, name, err)
		}
		for feature, missing := range map[string]error{
			"scheduling": scheduling.Registered(plan), "exchange": exchange.Registered(plan),
		} {
			if (missing != nil) != (name != "") {
				t.Errorf("%s: %v", feature, missing)
			}
		}
	}
}
