package twins

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// What a caller may do is judged in the transaction that acts on it. An authorizer
// of the program's own may answer from far away, and a transaction does not wait
// for it: where an answer is missing the transaction is given up, the question is
// asked outside, and the transaction begins anew with the answer.

// question asks whether the caller holds a permission.
type question struct {
	permission string
	at         twinplatform.Target
}

// answers are what another authorizer has said in the course of one call.
type answers map[question]bool

type answersKey struct{}

// unanswered gives a transaction up.
type unanswered []question

func (unanswered) Error() string { return "twins: an authorizer has still to be asked" }

// view runs fn over one state, in a context in which the caller is judged by that
// state.
func (s *Service) view(ctx context.Context, fn func(context.Context, *records.View) error) error {
	return s.judged(ctx, func(ctx context.Context) error {
		return s.db.View(ctx, func(v *records.View) error { return fn(v.Within(ctx), v) })
	})
}

// update runs fn in a transaction, in a context in which the caller is judged by
// what the transaction reads.
func (s *Service) update(ctx context.Context, fn func(context.Context, *records.Update) error) error {
	return s.judged(ctx, func(ctx context.Context) error {
		return s.db.Update(ctx, func(u *records.Update) error { return fn(u.Within(ctx), u) })
	})
}

// change is update for what may change who may do what. Within it, fn judges the
// caller before it writes: judgements are cached for the state at its beginning.
func (s *Service) change(ctx context.Context, fn func(context.Context, *records.Update) error) error {
	return s.update(ctx, func(ctx context.Context, u *records.Update) error {
		if err := fn(ctx, u); err != nil {
			return err
		}
		return newEpoch(u)
	})
}

// judged runs a transaction until no answer is missing.
func (s *Service) judged(ctx context.Context, transaction func(context.Context) error) error {
	if s.local {
		return transaction(ctx)
	}
	known := make(answers)
	for {
		err := transaction(context.WithValue(ctx, answersKey{}, known))
		open, ok := errors.AsType[unanswered](err)
		if !ok {
			return err
		}
		for _, q := range open {
			if known[q], err = s.env.Allowed(ctx, q.permission, q.at); err != nil {
				return err
			}
		}
	}
}

// authority says of permissions whether the caller holds them.
type authority map[string]bool

// holds says within a transaction which of the permissions the caller holds.
func (s *Service) holds(ctx context.Context, at twinplatform.Target, permissions ...string) (authority, error) {
	if s.local || s.unbound(ctx, at.AccountID) {
		return s.ask(ctx, at, permissions)
	}
	known, _ := ctx.Value(answersKey{}).(answers)
	held := make(authority, len(permissions))
	var open unanswered
	for _, permission := range permissions {
		q := question{permission, at}
		answer, ok := known[q]
		if held[permission] = answer; !ok {
			open = append(open, q)
		}
	}
	if open != nil {
		return nil, open
	}
	return held, nil
}

// ask asks the authorizer.
func (s *Service) ask(ctx context.Context, at twinplatform.Target, permissions []string) (held authority, err error) {
	held = make(authority, len(permissions))
	for _, permission := range permissions {
		if _, asked := held[permission]; asked {
			continue
		}
		if held[permission], err = s.env.Allowed(ctx, permission, at); err != nil {
			return nil, err
		}
	}
	return held, nil
}

// unbound reports whether the caller may do everything in an account: the system,
// and the organization's administrators.
func (s *Service) unbound(ctx context.Context, accountID string) bool {
	p, named := twinplatform.PrincipalFrom(ctx)
	return !named || s.env.Administers(p, accountID)
}
