package schedules_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// TestTaskIsPlannedToFinishWhenItsResourcesWork changes all that says when the resources of a
// task work: its planned finish, what it is estimated to take and a hammock behind it follow,
// and another task does not.
func TestTaskIsPlannedToFinishWhenItsResourcesWork(t *testing.T) {
	t.Parallel()
	for _, profile := range []schedules.SchedulingProfile{schedules.ProfileP6, schedules.ProfileMicrosoftProject} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			p := house(t)
			done := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			_, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{Profile: twinplatform.Set(profile)})
			done(err)
			p.calendar(working("short", "09:00-13:00"))
			p.create(schedules.NewTask{ID: "span", Name: "span", Type: schedules.LongHammock})
			p.links("dig StartToStart span", "pour FinishToFinish span")
			_, err = p.in().CreateResources(p.ctx, []schedules.NewResource{
				{ID: "expert", Name: "Expert", Type: schedules.HumanResource, CalendarID: "short"},
				{ID: "sand", Name: "Sand", Type: schedules.MaterialResource, CalendarID: "short"},
			})
			done(err)
			ends := func(what, want string) {
				t.Helper()
				pour, span, roof := p.task("pour"), p.task("span"), p.task("roof")
				if got := pour.PlannedFinish.Format("Mon 15:04"); got != want {
					t.Errorf("%s: it is planned to finish %s, want %s", what, got, want)
				}
				if !pour.EstimatedFinish.Equal(pour.PlannedFinish.Time) || !span.PlannedFinish.Equal(pour.PlannedFinish.Time) {
					t.Errorf("%s: it is estimated to finish %v, the hammock ends %v, want %v", what, pour.EstimatedFinish, span.PlannedFinish, pour.PlannedFinish)
				}
				if got := roof.PlannedFinish.Format("Mon 15:04"); got != "Mon 17:00" {
					t.Errorf("%s: another task finishes %s", what, got)
				}
			}
			p.patch("pour", schedules.TaskPatch{UsesResourceCalendars: twinplatform.Set(true)})
			ends("without a resource", "Mon 17:00")
			use := schedules.Utilization{ResourceUnits: 1}
			_, err = p.in().CreateResourceAssignments(p.ctx, []schedules.NewResourceAssignment{
				{ID: "a", TaskID: "pour", ResourceID: "expert", AppearanceProfileID: "x", PlannedUtilization: use},
				{ID: "b", TaskID: "pour", ResourceID: "sand", AppearanceProfileID: "x", PlannedUtilization: use},
				{ID: "c", TaskID: "roof", ResourceID: "expert", AppearanceProfileID: "x", PlannedUtilization: use},
			})
			done(err)
			ends("with one that works half the day", "Tue 13:00")
			p.patch("pour", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](43_200)})
			ends("with a duration of three half days", "Wed 13:00")
			p.patch("pour", schedules.TaskPatch{PlannedDuration: twinplatform.Set[int32](28_800)})
			change := func(patch schedules.ResourcePatch) {
				t.Helper()
				_, err := p.in().UpdateResource(p.ctx, "expert", patch)
				done(err)
			}
			change(schedules.ResourcePatch{CalendarID: twinplatform.Null[string]()})
			ends("with one that works as the schedule does", "Mon 17:00")
			change(schedules.ResourcePatch{CalendarID: twinplatform.Set("short")})
			ends("with one that works half the day again", "Tue 13:00")
			change(schedules.ResourcePatch{Type: twinplatform.Set(schedules.MaterialResource)})
			ends("with one that does not work", "Mon 17:00")
			change(schedules.ResourcePatch{Type: twinplatform.Set(schedules.HumanResource)})
			days := working("short", "09:00-11:00")
			_, err = p.in().UpdateCalendar(p.ctx, "short", schedules.CalendarPatch{DayTypes: twinplatform.Set(days.DayTypes), Week: twinplatform.Set(days.Week)})
			done(err)
			ends("with one that works a quarter of the day", "Thu 11:00")
			_, err = p.in().DeleteResourceAssignments(p.ctx, []string{"a"})
			done(err)
			ends("with none any more", "Mon 17:00")
			_, err = p.in().CreateResourceAssignment(p.ctx, schedules.NewResourceAssignment{
				TaskID: "pour", ResourceID: "expert", AppearanceProfileID: "x", PlannedUtilization: use,
			})
			done(err)
			ends("with one again", "Thu 11:00")
			p.patch("pour", schedules.TaskPatch{UsesResourceCalendars: twinplatform.Set(false)})
			ends("whatever its resource does", "Mon 17:00")
		})
	}
}

// TestRescheduledTaskIsPlannedToFinishAsAnalyzed reschedules tasks that are done when
// their resources work: what is planned and what was found of them is the same.
func TestRescheduledTaskIsPlannedToFinishAsAnalyzed(t *testing.T) {
	t.Parallel()
	for _, profile := range []schedules.SchedulingProfile{schedules.ProfileP6, schedules.ProfileMicrosoftProject} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			p := house(t)
			_, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{Profile: twinplatform.Set(profile), StartDate: twinplatform.Set(date(t, "2026-03-02T09:00:00Z"))})
			if err != nil {
				t.Fatal(err)
			}
			p.calendar(working("early", "07:00-10:00"))
			p.calendar(working("late", "12:00-17:00"))
			_, err = p.in().CreateResources(p.ctx, []schedules.NewResource{
				{ID: "lark", Name: "Lark", Type: schedules.HumanResource, CalendarID: "early"},
				{ID: "owl", Name: "Owl", Type: schedules.EquipmentResource, CalendarID: "late"},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, task := range []string{"pour", "roof"} {
				p.patch(task, schedules.TaskPatch{UsesResourceCalendars: twinplatform.Set(true)})
				for _, resource := range []string{"lark", "owl"} {
					_, err := p.in().CreateResourceAssignment(p.ctx, schedules.NewResourceAssignment{
						TaskID: task, ResourceID: resource, AppearanceProfileID: "x", PlannedUtilization: schedules.Utilization{ResourceUnits: 1},
					})
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			p.reschedule()
			for _, task := range []string{"dig", "pour", "roof"} {
				is, found := p.task(task), p.analysis(task)
				if !is.PlannedStart.Equal(found.EarlyStart.Time) || !is.PlannedFinish.Equal(found.EarlyFinish.Time) {
					t.Errorf("%s is planned from %v to %v, and was found from %v to %v", task, is.PlannedStart, is.PlannedFinish, found.EarlyStart, found.EarlyFinish)
				}
			}
		})
	}
}
