package twinplatform

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"slices"
)

// Changes are what has changed in a list, whole.
type Changes[T any] struct {
	// Records lists the records that have changed or were deleted, each once.
	Records []Change[T]
	// Token is what the next Sync is given. It is kept with the copy, once
	// Records are in it.
	Token string
	// Complete reports that Records are all there is: whatever else a copy holds is gone
	// from the list. It is so for the first Sync, and when the token was too old or the
	// platform's data was restored.
	Complete bool
}

// Change is a record that has changed.
type Change[T any] struct {
	ID      string // of the record
	Deleted bool   // the record is gone from the list
	Value   T      // the record as it is, or as it was last
}

// attempts is how often Sync lists again when the data is restored under it.
const attempts = 3

// Sync lists what has changed since a token that an earlier Sync of the same list
// has returned, and everything when the token is empty. It follows all pages:
//
//	changes, err := twinplatform.Sync(ctx, svc.In(plan).Tasks, schedules.TaskQuery{}, token)
//
// A token that is no longer good is dealt with by listing again. A list that follows no
// changes has no token, and is listed again each time. The records of the list have a
// member id; those of lists that follow changes, as schedules and transformations have
// them, also deleted.
func Sync[T, Q any, P QueryOf[Q]](ctx context.Context, list func(context.Context, Q) (Page[T], error), q Q,
	token string,
) (Changes[T], error) {
	for attempt := 1; ; attempt++ {
		changes, err := changesSince[T, Q, P](ctx, list, q, token)
		if !errors.Is(err, ErrTokenExpired) || attempt == attempts {
			return changes, err
		}
		token = ""
	}
}

func changesSince[T, Q any, P QueryOf[Q]](ctx context.Context, list func(context.Context, Q) (Page[T], error), q Q,
	token string,
) (Changes[T], error) {
	o := P(&q).Options()
	o.Delta, o.Continuation, o.IfNoneMatch = token, "", ""
	changes := Changes[T]{Complete: token == ""}
	for page, err := range pages[T, Q, P](ctx, list, q) {
		if err == nil {
			err = changes.take(page)
		}
		if err != nil {
			return Changes[T]{}, err
		}
		changes.Token = page.Delta
	}
	return changes, nil
}

// take adds the records of a page.
func (c *Changes[T]) take(page Page[T]) error {
	for i, wire := range page.JSON() {
		var known struct {
			ID      string `json:"id"`
			Deleted bool   `json:"deleted"`
		}
		if err := json.Unmarshal(wire, &known); err != nil {
			return err
		}
		one := Change[T]{ID: known.ID, Deleted: known.Deleted}
		if err := page.at(i, &one.Value); err != nil {
			return err
		}
		c.Records = append(c.Records, one)
	}
	return nil
}

// Replica is a copy of a list in memory. Keeping it up costs what has changed, not
// what there is:
//
//	tasks := twinplatform.NewReplica(svc.In(plan).Tasks, schedules.TaskQuery{})
//	changes, err := tasks.Sync(ctx)
//	dig, ok := tasks.Get("dig")
//
// It is not safe for concurrent use.
type Replica[T any] struct {
	since   func(ctx context.Context, token string) (Changes[T], error)
	token   string
	records map[string]T
}

// NewReplica makes an empty copy of a list; Sync fills it.
func NewReplica[T, Q any, P QueryOf[Q]](list func(context.Context, Q) (Page[T], error), q Q) *Replica[T] {
	return &Replica[T]{since: func(ctx context.Context, token string) (Changes[T], error) {
		return Sync[T, Q, P](ctx, list, q, token)
	}}
}

// Sync makes the copy what the list is, and returns what that has changed. After
// an error the copy is as it was.
func (r *Replica[T]) Sync(ctx context.Context) (Changes[T], error) {
	changes, err := r.since(ctx, r.token)
	if err != nil {
		return changes, err
	}
	if changes.Complete {
		r.records = make(map[string]T, len(changes.Records))
	}
	for _, c := range changes.Records {
		if c.Deleted {
			delete(r.records, c.ID)
		} else {
			r.records[c.ID] = c.Value
		}
	}
	r.token = changes.Token
	return changes, nil
}

// Get returns the record with an id.
func (r *Replica[T]) Get(id string) (T, bool) {
	v, ok := r.records[id]
	return v, ok
}

// Len is the number of records.
func (r *Replica[T]) Len() int { return len(r.records) }

// All yields the records by id.
func (r *Replica[T]) All() iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, id := range slices.Sorted(maps.Keys(r.records)) {
			if !yield(id, r.records[id]) {
				return
			}
		}
	}
}
