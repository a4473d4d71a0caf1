package heapgauge

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// Main runs the tests of a package that makes a world for each of them, with [Relax]. Otherwise
// it is [testing.M.Run].
func Main(m *testing.M) {
	Relax()
	m.Run()
}

// Relax lets the heap grow to five times what is in use before it is collected, up to a
// gigabyte, in short mode, which takes a third less time; GOGC in the environment goes before.
func Relax() {
	flag.Parse()
	if testing.Short() && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30)
	}
}
