package schedules

import (
	"cmp"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/plan"
)

// Which dates and which progress a task has depends on its type and status, and on what
// they were. The members are set as they are given, and then completed as a whole.
var taskKind = entity.Kind[Task, NewTask, taskChange]{
	Records: &taskRecords, One: model.Tasks.One, Many: model.Tasks.Many, Batches: true, Resource: model.Tasks.Resource,
	Missing: taskMissing, Bad: &InvalidRequest,
	Members: func(t *Task, n *NewTask, p *taskChange) []entity.Member {
		quantity, date := (*problem.Checks).Quantity, (*problem.Checks).Date
		return []entity.Member{
			entity.ID(&t.ID, &n.ID, &p.ID),
			entity.Text("name", &t.Name, &n.Name, &p.Name).Max(MaxText).Required(),
			entity.Enum("type", &t.Type, &n.Type, &p.Type, taskTypes).Required(),
			entity.Enum("status", &t.Status, &n.Status, &p.Status, taskStatuses),
			entity.Text("parentId", &t.ParentID, &n.ParentID, &p.ParentID),
			entity.Enum("constraintType", &t.ConstraintType, &n.ConstraintType, &p.ConstraintType, constraintTypes).Default(NoConstraint),
			entity.Enum("physicalQuantityUnit", &t.PhysicalQuantityUnit, &n.PhysicalQuantityUnit, &p.PhysicalQuantityUnit, resourceUnitTypes).Default(UnknownUnit),
			entity.Value("percentComplete", &t.PercentComplete, &n.PercentComplete, &p.PercentComplete).Valid(checkPercent, schema.Range(0, 100)),
			entity.Enum("percentCompleteType", &t.PercentCompleteType, &n.PercentCompleteType, &p.PercentCompleteType, percentCompleteTypes).Cleared(),
			entity.Value("physicalPercentComplete", &t.PhysicalPercentComplete, &n.PhysicalPercentComplete, &p.PhysicalPercentComplete).Valid(checkShare, schema.Range(0, 100)),
			entity.Value("physicalQuantity", &t.PhysicalQuantity, &n.PhysicalQuantity, &p.PhysicalQuantity).Valid(quantity, schema.AtLeast(0)),
			entity.Value("actualPhysicalQuantity", &t.ActualPhysicalQuantity, &n.ActualPhysicalQuantity, &p.ActualPhysicalQuantity).Valid(quantity, schema.AtLeast(0)),
			entity.Value("estimatedRate", &t.EstimatedRate, &n.EstimatedRate, &p.EstimatedRate).Valid(quantity, schema.AtLeast(0)),
			entity.Value("actualStart", &t.ActualStart, &n.ActualStart, &p.ActualStart).Valid(date),
			entity.Value("actualFinish", &t.ActualFinish, &n.ActualFinish, &p.ActualFinish).Valid(date),
			entity.Value("plannedStart", &t.PlannedStart, &n.PlannedStart, &p.PlannedStart).Valid(date),
			entity.Value("plannedFinish", &t.PlannedFinish, &n.PlannedFinish, &p.PlannedFinish).Valid(date),
			entity.Value("constraintEarlyDate", &t.ConstraintEarlyDate, &n.ConstraintEarlyDate, &p.ConstraintEarlyDate).Valid(date),
			entity.Value("constraintLateDate", &t.ConstraintLateDate, &n.ConstraintLateDate, &p.ConstraintLateDate).Valid(date),
			entity.Value("expectedFinish", &t.ExpectedFinish, &n.ExpectedFinish, &p.ExpectedFinish).Valid(date),
			entity.Value("isMandatory", &t.IsMandatory, &n.IsMandatory, &p.IsMandatory),
			entity.Enum("secondConstraintType", &t.SecondConstraintType, &n.SecondConstraintType, &p.SecondConstraintType, secondConstraintTypes).Cleared(),
			entity.Value("secondConstraintDate", &t.SecondConstraintDate, &n.SecondConstraintDate, &p.SecondConstraintDate).Valid(date),
			entity.Value("deadline", &t.Deadline, &n.Deadline, &p.Deadline).Valid(date),
			entity.Value("externalEarlyStart", &t.ExternalEarlyStart, &n.ExternalEarlyStart, &p.ExternalEarlyStart).Valid(date),
			entity.Value("externalLateFinish", &t.ExternalLateFinish, &n.ExternalLateFinish, &p.ExternalLateFinish).Valid(date),
			entity.Value("suspendDate", &t.SuspendDate, &n.SuspendDate, &p.SuspendDate).Valid(date),
			entity.Value("resumeDate", &t.ResumeDate, &n.ResumeDate, &p.ResumeDate).Valid(date),
			entity.Value("isInactive", &t.IsInactive, &n.IsInactive, &p.IsInactive),
			entity.Value("isPlaceholder", &t.IsPlaceholder, &n.IsPlaceholder, &p.IsPlaceholder),
			entity.Value("isSummary", &t.IsSummary, &n.IsSummary, &p.IsSummary),
			entity.Value("usesResourceCalendars", &t.UsesResourceCalendars, &n.UsesResourceCalendars, &p.UsesResourceCalendars),
			entity.Part("priority", &t.Priority, &n.Priority, &p.Priority, checkPriority, schema.Range(0, MaxPriority)),
			entity.Value("expenses", &t.Expenses, &n.Expenses, &p.Expenses).Valid(checkExpenses),
			entity.Value("notes", &t.Notes, &n.Notes, &p.Notes).Valid(checkNotes),
			entity.Value("splits", &t.Splits, &n.Splits, &p.Splits).Valid(checkSplits),
			entity.Value("steps", &t.Steps, &n.Steps, &p.Steps).Valid(checkSteps),
			entity.Text("comment", &t.Comment, &n.Comment, &p.Comment).Max(MaxComment),
			entity.Text("url", &t.URL, &n.URL, &p.URL).Max(MaxText),
			entity.Text("userDefinedId", &t.UserDefinedID, &n.UserDefinedID, &p.UserDefinedID).Max(MaxText),
			entity.Text("calendarId", &t.CalendarID, &n.CalendarID, &p.CalendarID),
			entity.Text("projectId", &t.ProjectID, &n.ProjectID, &p.ProjectID),
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.Fixed("durationType", &n.DurationType, &p.DurationType, FixedDuration),
			entity.Fixed("progressType", &n.ProgressType, &p.ProgressType, AutomaticProgress),
		}
	},
	AfterCreate: func(t *Task, n *NewTask, c *problem.Checks) {
		if n.TaskOrder != nil {
			c.Bad("taskOrder", "Tasks are kept by their ids, and have no other order.")
		}
		t.Status, t.PlannedDuration = cmp.Or(t.Status, Planned), n.PlannedDuration
		planned, given := n.planned(), n.given()
		t.complete(c, &planned, &given, twinplatform.DateTime{}, nil, nil)
	},
	AfterUpdate: func(t, stored *Task, p *taskChange, c *problem.Checks) {
		if p.Status.IsNull() { // it may be left out of a request, and is never cleared
			problem.OneOf(c, "status", "", taskStatuses)
			t.Status = stored.Status
		}
		p.PlannedDuration.ApplyPointer(&t.PlannedDuration)
		t.complete(c, stored, &p.TaskPatch, p.Now, p.times, p.ids)
	},
	Validate:   taskFits,
	Needs:      taskNeeds,
	Found:      foundWithTask,
	AfterWrite: followTask,
	Parent:     (*Task).parent,
}

