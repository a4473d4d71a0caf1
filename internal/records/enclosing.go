package records

import (
	"context"
	"errors"
	"reflect"
)

// What a caller may do, and which twins there are, is another domain's to say.
// Asked before a transaction, it may have changed by the time that the
// transaction acts on it. So a transaction hands on a context of its own, and
// what other domains over the same store answer there is read through it.

type withinKey struct{}

var errNested = errors.New("records: an update was begun within a transaction over the same store")

// Within returns a context in which every DB.View over the same store reads
// through this transaction, its own writes included. The context is good for as
// long as the transaction.
func (v *View) Within(ctx context.Context) context.Context {
	return context.WithValue(ctx, withinKey{}, v)
}

// Within returns a context, as a View has one, in which DB.Join over the same store writes
// through this transaction too.
func (u *Update) Within(ctx context.Context) context.Context {
	return context.WithValue(u.View.Within(ctx), joinKey{}, u)
}

type joinKey struct{}

// Join runs fn in the transaction over the same store that ctx is within, and fails
// with ErrNotWithin where there is none that writes: what a domain does as a part of what
// another one does.
func (db *DB) Join(ctx context.Context, fn func(*Update) error) error {
	u, _ := ctx.Value(joinKey{}).(*Update)
	if u == nil || db.enclosing(ctx) != &u.View {
		return ErrNotWithin
	}
	return fn(u)
}

// ErrNotWithin is the error of a change that is part of another one and is made without it.
var ErrNotWithin = errors.New("records: a change that is part of another one was made outside its transaction")

// enclosing is the transaction over the store of db that ctx is within, if any.
func (db *DB) enclosing(ctx context.Context) *View {
	v, _ := ctx.Value(withinKey{}).(*View)
	if v == nil || v.db != db && !db.sameStore(v.db) {
		return nil
	}
	return v
}

// sameStore compares stores that may be of types which do not compare.
func (db *DB) sameStore(other *DB) bool {
	return reflect.ValueOf(db.store).Comparable() && reflect.ValueOf(other.store).Comparable() &&
		db.store == other.store
}
