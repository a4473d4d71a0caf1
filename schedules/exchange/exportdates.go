package exchange

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// addComputed adds what a scheduling of the plan as it is finds of its tasks. A planned task
// that is elsewhere has none of it: planners would put it there.
func (e *planExport) addComputed() {
	f, err := e.network.Builder(nil).Build()
	if err != nil { // nothing is found of it
		return
	}
	places := e.taskPlaces()
	for number := range e.network.Tasks {
		id, d := e.network.Tasks[number].TaskID(), f.Dates(number)
		t := e.tasks[id]
		at, ok := places[e.task.of(id)]
		if !ok || t.IsWBS && e.Format != planner.MSPDI || d.EarlyStart == 0 {
			continue
		}
		d.Critical = e.network.Critical(number, &d)
		e.compute(t, &e.Tasks[at].File, d)
	}
}

// spanSummaries gives summaries the dates of what is below them where the format has these, as Plan.SpanSummaries does:
// Microsoft Project shows those of a file as they are, until it calculates. One that is put by hand keeps its own, which
// count for those above it as those of a task do.
func (e *planExport) spanSummaries() {
	if e.to != FormatMSPDI {
		return
	}
	places, below := e.taskPlaces(), make([]dated.Span, len(e.Tasks))
	for number, place := range slices.Backward(e.network.Downwards()) {
		t, span := &e.Tasks[number], &below[number]
		own := dated.Span{Start: t.File.Start, Finish: t.File.Finish}
		if t.Kind == cpm.Summary && !t.Manual && span.Start != 0 && *span != own {
			t.File.Start, t.File.Finish = span.Start, span.Finish
			c := e.network.Calendars.OfTask(e.tasks[e.network.Tasks[place].TaskID()])
			t.Duration = c.Between(span.Start, span.Finish)
			if t.Planned = t.Duration; t.ActualStart == 0 || t.Remaining > t.Duration {
				t.Remaining = t.Duration
			}
		}
		if t.Kind != cpm.Summary || t.Manual {
			*span = dated.Span{Start: t.File.Start, Finish: t.File.Finish}
		}
		if at, ok := places[t.ParentID]; ok && !t.Inactive {
			below[at].Widen(span.Start, span.Finish)
		}
	}
}

// taskPlaces are the places of the tasks of the file by their ids there.
func (e *planExport) taskPlaces() map[string]int {
	places := make(map[string]int, len(e.Tasks))
	for i := range e.Tasks {
		places[e.Tasks[i].ID] = i
	}
	return places
}

// dateAssignment gives an assignment the dates that its resource has for itself, else those when it
// worked, else those of its task.
func (e *planExport) dateAssignment(a *schedules.ResourceAssignment, out *planner.Assignment, task planner.Dates) {
	own := func(date, otherwise worktime.Time) worktime.Time {
		if date == 0 || date >= task.Start && date <= task.Finish {
			return cmp.Or(date, otherwise)
		}
		e.warn("The resource assignment (ID=%s) is planned for %s, when its task is not; in the file it has the date "+
			"of the task.", a.ID, date)
		return otherwise
	}
	out.Start = own(e.network.Calendars.Local(a.PlannedStart), cmp.Or(out.ActualStart, task.Start))
	out.Finish = own(e.network.Calendars.Local(a.PlannedFinish), cmp.Or(out.ActualFinish, task.Finish))
}

// compute gives a task what is found of it.
func (e *planExport) compute(t *schedules.Task, file *planner.Dates, d cpm.Dates) {
	if t.Status == schedules.Planned && (file.Start != d.Start || file.Finish != d.Finish && !t.IsWBS) {
		return
	}
	if t.Status == schedules.Started || t.IsWBS {
		file.Finish = d.Finish
	}
	file.EarlyStart, file.EarlyFinish, file.LateStart, file.LateFinish = d.EarlyStart, d.EarlyFinish, d.LateStart,
		d.LateFinish
	if d.HasFloat {
		file.TotalFloat, file.FreeFloat = &d.TotalFloat, &d.FreeFloat
	}
	if e.Format != planner.MSPDI {
		file.DrivingPath = &d.Longest
	}
	if e.to != FormatXER {
		file.Critical = new(d.Critical)
	}
}

