package planner

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// xerWriter writes a plan as an XER.
type xerWriter struct {
	*p6Writer
	left  map[string]*leftRows
	comma bool              // is the decimal symbol
	roots map[string]string // the node of each project
	// rooted are the projects of plans of other formats whose nodes are among the tasks.
	rooted map[string]bool
}

// xerOrder is in which order P6 writes its tables.
var xerOrder = []string{
	"CURRTYPE", "FINTMPL", "UMEASURE", "OBS", "COSTTYPE", "ACCOUNT", "MEMOTYPE", "ROLES", "ROLERATE", "RCATTYPE",
	"PCATTYPE", "UDFTYPE", "RCATVAL",
	"PCATVAL", "PROJECT", "ACTVTYPE", "CALENDAR", "SCHEDOPTIONS", "PROJWBS", "RSRC", "ACTVCODE", "RSRCRATE", "RSRCRCAT",
	"RSRCROLE", "PROJPCAT",
	"PROJMEMO", "WBSMEMO", "TASK", "PROJCOST", "TASKMEMO", "TASKPRED", "TASKPROC", "TASKRSRC", "TASKACTV", "UDFVALUE",
}

// values holds the values of a row by the names of their fields.
type values map[string]string

// write writes the tables in the order of P6. Tables of which nothing here is made are
// written as they were read where the plan is from an XER, and are lost otherwise.
func (x *xerWriter) write() {
	x.prepare()
	x.line(
		// The first line names the version, the day of the export, who exported, and the
		// currency. The day is the data date, so that the same plan makes the same file.
		"ERMHDR", "20.12", strings.TrimSuffix(strings.Split(x.header().String(), "T")[0], "T"), "Project",
		"twinplatform", "twinplatform", "dbxDatabaseNoName", "Project Management", x.money.code,
	)
	tables := map[string]func(){
		"ACCOUNT": x.accountRows, "MEMOTYPE": x.topicRows, "RCATTYPE": x.codeRows, "PCATTYPE": func() {},
		"ACTVTYPE": func() {}, "UDFTYPE": x.fieldRows,
		"PROJECT": x.projectRows, "CALENDAR": x.calendarRows, "SCHEDOPTIONS": x.optionRows, "PROJWBS": x.nodeRows,
		"RSRC":     x.resourceRows,
		"RSRCRATE": x.rateRows, "TASK": x.taskRows, "PROJCOST": x.expenseRows, "TASKPRED": x.linkRows,
		"TASKRSRC": x.assignmentRows,
		"UDFVALUE": x.valueRows, "PROJMEMO": x.projectMemoRows, "WBSMEMO": x.nodeMemoRows, "TASKMEMO": x.taskMemoRows,
		"RCATVAL": x.codeValueRows, "TASKPROC": x.stepRows, "UMEASURE": x.unitRows,
		"TASKACTV": x.codedRows, "PCATVAL": func() {}, "ACTVCODE": func() {}, "RSRCRCAT": func() {},
		"PROJPCAT": func() {},
	}
	raw := make(map[string][]*Table)
	for i := range x.Tables {
		if t := &x.Tables[i]; xerTables[t.Name] == nil && x.Format == XER {
			raw[t.Name] = append(raw[t.Name], t)
		}
	}
	// P6 refuses an XER without a currency.
	if raw["CURRTYPE"] == nil {
		raw["CURRTYPE"] = []*Table{x.money.table()}
	}
	for _, name := range xerOrder {
		for _, t := range raw[name] {
			x.rawTable(t)
		}
		if rows := tables[name]; rows != nil {
			rows()
		}
		delete(raw, name)
	}
	// Tables that xerOrder does not know come last, in an order of their own.
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		for _, t := range raw[name] {
			x.rawTable(t)
		}
	}
	x.line("%E")
	if x.Format != XER {
		for i := range x.Tables {
			x.lose("table", x.Tables[i].Name, "Columns that have no place there were dropped.")
		}
	}
}

