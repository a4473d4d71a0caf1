package exchange

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// importedTasks are the tasks of a schedule as they will be.
type importedTasks struct {
	now    map[string]taskNow
	puts   map[string]*schedules.Task // those that are written
	unused map[string]bool            // ids that were never used before
	order  []string                   // their ids
	parent map[string]string
	made   map[string]bool   // ids of those that were made here
	taken  map[string]string // user-defined ids, and whose they are
	needed map[string]bool   // ids of those that something which stays lies below
	above  map[string]bool   // ids of those that something lies below, once all are known
	// undated are the tasks of the file that it has no dates of, by the ids that they have
	// there: a WBS of P6, and plans that were never scheduled. Their dates follow from the
	// others, and are not counted as changes.
	undated map[string]taskDates
}

// taskNow is what is looked up of a task that is there.
type taskNow struct {
	parent  string
	wbs     bool
	summary bool
	hammock bool
}

// loadTasks reads the tasks that are there.
func (d *planDiff) loadTasks() error {
	d.tasks = &importedTasks{
		now: make(map[string]taskNow), puts: make(map[string]*schedules.Task), unused: make(map[string]bool),
		parent: make(map[string]string, len(d.file.Tasks)), made: make(map[string]bool), taken: make(map[string]string),
		undated: make(map[string]taskDates),
	}
	known := make(map[string]bool)
	for _, item := range d.ItemsOf(tasksKind).All {
		known[item.RecordID] = true
	}
	for t, err := range core.Tasks.From(d.Tx, d.Scope, "") {
		if err == nil {
			err = records.Interrupted(d.Tx)
		}
		if err != nil {
			return err
		}
		d.tasks.now[t.ID] = taskNow{core.ParentOfTask(t), t.IsWBS, t.IsSummary, core.IsHammock(t.Type)}
		d.tasks.parent[t.ID] = core.ParentOfTask(t)
		if known[t.ID] {
			continue
		}
		d.tasks.made[t.ID] = true
		if t.UserDefinedID != "" && d.w.Modes.Tasks != importing.Synchronize {
			d.tasks.taken[t.UserDefinedID] = t.ID
		}
	}
	return nil
}

// The kinds of records that a plan has most of.
const (
	tasksKind       = "tasks"
	linksKind       = "links"
	assignmentsKind = "resource-assignments"
)

// taskOrigin is the part of a task that is what its planner copied it from.
const taskOrigin = 5

// projectNode is the id that a task has which stands for a project.
func projectNode(id string) string { return "project/" + id }

// withNodes are the tasks of the file, below those that stand for their projects where
// there are to be such, and without any that do where there are not. The places are those
// in the file, and -1 of what is not there.
func (d *planDiff) withNodes() (out []planner.Task, places []int) {
	roots := d.projectRoots()
	out = make([]planner.Task, 0, len(d.file.Tasks)+len(d.file.Projects))
	places = make([]int, 0, cap(out))
	known := make(map[string]bool)
	for _, p := range d.file.Projects {
		if d.w.Modes.CreateProjectNodes && roots[p.ID] == "" {
			out = append(out, planner.Task{
				ID: projectNode(p.ID), Code: p.Code, Name: cmp.Or(p.Name, p.Code, p.ID),
				ProjectID: p.ID, Kind: cpm.Summary, CalendarID: p.CalendarID,
			})
			places = append(places, -1)
			known[p.ID] = true
		}
	}
	for i, t := range d.file.Tasks {
		root := roots[t.ProjectID]
		switch {
		case t.ParentID == "" && known[t.ProjectID]:
			t.ParentID = projectNode(t.ProjectID)
		case d.w.Modes.CreateProjectNodes || root == "":
		case t.ID == root:
			continue
		case t.ParentID == root:
			t.ParentID = ""
		}
		out, places = append(out, t), append(places, i)
	}
	return out, places
}

