package platform

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// grantedMark is where the store keeps who was granted something.
const grantedMark = "examples/server/granted"

// grantRole is what the names of roles made for grants begin with.
const grantRole = "From the tokens file "

// grantee is a principal at a twin, or at a model of it.
type grantee struct {
	TwinID      string `json:"twinId"`
	PrincipalID string `json:"principalId"`
	ModelID     string `json:"modelId,omitempty"`
}

// Grant makes what callers are granted roles of twins, and members of twins and of
// models. What an earlier call granted and this one does not is taken away again; roles
// that members have from elsewhere stay. When the process dies in the middle of it, the
// next call continues. A grant at a twin that is not there, or at a model that the twin
// does not have, is logged alone, but the twin of a caller's account is made. Callers
// with an address are known by it from then on, with grants or without: see
// [twins.Service.Know].
//
// It checks no permissions, and is for the program itself. Several processes over one
// store may call it at once: what one grants the next finds.
func (p *Platform) Grant(ctx context.Context, callers Callers) error {
	return p.underLease(ctx, func(ctx context.Context) error { return p.grantAll(ctx, callers) })
}

func (p *Platform) grantAll(ctx context.Context, callers Callers) error {
	for _, c := range callers {
		if err := p.Twins.Know(ctx, c.Principal); err != nil {
			return err
		}
	}
	before, err := p.granted(ctx)
	if err != nil {
		return err
	}
	now := make(map[grantee][]string)
	for _, c := range callers {
		for _, g := range c.Grants {
			if at := (grantee{g.TwinID, c.Principal.ID, g.ModelID}); len(g.Permissions) > 0 {
				now[at] = append(now[at], g.Permissions...)
			}
		}
	}
	// Both are remembered until all is done, so that nothing that was granted is
	// forgotten when the process dies meanwhile.
	both := slices.DeleteFunc(before, func(at grantee) bool { return now[at] != nil })
	both = slices.AppendSeq(both, maps.Keys(now))
	if err := p.setGranted(ctx, both); err != nil {
		return err
	}
	for _, at := range both {
		if err := p.grant(ctx, callers, at, now[at]); err != nil {
			return fmt.Errorf("granting what the tokens say to %q at the twin %q: %w", at.PrincipalID, at.TwinID, err)
		}
	}
	return p.setGranted(ctx, slices.Collect(maps.Keys(now)))
}

func (p *Platform) granted(ctx context.Context) (list []grantee, err error) {
	text, err := p.mark(ctx, grantedMark)
	if err == nil {
		err = json.Unmarshal([]byte(cmp.Or(text, "[]")), &list)
	}
	return list, err
}

func (p *Platform) setGranted(ctx context.Context, list []grantee) error {
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return p.setMark(ctx, grantedMark, string(text))
}

// grant gives a principal the permissions at a twin, or takes away with none what
// was granted before.
func (p *Platform) grant(ctx context.Context, callers Callers, at grantee, permissions []string) error {
	if len(permissions) == 0 {
		return p.assign(ctx, at, twinplatform.Principal{ID: at.PrincipalID}, "")
	}
	for _, c := range callers {
		if c.Principal.AccountID == at.TwinID {
			// The twin of an account is made when it is first needed.
			if _, err := p.Twins.PrimaryAccount(twinplatform.WithPrincipal(ctx, c.Principal)); err != nil {
				return err
			}
			break
		}
	}
	_, ok, err := p.Twins.TwinAccount(ctx, at.TwinID)
	if err != nil {
		return err
	}
	if !ok {
		p.warn(ctx, "the tokens grant something at a twin that is not there", at)
		return nil
	}
	slices.Sort(permissions)
	role, err := p.roleFor(ctx, at.TwinID, slices.Compact(permissions))
	if err != nil {
		return err
	}
	return p.assign(ctx, at, callers.granted(at), role)
}

// warn logs a grant that had no effect.
func (p *Platform) warn(ctx context.Context, what string, at grantee) {
	about := []any{"twin", at.TwinID, "principal", at.PrincipalID}
	if at.ModelID != "" {
		about = append(about, "model", at.ModelID)
	}
	p.cfg.Env.WithDefaults().Logger.WarnContext(ctx, what, about...)
}

// roleFor returns the role of a twin for a set of permissions, and makes it what
// it has to be.
func (p *Platform) roleFor(ctx context.Context, twinID string, permissions []string) (id string, err error) {
	sum := sha256.Sum256([]byte(strings.Join(permissions, "\n")))
	name := grantRole + hex.EncodeToString(sum[:6])
	roles, err := p.roles(ctx, twinID)
	if err != nil {
		return "", err
	}
	for _, r := range roles {
		if r.DisplayName != name {
			continue
		}
		if !slices.Equal(r.Permissions, permissions) {
			_, err = p.Twins.UpdateRole(ctx, twinID, r.ID, twins.RolePatch{Permissions: twinplatform.Set(permissions)})
		}
		return r.ID, err
	}
	made, err := p.Twins.CreateRole(ctx, twinID, twins.NewRole{DisplayName: name, Permissions: permissions})
	return made.Value().ID, err
}

