package httpapitest_test

import (
	"fmt"
	"net/http"
	"strings"
)

// wrongBody is an error of the documented shape.
var wrongBody = map[string]any{"error": map[string]any{"code": "InvalidSchedulesRequest", "message": "It is wrong."}}

var authDefects = []defect{
	{does: "takes requests without a token", server: requests(`.*`, func(r *http.Request) {
		if len(r.Header.Get("Authorization")) < len("Bearer a") || !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
			r.Header.Set("Authorization", "Bearer admin")
		}
	}), caught: "requests/without a valid token is 401 HeaderNotFound"},
	{does: "calls a missing token something else", server: coded("HeaderNotFound", func(x *exchange) { x.problem()["code"] = "Unauthorized" }), caught: "requests/without a valid token is 401 HeaderNotFound"},
	{does: "answers 403 without a token", server: recoded(`.*`, 401, 403), caught: "requests/without a valid token is 401 HeaderNotFound"},
	{does: "shows strangers what there is by 403", server: answers(`.*`, func(x *exchange) {
		if x.request.Header.Get("Authorization") == "Bearer stranger" && x.status == 404 {
			x.fail(403, "InsufficientPermissions")
		}
	}), caught: "schedules/what the caller may not see is missing, 404 and not 403"},
	{does: "lets strangers read", server: requests(`GET .*`, func(r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer stranger" {
			r.Header.Set("Authorization", "Bearer admin")
		}
	}), caught: "schedules/what the caller may not see is missing, 404 and not 403"},
	{does: "lets readers write", server: requests(`(POST|PATCH|DELETE) /schedules.*`, func(r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer reader" {
			r.Header.Set("Authorization", "Bearer admin")
		}
	}), caught: "schedules/what the caller may see and not change is 403 InsufficientPermissions"},
	{does: "hides from readers what they may see", server: recoded(`.*`, 403, 404), caught: "schedules/what the caller may see and not change is 403 InsufficientPermissions"},
	{does: "keeps a role after it was taken", server: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if concerns(`DELETE /access-control/.*/members/.*`)(r) {
				w.WriteHeader(204)
				return
			}
			next.ServeHTTP(w, r)
		})
	}, caught: "accessControl/role gives what it holds, until it is taken"},
}

var errorDefects = []defect{
	{does: "has a wrong code", server: coded("ScheduleNotFound", func(x *exchange) { x.problem()["code"] = "NotFound" }), caught: "schedules/conversation schedules.get"},
	{does: "has a wrong target", server: coded("ScheduleNotFound", func(x *exchange) { x.problem()["target"] = "id" }), caught: "schedules/conversation schedules.get"},
	{does: "leaves details out", server: problems(func(_ *exchange, e map[string]any) { delete(e, "details") }), caught: "tasks/conversation tasks.create"},
	{does: "names one wrong property of several", server: problems(func(_ *exchange, e map[string]any) {
		if d, ok := e["details"].([]any); ok {
			e["details"] = d[:1]
		}
	}), caught: "twins/conversation twins.create"},
	{does: "adds a member to errors", server: problems(func(_ *exchange, e map[string]any) { e["trace"] = "x" }), caught: "requests/unknown path is 404 ResourceNotFound with OperationNotFound"},
	{does: "has no message", server: problems(func(_ *exchange, e map[string]any) { e["message"] = "" }), caught: "requests/malformed JSON is refused"},
	{does: "has flat errors", server: problems(func(x *exchange, e map[string]any) { x.body = e }), caught: "requests/missing body is refused"},
	{does: "has a plain text type", server: answers(`.*`, func(x *exchange) { x.header.Set("Content-Type", "text/plain") }), caught: "requests/any media type is answered"},
	{does: "answers unknown paths with 200", server: coded("ResourceNotFound", func(x *exchange) { x.answer(200, map[string]any{}) }), caught: "requests/unknown path is 404 ResourceNotFound with OperationNotFound"},
	{does: "answers unknown methods with 404", server: recoded(`.*`, 405, 404), caught: "requests/unknown method is 405 with Allow"},
	{does: "has no Allow", server: headerless(`.*`, "Allow"), caught: "requests/unknown method is 405 with Allow"},
	{does: "answers malformed JSON with 500", server: coded("InvalidSchedulesRequest", func(x *exchange) { x.status = 500 }), caught: "requests/malformed JSON is refused"},
	{does: "answers large bodies with 400", server: recoded(`.*`, 413, 400), caught: "requests/body beyond 1 MiB is 413 RequestTooLarge"},
	{does: "has a rate limit that does not say when to come back", server: recoded(`GET /schedules`, 200, 429), caught: "requests/any media type is answered"},
}

