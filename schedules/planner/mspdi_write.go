package planner

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// mspdiWriter writes a plan as an XML of Microsoft Project.
type mspdiWriter struct {
	*writer
	left                                     map[string]*leftRows
	tasks, calendars, resources, assignments *numbers
	before                                   map[string][]*Link // by successor
	fields                                   map[string]mspdiField
	codes                                    map[string]string // the numbers of fields of codes
	values                                   map[string]mspdiValue
	baselines                                map[string][]mspdiBaseline // of tasks
	worked                                   map[string]bool
	fixed                                    map[string]float64 // what tasks cost besides their resources
	holds                                    map[string]hold
	splits                                   map[string]bool // tasks of which assignments say when there is work
	unassigned                               []*Task         // those of them that no resource works on
	calendarsOf                              *calendars      // nil without splits
	taskOf                                   map[string]int  // places of tasks
	calendarNames, resourceNames             map[string]string
	work                                     map[string]float64 // of tasks, in hours
	// root is the node of the WBS that is the project, where there is one project.
	root string
}

// mspdiField is a user field as it is written.
type mspdiField struct {
	field    *UserField
	id, name string
}

// mspdiValue is a value of a code as it is written.
type mspdiValue struct{ field, number string }

// mspdiBaseline is a task of a baseline as it is written.
type mspdiBaseline struct {
	number string
	*BaselineTask
}

