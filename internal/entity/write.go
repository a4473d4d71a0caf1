package entity

import (
	"errors"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// CheckNew reports what is wrong with a request, as far as it shows without the other
// records.
func (k *Kind[T, N, P]) CheckNew(n *N, c *problem.Checks) {
	b := k.bind()
	b.request = *n
	for _, m := range b.members {
		m.checkRequest(c)
	}
	if k.AfterCreate != nil {
		b.make()
		k.AfterCreate(&b.record, &b.request, c)
	}
	k.releaseRequest(b)
}

// New is the record that a request asks for.
func (k *Kind[T, N, P]) New(n *N) *T {
	v := new(T)
	k.Fill(v, n)
	return v
}

// Fill makes of v the record that a request asks for.
func (k *Kind[T, N, P]) Fill(v *T, n *N) {
	b := k.bind()
	b.request = *n
	b.make()
	if k.AfterCreate != nil {
		k.AfterCreate(&b.record, &b.request, new(problem.Checks))
	}
	*v = b.record
	k.releaseRequest(b)
}

// Blank is a record with an id of which nothing is known: each member is its default. The caller
// sets what has none, which no request would make up.
func (k *Kind[T, N, P]) Blank(id string) *T {
	b := k.bind()
	b.make()
	for _, m := range b.members {
		if m, ok := m.(idMember); ok {
			*m.record = id
		}
	}
	v := new(T)
	*v = b.record
	k.releaseRequest(b)
	return v
}

func (b *bound[T, N, P]) make() {
	for _, m := range b.members {
		m.make()
	}
}

// Make is the record that a request asks for, or the error of a request that cannot be
// taken.
func (k *Kind[T, N, P]) Make(n N) (v T, err error) {
	var c problem.Checks
	k.CheckNew(&n, &c)
	if err := c.Err(*k.Bad); err != nil {
		return v, err
	}
	k.Fill(&v, &n)
	return v, nil
}

// CheckPatch reports what is wrong with a patch of the record with an id, as far as it
// shows without the record.
func (k *Kind[T, N, P]) CheckPatch(id string, p *P, c *problem.Checks) {
	b := k.bind()
	b.patch = *p
	b.checkPatch(id, c)
	k.releasePatch(b)
}

// checkChange is CheckPatch over the record as it is.
func (k *Kind[T, N, P]) checkChange(id string, stored *T, p *P, c *problem.Checks) {
	b := k.bind()
	b.record, b.patch = *stored, *p
	b.checkPatch(id, c)
	k.releasePatch(b)
}

func (b *bound[T, N, P]) checkPatch(id string, c *problem.Checks) {
	for _, m := range b.members {
		m.checkPatch(id, c)
	}
}

// Apply changes a record by a patch, and reports what of the record rules the patch
// out.
func (k *Kind[T, N, P]) Apply(p *P, v *T, c *problem.Checks) {
	b := k.bind()
	b.record, b.patch = *v, *p
	for _, m := range b.members {
		m.apply()
	}
	if k.AfterUpdate != nil {
		k.AfterUpdate(&b.record, v, &b.patch, c)
	}
	*v = b.record
	k.releasePatch(b)
}

// Change changes the record with an id by a patch, or fails with the error of a request
// that cannot be taken.
func (k *Kind[T, N, P]) Change(id string, p P, v *T) error {
	var c problem.Checks
	k.checkChange(id, v, &p, &c)
	k.Apply(&p, v, &c)
	return c.Err(*k.Bad)
}

// Identify gives a request without an id a new one, and returns its id.
func (k *Kind[T, N, P]) Identify(n *N, newID func() string) (id string) {
	b := k.bind()
	b.request = *n
	for _, m := range b.members {
		if m, ok := m.(idMember); ok {
			if *m.request == "" {
				*m.request = newID()
			}
			id = *m.request
		}
	}
	*n = b.request
	k.releaseRequest(b)
	return id
}

// Insert adds a record. What the caller has found wrong with it already is in c.
func (k *Kind[T, N, P]) Insert(u *records.Update, s records.Scope, v *T, c *problem.Checks) (rec twinplatform.Record[T],
	err error,
) {
	k.declareNew(u, s, v)
	if err := k.validate(u, s, v, nil, c); err != nil {
		return rec, err
	}
	rec, err = k.Records.Insert(u, s, v)
	return rec, k.inserted(u, s, v, err)
}

// Add is Insert of a record that was checked before.
func (k *Kind[T, N, P]) Add(u *records.Update, s records.Scope, v *T) (rec twinplatform.Record[T], err error) {
	rec, err = k.Records.Insert(u, s, v)
	return rec, k.inserted(u, s, v, err)
}

// inserted does what follows from adding a record.
func (k *Kind[T, N, P]) inserted(u *records.Update, s records.Scope, v *T, err error) error {
	if err == nil && k.AfterInsert != nil {
		err = k.AfterInsert(u, s, v)
	}
	if k.Taken != nil && errors.Is(err, records.ErrExists) {
		return k.Taken(v)
	}
	return k.written(err, k.Records.ID(v))
}

// Modify changes a record by a patch that CheckPatch has passed.
func (k *Kind[T, N, P]) Modify(
	u *records.Update, s records.Scope, id string, cond twinplatform.Condition, p *P,
) (rec twinplatform.Record[T], err error) {
	c := k.changing(u, s, id, p, new(problem.Checks))
	rec, err = k.Records.Modify(u, s, id, cond, c.apply)
	return rec, k.written(c.follow(rec, err), id)
}

// ModifyEach is Modify of one of several records: c identifies the record, and a missing
// one is named by its id.
func (k *Kind[T, N, P]) ModifyEach(
	u *records.Update, s records.Scope, id string, p *P, checks *problem.Checks,
) (rec twinplatform.Record[T], err error) {
	c := k.changing(u, s, id, p, checks)
	rec, err = k.Records.Modify(u, s, id, "", c.apply)
	return rec, k.Missing.Named(k.Resource, id).Or(c.follow(rec, err))
}

// Update changes a record by a patch that was not checked before: the checks of members
// see the record as it is. may reports whether the caller turns it from stored into v,
// once nothing else is wrong with that.
func (k *Kind[T, N, P]) Update(
	u *records.Update, s records.Scope, id string, cond twinplatform.Condition, p P, may func(v, stored *T) error,
) (rec twinplatform.Record[T], err error) {
	c := k.changing(u, s, id, &p, new(problem.Checks))
	c.may = may
	rec, err = k.Records.Modify(u, s, id, cond, c.apply)
	return rec, k.written(c.follow(rec, err), id)
}

// changing is the change of a record by a patch, in a transaction. Records calls apply, and
// once the record is written its caller calls follow.
func (k *Kind[T, N, P]) changing(
	u *records.Update, s records.Scope, id string, p *P, c *problem.Checks,
) *changing[T, N, P] {
	if records.Remote(u) {
		records.Declare(u, k.NeedsOfPatch(s, id, p)...)
	}
	return &changing[T, N, P]{k: k, u: u, s: s, id: id, patch: p, checks: c, stored: new(T)}
}

type changing[T, N, P any] struct {
	k      *Kind[T, N, P]
	u      *records.Update
	s      records.Scope
	id     string
	patch  *P
	checks *problem.Checks
	may    func(v, stored *T) error // nil for a patch that was checked before
	stored *T                       // as it was
}

// apply changes the record.
func (c *changing[T, N, P]) apply(v *T) error {
	k := c.k
	*c.stored = *v
	if c.may != nil {
		k.checkChange(c.id, c.stored, c.patch, c.checks)
	}
	k.Apply(c.patch, v, c.checks)
	if k.Sealed != nil && !reflect.DeepEqual(v, c.stored) {
		if err := k.Sealed(c.stored); err != nil {
			return err
		}
	}
	if err := k.validate(c.u, c.s, v, c.stored, c.checks); err != nil || c.may == nil {
		return err
	}
	return c.may(v, c.stored)
}

// follow does what follows from the change once it is written.
func (c *changing[T, N, P]) follow(rec twinplatform.Record[T], err error) error {
	if err != nil || c.k.AfterWrite == nil {
		return err
	}
	written := rec.Value // on the heap for kinds alone that look at it
	return c.k.AfterWrite(c.u, c.s, &written, c.stored)
}

// Erase removes a record without a trace. may reports whether the caller does so; nil: it
// does.
func (k *Kind[T, N, P]) Erase(
	u *records.Update, s records.Scope, id string, cond twinplatform.Condition, may func(stored *T) error,
) error {
	if err := k.removableBy(u, s, id, cond, may); err != nil {
		return err
	}
	return k.Records.Erase(u, s, id)
}

// Delete is Erase of a record that leaves a tombstone, which deltas list.
func (k *Kind[T, N, P]) Delete(
	u *records.Update, s records.Scope, id string, cond twinplatform.Condition, may func(stored *T) error,
) error {
	if err := k.removableBy(u, s, id, cond, may); err != nil {
		return err
	}
	return k.Records.Delete(u, s, id)
}

// removableBy checks that a record is there, that a condition holds of it, and that nothing
// keeps the caller from removing it.
func (k *Kind[T, N, P]) removableBy(
	tx records.Reading, s records.Scope, id string, cond twinplatform.Condition, may func(stored *T) error,
) error {
	v, err := k.Records.Value(tx, s, id)
	if err == nil {
		err = k.Records.Check(tx, s, id, cond)
	}
	if err != nil {
		return k.Missing.Or(err)
	}
	if k.Sealed != nil {
		if err := k.Sealed(v); err != nil {
			return err
		}
	}
	if may == nil {
		return nil
	}
	return may(v)
}

func (k *Kind[T, N, P]) validate(tx records.Reading, s records.Scope, v, stored *T, c *problem.Checks) error {
	if err := k.CheckRefs(tx, s, v, stored, c); err != nil {
		return err
	}
	if k.Validate != nil {
		if err := k.Validate(tx, s, v, stored, c); err != nil {
			return err
		}
	}
	return c.Err(*k.Bad)
}

// CheckRefs reports what a record refers to and is not there, of what is new in it. stored is the
// record as it was, and nil for a new one.
func (k *Kind[T, N, P]) CheckRefs(tx records.Reading, s records.Scope, v, stored *T, c *problem.Checks) error {
	t := k.ties()
	switch {
	case len(t.out) == 0:
		return nil
	case stored == nil:
		return t.check(tx, s, v, nil, c)
	}
	return t.check(tx, s, v, stored, c)
}

// written gives what comes of writing a record its documented error.
func (k *Kind[T, N, P]) written(err error, id string) error {
	if errors.Is(err, records.ErrExists) {
		return problem.Taken(k.Resource, id)
	}
	return k.Missing.Or(err)
}

// List lists records. It is the operation Many, unless the query names another.
func (k *Kind[T, N, P]) List(
	tx records.Reading, s records.Scope, p problem.Paging, q records.Query[T],
) (twinplatform.Page[T], error) {
	if q.Op == "" {
		q.Op = k.Many
	}
	q.MaxTop = p.MaxTop
	page, err := k.Records.List(tx, s, q)
	return page, p.Listed(err, *k.Bad)
}
