package planner

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// xerTables are the tables that are read.
var xerTables = map[string]func(*xer, *row){
	"PROJECT": (*xer).project, "SCHEDOPTIONS": (*xer).options, "CALENDAR": (*xer).calendar, "PROJWBS": (*xer).node,
	"TASK": (*xer).task, "TASKPRED": (*xer).link, "RSRC": (*xer).resource, "RSRCRATE": (*xer).rate,
	"TASKRSRC": (*xer).assignment,
	"ACTVTYPE": (*xer).taskCode, "ACTVCODE": (*xer).taskCodeValue, "TASKACTV": (*xer).taskCodeOf,
	"RCATTYPE": (*xer).resourceCode, "RCATVAL": (*xer).resourceCodeValue, "RSRCRCAT": (*xer).resourceCodeOf,
	"PCATTYPE": (*xer).projectCode, "PCATVAL": (*xer).projectCodeValue, "PROJPCAT": (*xer).projectCodeOf,
	"UDFTYPE": (*xer).userField, "UDFVALUE": (*xer).value, "ACCOUNT": (*xer).account, "PROJCOST": (*xer).expense,
	"TASKPROC": (*xer).step, "UMEASURE": (*xer).unit,
	"MEMOTYPE": (*xer).topic, "TASKMEMO": (*xer).taskMemo, "WBSMEMO": (*xer).nodeMemo, "PROJMEMO": (*xer).projectMemo,
}