// The members of elements in the order of the schema.
var (
	projectOrder = strings.Fields(`
		SaveVersion BuildNumber Name GUID UID Title Subject Category Company Manager Author CreationDate
		Revision LastSaved ScheduleFromStart StartDate FinishDate FYStartDate CriticalSlackLimit
		CurrencyDigits CurrencySymbol CurrencyCode CurrencySymbolPosition CalendarUID DefaultStartTime
		DefaultFinishTime MinutesPerDay MinutesPerWeek DaysPerMonth DefaultTaskType DefaultFixedCostAccrual
		DefaultStandardRate DefaultOvertimeRate DurationFormat WorkFormat EditableActualCosts
		HonorConstraints EarnedValueMethod InsertedProjectsLikeSummary MultipleCriticalPaths
		NewTasksEffortDriven NewTasksEstimated SplitsInProgressTasks SpreadActualCost SpreadPercentComplete
		TaskUpdatesResource FiscalYearStart WeekStartDay MoveCompletedEndsBack MoveRemainingStartsBack
		MoveRemainingStartsForward MoveCompletedEndsForward BaselineForEarnedValue
		AutoAddNewResourcesAndTasks StatusDate CurrentDate MicrosoftProjectServerURL Autolink
		NewTaskStartDate NewTasksAreManual DefaultTaskEVMethod ProjectExternallyEdited ExtendedCreationDate
		ActualsInSync RemoveFileProperties AdminProject`)
	taskOrder = strings.Fields(`
		UID GUID ID Name Active Manual Type IsNull CreateDate Contact WBS WBSLevel OutlineNumber
		OutlineLevel Priority Start Finish Duration ManualStart ManualFinish ManualDuration DurationFormat
		Work Stop Resume ResumeValid EffortDriven Recurring OverAllocated Estimated Milestone Summary
		DisplayAsSummary Critical IsSubproject IsSubprojectReadOnly SubprojectName ExternalTask
		ExternalTaskProject EarlyStart EarlyFinish LateStart LateFinish StartVariance FinishVariance
		WorkVariance FreeSlack TotalSlack StartSlack FinishSlack FixedCost FixedCostAccrual PercentComplete
		PercentWorkComplete Cost OvertimeCost OvertimeWork ActualStart ActualFinish ActualDuration
		ActualCost ActualOvertimeCost ActualWork ActualOvertimeWork RegularWork RemainingDuration
		RemainingCost RemainingWork RemainingOvertimeCost RemainingOvertimeWork ACWP CV ConstraintType
		CalendarUID ConstraintDate Deadline LevelAssignments LevelingCanSplit LevelingDelay
		LevelingDelayFormat PreLeveledStart PreLeveledFinish Hyperlink HyperlinkAddress HyperlinkSubAddress
		IgnoreResourceCalendar Notes HideBar Rollup BCWS BCWP PhysicalPercentComplete EarnedValueMethod
		PredecessorLink ActualWorkProtected ActualOvertimeWorkProtected ExtendedAttribute Baseline
		OutlineCode IsPublished StatusManager CommitmentStart CommitmentFinish CommitmentType
		StartText FinishText DurationText`)
	resourceOrder = strings.Fields(`
		UID GUID ID Name Type IsNull Initials Phonetics NTAccount MaterialLabel Code Group WorkGroup
		EmailAddress Hyperlink HyperlinkAddress HyperlinkSubAddress MaxUnits PeakUnits OverAllocated
		AvailableFrom AvailableTo Start Finish CanLevel AccrueAt Work RegularWork OvertimeWork ActualWork
		RemainingWork ActualOvertimeWork RemainingOvertimeWork PercentWorkComplete StandardRate
		StandardRateFormat Cost OvertimeRate OvertimeRateFormat OvertimeCost CostPerUse ActualCost
		ActualOvertimeCost RemainingCost RemainingOvertimeCost WorkVariance CostVariance SV CV ACWP
		CalendarUID Notes BCWS BCWP IsGeneric IsInactive IsEnterprise BookingType ActualWorkProtected
		ActualOvertimeWorkProtected ActiveDirectoryGUID CreationDate ExtendedAttribute OutlineCode
		IsCostResource AssnOwner AssnOwnerGuid IsBudget Rates`)
	assignmentOrder = strings.Fields(`
		UID GUID TaskUID ResourceUID PercentWorkComplete ActualCost ActualFinish ActualOvertimeCost
		ActualOvertimeWork ActualStart ActualWork ACWP Confirmed Cost CostRateTable RateScale CostVariance
		CV Delay Finish FinishVariance Hyperlink HyperlinkAddress HyperlinkSubAddress WorkVariance
		HasFixedRateUnits FixedMaterial LevelingDelay LevelingDelayFormat LinkedFields Milestone Notes
		OverAllocated OvertimeCost OvertimeWork PeakUnits RegularWork RemainingCost RemainingOvertimeCost
		RemainingOvertimeWork RemainingWork ResponsePending Start Stop Resume StartVariance Summary SV Units
		UpdateNeeded VAC Work WorkContour BCWS BCWP BookingType ActualWorkProtected
		ActualOvertimeWorkProtected CreationDate AssnOwner AssnOwnerGuid BudgetCost BudgetWork
		TimephasedData`)
)

// write writes the lists in the order of the schema, and names what the tool has no place
// for.
func (x *mspdiWriter) write() {
	x.prepare()
	x.print(xml.Header, `<Project xmlns="http://schemas.microsoft.com/project">`, "\n")
	x.writeProject()
	x.list("OutlineCodes", len(x.codes), x.writeCodes)
	x.list("ExtendedAttributes", len(x.fields), x.writeFields)
	x.list("Calendars", len(x.Calendars), func() {
		for i := range x.Calendars {
			x.writeCalendar(&x.Calendars[i])
		}
	})
	x.list("Tasks", 1, x.writeTasks) // without it a file is no plan
	x.list("Resources", len(x.Resources), func() {
		for i := range x.Resources {
			x.writeResource(&x.Resources[i])
		}
	})
	x.list("Assignments", len(x.Assignments)+len(x.unassigned), func() {
		for i := range x.Assignments {
			x.writeAssignment(&x.Assignments[i])
		}
		for _, t := range x.unassigned {
			x.writeUnassigned(t)
		}
	})
	x.print("</Project>\n")
	if x.Format != MSPDI {
		for i := range x.Tables {
			x.lose("table", x.Tables[i].Name, "Columns that have no place there were dropped.")
		}
	}
	for i := range x.Accounts {
		x.lose("account", x.Accounts[i].ID, "It is left out: Microsoft Project has none.")
	}
	for i := range x.Expenses {
		if e := &x.Expenses[i]; x.Format != MSPDI || e.Name != FixedCost || e.Description+e.Vendor+e.AccountID != "" {
			x.lose("expense", e.ID, "It is part of the fixed cost of its task alone: Microsoft Project has none.")
		}
	}
}

