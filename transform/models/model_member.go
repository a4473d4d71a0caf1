package models

import (
	"context"
	"errors"
	"net/url"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// Limits of the members of a model.
const (
	MaxModelMembers = 2_000 // members of one model
	MaxMemberRoles  = 100   // roles of one member
)

// ModelMember is a person, a service or a group who has roles at a single model. Of what the roles
// hold, PermissionModelsRead and PermissionModelsWrite count at the model, and each of them only
// for members whose roles at the twin, or at one above it, do not hold it anyway: so a member of a
// model never has less than without being one. They count for a principal of the account of the
// twin, and for one of another account that sees the twin.
type ModelMember struct {
	CreatedDateTime twinplatform.DateTime `json:"createdDateTime"` // when it became one
	Deleted         bool                  `json:"deleted"`         // true in deltas alone
	ID              string                `json:"id"`              // of the principal
	// RoleIDs are roles of the twin of the model, at least one, as they were sent. A role that
	// the twin has no more holds nothing.
	RoleIDs []string `json:"roleIds"`
}

var modelMemberRecords = records.Collection[ModelMember]{
	Name:        "model-members",
	ID:          func(m *ModelMember) string { return memberKey(m.ID) },
	MarkDeleted: func(m *ModelMember) { m.Deleted = true },
}

// memberKey is the id of the record of a member. Ids of principals come from elsewhere
// and may hold anything, a slash too.
func memberKey(principalID string) string { return url.PathEscape(principalID) }

// NewModelMember asks for a member of a model.
type NewModelMember struct {
	// ID identifies the principal. It is required and has at most 255 characters.
	ID string `json:"id"`
	// RoleIDs names at least one role of the twin of the model.
	RoleIDs []string `json:"roleIds"`
}

// ModelMemberPatch changes a member of a model: what is left out stays.
type ModelMemberPatch struct {
	RoleIDs twinplatform.Optional[[]string] `json:"roleIds,omitzero"` // in place of all; at least one is left
}

var modelMemberKind = entity.Kind[ModelMember, NewModelMember, ModelMemberPatch]{
	Records: &modelMemberRecords, One: "member", Many: "members", Resource: "member",
	Missing: problem.NotFound("TeamMemberNotFound", "memberId", "member of the model"), Bad: &InvalidModelRequest,
	Members: func(m *ModelMember, n *NewModelMember, p *ModelMemberPatch) []entity.Member {
		return []entity.Member{
			entity.Text("id", &m.ID, &n.ID, nil).Max(MaxName).Required().Valid((*problem.Checks).Segment),
			entity.Distinct("roleIds", &m.RoleIDs, &n.RoleIDs, &p.RoleIDs).Required().
				Valid(checkMemberRoles, schema.List(1, MaxMemberRoles,
					schema.Value{})).Refers(entity.Elsewhere("roles")),
		}
	},
	Taken: func(*ModelMember) error {
		return problem.Conflict("MemberExists", "id", "The principal is a member of the model already.")
	},
}

func checkMemberRoles(c *problem.Checks, name string, ids []string) {
	if len(ids) > MaxMemberRoles {
		c.Bad(name, "A member has %d roles at most.", MaxMemberRoles)
	}
}

// CreateModelMember gives a caller roles at a single model (POST
// /models/{modelId}/members). It needs PermissionManageMembers on the twin, and those of PermissionModelsRead and
// PermissionModelsWrite that the roles hold.
//
// Errors: InvalidModelRequest with MissingRequiredProperty (id, roleIds) or
// InvalidValue, also for a role that the twin does not have; ModelNotFound;
// InsufficientPermissions; MemberExists; LimitExceeded.
func (s *Service) CreateModelMember(ctx context.Context, modelID string,
	n NewModelMember,
) (res twinplatform.Result[ModelMember], err error) {
	m, err := modelMemberKind.Make(n)
	if err != nil {
		return res, err
	}
	m.CreatedDateTime = s.now()
	return s.changeMembers(ctx, modelID, func(a access) (rec twinplatform.Record[ModelMember], err error) {
		if err := a.mayGive(m.RoleIDs); err != nil {
			return rec, err
		}
		if err := a.room(); err != nil {
			return rec, err
		}
		return modelMemberKind.Insert(a.u, a.in, &m, &problem.Checks{})
	})
}

// room fails where the model has as many members as it may.
func (a access) room() error {
	count := 0
	for _, err := range modelMemberRecords.All(a.u, a.in, "") {
		if err != nil {
			return err
		}
		if count++; count >= MaxModelMembers {
			return errTooManyMembers
		}
	}
	return nil
}

var errTooManyMembers = problem.Conflict("LimitExceeded", "modelId", "The model has reached its limit of members.")

// UpdateModelMember changes the roles that a caller has at a model (PATCH
// /models/{modelId}/members/{memberId}). It needs PermissionManageMembers on the twin, and what the roles that are given or taken hold
// of PermissionModelsRead and PermissionModelsWrite.
//
// Errors: as CreateModelMember; TeamMemberNotFound; VersionMismatch.
func (s *Service) UpdateModelMember(ctx context.Context, modelID, memberID string, p ModelMemberPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[ModelMember], error) {
	return s.changeMembers(ctx, modelID, func(a access) (twinplatform.Record[ModelMember], error) {
		return modelMemberKind.Update(a.u, a.in, memberKey(memberID), twinplatform.ConditionOf(pre...), p,
			func(v, stored *ModelMember) error {
				if err := a.mayTake(without(stored.RoleIDs, v.RoleIDs)); err != nil {
					return err
				}
				return a.mayGive(without(v.RoleIDs, stored.RoleIDs))
			})
	})
}

// DeleteModelMember takes all roles at a model from a caller (DELETE
// /models/{modelId}/members/{memberId}); those at its twin stay.
// It needs PermissionManageMembers on the twin, and what the roles hold of
// PermissionModelsRead and PermissionModelsWrite.
//
// Errors: ModelNotFound; TeamMemberNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteModelMember(ctx context.Context, modelID, memberID string,
	pre ...twinplatform.Precondition,
) error {
	_, err := s.changeMembers(ctx, modelID, func(a access) (rec twinplatform.Record[ModelMember], err error) {
		cond := twinplatform.ConditionOf(pre...)
		return rec, modelMemberKind.Delete(a.u, a.in, memberKey(memberID), cond, func(stored *ModelMember) error {
			return a.mayTake(stored.RoleIDs)
		})
	})
	return err
}

