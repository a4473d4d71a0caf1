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
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
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

	core atomic.Pointer[Core]
}

// Core is the kind with its types erased.
func (k *Kind[T, N, P]) Core() *Core {
	c := k.core.Load()
	if c == nil {
		c = erase(k.Members, k.Made, k.Changed, k.Fits, k.Follow, k.Taken, k.Sealed, k.Parent)
		c.Records, c.One, c.Many, c.Noun, c.Batches = k.Records.Table(), k.One, k.Many, k.Noun, k.Batches
		c.Missing, c.Bad, c.used, c.clear = k.Missing, k.Bad, k.Used, k.Clear
		k.core.Store(c)
	}
	return c
}

// CheckNew says what stands against a request, as far as it can be said without
// the other records.
func (k *Kind[T, N, P]) CheckNew(n *N, c *problem.Checks) {
	core := k.Core()
	b := core.bind()
	*b.request.(*N) = *n // so that n is not on the heap for it
	core.checkNew(b, c)
}

// New is the record that a request asks for.
func (k *Kind[T, N, P]) New(n *N) *T {
	v := new(T)
	k.Core().New(n, v)
	return v
}

// Make is the record that a request asks for, unless something stands against the
// request.
func (k *Kind[T, N, P]) Make(n N) (v T, err error) {
	err = k.Core().Make(&n, &v)
	return v, err
}

// CheckPatch says what stands against a patch of the record with an id, as far as
// it can be said without the record.
func (k *Kind[T, N, P]) CheckPatch(id string, p *P, c *problem.Checks) {
	core := k.Core()
	b := core.bind()
	*b.patch.(*P) = *p
	core.checkPatch(id, b, c)
}

// Apply changes a record by a patch, and says what of the record stands against
// that.
func (k *Kind[T, N, P]) Apply(p *P, v *T, c *problem.Checks) { k.Core().Apply(p, v, c) }

// Change changes the record with an id by a patch, unless something stands against
// that.
func (k *Kind[T, N, P]) Change(id string, p P, v *T) error { return k.Core().Change(id, &p, v) }

// Identify gives a request without an id a new one, and returns its id.
func (k *Kind[T, N, P]) Identify(n *N, newID func() string) (id string) {
	return k.Core().Identify(n, newID)
}

// Insert adds a record. What the caller has found against it already is in c.
func (k *Kind[T, N, P]) Insert(u *records.Update, s records.Scope, v *T, c *problem.Checks) (rec twinplatform.Record[T], err error) {
	r, err := k.Core().Insert(u, s, v, c)
	return records.Typed[T](&r, err), err
}

// Modify changes a record by a patch that CheckPatch has passed.
func (k *Kind[T, N, P]) Modify(u *records.Update, s records.Scope, id string, cond twinplatform.Condition, p *P) (rec twinplatform.Record[T], err error) {
	r, err := k.Core().Modify(u, s, id, cond, p)
	return records.Typed[T](&r, err), err
}

// ModifyEach is Modify of one of several records: c tells which one that is, and a
// missing one is named by its id.
func (k *Kind[T, N, P]) ModifyEach(u *records.Update, s records.Scope, id string, p *P, c *problem.Checks) (rec twinplatform.Record[T], err error) {
	r, err := k.Core().modify(u, s, id, "", p, nil, c)
	err = k.Missing.Named(k.Noun, id).Or(err)
	return records.Typed[T](&r, err), err
}

// Update changes a record by a patch that nobody has checked: the checks of
// members see the record as it is. may says whether the caller turns it from
// stored into v, once nothing else stands against that.
func (k *Kind[T, N, P]) Update(u *records.Update, s records.Scope, id string, cond twinplatform.Condition, p P, may func(v, stored *T) error) (rec twinplatform.Record[T], err error) {
	r, err := k.Core().Update(u, s, id, cond, &p, func(v, stored any) error { return may(v.(*T), stored.(*T)) })
	return records.Typed[T](&r, err), err
}

// Erase removes a record without a trace. may says whether the caller does so.
func (k *Kind[T, N, P]) Erase(u *records.Update, s records.Scope, id string, cond twinplatform.Condition, may func(stored *T) error) error {
	return k.Core().Erase(u, s, id, cond, func(stored any) error { return may(stored.(*T)) })
}

// List lists records. It is the operation Many, unless the query names another.
func (k *Kind[T, N, P]) List(tx records.Reading, s records.Scope, p problem.Paging, q records.Query[T]) (twinplatform.Page[T], error) {
	page, err := k.Core().List(tx, s, p, q.Erase())
	return twinplatform.Page[T](page), err
}

// RemoveFound deletes the records with a value in an index, and reports false
// when the step ended before that.
func (k *Kind[T, N, P]) RemoveFound(u *records.Update, s records.Scope, index, equals string, step *records.Step) (whole bool, err error) {
	return k.Core().RemoveFound(u, s, index, equals, step)
}

// Have checks that there are records with all the ids of a list.
func (k *Kind[T, N, P]) Have(tx records.Reading, s records.Scope, ids []string) error {
	return k.Core().Have(tx, s, ids)
}
