package shards_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/shards"
)

// placeOf is the place of a shard, and spareOf one that has none.
func placeOf(t testing.TB, s *shards.Store, shard string) shards.Place {
	t.Helper()
	for _, p := range places(t, s) {
		if p.Shard == shard && (p.State == shards.Serving || p.State == shards.Moving || p.State == shards.Frozen) {
			return p
		}
	}
	t.Fatalf("there is no place of %s", shard)
	return shards.Place{}
}

func places(t testing.TB, s *shards.Store) []shards.Place {
	t.Helper()
	all, err := s.Places(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func spareOf(t testing.TB, s *shards.Store) string {
	t.Helper()
	for _, p := range places(t, s) {
		if p.State == shards.Spare || p.State == shards.Gone || p.State == shards.Filling {
			return p.Name
		}
	}
	t.Fatal("there is no spare place")
	return ""
}

// records are those of a store without what the set keeps there.
func records(t testing.TB, s storage.Store) map[string]string {
	t.Helper()
	all, err := dumpOf(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func dumpOf(ctx context.Context, s storage.Store) (all map[string]string, err error) {
	err = s.View(ctx, func(r storage.Reader) error {
		all = make(map[string]string)
		for key, value := range r.Scan("", "") {
			if key[0] != 0 {
				all[key] = string(value)
			}
		}
		return nil
	})
	return all, err
}

func TestMoveTakesTheWholeShard(t *testing.T) {
	t.Parallel()
	for _, shard := range []string{"home", "another"} {
		t.Run(shard, func(t *testing.T) {
			t.Parallel()
			stores, spare := three(), kept{memory.New()}
			o := alone
			o.Spares = []storage.Store{spare}
			s := open(t, o, stores...)
			node := open(t, o, stores...) // which knows the places as they are now
			if shard == "another" {
				shard = another(s)
			}
			if err := s.Assign(t.Context(), "ann", shard); err != nil {
				t.Fatal(err)
			}
			for i := range 10 {
				pairs := []string{"\xff binary \x00", ""}
				for j := range 500 {
					pairs = append(pairs, fmt.Sprintf("key %d", 500*i+j), fmt.Sprint("value ", i))
				}
				put(t, s, "ann", pairs...)
			}
			want := dump(t, s, "ann")
			from := placeOf(t, s, shard)
			if err := s.Move(t.Context(), shard, spareOf(t, s)); err != nil {
				t.Fatal(err)
			}
			if to := placeOf(t, s, shard); to.Name == from.Name || to.Epoch != from.Epoch+1 {
				t.Errorf("the shard was at %+v and is at %+v", from, to)
			}
			if diff := cmp.Diff(want, records(t, spare)); diff != "" {
				t.Errorf("the new place (-want +got):\n%s", diff)
			}
			put(t, node, "ann", "later", "1")
			want["later"] = "1"
			for name, at := range map[string]*shards.Store{"the mover": s, "another process": node, "one that opens": open(t, o, stores...)} {
				if diff := cmp.Diff(want, dump(t, at, "ann")); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
			// The place that it came from may be filled again.
			if err := node.Move(t.Context(), shard, from.Name); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, dump(t, s, "ann")); diff != "" {
				t.Errorf("back at the first place (-want +got):\n%s", diff)
			}
		})
	}
}

// A store that is brought back to before its shard was moved away claims it still.
func TestPlaceFromBeforeTheMoveIsRefused(t *testing.T) {
	t.Parallel()
	stores, spare := three(), kept{memory.New()}
	o := alone
	o.Spares = []storage.Store{spare}
	s := open(t, o, stores...)
	shard := another(s)
	if err := s.Assign(t.Context(), "ann", shard); err != nil {
		t.Fatal(err)
	}
	put(t, s, "ann", "a", "1")
	old := make([]storage.Store, len(stores))
	for i, store := range stores {
		old[i] = kept{copyOf(t, store)}
	}
	if err := s.Move(t.Context(), shard, spareOf(t, s)); err != nil {
		t.Fatal(err)
	}
	put(t, s, "ann", "a", "2")
	for i := 1; i < len(stores); i++ { // one of them had the shard
		with := append([]storage.Store{}, stores...)
		with[i] = old[i]
		again, err := shards.Open(t.Context(), o, with[0], with[1:]...)
		if err != nil {
			continue
		}
		if got := dump(t, again, "ann")["a"]; got != "2" {
			t.Errorf("with the old store %d the account reads %q", i, got)
		}
		with[0], o.Spares = stores[0], nil
		if _, err := shards.Open(t.Context(), o, with[0], with[1:]...); !errors.Is(err, shards.ErrMissing) {
			t.Errorf("with the old store %d alone: %v", i, err)
		}
		o.Spares = []storage.Store{spare}
	}
}

func copyOf(t testing.TB, s storage.Store) storage.Store {
	t.Helper()
	out := memory.New()
	err := s.View(t.Context(), func(r storage.Reader) error {
		return out.Update(t.Context(), func(w storage.Writer) error {
			for key, value := range r.Scan("", "") {
				if err := w.Put(key, value); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMovesThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	stores := three()
	o := alone
	o.Spares = []storage.Store{kept{memory.New()}, kept{memory.New()}}
	s := open(t, o, stores...)
	names := s.Shards()
	if err := s.Move(t.Context(), names[1], placeOf(t, s, names[0]).Name); !errors.Is(err, shards.ErrMove) {
		t.Errorf("to the place of another shard: %v", err)
	}
	if err := s.Move(t.Context(), "none", spareOf(t, s)); !errors.Is(err, shards.ErrMissing) {
		t.Errorf("of a shard that is none: %v", err)
	}
	if err := s.Move(t.Context(), names[1], placeOf(t, s, names[1]).Name); err != nil {
		t.Errorf("to where it is: %v", err)
	}
	// Another move is under way until it is given up.
	l := &life{left: 1000, r: rand.New(rand.NewPCG(1, 1))}
	killed := open(t, o, mortal(stores, l)...)
	l.left = 9
	first := spareOf(t, s)
	if err := killed.Move(t.Context(), names[1], first); !errors.Is(err, errKilled) {
		t.Fatalf("the move that was to be killed = %v", err)
	}
	if st := placeOf(t, s, names[1]).State; st != shards.Moving {
		t.Fatalf("the shard is %s", st)
	}
	for _, p := range places(t, s) {
		if p.State == shards.Spare {
			if err := s.Move(t.Context(), names[1], p.Name); !errors.Is(err, shards.ErrMove) {
				t.Errorf("to another place meanwhile: %v", err)
			}
		}
	}
	if err := s.Move(t.Context(), names[2], first); !errors.Is(err, shards.ErrMove) {
		t.Errorf("of another shard to the place that is being filled: %v", err)
	}
	if err := s.StayPut(t.Context(), names[1]); err != nil {
		t.Fatal(err)
	}
	if err := s.Move(t.Context(), names[2], first); err != nil {
		t.Errorf("of another shard once it is given up: %v", err)
	}
}

// life is how many more calls a process makes of its stores, and what ends then.
type life struct {
	mu   sync.Mutex
	left int
	r    *rand.Rand
}

var errKilled = errors.New("the process was killed")

// call counts a call. The last one is made or not, and is not answered.
func (l *life) call(do func() error) error {
	l.mu.Lock()
	l.left--
	left, made := l.left, l.r.IntN(2) == 0
	l.mu.Unlock()
	if left > 0 {
		return do()
	}
	if left == 0 && made {
		_ = do()
	}
	return errKilled
}

// dying is a store as a process has it that is about to be killed.
type dying struct {
	storage.Store
	*life
}

func mortal(stores []storage.Store, l *life) (all []storage.Store) {
	for _, s := range stores {
		all = append(all, &dying{s, l})
	}
	return all
}

func (d *dying) View(ctx context.Context, fn func(storage.Reader) error) error {
	return d.call(func() error { return d.Store.View(ctx, fn) })
}

func (d *dying) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return d.call(func() error { return d.Store.Update(ctx, fn) })
}

// Whatever writers do, and whenever those who move their shard to and fro are killed, each change that was
// acknowledged is there, once, at the place where the shard is in the end, and nothing else.
func TestNothingIsLostWhenMoversAreKilled(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testsize.Of(24, 2)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			round(t, seed)
		})
	}
}

// round is one history.
func round(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 30))
	stores, spare := three(), kept{memory.New()}
	o := alone
	o.Spares, o.Patience = []storage.Store{spare}, 3*time.Second
	s := open(t, o, stores...)
	shard := []string{"home", another(s)}[seed%2]
	if err := s.Assign(t.Context(), "ann", shard); err != nil {
		t.Fatal(err)
	}
	var base []string
	for i := range 3000 {
		base = append(base, fmt.Sprintf("base %04d", i), fmt.Sprint(i))
	}
	put(t, s, "ann", base...)
	var acknowledged atomic.Int64
	done, group := make(chan struct{}), sync.WaitGroup{}
	models := make([]map[string]string, 4)
	for i := range models {
		node := open(t, o, stores...)
		group.Go(func() {
			models[i] = write(t, node, fmt.Sprint("writer ", i), rand.New(rand.NewPCG(seed, uint64(i))), &acknowledged, done)
		})
	}
	kills := 0
	for moves := 0; (moves < 4 || kills < 4) && !t.Failed(); moves++ {
		to := spareOf(t, s)
		for killed := true; killed && !t.Failed(); {
			for before := acknowledged.Load(); acknowledged.Load() < before+10 && !t.Failed(); {
				runtime.Gosched()
			}
			l := &life{left: 10 + r.IntN(60), r: r}
			oo := o
			oo.Spares = mortal(o.Spares, l)
			dead := mortal(stores, l)
			mover, err := shards.Open(t.Context(), oo, dead[0], dead[1:]...)
			if err == nil {
				err = mover.Move(t.Context(), shard, to)
			}
			if killed = errors.Is(err, errKilled); killed {
				kills++
			} else if err != nil {
				t.Errorf("Move = %v", err)
			}
		}
	}
	close(done)
	group.Wait()
	want := make(map[string]string)
	for i := range 3000 {
		want[fmt.Sprintf("base %04d", i)] = fmt.Sprint(i)
	}
	for _, m := range models {
		maps.Copy(want, m)
	}
	want["count"] = string(binary.BigEndian.AppendUint64(nil, uint64(acknowledged.Load()))) //nolint:gosec // not negative
	if diff := cmp.Diff(want, dump(t, s, "ann")); diff != "" {
		t.Errorf("after %d changes and %d kills (-want +got):\n%s", acknowledged.Load(), kills, diff)
	}
	t.Logf("%d changes, %d kills", acknowledged.Load(), kills)
}

// write makes changes until done, each of them one more in a count that all share, and returns
// what its own keys hold.
func write(t *testing.T, s storage.Store, name string, r *rand.Rand, acknowledged *atomic.Int64, done <-chan struct{}) map[string]string {
	model := make(map[string]string)
	ctx := storage.WithAccount(t.Context(), "ann")
	for n := 0; ; n++ {
		select {
		case <-done:
			return model
		default:
		}
		changes := make(map[string]string)
		for range 1 + r.IntN(5) {
			changes[fmt.Sprintf("%s key %d", name, r.IntN(300))] = fmt.Sprint(n)
		}
		remove := r.IntN(4) == 0
		err := s.Update(ctx, func(w storage.Writer) error {
			for key, value := range changes {
				if remove {
					if err := w.Delete(key); err != nil {
						return err
					}
				} else if err := w.Put(key, []byte(value)); err != nil {
					return err
				}
			}
			return increment(w, "count")
		})
		if err != nil {
			t.Errorf("Update: %v", err)
			return model
		}
		acknowledged.Add(1)
		for key, value := range changes {
			if remove {
				delete(model, key)
			} else {
				model[key] = value
			}
		}
		runtime.Gosched()
	}
}

func increment(w storage.Writer, key string) error {
	n := uint64(0)
	value, err := w.Get(key)
	if err == nil {
		n = binary.BigEndian.Uint64(value)
	} else if !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	return w.Put(key, binary.BigEndian.AppendUint64(nil, n+1))
}

// A place whose mover died while writes wait is written to again.
func TestWritesContinueWhenTheMoverDiesWhileTheyWait(t *testing.T) {
	t.Parallel()
	frozen := false
	for kill := 1; kill < 60 && !frozen; kill++ {
		stores := three()
		o := alone
		o.Patience = 200 * time.Millisecond
		o.Spares = []storage.Store{kept{memory.New()}}
		s := open(t, o, stores...)
		shard := another(s)
		if err := s.Assign(t.Context(), "ann", shard); err != nil {
			t.Fatal(err)
		}
		put(t, s, "ann", "a", "1")
		l := &life{left: 1000, r: rand.New(rand.NewPCG(2, uint64(kill)))} //nolint:gosec // not negative
		mover := open(t, o, mortal(stores, l)...)
		l.left = kill
		err := mover.Move(t.Context(), shard, spareOf(t, s))
		if p := places(t, s); !errors.Is(err, errKilled) || !has(p, shards.Frozen) {
			continue
		}
		frozen = true
		if got := dump(t, s, "ann"); got["a"] != "1" {
			t.Errorf("while writes wait, reads have %v", got)
		}
		put(t, s, "ann", "a", "2")
		if err := s.Move(t.Context(), shard, spareOf(t, s)); err != nil {
			t.Fatal(err)
		}
		if got := dump(t, s, "ann"); got["a"] != "2" {
			t.Errorf("after the move there is %v", got)
		}
	}
	if !frozen {
		t.Error("no mover died while writes wait")
	}
}

func has(all []shards.Place, state shards.State) bool {
	for _, p := range all {
		if p.State == state {
			return true
		}
	}
	return false
}