// projectRoots are the ids of the WBS of P6 that stand for a project, by the id of that:
// all else of the project lies below, and it has its code or its name.
func (d *planDiff) projectRoots() map[string]string {
	roots, tops := make(map[string]string), make(map[string]int)
	if d.file.Format == planner.MSPDI {
		return roots
	}
	for i := range d.file.Tasks {
		t := &d.file.Tasks[i]
		if t.ParentID != "" {
			continue
		}
		tops[t.ProjectID]++
		at := slices.IndexFunc(d.file.Projects, func(p planner.Project) bool { return p.ID == t.ProjectID })
		if at >= 0 && t.Kind == cpm.Summary &&
			(t.Code == d.file.Projects[at].Code || t.Name == d.file.Projects[at].Name) {
			roots[t.ProjectID] = t.ID
		}
	}
	for project, n := range tops {
		if n > 1 {
			delete(roots, project)
		}
	}
	return roots
}

// filedTask is what is looked up of a task of the file.
type filedTask struct {
	recordID string     // empty where the schedule does not have it
	path     string     // from its project down, by codes
	above    *filedTask // nil at the top
	depth    int
	duration int64
	// start and finish are those of the file.
	start, finish worktime.Time
}

// task is what is known of a task of the file: nothing of one that is not compared.
func (d *planDiff) task(id string) *filedTask {
	if f := d.filed[id]; f != nil {
		return f
	}
	return new(filedTask)
}

// id is that of the record of a task that there may be.
func (f *filedTask) id() string {
	if f == nil {
		return ""
	}
	return f.recordID
}

// place puts a task of the file below what is there by now.
func (d *planDiff) place(t *planner.Task, f *filedTask) {
	parent := d.filed[t.ParentID]
	f.path, f.duration, f.depth = d.projects[t.ProjectID], t.Duration, 1
	if parent != nil {
		f.path = parent.path
		if f.above = parent; parent.depth >= schedules.MaxDepth {
			f.above = parent.above
			d.Warn("Warning: Task (ID=%s) lies more than %d deep; it was put higher.", cmp.Or(t.Code, t.ID),
				schedules.MaxDepth)
		}
		f.depth = f.above.depth + 1
	}
	code := t.Code
	if parent == nil && code == d.codes[t.ProjectID] { // what stands for the project is called as it
		code = d.projects[t.ProjectID]
	}
	f.path += "/" + code
	d.filed[t.ID] = f
}

func (d *planDiff) compareTasks() error {
	if err := d.loadTasks(); err != nil {
		return err
	}
	m := &d.w.Modes
	tasks, places := d.withNodes()
	spans := d.projectSpans()
	keys, aliases := make(importing.Names, len(tasks)), make(importing.Names, len(tasks))
	d.filed = make(map[string]*filedTask, len(tasks))
	filed := make([]filedTask, len(tasks))
	entries := make([]importing.Entry[schedules.Task], len(tasks))
	for i := range tasks {
		t, f := &tasks[i], &filed[i]
		d.place(t, f)
		f.start, f.finish = t.File.Start, t.File.Finish
		dates := spans[t.ID]
		if places[i] >= 0 {
			dates = d.datesOf(places[i])
		}
		if !hasDates(t) && !core.IsHammock(typeOf(t)) && m.Tasks != importing.Skip {
			d.tasks.undated[t.ID] = dates
		}
		key, alias := d.namesOf(t, f.path)
		entries[i] = importing.Entry[schedules.Task]{
			Key: keys.Name(key), Alias: aliases.Name(alias),
			Parts: []importing.Part[schedules.Task]{
				{Mode: m.Tasks, Read: func() importing.Content[*schedules.Task] { return d.taskContent(t, f, dates) }},
				{Mode: m.TaskActuals, Read: func() importing.Content[*schedules.Task] { return d.progressContent(t) }},
				{
					Mode: m.TaskConstraints,
					Read: func() importing.Content[*schedules.Task] { return d.constraintContent(t) },
				},
				{Mode: m.Notebooks, Read: func() importing.Content[*schedules.Task] { return d.noteContent(t) }},
				{Mode: m.Costs, Read: func() importing.Content[*schedules.Task] { return d.expenseContent(t) }},
			},
		}
		if t.TemplateID != "" {
			origin := importing.Value(t.TemplateID, func(*schedules.Task, string) {})
			entries[i].Origin = importing.HashOf(t.TemplateID)
			entries[i].Parts = append(entries[i].Parts, importing.Always(m.Tasks, origin))
		}
	}
	_, err := importing.CompareInOrder(d.Diff, &importing.Kind[schedules.Task]{
		Name: tasksKind, Records: core.Tasks.Table(), Mode: m.Tasks, Counts: d.counting("tasks",
			func(c *synchronizers.SynchronizationCounts) **int { return &c.Tasks }),
		Fresh: func(id string) *schedules.Task {
			t := core.BlankTask(id)
			t.Name, t.Type, t.Status = "Task", schedules.Work, schedules.Planned
			return t
		},
		Emit: func(t *schedules.Task, unused bool) {
			d.tasks.puts[t.ID], d.tasks.unused[t.ID] = t, unused
			d.tasks.parent[t.ID] = core.ParentOfTask(t)
			d.tasks.order = append(d.tasks.order, t.ID)
		},
		Protect: d.taskStays,
		Parent:  core.ParentOfTask,
		Origin:  taskOrigin,
	}, entries, func(i int, id string) { filed[i].recordID = id })
	if err != nil {
		return err
	}
	return d.completeTasks(tasks)
}

