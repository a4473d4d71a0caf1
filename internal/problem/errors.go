package problem

import (
	"errors"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Forbidden is what every refusal is of a caller who may see, and not do this; [Lacks],
// [Needs] and [Refuses] say why.
var Forbidden = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: "InsufficientPermissions",
	Message: "The caller does not have the permissions that this operation needs.",
}

// The codes of details that say why a caller is refused.
const (
	missingPermission = "MissingPermission"
	notPermitted      = "NotPermitted"
)

// SystemOnly refuses callers of what is for the program itself.
var SystemOnly = Refuses("It is for the program itself: no permission grants it.")

// Refuses is Forbidden for a caller whom no permission helps, with the reason.
func Refuses(why string) *twinplatform.Error {
	return refused(nil, twinplatform.Detail{Code: notPermitted, Message: why})
}

// NoTwin says of the id of a twin that there is none, or none that the caller may see, which
// look alike to it, and which permission it takes there.
func NoTwin(permission string) string {
	return "The twin is not available: there is none with this id, or the caller may not see it." +
		" It takes '" + permission + "' there."
}

// Lacks is Forbidden with the permissions that the caller does not have and needs all of.
func Lacks(permissions ...string) *twinplatform.Error {
	details := make([]twinplatform.Detail, len(permissions))
	for i, p := range permissions {
		details[i] = twinplatform.Detail{Code: missingPermission, Message: "The permission '" + p + "' is missing."}
	}
	return refused(permissions, details...)
}

func refused(lacks []string, details ...twinplatform.Detail) *twinplatform.Error {
	out := *Forbidden
	out.Details = details
	return out.Because(&refusal{lacks, describe(details)})
}

// refusal is why a caller is refused, for the log.
type refusal struct {
	lacks []string
	text  string
}

func (r *refusal) Error() string { return r.text }

// Lacking are the permissions that a caller was refused for: all of them or one of them is
// missing, as the error says. There are none where no permission helps.
func Lacking(err error) []string {
	if r, ok := errors.AsType[*refusal](twinplatform.Cause(err)); ok {
		return r.lacks
	}
	return nil
}

func describe(details []twinplatform.Detail) string {
	words := make([]string, len(details))
	for i, d := range details {
		words[i] = d.Message
	}
	return strings.Join(words, " ")
}

// Permissions are permissions of which a caller needs one.
type Permissions []string

// Needs are the permissions of which a caller needs one. What is named twice counts once.
func Needs(permissions ...string) Permissions {
	return slices.Compact(slices.Clone(permissions))
}

// Unless refuses a caller whose right was asked for and is not there.
func (n Permissions) Unless(allowed bool, err error) error {
	switch {
	case err != nil || allowed:
		return err
	case len(n) == 1:
		return Lacks(n...)
	}
	return refused(n, twinplatform.Detail{
		Code:    missingPermission,
		Message: "One of the permissions '" + strings.Join(n, "', '") + "' is missing.",
	})
}

// VersionMismatch refuses a change to a record that is another by now.
var VersionMismatch = Conflict("VersionMismatch", twinplatform.TargetIfMatch,
	"The record was changed since it was read.")

// versionRuledOut refuses a change to a record that is not to be there, or not in the
// version that it has.
var versionRuledOut = Conflict(VersionMismatch.Code, twinplatform.TargetIfNoneMatch,
	"The record is there, in a version that If-None-Match rules out.")

// Precondition is the refusal of a change whose precondition does not hold, instead of
// the error of package records, and any other error unchanged.
func Precondition(err error) error {
	switch {
	case errors.Is(err, records.ErrPrecondition):
		return VersionMismatch
	case errors.Is(err, records.ErrRuledOut):
		return versionRuledOut
	}
	return err
}

// Conflict refuses what conflicts with the current records.
func Conflict(code, target, message string) *twinplatform.Error {
	return &twinplatform.Error{Kind: twinplatform.Conflict, Code: code, Target: target, Message: message}
}

// Absent is the 404 that an operation answers when what it is about, or what
// holds it, is not there for the caller.
type Absent twinplatform.Error

// NotFound is the 404 with a code, for a record that is called by the name of its
// resource.
func NotFound(code, target, resource string) *Absent {
	return (*Absent)(&twinplatform.Error{
		Kind: twinplatform.NotFound, Code: code, Target: target,
		Message: "The requested " + resource + " is not available.",
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
func (a *Absent) Named(resource, id string) *Absent {
	return NotFound(a.Code, a.Target, resource+" '"+id+"'")
}

// Or is a in place of "no such record", and any other error as Precondition has it.
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
		return With(family, BadValue(twinplatform.TargetContinuation,
			"The continuation token is not valid for this list."))
	case errors.Is(err, records.ErrContinuationExpired):
		return expired(family, twinplatform.TargetContinuation,
			"The continuation token is from before the platform's data was restored. List the records anew.")
	case errors.Is(err, records.ErrDelta) && !p.Delta:
		return With(family, BadValue(twinplatform.TargetDelta, "This list has no deltas."))
	case errors.Is(err, records.ErrDelta):
		return With(family, BadValue(twinplatform.TargetDelta, "The delta token is not valid for this list."))
	case errors.Is(err, records.ErrDeltaExpired):
		return expired(family, twinplatform.TargetDelta,
			"The delta token is older than the deletions that are still remembered, or from before the platform's "+
				"data was restored. List the records anew.")
	}
	return err
}

func expired(family twinplatform.Error, target, message string) error {
	return With(family, BadValue(target, "%s", message)).Because(twinplatform.ErrTokenExpired)
}

// Taken refuses an id that another record has.
func Taken(resource, id string) error {
	return Conflict("AlreadyExists", "id", "A "+resource+" with the id '"+id+"' exists already.")
}
