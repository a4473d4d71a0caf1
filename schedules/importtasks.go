package schedules

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// importedTasks are the tasks of a schedule as they will be.
type importedTasks struct {
	now    map[string]taskNow
	puts   map[string]*Task // those that are written
	unused map[string]bool  // ids that were never used before
	order  []string         // their ids
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
	hammock bool
}

// loadTasks reads the tasks that are there.
func (d *planDiff) loadTasks() error {
	d.tasks = &importedTasks{now: make(map[string]taskNow), puts: make(map[string]*Task), unused: make(map[string]bool), parent: make(map[string]string, len(d.file.Tasks)), made: make(map[string]bool), taken: make(map[string]string), undated: make(map[string]taskDates)}
	known := make(map[string]bool)
	for _, item := range d.itemsOf(tasksSort).all {
		known[item.RecordID] = true
	}
	for t, err := range taskRecords.From(d.tx, d.scope, "") {
		if err == nil {
			err = records.Interrupted(d.tx)
		}
		if err != nil {
			return err
		}
		d.tasks.now[t.ID] = taskNow{t.parent(), t.IsWBS, t.Type.hammock()}
		d.tasks.parent[t.ID] = t.parent()
		if known[t.ID] {
			continue
		}
		d.tasks.made[t.ID] = true
		if t.UserDefinedID != "" && d.w.Modes.Tasks != SynchronizeMode {
			d.tasks.taken[t.UserDefinedID] = t.ID
		}
	}
	return nil
}

const tasksSort = "tasks"

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
			out = append(out, planner.Task{ID: projectNode(p.ID), Code: p.Code, Name: cmp.Or(p.Name, p.Code, p.ID), ProjectID: p.ID, Kind: cpm.Summary, CalendarID: p.CalendarID})
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
		if at >= 0 && t.Kind == cpm.Summary && (t.Code == d.file.Projects[at].Code || t.Name == d.file.Projects[at].Name) {
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
	recordID string // empty where the schedule does not have it
	key      string
	path     string     // from its project down, by codes
	above    *filedTask // nil at the top
	depth    int
	duration int64
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
		if f.above = parent; parent.depth >= MaxDepth {
			f.above = parent.above
			d.warn("Warning: Task (ID=%s) lies more than %d deep; it was put higher.", cmp.Or(t.Code, t.ID), MaxDepth)
		}
		f.depth = f.above.depth + 1
	}
	f.path += "/" + t.Code
	d.filed[t.ID] = f
}

func (d *planDiff) compareTasks() error {
	if err := d.loadTasks(); err != nil {
		return err
	}
	m := &d.w.Modes
	tasks, places := d.withNodes()
	spans := d.projectSpans()
	keys, aliases := make(nameGiver, len(tasks)), make(nameGiver, len(tasks))
	d.filed = make(map[string]*filedTask, len(tasks))
	filed := make([]filedTask, len(tasks))
	things := make([]thing[Task], len(tasks))
	for i := range tasks {
		t, f := &tasks[i], &filed[i]
		d.place(t, f)
		dates := spans[t.ID]
		if places[i] >= 0 {
			dates = d.datesOf(places[i])
		}
		if !hasDates(t) && !typeOf(t).hammock() && m.Tasks != SkipMode {
			d.tasks.undated[t.ID] = dates
		}
		key, alias := d.namesOf(t, f.path)
		things[i] = thing[Task]{key: keys.name(key), alias: aliases.name(alias), parts: []part[Task]{
			{mode: m.Tasks, say: func() (any, func(*Task)) { return d.sayTask(t, f, dates) }},
			{mode: m.TaskActuals, say: func() (any, func(*Task)) { return d.sayActuals(t) }},
			{mode: m.TaskConstraints, say: func() (any, func(*Task)) { return d.sayConstraints(t) }},
			{mode: m.Notebooks, say: func() (any, func(*Task)) {
				text := d.textOf("the notes of task", cmp.Or(t.Code, t.ID), notesOf(t.Notes), MaxComment)
				return text, func(v *Task) { v.Comment = text }
			}},
		}}
		f.key = things[i].key
	}
	_, err := compareInOrder(d.importDiff, &sortOf[Task]{
		name: tasksSort, records: taskRecords.Table(), mode: m.Tasks, counts: func(c *SynchronizationCounts) **int { return &c.Tasks },
		fresh: func(id string) *Task {
			return &Task{ID: id, Name: "Task", Type: Work, Status: Planned, ConstraintType: NoConstraint, PhysicalQuantityUnit: UnknownUnit}
		},
		emit: func(t *Task, unused bool) {
			d.tasks.puts[t.ID], d.tasks.unused[t.ID] = t, unused
			d.tasks.parent[t.ID] = t.parent()
			d.tasks.order = append(d.tasks.order, t.ID)
		},
		keeps:  d.taskStays,
		parent: (*Task).parent,
	}, things, func(i int, id string) { filed[i].recordID = id })
	if err != nil {
		return err
	}
	return d.settleTasks(tasks)
}

