package schedules_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// day is a day of March 2026.
func day(t *testing.T, date string) twinplatform.DateTime {
	t.Helper()
	d, err := twinplatform.ParseDateTime("2026-03-" + date)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// terraced is a plan whose tasks differ in all that they are listed by.
func terraced(t *testing.T) *plan {
	t.Helper()
	p := newPlan(t, memory.New(), schedules.Config{})
	for _, n := range []schedules.NewTask{
		{ID: "phase", Name: "Ground works", Type: schedules.Work},
		{ID: "dig", Name: "Dig", Type: schedules.Work, ParentID: "phase", PlannedStart: day(t, "02"), PlannedDuration: new(schedules.Seconds(48 * time.Hour)), Status: schedules.Started},
		{ID: "pour", Name: "Pour the ground slab", Type: schedules.Work, ParentID: "phase", PlannedStart: day(t, "04"), PlannedDuration: new(schedules.Seconds(24 * time.Hour))},
		{ID: "handover", Name: "Handover", Type: schedules.FinishKeyDate, PlannedFinish: day(t, "09")},
	} {
		if _, err := p.svc.CreateTask(p.ctx, p.id, n); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func TestTasksAreListedByWhatTheyAre(t *testing.T) {
	t.Parallel()
	p := terraced(t)
	for name, test := range map[string]struct {
		q    schedules.TaskQuery
		want []string
	}{
		"all":                         {schedules.TaskQuery{}, []string{"dig", "handover", "phase", "pour"}},
		"below a task":                {schedules.TaskQuery{ParentID: "phase"}, []string{"dig", "pour"}},
		"below one without any":       {schedules.TaskQuery{ParentID: "dig"}, nil},
		"started":                     {schedules.TaskQuery{Status: schedules.Started}, []string{"dig"}},
		"of a type":                   {schedules.TaskQuery{Type: schedules.FinishKeyDate}, []string{"handover"}},
		"by name":                     {schedules.TaskQuery{Name: "GROUND"}, []string{"phase", "pour"}},
		"by name below":               {schedules.TaskQuery{Name: "ground", ParentID: "phase"}, []string{"pour"}},
		"begun before":                {schedules.TaskQuery{To: day(t, "04")}, []string{"dig"}},
		"up to its end":               {schedules.TaskQuery{From: day(t, "04"), To: day(t, "05")}, []string{"dig", "pour"}},
		"a milestone on its day":      {schedules.TaskQuery{From: day(t, "09"), To: day(t, "10")}, []string{"handover"}},
		"a milestone, and nothing on": {schedules.TaskQuery{From: day(t, "10")}, nil},
		"everything that is planned":  {schedules.TaskQuery{From: day(t, "01")}, []string{"dig", "handover", "pour"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.q.Top = 1
			var got []string
			for task, err := range twinplatform.All(p.ctx, p.in().Tasks, test.q) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, task.ID)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for want, q := range map[string]schedules.TaskQuery{
		"InvalidValue status": {Status: "Done"}, "InvalidValue type": {Type: "work"},
		"InvalidValue to": {From: day(t, "02"), To: day(t, "01")},
	} {
		_, err := p.in().Tasks(p.ctx, q)
		invalid(want).check(t, err)
	}
}

func TestDeltaShowsATaskThatCeasedToFitAsDeleted(t *testing.T) {
	t.Parallel()
	p := terraced(t)
	started := twinplatform.NewReplica(p.svc.In(p.id).Tasks, schedules.TaskQuery{Status: schedules.Started})
	if _, err := started.Sync(p.ctx); err != nil || started.Len() != 1 {
		t.Fatalf("%d tasks, %v", started.Len(), err)
	}
	for id, status := range map[string]schedules.TaskStatus{"dig": schedules.Finished, "pour": schedules.Started} {
		if _, err := p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{Status: twinplatform.Set(status)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := started.Sync(p.ctx); err != nil {
		t.Fatal(err)
	}
	var got []string
	for id := range started.All() {
		got = append(got, id)
	}
	if diff := cmp.Diff([]string{"pour"}, got); diff != "" {
		t.Error(diff)
	}
}
