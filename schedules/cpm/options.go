package cpm

// Options are what a network is scheduled by. The calendar and the start of its project
// are required.
type Options struct {
	// Project holds what applies to the tasks that name no other project: those with
	// Task.Project 0.
	Project
	Profile Profile
	// Together lets all projects end with the last of them. Else each ends with the last
	// of its own tasks.
	Together bool
	// Lag chooses the calendar of lags whose link names none.
	Lag LagCalendar
	// Progress is how P6 continues a task that began before its predecessors ended.
	Progress Progress
	// Float is what the total float of a level of effort is.
	Float FloatType
	// OpenEndsCritical makes every task critical that nothing succeeds.
	OpenEndsCritical bool
}

// Profile is the planning tool whose rules hold where tools differ.
type Profile uint8

// The profiles.
const (
	// P6 is Primavera P6.
	P6 Profile = iota
	// MSProject is Microsoft Project: constraints that hold a task back outrank links, those
	// that push it outrank the start of its project, and tasks stay where they began.
	MSProject
)

// LagCalendar is on which calendar a lag is.
type LagCalendar uint8

// The calendars of lags. The zero value follows the tool: P6 counts a lag on the calendar
// of the predecessor, Microsoft Project on that of the successor.
const (
	LagByProfile LagCalendar = iota
	LagOfPredecessor
	LagOfSuccessor
	LagOfProject
	LagElapsed
)

// Progress is how a task that has begun continues, whatever its predecessors do.
type Progress uint8

// The ways to continue.
const (
	// RetainedLogic lets what remains wait for the predecessors.
	RetainedLogic Progress = iota
	// ProgressOverride continues from the data date.
	ProgressOverride
	// ActualDates continues from the data date, or from the actual start if that is later.
	ActualDates
)

// FloatType is by which of its ends a task has float, where it takes longer late than early: a
// level of effort of P6 alone does.
type FloatType uint8

// The types of float.
const (
	// FinishFloat is from the early to the late finish.
	FinishFloat FloatType = iota
	// StartFloat is from the early to the late start.
	StartFloat
	// SmallestFloat is the smaller of both.
	SmallestFloat
)

// lags resolves LagByProfile to the calendar that the tool uses.
func (o *Options) lags() LagCalendar {
	switch {
	case o.Lag != LagByProfile:
		return o.Lag
	case o.Profile == MSProject:
		return LagOfSuccessor
	default:
		return LagOfPredecessor
	}
}
