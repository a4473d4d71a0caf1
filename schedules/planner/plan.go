package planner

import (
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Format names the format of a file.
type Format string

// The formats.
const (
	XER   Format = "XER"   // Primavera P6, a table of text for each of its tables
	P6XML Format = "P6XML" // Primavera P6, XML
	MSPDI Format = "MSPDI" // Microsoft Project, XML
)

// Plan is what a file holds. Items keep the ids of the file, which are unique among items
// of a kind, and refer to each other by them. An empty member is not known.
type Plan struct {
	Format      Format
	Projects    []Project
	Calendars   []Calendar
	Tasks       []Task // in the order of the file, each behind what it is below
	Links       []Link
	Resources   []Resource
	Assignments []Assignment
	Codes       []Code
	CodeValues  []CodeValue // each behind what it is below
	UserFields  []UserField
	Accounts    []Account
	Expenses    []Expense
	Baselines   []Baseline
	// Tables are what of the file nothing else here is made of, as it is: tables of an XER
	// that are not read, and of those that are the columns that are not.
	Tables []Table
	// Warnings name what was left out or could not be read as it is.
	Warnings []Warning
}

// Project is one of the plan.
type Project struct {
	ID, Code, Name string
	ExternalID     string // by which the tool knows it in whichever file
	CalendarID     string
	Start          worktime.Time
	DataDate       worktime.Time
	MustFinish     worktime.Time
	// Critical is the total float up to which a task is critical, in seconds; negative where only
	// what is late is.
	Critical int64
	// Lag, Progress, Float, Together and OpenEndsCritical are how the tool schedules it.
	Lag              cpm.LagCalendar
	Progress         cpm.Progress
	Float            cpm.FloatType
	Together         bool
	OpenEndsCritical bool
	// LongestPath reports that the tool calls a task critical that is on the longest
	// path, whatever its float.
	LongestPath bool
	// IgnoreExpected and IgnoreExternal report that P6 leaves the expected finishes of
	// tasks, and what other projects have of their dates, out of account.
	IgnoreExpected, IgnoreExternal bool

	CodeValueIDs []string
	Values       []Value
	Notes        []Note
}

// Calendar is one of the plan.
type Calendar struct {
	ID, Name string
	BaseID   string
	// ProjectID is the project of P6 that has it for itself; empty where all may use it.
	ProjectID string
	Week      worktime.Week
	// Exceptions lists only what the calendar itself states, not what it inherits from
	// BaseID.
	Exceptions []worktime.Exception
}

// Task is one of the plan. What is above tasks is one, too.
type Task struct {
	ID         string
	ExternalID string // by which the tool knows it in whichever file
	// TemplateID identifies the template from which P6 made the task. A copy of a project
	// keeps it, and gives the task a new ExternalID.
	TemplateID string
	Code, Name string
	ProjectID  string
	ParentID   string
	Kind       cpm.Kind
	CalendarID string

	// Duration and Remaining are in seconds of working time. Planned is what P6 has as
	// the original duration, which a task that has not begun need not have any more.
	Duration, Remaining, Planned int64
	// Elapsed reports that the task continues day and night, whatever its calendar.
	Elapsed                   bool
	ActualStart, ActualFinish worktime.Time
	// Suspend and Resume are when work on it stopped, and when what remains continues.
	Suspend, Resume worktime.Time
	// Splits are where work on it pauses by plan, in their order: behind its start, and before
	// all of its duration is done. Microsoft Project has them, P6 has none.
	Splits      []cpm.Split
	Constraints []cpm.Constraint // two at most, the first one the more important
	Deadline    worktime.Time
	// ExpectedFinish is when P6 lets it end, however long that makes it.
	ExpectedFinish worktime.Time
	// ExternalStart and ExternalFinish are its earliest start and its latest finish as
	// tasks want them that the file does not hold.
	ExternalStart, ExternalFinish worktime.Time
	Manual, Inactive              bool
	// Placeholder reports that a manual task has text for its start, its finish or its
	// duration, be it empty. Microsoft Project never calls it critical.
	Placeholder bool
	// WBSSummary reports that it spans the tasks of what it is below.
	WBSSummary bool
	// ResourceCalendars reports that its resources do it when they work: resource
	// dependent in P6, any task in Microsoft Project that does not ignore them.
	ResourceCalendars bool

	// Percent is how much of it is done as the tool shows it, from 0 to 100, and Physical
	// what the file says.
	Percent, Physical float64
	PercentOf         PercentType
	// Steps are the parts of it that P6 counts, in their order.
	Steps []Step

	// Priority is from 0 to 1000, as Microsoft Project counts; nil where it is the usual one,
	// 500. The five words of P6 are 900, 600, 500, 400 and 100.
	Priority *int32

	Costs        Costs // of its assignments and its expenses
	CodeValueIDs []string
	Values       []Value
	Notes        []Note

	// File is what the tool that wrote the file has computed.
	File Dates
}

// Step is a part of a task.
type Step struct {
	Name, Description string
	// Weight is how much of the task it is, compared with the weights of the others.
	Weight float64
	// Percent is how much of it is done, from 0 to 100. It may be done whatever that says.
	Percent float64
	Done    bool
}

// Status is how far a task is.
type Status string

// The states of a task.
const (
	Planned  Status = "Planned"
	Started  Status = "Started"
	Finished Status = "Finished"
)

// Status reports how far the task is.
func (t *Task) Status() Status {
	switch {
	case t.ActualFinish != 0:
		return Finished
	case t.ActualStart != 0:
		return Started
	default:
		return Planned
	}
}

// PercentType is of what the percent complete of a task is.
type PercentType string

// The types of percent complete.
const (
	OfDuration PercentType = ""
	OfUnits    PercentType = "Units"
	OfPhysical PercentType = "Physical"
)

// Costs are amounts of the currency of the file. Planned is what P6 calls budgeted, and
// in Microsoft Project all of it, done or not.
type Costs struct{ Planned, Actual, Remaining float64 }

// Note is the text of a note, without its formatting.
type Note struct {
	Topic string // of a notebook of P6
	Text  string // of MaxNote bytes at most
}

// Dates holds what a tool has computed for a task. A zero time is not known.
type Dates struct {
	Start, Finish           worktime.Time
	EarlyStart, EarlyFinish worktime.Time
	LateStart, LateFinish   worktime.Time
	// PlannedStart and PlannedFinish are what P6 calls the planned dates: it no longer
	// moves them once the task has begun.
	PlannedStart, PlannedFinish worktime.Time
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
	Email                      string
	Unit                       string // in which material is counted
	Rates                      []Rate // by table, the earliest first
	CodeValueIDs               []string
	Values                     []Value
	Notes                      []Note
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

// Rate is what a resource costs from a time on, and how much there is of it.
type Rate struct {
	Table    int           // 0 for the standard one, to 4
	From, To worktime.Time // zero from ever and forever
	// Price is paid for an hour of work or a unit of material, Overtime for an hour of
	// overtime, and PerUse once for each assignment, all in the currency of the file.
	Price, Overtime, PerUse float64
	// MaxUnits is how many there are, 1 for one that is there all the time.
	MaxUnits float64
}

// Assignment is a resource at a task.
type Assignment struct {
	ID, TaskID, ResourceID string
	ExternalID             string // by which the tool knows it in whichever file
	// Units are hours of work, or an amount of material: those that are planned, done and
	// left to do.
	Units, ActualUnits, RemainingUnits float64
	// UnitsPerTime is how much of the resource works at a time, 1 for one.
	UnitsPerTime float64
	// Delay is by how much it begins behind its task, in seconds of working time.
	Delay                     int64
	Start, Finish             worktime.Time
	ActualStart, ActualFinish worktime.Time
	AccountID                 string
	Costs                     Costs
}

// Subject is what codes and user fields are for.
type Subject string

// The subjects.
const (
	OfTasks     Subject = "Task"
	OfResources Subject = "Resource"
	OfProjects  Subject = "Project"
)

// Code groups tasks, resources or projects by its values, of which each has one at most:
// an activity code or a project code of P6, an outline code of Microsoft Project.
type Code struct {
	ID, ExternalID, Name string
	Of                   Subject
	Scope                CodeScope
	ProjectID            string // of a code of one project
}

// CodeScope is where the values of a code may be given.
type CodeScope string

// The scopes of codes.
const (
	Global     CodeScope = "" // wherever
	EPSCode    CodeScope = "EPS"
	OneProject CodeScope = "Project"
)

// CodeValue is one of a code.
type CodeValue struct {
	ID, CodeID, ParentID string
	Name                 string // the short one, which is unique below what it is below
	Description          string
	Color                string // #RRGGBB or nothing
}

// UserField is a field that users have added.
type UserField struct {
	ID, ExternalID, Name string
	Of                   Subject
	// Nodes reports that it is for what P6 has above tasks, and not for those.
	Nodes  bool
	Family FieldFamily
}

// FieldFamily is what the values of a user field are.
type FieldFamily string

// The families of user fields.
const (
	TextField      FieldFamily = "Text"
	IndicatorField FieldFamily = "Indicator" // a colour, by its word
	IntegerField   FieldFamily = "Integer"
	NumberField    FieldFamily = "Number"
	CostField      FieldFamily = "Cost"
	FlagField      FieldFamily = "Flag"
	DateField      FieldFamily = "Date"
	StartField     FieldFamily = "Start"
	FinishField    FieldFamily = "Finish"
	DurationField  FieldFamily = "Duration"
	CodeField      FieldFamily = "Code" // a value of a list, by its text
)

// Value is the value of a user field on one item. The family of the field says which member
// counts: Number for numbers, costs and durations, which are in seconds of working time,
// Time for dates, Flag for flags, and Text for all others.
type Value struct {
	FieldID string
	Text    string
	Number  float64
	Time    worktime.Time
	Flag    bool
}

// String is the value as text, whatever its family: dates as package worktime has them,
// durations in seconds, flags as true or false.
func (f *UserField) String(v Value) string {
	switch f.Family {
	case IntegerField, NumberField, CostField, DurationField:
		return decimal(v.Number)
	case DateField, StartField, FinishField:
		return v.Time.String()
	case FlagField:
		return strconv.FormatBool(v.Flag)
	default:
		return v.Text
	}
}

// Account is a cost account.
type Account struct{ ID, ParentID, Code, Name, Description string }

// Expense is what a task costs besides its resources. Of Microsoft Project it is the
// fixed cost of a task, which has its id and is called [FixedCost].
type Expense struct {
	ID, TaskID, AccountID string
	Name, Description     string
	Vendor                string
	Costs                 Costs
}

// FixedCost is what the expense is called that the fixed cost of a task is.
const FixedCost = "Fixed cost"

// Baseline is how a project was planned once.
type Baseline struct {
	// ID is the id of the project that holds the baseline in P6, or the number of the
	// baseline in Microsoft Project, 0 to 10.
	ID, Code, Name string
	ProjectID      string // of the project
	// Current reports that the tool compares with it.
	Current  bool
	DataDate worktime.Time
	Tasks    []BaselineTask
	Links    []Link // between its tasks, by their ids; Microsoft Project keeps none
}

// BaselineTask is a task of a baseline.
type BaselineTask struct {
	// ID identifies the task within the baseline. TaskID names the task of the plan, and is
	// empty where that is no longer there.
	ID, TaskID, ExternalID string
	Code, Name             string
	Start, Finish          worktime.Time
	Duration               int64   // in seconds of working time
	TotalFloat             *int64  // of P6, nil where it is not known
	Work                   float64 // in hours
	Cost                   float64
}

// Table holds what a file says about items of a kind and nothing else here represents, as
// text. In a table that was read the first field holds the ids of the items.
type Table struct {
	Name   string
	Fields []string
	// Rows are the values between tabs, as the file has them; those at the end that are
	// empty are left out.
	Rows []string
}

// decimal is a number as people write it.
func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
