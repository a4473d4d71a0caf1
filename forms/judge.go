package forms

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// judge says, within the transaction that acts on it, which twins there are and
// what the caller may do in them. What answers from the store is read through
// that very transaction. What answers from elsewhere is never asked there, for
// the store has one writer: the transaction is given up, the question asked, and
// the transaction begun anew with the answer.
type judge struct {
	s       *Service
	tx      records.Reading
	ctx     context.Context // within tx
	caller  twinplatform.Principal
	limited bool // by what it may do; the system is not
	heard   *heard
}

// heard is what was answered from outside the store, for one call.
type heard struct {
	held  map[question]bool
	twins map[string]directoryEntry
}

type question struct{ permission, twinID string }

type directoryEntry struct {
	accountID string
	ok        bool
}

// unanswered ends a transaction that needs an answer from outside the store.
type unanswered struct{ ask func(context.Context) error }

func (*unanswered) Error() string { return "forms: a question is to be asked outside the transaction" }

// view runs fn over one committed state.
func (s *Service) view(ctx context.Context, fn func(*records.View, *judge) error) error {
	return answered(ctx, func(h *heard) error {
		return s.db.View(ctx, func(v *records.View) error { return fn(v, s.judge(ctx, v, h)) })
	})
}

// update runs fn in a transaction that writes. fn may run again.
func (s *Service) update(ctx context.Context, fn func(*records.Update, *judge) error) error {
	return answered(ctx, func(h *heard) error {
		return s.db.Update(ctx, func(u *records.Update) error { return fn(u, s.judge(ctx, u, h)) })
	})
}

// answered runs a transaction again until it has all the answers that it needs.
func answered(ctx context.Context, run func(*heard) error) error {
	h := &heard{held: make(map[question]bool), twins: make(map[string]directoryEntry)}
	for {
		err := run(h)
		q, ok := errors.AsType[*unanswered](err)
		if !ok {
			return err
		}
		if err := q.ask(ctx); err != nil {
			return err
		}
	}
}

// transaction is one that reads, or one that reads and writes.
type transaction interface {
	records.Reading
	Within(ctx context.Context) context.Context
}

func (s *Service) judge(ctx context.Context, tx transaction, h *heard) *judge {
	j := &judge{s: s, tx: tx, ctx: tx.Within(ctx), heard: h}
	j.caller, j.limited = twinplatform.PrincipalFrom(ctx)
	return j
}

// account returns the account of a twin, and whether there is such a twin.
func (j *judge) account(twinID string) (accountID string, ok bool, err error) {
	switch directory := j.s.cfg.Twins; {
	case directory == nil:
		return "", true, nil
	case transactional(directory):
		return directory.TwinAccount(j.ctx, twinID)
	}
	if e, known := j.heard.twins[twinID]; known {
		return e.accountID, e.ok, nil
	}
	return "", false, &unanswered{func(ctx context.Context) error {
		var e directoryEntry
		if e.accountID, e.ok, err = j.s.cfg.Twins.TwinAccount(ctx, twinID); err != nil {
			return err
		}
		j.heard.twins[twinID] = e
		return nil
	}}
}

// allowed reports whether the caller holds one of the permissions on a twin.
func (j *judge) allowed(target twinplatform.Target, permissions []string) (bool, error) {
	if a := j.s.env.Authorizer; a == nil || transactional(a) {
		return j.firstHeld(j.ctx, target, permissions, nil)
	}
	missing := false
	for _, p := range permissions {
		held, known := j.heard.held[question{p, target.TwinID}]
		if held {
			return true, nil
		}
		missing = missing || !known
	}
	if !missing {
		return false, nil
	}
	return false, &unanswered{func(ctx context.Context) error {
		_, err := j.firstHeld(ctx, target, permissions, j.heard.held)
		return err
	}}
}

// firstHeld asks for one permission after the other until one is held, and notes
// the answers.
func (j *judge) firstHeld(ctx context.Context, target twinplatform.Target, permissions []string, notes map[question]bool) (bool, error) {
	for _, p := range permissions {
		held, err := j.s.env.Allowed(ctx, p, target)
		if err != nil {
			return false, err
		}
		if notes != nil {
			notes[question{p, target.TwinID}] = held
		}
		if held {
			return true, nil
		}
	}
	return false, nil
}

// transactional reports whether an authorizer or a directory answers through the
// transaction that its context carries.
func transactional(a any) bool {
	_, ok := a.(twinplatform.Transactional)
	return ok
}
