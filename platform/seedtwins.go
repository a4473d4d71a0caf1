package platform

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func (s *seeder) twins(w *World) []part {
	return partsOf(w.Twins, func(t *Twin) part {
		return part{
			id: t.key(), key: t.key(), at: t.CreatedDateTime, parent: t.ParentID,
			find: func(ctx context.Context) error { return outcome(s.Twins.Twin(ctx, t.key())) },
			make: func(ctx context.Context) error { return s.makeTwin(ctx, *t) },
		}
	})
}

func (s *seeder) makeTwin(ctx context.Context, t Twin) error {
	n := t.NewTwin
	if n.ID = t.key(); n.Class == "" {
		n.Class = twins.Endeavor
	}
	if n.DisplayName == "" {
		n.DisplayName = n.ID
	}
	n.CreatedBy = twinplatform.NullString(s.owner.ID)
	if t.CreatedBy.Present() {
		n.CreatedBy = twinplatform.NullString(t.CreatedBy.Or(""))
	}
	n.LastModifiedBy, n.LastModifiedDateTime = t.LastModifiedBy, t.LastModifiedDateTime
	account := t.TwinAccountID.Or("")
	if n.Class != twins.Account && account == "" && !t.TwinAccountID.IsNull() {
		account = s.owner.AccountID
	}
	switch n.ParentID {
	case "", account:
		n.ParentID, n.AccountID = "", account
	default:
		of, _, err := s.Twins.TwinAccount(ctx, n.ParentID)
		if err != nil {
			return err
		}
		if t.TwinAccountID.Or("") != "" && of != "" && of != account {
			return fmt.Errorf("its parent belongs to the account %q", of)
		}
	}
	return outcome(s.Twins.CreateTwin(ctx, n))
}

func (s *seeder) rolesOfTwins(w *World) []part {
	return partsOf(w.Roles, func(r *Role) part {
		return part{
			id: key(r.TwinID, r.DisplayName), key: key(r.TwinID, r.DisplayName),
			find: func(ctx context.Context) error { return outcome(s.roleIDs(ctx, r.TwinID, r.DisplayName)) },
			make: func(ctx context.Context) error { return outcome(s.Twins.CreateRole(ctx, r.TwinID, r.NewRole)) },
		}
	})
}

func (s *seeder) members(w *World) []part {
	return partsOf(w.Members, func(m *Member) part {
		return part{
			id: key(m.TwinID, m.ID), key: key(m.TwinID, m.ID), at: m.CreatedDateTime,
			find: func(ctx context.Context) error { return outcome(s.Twins.Member(ctx, m.TwinID, m.ID)) },
			make: func(ctx context.Context) error {
				n := m.NewMember
				ids, err := s.roleIDs(ctx, m.TwinID, m.Roles...)
				if err != nil {
					return err
				}
				n.RoleIDs, n.AccountID = append(ids, n.RoleIDs...), cmp.Or(m.AccountID, n.AccountID)
				return outcome(s.Twins.CreateMember(ctx, m.TwinID, n))
			},
		}
	})
}

func (s *seeder) groups(w *World) []part {
	return partsOf(w.Groups, func(g *Group) part {
		id := strings.ToLower(g.ID)
		return part{
			id: id, key: guidPattern.FindString(id), at: g.CreatedDateTime,
			find: func(ctx context.Context) error { return outcome(s.Twins.Group(ctx, g.TwinID, id)) },
			make: func(ctx context.Context) error {
				s.next = id
				res, err := s.Twins.CreateGroup(ctx, g.TwinID,
					twins.NewGroup{Name: g.Name, Description: g.Description, People: g.Members})
				return asChosen(id, res.Value().ID, err)
			},
		}
	})
}

func (s *seeder) groupMembers(w *World) []part {
	return partsOf(w.GroupMembers, func(m *GroupMember) part {
		id := strings.ToLower(m.GroupID)
		return part{
			id: key(m.TwinID, id), key: key(m.TwinID, id), at: m.CreatedDateTime,
			find: func(ctx context.Context) error { return outcome(s.Twins.GroupMember(ctx, m.TwinID, id)) },
			make: func(ctx context.Context) error {
				ids, err := s.roleIDs(ctx, m.TwinID, m.Roles...)
				if err != nil {
					return err
				}
				return outcome(s.Twins.AddGroupMembers(ctx, m.TwinID,
					[]twins.NewGroupMember{{GroupID: id, RoleIDs: ids}}))
			},
		}
	})
}

func (s *seeder) repositories(w *World) []part {
	return partsOf(w.Repositories, func(r *Repository) part {
		id := strings.ToLower(r.ID)
		return part{
			id: id, key: guidPattern.FindString(id),
			find: func(ctx context.Context) error { return outcome(s.Twins.Repository(ctx, r.TwinID, id)) },
			make: func(ctx context.Context) error {
				s.next = id
				res, err := s.Twins.CreateRepository(ctx, r.TwinID, r.NewRepository)
				return asChosen(id, res.Value().ID, err)
			},
		}
	})
}

func (s *seeder) repositoryResources(w *World) []part {
	return partsOf(w.RepositoryResources, func(r *RepositoryResource) part {
		id := key(key(r.TwinID, r.RepositoryID), r.ID)
		return part{
			id: id, key: id,
			find: func(ctx context.Context) error {
				return outcome(s.Twins.RepositoryResource(ctx, r.TwinID, r.RepositoryID, r.ID))
			},
			make: func(ctx context.Context) error {
				return outcome(s.Twins.CreateRepositoryResource(ctx, r.TwinID, r.RepositoryID, r.NewRepositoryResource))
			},
		}
	})
}

var errNoRole = &twinplatform.Error{
	Kind: twinplatform.NotFound, Code: "RoleNotFound", Target: "roles",
	Message: "The twin has no such role.",
}

// roleIDs are the ids of roles of a twin by their display names.
func (s *seeder) roleIDs(ctx context.Context, twinID string, names ...string) (ids []string, err error) {
	roles, err := s.roles(ctx, twinID)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		i := slices.IndexFunc(roles, func(r twins.Role) bool { return r.DisplayName == name })
		if i < 0 {
			return nil, fmt.Errorf("%q: %w", name, errNoRole)
		}
		ids = append(ids, roles[i].ID)
	}
	return ids, nil
}

// roles are all roles of a twin.
func (p *Platform) roles(ctx context.Context, twinID string) ([]twins.Role, error) {
	top := twins.MaxRoles
	page, err := p.Twins.Roles(ctx, twinID, twins.RoleQuery{ListOptions: options{Top: top}})
	if err != nil {
		return nil, err
	}
	return page.Values()
}
