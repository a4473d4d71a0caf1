// Package heapgauge measures how much memory a piece of work holds at a time.
//
// What counts is what the garbage collector finds to be in use at the end of each of its
// cycles, which it is made to begin after every few megabytes: unlike the size of the
// process, this depends neither on when the collector would have run nor on what the
// operating system has been given back.
package heapgauge

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"testing"
)

// step is after how many bytes the collector looks again: what is measured may be exceeded
// by as much.
const step = 4 << 20

// Peak is how many bytes more than before were in use at a time while run ran, what it
// returned included. It counts for the whole process, so that a test that calls it does
// not run in parallel with others.
func Peak[T any](tb testing.TB, run func() T) (answer T, bytes int64) {
	tb.Helper()
	runtime.GC()
	runtime.GC() // which also takes what the first one has only left to finalizers
	base := live()
	percent := debug.SetGCPercent(int(max(step*100/max(base, 1), 1)))
	defer debug.SetGCPercent(percent)
	var peak atomic.Int64
	var ended atomic.Bool
	watch(&peak, &ended)
	answer = run()
	runtime.GC()
	ended.Store(true)
	last := live()
	runtime.KeepAlive(answer)
	return answer, max(peak.Load(), last) - base
}

// watch notes what is in use after each cycle of the collector until it has ended.
func watch(peak *atomic.Int64, ended *atomic.Bool) {
	cycle := new([16]byte) // large enough to be by itself
	runtime.SetFinalizer(cycle, func(*[16]byte) {
		if now := live(); now > peak.Load() {
			peak.Store(now) // there is one finalizer at a time
		}
		if !ended.Load() {
			watch(peak, ended)
		}
	})
}

// live is what was in use at the end of the last cycle.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