func (t *Task) parent() string { return string(t.ParentID) }

// taskNeeds are what is checked against a task, and what follows from it.
func taskNeeds(s records.Scope, t *Task) []records.Need {
	needs := slices.Concat(
		taskRecords.Needs(s, t.parent()), calendarRecords.Needs(s, string(t.CalendarID)),
		taskRecords.NeedsIndexed(s, model.UserDefinedID, t.UserDefinedID), projectSchedulingRecords.Needs(s, projectSchedulingID),
	)
	if t.parent() != "" {
		needs = append(needs, taskRecords.NeedsIndexed(s, "parent", t.ID)...)
	}
	return needs
}

// foundWithTask is what goes with a task.
func foundWithTask() []records.Found {
	return append(foundWith(model.Tasks), taskLinkRecords.FoundBy("predecessor"), taskLinkRecords.FoundBy("successor"),
		assignmentKind.FoundBy(assignedTask))
}

// taskFits checks a new or changed task against the others: its parent, that no link
// would connect what moves with what is above it, and its user-defined id.
func taskFits(tx records.Reading, s records.Scope, t, stored *Task, c *problem.Checks) error {
	r := readPlan(tx, s)
	above, err := r.CheckParent("task", t, stored, c)
	if err != nil {
		return err
	}
	if err := r.checkMove(t, stored, above, c); err != nil {
		return err
	}
	var was Task
	if stored != nil {
		was = *stored
	}
	if err := namesCalendar(tx, s, c, t.CalendarID, was.CalendarID); err != nil {
		return err
	}
	if err := namesProject(tx, s, c, t.ProjectID, was.ProjectID); err != nil {
		return err
	}
	if err := c.Err(InvalidRequest); err != nil || stored != nil && stored.UserDefinedID == t.UserDefinedID {
		return err
	}
	return model.UnusedUserID(tx, s, &taskRecords, c, "task", t.UserDefinedID, t.ID)
}

