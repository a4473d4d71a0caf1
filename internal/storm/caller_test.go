package storm_test

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
)

// caller is someone who calls.
type caller struct {
	name      string
	principal *twinplatform.Principal // nil: the program itself
}

func (c caller) context(ctx context.Context) context.Context {
	if c.principal == nil {
		return ctx
	}
	return twinplatform.WithPrincipal(ctx, *c.principal)
}

const (
	bridges = "b0000000-0000-4000-8000-000000000001" // an account
	tunnels = "b0000000-0000-4000-8000-000000000002" // another
	guestID = "99999999-9999-4999-8999-999999999999"
)

// callers are every kind of them. The first calls most.
func callers() []caller {
	scopes := twinplatform.Scopes()
	administrator := []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}
	return []caller{
		{"an administrator", &twinplatform.Principal{
			ID: "11111111-1111-4111-8111-111111111111", DisplayName: "Ada", Email: "ada@example.com", AccountID: bridges, Kind: twinplatform.User,
			Scopes: scopes, AdministratorRoles: administrator,
		}},
		{"the system", nil},
		{"an application", &twinplatform.Principal{
			ID: "22222222-2222-4222-8222-222222222222", AccountID: bridges, Kind: twinplatform.Service, Scopes: scopes, AdministratorRoles: administrator,
		}},
		{"an administrator of another account", &twinplatform.Principal{
			ID: "33333333-3333-4333-8333-333333333333", DisplayName: "Élodie", Email: "elodie@example.com", AccountID: tunnels, Kind: twinplatform.User,
			Scopes: scopes, AdministratorRoles: administrator,
		}},
		{"a user of no account", &twinplatform.Principal{ID: "44444444-4444-4444-8444-444444444444", DisplayName: "Noa", Kind: twinplatform.User, Scopes: scopes}},
		{"an application of no account", &twinplatform.Principal{ID: "55555555-5555-4555-8555-555555555555", Kind: twinplatform.Service, Scopes: scopes}},
		{"a guest", &twinplatform.Principal{
			ID: guestID, DisplayName: "Guest", Email: "guest@example.com", AccountID: tunnels, Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform},
		}},
		{"a reader of one twin", &twinplatform.Principal{
			ID: "66666666-6666-4666-8666-666666666666", AccountID: bridges, Kind: twinplatform.Shared, Scopes: scopes,
			ReadOnly: &twinplatform.ReadOnly{TwinID: "00000001-0000-4000-8000-000000000000", Permissions: []string{"schedules_read", "twins_read"}},
		}},
		{"someone without a scope", &twinplatform.Principal{ID: "77777777-7777-4777-8777-777777777777", AccountID: bridges, Kind: twinplatform.User}},
		{"nobody", &twinplatform.Principal{}},
	}
}
