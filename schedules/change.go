package schedules

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
	place
	// Begun is true once a first step was done.
	Begun   bool `json:"begun,omitempty"`
	Request P    `json:"request"`
	// Condition must hold of the records that the request changes, unless the request
	// has its own.
	Condition twinplatform.Condition `json:"condition,omitzero"`
}

// kind is a sort of change to a schedule: P is what it asks for, and T the type of
// the records that it writes.
type kind[P, T any] struct {
	*changeRules

	job jobs.Kind[work[P], T]
}

// changeRules say where a sort of change may be made, and what it brings along.
type changeRules struct {
	s    *Service
	fits func(*Schedule) error // says which sorts of schedules take it; nil: all
	// replans says that an automatic schedule is rescheduled after it.
	replans bool
}

// change defines a sort of change. Its step runs in a transaction in which the
// schedule takes changes. Journals call it by its name, and all others by the operations
// that ask for it.
func change[P, T any](s *Service, name string, step func(*records.Update, *edit[P, T]) error, operations ...string) kind[P, T] {
	k := define(s, name, step, nil, operations)
	k.job.Holdable()
	return k
}

// changeAtOnce is change for what is done before its call returns, by do.
func changeAtOnce[P, T any](s *Service, name string, step func(*records.Update, *edit[P, T]) error, operations ...string) kind[P, T] {
	return define(s, name, step, nil, operations)
}

// changeInSteps defines a sort of change that may be too large for one
// transaction. What its step changes of the request is what the next one gets.
func changeInSteps[P, T any](
	s *Service, name string, step func(*records.Update, *edit[P, T]) (progress, error), operations ...string,
) kind[P, T] {
	k := define(s, name, nil, step, operations)
	k.job.Holdable()
	return k
}

// define defines a sort of change that is made at once, or in steps: the other is nil.
func define[P, T any](
	s *Service, name string, once func(*records.Update, *edit[P, T]) error,
	steps func(*records.Update, *edit[P, T]) (progress, error), operations []string,
) kind[P, T] {
	rules := &changeRules{s: s}
	job := jobs.Define(s.jobs, name, func(u *records.Update, w *jobs.Work[work[P], T]) (p progress, err error) {
		sc, err := s.ready(u, w.Payload.place, w.Payload.Begun)
		if err != nil {
			return p, err
		}
		if whole, err := index(u, sc); !whole || err != nil {
			return p, err
		}
		if whole, err := s.endMarks(u, sc); !whole || err != nil {
			return p, err
		}
		w.Payload.Begun = true
		if rules.replans && records.Far(u) {
			records.PrefetchLater(u, projectSchedulingRecords.Table().Need(sc.scope(), projectSchedulingID))
		}
		e := edit[P, T]{Request: w.Payload.Request, at: w.Payload.place, scope: w.Payload.Scope, condition: w.Payload.Condition}
		if once != nil {
			p, err = done, once(u, &e)
		} else {
			p, err = steps(u, &e)
		}
		w.Payload.Request, w.Records = e.Request, e.Records
		if err == nil && p.Done && rules.replans {
			err = s.replan(u, sc)
		}
		return p, err
	}, operations...)
	return kind[P, T]{rules, job}
}

// only says which sorts of schedules take the change.
func (k kind[P, T]) only(fits func(*Schedule) error) kind[P, T] {
	k.fits = fits
	return k
}

// edit is one step of a change: the request, where it applies, what must hold of the
// records that it changes, and what it wrote.
type edit[P, T any] struct {
	Request   P
	Records   []twinplatform.Record[T]
	at        place
	scope     records.Scope // of it
	condition twinplatform.Condition
}

func (e *edit[P, T]) wrote(rec twinplatform.Record[T]) { e.Records = append(e.Records, rec) }

// keep says whether a change leaves a record of its operation behind.
type keep bool

const (
	// tracked changes are documented as long-running: their operation can be
	// asked for even when it is done at once.
	tracked keep = true
	// direct changes are operations only in background mode.
	direct keep = false
)

// start accepts a change by the caller to a schedule.
func (k kind[P, T]) start(
	ctx context.Context, scheduleID string, kept keep, subjects []string, request P, pre ...twinplatform.Precondition,
) (res twinplatform.Result[T], err error) {
	w := &work[P]{Request: request, Condition: twinplatform.ConditionOf(pre...)}
	err = k.s.bench().Call(ctx, func(j *judge.Judge) error {
		res, err = k.job.Start(ctx, k.spec(j, scheduleID, kept, subjects, &w.place), w)
		return err
	})
	k.follow(ctx, w.place)
	return res, err
}

// do makes a change before it returns, in background mode too.
// everywhere is the change as schedules of all sorts take it.
func (k kind[P, T]) everywhere() kind[P, T] {
	rules := *k.changeRules
	rules.fits = nil
	k.changeRules = &rules
	return k
}

func (k kind[P, T]) do(
	ctx context.Context, scheduleID string, subjects []string, request P, pre ...twinplatform.Precondition,
) (res twinplatform.Result[T], err error) {
	w := &work[P]{Request: request, Condition: twinplatform.ConditionOf(pre...)}
	err = k.s.bench().Call(ctx, func(j *judge.Judge) error {
		res, err = k.job.Do(ctx, k.spec(j, scheduleID, direct, subjects, &w.place), w)
		return err
	})
	k.follow(ctx, w.place)
	return res, err
}

// contention is what all that writes in a schedule, or reads much of it in order to write
// elsewhere, contends by: every change of a schedule takes its next revision.
func contention(scheduleID string) string { return "schedules/" + scheduleID }

// contended says of the transactions made with the context that they are about a schedule.
func contended(ctx context.Context, scheduleID string) context.Context {
	return storage.WithContention(ctx, contention(scheduleID))
}

// spec says how a change is accepted, by a caller who may make it, and puts into at where
// it is made.
func (k *changeRules) spec(j *judge.Judge, scheduleID string, kept keep, subjects []string, at *place) jobs.Spec {
	return jobs.Spec{Subjects: unique(subjects), Keep: bool(kept), Contention: contention(scheduleID), Open: func(u *records.Update) (records.Scope, error) {
		sc, err := k.s.changeable(u, j, scheduleID)
		if err == nil && k.fits != nil {
			err = k.fits(sc)
		}
		if err != nil {
			return "", err
		}
		*at = sc.place()
		return at.Scope, nil
	}}
}

// follow carries out what a change has asked for.
func (k *changeRules) follow(ctx context.Context, at place) {
	if k.replans {
		k.s.carry(contended(ctx, at.ScheduleID), at.Scope)
	}
}
