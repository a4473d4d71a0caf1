package schedules

import (
	"context"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// family is a type of record of a schedule with the calls that there are to it.
type family[T, N, P any] struct{ *familyCore }

// familyCore is a family with its types erased.
type familyCore struct {
	*entity.Core

	s    *Service
	fits func(*Schedule) error // says which sorts of schedules have it; nil: all

	one, many, change, delete *changeKind
}

// patched is a patch on its way into the journal.
type patched struct {
	ID      string                 `json:"id"`
	Patch   any                    `json:"patch"` // points at it
	IfMatch twinplatform.Condition `json:"ifMatch"`
}

// none is the request or the patch of what is not made or changed by one.
type none struct{}

// familyOf defines the changes to a type of record.
func familyOf[T, N, P any](s *Service, k *entity.Kind[T, N, P]) family[T, N, P] {
	f := &familyCore{Core: k.Core(), s: s}
	f.define()
	f.many = s.defineChange(k.Many+".create", func() any { return new([]N) }, f.insertMany)
	return family[T, N, P]{f}
}

func (f *familyCore) define() {
	f.one = f.s.defineChange(f.One+".create", f.NewRequest, func(u *records.Update, scope records.Scope, request any, _ twinplatform.Condition) (next, written any, p progress, err error) {
		v := f.Records.New()
		f.New(request, v)
		written, err = wrote(f.Insert(u, scope, v, &problem.Checks{}))
		return request, written, done, err
	})
	f.change = f.s.defineChange(f.One+".update", func() any { return &patched{Patch: f.NewPatch()} }, func(u *records.Update, scope records.Scope, request any, _ twinplatform.Condition) (next, written any, p progress, err error) {
		r := request.(*patched)
		written, err = wrote(f.Modify(u, scope, r.ID, r.IfMatch, r.Patch))
		return request, written, done, err
	})
	deletion, _ := f.Deletion()
	f.delete = f.s.defineChange(deletion, func() any { return new(entity.Deletion) }, func(u *records.Update, scope records.Scope, request any, cond twinplatform.Condition) (next, written any, p progress, err error) {
		d := *request.(*entity.Deletion)
		d.Condition = cond
		whole, err := f.RemoveAll(u, scope, &d)
		p, err = stepOf(&d, whole, err)
		return &d, nil, p, err
	})
}

// wrote is what a change of one record tells that it wrote.
func wrote(rec records.Erased, err error) ([]records.Erased, error) {
	return []records.Erased{rec}, err
}

// only says which sorts of schedules have such records.
func (f family[T, N, P]) only(fits func(*Schedule) error) family[T, N, P] {
	f.fits = fits
	return f.changedIn(fits)
}

// changedIn says which sorts of schedules take changes of such records. All of them are
// read.
func (f family[T, N, P]) changedIn(fits func(*Schedule) error) family[T, N, P] {
	f.one.fits, f.many.fits, f.change.fits, f.delete.fits = fits, fits, fits, fits
	return f
}

// get returns a record.
func (f family[T, N, P]) get(ctx context.Context, scheduleID, id string) (rec twinplatform.Record[T], err error) {
	v := f.Records.Scratch()
	r, err := getInto(f.s.db.About(ctx, f.One, id), f.read, scheduleID, f.Missing, f.Records, id, v)
	rec = records.Typed[T](&r, err)
	f.Records.Release(v)
	return rec, err
}

// read runs fn over a schedule that has such records and that the caller may read.
func (f *familyCore) read(ctx context.Context, scheduleID string, m *problem.Absent, fn func(*records.View, *Schedule) error) error {
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
func (f family[T, N, P]) list(ctx context.Context, scheduleID string, q records.Query[T]) (twinplatform.Page[T], error) {
	page, err := f.page(ctx, scheduleID, scheduleMissing, nil, q.Erase())
	return twinplatform.Page[T](page), err
}

// listOf lists the records of what holds them, which is missing when it is not
// there.
func (f family[T, N, P]) listOf(ctx context.Context, scheduleID string, m *problem.Absent, holder func(*records.View, records.Scope) error, q records.Query[T]) (twinplatform.Page[T], error) {
	page, err := f.page(ctx, scheduleID, m, holder, q.Erase())
	return twinplatform.Page[T](page), err
}

func (f *familyCore) page(ctx context.Context, scheduleID string, m *problem.Absent, holder func(*records.View, records.Scope) error, q records.Erasure) (twinplatform.Page[any], error) {
	if q.Op == "" {
		q.Op = f.Many
	}
	return pageOf(f.s.db.About(ctx, q.Op, ""), f.read, scheduleID, m, f.Records, q, holder)
}

// create accepts the making of a record.
func (f family[T, N, P]) create(ctx context.Context, scheduleID string, n N) (res twinplatform.Result[T], err error) {
	out, err := f.make(ctx, scheduleID, &n)
	return jobs.Typed[T](&out), err
}

func (f *familyCore) make(ctx context.Context, scheduleID string, n any) (jobs.Outcome, error) {
	var c problem.Checks
	f.CheckNew(n, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return jobs.Outcome{}, err
	}
	id := f.Identify(n, f.s.env.NewID)
	return f.one.start(ctx, scheduleID, direct, []string{id}, n)
}

// createMany accepts the making of a batch of records, all or none.
func (f family[T, N, P]) createMany(ctx context.Context, scheduleID string, batch []N) (res twinplatform.Result[T], err error) {
	batch = slices.Clone(batch)
	out, err := f.makeMany(ctx, scheduleID, &batch)
	return jobs.Typed[T](&out), err
}

func (f *familyCore) makeMany(ctx context.Context, scheduleID string, batch any) (jobs.Outcome, error) {
	requests := each(batch)
	if err := checkBatch("batch", len(requests)); err != nil {
		return jobs.Outcome{}, err
	}
	var c problem.Checks
	ids := make([]string, len(requests))
	for i, n := range requests {
		c.At("batch", i)
		f.CheckNew(n, &c)
		ids[i] = f.Identify(n, f.s.env.NewID)
	}
	if err := c.Err(InvalidRequest); err != nil {
		return jobs.Outcome{}, err
	}
	return f.many.start(ctx, scheduleID, direct, ids, batch)
}

// each points at the elements of a slice, which is pointed at.
func each(of any) []any {
	all := reflect.ValueOf(of).Elem()
	out := make([]any, all.Len())
	for i := range out {
		out[i] = all.Index(i).Addr().Interface()
	}
	return out
}

// insertMany makes a batch of records, parents before children.
func (f *familyCore) insertMany(u *records.Update, scope records.Scope, batch any, _ twinplatform.Condition) (next, written any, p progress, err error) {
	requests := each(batch)
	if err := records.Long(u, len(requests)); err != nil {
		return nil, nil, p, err
	}
	made := f.Records.NewMany(len(requests))
	for i, n := range requests {
		f.New(n, made[i])
	}
	order, err := batchOrder(f.Core, "batch", len(made), func(i int) any { return made[i] })
	if err != nil {
		return nil, nil, p, err
	}
	recs := make([]records.Erased, len(made))
	for _, i := range order {
		var c problem.Checks
		c.At("batch", i)
		if recs[i], err = f.Insert(u, scope, made[i], &c); err != nil {
			return nil, nil, p, err
		}
	}
	return batch, recs, done, nil
}

// update accepts the change of a record.
func (f family[T, N, P]) update(ctx context.Context, scheduleID, id string, p P, pre []twinplatform.Precondition) (res twinplatform.Result[T], err error) {
	out, err := f.patch(ctx, scheduleID, id, &p, pre)
	return jobs.Typed[T](&out), err
}

func (f *familyCore) patch(ctx context.Context, scheduleID, id string, p any, pre []twinplatform.Precondition) (jobs.Outcome, error) {
	var c problem.Checks
	f.CheckPatch(id, p, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return jobs.Outcome{}, err
	}
	return f.change.start(ctx, scheduleID, direct, []string{id}, &patched{ID: id, Patch: p, IfMatch: twinplatform.ConditionOf(pre...)})
}

// remove accepts the deletion of records, all that exist or none.
func (f family[T, N, P]) remove(ctx context.Context, scheduleID string, ids []string, pre []twinplatform.Precondition) (res twinplatform.Result[T], err error) {
	out, err := f.removeAll(ctx, scheduleID, ids, pre)
	return jobs.Typed[T](&out), err
}

func (f *familyCore) removeAll(ctx context.Context, scheduleID string, ids []string, pre []twinplatform.Precondition) (jobs.Outcome, error) {
	_, param := f.Deletion()
	if err := checkBatch(param, len(ids)); err != nil {
		return jobs.Outcome{}, err
	}
	return f.delete.start(ctx, scheduleID, tracked, ids, &entity.Deletion{IDs: ids}, pre...)
}

// names checks that the schedule has a record which another one names; an empty
// id names none.
func names(tx records.Reading, s records.Scope, r *records.Table, c *problem.Checks, target, noun, id string) error {
	if id == "" {
		return nil
	}
	has, err := r.Has(tx, s, id)
	if err == nil && !has {
		c.Bad(target, "The schedule has no %s with the id '%s'.", noun, id)
	}
	return err
}
