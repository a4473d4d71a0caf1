package httpapitest

import (
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// Snapshot is the state of a harness at one moment: all records, the time and who
// may call. It takes constant time and stays as it is.
type Snapshot struct {
	store   storage.Store
	now     time.Time
	numbers uint64
	callers *callers
	secrets map[string]string
}

// Snapshot returns the present state.
func (tw *Harness) Snapshot() *Snapshot {
	tw.t.Helper()
	s, err := tw.snapshot()
	if err != nil {
		tw.t.Fatalf("httpapitest: taking a snapshot: %v", err)
	}
	return s
}

func (tw *Harness) snapshot() (*Snapshot, error) {
	store, err := memory.Fork(tw.core.Load().store)
	if err != nil {
		return nil, err
	}
	return &Snapshot{store, tw.Now(), tw.ids.n.Load(), tw.callers.copy(), tw.Webhooks.known()}, nil
}

// Restore puts the harness back to a snapshot of it, or of another one: as if what came
// after it had never been. Clients and tokens from before stay good; rate limits begin
// again, and what the journal has and which faults are to come stays. Services are taken
// from the harness again afterwards: those from before are closed. No request may be
// under way.
func (tw *Harness) Restore(s *Snapshot) {
	tw.t.Helper()
	if err := tw.restore(s); err != nil {
		tw.t.Fatalf("httpapitest: restoring a snapshot: %v", err)
	}
}

func (tw *Harness) restore(s *Snapshot) error {
	old := tw.core.Load()
	if err := tw.become(s); err != nil {
		return err
	}
	return old.platform.Close()
}

// become has the harness begin with the state of a snapshot.
func (tw *Harness) become(s *Snapshot) error {
	store, err := memory.Fork(s.store)
	if err != nil {
		return err
	}
	tw.Operations.Forget()
	tw.SetClock(s.now)
	tw.ids.n.Store(s.numbers)
	tw.callers.become(s.callers)
	tw.Webhooks.become(s.secrets)
	return tw.open(store)
}

// Fork returns a harness that begins as this one is and is then independent: with its own
// clock, journal and faults, all of them fresh. It takes the same time for a hundred
// thousand records as for none, so each parallel subtest may have one. It ends with t.
func (tw *Harness) Fork(t testing.TB) *Harness {
	t.Helper()
	fork := tw.begin(t)
	if err := fork.become(tw.Snapshot()); err != nil {
		t.Fatalf("httpapitest: forking: %v", err)
	}
	return fork
}
