package model

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Reader runs fn over a schedule that is visible to the caller: Access.Read, or Read of a
// Family that only some kinds of schedules have.
type Reader func(ctx context.Context, scheduleID string, m *problem.Absent,
	fn func(*records.View, *Schedule) error) error

// List lists records of a schedule that the caller may read. check, when given,
// says within the transaction whether what the list belongs to is there.
func List[T any](ctx context.Context, db *records.DB, read Reader, scheduleID string, m *problem.Absent,
	c *records.Collection[T], q records.Query[T], check func(*records.View,
		records.Scope) error,
) (page twinplatform.Page[T], err error) {
	if db.Remote() {
		ctx = listing(ctx, db, c, q)
	}
	err = read(ctx, scheduleID, m, func(v *records.View, sc *Schedule) error {
		if check != nil {
			if err := check(v, sc.Scope); err != nil {
				return m.Or(err)
			}
		}
		page, err = ListIn(v, sc.Type, sc.Scope, c, q)
		return err
	})
	return page, err
}

// ListIn lists records of a schedule of a type within a transaction.
func ListIn[T any, S ~string](v *records.View, scheduleType S, scope records.Scope, c *records.Collection[T],
	q records.Query[T],
) (twinplatform.Page[T], error) {
	p := PagingIn(scheduleType)
	q.MaxTop = p.MaxTop
	page, err := c.List(v, scope, q)
	return page, p.Listed(err, InvalidRequest)
}

// ListRows lists records of a baseline of a schedule that the caller may read. rows reads under what they are kept.
func ListRows[T any](ctx context.Context, read Reader, scheduleID string,
	rows func(*records.View, records.Scope) (string, error), of func(rows string) *records.Collection[T],
	q records.Query[T],
) (page twinplatform.Page[T], err error) {
	err = read(ctx, scheduleID, BaselineMissing, func(v *records.View, sc *Schedule) error {
		under, err := rows(v, sc.Scope)
		if err != nil {
			return err
		}
		q.Prefix = records.Join(under, "")
		page, err = ListIn(v, sc.Type, sc.Scope, of(under), q)
		return err
	})
	return page, err
}

// Get returns a record of a schedule that the caller may read, without its value where no
// one will look at that.
func Get[T any](ctx context.Context, db *records.DB, read Reader, scheduleID string, m *problem.Absent,
	c *records.Collection[T], id string,
) (rec twinplatform.Record[T], err error) {
	only := wire.TakeOnly(ctx)
	if db.Remote() {
		ctx = getting(ctx, db, c, id)
	}
	if only {
		stored, err := getStored(ctx, read, scheduleID, m, c.Table(), id)
		rec.ETag, rec.JSON = stored.ETag, stored.JSON
		return rec, err
	}
	got := new(twinplatform.Record[T])
	err = read(ctx, scheduleID, m, func(v *records.View, sc *Schedule) error {
		*got, err = c.Get(v, sc.Scope, id)
		return m.Or(err)
	})
	return *got, err
}

// getStored is Get without the value.
func getStored(ctx context.Context, read Reader, scheduleID string, m *problem.Absent, t *records.Table,
	id string,
) (rec records.Erased, err error) {
	err = read(ctx, scheduleID, m, func(v *records.View, sc *Schedule) error {
		rec, err = t.Stored(v, sc.Scope, id)
		return m.Or(err)
	})
	return rec, err
}

// listing is a context in which a list is read with the schedule that has it.
func listing[T any](ctx context.Context, db *records.DB, c *records.Collection[T], q records.Query[T]) context.Context {
	return db.WithNeeds(ctx, func(tx records.Reading,
		s records.Scope,
	) []records.Need {
		return c.NeedsOfList(tx, s, q)
	})
}

// getting is a context in which a record is read with the schedule that has it.
func getting[T any](ctx context.Context, db *records.DB, c *records.Collection[T], id string) context.Context {
	return db.WithNeeds(ctx, func(_ records.Reading, s records.Scope) []records.Need { return c.Needs(s, id) })
}
