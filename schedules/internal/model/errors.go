package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// InvalidRequest is how every operation of the area refuses a malformed request.
var InvalidRequest = twinplatform.Error{
	Kind: twinplatform.Invalid, Code: "InvalidSchedulesRequest", Message: "The request is invalid.",
}

// MutuallyExclusive is a detail code of InvalidRequest in addition to those of package
// problem.
const MutuallyExclusive = "MutuallyExclusivePropertiesProvided"

// ScheduleMissing is the 404 of a schedule.
var ScheduleMissing = problem.NotFound("ScheduleNotFound", "scheduleId", "schedule")

// BaselineMissing is the 404 of a baseline.
var BaselineMissing = problem.NotFound("BaselineNotFound", "baselineId", "baseline")

// Invalid is InvalidRequest with what is wrong.
func Invalid(details ...twinplatform.Detail) *twinplatform.Error {
	return problem.With(InvalidRequest, details...)
}

// BadParameter refuses the value of a parameter that is well formed.
func BadParameter(target, message string) *twinplatform.Error {
	return Invalid(twinplatform.Detail{Code: "InvalidParameter", Message: message, Target: target})
}

// Paging limits the pages of the list of schedules and lets clients ask for deltas.
var Paging = problem.Paging{MaxTop: MaxTop, Delta: true}

// PagingIn limits the pages of lists in a schedule of a type: clients of v6.5 read larger
// pages.
func PagingIn[S ~string](scheduleType S) problem.Paging {
	if scheduleType == V65 {
		return problem.Paging{MaxTop: MaxTopV65, Delta: true}
	}
	return Paging
}

// OnlyFor refuses what schedules of no type but one have.
func OnlyFor(one, scheduleType string) error {
	if scheduleType == one {
		return nil
	}
	return BadParameter("scheduleId", "The operation is not supported by "+scheduleType+" schedules.")
}

// V10Only refuses what schedules of no type but v10 have.
func V10Only(sc *Schedule) error { return OnlyFor(V10, sc.Type) }

// V65Only refuses what schedules of no type but v6.5 have.
func V65Only(sc *Schedule) error { return OnlyFor(V65, sc.Type) }

// NoneOf is the 404 of a list of ids, which param names, with one in it that no
// record has.
func NoneOf(code, param, resource, id string) *problem.Absent {
	return problem.NotFound(code, param, resource+" '"+id+"'")
}

// IsMissing reports whether what was read is not there.
func IsMissing(err error) bool { return errors.Is(err, records.ErrNotFound) }

// Unschedulable maps what prevents scheduling a plan to its documented error.
func Unschedulable(err error) error {
	if cycle, ok := errors.AsType[*cpm.CycleError](err); ok {
		return problem.Conflict("CircularDependency", "",
			"The tasks cannot be scheduled: the links and the tasks above them form the cycle "+InShort(cycle.Tasks)+
				".")
	}
	return err
}

// InShort names the tasks of a cycle, the middle of a long one left out.
func InShort(ids []string) string {
	if len(ids) > 12 {
		ids = slices.Concat(ids[:6], []string{fmt.Sprintf("… %d more …", len(ids)-11)}, ids[len(ids)-5:])
	}
	return strings.Join(ids, " → ")
}
