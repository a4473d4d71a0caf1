// Package testsize says how much a test tries: how many seeds, records or rounds.
package testsize

import "testing"

// Of is all of what a test tries, and short in short mode. It is called once flags are parsed,
// within a test.
func Of[N ~int | ~int32 | ~int64 | ~uint64](all, short N) N {
	if testing.Short() {
		return short
	}
	return all
}

// OneClient skips a test under the race detector in which one client makes one call after the
// other: what it calls is raced by the tests in which several do.
func OneClient(t testing.TB) {
	t.Helper()
	if Raced {
		t.Skip("one client finds no races")
	}
}
