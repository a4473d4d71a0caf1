package cpm_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// walk is what any scheduling of a network does at least: it finds the links of each task
// by both of its ends, and goes through all of them forwards and backwards. Tasks are
// numbered in their order, and time is plain seconds.
type walk struct {
	durations   []int64
	links       []cpm.Link
	early, late []int64
}

// by are the numbers of the links by one of their ends, and where those of each task begin.
func (w *walk) by(end func(*cpm.Link) int) (from, numbers []int32) {
	from = make([]int32, len(w.durations)+1)
	for i := range w.links {
		from[end(&w.links[i])+1]++
	}
	for i := range w.durations {
		from[i+1] += from[i]
	}
	next := append([]int32(nil), from...)
	numbers = make([]int32, len(w.links))
	for i := range w.links {
		task := end(&w.links[i])
		numbers[next[task]] = int32(i)
		next[task]++
	}
	return from, numbers
}

func (w *walk) forwards() (finish int64) {
	from, numbers := w.by(func(l *cpm.Link) int { return l.Successor })
	for i, duration := range w.durations {
		for _, n := range numbers[from[i]:from[i+1]] {
			l := &w.links[n]
			at := w.early[l.Predecessor] + l.Lag
			if l.Type == cpm.FinishToStart || l.Type == cpm.FinishToFinish {
				at += w.durations[l.Predecessor]
			}
			if l.Type == cpm.FinishToFinish || l.Type == cpm.StartToFinish {
				at -= duration
			}
			w.early[i] = max(w.early[i], at)
		}
		finish = max(finish, w.early[i]+duration)
	}
	return finish
}

func (w *walk) backwards(finish int64) {
	from, numbers := w.by(func(l *cpm.Link) int { return l.Predecessor })
	for i := len(w.durations) - 1; i >= 0; i-- {
		at := finish
		for _, n := range numbers[from[i]:from[i+1]] {
			l := &w.links[n]
			to := w.late[l.Successor] - l.Lag
			if l.Type == cpm.FinishToFinish || l.Type == cpm.StartToFinish {
				to += w.durations[l.Successor]
			}
			if l.Type == cpm.StartToStart || l.Type == cpm.StartToFinish {
				to += w.durations[i]
			}
			at = min(at, to)
		}
		w.late[i] = at - w.durations[i]
	}
}

// largeNetwork is one of tasks in their order, each link to one of the hundred behind.
func largeNetwork(tasks, links int) *cpm.Network {
	n, r := cpm.NewNetwork(), rand.New(rand.NewPCG(1, 1))
	for range tasks {
		n.Add(cpm.Task{Duration: int64(1+r.IntN(40)) * hour})
	}
	for range links {
		a := r.IntN(tasks - 1)
		n.Join(cpm.Link{
			Predecessor: a, Successor: a + 1 + r.IntN(min(100, tasks-1-a)),
			Type: cpm.LinkType(r.IntN(4)), Lag: int64(r.IntN(8)) * hour,
		})
	}
	return n
}

// BenchmarkScheduleAgainstWalk schedules a million tasks and walks through them,
// alternately, and reports how many times as long it takes.
func BenchmarkScheduleAgainstWalk(b *testing.B) {
	tasks := 1_000_000
	if testing.Short() {
		tasks /= 100
	}
	n := largeNetwork(tasks, 2*tasks)
	links, durations := n.Links(), make([]int64, tasks)
	for i := range tasks {
		durations[i] = n.Task(i).Duration
	}
	o := cpm.Options{Project: cpm.Project{Calendar: office(b), Start: begin}}
	var bare, ours time.Duration
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		w := walk{durations: durations, links: links, early: make([]int64, tasks), late: make([]int64, tasks)}
		w.backwards(w.forwards())
		bare += time.Since(began)
		began = time.Now()
		if _, err := cpm.Schedule(n, o); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(began)
	}
	b.ReportMetric(float64(ours)/float64(bare), "ratio")
	b.ReportMetric(bare.Seconds()*1e3/float64(b.N), "walk-ms")
	b.ReportMetric(ours.Seconds()*1e3/float64(b.N), "schedule-ms")
}
