package exchange

import (
	"cmp"
	"fmt"
	"math"
	"net/mail"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// resourceTypesOf are the types of resources by those of planners.
var resourceTypesOf = map[planner.ResourceType]schedules.ResourceType{
	planner.Human: schedules.HumanResource, planner.Equipment: schedules.EquipmentResource,
	planner.Material: schedules.MaterialResource,
}

func (d *planDiff) compareResources() error {
	m := &d.w.Modes
	d.resourceIDs = make(map[string]string)
	resources := importing.ParentsFirst(d.file.Resources,
		func(r *planner.Resource) (string, string) { return r.ID, r.ParentID })
	taken, err := takenIDs(d, core.Resources, "resources",
		func(r *schedules.Resource) string { return string(r.UserDefinedID) })
	if err != nil {
		return err
	}
	keys, aliases := make(importing.Names), make(importing.Names)
	entries, depths := make([]importing.Entry[schedules.Resource], len(resources)), make(map[string]int)
	for i, r := range resources {
		above := r.ParentID
		if depths[above] >= schedules.MaxDepth {
			d.Warn("Warning: Resource (ID=%s) lies more than %d deep; it was put higher.", r.Code, schedules.MaxDepth)
			above = ""
		}
		depths[r.ID] = depths[above] + 1
		named := "c:" + cmp.Or(r.Code, r.Name, r.ID)
		entries[i] = importing.Entry[schedules.Resource]{
			Key: keys.Name(cmp.Or(importing.External(r.ExternalID), named)), Alias: aliases.Name(named),
			Parts: []importing.Part[schedules.Resource]{
				{Mode: m.Resources, Read: func() importing.Content[*schedules.Resource] {
					return d.resourceContent(&r, above,
						taken)
				}},
				{Mode: m.Notebooks, Read: func() importing.Content[*schedules.Resource] {
					text := d.text("the notes of a resource", importing.NotesOf(r.Notes), schedules.MaxText)
					return importing.Value(text, func(v *schedules.Resource, text string) { v.Description = text })
				}},
				{Mode: m.Costs, Read: func() importing.Content[*schedules.Resource] { return d.rateContent(&r) }},
			},
		}
	}
	o := &importing.Kind[schedules.Resource]{
		Name: "resources", Records: core.Resources.Table(), Mode: m.Resources, Counts: d.counting("resources",
			func(c *synchronizers.SynchronizationCounts) **int { return &c.Resources }),
		Fresh: func(id string) *schedules.Resource {
			r := core.BlankResource(id)
			r.Type = schedules.UnknownResourceType
			return r
		},
		Parent:  core.ParentOfResource,
		Protect: d.resourceStays,
	}
	_, err = importing.CompareInOrder(d.Diff, o, entries,
		func(i int, id string) { d.resourceIDs[resources[i].ID] = id })
	return err
}

// resourceStays reports why a resource stays that the file does not have: what was made
// here needs it.
func (d *planDiff) resourceStays(r *schedules.Resource) string {
	if d.w.Modes.ResourceAssignments == importing.Synchronize {
		return ""
	}
	ours := make(map[string]bool)
	for _, item := range d.ItemsOf(assignmentsKind).All {
		ours[item.RecordID] = true
	}
	for id := range core.Assignments.IDs(d.Tx, d.Scope, core.AssignedResource, r.ID) {
		if !ours[id] || d.w.Modes.ResourceAssignments != importing.Integrate {
			return fmt.Sprintf("Warning: Resource '%s' is no longer in the file, and stays since a task uses it.",
				r.Name)
		}
	}
	if animation.ShowsResource(d.Tx, d.Scope, r.ID) {
		return fmt.Sprintf("Warning: Resource '%s' is no longer in the file, and stays since an animation shows it.",
			r.Name)
	}
	for child := range core.Resources.IDs(d.Tx, d.Scope, "parent", r.ID) {
		if !d.imported("resources", child) {
			return fmt.Sprintf("Warning: Resource '%s' is no longer in the file, and stays since one made here lies "+
				"below it.", r.Name)
		}
	}
	return ""
}

// imported reports whether a record came from a file.
func (d *planDiff) imported(kind, recordID string) bool {
	return slices.ContainsFunc(d.ItemsOf(kind).All, func(i *importing.Item) bool { return i.RecordID == recordID })
}

// resourceContent is what the file has of a resource but its notes.
func (d *planDiff) resourceContent(r *planner.Resource, above string, taken map[string]bool) *filedResource {
	name, typ := d.nameFor("a resource", cmp.Or(r.Code, r.ID), cmp.Or(r.Name, r.Code, r.ID), schedules.MaxText),
		cmp.Or(resourceTypesOf[r.Type], schedules.UnknownResourceType)
	parent, calendar, code := d.resourceIDs[above], d.calendarIDs[r.CalendarID],
		d.text("a resource", r.Code, schedules.MaxText)
	if taken[code] {
		d.Warn("Warning: Resource (ID=%s) has an id that another resource of the schedule has; it has none here.", code)
		code = ""
	}
	email := ""
	if typ == schedules.HumanResource && r.Email != "" {
		if _, err := mail.ParseAddress(r.Email); err == nil && len(r.Email) <= schedules.MaxEmail {
			email = r.Email
		}
	}
	unit, unitName := units.Unknown, ""
	switch {
	case typ == schedules.MaterialResource:
		unit, unitName = d.unitOf(r)
	case r.Unit != "":
		d.Warn("Warning: Resource (ID=%s) is no material, and not counted in '%s' here.", cmp.Or(r.Code, r.ID), r.Unit)
	}
	known, _ := importing.Cut(strings.ToValidUTF8(r.ExternalID, ""), schedules.MaxText)
	return &filedResource{
		Name: name, Type: typ, Parent: parent, Calendar: calendar, Code: code, Email: email, Unit: unit,
		Quantity: quantityOf(r), UnitName: unitName, ExternalID: known,
	}
}

// filedResource is what a file has of a resource but its notes and rates.
type filedResource struct {
	Name                          string
	Type                          schedules.ResourceType
	Parent, Calendar, Code, Email string
	Unit                          units.ResourceUnitType
	Quantity                      *float64
	UnitName, ExternalID          string
}

// Compared implements importing.Content.
func (c *filedResource) Compared(*importing.Facts) any {
	content := []string{c.Name, string(c.Type), c.Parent, c.Calendar, c.Code, c.Email, string(c.Unit)}
	if c.Quantity != nil {
		content = append(content, fmt.Sprint(*c.Quantity))
	}
	if c.UnitName != "" { // as in filedProgress
		content = append(content, "counted in", c.UnitName)
	}
	if c.ExternalID != "" {
		content = append(content, "known as", c.ExternalID)
	}
	return content
}

// Set implements importing.Content.
func (c *filedResource) Set(v *schedules.Resource) {
	v.ExternalID = twinplatform.NullString(c.ExternalID)
	v.Name, v.Type, v.ParentID, v.UserDefinedID = c.Name, c.Type, twinplatform.NullString(c.Parent),
		twinplatform.NullString(c.Code)
	v.CalendarID, v.Email, v.UnitType, v.UnitName = twinplatform.NullString(c.Calendar), c.Email, c.Unit, c.UnitName
	v.Renewable, v.WholeUnits = c.Type != schedules.MaterialResource, false // hours are divided
	if v.Renewable {
		v.Quantity = c.Quantity
	}
}

// quantityOf is how many there are of what is no material, by the earliest of its standard
// rates; nil where the file has none. Of a material a file has at most how fast it comes.
func quantityOf(r *planner.Resource) *float64 {
	i := slices.IndexFunc(r.Rates, func(rate planner.Rate) bool { return rate.Table == 0 })
	if r.Type == planner.Material || i < 0 || r.Rates[i].MaxUnits <= 0 {
		return nil
	}
	return new(r.Rates[i].MaxUnits)
}

// unitOf is the unit of a material, with what the file calls it where that is something else.
func (d *planDiff) unitOf(r *planner.Resource) (unit units.ResourceUnitType, name string) {
	unit, name = unitCalled(r.Unit), d.nameFor("the unit of a resource", cmp.Or(r.Code, r.ID), r.Unit,
		schedules.MaxText)
	if name == string(unit) && unit != units.Unknown {
		name = ""
	}
	return unit, name
}

// unitCalled is the unit that planners call by a name, Unknown for one that is none of a schedule.
func unitCalled(name string) units.ResourceUnitType {
	for _, u := range units.All() {
		if strings.EqualFold(string(u), strings.ReplaceAll(name, " ", "")) {
			return u
		}
	}
	for short, u := range map[string]units.ResourceUnitType{
		"m3": units.CubicMeter, "m2": units.SqMeter,
		"m": units.Meter, "kg": units.Kilo, "t": units.MetricTon, "h": units.Hour, "ea": units.Each,
		"lm": units.LinearMeter, "cy": units.CubicYard, "cf": units.CubicFeet, "sf": units.SqFoot, "ft": units.Feet,
	} {
		if strings.EqualFold(name, short) {
			return u
		}
	}
	return units.Unknown
}

// takenIDs are the user-defined ids of records that were made here.
func takenIDs(d *planDiff, c *records.Collection[schedules.Resource], kind string,
	of func(*schedules.Resource) string) (map[string]bool,
	error,
) {
	taken := make(map[string]bool)
	if d.w.Modes.Resources == importing.Synchronize {
		return taken, nil
	}
	known := make(map[string]bool)
	for _, item := range d.ItemsOf(kind).All {
		known[item.RecordID] = true
	}
	for v, err := range c.From(d.Tx, d.Scope, "") {
		if err != nil {
			return nil, err
		}
		if id := of(v); id != "" && !known[c.ID(v)] {
			taken[id] = true
		}
	}
	return taken, nil
}

func (d *planDiff) compareAssignments() error {
	mode := d.w.Modes.ResourceAssignments
	keys, aliases := make(importing.Names, len(d.file.Assignments)), make(importing.Names, len(d.file.Assignments))
	entries, left := make([]importing.Entry[schedules.ResourceAssignment], len(d.file.Assignments)), 0
	for i := range d.file.Assignments {
		a := &d.file.Assignments[i]
		task := d.task(a.TaskID)
		named := ""
		if task.recordID != "" && d.resourceIDs[a.ResourceID] != "" {
			named = assignmentName(task.recordID, d.resourceIDs[a.ResourceID])
		}
		entries[i] = importing.Entry[schedules.ResourceAssignment]{
			Key: keys.Name(cmp.Or(importing.External(a.ExternalID), named, "i:"+a.ID)), Alias: aliases.Name(named),
			Fits: func() (bool, error) {
				fits := task.recordID != "" && d.resourceIDs[a.ResourceID] != ""
				if !fits {
					left++
				}
				return fits, nil
			},
			Parts: []importing.Part[schedules.ResourceAssignment]{{
				Mode: mode,
				Read: func() importing.Content[*schedules.ResourceAssignment] { return d.assignmentContent(a, task) },
			}, {
				Mode: d.w.Modes.Costs,
				Read: func() importing.Content[*schedules.ResourceAssignment] { return d.costContent(a) },
			}},
		}
	}
	_, err := importing.Compare(d.Diff, &importing.Kind[schedules.ResourceAssignment]{
		Name: assignmentsKind, Records: core.Assignments.Table(), Mode: mode,
		Counts: d.counting("resourceAssignments",
			func(c *synchronizers.SynchronizationCounts) **int { return &c.ResourceAssignments }),
		Fresh: func(id string) *schedules.ResourceAssignment {
			a := core.BlankAssignment(id)
			a.AppearanceProfileID = model.UnchangedAppearance
			return a
		},
		Named: func(v *schedules.ResourceAssignment) (key, alias string) {
			named := assignmentName(v.TaskID, v.ResourceID)
			return named, named
		},
	}, entries)
	if left > 0 && mode != importing.Skip {
		d.Warn("Warning: %d resource assignments were ignored, since the schedule has not both the task and the "+
			"resource.", left)
	}
	return err
}

// assignmentName is by what an assignment is known whose planner gave it another id.
func assignmentName(taskID, resourceID string) string { return "p:" + taskID + "/" + resourceID }

func (d *planDiff) assignmentContent(a *planner.Assignment, of *filedTask) *filedAssignment {
	task, resource := of.recordID, d.resourceIDs[a.ResourceID]
	amount := func(n float64) float64 {
		if n < 0 || math.IsNaN(n) || math.IsInf(n, 0) {
			return 0
		}
		return n
	}
	count := amount(a.UnitsPerTime)
	known, _ := importing.Cut(strings.ToValidUTF8(a.ExternalID, ""), schedules.MaxText)
	c := &filedAssignment{
		Task: task, Resource: resource, externalID: known,
		Planned: schedules.Utilization{
			ResourceUnits: amount(a.Units), ResourceCount: count,
			PercentOfOneResourceUnitPerDay: 100 * count,
		},
		Actual: schedules.ActualUtilization{ResourceUnits: amount(a.ActualUnits)},
		Delay:  int32(min(max(a.Delay, math.MinInt32), math.MaxInt32)), ActualStart: d.at(a.ActualStart),
		ActualFinish: d.at(a.ActualFinish),
		From:         d.ownDate(a.Start, a.ActualStart, of.start), To: d.ownDate(a.Finish, a.ActualFinish, of.finish),
	}
	c.Remaining = c.Planned
	c.Remaining.ResourceUnits = amount(a.RemainingUnits)
	return c
}

// filedAssignment is what a file has of an assignment but its costs.
type filedAssignment struct {
	Task, Resource            string
	Planned, Remaining        schedules.Utilization
	Actual                    schedules.ActualUtilization
	Delay                     int32
	ActualStart, ActualFinish twinplatform.DateTime
	From, To                  twinplatform.DateTime // where they are neither the actual ones nor those of the task

	externalID string // which is another in each copy of a project: it changes with the rest alone
}

// Compared implements importing.Content.
func (c *filedAssignment) Compared(facts *importing.Facts) any {
	own := !c.From.IsZero() || !c.To.IsZero()
	if c.Delay == 0 && c.ActualStart.IsZero() && c.ActualFinish.IsZero() && !own { // as in filedProgress
		return facts.Text(c.Task).Text(c.Resource).Member(&c.Planned).Member(&c.Remaining).Member(&c.Actual)
	}
	all := []any{c.Task, c.Resource, c.Planned, c.Remaining, c.Actual, c.Delay, c.ActualStart, c.ActualFinish}
	if own {
		all = append(all, c.From, c.To)
	}
	return all
}

// Set implements importing.Content.
func (c *filedAssignment) Set(v *schedules.ResourceAssignment) {
	v.ExternalID = twinplatform.NullString(c.externalID)
	v.Delay, v.ActualStart, v.ActualFinish, v.PlannedStart, v.PlannedFinish = c.Delay, c.ActualStart, c.ActualFinish,
		c.From, c.To
	v.TaskID, v.ResourceID, v.PlannedUtilization, v.RemainingUtilization, v.ActualUtilization = c.Task, c.Resource,
		c.Planned, c.Remaining, c.Actual
}

// ownDate is when a resource begins or ends its work, if that is neither when it did nor when its
// task does.
func (d *planDiff) ownDate(date, actual, ofTask worktime.Time) twinplatform.DateTime {
	if date == 0 || date == cmp.Or(actual, ofTask) {
		return twinplatform.DateTime{}
	}
	return d.at(date)
}
