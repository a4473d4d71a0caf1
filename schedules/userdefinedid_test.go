package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// userIDTaken is the refusal of a user-defined id that another record has.
func userIDTaken(target string) refusal {
	return refusal{kind: twinplatform.Conflict, code: "AlreadyExists", target: target}
}

func TestUserDefinedIDOfATaskIsUniqueWithinTheSchedule(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		work := func(id, userID string) schedules.NewTask {
			return schedules.NewTask{ID: id, Name: id, Type: schedules.Work, UserDefinedID: userID}
		}
		p.create(work("a", "A1"), work("b", "B1"), work("c", ""), work("d", ""))
		_, err := p.svc.CreateTask(p.ctx, p.id, work("e", "A1"))
		userIDTaken("userDefinedId").check(p, err)
		_, err = p.in().CreateTasks(p.ctx, []schedules.NewTask{work("e", "E1"), work("f", "A1")})
		userIDTaken("batch[1].userDefinedId").check(p, err)
		_, err = p.in().CreateTasks(p.ctx, []schedules.NewTask{work("e", "E1"), work("f", "E1")})
		userIDTaken("batch[1].userDefinedId").check(p, err)
		_, err = p.in().UpdateTask(p.ctx, "b", schedules.TaskPatch{UserDefinedID: twinplatform.Set("A1")})
		userIDTaken("userDefinedId").check(p, err)
		p.patch("a", schedules.TaskPatch{UserDefinedID: twinplatform.Set("A1"), Name: twinplatform.Set("A")})
		p.patch("a", schedules.TaskPatch{UserDefinedID: twinplatform.Set("A2")})
		p.patch("b", schedules.TaskPatch{UserDefinedID: twinplatform.Set("A1")})
		p.delete("b")
		p.create(work("b", "A1"))
		p.schedule(schedules.NewSchedule{ID: "other", Name: "Other", TwinID: "twin"})
		p.id = "other"
		p.create(work("a", "A1"))
	})
}

func TestUserDefinedIDOfAResourceIsUniqueWithinTheSchedule(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		crew := func(id, userID string) schedules.NewResource {
			return schedules.NewResource{ID: id, Name: id, Type: schedules.HumanResource, UserDefinedID: userID}
		}
		// Tasks and resources have their own ids.
		p.create(schedules.NewTask{Name: "n", Type: schedules.Work, UserDefinedID: "A1"})
		if _, err := p.in().CreateResources(p.ctx, []schedules.NewResource{crew("a", "A1"), crew("b", ""), crew("c", "")}); err != nil {
			p.Fatal(err)
		}
		_, err := p.in().CreateResource(p.ctx, crew("d", "A1"))
		userIDTaken("userDefinedId").check(p, err)
		_, err = p.in().CreateResources(p.ctx, []schedules.NewResource{crew("d", "D1"), crew("e", "D1")})
		userIDTaken("batch[1].userDefinedId").check(p, err)
		_, err = p.in().UpdateResource(p.ctx, "b", schedules.ResourcePatch{UserDefinedID: twinplatform.Set("A1")})
		userIDTaken("userDefinedId").check(p, err)
		if _, err = p.in().UpdateResource(p.ctx, "a", schedules.ResourcePatch{UserDefinedID: twinplatform.Set("A1"), Name: twinplatform.Set("A")}); err != nil {
			p.Error(err)
		}
	})
}

// TestNoTwoTasksEverShareAUserDefinedID writes at random and looks at the result.
func TestNoTwoTasksEverShareAUserDefinedID(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		p, r := inMemory(t), rand.New(rand.NewPCG(seed, 2))
		userID := func() string { return strings.Repeat("long/", r.IntN(2)*40) + fmt.Sprint(r.IntN(8)) }
		for i := range 150 {
			id := fmt.Sprint(r.IntN(12))
			switch r.IntN(4) {
			case 0:
				_, _ = p.in().CreateTasks(p.ctx, []schedules.NewTask{
					{ID: id, Name: "n", Type: schedules.Work, UserDefinedID: userID()},
					{ID: fmt.Sprint("also ", i), Name: "n", Type: schedules.Work, UserDefinedID: userID(), ParentID: id},
				})
			case 1:
				_, _ = p.svc.CreateTask(p.ctx, p.id, schedules.NewTask{ID: id, Name: "n", Type: schedules.Work, UserDefinedID: userID()})
			case 2:
				_, _ = p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{UserDefinedID: twinplatform.Set(userID())})
			default:
				_, _ = p.in().DeleteTasks(p.ctx, []string{id})
			}
		}
		holder := make(map[string]string)
		tasks, _ := p.allTasks(twinplatform.ListOptions{})
		for _, task := range tasks {
			if other, ok := holder[task.UserDefinedID]; ok {
				t.Errorf("seed %d: %s and %s share the user-defined id %q", seed, other, task.ID, task.UserDefinedID)
			}
			holder[task.UserDefinedID] = task.ID
		}
		if len(tasks) < 5 {
			t.Errorf("seed %d left %d tasks", seed, len(tasks))
		}
	}
}
