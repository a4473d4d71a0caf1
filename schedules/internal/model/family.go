package model

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Family is a type of record of a schedule with the calls that there are to it.
type Family[T, N, P any] struct {
	Kind *entity.Kind[T, N, P]
	// Changes to it. Those that it does not have are zero.
	One      Change[N, T]
	Many     Change[[]N, T]
	Patches  Change[entity.Patched[P], T]
	Deletion Change[entity.Deletion, T]

	area Area
	fits func(*Schedule) error // says which kinds of schedules have it; nil: all
	// accepts reports that the answer to a create names its operation, which is kept.
	accepts Keep
}

// FamilyOf defines the changes to a type of record.
func FamilyOf[T, N, P any](area Area, k *entity.Kind[T, N, P], others ...string) *Family[T, N, P] {
	f := CreationsOf(area, k, others...)
	f.Patches = DefineChange(area, k.One+".update", func(u *records.Update, e *Edit[entity.Patched[P], T]) error {
		r := &e.Request
		rec, err := k.Modify(u, e.Scope, r.ID, r.IfMatch, &r.Patch)
		e.Wrote(rec)
		return err
	}, k.Many+".update").Needs(func(s records.Scope, r *entity.Patched[P]) []records.Need {
		return k.NeedsOfPatch(s,
			r.ID, &r.Patch)
	})
	deletion, _ := k.Deletion()
	operations := []string{k.Many + ".delete"}
	if k.Batches {
		operations = []string{k.Many + ".deleteMany", k.Many + ".delete"}
	}
	f.Deletion = DefineInSteps(area, deletion,
		func(u *records.Update, e *Edit[entity.Deletion, T]) (jobs.Progress, error) {
			e.Request.Condition = e.Condition
			whole, err := k.RemoveAll(u, e.Scope, &e.Request)
			return StepOf(&e.Request, whole, err)
		}, operations...).Needs(func(s records.Scope, d *entity.Deletion) []records.Need {
		return k.NeedsOfRemoval(s,
			d.IDs)
	})
	return f
}

// CreationsOf is a type of record of which one or several are made, also by other operations that make several.
func CreationsOf[T, N, P any](area Area, k *entity.Kind[T, N, P], others ...string) *Family[T, N, P] {
	f := ReadingsOf(area, k)
	f.One = DefineChange(area, k.One+".create", func(u *records.Update, e *Edit[N, T]) error {
		rec, err := k.Insert(u, e.Scope, k.New(&e.Request), new(problem.Checks))
		e.Wrote(rec)
		return err
	}, k.Many+".create").Needs(k.NeedsOfRequest)
	f.Many = DefineChange(area, k.Many+".create", func(u *records.Update, e *Edit[[]N, T]) (err error) {
		e.Records, err = k.InsertEach(u, e.Scope, "batch", e.Request)
		return err
	}, append([]string{k.Many + ".createMany"}, others...)...).Needs(NeedsOfEach(k))
	return f
}

// ReadingsOf is a type of record that is read. The caller sets its changes, if it has any.
func ReadingsOf[T, N, P any](area Area, k *entity.Kind[T, N, P]) *Family[T, N, P] {
	return &Family[T, N, P]{Kind: k, area: area}
}

// Only reports which kinds of schedules have such records.
func (f *Family[T, N, P]) Only(fits func(*Schedule) error) *Family[T, N, P] {
	f.fits = fits
	return f.ChangedIn(fits)
}

// Accepted reports that a create is answered with its operation, whether or not it is
// done.
func (f *Family[T, N, P]) Accepted() *Family[T, N, P] {
	f.accepts = Tracked
	return f
}

// ChangedIn reports which kinds of schedules take changes of such records. All of them
// are read.
func (f *Family[T, N, P]) ChangedIn(fits func(*Schedule) error) *Family[T, N, P] {
	for _, rules := range []*Rules{f.One.Rules, f.Many.Rules, f.Patches.Rules, f.Deletion.Rules} {
		if rules != nil {
			rules.Fits = fits
		}
	}
	return f
}