var writeDefects = []defect{
	{does: "answers 200 in the place of 202", server: recoded(newTask, 202, 200), caught: "tasks/conversation tasks.create"},
	{does: "answers 200 in the place of 201", server: recoded(newSchedule, 201, 200), caught: "schedules/conversation schedules.create"},
	{does: "answers 200 in the place of 204", server: recoded(`DELETE .*`, 204, 200), caught: "schedules/conversation schedules.delete"},
	{does: "has no Location", server: headerless(newSchedule, "Location"), caught: "schedules/conversation schedules.create"},
	{does: "has a Location that leads nowhere", server: answers(newSchedule, func(x *exchange) { x.header.Set("Location", x.header.Get("Location")+"x") }), caught: "schedules/conversation schedules.create"},
	{does: "has no Operation-Location", server: headerless(newTask, "Operation-Location"), caught: "tasks/conversation tasks.create"},
	{does: "has no Operation-Id", server: headerless(deleteTasks, "Operation-Id"), caught: "tasks/conversation tasks.deleteMany"},
	{does: "has an Operation-Location of its own", server: answers(newTask, func(x *exchange) {
		x.header.Set("Operation-Location", strings.Replace(x.header.Get("Operation-Location"), "/operations/", "/jobs/", 1))
	}), caught: "operations/every accepted write names its operation"},
	{does: "has relative links to operations", server: answers(newTask, func(x *exchange) {
		x.header.Set("Operation-Location", strings.TrimPrefix(x.header.Get("Operation-Location"), "https://twin.test"))
	}), caught: "operations/every accepted write names its operation"},
	{does: "takes an id twice", server: answers(newTask, func(x *exchange) {
		if x.status == 409 {
			x.answer(202, map[string]any{"operation": map[string]any{"id": "x"}, "task": map[string]any{"id": "dig"}})
		}
	}), caught: "tasks/id that is taken is 409 AlreadyExists"},
	{does: "ignores null in a patch", server: bodies(patchTask, func(b map[string]any) {
		for name, v := range b {
			if v == nil {
				delete(b, name)
			}
		}
	}), caught: "tasks/patch clears with null"},
	{does: "clears in a patch what is absent", server: bodies(patchTask, func(b map[string]any) {
		if _, ok := b["comment"]; !ok {
			b["comment"] = nil
		}
	}), caught: "tasks/patch changes what it holds and keeps the rest"},
	{does: "cuts comments that are too long", server: bodies(newTask, func(b map[string]any) {
		if c, _ := b["comment"].(string); len([]rune(c)) > 1000 {
			b["comment"] = "cut"
		}
	}), caught: "tasks/comment has at most 1000 characters"},
	{does: "counts bytes for characters", server: answers(newTask, func(x *exchange) {
		if x.request.ContentLength > 1500 {
			x.fail(400, "InvalidSchedulesRequest")
		}
	}), caught: "tasks/comment has at most 1000 characters"},
	{does: "deletes the first of many alone", server: requests(deleteTasks, func(r *http.Request) {
		if one, _, many := strings.Cut(r.URL.Query().Get("taskIds"), ","); many {
			withParameter(r, "taskIds", one)
		}
	}), caught: "tasks/conversation tasks.deleteMany"},
	{does: "creates the good part of a bad batch", server: func(next http.Handler) http.Handler {
		return answers(`POST .*/tasks/batch`, func(x *exchange) {
			if x.status == 400 {
				again := x.request.Clone(x.request.Context())
				restore(again, `{"batch":[{"id":"d","name":"D","type":"Work"}]}`)
				handled(next, again)
			}
		})(next)
	}, caught: "tasks/batch is created whole or not at all"},
	{does: "refuses unknown members without naming them", server: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text := drained(r.Body)
			if restore(r, text); strings.Contains(text, "somethingElse") {
				(&exchange{header: http.Header{"Content-Type": {"application/json"}}, status: 400, body: wrongBody}).write(w)
				return
			}
			next.ServeHTTP(w, r)
		})
	}, caught: "tasks/create names an unknown member, or passes over it"},
}

