// Package closure_test holds the platform to one rule: no part of it writes a record that its
// own create would refuse, and the OpenAPI document says exactly what is answered.
//
// Worlds are grown by random histories of all operations, over each engine. Then everything that
// can be reached is read, held to the document by a validator that is not ours, sent back as it
// was read, followed by deltas, exported and seeded.
package closure_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }

// scale is how many histories each engine has, by the environment variable CLOSURE_SCALE.
func scale() int {
	n, err := strconv.Atoi(os.Getenv("CLOSURE_SCALE"))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// firstSeed is that of the first history, by the environment variable CLOSURE_SEED.
func firstSeed() uint64 {
	n, _ := strconv.ParseUint(os.Getenv("CLOSURE_SEED"), 10, 64)
	return n
}

func TestEveryReachableRecordIsOneThatItsCreateWouldTake(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes half a minute")
	}
	t.Parallel()
	tally := newTally()
	t.Cleanup(func() {
		if testing.Verbose() {
			t.Log(tally)
		}
		if !t.Failed() {
			tally.complete(t)
		}
	})
	for _, e := range engines {
		for n := range uint64(scale()) {
			seed := firstSeed() + n
			t.Run(fmt.Sprint(e.name, ", history ", seed), func(t *testing.T) {
				t.Parallel()
				newWorld(t, e, seed, tally).live()
			})
		}
	}
}

// How a history goes: in stretches of steps, behind each of which all is looked at.
const (
	stretches = 3
	steps     = 150
)

// live grows a world and looks at all of it, several times.
func (w *world) live() {
	w.seed()
	w.crawl()
	w.furnish()
	earlier := w.crawl()
	w.sendBack(earlier)
	for range stretches {
		for range steps {
			w.step()
		}
		now := w.crawl()
		w.listsMatchSingleReads(now)
		w.smallPagesMatch(now)
		w.deltasMatch(earlier, now)
		w.sendBack(now)
		w.exportIsSeeded()
		earlier = w.crawl()
	}
}
