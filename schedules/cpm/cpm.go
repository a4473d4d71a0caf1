// Package cpm schedules a network of tasks by the critical path method: when each can
// begin and end at the earliest and at the latest, how much it may slip, and which
// links drive it. It is a pure function of a network and its options, and needs no
// store and no schedule.
//
//	n := cpm.NewNetwork()
//	dig := n.Add(cpm.Task{ID: "dig", Duration: 16 * worktime.Hour})
//	pour := n.Add(cpm.Task{ID: "pour", Duration: 8 * worktime.Hour})
//	n.Join(cpm.Link{Predecessor: dig, Successor: pour, Lag: 4 * worktime.Hour})
//	r, err := cpm.Schedule(n, cpm.Options{Project: cpm.Project{Calendar: office, Start: begin}})
//	fmt.Println(r.Dates(pour).EarlyFinish)
//
// Times are local and have no zone; durations, lags and floats are whole seconds of working
// time: see package worktime. Where planning tools differ on purpose a [Profile] decides.
//
// # Instants
//
// Dates are kept as working time on the calendar of their task, in which the end of a day
// and the beginning of the next are one. A start is reported as the beginning of the
// piece of work behind it, a finish as the end of the piece before.
package cpm

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Kind is what a task is.
type Kind uint8

// The kinds of tasks.
const (
	// Work has a duration.
	Work Kind = iota
	// StartMilestone has none, and is at the beginning of the work that follows it.
	StartMilestone
	// FinishMilestone has none, and is at the end of the work before it.
	FinishMilestone
	// LongHammock spans from the first to the last of what it is linked to. In P6 it is a level
	// of effort, which has late dates by its predecessors.
	LongHammock
	// ShortHammock spans from the last of what it begins with to the first of what it
	// ends with.
	ShortHammock
	// Summary spans the tasks below it.
	Summary
)

// Task is one of a network.
type Task struct {
	// ID names the task in errors and warnings.
	ID   string
	Kind Kind
	// Manual keeps the task where Start and Finish say, whatever its links do.
	Manual bool
	// NeverCritical reports that the task is not called critical, whatever its float.
	NeverCritical bool
	// Inactive leaves the task out of the network. It has no dates.
	Inactive bool
	// Project is the number of the task's project, as Network.Project returned it; 0 names
	// the project of the options.
	Project int
	// Calendar measures the duration, what remains of it, and the float of the task. A task
	// without one uses the calendar of its project.
	Calendar *worktime.Calendar
	// Duration is the working time of the task in seconds. Only Work has one.
	Duration int64
	// Remaining is what of it is still to be done of a task that has begun and has not
	// ended.
	Remaining int64
	// Paused is for how long work on it pauses in between, in seconds of its working time,
	// which neither Duration nor Remaining count: see Split. Only Work has it.
	Paused int64
	// ActualStart and ActualFinish are when it began and ended; zero is not yet.
	ActualStart, ActualFinish worktime.Time
	// Constraints hold it to dates, four at most. What other projects want of its dates
	// holds it as StartNoEarlier and FinishNoLater do. Of a summary the same two count,
	// for all that is below it.
	Constraints []Constraint
	// Deadline is when it is to have ended, which counts for its late dates alone; zero
	// is none.
	Deadline worktime.Time
	// ExpectedFinish is when P6 lets it end, however long that makes what is still to be
	// done of it, unless what holds its finish holds it longer; zero is when its duration says.
	ExpectedFinish worktime.Time
	// Resume is when interrupted work on a task that has begun continues; zero
	// is at once.
	Resume worktime.Time
	// Start and Finish are the dates of a Manual task.
	Start, Finish worktime.Time
}

// Constraint holds a task to a date.
type Constraint struct {
	Type ConstraintType
	Date worktime.Time
}

// ConstraintType is what a date does to a task.
type ConstraintType uint8

