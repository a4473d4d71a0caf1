package schedules_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// keptPlan is a file with what a schedule keeps and does not compute with: the second of its
// tasks has some of everything.
func keptPlan(t testing.TB, format planner.Format) []byte {
	t.Helper()
	return heldCase{format, func(p *planner.Plan, _, b *planner.Task) {
		onFridays(p, b)
		b.Priority = new(int32(900))
		a := &p.Assignments[0]
		a.Costs, a.Delay = planner.Costs{Planned: 100.25, Actual: 40.25, Remaining: 60}, 4*worktime.Hour
		p.Resources[0].Rates = []planner.Rate{
			{From: january(5), Price: 12.5, MaxUnits: 2}, {From: january(12), Price: 13, MaxUnits: 2}, {Table: 1, From: january(5), Price: 20, MaxUnits: 2},
		}
		switch format {
		case planner.MSPDI:
			p.Resources[0].Rates[0].Overtime, p.Resources[0].Rates[0].PerUse, p.Resources[0].Rates[0].To = 18, 5.5, january(12)
			p.Expenses = []planner.Expense{{ID: b.ID, TaskID: b.ID, Name: planner.FixedCost, Costs: planner.Costs{Planned: 70, Actual: 20, Remaining: 50}}}
			b.Costs = planner.Costs{Planned: 170.25, Actual: 60.25, Remaining: 110}
		default:
			p.Accounts = []planner.Account{{ID: "1", Code: "ACC", Name: "Costs"}, {ID: "2", ParentID: "1", Code: "ACC.1", Name: "Site"}}
			a.AccountID = "2"
			p.Expenses = []planner.Expense{
				{ID: "1", TaskID: b.ID, AccountID: "1", Name: "Crane", Description: "For a day", Vendor: "Lift Ltd", Costs: planner.Costs{Planned: 50, Actual: 10.5, Remaining: 39.5}},
				{ID: "2", TaskID: b.ID, Name: "Permit", Costs: planner.Costs{Planned: 5}},
			}
			b.Steps = []planner.Step{{Name: "Form", Description: "Boards", Weight: 3, Percent: 100, Done: true}, {Name: "Strip", Weight: 1.5, Percent: 25}}
		}
	}, "Priority"}.content(t)
}

// keptOf is what a schedule keeps of the second task of keptPlan and of its resource.
func (p *plan) keptOf() (task schedules.Task, a schedules.ResourceAssignment, r schedules.Resource) {
	p.Helper()
	tasks, _ := p.allTasks(twinplatform.ListOptions{})
	for _, x := range tasks {
		if x.Name == "Second" {
			task = x
		}
	}
	assigned, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.ResourceAssignment], error) {
		return p.in().ResourceAssignments(p.ctx, schedules.ResourceAssignmentQuery{ListOptions: o})
	})
	resources, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Resource], error) {
		return p.in().Resources(p.ctx, schedules.ResourceQuery{ListOptions: o})
	})
	if len(assigned) != 1 || len(resources) != 1 {
		p.Fatalf("%d assignments of %d resources", len(assigned), len(resources))
	}
	return task, assigned[0], resources[0]
}

