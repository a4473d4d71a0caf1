package risk

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// simulation is one while it runs.
type simulation struct {
	plan     *dated.Plan
	options  *Options
	projects []int // of the network, that tasks of the plan are of
	base     []int64
	draws    []draw
	draw     []int // by node, the draw of a task; -1 for a certain one
	planned  worktime.Time

	finishes []worktime.Time // by run
	next     atomic.Int64    // run
}

// tally is what one worker has counted. Whole numbers add up to the same, who has counted
// which run.
type tally struct {
	critical []int64 // runs, by node
	seconds  []int64 // that were drawn, by draw
}

func newSimulation(p *dated.Plan, o *Options) *simulation {
	return &simulation{plan: p, options: o, finishes: make([]worktime.Time, o.Runs)}
}

// prepare finds out what is drawn, and where the plan ends as it is.
func (s *simulation) prepare() error {
	r, err := cpm.Repeat(s.plan.Network, s.plan.Options)
	if err != nil {
		return err
	}
	n := s.plan.Network.Len()
	s.base, s.draw = make([]int64, n), make([]int, n)
	for i := range n {
		s.base[i], s.draw[i] = r.Remaining(i), -1
	}
	seen := make(map[int]bool)
	for place := range s.plan.Tasks {
		t := &s.plan.Tasks[place]
		if project := s.plan.Network.Task(t.Node).Project; !seen[project] {
			seen[project] = true
			s.projects = append(s.projects, project)
		}
		if s.base[t.Node] == 0 || !counted(t) {
			continue
		}
		e, ok := s.options.Estimates[place]
		if !ok {
			e = s.options.spread(s.base[t.Node])
		}
		s.draw[t.Node] = len(s.draws)
		s.draws = append(s.draws, newDraw(e, s.options.Distribution, t.Node))
	}
	r.Run(s.base)
	s.planned = s.finish(r)
	return nil
}

// finish is when the plan ended in the last run.
func (s *simulation) finish(r *cpm.Repetition) (last worktime.Time) {
	for _, project := range s.projects {
		if t := r.Finish(project); t != 0 && (last == 0 || t > last) {
			last = t
		}
	}
	return last
}

// result runs the simulation.
func (s *simulation) result(ctx context.Context) (*Result, error) {
	if err := s.prepare(); err != nil {
		return nil, err
	}
	workers := min(s.options.Workers, s.options.Runs)
	tallies, errs := make([]*tally, workers), make([]error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() { tallies[w], errs[w] = s.work(ctx) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	total := tallies[0]
	for _, t := range tallies[1:] {
		total.add(t)
	}
	return s.summarize(total), nil
}

func (t *tally) add(other *tally) {
	for i, n := range other.critical {
		t.critical[i] += n
	}
	for i, n := range other.seconds {
		t.seconds[i] += n
	}
}

// work does runs until there are none left. Each run has its own random numbers, so that it
// does not matter which goroutine does it. Between runs others may run.
func (s *simulation) work(ctx context.Context) (*tally, error) {
	r, err := cpm.Repeat(s.plan.Network, s.plan.Options)
	if err != nil {
		return nil, err
	}
	t := &tally{critical: make([]int64, len(s.base)), seconds: make([]int64, len(s.draws))}
	remaining := append([]int64(nil), s.base...)
	source := new(rand.PCG)
	random := rand.New(source)
	for {
		run := s.next.Add(1) - 1
		if run >= int64(len(s.finishes)) {
			return t, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		source.Seed(mix(s.options.Seed), mix(uint64(run)))
		for i := range s.draws {
			d := &s.draws[i]
			v := d.next(random)
			remaining[d.node] = v
			t.seconds[i] += v
		}
		r.Run(remaining)
		s.finishes[run] = s.finish(r)
		for i, longest := range r.Longest() {
			if longest {
				t.critical[i]++
			}
		}
		runtime.Gosched()
	}
}

// mix spreads numbers that are close to one another over all that there are, so that the
// random numbers of one run are independent of those of the next.
func mix(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
