package twins

import (
	"context"
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// No principal gives or takes what it does not hold: one that makes, changes or assigns
// a role needs the permissions of the role at the twin. So the right to manage
// members or roles is not by itself the right to everything.

// change runs fn in a transaction that may change who may do what. fn judges the
// caller before it writes: judgements are cached for the state at its beginning.
func (s *Service) change(ctx context.Context, fn func(*records.Update, *judge.Judge) error) error {
	return s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error {
		if err := fn(u, j); err != nil {
			return err
		}
		return completed(u, j)
	})
}

// completed ends a transaction that has changed something.
func completed(u *records.Update, j *judge.Judge) error {
	if p, named := j.Caller(); named {
		if err := remember(u, p); err != nil {
			return err
		}
	}
	return newEpochs(u)
}

// changeOne is change for what writes one record.
func changeOne[T any](
	ctx context.Context, s *Service, fn func(*records.Update, *judge.Judge) (twinplatform.Record[T], error),
) (twinplatform.Result[T], error) {
	return judge.Write(ctx, s.bench, func(u *records.Update, j *judge.Judge) (rec twinplatform.Record[T], err error) {
		if rec, err = fn(u, j); err == nil {
			err = completed(u, j)
		}
		return rec, err
	})
}

// read runs fn over a twin that the caller may see.
func (s *Service) read(ctx context.Context, twinID string,
	fn func(*records.View, twinplatform.Record[Twin]) error,
) error {
	return s.bench.View(ctx, func(v *records.View, j *judge.Judge) error {
		rec, err := visible(v, j, twinID)
		if err != nil {
			return err
		}
		return fn(v, rec)
	})
}

// visible returns a twin that the caller may see. To everybody else it does not
// exist.
func visible(tx records.Reading, j *judge.Judge, twinID string) (rec twinplatform.Record[Twin], err error) {
	records.DeclareIn(tx, allAccounts)
	j.Expect(twinplatform.Target{TwinID: twinID})
	rec, err = twinRecords.Get(tx, allAccounts, twinID)
	if err != nil {
		return rec, twinMissing.Or(err)
	}
	sees, err := j.Allowed(PermissionRead, rec.Value.target())
	if err == nil && !sees {
		err = twinMissing.Err()
	}
	if err != nil {
		return twinplatform.Record[Twin]{}, err
	}
	return rec, nil
}

// permitted returns a twin at which the caller holds the permission. One that it
// may not even see does not exist.
func permitted(tx records.Reading, j *judge.Judge, twinID, permission string) (*Twin, error) {
	rec, err := visible(tx, j, twinID)
	if err != nil {
		return nil, err
	}
	return &rec.Value, requireAll(j, rec.Value.target(), permission)
}

// requireAll fails with InsufficientPermissions unless the caller holds all of
// the permissions.
func requireAll(j *judge.Judge, at twinplatform.Target, permissions ...string) error {
	all, err := j.AllowedAll(at, permissions...)
	if err != nil || all {
		return err
	}
	var missing []string
	for _, p := range permissions {
		switch held, err := j.Allowed(p, at); {
		case err != nil:
			return err
		case !held && !slices.Contains(missing, p):
			missing = append(missing, p)
		}
	}
	return problem.Lacks(missing...)
}

// assignable returns roles of a twin that the caller may give and take, and fails
// with InsufficientPermissions when there are others among them.
func assignable(tx records.Reading, j *judge.Judge, t *Twin, roleIDs []string) ([]*Role, error) {
	roles, err := rolesOf(tx, t.ID, roleIDs)
	if err != nil {
		return nil, err
	}
	var held []string
	for _, r := range roles {
		held = append(held, r.holds()...)
	}
	return roles, requireAll(j, t.target(), held...)
}

// parentFor returns the account of a twin below which the caller may make twins.
func parentFor(tx records.Reading, j *judge.Judge, twinID string) (accountID string, err error) {
	parent, err := visible(tx, j, twinID)
	if err == nil {
		return parent.Value.account(), requireAll(j, parent.Value.target(), PermissionCreate)
	}
	if !errors.Is(err, twinplatform.NotFound) {
		return "", err
	}
	if p, ok := j.Caller(); ok && p.AccountID == twinID {
		// The own account is no secret, whether or not its twin was made yet.
		return accountFor(j, p)
	}
	return "", parentMissing.Err()
}

// accountFor returns the account of a caller that may make twins in it.
func accountFor(j *judge.Judge, p twinplatform.Principal) (string, error) {
	if p.AccountID == "" {
		return "", problem.Refuses("The caller belongs to no account.")
	}
	return p.AccountID, requireAll(j, twinplatform.Target{TwinID: p.AccountID, AccountID: p.AccountID},
		PermissionCreate)
}

// unbound reports whether the caller may do everything in an account: the system,
// and the organization's administrators.
func (s *Service) unbound(j *judge.Judge, accountID string) bool {
	p, named := j.Caller()
	return !named || s.env.Administers(p, accountID)
}

// callerID is the id of the caller; the system has none.
func callerID(j *judge.Judge) string {
	p, _ := j.Caller()
	return p.ID
}