// xerColumns are the fields of the tables that are read, that of the id first, in the
// order in which they are written.
var xerColumns = map[string][]string{
	"PROJECT": {
		"proj_id", "proj_short_name", "guid", "clndr_id", "plan_start_date", "last_recalc_date", "plan_end_date",
		"critical_drtn_hr_cnt",
		"critical_path_type", "sum_base_proj_id", "orig_proj_id",
	},
	"SCHEDOPTIONS": {
		"proj_id", "sched_retained_logic", "sched_progress_override", "sched_calendar_on_relationship_lag",
		"sched_open_critical_flag",
		"sched_use_project_end_date_for_float", "sched_use_expect_end_flag", "sched_outer_depend_type",
		"sched_float_type",
	},
	"CALENDAR": {"clndr_id", "clndr_name", "base_clndr_id", "clndr_data"},
	"PROJWBS":  {"wbs_id", "proj_id", "parent_wbs_id", "proj_node_flag", "wbs_short_name", "wbs_name", "guid"},
	"TASK": withTaskTexts(
		"task_id", "proj_id", "wbs_id", "clndr_id", "task_code", "task_name", "task_type", "status_code",
		"complete_pct_type", "phys_complete_pct", "priority_type",
		"target_drtn_hr_cnt", "remain_drtn_hr_cnt", "act_start_date", "act_end_date", "cstr_type", "cstr_date",
		"cstr_type2",
		"cstr_date2",
		"suspend_date", "resume_date", "expect_end_date", "external_early_start_date", "external_late_end_date",
		"early_start_date",
		"early_end_date", "late_start_date", "late_end_date", "target_start_date", "target_end_date",
		"total_float_hr_cnt",
		"free_float_hr_cnt", "driving_path_flag", "guid",
	),
	"TASKPRED": {"task_pred_id", "task_id", "pred_task_id", "proj_id", "pred_proj_id", "pred_type", "lag_hr_cnt"},
	"RSRC": {
		"rsrc_id", "parent_rsrc_id", "clndr_id", "rsrc_short_name", "rsrc_name", "rsrc_type", "guid", "email_addr",
		"rsrc_notes", "unit_id",
	},
	"RSRCRATE": {
		"rsrc_rate_id", "rsrc_id", "start_date", "max_qty_per_hr", "cost_per_qty", "cost_per_qty2", "cost_per_qty3",
		"cost_per_qty4", "cost_per_qty5",
	},
	"TASKRSRC": {
		"taskrsrc_id", "task_id", "proj_id", "rsrc_id", "acct_id", "guid", "target_qty", "act_reg_qty", "act_ot_qty",
		"remain_qty",
		"target_qty_per_hr", "target_lag_drtn_hr_cnt", "target_cost", "act_reg_cost", "act_ot_cost", "remain_cost",
		"act_start_date", "act_end_date",
		"restart_date", "reend_date",
	},
	"ACTVTYPE": {"actv_code_type_id", "actv_code_type", "actv_code_type_scope", "proj_id"},
	"ACTVCODE": {"actv_code_id", "parent_actv_code_id", "actv_code_type_id", "short_name", "actv_code_name", "color"},
	"TASKACTV": {"task_id", "actv_code_type_id", "actv_code_id", "proj_id"},
	"RCATTYPE": {"rsrc_catg_type_id", "rsrc_catg_type"},
	"RCATVAL":  {"rsrc_catg_id", "rsrc_catg_type_id", "parent_rsrc_catg_id", "rsrc_catg_short_name", "rsrc_catg_name"},
	"RSRCRCAT": {"rsrc_id", "rsrc_catg_type_id", "rsrc_catg_id"},
	"PCATTYPE": {"proj_catg_type_id", "proj_catg_type"},
	"PCATVAL":  {"proj_catg_id", "proj_catg_type_id", "parent_proj_catg_id", "proj_catg_short_name", "proj_catg_name"},
	"PROJPCAT": {"proj_id", "proj_catg_type_id", "proj_catg_id"},
	"UDFTYPE":  {"udf_type_id", "table_name", "udf_type_name", "udf_type_label", "logical_data_type"},
	"UDFVALUE": {"udf_type_id", "fk_id", "proj_id", "udf_date", "udf_number", "udf_text", "udf_code_id"},
	"ACCOUNT":  {"acct_id", "parent_acct_id", "acct_short_name", "acct_name", "acct_descr"},
	"PROJCOST": {
		"cost_item_id", "task_id", "proj_id", "acct_id", "cost_name", "cost_descr", "vendor_name", "target_cost",
		"act_cost", "remain_cost",
	},
	"MEMOTYPE": {"memo_type_id", "memo_type"},
	"UMEASURE": {"unit_id", "seq_num", "unit_abbrev", "unit_name"},
	"TASKPROC": {
		"proc_id", "task_id", "proj_id", "seq_num", "proc_name", "proc_descr", "complete_flag", "proc_wt",
		"complete_pct",
	},
	"TASKMEMO": {"memo_id", "task_id", "memo_type_id", "proj_id", "task_memo"},
	"WBSMEMO":  {"wbs_memo_id", "wbs_id", "memo_type_id", "proj_id", "wbs_memo"},
	"PROJMEMO": {"proj_memo_id", "proj_id", "memo_type_id", "proj_memo"},
}

// keyless are the tables whose rows get new ids, or have none.
var keyless = map[string]bool{
	"RSRCRATE": true, "TASKACTV": true, "RSRCRCAT": true, "PROJPCAT": true, "UDFVALUE": true, "TASKMEMO": true,
	"WBSMEMO": true, "PROJMEMO": true,
	"MEMOTYPE": true, "TASKPROC": true, "UMEASURE": true,
}

// project reads a project. It may be a baseline of another, by what either has of the
// other; baselines are split off when all are known.
func (x *xer) project(r *row) {
	p := Project{
		ID: r.get("proj_id"), Code: r.get("proj_short_name"), Name: r.get("proj_short_name"),
		ExternalID: r.get("guid"), CalendarID: r.get("clndr_id"),
	}
	f := x.fields("project", p.ID, r)
	p.LongestPath = pathTypes.of(&f, "critical_path_type")
	f.time(&p.Start, "plan_start_date")
	f.time(&p.DataDate, "last_recalc_date")
	f.time(&p.MustFinish, "plan_end_date")
	f.hours(&p.Critical, "critical_drtn_hr_cnt")
	x.Projects = append(x.Projects, p)
	if base := r.get("sum_base_proj_id"); base != "" && base != p.ID {
		x.baseOf[base], x.current[base] = p.ID, true
	}
	if of := r.get("orig_proj_id"); of != "" && of != p.ID && x.baseOf[p.ID] == "" {
		x.baseOf[p.ID] = of
	}
}