// table is the currency, without which P6 reads no XER. Its numbers have a decimal point.
func (c currency) table() *Table {
	return &Table{
		Name: "CURRTYPE",
		Fields: []string{
			"curr_id", "decimal_digit_cnt", "curr_symbol", "decimal_symbol", "digit_group_symbol", "pos_curr_fmt_type",
			"neg_curr_fmt_type", "curr_type",
			"curr_short_name", "group_digit_cnt", "base_exch_rate",
		},
		Rows: []string{strings.Join([]string{
			c.id, c.decimals, c.symbol, ".", ",", "#1.1", "(#1.1)", c.name, c.code,
			"3", "1",
		}, "\t")},
	}
}

// header is the date of the file.
func (x *xerWriter) header() worktime.Time {
	if len(x.Projects) == 0 {
		return worktime.Date(2000, time.January, 1, 0, 0, 0)
	}
	return cmp.Or(x.Projects[0].DataDate, x.Projects[0].Start, worktime.Date(2000, time.January, 1, 0, 0, 0))
}

// prepare finds what is not the same in each XER.
func (x *xerWriter) prepare() {
	x.left = x.rest()
	x.number()
	x.findRoots()
	symbols := make(map[string]bool)
	if x.Format == XER {
		for _, row := range x.column("CURRTYPE", "decimal_symbol") {
			symbols[row] = true
		}
	}
	x.comma = len(symbols) == 1 && symbols[","]
}

// column are the values of a field of a table that is kept as it is.
func (x *xerWriter) column(table, field string) (all []string) {
	for i := range x.Tables {
		t := &x.Tables[i]
		at := slices.Index(t.Fields, field)
		if t.Name != table || at < 0 {
			continue
		}
		for _, r := range t.Rows {
			if row := strings.Split(r, "\t"); at < len(row) {
				all = append(all, row[at])
			}
		}
	}
	return all
}

// findRoots finds the node that each project is. A plan that is not from an XER gets new
// ones.
func (x *xerWriter) findRoots() {
	x.roots, x.rooted = make(map[string]string), make(map[string]bool)
	if x.Format != XER {
		tops := make(map[string]string) // the projects of nodes at the top
		for i := range x.Tasks {
			if t := &x.Tasks[i]; t.Kind == cpm.Summary && t.ParentID == "" {
				tops[t.ID] = t.ProjectID
			}
		}
		for i := range x.Projects {
			id, number := x.Projects[i].ID, ""
			if x.Format == P6XML { // which has the number of the node, and seldom the node
				number = x.left["Project"].member(id, "WBSObjectId")
			}
			switch node := nodeID(number); {
			case node != "" && tops[node] == id:
				x.roots[id], x.rooted[id] = x.node(node), true
			case x.nodes.keep("\x00"+id, number):
				x.roots[id] = number
			default:
				x.roots[id] = x.nodes.next()
			}
		}
		return
	}
	nodes := x.projectNodes()
	for i := range x.Projects {
		p := &x.Projects[i]
		if x.roots[p.ID] = x.node(nodes[p.ID]); x.roots[p.ID] == "" && p.Name != p.Code {
			x.lose("project", p.ID, "It is called by its code: no node of the WBS has its name.")
		}
	}
}

// line writes a line.
func (x *xerWriter) line(fields ...string) {
	text := strings.Join(fields, "\t")
	encoded, ok := x.page.encode(text)
	if !ok {
		x.lose(
			"row", fields[0]+" "+fields[min(1, len(fields)-1)],
			"Its text is not what it was: the code page lacks letters of it.",
		)
	}
	x.w.Write(encoded)      //nolint:errcheck // Flush reports it
	x.w.WriteString("\r\n") //nolint:errcheck // Flush reports it
}

// rawTable writes a table that is kept as it is.
func (x *xerWriter) rawTable(t *Table) {
	x.line("%T", t.Name)
	x.line(append([]string{"%F"}, t.Fields...)...)
	for _, r := range t.Rows {
		x.line("%R", strings.ReplaceAll(r, "\n", "\x7f"))
	}
}

// escaped is how P6 writes text within a field.
var escaped = strings.NewReplacer("\n", "\x7f\x7f", `"`, `""`)

