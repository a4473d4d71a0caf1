//go:build race

package platform_test

// The race detector makes everything several times as slow.
const raceDetector = true
