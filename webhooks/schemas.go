package webhooks

import (
	"reflect"

	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/egress"
)

// Schemas returns what the checks of this area declare of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	schema.Enum(b, scopes)
	schema.Enum(b, EventTypes())
	sent := []string{string(TestSent)} // no one subscribes to it
	for _, t := range EventTypes() {
		sent = append(sent, string(t))
	}
	b.Has(reflect.TypeFor[Delivery](), schema.May("eventType", schema.Value{Enum: sent}),
		schema.Refers("webhookId", webhookRecords.Name),
		schema.NotRef("messageId", "receivers know the delivery by it"))
	schema.Enum(b, deliveryStates)
	schema.Enum(b, outcomes)
	schema.Enum(b, causes)
	k := webhookKind(egress.Guard{})
	k.DescribeRequest(b)
	k.DescribePatch(b)
	secret := schema.May("secret", schema.Length(MinSecret, MaxSecret).And(schema.Value{Secret: true}))
	b.Has(reflect.TypeFor[NewWebhook](), secret)
	b.Has(reflect.TypeFor[WebhookPatch](), secret, schema.Stays("active", schema.Value{}))
}