var recordDefects = []defect{
	{does: "leaves out what is null", server: member(aTask, "task", func(r map[string]any) {
		for name, v := range r {
			if v == nil {
				delete(r, name)
			}
		}
	}), caught: "tasks/conversation tasks.get"},
	{does: "has null where there is an empty text", server: member(aTask, "task", func(r map[string]any) {
		if r["comment"] == "" {
			r["comment"] = nil
		}
	}), caught: "tasks/conversation tasks.get"},
	{does: "shows a member of its own", server: member(aTask, "task", func(r map[string]any) { r["internal"] = true }), caught: "tasks/conversation tasks.get"},
	{does: "shows dates in another zone", server: member(aTask, "task", func(r map[string]any) {
		if r["plannedStart"] == "2026-02-02T08:00:00Z" {
			r["plannedStart"] = "2026-02-02T09:00:00+01:00"
		}
	}), caught: "tasks/conversation tasks.create"},
	{does: "has numbers as texts", server: member(aTask, "task", func(r map[string]any) { r["plannedDuration"] = fmt.Sprint(r["plannedDuration"]) }), caught: "tasks/conversation tasks.create"},
	{does: "shows what was never set on a form", server: member(`GET /forms/[^/]+`, "formData", func(r map[string]any) {
		if _, ok := r["description"]; !ok {
			r["description"] = nil
		}
	}), caught: "forms/conversation forms.get"},
	{does: "leaves out what was cleared on a form", server: member(`PATCH /forms/[^/]+`, "formData", func(r map[string]any) {
		if r["description"] == nil {
			delete(r, "description")
		}
	}), caught: "forms/conversation forms.update"},
	{does: "has null for what reality data does not have", server: member(`POST /reality-management/reality-data`, "realityData", func(r map[string]any) { r["dataset"] = nil }), caught: "realityData/conversation realityData.create"},
	{does: "leaves out what a detector does not have", server: member(`POST /reality-analysis/detectors`, "detector", func(r map[string]any) { delete(r, "displayName") }), caught: "detectors/conversation detectors.create"},
	{does: "lists twins whole", server: answers(`GET /twins`, func(x *exchange) {
		x.list("twins", func(all []any) []any {
			for _, twin := range all {
				twin.(map[string]any)["status"] = "Active"
			}
			return all
		})
	}), caught: "twins/conversation twins.list"},
	{does: "lets a baseline change with the plan", server: answers(`GET .*/baseline-tasks`, func(x *exchange) {
		x.list("baselineTasks", func(all []any) []any { return all[:1] })
	}), caught: "baselines/baseline stays as the plan was"},
	{does: "has values of user fields by their types", server: answers(`GET .*/user-field-values`, func(x *exchange) {
		x.list("userFieldValues", func(all []any) []any {
			for _, v := range all {
				if r := v.(map[string]any); r["value"] == "12" {
					r["value"] = 12
				}
			}
			return all
		})
	}), caught: "resources/user field value is a text whatever its type"},
}
