package twins_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestUnknownPermissionsOfRolesAreRefusedWithTheNearestKnownName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{Permissions: []string{"my-own.permission:x"}})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role, err := w.CreateRole(admin(t), twin.ID, twins.NewRole{DisplayName: "own", Permissions: []string{"my-own.permission:x"}})
	mustNot(t, err)
	for name, near := range map[string]string{
		"Forms_Veiw": "Forms_ViewAccess", "schedule_read": "schedules_read", "Schedules_Read": "schedules_read",
		"schedules_read ": "schedules_read", "my-own.permision:x": "my-own.permission:x", "*": "", "twins_delete": "",
	} {
		_, created := w.CreateRole(admin(t), twin.ID, twins.NewRole{DisplayName: "r", Permissions: []string{"twins_read", name}})
		_, updated := w.UpdateRole(admin(t), twin.ID, role.Value().ID, twins.RolePatch{Permissions: twinplatform.Set([]string{name})})
		for _, err := range []error{created, updated} {
			wantProblem(t, err, twinplatform.Unprocessable, "InvalidAccessControlRequest : InvalidValue permissions")
			e, ok := errors.AsType[*twinplatform.Error](err)
			if well := !strings.ContainsAny(name, " *"); well && (!ok || len(e.Details) != 1 || !strings.Contains(e.Details[0].Message, "'"+near)) {
				t.Errorf("%s: %v does not name %s", name, err, near)
			}
		}
	}
}
