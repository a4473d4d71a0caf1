package planner

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// writeTasks writes the tasks, each behind what it is below.
func (x *mspdiWriter) writeTasks() {
	// The file has no ids of parents: the order of tasks and their levels are the tree.
	o := outline{tasks: slices.Clone(x.Tasks), below: make(map[string][]int), done: make([]bool, len(x.Tasks))}
	var top []int
	for i := range x.Tasks {
		switch t := &x.Tasks[i]; {
		case x.root != "" && t.ID == x.root:
			o.done[i] = true
			x.writeTask(t, 0, nil)
		case t.ParentID == "" || t.ParentID == x.root:
			top = append(top, i)
		default:
			o.below[t.ParentID] = append(o.below[t.ParentID], i)
		}
	}
	o.add(top)
	var place []int // of the last task of each level
	level := make(map[string]int, len(o.order))
	for _, i := range o.order {
		t := &o.tasks[i]
		at := level[t.ParentID] + 1
		level[t.ID] = at
		if len(place) < at {
			place = append(place, 0)
		}
		place = place[:at]
		place[at-1]++
		x.writeTask(t, i+1, place)
	}
}

// mspdiNumbers are the types of constraints by what they are.
var mspdiNumbers = map[cpm.ConstraintType]string{
	cpm.AsLateAsPossible: "1", cpm.MandatoryStart: "2", cpm.MandatoryFinish: "3", cpm.StartNoEarlier: "4",
	cpm.StartNoLater:    "5",
	cpm.FinishNoEarlier: "6", cpm.FinishNoLater: "7", cpm.StartOn: "4", cpm.FinishOn: "6",
}

// writeTask writes a task. outline says where it lies in the tree,
// nothing that it is the project. Hammocks are manual:
// the tool has none, and would move them.
func (x *mspdiWriter) writeTask(t *Task, place int, outline []int) {
	// The number of an outline counts the tasks of each level: 1.2.3.
	parts := []string{"0"} // of the project
	if len(outline) > 0 {
		parts = make([]string, len(outline))
	}
	for i, n := range outline {
		parts[i] = strconv.Itoa(n)
	}
	summary := t.Kind == cpm.Summary
	manual := t.Manual || t.Kind == cpm.LongHammock || t.Kind == cpm.ShortHammock
	v := values{
		"UID": x.tasks.of(t.ID), "Active": bit(!t.Inactive), "Manual": bit(manual),
		"IsNull": "0", "WBS": t.Code,
		"OutlineNumber": strings.Join(parts, "."), "OutlineLevel": strconv.Itoa(len(outline)),
		"Start":  instant(t.File.Start),
		"Finish": instant(t.File.Finish), "Duration": period(t.Duration), "Stop": instant(t.Suspend),
		"Resume":  instant(t.Resume),
		"Summary": bit(summary), "EarlyStart": instant(t.File.EarlyStart), "EarlyFinish": instant(t.File.EarlyFinish),
		"LateStart": instant(t.File.LateStart), "LateFinish": instant(t.File.LateFinish),
		"PercentComplete":         x.percent(t, t.Percent),
		"PhysicalPercentComplete": x.percent(t, t.Physical), "Cost": cents(t.Costs.Planned),
		"FixedCost":     cents(x.fixed[t.ID]),
		"Priority":      strconv.Itoa(int(t.priority())),
		"ActualCost":    cents(t.Costs.Actual),
		"RemainingCost": cents(t.Costs.Remaining), "ActualStart": instant(t.ActualStart),
		"ActualFinish":      instant(t.ActualFinish),
		"RemainingDuration": period(t.Remaining), "CalendarUID": cmp.Or(x.calendars.of(t.CalendarID), "-1"),
		"Deadline":       instant(t.Deadline),
		"ConstraintType": "0", "IgnoreResourceCalendar": bit(!t.ResourceCalendars && t.Kind == cpm.Work),
		"Notes": x.notes("task", t.ID, t.Notes),
	}
	t.writeTexts(inMSPDI, v)
	x.say(t, v)
	// The format states what was done in addition to what remains; a plan has only what
	// remains.
	if t.ActualStart != 0 && t.Duration >= t.Remaining {
		v["ActualDuration"] = period(t.Duration - t.Remaining)
	}
	if len(t.Constraints) > 0 {
		v["ConstraintType"], v["ConstraintDate"] = mspdiNumbers[t.Constraints[0].Type], instant(t.Constraints[0].Date)
	}
	x.hold(t, v)
	if t.File.TotalFloat != nil {
		v["TotalSlack"] = x.tenths("task", t.ID, *t.File.TotalFloat)
	}
	if t.File.FreeFloat != nil {
		v["FreeSlack"] = x.tenths("task", t.ID, *t.File.FreeFloat)
	}
	if t.File.Critical != nil {
		v["Critical"] = bit(*t.File.Critical)
	}
	if x.Format != MSPDI {
		v["ID"] = strconv.Itoa(place)
	}
	x.durationFormat(t, v)
	x.taskLoses(t)
	x.members("Task", t.ID, taskOrder, v, map[string]func(){
		"PredecessorLink":   func() { x.writeLinks(t) },
		"ExtendedAttribute": func() { x.writeValues("task", t.ID, t.Values) },
		"OutlineCode":       func() { x.writeCoded("task", t.ID, t.CodeValueIDs) },
		"Baseline":          func() { x.writeBaselines(t) },
		"StartText":         func() { x.placeholder(t) },
	})
}

