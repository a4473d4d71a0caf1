package twins

import (
	"context"
	"errors"
	"net/url"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// family is a type of record that belongs to a twin, with the calls that there are
// to it.
type family[T, N, P any] struct {
	*entity.Kind[T, N, P]
	s *Service
	// permission is what changes need at the twin.
	permission string
	// stamp sets what the platform sets in a new record.
	stamp func(ctx context.Context, v *T, twinID string)
	// transition judges the change of a record of a twin from stored into v, and emits
	// its events. stored is nil for a new record, and v for one that goes.
	transition func(u *records.Update, j *judge.Judge, t *Twin, stored, v *T) error
	// show returns what sets the members of a record of a twin that are not stored with
	// it; nil: all are.
	show func(tx records.Reading, twinID string) func(v *T) error
	// gone is called for each record that is deleted with its twin; may be nil.
	gone func(u *records.Update, v *T) error
	// grants says that what any principal may do follows from such records.
	grants bool
	// max is how many a twin has at most, where an index counts them; 0 leaves it to
	// transition.
	max int
}

// ofTwin is what is stored of such a record in addition to its wire form.
type ofTwin struct {
	TwinID *string `json:"twinId"`
}

// found is a record that was looked for, or nil when it is not there.
func found[T any](v *T, err error) (*T, error) {
	if errors.Is(err, records.ErrNotFound) {
		return nil, nil
	}
	return v, err
}

// recordID is the id of a record that belongs to a twin. Ids of principals and
// accounts come from elsewhere and may hold anything, a slash too.
func recordID(twinID, id string) string {
	return records.Join(url.PathEscape(twinID), url.PathEscape(id))
}

// get returns a record of a twin that the caller may see.
func (f *family[T, N, P]) get(ctx context.Context, twinID, id string) (rec twinplatform.Record[T], err error) {
	err = f.s.read(f.readingOne(ctx, twinID, id), twinID, func(v *records.View, _ twinplatform.Record[Twin]) error {
		if err := looksBehind(ctx); err != nil {
			return err
		}
		rec, err = f.shown(v, twinID)(f.Get(v, allAccounts, recordID(twinID, id)))
		return err
	})
	return rec, err
}

// looksBehind fails for the bearer of a share: who may do what in a twin, and where it has
// repositories, is not for everybody who reads the twin.
func looksBehind(ctx context.Context) error {
	if p, _ := twinplatform.PrincipalFrom(ctx); p.ReadOnly != nil {
		return problem.Refuses("A share is for reading what is in the twin.")
	}
	return nil
}

// shown completes the records of a twin by what is not stored with them.
func (f *family[T, N, P]) shown(tx records.Reading, twinID string) func(twinplatform.Record[T],
	error) (twinplatform.Record[T], error) {
	if f.show == nil {
		return func(rec twinplatform.Record[T], err error) (twinplatform.Record[T], error) { return rec, err }
	}
	show := f.show(tx, twinID)
	return func(rec twinplatform.Record[T], err error) (twinplatform.Record[T], error) {
		if err == nil {
			err = show(&rec.Value)
		}
		if err == nil {
			rec.JSON, err = wire.Marshal(&rec.Value)
		}
		return rec, err
	}
}

// list lists the records of a twin that the caller may see.
func (f *family[T, N, P]) list(ctx context.Context, twinID string, o twinplatform.ListOptions,
	skip int,
) (page twinplatform.Page[T], err error) {
	return f.among(ctx, twinID, skip, records.Query[T]{ListOptions: o})
}

// among is list of what a query lets through.
func (f *family[T, N, P]) among(ctx context.Context, twinID string, skip int,
	q records.Query[T],
) (page twinplatform.Page[T], err error) {
	var c problem.Checks
	w := windowOf(&c, q.ListOptions, skip)
	if err := c.Err(*f.Bad); err != nil {
		return page, err
	}
	q.ListOptions = twinplatform.ListOptions{Top: w.top, IfNoneMatch: q.IfNoneMatch}
	q.Skip, q.Prefix = w.skip, recordID(twinID, "")
	err = f.s.read(f.readingList(ctx, twinID, q), twinID, func(v *records.View, t twinplatform.Record[Twin]) error {
		if err := looksBehind(ctx); err != nil {
			return err
		}
		page, err = f.List(v, t.Value.scope(), problem.Paging{MaxTop: MaxTop}, q)
		if err != nil || f.show == nil {
			return err
		}
		show := f.shown(v, twinID)
		page, err = page.Map(func(rec twinplatform.Record[T]) (twinplatform.Record[T], error) { return show(rec, nil) })
		return err
	})
	if page.Delta = ""; page.Next != "" {
		page.Next = w.next()
	}
	return page, err
}

// create makes a record of a twin.
func (f *family[T, N, P]) create(ctx context.Context, twinID string, n N) (res twinplatform.Result[T], err error) {
	v, err := f.requested(ctx, twinID, n)
	if err != nil {
		return res, err
	}
	return f.createMade(ctx, twinID, v)
}

// createMade makes a record of a twin as it is requested.
func (f *family[T, N, P]) createMade(ctx context.Context, twinID string, v *T) (res twinplatform.Result[T], err error) {
	return f.change(f.readingNew(ctx, twinID, v), twinID,
		func(u *records.Update, j *judge.Judge, t *Twin) (twinplatform.Record[T], error) {
			return f.shown(u, twinID)(f.insert(u, j, t, v))
		})
}

// change writes one record at a twin at which the caller may change such records.
func (f *family[T, N, P]) change(ctx context.Context, twinID string,
	fn func(*records.Update, *judge.Judge, *Twin) (twinplatform.Record[T], error),
) (twinplatform.Result[T], error) {
	return changeOne(ctx, f.s, func(u *records.Update, j *judge.Judge) (rec twinplatform.Record[T], err error) {
		t, err := permitted(u, j, twinID, f.permission)
		if err != nil {
			return rec, err
		}
		return fn(u, j, t)
	})
}

// requested is the record that a request asks for.
func (f *family[T, N, P]) requested(ctx context.Context, twinID string, n N) (*T, error) {
	v, err := f.Make(n)
	if err == nil {
		f.stamp(ctx, &v, twinID)
	}
	return &v, err
}

// insert writes a new record.
func (f *family[T, N, P]) insert(u *records.Update, j *judge.Judge, t *Twin, v *T) (rec twinplatform.Record[T],
	err error,
) {
	if err := f.transition(u, j, t, nil, v); err != nil {
		return rec, err
	}
	return f.put(u, t, v)
}

// put writes a new record that only their number may prevent.
func (f *family[T, N, P]) put(u *records.Update, t *Twin, v *T) (rec twinplatform.Record[T], err error) {
	if rec, err = f.Insert(u, t.scope(), v, &problem.Checks{}); err != nil || f.max == 0 {
		return rec, err
	}
	n := 0
	for range f.Records.IDs(u, allAccounts, indexTwin, t.ID) {
		if n++; n > f.max {
			return rec, limitExceeded(f.Many, f.max)
		}
	}
	return rec, nil
}

// update changes a record of a twin.
func (f *family[T, N, P]) update(ctx context.Context, twinID, id string, p P,
	pre []twinplatform.Precondition,
) (twinplatform.Result[T], error) {
	return changeOne(f.readingOne(ctx, twinID, id), f.s,
		func(u *records.Update, j *judge.Judge) (twinplatform.Record[T], error) {
			rec, _, err := f.changed(u, j, twinID, id, p, pre)
			return rec, err
		})
}

// changed is update within a transaction. It says where the record is kept, too.
func (f *family[T, N, P]) changed(u *records.Update, j *judge.Judge, twinID, id string, p P,
	pre []twinplatform.Precondition,
) (rec twinplatform.Record[T], in records.Scope, err error) {
	t, err := permitted(u, j, twinID, f.permission)
	if err != nil {
		return rec, "", err
	}
	if err := f.about(j, t); err != nil {
		return rec, "", err
	}
	rec, err = f.shown(u, twinID)(f.Update(u, t.scope(), recordID(twinID, id), twinplatform.ConditionOf(pre...), p,
		func(v, stored *T) error {
			return f.transition(u, j, t, stored, v)
		}))
	return rec, t.scope(), err
}

// about tells the other domains that a record which is there is about to change or to go.
func (f *family[T, N, P]) about(j *judge.Judge, t *Twin) error {
	if !f.grants {
		return nil
	}
	return f.s.permissionsChange(j, t.ofAccount(), "")
}

// remove takes a record from a twin.
func (f *family[T, N, P]) remove(ctx context.Context, twinID, id string, pre []twinplatform.Precondition) error {
	_, err := f.change(f.readingOne(ctx, twinID, id), twinID,
		func(u *records.Update, j *judge.Judge, t *Twin) (rec twinplatform.Record[T], err error) {
			if err := f.about(j, t); err != nil {
				return rec, err
			}
			return rec, f.Erase(u, t.scope(), recordID(twinID, id), twinplatform.ConditionOf(pre...),
				func(stored *T) error { return f.transition(u, j, t, stored, nil) })
		})
	return err
}

// eraseAll removes the records of a twin that goes.
func (f *family[T, N, P]) eraseAll(u *records.Update, t *Twin) error {
	for v, err := range f.Records.All(u, allAccounts, recordID(t.ID, "")) {
		if err != nil {
			return err
		}
		if err := f.Records.Erase(u, t.scope(), f.Records.ID(v)); err != nil {
			return err
		}
		if f.gone == nil {
			continue
		}
		if err := f.gone(u, v); err != nil {
			return err
		}
	}
	return nil
}

// The lists of the area are paged by number: Skip says where a page begins, and
// Page.Next is the Skip of the page behind it, as text. ListOptions.Continuation
// takes it, so that twinplatform.All goes through these lists too.

// window is the part of a list that is asked for.
type window struct{ skip, top int }

// windowOf checks which part of a list is asked for.
func windowOf(c *problem.Checks, o twinplatform.ListOptions, skip int) window {
	w := window{skip: skip, top: DefaultTop}
	if o.Top != 0 {
		w.top = o.Top
	}
	if w.top < 1 || w.top > MaxTop {
		c.Bad(twinplatform.TargetTop, "The page size is a number from 1 to %d.", MaxTop)
	}
	if o.Continuation != "" {
		n, err := strconv.Atoi(o.Continuation)
		if w.skip = n; err != nil {
			c.Bad(twinplatform.TargetContinuation, "The continuation is not one of this list.")
		}
	}
	c.Skip(w.skip, "records to skip")
	return w
}

// next is the token of the page behind the window.
func (w window) next() string { return strconv.Itoa(w.skip + w.top) }