// usedCalendars are the calendars that the plan or something in it is on.
func (e *planExport) usedCalendars(calendars map[string]*schedules.Calendar) map[string]bool {
	used := map[string]bool{string(e.network.Settings.CalendarID): true}
	for _, p := range e.network.Settings.Projects {
		used[string(p.CalendarID)] = true
	}
	for _, t := range e.tasks {
		used[string(t.CalendarID)] = true
	}
	for _, l := range e.links {
		used[string(l.CalendarID)] = true
	}
	for _, c := range calendars {
		used[core.ParentOfCalendar(c)] = true
	}
	for _, r := range e.resources {
		used[string(r.CalendarID)] = true
	}
	return used
}

// addBaselines adds how the plan was planned once. In files of P6 a baseline is of one project:
// one of a schedule with several becomes one of each.
func (e *planExport) addBaselines(v *records.View) error {
	all, err := rescheduling.BaselinesOf(v, e.network.Scope)
	if err != nil {
		return err
	}
	current, numbers, links := rescheduling.CurrentBaselines(all, len(e.Projects), e.builder.Projects),
		e.baselineNumbers(all), 0
	for _, b := range all {
		x := baselineExport{planExport: e, of: b, links: &links, places: make(map[string]int)}
		if err := x.read(v); err != nil {
			return err
		}
		for at, part := range x.parts {
			if part != nil && (e.Format != planner.MSPDI || numbers[b.ID] != "") {
				e.addBaseline(b, at, part, numbers[b.ID], current[at] == b)
			}
		}
	}
	return nil
}

// addBaseline adds what the project at a place has of a baseline.
func (e *planExport) addBaseline(b *schedules.Baseline, at int, out *planner.Baseline, number string, current bool) {
	out.ID, out.ProjectID, out.Current, out.Name, out.Code = number, e.Projects[at].ID, current, b.Name, b.Code
	if e.Format != planner.MSPDI { // whose baselines have no date
		out.ID, out.DataDate = strconv.Itoa(len(e.Projects)+len(e.Baselines)+1), e.network.Calendars.Local(b.CreatedOn)
	}
	if e.to == FormatXER { // which has no seconds
		out.DataDate -= out.DataDate % worktime.Minute
	}
	e.Baselines = append(e.Baselines, *out)
}

// baselineNumbers are the numbers from 0 to 10 of baselines in Microsoft Project, which keeps them
// by these: that in the name of one that came with a number, 0 of the current one.
func (e *planExport) baselineNumbers(all []*schedules.Baseline) map[string]string {
	numbers, taken := make(map[string]string), make(map[string]bool)
	if e.Format != planner.MSPDI {
		return numbers
	}
	give := func(b *schedules.Baseline, number string) {
		if numbers[b.ID] == "" && !taken[number] {
			numbers[b.ID], taken[number] = number, true
		}
	}
	for _, b := range slices.Backward(all) {
		if b.IsCurrent {
			give(b, "0")
		}
	}
	for n := range 11 {
		for _, b := range all {
			if number := strconv.Itoa(n); b.Name == "Baseline "+number {
				give(b, number)
			}
		}
	}
	for _, b := range all {
		for n := 1; n <= 10; n++ {
			give(b, strconv.Itoa(n))
		}
		if numbers[b.ID] == "" {
			e.warn("The baseline '%s' was left out: Microsoft Project has eleven.", b.Name)
		}
	}
	return numbers
}

// baselineExport makes a baseline of the file.
type baselineExport struct {
	*planExport
	of     *schedules.Baseline
	parts  []*planner.Baseline // by projects
	places map[string]int      // the projects of its tasks, by their ids
	links  *int                // of baselines so far
}

func (x *baselineExport) read(v *records.View) error {
	x.parts = make([]*planner.Baseline, len(x.Projects))
	x.part(x.projectOfRow(nil))
	found := make(map[string]*schedules.BaselineSchedulingAnalysis)
	if x.to != FormatMSPDI { // which keeps no float
		var err error
		if found, err = rescheduling.AnalysesOfBaseline(v, x.network.Scope, core.RowsOf(x.of)); err != nil {
			return err
		}
	}
	rows, err := x.readRows(v)
	if err != nil {
		return err
	}
	codeless, tasks := 0, x.taskPlaces()
	for i := range rows {
		row, t := &rows[i], x.tasks[rows[i].TaskID]
		if a := found[row.TaskID]; a != nil {
			row.TotalFloat = cmp.Or(row.TotalFloat, a.DownstreamTotalFloat)
		}
		out := x.row(row, t, tasks)
		if t != nil && out.Code == "" {
			codeless++
		}
		at := x.projectOfRow(t)
		x.places[row.TaskID] = at
		part := x.part(at)
		part.Tasks = append(part.Tasks, out)
	}
	if codeless > 0 && x.to != FormatMSPDI {
		x.warn("%d tasks of the baseline '%s' have no user-defined id, by which planners know of which tasks they are.",
			codeless, x.of.Name)
	}
	return x.readLinks(v)
}

