package platform_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// busy is a platform over a store that makes the Updates of callers together, with one of
// everything that others lie below.
type busy struct {
	*platform.Platform

	store                                     *distant.Together
	twin, role, group, definition, form, view string
	repository                                string
}

func newBusy(ctx context.Context, t *testing.T) *busy {
	t.Helper()
	store := &distant.Together{Store: distant.Over(memory.New())}
	b := &busy{Platform: over(t, store, platform.Config{Webhooks: webhooks.Config{MaxPerTwin: -1}}), store: store}
	b.twin = newTwin(ctx, t, b.Platform)
	b.role = made[twinplatform.Result[twins.Role]](t)(b.Twins.CreateRole(ctx, b.twin, twins.NewRole{DisplayName: "Planner", Permissions: []string{schedules.PermissionRead}})).Value().ID
	b.group = made[twinplatform.Result[twins.Group]](t)(b.Twins.CreateGroup(ctx, b.twin, twins.NewGroup{Name: "Crew"})).Value().ID
	b.repository = made[twinplatform.Result[twins.Repository]](t)(b.Twins.CreateRepository(ctx, b.twin, twins.NewRepository{Class: "GIS", URI: "https://gis.example.com"})).Value().ID
	b.definition = made[twinplatform.Result[forms.FormDefinition]](t)(b.Forms.CreateFormDefinition(ctx, forms.NewFormDefinition{DisplayName: "RFI", Type: "RFI", Status: forms.Approved, TwinID: b.twin})).Value().ID
	b.form = made[twinplatform.Result[forms.Form]](t)(b.Forms.CreateForm(ctx, forms.NewForm{FormID: b.definition})).Value().ID
	for _, model := range []string{"source", "target"} {
		made[twinplatform.Result[models.Model]](t)(b.Transform.Models().CreateModel(ctx, models.NewModel{ID: model, TwinID: b.twin, DisplayName: model}))
	}
	made[webhooks.WebhookResult](t)(webhookOf(ctx, b, 0)) // events are recorded from now on
	b.view = made[twinplatform.Result[models.SavedView]](t)(b.Transform.Models().CreateSavedView(ctx, models.NewSavedView{ModelID: "source", DisplayName: "All", Shared: true})).Value().ID
	made[twinplatform.Result[schedules.Schedule]](t)(b.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: distantPlan, Name: "Plan", TwinID: b.twin}))
	return b
}

// webhookOf makes a webhook, as a service does.
func webhookOf(ctx context.Context, b *busy, n int) (webhooks.WebhookResult, error) {
	p, _ := twinplatform.PrincipalFrom(ctx)
	p.Kind = twinplatform.Service
	return b.Webhooks.CreateWebhook(twinplatform.WithPrincipal(ctx, p), webhooks.NewWebhook{
		CallbackURL: fmt.Sprintf("https://receiver.example.com/%d", n), Scope: webhooks.TwinScope, ScopeID: b.twin, EventTypes: []webhooks.EventType{event.TypeTwinCreated},
	})
}