// namesOf are by what a task is known again: by the id that its planner gave it, or by
// what its users call it.
func (d *planDiff) namesOf(t *planner.Task, path string) (key, alias string) {
	given, called := importing.External(t.ExternalID), ""
	switch {
	case d.file.Format == planner.MSPDI:
		called = "u:" + t.ID
	case t.Kind == cpm.Summary:
		called = "w:" + path
	case t.Code != "":
		called = "c:" + d.projects[t.ProjectID] + "/" + t.Code
	default:
		called = "u:" + d.projects[t.ProjectID] + "/" + t.ID
	}
	byCode := d.w.Modes.UseActivityIDs && t.Kind != cpm.Summary || d.w.Modes.UseWBSCodes && t.Kind == cpm.Summary
	if given == "" || byCode {
		return called, given
	}
	return given, called
}

// typeOf is the type of a task of the file.
func typeOf(t *planner.Task) schedules.TaskType {
	switch {
	case t.WBSSummary:
		return schedules.Work
	case t.Kind == cpm.StartMilestone:
		return schedules.StartKeyDate
	case t.Kind == cpm.FinishMilestone:
		return schedules.FinishKeyDate
	case t.Kind == cpm.LongHammock:
		return schedules.LongHammock
	case t.Kind == cpm.ShortHammock:
		return schedules.ShortHammock
	}
	return schedules.Work
}

// taskContent is what the file has of a task but its progress, constraints and notes.
func (d *planDiff) taskContent(t *planner.Task, f *filedTask, dates taskDates) *filedTaskContent {
	name := d.nameFor("task", cmp.Or(t.Code, t.ID), cmp.Or(t.Name, t.Code, t.ID), schedules.MaxText)
	parent, calendar := f.above.id(), d.calendarIDs[t.CalendarID]
	if t.Elapsed {
		calendar = d.calendarIDs[elapsedCalendar]
	}
	code := d.userDefinedIDOf(t, f.path)
	typ := typeOf(t)
	_, undated := d.tasks.undated[t.ID]
	start, finish, seconds := d.plannedOf(t, typ, dates, undated)
	return &filedTaskContent{
		Name: name, Type: typ, Parent: parent, Calendar: calendar, Code: code, Start: start, Finish: finish,
		Duration: seconds,
		Project:  d.projectIDs[t.ProjectID], Priority: t.Priority, Summary: t.Kind == cpm.Summary, Splits: d.splitsOf(t,
			typ, seconds),
		undated: undated, spans: spans(t),
	}
}