// xerTable writes the rows of a table.
type xerTable struct {
	*xerWriter
	name    string
	columns []string
	extra   []string // those that are left over, or written for some rows alone
	begun   bool
}

// table begins a table with the fields that are always written and some more, and the
// fields of what was kept of its rows.
func (x *xerWriter) table(name string, extra ...string) *xerTable {
	t := &xerTable{xerWriter: x, name: name, columns: xerColumns[name]}
	if left := x.left[name]; left != nil && x.Format == XER {
		t.extra = left.fields
	}
	for _, f := range extra {
		if !slices.Contains(t.extra, f) {
			t.extra = append(slices.Clip(t.extra), f)
		}
	}
	return t
}

// begin writes the names of the fields, once.
func (t *xerTable) begin() {
	if !t.begun {
		t.begun = true
		t.line("%T", t.name)
		t.line(slices.Concat([]string{"%F"}, t.columns, t.extra)...)
	}
}

// row writes a row: the values that are given, what is left of the row of the id that is in the
// first column, and where neither has a value of a field what P6 asks for.
func (t *xerTable) row(v values, asked ...values) {
	t.begin()
	fields := make([]string, 1, 1+len(t.columns)+len(t.extra))
	fields[0] = "%R"
	id := v[t.columns[0]]
	for _, c := range t.columns {
		fields = append(fields, escaped.Replace(t.text(strings.ToLower(t.name), id, v[c])))
	}
	var left []string
	if t.Format == XER {
		left = t.left[t.name].of(id)
	}
	for i, c := range t.extra {
		s := ""
		if i < len(left) {
			s = left[i]
		}
		if own, ok := v[c]; ok {
			s = own
		}
		for _, a := range asked {
			s = cmp.Or(s, escaped.Replace(t.text(strings.ToLower(t.name), id, a[c])))
		}
		fields = append(fields, s)
	}
	t.line(fields...)
}

// decimal is a number with the decimal symbol of the file.
func (x *xerWriter) decimal(n float64) string {
	s := decimal(n)
	if x.comma {
		s = strings.Replace(s, ".", ",", 1)
	}
	return s
}

// hours are seconds as hours.
func (x *xerWriter) hours(seconds int64) string { return x.decimal(float64(seconds) / worktime.Hour) }

// time is one as P6 writes it, which knows no seconds.
func (x *xerWriter) time(kind, id string, t worktime.Time) string {
	if t == 0 {
		return ""
	}
	if t%worktime.Minute != 0 {
		x.lose(kind, id, "The seconds of its times are left out.")
	}
	s := t.String()
	return s[:10] + " " + s[11:16]
}

func yes(b bool) string {
	if b {
		return "Y"
	}
	return "N"
}

// projectRows writes the projects and, as their own projects, their baselines: P6 has no
// other form of these.
func (x *xerWriter) projectRows() {
	t := x.table("PROJECT")
	current := make(map[string]string)
	for i := range x.Baselines {
		if b := &x.Baselines[i]; b.Current {
			current[b.ProjectID] = x.projects.of(x.baselineID(b, b.ID))
		}
	}
	for i := range x.Projects {
		p := &x.Projects[i]
		path := "CT_TotFloat"
		if p.LongestPath {
			path = "CT_DrivPath"
		}
		t.row(values{
			"proj_id": x.projects.of(p.ID), "proj_short_name": cmp.Or(p.Code, p.Name), "guid": p.ExternalID,
			"clndr_id":        x.calendars.of(p.CalendarID),
			"plan_start_date": x.time("project", p.ID, p.Start), "last_recalc_date": x.time("project", p.ID,
				p.DataDate),
			"plan_end_date": x.time("project", p.ID, p.MustFinish), "critical_drtn_hr_cnt": x.hours(p.Critical),
			"critical_path_type": path,
			"sum_base_proj_id":   current[p.ID],
		})
	}
	for i := range x.Baselines {
		b := &x.Baselines[i]
		t.row(values{
			"proj_id": x.projects.of(x.baselineID(b, b.ID)), "proj_short_name": cmp.Or(b.Code, b.Name),
			"orig_proj_id":     x.projects.of(b.ProjectID),
			"last_recalc_date": x.time("baseline", b.ID, b.DataDate),
		})
	}
}

