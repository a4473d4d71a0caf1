package schedules

import "iter"

// recordsPerStep is how many records one step of a large change writes; with
// its indexes and its place in the order of changes, a record takes up to eight
// of the writes that a transaction has.
const recordsPerStep = 1_000

// textPerRecord is how many bytes of text may come with each record of a step.
const textPerRecord = 4 << 10

// deletion is what is left to delete.
type deletion struct {
	IDs   []string `json:"ids"`
	Total int      `json:"total"` // ids asked for; 0 until the first step
}

// remover deletes records with all that lies below them, children first, as far
// as the budget of records of one step reaches.
type remover struct {
	budget int
	// below yields the ids of a record's children.
	below func(id string) iter.Seq[string]
	// remove deletes a record without children and what belongs to it. It
	// reports false when the budget ended before that, and true for a record
	// that is gone already.
	remove func(id string, budget *int) (whole bool, err error)
}

// run does one step of a deletion. Only what was asked for is kept between
// steps, and the way down to what is left of it is found anew.
func (r *remover) run(d *deletion) (progress, error) {
	if d.Total == 0 {
		d.Total = len(d.IDs)
	}
	for len(d.IDs) > 0 {
		whole, err := r.fell(d.IDs[0])
		if err != nil {
			return progress{}, err
		}
		if !whole {
			return progressOf(d.Total-len(d.IDs), d.Total), nil
		}
		d.IDs = d.IDs[1:]
	}
	return done, nil
}

// fell deletes a record with all that lies below it.
func (r *remover) fell(id string) (whole bool, err error) {
	for way := []string{id}; len(way) > 0; {
		at := way[len(way)-1]
		if child, ok := first(r.below(at)); ok {
			way = append(way, child)
			continue
		}
		if r.budget <= 0 {
			return false, nil
		}
		if whole, err := r.remove(at, &r.budget); !whole || err != nil {
			return false, err
		}
		way = way[:len(way)-1]
	}
	return true, nil
}

func first[T any](seq iter.Seq[T]) (v T, ok bool) {
	for v := range seq {
		return v, true
	}
	return v, false
}

// childless are records with nothing below them.
func childless(string) iter.Seq[string] { return func(func(string) bool) {} }
