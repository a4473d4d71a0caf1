package fourd_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// large is a site with 100,000 bindings of 20,000 entities over 20,000 tasks, no two of which are the
// same.
func large() *fourd.Site {
	r := rand.New(rand.NewPCG(5, 4))
	s := &fourd.Site{Dates: fourd.PlannedDates, DataDate: hour(9_000)}
	for i := range 20_000 {
		start := r.IntN(20_000)
		s.Tasks = append(s.Tasks, fourd.Task{
			ID: fmt.Sprintf("task-%x", i*7919), PercentComplete: float64(i % 101), Calendar: shifts,
			Planned: fourd.Span{Start: hour(start), Finish: hour(start+1+r.IntN(600)) + worktime.Time(i%3000)},
		})
	}
	modes := []fourd.Mode{fourd.BottomTop, fourd.LeftRight, fourd.NoGrowth, fourd.NoGrowth, fourd.BackFront}
	for i, action := range []fourd.Action{fourd.Install, fourd.Maintain, fourd.Remove, fourd.Temporary, fourd.Neutral} {
		s.Profiles = append(s.Profiles, fourd.Profile{
			ID: string(action), Action: action, End: &fourd.Look{Color: "#aabbcc"},
			Active: &fourd.ActiveLook{Color: "#00ff00", FinishTransparency: float64(i) * 10, Growth: &fourd.GrowthRule{Mode: modes[i]}},
		})
	}
	for i := range 100_000 {
		s.Bindings = append(s.Bindings, fourd.Binding{
			ID: fmt.Sprintf("binding-%d", i*31), EntityID: fmt.Sprintf("0x%x", r.IntN(20_000)*17),
			TaskID: s.Tasks[r.IntN(len(s.Tasks))].ID, ProfileID: s.Profiles[i%5].ID,
		})
	}
	s.Box = func(id string) (fourd.Box, bool) {
		n := float64(len(id))
		return fourd.Box{Min: fourd.Vector{X: n}, Max: fourd.Vector{X: n + 1, Y: 2, Z: 3 * n}}, true
	}
	return s
}

// sortDates is a bare pass: it finds the dates of each binding and sorts them.
func sortDates(s *fourd.Site) []worktime.Time {
	tasks := make(map[string]*fourd.Task, len(s.Tasks))
	for i := range s.Tasks {
		tasks[s.Tasks[i].ID] = &s.Tasks[i]
	}
	dates := make([]worktime.Time, 0, 2*len(s.Bindings))
	for i := range s.Bindings {
		t := tasks[s.Bindings[i].TaskID]
		dates = append(dates, t.Planned.Start, t.Planned.Finish)
	}
	slices.Sort(dates)
	return dates
}

// walked are moments of one entity with their whole states.
type walked struct {
	id      string
	times   []worktime.Time
	moments []fourd.State
}

// BenchmarkTimeline is how much longer a timeline of 100,000 bindings takes than a bare pass over them.
func BenchmarkTimeline(b *testing.B) {
	s := large()
	bare, made := alternate(b, func() { sink = len(sortDates(s)) }, func() {
		t, err := fourd.New(s)
		if err != nil {
			b.Fatal(err)
		}
		sink = t.Len()
	})
	b.ReportMetric(made.Seconds()/bare.Seconds(), "ratio")
}

// BenchmarkStateAt is how much longer the states of 20,000 entities take than a walk over states that
// were computed before.
func BenchmarkStateAt(b *testing.B) {
	s := large()
	timeline, err := fourd.New(s)
	if err != nil {
		b.Fatal(err)
	}
	var ready []walked
	for i := range timeline.Len() {
		w := walked{id: timeline.EntityID(i)}
		for m := range timeline.Moments(i) {
			w.times, w.moments = append(w.times, m.Time), append(w.moments, m.State)
		}
		ready = append(ready, w)
	}
	at := hour(7_000)
	bare, found := alternate(b, func() {
		var state fourd.State
		for i := range ready {
			w := &ready[i]
			n := 0
			for n+1 < len(w.times) && w.times[n+1] <= at {
				n++
			}
			state = w.moments[n]
			sink += len(state.Color)
		}
	}, func() {
		for _, state := range timeline.At(at) {
			sink += len(state.Color)
		}
	})
	b.ReportMetric(found.Seconds()/bare.Seconds(), "ratio")
}

var sink int

// alternate measures two functions in turn.
func alternate(b *testing.B, one, other func()) (first, second time.Duration) {
	b.Helper()
	for b.Loop() {
		begin := time.Now()
		one()
		middle := time.Now()
		other()
		first, second = first+middle.Sub(begin), second+time.Since(middle)
	}
	return first, second
}

//nolint:paralleltest // other tests would count
func TestTimelineTakes120BytesForABindingAtMost(t *testing.T) {
	s := large()
	used := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := used()
	timeline := timelineOf(t, s)
	each := float64(used()-before) / float64(len(s.Bindings))
	runtime.KeepAlive(timeline)
	runtime.KeepAlive(s)
	t.Logf("%.0f bytes for a binding", each)
	if each > 120 {
		t.Errorf("a timeline takes %.0f bytes for a binding", each)
	}
}
