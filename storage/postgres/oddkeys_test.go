package postgres_test

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// oddKeys are keys in their order of few bytes, so that one begins with another and scopes are
// next to each other: the '!' comes before the '/', and the '0' after it.
func oddKeys(n int) []string {
	of := rand.New(rand.NewPCG(7, 30)) //nolint:gosec // chance, not secrecy
	keys := make(map[string]bool)
	for len(keys) < n {
		key := make([]byte, 1+of.IntN(6))
		for i := range key {
			key[i] = "a//!0\x00\xff"[of.IntN(7)]
		}
		keys[string(key)] = true
	}
	return slices.Sorted(maps.Keys(keys))
}

// rangesOf are ranges that begin and end in all places of keys.
func rangesOf(keys []string) (ranges []storage.Range) {
	of := rand.New(rand.NewPCG(8, 30)) //nolint:gosec // chance, not secrecy
	ranges = append(ranges, storage.Range{})
	for range 300 {
		key, other := keys[of.IntN(len(keys))], keys[of.IntN(len(keys))]
		prefix := key[:of.IntN(len(key)+1)]
		ranges = append(ranges, storage.Range{Prefix: prefix}, storage.Range{Prefix: prefix, After: key}, storage.Range{Prefix: prefix, After: other})
	}
	return ranges
}
