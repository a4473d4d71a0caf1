package platform_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/platform"
)

func TestUnknownNamesInATokensFileAreRefusedWithTheNearestKnownOne(t *testing.T) {
	t.Parallel()
	read := func(scope, permission string, own ...string) error {
		_, err := platform.ReadCallersWith(strings.NewReader(fmt.Sprintf(`[{"token": "t", "principal": {"id": "a", "accountId": "b", "kind": "User", "scopes": [%q]},
			"grants": [{"twinId": "c", "permissions": [%q]}]}]`, scope, permission)), own...)
		return err
	}
	for name, tt := range map[string]struct{ scope, permission, near string }{
		"known":          {"twin-platform", "schedules_read", ""},
		"permission":     {"twin-platform", "schedule_read", "'schedules_read'"},
		"case":           {"twin-platform", "forms_viewaccess", "'Forms_ViewAccess'"},
		"scope":          {"twin_platform", "schedules_read", "'twin-platform'"},
		"case of scope":  {"Webhooks:Read", "schedules_read", "'webhooks:read'"},
		"not of program": {"twin-platform", "cranes_move", "'"},
	} {
		err := read(tt.scope, tt.permission)
		if tt.near == "" && err != nil || tt.near != "" && (err == nil || !strings.Contains(err.Error(), "did you mean "+tt.near)) {
			t.Errorf("%s: %v; want %q", name, err, tt.near)
		}
	}
	if err := read("twin-platform", "cranes_move", "cranes_move"); err != nil {
		t.Errorf("a permission of the program: %v", err)
	}
}
