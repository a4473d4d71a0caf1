package httpapitest

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// failures are the errors that operations can fail with, by their codes.
var failures = byCode(
	problem.VersionMismatch,
	problem.Forbidden,
	problem.Conflict("AlreadyExists", "id", "A record with the id exists already."),
	problem.Conflict("ScheduleNotInitialized", "", "The schedule is not initialized. Its current state is 'Processing'."),
	&twinplatform.Error{Kind: twinplatform.Invalid, Code: "InvalidSchedulesRequest", Message: "The request is invalid."},
	missing("Baseline", "baselineId", "baseline"),
	missing("Entity3d", "entity3dId", "entity 3D"),
	missing("ResourceGroup", "", "resource group"),
	missing("Resource", "resourceId", "resource"),
	missing("ResourceStatusCategory", "resourceStatusCategoryId", "resource status category"),
	missing("ResourceStatusItem", "resourceStatusItemId", "resource status item"),
	missing("ResourceStatusSet", "resourceStatusSetId", "resource status set"),
	missing("Schedule", "scheduleId", "schedule"),
	missing("Synchronizer", "synchronizerId", "synchronizer"),
	missing("TaskLink", "taskLinkId", "task link"),
	missing("Task", "taskId", "task"),
	missing("UserField", "userFieldId", "user field"),
)

// missing says that something that the work needs is no longer there.
func missing(word, target, noun string) *twinplatform.Error {
	return twinplatform.AsError(problem.NotFound(word+"NotFound", target, noun).Err())
}

func byCode(all ...*twinplatform.Error) map[string]*twinplatform.Error {
	out := make(map[string]*twinplatform.Error, len(all))
	for _, e := range all {
		out[e.Code] = e
	}
	return out
}
