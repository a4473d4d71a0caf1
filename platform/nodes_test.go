package platform_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// far is a node's line to a store that others write to as well: every transaction takes
// some time, and from some moment on the node is dead.
type far struct {
	storage.Store

	mu   sync.Mutex
	rand *rand.Rand
	dies time.Time // never when zero
}

var errDead = errors.New("the node is dead")

func (f *far) Epoch() string { return "" }
func (f *far) Close() error  { return nil }

// travel takes a while.
func (f *far) travel() error {
	f.mu.Lock()
	pause := time.Duration(f.rand.IntN(int(20 * time.Millisecond)))
	if f.rand.IntN(50) == 0 {
		pause *= 20
	}
	f.mu.Unlock()
	time.Sleep(pause)
	if !f.dies.IsZero() && time.Now().After(f.dies) {
		return errDead
	}
	return nil
}

func (f *far) View(ctx context.Context, fn func(storage.Reader) error) error {
	if err := f.travel(); err != nil {
		return err
	}
	return f.Store.View(ctx, fn)
}

func (f *far) Update(ctx context.Context, fn func(storage.Writer) error) error {
	if err := f.travel(); err != nil {
		return err
	}
	return f.Store.Update(ctx, fn)
}

// granting are two people with roles at a twin, and one who has none.
func granting(t *testing.T, twinID string) platform.Callers {
	t.Helper()
	callers, err := platform.ReadCallers(strings.NewReader(fmt.Sprintf(`[
		{"token": "1", "principal": {"id": "ann", "displayName": "Ann", "email": "ann@example.com", "accountId": %[1]q, "kind": "User", "scopes": ["twin-platform"]},
			"grants": [{"twinId": %[2]q, "permissions": ["schedules_read", "schedules_modify"]}]},
		{"token": "2", "principal": {"id": "bob", "accountId": %[1]q, "kind": "User", "scopes": ["twin-platform"]},
			"grants": [{"twinId": %[2]q, "permissions": ["schedules_read"]}]},
		{"token": "3", "principal": {"id": "eve", "accountId": %[1]q, "kind": "User", "scopes": ["twin-platform"]}}]`, account, twinID)))
	if err != nil {
		t.Fatal(err)
	}
	return callers
}

// begin does what a node does at its start.
func begin(ctx context.Context, p *platform.Platform, w *platform.World, callers platform.Callers) error {
	if err := p.ClaimFormat(ctx, "v1"); err != nil {
		return err
	}
	if err := p.Seed(ctx, w, owner); err != nil {
		return err
	}
	return p.Grant(ctx, callers)
}

// holds is all that a store holds, as a seed.
func holds(t *testing.T, store storage.Store) string {
	t.Helper()
	p, err := platform.New(store, platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return numbered.ReplaceAllString(exported(t, p), `"id": "…"`)
}

// numbered is an id that the platform has made.
var numbered = regexp.MustCompile(`"id": "[0-9a-v]{20}"`)

// Whatever order the transactions of two or three nodes come in, and wherever one of them
// dies, those that are left start, and the store holds what one node by itself would have
// made.
func TestNodesThatStartAtOnceMakeEverythingOnce(t *testing.T) {
	t.Parallel()
	worlds := []*platform.World{worldFrom(t, j30File), worldFrom(t, bridgeFile)}
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	cfg := platform.Config{Env: twinplatform.Env{Now: func() time.Time { return now }}}
	for i, world := range worlds {
		callers := granting(t, world.Twins[0].ID)
		alone := memory.New()
		if err := begin(t.Context(), over(t, alone, cfg), world, callers); err != nil {
			t.Fatal(err)
		}
		want := holds(t, alone)
		for seed := range testsize.Of[uint64](20, 3) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 13))
				store := memory.New()
				var started sync.WaitGroup
				for n := range 2 + seed%2 {
					line := &far{Store: store, rand: rand.New(rand.NewPCG(seed, n))}
					if n > 0 && seed%4 > 1 {
						line.dies = time.Now().Add(time.Duration(r.IntN(int(5 * time.Second))))
					}
					pause := time.Duration(r.IntN(int(time.Second)))
					started.Go(func() {
						time.Sleep(pause)
						p, err := platform.New(line, cfg)
						if err == nil {
							err = begin(t.Context(), p, world, callers)
						}
						if err != nil && !errors.Is(twinplatform.Cause(err), errDead) && !errors.Is(err, errDead) {
							t.Errorf("world %d, seed %d: node %d does not start: %v", i, seed, n, err)
						}
					})
				}
				started.Wait()
				if diff := cmp.Diff(want, holds(t, store)); diff != "" {
					t.Errorf("world %d, seed %d: the store holds something else than of one node (-want +got):\n%s", i, seed, diff)
				}
			})
		}
	}
}

