package model

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// work is what the journal keeps of a change: where, and the request.
type work[P any] struct {
	made
	Request P `json:"request"`
}

// made is where and how a change is made.
type made struct {
	Place
	// Begun is true once a first step was done.
	Begun bool `json:"begun,omitempty"`
	// Condition must hold of the records that the request changes, unless the request
	// has its own.
	Condition twinplatform.Condition `json:"condition,omitzero"`
}

// Change is a kind of change to a schedule: P is what it asks for, and T the type of the
// records that it writes.
type Change[P, T any] struct {
	*Rules

	job   jobs.Kind[work[P], T]
	needs *needs[P]
}

// Rules say where a kind of change may be made, and what it brings along.
type Rules struct {
	// Fits reports which kinds of schedules take it. Nil means that all do.
	Fits func(*Schedule) error
	// Seeded reports that a seed makes such records in schedules of all sorts, which show
	// them.
	Seeded bool
	// Follows is what comes after it. Nil means that nothing does.
	Follows Follower

	area Area
}

// Follower is what comes after a change of some sorts.
type Follower interface {
	// Needs are what Ask reads in the scope of a schedule.
	Needs(s records.Scope) []records.Need
	// Ask asks for it in the transaction that ends the change.
	Ask(u *records.Update, at Place) error
	// Carry carries out what was asked for, and reports whether that continues behind the
	// patience of the caller.
	Carry(ctx context.Context, at Place) (op twinplatform.Operation, goesOn bool)
}

// DefineChange defines a kind of change. Its step runs in a transaction in which the
// schedule takes changes. Journals call it by its name, and all others by the operations
// that ask for it.
func DefineChange[P, T any](area Area, name string, step func(*records.Update, *Edit[P, T]) error,
	operations ...string,
) Change[P, T] {
	c := define(area, name, step, nil, operations)
	c.job.Holdable()
	return c
}

// DefineAtOnce is DefineChange for what is started AtOnce.
func DefineAtOnce[P, T any](area Area, name string, step func(*records.Update, *Edit[P, T]) error,
	operations ...string,
) Change[P, T] {
	return define(area, name, step, nil, operations)
}

// DefineInSteps defines a kind of change that may be too large for one transaction. What
// its step changes of the request is what the next one gets.
func DefineInSteps[P, T any](
	area Area, name string, step func(*records.Update, *Edit[P, T]) (jobs.Progress, error), operations ...string,
) Change[P, T] {
	c := define(area, name, nil, step, operations)
	c.job.Holdable()
	return c
}

// define defines a kind of change that is made at once, or in steps: the other is nil.
func define[P, T any](
	area Area, name string, once func(*records.Update, *Edit[P, T]) error,
	steps func(*records.Update, *Edit[P, T]) (jobs.Progress, error), operations []string,
) Change[P, T] {
	rules, reads := &Rules{area: area}, new(needs[P])
	job := jobs.Define(area.Jobs, name, func(u *records.Update, w *jobs.Work[work[P], T]) (p jobs.Progress, err error) {
		needs := func() []records.Need { return reads.in(rules, w.Payload.Scope, &w.Payload.Request) }
		if whole, err := rules.begin(u, &w.Payload.made, needs); !whole || err != nil {
			return p, err
		}
		e := Edit[P, T]{
			Request: w.Payload.Request, At: w.Payload.Place, Scope: w.Payload.Scope,
			Condition: w.Payload.Condition,
		}
		if once != nil {
			p, err = jobs.Done, once(u, &e)
		} else {
			p, err = steps(u, &e)
		}
		w.Payload.Request, w.Records = e.Request, e.Records
		return p, rules.end(u, w.Payload.Place, p, err)
	}, operations...)
	return Change[P, T]{rules, job, reads}
}

// begin begins a step of a change, and reports whether the schedule takes it.
func (r *Rules) begin(u *records.Update, m *made, needs func() []records.Need) (whole bool, err error) {
	records.DeclareOnce(u, m.Scope, needs)
	if whole, err = r.area.Begin(u, m.Place, m.Begun); whole && err == nil {
		m.Begun = true
	}
	return whole, err
}

// end ends a step that has come so far, or has failed.
func (r *Rules) end(u *records.Update, at Place, p jobs.Progress, failed error) error {
	if failed == nil && p.Done && r.Follows != nil {
		return r.Follows.Ask(u, at)
	}
	return failed
}

