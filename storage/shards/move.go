package shards

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// ErrMove reports that a move is not possible: the place is taken, or another move is under
// way, which has to be continued or given up first.
var ErrMove = errors.New("shards: the shard cannot be moved so")

// errThawed reports that transactions have waited too long for the end of a move.
var errThawed = errors.New("shards: the place was thawed")

// Move moves a shard to a place that has none, and returns once transactions are made there.
//
// It first waits for [Options.Settle]. Then it copies the shard, while the transactions
// that are made meanwhile note which keys they write. It copies those again until few are left.
// Then writes wait: for the last of them, and for three transactions more. Reads wait for the
// last two of these.
//
// Nothing is lost if it fails or its process dies at any moment: called again, by any process, it
// continues, and takes over from one that stalled. Until then the shard is where it was, and can
// be written to again within [Options.Patience]. [Store.StayPut] gives it up. The content that was
// moved is left where it was, under a mark by which no transaction is made there; a later
// move to that place replaces it.
func (s *Store) Move(ctx context.Context, shard, place string) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	if err := s.locate(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	from := s.serving[shard]
	s.mu.Unlock()
	to := s.sites[place]
	if from == nil || to == nil {
		return fmt.Errorf("%w: shard %q to %q", ErrMissing, shard, place)
	}
	if from != to {
		m := &move{store: s, shard: shard, from: from, to: to, name: rand.Text()}
		if err := m.run(ctx); err != nil {
			return err
		}
	}
	if err := s.locate(ctx); err != nil {
		return err
	}
	return s.register(ctx)
}

// StayPut gives up the move of a shard that is under way, unless it is past its end.
func (s *Store) StayPut(ctx context.Context, shard string) error {
	if err := s.gate.Enter(ctx); err != nil {
		return err
	}
	defer s.gate.Leave()
	if err := s.locate(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	at := s.serving[shard]
	s.mu.Unlock()
	if at == nil {
		return fmt.Errorf("%w: %q", ErrMissing, shard)
	}
	return at.change(ctx, func(rec *record, _ storage.Writer) error {
		if !rec.serves() {
			return fmt.Errorf("%w: it has been moved", ErrMove)
		}
		rec.State, rec.Mover, rec.Other, rec.Settled = Serving, "", "", false
		return nil
	})
}

// move is one attempt at moving a shard.
type move struct {
	store    *Store
	shard    string
	from, to *site
	name     string
	epoch    int64 // of the source
}

// change changes what a place says of itself.
func (at *site) change(ctx context.Context, fn func(*record, storage.Writer) error) error {
	return at.store.Update(ctx, func(w storage.Writer) error {
		rec, err := at.record(w)
		if err != nil {
			return err
		}
		if err := fn(&rec, w); err != nil {
			return err
		}
		return rec.put(w)
	})
}

// record is what the place says of itself, if it is still this one.
func (at *site) record(r storage.Reader) (record, error) {
	rec, found, err := read(r)
	if err == nil && (!found || rec.Place != at.place) {
		err = fmt.Errorf("%w: %s has become another", ErrForeign, at.place)
	}
	return rec, err
}

// source changes what the source says of itself, if the move is still this one.
func (m *move) source(ctx context.Context, fn func(*record, storage.Writer) error) error {
	return m.from.change(ctx, func(rec *record, w storage.Writer) error {
		if err := m.leads(rec); err != nil {
			return err
		}
		return fn(rec, w)
	})
}

// leads fails where the source is not moved by this move any more.
func (m *move) leads(rec *record) error {
	if rec.Mover != m.name || rec.Shard != m.shard {
		return fmt.Errorf("%w: another move has taken over", ErrMove)
	}
	return nil
}

// forget changes the source, if the move is still this one. It leaves what the source says of itself as
// it is: every write reads that, and a transaction that wrote it, too, would lose race after race
// where many write.
func (m *move) forget(ctx context.Context, fn func(storage.Writer) error) error {
	return m.from.store.Update(ctx, func(w storage.Writer) error {
		rec, err := m.from.record(w)
		if err == nil {
			err = m.leads(&rec)
		}
		if err != nil {
			return err
		}
		return fn(w)
	})
}

// target writes at the target, if the move is still this one. What it says of itself is
// written each time, so that of two moves one fails.
func (m *move) target(ctx context.Context, fn func(storage.Writer) error) error {
	return m.to.change(ctx, func(rec *record, w storage.Writer) error {
		if rec.Mover != m.name || rec.State != Filling {
			return fmt.Errorf("%w: another move has taken over", ErrMove)
		}
		rec.Beat++
		return fn(w)
	})
}

func (m *move) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{m.fill, m.take, m.settle, m.copyAll, m.close} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// fill makes the target one that is being filled by this move.
func (m *move) fill(ctx context.Context) error {
	from, to, err := m.ends(ctx)
	if err != nil {
		return err
	}
	m.epoch = from.Epoch
	return m.to.change(ctx, func(rec *record, _ storage.Writer) error {
		if *rec != to {
			return fmt.Errorf("%w: %s has been taken", ErrMove, m.to.place)
		}
		*rec = record{
			Set: rec.Set, Place: rec.Place, Shard: m.shard, Epoch: from.Epoch + 1, State: Filling,
			Mover: m.name, Other: m.from.place, Beat: rec.Beat + 1,
		}
		return nil
	})
}

// ends returns what source and target say of themselves. It fails where the target may not be
// filled: it is to be a spare, or what it had is in another place, or a move to it was given up
// or is this one.
func (m *move) ends(ctx context.Context) (from, to record, err error) {
	records, err := m.store.look(ctx)
	if err != nil {
		return from, to, err
	}
	served := make(map[string]int64) // the latest epochs
	for _, rec := range records {
		switch rec.Place {
		case m.from.place:
			from = rec
		case m.to.place:
			to = rec
		}
		if rec.serves() {
			served[rec.Shard] = max(served[rec.Shard], rec.Epoch)
		}
	}
	free := to.State == Spare
	switch {
	case to.State == Gone:
		free = served[to.Shard] > to.Epoch
	case to.State == Filling:
		free = served[to.Shard] > 0
		for _, rec := range records {
			if rec.Place == to.Other && rec.Other == to.Place && rec.Shard == to.Shard {
				free = rec.Shard == m.shard // that move is under way
			}
		}
	}
	if !free {
		err = fmt.Errorf("%w: %s is taken", ErrMove, m.to.place)
	}
	return from, to, err
}

// take makes the move this one at the source. What is written from then on is noted.
func (m *move) take(ctx context.Context) error {
	return m.from.change(ctx, func(rec *record, _ storage.Writer) error {
		switch {
		case rec.Shard != m.shard || rec.Epoch != m.epoch || !rec.serves():
			return fmt.Errorf("%w: it is not there any more", ErrMove)
		case rec.State == Serving:
			rec.Settled = false
		case rec.Other != m.to.place:
			return fmt.Errorf("%w: it is on its way to %s", ErrMove, rec.Other)
		}
		rec.State, rec.Mover, rec.Other = Moving, m.name, m.to.place
		return nil
	})
}

// settle waits until no transaction is under way that may have noted nothing.
func (m *move) settle(ctx context.Context) error {
	rec, _, err := readStore(ctx, m.from.store)
	if err != nil || rec.Settled {
		return err
	}
	if wait := m.store.options.Settle; wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
		}
	}
	return m.source(ctx, func(rec *record, _ storage.Writer) error {
		rec.Settled = true
		return nil
	})
}

