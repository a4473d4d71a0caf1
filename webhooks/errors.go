package webhooks

import (
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// How the creation of a webhook, its update and all other requests are refused
// when they are malformed; the details say what is wrong. They are values to copy.
var (
	InvalidCreateRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidCreateWebhookRequest", Message: "The request is invalid.",
	}
	InvalidUpdateRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidUpdateWebhookRequest", Message: "The request is invalid.",
	}
	InvalidRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidWebhooksRequest", Message: "The request is invalid.",
	}
)

// badBody is the one detail that the area knows for properties.
func badBody(target, format string, args ...any) twinplatform.Detail {
	return twinplatform.Detail{Code: "InvalidRequestBody", Message: fmt.Sprintf(format, args...), Target: target}
}

func badValue(target, format string, args ...any) *twinplatform.Error {
	return problem.With(InvalidRequest, problem.BadValue(target, format, args...))
}

var (
	errNoWebhook  = problem.NotFound("WebhookNotFound", "webhookId", "webhook")
	errNoDelivery = problem.NotFound("DeliveryNotFound", "deliveryId", "delivery")
)

// paging holds the limits of every list.
var paging = problem.Paging{MaxTop: MaxTop}
