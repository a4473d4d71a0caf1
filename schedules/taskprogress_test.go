package schedules_test

import (
	"bytes"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// progress is how far a task is.
type taskProgress struct {
	percent   int32
	remaining int32
	estimated string
}

func (p *plan) progressOf(id string) taskProgress {
	p.Helper()
	x := p.task(id)
	if x.RemainingDuration == nil {
		p.Fatalf("nothing says what remains of %+v", x)
	}
	return taskProgress{x.PercentComplete, *x.RemainingDuration, x.EstimatedFinish.String()}
}

func TestRemainingDurationIsSetAndItsPercentageFollows(t *testing.T) {
	t.Parallel()
	const hour = 3600
	p := house(t)
	begin := date(t, "2026-03-02T09:00:00Z")
	change := func(what string, patch schedules.TaskPatch, want taskProgress) {
		t.Helper()
		p.patch("dig", patch)
		if got := p.progressOf("dig"); got != want {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	_, err := p.in().UpdateTask(p.ctx, "dig", schedules.TaskPatch{RemainingDuration: twinplatform.Set(int32(hour))})
	invalid("InvalidValue remainingDuration").check(t, err)
	change("begun", schedules.TaskPatch{Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(begin)}, taskProgress{0, 8 * hour, "2026-03-02T17:00:00Z"})
	change("a quarter remains", schedules.TaskPatch{RemainingDuration: twinplatform.Set(int32(2 * hour))}, taskProgress{75, 2 * hour, "2026-03-02T17:00:00Z"})
	change("the same once more", schedules.TaskPatch{RemainingDuration: twinplatform.Set(int32(2 * hour))}, taskProgress{75, 2 * hour, "2026-03-02T17:00:00Z"})
	change("more than was planned", schedules.TaskPatch{RemainingDuration: twinplatform.Set(int32(12 * hour))}, taskProgress{0, 12 * hour, "2026-03-03T13:00:00Z"})
	change("another member", schedules.TaskPatch{Comment: twinplatform.Set("x")}, taskProgress{0, 12 * hour, "2026-03-03T13:00:00Z"})
	change("a percentage", schedules.TaskPatch{PercentComplete: twinplatform.Set(int32(50))}, taskProgress{50, 4 * hour, "2026-03-02T17:00:00Z"})
	change("both", schedules.TaskPatch{PercentComplete: twinplatform.Set(int32(40)), RemainingDuration: twinplatform.Set(int32(6 * hour))}, taskProgress{40, 6 * hour, "2026-03-02T17:00:00Z"})
	change("by its looks", schedules.TaskPatch{PercentCompleteType: twinplatform.Set(schedules.PercentPhysical), PhysicalPercentComplete: twinplatform.Set(30.0)}, taskProgress{30, 6 * hour, "2026-03-02T17:00:00Z"})
	change("a percentage by its looks", schedules.TaskPatch{PercentComplete: twinplatform.Set(int32(35))}, taskProgress{35, 6 * hour, "2026-03-02T17:00:00Z"})
	change("what remains next to it", schedules.TaskPatch{RemainingDuration: twinplatform.Set(int32(7 * hour))}, taskProgress{35, 7 * hour, "2026-03-02T17:00:00Z"})
	change("nothing given", schedules.TaskPatch{PercentCompleteType: twinplatform.Null[schedules.PercentCompleteType](), RemainingDuration: twinplatform.Null[int32]()}, taskProgress{35, 18720, "2026-03-02T17:00:00Z"})
	for _, wrong := range []int32{-1, -hour} {
		_, err := p.in().UpdateTask(p.ctx, "dig", schedules.TaskPatch{RemainingDuration: twinplatform.Set(wrong)})
		invalid("InvalidValue remainingDuration").check(t, err)
	}
	_, err = p.in().UpdateTask(p.ctx, "dig", schedules.TaskPatch{PhysicalPercentComplete: twinplatform.Set(100.5)})
	invalid("InvalidValue physicalPercentComplete").check(t, err)
	_, err = p.in().UpdateTask(p.ctx, "dig", schedules.TaskPatch{PercentCompleteType: twinplatform.Set(schedules.PercentCompleteType("Felt"))})
	invalid("InvalidValue percentCompleteType").check(t, err)
}

func TestEstimatedFinishIsNotBeforeTheDataDate(t *testing.T) {
	t.Parallel()
	p := house(t)
	estimated := func(what, want string) {
		t.Helper()
		if got := p.task("dig").EstimatedFinish.String(); got != want {
			t.Errorf("%s: estimated to end %s, want %s", what, got, want)
		}
	}
	set := func(patch schedules.ProjectSchedulingPatch) {
		t.Helper()
		if _, err := p.in().UpdateProjectScheduling(p.ctx, patch); err != nil {
			t.Fatal(err)
		}
	}
	p.patch("dig", schedules.TaskPatch{Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(date(t, "2026-03-02T09:00:00Z")), PercentComplete: twinplatform.Set(int32(50))})
	estimated("without a data date", "2026-03-02T17:00:00Z")
	set(schedules.ProjectSchedulingPatch{DataDate: twinplatform.Set(date(t, "2026-03-04T09:00:00Z"))})
	estimated("as of a data date", "2026-03-04T13:00:00Z")
	p.patch("dig", schedules.TaskPatch{RemainingDuration: twinplatform.Set(int32(10 * 3600))})
	estimated("with more to do", "2026-03-05T11:00:00Z")
	set(schedules.ProjectSchedulingPatch{Profile: twinplatform.Set(schedules.ProfileMicrosoftProject)})
	estimated("by the rules of Microsoft Project", "2026-03-03T11:00:00Z")
	set(schedules.ProjectSchedulingPatch{Profile: twinplatform.Null[schedules.SchedulingProfile](), DataDate: twinplatform.Null[twinplatform.DateTime]()})
	estimated("without a data date again", "2026-03-03T11:00:00Z")
}

func TestProgressOfAFileIsKeptAsItIsGiven(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]taskProgress{
		"more remains than was planned":              {0, 80 * 3600, "2026-01-23T16:00:00Z"},
		"percent is physical":                        {30, 24 * 3600, "2026-01-09T16:00:00Z"},
		"percent is physical, and all of it remains": {25, 40 * 3600, "2026-01-13T16:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.importPlan(heldCases[name].content(t), exchange.PlannerImportOptions{})
			tasks, _ := p.allTasks(twinplatform.ListOptions{})
			for _, x := range tasks {
				if x.Name != "First" {
					continue
				}
				if got := p.progressOf(x.ID); got != want {
					t.Errorf("%+v, want %+v", got, want)
				}
				if x.PercentComplete == 30 && (x.PercentCompleteType != schedules.PercentPhysical || x.PhysicalPercentComplete != 30) {
					t.Errorf("the percentage is %q, %v by its looks", x.PercentCompleteType, x.PhysicalPercentComplete)
				}
			}
			out := p.readExport(planner.XER)
			for _, x := range out.Tasks {
				if x.Name == "First" && (x.Remaining != int64(want.remaining) || want.percent > 0 && (x.Physical != float64(want.percent) || x.PercentOf != planner.OfPhysical)) {
					t.Errorf("exported as %+v", x)
				}
			}
		})
	}
}

// readExport is the plan of an export.
func (p *plan) readExport(format planner.Format) *planner.Plan {
	p.Helper()
	file, err := planner.Read(bytes.NewReader(p.export(exchange.PlannerExport{Format: exchange.PlannerFormat(format)})))
	if err != nil {
		p.Fatal(err)
	}
	return file
}