// prepare gives ids numbers, and finds what elements have of others.
func (x *mspdiWriter) prepare() {
	x.left = x.rest()
	x.numberTasks()
	x.calendars = x.numbered(MSPDI, len(x.Calendars), func(i int) string { return x.Calendars[i].ID })
	x.resources = x.numbered(MSPDI, len(x.Resources), func(i int) string { return x.Resources[i].ID })
	x.assignments = x.numbered(MSPDI, len(x.Assignments), func(i int) string { return x.Assignments[i].ID })
	x.before = make(map[string][]*Link)
	for i := range x.Links {
		add(x.before, x.Links[i].SuccessorID, &x.Links[i])
	}
	x.fixed = make(map[string]float64)
	for i := range x.Expenses {
		x.fixed[x.Expenses[i].TaskID] += x.Expenses[i].Costs.Planned
	}
	x.worked = make(map[string]bool)
	for i := range x.Assignments {
		x.worked[x.Assignments[i].TaskID] = true
	}
	// Dates of P6 need holds; a plan of Microsoft Project stays where it is without them.
	if x.scheduled != nil && x.Profile() == cpm.P6 {
		x.holds = x.scheduled.holds()
	}
	x.taskOf = index(x.Tasks, func(t *Task) string { return t.ID })
	x.prepareNames()
	x.prepareWork()
	x.prepareSplits()
	x.prepareBaselines()
	x.prepareFields()
	x.prepareCodes()
}

// numberTasks gives the tasks their UIDs. P6 numbers activities and nodes of the WBS each for
// themselves: a node keeps its number where no activity has it. The node that is the
// project is what Microsoft Project has as number 0, whose dates and totals are the
// project's.
func (x *mspdiWriter) numberTasks() {
	ids := make([]string, 0, len(x.Tasks))
	var nodes []string
	for i := range x.Tasks {
		if id := x.Tasks[i].ID; x.Format != MSPDI && x.Tasks[i].Kind == cpm.Summary {
			nodes = append(nodes, id)
		} else {
			ids = append(ids, id)
		}
	}
	if x.Format == XER && len(x.Projects) == 1 {
		x.root = x.projectNodes()[x.Projects[0].ID]
		nodes = keep(nodes, func(id *string) bool { return *id != x.root })
	}
	x.tasks = numbersOf(x.Format == MSPDI, append(ids, nodes...), func(id string) string {
		return strings.TrimPrefix(id, "wbs-")
	})
	if x.root != "" {
		x.tasks.given[x.root] = "0"
	}
}

// taskID is the id of a task as it is read from the file, which leaves number 0 out.
func (x *mspdiWriter) taskID(t *Task) string { return x.tasks.of(t.ID) }

// prepareBaselines gives the baselines of plans of other formats the numbers from 0 to
// 10, the current one 0, and names those for which there is none left.
func (x *mspdiWriter) prepareBaselines() {
	x.baselines = make(map[string][]mspdiBaseline)
	names := make(map[string]string)
	for i := range x.Tasks {
		if len(x.Baselines) > 0 {
			names[x.Tasks[i].ID] = x.Tasks[i].Name
		}
	}
	next := 1
	for i := range x.Baselines {
		b := &x.Baselines[i]
		number := b.ID
		if x.Format != MSPDI {
			if number = "0"; !b.Current {
				number, next = strconv.Itoa(next), next+1
			}
		}
		// Microsoft Project keeps a Baseline and Baseline 1 to Baseline 10.
		if n, err := strconv.Atoi(number); err != nil || n < 0 || n > 10 {
			x.lose("baseline", b.ID, "It is left out: Microsoft Project has eleven.")
			continue
		}
		x.prepareBaseline(b, number, names)
	}
}

