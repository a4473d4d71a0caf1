package platform_test

import (
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
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
