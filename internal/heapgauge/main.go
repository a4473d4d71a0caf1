package heapgauge

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// Main runs the tests of a package that makes a world for each of them. In short mode the heap
// may grow to five times what is in use before it is collected, up to a gigabyte, which takes a
// third less time; GOGC in the environment goes before. Otherwise it is [testing.M.Run].
func Main(m *testing.M) {
	flag.Parse()
	if testing.Short() && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30)
	}
	m.Run()
}
