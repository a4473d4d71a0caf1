package server

import (
	"context"
	"crypto/rand"
	"net"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// demoToken is what the demo principal's clients send where only this machine can
// reach the server.
const demoToken = "demo"

// demoPrincipal is who calls when no tokens file is given.
var demoPrincipal = twinplatform.Principal{
	ID:          "11111111-1111-4111-8111-111111111111",
	DisplayName: "Demo",
	AccountID:   "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
	Kind:        twinplatform.User,
	Scopes: []string{
		twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead,
		twinplatform.ScopeWebhooksModify,
	},
	AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
}

// demoCallers are one person, and the same as a service application, which
// webhooks are for, and whose token ends in -service.
func demoCallers(token string) platform.Callers {
	service := demoPrincipal
	service.ID, service.DisplayName, service.Kind = "22222222-2222-4222-8222-222222222222", "Demo service",
		twinplatform.Service
	return platform.Callers{{Token: token, Principal: demoPrincipal}, {Token: token + "-service", Principal: service}}
}

// demoTokenFor returns a token that everybody knows where only this machine can reach the
// server, and one that no one can guess elsewhere.
func demoTokenFor(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		return demoToken
	}
	return rand.Text()
}

// everything lets the demo callers do everything in every account.
type everything struct{}

// Allowed implements twinplatform.Authorizer.
func (everything) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	return true, nil
}
