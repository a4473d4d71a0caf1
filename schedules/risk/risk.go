// Package risk estimates when a plan ends if its durations are uncertain: it schedules the
// plan thousands of times, each time with durations drawn at random between an optimistic
// and a pessimistic one (Monte Carlo), and counts when it ended and which tasks determined
// that. It needs no store.
//
//	r, err := risk.Simulate(ctx, plan, risk.Options{Runs: 10_000})
//	fmt.Println(r.Percentile(50), r.Percentile(80), r.Percentile(90))
//
// # What is uncertain
//
// The three points apply to the remaining duration of a task, which is all of it where the
// task has not begun. A task without an [Estimate] of its own most likely takes what the
// plan says, and between Options.Optimistic and Options.Pessimistic percent of that. Tasks
// that have ended, that take no work or that were placed by hand are certain. Durations of
// tasks do not depend on one another.
//
// # What is counted
//
// Each run finds the early dates, by all links, calendars, constraints and progress of the
// plan, as package cpm does. The criticality of a task is the share of the runs in which it
// was on the longest path: that which drove the finish.
//
// The same plan, options and seed give the same result, on however many cores.
package risk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Limits of a simulation, and what it is where options do not say.
const (
	DefaultRuns = 1_000
	MaxRuns     = 100_000
	// MaxWork is how many tasks, times runs, one simulation schedules at most.
	MaxWork = 50_000_000

	DefaultOptimistic  = 90.0  // percent
	DefaultPessimistic = 125.0 // percent
	MaxPessimistic     = 1_000.0

	// MaxDuration is the longest duration that may be drawn, in seconds: a century.
	MaxDuration = 100 * 365 * 24 * worktime.Hour

	maxBins = 40
)

// Distribution is how likely durations are between the optimistic and the pessimistic.
type Distribution string

// The distributions.
const (
	// Triangular rises in a line to the most likely duration, and falls in a line.
	Triangular Distribution = "Triangular"
	// Pert is the beta distribution of PERT, whose mean is (optimistic + 4 × most likely +
	// pessimistic) ÷ 6. It keeps closer to the most likely.
	Pert Distribution = "Pert"
)

// Distributions are all of them.
func Distributions() []Distribution { return []Distribution{Triangular, Pert} }

// Estimate is how long what is still to be done of a task takes, in seconds of working
// time: at best, most likely and at worst.
type Estimate struct{ Optimistic, MostLikely, Pessimistic int64 }

// Options say how to simulate. The zero value is DefaultRuns of triangular durations.
type Options struct {
	// Runs is how often the plan is scheduled: DefaultRuns when zero, MaxRuns at most, and
	// no more than MaxWork divided by the number of tasks.
	Runs int
	// Seed begins the random numbers: another one gives another sample.
	Seed uint64
	// Distribution is Triangular when empty.
	Distribution Distribution
	// Optimistic and Pessimistic are the shortest and the longest duration of tasks
	// without an Estimate, in percent of the one in the plan: up to 100, and from 100 to
	// MaxPessimistic. DefaultOptimistic and DefaultPessimistic when both are zero.
	Optimistic, Pessimistic float64
	// Estimates holds the estimates of single tasks by their places in the plan. An
	// estimate of a task that is certain has no effect.
	Estimates map[int]Estimate
	// Workers is how many goroutines work: one for each core when zero.
	Workers int
}

var (
	// ErrOptions is what options fail with that make no sense, and say which in its text.
	ErrOptions = errors.New("risk: these options make no sense")
	// ErrRuns is what options fail with that ask for more runs than so many tasks may have.
	ErrRuns = fmt.Errorf("%w: too many runs", ErrOptions)
	// ErrUnscheduled is what a plan fails with whose dates were not found by scheduling.
	ErrUnscheduled = errors.New("risk: the plan is not scheduled")
)

// MostRuns is how many runs a plan of so many tasks may have.
func MostRuns(tasks int) int { return min(MaxRuns, MaxWork/max(tasks, 1)) }

