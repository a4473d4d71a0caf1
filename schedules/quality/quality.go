// Package quality judges plans by the fourteen points of the Defense Contract Management
// Agency (DCMA): whether a plan is sound enough for its dates to mean something. It needs
// no store. It is what quality/dcma/analyze and quality/dcma/violations report of a schedule.
//
//	report, err := quality.Analyze(plan, quality.Options{})
//	for _, r := range report {
//		fmt.Println(r.Point, r.State, r.Value, len(r.Violations))
//	}
//
// # What counts
//
// Tasks that take work count: no summaries, hammocks and inactive tasks, and no milestones,
// unless the options include them. A task is incomplete that has no actual finish. Links
// between tasks and milestones count if their successor is incomplete. Days are working
// days of the task's calendar.
//
// A point that cannot be judged, since the plan has no data date or no baseline, is not
// applicable, and its result has the reason. The baseline is what the tasks of the plan
// hold as such, in Task.Baseline.
package quality

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// Point is one of the fourteen.
type Point string

// The points, in their order.
const (
	// Logic is the share of incomplete tasks that have no predecessor or no successor.
	Logic Point = "Logic"
	// Leads is the share of links with a lag below zero.
	Leads Point = "Leads"
	// Lags is the share of links with a lag above zero.
	Lags Point = "Lags"
	// RelationshipTypes is the share of links from finish to start. The others are its
	// violations.
	RelationshipTypes Point = "RelationshipTypes"
	// HardConstraints is the share of incomplete tasks that are held back: to begin or
	// to end on a date come what may, or no later than that.
	HardConstraints Point = "HardConstraints"
	// HighFloat is the share of incomplete tasks with a total float of more than
	// Options.HighFloat days.
	HighFloat Point = "HighFloat"
	// NegativeFloat is the share of incomplete tasks with a total float below zero.
	NegativeFloat Point = "NegativeFloat"
	// HighDuration is the share of incomplete tasks that take more than
	// Options.HighDuration days: in their baseline, and without one in the plan.
	HighDuration Point = "HighDuration"
	// InvalidDates is the share of tasks of which work is planned before the data date,
	// or was done behind it.
	InvalidDates Point = "InvalidDates"
	// Resources is the share of incomplete tasks of a day or more that have no
	// resource. It is not applicable to plans without any.
	Resources Point = "Resources"
	// MissedTasks is the share of those that were to end before the data date, by
	// their baseline, and ended or will end later than that.
	MissedTasks Point = "MissedTasks"
	// CriticalPathTest makes a critical task longer by Options.Delay days, schedules the
	// plan again, and is the share of it by which the project ends later.
	CriticalPathTest Point = "CriticalPathTest"
	// CriticalPathLengthIndex is the working time from the data date to when the
	// project is to have ended, as a share of that to when it will end: what it must
	// have ended by, or what its baseline ends with. Of several projects it is the
	// least.
	CriticalPathLengthIndex Point = "CriticalPathLengthIndex"
	// BaselineExecutionIndex is how many tasks have ended, as a share of how many were
	// to end before the data date by their baseline. Those of them that have not are
	// its violations.
	BaselineExecutionIndex Point = "BaselineExecutionIndex"
)

// Unit is the unit of a value.
type Unit string

// The units.
const (
	Percent Unit = "Percent"
	Ratio   Unit = "Ratio"
)

// rule is how a point is judged.
type rule struct {
	point     Point
	threshold float64
	atLeast   bool // else it is what a value may be at most
	unit      Unit
	judge     func(*analysis, *Result) error
}

// rules holds how each point is judged and its limit, by the guide of the agency.
var rules = []rule{
	{Logic, 5, false, Percent, (*analysis).logic},
	{Leads, 0, false, Percent, (*analysis).leads},
	{Lags, 5, false, Percent, (*analysis).lags},
	{RelationshipTypes, 90, true, Percent, (*analysis).relationshipTypes},
	{HardConstraints, 5, false, Percent, (*analysis).hardConstraints},
	{HighFloat, 5, false, Percent, (*analysis).highFloat},
	{NegativeFloat, 0, false, Percent, (*analysis).negativeFloat},
	{HighDuration, 5, false, Percent, (*analysis).highDuration},
	{InvalidDates, 0, false, Percent, (*analysis).invalidDates},
	{Resources, 0, false, Percent, (*analysis).resources},
	{MissedTasks, 5, false, Percent, (*analysis).missedTasks},
	{CriticalPathTest, 0.95, true, Ratio, (*analysis).criticalPathTest},
	{CriticalPathLengthIndex, 0.95, true, Ratio, (*analysis).criticalPathLength},
	{BaselineExecutionIndex, 0.95, true, Ratio, (*analysis).baselineExecution},
}