// placeholder marks a task as one that has text for its dates, where no text is left that
// does: an empty one is enough.
func (x *mspdiWriter) placeholder(t *Task) {
	if !t.Placeholder {
		return
	}
	if left := x.left["Task"]; left != nil {
		for i, text := range left.of(t.ID) {
			if text != "" && slices.Contains(placeholders, left.fields[i]) {
				return
			}
		}
	}
	x.element("StartText", "")
}

// hold keeps a task where P6 has it.
func (x *mspdiWriter) hold(t *Task, v values) {
	h := x.holds[t.ID]
	if h.start != 0 {
		v["ConstraintType"], v["ConstraintDate"] = mspdiNumbers[cpm.StartNoEarlier], instant(h.start)
		text := "A constraint holds it where P6 begins it: Microsoft Project keeps nothing behind the data date."
		if len(t.Constraints) > 0 {
			text = "Its constraint is moved to where P6 begins it: Microsoft Project keeps nothing behind the data " +
				"date."
		}
		x.lose("task", t.ID, text)
	}
	if h.resume != 0 {
		v["Stop"], v["Resume"] = instant(h.stop), instant(h.resume)
		x.lose("task", t.ID, "It is split: what remains of it resumes where P6 continues it.")
	}
}

// percent is a share, which is a whole number of percents in Microsoft Project.
func (x *mspdiWriter) percent(t *Task, p float64) string {
	if p != math.Round(p) {
		x.lose("task", t.ID, "Its percent complete is rounded.")
	}
	return decimal(math.Round(p))
}

// durationFormat is the unit in which the duration is shown, unless what is left of the
// task has one that agrees.
func (x *mspdiWriter) durationFormat(t *Task, v values) {
	if left := x.left["Task"]; left != nil && x.Format == MSPDI {
		if at := slices.Index(left.fields, "DurationFormat"); at >= 0 {
			if format := left.of(t.ID)[at]; format != "" && (elapsed(format) == t.Elapsed || t.Kind != cpm.Work) {
				return
			}
		}
	}
	// The number 7 stands for days, 8 for elapsed days.
	if v["DurationFormat"] = "7"; t.Elapsed {
		v["DurationFormat"] = "8"
	}
}

// notes are one text.
func (x *mspdiWriter) notes(kind, id string, all []Note) string {
	texts := make([]string, len(all))
	for i, n := range all {
		if texts[i] = n.Text; n.Topic != "" {
			texts[i] = n.Topic + "\n" + n.Text
		}
		if len(all) > 1 || n.Topic != "" {
			x.lose(kind, id, "Its notes are one note.")
		}
	}
	return marked(strings.Join(texts, "\n\n"))
}

