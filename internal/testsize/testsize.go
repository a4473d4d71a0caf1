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
