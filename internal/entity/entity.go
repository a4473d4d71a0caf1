// Package entity is the kit that the records of every domain are made with.
//
// A [Kind] says once what holds for one type of record: where it is kept, what
// errors call it, what its members may be, what belongs to it and what goes with
// it. Making, changing and deleting follow from that. It works within the
// transactions of a domain and asks for no permission.
//
// The tags of its type define how a record is written, and nothing here repeats them:
// programs that marshal a record themselves get what the platform sends.
package entity

import (
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
	// Resource is the name of one record in errors.
	Resource string
	// Batches reports that several are deleted at once.
	Batches bool
	// Missing is the error of one that is not there.
	Missing *problem.Absent
	// Bad is the error of a request that cannot be taken.
	Bad *twinplatform.Error
	// Members reports where each member of a record is in the record, in the request and
	// in the patch, and what it may be.
	Members func(r *T, n *N, p *P) []Member

	// AfterCreate sets, in a record just made of a request and not written yet, what
	// follows from several members, and reports what is wrong with them. Nil means
	// nothing.
	AfterCreate func(v *T, n *N, c *problem.Checks)
	// AfterUpdate is AfterCreate for a record that a patch was just applied to. stored
	// is the record as it was.
	AfterUpdate func(v, stored *T, p *P, c *problem.Checks)
	// Validate reports what is wrong with a record that is about to be written, among
	// the others of its scope. stored is the record as it is so far, and nil for a new
	// one. Nil means that nothing can be.
	Validate func(tx records.Reading, s records.Scope, v, stored *T, c *problem.Checks) error
	// AfterWrite carries a changed record to wherever else it is shown. stored is the
	// record as it was. Nil means nowhere.
	AfterWrite func(u *records.Update, s records.Scope, v, stored *T) error
	// AfterInsert and AfterRemove are AfterWrite for a record that was added, and for one that
	// was deleted in a step. Nil means nowhere.
	AfterInsert func(u *records.Update, s records.Scope, v *T) error
	AfterRemove func(u *records.Update, s records.Scope, was *T) error
	// Taken is the error of a record with an id that another has. Nil means
	// AlreadyExists.
	Taken func(v *T) error
	// Sealed is the error of a record that cannot be changed or deleted; a patch that changes
	// nothing is taken. Nil means that there is none.
	Sealed func(stored *T) error
	// Used is the error of a record that is not deleted while something else needs
	// it, besides those that refer to it and keep it. It is asked before the first record of a deletion goes, of all that would
	// go. Nil means that there is none.
	Used func(tx records.Reading, s records.Scope, id string) error
	// UsedWithin is Used for a record with which more may go than one look takes in. It
	// looks behind its own place, as far as a step reaches, and says where it came to and
	// whether it has seen all. The empty place is the beginning.
	UsedWithin func(tx records.Reading, s records.Scope, id, at string, step *records.Step) (last string, whole bool,
		err error)
	// Cascade deletes what belongs to a record that is to be deleted, before what refers to it
	// goes, and reports false when the step ended before that. Nil means nothing.
	Cascade func(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error)

	// Needs are what Validate, AfterInsert, AfterWrite and AfterRemove read for a record,
	// besides what it refers to. Of a patch they see what it sets alone,
	// in a record that is empty otherwise. They are read ahead where a store is over a network.
	// Nil means that they read nothing else.
	Needs func(s records.Scope, v *T) []records.Need

	idle sync.Pool // of *bound[T, N, P]
	once sync.Once // makes tied
	tied *ties
}

// bound are the members of one record, one request and one patch. The table of members
// is made once and used again, so that a write does not pay for it.
type bound[T, N, P any] struct {
	record  T
	request N
	patch   P
	members []Member
}

// bind is a table of members for one use. The user of a table sets what it needs of
// record, request and patch, and releases it.
func (k *Kind[T, N, P]) bind() *bound[T, N, P] {
	if b, ok := k.idle.Get().(*bound[T, N, P]); ok {
		return b
	}
	b := new(bound[T, N, P])
	b.members = k.Members(&b.record, &b.request, &b.patch)
	return b
}

// releaseRequest puts back a table of which record and request were set.
func (k *Kind[T, N, P]) releaseRequest(b *bound[T, N, P]) {
	var record T
	var request N
	b.record, b.request = record, request
	k.idle.Put(b)
}

// releasePatch puts back a table of which record and patch were set.
func (k *Kind[T, N, P]) releasePatch(b *bound[T, N, P]) {
	var record T
	var patch P
	b.record, b.patch = record, patch
	k.idle.Put(b)
}

// Deletion is the name of the operation that deletes, and what errors call the ids
// that it is given.
func (k *Kind[T, N, P]) Deletion() (operation, param string) {
	if k.Batches {
		return k.Many + ".delete", k.One + "Ids"
	}
	return k.One + ".delete", k.One + "Id"
}

// ParentOf is the id of what a record lies below, in the tree that its rows make; it is empty
// where there is none.
func (k *Kind[T, N, P]) ParentOf(v *T) string {
	t := k.ties()
	if t.tree == nil {
		return ""
	}
	return t.table.IndexValue(v, t.tree.at)
}

// IsTree reports that records lie below one another.
func (k *Kind[T, N, P]) IsTree() bool { return k.ties().tree != nil }

// takesChildren reports that records go with the one that they lie below.
func (k *Kind[T, N, P]) takesChildren() bool {
	tree := k.ties().tree
	return tree != nil && tree.owned
}

// None is the request or the patch of a type of record that is not made or changed by
// one.
type None struct{}

// Describe returns what the table declares of record, request and patch.
func (k *Kind[T, N, P]) Describe(b *schema.Book) {
	k.DescribeRequest(b)
	k.DescribePatch(b)
	k.describe(func(d schema.Member) {
		d.Default, d.Required, d.Kept = nil, false, false
		schema.Has[T](b, d)
	})
}

// DescribeRequest returns what the table declares of the request.
func (k *Kind[T, N, P]) DescribeRequest(b *schema.Book) {
	k.describe(func(d schema.Member) {
		d.Kept = d.Required
		schema.Has[N](b, d)
	})
}

// DescribePatch returns what the table declares of the patch.
func (k *Kind[T, N, P]) DescribePatch(b *schema.Book) {
	k.describe(func(d schema.Member) {
		d.Default, d.Required = nil, false
		schema.Has[P](b, d)
	})
}

func (k *Kind[T, N, P]) describe(of func(schema.Member)) {
	bound := k.bind()
	for _, m := range bound.members {
		of(m.describe())
	}
	k.idle.Put(bound)
}