// xerLags are the calendars of lags by how P6 calls them.
var xerLags = map[cpm.LagCalendar]string{
	cpm.LagByProfile: "rcal_Predecessor", cpm.LagOfPredecessor: "rcal_Predecessor",
	cpm.LagOfSuccessor: "rcal_Successor",
	cpm.LagOfProject:   "rcal_ProjDefault", cpm.LagElapsed: "rcal_24Hour",
}

// optionRows writes how each project is scheduled.
func (x *xerWriter) optionRows() {
	t := x.table("SCHEDOPTIONS")
	for i := range x.Projects {
		p := &x.Projects[i]
		outside := "SD_Both"
		if p.IgnoreExternal {
			outside = "SD_None"
		}
		t.row(values{
			"proj_id": x.projects.of(p.ID), "sched_retained_logic": yes(p.Progress == cpm.RetainedLogic),
			"sched_progress_override":              yes(p.Progress == cpm.ProgressOverride),
			"sched_calendar_on_relationship_lag":   xerLags[p.Lag],
			"sched_open_critical_flag":             yes(p.OpenEndsCritical),
			"sched_use_project_end_date_for_float": yes(!p.Together),
			"sched_use_expect_end_flag":            yes(!p.IgnoreExpected), "sched_outer_depend_type": outside,
			"sched_float_type": xerFloatNames[p.Float],
		})
	}
}

// nodeRows writes the WBS. P6 wants a node that stands for each project, which plans of
// other formats do not have.
func (x *xerWriter) nodeRows() {
	t := x.table("PROJWBS")
	if x.Format != XER {
		for i := range x.Projects {
			p := &x.Projects[i]
			if x.rooted[p.ID] {
				continue
			}
			t.row(values{
				"wbs_id": x.roots[p.ID], "proj_id": x.projects.of(p.ID), "proj_node_flag": "Y",
				"wbs_short_name": cmp.Or(p.Code, p.Name), "wbs_name": p.Name,
			})
		}
	}
	for i := range x.Tasks {
		n := &x.Tasks[i]
		if n.Kind != cpm.Summary {
			continue
		}
		parent := x.node(n.ParentID)
		if n.ParentID == "" && x.Format != XER && x.node(n.ID) != x.roots[n.ProjectID] {
			parent = x.roots[n.ProjectID]
		}
		t.row(values{
			"wbs_id": x.node(n.ID), "proj_id": x.projects.of(n.ProjectID), "parent_wbs_id": parent,
			"wbs_short_name": n.Code,
			"wbs_name":       n.Name,
			"guid":           n.ExternalID, "proj_node_flag": yes(x.node(n.ID) == x.roots[n.ProjectID]),
		})
		x.nodeLoses(n)
	}
	for i := range x.Baselines {
		b := &x.Baselines[i]
		root := x.nodes.next()
		x.roots["baseline "+b.ID] = root
		t.row(values{
			"wbs_id": root, "proj_id": x.projects.of(x.baselineID(b, b.ID)), "proj_node_flag": "Y",
			"wbs_short_name": cmp.Or(b.Code, b.Name), "wbs_name": b.Name,
		})
	}
}

// taskRows writes the activities, and those of baselines with the projects that these are.
func (x *xerWriter) taskRows() {
	t := x.table("TASK", "duration_type")
	for i := range x.Baselines {
		if slices.ContainsFunc(x.Baselines[i].Tasks, func(b BaselineTask) bool { return b.Work != 0 }) {
			t = x.table("TASK", "duration_type", "target_work_qty")
		}
	}
	t.begin() // without this table a file is no plan
	assigned := make(map[string]bool)
	for i := range x.Assignments {
		assigned[x.Assignments[i].TaskID] = true
	}
	for i := range x.Tasks {
		if n := &x.Tasks[i]; n.Kind != cpm.Summary {
			t.row(x.taskRow(i, assigned[n.ID]), values{"duration_type": x.durationType(n)})
		}
	}
	for i := range x.Baselines {
		b := &x.Baselines[i]
		for at := range b.Tasks {
			t.row(x.baselineRow(b, &b.Tasks[at]), values{"duration_type": "DT_FixedDUR2"})
		}
	}
}

