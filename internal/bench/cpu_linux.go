package bench

import (
	"runtime"
	"syscall"
	"time"
)

// onCPU runs fn and returns how long the processor was at it, which on a busy machine
// is less than the time that has gone by.
func onCPU(fn func() error) (time.Duration, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := threadTime()
	err := fn()
	return threadTime() - began, err
}

func threadTime() time.Duration { return used(syscall.RUSAGE_THREAD) }

// ProcessTime is how long the processors were at this process so far.
func ProcessTime() time.Duration { return used(syscall.RUSAGE_SELF) }

func used(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