// taskLoses names what a task of Microsoft Project cannot have.
func (x *mspdiWriter) taskLoses(t *Task) {
	for _, l := range []struct {
		lost bool
		text string
	}{
		{
			t.Kind == cpm.LongHammock || t.Kind == cpm.ShortHammock,
			"It is a manual task that stays where it is: there are no hammocks.",
		},
		{len(t.Constraints) > 1, "It keeps the first of its constraints."},
		{
			len(t.Constraints) > 0 && (t.Constraints[0].Type == cpm.StartOn || t.Constraints[0].Type == cpm.FinishOn),
			"Its constraint holds it from one side.",
		},
		{len(t.Steps) > 0, "Its steps are left out."},
		{t.ExpectedFinish != 0, "Its expected finish is left out."},
		{t.ExternalStart != 0 || t.ExternalFinish != 0, "What other projects want of its dates is left out."},
		{t.File.DrivingPath != nil, "Whether it is on the longest path is left out."},
		{
			t.File.PlannedStart != 0 || t.File.PlannedFinish != 0 || t.Planned != t.Duration && t.Kind != cpm.Summary,
			"Its planned dates and duration are left out.",
		},
		{t.PercentOf != OfDuration, "Its percent complete is one of its duration."},
		{t.File.LateFinish != 0 && (t.File.TotalFloat == nil || t.File.FreeFloat == nil), "It has a float of none."},
	} {
		if l.lost {
			x.lose("task", t.ID, l.text)
		}
	}
	if kind := x.milestone(t); kind != t.Kind && (t.Kind == cpm.StartMilestone || t.Kind == cpm.FinishMilestone) {
		x.lose("task", t.ID, "Its links say whether it is a milestone of a start or of a finish.")
	}
}

// milestone is of which kind Microsoft Project takes a milestone for by its links.
func (x *mspdiWriter) milestone(t *Task) cpm.Kind {
	for _, l := range x.before[t.ID] {
		if l.Type == cpm.FinishToStart || l.Type == cpm.FinishToFinish {
			return cpm.FinishMilestone
		}
	}
	return cpm.StartMilestone
}

// mspdiLinkNumbers are the numbers of the types of links in the schema.
var mspdiLinkNumbers = inverse(mspdiLinks)

// writeLinks writes the links to a task.
func (x *mspdiWriter) writeLinks(t *Task) {
	several := make(map[string]bool)
	for _, l := range x.before[t.ID] {
		if several[l.PredecessorID] && x.Format != MSPDI {
			x.lose("link", l.ID, "Microsoft Project knows one link between two tasks.")
		}
		several[l.PredecessorID] = true
		// Formats of lags: 7 days, 8 elapsed days, 19 percent, 20 elapsed percent.
		format, lag := "7", ""
		switch {
		case l.Percent && l.Elapsed:
			format = "20"
		case l.Percent:
			format = "19"
		case l.Elapsed:
			format = "8"
		}
		if lag = strconv.FormatInt(l.Lag, 10); !l.Percent {
			lag = x.tenths("link", l.ID, l.Lag)
		}
		x.print("<PredecessorLink>")
		x.element("PredecessorUID", x.tasks.of(l.PredecessorID))
		x.element("Type", mspdiLinkNumbers[l.Type])
		x.element("CrossProject", "0")
		x.element("LinkLag", lag)
		x.element("LagFormat", format)
		x.print("</PredecessorLink>")
	}
}

// writeBaselines writes what the baselines have of a task within the task, where Microsoft
// Project keeps it.
func (x *mspdiWriter) writeBaselines(t *Task) {
	for _, b := range x.baselines[t.ID] {
		x.print("<Baseline>")
		x.element("Number", b.number)
		if b.Start != 0 {
			x.element("Start", b.Start.String())
		}
		if b.Finish != 0 {
			x.element("Finish", b.Finish.String())
		}
		x.element("Duration", period(b.Duration))
		x.element("DurationFormat", "7")
		x.element("Work", x.period("baseline", b.number, b.Work))
		if s := cents(b.Cost); s != "" {
			x.element("Cost", s)
		}
		x.print("</Baseline>")
		if b.TotalFloat != nil {
			x.lose("baseline", b.number, "The floats of its tasks are left out.")
		}
	}
}

