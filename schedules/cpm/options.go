package cpm

import "github.com/seed-933f9a09/twinplatform/schedules/worktime"

// Options are what a network is scheduled by. Calendar and Start are required.
type Options struct {
	Profile Profile
	// Calendar is that of tasks that name none.
	Calendar *worktime.Calendar
	// Start is when the project begins at the earliest.
	Start worktime.Time
	// DataDate is until when it is known what was done: in P6 nothing that is still to
	// be done is before it. Zero is Start.
	DataDate worktime.Time
	// MustFinish is when the project is to have ended; zero is when its last task does.
	MustFinish worktime.Time
	// Lag is on which calendar lags are that name none.
	Lag LagCalendar
	// Progress is how P6 goes on with a task that began before its predecessors ended.
	Progress Progress
	// Critical is the total float up to which a task is critical, in seconds.
	Critical int64
	// OpenEndsCritical makes every task critical that nothing succeeds.
	OpenEndsCritical bool
}

// Profile is the planning tool whose rules hold where tools differ.
type Profile uint8

// The profiles.
const (
	// P6 is Primavera P6.
	P6 Profile = iota
	// MSProject is Microsoft Project: constraints that hold a task back outrank links,
	// and tasks stay where they began.
	MSProject
)

// LagCalendar is on which calendar a lag is.
type LagCalendar uint8

// The calendars of lags. The zero value is that of the predecessor in P6 and of the
// successor in Microsoft Project.
const (
	LagByProfile LagCalendar = iota
	LagOfPredecessor
	LagOfSuccessor
	LagOfProject
	LagElapsed
)

// Progress is how a task goes on that has begun, whatever its predecessors do.
type Progress uint8

// The ways to go on.
const (
	// RetainedLogic lets what remains wait for the predecessors.
	RetainedLogic Progress = iota
	// ProgressOverride goes on from the data date.
	ProgressOverride
	// ActualDates goes on from the data date, or from the actual start if that is later.
	ActualDates
)

// lags is on which calendar lags are that name none.
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

func (o *Options) calendar(t *Task) *worktime.Calendar {
	if t.Calendar != nil {
		return t.Calendar
	}
	return o.Calendar
}