// prepareBaseline takes up a baseline under a number, and names what Microsoft Project does not keep of it.
func (x *mspdiWriter) prepareBaseline(b *Baseline, number string, names map[string]string) {
	if len(b.Links) > 0 {
		x.lose("baseline", b.ID, "Its links are left out.")
	}
	if b.Name != "Baseline "+number || b.Code != "" || b.DataDate != 0 {
		x.lose("baseline", b.ID, "Its name, its code and its data date are left out: Microsoft Project knows it by "+
			"its number alone.")
	}
	for at := range b.Tasks {
		t := &b.Tasks[at]
		if t.TaskID == "" {
			x.lose("baseline", b.ID, "Tasks of it that are no longer there are left out.")
			continue
		}
		if names[t.TaskID] != t.Name {
			x.lose("baseline", b.ID, "Its tasks are called as they are now.")
		}
		add(x.baselines, t.TaskID, mspdiBaseline{number, t})
	}
}

// members writes an element: what is given, what is left of the id, and what functions
// write in their places, all in order.
func (x *mspdiWriter) members(name, id string, order []string, v values, below map[string]func()) {
	all := make(values, len(v))
	if x.Format == MSPDI {
		if left := x.left[name]; left != nil {
			for i, text := range left.of(id) {
				all[left.fields[i]] = strings.ReplaceAll(text, "\x7f\x7f", "\n")
			}
		}
	}
	for member, text := range v {
		all[member] = x.text(strings.ToLower(name), id, text)
	}
	// What functions write below has no text, and may stand next to members that have.
	write := func(member string) {
		if text := all[member]; text != "" {
			x.element(member, text)
		}
		if below[member] != nil {
			below[member]()
		}
		delete(all, member)
	}
	if name != "Project" {
		x.print("<", name, ">")
	}
	for _, member := range order {
		write(member)
	}
	// Members that the order does not name come last, sorted, so that the same plan makes
	// the same file each time.
	var more []string
	for member := range all {
		more = append(more, member)
	}
	slices.Sort(more)
	for _, member := range more {
		write(member)
	}
	if name != "Project" {
		x.print("</", name, ">\n")
	}
}

// writeProject writes what is directly in the root. A file holds one project, so that of
// a plan of several the others become part of the first.
func (x *mspdiWriter) writeProject() {
	p := &Project{}
	if len(x.Projects) > 0 {
		p = &x.Projects[0]
	}
	for i := range x.Projects {
		if i > 0 {
			x.lose("project", x.Projects[i].ID, "It is part of the first one: a file of Microsoft Project holds one.")
		}
		x.projectLoses(&x.Projects[i])
	}
	v := values{
		"Title": p.Name, "GUID": p.ExternalID, "StartDate": instant(p.Start), "StatusDate": instant(p.DataDate),
		"CalendarUID": cmp.Or(x.calendars.of(p.CalendarID), "-1"),
	}
	var left []string
	// 480 minutes are the eight hours that the tool takes for a day.
	perDay := 480.0
	if rest := x.left["Project"]; rest != nil && x.Format == MSPDI {
		left = rest.fields
		if at := slices.Index(left, "MinutesPerDay"); at >= 0 {
			if n, _, ok := new(notation).parse(rest.of(p.ID)[at]); ok {
				perDay = n
			}
		}
	}
	for member, text := range map[string]string{
		"SaveVersion": "14", "Name": p.Name, "ScheduleFromStart": "1", "MinutesPerDay": "480",
	} {
		if x.Format != MSPDI {
			v[member] = text
		}
	}
	if x.Format != MSPDI {
		// A file of another format has no currency of Microsoft Project that could be left.
		c := x.currencyOf()
		v["CurrencyCode"], v["CurrencySymbol"], v["CurrencyDigits"] = c.code, c.symbol, c.decimals
	}
	// The limit is in days in the file, whatever a calendar says of a day, and in seconds
	// in a plan.
	if limit := float64(p.Critical) / (perDay * worktime.Minute); p.Critical != 0 && perDay > 0 {
		v["CriticalSlackLimit"] = decimal(limit)
		if limit != math.Trunc(limit) && x.Format != MSPDI {
			x.lose("project", p.ID, "The float up to which its tasks are critical is no number of days.")
		}
	}
	x.members("Project", p.ID, projectOrder, v, nil)
}

