package twinplatform

import "strings"

// Precondition is what must hold of a record for a change to be made: optimistic
// concurrency, without locks. Every method that changes or deletes records takes it as
// its last parameter:
//
//	svc.UpdateTask(ctx, scheduleID, taskID, patch, twinplatform.IfMatch(rec.ETag))
//	svc.DeleteRole(ctx, twinID, roleID, twinplatform.IfMatch(rec.ETag))
//
// It is judged in the transaction that makes the change. A change whose precondition
// does not hold is refused with VersionMismatch ([Conflict]), and nothing is written.
// Without one the change is made to whatever version there is. A record that is not
// there is missing, whatever the precondition. Where a call names several records, the
// precondition must hold of each.
type Precondition struct{ match, noneMatch string }

// IfMatch is the precondition that the record has the version which etag names:
// the ETag of a record, or the value of an If-Match header, which may list
// several and where * stands for any. An empty one asks for nothing.
func IfMatch(etag string) Precondition { return Precondition{match: etag} }

// IfNoneMatch is the precondition that the record has none of the versions that etag
// names, which is the value of an If-None-Match header: * stands for any, and so asks
// that there is no such record yet. Where something is set that may be there already it
// keeps what is there; a change or a deletion of what is there it refuses. An empty one
// asks for nothing.
func IfNoneMatch(etag string) Precondition { return Precondition{noneMatch: etag} }

// IfMatchHeader is what preconditions ask for together, as the value of an
// If-Match header; empty when they ask for nothing. As with several such headers
// in one request the record must have one of the versions that any of them
// names; those that ask for nothing do not count.
func IfMatchHeader(preconditions ...Precondition) string {
	return joined(preconditions, func(p Precondition) string { return p.match })
}

// IfNoneMatchHeader is what preconditions ask for together, as the value of an
// If-None-Match header; empty when they ask for nothing.
func IfNoneMatchHeader(preconditions ...Precondition) string {
	return joined(preconditions, func(p Precondition) string { return p.noneMatch })
}

func joined(preconditions []Precondition, of func(Precondition) string) string {
	var tags []string
	for _, p := range preconditions {
		if asked := of(p); asked != "" {
			tags = append(tags, asked)
		}
	}
	return strings.Join(tags, ", ")
}

// Condition is what preconditions ask for together, in the form in which it is kept
// until the change is made: the value of an If-Match header, and that of an
// If-None-Match header in a second line where there is one. An empty one always holds.
type Condition string

// ConditionOf is what preconditions ask for together.
func ConditionOf(preconditions ...Precondition) Condition {
	if len(preconditions) == 0 {
		return ""
	}
	oneLine := strings.NewReplacer("\n", " ")
	match := oneLine.Replace(IfMatchHeader(preconditions...))
	noneMatch := IfNoneMatchHeader(preconditions...)
	if noneMatch == "" {
		return Condition(match)
	}
	return Condition(match + "\n" + oneLine.Replace(noneMatch))
}

// Matches reports whether a record with an ETag has one of the versions that are asked
// for. What has no version has an empty ETag, which no tag but * names.
func (c Condition) Matches(etag string) bool {
	match, _, _ := strings.Cut(string(c), "\n")
	return match == "" || NamesETag(match, etag)
}

// RulesOut reports whether a record with an ETag has one of the versions that it must not
// have.
func (c Condition) RulesOut(etag string) bool {
	_, noneMatch, _ := strings.Cut(string(c), "\n")
	return noneMatch != "" && NamesETag(noneMatch, etag)
}

// NeedsRecord reports whether the condition holds of no record that is not there.
func (c Condition) NeedsRecord() bool {
	match, _, _ := strings.Cut(string(c), "\n")
	return match != ""
}
