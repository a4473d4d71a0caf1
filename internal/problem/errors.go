package problem

import (
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Forbidden refuses a caller who may see, and not do this.
var Forbidden = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: "InsufficientPermissions",
	Message: "The caller does not have the permissions that this operation needs.",
}

// ForbiddenUnless refuses a caller whose right was asked for and is not there.
func ForbiddenUnless(allowed bool, err error) error {
	if err == nil && !allowed {
		return Forbidden
	}
	return err
}

// VersionMismatch refuses a change to a record that is another by now.
var VersionMismatch = Conflict("VersionMismatch", twinplatform.TargetIfMatch, "The record was changed since it was read.")

// versionRuledOut refuses a change to a record that is not to be there, or not in the
// version that it has.
var versionRuledOut = Conflict(VersionMismatch.Code, twinplatform.TargetIfNoneMatch, "The record is there, in a version that If-None-Match rules out.")

// Precondition is the refusal of a change whose precondition does not hold, in the place
// of what records say of that, and any other error as it is.
func Precondition(err error) error {
	switch {
	case errors.Is(err, records.ErrPrecondition):
		return VersionMismatch
	case errors.Is(err, records.ErrRuledOut):
		return versionRuledOut
	}
	return err
}

// Conflict refuses what stands against the records as they are.
func Conflict(code, target, message string) *twinplatform.Error {
	return &twinplatform.Error{Kind: twinplatform.Conflict, Code: code, Target: target, Message: message}
}

// Absent is the 404 that an operation answers when what it is about, or what
// holds it, is not there for the caller.
type Absent twinplatform.Error

// NotFound is the 404 with a code, for a thing that is called noun.
func NotFound(code, target, noun string) *Absent {
	return (*Absent)(&twinplatform.Error{
		Kind: twinplatform.NotFound, Code: code, Target: target,
		Message: "The requested " + noun + " is not available.",
	})
}

// Err is a as an error.
func (a *Absent) Err() error { return (*twinplatform.Error)(a) }

// Unless is a for what was looked for and is not visible to the caller.
func (a *Absent) Unless(visible bool, err error) error {
	if err == nil && !visible {
		return a.Err()
	}
	return err
}

// Named is a for one of several that were asked for.
func (a *Absent) Named(noun, id string) *Absent { return NotFound(a.Code, a.Target, noun+" '"+id+"'") }

// Or is a in the place of "no such record", and any other error as Precondition has it.
func (a *Absent) Or(err error) error {
	if errors.Is(err, records.ErrNotFound) {
		return a.Err()
	}
	return Precondition(err)
}

// Paging is how a list is paged, for what it refuses.
type Paging struct {
	MaxTop int
	// Delta marks a list that follows changes.
	Delta bool
}

// Listed gives what comes of listing its documented error.
func (p Paging) Listed(err error, family twinplatform.Error) error {
	switch {
	case errors.Is(err, records.ErrTop):
		return With(family, BadValue(twinplatform.TargetTop, "The page size is a number from 1 to %d.", p.MaxTop))
	case errors.Is(err, records.ErrContinuation):
		return With(family, BadValue(twinplatform.TargetContinuation, "The continuation token is not valid for this list."))
	case errors.Is(err, records.ErrContinuationExpired):
		return expired(family, twinplatform.TargetContinuation, "The continuation token is from before the platform's data was restored. List the records anew.")
	case errors.Is(err, records.ErrDelta) && !p.Delta:
		return With(family, BadValue(twinplatform.TargetDelta, "This list follows no changes."))
	case errors.Is(err, records.ErrDelta):
		return With(family, BadValue(twinplatform.TargetDelta, "The delta token is not valid for this list."))
	case errors.Is(err, records.ErrDeltaExpired):
		return expired(family, twinplatform.TargetDelta, "The delta token is older than the deletions that are still known, or from before the platform's data was restored. List the records anew.")
	}
	return err
}

func expired(family twinplatform.Error, target, message string) error {
	return With(family, BadValue(target, "%s", message)).Because(twinplatform.ErrTokenExpired)
}

// Taken refuses an id that another record has.
func Taken(noun, id string) error {
	return Conflict("AlreadyExists", "id", "A "+noun+" with the id '"+id+"' exists already.")
}
