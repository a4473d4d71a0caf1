package schedules_test

import (
	"errors"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// version is the ETag of a task.
func (p *plan) version(id string) twinplatform.Precondition {
	p.Helper()
	rec, err := p.in().Task(p.ctx, id)
	if err != nil {
		p.Fatal(err)
	}
	return twinplatform.IfMatch(rec.ETag)
}

// TestADeletionInTheBackgroundKeepsALaterVersion changes a task between the acceptance of
// its deletion and the deletion.
func TestADeletionInTheBackgroundKeepsALaterVersion(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.tasks("a", "b", "c")
		background := newService(p.store, schedules.Config{Env: twinplatform.Env{Background: true}})
		_, err := background.In(p.id).DeleteTasks(p.ctx, []string{"a", "b"}, p.version("b"))
		if e := twinplatform.AsError(err); e.Code != "VersionMismatch" {
			p.Errorf("with the version of one of two: %v", err)
		}
		late, err := background.In(p.id).DeleteTasks(p.ctx, []string{"a", "b"}, p.version("a"), p.version("b"))
		if err != nil {
			p.Fatal(err)
		}
		good, err := background.In(p.id).DeleteTasks(p.ctx, []string{"c"}, p.version("c"))
		if err != nil {
			p.Fatal(err)
		}
		patch := schedules.TaskPatch{Name: twinplatform.Set("changed meanwhile")}
		if _, err := p.in().UpdateTask(p.ctx, "b", patch); err != nil {
			p.Fatal(err)
		}
		go func() { _ = background.Run(p.ctx) }()
		op, err := background.In(p.id).Wait(p.ctx, late.ID)
		if op.Status != twinplatform.OperationFailed || op.Failure == nil || op.Failure.Code != "VersionMismatch" {
			p.Errorf("the deletion ended as %+v, %v", op, err)
		}
		if op, err := background.In(p.id).Wait(p.ctx, good.ID); err != nil || op.Status != twinplatform.OperationSucceeded {
			p.Errorf("that of an unchanged record ended as %+v, %v", op, err)
		}
		for id, left := range map[string]bool{"a": true, "b": true, "c": false} {
			if _, err := p.in().Task(p.ctx, id); (err == nil) != left || err != nil && !errors.Is(err, twinplatform.NotFound) {
				p.Errorf("%s: %v", id, err)
			}
		}
	})
}

// TestADeletionInStepsIsJudgedBeforeItBegins deletes a task whose version changes as the
// tasks below it go.
func TestADeletionInStepsIsJudgedBeforeItBegins(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{})
	p.tasks("root")
	below := many(3_000)
	for i := range below {
		below[i].ParentID = "root"
	}
	p.create(below...)
	_, err := p.in().DeleteTasks(p.ctx, []string{"root"}, twinplatform.IfMatch(`"another"`))
	if e := twinplatform.AsError(err); e.Code != "VersionMismatch" || e.Target != twinplatform.TargetIfMatch {
		t.Errorf("of another version: %v", err)
	}
	if tasks, _ := p.allTasks(twinplatform.ListOptions{Top: 10_000}); len(tasks) != 3_001 {
		t.Errorf("%d tasks are left", len(tasks))
	}
	if _, err := p.in().DeleteTasks(p.ctx, []string{"root"}, p.version("root")); err != nil {
		t.Error(err)
	}
	if tasks, _ := p.allTasks(twinplatform.ListOptions{Top: 10_000}); len(tasks) != 0 {
		t.Errorf("%d tasks are left", len(tasks))
	}
}
