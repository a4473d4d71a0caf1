// Package testsize says how much a test tries: how many seeds, records or rounds.
package testsize

import (
	"iter"
	"os"
	"strconv"
	"testing"
)

// Of is all of what a test tries, and short in short mode. It is called once flags are parsed,
// within a test.
func Of[N ~int | ~int32 | ~int64 | ~uint64](all, short N) N {
	if testing.Short() {
		return short
	}
	return all
}

// Seeds yields a seed of random numbers for each round of a test: as many as Of says, times
// the environment variable TEST_SCALE, with which tests run for long. The first is 0, or
// what TEST_SEED says, to see one of them again.
func Seeds(all, short uint64) iter.Seq[uint64] {
	first, n := number("TEST_SEED", 0), Of(all, short)*number("TEST_SCALE", 1)
	return func(yield func(uint64) bool) {
		for seed := first; seed < first+n && yield(seed); seed++ {
		}
	}
}

// number reads a number from an environment variable. It returns or where the variable
// holds none.
func number(name string, or uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return or
}

// OneClient skips a test under the race detector in which one client makes one call after the
// other: what it calls is raced by the tests in which several do.
func OneClient(t testing.TB) {
	t.Helper()
	if Raced {
		t.Skip("one client finds no races")
	}
}
