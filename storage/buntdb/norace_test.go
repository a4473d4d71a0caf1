//go:build !race

package buntdb_test

const raceDetector = false