// creates are the everyday calls that make the n-th of something, with the most journeys that
// several of them take together.
var creates = map[string]struct {
	most   int
	create func(ctx context.Context, b *busy, n int) error
}{
	"twin": {2, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprint("Tower ", n), Number: fmt.Sprint("T-", n*3)}))
	}},
	"twin below another": {2, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprint("Wing ", n), ParentID: b.twin}))
	}},
	"role": {4, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Twins.CreateRole(ctx, b.twin, twins.NewRole{DisplayName: fmt.Sprint("Role ", n), Permissions: []string{schedules.PermissionRead}}))
	}},
	// One journey asks whether events wait that webhooks judge by what was before.
	"member": {7, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Twins.CreateMember(ctx, b.twin, twins.NewMember{ID: fmt.Sprint("member-", n), RoleIDs: []string{b.role}}))
	}},
	"invitation": {7, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Twins.CreateInvitation(ctx, b.twin, twins.NewInvitation{Email: fmt.Sprintf("%d@example.com", n), RoleIDs: []string{b.role}}))
	}},
	"group": {4, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Twins.CreateGroup(ctx, b.twin, twins.NewGroup{Name: fmt.Sprint("Group ", n)}))
	}},
	"repository": {4, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Twins.CreateRepository(ctx, b.twin, twins.NewRepository{Class: "GIS", URI: fmt.Sprintf("https://gis.example.com/%d", n)}))
	}},
	"resource of a repository": {6, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Twins.CreateRepositoryResource(ctx, b.twin, b.repository, twins.NewRepositoryResource{ID: fmt.Sprint("layer-", n), DisplayName: fmt.Sprint("Layer ", n)}))
	}},
	"schedule": {6, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: fmt.Sprint("Plan ", n), TwinID: b.twin}))
	}},
	"task": {2, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Schedules.CreateTask(ctx, distantPlan, schedules.NewTask{Name: fmt.Sprint("Dig ", n), Type: schedules.Work, UserDefinedID: fmt.Sprint("U-", n*7)}))
	}},
	"form definition": {3, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Forms.CreateFormDefinition(ctx, forms.NewFormDefinition{DisplayName: fmt.Sprint("RFI ", n), Type: "RFI", TwinID: b.twin}))
	}},
	"form": {4, func(ctx context.Context, b *busy, _ int) error {
		return errOf(b.Forms.CreateForm(ctx, forms.NewForm{FormID: b.definition}))
	}},
	"comment": {2, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Forms.CreateComment(ctx, b.form, forms.NewComment{Text: fmt.Sprint("Why ", n, "?")}))
	}},
	"webhook": {6, func(ctx context.Context, b *busy, n int) error {
		return errOf(webhookOf(ctx, b, n))
	}},
	"reality data": {5, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.RealityData.CreateRealityData(ctx, realitydata.NewRealityData{DisplayName: fmt.Sprint("Scan ", n), Type: "LAS", TwinID: b.twin}))
	}},
	"detector": {5, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.RealityData.CreateDetector(ctx, realitydata.NewDetector{Name: fmt.Sprint("@acme/cracks-", n), Type: "PhotoObjectDetector"}))
	}},
	"model": {6, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Transform.Models().CreateModel(ctx, models.NewModel{TwinID: b.twin, DisplayName: fmt.Sprint("Model ", n)}))
	}},
	"saved view": {5, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Transform.Models().CreateSavedView(ctx, models.NewSavedView{ModelID: "source", DisplayName: fmt.Sprint("View ", n)}))
	}},
	"configuration": {6, func(ctx context.Context, b *busy, n int) error {
		return errOf(b.Transform.CreateConfiguration(ctx, transform.NewConfiguration{
			TransformName: fmt.Sprint("T ", n), SourceProjectID: b.twin, SourceModelID: "source", TargetProjectID: b.twin, TargetModelID: "target",
			Comment: "c", TransformParameters: &transform.NewParameters{SavedViewID: b.view},
		}))
	}},
}

// Those who make something at once in one account wait for each other and are served
// together: sixteen take as many journeys as two.
func TestWhatIsMadeTogetherTakesNoJourneyForEach(t *testing.T) {
	t.Parallel()
	for name, tt := range creates {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{
				ID: "boss", AccountID: account, Kind: twinplatform.User, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
				Scopes: []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksModify},
			})
			b := newBusy(ctx, t)
			made := 0
			journeys := func(callers int) int {
				made += callers
				return b.store.Each(callers, func(i int) {
					if err := tt.create(ctx, b, made-i); err != nil {
						t.Error(err)
					}
				})
			}
			journeys(2)
			two := journeys(2)
			b.store.Serial = func(keys []string, ranges []storage.Range) { t.Logf("read for one alone: %q %v", keys, ranges) }
			if sixteen := journeys(16); sixteen != two || two > tt.most {
				t.Errorf("two take %d journeys and sixteen %d, want %d at most", two, sixteen, tt.most)
			}
		})
	}
}
