package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func TestBaselineOfAStartedTaskFinishesWhatRemainsAfterItsActualStart(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	p := inMemory(t)
	p.create(schedules.NewTask{
		ID: "late", Name: "Late", Type: schedules.Work,
		PlannedStart: twinplatform.At(morning.Add(-30 * day)), PlannedDuration: new(int32(86_400)),
	})
	p.patch("late", schedules.TaskPatch{
		Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(twinplatform.At(morning)),
	})
	p.baseline("begun")
	p.patch("late", schedules.TaskPatch{PercentComplete: twinplatform.Set(int32(75))})
	p.baseline("three quarters")
	for id, after := range map[string]time.Duration{"begun": day, "three quarters": day / 4} {
		row := p.baselineTasks(id)[0]
		if want := morning.Add(after); !row.StartDate.Equal(morning) || !row.FinishDate.Equal(want) {
			t.Errorf("%s: from %s to %s, want from %s to %s", id, row.StartDate, row.FinishDate, morning, want)
		}
	}
}

// TestNoTaskOfABaselineFinishesBeforeItStarts makes tasks of every type at
// random, moves them about at random, and looks at what baselines keep of them.
func TestNoTaskOfABaselineFinishesBeforeItStarts(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := wanderer{plan: inMemory(t), Rand: rand.New(rand.NewPCG(seed, 8))}
			w.wander(40, 200)
			w.baseline("b")
			for _, row := range w.baselineTasks("b") {
				if !row.StartDate.IsZero() && !row.FinishDate.IsZero() && row.FinishDate.Before(row.StartDate.Time) {
					t.Errorf("%s task %+v is from %s to %s", w.task(row.TaskID).Status, w.task(row.TaskID), row.StartDate, row.FinishDate)
				}
			}
		})
	}
}

// wanderer changes a plan at random.
type wanderer struct {
	*plan
	*rand.Rand
}

var anyType = []schedules.TaskType{schedules.Work, schedules.Work, schedules.DeliveryTask, schedules.StartKeyDate, schedules.FinishKeyDate, schedules.ShortHammock, schedules.LongHammock}

// wander makes tasks and then patches and links them. Many of the changes are
// refused, and that is as good.
func (w wanderer) wander(tasks, changes int) {
	w.Helper()
	for i := range tasks {
		n := schedules.NewTask{ID: fmt.Sprint(i), Name: fmt.Sprint(i), Type: anyType[w.IntN(len(anyType))]}
		if w.IntN(4) > 0 {
			n.PlannedStart = w.instant()
		}
		if w.IntN(4) > 0 {
			n.PlannedDuration = new(w.Int32N(1_000_000))
		}
		if _, err := w.svc.CreateTask(w.ctx, w.id, n); err != nil {
			w.create(schedules.NewTask{ID: n.ID, Name: n.Name, Type: n.Type})
		}
	}
	done := 0
	for range changes {
		if w.IntN(4) == 0 {
			_, _ = w.in().CreateTaskLinks(w.ctx, []schedules.NewTaskLink{{
				PredecessorID: fmt.Sprint(w.IntN(tasks)), SuccessorID: fmt.Sprint(w.IntN(tasks)), Type: schedules.FinishToStart,
			}})
			continue
		}
		if _, err := w.in().UpdateTask(w.ctx, fmt.Sprint(w.IntN(tasks)), w.move()); err == nil {
			done++
		}
	}
	if done < changes/10 {
		w.Fatalf("only %d of %d changes were taken", done, changes)
	}
}

func (w wanderer) instant() twinplatform.DateTime {
	return twinplatform.At(morning.Add(time.Duration(w.IntN(2_000_000)-1_000_000) * time.Second))
}

func (w wanderer) move() (p schedules.TaskPatch) {
	statuses := []schedules.TaskStatus{schedules.Planned, schedules.Started, schedules.Finished}
	if w.IntN(2) == 0 {
		p.Status = twinplatform.Set(statuses[w.IntN(3)])
	}
	if w.IntN(3) == 0 {
		p.ActualStart = twinplatform.Set(w.instant())
	}
	if w.IntN(5) == 0 {
		p.ActualFinish = twinplatform.Set(w.instant())
	}
	if w.IntN(5) == 0 {
		p.PercentComplete = twinplatform.Set(w.Int32N(101))
	}
	if w.IntN(5) == 0 {
		p.PlannedStart = twinplatform.Set(w.instant())
	}
	if w.IntN(8) == 0 {
		p.PlannedDuration = twinplatform.Null[int32]()
	}
	if w.IntN(8) == 0 {
		p.Type = twinplatform.Set(anyType[w.IntN(len(anyType))])
	}
	return p
}