// TestCostsRatesAndPrioritiesAreKeptAsInTheFile imports each format: what a schedule
// keeps is that of the file, comes out as it was, and follows a later file.
func TestCostsRatesAndPrioritiesAreKeptAsInTheFile(t *testing.T) {
	t.Parallel()
	for _, format := range []planner.Format{planner.XER, planner.P6XML, planner.MSPDI} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			content, p := keptPlan(t, format), inMemory(t)
			file, err := planner.Read(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			y := p.importPlan(content, exchange.PlannerImportOptions{})
			for _, w := range y.SynchronizationDetails.Warnings {
				if strings.Contains(w.Message, "CURRTYPE") { // of which a schedule keeps nothing
					continue
				}
				if strings.Contains(strings.ToLower(w.Message), "cost") || strings.Contains(w.Message, "rate") {
					t.Errorf("warned: %s", w.Message)
				}
			}
			x, a, r := p.keptOf()
			if x.Priority == nil || *x.Priority != 900 || len(x.Steps) != len(file.Tasks[len(file.Tasks)-1].Steps) || len(x.Expenses) != len(file.Expenses) || len(r.Rates) != 3 {
				t.Errorf("the task keeps %v, %+v, %+v, its resource %+v", x.Priority, x.Steps, x.Expenses, r.Rates)
			}
			if got := fmt.Sprint(a.PlannedCost, a.ActualCost, a.RemainingCost, a.Delay); got != "100.25 40.25 60 14400" {
				t.Errorf("the assignment keeps %s", got)
			}
			out, err := planner.Read(bytes.NewReader(p.export(exchange.PlannerExport{Format: exchange.PlannerFormat(format)})))
			if err != nil {
				t.Fatal(err)
			}
			ids := cmpopts.IgnoreFields(planner.Expense{}, "ID", "TaskID", "AccountID")
			if diff := gocmp.Diff(file.Expenses, out.Expenses, ids); diff != "" {
				t.Errorf("expenses (-file +exported):\n%s", diff)
			}
			if diff := gocmp.Diff(file.Resources[0].Rates, out.Resources[0].Rates); diff != "" {
				t.Errorf("rates (-file +exported):\n%s", diff)
			}
			if diff := gocmp.Diff(file.Accounts, out.Accounts, cmpopts.IgnoreFields(planner.Account{}, "ID", "ParentID")); diff != "" {
				t.Errorf("accounts (-file +exported):\n%s", diff)
			}
			was, is := file.Assignments[0], out.Assignments[0]
			if was.Costs != is.Costs || was.Delay != is.Delay || (was.AccountID == "") != (is.AccountID == "") {
				t.Errorf("the assignment is exported as %+v, want %+v", is, was)
			}
			for i := range file.Tasks {
				was := file.Tasks[i]
				is := out.Tasks[max(slices.IndexFunc(out.Tasks, func(x planner.Task) bool { return x.Name == was.Name }), 0)]
				if was.Kind == cpm.Summary {
					continue
				}
				if diff := gocmp.Diff([]any{was.Costs, was.Priority, was.Steps}, []any{is.Costs, is.Priority, is.Steps}); diff != "" {
					t.Errorf("task %s (-file +exported):\n%s", was.Code, diff)
				}
			}
			file.Assignments[0].Costs, file.Tasks[len(file.Tasks)-1].Priority = planner.Costs{Planned: 7}, nil
			var later bytes.Buffer
			if _, err := planner.Write(&later, file, format); err != nil {
				t.Fatal(err)
			}
			p.importPlan(later.Bytes(), exchange.PlannerImportOptions{})
			if x, a, _ := p.keptOf(); x.Priority != nil || a.PlannedCost != 7 || a.ActualCost != 0 {
				t.Errorf("a later file leaves %v, %v and %v", x.Priority, a.PlannedCost, a.ActualCost)
			}
		})
	}
}

// TestCostsStayWhereAnImportLeavesThemOut imports without costs.
func TestCostsStayWhereAnImportLeavesThemOut(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.importPlan(keptPlan(t, planner.XER), exchange.PlannerImportOptions{ImportCosts: twinplatform.Set(false)})
	if x, a, r := p.keptOf(); len(x.Expenses) != 0 || a.PlannedCost != 0 || len(r.Rates) != 0 || x.Priority == nil {
		t.Errorf("an import without costs has %+v, %v, %+v, priority %v", x.Expenses, a.PlannedCost, r.Rates, x.Priority)
	}
	p.importPlan(keptPlan(t, planner.XER), exchange.PlannerImportOptions{})
	if x, a, r := p.keptOf(); len(x.Expenses) != 2 || a.PlannedCost != 100.25 || len(r.Rates) != 3 {
		t.Errorf("an import with costs has %+v, %v, %+v", x.Expenses, a.PlannedCost, r.Rates)
	}
	p.importPlan(keptPlan(t, planner.XER), exchange.PlannerImportOptions{ImportCosts: twinplatform.Set(false)})
	if x, a, r := p.keptOf(); len(x.Expenses) != 2 || a.PlannedCost != 100.25 || len(r.Rates) != 3 {
		t.Errorf("a later import without costs leaves %+v, %v, %+v", x.Expenses, a.PlannedCost, r.Rates)
	}
}

