//go:build race

package webhooks_test

// The race detector makes everything several times as slow.
const raceDetector = true
