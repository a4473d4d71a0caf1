package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
)

// Task is an activity that connects time with 3D models. Durations are in seconds of the
// working time of its calendar.
type Task struct {
	// ActualDuration is the working time from actual start to actual finish.
	ActualDuration *int32                `json:"actualDuration"`
	ActualFinish   twinplatform.DateTime `json:"actualFinish"` // null unless Finished
	// done so far, in PhysicalQuantityUnit; 0 or more
	ActualPhysicalQuantity float64               `json:"actualPhysicalQuantity"`
	ActualStart            twinplatform.DateTime `json:"actualStart"` // null while Planned
	// CalendarID is the calendar of the task; that of its project, or else of the schedule, where
	// it is null.
	CalendarID twinplatform.NullString `json:"calendarId"`
	// Comment has at most 1,000 characters.
	Comment string `json:"comment"`
	// of the constraint, which has no effect without its date
	ConstraintEarlyDate twinplatform.DateTime `json:"constraintEarlyDate"`
	// of the constraint, which has no effect without its date
	ConstraintLateDate twinplatform.DateTime `json:"constraintLateDate"`
	ConstraintType     ConstraintType        `json:"constraintType"` // NoConstraint until it is set
	// Deadline is when the task is to have ended: it counts for late dates and floats alone.
	// This member and the others that may be left out are so where there is none.
	Deadline twinplatform.DateTime `json:"deadline,omitzero"`
	Deleted  bool                  `json:"deleted"` // true in deltas alone
	// DurationType is FixedDuration: the duration does not follow from a quantity.
	DurationType string `json:"durationType"`
	// EstimatedFinish is when the task ends by what is known, whatever precedes it:
	// ActualFinish of a Finished task, else PlannedFinish; of a Started one RemainingDuration
	// behind the data date, in schedules without one and by the rules of Microsoft Project the
	// longer of PlannedDuration and RemainingDuration behind ActualStart.
	EstimatedFinish twinplatform.DateTime `json:"estimatedFinish"`
	EstimatedRate   float64               `json:"estimatedRate"` // kept as given; 0 or more
	// ExpectedFinish is when a task that has not ended ends by the rules of P6, however long
	// that makes what remains of it.
	ExpectedFinish twinplatform.DateTime `json:"expectedFinish"`
	// Expenses are what it costs besides its resources, MaxExpenses at most; left out where there
	// are none.
	Expenses []TaskExpense `json:"expenses,omitempty"`
	// ExternalEarlyStart and ExternalLateFinish are what tasks of other plans leave to the
	// task: by the rules of P6 it starts no earlier, and is to have ended by then.
	ExternalEarlyStart twinplatform.DateTime `json:"externalEarlyStart,omitzero"`
	ExternalLateFinish twinplatform.DateTime `json:"externalLateFinish,omitzero"`
	ID                 string                `json:"id"` // unique in the schedule; never changes
	// IsInactive leaves the task out of the logic: it has no computed dates and holds nothing.
	IsInactive bool `json:"isInactive,omitzero"`
	// IsMandatory puts a task with the constraint StartOn or FinishOn on its date, whatever its
	// links say; other constraints are none the more.
	IsMandatory bool `json:"isMandatory,omitzero"`
	// IsPlaceholder reports that the task, as one of Microsoft Project with free text for
	// dates, is never critical.
	IsPlaceholder bool `json:"isPlaceholder,omitzero"`
	// IsSummary reports that the task is a summary, such as a node of a WBS, whether or not it
	// has children; left out of one that is a summary for as long as it has some.
	IsSummary bool `json:"isSummary,omitzero"`
	// IsWBS is true while the task has children, and of one with IsSummary.
	IsWBS    bool                    `json:"isWbs"`
	Name     string                  `json:"name"`     // 1 to MaxText characters
	ParentID twinplatform.NullString `json:"parentId"` // the task above it; null at the top
	// PercentComplete is 0 while Planned and 100 once Finished.
	PercentComplete int32 `json:"percentComplete"`
	// PercentCompleteType is of what PercentComplete is; left out where it is of the duration.
	PercentCompleteType PercentCompleteType `json:"percentCompleteType,omitzero"`
	// PhysicalPercentComplete is how much of the task is done by its looks, 0 to 100; left out
	// where it is 0.
	PhysicalPercentComplete float64 `json:"physicalPercentComplete,omitzero"`
	// to be done, in PhysicalQuantityUnit; 0 or more
	PhysicalQuantity     float64                `json:"physicalQuantity"`
	PhysicalQuantityUnit units.ResourceUnitType `json:"physicalQuantityUnit"` // Unknown until it is set
	// PlannedDuration is null for milestones, and derived for hammocks.
	PlannedDuration *int32 `json:"plannedDuration"`
	// PlannedFinish is when PlannedDuration is worked from PlannedStart on, with the pauses of
	// Splits; a FinishKeyDate has nothing else.
	PlannedFinish twinplatform.DateTime `json:"plannedFinish"`
	PlannedStart  twinplatform.DateTime `json:"plannedStart"` // null for a FinishKeyDate; derived for hammocks
	// Notes are longer than a comment, or several, MaxNotes at most; left out where there are none.
	Notes []TaskNote `json:"notes,omitempty"`
	// Priority is from 0 to MaxPriority, as Microsoft Project counts, and kept as it is given; left
	// out where it is 500, the usual one. The five words of P6 are 900, 600, 500, 400 and 100.
	Priority *int32 `json:"priority,omitempty"`
	// ProgressType is AutomaticProgress: progress follows the status.
	ProgressType string `json:"progressType"`
	// ProjectID is the project of the task, by whose data date, calendar and rules it is scheduled.
	// It is left out of a task of the schedule itself, which is the first of several projects.
	ProjectID twinplatform.NullString `json:"projectId,omitzero"`
	// RemainingDuration is what is still to be done of a Started task, even if it is more than was
	// planned: what was given, or else the part of PlannedDuration that PercentComplete
	// leaves. It is null for a planned task, and 0 once Finished.
	RemainingDuration *int32 `json:"remainingDuration"`
	// PhysicalQuantity less the actual one, 0 at least
	RemainingPhysicalQuantity float64 `json:"remainingPhysicalQuantity"`
	// ResumeDate is when what remains of a Started task that was interrupted continues. By the
	// rules of Microsoft Project it counts of a task with a SuspendDate before it alone.
	ResumeDate twinplatform.DateTime `json:"resumeDate,omitzero"`
	// SecondConstraintDate and SecondConstraintType hold the task to another date than its
	// constraint does.
	SecondConstraintDate twinplatform.DateTime `json:"secondConstraintDate,omitzero"`
	SecondConstraintType ConstraintType        `json:"secondConstraintType,omitzero"`
	// Splits are where work on it pauses by plan, in their order, MaxSplits at most; left out where
	// there are none. They count for nothing while it has children.
	Splits   []TaskSplit `json:"splits,omitempty"`
	Status   TaskStatus  `json:"status"`   // moved by UpdateTask
	StatusID string      `json:"statusId"` // says Status as an id
	// Steps are the parts of it in their order, MaxSteps at most; left out where there are none.
	Steps       []TaskStep            `json:"steps,omitempty"`
	SuspendDate twinplatform.DateTime `json:"suspendDate,omitzero"` // when work on it was interrupted
	Type        TaskType              `json:"type"`                 // says which dates it has
	URL         string                `json:"url"`                  // up to MaxText characters
	// UserDefinedID is unique among the tasks of the schedule, unless empty.
	UserDefinedID string `json:"userDefinedId"`
	// UsesResourceCalendars reports that the task is done when the people and the equipment that
	// are assigned to it work: by the rules of P6 as long as the slowest of them takes, by those
	// of Microsoft Project when one of them works and the calendar of the task does. What follows
	// for the task and what is computed of it count that.
	UsesResourceCalendars bool `json:"usesResourceCalendars,omitzero"`
}

