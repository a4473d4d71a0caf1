package planner

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// mspdiResourceNumbers are the numbers of the types of resources in the schema: 0 is
// material, 1 work and 2 cost. There is no equipment, which counts as work.
var mspdiResourceNumbers = map[ResourceType]string{Material: "0", Human: "1", Equipment: "1", Cost: "2"}

// writeResource writes a resource with what was kept of it.
func (x *mspdiWriter) writeResource(r *Resource) {
	v := values{
		"UID": x.resources.of(r.ID), "GUID": r.ExternalID, "Name": x.resourceNames[r.ID],
		"Type":          cmp.Or(mspdiResourceNumbers[r.Type], "1"),
		"IsNull":        "0",
		"MaterialLabel": r.Unit, "EmailAddress": r.Email, "CalendarUID": x.calendars.of(r.CalendarID),
		"Notes": x.notes("resource", r.ID, r.Notes),
	}
	id := v["UID"]
	if left := x.left["Resource"]; left != nil && x.Format == MSPDI {
		if at := slices.Index(left.fields, "ID"); at >= 0 {
			id = left.of(r.ID)[at]
		}
	} else {
		v["ID"] = id
	}
	if r.Code != id {
		v["Code"] = r.Code
	}
	rates := 0
	if len(r.Rates) > 0 {
		// The members of a resource hold one rate of table A for all time. More rates, or
		// one with a beginning, an end or another table, need the list of rates too.
		first := r.Rates[0]
		v["MaxUnits"], v["StandardRate"] = decimal(first.MaxUnits), decimal(first.Price)
		v["OvertimeRate"], v["CostPerUse"] = decimal(first.Overtime), cents(first.PerUse)
		if len(r.Rates) > 1 || first.Table != 0 || first.From != 0 || first.To != 0 {
			rates = len(r.Rates)
		}
	}
	for _, l := range []struct {
		lost bool
		text string
	}{
		{r.Type == Equipment, "It is work: Microsoft Project has no equipment."},
		{r.ParentID != "", "What it is below is left out."},
		{
			slices.ContainsFunc(r.Rates, func(one Rate) bool { return one.MaxUnits != r.Rates[0].MaxUnits }),
			"How much there is of it does not change.",
		},
	} {
		if l.lost {
			x.lose("resource", r.ID, l.text)
		}
	}
	x.members("Resource", r.ID, resourceOrder, v, map[string]func(){
		"ExtendedAttribute": func() { x.writeValues("resource", r.ID, r.Values) },
		"OutlineCode":       func() { x.writeCoded("resource", r.ID, r.CodeValueIDs) },
		"Rates":             func() { x.list("Rates", rates, func() { x.writeRates(r) }) },
	})
}

// writeRates writes all rates of a resource where they are more than its own members say.
func (x *mspdiWriter) writeRates(r *Resource) {
	for _, one := range r.Rates {
		// A rate without a beginning or an end has the earliest or the latest date that the
		// tool writes.
		from, to := firstDay, lastDay
		if one.From != 0 {
			from = one.From.String()
		}
		if one.To != 0 {
			to = one.To.String()
		}
		x.print("<Rate>")
		x.element("RatesFrom", from)
		x.element("RatesTo", to)
		x.element("RateTable", strconv.Itoa(one.Table))
		x.element("StandardRate", decimal(one.Price))
		x.element("OvertimeRate", decimal(one.Overtime))
		x.element("CostPerUse", cmp.Or(cents(one.PerUse), "0"))
		x.print("</Rate>")
	}
}

// writeAssignment writes an assignment; hours of units become spans of time.
func (x *mspdiWriter) writeAssignment(a *Assignment) {
	if a.AccountID != "" {
		x.lose("assignment", a.ID, "Its account is left out.")
	}
	phased := func() {
		if x.works(a) {
			x.writePhases(&x.Tasks[x.taskOf[a.TaskID]], x.assignments.of(a.ID), a.Units*worktime.Hour)
		}
	}
	x.members("Assignment", a.ID, assignmentOrder, values{
		"UID": x.assignments.of(a.ID), "GUID": a.ExternalID, "TaskUID": x.tasks.of(a.TaskID),
		"ResourceUID": x.resources.of(a.ResourceID),
		"Work":        x.period("assignment", a.ID, a.Units), "ActualWork": x.period("assignment", a.ID, a.ActualUnits),
		"RemainingWork": x.period("assignment", a.ID, a.RemainingUnits), "Units": decimal(a.UnitsPerTime),
		"Delay": x.tenths("assignment", a.ID, a.Delay),
		"Cost":  cents(a.Costs.Planned), "ActualCost": cents(a.Costs.Actual), "RemainingCost": cents(a.Costs.Remaining),
		"Start":  instant(a.Start),
		"Finish": instant(a.Finish), "ActualStart": instant(a.ActualStart), "ActualFinish": instant(a.ActualFinish),
	}, map[string]func(){"TimephasedData": phased})
}
