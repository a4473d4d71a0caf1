package planner

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// xer is an XER while it is read: lines of fields between tabs, of which the first says
// what a line is. The tables come in any order, so that what refers to others is put
// together at the end.
type xer struct {
	*Plan
	page    CodePage
	records counter
	table   string
	fields  map[string]int // of the table, by name
	row     []string       // of the table, until the next line tells that it is whole

	nodes    []Task            // of the WBS
	roots    map[string]string // the node of a project, by project
	schedule map[string]row    // how projects are scheduled, by project
}

// row is one of a table.
type row struct {
	fields map[string]int
	values []string
}

func (r row) get(field string) string {
	if i, ok := r.fields[field]; ok && i < len(r.values) {
		return r.values[i]
	}
	return ""
}

func readXER(in *bufio.Reader, page CodePage) (*Plan, error) {
	x := &xer{Plan: &Plan{Format: XER}, page: page, roots: make(map[string]string), schedule: make(map[string]row)}
	for more := true; more; {
		line, err := readLine(in)
		if more = err == nil; err != nil && !errors.Is(err, io.EOF) {
			return nil, malformed(err)
		}
		if err := x.line(x.page.text(line)); err != nil {
			return nil, malformed(err)
		}
	}
	if err := x.take(); err != nil {
		return nil, malformed(err)
	}
	x.finish()
	return x.Plan, nil
}

// readLine reads a line without its end. At the end of the file it fails with io.EOF
// and returns what is left.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, ErrTooLarge
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// line takes up a line. One without a mark goes on with the row before it, in whose
// last field the text was broken.
func (x *xer) line(s string) error {
	fields := strings.Split(strings.TrimPrefix(s, mark), "\t")
	switch fields[0] {
	case "%T", "%F", "%R", "%E", "ERMHDR":
		if err := x.take(); err != nil {
			return err
		}
	default:
		if len(x.row) > 0 {
			x.row[len(x.row)-1] += "\n" + fields[0]
			x.row = append(x.row, fields[1:]...)
		}
		return nil
	}
	switch fields[0] {
	case "%T":
		x.table, x.fields = strings.Join(fields[1:], ""), nil
	case "%F":
		x.fields = make(map[string]int, len(fields))
		for i, f := range fields[1:] {
			x.fields[f] = i
		}
	case "%R":
		x.row = fields[1:]
	}
	return nil
}

// take takes up the row that is whole.
func (x *xer) take() error {
	if len(x.row) == 0 {
		return nil
	}
	for i, v := range x.row {
		x.row[i] = unescape.Replace(strings.TrimRight(v, "\n")) // blank lines between tables are no text
	}
	r := row{x.fields, x.row}
	x.row = nil
	if err := x.records.count(); err != nil {
		return err
	}
	if read, ok := xerTables[x.table]; ok {
		return read(x, r)
	}
	return nil
}

// unescape is how P6 writes a new line and a quote within a field.
var unescape = strings.NewReplacer("\x7f\x7f", "\n", "\x7f", "\n", `""`, `"`)

// xerTables are the tables that are read.
var xerTables = map[string]func(*xer, row) error{
	"PROJECT": (*xer).project, "SCHEDOPTIONS": (*xer).options, "CALENDAR": (*xer).calendar, "PROJWBS": (*xer).node,
	"TASK": (*xer).task, "TASKPRED": (*xer).link, "RSRC": (*xer).resource, "TASKRSRC": (*xer).assignment,
}

func (x *xer) project(r row) error {
	p := Project{ID: r.get("proj_id"), Code: r.get("proj_short_name"), Name: r.get("proj_short_name"), CalendarID: r.get("clndr_id")}
	p.LongestPath = r.get("critical_path_type") == "CT_DrivPath"
	var f fields
	f.time(&p.Start, r.get("plan_start_date"))
	f.time(&p.DataDate, r.get("last_recalc_date"))
	f.time(&p.MustFinish, r.get("plan_end_date"))
	f.hours(&p.Critical, r.get("critical_drtn_hr_cnt"))
	x.Projects = append(x.Projects, p)
	return f.of("project", p.ID)
}

