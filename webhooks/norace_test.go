//go:build !race

package webhooks_test

const raceDetector = false
