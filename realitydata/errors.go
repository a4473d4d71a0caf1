package realitydata

import (
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// The refusals of malformed requests, one for each family.
var (
	errRequest = twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidRealityDataRequest", Message: "The reality data request is invalid.",
	}
	errDetectorRequest = twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "InvalidRealityAnalysisRequest", Message: "The reality analysis request is invalid.",
	}
)

var errForbidden = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: "InsufficientPermissions",
	Message: "The caller does not have the permissions that this operation needs.",
}

var errVersion = &twinplatform.Error{
	Kind: twinplatform.Conflict, Code: "VersionMismatch", Target: "If-Match",
	Message: "The record was changed since it was read.",
}

func notFound(code, target, noun string) *twinplatform.Error {
	return &twinplatform.Error{
		Kind: twinplatform.NotFound, Code: code, Target: target,
		Message: "The requested " + noun + " is not available.",
	}
}

var (
	errMissing         = notFound("RealityDataNotFound", "realityDataId", "reality data")
	errNoAssociation   = notFound("AssociationNotFound", "twinId", "association")
	errNoDetector      = notFound("DetectorNotFound", "detectorName", "detector")
	errNoDetectorBuild = notFound("DetectorVersionNotFound", "versionNumber", "detector version")
)

// or gives what comes of working on one record its documented error.
func or(err error, missing *twinplatform.Error) error {
	switch {
	case errors.Is(err, records.ErrNotFound):
		return missing
	case errors.Is(err, records.ErrPrecondition):
		return errVersion
	}
	return err
}

// listed gives what comes of listing its documented error.
func listed(err error, family twinplatform.Error) error {
	c := checks{}
	switch {
	case errors.Is(err, records.ErrTop):
		c.bad("$top", "The page size is a number from 1 to %d.", MaxTop)
	case errors.Is(err, records.ErrContinuation):
		c.bad("continuationToken", "The continuation token is not valid for this list.")
	case errors.Is(err, records.ErrDelta), errors.Is(err, records.ErrDeltaExpired):
		c.bad("deltaToken", "This list follows no changes.")
	default:
		return err
	}
	return c.err(family)
}

// checks collects everything that is wrong with a request.
type checks struct{ details []twinplatform.Detail }

func (c *checks) bad(target, format string, args ...any) {
	c.add("InvalidValue", target, format, args...)
}

func (c *checks) add(code, target, format string, args ...any) {
	c.details = append(c.details, twinplatform.Detail{Code: code, Target: target, Message: fmt.Sprintf(format, args...)})
}

// missing says that a property which must be there is not.
func (c *checks) missing(target string) {
	c.add("MissingRequiredProperty", target, "The required property '%s' is missing.", target)
}

// err is what is wrong as the refusal of the family, or nil.
func (c *checks) err(family twinplatform.Error) error {
	if len(c.details) == 0 {
		return nil
	}
	family.Details = c.details
	return &family
}