// NewTask asks for a task. Null and left out are the same in it.
type NewTask struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name is required.
	Name string `json:"name"`
	// Type is required.
	Type TaskType `json:"type"`
	// ParentID names a task of the same schedule, or of the same batch.
	ParentID string `json:"parentId"`
	// PlannedStart is not for FinishKeyDate and hammocks.
	PlannedStart twinplatform.DateTime `json:"plannedStart"`
	// PlannedFinish is for FinishKeyDate alone; that of other tasks follows
	// from start and duration.
	PlannedFinish twinplatform.DateTime `json:"plannedFinish"`
	// PlannedDuration is in seconds; not for milestones and hammocks.
	PlannedDuration *int32 `json:"plannedDuration"`
	// Comment has at most 1,000 characters.
	Comment string `json:"comment"`
	URL     string `json:"url"` // up to MaxText characters
	// UserDefinedID is that of no other task of the schedule.
	UserDefinedID string `json:"userDefinedId"`
	// CalendarID names a calendar of the schedule.
	CalendarID string `json:"calendarId,omitzero"`
	// ProjectID names a project of the ProjectScheduling.
	ProjectID string `json:"projectId,omitzero"`

	// A task may be made as far as it has come; what is left out is as of a
	// Planned one. The members are as those of a TaskPatch.
	Status          TaskStatus            `json:"status,omitzero"`          // Planned when empty
	StatusID        string                `json:"statusId,omitzero"`        // says Status in another way
	ActualStart     twinplatform.DateTime `json:"actualStart,omitzero"`     // the present when a Started task has none
	ActualFinish    twinplatform.DateTime `json:"actualFinish,omitzero"`    // the present when a Finished task has none
	PercentComplete int32                 `json:"percentComplete,omitzero"` // 0 to 100; of a Started task alone
	// RemainingDuration is in seconds, 0 or more, of a Started task with a duration alone.
	RemainingDuration       *int32                 `json:"remainingDuration,omitzero"`
	PercentCompleteType     PercentCompleteType    `json:"percentCompleteType,omitzero"`     // Duration when empty
	PhysicalPercentComplete float64                `json:"physicalPercentComplete,omitzero"` // 0 to 100
	ConstraintType          ConstraintType         `json:"constraintType,omitzero"`          // NoConstraint when empty
	ConstraintEarlyDate     twinplatform.DateTime  `json:"constraintEarlyDate,omitzero"`
	ConstraintLateDate      twinplatform.DateTime  `json:"constraintLateDate,omitzero"`
	ExpectedFinish          twinplatform.DateTime  `json:"expectedFinish,omitzero"`
	IsMandatory             bool                   `json:"isMandatory,omitzero"`          // of StartOn and FinishOn
	SecondConstraintType    ConstraintType         `json:"secondConstraintType,omitzero"` // with one date at most
	SecondConstraintDate    twinplatform.DateTime  `json:"secondConstraintDate,omitzero"`
	Deadline                twinplatform.DateTime  `json:"deadline,omitzero"`
	ExternalEarlyStart      twinplatform.DateTime  `json:"externalEarlyStart,omitzero"`
	ExternalLateFinish      twinplatform.DateTime  `json:"externalLateFinish,omitzero"`
	SuspendDate             twinplatform.DateTime  `json:"suspendDate,omitzero"`
	ResumeDate              twinplatform.DateTime  `json:"resumeDate,omitzero"`
	IsInactive              bool                   `json:"isInactive,omitzero"`
	IsPlaceholder           bool                   `json:"isPlaceholder,omitzero"`
	IsSummary               bool                   `json:"isSummary,omitzero"`
	UsesResourceCalendars   bool                   `json:"usesResourceCalendars,omitzero"`
	PhysicalQuantity        float64                `json:"physicalQuantity,omitzero"`       // 0 or more
	ActualPhysicalQuantity  float64                `json:"actualPhysicalQuantity,omitzero"` // 0 or more
	PhysicalQuantityUnit    units.ResourceUnitType `json:"physicalQuantityUnit,omitzero"`   // Unknown when empty
	EstimatedRate           float64                `json:"estimatedRate,omitzero"`          // 0 or more
	// 0 to MaxPriority; 500 when nil
	Priority *int32        `json:"priority,omitempty"`
	Expenses []TaskExpense `json:"expenses,omitempty"` // MaxExpenses at most
	Notes    []TaskNote    `json:"notes,omitempty"`    // MaxNotes at most
	Splits   []TaskSplit   `json:"splits,omitempty"`   // MaxSplits at most
	Steps    []TaskStep    `json:"steps,omitempty"`    // MaxSteps at most

	// TaskAsRead may be given as it will be.
	TaskAsRead
	// TaskOrder is refused unless nil: tasks are kept by their ids.
	TaskOrder *TaskOrder `json:"taskOrder,omitzero"`
}

