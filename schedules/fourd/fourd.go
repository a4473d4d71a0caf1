// Package fourd computes the site at a moment: which entities of the 3D model are there, how
// they look, how far they have grown, where they are, and why. It needs no store.
//
//	timeline, err := fourd.New(&fourd.Site{Tasks: tasks, Bindings: bindings, Profiles: profiles})
//	for entity, state := range timeline.At(worktime.Date(2026, time.May, 4, 12, 0, 0)) {
//		fmt.Println(entity, state.Present, state.Why.TaskID)
//	}
//
// Times are local ones without a zone, as package worktime has them; the zero time is no time.
// Points and boxes are in the coordinates and the unit of the model, whose z axis points up and
// whose y axis points away from who looks at its front.
//
// # What decides
//
// The bindings of an entity are put in the order in which their tasks start, then finish, then
// by the id of the binding. Of each aspect of the state (presence, look, place, path) that binding decides which
// is the first to say something about it: of the tasks that are under way the one that started
// last, then of those that have ended the one that finished last, then of those to come the one
// that starts first. A task is under way from its start until just before its finish. The
// statuses of the resource that the entity shows come on top.
package fourd

import (
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Site is what the state of the site follows from. A Timeline reads it and changes none of it,
// and refers to it: it must stay as it is meanwhile.
type Site struct {
	Tasks           []Task
	Bindings        []Binding
	Profiles        []Profile
	Transforms      []Transform
	Paths           []Path
	PathAssignments []PathAssignment
	Statuses        []Status
	// Box, when given, returns the box around an entity as the model has it.
	Box func(entityID string) (Box, bool)
	// Dates says by which dates of the tasks the site is shown.
	Dates Dates
	// DataDate is until when it is known what was done; zero where that is not known.
	DataDate worktime.Time
}

// Dates is by which dates of tasks the site is shown.
type Dates string

// The dates.
const (
	// With PlannedDates and BaselineDates all is even, and no statuses are shown: progress and statuses are of
	// today. CurrentDates are the actual ones as far as there are any, and else those as computed, or
	// as planned where none are computed. They are the dates of a Site that says nothing.
	CurrentDates  Dates = ""
	PlannedDates  Dates = "Planned"
	BaselineDates Dates = "Baseline"
	// ActualDates are what was done: a task that has not begun never does, and one that has not
	// ended ends as CurrentDates have it, and not before the data date.
	ActualDates Dates = "Actual"
)

// Task is what the state follows from of a task.
type Task struct {
	ID                                  string
	Planned, Baseline, Computed, Actual Span
	// PercentComplete is 0 to 100, at the data date.
	PercentComplete float64
	// DataDate is that of the project of the task; zero for that of the site.
	DataDate worktime.Time
	// Calendar is when work is done on it; nil for always.
	Calendar *worktime.Calendar
}

// Span is from when until when something takes, each zero where there is no such date. One with
// one date alone begins and ends then.
type Span struct{ Start, Finish worktime.Time }

// Binding records that an entity shows a task. All but its ID, EntityID and TaskID may be empty.
type Binding struct {
	ID, EntityID, TaskID                     string
	ProfileID, TransformID, PathAssignmentID string
	ResourceID                               string // whose statuses the entity shows
	GroupID                                  string // grows and moves as one with those of the same task
}

// Action is what a task does to the entities that show it.
type Action string

// The actions.
const (
	Install   Action = "Install"   // absent before, present during and after
	Maintain  Action = "Maintain"  // present throughout
	Remove    Action = "Remove"    // present before and during, absent after
	Temporary Action = "Temporary" // present during alone
	Neutral   Action = "Neutral"   // says nothing about presence; no action is the same
)

// Profile is how entities look before, during and after a task.
type Profile struct {
	ID     string
	Action Action
	Start  *Look // nil says nothing
	Active *ActiveLook
	End    *Look
}

// Look is how an entity looks.
type Look struct {
	Color        string  // #rrggbb; empty for the original colour
	Transparency float64 // 0 to 100 percent
	// OriginalTransparency leaves Transparency without effect.
	OriginalTransparency bool
}

// ActiveLook is how an entity looks while its task is under way.
type ActiveLook struct {
	Color string
	// StartTransparency and FinishTransparency are 0 to 100 percent.
	StartTransparency, FinishTransparency float64
	OriginalTransparency                  bool
	Growth                                *GrowthRule // nil for an entity that does not grow
}

// Mode is from where to where an entity grows.
type Mode string

// The modes.
const (
	NoGrowth  Mode = "None"
	BottomTop Mode = "BottomTop" // along z
	TopBottom Mode = "TopBottom" // against z
	LeftRight Mode = "LeftRight" // along x
	RightLeft Mode = "RightLeft" // against x
	FrontBack Mode = "FrontBack" // along y
	BackFront Mode = "BackFront" // against y
	Custom    Mode = "Custom"    // along Direction
)

// GrowthRule is how an entity grows.
type GrowthRule struct {
	Mode      Mode
	Direction *Vector // of Custom
	// ByPercentComplete makes it grow to the percentage of its task at the data date.
	ByPercentComplete bool
	WorkingTimeOnly   bool // it pauses while no work is done
	// Removing makes what the plane has passed vanish instead of appear.
	Removing bool
}

// Transform is where entities are put.
type Transform struct {
	ID     string
	Matrix Matrix
}

// Path is a way through the model.
type Path struct {
	ID        string
	Keyframes []Keyframe // those at one time in the order in which they are passed
}

// Keyframe is where an object is on a path, and how it is turned.
type Keyframe struct {
	Time     float64   // 0 to 1
	Position *Vector   // nil leaves it to the keyframes around it
	Rotation *Rotation // nil leaves it to the keyframes around it
}

// Rotation turns by an angle in degrees about an axis, counterclockwise for who looks against it.
type Rotation struct {
	Angle float64
	Axis  Vector
}

// Alignment is which point of an object is on its path.
type Alignment string

// The alignments. Those from MinX on are the middle of a side of the box.
const (
	Center      Alignment = "Center"   // of the box
	Original    Alignment = "Original" // the object keeps its distance from the beginning of the path
	CustomPoint Alignment = "Custom"   // PathAssignment.Point
	MinX        Alignment = "MinX"
	MinY        Alignment = "MinY"
	MinZ        Alignment = "MinZ"
	MaxX        Alignment = "MaxX"
	MaxY        Alignment = "MaxY"
	MaxZ        Alignment = "MaxZ"
)

// PathAssignment is how objects move along a path.
type PathAssignment struct {
	ID, PathID string
	Alignment  Alignment // Center when empty
	Point      *Vector   // of CustomPoint
	// Start and End are how far the task has come when the motion begins and ends, nil for 0 and
	// all of it. They are shares where neither is more than 1, and else percent.
	Start, End        *float64
	Reverse           bool // from the end of the path to its beginning
	ByPercentComplete bool // as GrowthRule has it
	WorkingTimeOnly   bool // as GrowthRule has it
}

// Status records that a resource came to a status.
type Status struct {
	ResourceID, CategoryID, ItemID string
	Date                           worktime.Time
	Visible                        bool
	Look
	// Critical marks the status until CriticalUntil, or for good where that is zero. A critical
	// status goes before those that are not.
	Critical      bool
	CriticalUntil worktime.Time
}

// Vector is a point or a direction.
type Vector struct{ X, Y, Z float64 }

// Box is around an entity, its sides along the axes.
type Box struct{ Min, Max Vector }

// Matrix is a 4×4 matrix row by row: its fourth, eighth and twelfth numbers move. It is applied
// to points that are columns.
type Matrix [16]float64

// State is how an entity is at a time.
type State struct {
	Present bool
	// Color is #rrggbb, and empty for the original colour.
	Color string
	// Transparency is 0 (opaque) to 100 percent. It is 0 and means nothing where
	// OriginalTransparency is true.
	Transparency         float64
	OriginalTransparency bool
	Growth               Growth
	// Moved reports that Matrix is not the identity: it moves the entity from where the model
	// has it, with the plane of its growth.
	Moved  bool
	Matrix Matrix
	// Critical reports that the status is marked critical.
	Critical bool
	Why      Why
}

// Growth is how much of an entity is there.
type Growth struct {
	Growing bool // all of it is there where false, and the rest is zero
	// Share is how far the plane has come: 0 where it begins, 1 where it ends. For a group it is
	// that of all of it.
	Share     float64
	Removing  bool   // what the plane has passed is gone, and else what it has not passed
	Direction Vector // of length 1; where the plane moves
	// Cut reports that there is a plane, which needs a box.
	Cut bool
	// Plane is in the coordinates of the model, before Matrix.
	Plane Plane
}

// Plane cuts an entity: the points p with Normal·p ≤ Offset are there.
type Plane struct {
	Normal Vector // of length 1
	Offset float64
}

// Phase is where a task is.
type Phase string

// The phases.
const (
	Before Phase = "Before"
	During Phase = "During"
	After  Phase = "After"
)

// Why names what decided, each empty where nothing did.
type Why struct {
	TaskID, BindingID string // decides about presence, or about the look where nothing does about that
	Phase             Phase  // of that task
	ProfileID         string // gives the look
	LookTaskID        string // the task of ProfileID
	TransformID       string
	PathAssignmentID  string
	PathTaskID        string // the task of PathAssignmentID
	StatusItemID      string
}

// Moment is when the state of an entity changes. The first of an entity has the time
// worktime.MinTime. State holds from Time until just before the next moment, but for what
// Until says of it.
type Moment struct {
	Time worktime.Time
	State
	Until Until
}

// Until is what has become of a state just before the next moment: between the two all moves
// linearly with the time. Where nothing moves it equals the state.
type Until struct {
	Transparency float64
	Share        float64 // of Growth
	Offset       float64 // of Growth.Plane
	// Motion is nil for an entity that rests. Else Motion.Matrix(share) is its matrix, with a
	// share that moves linearly from Motion.From to Motion.To.
	Motion *Motion
}

// WarningKind is what a warning is about.
type WarningKind string

// The warnings. Each names the entity or the record that it is about.
const (
	TaskMissing            WarningKind = "TaskMissing"            // the binding says nothing
	TaskWithoutDates       WarningKind = "TaskWithoutDates"       // it never begins
	FinishBeforeStart      WarningKind = "FinishBeforeStart"      // the task ends when it starts
	ProfileMissing         WarningKind = "ProfileMissing"         // the binding has no look and no action
	ActionUnknown          WarningKind = "ActionUnknown"          // taken for Neutral
	ModeUnknown            WarningKind = "ModeUnknown"            // the entity does not grow
	DirectionMissing       WarningKind = "DirectionMissing"       // Custom without one: the entity does not grow
	TransparencyOutOfRange WarningKind = "TransparencyOutOfRange" // held to 0 to 100
	DataDateMissing        WarningKind = "DataDateMissing"        // percentages without one have no effect
	PercentOutOfRange      WarningKind = "PercentOutOfRange"      // held to 0 to 100
	BoxMissing             WarningKind = "BoxMissing"             // no plane, and the path is as for Original
	BoxEmpty               WarningKind = "BoxEmpty"               // as a missing one
	TransformMissing       WarningKind = "TransformMissing"       // the entity stays where it is
	TransformNotFinite     WarningKind = "TransformNotFinite"     // the entity stays where it is
	TransformNotInvertible WarningKind = "TransformNotInvertible" // the entity stays where it is
	TransformNotAffine     WarningKind = "TransformNotAffine"     // the entity stays where it is
	TransformByColumns     WarningKind = "TransformByColumns"     // read column by column
	PathAssignmentMissing  WarningKind = "PathAssignmentMissing"  // the entity rests
	PathMissing            WarningKind = "PathMissing"            // the entity rests
	PathWithoutKeyframes   WarningKind = "PathWithoutKeyframes"   // the entity rests
	PathOfOneKeyframe      WarningKind = "PathOfOneKeyframe"      // the entity stands there
	PathWithoutTimes       WarningKind = "PathWithoutTimes"       // passed at one speed
	KeyframeUnusable       WarningKind = "KeyframeUnusable"       // left out: not finite, or a time that is not 0 to 1
	AxisMissing            WarningKind = "AxisMissing"            // the keyframe does not turn
	AlignmentUnknown       WarningKind = "AlignmentUnknown"       // taken for Original
	PointMissing           WarningKind = "PointMissing"           // of CustomPoint; taken for Original
	MotionOutOfRange       WarningKind = "MotionOutOfRange"       // held to 0 to 100
	MotionWithoutLength    WarningKind = "MotionWithoutLength"    // it ends where it begins: the entity jumps
	SeveralResources       WarningKind = "SeveralResources"       // statuses of the first one are shown
	StatusUnusable         WarningKind = "StatusUnusable"         // left out: it has no date
	TaskTooLong            WarningKind = "TaskTooLong"            // it has no pauses: see MaxPausedDays
	WarningsLeftOut        WarningKind = "WarningsLeftOut"        // there are more than MaxWarnings
)

// Sort is a sort of records.
type Sort string

// The sorts of which there are warnings.
const (
	EntitySort         Sort = "entity"
	BindingSort        Sort = "binding"
	TaskSort           Sort = "task"
	ProfileSort        Sort = "profile"
	TransformSort      Sort = "transform"
	PathSort           Sort = "path"
	PathAssignmentSort Sort = "path assignment"
	ResourceSort       Sort = "resource"
)

// Warning says of what the timeline could not make all, and what it made of it.
type Warning struct {
	Kind WarningKind
	// Sort is of what ID is: records of two sorts may have one id. Both are empty for WarningsLeftOut.
	Sort Sort
	// ID is the entity of Box… and SeveralResources, the binding of TaskMissing, ProfileMissing,
	// TransformMissing and PathAssignmentMissing, the resource of StatusUnusable, and else the
	// task, profile, transform, path or path assignment.
	ID string
	// Message is a sentence that says what is wrong and what follows.
	Message string
}
