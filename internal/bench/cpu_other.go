//go:build !linux

package bench

import "time"

// onCPU runs fn and returns how long it took.
func onCPU(fn func() error) (time.Duration, error) {
	began := time.Now()
	err := fn()
	return time.Since(began), err
}

var start = time.Now()

// ProcessTime is the time that has gone by.
func ProcessTime() time.Duration { return time.Since(start) }
