package webhooks

import (
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// Codes of the refusals of the three sorts of request.
const (
	invalidCreate = "InvalidCreateWebhookRequest"
	invalidUpdate = "InvalidUpdateWebhookRequest"
	invalidOther  = "InvalidWebhooksRequest"
)

// invalid is the 422 of the webhooks area.
func invalid(code string, details ...twinplatform.Detail) *twinplatform.Error {
	return &twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: code,
		Message: "The request is invalid.", Details: details,
	}
}

// badBody is the one detail that the area knows for properties.
func badBody(target, format string, args ...any) twinplatform.Detail {
	return twinplatform.Detail{Code: "InvalidRequestBody", Message: fmt.Sprintf(format, args...), Target: target}
}

func badValue(target, format string, args ...any) *twinplatform.Error {
	return invalid(invalidOther, refuse.BadValue(target, format, args...))
}

var (
	errNoWebhook  = refuse.NotFound("WebhookNotFound", "webhookId", "webhook")
	errNoDelivery = refuse.NotFound("DeliveryNotFound", "deliveryId", "delivery")
)

// paging is that of every list.
var paging = refuse.Paging{MaxTop: MaxTop}