// Options say what is judged, and how strictly.
type Options struct {
	// Thresholds replace those of DCMA: what a value may be at most, or must be at
	// least. Shares are in percent, indexes and the critical path test are ratios.
	Thresholds map[Point]float64
	// HighFloat and HighDuration are working days: 44 when zero.
	HighFloat, HighDuration int
	// Delay is by how many working days the critical path test makes a task longer: 600
	// when zero.
	Delay int
	// Milestones count as tasks.
	Milestones bool
	// Only is the points that are judged; all of them when empty.
	Only []Point
	// WithoutBaseline is a sentence that says why no task has a baseline, of plans of which that
	// is so: "The plan has no baseline." when empty.
	WithoutBaseline string
}

const (
	defaultHigh  = 44
	defaultDelay = 600
	maxDays      = 100_000
)

// ErrOptions is what options fail with that name no point or have a number that makes no
// sense. Days are no more than 100,000.
var ErrOptions = errors.New("quality: there is no such point, or a number that cannot be")

func (o *Options) check() error {
	known := make(map[Point]bool, len(rules))
	for i := range rules {
		known[rules[i].point] = true
	}
	for p, v := range o.Thresholds {
		if !known[p] || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return fmt.Errorf("%w: %s %v", ErrOptions, p, v)
		}
	}
	for _, p := range o.Only {
		if !known[p] {
			return fmt.Errorf("%w: %s", ErrOptions, p)
		}
	}
	for days, otherwise := range map[*int]int{
		&o.HighFloat: defaultHigh, &o.HighDuration: defaultHigh,
		&o.Delay: defaultDelay,
	} {
		if *days < 0 || *days > maxDays {
			return fmt.Errorf("%w: %d days", ErrOptions, *days)
		}
		if *days == 0 {
			*days = otherwise
		}
	}
	return nil
}

// State is what came of judging a point.
type State string

// The states.
const (
	Passed        State = "Passed"
	Failed        State = "Failed"
	NotApplicable State = "NotApplicable"
)

// Result is what came of a point.
type Result struct {
	Point  Point
	Number int // from 1 to 14
	State  State
	// Reason is why a point is not applicable.
	Reason string
	// Value is what was found, in the Unit. Threshold is what it is to be AtLeast, or
	// else at most.
	Value     float64
	Unit      Unit
	Threshold float64
	AtLeast   bool
	// Checked is how many tasks or links were looked at.
	Checked int
	// Violations lists what counts against the plan, in the order of the plan, also where
	// the point is passed.
	Violations []Violation
}

// Violation is a task or a link that violates a point.
type Violation struct {
	TaskID string // of a task
	LinkID string // of a link
	// Code and Name are the task's, or for a link the codes of what it joins.
	Code, Name string
	// Detail says in words what is wrong.
	Detail string
}

// Analyze judges a plan. The critical path test is applicable to plans with a network.
//
// Errors: ErrOptions, and what scheduling the network fails with.
func Analyze(p *dated.Plan, o Options) ([]Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	a := newAnalysis(p, o)
	wanted := make(map[Point]bool, len(o.Only))
	for _, point := range o.Only {
		wanted[point] = true
	}
	results := make([]Result, 0, len(rules))
	for i, rule := range rules {
		if len(wanted) > 0 && !wanted[rule.point] {
			continue
		}
		r := Result{Point: rule.point, Number: i + 1, Unit: rule.unit, Threshold: rule.threshold, AtLeast: rule.atLeast}
		if t, ok := o.Thresholds[rule.point]; ok {
			r.Threshold = t
		}
		if err := rule.judge(a, &r); err != nil {
			return nil, fmt.Errorf("quality: %s: %w", rule.point, err)
		}
		r.decide()
		results = append(results, r)
	}
	return results, nil
}

// decide holds the value to the threshold.
func (r *Result) decide() {
	switch {
	case r.Reason != "":
		r.State, r.Value = NotApplicable, 0
	case r.AtLeast && r.Value >= r.Threshold, !r.AtLeast && r.Value <= r.Threshold:
		r.State = Passed
	default:
		r.State = Failed
	}
}
