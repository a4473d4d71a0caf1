package shards

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Place is what a store is to a shard.
type Place struct {
	Name   string // of the place
	Number int    // of the store among those that Open was given: 1 is the first, spare ones are the last
	Shard  string // empty for a spare
	Epoch  int64
	State  State
}

// Places returns what the stores are, in the order of their numbers.
func (s *Store) Places(ctx context.Context) (all []Place, err error) {
	records, err := s.look(ctx)
	for _, rec := range records {
		all = append(all, Place{rec.Place, s.sites[rec.Place].number, rec.Shard, rec.Epoch, rec.State})
	}
	slices.SortFunc(all, func(a, b Place) int { return a.Number - b.Number })
	return all, err
}

// look reads what all stores say of themselves.
func (s *Store) look(ctx context.Context) (all []record, err error) {
	for _, place := range s.places() {
		rec, found, err := readStore(ctx, s.sites[place].store)
		switch {
		case err != nil:
			return nil, err
		case !found || rec.Place != place || rec.Set != s.set:
			return nil, fmt.Errorf("%w: %s has become another", ErrForeign, place)
		}
		all = append(all, rec)
	}
	return all, nil
}

func (s *Store) places() []string {
	names := make([]string, 0, len(s.sites))
	for name := range s.sites {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// locate finds the places of all shards as they are now. Where a move was left in its last moment, when
// one place has given the shard up and the other not begun, that is done here.
func (s *Store) locate(ctx context.Context) error {
	records, err := s.look(ctx)
	if err != nil {
		return err
	}
	for i := range records {
		if begun, err := s.begin(ctx, records, i); err != nil {
			return err
		} else if begun {
			return s.locate(ctx)
		}
	}
	at := make(map[string]record)
	for _, rec := range records {
		if !rec.serves() {
			continue
		}
		if other, twice := at[rec.Shard]; twice && other.Epoch == rec.Epoch {
			return fmt.Errorf("%w: %s and %s claim the same shard: one is a copy", ErrForeign, rec.Place, other.Place)
		} else if !twice || rec.Epoch > other.Epoch {
			at[rec.Shard] = rec
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for shard, rec := range at {
		if rec.Epoch < s.epochs[shard] {
			return fmt.Errorf("%w: %s is at an earlier state", ErrMissing, shard)
		}
		s.serving[shard], s.epochs[shard] = s.sites[rec.Place], rec.Epoch
	}
	if s.serving[homeShard] == nil {
		return fmt.Errorf("%w: the home", ErrMissing)
	}
	return nil
}

// begin makes a place that was filled serve its shard, where the place that it comes from has
// given it up.
func (s *Store) begin(ctx context.Context, records []record, i int) (begun bool, err error) {
	to := records[i]
	from := slices.IndexFunc(records, func(r record) bool { return r.Place == to.Other })
	if to.State != Filling || from < 0 || records[from].State != Gone || !records[from].leads(to) {
		return false, nil
	}
	err = s.sites[to.Place].store.Update(ctx, func(w storage.Writer) error {
		rec, _, err := read(w)
		if err != nil || rec.State != Filling || rec.Epoch != to.Epoch || rec.Shard != to.Shard {
			return err
		}
		rec.State, rec.Mover, rec.Other, rec.Beat = Serving, "", "", 0
		return rec.put(w)
	})
	return err == nil, err
}

// leads reports whether a place was given up for another.
func (r *record) leads(to record) bool {
	return r.Other == to.Place && r.Shard == to.Shard && r.Epoch+1 == to.Epoch
}

// register writes down in the home where the shards are, and fails where one that is written
// down is nowhere.
func (s *Store) register(ctx context.Context) error {
	s.mu.Lock()
	known := make(map[string]int64, len(s.epochs))
	for shard := range s.serving {
		known[shard] = s.epochs[shard]
	}
	s.mu.Unlock()
	return s.update(ctx, homeShard, func(w storage.Writer, g *guard) error {
		written := make(map[string]int64)
		for key, value := range w.Scan(registry, "") {
			epoch := int64(0)
			if err := json.Unmarshal(value, &epoch); err != nil {
				return fmt.Errorf("shards: %q: %w", key, err)
			}
			written[strings.TrimPrefix(key, registry)] = epoch
		}
		for shard, epoch := range written {
			if known[shard] < epoch {
				return fmt.Errorf("%w: %s, or what there is of it is from before it was moved", ErrMissing, shard)
			}
		}
		for shard, epoch := range known {
			if written[shard] != epoch {
				g.note(registry + shard)
				if err := putJSON(w, registry+shard, epoch); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Shards returns the names of the shards, in order. The home is among them.
func (s *Store) Shards() (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for shard := range s.serving {
		names = append(names, shard)
	}
	slices.Sort(names)
	return names
}

// Assign gives an account that is new a shard. It fails with ErrAssigned where it has another.
func (s *Store) Assign(ctx context.Context, account, shard string) error {
	if account == "" || !slices.Contains(s.Shards(), shard) {
		return fmt.Errorf("%w: %q", ErrMissing, shard)
	}
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	got, err := s.assign(ctx, account, func(string, []string) string { return shard })
	if err == nil && got != shard {
		err = fmt.Errorf("%w: %s", ErrAssigned, got)
	}
	return err
}

// shard is that of an account. One that has none yet gets one where it is to be written for;
// until then there is nothing of it but in the home.
func (s *Store) shard(ctx context.Context, account string, write bool) (string, error) {
	if account == "" {
		return homeShard, nil
	}
	s.mu.Lock()
	shard, ok := s.shardOf[account]
	s.mu.Unlock()
	if ok {
		return shard, nil
	}
	if write {
		return s.assign(ctx, account, s.options.Choose)
	}
	shard, err := s.lookUp(ctx, account)
	if err != nil || shard == "" {
		return homeShard, err
	}
	return s.learned(account, shard, nil)
}

// lookUp reads the shard of an account; "" is that of one that has none yet.
func (s *Store) lookUp(ctx context.Context, account string) (shard string, err error) {
	err = s.view(ctx, homeShard, func(r storage.Reader, g *guard) error {
		if err := g.first([]string{accounts + account}); err != nil {
			return err
		}
		value, err := r.Get(accounts + account)
		shard = string(value)
		return err
	})
	if errors.Is(err, storage.ErrNotFound) {
		return "", nil
	}
	return shard, err
}

// ShardOf returns the shard of an account; "" for one that has none yet.
func (s *Store) ShardOf(ctx context.Context, account string) (string, error) {
	if err := s.gate.Enter(ctx); err != nil {
		return "", err
	}
	defer s.gate.Leave()
	return s.lookUp(ctx, account)
}

// assign reads the shard of an account, or gives it one.
func (s *Store) assign(ctx context.Context, account string, choose func(string, []string) string) (string, error) {
	all, shard := s.Shards(), ""
	if choose == nil {
		choose = spread
	}
	err := s.update(ctx, homeShard, func(w storage.Writer, g *guard) error {
		value, err := w.Get(accounts + account)
		if shard = string(value); !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		shard = homeShard
		known := false
		if s.options.Known != nil {
			if known, err = s.options.Known(g.reader(), account); err != nil {
				return err
			}
		}
		if !known {
			shard = choose(account, all)
		}
		g.note(accounts + account)
		return w.Put(accounts+account, []byte(shard))
	})
	return s.learned(account, shard, err)
}

// learned remembers the shard of an account, which never changes.
func (s *Store) learned(account, shard string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.epochs[shard]; !ok {
		return "", fmt.Errorf("%w: %q", ErrMissing, shard)
	}
	s.shardOf[account] = shard
	return shard, nil
}

// spread chooses a shard by rendezvous hashing, so that a shard more takes its share of the new
// accounts.
func spread(account string, shards []string) (best string) {
	most := uint64(0)
	for _, shard := range shards {
		h := fnv.New64a()
		_, _ = h.Write([]byte(shard + "\x00" + account)) // never fails
		sum := h.Sum64()
		sum = (sum ^ sum>>32) * 0x9e3779b97f4a7c15
		if sum ^= sum >> 29; best == "" || sum > most {
			best, most = shard, sum
		}
	}
	return best
}

// at makes a transaction where a shard is. While that changes it waits.
func (s *Store) at(ctx context.Context, shard string, do func(*site) error) error {
	var began time.Time
	thawed := false
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		s.mu.Lock()
		at := s.serving[shard]
		s.mu.Unlock()
		if at == nil {
			return fmt.Errorf("%w: %q", ErrMissing, shard)
		}
		err := do(at)
		if !errors.Is(err, errElsewhere) {
			return err
		}
		if began.IsZero() {
			began = time.Now()
		}
		if err := s.locate(ctx); err != nil {
			return unavailable(err)
		}
		switch waited := time.Since(began); {
		case !thawed && errors.Is(err, errFrozen) && waited > s.options.Patience/2:
			s.thaw(ctx, at) // its mover is dead, or too slow
			thawed = true
			continue
		case waited > s.options.Patience:
			return fmt.Errorf("%w: %w", storage.ErrUnavailable, errMoving)
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
}

// errMoving is what a transaction fails with that has waited too long. It does not wrap
// errElsewhere, which would have a transaction around it wait again.
var errMoving = errors.New("shards: the shard of the account is being moved")

func unavailable(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, storage.ErrClosed) {
		return err
	}
	return fmt.Errorf("%w: %w", storage.ErrUnavailable, err)
}
