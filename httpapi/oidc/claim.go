package oidc

import (
	"context"
	"encoding/json"
	"strings"

	goidc "github.com/coreos/go-oidc/v3/oidc"

	"github.com/seed-933f9a09/twinplatform"
)

// claims holds the claims of a token by their names, each as it is in JSON.
type claims map[string]json.RawMessage

// text is a claim that is a text; empty for others.
func (c claims) text(name string) (s string) {
	if json.Unmarshal(c[name], &s) != nil {
		return ""
	}
	return s
}

// list is a claim that is a list of texts, or a text with spaces between them.
func (c claims) list(name string) (all []string) {
	if json.Unmarshal(c[name], &all) != nil {
		return strings.Fields(c.text(name))
	}
	return all
}

// holds reports whether a claim is true, which some issuers write as a text.
func (c claims) holds(name string) bool {
	value := string(c[name])
	return value == "true" || value == `"true"`
}

func (c claims) first(names ...string) string {
	for _, name := range names {
		if s := c.text(name); s != "" {
			return s
		}
	}
	return ""
}

// principal is the bearer of a token that is good.
func (v *Verifier) principal(ctx context.Context, token *goidc.IDToken) (twinplatform.Principal, error) {
	if v.cfg.Principal != nil {
		return v.cfg.Principal(ctx, token)
	}
	var c claims
	if err := token.Claims(&c); err != nil {
		return twinplatform.Principal{}, refused("claims that cannot be read")
	}
	who := twinplatform.Principal{
		ID: token.Subject, DisplayName: c.first("name", "preferred_username"),
		Kind: twinplatform.User,
	}
	if who.AccountID = c.text(v.cfg.AccountClaim); who.AccountID == "" {
		who.AccountID = v.cfg.Account
	}
	switch {
	case who.ID == "":
		return twinplatform.Principal{}, refused("a token without sub")
	case who.AccountID == "":
		return twinplatform.Principal{}, refused("a token without " + v.cfg.AccountClaim)
	}
	if c.holds("email_verified") {
		who.Email = c.text("email")
	}
	if client := c.first("client_id", "azp"); client == who.ID {
		who.Kind = twinplatform.Service
	}
	who.Scopes = v.scopes(append(c.list("scope"), c.list("scp")...))
	if v.cfg.RolesClaim != "" {
		who.AdministratorRoles = v.roles(c.list(v.cfg.RolesClaim))
	}
	return who, nil
}

// roles are the administrator roles among those of a claim, which names roles of other
// programs as well.
func (v *Verifier) roles(claimed []string) (roles []twinplatform.AdministratorRole) {
	for _, name := range claimed {
		switch role := twinplatform.AdministratorRole(name); role {
		case "":
		case twinplatform.AccountAdministrator, twinplatform.CoAdministrator, v.cfg.AdministratorRole:
			roles = append(roles, role)
		}
	}
	return roles
}

// scopes are the platform's names of scopes that a token has.
func (v *Verifier) scopes(had []string) []string {
	if v.cfg.Scopes == nil {
		return had
	}
	var scopes []string
	for _, scope := range had {
		if ours, ok := v.cfg.Scopes[scope]; ok {
			scopes = append(scopes, ours)
		}
	}
	return scopes
}
