//go:build !unix

package disk

// syncDir does nothing: these systems cannot flush a folder and order the
// change of a name themselves.
func syncDir(string) error { return nil }
