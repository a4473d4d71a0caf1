package storagetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// RunKill kills a process in the middle of its writes, again and again, with
// small transactions and with some of more than three megabytes. Whatever it
// has acknowledged must be there, and no transaction by halves.
//
// The test that calls it is run again by itself in the other process, so it
// must get there without doing anything else first.
func RunKill(t *testing.T, engine Engine) {
	t.Helper()
	asChild(t, engine)
	for _, size := range []int{200, 400_000} {
		count := new(tally)
		dir := t.TempDir()
		random := rand.New(rand.NewPCG(uint64(size), 5))
		for round := range Scale(8) {
			c := startChild(t, dir, size)
			if err := c.read(1 + random.IntN(20)); err != nil {
				t.Fatal(err)
			}
			<-time.After(time.Duration(random.IntN(3000)) * time.Microsecond)
			if err := c.kill(); err != nil {
				t.Fatal(err)
			}
			count.add(afterKill(t, engine, dir, c.acked), func() string {
				return fmt.Sprintf("round %d of %d bytes: transaction %d was acknowledged", round, size, c.acked)
			})
		}
		t.Logf("killed in transactions of %d bytes: %v", childKeys*size, count)
		if count.first != "" {
			t.Error(count.first)
		}
	}
}

// afterKill judges what a killed process has left in a folder.
func afterKill(t *testing.T, engine Engine, dir string, acked int) verdict {
	s, err := engine.Open(dir)
	if err != nil {
		t.Log(err)
		return refused
	}
	n, err := childState(t.Context(), s)
	if closeErr := s.Close(); closeErr != nil {
		return refused
	}
	switch {
	case err != nil:
		t.Log(err)
		return wrong
	case n < acked:
		return lost
	}
	return whole
}