// projectLoses names what a project of Microsoft Project cannot have.
func (x *mspdiWriter) projectLoses(p *Project) {
	for _, l := range []struct {
		lost bool
		text string
	}{
		{p.MustFinish != 0, "By when it must end is left out."},
		{
			p.Progress != cpm.RetainedLogic || p.Float != cpm.FinishFloat || p.Together || p.OpenEndsCritical ||
				p.LongestPath || p.IgnoreExpected ||
				p.IgnoreExternal,
			"How P6 schedules it is left out.",
		},
		{p.Lag != cpm.LagOfSuccessor && len(x.Links) > 0, "Its lags are on the calendars of successors."},
		{
			len(p.CodeValueIDs)+len(p.Values)+len(p.Notes) > 0,
			"Its codes, its values of user fields and its notes are left out.",
		},
		{p.Code != "" && p.Code != p.Name, "The project's code has no place in this format."},
	} {
		if l.lost {
			x.lose("project", p.ID, l.text)
		}
	}
}

// instant is a time as XML has it, nothing for none.
func instant(t worktime.Time) string {
	if t == 0 {
		return ""
	}
	return t.String()
}

// period is a span of time as Microsoft Project writes it.
func period(seconds int64) string {
	sign := ""
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	return fmt.Sprintf("%sPT%dH%dM%dS", sign, seconds/worktime.Hour, seconds/worktime.Minute%60,
		seconds%worktime.Minute)
}

// period is an amount of hours as a span of time.
func (x *mspdiWriter) period(kind, id string, hours float64) string {
	seconds := math.Round(hours * worktime.Hour)
	if seconds/worktime.Hour != hours {
		x.lose(kind, id, "Its work is rounded to the second.")
	}
	return period(int64(seconds))
}

// cents is an amount in hundredths, nothing for none.
func cents(n float64) string {
	if n == 0 {
		return ""
	}
	s := decimal(n)
	whole, part, _ := strings.Cut(s, ".")
	part = (part + "00")
	s = whole + part[:2]
	if rest := strings.TrimRight(part[2:], "0"); rest != "" {
		s += "." + rest
	}
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	if s = strings.TrimLeft(s, "0"); s == "" || s[0] == '.' {
		s = "0" + s
	}
	return sign + s
}