// fieldSlots are the fields that users can give a meaning, by family: the number of the
// first of a range, how far one is from the next, and how many there are.
var fieldSlots = map[FieldFamily][][3]int{
	TextField:     {{188743731, 3, 5}, {188743746, 1, 5}, {188743997, 1, 20}},
	NumberField:   {{188743767, 1, 5}, {188743982, 1, 15}},
	CostField:     {{188743786, 1, 3}, {188743938, 1, 7}},
	FlagField:     {{188743752, 1, 10}, {188743972, 1, 10}},
	DateField:     {{188743945, 1, 10}},
	StartField:    {{188743732, 3, 5}, {188743962, 2, 5}},
	FinishField:   {{188743733, 3, 5}, {188743963, 2, 5}},
	DurationField: {{188743783, 1, 3}, {188743955, 1, 7}},
}

// resourceTexts are the numbers of the fields Text1 to Text5 of resources, in the form of
// fieldSlots. Other families have no numbers here, so a user field of resources is left out
// unless it becomes text.
var resourceTexts = [][3]int{{205520904, 1, 5}}

// prepareFields finds the fields of Microsoft Project that user fields become.
func (x *mspdiWriter) prepareFields() {
	x.fields = make(map[string]mspdiField)
	used := make(map[string]int)
	for i := range x.UserFields {
		f := &x.UserFields[i]
		if x.Format == MSPDI && subject(f.ID) != "" {
			x.fields[f.ID] = mspdiField{f, f.ID, f.ExternalID}
			continue
		}
		family, slots := f.Family, fieldSlots[f.Family]
		switch f.Family {
		case IntegerField:
			family, slots = NumberField, fieldSlots[NumberField]
		case IndicatorField, CodeField:
			family, slots = TextField, fieldSlots[TextField]
		}
		if f.Of == OfResources {
			if slots = nil; family == TextField {
				slots = resourceTexts
			}
		}
		key := string(f.Of) + string(family)
		id, n := slot(slots, used[key])
		if id == 0 || f.Of == OfProjects {
			x.lose("user field", f.ID, "It is left out with its values: Microsoft Project has no more fields of its "+
				"type.")
			continue
		}
		used[key]++
		if family != f.Family {
			x.lose("user field", f.ID, "It is of "+strings.ToLower(string(family))+".")
		}
		x.fields[f.ID] = mspdiField{f, strconv.Itoa(id), string(family) + strconv.Itoa(n)}
	}
}

// slot is the number of a field by its place among those of its family, and the place
// from 1 on.
func slot(slots [][3]int, place int) (id, n int) {
	n = place + 1
	for _, s := range slots {
		if place < s[2] {
			return s[0] + place*s[1], n
		}
		place -= s[2]
	}
	return 0, 0
}

// writeFields writes the definitions of the user fields for which there was a field left
// in the fixed set of the tool.
func (x *mspdiWriter) writeFields() {
	families := inverse(mspdiFamilies)
	for i := range x.UserFields {
		f, ok := x.fields[x.UserFields[i].ID]
		if !ok {
			continue
		}
		x.print("<ExtendedAttribute>")
		x.element("FieldID", f.id)
		if f.name != "" {
			x.element("FieldName", f.name)
		}
		if number, ok := families[f.field.Family]; ok {
			x.element("CFType", number)
		}
		if f.field.Name != f.name {
			x.element("Alias", x.text("user field", f.field.ID, f.field.Name))
		}
		x.print("</ExtendedAttribute>\n")
	}
}

