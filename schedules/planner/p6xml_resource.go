package planner

import (
	"cmp"
	"encoding/xml"
	"maps"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// resource reads a resource of the pool, which all projects share.
func (x *p6xml) resource(xml.StartElement) error {
	m, codes, values, err := x.item(ofResource, nil)
	r := Resource{
		ID: m.take("ObjectId"), ExternalID: m.take("GUID"), Code: m.take("Id"), Name: m.take("Name"),
		CalendarID: m.take("CalendarObjectId"), ParentID: m.take("ParentObjectId"), Email: m.take("EmailAddress"),
		CodeValueIDs: codes, Values: values,
		Unit: m.take("UnitOfMeasureObjectId"), // by its id, until all are known
	}
	f := x.fields("resource", r.ID, m)
	r.Type = resourceTypes.of(&f, "ResourceType")
	if n, ok := x.Plan.note("resource "+r.ID, "", m.take("ResourceNotes")); ok {
		r.Notes = []Note{n}
	}
	x.keep("Resource", "ObjectId", r.ID, m)
	x.Resources = append(x.Resources, r)
	return err
}

// rate reads what a resource costs from a day on. P6 has five prices at each day, which are
// five tables of rates here.
func (x *p6xml) rate(xml.StartElement) error {
	m, err := x.members(nil)
	if err != nil {
		return err
	}
	rate, resource := Rate{}, m["ResourceObjectId"]
	f := x.fields("rate of resource", resource, m)
	f.time(&rate.From, "EffectiveDate")
	f.number(&rate.MaxUnits, "MaxUnitsPerTime")
	x.rates[resource] = append(x.rates[resource], f.prices(rate, "PricePerUnit")...)
	return nil
}

// assignment reads the work of a resource on an activity. Roles, which say who could work
// on it, are left out.
func (x *p6xml) assignment(xml.StartElement) error {
	m, codes, values, err := x.item("", nil)
	if err != nil {
		return err
	}
	a := Assignment{
		ID: m.take("ObjectId"), TaskID: m.take("ActivityObjectId"), ResourceID: m.take("ResourceObjectId"),
		ExternalID: m.take("GUID"),
		AccountID:  m.take("CostAccountObjectId"),
	}
	if a.ResourceID == "" {
		x.warn("assignment "+a.ID, "It is left out: it is of a role, and of no resource.")
		return nil
	}
	if len(codes)+len(values) > 0 {
		x.warn("assignment "+a.ID, "Its codes and its values of user fields are left out.")
	}
	f := x.fields("assignment", a.ID, m)
	f.number(&a.Units, "PlannedUnits")
	f.number(&a.ActualUnits, "ActualUnits")
	f.number(&a.RemainingUnits, "RemainingUnits")
	f.number(&a.UnitsPerTime, "PlannedUnitsPerTime")
	f.hours(&a.Delay, "PlannedLag")
	f.costs(&a.Costs)
	f.time(&a.Start, "StartDate")
	f.time(&a.Finish, "FinishDate")
	f.time(&a.ActualStart, "ActualStartDate")
	f.time(&a.ActualFinish, "ActualFinishDate")
	x.keep("ResourceAssignment", "ObjectId", a.ID, m)
	x.Assignments = appended(x.Assignments, a)
	return nil
}

// costs reads the three amounts that activities, assignments and expenses have by the same
// names.
func (f *fields) costs(c *Costs) {
	f.number(&c.Planned, "PlannedCost")
	f.number(&c.Actual, "ActualCost")
	f.number(&c.Remaining, "RemainingCost")
}

// expense reads a cost that no resource causes.
func (x *p6xml) expense(xml.StartElement) error {
	m, err := x.members(nil)
	if err != nil {
		return err
	}
	e := Expense{
		ID: m.take("ObjectId"), TaskID: m.take("ActivityObjectId"), AccountID: m.take("CostAccountObjectId"),
		Name:        m.take("ExpenseItem"),
		Description: plain(m.take("ExpenseDescription")), Vendor: m.take("Vendor"),
	}
	f := x.fields("expense", e.ID, m)
	f.costs(&e.Costs)
	x.keep("ActivityExpense", "ObjectId", e.ID, m)
	x.Expenses = append(x.Expenses, e)
	return nil
}

// account reads a cost account of the tree that all projects share.
func (x *p6xml) account(xml.StartElement) error {
	m, err := x.members(nil)
	x.Accounts = append(x.Accounts, Account{
		ID: m["ObjectId"], ParentID: m["ParentObjectId"], Code: m["Id"], Name: m["Name"],
		Description: plain(m["Description"]),
	})
	return err
}

// writeCurrencies writes the currencies that the plan has kept, or the one that it has.
func (x *p6xmlWriter) writeCurrencies() {
	if left := x.left["Currency"]; left != nil && x.same() {
		for _, id := range slices.Sorted(maps.Keys(left.rows)) {
			x.object("Currency", "currency", id, values{"ObjectId": id}, nil)
		}
		return
	}
	decimal, group := "Period", "Comma"
	if x.money.comma {
		decimal, group = group, decimal
	}
	x.object("Currency", "currency", "", values{
		"ObjectId": x.money.id, "Id": x.money.code, "Name": x.money.name, "Symbol": x.money.symbol,
		"DecimalPlaces": x.money.decimals,
		"DecimalSymbol": decimal, "DigitGroupingSymbol": group, "ExchangeRate": "1", "IsBaseCurrency": bit(true),
		"PositiveSymbol": "#1.1", "NegativeSymbol": "(#1.1)",
	}, nil)
}

// writeResource writes a resource. Its notes are one text in P6.
func (x *p6xmlWriter) writeResource(r *Resource) {
	if r.Type == Cost {
		x.lose("resource", r.ID, "It is material: P6 has no resources that are costs.")
	}
	var notes []string
	for _, n := range r.Notes {
		notes = append(notes, n.Text)
	}
	x.object("Resource", "resource", r.ID, values{
		"ObjectId": x.resources.of(r.ID), "ParentObjectId": x.resources.of(r.ParentID), "GUID": r.ExternalID,
		"Id":   r.Code,
		"Name": r.Name, "CalendarObjectId": x.calendars.of(r.CalendarID), "EmailAddress": r.Email,
		"ResourceType":          cmp.Or(p6ResourceNames[r.Type], map[ResourceType]string{Cost: "Material"}[r.Type]),
		"UnitOfMeasureObjectId": x.units[r.Unit], "ResourceNotes": marked(strings.Join(notes, "\n\n")),
		"CurrencyObjectId": cmp.Or(x.leftOf("Resource", r.ID, "CurrencyObjectId"), x.money.id),
	}, func() {
		x.writeCoded(r.CodeValueIDs)
		x.writeValues("resource", r.ID, false, r.Values)
	})
}

// writeRates writes what a resource costs. Rates of one day in several tables are one row of
// several prices.
func (x *p6xmlWriter) writeRates(r *Resource) {
	rows, order := make(map[worktime.Time]values), []worktime.Time(nil)
	for _, rate := range r.Rates {
		v := rows[rate.From]
		if v == nil {
			v = values{
				"ObjectId": x.nextOf("ResourceRate"), "ResourceObjectId": x.resources.of(r.ID),
				"EffectiveDate": instant(rate.From), "MaxUnitsPerTime": decimal(rate.MaxUnits),
			}
			rows[rate.From], order = v, append(order, rate.From)
		}
		if rate.Overtime != 0 || rate.PerUse != 0 || rate.To != 0 {
			x.lose("resource", r.ID, "What it costs overtime and for each use, and until when, is left out.")
		}
		v[[]string{
			// The five rate tables of a resource are the five prices of P6.
			"PricePerUnit", "PricePerUnit2", "PricePerUnit3", "PricePerUnit4", "PricePerUnit5",
		}[min(max(rate.Table, 0), 4)]] = decimal(rate.Price)
	}
	for _, from := range order {
		x.object("ResourceRate", "rate", r.ID, rows[from], nil)
	}
}

// writeAssignment writes an assignment.
func (x *p6xmlWriter) writeAssignment(a *Assignment) {
	task := x.tasks.of(a.TaskID)
	if task == "" {
		x.lose("assignment", a.ID, "It is left out: a node of the WBS has no assignments.")
		return
	}
	v := values{
		"ObjectId": x.assignments.of(a.ID), "ActivityObjectId": task, "ResourceObjectId": x.resources.of(a.ResourceID),
		"GUID": a.ExternalID, "CostAccountObjectId": x.accounts.of(a.AccountID), "PlannedUnits": amount(a.Units),
		"ActualUnits": amount(a.ActualUnits), "RemainingUnits": amount(a.RemainingUnits),
		"PlannedUnitsPerTime": amount(a.UnitsPerTime), "PlannedLag": x.hours(a.Delay), "StartDate": instant(a.Start),
		"FinishDate": instant(a.Finish), "ActualStartDate": instant(a.ActualStart),
		"ActualFinishDate": instant(a.ActualFinish),
	}
	v.costs(a.Costs)
	x.object("ResourceAssignment", "assignment", a.ID, v, nil)
}

// writeExpense writes an expense.
func (x *p6xmlWriter) writeExpense(e *Expense) {
	task := x.tasks.of(e.TaskID)
	if task == "" {
		x.lose("expense", e.ID, "It is left out: a node of the WBS has none.")
		return
	}
	v := values{
		"ObjectId": x.expenses.of(e.ID), "ActivityObjectId": task, "CostAccountObjectId": x.accounts.of(e.AccountID),
		"ExpenseItem": e.Name, "ExpenseDescription": marked(e.Description), "Vendor": e.Vendor,
	}
	v.costs(e.Costs)
	x.object("ActivityExpense", "expense", e.ID, v, nil)
}

// writeCost writes an expense for costs of an activity for which P6 has no other place.
func (x *p6xmlWriter) writeCost(id, activity, name string, c Costs) {
	v := values{"ObjectId": x.expenses.next(), "ActivityObjectId": activity, "ExpenseItem": name}
	v.costs(c)
	x.object("ActivityExpense", "expense", "\x00"+id, v, nil)
}