var (
	xerStates          = map[Status]string{Planned: "TK_NotStart", Started: "TK_Active", Finished: "TK_Complete"}
	xerConstraintNames = inverse(xerConstraints)
	xerLinkNames       = inverse(xerLinks)
	xerResourceNames   = inverse(xerResources)
)

// taskRow makes the row of the TASK table for the task at a place of the plan. assigned
// reports whether a resource works at it.
func (x *xerWriter) taskRow(place int, assigned bool) values {
	t := &x.Tasks[place]
	start, finish := x.planned(place)
	at := func(time worktime.Time) string { return x.time("task", t.ID, time) }
	v := values{
		"task_id": x.tasks.of(t.ID), "proj_id": x.projects.of(t.ProjectID), "wbs_id": x.node(t.ParentID),
		"clndr_id":  x.calendarOf(t),
		"task_code": t.Code, "task_type": x.kind(t, assigned), "status_code": xerStates[t.Status()],
		"complete_pct_type": "CP_Drtn", "priority_type": "PT_" +
			x.priority(t), "phys_complete_pct": x.decimal(t.Physical), "target_drtn_hr_cnt": x.hours(t.Planned),
		"remain_drtn_hr_cnt": x.hours(t.Remaining), "act_start_date": at(t.ActualStart),
		"act_end_date": at(t.ActualFinish),
		"suspend_date": at(t.Suspend), "resume_date": at(t.Resume), "expect_end_date": at(t.ExpectedFinish),
		"external_early_start_date": at(t.ExternalStart), "external_late_end_date": at(t.ExternalFinish),
		"early_start_date": at(t.File.EarlyStart),
		"early_end_date":   at(t.File.EarlyFinish), "late_start_date": at(t.File.LateStart),
		"late_end_date":     at(t.File.LateFinish),
		"target_start_date": at(start), "target_end_date": at(finish),
	}
	t.writeTexts(inXER, v)
	switch t.PercentOf {
	case OfUnits:
		v["complete_pct_type"] = "CP_Units"
	case OfPhysical:
		v["complete_pct_type"] = "CP_Phys"
	}
	if t.Status() == Planned {
		v["remain_drtn_hr_cnt"] = x.hours(t.Duration)
	}
	for i, c := range t.Constraints[:min(len(t.Constraints), 2)] {
		suffix := []string{"", "2"}[i]
		v["cstr_type"+suffix], v["cstr_date"+suffix] = xerConstraintNames[c.Type], at(c.Date)
	}
	for name, float := range map[string]*int64{
		"total_float_hr_cnt": t.File.TotalFloat, "free_float_hr_cnt": t.File.FreeFloat,
	} {
		if float != nil {
			v[name] = x.hours(*float)
		}
	}
	if t.File.DrivingPath != nil {
		v["driving_path_flag"] = yes(*t.File.DrivingPath)
	}
	x.place(t, v)
	x.computed(t, v, at)
	x.taskLoses(t)
	x.shownLoses(t)
	return v
}

// place puts a task that is not from an XER below its project.
func (x *xerWriter) place(t *Task, v values) {
	if x.Format != XER && t.ParentID == "" {
		v["wbs_id"] = x.roots[t.ProjectID]
	}
}

// computed makes the dates that P6 shows the ones of the task, where nothing else says
// them.
func (x *xerWriter) computed(t *Task, v values, at func(worktime.Time) string) {
	if v["act_start_date"] == "" && v["early_start_date"] == "" && v["target_start_date"] == "" {
		v["target_start_date"] = at(t.File.Start)
	}
	finish := x.finish(t)
	if v["act_end_date"] == "" && v["early_end_date"] == "" && v[finish] == "" && t.File.Finish != 0 {
		v[finish] = at(t.File.Finish)
	}
	start := first(v["act_start_date"], v["early_start_date"], v["target_start_date"])
	shown := first(v["act_end_date"], v["early_end_date"], v[finish])
	if start != at(t.File.Start) || shown != at(t.File.Finish) {
		x.lose("task", t.ID, "It is shown at its early dates, and not where the tool put it.")
	}
}