// options keeps how a project is scheduled until the project is known: P6 has a separate
// table for it.
func (x *xer) options(r *row) { x.schedule[r.get("proj_id")] = r }

// schedulesBy is how a project is scheduled, where the file has it.
func (p *Project) schedulesBy(f *fields) {
	retained, said := f.truth("sched_retained_logic")
	switch override := f.holds("sched_progress_override"); {
	case retained:
	case override:
		p.Progress = cpm.ProgressOverride
	case said:
		p.Progress = cpm.ActualDates
	}
	p.Lag = lagCalendars.of(f, "sched_calendar_on_relationship_lag")
	f.flag(&p.OpenEndsCritical, "sched_open_critical_flag")
	together, expected := true, true
	f.flag(&together, "sched_use_project_end_date_for_float")
	f.flag(&expected, "sched_use_expect_end_flag")
	p.Together, p.IgnoreExpected = !together, !expected
	p.IgnoreExternal = externalLinks.of(f, "sched_outer_depend_type")
}

// node reads a node of the WBS. The one that stands for the project gives it its name.
func (x *xer) node(r *row) {
	t := Task{
		ID: nodeID(r.get("wbs_id")), ExternalID: r.get("guid"), TemplateID: r.get("tmpl_guid"),
		Code: r.get("wbs_short_name"),
		Name: r.get("wbs_name"), ProjectID: r.get("proj_id"), Kind: cpm.Summary,
	}
	f := x.fields("node of the WBS", t.ID, r)
	if f.holds("proj_node_flag") {
		for i := range x.Projects {
			if x.Projects[i].ID == t.ProjectID {
				x.Projects[i].Name = t.Name
			}
		}
	} else {
		t.ParentID = nodeID(r.get("parent_wbs_id"))
	}
	x.nodes = appended(x.nodes, t)
}

// nodeID keeps the ids of nodes apart from those of tasks.
func nodeID(id string) string { return prefixed("wbs-", id) }

// prefixed is an id that differs from those of other items of a kind.
func prefixed(prefix, id string) string {
	if id == "" {
		return ""
	}
	return prefix + id
}

// The ids of codes of resources and of projects, and of their values, begin so.
const (
	ofResource = "rsrc-"
	ofProject  = "proj-"
)

// task reads an activity. Durations are in hours, and dates in the local time of the
// project.
func (x *xer) task(r *row) {
	x.rows++
	t := Task{
		ID: r.get("task_id"), TemplateID: r.get("tmpl_guid"), Code: r.get("task_code"), ProjectID: r.get("proj_id"),
		ParentID: nodeID(r.get("wbs_id")), CalendarID: r.get("clndr_id"),
	}
	t.readTexts(inXER, r.get)
	f := x.fields("task", t.ID, r)
	t.is(taskTypes.of(&f, "task_type"))
	t.PercentOf = percentTypes.of(&f, "complete_pct_type")
	t.Priority = given(priorities.of(&f, "priority_type"))
	f.hours(&t.Planned, "target_drtn_hr_cnt")
	f.hours(&t.Remaining, "remain_drtn_hr_cnt")
	f.number(&t.Physical, "phys_complete_pct")
	var start, finish worktime.Time
	f.time(&start, "act_start_date")
	f.time(&finish, "act_end_date")
	t.progress(statuses.of(&f, "status_code"), start, finish)
	f.constrained(&t, constraintTypes, "cstr_type", "cstr_date")
	f.constrained(&t, constraintTypes, "cstr_type2", "cstr_date2")
	f.time(&t.Suspend, "suspend_date")
	f.time(&t.Resume, "resume_date")
	f.time(&t.ExpectedFinish, "expect_end_date")
	f.time(&t.ExternalStart, "external_early_start_date")
	f.time(&t.ExternalFinish, "external_late_end_date")
	f.dates(&t, start, finish)
	var work float64
	if f.number(&work, "target_work_qty"); work != 0 {
		x.work[t.ID] = work
	}
	x.Tasks = appended(x.Tasks, t)
}

