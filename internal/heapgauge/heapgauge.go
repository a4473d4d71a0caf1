// Package heapgauge measures how much memory a piece of work holds at a time.
//
// What counts is what the garbage collector finds to be in use at the end of each of its
// cycles, which it is made to begin after every few megabytes: unlike the size of the
// process, this depends neither on when the collector would have run nor on what the
// operating system has been given back. On a busy machine a cycle may be missed, such as the
// one that is under way when the work ends, and what grows until then is measured as it was
// a cycle before.
package heapgauge

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"
)

// step is after how many bytes the collector looks again, and share after which part of what is
// in use, in percent, where that is more: what is measured may be exceeded by as much, and by as
// much again where a cycle is missed.
const (
	step  = 4 << 20
	share = 25
)

// Peak is how many bytes more than before were in use at a time while run ran, what it
// returned included. It counts for the whole process, so that a test that calls it does
// not run in parallel with others.
func Peak[T any](tb testing.TB, run func() T) (answer T, bytes int64) {
	tb.Helper()
	runtime.GC()
	runtime.GC() // which also takes what the first one has only left to finalizers
	base := live()
	defer debug.SetGCPercent(debug.SetGCPercent(percent(base)))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // what is allocated while the collector works counts as in use
	var w watch
	w.next()
	answer = run()
	behind := live() // of the last cycle, which may not have been noted yet
	runtime.GC()
	peak := w.end()
	last := live()
	runtime.KeepAlive(answer)
	return answer, max(peak, behind, last) - base
}

// percent is by how much the heap may grow after a cycle that has found so much in use.
func percent(used int64) int { return int(max(step*100/max(used, 1), share)) }

// A watch notes what is in use after each cycle of the collector until it has ended.
type watch struct {
	mu    sync.Mutex
	peak  int64
	ended bool
}

func (w *watch) next() {
	cycle := new([16]byte) // large enough to be by itself
	runtime.SetFinalizer(cycle, func(*[16]byte) { w.note(live()) })
}

func (w *watch) note(used int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return
	}
	w.peak = max(w.peak, used)
	debug.SetGCPercent(percent(used))
	w.next()
}

func (w *watch) end() (peak int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	return w.peak
}

// live is what was in use at the end of the last cycle.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
