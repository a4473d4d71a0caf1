package schedules_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func (p *plan) reschedule(taskIDs ...string) {
	p.Helper()
	res, err := scheduling.In(p.in()).Reschedule(p.ctx, scheduling.Rescheduling{TaskIDs: taskIDs})
	if err != nil || res.ID == "" {
		p.Fatalf("operation %q, %v", res.ID, err)
	}
}

func (p *plan) simulate() scheduling.Simulation {
	p.Helper()
	sim, err := scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{})
	if err != nil {
		p.Fatal(err)
	}
	return sim
}

func (p *plan) analyses(o twinplatform.ListOptions) (all []schedules.SchedulingAnalysis, delta string) {
	p.Helper()
	return readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.SchedulingAnalysis], error) {
		return scheduling.In(p.in()).SchedulingAnalyses(p.ctx, scheduling.SchedulingAnalysisQuery{ListOptions: o})
	})
}

// change does one random change of a plan of n tasks, whichever the schedule takes.
func (p *plan) change(r *rand.Rand, n int) {
	p.Helper()
	id := func() string { return fmt.Sprintf("t%02d", r.IntN(n)) }
	hours := func(most int) twinplatform.Optional[int32] { return twinplatform.Set(int32(r.IntN(most) * 3600)) }
	when := func() twinplatform.Optional[twinplatform.DateTime] { return twinplatform.Set(at(float64(r.IntN(400)))) }
	var err error
	switch r.IntN(12) {
	case 0, 1:
		_, err = p.in().UpdateTask(p.ctx, id(), schedules.TaskPatch{PlannedDuration: hours(40)})
	case 2:
		_, err = p.in().UpdateTask(p.ctx, id(), schedules.TaskPatch{PlannedStart: when()})
	case 3, 4:
		constraints := []schedules.ConstraintType{
			schedules.NoConstraint, schedules.CannotReschedule, schedules.StartAsap, schedules.StartOn, schedules.StartAfter, schedules.StartBefore,
			schedules.StartBetween, schedules.FinishOn, schedules.FinishAfter, schedules.FinishBefore, schedules.FinishBetween,
		}
		_, err = p.in().UpdateTask(p.ctx, id(), schedules.TaskPatch{
			ConstraintType: twinplatform.Set(constraints[r.IntN(len(constraints))]), ConstraintEarlyDate: when(), ConstraintLateDate: when(),
		})
	case 5:
		_, err = p.in().UpdateTask(p.ctx, id(), schedules.TaskPatch{ParentID: twinplatform.Set(id())})
	case 6:
		_, err = p.in().UpdateTask(p.ctx, id(), schedules.TaskPatch{Status: twinplatform.Set(schedules.Started), ActualStart: when(), PercentComplete: twinplatform.Set(int32(r.IntN(100)))})
	case 7:
		_, err = p.in().UpdateTask(p.ctx, id(), schedules.TaskPatch{Status: twinplatform.Set(schedules.Planned)})
	case 8:
		types := []schedules.TaskType{schedules.Work, schedules.StartKeyDate, schedules.FinishKeyDate, schedules.LongHammock, schedules.ShortHammock}
		_, err = p.in().UpdateTask(p.ctx, id(), schedules.TaskPatch{Type: twinplatform.Set(types[r.IntN(len(types))])})
	default:
		types := []schedules.TaskLinkType{schedules.FinishToStart, schedules.StartToStart, schedules.FinishToFinish, schedules.StartToFinish}
		_, err = p.in().CreateTaskLinks(p.ctx, []schedules.NewTaskLink{{
			PredecessorID: id(), SuccessorID: id(), Type: types[r.IntN(len(types))], Lag: int32(r.IntN(20)-6) * 3600,
		}})
	}
	_ = err // what the schedule refuses changes nothing
}

