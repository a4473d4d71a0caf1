package schedules

import (
	"cmp"
	"math"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// TaskType is how a task behaves.
type TaskType string

// The task types. Milestones and hammocks behave as described; all others
// behave as Work and serve as labels.
const (
	Work             TaskType = "Work"          // has start, finish and duration
	StartKeyDate     TaskType = "StartKeyDate"  // milestone without finish and duration
	FinishKeyDate    TaskType = "FinishKeyDate" // milestone without start and duration
	ShortHammock     TaskType = "ShortHammock"  // spans the shortest time between its neighbours
	LongHammock      TaskType = "LongHammock"   // spans the longest time between its neighbours
	RFITask          TaskType = "Rfi"           // label
	ChangeOrderTask  TaskType = "ChangeOrder"   // label
	TestingTask      TaskType = "Testing"       // label
	DeliveryTask     TaskType = "Delivery"      // label
	MeetingTask      TaskType = "Meeting"       // label
	ReworkTask       TaskType = "Rework"        // label
	DesignTask       TaskType = "Design"        // label
	MaintenanceTask  TaskType = "Maintenance"   // label
	ManufactureTask  TaskType = "Manufacture"   // label
	StorageTask      TaskType = "Storage"       // label
	PurchaseTask     TaskType = "Purchase"      // label
	ReceiveTask      TaskType = "Receive"       // label
	DelayTask        TaskType = "Delay"         // label
	WeatherDelayTask TaskType = "WeatherDelay"  // label
	UnknownTaskType  TaskType = "Unknown"       // label
)

var taskTypes = []TaskType{
	Work, StartKeyDate, FinishKeyDate, ShortHammock, LongHammock, RFITask, ChangeOrderTask, TestingTask, DeliveryTask,
	MeetingTask,
	ReworkTask, DesignTask, MaintenanceTask, ManufactureTask, StorageTask, PurchaseTask, ReceiveTask, DelayTask,
	WeatherDelayTask, UnknownTaskType,
}

// hammock reports whether the dates of such tasks are derived from their links.
func (t TaskType) hammock() bool { return t == ShortHammock || t == LongHammock }

// keyDate reports whether such tasks are milestones.
func (t TaskType) keyDate() bool { return t == StartKeyDate || t == FinishKeyDate }

// network is what a task of a type is in a network.
func (t TaskType) network() cpm.Kind {
	switch t {
	case StartKeyDate:
		return cpm.StartMilestone
	case FinishKeyDate:
		return cpm.FinishMilestone
	case LongHammock:
		return cpm.LongHammock
	case ShortHammock:
		return cpm.ShortHammock
	default:
		return cpm.Work
	}
}

// TaskStatus is how far a task has come.
type TaskStatus string

// The statuses of a task.
const (
	Planned  TaskStatus = "Planned"  // has no actual dates
	Started  TaskStatus = "Started"  // has an actual start
	Finished TaskStatus = "Finished" // has an actual start and finish
)

var taskStatuses = []TaskStatus{Planned, Started, Finished}

// TaskStatusIDs are the ids of the statuses of the tasks of a schedule that comes from
// elsewhere. An empty one is that of the platform.
type TaskStatusIDs = model.TaskStatusIDs

// ownID is what a schedule has for the id of a status; empty where that is the platform's.
func ownID(ids *TaskStatusIDs, s TaskStatus) *string {
	switch s {
	case Started:
		return &ids.Started
	case Finished:
		return &ids.Finished
	default:
		return &ids.Planned
	}
}

// statusIDOf is the id of a status.
func statusIDOf(ids *TaskStatusIDs, s TaskStatus) string { return cmp.Or(*ownID(ids, s), statusIDs[s]) }

// statusOf is the status with an id, that of the schedule or of the platform.
func statusOf(ids *TaskStatusIDs, id string) (status TaskStatus, known bool) {
	for _, s := range taskStatuses {
		if id == statusIDOf(ids, s) {
			return s, true
		}
		if id == statusIDs[s] {
			status, known = s, true
		}
	}
	return status, known
}

// statusIDs identify the statuses where the wire asks for an id.
var statusIDs = map[TaskStatus]string{
	Planned:  "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a01",
	Started:  "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a02",
	Finished: "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a03",
}

// ConstraintType is what holds a task's dates in place.
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

// secondConstraintTypes are those of which one date at most says all.
var secondConstraintTypes = []ConstraintType{
	StartAlap, StartOn, StartAfter, StartBefore, FinishOn, FinishAfter,
	FinishBefore,
}

// SchedulingProfile is the planning tool by whose rules a schedule is scheduled, where
// tools differ on purpose.
type SchedulingProfile string

// The profiles.
const (
	// ProfileP6 is Primavera P6: what is still to be done is behind the data date.
	ProfileP6 SchedulingProfile = "P6"
	// ProfileMicrosoftProject is Microsoft Project: constraints that hold a task back
	// outrank links, and tasks stay where they began.
	ProfileMicrosoftProject SchedulingProfile = "MicrosoftProject"
)

var profileNames = []SchedulingProfile{ProfileP6, ProfileMicrosoftProject}

var profiles = map[SchedulingProfile]cpm.Profile{ProfileP6: cpm.P6, ProfileMicrosoftProject: cpm.MSProject}

// LagCalendar says on which calendar the lag of a link is that names none.
type LagCalendar string

// The calendars of lags.
const (
	LagByProfile     LagCalendar = "Profile"     // as the predecessor's in P6, as the successor's in Microsoft Project
	LagOfPredecessor LagCalendar = "Predecessor" // that of the predecessor
	LagOfSuccessor   LagCalendar = "Successor"   // that of the successor
	LagOfSchedule    LagCalendar = "Schedule"    // that of the schedule
	LagElapsed       LagCalendar = "Elapsed"     // 24 hours on every day
)

var lagCalendarNames = []LagCalendar{LagByProfile, LagOfPredecessor, LagOfSuccessor, LagOfSchedule, LagElapsed}

var lagCalendars = map[LagCalendar]cpm.LagCalendar{
	LagByProfile: cpm.LagByProfile, LagOfPredecessor: cpm.LagOfPredecessor, LagOfSuccessor: cpm.LagOfSuccessor,
	LagOfSchedule: cpm.LagOfProject, LagElapsed: cpm.LagElapsed,
}

// ProgressMode is how a task continues in P6 that began before its predecessors ended.
type ProgressMode string

// The progress modes.
const (
	RetainedLogic    ProgressMode = "RetainedLogic"    // what remains waits for the predecessors
	ProgressOverride ProgressMode = "ProgressOverride" // it continues from the data date
	// ActualDates continues from the data date, or from its actual start if that is later.
	ActualDates ProgressMode = "ActualDates"
)

var progressModeNames = []ProgressMode{RetainedLogic, ProgressOverride, ActualDates}

var progressModes = map[ProgressMode]cpm.Progress{
	RetainedLogic: cpm.RetainedLogic, ProgressOverride: cpm.ProgressOverride, ActualDates: cpm.ActualDates,
}

// CriticalPathType is which tasks are critical.
type CriticalPathType string

// The types of critical paths.
const (
	CriticalByFloat CriticalPathType = "TotalFloat" // those whose total float is CriticalFloat at most
	// CriticalLongest is those from which links that drive lead to the finish of the schedule.
	CriticalLongest CriticalPathType = "LongestPath"
)

var criticalPathTypes = []CriticalPathType{CriticalByFloat, CriticalLongest}

// TotalFloatType is to which of its ends a level of effort of P6 has total float.
type TotalFloatType string

// The types of total float.
const (
	FinishFloat   TotalFloatType = "FinishFloat"   // from its early to its late finish
	StartFloat    TotalFloatType = "StartFloat"    // from its early to its late start
	SmallestFloat TotalFloatType = "SmallestFloat" // the smaller of both
)

var totalFloatTypeNames = []TotalFloatType{FinishFloat, StartFloat, SmallestFloat}

var totalFloatTypes = map[TotalFloatType]cpm.FloatType{
	FinishFloat: cpm.FinishFloat, StartFloat: cpm.StartFloat, SmallestFloat: cpm.SmallestFloat,
}

// Seconds is d as durations and lags are given, in whole seconds and without what
// is finer; beyond 68 years it is the longest there is:
//
//	schedules.NewTask{Name: "Dig", Type: schedules.Work, PlannedDuration: new(schedules.Seconds(48 * time.Hour))}
func Seconds(d time.Duration) int32 {
	return int32(min(max(d/time.Second, math.MinInt32), math.MaxInt32))
}
