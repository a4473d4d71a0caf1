package planner

import (
	"encoding/xml"
)

// p6Resources are the types of resources by their words.
var p6Resources = map[string]ResourceType{"Labor": Human, "Nonlabor": Equipment, "Material": Material}

// resource reads a resource of the pool, which all projects share.
func (x *p6xml) resource(xml.StartElement) error {
	m, codes, values, err := x.item(ofResource, nil)
	r := Resource{
		ID: m.take("ObjectId"), ExternalID: m.take("GUID"), Code: m.take("Id"), Name: m.take("Name"),
		Type:       p6Resources[m.take("ResourceType")],
		CalendarID: m.take("CalendarObjectId"), ParentID: m.take("ParentObjectId"), Email: m.take("EmailAddress"),
		CodeValueIDs: codes, Values: values,
		Unit: m.take("UnitOfMeasureObjectId"), // by its id, until all are known
	}
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
	var f fields
	rate, resource := Rate{}, m["ResourceObjectId"]
	f.time(&rate.From, m["EffectiveDate"])
	f.number(&rate.MaxUnits, m["MaxUnitsPerTime"])
	x.rates[resource] = append(
		x.rates[resource], f.prices(rate, func(name string) string { return m[name] }, "PricePerUnit")...,
	)
	return f.of("rate of resource", resource)
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
	var f fields
	f.number(&a.Units, m.take("PlannedUnits"))
	f.number(&a.ActualUnits, m.take("ActualUnits"))
	f.number(&a.RemainingUnits, m.take("RemainingUnits"))
	f.number(&a.UnitsPerTime, m.take("PlannedUnitsPerTime"))
	f.hours(&a.Delay, m.take("PlannedLag"))
	f.costs(&a.Costs, m)
	f.time(&a.Start, m.take("StartDate"))
	f.time(&a.Finish, m.take("FinishDate"))
	f.time(&a.ActualStart, m.take("ActualStartDate"))
	f.time(&a.ActualFinish, m.take("ActualFinishDate"))
	x.keep("ResourceAssignment", "ObjectId", a.ID, m)
	x.Assignments = appended(x.Assignments, a)
	return f.of("assignment", a.ID)
}

// costs reads the three amounts that activities, assignments and expenses have by the same
// names.
func (f *fields) costs(c *Costs, m members) {
	f.number(&c.Planned, m.take("PlannedCost"))
	f.number(&c.Actual, m.take("ActualCost"))
	f.number(&c.Remaining, m.take("RemainingCost"))
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
	var f fields
	f.costs(&e.Costs, m)
	x.keep("ActivityExpense", "ObjectId", e.ID, m)
	x.Expenses = append(x.Expenses, e)
	return f.of("expense", e.ID)
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
