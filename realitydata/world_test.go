package realitydata_test

import (
	"context"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// grants are what principals may do: principal, permission and twin.
type grants map[[3]string]bool

func (g grants) Allowed(_ context.Context, p twinplatform.Principal, permission string, at twinplatform.Target) (bool, error) {
	return g[[3]string{p.ID, permission, at.TwinID}], nil
}

// directory maps twins to their accounts.
type directory map[string]string

func (d directory) TwinAccount(_ context.Context, twinID string) (string, bool, error) {
	account, ok := d[twinID]
	return account, ok, nil
}

// world is a service with three twins, of which the last is another account's.
type world struct {
	*realitydata.Service
	t      *testing.T
	grants grants
	now    time.Time
}

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func newWorld(t *testing.T, containers realitydata.Containers) *world {
	t.Helper()
	w := &world{t: t, grants: grants{}, now: noon}
	w.Service = realitydata.New(storetest.New(t), realitydata.Config{
		Env:        twinplatform.Env{Authorizer: w.grants, Now: func() time.Time { return w.now }},
		Twins:      directory{"bridge": "acme", "road": "acme", "mine": "other"},
		Containers: containers,
	})
	if files, ok := containers.(*filestore.Store); ok {
		if err := files.Follow(t.Context(), w.Service); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// as is a user with permissions, each followed by the twin.
func (w *world) as(id string, permissions ...string) context.Context {
	for i := 0; i < len(permissions); i += 2 {
		w.grants[[3]string{id, permissions[i], permissions[i+1]}] = true
	}
	return twinplatform.WithPrincipal(w.t.Context(), twinplatform.Principal{ID: id, AccountID: "acme", Kind: twinplatform.User})
}

func (w *world) admin(account string) context.Context {
	return twinplatform.WithPrincipal(w.t.Context(), twinplatform.Principal{
		ID: "admin of " + account, AccountID: account, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
	})
}

// create makes reality data as the system.
func (w *world) create(n realitydata.NewRealityData) realitydata.RealityData {
	w.t.Helper()
	if n.TwinID == "" {
		n.TwinID = "bridge"
	}
	if n.DisplayName == "" {
		n.DisplayName = "Scan"
	}
	if n.Type == "" {
		n.Type = "LAS"
	}
	res, err := w.CreateRealityData(w.t.Context(), n)
	if err != nil {
		w.t.Fatalf("create %+v: %v", n, err)
	}
	return res.Value()
}