// TaskPatch changes a task: what is left out stays, null clears.
type TaskPatch struct {
	// ID may be given as it is.
	ID twinplatform.Optional[string] `json:"id,omitzero"`
	// TaskAsRead may be given as it is, or as it will be.
	TaskAsRead

	Name     twinplatform.Optional[string]   `json:"name,omitzero"`     // not empty, up to MaxText characters
	Type     twinplatform.Optional[TaskType] `json:"type,omitzero"`     // clears the dates that the new type lacks
	ParentID twinplatform.Optional[string]   `json:"parentId,omitzero"` // null moves it to the top
	// Status moves the task. Started sets the actual start, Finished the actual
	// finish too, to the present where the patch does not give them; moving
	// back clears them.
	Status twinplatform.Optional[TaskStatus] `json:"status,omitzero"`
	// StatusID says the status in another way.
	StatusID    twinplatform.Optional[string]                `json:"statusId,omitzero"`
	ActualStart twinplatform.Optional[twinplatform.DateTime] `json:"actualStart,omitzero"` // from Started on
	// once Finished; not before ActualStart
	ActualFinish twinplatform.Optional[twinplatform.DateTime] `json:"actualFinish,omitzero"`
	// PercentComplete is 0 to 100 and can be set while the task is Started. RemainingDuration
	// follows, unless it is given, too, or the percentage is not of the duration.
	PercentComplete twinplatform.Optional[int32] `json:"percentComplete,omitzero"`
	// RemainingDuration is in seconds, 0 or more, and can be set while the task is Started and
	// has a duration. PercentComplete follows, unless it is given, too, or is not of the
	// duration. Null makes RemainingDuration follow from PercentComplete.
	RemainingDuration twinplatform.Optional[int32] `json:"remainingDuration,omitzero"`
	// null makes it that of the duration
	PercentCompleteType twinplatform.Optional[PercentCompleteType] `json:"percentCompleteType,omitzero"`
	// PhysicalPercentComplete is 0 to 100; null makes it 0. PercentComplete is that where it
	// is of the type Physical.
	PhysicalPercentComplete twinplatform.Optional[float64] `json:"physicalPercentComplete,omitzero"`
	// not for a FinishKeyDate and hammocks
	PlannedStart twinplatform.Optional[twinplatform.DateTime] `json:"plannedStart,omitzero"`
	// PlannedFinish is for FinishKeyDate alone.
	PlannedFinish twinplatform.Optional[twinplatform.DateTime] `json:"plannedFinish,omitzero"`
	// PlannedDuration, in seconds, can be changed while the task is Planned.
	PlannedDuration twinplatform.Optional[int32] `json:"plannedDuration,omitzero"`
	// null makes it NoConstraint
	ConstraintType twinplatform.Optional[ConstraintType] `json:"constraintType,omitzero"`
	// null clears it
	ConstraintEarlyDate twinplatform.Optional[twinplatform.DateTime] `json:"constraintEarlyDate,omitzero"`
	// null clears it
	ConstraintLateDate twinplatform.Optional[twinplatform.DateTime] `json:"constraintLateDate,omitzero"`
	ExpectedFinish     twinplatform.Optional[twinplatform.DateTime] `json:"expectedFinish,omitzero"` // null clears it
	// of StartOn and FinishOn; null makes it false
	IsMandatory twinplatform.Optional[bool] `json:"isMandatory,omitzero"`
	// SecondConstraintType is one with one date at most; null clears it.
	SecondConstraintType twinplatform.Optional[ConstraintType] `json:"secondConstraintType,omitzero"`
	// null clears it
	SecondConstraintDate twinplatform.Optional[twinplatform.DateTime] `json:"secondConstraintDate,omitzero"`
	// null clears it
	Deadline twinplatform.Optional[twinplatform.DateTime] `json:"deadline,omitzero"`
	// null clears it
	ExternalEarlyStart twinplatform.Optional[twinplatform.DateTime] `json:"externalEarlyStart,omitzero"`
	// null clears it
	ExternalLateFinish twinplatform.Optional[twinplatform.DateTime] `json:"externalLateFinish,omitzero"`
	// null clears it
	SuspendDate twinplatform.Optional[twinplatform.DateTime] `json:"suspendDate,omitzero"`
	// null clears it
	ResumeDate twinplatform.Optional[twinplatform.DateTime] `json:"resumeDate,omitzero"`
	// null makes it false
	IsInactive            twinplatform.Optional[bool] `json:"isInactive,omitzero"`
	IsPlaceholder         twinplatform.Optional[bool] `json:"isPlaceholder,omitzero"`         // null makes it false
	IsSummary             twinplatform.Optional[bool] `json:"isSummary,omitzero"`             // null makes it false
	UsesResourceCalendars twinplatform.Optional[bool] `json:"usesResourceCalendars,omitzero"` // null makes it false
	// Quantities are 0 or more.
	// to be done, in PhysicalQuantityUnit
	PhysicalQuantity twinplatform.Optional[float64] `json:"physicalQuantity,omitzero"`
	// done so far, in PhysicalQuantityUnit
	ActualPhysicalQuantity twinplatform.Optional[float64] `json:"actualPhysicalQuantity,omitzero"`
	// null makes it Unknown
	PhysicalQuantityUnit twinplatform.Optional[units.ResourceUnitType] `json:"physicalQuantityUnit,omitzero"`
	EstimatedRate        twinplatform.Optional[float64]                `json:"estimatedRate,omitzero"` // 0 or more
	// 0 to MaxPriority; null makes it 500
	Priority twinplatform.Optional[int32] `json:"priority,omitzero"`
	// Splits, Expenses, Notes and Steps are given whole; null clears them. A type without a
	// duration clears splits, too; a duration that ends before one does is refused.
	Splits   twinplatform.Optional[[]TaskSplit]   `json:"splits,omitzero"`   // MaxSplits at most
	Expenses twinplatform.Optional[[]TaskExpense] `json:"expenses,omitzero"` // MaxExpenses at most
	Notes    twinplatform.Optional[[]TaskNote]    `json:"notes,omitzero"`    // MaxNotes at most
	Steps    twinplatform.Optional[[]TaskStep]    `json:"steps,omitzero"`    // MaxSteps at most
	// Comment has at most 1,000 characters.
	Comment twinplatform.Optional[string] `json:"comment,omitzero"`
	// up to MaxText characters; null clears it
	URL           twinplatform.Optional[string] `json:"url,omitzero"`
	UserDefinedID twinplatform.Optional[string] `json:"userDefinedId,omitzero"` // that of no other task; null clears it
	// a calendar of the schedule; null makes it that of the schedule
	CalendarID twinplatform.Optional[string] `json:"calendarId,omitzero"`
	// a project of the ProjectScheduling; null makes it that of the schedule
	ProjectID twinplatform.Optional[string] `json:"projectId,omitzero"`
}

