package httpapitest

import (
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Admin is a person who administers the account of the harness, and so may do
// everything but what is for applications.
func (*Harness) Admin() twinplatform.Principal {
	return twinplatform.Principal{
		ID: adminID, DisplayName: "Admin", AccountID: AccountID, Kind: twinplatform.User, Scopes: everyScope(),
		AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	}
}

// Token returns the token of a new application that holds the permissions, such as
// twinplatform.PermissionSchedulesRead, at every twin of the account, and nothing
// else. It panics where there is no permission of that name: a test that misspells one
// would hold nothing, or more than it means.
func (tw *Harness) Token(permissions ...string) string {
	mustBeKnown("permission", permissions, twins.Permissions())
	return tw.callers.tokenOf(tw.callers.permit(permissions))
}

// ExpiringToken is Token for one that is no longer good once so much time has gone
// by on the clock. It panics as Token does.
func (tw *Harness) ExpiringToken(after time.Duration, permissions ...string) string {
	mustBeKnown("permission", permissions, twins.Permissions())
	p := tw.callers.permit(permissions)
	tw.callers.add(p.ID, p, tw.Now().Add(after))
	return p.ID
}

// TokenOf returns a token of a principal, which need not have been known before. It panics
// where there is no scope of a name that the principal has.
func (tw *Harness) TokenOf(p twinplatform.Principal) string {
	mustBeKnown("scope", p.Scopes, twinplatform.Scopes())
	return tw.callers.tokenOf(p)
}

func mustBeKnown(what string, names, known []string) {
	for _, name := range names {
		if !slices.Contains(known, name) {
			panic("httpapitest: " + problem.Unknown(what, name, known))
		}
	}
}
