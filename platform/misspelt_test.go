package platform_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// A permission that there is not grants nothing, or by its prefix more than was meant.
func TestMisspeltPermissionsAreRefusedByNameWhereverTheyAreGiven(t *testing.T) {
	t.Parallel()
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	seed(t, p, &platform.World{Twins: []platform.Twin{{ID: tower}}})
	for permission, near := range map[string]string{
		"schedule_read": "'schedules_read'", "Schedules_modify": "'schedules_modify'", "Forms_ModifyAcces": "'Forms_ModifyAccess'",
	} {
		role := twins.NewRole{DisplayName: "Reader", Permissions: []string{permission}}
		_, ofRole := p.Twins.CreateRole(t.Context(), tower, role)
		_, ofToken := platform.ReadCallers(strings.NewReader(
			`[{"token": "a", "principal": {"id": "b", "accountId": "c", "kind": "User"}, "grants": [{"twinId": "` + tower + `", "permissions": ["` + permission + `"]}]}]`))
		ofSeed := p.Seed(t.Context(), &platform.World{Roles: []platform.Role{{TwinID: tower, NewRole: role}}}, owner)
		for where, err := range map[string]error{"a role": ofRole, "a token": ofToken, "a seed": ofSeed} {
			if err == nil || !strings.Contains(err.Error(), "'"+permission+"'; did you mean "+near) {
				t.Errorf("%s with %s: %v", where, permission, err)
			}
		}
	}
}

// The bearer of a role that there is not would be refused everywhere, and no one would learn why.
func TestUnknownAdministratorRolesAreRefusedWithThoseThatThereAre(t *testing.T) {
	t.Parallel()
	p := opened(t, platform.Config{Env: twinplatform.Env{AdministratorRole: "Site Administrator"}})
	seed(t, p, &platform.World{Twins: []platform.Twin{{ID: tower}}})
	calls := map[string]func(context.Context) error{
		"make a twin": func(ctx context.Context) error {
			_, err := p.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Thing, DisplayName: "Hall"})
			return err
		},
		"list twins": func(ctx context.Context) error {
			_, err := p.Twins.Twins(ctx, twins.TwinQuery{})
			return err
		},
		"make a schedule": func(ctx context.Context) error {
			_, err := p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: tower})
			return err
		},
		"list schedules": func(ctx context.Context) error {
			_, err := p.Schedules.Schedules(ctx, schedules.ScheduleQuery{TwinID: tower})
			return err
		},
		"list forms": func(ctx context.Context) error {
			_, err := p.Forms.Forms(ctx, forms.FormQuery{TwinID: tower})
			return err
		},
		"make reality data": func(ctx context.Context) error {
			_, err := p.RealityData.CreateRealityData(ctx, realitydata.NewRealityData{DisplayName: "Scan", Type: "PointCloud", TwinID: tower})
			return err
		},
		"make a webhook": func(ctx context.Context) error {
			maker, _ := twinplatform.PrincipalFrom(ctx)
			maker.Kind, maker.Scopes = twinplatform.Service, []string{twinplatform.ScopeWebhooksModify}
			_, err := p.Webhooks.CreateWebhook(twinplatform.WithPrincipal(ctx, maker), webhooks.NewWebhook{
				CallbackURL: "https://receiver.example.com/", Scope: webhooks.AccountScope, EventTypes: []webhooks.EventType{"twins.twinCreated.v1"},
			})
			return err
		},
	}
	for _, role := range []twinplatform.AdministratorRole{"AccountAdministrator", "account administrator", "Site administrator", "Reader", ""} {
		for what, call := range calls {
			err := call(as(t, "ann", twinplatform.CoAdministrator, role))
			for _, named := range []string{`unknown administrator role "` + string(role) + `"`, `"Account Administrator", "Co-Administrator", and "Site Administrator"`} {
				if err == nil || !strings.Contains(err.Error(), named) {
					t.Errorf("%s as %q: %v, want an error with %s", what, role, err, named)
				}
			}
		}
	}
	for what, call := range calls {
		for _, role := range []twinplatform.AdministratorRole{twinplatform.AccountAdministrator, twinplatform.CoAdministrator, "Site Administrator"} {
			if err := call(as(t, "ann", role)); err != nil && strings.Contains(err.Error(), "unknown administrator role") {
				t.Errorf("%s as %q: %v", what, role, err)
			}
		}
	}
}
