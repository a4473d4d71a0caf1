package schedules

import (
	"math"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// TaskType says how a task behaves.
type TaskType string

// The task types. Milestones and hammocks behave as described; all others
// behave as Work and serve as labels.
const (
	Work            TaskType = "Work"          // has start, finish and duration
	StartKeyDate    TaskType = "StartKeyDate"  // milestone without finish and duration
	FinishKeyDate   TaskType = "FinishKeyDate" // milestone without start and duration
	ShortHammock    TaskType = "ShortHammock"  // spans the shortest time between its neighbours
	LongHammock     TaskType = "LongHammock"   // spans the longest time between its neighbours
	RFI             TaskType = "Rfi"           // label
	ChangeOrder     TaskType = "ChangeOrder"   // label
	Testing         TaskType = "Testing"       // label
	Delivery        TaskType = "Delivery"      // label
	Meeting         TaskType = "Meeting"       // label
	Rework          TaskType = "Rework"        // label
	Design          TaskType = "Design"        // label
	Maintenance     TaskType = "Maintenance"   // label
	Manufacture     TaskType = "Manufacture"   // label
	Storage         TaskType = "Storage"       // label
	Purchase        TaskType = "Purchase"      // label
	Receive         TaskType = "Receive"       // label
	Delay           TaskType = "Delay"         // label
	WeatherDelay    TaskType = "WeatherDelay"  // label
	UnknownTaskType TaskType = "Unknown"       // label
)

var taskTypes = []TaskType{
	Work, StartKeyDate, FinishKeyDate, ShortHammock, LongHammock, RFI, ChangeOrder, Testing, Delivery, Meeting,
	Rework, Design, Maintenance, Manufacture, Storage, Purchase, Receive, Delay, WeatherDelay, UnknownTaskType,
}

// hammock reports whether the dates of such tasks are derived from their links.
func (t TaskType) hammock() bool { return t == ShortHammock || t == LongHammock }

// keyDate reports whether such tasks are milestones.
func (t TaskType) keyDate() bool { return t == StartKeyDate || t == FinishKeyDate }

// TaskStatus says how far a task has come.
type TaskStatus string

// The statuses of a task.
const (
	Planned  TaskStatus = "Planned"  // has no actual dates
	Started  TaskStatus = "Started"  // has an actual start
	Finished TaskStatus = "Finished" // has an actual start and finish
)

var taskStatuses = []TaskStatus{Planned, Started, Finished}

// statusIDs identify the statuses where the wire asks for an id.
var statusIDs = map[TaskStatus]string{
	Planned:  "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a01",
	Started:  "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a02",
	Finished: "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a03",
}

// ConstraintType says what holds a task's dates in place.
type ConstraintType string

// The constraint types.
const (
	NoConstraint     ConstraintType = "NoConstraint"
	CannotReschedule ConstraintType = "CannotReschedule"
	StartAsap        ConstraintType = "StartAsap"
	StartAlap        ConstraintType = "StartAlap"
	StartOn          ConstraintType = "StartOn"
	StartAfter       ConstraintType = "StartAfter"
	StartBefore      ConstraintType = "StartBefore"
	StartBetween     ConstraintType = "StartBetween"
	FinishOn         ConstraintType = "FinishOn"
	FinishAfter      ConstraintType = "FinishAfter"
	FinishBefore     ConstraintType = "FinishBefore"
	FinishBetween    ConstraintType = "FinishBetween"
)

var constraintTypes = []ConstraintType{
	NoConstraint, CannotReschedule, StartAsap, StartAlap, StartOn, StartAfter, StartBefore, StartBetween,
	FinishOn, FinishAfter, FinishBefore, FinishBetween,
}

// Task is an activity that ties time to 3D models. Durations are in seconds of
// elapsed time.
type Task struct {
	// ActualDuration is the time from actual start to actual finish.
	ActualDuration         *int32                `json:"actualDuration"`
	ActualFinish           twinplatform.DateTime `json:"actualFinish"`           // null unless Finished
	ActualPhysicalQuantity float64               `json:"actualPhysicalQuantity"` // done so far, in PhysicalQuantityUnit; 0 or more
	ActualStart            twinplatform.DateTime `json:"actualStart"`            // null while Planned
	// CalendarID is null: durations are elapsed time.
	CalendarID twinplatform.NullString `json:"calendarId"`
	// Comment has at most 1,000 characters.
	Comment             string                `json:"comment"`
	ConstraintEarlyDate twinplatform.DateTime `json:"constraintEarlyDate"` // kept as given; moves no other date
	ConstraintLateDate  twinplatform.DateTime `json:"constraintLateDate"`  // kept as given; moves no other date
	ConstraintType      ConstraintType        `json:"constraintType"`      // NoConstraint until it is set
	Deleted             bool                  `json:"deleted"`             // true in deltas alone
	// DurationType is Fixed: the duration does not follow from a quantity.
	DurationType string `json:"durationType"`
	// EstimatedFinish is null: no rule for it is documented.
	EstimatedFinish twinplatform.DateTime `json:"estimatedFinish"`
	EstimatedRate   float64               `json:"estimatedRate"`  // kept as given; 0 or more
	ExpectedFinish  twinplatform.DateTime `json:"expectedFinish"` // kept as given; moves no other date
	ID              string                `json:"id"`             // unique in the schedule; never changes
	// IsWBS is true while the task has children.
	IsWBS    bool                    `json:"isWbs"`
	Name     string                  `json:"name"`     // 1 to MaxText characters
	ParentID twinplatform.NullString `json:"parentId"` // the task above it; null at the top
	// PercentComplete is 0 while Planned and 100 once Finished.
	PercentComplete      int32            `json:"percentComplete"`
	PhysicalQuantity     float64          `json:"physicalQuantity"`     // to be done, in PhysicalQuantityUnit; 0 or more
	PhysicalQuantityUnit ResourceUnitType `json:"physicalQuantityUnit"` // Unknown until it is set
	// PlannedDuration is null for milestones, and derived for hammocks.
	PlannedDuration *int32 `json:"plannedDuration"`
	// PlannedFinish is PlannedStart plus PlannedDuration; a FinishKeyDate has
	// nothing else.
	PlannedFinish twinplatform.DateTime `json:"plannedFinish"`
	PlannedStart  twinplatform.DateTime `json:"plannedStart"` // null for a FinishKeyDate; derived for hammocks
	// ProgressType is Automatic: progress follows the status.
	ProgressType string `json:"progressType"`
	// RemainingDuration is the part of PlannedDuration that PercentComplete
	// leaves.
	RemainingDuration         *int32     `json:"remainingDuration"`
	RemainingPhysicalQuantity float64    `json:"remainingPhysicalQuantity"` // PhysicalQuantity less the actual one, 0 at least
	Status                    TaskStatus `json:"status"`                    // moved by UpdateTask
	StatusID                  string     `json:"statusId"`                  // says Status as an id
	Type                      TaskType   `json:"type"`                      // says which dates it has
	URL                       string     `json:"url"`                       // up to MaxText characters
	// UserDefinedID is unique among the tasks of the schedule, unless empty.
	UserDefinedID string `json:"userDefinedId"`
}

var taskRecords = records.Collection[Task]{
	Name:        "tasks",
	ID:          func(t *Task) string { return t.ID },
	MarkDeleted: func(t *Task) { t.Deleted = true },
	Indexes: []records.Index[Task]{
		{Name: "parent", Value: func(t *Task) string { return string(t.ParentID) }},
		{Name: userDefinedID, Value: func(t *Task) string { return t.UserDefinedID }},
	},
	Upgrades: []records.Upgrade{records.Added("estimatedFinish", `null`)},
}

var taskMissing = refuse.NotFound("TaskNotFound", "taskId", "task")

// How durations and progress come about.
const (
	fixedDuration     = "Fixed"     // they follow from no quantity
	automaticProgress = "Automatic" // it follows from the status
)

// derive sets what follows from the rest of the task. The dates of hammocks
// follow from their links and are set beside it.
func (t *Task) derive() {
	t.DurationType, t.ProgressType, t.StatusID = fixedDuration, automaticProgress, statusIDs[t.Status]
	switch {
	case t.Type.hammock(), t.Type == FinishKeyDate:
	case t.Type == StartKeyDate || t.PlannedStart.IsZero() || t.PlannedDuration == nil:
		t.PlannedFinish = twinplatform.DateTime{}
	default:
		t.PlannedFinish = after(t.PlannedStart, int64(*t.PlannedDuration))
	}
	switch t.Status {
	case Planned:
		t.PercentComplete = 0
	case Finished:
		t.PercentComplete = 100
	}
	t.RemainingDuration = nil
	if t.PlannedDuration != nil {
		left := int32(int64(*t.PlannedDuration) * int64(100-t.PercentComplete) / 100)
		t.RemainingDuration = &left
	}
	t.ActualDuration = nil
	if !t.ActualStart.IsZero() && !t.ActualFinish.IsZero() {
		t.ActualDuration = between(t.ActualStart, t.ActualFinish)
	}
	t.RemainingPhysicalQuantity = max(0, t.PhysicalQuantity-t.ActualPhysicalQuantity)
}

// between is the time from one instant to another in seconds, as far as an Int32
// holds it.
func between(from, to twinplatform.DateTime) *int32 {
	n := int32(min(to.Unix()-from.Unix(), math.MaxInt32))
	return &n
}
