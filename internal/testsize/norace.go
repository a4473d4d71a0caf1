//go:build !race

package testsize

// Raced reports whether the race detector runs, which makes everything several times as slow.
const Raced = false
