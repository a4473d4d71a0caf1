//go:build !linux

package storagetest

import "testing"

// RunPowerCut needs the loop devices of Linux and is skipped here.
func RunPowerCut(t *testing.T, _ Engine) {
	t.Helper()
	t.Skip("power cut: needs the loop devices of Linux")
}
