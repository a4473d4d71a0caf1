package storagetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// fault is a way for calls of a disk to fail.
type fault struct {
	name    string
	verdict Verdict
	forever bool // every later call that changes the disk fails, too
}

var faults = []fault{
	{name: "error", verdict: Verdict{Err: syscall.EIO}},
	{name: "error for ever", verdict: Verdict{Err: syscall.EIO}, forever: true},
	{name: "error after writing", verdict: Verdict{Err: syscall.EIO, Done: true}},
	{name: "short write", verdict: Verdict{Err: syscall.EIO, Short: true}},
	{name: "disk full", verdict: Verdict{Err: syscall.ENOSPC, Short: true}},
	{name: "disk full for ever", verdict: Verdict{Err: syscall.ENOSPC}, forever: true},
}

// RunFaults makes every call of the disk fail, one after the other and in several ways,
// while a store opens, writes, compacts and closes. A transaction that failed must not
// show; those that were acknowledged must, also after a loss of power; and the store must
// not panic, hang, or refuse to open once the disk is well again.
func RunFaults(t *testing.T, engine Engine) {
	t.Helper()
	for _, f := range faults {
		count := new(tally)
		failed := 0
		for seed := range uint64(Scale(5)) {
			for at := 0; ; at++ {
				hit, verdict, updates := faultRun(t, engine, f, seed, at)
				if !hit {
					break
				}
				failed += updates
				count.add(verdict, func() string {
					return fmt.Sprintf("%s at call %d, seed %d: verdict %d", f.name, at, seed, verdict)
				})
			}
		}
		t.Logf("%s: %v, %d transactions refused", f.name, count, failed)
		if count.first != "" {
			t.Error(count.first)
		}
	}
}

// faultRun lets one call fail and reports whether it came to that.
func faultRun(t *testing.T, engine Engine, f fault, seed uint64, at int) (hit bool, worst verdict, failed int) {
	h := newWorkload(seed, 1500)
	dsk := NewDisk()
	var first Call // that failed
	dsk.Fail(func(c Call) Verdict {
		if c.Index != at && (!f.forever || c.Index < at || c.Op == "read" || c.Op == "open") {
			return Verdict{}
		}
		if !hit {
			first = c
		}
		hit = true
		return f.verdict
	})
	s, err := engine.OpenOn(dsk)
	if err == nil {
		worst, failed = work(t.Context(), h, s, func() bool { return first.Op == "write" && !f.forever })
		_ = s.Close() // may well report the fault
	}
	dsk.Fail(nil)
	random := rand.New(rand.NewPCG(seed, uint64(at)))
	for _, left := range h.unseen(dsk.Crashes(random)) {
		worst = max(worst, survive(t.Context(), engine, h, left, random, false))
	}
	if final := survive(t.Context(), engine, h, dsk, random, false); err == nil {
		worst = max(worst, final)
	}
	return hit, worst, failed
}

// work does transactions and compactions, some of which fail, and checks after
// each that the store shows what it has acknowledged. A transaction that fails
// although the disk could take it back is gone for good.
func work(ctx context.Context, h *workload, s storage.Store, takenBack func() bool) (worst verdict, failed int) {
	for n := range 8 {
		err := h.step(ctx, s)
		if err != nil && !errors.Is(err, storage.ErrUnavailable) {
			return wrong, failed
		}
		shown, viewErr := Dump(ctx, s)
		if viewErr != nil || !maps.Equal(shown, h.states[h.acked]) {
			return wrong, failed
		}
		if err != nil {
			failed++
			if takenBack() {
				h.forget()
				return worst, failed
			}
			// If another one succeeds, this one must be gone for good. Else it
			// may be found after a restart: it is unknown what the disk kept.
			if s.Update(ctx, func(w storage.Writer) error { return w.Delete("nothing") }) == nil {
				h.forget()
			} else {
				return worst, failed
			}
		}
		if n == 4 {
			_ = storage.Compact(ctx, s) // a failure must change nothing
		}
	}
	return worst, failed
}