// Only reports which kinds of schedules take the change.
func (c Change[P, T]) Only(fits func(*Schedule) error) Change[P, T] {
	c.Fits = fits
	return c
}

// Edit is one step of a change: the request, where it applies, what must hold of the
// records that it changes, and what it wrote.
type Edit[P, T any] struct {
	Request   P
	Records   []twinplatform.Record[T]
	At        Place
	Scope     records.Scope // of At
	Condition twinplatform.Condition
}

// Wrote notes a record that the step wrote.
func (e *Edit[P, T]) Wrote(rec twinplatform.Record[T]) { e.Records = append(e.Records, rec) }

// Keep is what a change leaves behind of its operation.
type Keep int

const (
	// Direct changes are operations only in background mode.
	Direct Keep = iota
	// Tracked changes are documented as long-running: their operation can be
	// asked for even when it is done at once.
	Tracked
	// AtOnce changes are made before their call returns, in background mode too.
	AtOnce
)

// Start accepts a change by the caller to a schedule.
func (c Change[P, T]) Start(
	ctx context.Context, scheduleID string, kept Keep, subjects []string, request P, pre ...twinplatform.Precondition,
) (res twinplatform.Result[T], err error) {
	w := &work[P]{made{Condition: twinplatform.ConditionOf(pre...)}, request}
	if c.area.DB.Remote() {
		ctx = c.area.DB.WithNeeds(ctx, func(_ records.Reading, s records.Scope) []records.Need {
			return c.needs.in(c.Rules, s, &w.Request)
		})
	}
	j, err := c.area.Bench().Changing(ctx)
	for again := err == nil; again; again, err = j.Again(err) {
		res, err = c.job.Start(ctx, c.spec(ctx, j, scheduleID, kept, subjects, &w.Place), w)
	}
	op, wait, err := c.followed(ctx, w.Place, subjects, res.Operation, err)
	if wait != nil {
		written := res.Records
		res = twinplatform.Pending[T](op, wait)
		res.Records = written
	}
	return res, err
}

// waiting is how a caller waits for an operation. With nil the caller waits for the change
// itself.
type waiting func(context.Context) (twinplatform.Operation, error)

// Everywhere is the change as schedules of all sorts take it.
func (c Change[P, T]) Everywhere() Change[P, T] {
	rules := *c.Rules
	rules.Fits = nil
	c.Rules = &rules
	return c
}

// Contention is what all that writes in a schedule, or reads much of it in order to write
// elsewhere, contends by: every change of a schedule takes its next revision.
func Contention(scheduleID string) string { return "schedules/" + scheduleID }

// Contended reports of the transactions made with the context that they are about a
// schedule.
func Contended(ctx context.Context, scheduleID string) context.Context {
	return storage.WithContention(ctx, Contention(scheduleID))
}

// spec reports how a change is accepted, by a caller who may make it, and puts into at
// where it is made.
func (r *Rules) spec(ctx context.Context, j *judge.Judge, scheduleID string, kept Keep, subjects []string,
	at *Place,
) jobs.Spec {
	return jobs.Spec{
		Subjects: Unique(subjects), Keep: kept == Tracked, AtOnce: kept == AtOnce,
		Contention: Contention(scheduleID), Open: func(u *records.Update) (records.Scope, error) {
			sc, err := r.area.Changeable(u, j, scheduleID)
			if err == nil && r.Fits != nil && !(r.Seeded && isSeeding(ctx)) {
				err = r.Fits(sc)
			}
			if err != nil {
				return "", err
			}
			*at = sc.Place
			return at.Scope, nil
		},
	}
}

// followed is what comes of a change when what it has asked for was carried out. Where that
// continues, the change is done, and the operation that it returns is the one that follows.
func (r *Rules) followed(
	ctx context.Context, at Place, subjects []string, op twinplatform.Operation, err error,
) (twinplatform.Operation, waiting, error) {
	if r.Follows == nil {
		return op, nil, err
	}
	next, continues := r.Follows.Carry(ctx, at)
	if !continues || err != nil || op.ID != "" && !op.Status.Done() {
		return op, nil, err
	}
	next.Subjects = Unique(subjects) // what was asked for is about these
	return next, func(ctx context.Context) (twinplatform.Operation, error) {
		return r.area.Jobs.Wait(ctx, at.Scope, next.ID)
	}, nil
}