// is makes the task one of a type of P6.
func (t *Task) is(typ taskType) {
	t.Kind, t.WBSSummary, t.ResourceCalendars = typ.kind, typ.wbs, typ.usingResources
}

// progress is how far P6 says that a task is, whose planned and remaining durations are read. A
// task that has not begun has no actual dates, whatever the file says.
func (t *Task) progress(begun bool, start, finish worktime.Time) {
	if t.Kind == cpm.StartMilestone || t.Kind == cpm.FinishMilestone {
		t.Planned, t.Remaining = 0, 0
	}
	if t.Duration = t.Planned; !begun {
		t.Duration = t.Remaining // what P6 schedules
		return
	}
	t.ActualStart, t.ActualFinish = cmp.Or(start, finish), finish // a milestone may have the one alone
}

// dates reads what P6 has computed of a task with these actual dates. The planned finish
// says when a task ends only until it begins: from then on reend_date, the finish of the
// remaining work, does.
func (f *fields) dates(t *Task, start, finish worktime.Time) {
	d, end := &t.File, worktime.Time(0)
	f.time(&d.EarlyStart, "early_start_date")
	f.time(&d.EarlyFinish, "early_end_date")
	f.time(&d.LateStart, "late_start_date")
	f.time(&d.LateFinish, "late_end_date")
	f.time(&d.PlannedStart, "target_start_date")
	f.time(&d.PlannedFinish, "target_end_date")
	if f.time(&end, "reend_date"); t.Status() == Planned {
		end = d.PlannedFinish
	}
	d.Start = cmp.Or(start, d.EarlyStart, d.PlannedStart)
	d.Finish = cmp.Or(finish, d.EarlyFinish, end)
	f.float(&d.TotalFloat, "total_float_hr_cnt")
	f.float(&d.FreeFloat, "free_float_hr_cnt")
	f.known(&d.DrivingPath, "driving_path_flag")
}

func first(values ...string) string { return cmp.Or(values...) }

// constrained adds a constraint to a task, if it is one. One without a date is none, but for that
// which needs none.
func (f *fields) constrained(t *Task, types *vocabulary[cpm.ConstraintType], typ, date string) {
	c := cpm.Constraint{Type: types.of(f, typ)}
	f.time(&c.Date, date)
	switch {
	case c.Type == 0:
	case c.Date != 0 || c.Type == cpm.AsLateAsPossible:
		t.Constraints = append(t.Constraints, c)
	default:
		f.warn(f.what(), "Its constraint is left out: it has no date.")
	}
}

// link reads a relationship, whose lag is in hours.
func (x *xer) link(r *row) {
	l := Link{ID: r.get("task_pred_id"), PredecessorID: r.get("pred_task_id"), SuccessorID: r.get("task_id")}
	f := x.fields("link", l.ID, r)
	l.Type = linkTypes.of(&f, "pred_type")
	f.hours(&l.Lag, "lag_hr_cnt")
	x.Links = appended(x.Links, l)
}

// resource reads a resource of the pool, which all projects share.
func (x *xer) resource(r *row) {
	one := Resource{
		ID: r.get("rsrc_id"), ExternalID: r.get("guid"), Code: r.get("rsrc_short_name"), Name: r.get("rsrc_name"),
		Email:      r.get("email_addr"),
		CalendarID: r.get("clndr_id"), ParentID: r.get("parent_rsrc_id"),
		Unit: r.get("unit_id"), // until all are known
	}
	f := x.fields("resource", one.ID, r)
	one.Type = resourceTypes.of(&f, "rsrc_type")
	if n, ok := x.note("resource "+one.ID, "", r.get("rsrc_notes")); ok {
		one.Notes = []Note{n}
	}
	x.Resources = append(x.Resources, one)
}

