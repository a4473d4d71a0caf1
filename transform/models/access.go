package models

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// RoleDirectory reports what the roles of twins hold, for the members of models. Like a
// TwinDirectory, one that is twinplatform.Transactional is asked within the transaction
// that acts on the answer, any other before it.
type RoleDirectory interface {
	// RolePermissions returns what a role of a twin holds; ok is false where the twin
	// has no such role.
	RolePermissions(ctx context.Context, twinID, roleID string) (permissions []string, ok bool, err error)
}

// modelPermissions are what roles can hold at a single model.
var modelPermissions = []string{PermissionModelsRead, PermissionModelsWrite}

// ModelPermissions returns the permissions that count at a single model.
func ModelPermissions() []string { return slices.Clone(modelPermissions) }

// access is a change of permissions at a model, within one transaction.
type access struct {
	caller

	u  *records.Update
	m  *Model
	at twinplatform.Target
	in records.Scope
}

// changeMembers runs fn in a transaction for a caller that manages the members of the
// twin of a model.
func (s *Service) changeMembers(ctx context.Context, modelID string,
	fn func(access) (twinplatform.Record[ModelMember], error),
) (twinplatform.Result[ModelMember], error) {
	ctx = s.reading(ctx, func(_ records.Reading,
		in records.Scope,
	) []records.Need {
		return modelMemberRecords.NeedsAll(in)
	})
	return judge.Write(ctx, s.bench,
		func(u *records.Update, j *judge.Judge) (rec twinplatform.Record[ModelMember], err error) {
			a := access{caller: caller{Judge: j, s: s, tx: u}, u: u}
			if a.m, err = a.visibleModel(modelID); err != nil {
				return rec, err
			}
			if a.at, _, err = a.TwinOf(a.m.AccountID, a.m.TwinID); err != nil {
				return rec, err
			}
			if err := problem.Needs(twinplatform.PermissionManageMembers).
				Unless(a.Allowed(twinplatform.PermissionManageMembers, a.at)); err != nil {
				return rec, err
			}
			if a.in, err = a.contentOf(u, a.m); err != nil {
				return rec, err
			}
			return fn(a)
		})
}

// mayGive fails unless the caller may give roles at the model: the twin must have each
// role, and no role may hold a permission there that the caller lacks. So no one raises
// their own rights by way of a member.
func (a access) mayGive(roleIDs []string) error {
	var checks problem.Checks
	for _, id := range roleIDs {
		_, there, err := a.permissionsOf(a.at.TwinID, id)
		if err != nil {
			return err
		}
		if !there {
			checks.Bad("roleIds", "The twin of the model has no role with the id '%s'.", id)
		}
	}
	if err := checks.Err(InvalidModelRequest); err != nil {
		return err
	}
	return a.mayTake(roleIDs)
}

// mayTake fails unless the caller holds what roles hold at the model.
func (a access) mayTake(roleIDs []string) error {
	for _, id := range roleIDs {
		held, _, err := a.permissionsOf(a.at.TwinID, id)
		if err != nil {
			return err
		}
		for _, permission := range held {
			if err := problem.Needs(permission).Unless(a.HoldsOn(a.at, a.m.ID, permission)); err != nil {
				return err
			}
		}
	}
	return nil
}

// without returns the ids that are not among others.
func without(ids, others []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(others, id) })
}

type roleOf struct{ twinID, roleID string }

// roleHolds is what a role holds at a model.
type roleHolds struct {
	permissions []string
	there       bool
}

// permissionsOf is what a role of a twin holds at a model of the twin. One that is not
// there holds nothing.
func (c caller) permissionsOf(twinID, roleID string) (permissions []string, there bool, err error) {
	roles := c.s.roles
	if roles == nil {
		return nil, false, nil
	}
	r, err := judge.Ask(c.Judge, roles, roleOf{twinID, roleID}, func(ctx context.Context) (r roleHolds, err error) {
		held, there, err := roles.RolePermissions(ctx, twinID, roleID)
		if err != nil || !there {
			return r, err
		}
		for _, permission := range modelPermissions {
			if slices.Contains(held, permission) {
				r.permissions = append(r.permissions, permission)
			}
		}
		r.there = true
		return r, nil
	})
	return r.permissions, r.there, err
}

// isIn reports whether a caller may be a member of models of a twin: as a principal of its
// account, or as one of another account that has come to the twin itself. A caller that adds
// members knows them by their ids alone, and asks nothing.
func (c caller) isIn(p twinplatform.Principal, target twinplatform.Target) (bool, error) {
	if target.AccountID == "" || target.AccountID == p.AccountID {
		return true, nil
	}
	return c.Allowed(PermissionProjectRead, target)
}

// holdsAsMember reports whether the caller holds one of the permissions by a role at a
// registered model of a project.
func (c caller) holdsAsMember(p twinplatform.Principal, target twinplatform.Target, modelID string,
	permissions []string,
) (bool, error) {
	if p.ID == "" {
		return false, nil
	}
	m, err := c.ModelOf(target, modelID)
	if m == nil || m.Content == "" || err != nil {
		return false, err
	}
	member, err := modelMemberRecords.Lookup(c.tx, m.content(), memberKey(p.ID))
	if member == nil || err != nil {
		return false, err
	}
	if in, err := c.isIn(p, target); !in || err != nil {
		return false, err
	}
	for _, id := range member.RoleIDs {
		held, _, err := c.permissionsOf(target.TwinID, id)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(permissions, func(permission string) bool { return slices.Contains(held, permission) }) {
			return true, nil
		}
	}
	return false, nil
}
