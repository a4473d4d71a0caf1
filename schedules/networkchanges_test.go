package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
)

// seen is all that a service shows of a plan, or the refusal of each.
func (p *plan) seen(svc *schedules.Service) (all []any) {
	p.Helper()
	in := svc.In(p.id)
	add := func(v any, err error) {
		if all = append(all, v); err != nil {
			all = append(all, err.Error())
		}
	}
	sim, err := scheduling.In(in).Simulate(p.ctx, scheduling.Rescheduling{})
	add(sim, err)
	critical, err := scheduling.In(in).CriticalPath(p.ctx)
	add(critical, err)
	chart, err := analysis.In(in).GanttSVG(p.ctx, analysis.ChartQuery{})
	add(chart.Text, err)
	return all
}

// TestAPlanThatIsFollowedIsSeenAsOneThatIsReadWhole changes plans at random, in every way in which
// the numbers of tasks and links change, too: a service that follows the changes shows what another
// one does, which reads all of the plan.
func TestAPlanThatIsFollowedIsSeenAsOneThatIsReadWhole(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	dates := []twinplatform.DateTime{
		{},
		date(t, "0001-01-01T00:00:00Z"), date(t, "1969-12-31T23:59:59.999Z"), date(t, "1970-01-01T00:00:00Z"), date(t, "9999-12-31T23:59:59Z"),
		twinplatform.At(morning.Add(1234 * time.Millisecond)),
	}
	clocked := schedules.Config{Env: twinplatform.Env{Now: func() time.Time { return morning }}}
	seeds := uint64(24)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		p, r := inMemory(t), rand.New(rand.NewPCG(seed, 11))
		const n = 14
		id := func() string { return fmt.Sprintf("t%02d", r.IntN(n)) }
		p.calendar(working("c", "08:00-16:00"))
		if _, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{StartDate: twinplatform.Set(at(0))}); err != nil {
			t.Fatal(err)
		}
		for change := range 60 {
			var err error
			switch r.IntN(8) {
			case 0, 1:
				task := schedules.NewTask{ID: id(), Name: fmt.Sprint("Aushub ", change), Type: schedules.Work, PlannedStart: at(float64(r.IntN(200))), PlannedDuration: new(int32(r.IntN(30) * 3600))}
				if r.IntN(3) == 0 {
					task.ParentID, task.CalendarID = id(), "c"
				}
				_, err = p.in().CreateTasks(p.ctx, []schedules.NewTask{task})
			case 2:
				_, err = p.in().DeleteTasks(p.ctx, []string{id()})
			case 3:
				links, _ := p.allLinks(twinplatform.ListOptions{})
				if len(links) > 0 {
					_, err = p.in().DeleteTaskLinks(p.ctx, []string{links[r.IntN(len(links))].ID})
				}
			case 4:
				_, err = p.in().UpdateTask(p.ctx, id(), schedules.TaskPatch{
					Name: twinplatform.Set(fmt.Sprint("Überbau ", change)), UserDefinedID: twinplatform.Set(fmt.Sprint(change)), CalendarID: twinplatform.Set([]string{"", "c"}[r.IntN(2)]),
					Deadline: twinplatform.Set(dates[r.IntN(len(dates))]), IsInactive: twinplatform.Set(r.IntN(9) == 0),
				})
			case 5:
				_, err = scheduling.In(p.in()).Reschedule(p.ctx, scheduling.Rescheduling{})
			default:
				p.change(r, n)
			}
			_ = err // what the schedule refuses changes nothing
			if r.IntN(3) > 0 {
				continue // so that several changes are followed at once
			}
			if diff := cmp.Diff(p.seen(newService(p.store, clocked)), p.seen(p.svc)); diff != "" {
				t.Fatalf("seed %d, change %d (-read +followed)\n%s", seed, change, diff)
			}
		}
		if tasks, _ := p.allTasks(twinplatform.ListOptions{}); len(tasks) == 0 {
			t.Errorf("seed %d: no task is left to compare", seed)
		}
	}
}
