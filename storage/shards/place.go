package shards

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// The records of this package, which no transaction of a user sees or writes:
//
//	\x00shards/place              what a store is, in each store
//	\x00shards/log/<random>       keys that were written while their shard moves
//	\x00shards/account/<account>  the shard of an account, in the home shard
//	\x00shards/shard/<shard>      the place and the epoch of a shard, in the home shard
const (
	ours       = "\x00shards/"
	placeKey   = ours + "place"
	logPrefix  = ours + "log/"
	accounts   = ours + "account/"
	registry   = ours + "shard/"
	homeShard  = "home"
	mostLogged = storage.MaxValueBytes // of one record of the log
)

// State is what a place does for its shard.
type State string

// The states of a place. Those of the one that a shard moves from follow each other as they
// stand here; the other becomes Serving once its source is Gone.
const (
	Serving State = "serving" // transactions are made here
	Moving  State = "moving"  // as well, and what they write is noted
	Frozen  State = "frozen"  // reads are; writes wait
	Gone    State = "gone"    // the shard was moved away
	Filling State = "filling" // the shard is copied here
	Spare   State = "spare"   // there is no shard here yet
)

// record is what a store says of itself. Transactions read it, so that none is made at a
// place that no longer has its shard.
type record struct {
	Set   string `json:"set"`   // names the stores that belong together
	Place string `json:"place"` // names this one
	Shard string `json:"shard,omitempty"`
	Epoch int64  `json:"epoch,omitempty"` // grows with each move of the shard
	State State  `json:"state"`
	// Mover names the move that is under way, Other the place at its other end.
	Mover string `json:"mover,omitempty"`
	Other string `json:"other,omitempty"`
	Beat  int64  `json:"beat,omitempty"` // of the mover at the place that it fills
	// Settled reports that no transaction is under way any more that has noted nothing.
	Settled bool `json:"settled,omitempty"`
}

// serves reports whether transactions of a shard are made here.
func (r *record) serves() bool { return r.State == Serving || r.State == Moving || r.State == Frozen }

// read returns what a store says of itself; false where it says nothing.
func read(r storage.Reader) (rec record, found bool, err error) {
	value, err := r.Get(placeKey)
	if errors.Is(err, storage.ErrNotFound) {
		return rec, false, nil
	}
	if err != nil {
		return rec, false, err
	}
	rec, err = parse(value)
	return rec, true, err
}

func parse(value []byte) (rec record, err error) {
	if err := json.Unmarshal(value, &rec); err != nil {
		return rec, fmt.Errorf("shards: what the store says of itself: %w", err)
	}
	return rec, nil
}

func (r *record) put(w storage.Writer) error { return putJSON(w, placeKey, r) }

func putJSON(w storage.Writer, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.Put(key, text)
}

// readStore is read for a store.
func readStore(ctx context.Context, s storage.Store) (rec record, found bool, err error) {
	err = s.View(ctx, func(r storage.Reader) (err error) {
		rec, found, err = read(r)
		return err
	})
	return rec, found, err
}

// claim makes a store that holds nothing one of a set, unless it is one already, and returns
// what it says of itself.
func claim(ctx context.Context, s storage.Store, set string, spare bool) (rec record, err error) {
	place := rand.Text()
	err = s.Update(ctx, func(w storage.Writer) error {
		found := false
		if rec, found, err = read(w); err != nil || found {
			return err
		}
		for key := range w.Scan("", "") {
			if key != storage.HistoryKey {
				return fmt.Errorf("%w: it has records, and is not the home", ErrForeign)
			}
		}
		rec = record{Set: set, Place: place, Shard: place, Epoch: 1, State: Serving}
		if spare {
			rec = record{Set: set, Place: place, State: Spare}
		}
		return rec.put(w)
	})
	if err == nil && rec.Set != set {
		err = fmt.Errorf("%w: it belongs to other stores", ErrForeign)
	}
	return rec, err
}

// claimHome makes a store the home of a set, with whatever it holds, unless it is one of a set
// already.
func claimHome(ctx context.Context, s storage.Store) (rec record, err error) {
	fresh := record{Set: rand.Text(), Place: rand.Text(), Shard: homeShard, Epoch: 1, State: Serving}
	err = s.Update(ctx, func(w storage.Writer) error {
		found := false
		if rec, found, err = read(w); err != nil || found {
			return err
		}
		rec = fresh
		return rec.put(w)
	})
	return rec, err
}

// hidden reports whether a key is one of this package.
func hidden(key string) bool { return strings.HasPrefix(key, ours) }

// local reports whether a key is one that stays where it is when its shard is moved.
func local(key string) bool { return key == placeKey || strings.HasPrefix(key, logPrefix) }
