// Package judge asks what a caller may do, and which twins there are, within the
// transaction that acts on the answer.
//
// What answers from the platform's own store is asked through the transaction, so
// that nothing can change in between. What answers from elsewhere is asked while no
// transaction is open: the first run of the transaction finds out the question
// and is given up, and the next one finds the answer. It is as old as the call, and
// it is used for the very question that it was given to and for no other.
package judge

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// Bench makes the judges of a service.
type Bench struct {
	DB  *records.DB
	Env twinplatform.Env
	// Twins reports which twins there are; nil takes every id for a twin: see
	// [Judge.Twin].
	Twins twinplatform.TwinDirectory
}

// Judge answers the questions of one call, within one transaction of it after the other.
// It is valid for as long as the transaction.
type Judge struct {
	bench   Bench
	call    context.Context
	tx      Transaction
	within  context.Context // call within tx, once a caller asks for it
	answers map[any]any     // of what answers from elsewhere
	unasked func(context.Context) error
}

// errUnasked gives up a transaction whose question must be asked first.
var errUnasked = errors.New("judge: a question was met within a transaction that must be asked before it")

// View runs fn over one committed state. fn may run again.
func (b Bench) View(ctx context.Context, fn func(*records.View, *Judge) error) error {
	j, err := b.judge(ctx)
	for again := err == nil; again; again, err = j.Again(err) {
		err = b.DB.View(ctx, func(v *records.View) error { return fn(v, j.In(v)) })
	}
	return err
}

// Update runs fn in a transaction. fn may run again.
func (b Bench) Update(ctx context.Context, fn func(*records.Update, *Judge) error) error {
	j, err := b.Changing(ctx)
	for again := err == nil; again; again, err = j.Again(err) {
		err = b.DB.Update(ctx, func(u *records.Update) error { return fn(u, j.In(u)) })
	}
	return err
}

// Read returns what fn reads in one committed state. fn may run again.
func Read[T any](ctx context.Context, b Bench, fn func(*records.View, *Judge) (T, error)) (out T, err error) {
	err = b.View(ctx, func(v *records.View, j *Judge) error {
		out, err = fn(v, j)
		return err
	})
	return out, err
}

// Write returns the record that fn writes in a transaction. fn may run again.
func Write[T any](
	ctx context.Context, b Bench, fn func(*records.Update, *Judge) (twinplatform.Record[T], error),
) (res twinplatform.Result[T], err error) {
	var rec twinplatform.Record[T]
	j, err := b.Changing(ctx)
	for again := err == nil; again; again, err = j.Again(err) {
		err = b.DB.Update(ctx, func(u *records.Update) (err error) {
			rec, err = fn(u, j.In(u))
			return err
		})
	}
	if err == nil {
		res = twinplatform.Done(rec)
	}
	return res, err
}

// Transaction is one that reads, or one that reads and writes.
type Transaction interface {
	records.Reading
	Within(ctx context.Context) context.Context
}

// Call runs what makes transactions of its own, and judges each of them within it,
// [Judge.In]. It runs it again until every question to other services is answered.
func (b Bench) Call(ctx context.Context, run func(*Judge) error) error {
	j, err := b.Changing(ctx)
	for again := err == nil; again; again, err = j.Again(err) {
		err = run(j)
	}
	return err
}

// Changing is the judge of a call that changes something. What it judges runs as long as
// [Judge.Again] says. Changing fails for a caller that only reads.
func (b Bench) Changing(ctx context.Context) (*Judge, error) {
	if p, _ := twinplatform.PrincipalFrom(ctx); p.ReadOnly != nil {
		return nil, &twinplatform.Error{
			Kind: twinplatform.Forbidden, Code: "InsufficientPermissions",
			Message: "The caller only reads.",
		}
	}
	return b.judge(ctx)
}

// judge fails for a caller with a role that is unknown.
func (b Bench) judge(ctx context.Context) (*Judge, error) {
	if p, ok := twinplatform.PrincipalFrom(ctx); ok && len(p.AdministratorRoles) > 0 {
		if err := b.Env.CheckPrincipal(p); err != nil {
			return nil, err
		}
	}
	return &Judge{bench: b, call: ctx}, nil
}

// Again asks elsewhere what a transaction was given up for, and reports whether it is to
// run again. Any other failure stays what it is.
func (j *Judge) Again(failure error) (again bool, err error) {
	question := j.unasked
	if !errors.Is(failure, errUnasked) || question == nil {
		return false, failure
	}
	j.unasked = nil
	err = question(j.call)
	return err == nil, err
}

// In makes j judge within a transaction of its call.
func (j *Judge) In(tx Transaction) *Judge {
	j.tx, j.within = tx, nil
	return j
}

// Emit records in the transaction u that something happens in a twin or an account.
func (j *Judge) Emit(u *records.Update, at twinplatform.Target, content event.Content) error {
	e, err := event.New(j.bench.Env, at, content)
	if err != nil {
		return err
	}
	return u.Emit(e)
}

// ctx is the context of the call within the transaction.
func (j *Judge) ctx() context.Context {
	if j.within == nil {
		j.within = j.tx.Within(j.call)
	}
	return j.within
}

