package schedules

import (
	"context"
	"iter"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// rules are what holds for the records of one type wherever they are written.
type rules[T any] struct {
	records *records.Collection[T]
	noun    string
	missing *refuse.Absent

	// check says what stands against a record as it is to be written, among
	// the other records of the schedule. Nil means that nothing can.
	check func(tx records.Reading, s records.Scope, v *T, c *refuse.Checks) error
	// follow carries a changed record to wherever else it is shown. Nil means
	// nowhere.
	follow func(u *records.Update, s records.Scope, v *T) error
	// below yields the ids of a record's children. Nil means that there are
	// none.
	below func(tx records.Reading, s records.Scope, id string) iter.Seq[string]
	// clear deletes what belongs to a record that is to be deleted, and
	// reports false when the budget ended before that. Nil means nothing.
	clear func(u *records.Update, s records.Scope, id string, budget *int) (whole bool, err error)
}

// creation asks for a record.
type creation[T any] interface {
	// check checks what can be said without the schedule.
	check(c *refuse.Checks)
	// record is what is asked for.
	record() *T
}

// patch changes a record.
type patch[T any] interface {
	// check checks what can be said without the record.
	check(c *refuse.Checks)
	// of holds what the patch cannot change to the record with an id.
	of(c *refuse.Checks, id string)
	// apply changes the record, and says what of it stands against that.
	apply(v *T, c *refuse.Checks)
}

// patched is a patch on its way into the journal.
type patched[P any] struct {
	ID      string `json:"id"`
	Patch   P      `json:"patch"`
	IfMatch string `json:"ifMatch"`
}

// insert adds a record.
func (r *rules[T]) insert(u *records.Update, s records.Scope, v *T, c *refuse.Checks) (rec twinplatform.Record[T], err error) {
	if err := r.verify(u, s, v, c); err != nil {
		return rec, err
	}
	rec, err = r.records.Insert(u, s, v)
	return rec, written(err, r.missing, r.noun, r.records.ID(v))
}

func (r *rules[T]) verify(tx records.Reading, s records.Scope, v *T, c *refuse.Checks) error {
	if r.check != nil {
		if err := r.check(tx, s, v, c); err != nil {
			return err
		}
	}
	return c.Err(InvalidRequest)
}

// modify changes a record through apply.
func (r *rules[T]) modify(u *records.Update, s records.Scope, id, ifMatch string, apply func(*T, *refuse.Checks)) (rec twinplatform.Record[T], err error) {
	rec, err = r.records.Modify(u, s, id, ifMatch, func(v *T) error {
		var c refuse.Checks
		apply(v, &c)
		return r.verify(u, s, v, &c)
	})
	if err != nil {
		return rec, written(err, r.missing, r.noun, id)
	}
	if r.follow != nil {
		err = r.follow(u, s, &rec.Value)
	}
	return rec, err
}

// remove deletes a record without children and what belongs to it. It reports
// false when the budget ended before that.
func (r *rules[T]) remove(u *records.Update, s records.Scope, id string, budget *int) (whole bool, err error) {
	if r.clear != nil {
		if whole, err := r.clear(u, s, id, budget); !whole || err != nil {
			return false, err
		}
	}
	return drop(u, s, r.records, id, budget)
}

// drop deletes a record and takes it from the budget of records of a step. It
// reports false when the budget ended before that.
func drop[T any](u *records.Update, s records.Scope, c *records.Collection[T], id string, budget *int) (whole bool, err error) {
	if *budget <= 0 {
		return false, nil
	}
	rec, err := c.Get(u, s, id)
	if err != nil {
		return false, err
	}
	spend(budget, rec)
	return true, c.Delete(u, s, id)
}

// spend takes a record that is written from the budget of a step. A transaction
// takes no more than so many bytes, so that one with long texts counts for
// several.
func spend[T any](budget *int, rec twinplatform.Record[T]) {
	*budget -= 1 + len(rec.JSON)/textPerRecord
}

// removeAll does one step of a deletion. param is what errors call its ids.
func (r *rules[T]) removeAll(u *records.Update, s records.Scope, d *deletion, param string) (progress, error) {
	if d.Total == 0 {
		if err := r.have(u, s, d.IDs, param); err != nil {
			return progress{}, err
		}
	}
	rm := remover{budget: recordsPerStep, below: childless}
	if r.below != nil {
		rm.below = func(id string) iter.Seq[string] { return r.below(u, s, id) }
	}
	rm.remove = func(id string, budget *int) (whole bool, err error) {
		has, err := r.records.Has(u, s, id)
		if !has || err != nil {
			return true, err // it went with its parent
		}
		return r.remove(u, s, id, budget)
	}
	return rm.run(d)
}

// removeFound deletes the records with a value in an index, and reports false
// when the budget ended before that.
func (r *rules[T]) removeFound(u *records.Update, s records.Scope, index, equals string, budget *int) (whole bool, err error) {
	for id := range r.records.IDs(u, s, index, equals) {
		if whole, err := r.remove(u, s, id, budget); !whole || err != nil {
			return false, err
		}
	}
	return true, nil
}

// have checks that there are records with all the ids of a list.
func (r *rules[T]) have(tx records.Reading, s records.Scope, ids []string, param string) error {
	for _, id := range ids {
		has, err := r.records.Has(tx, s, id)
		if err != nil {
			return err
		}
		if !has {
			if r.missing.Target == "" {
				param = ""
			}
			return noneOf(r.missing.Code, param, r.noun, id).Err()
		}
	}
	return nil
}

// creates defines the making of one record.
func creates[N creation[T], T any](s *Service, name string, r *rules[T]) kind[N, T] {
	return change(s, name, func(u *records.Update, e *edit[N, T]) error {
		rec, err := r.insert(u, e.scope, e.Request.record(), &refuse.Checks{})
		e.wrote(rec)
		return err
	})
}

// updates defines the change of one record.
func updates[P patch[T], T any](s *Service, name string, r *rules[T]) kind[patched[P], T] {
	return change(s, name, func(u *records.Update, e *edit[patched[P], T]) error {
		rec, err := r.modify(u, e.scope, e.Request.ID, e.Request.IfMatch, e.Request.Patch.apply)
		e.wrote(rec)
		return err
	})
}

// removes defines the deletion of records, all that exist or none.
func removes[T any](s *Service, name, param string, r *rules[T]) kind[deletion, T] {
	return changeInSteps(s, name, func(u *records.Update, e *edit[deletion, T]) (progress, error) {
		return r.removeAll(u, e.scope, &e.Request, param)
	})
}

// create accepts the making of a record.
func create[N creation[T], T any](ctx context.Context, k kind[N, T], scheduleID, id string, n N) (twinplatform.Result[T], error) {
	var c refuse.Checks
	n.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[T]{}, err
	}
	return k.start(ctx, scheduleID, direct, []string{id}, n)
}

