package webhooks

import (
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Schemas tells what the checks of this area know of the types of its bodies, for
// the OpenAPI document of package httpapi.
func Schemas(b *schema.Book) {
	schema.Enum(b, scopes)
	schema.Enum(b, append(EventTypes(), TestSent))
	schema.Enum(b, deliveryStates)
	schema.Enum(b, outcomes)
}