func TestWhatATaskKeepsIsChanged(t *testing.T) {
	t.Parallel()
	p := house(t)
	x := p.patch("dig", schedules.TaskPatch{
		Priority: twinplatform.Set(int32(437)), Expenses: twinplatform.Set([]schedules.TaskExpense{{Name: "Crane", PlannedCost: 10.5}}),
		Steps: twinplatform.Set([]schedules.TaskStep{{Name: "Mark", Weight: 2, PercentComplete: 12.5}}),
	})
	if *x.Priority != 437 || len(x.Expenses) != 1 || len(x.Steps) != 1 {
		t.Errorf("changed to %+v", x)
	}
	x = p.patch("dig", schedules.TaskPatch{
		Priority: twinplatform.Set(int32(500)), Expenses: twinplatform.Null[[]schedules.TaskExpense](), Steps: twinplatform.Set([]schedules.TaskStep{}),
	})
	if x.Priority != nil || x.Expenses != nil || x.Steps != nil {
		t.Errorf("cleared to %+v", x)
	}
}

func TestWhatIsNoCostIsRefused(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.resources("gang")
	patch := func(patch schedules.TaskPatch) func() error {
		return func() error { _, err := p.in().UpdateTask(p.ctx, "dig", patch); return err }
	}
	expense := func(e schedules.TaskExpense) func() error {
		return patch(schedules.TaskPatch{Expenses: twinplatform.Set([]schedules.TaskExpense{e})})
	}
	rate := func(rates ...schedules.ResourceRate) func() error {
		return func() error {
			_, err := p.in().UpdateResource(p.ctx, "gang", schedules.ResourcePatch{Rates: twinplatform.Set(rates)})
			return err
		}
	}
	for name, x := range map[string]struct {
		call func() error
		want string
	}{
		"a priority below 0":             {patch(schedules.TaskPatch{Priority: twinplatform.Set(int32(-1))}), "InvalidValue priority"},
		"a priority above the last":      {patch(schedules.TaskPatch{Priority: twinplatform.Set(int32(1001))}), "InvalidValue priority"},
		"a cost below 0":                 {expense(schedules.TaskExpense{Name: "x", PlannedCost: -1}), "InvalidValue expenses[0].plannedCost"},
		"a cost that is no number":       {expense(schedules.TaskExpense{Name: "x", ActualCost: math.NaN()}), "InvalidValue expenses[0].actualCost"},
		"a cost without end":             {expense(schedules.TaskExpense{Name: "x", RemainingCost: math.Inf(1)}), "InvalidValue expenses[0].remainingCost"},
		"a cost above the highest":       {expense(schedules.TaskExpense{Name: "x", PlannedCost: 2 * schedules.MaxAmount}), "InvalidValue expenses[0].plannedCost"},
		"an expense without a name":      {expense(schedules.TaskExpense{}), "MissingRequiredProperty expenses[0].name"},
		"more expenses than a task has":  {patch(schedules.TaskPatch{Expenses: twinplatform.Set(make([]schedules.TaskExpense, schedules.MaxExpenses+1))}), "InvalidValue expenses"},
		"a step without a name":          {patch(schedules.TaskPatch{Steps: twinplatform.Set([]schedules.TaskStep{{Weight: 1}})}), "MissingRequiredProperty steps[0].name"},
		"a step that is done and more":   {patch(schedules.TaskPatch{Steps: twinplatform.Set([]schedules.TaskStep{{Name: "x", PercentComplete: 101}})}), "InvalidValue steps[0].percentComplete"},
		"more steps than a task has":     {patch(schedules.TaskPatch{Steps: twinplatform.Set(make([]schedules.TaskStep, schedules.MaxSteps+1))}), "InvalidValue steps"},
		"a price below 0":                {rate(schedules.ResourceRate{Price: -0.5}), "InvalidValue rates[0].price"},
		"a table that is none":           {rate(schedules.ResourceRate{Table: 5}), "InvalidValue rates[0].table"},
		"a rate that ends first":         {rate(schedules.ResourceRate{From: date(t, "2026-02-01T00:00:00Z"), Until: date(t, "2026-01-01T00:00:00Z")}), "InvalidValue rates[0].until"},
		"more rates than a resource has": {rate(make([]schedules.ResourceRate, schedules.MaxRates+1)...), "InvalidValue rates"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			invalid(x.want).check(t, x.call())
		})
	}
}

