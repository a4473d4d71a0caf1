package webhooks

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/egress"
)

// Schemas tells what the checks of this area know of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	schema.Enum(b, scopes)
	schema.Enum(b, EventTypes())
	sent := []string{string(TestSent)} // nobody subscribes to it
	for _, t := range EventTypes() {
		sent = append(sent, string(t))
	}
	b.Has(reflect.TypeFor[Delivery](), schema.May("eventType", schema.Value{Enum: sent}))
	schema.Enum(b, deliveryStates)
	schema.Enum(b, outcomes)
	rules := problem.RulesOf(func(c *problem.Checks) { new(NewWebhook).check(&checks{*c}, egress.Guard{}) })
	b.Has(reflect.TypeFor[NewWebhook](), rules...)
	b.Has(reflect.TypeFor[WebhookPatch](), schema.Stays("active", schema.Value{}))
	for _, m := range rules {
		m.Required, m.Kept = false, m.Required
		b.Has(reflect.TypeFor[WebhookPatch](), m)
	}
}
