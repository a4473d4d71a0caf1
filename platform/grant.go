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
	"github.com/seed-933f9a09/twinplatform/twins"
)

// grantedMark is where the store keeps who was granted something.
const grantedMark = "examples/server/granted"

// grantRole is what the names of roles made for grants begin with.
const grantRole = "From the tokens file "

// grantee is a principal at a twin.
type grantee struct {
	TwinID      string `json:"twinId"`
	PrincipalID string `json:"principalId"`
}

// Grant makes what callers are granted roles and members of twins. What an earlier
// call granted and this one does not is taken away again; roles that members have
// from elsewhere stay. When the process dies in the middle of it, the next call
// goes on. A grant at a twin that is not there is logged alone, but the twin of a
// caller's account is made.
//
// It asks for no permission, whoever calls, and is for the program itself.
func (p *Platform) Grant(ctx context.Context, callers Callers) error {
	before, err := p.granted(ctx)
	if err != nil {
		return err
	}
	now := make(map[grantee][]string)
	for _, c := range callers {
		for _, g := range c.Grants {
			if at := (grantee{g.TwinID, c.Principal.ID}); len(g.Permissions) > 0 {
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
		return p.assign(ctx, at.TwinID, twinplatform.Principal{ID: at.PrincipalID}, "")
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
		p.cfg.Env.WithDefaults().Logger.WarnContext(ctx, "the tokens grant something at a twin that is not there", "twin", at.TwinID, "principal", at.PrincipalID)
		return nil
	}
	slices.Sort(permissions)
	role, err := p.roleFor(ctx, at.TwinID, slices.Compact(permissions))
	if err != nil {
		return err
	}
	return p.assign(ctx, at.TwinID, callers.principal(at.PrincipalID), role)
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

// assign gives a principal one role made for grants, or none, in the place of any
// other such role.
func (p *Platform) assign(ctx context.Context, twinID string, to twinplatform.Principal, role string) error {
	member, err := p.Twins.Member(ctx, twinID, to.ID)
	if errors.Is(err, twinplatform.NotFound) {
		if role == "" {
			return nil
		}
		return outcome(p.Twins.CreateMember(ctx, twinID, twins.NewMember{
			ID: to.ID, MemberType: to.Kind, DisplayName: twinplatform.NullString(to.DisplayName), RoleIDs: []string{role},
		}))
	}
	if err != nil {
		return err
	}
	roles, err := p.roles(ctx, twinID)
	if err != nil {
		return err
	}
	ids := slices.DeleteFunc(slices.Clone(member.Value.RoleIDs), func(id string) bool {
		i := slices.IndexFunc(roles, func(r twins.Role) bool { return r.ID == id })
		return i >= 0 && strings.HasPrefix(roles[i].DisplayName, grantRole)
	})
	if role != "" {
		ids = append(ids, role)
	}
	slices.Sort(ids)
	switch {
	case slices.Equal(ids, member.Value.RoleIDs):
		return nil
	case len(ids) == 0:
		return p.Twins.DeleteMember(ctx, twinID, to.ID)
	}
	return outcome(p.Twins.UpdateMember(ctx, twinID, to.ID, twins.MemberPatch{RoleIDs: twinplatform.Set(ids)}))
}
