package schedules_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// fillWith makes so many tasks.
func (p *plan) fillWith(n int, name string) {
	p.Helper()
	batch := make([]schedules.NewTask, n)
	for i := range batch {
		batch[i] = schedules.NewTask{ID: fmt.Sprintf("%s-%03d", name, i), Name: name, Type: schedules.Work}
	}
	if _, err := p.in().CreateTasks(p.ctx, batch); err != nil {
		p.Fatal(err)
	}
}

func TestReplicaIsTheListWithMoreChangesThanAPage(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{})
	p.fillWith(150, "first")
	tasks := twinplatform.NewReplica(p.svc.In(p.id).Tasks, schedules.TaskQuery{})
	if changes, err := tasks.Sync(p.ctx); err != nil || !changes.Complete || len(changes.Records) != 150 || tasks.Len() != 150 {
		t.Fatalf("%d records, complete %t, %v", len(changes.Records), changes.Complete, err)
	}
	p.fillWith(150, "second")
	var gone []string
	for i := range 120 {
		gone = append(gone, fmt.Sprintf("first-%03d", i))
	}
	if _, err := p.in().DeleteTasks(p.ctx, gone); err != nil {
		t.Fatal(err)
	}
	changes, err := tasks.Sync(p.ctx)
	if err != nil || changes.Complete || len(changes.Records) != 270 {
		t.Fatalf("%d changes, complete %t, %v", len(changes.Records), changes.Complete, err)
	}
	want := make(map[string]schedules.Task)
	for task, err := range twinplatform.All(p.ctx, p.in().Tasks, schedules.TaskQuery{}) {
		if want[task.ID] = task; err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, maps.Collect(tasks.All())); diff != "" || len(want) != 180 {
		t.Errorf("%d tasks: %s", len(want), diff)
	}
}

func TestReplicaListsAgainWhatItsTokenIsTooOldFor(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Now: func() time.Time { return now }}})
	p.fillWith(3, "a")
	tasks := twinplatform.NewReplica(p.svc.In(p.id).Tasks, schedules.TaskQuery{})
	if _, err := tasks.Sync(p.ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := p.in().DeleteTasks(p.ctx, []string{"a-000"}); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Hour)
	if err := p.in().PurgeDeleted(p.ctx, time.Minute); err != nil {
		t.Fatal(err)
	}
	changes, err := tasks.Sync(p.ctx)
	if err != nil || !changes.Complete || len(changes.Records) != 2 || tasks.Len() != 2 {
		t.Errorf("%d changes, complete %t, %d in the copy: %v", len(changes.Records), changes.Complete, tasks.Len(), err)
	}
}

func TestReplicaThatCannotBeBroughtUpToDateStaysAsItWas(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{})
	p.fillWith(3, "a")
	tasks := twinplatform.NewReplica(p.svc.In(p.id).Tasks, schedules.TaskQuery{})
	if _, err := tasks.Sync(p.ctx); err != nil {
		t.Fatal(err)
	}
	if err := p.svc.DeleteSchedule(p.ctx, p.id); err != nil {
		t.Fatal(err)
	}
	_, err := tasks.Sync(p.ctx)
	noSchedule.check(t, err)
	if _, ok := tasks.Get("a-001"); !ok || tasks.Len() != 3 {
		t.Errorf("%d tasks are left", tasks.Len())
	}
}
