package planner

import (
	"encoding/xml"
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
