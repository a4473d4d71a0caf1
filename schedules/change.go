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
type work struct {
	place
	// Begun is true once a first step was done.
	Begun   bool `json:"begun,omitempty"`
	Request any  `json:"request"` // points at it
	// Condition must hold of the records that the request changes, unless the request
	// has its own.
	Condition twinplatform.Condition `json:"condition,omitzero"`
}

// kind is a sort of change to a schedule: P is what it asks for, and T the type of
// the records that it writes.
type kind[P, T any] struct{ c *changeKind }

// changeKind is a kind with its types erased.
type changeKind struct {
	s    *Service
	job  *jobs.Untyped
	fits func(*Schedule) error // says which sorts of schedules take it; nil: all
	// replans says that an automatic schedule is rescheduled after it.
	replans bool
}

// change defines a sort of change. Its step runs in a transaction in which the
// schedule takes changes.
func change[P, T any](s *Service, name string, step func(*records.Update, *edit[P, T]) error) kind[P, T] {
	return kind[P, T]{s.defineChange(name, func() any { return new(P) }, func(u *records.Update, scope records.Scope, request any, cond twinplatform.Condition) (any, any, jobs.Progress, error) {
		e := edit[P, T]{Request: *request.(*P), scope: scope, condition: cond}
		err := step(u, &e)
		return &e.Request, e.Records, jobs.Done, err
	})}
}

// changeInSteps defines a sort of change that may be too large for one
// transaction. What its step changes of the request is what the next one gets.
func changeInSteps[P, T any](s *Service, name string, step func(*records.Update, *edit[P, T]) (jobs.Progress, error)) kind[P, T] {
	return kind[P, T]{s.defineChange(name, func() any { return new(P) }, func(u *records.Update, scope records.Scope, request any, cond twinplatform.Condition) (any, any, jobs.Progress, error) {
		e := edit[P, T]{Request: *request.(*P), scope: scope, condition: cond}
		p, err := step(u, &e)
		return &e.Request, e.Records, p, err
	})}
}

// only says which sorts of schedules take the change.
func (k kind[P, T]) only(fits func(*Schedule) error) kind[P, T] {
	k.c.fits = fits
	return k
}

// changeStep is a step of a change with its types erased. What request points at is not
// changed: next points at what the next step gets.
type changeStep func(u *records.Update, scope records.Scope, request any, cond twinplatform.Condition) (next, written any, p jobs.Progress, err error)

func (s *Service) defineChange(name string, fresh func() any, step changeStep) *changeKind {
	k := &changeKind{s: s}
	k.job = s.jobs.Define(name, func() any { return &work{Request: fresh()} }, func(u *records.Update, payload any) (next, written any, p jobs.Progress, err error) {
		w := *payload.(*work)
		sc, err := s.ready(u, w.place, w.Begun)
		if err != nil {
			return nil, nil, p, err
		}
		if whole, err := index(u, sc); !whole || err != nil {
			return payload, nil, p, err
		}
		w.Begun = true
		if k.replans && records.Far(u) {
			records.PrefetchLater(u, projectSchedulingRecords.Table().Need(sc.scope(), projectSchedulingID))
		}
		w.Request, written, p, err = step(u, w.Scope, w.Request, w.Condition)
		if err == nil && p.Done && k.replans {
			err = s.replan(u, sc)
		}
		return &w, written, p, err
	})
	return k
}

// edit is one step of a change: the request, where it applies, what must hold of the
// records that it changes, and what it wrote.
type edit[P, T any] struct {
	Request   P
	Records   []twinplatform.Record[T]
	scope     records.Scope
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
func (k kind[P, T]) start(ctx context.Context, scheduleID string, kept keep, subjects []string, request P, pre ...twinplatform.Precondition) (res twinplatform.Result[T], err error) {
	out, err := k.c.begin(ctx, k.c.job.Start, scheduleID, kept, subjects, &work{Request: &request, Condition: twinplatform.ConditionOf(pre...)})
	return jobs.Typed[T](&out), err
}

func (k *changeKind) start(ctx context.Context, scheduleID string, kept keep, subjects []string, request any, pre ...twinplatform.Precondition) (jobs.Outcome, error) {
	return k.begin(ctx, k.job.Start, scheduleID, kept, subjects, &work{Request: request, Condition: twinplatform.ConditionOf(pre...)})
}

// do makes a change before it returns, in background mode too.
func (k kind[P, T]) do(ctx context.Context, scheduleID string, subjects []string, request P, pre ...twinplatform.Precondition) (res twinplatform.Result[T], err error) {
	out, err := k.c.begin(ctx, k.c.job.Do, scheduleID, direct, subjects, &work{Request: &request, Condition: twinplatform.ConditionOf(pre...)})
	return jobs.Typed[T](&out), err
}

func (k *changeKind) begin(ctx context.Context, run func(context.Context, jobs.Spec, any) (jobs.Outcome, error), scheduleID string, kept keep, subjects []string, w *work) (out jobs.Outcome, err error) {
	var in records.Scope
	// Every change of a schedule takes its next revision.
	ctx = storage.WithContention(ctx, "schedules/"+scheduleID)
	err = k.s.bench().Call(ctx, func(j *judge.Judge) error {
		out, err = run(ctx, jobs.Spec{Subjects: unique(subjects), Keep: bool(kept), Open: func(u *records.Update) (records.Scope, error) {
			sc, err := k.s.changeable(u, j, scheduleID)
			if err == nil && k.fits != nil {
				err = k.fits(sc)
			}
			if err != nil {
				return "", err
			}
			w.place = sc.place()
			in = w.Scope
			return w.Scope, nil
		}}, w)
		return err
	})
	if k.replans {
		k.s.carry(ctx, in)
	}
	return out, err
}
