package bench

import (
	"slices"
	"time"
)

// Comparison is how many times longer work takes than other work of the same size.
type Comparison struct {
	Wall, CPU Spread
	// Raw and Own are how long each took by the clock, as medians.
	Raw, Own time.Duration
}

// Spread is the median of several rounds, and the least and the most among them.
type Spread struct{ Median, Least, Most float64 }

// Compare does both alternately, round after round, and fails with the first error of
// either. CPU is the time of the whole process, so that nothing else may run in it.
func Compare(rounds int, raw, own func() error) (Comparison, error) {
	var wall, cpu, raws, owns []float64
	for range rounds {
		rawWall, rawCPU, err := taken(raw)
		if err != nil {
			return Comparison{}, err
		}
		ownWall, ownCPU, err := taken(own)
		if err != nil {
			return Comparison{}, err
		}
		wall = append(wall, ratio(ownWall, rawWall))
		cpu = append(cpu, ratio(ownCPU, rawCPU))
		raws, owns = append(raws, float64(rawWall)), append(owns, float64(ownWall))
	}
	return Comparison{
		Wall: spread(wall), CPU: spread(cpu),
		Raw: time.Duration(spread(raws).Median), Own: time.Duration(spread(owns).Median),
	}, nil
}

func taken(work func() error) (wall, cpu time.Duration, err error) {
	began, worked := time.Now(), ProcessTime()
	err = work()
	return time.Since(began), ProcessTime() - worked, err
}

func ratio(own, raw time.Duration) float64 { return float64(own) / float64(max(raw, 1)) }

func spread(of []float64) Spread {
	slices.Sort(of)
	return Spread{of[len(of)/2], of[0], of[len(of)-1]}
}