func (x *xer) options(r row) error {
	x.schedule[r.get("proj_id")] = r
	return nil
}

// schedulesBy is how a project is scheduled, where the file says so.
func (p *Project) schedulesBy(r row) {
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
}

func (x *xer) node(r row) error {
	t := Task{ID: nodeID(r.get("wbs_id")), ExternalID: r.get("guid"), Code: r.get("wbs_short_name"), Name: r.get("wbs_name"), ProjectID: r.get("proj_id"), Kind: cpm.Summary}
	if r.get("proj_node_flag") == "Y" {
		x.roots[t.ProjectID] = t.ID
		for i := range x.Projects {
			if x.Projects[i].ID == t.ProjectID {
				x.Projects[i].Name = t.Name
			}
		}
	} else {
		t.ParentID = nodeID(r.get("parent_wbs_id"))
	}
	x.nodes = append(x.nodes, t)
	return nil
}

// nodeID keeps the ids of nodes apart from those of tasks.
func nodeID(id string) string {
	if id == "" {
		return ""
	}
	return "wbs-" + id
}

// xerKinds are the kinds of tasks by how P6 calls them.
var xerKinds = map[string]cpm.Kind{
	"TT_Mile": cpm.StartMilestone, "TT_FinMile": cpm.FinishMilestone, "TT_LOE": cpm.LongHammock, "TT_WBS": cpm.LongHammock,
}

func (x *xer) task(r row) error {
	t := Task{
		ID: r.get("task_id"), ExternalID: r.get("guid"), Code: r.get("task_code"), Name: r.get("task_name"), ProjectID: r.get("proj_id"),
		ParentID: nodeID(r.get("wbs_id")), Kind: xerKinds[r.get("task_type")], CalendarID: r.get("clndr_id"),
	}
	var f fields
	f.hours(&t.Duration, r.get("target_drtn_hr_cnt"))
	f.hours(&t.Remaining, r.get("remain_drtn_hr_cnt"))
	if t.Kind == cpm.StartMilestone || t.Kind == cpm.FinishMilestone {
		t.Duration, t.Remaining = 0, 0
	}
	status := r.get("status_code")
	if status != "TK_NotStart" {
		f.time(&t.ActualStart, r.get("act_start_date"))
		f.time(&t.ActualFinish, r.get("act_end_date"))
	} else {
		t.Duration = t.Remaining // what P6 schedules
	}
	if status == "TK_Complete" && t.ActualStart == 0 {
		t.ActualStart = t.ActualFinish // a milestone
	}
	f.constrained(&t, xerConstraints[r.get("cstr_type")], r.get("cstr_date"))
	f.constrained(&t, xerConstraints[r.get("cstr_type2")], r.get("cstr_date2"))
	f.dates(&t.File, r)
	x.Tasks = append(x.Tasks, t)
	return f.of("task", t.ID)
}