// TestReschedulingComesToRestAsSimulated changes plans at random: what a
// service that has followed them says is what one says that reads them for the first
// time, and a plan that is rescheduled is where it is to be.
func TestReschedulingComesToRestAsSimulated(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	for seed := range uint64(30) {
		p, r := inMemory(t), rand.New(rand.NewPCG(seed, 7))
		const n = 14
		for i := range n {
			p.create(schedules.NewTask{ID: fmt.Sprintf("t%02d", i), Name: "n", Type: schedules.Work, PlannedStart: at(float64(r.IntN(200))), PlannedDuration: new(int32(r.IntN(30) * 3600))})
		}
		if _, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{
			Profile: twinplatform.Set([]schedules.SchedulingProfile{schedules.ProfileP6, schedules.ProfileMicrosoftProject}[seed%2]),
		}); err != nil {
			t.Fatal(err)
		}
		_, delta := p.analyses(twinplatform.ListOptions{})
		for range 6 {
			for range 4 {
				p.change(r, n)
			}
			fresh := newService(p.store, schedules.Config{})
			want, unschedulable := scheduling.In(fresh.In(p.id)).Simulate(p.ctx, scheduling.Rescheduling{})
			got, err := scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{})
			if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (unschedulable == nil) {
				t.Fatalf("seed %d: %v, %v (-read again +followed)\n%s", seed, unschedulable, err, diff)
			}
			if err != nil {
				refusal{kind: twinplatform.Conflict, code: "CircularDependency"}.check(t, err)
				break
			}
			p.reschedule()
			if sim := p.simulate(); sim.TaskChangeCount != 0 {
				t.Fatalf("seed %d: not at rest: %+v", seed, sim.TaskChanges)
			}
			for _, c := range got.TaskChanges {
				now := p.task(c.TaskID)
				if !now.PlannedStart.Equal(c.PlannedStart.Time) || !now.PlannedFinish.Equal(c.PlannedFinish.Time) {
					t.Fatalf("seed %d: %s is from %s to %s, was to be %+v", seed, c.TaskID, now.PlannedStart, now.PlannedFinish, c)
				}
			}
			all, _ := p.analyses(twinplatform.ListOptions{})
			tasks, _ := p.allTasks(twinplatform.ListOptions{})
			if len(all) != len(tasks) {
				t.Fatalf("seed %d: %d analyses of %d tasks", seed, len(all), len(tasks))
			}
			var changes []schedules.SchedulingAnalysis
			changes, delta = p.analyses(twinplatform.ListOptions{Delta: delta})
			for _, c := range changes {
				if !slices.ContainsFunc(all, func(a schedules.SchedulingAnalysis) bool { return cmp.Equal(a, c) }) {
					t.Fatalf("seed %d: the delta lists %+v", seed, c)
				}
			}
		}
	}
}

func TestAutomaticSchedulesAreAtRestAfterEveryChange(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		p, r := inMemory(t), rand.New(rand.NewPCG(seed, 8))
		const n = 10
		for i := range n {
			p.create(schedules.NewTask{ID: fmt.Sprintf("t%02d", i), Name: "n", Type: schedules.Work, PlannedStart: at(float64(r.IntN(200))), PlannedDuration: new(int32(r.IntN(30) * 3600))})
		}
		p.automatic()
		for range 30 {
			p.change(r, n)
			sim, err := scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{})
			if err != nil {
				refusal{kind: twinplatform.Conflict, code: "CircularDependency"}.check(t, err)
				break
			}
			if sim.TaskChangeCount != 0 {
				t.Fatalf("seed %d: not at rest: %+v", seed, sim.TaskChanges)
			}
		}
	}
}

// automatic lets the schedule be rescheduled after every change.
func (p *plan) automatic() {
	p.Helper()
	if _, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{IsAutomatic: twinplatform.Set(true)}); err != nil {
		p.Fatal(err)
	}
}

func TestManyChangesAreFollowedByOneRescheduling(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		p := newPlan(t, memory.New(), schedules.Config{})
		p.ctx = ctx
		p.tasks("a "+at(0).String()+" 3600", "b "+at(0).String()+" 3600")
		p.links("a FinishToStart b")
		p.automatic()
		p.svc = newService(p.store, schedules.Config{Env: twinplatform.Env{Background: true}})
		for i := range 20 {
			if _, err := p.in().UpdateTask(p.ctx, "a", schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(i+2) * 3600)}); err != nil {
				t.Fatal(err)
			}
		}
		p.background()
		synctest.Wait()
		if sim := p.simulate(); sim.TaskChangeCount != 0 {
			t.Errorf("not at rest: %+v", sim.TaskChanges)
		}
		end()
	})
}

func TestAutomaticScheduleThatCannotBeScheduledIsSoAgainOnceItCan(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("a "+at(0).String()+" 3600", "b "+at(0).String()+" 3600", "c "+at(0).String()+" 3600", "d "+at(0).String()+" 3600")
	p.automatic()
	for child, parent := range map[string]string{"b": "a", "d": "c"} {
		p.patch(child, schedules.TaskPatch{ParentID: twinplatform.Set(parent)})
	}
	p.links("a FinishToStart d", "c FinishToStart b") // a waits for c, and c for a
	_, err := scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{})
	refusal{kind: twinplatform.Conflict, code: "CircularDependency", says: "→"}.check(t, err)
	if _, err := p.in().DeleteTaskLinks(p.ctx, []string{"c-b"}); err != nil {
		t.Fatal(err)
	}
	p.patch("a", schedules.TaskPatch{Comment: twinplatform.Set("repaired")})
	if sim := p.simulate(); sim.TaskChangeCount != 0 {
		t.Errorf("not at rest: %+v", sim.TaskChanges)
	}
}

