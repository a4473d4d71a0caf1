package exchange

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// account is the number of the cost account of a name; empty for none.
func (e *planExport) account(name string) string {
	if name == "" {
		return ""
	}
	if id := e.accounts[name]; id != "" {
		return id
	}
	id := e.coded.of("account\x00" + name)
	e.accounts[name] = id
	e.Accounts = append(e.Accounts, planner.Account{ID: id, Code: name, Name: name})
	return id
}

// addAccounts adds the values of a code for costs as cost accounts.
func (e *planExport) addAccounts(values []*codes.CodeValue) {
	for _, v := range importing.ParentsFirst(values,
		func(v **codes.CodeValue) (string, string) { return (*v).ID, string((*v).ParentID) }) {
		id := e.coded.of(v.ID)
		e.Accounts = append(e.Accounts,
			planner.Account{
				ID: id, ParentID: e.coded.of(string(v.ParentID)), Code: v.Name,
				Name: cmp.Or(v.Description, v.Name),
			})
		if e.accounts[v.Name] == "" {
			e.accounts[v.Name] = id
		}
	}
}

// addExpenses adds what a task costs besides its resources, and its steps.
func (e *planExport) addExpenses(t *schedules.Task, out *planner.Task) {
	for i, x := range t.Expenses {
		one := planner.Expense{
			ID: e.expense.of(t.ID + "\x00" + strconv.Itoa(i)), TaskID: out.ID, AccountID: e.account(x.CostAccount),
			Name: x.Name, Description: x.Description,
			Vendor: x.Vendor, Costs: planner.Costs{
				Planned: x.PlannedCost, Actual: x.ActualCost,
				Remaining: x.RemainingCost,
			},
		}
		e.Expenses = append(e.Expenses, one)
	}
	for _, s := range t.Steps {
		out.Steps = append(out.Steps, planner.Step{
			Name: s.Name, Description: s.Description, Weight: s.Weight,
			Percent: s.PercentComplete, Done: s.IsDone,
		})
	}
	out.Priority, out.Splits = t.Priority, core.Pauses(t)
}

// rates are what a resource costs, with its quantity in the first of the standard ones.
func (e *planExport) rates(r *schedules.Resource) (rates []planner.Rate) {
	local := e.network.Calendars.Local
	for _, x := range r.Rates {
		rates = append(rates, planner.Rate{
			Table: int(x.Table), From: local(x.From), To: local(x.Until), Price: x.Price, Overtime: x.OvertimePrice,
			PerUse: x.PricePerUse, MaxUnits: x.MaxUnits,
		})
	}
	if r.Quantity == nil || r.Type == schedules.MaterialResource { // of a material a file has how fast it comes
		return rates
	}
	first := slices.IndexFunc(rates, func(x planner.Rate) bool { return x.Table == 0 })
	if first < 0 {
		quantity := planner.Rate{MaxUnits: *r.Quantity}
		if e.Format != planner.MSPDI { // whose rates begin some time
			quantity.From = e.Projects[0].Start
		}
		return append([]planner.Rate{quantity}, rates...)
	}
	if rates[first].MaxUnits != *r.Quantity {
		rates[first].MaxUnits = *r.Quantity
	}
	return rates
}

// sumUp gives tasks what their resources and expenses cost, and in Microsoft Project those
// above others what these cost, too.
func (e *planExport) sumUp() {
	costs := make(map[string]planner.Costs)
	add := func(id string, c planner.Costs) {
		was := costs[id]
		costs[id] = planner.Costs{
			Planned: was.Planned + c.Planned, Actual: was.Actual + c.Actual,
			Remaining: was.Remaining + c.Remaining,
		}
	}
	for i := range e.Assignments {
		add(e.Assignments[i].TaskID, e.Assignments[i].Costs)
	}
	for i := range e.Expenses {
		add(e.Expenses[i].TaskID, e.Expenses[i].Costs)
	}
	for i := len(e.Tasks) - 1; i >= 0; i-- { // each behind what it is below
		t := &e.Tasks[i]
		if t.Costs = costs[t.ID]; t.ParentID != "" && e.Format == planner.MSPDI {
			add(t.ParentID, t.Costs)
		}
		if t.Kind == cpm.Summary && e.Format != planner.MSPDI {
			t.Costs = planner.Costs{}
		}
	}
}