// readRows reads the tasks of the baseline, without those above others where P6 spans these.
func (x *baselineExport) readRows(v *records.View) (rows []schedules.BaselineTask, err error) {
	above := make(map[string]bool)
	for row, err := range core.BaselineTasks(core.RowsOf(x.of)).All(v, x.network.Scope,
		records.Join(core.RowsOf(x.of), "")) {
		if err == nil {
			err = records.Interrupted(v)
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, *row)
		above[core.ParentOfRow(row)] = true
	}
	if x.to == FormatMSPDI {
		return rows, nil
	}
	return slices.DeleteFunc(rows, func(row schedules.BaselineTask) bool {
		t := x.tasks[row.TaskID]
		return t != nil && t.IsWBS || t == nil && above[row.TaskID]
	}), nil
}

// row is a task of the baseline in the file. One whose code is still that of the task has the code
// that the task has there.
func (x *baselineExport) row(row *schedules.BaselineTask, t *schedules.Task,
	tasks map[string]int,
) planner.BaselineTask {
	out := planner.BaselineTask{
		ID: x.rowID(row.TaskID), ExternalID: row.ExternalID, Code: row.UserDefinedID, Name: row.Name,
		Start: x.network.Calendars.Local(row.StartDate), Finish: x.network.Calendars.Local(row.FinishDate),
		Duration:   int64(row.Duration),
		TotalFloat: row.TotalFloat, Work: row.PlannedWork, Cost: row.PlannedCost,
	}
	if t == nil {
		return out
	}
	out.TaskID = x.task.of(t.ID)
	if at, ok := tasks[out.TaskID]; ok && (out.Code == "" || out.Code == t.UserDefinedID) {
		out.Code = x.Tasks[at].Code
	}
	return out
}

func (x *baselineExport) readLinks(v *records.View) error {
	left := 0
	for l, err := range core.BaselineTaskLinks(core.RowsOf(x.of)).All(v, x.network.Scope,
		records.Join(core.RowsOf(x.of), "")) {
		if err != nil {
			return err
		}
		from, ok := x.places[l.PredecessorID]
		to, both := x.places[l.SuccessorID]
		if !ok || !both || from != to {
			left++
			continue
		}
		*x.links++
		x.parts[to].Links = append(x.parts[to].Links, planner.Link{
			ID: strconv.Itoa(len(x.planExport.Links) + *x.links), PredecessorID: x.rowID(l.PredecessorID),
			SuccessorID: x.rowID(l.SuccessorID),
			Type:        rescheduling.LinkTypeIn(l.Type), Lag: int64(l.Lag),
		})
	}
	if left > 0 {
		x.warn("%d links of the baseline '%s' were left out: they lead to another project, or to what is above tasks.",
			left, x.of.Name)
	}
	return nil
}

// rowID is the number of a task in the baseline.
func (x *baselineExport) rowID(taskID string) string {
	return x.task.of("\x00baseline " + core.RowsOf(x.of) + " " + taskID)
}

// projectOfRow is the place of the project in whose baseline a task is that may be gone.
func (x *baselineExport) projectOfRow(t *schedules.Task) int {
	switch {
	case x.to == FormatMSPDI: // whose baselines are of all
		return 0
	case x.of.ProjectID != "":
		return x.builder.Projects[string(x.of.ProjectID)]
	case t != nil:
		return x.builder.Projects[string(t.ProjectID)]
	}
	return 0
}

// part is the baseline of the project at a place.
func (x *baselineExport) part(at int) *planner.Baseline {
	if x.parts[at] == nil {
		x.parts[at] = new(planner.Baseline)
	}
	return x.parts[at]
}
