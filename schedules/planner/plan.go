package planner

import (
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Format is that of a file.
type Format string

// The formats.
const (
	XER   Format = "XER"   // Primavera P6, a table of text for each of its tables
	P6XML Format = "P6XML" // Primavera P6, XML
	MSPDI Format = "MSPDI" // Microsoft Project, XML
)

// Plan is what a file holds. Ids are those of the file, unique among things of a kind,
// and references are to such ids; what is empty is not known.
type Plan struct {
	Format      Format
	Projects    []Project
	Calendars   []Calendar
	Tasks       []Task // in the order of the file, each behind what it is below
	Links       []Link
	Resources   []Resource
	Assignments []Assignment
	// Warnings name what was left out or could not be read as it is.
	Warnings []Warning
}

// Project is one of the plan.
type Project struct {
	ID, Code, Name string
	CalendarID     string
	Start          worktime.Time
	DataDate       worktime.Time
	MustFinish     worktime.Time
	// Critical is the total float up to which a task is critical, in seconds.
	Critical int64
	// Lag, Progress, Together and OpenEndsCritical are how the tool schedules it.
	Lag              cpm.LagCalendar
	Progress         cpm.Progress
	Together         bool
	OpenEndsCritical bool
	// LongestPath says that the tool calls a task critical that is on the longest path,
	// whatever its float.
	LongestPath bool
}

// Calendar is one of the plan.
type Calendar struct {
	ID, Name string
	BaseID   string
	Week     worktime.Week
	// Exceptions are those of the calendar itself.
	Exceptions []worktime.Exception
}

// Task is one of the plan. What is above tasks is one, too.
type Task struct {
	ID         string
	ExternalID string // by which the tool knows it in whichever file
	Code, Name string
	ProjectID  string
	ParentID   string
	Kind       cpm.Kind
	CalendarID string

	// Duration and Remaining are in seconds of working time.
	Duration, Remaining       int64
	ActualStart, ActualFinish worktime.Time
	Constraints               []cpm.Constraint
	Deadline                  worktime.Time
	Manual, Inactive          bool

	// File is what the tool that wrote the file has computed.
	File Dates
}

// Dates are those of a task as a tool has computed them, zero where it has none.
type Dates struct {
	Start, Finish           worktime.Time
	EarlyStart, EarlyFinish worktime.Time
	LateStart, LateFinish   worktime.Time
	// TotalFloat and FreeFloat are in seconds of working time; nil is none.
	TotalFloat, FreeFloat *int64
	// Critical and DrivingPath are nil where the file does not say.
	Critical, DrivingPath *bool
}

// Link is one between two tasks.
type Link struct {
	ID                         string
	PredecessorID, SuccessorID string
	Type                       cpm.LinkType
	// Lag is in seconds of working time, or in percent of the predecessor's duration.
	Lag              int64
	Percent, Elapsed bool
}

// Resource is who or what does the work.
type Resource struct {
	ID, ExternalID, Code, Name string
	Type                       ResourceType
	CalendarID                 string
	ParentID                   string
}

// ResourceType is what a resource is.
type ResourceType string

// The types of resources.
const (
	Human     ResourceType = "Human"
	Equipment ResourceType = "Equipment"
	Material  ResourceType = "Material"
	Cost      ResourceType = "Cost"
)

// Assignment is a resource at a task.
type Assignment struct {
	ID, TaskID, ResourceID string
	// Units are hours of work, or an amount of material.
	Units float64
}

// Warning is something that a file says and a plan does not hold, or not so.
type Warning struct {
	// What names the thing: the kind and the id of it, such as "task 17".
	What string
	Text string
}

// warn adds a warning.
func (p *Plan) warn(what, text string) { p.Warnings = append(p.Warnings, Warning{what, text}) }