// writeValues writes values of user fields.
func (x *mspdiWriter) writeValues(kind, id string, all []Value) {
	for _, v := range all {
		f, ok := x.fields[v.FieldID]
		if !ok {
			continue
		}
		var text string
		switch f.field.Family {
		case FlagField:
			text = bit(v.Flag)
		case CostField:
			text = cmp.Or(cents(v.Number), "0")
		case DurationField:
			text = x.period(kind, id, v.Number/3600)
		default:
			text = x.text(kind, id, f.field.String(v))
		}
		x.print("<ExtendedAttribute>")
		x.element("FieldID", f.id)
		x.element("Value", text)
		x.print("</ExtendedAttribute>")
	}
}

// prepareCodes finds the outline codes that codes become, of which there are ten.
func (x *mspdiWriter) prepareCodes() {
	x.codes, x.values = make(map[string]string), make(map[string]mspdiValue)
	used := make(map[Subject]int)
	first := map[Subject]int{OfTasks: 188744096, OfResources: 205521174}
	for i := range x.Codes {
		c := &x.Codes[i]
		n := used[c.Of]
		used[c.Of]++
		switch {
		case x.Format == MSPDI && subject(c.ID) != "":
			x.codes[c.ID] = c.ID
		case first[c.Of] == 0 || n >= 10:
			x.lose("code", c.ID, "It is left out with its values: Microsoft Project has ten for tasks and ten for "+
				"resources.")
		default:
			x.codes[c.ID] = strconv.Itoa(first[c.Of] + 2*n)
			if c.Scope != OneProject && x.Format != MSPDI {
				x.lose("code", c.ID, "It is one of the project.")
			}
		}
	}
	for i := range x.CodeValues {
		v := &x.CodeValues[i]
		if field, ok := x.codes[v.CodeID]; ok {
			number, of := strings.CutPrefix(v.ID, v.CodeID+"-")
			if !of || x.Format != MSPDI {
				number = strconv.Itoa(i + 1)
			}
			x.values[v.ID] = mspdiValue{field, number}
		}
	}
}

// writeCodes writes codes with their values as outline codes.
func (x *mspdiWriter) writeCodes() {
	of := make(map[string][]*CodeValue)
	for i := range x.CodeValues {
		add(of, x.CodeValues[i].CodeID, &x.CodeValues[i])
	}
	for i := range x.Codes {
		c := &x.Codes[i]
		field, ok := x.codes[c.ID]
		if !ok {
			continue
		}
		name := c.ExternalID
		if field != c.ID {
			name = fmt.Sprintf("Outline Code%d", i+1)
		}
		x.print("<OutlineCode>")
		x.element("FieldID", field)
		if name != "" {
			x.element("FieldName", name)
		}
		if c.Name != name {
			x.element("Alias", x.text("code", c.ID, c.Name))
		}
		if len(of[c.ID]) > 0 {
			x.print("<Values>")
			for _, v := range of[c.ID] {
				x.writeCodeValue(v)
			}
			x.print("</Values>")
		}
		x.print("</OutlineCode>\n")
	}
}

// writeCodeValue writes a value of an outline code. The format has no place for its colour.
func (x *mspdiWriter) writeCodeValue(v *CodeValue) {
	x.print("<Value>")
	x.element("ValueID", x.values[v.ID].number)
	x.element("Type", "21")
	if v.ParentID != "" {
		x.element("ParentValueID", x.values[v.ParentID].number)
	}
	x.element("Value", x.text("code value", v.ID, v.Name))
	if v.Description != "" {
		x.element("Description", x.text("code value", v.ID, v.Description))
	}
	x.print("</Value>")
	if v.Color != "" {
		x.lose("code value", v.ID, "Its colour is left out.")
	}
}

// writeCoded writes which values of codes an item has.
func (x *mspdiWriter) writeCoded(kind, id string, all []string) {
	for _, value := range all {
		v, ok := x.values[value]
		if !ok {
			continue
		}
		x.print("<OutlineCode>")
		x.element("FieldID", v.field)
		x.element("ValueID", v.number)
		x.print("</OutlineCode>")
	}
}
