package schedules

import (
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Detail codes of InvalidSchedulesRequest.
const (
	invalidValue      = "InvalidValue"
	missingProperty   = "MissingRequiredProperty"
	mutuallyExclusive = "MutuallyExclusivePropertiesProvided"
	invalidParameter  = "InvalidParameter"
)

// invalid is the 400 of the schedules area.
func invalid(details ...twinplatform.Detail) *twinplatform.Error {
	return &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "InvalidSchedulesRequest",
		Message: "The request is invalid.", Details: details,
	}
}

func badValue(target, format string, args ...any) twinplatform.Detail {
	return twinplatform.Detail{Code: invalidValue, Message: fmt.Sprintf(format, args...), Target: target}
}

func badParameter(target, message string) *twinplatform.Error {
	return invalid(twinplatform.Detail{Code: invalidParameter, Message: message, Target: target})
}

func required(target string) twinplatform.Detail {
	return twinplatform.Detail{
		Code: missingProperty, Target: target,
		Message: fmt.Sprintf("The required property '%s' is missing.", target),
	}
}

// missing is the 404 that an operation answers when what it is about, or the
// schedule that holds it, is not there for the caller.
type missing twinplatform.Error

func notFound(code, target, noun string) *missing {
	return (*missing)(&twinplatform.Error{
		Kind: twinplatform.NotFound, Code: code, Target: target,
		Message: "The requested " + noun + " is not available.",
	})
}

var scheduleMissing = notFound("ScheduleNotFound", "scheduleId", "schedule")

func (m *missing) err() error { return (*twinplatform.Error)(m) }

// named is m for one of several that were asked for.
func (m *missing) named(noun, id string) *missing {
	return notFound(m.Code, m.Target, noun+" '"+id+"'")
}

// or is m in the place of "no such record", and any other error as it is.
func (m *missing) or(err error) error {
	if errors.Is(err, records.ErrNotFound) {
		return m.err()
	}
	return err
}

var errForbidden = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: "InsufficientPermissions",
	Message: "The caller does not have the permissions that this operation needs.",
}

// notInitialized refuses a write to a schedule that is not ready for one.
func notInitialized(state State) error {
	return &twinplatform.Error{
		Kind: twinplatform.Conflict, Code: "ScheduleNotInitialized",
		Message: fmt.Sprintf("The schedule is not initialized. Its current state is %s.", state),
	}
}

// taken refuses an id that another record of the schedule has.
func taken(noun, id string) error {
	return &twinplatform.Error{
		Kind: twinplatform.Conflict, Code: "AlreadyExists", Target: "id",
		Message: fmt.Sprintf("A %s with the id '%s' exists already.", noun, id),
	}
}

var errVersion = &twinplatform.Error{
	Kind: twinplatform.Conflict, Code: "VersionMismatch", Target: "If-Match",
	Message: "The record was changed since it was read.",
}

// written gives what comes of writing one record its documented error.
func written(err error, m *missing, noun, id string) error {
	switch {
	case errors.Is(err, records.ErrExists):
		return taken(noun, id)
	case errors.Is(err, records.ErrPrecondition):
		return errVersion
	}
	return m.or(err)
}

// listed gives what comes of listing its documented error. deltaParam is how
// the operation spells its delta token.
func listed(err error, deltaParam string) error {
	switch {
	case errors.Is(err, records.ErrTop):
		return invalid(badValue("$top", "The page size is a number from 1 to %d.", MaxTop))
	case errors.Is(err, records.ErrContinuation):
		return invalid(badValue("$continuationToken", "The continuation token is not valid for this list."))
	case errors.Is(err, records.ErrDelta):
		return invalid(badValue(deltaParam, "The delta token is not valid for this list."))
	case errors.Is(err, records.ErrDeltaExpired):
		return invalid(badValue(deltaParam, "The delta token is older than the deletions that are still known. List the records anew."))
	}
	return err
}