// unit reads a unit in which material is counted.
func (x *xer) unit(r *row) {
	x.units[r.get("unit_id")] = cmp.Or(r.get("unit_abbrev"), r.get("unit_name"))
}

// rate reads what a resource costs from a time on, by up to five tables of prices.
func (x *xer) rate(r *row) {
	rate, resource := Rate{}, r.get("rsrc_id")
	f := x.fields("rate of resource", resource, r)
	f.time(&rate.From, "start_date")
	f.number(&rate.MaxUnits, "max_qty_per_hr")
	x.attached.rates[resource] = append(x.attached.rates[resource], f.prices(rate, "cost_per_qty")...)
}

// prices are a rate for each table that has a price, and for the first where none has.
func (f *fields) prices(rate Rate, name string) (rates []Rate) {
	first := false
	for i, suffix := range []string{"", "2", "3", "4", "5"} {
		if price, name := f.text(name + suffix); price != "" || i == 0 {
			rate.Table, rate.Price = i, 0
			if first = first || i == 0 && price != ""; price != "" {
				f.decimal(&rate.Price, name, price)
			}
			rates = append(rates, rate)
		}
	}
	if len(rates) > 1 && !first {
		return rates[1:]
	}
	return rates
}

// assignment reads the work of a resource on an activity.
func (x *xer) assignment(r *row) {
	a := Assignment{
		ID: r.get("taskrsrc_id"), TaskID: r.get("task_id"), ResourceID: r.get("rsrc_id"), ExternalID: r.get("guid"),
		AccountID: r.get("acct_id"),
	}
	if a.ResourceID == "" {
		x.warn("assignment "+a.ID, "It is left out: it is of a role, and of no resource.")
		return
	}
	f := x.fields("assignment", a.ID, r)
	f.number(&a.Units, "target_qty")
	f.sum(&a.ActualUnits, "act_reg_qty", "act_ot_qty")
	f.number(&a.RemainingUnits, "remain_qty")
	f.number(&a.UnitsPerTime, "target_qty_per_hr")
	f.hours(&a.Delay, "target_lag_drtn_hr_cnt")
	f.number(&a.Costs.Planned, "target_cost")
	f.sum(&a.Costs.Actual, "act_reg_cost", "act_ot_cost")
	f.number(&a.Costs.Remaining, "remain_cost")
	f.time(&a.ActualStart, "act_start_date")
	f.time(&a.ActualFinish, "act_end_date")
	if a.Start = a.ActualStart; a.Start == 0 {
		f.time(&a.Start, "restart_date", "target_start_date")
	}
	if a.Finish = a.ActualFinish; a.Finish == 0 {
		f.time(&a.Finish, "reend_date", "target_end_date")
	}
	x.Assignments = appended(x.Assignments, a)
}

// currency takes up how numbers are written: as the currency of the database has it, which the
// first line names, or else as all have it.
func (x *xer) currency(r *row) {
	point, group := r.get("decimal_symbol"), r.get("digit_group_symbol")
	if len(point) != 1 {
		return
	}
	is := notation{point: point[0]}
	if len(group) == 1 && group != point {
		is.group = group[0]
	}
	switch named := x.money != "" && strings.EqualFold(r.get("curr_short_name"), x.money); {
	case named, !x.moneyed:
		x.notation, x.moneyNamed = is, named
	case !x.moneyNamed && is != x.notation:
		x.notation = notation{}
	}
	x.moneyed = true
}