// Seeded reports that a seed makes such records in schedules of all sorts.
func (f *Family[T, N, P]) Seeded() *Family[T, N, P] {
	f.One.Seeded = true
	if f.Many.Rules != nil {
		f.Many.Seeded = true
	}
	return f
}

// Get returns a record.
func (f *Family[T, N, P]) Get(ctx context.Context, scheduleID, id string) (twinplatform.Record[T], error) {
	return Get(ctx, f.area.DB, f.Read, scheduleID, f.Kind.Missing, f.Kind.Records, id)
}

// Read runs fn over a schedule that has such records and that the caller may read.
func (f *Family[T, N, P]) Read(
	ctx context.Context, scheduleID string, m *problem.Absent, fn func(*records.View, *Schedule) error,
) error {
	if f.fits == nil {
		return f.area.Read(ctx, scheduleID, m, fn)
	}
	return f.area.Read(ctx, scheduleID, m, func(v *records.View, sc *Schedule) error {
		if err := f.fits(sc); err != nil {
			return err
		}
		return fn(v, sc)
	})
}

// List lists records.
func (f *Family[T, N, P]) List(
	ctx context.Context, scheduleID string, q records.Query[T],
) (twinplatform.Page[T], error) {
	return f.ListOf(ctx, scheduleID, ScheduleMissing, nil, q)
}

// ListOf lists the records of what holds them, which is missing when it is not
// there.
func (f *Family[T, N, P]) ListOf(
	ctx context.Context, scheduleID string, m *problem.Absent, holder func(*records.View, records.Scope) error,
	q records.Query[T],
) (twinplatform.Page[T], error) {
	if q.Op == "" {
		q.Op = f.Kind.Many
	}
	return List(ctx, f.area.DB, f.Read, scheduleID, m, f.Kind.Records, q, holder)
}

// Create accepts the making of a record.
func (f *Family[T, N, P]) Create(ctx context.Context, scheduleID string, n N) (res twinplatform.Result[T], err error) {
	id, err := f.Kind.Requested(&n, f.area.Env.NewID)
	if err != nil {
		return res, err
	}
	return f.One.Start(ctx, scheduleID, f.accepts, []string{id}, n)
}

// CreateMany accepts the making of a batch of records, all or none.
func (f *Family[T, N, P]) CreateMany(
	ctx context.Context, scheduleID string, batch []N,
) (res twinplatform.Result[T], err error) {
	if err := CheckBatch("batch", len(batch)); err != nil {
		return res, err
	}
	batch = slices.Clone(batch)
	ids, err := f.Kind.RequestedEach("batch", batch, f.area.Env.NewID)
	if err != nil {
		return res, err
	}
	return f.Many.Start(ctx, scheduleID, Direct, ids, batch)
}

// Update accepts the change of a record.
func (f *Family[T, N, P]) Update(
	ctx context.Context, scheduleID, id string, p P, pre []twinplatform.Precondition,
) (res twinplatform.Result[T], err error) {
	if err := f.Kind.Patching(id, &p); err != nil {
		return res, err
	}
	patch := entity.Patched[P]{ID: id, Patch: p, IfMatch: twinplatform.ConditionOf(pre...)}
	return f.Patches.Start(ctx, scheduleID, Direct, []string{id}, patch)
}

// Remove accepts the deletion of records, all that exist or none.
func (f *Family[T, N, P]) Remove(
	ctx context.Context, scheduleID string, ids []string, pre []twinplatform.Precondition,
) (res twinplatform.Result[T], err error) {
	_, param := f.Kind.Deletion()
	if err := CheckBatch(param, len(ids)); err != nil {
		return res, err
	}
	return f.Deletion.Start(ctx, scheduleID, Tracked, ids, entity.Deletion{IDs: ids}, pre...)
}

// Names checks that the schedule has a record which another one names; an empty
// id names none.
func Names(tx records.Reading, s records.Scope, r *records.Table, c *problem.Checks, target, resource,
	id string,
) error {
	if id == "" {
		return nil
	}
	has, err := r.Has(tx, s, id)
	if err == nil && !has {
		c.Bad(target, "The schedule has no %s with the id '%s'.", resource, id)
	}
	return err
}