// TestUnitsAreKeptAsTheirPlannerCallsThem imports a unit of the API, one that a planner calls otherwise, and
// one that is none of the API.
func TestUnitsAreKeptAsTheirPlannerCallsThem(t *testing.T) {
	t.Parallel()
	for called, want := range map[string]struct {
		unit units.ResourceUnitType
		name string
	}{
		"": {units.Unknown, ""}, "Meter": {units.Meter, ""}, "m3": {units.CubicMeter, "m3"},
		"cubic meter": {units.CubicMeter, "cubic meter"}, "Säcke à 25 kg": {units.Unknown, "Säcke à 25 kg"},
	} {
		for _, format := range []planner.Format{planner.XER, planner.P6XML, planner.MSPDI} {
			t.Run(fmt.Sprint(format, " ", called), func(t *testing.T) {
				t.Parallel()
				p := inMemory(t)
				y := p.importPlan(heldCase{format, func(f *planner.Plan, _, b *planner.Task) {
					onFridays(f, b)
					f.Resources[0].Type, f.Resources[0].Unit, b.ResourceCalendars = planner.Material, called, false
				}, "Unit"}.content(t), exchange.PlannerImportOptions{CodePage: "windows-1252"})
				for _, w := range y.SynchronizationDetails.Warnings {
					if called != "" && strings.Contains(w.Message, called) {
						t.Errorf("warned: %s", w.Message)
					}
				}
				if _, _, r := p.keptOf(); r.UnitType != want.unit || r.UnitName != want.name {
					t.Errorf("it is %s, called %q", r.UnitType, r.UnitName)
				}
				out, err := planner.Read(bytes.NewReader(p.export(exchange.PlannerExport{Format: exchange.PlannerFormat(format)})))
				if err != nil {
					t.Fatal(err)
				}
				if out.Resources[0].Unit != called {
					t.Errorf("it is exported as %q", out.Resources[0].Unit)
				}
			})
		}
	}
}

func TestNameOfAUnitGoesWithTheUnit(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.resource(schedules.NewResource{ID: "concrete", Name: "Concrete", Type: schedules.MaterialResource, UnitType: units.CubicMeter, UnitName: "m³ lose"})
	for _, step := range []struct {
		patch schedules.ResourcePatch
		want  string
	}{
		{schedules.ResourcePatch{Name: twinplatform.Set("Beton")}, "m³ lose"},
		{schedules.ResourcePatch{UnitType: twinplatform.Set(units.CubicMeter)}, "m³ lose"},
		{schedules.ResourcePatch{UnitType: twinplatform.Set(units.Ton)}, ""},
		{schedules.ResourcePatch{UnitType: twinplatform.Set(units.MetricTon), UnitName: twinplatform.Set("t")}, "t"},
		{schedules.ResourcePatch{UnitName: twinplatform.Null[string]()}, ""},
		{schedules.ResourcePatch{UnitName: twinplatform.Set("Fuhre")}, "Fuhre"},
		{schedules.ResourcePatch{Type: twinplatform.Set(schedules.EquipmentResource)}, ""},
	} {
		if got := p.patchResource("concrete", step.patch); got.UnitName != step.want {
			t.Errorf("%+v: it is called %q, want %q", step.patch, got.UnitName, step.want)
		}
	}
}