// assign gives a principal one role made for grants, or none, in place of any other such
// role.
func (p *Platform) assign(ctx context.Context, at grantee, to twinplatform.Principal, role string) error {
	members, err := p.membersAt(ctx, at, to)
	if err != nil {
		return err
	}
	if members == nil {
		if role != "" {
			p.warn(ctx, "the tokens grant something at a model that the twin does not have", at)
		}
		return nil
	}
	had, foreign, err := members.roleIDs()
	if errors.Is(err, twinplatform.NotFound) {
		if role == "" {
			return nil
		}
		return members.create(role)
	}
	if err != nil {
		return err
	}
	roles, err := p.roles(ctx, at.TwinID)
	if err != nil {
		return err
	}
	ids := slices.DeleteFunc(slices.Clone(had), func(id string) bool {
		i := slices.IndexFunc(roles, func(r twins.Role) bool { return r.ID == id })
		return i >= 0 && strings.HasPrefix(roles[i].DisplayName, grantRole)
	})
	if role != "" {
		ids = append(ids, role)
	}
	slices.Sort(ids)
	switch {
	case foreign && role != "":
		return p.readmit(ctx, at, members, ids)
	case slices.Equal(ids, had):
		return nil
	case len(ids) == 0:
		return members.remove()
	}
	return members.update(twinplatform.Set(ids))
}

// readmit makes a principal of the tokens file a member in place of one of another
// account with its id, or of an account that was not kept, unless someone else has given
// that one roles.
func (p *Platform) readmit(ctx context.Context, at grantee, members *memberships, ids []string) error {
	if len(ids) > 1 {
		p.warn(ctx, "the tokens grant something at a twin that has another member with the id of the principal", at)
		return nil
	}
	if err := members.remove(); err != nil {
		return err
	}
	return members.create(ids[0])
}

// memberships is what there is to do with a member of a twin or of a model.
type memberships struct {
	// roleIDs returns the roles of the member, and whether the member is of another
	// account.
	roleIDs func() (ids []string, foreign bool, err error)
	create  func(role string) error
	update  func(roleIDs twinplatform.Optional[[]string]) error
	remove  func() error
}

// membersAt are the members of a twin, or of a model of it; nil where there is no such
// model.
func (p *Platform) membersAt(ctx context.Context, at grantee, to twinplatform.Principal) (*memberships, error) {
	if at.ModelID != "" {
		return p.membersOfModel(ctx, at)
	}
	return &memberships{
		roleIDs: func() ([]string, bool, error) {
			rec, err := p.Twins.Member(ctx, at.TwinID, to.ID)
			if err != nil {
				return nil, false, err
			}
			account, _, err := p.Twins.TwinAccount(ctx, at.TwinID)
			return rec.Value.RoleIDs, account != "" && cmp.Or(rec.Value.AccountID, account) != to.AccountID, err
		},
		create: func(role string) error {
			return outcome(p.Twins.CreateMember(ctx, at.TwinID, twins.NewMember{
				ID: to.ID, MemberType: to.Kind, DisplayName: twinplatform.NullString(to.DisplayName),
				AccountID: to.AccountID, RoleIDs: []string{role},
			}))
		},
		update: func(ids twinplatform.Optional[[]string]) error {
			return outcome(p.Twins.UpdateMember(ctx, at.TwinID, to.ID, twins.MemberPatch{RoleIDs: ids}))
		},
		remove: func() error { return p.Twins.DeleteMember(ctx, at.TwinID, to.ID) },
	}, nil
}

// membersOfModel are the members of a model as the account of its twin knows it: an id
// of a model is unique within an account alone.
func (p *Platform) membersOfModel(ctx context.Context, at grantee) (*memberships, error) {
	areas, err := p.asSystem()
	if err != nil {
		return nil, err
	}
	registry := areas.Transform.Models()
	ctx, _ = areas.within(ctx, at.TwinID)
	rec, err := registry.Model(ctx, at.ModelID)
	switch {
	case errors.Is(err, twinplatform.NotFound), err == nil && rec.Value.TwinID != at.TwinID:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &memberships{
		roleIDs: func() ([]string, bool, error) {
			rec, err := registry.ModelMember(ctx, at.ModelID, at.PrincipalID)
			return rec.Value.RoleIDs, false, err
		},
		create: func(role string) error {
			return outcome(registry.CreateModelMember(ctx, at.ModelID,
				models.NewModelMember{ID: at.PrincipalID, RoleIDs: []string{role}}))
		},
		update: func(ids twinplatform.Optional[[]string]) error {
			return outcome(registry.UpdateModelMember(ctx, at.ModelID, at.PrincipalID,
				models.ModelMemberPatch{RoleIDs: ids}))
		},
		remove: func() error { return registry.DeleteModelMember(ctx, at.ModelID, at.PrincipalID) },
	}, nil
}
