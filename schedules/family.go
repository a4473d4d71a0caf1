package schedules

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// family is a type of record of a schedule with the calls that there are to it.
type family[T, N, P any] struct {
	*entity.Kind[T, N, P]

	s    *Service
	fits func(*Schedule) error // says which sorts of schedules have it; nil: all
	// accepts says that the answer to a create tells of its operation, which is kept.
	accepts keep

	one     kind[N, T]
	many    kind[[]N, T]
	patches kind[entity.Patched[P], T]
	removal kind[entity.Deletion, T]
}

// familyOf defines the changes to a type of record.
func familyOf[T, N, P any](s *Service, k *entity.Kind[T, N, P]) *family[T, N, P] {
	f := creationsOf(s, k)
	f.patches = change(s, k.One+".update", func(u *records.Update, e *edit[entity.Patched[P], T]) error {
		r := &e.Request
		rec, err := k.Modify(u, e.scope, r.ID, r.IfMatch, &r.Patch)
		e.wrote(rec)
		return err
	}, k.Many+".update")
	deletion, _ := k.Deletion()
	operations := []string{k.Many + ".delete"}
	if k.Batches {
		operations = []string{k.Many + ".deleteMany", k.Many + ".delete"}
	}
	f.removal = changeInSteps(s, deletion, func(u *records.Update, e *edit[entity.Deletion, T]) (progress, error) {
		e.Request.Condition = e.condition
		whole, err := k.RemoveAll(u, e.scope, &e.Request)
		return stepOf(&e.Request, whole, err)
	}, operations...)
	return f
}

// creationsOf is a type of record of which one or several are made.
func creationsOf[T, N, P any](s *Service, k *entity.Kind[T, N, P]) *family[T, N, P] {
	return &family[T, N, P]{
		Kind: k, s: s,
		one: change(s, k.One+".create", func(u *records.Update, e *edit[N, T]) error {
			rec, err := k.Insert(u, e.scope, k.New(&e.Request), new(problem.Checks))
			e.wrote(rec)
			return err
		}, k.Many+".create"),
		many: change(s, k.Many+".create", func(u *records.Update, e *edit[[]N, T]) (err error) {
			e.Records, err = k.InsertEach(u, e.scope, "batch", e.Request)
			return err
		}, k.Many+".createMany"),
	}
}

// only says which sorts of schedules have such records.
func (f *family[T, N, P]) only(fits func(*Schedule) error) *family[T, N, P] {
	f.fits = fits
	return f.changedIn(fits)
}

// accepted says that a create is answered with its operation, whether or not it is done.
func (f *family[T, N, P]) accepted() *family[T, N, P] {
	f.accepts = tracked
	return f
}

// changedIn says which sorts of schedules take changes of such records. All of them are
// read.
func (f *family[T, N, P]) changedIn(fits func(*Schedule) error) *family[T, N, P] {
	for _, rules := range []*changeRules{f.one.changeRules, f.many.changeRules, f.patches.changeRules, f.removal.changeRules} {
		if rules != nil {
			rules.fits = fits
		}
	}
	return f
}

// get returns a record.
func (f *family[T, N, P]) get(ctx context.Context, scheduleID, id string) (twinplatform.Record[T], error) {
	return get(f.s.db.About(ctx, f.One, id), f.read, scheduleID, f.Missing, f.Records, id)
}

// read runs fn over a schedule that has such records and that the caller may read.
func (f *family[T, N, P]) read(
	ctx context.Context, scheduleID string, m *problem.Absent, fn func(*records.View, *Schedule) error,
) error {
	if f.fits == nil {
		return f.s.read(ctx, scheduleID, m, fn)
	}
	return f.s.read(ctx, scheduleID, m, func(v *records.View, sc *Schedule) error {
		if err := f.fits(sc); err != nil {
			return err
		}
		return fn(v, sc)
	})
}

// list lists records.
func (f *family[T, N, P]) list(
	ctx context.Context, scheduleID string, q records.Query[T],
) (twinplatform.Page[T], error) {
	return f.listOf(ctx, scheduleID, scheduleMissing, nil, q)
}

// listOf lists the records of what holds them, which is missing when it is not
// there.
func (f *family[T, N, P]) listOf(
	ctx context.Context, scheduleID string, m *problem.Absent, holder func(*records.View, records.Scope) error,
	q records.Query[T],
) (twinplatform.Page[T], error) {
	if q.Op == "" {
		q.Op = f.Many
	}
	return list(f.s.db.About(ctx, q.Op, ""), f.read, scheduleID, m, f.Records, q, holder)
}

// create accepts the making of a record.
func (f *family[T, N, P]) create(ctx context.Context, scheduleID string, n N) (res twinplatform.Result[T], err error) {
	id, err := f.Requested(&n, f.s.env.NewID)
	if err != nil {
		return res, err
	}
	return f.one.start(ctx, scheduleID, f.accepts, []string{id}, n)
}

// createMany accepts the making of a batch of records, all or none.
func (f *family[T, N, P]) createMany(
	ctx context.Context, scheduleID string, batch []N,
) (res twinplatform.Result[T], err error) {
	if err := checkBatch("batch", len(batch)); err != nil {
		return res, err
	}
	batch = slices.Clone(batch)
	ids, err := f.RequestedEach("batch", batch, f.s.env.NewID)
	if err != nil {
		return res, err
	}
	return f.many.start(ctx, scheduleID, direct, ids, batch)
}

// update accepts the change of a record.
func (f *family[T, N, P]) update(
	ctx context.Context, scheduleID, id string, p P, pre []twinplatform.Precondition,
) (res twinplatform.Result[T], err error) {
	if err := f.Patching(id, &p); err != nil {
		return res, err
	}
	patch := entity.Patched[P]{ID: id, Patch: p, IfMatch: twinplatform.ConditionOf(pre...)}
	return f.patches.start(ctx, scheduleID, direct, []string{id}, patch)
}

// remove accepts the deletion of records, all that exist or none.
func (f *family[T, N, P]) remove(
	ctx context.Context, scheduleID string, ids []string, pre []twinplatform.Precondition,
) (res twinplatform.Result[T], err error) {
	_, param := f.Deletion()
	if err := checkBatch(param, len(ids)); err != nil {
		return res, err
	}
	return f.removal.start(ctx, scheduleID, tracked, ids, entity.Deletion{IDs: ids}, pre...)
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