func TestInterruptedReschedulingIsCompletedByTheNextProcess(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	for n := 2; ; n += testsize.Of(1+n/2, n) {
		p := inMemory(t)
		p.create(many(600)...)
		tasks := many(600)
		var links []schedules.NewTaskLink
		for i := range 599 {
			links = append(links, schedules.NewTaskLink{PredecessorID: tasks[i].ID, SuccessorID: tasks[i+1].ID, Type: schedules.FinishToStart})
		}
		if _, err := p.in().CreateTaskLinks(p.ctx, links); err != nil {
			t.Fatal(err)
		}
		for i := range tasks {
			p.patch(tasks[i].ID, schedules.TaskPatch{PlannedStart: twinplatform.Set(at(0)), PlannedDuration: twinplatform.Set[int32](3600)})
		}
		died := p.interrupt(n, func(ctx context.Context, svc *schedules.Service) error {
			_, err := scheduling.In(svc.In(p.id)).Reschedule(ctx, scheduling.Rescheduling{})
			return err
		})
		if !died {
			if n < 4 {
				t.Fatalf("the rescheduling took %d transactions, want more to interrupt", n-1)
			}
			return
		}
		next := newService(p.store, schedules.Config{})
		if _, err := next.CreateTask(p.ctx, p.id, schedules.NewTask{ID: "z", Name: "z", Type: schedules.Work, PlannedStart: at(0)}); err != nil {
			t.Fatal(err)
		}
		if sim := p.simulate(); sim.TaskChangeCount != 0 {
			t.Errorf("interrupted at transaction %d: %d tasks are not where they are to be", n, sim.TaskChangeCount)
		}
	}
}

func TestReschedulingThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{})
	_, err := scheduling.In(p.in()).Reschedule(p.ctx, scheduling.Rescheduling{})
	invalid("MissingRequiredProperty startDate").check(t, err)
	_, err = scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{})
	invalid("MissingRequiredProperty startDate").check(t, err)
	_, err = scheduling.In(p.in()).Reschedule(p.ctx, scheduling.Rescheduling{TaskIDs: []string{"nobody"}})
	refusal{kind: twinplatform.NotFound, code: "TaskNotFound", target: "taskIds", says: "nobody"}.check(t, err)
	_, err = scheduling.In(p.in()).Reschedule(p.ctx, scheduling.Rescheduling{TaskIDs: make([]string, schedules.MaxBatch+1)})
	invalid("InvalidValue taskIds").check(t, err)
	_, err = scheduling.In(p.svc.In("nowhere")).Reschedule(p.ctx, scheduling.Rescheduling{})
	noSchedule.check(t, err)
	p.tasks("a "+at(0).String()+" 3600", "b "+at(0).String()+" 3600", "c "+at(0).String()+" 3600")
	p.patch("b", schedules.TaskPatch{ParentID: twinplatform.Set("a")})
	p.links("b FinishToStart c")
	_, err = scheduling.In(p.in()).DrivingPath(p.ctx, "nobody", scheduling.DrivingPathQuery{})
	noTask.check(t, err)
	p.v65()
	_, err = scheduling.In(p.in()).Reschedule(p.ctx, scheduling.Rescheduling{})
	notOfV65.check(t, err)
	_, err = scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{})
	notOfV65.check(t, err)
	_, err = scheduling.In(p.in()).CriticalPath(p.ctx)
	notOfV65.check(t, err)
}

// TestPlansAtTheEndsOfTimeAreScheduled has plans whose dates are the first and the last that
// there are, in zones whose clocks show days before and behind them.
func TestPlansAtTheEndsOfTimeAreScheduled(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Asia/Tokyo", "UTC", "America/New_York"} {
		for _, end := range []string{"0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"} {
			for name, patch := range map[string]schedules.ProjectSchedulingPatch{
				"must finish": {MustFinishBy: twinplatform.Set(date(t, end))},
				"start":       {StartDate: twinplatform.Set(date(t, end))},
				"data date":   {DataDate: twinplatform.Set(date(t, end))},
			} {
				t.Run(zone+" "+name+" "+end[:4], func(t *testing.T) {
					t.Parallel()
					p := inMemory(t)
					p.calendar(working("c", "08:00-16:00"))
					p.tasks("a 2026-03-02T09:00:00Z 36000", "b 2026-03-03T09:00:00Z 36000")
					p.links("a FinishToStart b")
					p.scheduling("c", zone)
					_, err := p.in().UpdateProjectScheduling(p.ctx, patch)
					check := func(what string, err error) {
						if err != nil {
							t.Errorf("%s: %v", what, err)
						}
					}
					check("settings", err)
					_, err = scheduling.In(p.in()).Reschedule(p.ctx, scheduling.Rescheduling{})
					check("reschedule", err)
					p.analyses(twinplatform.ListOptions{})
					_, err = scheduling.In(p.in()).CriticalPath(p.ctx)
					check("critical path", err)
					_, err = analysis.In(p.in()).AnalyzeQuality(p.ctx, analysis.QualityOptions{})
					check("quality", err)
					_, err = analysis.In(p.in()).GanttSVG(p.ctx, analysis.ChartQuery{})
					check("chart", err)
					_, err = p.in().CreateBaseline(p.ctx, schedules.NewBaseline{Name: "b"})
					check("baseline", err)
					_, err = p.svc.CloneSchedule(p.ctx, p.id, schedules.NewClone{Name: "clone"})
					check("clone", err)
					_, err = p.in().DeleteTasks(p.ctx, []string{"a"})
					check("delete", err)
				})
			}
		}
	}
}
