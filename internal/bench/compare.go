package bench

import (
	"runtime"
	"slices"
	"time"
)

// Cost is what work takes of this process: time by the clock, time of the processors, and how
// many objects it allocates.
type Cost struct {
	Wall, CPU time.Duration
	Allocs    float64
}

// Measure returns what work takes. Nothing else may run in the process meanwhile; it first
// collects older garbage, so that work does not pay for the garbage of other work.
func Measure(work func() error) (Cost, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began, worked := time.Now(), ProcessTime()
	err := work()
	c := Cost{Wall: time.Since(began), CPU: ProcessTime() - worked}
	runtime.ReadMemStats(&after)
	c.Allocs = float64(after.Mallocs - before.Mallocs)
	return c, err
}

// Costs holds what one piece of work took in each round.
type Costs []Cost

// Compare has pieces of work take turns, round after round, and returns what each took. A round
// before them is not counted: it opens connections and fills caches. Compare fails with the
// first error.
func Compare(rounds int, works ...func() (Cost, error)) ([]Costs, error) {
	all := make([]Costs, len(works))
	for round := range 1 + rounds {
		for i, work := range works {
			c, err := work()
			if err != nil {
				return nil, err
			}
			if round > 0 {
				all[i] = append(all[i], c)
			}
		}
	}
	return all, nil
}

// Spread is the median of several rounds, and the least and the most among them but for the
// fifth at either end.
type Spread struct{ Median, Least, Most float64 }

// CPU is what work takes of the processors, in nanoseconds.
func CPU(c Cost) float64 { return float64(c.CPU) }

// Wall is what work takes by the clock, in nanoseconds.
func Wall(c Cost) float64 { return float64(c.Wall) }

// Allocs is how many objects work allocates.
func Allocs(c Cost) float64 { return c.Allocs }

// Each is how much of something one of n calls takes.
func (c Costs) Each(of func(Cost) float64, n int) Spread {
	values := make([]float64, len(c))
	for i, cost := range c {
		values[i] = of(cost) / float64(n)
	}
	return spread(values)
}

// Times is how many times more of something the work takes than other work of the same rounds.
func (c Costs) Times(other Costs, of func(Cost) float64) Spread {
	ratios := make([]float64, len(c))
	for i, cost := range c {
		ratios[i] = of(cost) / max(of(other[i]), 1)
	}
	return spread(ratios)
}

func spread(of []float64) Spread {
	slices.Sort(of)
	trimmed := of[len(of)/5 : len(of)-len(of)/5]
	return Spread{of[len(of)/2], trimmed[0], trimmed[len(trimmed)-1]}
}
