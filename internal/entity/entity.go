// Package entity is the kit that the records of every domain are made with.
//
// A [Kind] says once what holds for one type of record: where it is kept, what
// errors call it, what its members may be, what belongs to it and what goes with
// it. Making, changing and deleting follow from that. It works within the
// transactions of a domain and asks for no permission.
//
// How a record is written is said by the tags of its type, and not here a second
// time: programs that marshal a record themselves get what the platform sends.
package entity

import (
	"errors"
	"reflect"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Kind is one type of record. T is the record, N the request that makes one and P
// the patch that changes one.
type Kind[T, N, P any] struct {
	// Records keeps them.
	Records *records.Collection[T]
	// One and Many are its names, as in operations: resource and resources. They
	// never change.
	One, Many string
	// Noun is what errors call one.
	Noun string
	// Batches says that several are deleted at once.
	Batches bool
	// Missing is the error of one that is not there.
	Missing *problem.Absent
	// Bad is the error of a request that cannot be taken.
	Bad *twinplatform.Error
	// Members says where each member of a record is in the record, in the
	// request and in the patch, and what it may be.
	Members func(r *T, n *N, p *P) []Member

	// Made settles in a new record what no single member says, and what stands
	// against it. Nil means nothing.
	Made func(v *T, n *N, c *problem.Checks)
	// Changed is Made for a record that a patch has changed. stored is the
	// record as it was.
	Changed func(v, stored *T, p *P, c *problem.Checks)
	// Fits says what stands against a record as it is to be written, among the
	// others of its scope. stored is the record as it is so far, and nil for a new
	// one. Nil means that nothing can.
	Fits func(tx records.Reading, s records.Scope, v, stored *T, c *problem.Checks) error
	// Follow carries a changed record to wherever else it is shown. stored is the
	// record as it was. Nil means nowhere.
	Follow func(u *records.Update, s records.Scope, v, stored *T) error
	// Taken is the error of a record with an id that another has. Nil means
	// AlreadyExists.
	Taken func(v *T) error
	// Sealed is the error of a record that nobody changes or deletes. Nil means
	// that there is none.
	Sealed func(stored *T) error
	// Parent is the id of what a record lies below in its own collection, which
	// has an index "parent". Nil means that there is no such thing.
	Parent func(v *T) string
	// Used is the error of a record that is not deleted while something else needs
	// it. It is asked before the first record of a deletion goes, of all that would
	// go. Nil means that there is none.
	Used func(tx records.Reading, s records.Scope, id string) error
	// Clear deletes what belongs to a record that is to be deleted, and
	// reports false when the step ended before that. Nil means nothing.
	Clear func(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error)

	idle sync.Pool // of *bound[T, N, P]
}

// bound are the members of one record, one request and one patch. It is made
// once and used again, so that a write pays nothing for the table.
type bound[T, N, P any] struct {
	record  T
	request N
	patch   P
	members []Member
}

// bind is a table of members for one use. Whoever takes it clears what it has set
// of it, and puts it back among the idle ones.
func (k *Kind[T, N, P]) bind() *bound[T, N, P] {
	b, _ := k.idle.Get().(*bound[T, N, P])
	if b == nil {
		b = new(bound[T, N, P])
		b.members = k.Members(&b.record, &b.request, &b.patch)
	}
	return b
}

func (b *bound[T, N, P]) clearNew() {
	var record T
	var request N
	b.record, b.request = record, request
}

func (b *bound[T, N, P]) clearPatch() {
	var record T
	var patch P
	b.record, b.patch = record, patch
}

// CheckNew says what stands against a request, as far as it can be said without
// the other records.
func (k *Kind[T, N, P]) CheckNew(n N, c *problem.Checks) {
	b := k.bind()
	b.request = n
	for _, m := range b.members {
		m.checkRequest(c)
	}
	if k.Made != nil {
		build(b.members)
		k.Made(&b.record, &b.request, c)
	}
	b.clearNew()
	k.idle.Put(b)
}

// New is the record that a request asks for.
func (k *Kind[T, N, P]) New(n N) (v T) {
	b := k.bind()
	b.request = n
	build(b.members)
	if k.Made != nil {
		k.Made(&b.record, &b.request, new(problem.Checks))
	}
	v = b.record
	b.clearNew()
	k.idle.Put(b)
	return v
}

// Make is the record that a request asks for, unless something stands against the
// request.
func (k *Kind[T, N, P]) Make(n N) (v T, err error) {
	var c problem.Checks
	k.CheckNew(n, &c)
	if err := c.Err(*k.Bad); err != nil {
		return v, err
	}
	return k.New(n), nil
}

func build(members []Member) {
	for _, m := range members {
		m.make()
	}
}

// CheckPatch says what stands against a patch of the record with an id, as far as
// it can be said without the record.
func (k *Kind[T, N, P]) CheckPatch(id string, p P, c *problem.Checks) {
	var none T
	k.checkPatch(id, &none, p, c)
}

// checkPatch is CheckPatch over the record as it is.
func (k *Kind[T, N, P]) checkPatch(id string, stored *T, p P, c *problem.Checks) {
	b := k.bind()
	b.record, b.patch = *stored, p
	for _, m := range b.members {
		m.checkPatch(id, c)
	}
	b.clearPatch()
	k.idle.Put(b)
}

// Apply changes a record by a patch, and says what of the record stands against
// that.
func (k *Kind[T, N, P]) Apply(p P, v *T, c *problem.Checks) {
	b := k.bind()
	b.record, b.patch = *v, p
	for _, m := range b.members {
		m.apply()
	}
	if k.Changed != nil {
		k.Changed(&b.record, v, &b.patch, c)
	}
	*v = b.record
	b.clearPatch()
	k.idle.Put(b)
}

// Change changes the record with an id by a patch, unless something stands against
// that.
func (k *Kind[T, N, P]) Change(id string, p P, v *T) error {
	var c problem.Checks
	k.checkPatch(id, v, p, &c)
	k.Apply(p, v, &c)
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
	b.clearNew()
	k.idle.Put(b)
	return id
}

// Insert adds a record. What the caller has found against it already is in c.
func (k *Kind[T, N, P]) Insert(u *records.Update, s records.Scope, v *T, c *problem.Checks) (rec twinplatform.Record[T], err error) {
	if err := k.fits(u, s, v, nil, c); err != nil {
		return rec, err
	}
	rec, err = k.Records.Insert(u, s, v)
	if k.Taken != nil && errors.Is(err, records.ErrExists) {
		return rec, k.Taken(v)
	}
	return rec, k.written(err, k.Records.ID(v))
}

// Modify changes a record by a patch that CheckPatch has passed.
func (k *Kind[T, N, P]) Modify(u *records.Update, s records.Scope, id, ifMatch string, p P) (rec twinplatform.Record[T], err error) {
	rec, err = k.modify(u, s, id, ifMatch, p, nil, &problem.Checks{})
	return rec, k.written(err, id)
}

// ModifyEach is Modify of one of several records: c tells which one that is, and a
// missing one is named by its id.
func (k *Kind[T, N, P]) ModifyEach(u *records.Update, s records.Scope, id string, p P, c *problem.Checks) (rec twinplatform.Record[T], err error) {
	rec, err = k.modify(u, s, id, "", p, nil, c)
	return rec, k.Missing.Named(k.Noun, id).Or(err)
}

// Update changes a record by a patch that nobody has checked: the checks of
// members see the record as it is. may says whether the caller turns it from
// stored into v, once nothing else stands against that.
func (k *Kind[T, N, P]) Update(u *records.Update, s records.Scope, id, ifMatch string, p P, may func(v, stored *T) error) (rec twinplatform.Record[T], err error) {
	rec, err = k.modify(u, s, id, ifMatch, p, may, &problem.Checks{})
	return rec, k.written(err, id)
}

func (k *Kind[T, N, P]) modify(u *records.Update, s records.Scope, id, ifMatch string, p P, may func(v, stored *T) error, c *problem.Checks) (rec twinplatform.Record[T], err error) {
	var stored T
	rec, err = k.Records.Modify(u, s, id, ifMatch, func(v *T) error {
		stored = *v
		if err := k.sealed(&stored); err != nil {
			return err
		}
		if may != nil {
			k.checkPatch(id, &stored, p, c)
		}
		k.Apply(p, v, c)
		if err := k.fits(u, s, v, &stored, c); err != nil || may == nil {
			return err
		}
		return may(v, &stored)
	})
	if err == nil && k.Follow != nil {
		err = k.Follow(u, s, &rec.Value, &stored)
	}
	return rec, err
}

func (k *Kind[T, N, P]) sealed(stored *T) error {
	if k.Sealed == nil {
		return nil
	}
	return k.Sealed(stored)
}

// Erase removes a record without a trace. may says whether the caller does so.
func (k *Kind[T, N, P]) Erase(u *records.Update, s records.Scope, id string, may func(stored *T) error) error {
	v, err := k.Records.Value(u, s, id)
	if err != nil {
		return k.Missing.Or(err)
	}
	if err := k.sealed(v); err != nil {
		return err
	}
	if err := may(v); err != nil {
		return err
	}
	return k.Records.Erase(u, s, id)
}

func (k *Kind[T, N, P]) fits(tx records.Reading, s records.Scope, v, stored *T, c *problem.Checks) error {
	if k.Fits != nil {
		if err := k.Fits(tx, s, v, stored, c); err != nil {
			return err
		}
	}
	return c.Err(*k.Bad)
}

// written gives what comes of writing a record its documented error.
func (k *Kind[T, N, P]) written(err error, id string) error {
	if errors.Is(err, records.ErrExists) {
		return problem.Taken(k.Noun, id)
	}
	return k.Missing.Or(err)
}

// Deletion is the name of the operation that deletes, and what errors call the ids
// that it is given.
func (k *Kind[T, N, P]) Deletion() (operation, param string) {
	if k.Batches {
		return k.Many + ".delete", k.One + "Ids"
	}
	return k.One + ".delete", k.One + "Id"
}

// Describe tells what the table says of record, request and patch.
func (k *Kind[T, N, P]) Describe(b *schema.Book) {
	bound := k.bind()
	describe(b, bound.members, reflect.TypeFor[T](), reflect.TypeFor[N](), reflect.TypeFor[P]())
	k.idle.Put(bound)
}

func describe(b *schema.Book, members []Member, record, request, patch reflect.Type) {
	for _, m := range members {
		d := m.describe()
		kept, required := d.Kept, d.Required
		d.Kept = required
		b.Has(request, d)
		d.Default, d.Required, d.Kept = nil, false, false
		b.Has(record, d)
		d.Kept = kept
		b.Has(patch, d)
	}
}

// List lists records. It is the operation Many, unless the query names another.
func (k *Kind[T, N, P]) List(tx records.Reading, s records.Scope, p problem.Paging, q records.Query[T]) (twinplatform.Page[T], error) {
	if q.Op == "" {
		q.Op = k.Many
	}
	q.MaxTop = p.MaxTop
	page, err := k.Records.List(tx, s, q)
	return page, p.Listed(err, *k.Bad)
}
