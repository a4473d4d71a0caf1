//go:build !linux

package disk

// Reserve implements File.
func (f *systemFile) Reserve(size int64) error { return f.fill(size) }