// The types of constraints. Links outrank all of them but the mandatory ones and, in
// Microsoft Project, those that hold a task back.
const (
	// StartNoEarlier and FinishNoEarlier push it.
	StartNoEarlier ConstraintType = iota + 1
	FinishNoEarlier
	// StartNoLater and FinishNoLater bound its late dates; in Microsoft Project they
	// pull its early dates too.
	StartNoLater
	FinishNoLater
	// StartOn and FinishOn are both in one.
	StartOn
	FinishOn
	// MandatoryStart and MandatoryFinish put it there, whatever its links say.
	MandatoryStart
	MandatoryFinish
	// AsLateAsPossible has no date. In P6 the task uses up its free float; in Microsoft
	// Project it is at its late dates.
	AsLateAsPossible
)

// Link makes one task depend on another.
type Link struct {
	// Predecessor and Successor are what Add returned for the tasks.
	Predecessor, Successor int
	Type                   LinkType
	// Lag is in seconds of the lag calendar, or with Percent a share of the duration of
	// the predecessor. Below zero it is a lead.
	Lag     int64
	Percent bool
	// Calendar measures the lag. Without one, Options.Lag chooses the calendar. Lag that
	// elapses day and night has worktime.Continuous.
	Calendar *worktime.Calendar
}

// LinkType is which ends of two tasks a link joins.
type LinkType uint8

// The types of links, that of the predecessor first.
const (
	FinishToStart LinkType = iota
	StartToStart
	FinishToFinish
	StartToFinish
)

// fromStart reports whether the link is from the start of its predecessor.
func (t LinkType) fromStart() bool { return t == StartToStart || t == StartToFinish }

// toFinish reports whether it is to the finish of its successor.
func (t LinkType) toFinish() bool { return t == FinishToFinish || t == StartToFinish }

// Network is tasks and the links between them. It is made by one goroutine, and may be
// scheduled by many.
type Network struct {
	projects []Project
	tasks    []Task
	parent   []int32
	links    []Link
}

// Project is what tasks have in common that begin and end together. There may be
// several in a network, with links between them.
type Project struct {
	// Calendar applies to each task of the project that has none of its own.
	Calendar *worktime.Calendar
	// Start is when the project begins at the earliest. In Microsoft Project a task that starts or
	// finishes no earlier than a date may begin before it.
	Start worktime.Time
	// DataDate is until when it is known what was done: in P6 nothing that is still to
	// be done is before it. Zero is Start.
	DataDate worktime.Time
	// MustFinish is when the project is to have ended; zero is when its last task does.
	MustFinish worktime.Time
	// Critical is the total float up to which a task is critical, in seconds.
	Critical int64
}

// none is the place of no task.
const none = -1

// NewNetwork returns one without tasks.
func NewNetwork() *Network { return new(Network) }

// Grow makes room for so many more tasks and links, for callers that know their number.
func (n *Network) Grow(tasks, links int) {
	n.tasks, n.parent, n.links = slices.Grow(n.tasks, tasks), slices.Grow(n.parent, tasks), slices.Grow(n.links, links)
}

// Project adds a project and returns its number, from 1 on: number 0 is the project of the
// options.
func (n *Network) Project(p Project) int {
	n.projects = append(n.projects, p)
	return len(n.projects)
}

// Add adds a task and returns its number: 0 for the first, and so on.
func (n *Network) Add(t Task) int {
	n.tasks = append(n.tasks, t)
	n.parent = append(n.parent, none)
	return len(n.tasks) - 1
}

// Nest puts a task below another, which becomes a Summary.
func (n *Network) Nest(task, below int) {
	n.parent[task] = int32(below)
	n.tasks[below].Kind = Summary
}

// Join adds a link and returns its number. There may be several between two tasks.
//
// What precedes a summary precedes all that is below it, and what succeeds it succeeds
// all of that.
func (n *Network) Join(l Link) int {
	n.links = append(n.links, l)
	return len(n.links) - 1
}

// ID returns the id of the task with a number.
func (n *Network) ID(task int) string { return n.tasks[task].ID }

// Links returns a copy of the links, each at the place of the number that Join returned.
func (n *Network) Links() []Link { return slices.Clone(n.links) }

// Len is how many tasks there are.
func (n *Network) Len() int { return len(n.tasks) }
