package console_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// history makes a model with a changeset of each of so many people, and one of the owner.
// All of them may change it, and the first are named members.
func (w *world) history(people int) (model string) {
	w.t.Helper()
	ctx := twinplatform.WithPrincipal(w.t.Context(), w.tokens[ownerToken])
	made, err := w.platform.Transform.Models().CreateModel(
		ctx, models.NewModel{TwinID: planTwin, DisplayName: "Frame of the tower"},
	)
	if err != nil {
		w.t.Fatal(err)
	}
	model = made.Value().ID
	role, err := w.platform.Twins.CreateRole(
		ctx, planTwin,
		twins.NewRole{
			DisplayName: "Modellers",
			Permissions: []string{
				twinplatform.PermissionModelsRead, twinplatform.PermissionModelsWrite, twinplatform.PermissionTwinsRead,
			},
		},
	)
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range people {
		id := fmt.Sprintf("90000000-0000-4000-8000-%012d", i)
		_, err := w.platform.Twins.AddMembers(
			ctx, planTwin,
			twins.NewMembers{Members: []twins.NewMember{
				{ID: id, DisplayName: twinplatform.NullString(fmt.Sprint("Person ", i)), RoleIDs: []string{role.Value().ID}},
			}},
		)
		if err != nil {
			w.t.Fatal(err)
		}
		one := twinplatform.WithPrincipal(w.t.Context(), principal(id, ownAccount))
		if _, err := w.platform.Transform.Models().CreateChangeset(
			one, model,
			models.NewChangeset{Inserted: []models.NewElement{{ID: fmt.Sprint("e", i), Class: "Door", Category: "doors"}}},
		); err != nil {
			w.t.Fatal(err)
		}
	}
	return model
}

func TestNamesAreShownNextToIds(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	model := w.history(3)
	page := w.browser().text("/console/browse/models/"+model+"/changesets", http.StatusOK)
	for _, want := range []string{
		"Person 0 90000000-0000-4000-8000-000000000000", "Person 2 90000000", "Frame of the tower",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the history has no %q: %s", want, page)
		}
	}
	if page := w.browser().text(
		"/console/browse/models?twinId="+planTwin, http.StatusOK,
	); !strings.Contains(page, "Twins Multiproject j30 Models") {
		t.Errorf("the way to the models is %s", page)
	}
	if page := w.browser().text(
		"/console/schedules/"+w.plan("Works")+"/operations", http.StatusOK,
	); !strings.Contains(page, "Schedules Multiproject j30 Works") {
		t.Errorf("the way to the schedule is %s", page)
	}
}

func TestPagesLookUpFewNames(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	looks := 0
	w := open(t, func(cfg *console.Config) {
		demo(cfg)
		cfg.API.Authenticator = counting{cfg.API.Authenticator, &looks}
	})
	model := w.history(40)
	looks = 0
	page := w.browser().text("/console/browse/models/"+model+"/changesets", http.StatusOK)
	named := strings.Count(page, "Person ")
	if named == 0 || named > 20 || strings.Count(page, "90000000-0000-4000-8000-") != 40 {
		t.Errorf("%d of 40 people have names", named)
	}
	if looks > 25 { // each question of the API asks once who it is from
		t.Errorf("the page has asked %d questions", looks)
	}
}

type counting struct {
	httpapi.Authenticator
	asked *int
}

func (c counting) Authenticate(r *http.Request) (twinplatform.Principal, error) {
	*c.asked++
	return c.Authenticator.Authenticate(r)
}