// filedTaskContent is what a file has of a task but its progress, constraints and notes.
type filedTaskContent struct {
	Name                   string
	Type                   schedules.TaskType
	Parent, Calendar, Code string
	Start, Finish          twinplatform.DateTime
	Duration               *int32
	// The rest is what few tasks have.
	Project  string
	Priority *int32
	Summary  bool
	Splits   []schedules.TaskSplit

	// undated reports that the file has no dates of the task, and spans that it has those of
	// the tasks below it: they decide which dates are set.
	undated, spans bool
}

// Compared implements importing.Content.
func (c *filedTaskContent) Compared(facts *importing.Facts) any {
	if further := c.further(); further != nil {
		return append([]any{c.Name, c.Type, c.Parent, c.Calendar, c.Code, c.Start, c.Finish, c.Duration}, further...)
	}
	return facts.Text(c.Name).Text(string(c.Type)).Text(c.Parent).Text(c.Calendar).Text(c.Code).
		At(c.Start).At(c.Finish).Seconds(c.Duration)
}

// further is what few tasks have, each with its name: a value that moves to another member is another content.
func (c *filedTaskContent) further() (further []any) {
	add := func(name string, has bool, v any) {
		if has {
			further = append(further, name, v)
		}
	}
	add("project", c.Project != "", c.Project)
	add("priority", c.Priority != nil, c.Priority)
	add("summary", c.Summary, true)
	add("splits", c.Splits != nil, c.Splits)
	return further
}

// Set implements importing.Content.
func (c *filedTaskContent) Set(v *schedules.Task) {
	was := v.Type
	v.Priority, v.IsSummary, v.Splits = c.Priority, c.Summary, c.Splits
	v.ProjectID = twinplatform.NullString(c.Project)
	v.Name, v.Type, v.ParentID, v.CalendarID, v.UserDefinedID = c.Name, c.Type, twinplatform.NullString(c.Parent),
		twinplatform.NullString(c.Calendar), c.Code
	if core.IsHammock(c.Type) && core.IsHammock(was) {
		return // its dates are derived
	}
	if !c.spans || !c.undated {
		v.PlannedDuration = c.Duration
	}
	if c.undated && was == c.Type {
		return
	}
	v.PlannedStart = c.Start
	if c.Type == schedules.FinishKeyDate || core.IsHammock(c.Type) || was != c.Type {
		v.PlannedFinish = c.Finish
	}
}

// plannedOf are the dates and the duration that a task of a type is planned with.
func (d *planDiff) plannedOf(t *planner.Task, typ schedules.TaskType, dates taskDates, undated bool) (start,
	finish twinplatform.DateTime, seconds *int32,
) {
	start, finish = d.at(dates.start), d.at(cmp.Or(dates.finish, dates.start))
	switch {
	case core.IsHammock(typ):
		start, finish = twinplatform.DateTime{}, twinplatform.DateTime{}
	case typ == schedules.StartKeyDate:
		finish = twinplatform.DateTime{}
	case typ == schedules.FinishKeyDate:
		start = twinplatform.DateTime{}
	default:
		seconds, finish = d.durationOf(t, dates), twinplatform.DateTime{}
	}
	if undated {
		start, finish = twinplatform.DateTime{}, twinplatform.DateTime{}
		if spans(t) {
			seconds = nil
		}
	}
	return start, finish, seconds
}

// splitsOf are the splits of a task of a type, as far as a schedule keeps them.
func (d *planDiff) splitsOf(t *planner.Task, typ schedules.TaskType, seconds *int32) (splits []schedules.TaskSplit) {
	if core.IsKeyDate(typ) || core.IsHammock(typ) || seconds == nil {
		return nil
	}
	for _, s := range t.Splits {
		if len(splits) == schedules.MaxSplits || s.After >= int64(*seconds) || s.Pause > math.MaxInt32 {
			d.Warn("Warning: Task (ID=%s) has splits (Splits) beyond %d, beyond its duration or beyond %d seconds; "+
				"they were ignored.", cmp.Or(t.Code, t.ID), schedules.MaxSplits, math.MaxInt32)
			break
		}
		splits = append(splits, schedules.TaskSplit{After: int32(s.After), Duration: int32(s.Pause)})
	}
	return splits
}

