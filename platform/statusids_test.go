package platform_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

const planOfElsewhere = `{
	"twins": [{"id": "` + tower + `"}],
	"schedules": [{
		"id": "plan", "name": "Plan", "twinId": "` + tower + `",
		"taskStatusIds": {"Planned": "0a-planned", "Started": "0b-started"},
		"tasks": [
			{"id": "dig", "name": "Dig", "type": "Work", "status": "Finished"},
			{"id": "pour", "name": "Pour", "type": "Work", "status": "Started"},
			{"id": "cure", "name": "Cure", "type": "Work"}
		]
	}]
}`

// The tasks of a schedule show the ids that its seed has for their statuses, whatever becomes
// of them, and are moved by these.
func TestTasksShowTheStatusIDsOfTheirSchedule(t *testing.T) {
	t.Parallel()
	w, err := platform.ReadWorld(strings.NewReader(planOfElsewhere))
	if err != nil {
		t.Fatal(err)
	}
	p := opened(t, platform.Config{})
	seed(t, p, w)
	plan := p.Schedules.In("plan")
	const finished = "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a03" // of the platform, since the seed has none
	shows := func(at schedules.Plan, want map[string]string) {
		t.Helper()
		got := make(map[string]string)
		for task, err := range twinplatform.All(t.Context(), at.Tasks, schedules.TaskQuery{}) {
			if err != nil {
				t.Fatal(err)
			}
			got[task.ID] = string(task.Status) + " " + task.StatusID
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	want := map[string]string{"dig": "Finished " + finished, "pour": "Started 0b-started", "cure": "Planned 0a-planned"}
	shows(plan, want)

	made[twinplatform.Result[schedules.Task]](t)(plan.UpdateTask(t.Context(), "cure", schedules.TaskPatch{StatusID: twinplatform.Set("0b-started")}))
	made[twinplatform.Result[schedules.Task]](t)(plan.UpdateTask(t.Context(), "pour", schedules.TaskPatch{Status: twinplatform.Set(schedules.Planned)}))
	made[twinplatform.Result[schedules.Task]](t)(plan.CreateTask(t.Context(), schedules.NewTask{ID: "fill", Name: "Fill", Type: schedules.Work, StatusID: "0b-started"}))
	made[twinplatform.Result[schedules.Task]](t)(plan.CreateTask(t.Context(), schedules.NewTask{ID: "test", Name: "Test", Type: schedules.Work}))
	want["cure"], want["pour"], want["fill"], want["test"] = "Started 0b-started", "Planned 0a-planned", "Started 0b-started", "Planned 0a-planned"
	shows(plan, want)
	fill := made[twinplatform.Record[schedules.Task]](t)(plan.Task(t.Context(), "fill")).Value
	if fill.ActualStart.IsZero() {
		t.Error("a task that is Started by the id of a status has no actual start")
	}

	for name, call := range map[string]func() error{
		"created": func() error {
			_, err := plan.CreateTask(t.Context(), schedules.NewTask{ID: "x", Name: "X", Type: schedules.Work, StatusID: "0c-finished"})
			return err
		},
		"created, and another one": func() error {
			_, err := plan.CreateTask(t.Context(), schedules.NewTask{ID: "x", Name: "X", Type: schedules.Work, StatusID: "0b-started", Status: schedules.Finished})
			return err
		},
		"changed": func() error {
			_, err := plan.UpdateTask(t.Context(), "dig", schedules.TaskPatch{StatusID: twinplatform.Set("0c-finished")})
			return err
		},
	} {
		e := twinplatform.AsError(call())
		if e == nil || len(e.Details) != 1 || e.Details[0].Target != "statusId" {
			t.Errorf("%s: %v", name, e)
		}
	}
	shows(plan, want)

	made[twinplatform.Result[schedules.Schedule]](t)(p.Schedules.CloneSchedule(t.Context(), "plan", schedules.NewClone{ID: "copy", Name: "Copy"}))
	shows(p.Schedules.In("copy"), want)
	made[twinplatform.Result[schedules.Task]](t)(p.Schedules.In("copy").UpdateTask(t.Context(), "test", schedules.TaskPatch{Status: twinplatform.Set(schedules.Started)}))
	shows(plan, want)
	want["test"] = "Started 0b-started"
	shows(p.Schedules.In("copy"), want)

	text := exported(t, p)
	again, err := platform.ReadWorld(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	second := opened(t, platform.Config{})
	seed(t, second, again)
	shows(second.Schedules.In("copy"), want)
	if diff := cmp.Diff(text, exported(t, second)); diff != "" {
		t.Errorf("it is exported otherwise (-before +after):\n%s", diff)
	}
}

func TestAStatusIDOfTwoStatusesIsRefused(t *testing.T) {
	t.Parallel()
	for name, ids := range map[string]schedules.TaskStatusIDs{
		"two of its own":     {Planned: "a", Finished: "a"},
		"one of another one": {Planned: "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a03"},
	} {
		p := opened(t, platform.Config{})
		w := towerWorld(platform.Schedule{NewSchedule: schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: tower}, TaskStatusIDs: ids})
		if err := p.Seed(t.Context(), w, platform.SeedOptions{}); err == nil || !strings.Contains(err.Error(), "taskStatusIds.Finished") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
