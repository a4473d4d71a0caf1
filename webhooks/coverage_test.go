package webhooks_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// acmeTwins is a directory in which every twin belongs to acme.
type acmeTwins struct{}

func (acmeTwins) TwinAccount(context.Context, string) (string, bool, error) { return "acme", true, nil }

// covers: Events
func TestWebhookSubscribesToEveryDocumentedEventType(t *testing.T) {
	t.Parallel()
	svc := webhooks.New(memory.New(), webhooks.Config{Twins: acmeTwins{}})
	ctx := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{
		ID: "app", AccountID: "acme", Kind: twinplatform.Service, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
		Scopes: []string{twinplatform.ScopeWebhooksModify},
	})
	for name := range strings.FieldsSeq(`models.modelDeleted.v1 models.modelCreated.v1 models.namedVersionCreated.v1 models.changesReady.v1
		accessControl.memberAdded.v1 accessControl.invitationCreated.v1 accessControl.memberRemoved.v1 accessControl.roleAssigned.v1 accessControl.roleUnassigned.v1
		twins.twinCreated.v1 twins.twinDeleted.v1 twins.twinUpdated.v1
		synchronization.jobCompleted.v1 transformations.jobCompleted.v1 realityModeling.jobCompleted.v1 realityAnalysis.jobCompleted.v1 realityConversion.jobCompleted.v1
		changedElements.jobCompleted.v1 changedElements.jobCompleted.v2`) {
		want := []webhooks.EventType{webhooks.EventType(name)}
		made, err := svc.CreateWebhook(ctx, webhooks.NewWebhook{
			CallbackURL: "https://receiver.example.com/events", Scope: webhooks.TwinScope, ScopeID: "tower", EventTypes: want,
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, made.Value().EventTypes); diff != "" {
			t.Error(diff)
		}
	}
}
