//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package disk

// Lock implements File: these systems have no lock that the names of a file
// share.
func (f *systemFile) Lock() error { return nil }
