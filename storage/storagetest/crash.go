package storagetest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// RunCrash lets an engine work on a simulated disk and cuts the power after
// every call that changes the disk, in every way that [Disk.Crashes] knows, but
// not twice into the same state of the disk. Each time the store must open, hold
// exactly the transactions up to some point not before the last acknowledged one,
// take another, and keep that; and it must begin a new history where it holds less
// than was seen, and only there. It ends with a call that gets nowhere for 5 seconds,
// or Engine.Patience.
func RunCrash(t *testing.T, engine Engine) {
	t.Helper()
	count := new(tally)
	for seed := range uint64(Scale(20)) {
		dog := &watchdog{nested: true} // the disk is crashed within the calls that change it
		dog.watch(t, engine, func() { crashRun(t, dog.engine(engine), seed, count) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("power cut on a simulated disk: %v", count)
	if count.first != "" {
		t.Error(count.first)
	}
}

// crashRun is one history with its crashes. While it compacts, another
// transaction continues.
func crashRun(t *testing.T, engine Engine, seed uint64, count *tally) {
	h := newWorkload(seed, 1500)
	h.lossy = engine.Lossy
	random := rand.New(rand.NewPCG(seed, 2))
	dsk := NewDisk()
	meanwhile := func() {}
	dsk.after = func(c Call) {
		note := func(label string) func() string {
			return func() string {
				return fmt.Sprintf("seed %d, after call %d (%s %s), with %s: not a state of transaction %d to %d",
					seed, c.Index, c.Op, c.Name, label, h.acked, h.begun)
			}
		}
		for label, left := range h.unseen(dsk.Crashes(random)) {
			count.add(survive(t.Context(), engine, h, left, random, true), note(label))
		}
		count.add(killedThenCut(t.Context(), engine, h, dsk.Killed(), random),
			note("the process killed, then the power cut"))
		if c.Op == "write" {
			meanwhile()
		}
	}
	s, err := engine.OpenOn(dsk)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	step := func() {
		if err := h.step(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 12 {
		step()
		if n%5 == 4 {
			meanwhile = func() { meanwhile = func() {}; step() }
			if err := storage.Compact(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			meanwhile = func() {}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// killedThenCut opens a store after its process was killed and then cuts the power:
// what the second process showed must not be gone again, nor what it wrote.
func killedThenCut(ctx context.Context, engine Engine, h *workload, left *Disk, random *rand.Rand) verdict {
	s, err := engine.OpenOn(left)
	if err != nil {
		return refused
	}
	shown, err := Dump(ctx, s)
	if err != nil {
		return refused
	}
	worst := h.judge(shown)
	for _, cut := range left.Crashes(random) {
		second, err := engine.OpenOn(cut)
		if err != nil {
			return refused
		}
		content, err := Dump(ctx, second)
		if err != nil || second.Close() != nil {
			return refused
		}
		if !maps.Equal(shown, content) {
			worst = max(worst, lost)
		}
	}
	worst = max(worst, keepsWriting(ctx, engine, s, left, shown))
	if s.Close() != nil {
		return refused
	}
	return worst
}

// survive opens a store on what a crash has left and judges it. Once in a
// while, and unless it is itself the recovery from a crash, the power is cut
// during the recovery as well.
func survive(ctx context.Context, engine Engine, h *workload, left *Disk, random *rand.Rand, again bool) verdict {
	worst := whole
	if again && random.IntN(7) == 0 {
		left.after = func(Call) {
			for _, second := range h.unseen(left.Crashes(random)) {
				worst = max(worst, survive(ctx, engine, h, second, random, false))
			}
		}
	}
	s, err := engine.OpenOn(left)
	left.after = nil
	if err != nil {
		return refused
	}
	content, err := Dump(ctx, s)
	if err != nil {
		return refused
	}
	name, err := historyOf(ctx, s)
	if err != nil {
		return refused
	}
	worst = max(worst, h.judge(content), h.judgeHistory(name, content))
	if random.IntN(2) == 0 {
		worst = max(worst, keepsWriting(ctx, engine, s, left, content))
	}
	if s.Close() != nil {
		return refused
	}
	return worst
}

// keepsWriting checks that a recovered store takes a transaction and keeps it.
func keepsWriting(ctx context.Context, engine Engine, s storage.Store, left *Disk, content map[string]string) verdict {
	if engine.Lossy {
		return whole
	}
	err := s.Update(ctx, func(w storage.Writer) error { return w.Put("after the crash", []byte("x")) })
	if err != nil {
		return refused
	}
	content["after the crash"] = "x"
	random := rand.New(rand.NewPCG(uint64(len(content)), 3))
	for _, cut := range left.Crashes(random) {
		second, err := engine.OpenOn(cut)
		if err != nil {
			return refused
		}
		found, err := Dump(ctx, second)
		if err != nil || second.Close() != nil {
			return refused
		}
		if len(found) != len(content) || found["after the crash"] != "x" {
			return lost
		}
	}
	return whole
}
