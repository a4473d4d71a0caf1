package transform

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// The 422 of each family of requests.
var (
	errConfiguration = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidTransformationsRequest", Message: "The transformation configuration is invalid.",
	}
	errModel = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidModelRequest", Message: "The model request is invalid.",
	}
	errSavedView = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidSavedViewRequest", Message: "The saved view request is invalid.",
	}
)

var errForbidden = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: "InsufficientPermissions",
	Message: "The caller does not have the permissions that this operation needs.",
}

func notFound(code, target, noun string) *twinplatform.Error {
	return &twinplatform.Error{
		Kind: twinplatform.NotFound, Code: code, Target: target,
		Message: "The requested " + noun + " is not available.",
	}
}

var (
	errNoConfiguration = notFound("ConfigurationNotFound", "configurationId", "configuration")
	errNoSavedView     = notFound("SavedViewNotFound", "savedViewId", "saved view")
	errNoTwin          = notFound("TwinNotFound", "twinId", "twin")
)

// noModel is the 404 of a project or model that is not there for the caller.
func noModel(target string) *twinplatform.Error {
	return notFound("ModelNotFound", target, "project or model")
}

// or is missing in the place of "no such record", and any other error as it is.
func or(err error, missing *twinplatform.Error) error {
	if errors.Is(err, records.ErrNotFound) {
		return missing
	}
	return err
}

// checks collects everything that is wrong with a request.
type checks struct{ details []twinplatform.Detail }

func (c *checks) bad(target, format string, args ...any) {
	c.details = append(c.details, twinplatform.Detail{Code: "InvalidValue", Target: target, Message: fmt.Sprintf(format, args...)})
}

// need checks a text that must be there.
func (c *checks) need(target, value string, limit int) {
	if strings.TrimSpace(value) == "" {
		c.details = append(c.details, twinplatform.Detail{
			Code: "MissingRequiredProperty", Target: target,
			Message: fmt.Sprintf("The required property '%s' is missing.", target),
		})
		return
	}
	c.atMost(target, value, limit)
}

func (c *checks) atMost(target, value string, limit int) {
	if utf8.RuneCountInString(value) > limit {
		c.bad(target, "The value of '%s' has more than %d characters.", target, limit)
	}
}

// id checks an id that the caller chose; an empty one is left to the platform.
func (c *checks) id(target, id string) {
	unfit := func(r rune) bool { return r == '/' || r == utf8.RuneError || !unicode.IsPrint(r) }
	if id == "." || id == ".." || strings.ContainsFunc(id, unfit) || utf8.RuneCountInString(id) > MaxID {
		c.bad(target, "An id has 1 to %d printable characters without '/'.", MaxID)
	}
}

// err is what is wrong as the 422 of the family, or nil.
func (c *checks) err(family twinplatform.Error) error {
	if len(c.details) == 0 {
		return nil
	}
	family.Details = c.details
	return &family
}

// listed gives what comes of listing its documented error.
func listed(err error, family twinplatform.Error) error {
	var c checks
	switch {
	case errors.Is(err, records.ErrTop):
		c.bad("$top", "The page size is a number from 1 to %d.", MaxTop)
	case errors.Is(err, records.ErrContinuation):
		c.bad("$continuationToken", "The continuation token is not valid for this list.")
	case errors.Is(err, records.ErrDelta), errors.Is(err, records.ErrDeltaExpired):
		c.bad("$deltaToken", "The delta token is not valid for this list.")
	default:
		return err
	}
	return c.err(family)
}
