package httpapi

import (
	"slices"
	"strconv"
)

// UnknownMembers is what becomes of a request whose body has members that its operation
// does not know.
type UnknownMembers int

const (
	// RefuseUnknown answers 400, or 422 in the areas that refuse bodies so, with a detail for
	// each of the first 100: InvalidRequestBody or InvalidValue, with its name as the target
	// and the known member that it resembles. Members of the record that a PATCH cannot
	// change are taken as they are: a record is taken back as it was read.
	RefuseUnknown UnknownMembers = iota
	// ReportUnknown passes over them and names them in [Observation.Unread], which the
	// journal of requests shows.
	ReportUnknown
	// IgnoreUnknown passes over them.
	IgnoreUnknown
)

// unknownMembers are the names of all policies.
var unknownMembers = [...]string{RefuseUnknown: "refuse", ReportUnknown: "report", IgnoreUnknown: "ignore"}

func (u UnknownMembers) valid() bool { return u >= 0 && int(u) < len(unknownMembers) }

// String is refuse, report or ignore.
func (u UnknownMembers) String() string {
	if !u.valid() {
		return strconv.Itoa(int(u))
	}
	return unknownMembers[u]
}

// ParseUnknownMembers reads what [UnknownMembers.String] writes. ok is false for any other
// text.
func ParseUnknownMembers(text string) (u UnknownMembers, ok bool) {
	i := slices.Index(unknownMembers[:], text)
	return UnknownMembers(max(i, 0)), i >= 0
}