// What all nodes do without being asked does no harm when several do it at once.
func TestNodesForgetAndPurgeTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		cfg := platform.Config{Env: twinplatform.Env{Retain: time.Hour}}
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		var nodes []*platform.Platform
		for n := range uint64(3) {
			p, err := platform.New(&far{Store: store, rand: rand.New(rand.NewPCG(1, n))}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			nodes = append(nodes, p)
			running.Go(func() {
				if err := p.Run(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		world := worldFrom(t, j30File)
		seed(t, nodes[0], world)
		plan, before := world.Schedules[0].ID, keys(t, store)
		for n := range 60 {
			task, err := nodes[n%3].Schedules.CreateTask(t.Context(), plan, schedules.NewTask{Name: "Dig", Type: schedules.Work})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := nodes[(n+1)%3].Schedules.In(plan).DeleteTasks(t.Context(), []string{task.Value().ID}); err != nil {
				t.Fatal(err)
			}
		}
		between := keys(t, store)
		time.Sleep(3 * time.Hour)
		after := keys(t, store)
		stop()
		running.Wait()
		if between < before+60 || after > before+20 {
			t.Errorf("%d keys at first, %d with 60 tasks that were deleted, %d when they are forgotten", before, between, after)
		}
	})
}

func keys(t *testing.T, store storage.Store) (n int) {
	t.Helper()
	if err := store.View(t.Context(), func(r storage.Reader) error {
		n = 0
		for range r.Scan("", "") {
			n++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// A node of a version that reads a later format than the others makes them stop, and does
// nothing before they have had the time to.
func TestOlderNodesStopWhenALaterFormatIsClaimed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		p, err := platform.New(&far{Store: store, rand: rand.New(rand.NewPCG(1, 1))}, platform.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.ClaimFormat(t.Context(), "v1"); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		ran := make(chan error, 1)
		go func() { ran <- p.Run(ctx) }()
		time.Sleep(time.Minute)
		if !p.Running() {
			t.Fatal("it has stopped before")
		}
		put(t, store, fmt.Sprintf(`{"format":%d,"version":"v2","rising":true}`, platform.StoredFormat+1))
		claimed := time.Now()
		select {
		case err = <-ran:
		case <-time.After(time.Minute):
			t.Fatal("it continues")
		}
		if later, ok := errors.AsType[*platform.FormatError](err); !ok || later.Version != "v2" {
			t.Errorf("Run ends with %v", err)
		}
		if took := time.Since(claimed); took > 2*time.Second {
			t.Errorf("it writes for %v after the claim", took)
		}
	})
}

func put(t *testing.T, store storage.Store, format string) {
	t.Helper()
	if err := store.Update(t.Context(), func(w storage.Writer) error { return w.Put("stored/format", []byte(format)) }); err != nil {
		t.Fatal(err)
	}
}

// Every node of the later version waits, also one that finds the claim of another which may
// have died since; where there was no earlier one, no one does.
func TestALaterFormatIsUsedOnceOlderNodesHaveStopped(t *testing.T) {
	t.Parallel()
	older := fmt.Sprintf(`{"format":%d,"version":"v0"}`, platform.StoredFormat-1)
	rising := fmt.Sprintf(`{"format":%d,"version":"v1","rising":true}`, platform.StoredFormat)
	for found, want := range map[string]time.Duration{"": 0, older: twinplatform.DefaultLease, rising: twinplatform.DefaultLease} {
		synctest.Test(t, func(t *testing.T) {
			store := memory.New()
			if found != "" {
				put(t, store, found)
			}
			p, err := platform.New(&far{Store: store, rand: rand.New(rand.NewPCG(1, 1))}, platform.Config{})
			if err != nil {
				t.Fatal(err)
			}
			p.ReadFormats(platform.StoredFormat-1, platform.StoredFormat)
			for _, want := range []time.Duration{want, 0} {
				began := time.Now()
				if err := p.ClaimFormat(t.Context(), "v1"); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took < want || took > want+time.Second {
					t.Errorf("with %s it takes %v, want %v", found, took, want)
				}
			}
			var stored map[string]any
			if err := store.View(t.Context(), func(r storage.Reader) error {
				text, err := r.Get("stored/format")
				return errors.Join(err, json.Unmarshal(text, &stored))
			}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]any{"format": float64(platform.StoredFormat), "version": "v1"}, stored); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// fenced is a store of several processes, as storage/postgres is.
type fenced struct {
	storage.Store

	key   string
	holds func([]byte) error
}

func (f *fenced) Epoch() string { return "" }

func (f *fenced) Fence(key string, holds func([]byte) error) { f.key, f.holds = key, holds }

func (f *fenced) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return f.Store.Update(ctx, func(w storage.Writer) error {
		if f.holds != nil {
			value, err := w.Get(f.key)
			if err != nil && !errors.Is(err, storage.ErrNotFound) {
				return err
			}
			if err := f.holds(value); err != nil {
				return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
			}
		}
		return fn(w)
	})
}

func TestANodeThatStoodStillWritesNothingInAnEarlierFormat(t *testing.T) {
	t.Parallel()
	store := memory.New()
	p, err := platform.New(&fenced{Store: store}, platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := as(t, "ada", twinplatform.AccountAdministrator)
	if err := p.ClaimFormat(t.Context(), "v1"); err != nil {
		t.Fatal(err)
	}
	made := newTwin(ctx, t, p)
	put(t, store, fmt.Sprintf(`{"format":%d,"version":"v2"}`, platform.StoredFormat+1))
	_, err = p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: made})
	if !errors.Is(err, twinplatform.Unavailable) {
		t.Errorf("a write of the earlier format: %v", err)
	}
	if later, ok := errors.AsType[*platform.FormatError](twinplatform.Cause(err)); !ok || later.Version != "v2" {
		t.Errorf("it is refused because of %v", twinplatform.Cause(err))
	}
	if err := p.ClaimFormat(t.Context(), "v1"); err == nil {
		t.Error("it claims the format again")
	}
}

// counted is a store that other processes share, and counts transactions.
type counted struct {
	storage.Store

	made atomic.Int64
}

func (c *counted) Epoch() string { return "" }

func (c *counted) View(ctx context.Context, fn func(storage.Reader) error) error {
	c.made.Add(1)
	return c.Store.View(ctx, fn)
}

func (c *counted) Update(ctx context.Context, fn func(storage.Writer) error) error {
	c.made.Add(1)
	return c.Store.Update(ctx, fn)
}

// All areas look together whether others have left something to do.
func TestIdleNodeAsksItsStoreOnceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &counted{Store: memory.New()}
		p, err := platform.New(store, platform.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		time.Sleep(time.Minute) // until what is seldom has found its rest
		store.made.Store(0)
		const minutes = 10
		time.Sleep(minutes * time.Minute)
		if a, most := store.made.Load(), int64(minutes*66); a > most {
			t.Errorf("an idle node makes %d transactions in %d minutes, want %d at most", a, minutes, most)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