var taskRecords = records.Collection[Task]{
	Name:        model.Tasks.Collection(),
	ID:          func(t *Task) string { return t.ID },
	MarkDeleted: func(t *Task) { t.Deleted = true },
	Indexes: []records.Index[Task]{
		{Name: "parent", Value: func(t *Task) string { return string(t.ParentID) }},
		{Name: model.UserDefinedID, Value: func(t *Task) string { return t.UserDefinedID }},
		{Name: ofCalendar, Value: func(t *Task) string { return string(t.CalendarID) }},
		{Name: ofProject, Value: func(t *Task) string { return string(t.ProjectID) }},
	},
}

var taskMissing = model.Tasks.Missing

// How durations and progress come about.
const (
	FixedDuration     = "Fixed"     // they follow from no quantity
	AutomaticProgress = "Automatic" // it follows from the status
)

// derive sets what follows from the rest of the task, except for what needs its working
// time, and for the id of its status, which depends on the schedule.
func (t *Task) derive() {
	t.DurationType, t.ProgressType = FixedDuration, AutomaticProgress
	switch t.Status {
	case Planned:
		t.PercentComplete = 0
	case Finished:
		t.PercentComplete = 100
	}
	t.deriveRemaining()
	t.RemainingPhysicalQuantity = max(0, t.PhysicalQuantity-t.ActualPhysicalQuantity)
}

