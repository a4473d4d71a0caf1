// Package storagetest reports whether a storage engine keeps its promises.
//
// [Run] checks each promise of package storage by its name on a fresh store;
// [RunModel] compares long random histories with a plain map. Engines that
// keep files continue with [RunKill], [RunPowerCut], [RunCrash] and [RunFaults].
//
// The suites are sized to finish in seconds. The environment variable
// STORAGETEST_SCALE multiplies their rounds: STORAGETEST_SCALE=20 go test
// -timeout 2h ./storage/... is the long run. With -short a fifth of them is left.
package storagetest

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Engine is how the suites get at the engine under test.
type Engine struct {
	// New returns an empty store. The suites close it.
	New func(t testing.TB) storage.Store

	// Open opens the store kept in a folder, and creates it in an empty one,
	// under the policy by which a nil error of Update means durable. It is nil
	// for an engine that keeps nothing.
	Open func(dir string) (storage.Store, error)

	// OpenOn does the same on a simulated disk. It is nil for an engine whose
	// files cannot be simulated.
	OpenOn func(disk *Disk) (storage.Store, error)

	// Lossy reports that OpenOn opens under a policy by which a loss of power may take
	// acknowledged transactions: whole ones, and the latest.
	Lossy bool

	// Patience is how long a call may get nowhere before Run, RunModel and RunCrash
	// say that it hangs. 0 means 5 seconds.
	Patience time.Duration
}

// Scale returns n times STORAGETEST_SCALE, which is 1 when unset, and with -short a
// fifth of that, but one at least.
func Scale(n int) int {
	if scale, err := strconv.Atoi(os.Getenv("STORAGETEST_SCALE")); err == nil && scale > 0 {
		n *= scale
	}
	if testing.Short() {
		n = max(n/5, 1)
	}
	return n
}
