package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
)

// TestADryRunWithConstraintsShowsWhatFollowsFromThem sets constraints at random: what the dry run has shown before is what
// one shows afterwards, and nothing has changed in between.
func TestADryRunWithConstraintsShowsWhatFollowsFromThem(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	types := []schedules.ConstraintType{
		schedules.NoConstraint, schedules.StartAfter, schedules.StartOn, schedules.FinishAfter, schedules.FinishOn,
	}
	for seed := range uint64(testsize.Of(30, 8)) {
		p, r := inMemory(t), rand.New(rand.NewPCG(seed, 11))
		const n = 14
		for i := range n {
			p.create(schedules.NewTask{
				ID: fmt.Sprintf("t%02d", i), Name: fmt.Sprintf("Straße %d", i), Type: schedules.Work,
				PlannedStart: at(float64(r.IntN(200))), PlannedDuration: new(int32(r.IntN(30) * 3600)),
			})
		}
		for range 20 {
			p.change(r, n)
		}
		before := p.simulateIf()
		id, early := fmt.Sprintf("t%02d", r.IntN(n)), at(float64(r.IntN(600)))
		what := scheduling.WhatIf{TaskID: id, ConstraintType: types[r.IntN(len(types))], ConstraintEarlyDate: early}
		got := p.simulateIf(what)
		if diff := cmp.Diff(before, p.simulateIf()); diff != "" {
			t.Fatalf("seed %d: the dry run has changed something (-before +after)\n%s", seed, diff)
		}
		_, err := p.in().UpdateTask(p.ctx, id, schedules.TaskPatch{
			ConstraintType: twinplatform.Set(what.ConstraintType), ConstraintEarlyDate: twinplatform.Set(early),
			ConstraintLateDate: twinplatform.Null[twinplatform.DateTime](),
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p.simulateIf(), got); diff != "" {
			t.Fatalf("seed %d: %+v (-with the constraint +in the dry run)\n%s", seed, what, diff)
		}
	}
}

// simulateIf is a dry run with other constraints, with the error of a plan that cannot be scheduled.
func (p *plan) simulateIf(what ...scheduling.WhatIf) (run struct {
	scheduling.Simulation
	Refused bool
},
) {
	p.Helper()
	var err error
	run.Simulation, err = scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{WhatIf: what})
	run.Refused = err != nil
	return run
}

func TestADryRunSaysWhyTheFinishMovesAndNamesTheTasksThatMoveTheFarthest(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.reschedule()
	sim, err := scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{WhatIf: []scheduling.WhatIf{{
		TaskID: "pour", ConstraintType: schedules.StartAfter, ConstraintEarlyDate: date(t, "2026-03-09T08:00:00Z"),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(sim.Causes) != 1 || sim.Causes[0].Name != "pour" || sim.Causes[0].Reason != "Start" {
		t.Errorf("causes %+v", sim.Causes)
	}
	if sim.MoveDays <= 0 || sim.MoveDays != sim.Causes[0].ContributionDays || !sim.Finish.After(sim.FinishNow.Time) {
		t.Errorf("the finish moves by %g days from %s to %s", sim.MoveDays, sim.FinishNow, sim.Finish)
	}
	if first := sim.TaskChanges[0]; first.Name == "" || sim.TaskChangeCount != 3 {
		t.Errorf("%d tasks move, the first of them %+v", sim.TaskChangeCount, first)
	}
	for i := range sim.Warnings {
		if sim.Warnings[i].Name == "" {
			t.Errorf("a warning without a name: %+v", sim.Warnings[i])
		}
	}
}

func TestConstraintsOfADryRunThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	p := house(t)
	for name, c := range map[string]struct {
		what scheduling.WhatIf
		want refusal
	}{
		"no such constraint": {
			scheduling.WhatIf{TaskID: "pour", ConstraintType: "Sometime"}, invalid("InvalidValue whatIf[0].constraintType"),
		},
		"no constraint": {scheduling.WhatIf{TaskID: "pour"}, invalid("MissingRequiredProperty whatIf[0].constraintType")},
		"no task":       {scheduling.WhatIf{ConstraintType: schedules.StartOn}, invalid("MissingRequiredProperty whatIf[0].taskId")},
	} {
		t.Log(name)
		_, err := scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{WhatIf: []scheduling.WhatIf{c.what}})
		c.want.check(t, err)
	}
	what := []scheduling.WhatIf{{TaskID: "nowhere", ConstraintType: schedules.NoConstraint}}
	_, err := scheduling.In(p.in()).Simulate(p.ctx, scheduling.Rescheduling{WhatIf: what})
	refusal{kind: twinplatform.NotFound, code: "TaskNotFound", target: "whatIf"}.check(t, err)
	what[0].TaskID = "pour"
	_, err = scheduling.In(p.in()).Reschedule(p.ctx, scheduling.Rescheduling{WhatIf: what})
	invalid("InvalidValue whatIf").check(t, err)
}
