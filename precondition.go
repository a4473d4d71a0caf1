package twinplatform

import "strings"

// Precondition is what must hold of a record for a change to be made: optimistic
// concurrency, without locks. Every method that changes a record takes it as its
// last parameter:
//
//	svc.UpdateTask(ctx, scheduleID, taskID, patch, twinplatform.IfMatch(rec.ETag))
//
// A change whose precondition does not hold is refused with VersionMismatch
// ([Conflict]), and nothing is written. Without one the change is made to
// whatever version there is.
type Precondition struct{ tags string }

// IfMatch is the precondition that the record has the version which etag names:
// the ETag of a record, or the value of an If-Match header, which may list
// several and where * stands for any. An empty one asks for nothing.
func IfMatch(etag string) Precondition { return Precondition{etag} }

// IfMatchHeader is what preconditions ask for together, as the value of an
// If-Match header; empty when they ask for nothing. As with several such headers
// in one request the record must have one of the versions that any of them
// names; those that ask for nothing do not count.
func IfMatchHeader(preconditions ...Precondition) string {
	var tags []string
	for _, p := range preconditions {
		if p.tags != "" {
			tags = append(tags, p.tags)
		}
	}
	return strings.Join(tags, ", ")
}