// update accepts the change of a record.
func update[P patch[T], T any](ctx context.Context, k kind[patched[P], T], scheduleID, id, ifMatch string, p P) (twinplatform.Result[T], error) {
	var c refuse.Checks
	p.check(&c)
	p.of(&c, id)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[T]{}, err
	}
	return k.start(ctx, scheduleID, direct, []string{id}, patched[P]{ID: id, Patch: p, IfMatch: ifMatch})
}

// remove accepts the deletion of records. param is what errors call their ids.
func remove[T any](ctx context.Context, k kind[deletion, T], scheduleID, param string, ids []string) (twinplatform.Result[T], error) {
	if err := checkBatch(param, len(ids)); err != nil {
		return twinplatform.Result[T]{}, err
	}
	return k.start(ctx, scheduleID, tracked, ids, deletion{IDs: ids})
}

// idOr is an id that the caller chose, or else a new one.
func (s *Service) idOr(id string) string {
	if id == "" {
		return s.env.NewID()
	}
	return id
}

// names checks that the schedule has a record which another one names; an empty
// id names none.
func names[T any](tx records.Reading, s records.Scope, r *records.Collection[T], c *refuse.Checks, target, noun, id string) error {
	if id == "" {
		return nil
	}
	has, err := r.Has(tx, s, id)
	if err == nil && !has {
		c.Bad(target, "The schedule has no %s with the id '%s'.", noun, id)
	}
	return err
}