// spans reports whether the finish of the task follows from its start and duration.
func (t *Task) spans() bool { return !t.Type.keyDate() && !t.Type.hammock() }

// timed reports whether anything follows from the working time of the task.
func (t *Task) timed() bool {
	return t.spans() && t.PlannedDuration != nil && !(t.PlannedStart.IsZero() && t.ActualStart.IsZero()) ||
		!t.ActualStart.IsZero() && !t.ActualFinish.IsZero()
}

// timeIn sets what follows in the working time of the task. The dates of hammocks follow
// from their links and are set separately.
func (t *Task) timeIn(w working) {
	switch {
	case t.Type.hammock(), t.Type == FinishKeyDate:
	case t.Type == StartKeyDate || t.PlannedStart.IsZero() || t.PlannedDuration == nil:
		t.PlannedFinish = twinplatform.DateTime{}
	default:
		t.PlannedFinish = w.after(t.PlannedStart, int64(*t.PlannedDuration)+t.paused())
	}
	t.ActualDuration = nil
	if !t.ActualStart.IsZero() && !t.ActualFinish.IsZero() {
		t.ActualDuration = w.between(t.ActualStart, t.ActualFinish)
	}
	switch {
	case t.Status == Finished:
		t.EstimatedFinish = t.ActualFinish
	case t.Status == Started && t.PlannedDuration != nil:
		t.EstimatedFinish = t.startedFinish(w)
	default:
		t.EstimatedFinish = t.PlannedFinish
	}
}