// attempts is how often the end of a move is tried, in which writes wait.
const attempts = 5

// close copies what was noted until little is left, lets writes wait for the rest, and makes the
// target the place of the shard.
func (m *move) close(ctx context.Context) error {
	var err error
	for range attempts {
		if err = m.drain(ctx); err != nil {
			return err
		}
		if err = m.freeze(ctx); err != nil {
			return err
		}
		if err = m.fence(ctx); err == nil {
			err = m.rest(ctx)
		}
		if err == nil {
			err = m.giveUp(ctx)
		}
		if !errors.Is(err, errThawed) {
			break
		}
	}
	return err
}

// freeze lets writes wait. It reads nothing that they write, so that it loses no race to them.
func (m *move) freeze(ctx context.Context) error {
	return m.source(ctx, func(rec *record, _ storage.Writer) error {
		rec.State = Frozen
		return nil
	})
}

// fence makes writes fail that began before the freeze and have not ended, and be made again: it
// reads where they note what they write, and they have read that nothing was frozen.
func (m *move) fence(ctx context.Context) error {
	return m.source(ctx, func(rec *record, w storage.Writer) error {
		if rec.State != Frozen {
			return errThawed
		}
		for range w.Scan(logPrefix, "") {
		}
		return nil
	})
}

// giveUp is the end of the source. The target begins then, see Store.locate.
func (m *move) giveUp(ctx context.Context) error {
	return m.source(ctx, func(rec *record, _ storage.Writer) error {
		if rec.State != Frozen {
			return errThawed
		}
		rec.State, rec.Mover = Gone, ""
		return nil
	})
}

// thaw lets a place be written to again whose move does not come to its end.
func (s *Store) thaw(ctx context.Context, at *site) {
	_ = at.change(ctx, func(rec *record, _ storage.Writer) error {
		if rec.State == Frozen {
			rec.State = Moving
		}
		return nil
	}) // or it is tried again
}
