package webhooks

import (
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
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
	return invalid(invalidOther, twinplatform.Detail{Code: "InvalidValue", Message: fmt.Sprintf(format, args...), Target: target})
}

var errNoWebhook = &twinplatform.Error{
	Kind: twinplatform.NotFound, Code: "WebhookNotFound", Target: "webhookId",
	Message: "The requested webhook is not available.",
}

var errNoDelivery = &twinplatform.Error{
	Kind: twinplatform.NotFound, Code: "DeliveryNotFound", Target: "deliveryId",
	Message: "The requested delivery is not available.",
}

var errForbidden = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: "InsufficientPermissions",
	Message: "The caller does not have the permissions that this operation needs.",
}

var errVersion = &twinplatform.Error{
	Kind: twinplatform.Conflict, Code: "VersionMismatch", Target: "If-Match",
	Message: "The record was changed since it was read.",
}

// or is m in the place of "no such record", and any other error as it is.
func or(err error, m *twinplatform.Error) error {
	switch {
	case errors.Is(err, records.ErrNotFound):
		return m
	case errors.Is(err, records.ErrPrecondition):
		return errVersion
	}
	return err
}

// listed gives what comes of listing its documented error.
func listed(err error) error {
	switch {
	case errors.Is(err, records.ErrTop):
		return badValue("$top", "The page size is a number from 1 to %d.", MaxTop)
	case errors.Is(err, records.ErrContinuation):
		return badValue("$continuationToken", "The continuation token is not valid for this list.")
	case errors.Is(err, records.ErrDelta):
		return badValue("deltaToken", "This list follows no changes.")
	}
	return or(err, errNoWebhook)
}
