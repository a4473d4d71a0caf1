package planner

import (
	"cmp"
)

// writeBaseline writes a baseline as the project that it is in P6.
func (x *p6xmlWriter) writeBaseline(b *Baseline) {
	start, project := b.DataDate, x.projects.of(x.baselineID(b, b.ID))
	for i := range b.Tasks {
		// The project begins at the data date of the baseline, or with its first task if that
		// is earlier.
		if at := b.Tasks[i].Start; at != 0 && (start == 0 || at < start) {
			start = at
		}
	}
	x.object("BaselineProject", "baseline", b.ID, values{
		"ObjectId": project, "Id": cmp.Or(b.Code, b.Name), "Name": b.Name,
		"OriginalProjectObjectId": x.projects.of(b.ProjectID),
		"PlannedStartDate":        instant(start), "DataDate": instant(b.DataDate), "Status": x.state(b.ID, start),
	}, func() {
		x.print("\n")
		for i := range b.Tasks {
			x.writeBaselineTask(b, &b.Tasks[i], project)
		}
		for i := range b.Links {
			l := &b.Links[i]
			x.object("Relationship", "baseline", l.ID, x.relationship(
				x.links.of(x.baselineID(b, l.ID)), x.tasks.of(x.baselineID(b, l.PredecessorID)),
				x.tasks.of(x.baselineID(b, l.SuccessorID)), l.Type, l.Lag,
			), nil)
		}
		for i := range b.Tasks {
			if t := &b.Tasks[i]; t.Cost != 0 {
				x.writeCost(t.ID, x.tasks.of(x.baselineID(b, t.ID)), "Baseline", Costs{Planned: t.Cost})
			}
		}
	})
}

// writeBaselineTask writes a task of a baseline. All its work counts as labour, unless the
// file that it is from states how much of it is not.
func (x *p6xmlWriter) writeBaselineTask(b *Baseline, t *BaselineTask, project string) {
	v := values{
		"ObjectId": x.tasks.of(x.baselineID(b, t.ID)), "ProjectObjectId": project, "Id": t.Code, "Name": t.Name,
		"GUID": t.ExternalID, "Status": "Not Started", "Type": "Task Dependent", "PlannedDuration": x.hours(t.Duration),
		"RemainingDuration": x.hours(t.Duration), "StartDate": instant(t.Start), "FinishDate": instant(t.Finish),
		"PlannedStartDate": instant(t.Start), "PlannedFinishDate": instant(t.Finish),
	}
	if t.TotalFloat != nil {
		v["TotalFloat"] = x.hours(*t.TotalFloat)
	}
	labor, _, _ := new(notation).parse(x.leftOf("Activity", t.ID, "PlannedLaborUnits"))
	other, _, _ := new(notation).parse(x.leftOf("Activity", t.ID, "PlannedNonLaborUnits"))
	// What is left of the file counts only as long as its sum is still the work of the
	// task.
	if work := labor + other; work != t.Work {
		v["PlannedLaborUnits"], v["PlannedNonLaborUnits"] = amount(t.Work), ""
	}
	x.object("Activity", "baseline", t.ID, v, nil)
}