// tenths are seconds in tenths of a minute.
func (x *mspdiWriter) tenths(kind, id string, seconds int64) string {
	if seconds%6 != 0 {
		x.lose(kind, id, "A span of time of it is no number of tenths of a minute.")
	}
	return decimal(float64(seconds) / 6)
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// writeCalendar writes a calendar.
func (x *mspdiWriter) writeCalendar(c *Calendar) {
	base := cmp.Or(x.calendars.of(c.BaseID), "-1")
	x.print("<Calendar>")
	x.element("UID", x.calendars.of(c.ID))
	x.element("Name", x.calendarNames[c.ID])
	x.element("IsBaseCalendar", bit(c.BaseID == ""))
	x.element("BaseCalendarUID", base)
	if len(c.Week) > 0 || x.Format != MSPDI && c.BaseID == "" {
		x.print("<WeekDays>")
		for day := time.Sunday; day <= time.Saturday; day++ {
			h, ok := c.Week[day]
			if !ok && (x.Format == MSPDI || c.BaseID != "") {
				continue
			}
			x.print("<WeekDay>")
			x.element("DayType", strconv.Itoa(int(day)+1))
			x.dayHours(h)
			x.print("</WeekDay>")
		}
		x.print("</WeekDays>")
	}
	if len(c.Exceptions) > 0 {
		x.print("<Exceptions>")
		for i := range c.Exceptions {
			x.exception(c, &c.Exceptions[i])
		}
		x.print("</Exceptions>")
	}
	x.print("</Calendar>\n")
}

// dayHours writes the hours of a day.
func (x *mspdiWriter) dayHours(h worktime.Hours) {
	x.element("DayWorking", bit(len(h) > 0))
	if len(h) == 0 {
		return
	}
	x.print("<WorkingTimes>")
	for _, p := range h {
		x.print("<WorkingTime>")
		x.element("FromTime", seconds(p.From))
		x.element("ToTime", seconds(p.To))
		x.print("</WorkingTime>")
	}
	x.print("</WorkingTimes>")
}

// seconds is a time of day with its seconds.
func seconds(s int) string {
	s %= worktime.Day
	return fmt.Sprintf("%02d:%02d:%02d", s/worktime.Hour, s/worktime.Minute%60, s%worktime.Minute)
}

// exception writes days of other hours.
func (x *mspdiWriter) exception(c *Calendar, e *worktime.Exception) {
	last := e.Last
	if x.Format != MSPDI {
		last = e.Last.Midnight() + worktime.Day - worktime.Minute
	}
	x.print("<Exception>")
	x.element("EnteredByOccurrences", "0")
	x.print("<TimePeriod>")
	x.element("FromDate", e.First.String())
	x.element("ToDate", last.String())
	x.print("</TimePeriod>")
	for _, m := range x.repeat(c, e.Repeat) {
		x.element(m[0], m[1])
	}
	x.dayHours(e.Hours)
	x.print("</Exception>")
}

// repeat are the members that say how an exception repeats.
func (x *mspdiWriter) repeat(c *Calendar, r *worktime.Repeat) [][2]string {
	if r == nil {
		return [][2]string{{"Type", "1"}}
	}
	interval := max(r.Interval, 1)
	period, month := [2]string{"Period", strconv.Itoa(interval)}, [2]string{"Month", strconv.Itoa(int(r.Month) - 1)}
	day := [2]string{"MonthDay", strconv.Itoa(r.Day)}
	item, position := [2]string{
		"MonthItem", strconv.Itoa(itemOf(r.Weekdays)),
	}, [2]string{"MonthPosition", strconv.Itoa(r.Position - 1)}
	if r.Every == worktime.Yearly && interval > 1 || r.Position != 0 && itemOf(r.Weekdays) < 0 {
		x.lose("calendar", c.ID, "An exception of it repeats as Microsoft Project cannot tell: it is of each of its "+
			"days.")
		return [][2]string{{"Type", "1"}}
	}
	switch {
	case r.Every == worktime.Daily:
		return [][2]string{{"Type", "1"}, period}
	case r.Every == worktime.Weekly:
		days := 0
		for _, d := range r.Weekdays {
			days |= 1 << d
		}
		return [][2]string{{"Type", "6"}, period, {"DaysOfWeek", strconv.Itoa(days)}}
	case r.Every == worktime.Monthly && r.Position == 0:
		return [][2]string{{"Type", "4"}, period, day}
	case r.Every == worktime.Monthly:
		return [][2]string{{"Type", "5"}, period, item, position}
	case r.Position == 0:
		return [][2]string{{"Type", "2"}, month, day}
	default:
		return [][2]string{{"Type", "3"}, item, position, month}
	}
}

// itemOf is how an exception by position means days of a week, -1 where it cannot.
func itemOf(days []time.Weekday) int {
	for n := range 10 {
		if slices.Equal(monthItem(n), days) {
			return n
		}
	}
	return -1
}
