//go:build race

package proof_test

// The race detector makes everything several times as slow.
const raceDetector = true