// sameTime reports whether the same follows in the working time of two tasks.
func (t *Task) sameTime(as *Task) bool {
	return t.PlannedFinish.Equal(as.PlannedFinish.Time) && t.EstimatedFinish.Equal(as.EstimatedFinish.Time) &&
		model.EqualDuration(t.ActualDuration, as.ActualDuration)
}

// Task returns a task. Errors: TaskNotFound, also for a schedule that is missing
// or not for the caller to see.
func (p Plan) Task(ctx context.Context, taskID string) (twinplatform.Record[Task], error) {
	return familiesOf(p.s).tasks.Get(ctx, p.id, taskID)
}

// TaskQuery selects the tasks to list: those that all of its members fit. A delta shows a
// task that has ceased to fit as deleted.
type TaskQuery struct {
	twinplatform.ListOptions
	// ParentID lists the tasks right below a task.
	ParentID string
	// Status lists the tasks that have come so far.
	Status TaskStatus
	// Type lists the tasks of a type.
	Type TaskType
	// Name lists the tasks whose name equals or contains it, in upper or lower
	// case.
	Name string
	// From and To list the tasks that are planned to be under way at some time
	// from From on and before To. Tasks without planned dates are not among
	// them. Either may be left out.
	From, To twinplatform.DateTime
}

// Tasks lists the tasks of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta, status, type, to).
func (p Plan) Tasks(ctx context.Context, q TaskQuery) (twinplatform.Page[Task], error) {
	if err := q.check(); err != nil {
		return twinplatform.Page[Task]{}, err
	}
	query := records.Query[Task]{ListOptions: q.ListOptions}
	if unfiltered := (TaskQuery{ListOptions: q.ListOptions}); q != unfiltered {
		q.narrow(&query)
	}
	return familiesOf(p.s).tasks.List(ctx, p.id, query)
}