// Caller is the one on whose behalf the call is; false for the system.
func (j *Judge) Caller() (twinplatform.Principal, bool) { return twinplatform.PrincipalFrom(j.call) }

// Ask returns what source answers to a question. key stands for the question and
// is comparable. A source that is twinplatform.Transactional, or nil, is asked
// through the transaction.
func Ask[V any](j *Judge, source, key any, question func(context.Context) (V, error)) (V, error) {
	if _, ok := source.(twinplatform.Transactional); ok || source == nil {
		return question(j.ctx())
	}
	if answer, ok := j.answers[key]; ok {
		return answer.(V), nil
	}
	j.unasked = func(ctx context.Context) error {
		answer, err := question(ctx)
		if j.answers == nil {
			j.answers = make(map[any]any)
		}
		j.answers[key] = answer
		return err
	}
	var none V
	return none, errUnasked
}

// anyAt is the question whether one of several permissions is held.
type anyAt struct {
	permissions string
	target      twinplatform.Target
}

// Allowed reports whether the caller holds the permission at the target.
func (j *Judge) Allowed(permission string, target twinplatform.Target) (bool, error) {
	if j.administers(target) {
		return true, nil
	}
	return j.AllowedAny(target, permission)
}

// administers reports whether the caller holds all permissions at a target, whatever is stored.
func (j *Judge) administers(target twinplatform.Target) bool {
	caller, named := j.Caller()
	return !named || caller.ReadOnly == nil && j.bench.Env.Administers(caller, target.AccountID)
}

// AllowedAny reports whether the caller holds one of the permissions at the
// target.
func (j *Judge) AllowedAny(target twinplatform.Target, permissions ...string) (bool, error) {
	if j.administers(target) {
		return true, nil
	}
	if caller, _ := j.Caller(); caller.ReadOnly != nil {
		if good, err := caller.ReadOnly.Good(j.ctx()); err != nil || !good {
			return false, err
		}
	}
	key := anyAt{strings.Join(permissions, " "), target}
	return Ask(j, j.bench.Env.Authorizer, key, func(ctx context.Context) (bool, error) {
		for _, permission := range permissions {
			if ok, err := j.bench.Env.Allowed(ctx, permission, target); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	})
}

// AllowedAll reports whether the caller holds all of the permissions at the
// target. What is asked elsewhere is asked in one go.
func (j *Judge) AllowedAll(target twinplatform.Target, permissions ...string) (all bool, err error) {
	var unasked []func(context.Context) error
	all = true
	for i, permission := range permissions {
		if slices.Contains(permissions[:i], permission) {
			continue
		}
		held, err := j.Allowed(permission, target)
		switch all = all && held; {
		case errors.Is(err, errUnasked):
			unasked = append(unasked, j.unasked)
		case err != nil:
			return false, err
		}
	}
	if unasked == nil {
		return all, nil
	}
	j.unasked = func(ctx context.Context) error {
		for _, ask := range unasked {
			if err := ask(ctx); err != nil {
				return err
			}
		}
		return nil
	}
	return false, errUnasked
}

type twinCalled string

type whereabouts struct {
	target twinplatform.Target
	exists bool
}

// Twin returns where permissions on a twin that the caller names are asked for, and
// whether there is such a twin. Without a directory each is of the account of the caller.
func (j *Judge) Twin(twinID string) (target twinplatform.Target, exists bool, err error) {
	p, _ := j.Caller()
	return j.TwinOf(p.AccountID, twinID)
}

// TwinOf is Twin for one that a record of an account names, whose it is without a
// directory: no other account comes to the record by naming its twin.
func (j *Judge) TwinOf(accountID, twinID string) (target twinplatform.Target, exists bool, err error) {
	twins := j.bench.Twins
	if twins == nil {
		return twinplatform.Target{TwinID: twinID, AccountID: accountID}, true, nil
	}
	j.Expect(twinplatform.Target{TwinID: twinID, AccountID: accountID})
	at, err := Ask(j, twins, twinCalled(twinID), func(ctx context.Context) (w whereabouts, err error) {
		w.target.TwinID = twinID
		w.target.AccountID, w.exists, err = twins.TwinAccount(ctx, twinID)
		return w, err
	})
	at.target.TwinID = twinID
	return at.target, at.exists, err
}

// Holds reports whether the caller holds one of the permissions on a twin that
// exists, and that a record of the account names.
func (j *Judge) Holds(accountID, twinID string, permissions ...string) (bool, error) {
	target, exists, err := j.TwinOf(accountID, twinID)
	if err != nil || !exists {
		return false, err
	}
	return j.AllowedAny(target, permissions...)
}

// OwnAlone makes a query for what is in a twin find what is of the account alone, where
// without a directory several accounts may call a twin of theirs the same. To the system
// it is all one.
func OwnAlone[T any](j *Judge, q *records.Query[T], accountID string, of func(*T) (accountID string)) {
	if _, known := j.Caller(); !known || j.bench.Twins != nil {
		return
	}
	q.Filter += "accountId=" + strconv.Quote(accountID) + ";"
	match := q.Match
	q.Match = func(v *T) bool { return of(v) == accountID && (match == nil || match(v)) }
}
