package httpapitest

import (
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// Admin is a person who administers the account of the harness, and so may do
// everything but what is for applications.
func (*Harness) Admin() twinplatform.Principal {
	return twinplatform.Principal{
		ID: adminID, DisplayName: "Admin", AccountID: AccountID, Kind: twinplatform.User, Scopes: everyScope(),
		AdministratorRoles: []string{twinplatform.AccountAdministrator},
	}
}

// Token returns the token of a new application that holds the permissions, such as
// twinplatform.PermissionSchedulesRead, at every twin of the account, and nothing
// else.
func (tw *Harness) Token(permissions ...string) string {
	return tw.callers.tokenOf(tw.callers.permit(permissions))
}

// ExpiringToken is Token for one that is no longer good once so much time has gone
// by on the clock.
func (tw *Harness) ExpiringToken(after time.Duration, permissions ...string) string {
	p := tw.callers.permit(permissions)
	tw.callers.add(p.ID, p, tw.Now().Add(after))
	return p.ID
}

// TokenOf returns a token of a principal, which need not have been known before.
func (tw *Harness) TokenOf(p twinplatform.Principal) string { return tw.callers.tokenOf(p) }
