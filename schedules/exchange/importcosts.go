package exchange

import (
	"cmp"
	"math"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// costly notes which expenses tasks have, and how accounts are called.
func (d *planDiff) costly() {
	d.accounts, d.expenses = make(map[string]string), make(map[string][]*planner.Expense)
	for i := range d.file.Accounts {
		a := &d.file.Accounts[i]
		d.accounts[a.ID], _ = importing.Cut(cmp.Or(a.Code, a.Name, a.ID), schedules.MaxText)
	}
	for i := range d.file.Expenses {
		e := &d.file.Expenses[i]
		d.expenses[e.TaskID] = append(d.expenses[e.TaskID], e)
	}
}

// amounts reads numbers as a schedule keeps them.
type amounts struct {
	d        *planDiff
	what, id string
	outside  bool
}

// of is a number, and 0 for one that a schedule does not keep.
func (a *amounts) of(n float64) float64 {
	if n >= 0 && n <= schedules.MaxAmount {
		return n
	}
	a.outside = true
	return 0
}

// warn reports numbers that were left out.
func (a *amounts) warn() {
	if a.outside {
		a.d.Warn("Warning: The %s (ID=%s) has amounts below 0 or above %d; they were taken as 0.", a.what, a.id,
			int64(schedules.MaxAmount))
	}
}

// expenseContent is what a task costs besides its resources: nothing is nil.
func (d *planDiff) expenseContent(t *planner.Task) importing.Content[*schedules.Task] {
	label := cmp.Or(t.Code, t.ID)
	all, of := d.expenses[t.ID], amounts{d: d, what: "task", id: label}
	if len(all) > schedules.MaxExpenses {
		d.Warn("Warning: Task (ID=%s) has %d expenses; those behind the first %d were ignored.", label, len(all),
			schedules.MaxExpenses)
		all = all[:schedules.MaxExpenses]
	}
	var expenses []schedules.TaskExpense
	for _, e := range all {
		text := func(s string) string { return d.textOf("an expense of task", label, s, schedules.MaxComment) }
		expenses = append(expenses, schedules.TaskExpense{
			Name: d.nameFor("an expense of task", label, cmp.Or(e.Name, e.Description, e.ID),
				schedules.MaxComment),
			Description: text(e.Description), Vendor: text(e.Vendor), CostAccount: d.accounts[e.AccountID],
			PlannedCost: of.of(e.Costs.Planned), ActualCost: of.of(e.Costs.Actual),
			RemainingCost: of.of(e.Costs.Remaining),
		})
	}
	of.warn()
	return filedList(expenses, func(v *schedules.Task, expenses []schedules.TaskExpense) { v.Expenses = expenses })
}

// stepsOf are the steps of a task.
func (d *planDiff) stepsOf(t *planner.Task) (steps []schedules.TaskStep) {
	label := cmp.Or(t.Code, t.ID)
	all, of := t.Steps, amounts{d: d, what: "task", id: label}
	if len(all) > schedules.MaxSteps {
		d.Warn("Warning: Task (ID=%s) has %d steps; those behind the first %d were ignored.", label, len(all),
			schedules.MaxSteps)
		all = all[:schedules.MaxSteps]
	}
	for _, s := range all {
		text := func(s string) string { return d.textOf("a step of task", label, s, schedules.MaxComment) }
		steps = append(steps, schedules.TaskStep{
			Name: d.nameFor("a step of task", label, cmp.Or(s.Name, s.Description, "Step"),
				schedules.MaxComment),
			Description: text(s.Description), Weight: of.of(s.Weight), PercentComplete: min(max(s.Percent, 0), 100),
			IsDone: s.Done,
		})
	}
	of.warn()
	return steps
}

// noteContent is what the file notes of a task: a comment, and the notes where that is not
// complete.
func (d *planDiff) noteContent(t *planner.Task) *filedNotes {
	comment, whole := noted(t.Notes)
	if whole {
		return &filedNotes{Comment: comment}
	}
	label, all := cmp.Or(t.Code, t.ID), t.Notes
	if len(all) > schedules.MaxNotes {
		d.Warn("Warning: Task (ID=%s) has %d notes; those behind the first %d were ignored.", label, len(all),
			schedules.MaxNotes)
		all = all[:schedules.MaxNotes]
	}
	notes := make([]schedules.TaskNote, len(all))
	for i, n := range all {
		notes[i] = schedules.TaskNote{
			Topic: d.textOf("the topic of a note of task", label, n.Topic, schedules.MaxComment),
			Text:  d.textOf("a note of task", label, n.Text, schedules.MaxNote),
		}
	}
	return &filedNotes{comment, notes}
}

// filedNotes is what a file notes of a task: a comment, and the notes where that is not complete.
type filedNotes struct {
	Comment string
	Notes   []schedules.TaskNote
}

// Compared implements importing.Content.
func (c *filedNotes) Compared(*importing.Facts) any {
	if c.Notes == nil {
		return c.Comment
	}
	return []any{c.Comment, c.Notes}
}

// Set implements importing.Content.
func (c *filedNotes) Set(v *schedules.Task) { v.Comment, v.Notes = c.Comment, c.Notes }

// listContent is a list of a file; one without elements is nothing.
type listContent[T, P any] struct {
	all []T
	set func(v P, all []T)
}

// Compared implements importing.Content.
func (c listContent[T, P]) Compared(*importing.Facts) any {
	if c.all == nil {
		return nil
	}
	return c.all
}

// Set implements importing.Content.
func (c listContent[T, P]) Set(v P) { c.set(v, c.all) }

// filedList is a list of a file, which set sets in a record.
func filedList[T, P any](all []T, set func(v P, all []T)) importing.Content[P] {
	return listContent[T, P]{all, set}
}

// rateContent is what a resource costs: nil where its quantity says all of that.
func (d *planDiff) rateContent(r *planner.Resource) importing.Content[*schedules.Resource] {
	label := cmp.Or(r.Code, r.ID)
	all, of := r.Rates, amounts{d: d, what: "resource", id: label}
	if len(all) == 1 && d.onlyQuantity(r, all[0]) {
		all = nil
	}
	if len(all) > schedules.MaxRates {
		d.Warn("Warning: Resource (ID=%s) has %d rates; those behind the first %d were ignored.", label, len(all),
			schedules.MaxRates)
		all = all[:schedules.MaxRates]
	}
	var rates []schedules.ResourceRate
	for _, x := range all {
		rate := schedules.ResourceRate{
			Table: int32(min(max(x.Table, 0), 4)), From: d.at(x.From), Until: d.at(x.To), Price: of.of(x.Price),
			OvertimePrice: of.of(x.Overtime),
			PricePerUse:   of.of(x.PerUse), MaxUnits: of.of(x.MaxUnits),
		}
		if !rate.Until.IsZero() && rate.Until.Before(rate.From.Time) {
			d.Warn("Warning: Resource (ID=%s) has a rate that ends before it begins; its end was ignored.", label)
			rate.Until = d.at(0)
		}
		rates = append(rates, rate)
	}
	of.warn()
	return filedList(rates, func(v *schedules.Resource, rates []schedules.ResourceRate) { v.Rates = rates })
}

// onlyQuantity reports whether a rate says no more than how much there is of a resource from
// the beginning of the plan on.
func (d *planDiff) onlyQuantity(r *planner.Resource, rate planner.Rate) bool {
	begins := rate.From == 0 || len(d.file.Projects) > 0 && rate.From == d.file.Projects[0].Start
	free := rate.Price == 0 && rate.Overtime == 0 && rate.PerUse == 0
	return begins && free && rate.Table == 0 && rate.To == 0 && (rate.MaxUnits == 0 || quantityOf(r) != nil)
}

// costContent is what a resource costs at a task.
func (d *planDiff) costContent(a *planner.Assignment) *filedCosts {
	of := amounts{d: d, what: "resource assignment", id: a.ID}
	c := &filedCosts{of.of(a.Costs.Planned), of.of(a.Costs.Actual), of.of(a.Costs.Remaining), d.accounts[a.AccountID]}
	of.warn()
	return c
}

// filedCosts are what a file has of the costs of an assignment.
type filedCosts struct {
	Planned, Actual, Remaining float64
	Account                    string
}

// Compared implements importing.Content.
func (c *filedCosts) Compared(*importing.Facts) any {
	if *c == (filedCosts{}) {
		return nil
	}
	return []any{c.Planned, c.Actual, c.Remaining, c.Account}
}

// Set implements importing.Content.
func (c *filedCosts) Set(v *schedules.ResourceAssignment) {
	v.PlannedCost, v.ActualCost, v.RemainingCost, v.CostAccount = c.Planned, c.Actual, c.Remaining, c.Account
}

// costsUnheld warns of costs of tasks that neither their resources nor their expenses cause.
func (d *planDiff) costsUnheld() {
	sum := make(map[string]planner.Costs)
	add := func(id string, c planner.Costs) {
		was := sum[id]
		sum[id] = planner.Costs{
			Planned: was.Planned + c.Planned, Actual: was.Actual + c.Actual,
			Remaining: was.Remaining + c.Remaining,
		}
	}
	for i := range d.file.Assignments {
		add(d.file.Assignments[i].TaskID, d.file.Assignments[i].Costs)
	}
	for i := range d.file.Expenses {
		add(d.file.Expenses[i].TaskID, d.file.Expenses[i].Costs)
	}
	for i := range d.file.Tasks {
		t := &d.file.Tasks[i]
		has := sum[t.ID]
		away := math.Abs(t.Costs.Planned-has.Planned) + math.Abs(t.Costs.Actual-has.Actual) +
			math.Abs(t.Costs.Remaining-has.Remaining)
		if t.Kind != cpm.Summary && away >= 0.005 && t.Costs != (planner.Costs{}) {
			d.Warn("Warning: Task (ID=%s) has costs that neither its resources nor its expenses cause (Costs); they "+
				"were ignored.", cmp.Or(t.Code, t.ID))
		}
	}
}