// complete gives options what they do not say, and fails for those that make no sense.
func (o *Options) complete(p *dated.Plan) error {
	o.Runs = cmp.Or(o.Runs, min(DefaultRuns, MostRuns(len(p.Tasks))))
	o.Distribution = cmp.Or(o.Distribution, Triangular)
	if o.Optimistic == 0 && o.Pessimistic == 0 {
		o.Optimistic, o.Pessimistic = DefaultOptimistic, DefaultPessimistic
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	switch {
	case o.Runs < 1 || o.Runs > MostRuns(len(p.Tasks)):
		return fmt.Errorf("%w: %d of %d tasks, of which there are %d at most", ErrRuns, o.Runs, len(p.Tasks),
			MostRuns(len(p.Tasks)))
	case o.Distribution != Triangular && o.Distribution != Pert:
		return fmt.Errorf("%w: a distribution %q", ErrOptions, o.Distribution)
		// nor is NaN
	case !(o.Optimistic >= 0 && o.Optimistic <= 100 && o.Pessimistic >= 100 && o.Pessimistic <= MaxPessimistic):
		return fmt.Errorf("%w: %v to %v percent", ErrOptions, o.Optimistic, o.Pessimistic)
	}
	for place, e := range o.Estimates {
		if place < 0 || place >= len(p.Tasks) {
			return fmt.Errorf("%w: an estimate of task %d", ErrOptions, place)
		}
		if !e.Valid() {
			return fmt.Errorf("%w: the estimate of %q is from %d over %d to %d", ErrOptions, p.Tasks[place].Label(),
				e.Optimistic, e.MostLikely, e.Pessimistic)
		}
	}
	return nil
}

// Valid reports whether the three durations are in their order, and none is below zero or
// longer than MaxDuration.
func (e Estimate) Valid() bool {
	return e.Optimistic >= 0 && e.Optimistic <= e.MostLikely && e.MostLikely <= e.Pessimistic &&
		e.Pessimistic <= MaxDuration
}

// Certain reports whether there is but one duration.
func (e Estimate) Certain() bool { return e.Optimistic == e.Pessimistic }

// Mean is the mean duration of a distribution, in seconds.
func (d Distribution) Mean(e Estimate) float64 {
	if d == Pert {
		return (float64(e.Optimistic) + 4*float64(e.MostLikely) + float64(e.Pessimistic)) / 6
	}
	return (float64(e.Optimistic) + float64(e.MostLikely) + float64(e.Pessimistic)) / 3
}

// spread is the estimate of a task without one.
func (o *Options) spread(remaining int64) Estimate {
	of := func(percent float64) int64 { return int64(math.Round(float64(remaining) * percent / 100)) }
	return Estimate{of(o.Optimistic), remaining, min(of(o.Pessimistic), max(remaining, MaxDuration))}
}

// Task is what came of a task.
type Task struct {
	// Place is the place of the task in the plan.
	Place int
	// Criticality is the share of the runs in which the task was on the longest path,
	// from 0 to 1.
	Criticality float64
	// Estimate is what durations were drawn from. A certain task has the same duration in
	// all three points.
	Estimate Estimate
	// Mean is the mean of the durations that were drawn, in seconds.
	Mean float64
}

// Simulate schedules a plan again and again. Times that are drawn are whole seconds. It
// ends with the error of its context when that is done, within a run.
//
// Errors: ErrOptions; ErrRuns; ErrUnscheduled; the error of the context.
func Simulate(ctx context.Context, p *dated.Plan, o Options) (*Result, error) {
	if p.Network == nil {
		return nil, ErrUnscheduled
	}
	if err := o.complete(p); err != nil {
		return nil, err
	}
	return newSimulation(p, &o).result(ctx)
}

// counted reports whether a task is one that a simulation counts: no summary, no hammock
// and none that is inactive.
func counted(t *dated.Task) bool { return t.Kind != cpm.Summary && !t.Hammock() && !t.Inactive }
