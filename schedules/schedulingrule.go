package schedules

import "github.com/seed-933f9a09/twinplatform/schedules/cpm"

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
	ActualDates      ProgressMode = "ActualDates"      // it continues from the data date, or from its actual start if that is later
)

var progressModeNames = []ProgressMode{RetainedLogic, ProgressOverride, ActualDates}

var progressModes = map[ProgressMode]cpm.Progress{
	RetainedLogic: cpm.RetainedLogic, ProgressOverride: cpm.ProgressOverride, ActualDates: cpm.ActualDates,
}

// CriticalPathType is which tasks are critical.
type CriticalPathType string

// The types of critical paths.
const (
	CriticalByFloat CriticalPathType = "TotalFloat"  // those whose total float is CriticalFloat at most
	CriticalLongest CriticalPathType = "LongestPath" // those from which links that drive lead to the finish of the schedule
)

var criticalPathTypes = []CriticalPathType{CriticalByFloat, CriticalLongest}