// finish is the field that says when a task ends if no other one does: once it has begun
// what was planned does not, and the finish of its remaining work is where P6 has it.
func (x *xerWriter) finish(t *Task) string {
	if t.Status() == Planned {
		return "target_end_date"
	}
	if left := x.left["TASK"]; left != nil && x.Format == XER && slices.Contains(left.fields, "reend_date") {
		return "reend_date"
	}
	return "early_end_date"
}

// shownLoses names what an XER does not have of a task, and P6 finds out.
func (x *xerWriter) shownLoses(t *Task) {
	if t.File.Critical != nil {
		x.lose("task", t.ID, "Whether it is critical is left out: P6 finds that out.")
	}
	if x.Format != XER && math.Abs(t.Percent-t.percent(0, 0)) > 1 {
		x.lose("task", t.ID, "Its percent complete is that of its duration.")
	}
}

// baselineRow makes the row of the TASK table for a task of a baseline, which P6 keeps in a
// project of its own.
func (x *xerWriter) baselineRow(b *Baseline, t *BaselineTask) values {
	v := values{
		"task_id": x.tasks.of(x.baselineID(b, t.ID)), "proj_id": x.projects.of(x.baselineID(b, b.ID)),
		"wbs_id":    x.roots["baseline "+b.ID],
		"task_code": t.Code, "task_name": t.Name, "guid": t.ExternalID, "status_code": "TK_NotStart",
		"task_type":          "TT_Task",
		"target_drtn_hr_cnt": x.hours(t.Duration), "remain_drtn_hr_cnt": x.hours(t.Duration),
		"target_start_date": x.time("baseline", b.ID, t.Start), "target_end_date": x.time("baseline", b.ID, t.Finish),
	}
	if t.TotalFloat != nil {
		v["total_float_hr_cnt"] = x.hours(*t.TotalFloat)
	}
	if t.Work != 0 {
		v["target_work_qty"] = x.decimal(t.Work)
	}
	return v
}

// linkRows writes the links of the plan and of its baselines. P6 links activities alone.
func (x *xerWriter) linkRows() {
	t := x.table("TASKPRED")
	row := func(id, from, to string, typ cpm.LinkType, lag int64, fromProject, toProject string) {
		t.row(values{
			"task_pred_id": id, "task_id": to, "pred_task_id": from, "pred_type": xerLinkNames[typ],
			"lag_hr_cnt": x.hours(lag),
			"proj_id":    x.projects.of(toProject), "pred_proj_id": x.projects.of(fromProject),
		})
	}
	for i := range x.Links {
		l := &x.Links[i]
		from, to := x.tasks.of(l.PredecessorID), x.tasks.of(l.SuccessorID)
		if from == "" || to == "" {
			x.lose("link", l.ID, "It is left out: P6 has no links of nodes of the WBS.")
			continue
		}
		if l.Percent {
			x.lose("link", l.ID, "Its lag is so many hours, and no share of a duration.")
		}
		if l.Elapsed {
			x.lose("link", l.ID, "Its lag is one of working time.")
		}
		row(
			x.links.of(l.ID), from, to, l.Type, x.lag(l, x.durations), x.projectOf[l.PredecessorID],
			x.projectOf[l.SuccessorID],
		)
	}
	for i := range x.Baselines {
		b := &x.Baselines[i]
		for at := range b.Links {
			l := &b.Links[at]
			project := x.baselineID(b, b.ID)
			row(
				x.links.of(x.baselineID(b, l.ID)), x.tasks.of(x.baselineID(b, l.PredecessorID)),
				x.tasks.of(x.baselineID(b, l.SuccessorID)), l.Type, l.Lag, project, project,
			)
		}
	}
}
