package schedules

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// family is a type of record of a schedule with the calls that there are to it.
type family[T, N, P any] struct {
	*entity.Kind[T, N, P]

	s    *Service
	fits func(*Schedule) error // says which sorts of schedules have it; nil: all

	one    kind[N, T]
	many   kind[[]N, T]
	change kind[patched[P], T]
	delete kind[entity.Deletion, T]
}

// patched is a patch on its way into the journal.
type patched[P any] struct {
	ID      string `json:"id"`
	Patch   P      `json:"patch"`
	IfMatch string `json:"ifMatch"`
}

// none is the request or the patch of what is not made or changed by one.
type none struct{}

// familyOf defines the changes to a type of record.
func familyOf[T, N, P any](s *Service, k *entity.Kind[T, N, P]) *family[T, N, P] {
	f := &family[T, N, P]{Kind: k, s: s}
	f.one = change(s, k.One+".create", func(u *records.Update, e *edit[N, T]) error {
		v := k.New(e.Request)
		rec, err := k.Insert(u, e.scope, &v, &problem.Checks{})
		e.wrote(rec)
		return err
	})
	f.many = change(s, k.Many+".create", f.insertMany)
	f.change = change(s, k.One+".update", func(u *records.Update, e *edit[patched[P], T]) error {
		rec, err := k.Modify(u, e.scope, e.Request.ID, e.Request.IfMatch, e.Request.Patch)
		e.wrote(rec)
		return err
	})
	deletion, _ := k.Deletion()
	f.delete = changeInSteps(s, deletion, func(u *records.Update, e *edit[entity.Deletion, T]) (jobs.Progress, error) {
		whole, err := k.RemoveAll(u, e.scope, &e.Request)
		return stepOf(&e.Request, whole, err)
	})
	return f
}

// only says which sorts of schedules have such records.
func (f *family[T, N, P]) only(fits func(*Schedule) error) *family[T, N, P] {
	f.fits = fits
	return f.changedIn(fits)
}

// changedIn says which sorts of schedules take changes of such records. All of them are
// read.
func (f *family[T, N, P]) changedIn(fits func(*Schedule) error) *family[T, N, P] {
	f.one.c.fits, f.many.c.fits, f.change.c.fits, f.delete.c.fits = fits, fits, fits, fits
	return f
}

// get returns a record.
func (f *family[T, N, P]) get(ctx context.Context, scheduleID, id string) (twinplatform.Record[T], error) {
	return get(ctx, f.read, scheduleID, f.Missing, f.Records, id)
}

// read runs fn over a schedule that has such records and that the caller may read.
func (f *family[T, N, P]) read(ctx context.Context, scheduleID string, m *problem.Absent, fn func(*records.View, *Schedule) error) error {
	return f.s.read(ctx, scheduleID, m, func(v *records.View, sc *Schedule) error {
		if f.fits != nil {
			if err := f.fits(sc); err != nil {
				return err
			}
		}
		return fn(v, sc)
	})
}

// list lists records.
func (f *family[T, N, P]) list(ctx context.Context, scheduleID string, q records.Query[T]) (twinplatform.Page[T], error) {
	if q.Op == "" {
		q.Op = f.Many
	}
	return f.listOf(ctx, scheduleID, scheduleMissing, nil, q)
}

// listOf lists the records of what holds them, which is missing when it is not
// there.
func (f *family[T, N, P]) listOf(ctx context.Context, scheduleID string, m *problem.Absent, holder func(*records.View, records.Scope) error, q records.Query[T]) (twinplatform.Page[T], error) {
	return list(ctx, f.read, scheduleID, m, f.Records, q, holder)
}

// create accepts the making of a record.
func (f *family[T, N, P]) create(ctx context.Context, scheduleID string, n N) (twinplatform.Result[T], error) {
	var c problem.Checks
	f.CheckNew(n, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[T]{}, err
	}
	id := f.Identify(&n, f.s.env.NewID)
	return f.one.start(ctx, scheduleID, direct, []string{id}, n)
}

// createMany accepts the making of a batch of records, all or none.
func (f *family[T, N, P]) createMany(ctx context.Context, scheduleID string, batch []N) (twinplatform.Result[T], error) {
	if err := checkBatch("batch", len(batch)); err != nil {
		return twinplatform.Result[T]{}, err
	}
	var c problem.Checks
	ids, request := make([]string, len(batch)), slices.Clone(batch)
	for i := range request {
		c.At("batch", i)
		f.CheckNew(request[i], &c)
		ids[i] = f.Identify(&request[i], f.s.env.NewID)
	}
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[T]{}, err
	}
	return f.many.start(ctx, scheduleID, direct, ids, request)
}

// insertMany makes a batch of records, parents before children.
func (f *family[T, N, P]) insertMany(u *records.Update, e *edit[[]N, T]) error {
	if err := records.Long(u, len(e.Request)); err != nil {
		return err
	}
	made := make([]T, len(e.Request))
	for i, n := range e.Request {
		made[i] = f.New(n)
	}
	order, err := batchOrder(f.Kind, "batch", made)
	if err != nil {
		return err
	}
	e.Records = make([]twinplatform.Record[T], len(made))
	for _, i := range order {
		var c problem.Checks
		c.At("batch", i)
		if e.Records[i], err = f.Insert(u, e.scope, &made[i], &c); err != nil {
			return err
		}
	}
	return nil
}

// update accepts the change of a record.
func (f *family[T, N, P]) update(ctx context.Context, scheduleID, id string, p P, pre []twinplatform.Precondition) (twinplatform.Result[T], error) {
	var c problem.Checks
	f.CheckPatch(id, p, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return twinplatform.Result[T]{}, err
	}
	return f.change.start(ctx, scheduleID, direct, []string{id}, patched[P]{ID: id, Patch: p, IfMatch: twinplatform.IfMatchHeader(pre...)})
}

// remove accepts the deletion of records, all that exist or none.
func (f *family[T, N, P]) remove(ctx context.Context, scheduleID string, ids ...string) (twinplatform.Result[T], error) {
	_, param := f.Deletion()
	if err := checkBatch(param, len(ids)); err != nil {
		return twinplatform.Result[T]{}, err
	}
	return f.delete.start(ctx, scheduleID, tracked, ids, entity.Deletion{IDs: ids})
}

// names checks that the schedule has a record which another one names; an empty
// id names none.
func names[T any](tx records.Reading, s records.Scope, r *records.Collection[T], c *problem.Checks, target, noun, id string) error {
	if id == "" {
		return nil
	}
	has, err := r.Has(tx, s, id)
	if err == nil && !has {
		c.Bad(target, "The schedule has no %s with the id '%s'.", noun, id)
	}
	return err
}