// finish puts together what was read.
func (x *xer) finish() {
	x.attach()
	for i := range x.Projects {
		p := &x.Projects[i]
		if r := x.schedule[p.ID]; r != nil {
			f := x.fields("project", p.ID, r)
			p.schedulesBy(&f)
			p.Float = floatTypes.of(&f, "sched_float_type")
		} else {
			p.Lag = lagCalendars.usual
		}
		p.CodeValueIDs, p.Values, p.Notes = x.attached.projectCodes[p.ID], x.attached.projectValues[p.ID], x.notes(
			"project "+p.ID, x.attached.projectNotes[p.ID],
		)
	}
	x.Tasks = slices.Insert(x.Tasks, 0, x.nodes...)
	for i := range x.Tasks {
		t := &x.Tasks[i]
		t.CodeValueIDs, t.Values, t.Notes = x.attached.codes[t.ID], x.attached.values[t.ID], x.notes(
			"task "+t.ID, x.attached.notes[t.ID],
		)
		t.Steps = stepsOf(x.attached.steps[t.ID])
	}
	for i := range x.Resources {
		r := &x.Resources[i]
		r.Unit = x.units[r.Unit]
		r.CodeValueIDs, r.Values = x.attached.resourceCodes[r.ID], x.attached.resourceValues[r.ID]
		if r.Rates = x.attached.rates[r.ID]; len(r.Rates) > 0 {
			sortRates(r.Rates)
		}
	}
	x.splitBaselines(x.baseOf, x.current, x.work)
	x.clean()
	x.sumUp()
	x.prune()
}

// prune leaves out what is left of items that are left out, and puts the tables in order.
func (x *xer) prune() {
	tasks, links := ids(
		x.Tasks, func(t *Task) string { return strings.TrimPrefix(t.ID, "wbs-") },
	), ids(x.Links, func(l *Link) string { return l.ID })
	projects := ids(x.Projects, func(p *Project) string { return p.ID })
	options := maps.Clone(projects)
	for i := range x.Baselines {
		b := &x.Baselines[i]
		projects[b.ID] = true
		maps.Copy(tasks, ids(b.Tasks, func(t *BaselineTask) string { return t.ID }))
		maps.Copy(links, ids(b.Links, func(l *Link) string { return l.ID }))
	}
	code := ids(x.Codes, func(c *Code) string { return bare(c.ID) })
	value := ids(x.CodeValues, func(v *CodeValue) string { return bare(v.ID) })
	known := map[string]map[string]bool{
		"PROJECT": projects, "SCHEDOPTIONS": options, "CALENDAR": ids(x.Calendars,
			func(c *Calendar) string { return c.ID }),
		"PROJWBS": tasks, "TASK": tasks, "TASKPRED": links,
		"RSRC":     ids(x.Resources, func(r *Resource) string { return r.ID }),
		"TASKRSRC": ids(x.Assignments, func(a *Assignment) string { return a.ID }), "ACTVTYPE": code, "RCATTYPE": code,
		"PCATTYPE": code,
		"ACTVCODE": value, "RCATVAL": value, "PCATVAL": value,
		"UDFTYPE":  ids(x.UserFields, func(f *UserField) string { return f.ID }),
		"ACCOUNT":  ids(x.Accounts, func(a *Account) string { return a.ID }),
		"PROJCOST": ids(x.Expenses, func(e *Expense) string { return e.ID }),
	}
	x.Plan.prune(known)
	x.Tables = nothing(
		slices.DeleteFunc(x.Tables, func(t Table) bool { return len(t.Rows) == 0 && xerTables[t.Name] != nil }),
	)
	slices.SortStableFunc(x.Tables, func(a, b Table) int { return cmp.Compare(a.Name, b.Name) })
}

// prune leaves out the rows of tables whose ids are not known.
func (p *Plan) prune(known map[string]map[string]bool) {
	for i := range p.Tables {
		t := &p.Tables[i]
		if ids := known[t.Name]; ids != nil {
			t.Rows = keep(t.Rows, func(row *string) bool {
				id, _, _ := strings.Cut(*row, "\t")
				return ids[id]
			})
		}
	}
}

// sortRates puts rates in the order of their tables and days.
func sortRates(all []Rate) {
	slices.SortStableFunc(all, func(a, b Rate) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.From, b.From))
	})
}
