//go:build race

package buntdb_test

// The race detector makes everything several times as slow.
const raceDetector = true