// datedAssignment is a file of a task of which the resource begins an hour later and ends two earlier.
func datedAssignment(t testing.TB, format planner.Format) []byte {
	t.Helper()
	return heldCase{format, func(p *planner.Plan, _, b *planner.Task) {
		onFridays(p, b)
		p.Resources[0].CalendarID, b.ResourceCalendars = "", false
		a := &p.Assignments[0]
		a.Start, a.Finish = january(12)+worktime.Hour, january(13)+6*worktime.Hour
	}, "Start"}.content(t)
}

// TestDatesOfAssignmentsAreKeptWhereTheyAreNotThoseOfTheTask imports, exports, moves the task and exports
// again.
func TestDatesOfAssignmentsAreKeptWhereTheyAreNotThoseOfTheTask(t *testing.T) {
	t.Parallel()
	for _, format := range []planner.Format{planner.XER, planner.P6XML, planner.MSPDI} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			content, p := datedAssignment(t, format), inMemory(t)
			file, err := planner.Read(bytes.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			task := file.Tasks[len(file.Tasks)-1].File
			exported := func() string {
				t.Helper()
				out, err := planner.Read(bytes.NewReader(p.export(exchange.PlannerExport{Format: exchange.PlannerFormat(format), SynchronizerID: "out"})))
				if err != nil {
					t.Fatal(err)
				}
				return fmt.Sprint(out.Assignments[0].Start, " ", out.Assignments[0].Finish)
			}
			p.importPlan(content, exchange.PlannerImportOptions{})
			x, a, _ := p.keptOf()
			from, to := file.Assignments[0].Start, file.Assignments[0].Finish
			if from <= task.Start || to >= task.Finish || a.PlannedStart.IsZero() || a.PlannedFinish.IsZero() {
				t.Fatalf("the resource works from %s to %s on a task from %s to %s, and is kept as %v %v", from, to, task.Start, task.Finish, a.PlannedStart, a.PlannedFinish)
			}
			if got, want := exported(), fmt.Sprint(from, " ", to); got != want {
				t.Errorf("it is exported as %s, want %s", got, want)
			}
			p.patch(x.ID, schedules.TaskPatch{PlannedStart: twinplatform.Set(twinplatform.DateTime{Time: x.PlannedStart.AddDate(0, 0, 21)})})
			if got, kept := exported(), fmt.Sprint(from, " ", to); got == kept || !strings.Contains(got, "2026-02-02") {
				t.Errorf("three weeks later it is exported as %s", got)
			}
			y, warned := p.synchronizer("out"), 0
			for _, w := range y.SynchronizationDetails.Warnings {
				if strings.Contains(w.Message, "(ID="+a.ID+") is planned for") {
					warned++
				}
			}
			if warned != 2 {
				t.Errorf("%d warnings: %+v", warned, y.SynchronizationDetails.Warnings)
			}
			again := inMemory(t)
			again.importPlan(p.export(exchange.PlannerExport{Format: exchange.PlannerFormat(format)}), exchange.PlannerImportOptions{})
			if _, a, _ := again.keptOf(); !a.PlannedStart.IsZero() || !a.PlannedFinish.IsZero() {
				t.Errorf("dates of the task are kept as %v and %v", a.PlannedStart, a.PlannedFinish)
			}
		})
	}
}