// checkMove checks a task that has moved below others, of which above are the ids: no
// link may connect them with what moves with it, and what is too deep afterwards was as
// deep before.
func (r planReader) checkMove(t, stored *Task, above map[string]bool, c *problem.Checks) error {
	if above == nil {
		return nil
	}
	children := 0
	for range r.Children(t.ID) { // all that is below them will be read
		children++
		if err := records.Large(r.tx, children); err != nil {
			return err
		}
	}
	linkID, err := plan.LinkInto(r, r, t.ID, above)
	if err != nil {
		return err
	}
	if linkID != "" {
		c.Bad("parentId", "The link '%s' would tie a task to its ancestor.", linkID)
	}
	if len(above)+plan.Height(r, t.ID, MaxDepth) <= MaxDepth {
		return nil
	}
	before, err := plan.Ancestors(r, stored.ID)
	if err == nil && len(above) > len(before) {
		c.Bad("parentId", tooDeep, MaxDepth)
	}
	return err
}

func checkPercent(c *problem.Checks, name string, v int32) {
	if v < 0 || v > 100 {
		c.Bad(name, "A percentage is 0 to 100.")
	}
}

// taskFamily are tasks with the calls that there are to them.
type taskFamily struct {
	*model.Family[Task, NewTask, taskChange]
	createOne model.Change[[]NewTask, Task]
	update    model.Change[taskUpdate, Task]
}

// tasksOf defines the changes to tasks: that of one task affects others, on its parent
// and on hammocks.
func tasksOf(s *Service) taskFamily {
	f := model.ReadingsOf(s.area(), &taskKind)
	f.Many = model.DefineChange(s.area(), "tasks.create", insertTasks("batch", s.now), "tasks.createMany").Needs(model.NeedsOfEach(&taskKind))
	f.Deletion = model.DefineInSteps(s.area(), "tasks.delete", deleteTasks, "tasks.deleteMany", "tasks.delete").Needs(func(s records.Scope, d *entity.Deletion) []records.Need {
		return append(taskKind.NeedsOfRemoval(s, d.IDs), analysisRecords.Needs(s, d.IDs...)...)
	})
	return taskFamily{
		Family:    f,
		createOne: model.DefineChange(s.area(), "task.create", insertTasks("", s.now), "tasks.create").Needs(model.NeedsOfEach(&taskKind)),
		update: model.DefineChange(s.area(), "task.update", updateTask, "tasks.update").Needs(func(s records.Scope, r *taskUpdate) []records.Need {
			return append(taskKind.NeedsOfPatch(s, r.ID, &taskChange{TaskPatch: r.Patch, Now: r.Now}), needsAround(s, r.ID)...)
		}),
	}
}
