package planner

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// xerTables are the tables that are read.
var xerTables = map[string]func(*xer, row) error{
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
	},
	"CALENDAR": {"clndr_id", "clndr_name", "base_clndr_id", "clndr_data"},
	"PROJWBS":  {"wbs_id", "proj_id", "parent_wbs_id", "proj_node_flag", "wbs_short_name", "wbs_name", "guid"},
	"TASK": withTaskTexts(
		"task_id", "proj_id", "wbs_id", "clndr_id", "task_code", "task_name", "task_type", "status_code",
		"complete_pct_type", "phys_complete_pct", "priority_type",
		"target_drtn_hr_cnt", "remain_drtn_hr_cnt", "act_start_date", "act_end_date", "cstr_type", "cstr_date", "cstr_type2",
		"cstr_date2",
		"suspend_date", "resume_date", "expect_end_date", "external_early_start_date", "external_late_end_date",
		"early_start_date",
		"early_end_date", "late_start_date", "late_end_date", "target_start_date", "target_end_date", "total_float_hr_cnt",
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
		"proc_id", "task_id", "proj_id", "seq_num", "proc_name", "proc_descr", "complete_flag", "proc_wt", "complete_pct",
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
func (x *xer) project(r row) error {
	p := Project{
		ID: r.get("proj_id"), Code: r.get("proj_short_name"), Name: r.get("proj_short_name"),
		ExternalID: r.get("guid"), CalendarID: r.get("clndr_id"),
	}
	p.LongestPath = r.get("critical_path_type") == "CT_DrivPath"
	var f fields
	f.time(&p.Start, r.get("plan_start_date"))
	f.time(&p.DataDate, r.get("last_recalc_date"))
	f.time(&p.MustFinish, r.get("plan_end_date"))
	f.hours(&p.Critical, r.get("critical_drtn_hr_cnt"))
	x.Projects = append(x.Projects, p)
	if base := r.get("sum_base_proj_id"); base != "" && base != p.ID {
		x.baseOf[base], x.current[base] = p.ID, true
	}
	if of := r.get("orig_proj_id"); of != "" && of != p.ID && x.baseOf[p.ID] == "" {
		x.baseOf[p.ID] = of
	}
	return f.of("project", p.ID)
}

// options keeps how a project is scheduled until the project is known: P6 has a separate
// table for it.
func (x *xer) options(r row) error {
	x.schedule[r.get("proj_id")] = r
	return nil
}

// schedulesBy is how a project is scheduled, where the file has it.
func (p *Project) schedulesBy(r row) {
	if r.table == nil {
		r.table = &table{}
	}
	switch {
	case r.get("sched_retained_logic") == "Y":
	case r.get("sched_progress_override") == "Y":
		p.Progress = cpm.ProgressOverride
	case r.get("sched_retained_logic") == "N":
		p.Progress = cpm.ActualDates
	}
	switch r.get("sched_calendar_on_relationship_lag") {
	case "rcal_Successor":
		p.Lag = cpm.LagOfSuccessor
	case "rcal_ProjDefault":
		p.Lag = cpm.LagOfProject
	case "rcal_24Hour":
		p.Lag = cpm.LagElapsed
	default:
		p.Lag = cpm.LagOfPredecessor
	}
	p.OpenEndsCritical = r.get("sched_open_critical_flag") == "Y"
	p.Together = r.get("sched_use_project_end_date_for_float") == "N"
	p.IgnoreExpected = r.get("sched_use_expect_end_flag") == "N"
	p.IgnoreExternal = r.get("sched_outer_depend_type") == "SD_None"
}

// node reads a node of the WBS. The one that stands for the project gives it its name.
func (x *xer) node(r row) error {
	t := Task{
		ID: nodeID(r.get("wbs_id")), ExternalID: r.get("guid"), TemplateID: r.get("tmpl_guid"), Code: r.get("wbs_short_name"),
		Name: r.get("wbs_name"), ProjectID: r.get("proj_id"), Kind: cpm.Summary,
	}
	if r.get("proj_node_flag") == "Y" {
		for i := range x.Projects {
			if x.Projects[i].ID == t.ProjectID {
				x.Projects[i].Name = t.Name
			}
		}
	} else {
		t.ParentID = nodeID(r.get("parent_wbs_id"))
	}
	x.nodes = appended(x.nodes, t)
	return nil
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

// xerKinds are the kinds of tasks by how P6 calls them.
var xerKinds = map[string]cpm.Kind{
	"TT_Mile": cpm.StartMilestone, "TT_FinMile": cpm.FinishMilestone, "TT_LOE": cpm.LongHammock, "TT_WBS": cpm.LongHammock,
}

// xerPercents are of what a percent complete is, by how P6 calls it.
var xerPercents = map[string]PercentType{"CP_Units": OfUnits, "CP_Phys": OfPhysical}

// task reads an activity. Durations are in hours, and dates in the local time of the
// project.
func (x *xer) task(r row) error {
	t := Task{
		ID: r.get("task_id"), TemplateID: r.get("tmpl_guid"), Code: r.get("task_code"), ProjectID: r.get("proj_id"),
		ParentID: nodeID(r.get("wbs_id")), Kind: xerKinds[r.get("task_type")], CalendarID: r.get("clndr_id"),
		WBSSummary: r.get("task_type") == "TT_WBS", ResourceCalendars: r.get("task_type") == "TT_Rsrc",
		PercentOf: xerPercents[r.get("complete_pct_type")], Priority: p6Priority(strings.TrimPrefix(r.get("priority_type"), "PT_")),
	}
	t.readTexts(inXER, r.get)
	var f fields
	f.hours(&t.Planned, r.get("target_drtn_hr_cnt"))
	f.hours(&t.Remaining, r.get("remain_drtn_hr_cnt"))
	f.number(&t.Physical, r.get("phys_complete_pct"))
	f.progress(&t, strings.TrimPrefix(r.get("status_code"), "TK_"), r.get("act_start_date"), r.get("act_end_date"))
	f.constrained(&t, xerConstraints[r.get("cstr_type")], r.get("cstr_date"))
	f.constrained(&t, xerConstraints[r.get("cstr_type2")], r.get("cstr_date2"))
	f.time(&t.Suspend, r.get("suspend_date"))
	f.time(&t.Resume, r.get("resume_date"))
	f.time(&t.ExpectedFinish, r.get("expect_end_date"))
	f.time(&t.ExternalStart, r.get("external_early_start_date"))
	f.time(&t.ExternalFinish, r.get("external_late_end_date"))
	f.dates(&t, r)
	var work float64
	if f.number(&work, r.get("target_work_qty")); work != 0 {
		x.work[t.ID] = work
	}
	x.Tasks = appended(x.Tasks, t)
	return f.of("task", t.ID)
}

// progress reads how far P6 says that a task is, whose planned and remaining durations
// are read.
func (f *fields) progress(t *Task, status, start, finish string) {
	if t.Kind == cpm.StartMilestone || t.Kind == cpm.FinishMilestone {
		t.Planned, t.Remaining = 0, 0
	}
	if t.Duration = t.Planned; status == "NotStart" {
		t.Duration = t.Remaining // what P6 schedules
		return
	}
	f.time(&t.ActualStart, start)
	f.time(&t.ActualFinish, finish)
	if t.ActualStart == 0 {
		t.ActualStart = t.ActualFinish // a milestone
	}
}

// dates reads what P6 has computed. The planned finish is that of a task that has not begun
// alone: where one is that has, P6 says by that of its remaining work.
func (f *fields) dates(t *Task, r row) {
	d, finish := &t.File, r.get("reend_date")
	if t.Status() == Planned {
		finish = r.get("target_end_date")
	}
	f.time(&d.EarlyStart, r.get("early_start_date"))
	f.time(&d.EarlyFinish, r.get("early_end_date"))
	f.time(&d.LateStart, r.get("late_start_date"))
	f.time(&d.LateFinish, r.get("late_end_date"))
	f.time(&d.PlannedStart, r.get("target_start_date"))
	f.time(&d.PlannedFinish, r.get("target_end_date"))
	f.time(&d.Start, first(r.get("act_start_date"), r.get("early_start_date"), r.get("target_start_date")))
	f.time(&d.Finish, first(r.get("act_end_date"), r.get("early_end_date"), finish))
	f.float(&d.TotalFloat, r.get("total_float_hr_cnt"))
	f.float(&d.FreeFloat, r.get("free_float_hr_cnt"))
	if s := r.get("driving_path_flag"); s != "" {
		driving := s == "Y"
		d.DrivingPath = &driving
	}
}

func first(values ...string) string { return cmp.Or(values...) }

// xerConstraints are the constraints by how P6 calls them.
var xerConstraints = map[string]cpm.ConstraintType{
	"CS_MSO": cpm.StartOn, "CS_MSOA": cpm.StartNoEarlier, "CS_MSOB": cpm.StartNoLater, "CS_MEO": cpm.FinishOn,
	"CS_MEOA": cpm.FinishNoEarlier,
	"CS_MEOB": cpm.FinishNoLater, "CS_MANDSTART": cpm.MandatoryStart, "CS_MANDFIN": cpm.MandatoryFinish,
	"CS_ALAP": cpm.AsLateAsPossible,
}

// constrained adds a constraint to a task, if it is one.
func (f *fields) constrained(t *Task, typ cpm.ConstraintType, date string) {
	if typ == 0 {
		return
	}
	x := cpm.Constraint{Type: typ}
	if f.time(&x.Date, date); x.Date != 0 || typ == cpm.AsLateAsPossible {
		t.Constraints = append(t.Constraints, x)
	}
}

// xerLinks are the types of links by how P6 calls them.
var xerLinks = map[string]cpm.LinkType{
	"PR_FS": cpm.FinishToStart, "PR_SS": cpm.StartToStart, "PR_FF": cpm.FinishToFinish, "PR_SF": cpm.StartToFinish,
}

// link reads a relationship, whose lag is in hours.
func (x *xer) link(r row) error {
	l := Link{
		ID: r.get("task_pred_id"), PredecessorID: r.get("pred_task_id"), SuccessorID: r.get("task_id"),
		Type: xerLinks[r.get("pred_type")],
	}
	var f fields
	f.hours(&l.Lag, r.get("lag_hr_cnt"))
	x.Links = appended(x.Links, l)
	return f.of("link", l.ID)
}

// xerResources are the types of resources by how P6 calls them.
var xerResources = map[string]ResourceType{"RT_Labor": Human, "RT_Equip": Equipment, "RT_Mat": Material}

// resource reads a resource of the pool, which all projects share.
func (x *xer) resource(r row) error {
	one := Resource{
		ID: r.get("rsrc_id"), ExternalID: r.get("guid"), Code: r.get("rsrc_short_name"), Name: r.get("rsrc_name"),
		Email: r.get("email_addr"),
		Type:  xerResources[r.get("rsrc_type")], CalendarID: r.get("clndr_id"), ParentID: r.get("parent_rsrc_id"),
		Unit: r.get("unit_id"), // until all are known
	}
	if n, ok := x.note("resource "+one.ID, "", r.get("rsrc_notes")); ok {
		one.Notes = []Note{n}
	}
	x.Resources = append(x.Resources, one)
	return nil
}

// unit reads a unit in which material is counted.
func (x *xer) unit(r row) error {
	x.units[r.get("unit_id")] = cmp.Or(r.get("unit_abbrev"), r.get("unit_name"))
	return nil
}

// rate reads what a resource costs from a time on, by up to five tables of prices.
func (x *xer) rate(r row) error {
	var f fields
	rate, resource := Rate{}, r.get("rsrc_id")
	f.time(&rate.From, r.get("start_date"))
	f.number(&rate.MaxUnits, r.get("max_qty_per_hr"))
	x.attached.rates[resource] = append(x.attached.rates[resource], f.prices(rate, r.get, "cost_per_qty")...)
	return f.of("rate of resource", resource)
}

// prices are a rate for each table that has a price, and for the first where none has.
func (f *fields) prices(rate Rate, get func(string) string, name string) (rates []Rate) {
	for i, suffix := range []string{"", "2", "3", "4", "5"} {
		if price := get(name + suffix); price != "" || i == 0 {
			rate.Table, rate.Price = i, 0
			f.number(&rate.Price, price)
			rates = append(rates, rate)
		}
	}
	if len(rates) > 1 && get(name) == "" {
		return rates[1:]
	}
	return rates
}

// assignment reads the work of a resource on an activity.
func (x *xer) assignment(r row) error {
	a := Assignment{
		ID: r.get("taskrsrc_id"), TaskID: r.get("task_id"), ResourceID: r.get("rsrc_id"), ExternalID: r.get("guid"),
		AccountID: r.get("acct_id"),
	}
	if a.ResourceID == "" {
		x.warn("assignment "+a.ID, "It is left out: it is of a role, and of no resource.")
		return nil
	}
	var f fields
	f.number(&a.Units, r.get("target_qty"))
	f.sum(&a.ActualUnits, r.get("act_reg_qty"), r.get("act_ot_qty"))
	f.number(&a.RemainingUnits, r.get("remain_qty"))
	f.number(&a.UnitsPerTime, r.get("target_qty_per_hr"))
	f.hours(&a.Delay, r.get("target_lag_drtn_hr_cnt"))
	f.number(&a.Costs.Planned, r.get("target_cost"))
	f.sum(&a.Costs.Actual, r.get("act_reg_cost"), r.get("act_ot_cost"))
	f.number(&a.Costs.Remaining, r.get("remain_cost"))
	f.time(&a.ActualStart, r.get("act_start_date"))
	f.time(&a.ActualFinish, r.get("act_end_date"))
	f.time(&a.Start, first(r.get("act_start_date"), r.get("restart_date"), r.get("target_start_date")))
	f.time(&a.Finish, first(r.get("act_end_date"), r.get("reend_date"), r.get("target_end_date")))
	x.Assignments = appended(x.Assignments, a)
	return f.of("assignment", a.ID)
}

// finish puts together what was read.
func (x *xer) finish() error {
	if err := x.attach(); err != nil {
		return err
	}
	for i := range x.Projects {
		p := &x.Projects[i]
		p.schedulesBy(x.schedule[p.ID])
		p.CodeValueIDs, p.Values, p.Notes = x.attached.projectCodes[p.ID], x.attached.projectValues[p.ID], x.notes(
			"project "+p.ID, x.attached.projectNotes[p.ID],
		)
	}
	x.Tasks = append(x.nodes, x.Tasks...)
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
	return nil
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
		"PROJECT": projects, "SCHEDOPTIONS": options, "CALENDAR": ids(x.Calendars, func(c *Calendar) string { return c.ID }),
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
