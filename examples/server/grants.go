package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// grantedKey is where the store keeps who was granted something by a tokens
// file.
const grantedKey = "examples/server/granted"

// grantRole is what the names of roles made for a tokens file begin with.
const grantRole = "From the tokens file "

// granting makes the grants of a tokens file roles and members of twins. What an
// earlier file granted and this one does not is taken away again; roles that
// members have from elsewhere stay.
type granting struct {
	store storage.Store
	svc   *twins.Service
	log   *slog.Logger
}

func (g *granting) apply(ctx context.Context, who *access) error {
	if who.demo {
		return nil // and what a file granted waits for the file
	}
	before, err := g.granted(ctx)
	if err != nil {
		return err
	}
	now := make(map[grantee]bool)
	for at, permissions := range who.grants {
		if len(permissions) > 0 {
			now[at] = true
		}
	}
	// Both are remembered until all is done, so that nothing that was granted is
	// forgotten when the process dies meanwhile.
	both := maps.Clone(now)
	maps.Copy(both, before)
	if err := g.setGranted(ctx, both); err != nil {
		return err
	}
	for at := range before {
		if !now[at] {
			if err := g.assign(ctx, at, twinplatform.Principal{}, ""); err != nil {
				return g.failed(at, err)
			}
		}
	}
	for at := range now {
		if err := g.grant(ctx, at, who); err != nil {
			return g.failed(at, err)
		}
	}
	return g.setGranted(ctx, now)
}

func (g *granting) failed(at grantee, err error) error {
	return fmt.Errorf("granting what the tokens say to %q at the twin %q: %w", at.PrincipalID, at.TwinID, err)
}

func (g *granting) grant(ctx context.Context, at grantee, who *access) error {
	for _, c := range who.callers {
		if c.principal.AccountID == at.TwinID {
			// The twin of an account is made when it is first needed.
			if _, err := g.svc.PrimaryAccount(twinplatform.WithPrincipal(ctx, c.principal)); err != nil {
				return err
			}
			break
		}
	}
	_, ok, err := g.svc.TwinAccount(ctx, at.TwinID)
	if err != nil {
		return err
	}
	if !ok {
		g.log.WarnContext(ctx, "the tokens grant something at a twin that is not there", "twin", at.TwinID, "principal", at.PrincipalID)
		return nil
	}
	role, err := g.role(ctx, at.TwinID, slices.Sorted(maps.Keys(who.grants[at])))
	if err != nil {
		return err
	}
	return g.assign(ctx, at, who.principal(at.PrincipalID), role)
}

// role returns the role of a twin for a set of permissions, and makes it what it
// has to be.
func (g *granting) role(ctx context.Context, twinID string, permissions []string) (id string, err error) {
	sum := sha256.Sum256([]byte(strings.Join(permissions, "\n")))
	name := grantRole + hex.EncodeToString(sum[:6])
	roles, err := g.roles(ctx, twinID)
	if err != nil {
		return "", err
	}
	for _, r := range roles {
		if r.DisplayName != name {
			continue
		}
		if !slices.Equal(r.Permissions, permissions) {
			_, err = g.svc.UpdateRole(ctx, twinID, r.ID, twins.RolePatch{Permissions: twinplatform.Set(permissions)})
		}
		return r.ID, err
	}
	made, err := g.svc.CreateRole(ctx, twinID, twins.NewRole{DisplayName: name, Permissions: permissions})
	return made.Value().ID, err
}

// assign gives a principal one role made for a tokens file, or none, in the place
// of any other such role.
func (g *granting) assign(ctx context.Context, at grantee, p twinplatform.Principal, role string) error {
	member, err := g.svc.Member(ctx, at.TwinID, at.PrincipalID)
	if errors.Is(err, twinplatform.NotFound) {
		if role == "" {
			return nil
		}
		_, err = g.svc.CreateMember(ctx, at.TwinID, twins.NewMember{
			ID: p.ID, MemberType: p.Kind, DisplayName: twinplatform.NullString(p.DisplayName), RoleIDs: []string{role},
		})
		return err
	}
	if err != nil {
		return err
	}
	roles, err := g.roles(ctx, at.TwinID)
	if err != nil {
		return err
	}
	ours := make(map[string]bool)
	for _, r := range roles {
		ours[r.ID] = strings.HasPrefix(r.DisplayName, grantRole)
	}
	ids := slices.DeleteFunc(slices.Clone(member.Value.RoleIDs), func(id string) bool { return ours[id] })
	if role != "" {
		ids = append(ids, role)
	}
	slices.Sort(ids)
	switch {
	case slices.Equal(ids, member.Value.RoleIDs):
		return nil
	case len(ids) == 0:
		return g.svc.DeleteMember(ctx, at.TwinID, at.PrincipalID)
	}
	_, err = g.svc.UpdateMember(ctx, at.TwinID, at.PrincipalID, twins.MemberPatch{RoleIDs: twinplatform.Set(ids)})
	return err
}

// roles are all roles of a twin.
func (g *granting) roles(ctx context.Context, twinID string) ([]twins.Role, error) {
	top := twins.MaxRoles
	page, err := g.svc.Roles(ctx, twinID, twins.RoleQuery{ListOptions: twinplatform.ListOptions{Top: &top}})
	if err != nil {
		return nil, err
	}
	return page.Values()
}

func (g *granting) granted(ctx context.Context) (map[grantee]bool, error) {
	var text []byte
	err := g.store.View(ctx, func(r storage.Reader) (err error) {
		text, err = r.Get(grantedKey)
		if errors.Is(err, storage.ErrNotFound) {
			text, err = []byte("[]"), nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var list []grantee
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("reading what was granted: %w", err)
	}
	set := make(map[grantee]bool, len(list))
	for _, at := range list {
		set[at] = true
	}
	return set, nil
}

func (g *granting) setGranted(ctx context.Context, set map[grantee]bool) error {
	text, err := json.Marshal(slices.Collect(maps.Keys(set)))
	if err != nil {
		return err
	}
	return g.store.Update(ctx, func(w storage.Writer) error { return w.Put(grantedKey, text) })
}