// dates reads what P6 has computed.
func (f *fields) dates(d *Dates, r row) {
	f.time(&d.EarlyStart, r.get("early_start_date"))
	f.time(&d.EarlyFinish, r.get("early_end_date"))
	f.time(&d.LateStart, r.get("late_start_date"))
	f.time(&d.LateFinish, r.get("late_end_date"))
	f.time(&d.Start, first(r.get("act_start_date"), r.get("early_start_date"), r.get("target_start_date")))
	f.time(&d.Finish, first(r.get("act_end_date"), r.get("early_end_date"), r.get("target_end_date")))
	f.float(&d.TotalFloat, r.get("total_float_hr_cnt"))
	f.float(&d.FreeFloat, r.get("free_float_hr_cnt"))
	if s := r.get("driving_path_flag"); s != "" {
		driving := s == "Y"
		d.DrivingPath = &driving
	}
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// xerConstraints are the constraints by how P6 calls them.
var xerConstraints = map[string]cpm.ConstraintType{
	"CS_MSO": cpm.StartOn, "CS_MSOA": cpm.StartNoEarlier, "CS_MSOB": cpm.StartNoLater, "CS_MEO": cpm.FinishOn, "CS_MEOA": cpm.FinishNoEarlier,
	"CS_MEOB": cpm.FinishNoLater, "CS_MANDSTART": cpm.MandatoryStart, "CS_MANDFIN": cpm.MandatoryFinish, "CS_ALAP": cpm.AsLateAsPossible,
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

func (x *xer) link(r row) error {
	l := Link{ID: r.get("task_pred_id"), PredecessorID: r.get("pred_task_id"), SuccessorID: r.get("task_id"), Type: xerLinks[r.get("pred_type")]}
	var f fields
	f.hours(&l.Lag, r.get("lag_hr_cnt"))
	x.Links = append(x.Links, l)
	return f.of("link", l.ID)
}

// xerResources are the types of resources by how P6 calls them.
var xerResources = map[string]ResourceType{"RT_Labor": Human, "RT_Equip": Equipment, "RT_Mat": Material}

func (x *xer) resource(r row) error {
	x.Resources = append(x.Resources, Resource{
		ID: r.get("rsrc_id"), ExternalID: r.get("guid"), Code: r.get("rsrc_short_name"), Name: r.get("rsrc_name"),
		Type: xerResources[r.get("rsrc_type")], CalendarID: r.get("clndr_id"), ParentID: r.get("parent_rsrc_id"),
	})
	return nil
}

func (x *xer) assignment(r row) error {
	a := Assignment{ID: r.get("taskrsrc_id"), TaskID: r.get("task_id"), ResourceID: r.get("rsrc_id")}
	var f fields
	f.number(&a.Units, r.get("target_qty"))
	if a.ResourceID != "" { // else it is of a role
		x.Assignments = append(x.Assignments, a)
	}
	return f.of("assignment", a.ID)
}

// finish puts together what was read.
func (x *xer) finish() {
	for i := range x.Projects {
		x.Projects[i].schedulesBy(x.schedule[x.Projects[i].ID])
	}
	x.Tasks = append(x.nodes, x.Tasks...)
	x.tidy()
}

// fields reads the fields of a row, and keeps the first failure.
type fields struct{ err error }

// of is the failure, if there was one, with the record in which it was.
func (f *fields) of(kind, id string) error {
	if f.err != nil {
		return fmt.Errorf("%w: %s %q: %w", ErrMalformed, kind, id, f.err)
	}
	return nil
}

func (f *fields) failed(err error) {
	if f.err == nil {
		f.err = err
	}
}

// time reads a time as P6 writes it, "2026-01-05 08:00".
func (f *fields) time(t *worktime.Time, s string) {
	if s == "" {
		return
	}
	if len(s) == len("2006-01-02 15:04") {
		s += ":00"
	}
	u, err := worktime.Parse(strings.Replace(s, " ", "T", 1))
	if err != nil {
		f.failed(err)
		return
	}
	*t = u
}

// number reads a decimal with a point or a comma.
func (f *fields) number(n *float64, s string) {
	if s == "" {
		return
	}
	v, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > 1e12 {
		f.failed(fmt.Errorf("%q is no number", s))
		return
	}
	*n = v
}

// hours reads hours as seconds.
func (f *fields) hours(seconds *int64, s string) {
	var n float64
	f.number(&n, s)
	*seconds = int64(math.Round(n * worktime.Hour))
}

// float is hours for what may be missing.
func (f *fields) float(seconds **int64, s string) {
	if s != "" {
		*seconds = new(int64)
		f.hours(*seconds, s)
	}
}