// namesOf are by what a task is known again: by the id that its planner gave it, or by
// what its users call it.
func (d *planDiff) namesOf(t *planner.Task, path string) (key, alias string) {
	given, called := external(t.ExternalID), ""
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

// taskDates are the dates and the duration of a task, those of its planner where it has
// computed some.
type taskDates struct {
	start, finish worktime.Time
	calendar      *worktime.Calendar
}

// datesOf are the dates of a task of the file.
func (d *planDiff) datesOf(place int) taskDates {
	t, computed := &d.file.Tasks[place], d.scheduled.Dates(place)
	out := taskDates{start: t.File.Start, finish: t.File.Finish, calendar: d.calendarOf(t)}
	if t.Status() != planner.Planned && t.File.PlannedStart != 0 {
		out.start = t.File.PlannedStart
	}
	out.start = cmp.Or(out.start, t.File.EarlyStart, computed.Start)
	out.finish = cmp.Or(out.finish, t.File.EarlyFinish, computed.Finish)
	return out
}

// projectSpans are the dates of the tasks that stand for projects.
func (d *planDiff) projectSpans() map[string]taskDates {
	spans := make(map[string]taskDates)
	if !d.w.Modes.CreateProjectNodes {
		return spans
	}
	for _, p := range d.file.Projects {
		spans[projectNode(p.ID)] = taskDates{calendar: cmp.Or(d.calendars[p.CalendarID], d.standard)}
	}
	for i := range d.file.Tasks {
		id := projectNode(d.file.Tasks[i].ProjectID)
		span, dates := spans[id], d.datesOf(i)
		if dates.start != 0 && (span.start == 0 || dates.start < span.start) {
			span.start = dates.start
		}
		span.finish = max(span.finish, dates.finish)
		spans[id] = span
	}
	return spans
}

// typeOf is the type of a task of the file.
func typeOf(t *planner.Task) TaskType {
	switch {
	case t.WBSSummary:
		return Work
	case t.Kind == cpm.StartMilestone:
		return StartKeyDate
	case t.Kind == cpm.FinishMilestone:
		return FinishKeyDate
	case t.Kind == cpm.LongHammock:
		return LongHammock
	case t.Kind == cpm.ShortHammock:
		return ShortHammock
	}
	return Work
}

// hasDates reports whether the file has the planned date of a task.
func hasDates(t *planner.Task) bool {
	if typeOf(t) == FinishKeyDate {
		return t.File.Finish != 0 || t.File.EarlyFinish != 0
	}
	return t.File.Start != 0 || t.File.EarlyStart != 0
}

// spans reports whether a task has the dates of those below it.
func spans(t *planner.Task) bool { return t.Kind == cpm.Summary || t.WBSSummary }

// date gives a task the dates that the file does not have.
func (d *planDiff) date(v *Task, t *planner.Task, dates taskDates) {
	if v.Type != FinishKeyDate {
		v.PlannedStart = d.at(dates.start)
	} else {
		v.PlannedFinish = d.at(cmp.Or(dates.finish, dates.start))
	}
	if spans(t) && !v.Type.keyDate() {
		v.PlannedDuration = d.durationOf(t, dates)
	}
}

// durationOf is the planned duration of a task in seconds.
func (d *planDiff) durationOf(t *planner.Task, dates taskDates) *int32 {
	n := t.Duration
	switch {
	case spans(t):
		n = 0
		if dates.start != 0 && dates.finish > dates.start {
			n = dates.calendar.Between(dates.start, dates.finish)
		}
	case t.Status() != planner.Planned && t.Planned > 0:
		n = t.Planned
	}
	if n > math.MaxInt32 {
		d.warn("Warning: Task (ID=%s) takes longer than %d seconds; the rest was ignored.", cmp.Or(t.Code, t.ID), math.MaxInt32)
	}
	seconds := int32(min(max(n, 0), math.MaxInt32))
	return &seconds
}

// sayTask is what the file says of a task but its progress, constraints and notes.
func (d *planDiff) sayTask(t *planner.Task, f *filedTask, dates taskDates) (any, func(*Task)) {
	name := d.textOf("task", cmp.Or(t.Code, t.ID), cmp.Or(t.Name, t.Code, t.ID), MaxText)
	parent, calendar := f.above.id(), d.calendarIDs[t.CalendarID]
	if t.Elapsed {
		calendar = d.calendarIDs[elapsedCalendar]
	}
	code := d.userDefinedIDOf(t, f.path)
	typ := typeOf(t)
	start, finish := d.at(dates.start), d.at(cmp.Or(dates.finish, dates.start))
	var seconds *int32
	switch {
	case typ.hammock():
		start, finish = twinplatform.DateTime{}, twinplatform.DateTime{}
	case typ == StartKeyDate:
		finish = twinplatform.DateTime{}
	case typ == FinishKeyDate:
		start = twinplatform.DateTime{}
	default:
		seconds, finish = d.durationOf(t, dates), twinplatform.DateTime{}
	}
	_, undated := d.tasks.undated[t.ID]
	if undated {
		start, finish = twinplatform.DateTime{}, twinplatform.DateTime{}
		if spans(t) {
			seconds = nil
		}
	}
	said := []any{name, typ, parent, calendar, code, start, finish, seconds}
	return said, func(v *Task) {
		was := v.Type
		v.Name, v.Type, v.ParentID, v.CalendarID, v.UserDefinedID = name, typ, twinplatform.NullString(parent), twinplatform.NullString(calendar), code
		if typ.hammock() && was.hammock() {
			return // its dates are derived
		}
		if !spans(t) || !undated {
			v.PlannedDuration = seconds
		}
		if undated && was == typ {
			return
		}
		v.PlannedStart = start
		if typ == FinishKeyDate || typ.hammock() || was != typ {
			v.PlannedFinish = finish
		}
	}
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
	code = d.text("a task", code, MaxText)
	if code == "" {
		return ""
	}
	if whose, taken := d.tasks.taken[code]; taken && whose != t.ID {
		if other := d.projects[t.ProjectID] + "/" + code; d.tasks.taken[other] == "" && len(d.file.Projects) > 1 {
			d.tasks.taken[other] = t.ID
			return other
		}
		d.warn("Warning: Task (ID=%s) has an id that another task of the schedule has; it has none here.", code)
		return ""
	}
	d.tasks.taken[code] = t.ID
	return code
}

// sayActuals is what the file says of the progress of a task.
func (d *planDiff) sayActuals(t *planner.Task) (any, func(*Task)) {
	typ, status := typeOf(t), TaskStatus(t.Status())
	start, finish, percent, remaining := d.at(t.ActualStart), d.at(t.ActualFinish), int32(0), (*int32)(nil)
	switch {
	case typ.hammock():
		if status != Planned {
			d.warn("Warning: Task (ID=%s) has begun; the dates of a %s are derived, and its progress was ignored.", cmp.Or(t.Code, t.ID), typ)
		}
		status = Planned
	case typ.keyDate() && status == Started:
		status, finish = Finished, start
	}
	if status == Finished && start.IsZero() {
		start = finish
	}
	if status == Finished && finish.Before(start.Time) {
		d.warn("Warning: Task (ID=%s) finished before it started; it is taken to have started then.", cmp.Or(t.Code, t.ID))
		start = finish
	}
	switch status {
	case Planned:
		start, finish = twinplatform.DateTime{}, twinplatform.DateTime{}
	case Started:
		finish, percent = twinplatform.DateTime{}, percentOf(t)
		remaining = remainingOf(t, percent)
	case Finished:
		percent = 100
		if typ == StartKeyDate {
			finish = twinplatform.DateTime{}
		}
		if typ == FinishKeyDate {
			start = twinplatform.DateTime{}
		}
	}
	said, of := []any{status, start, finish, percent}, percentTypes[t.PercentOf]
	if remaining != nil || of != "" || t.Physical != 0 { // what a file says without these stays what it was before there were any
		said = append(said, remaining, of, t.Physical)
	}
	suspend, resume := d.at(t.Suspend), d.at(t.Resume)
	if !suspend.IsZero() || !resume.IsZero() {
		said = append(said, suspend, resume)
	}
	return said, func(v *Task) {
		v.Status, v.ActualStart, v.ActualFinish, v.PercentComplete, v.RemainingDuration = status, start, finish, percent, remaining
		v.PercentCompleteType, v.PhysicalPercentComplete = of, min(max(t.Physical, 0), 100)
		v.SuspendDate, v.ResumeDate = suspend, resume
		v.deriveRemaining()
	}
}

// percentOf is how much of a task is done.
func percentOf(t *planner.Task) int32 {
	whole := max(t.Duration, t.Planned)
	if t.PercentOf != planner.OfDuration {
		return int32(min(max(math.Round(t.Percent), 0), 100))
	}
	if whole <= 0 {
		return int32(min(max(t.Percent, 0), 100))
	}
	return int32(min(max(100-100*float64(t.Remaining)/float64(whole), 0), 100))
}

// constraintTypesOf are the constraints by those of the engine.
var constraintTypesOf = map[cpm.ConstraintType]ConstraintType{
	cpm.StartNoEarlier: StartAfter, cpm.FinishNoEarlier: FinishAfter, cpm.StartNoLater: StartBefore, cpm.FinishNoLater: FinishBefore,
	cpm.StartOn: StartOn, cpm.FinishOn: FinishOn, cpm.MandatoryStart: StartOn, cpm.MandatoryFinish: FinishOn,
	cpm.AsLateAsPossible: StartAlap,
}

// constraint is what the first of some constraints are, and how many these are.
func (d *planDiff) constraint(all []cpm.Constraint) (typ ConstraintType, early, late twinplatform.DateTime, used int) {
	if len(all) == 0 {
		return NoConstraint, early, late, 0
	}
	if len(all) > 1 {
		pair := [2]cpm.Constraint(all)
		if pair[0].Type > pair[1].Type {
			pair[0], pair[1] = pair[1], pair[0]
		}
		switch [2]cpm.ConstraintType{pair[0].Type, pair[1].Type} {
		case [2]cpm.ConstraintType{cpm.StartNoEarlier, cpm.StartNoLater}:
			return StartBetween, d.at(pair[0].Date), d.at(pair[1].Date), 2
		case [2]cpm.ConstraintType{cpm.FinishNoEarlier, cpm.FinishNoLater}:
			return FinishBetween, d.at(pair[0].Date), d.at(pair[1].Date), 2
		}
	}
	c := all[0]
	switch c.Type {
	case cpm.StartNoEarlier, cpm.FinishNoEarlier:
		early = d.at(c.Date)
	case cpm.StartNoLater, cpm.FinishNoLater:
		late = d.at(c.Date)
	case cpm.StartOn, cpm.FinishOn, cpm.MandatoryStart, cpm.MandatoryFinish:
		early, late = d.at(c.Date), d.at(c.Date)
	}
	return constraintTypesOf[c.Type], early, late, 1
}

// taskStays says why a task stays that the file does not have: what was made here lies
// below it.
func (d *planDiff) taskStays(t *Task) string {
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
		if d.w.Modes.Tasks != SynchronizeMode {
			for id := range d.tasks.made {
				need(id)
			}
			for _, item := range d.itemsOf(tasksSort).all {
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

// settleTasks gives the tasks that are written what follows from all of them.
func (d *planDiff) settleTasks(tasks []planner.Task) error {
	for _, change := range d.gone[len(d.gone)-1] {
		if change.Records == taskRecords.Name {
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
		if d.tasks.puts[id] != nil || !there || now.wbs == above[id] {
			continue
		}
		t, err := taskRecords.Value(d.tx, d.scope, id)
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
		t.IsWBS = above[id]
		t.derive()
		if err := d.write(taskRecords.Table(), t, d.tasks.unused[id]); err != nil {
			return err
		}
	}
	return nil
}

// dateTasks gives dates to the tasks that the file has none of.
func (d *planDiff) dateTasks(tasks []planner.Task) error {
	for i := range tasks {
		t := &tasks[i]
		dates, undated := d.tasks.undated[t.ID]
		id := d.filed[t.ID].id()
		if !undated || id == "" {
			continue
		}
		if v := d.tasks.puts[id]; v != nil {
			d.date(v, t, dates)
			if spans(t) {
				v.RemainingDuration = nil // which follows
			}
			continue
		}
		stored, err := taskRecords.Value(d.tx, d.scope, id)
		if err != nil {
			return err
		}
		own := *stored
		d.date(&own, t, dates)
		if !own.PlannedStart.Equal(stored.PlannedStart.Time) || !own.PlannedFinish.Equal(stored.PlannedFinish.Time) || !equalDuration(own.PlannedDuration, stored.PlannedDuration) {
			d.tasks.puts[id] = &own
			d.tasks.order = append(d.tasks.order, id)
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
			if depth++; depth > 4*MaxDepth {
				return badFile("The task '%s' would lie below itself or far too deep, since tasks were moved in the schedule.", d.tasks.puts[id].Name)
			}
		}
	}
	return nil
}

// linkTypesOf are the types of links by those of the engine.
var linkTypesOf = map[cpm.LinkType]TaskLinkType{
	cpm.FinishToStart: FinishToStart, cpm.StartToStart: StartToStart, cpm.FinishToFinish: FinishToFinish, cpm.StartToFinish: StartToFinish,
}

// linkPut is a link that is written, and whether its id was never used before.
type linkPut struct {
	*TaskLink

	unused bool
}

func (d *planDiff) compareLinks() error {
	mode := d.w.Modes.Links
	keys, aliases := make(nameGiver, len(d.file.Links)), make(nameGiver, len(d.file.Links))
	things, left := make([]thing[TaskLink], len(d.file.Links)), 0
	now := d.s.now()
	for i := range d.file.Links {
		l := &d.file.Links[i]
		before, after := d.task(l.PredecessorID), d.task(l.SuccessorID)
		pair := before.key + "/" + after.key
		things[i] = thing[TaskLink]{
			key: keys.name(pair + "/" + string(linkTypesOf[l.Type])), alias: aliases.name(pair),
			fits: func() (bool, error) {
				from, to := before.recordID, after.recordID
				switch {
				case from == "" || to == "":
					left++
					return false, nil
				case d.below(from, to) || d.below(to, from):
					d.warn("Warning: The link (ID=%s) ties a task to one above it, and was ignored.", l.ID)
					return false, nil
				}
				return true, nil
			},
			parts: []part[TaskLink]{{mode: mode, say: func() (any, func(*TaskLink)) { return d.sayLink(l, before, after) }}},
		}
	}
	_, err := diffOf(d.importDiff, &sortOf[TaskLink]{
		name: "links", records: taskLinkRecords.Table(), mode: mode, counts: func(c *SynchronizationCounts) **int { return &c.Links },
		fresh: func(id string) *TaskLink { return &TaskLink{ID: id, CreatedOn: now} },
		emit:  func(l *TaskLink, unused bool) { d.links[l.ID] = linkPut{l, unused} },
	}, things)
	if err != nil {
		return err
	}
	if left > 0 && mode != SkipMode {
		d.warn("Warning: %d links were ignored, since the schedule has not both of their tasks.", left)
	}
	return d.settleLinks()
}

// below reports whether a task will lie below another.
func (d *planDiff) below(id, other string) bool {
	if !d.tasks.above[other] { // as most
		return false
	}
	for at, n := d.tasks.parent[id], 0; at != "" && n < 4*MaxDepth; at, n = d.tasks.parent[at], n+1 {
		if at == other {
			return true
		}
	}
	return false
}

// sayLink is what the file says of a link.
func (d *planDiff) sayLink(l *planner.Link, before, after *filedTask) (any, func(*TaskLink)) {
	from, to, typ, lag, calendar := before.recordID, after.recordID, linkTypesOf[l.Type], l.Lag, ""
	if l.Percent {
		lag = before.duration * l.Lag / 100
		d.warn("Warning: The lag of the link (ID=%s) is %d percent of its predecessor; it was taken as %d seconds.", l.ID, l.Lag, lag)
	}
	if l.Elapsed {
		calendar = d.calendarIDs[elapsedCalendar]
	}
	seconds := int32(min(max(lag, math.MinInt32), math.MaxInt32))
	return []any{from, to, typ, seconds, calendar}, func(v *TaskLink) {
		v.PredecessorID, v.SuccessorID, v.Type, v.Lag, v.CalendarID = from, to, typ, seconds, twinplatform.NullString(calendar)
	}
}

// settleLinks checks all links as they will be, and writes those that are new or changed.
func (d *planDiff) settleLinks() error {
	g := linkGraph{place: make(map[string]int)}
	for _, id := range slices.Sorted(maps.Keys(d.tasks.parent)) {
		g.place[id] = len(g.ids)
		g.ids = append(g.ids, id)
	}
	g.next = make([][]int, len(g.ids))
	if err := d.otherLinks(&g); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(d.links)) {
		put := d.links[id]
		g.join(put.TaskLink)
		if err := d.write(taskLinkRecords.Table(), put.TaskLink, put.unused); err != nil {
			return err
		}
	}
	cycle := g.cycle()
	if cycle == nil {
		return nil
	}
	names := make([]string, len(cycle))
	for i, id := range cycle {
		names[i] = id
		if t := d.tasks.puts[id]; t != nil {
			names[i] = cmp.Or(t.UserDefinedID, t.Name)
		}
	}
	return badFile("With the links that were made in the schedule those of the file go round in a circle: %s.", model.InShort(names))
}

// otherLinks adds the links that stay as they are.
func (d *planDiff) otherLinks(g *linkGraph) error {
	going := make(map[string]bool)
	for _, change := range d.gone[len(d.gone)-1] {
		going[change.Gone] = going[change.Gone] || change.Records == taskLinkRecords.Name
	}
	for l, err := range taskLinkRecords.From(d.tx, d.scope, "") {
		if err == nil {
			err = records.Interrupted(d.tx)
		}
		if err != nil {
			return err
		}
		if going[l.ID] || d.links[l.ID].TaskLink != nil {
			continue
		}
		g.join(l)
		if d.below(l.PredecessorID, l.SuccessorID) || d.below(l.SuccessorID, l.PredecessorID) {
			return badFile("The link '%s', which was made in the schedule, would tie a task to one above it.", l.ID)
		}
	}
	return nil
}

// linkGraph is what links tie together.
type linkGraph struct {
	ids   []string
	place map[string]int
	next  [][]int
}

func (g *linkGraph) join(l *TaskLink) {
	from, ok := g.place[l.PredecessorID]
	to, both := g.place[l.SuccessorID]
	if ok && both {
		g.next[from] = append(g.next[from], to)
	}
}

// cycle is one that the links close; nil when there is none.
func (g *linkGraph) cycle() []string {
	const (
		onWay = iota + 1
		done
	)
	state, tried := make([]int8, len(g.ids)), make([]int, len(g.ids))
	for root := range g.ids {
		way := []int{root}
		for len(way) > 0 {
			at := way[len(way)-1]
			if state[at] == done {
				way = way[:len(way)-1]
				continue
			}
			state[at] = onWay
			if tried[at] == len(g.next[at]) {
				state[at] = done
				way = way[:len(way)-1]
				continue
			}
			to := g.next[at][tried[at]]
			tried[at]++
			switch state[to] {
			case onWay:
				var ids []string
				for _, v := range way[slices.Index(way, to):] {
					ids = append(ids, g.ids[v])
				}
				return append(ids, g.ids[to])
			case done:
			default:
				way = append(way, to)
			}
		}
	}
	return nil
}