// narrow lists only the tasks that are asked for. It has its own copy, so that a query
// which asks for all costs nothing more.
func (q TaskQuery) narrow(query *records.Query[Task]) {
	if q.ParentID != "" {
		query.Index, query.Equals = "parent", q.ParentID
	}
	if q.Status != "" {
		model.Narrow(query, "status", string(q.Status), func(t *Task) bool { return t.Status == q.Status })
	}
	if q.Type != "" {
		model.Narrow(query, "type", string(q.Type), func(t *Task) bool { return t.Type == q.Type })
	}
	model.NarrowName(query, q.Name, func(t *Task) string { return t.Name })
	if !q.From.IsZero() || !q.To.IsZero() {
		model.Narrow(query, "dates", q.From.String()+"/"+q.To.String(), q.underWay)
	}
}

func (q *TaskQuery) check() error {
	var c problem.Checks
	if q.Status != "" {
		problem.OneOf(&c, "status", q.Status, taskStatuses)
	}
	if q.Type != "" {
		problem.OneOf(&c, "type", q.Type, taskTypes)
	}
	if !q.To.IsZero() && q.To.Before(q.From.Time) {
		c.Bad("to", "The end of the time is not before its beginning.")
	}
	return c.Err(InvalidRequest)
}

// underWay reports whether a task is planned for some of the time that is asked
// for. A milestone has one date alone.
func (q *TaskQuery) underWay(t *Task) bool {
	start, finish := t.PlannedStart, t.PlannedFinish
	if start.IsZero() {
		start = finish
	}
	if finish.IsZero() {
		finish = start
	}
	return !start.IsZero() && !finish.Before(q.From.Time) && (q.To.IsZero() || start.Before(q.To.Time))
}

// A client may send a record back as it read it. So the bodies of creates and
// patches know every member of the record: what the platform sets itself is taken
// when it is as it would be anyway, and refused by its name otherwise.

// AsRead are the members of a record that no patch changes. A patch may hold them
// unchanged; null is ignored.
type AsRead = model.AsRead

// TaskAsRead are the members of a task that follow from its others.
type TaskAsRead struct {
	// in seconds
	ActualDuration twinplatform.Optional[int32] `json:"actualDuration,omitzero"`
	Deleted        twinplatform.Optional[bool]  `json:"deleted,omitzero"` // false
	// FixedDuration
	DurationType    twinplatform.Optional[string]                `json:"durationType,omitzero"`
	EstimatedFinish twinplatform.Optional[twinplatform.DateTime] `json:"estimatedFinish,omitzero"`
	// whether it has children or IsSummary
	IsWBS twinplatform.Optional[bool] `json:"isWbs,omitzero"`
	// AutomaticProgress
	ProgressType              twinplatform.Optional[string]  `json:"progressType,omitzero"`
	RemainingPhysicalQuantity twinplatform.Optional[float64] `json:"remainingPhysicalQuantity,omitzero"` // 0 or more
}

// hold holds the members to those of a task as it was and as it is to be.
func (r *TaskAsRead) hold(c *problem.Checks, was, is *Task) {
	problem.AsIs(c, "isWbs", r.IsWBS, was.IsWBS)
	problem.AsIs(c, "remainingPhysicalQuantity", r.RemainingPhysicalQuantity, was.RemainingPhysicalQuantity,
		is.RemainingPhysicalQuantity)
}

// having are the values that are not null.
func having(values ...*int32) (out []int32) {
	for _, v := range values {
		if v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// TaskOrder would place a new task among its siblings. Tasks are kept by their
// ids, so it is refused.
type TaskOrder struct {
	TaskID       string `json:"taskId"`       // refused in any case
	TaskPosition string `json:"taskPosition"` // refused in any case
}