// ModelMember returns a member of a model (GET /models/{modelId}/members/{memberId}). It needs PermissionModelsRead on the model
// or its twin. Errors: ModelNotFound; TeamMemberNotFound.
func (s *Service) ModelMember(ctx context.Context, modelID, memberID string) (twinplatform.Record[ModelMember], error) {
	ctx = s.reading(ctx, func(_ records.Reading, in records.Scope) []records.Need {
		return modelMemberRecords.Needs(in, memberKey(memberID))
	})
	return read(ctx, s, func(c caller) (rec twinplatform.Record[ModelMember], err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return rec, err
		}
		return modelMemberKind.Get(c.tx, m.content(), memberKey(memberID))
	})
}

// ModelMemberQuery selects the members of a model to list.
type ModelMemberQuery struct {
	twinplatform.ListOptions
}

// ModelMembers lists the members of a model by id (GET /models/{modelId}/members). Those of its twin, and of the twins
// above, are not among them. It needs PermissionModelsRead on the model or its twin.
//
// Errors: ModelNotFound; InvalidModelRequest with InvalidValue (top, continuation,
// delta).
func (s *Service) ModelMembers(ctx context.Context, modelID string, q ModelMemberQuery) (twinplatform.Page[ModelMember],
	error,
) {
	query := records.Query[ModelMember]{ListOptions: q.ListOptions}
	ctx = s.reading(ctx, func(tx records.Reading, in records.Scope) []records.Need {
		return modelMemberRecords.NeedsOfList(tx, in, query)
	})
	return read(ctx, s, func(c caller) (page twinplatform.Page[ModelMember], err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return page, err
		}
		return modelMemberKind.List(c.tx, m.content(), paging, query)
	})
}

// errPartOfRemoval refuses to take roles away where no one stops being a member.
var errPartOfRemoval = problem.Refuses("It is part of the removal of a member of the twin, and is done within its " +
	"transaction.")

// EndMembership implements twinplatform.MembershipHolder: it takes from a principal all
// roles at the models of a twin.
//
// Errors: InsufficientPermissions outside of the transaction of a removal.
func (s *Service) EndMembership(ctx context.Context, twinID, principalID string) error {
	err := s.db.Join(ctx, func(u *records.Update) error {
		for id := range modelRecords.IDs(u, area.AllAccounts, "twin", twinID) {
			m, err := modelRecords.Value(u, area.AllAccounts, id)
			if err != nil {
				return err
			}
			is, err := modelMemberRecords.Has(u, m.content(), memberKey(principalID))
			if is && err == nil {
				err = modelMemberRecords.Delete(u, m.content(), memberKey(principalID))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, records.ErrNotWithin) {
		return errPartOfRemoval
	}
	return err
}