// userDefinedIDOf is the user-defined id that a task gets, unless another one has it.
func (d *planDiff) userDefinedIDOf(t *planner.Task, path string) string {
	code := t.Code
	switch {
	case d.file.Format == planner.MSPDI:
		code = t.ID // which stays, while the numbers of rows do not
	case t.Kind == cpm.Summary && !d.w.Modes.UseWBSCodes:
		return ""
	case t.Kind == cpm.Summary:
		code = path
	}
	code = d.text("a task", code, schedules.MaxText)
	if code == "" {
		return ""
	}
	if whose, taken := d.tasks.taken[code]; taken && whose != t.ID {
		if other := d.projects[t.ProjectID] + "/" + code; d.tasks.taken[other] == "" && len(d.file.Projects) > 1 {
			d.tasks.taken[other] = t.ID
			return other
		}
		d.Warn("Warning: Task (ID=%s) has an id that another task of the schedule has; it has none here.", code)
		return ""
	}
	d.tasks.taken[code] = t.ID
	return code
}

// taskStays reports why a task stays that the file does not have: what was made here lies
// below it.
func (d *planDiff) taskStays(t *schedules.Task) string {
	if d.tasks.needed == nil {
		d.tasks.needed = make(map[string]bool)
		need := func(id string) {
			for at := d.tasks.parent[id]; at != "" && !d.tasks.needed[at]; at = d.tasks.parent[at] {
				d.tasks.needed[at] = true
			}
		}
		for _, f := range d.filed {
			need(f.recordID)
		}
		if d.w.Modes.Tasks != importing.Synchronize {
			for id := range d.tasks.made {
				need(id)
			}
			for _, item := range d.ItemsOf(tasksKind).All {
				if item.SynchronizerID != d.w.SynchronizerID {
					need(item.RecordID)
				}
			}
		}
	}
	if !d.tasks.needed[t.ID] {
		return ""
	}
	return fmt.Sprintf("Warning: Task '%s' is no longer in the file, and stays since others lie below it.", t.Name)
}

// completeTasks gives the tasks that are written what follows from all of them.
func (d *planDiff) completeTasks(tasks []planner.Task) error {
	for _, change := range d.Gone[len(d.Gone)-1] {
		if change.Records == core.Tasks.Name {
			delete(d.tasks.parent, change.Gone)
			delete(d.tasks.puts, change.Gone)
		}
	}
	if err := d.checkDepths(); err != nil {
		return err
	}
	above := make(map[string]bool)
	for _, parent := range d.tasks.parent {
		above[parent] = true
	}
	d.tasks.above = above
	for _, id := range slices.Sorted(maps.Keys(d.tasks.parent)) {
		now, there := d.tasks.now[id]
		if d.tasks.puts[id] != nil || !there || now.wbs == (above[id] || now.summary) {
			continue
		}
		t, err := core.Tasks.Value(d.Tx, d.Scope, id)
		if err != nil {
			return err
		}
		own := *t
		d.tasks.puts[id] = &own
		d.tasks.order = append(d.tasks.order, id)
	}
	if err := d.dateTasks(tasks); err != nil {
		return err
	}
	for _, id := range d.tasks.order {
		t := d.tasks.puts[id]
		if t == nil {
			continue
		}
		t.IsWBS = above[id] || t.IsSummary
		core.Derive(t)
		t.StatusID = core.StatusIDOf(&d.w.StatusIDs, t.Status)
		if err := d.Write(core.Tasks.Table(), t, d.tasks.unused[id]); err != nil {
			return err
		}
	}
	return nil
}

// checkDepths refuses what would bring tasks deeper than they may lie, or in a circle:
// users may have put tasks of the file below others.
func (d *planDiff) checkDepths() error {
	for id := range d.tasks.puts {
		depth := 0
		for at := id; at != ""; at = d.tasks.parent[at] {
			if depth++; depth > 4*schedules.MaxDepth {
				return badFile("The task '%s' would lie below itself or far too deep, since tasks were moved in the "+
					"schedule.", d.tasks.puts[id].Name)
			}
		}
	}
	return nil
}
