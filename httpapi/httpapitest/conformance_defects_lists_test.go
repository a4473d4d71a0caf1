package httpapitest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

var listDefects = []defect{
	{does: "has short pages", server: answers(tasksList, func(x *exchange) {
		if x.header.Get("Continuation-Token") != "" {
			x.list("tasks", func(all []any) []any { return all[:len(all)-1] })
		}
	}), caught: "lists/pages are full, the last one excepted"},
	{does: "ignores $top", server: dropped(tasksList, "$top"), caught: "lists/pages are full, the last one excepted"},
	{does: "repeats a record on the next page", server: answers(tasksList, func(x *exchange) {
		if x.has("$continuationToken") {
			x.list("tasks", func(all []any) []any { return slices.Concat(all[:1], all) })
		}
	}), caught: "lists/pages have each record once, by id"},
	{does: "has no order", server: answers(tasksList, func(x *exchange) {
		x.list("tasks", func(all []any) []any { slices.Reverse(all); return all })
	}), caught: "lists/pages have each record once, by id"},
	{does: "has a page behind the last", server: answers(tasksList, func(x *exchange) {
		links := x.record("_links")
		if self, ok := links["self"]; ok && links["next"] == nil {
			links["next"] = self
		}
	}), caught: "lists/pages have each record once, by id"},
	{does: "leaves next out on the last page", server: answers(tasksList, func(x *exchange) {
		if links := x.record("_links"); links["next"] == nil {
			delete(links, "next")
		}
	}), caught: "lists/last page has next: null, a Delta-Token and no Continuation-Token"},
	{does: "has no Continuation-Token", server: headerless(tasksList, "Continuation-Token"), caught: "lists/next link and Continuation-Token are of one token"},
	{does: "has a Continuation-Token of its own", server: answers(tasksList, func(x *exchange) {
		if x.header.Get("Continuation-Token") != "" {
			x.header.Set("Continuation-Token", "x")
		}
	}), caught: "lists/next link and Continuation-Token are of one token"},
	{does: "has an empty list as null", server: answers(tasksList, func(x *exchange) {
		if l, ok := x.body["tasks"].([]any); ok && len(l) == 0 {
			x.body["tasks"] = nil
		}
	}), caught: "lists/list of nothing is an empty list"},
	{does: "has links to another host", server: answers(tasksList, func(x *exchange) {
		if next, ok := x.record("_links")["next"].(map[string]any); ok {
			next["href"] = strings.Replace(next["href"].(string), "twin.test", "internal:8080", 1)
		}
	}), caught: "lists/next link and Continuation-Token are of one token"},
	{does: "has no Delta-Token", server: headerless(tasksList, "Delta-Token"), caught: "lists/last page has next: null, a Delta-Token and no Continuation-Token"},
	{does: "takes any $top", server: answers(tasksList, func(x *exchange) {
		if top := x.request.URL.Query().Get("$top"); top == "0" || top == "10001" {
			x.answer(200, map[string]any{"tasks": []any{}, "_links": map[string]any{"next": nil}})
		}
	}), caught: "lists/$top is from 1 to 10000"},
	{does: "has pages of 50", server: requests(tasksList, func(r *http.Request) {
		if !r.URL.Query().Has("$top") {
			withParameter(r, "$top", "50")
		}
	}), caught: "lists/page has 100 records without $top"},
	{does: "starts over at a wrong token", server: requests(tasksList, func(r *http.Request) {
		if r.URL.Query().Get("$continuationToken") == "x" {
			without(r, "$continuationToken")
		}
	}), caught: "lists/invalid Continuation-Token is refused"},
	{does: "ignores filters", server: dropped(`GET .*/user-fields`, "name"), caught: "lists/filter by name is equals or contains"},
	{does: "takes a filter for a pattern", server: requests(`GET .*/user-fields`, func(r *http.Request) {
		if r.URL.Query().Get("name") == "%" {
			without(r, "name")
		}
	}), caught: "lists/filter by name is equals or contains"},
	{does: "lists nothing for a schedule that is not there", server: answers(tasksList, func(x *exchange) {
		if x.status == 404 {
			x.answer(200, map[string]any{"tasks": []any{}, "_links": map[string]any{"next": nil}})
		}
	}), caught: "lists/list of a missing schedule is 404 ScheduleNotFound"},
	{does: "loses what is made while paging", server: answers(tasksList, func(x *exchange) {
		if x.has("deltaToken") {
			x.list("tasks", func(all []any) []any {
				return slices.DeleteFunc(all, func(r any) bool { return r.(map[string]any)["id"] == "a" })
			})
		}
	}), caught: "lists/record made while paging is in the pages or in the delta"},
}

var deltaDefects = []defect{
	{does: "loses a change", server: deltas(func(all []any) []any { return all[min(1, len(all)):] }), caught: "deltas/created, changed and deleted come once each, and nothing else"},
	{does: "has no tombstones", server: deltas(func(all []any) []any { return slices.DeleteFunc(all, isDeleted) }), caught: "deltas/deleted record comes with deleted: true and its last members"},
	{does: "does not mark tombstones", server: deltas(func(all []any) []any {
		for _, r := range all {
			r.(map[string]any)["deleted"] = false
		}
		return all
	}), caught: "deltas/deleted record comes with deleted: true and its last members"},
	{does: "has bare tombstones", server: deltas(func(all []any) []any {
		for i, r := range all {
			if isDeleted(r) {
				all[i] = map[string]any{"id": r.(map[string]any)["id"], "deleted": true}
			}
		}
		return all
	}), caught: "deltas/deleted record comes with deleted: true and its last members"},
	{does: "has a change twice", server: deltas(func(all []any) []any { return slices.Concat(all, all) }), caught: "deltas/created, changed and deleted come once each, and nothing else"},
	{does: "lists everything for a delta", server: dropped(tasksList, "deltaToken"), caught: "deltas/nothing has changed when nothing was changed"},
	{does: "takes any delta token", server: requests(tasksList, func(r *http.Request) {
		if r.URL.Query().Get("deltaToken") == "x" {
			without(r, "deltaToken")
		}
	}), caught: "deltas/invalid token is refused"},
	{does: "takes the tokens of a schedule that is gone", server: coded("InvalidSchedulesRequest", func(x *exchange) {
		if x.has("deltaToken") {
			x.answer(200, map[string]any{"tasks": []any{}, "_links": map[string]any{"next": nil}})
		}
	}), caught: "deltas/token of a schedule that is gone is refused by the next one"},
	{does: "ends deltas without a token", server: answers(tasksList, func(x *exchange) {
		if x.has("deltaToken") {
			x.header.Del("Delta-Token")
		}
	}), caught: "deltas/token of a delta has what changed since the delta"},
	{does: "has deltas of one page", server: requests(tasksList, func(r *http.Request) {
		if r.URL.Query().Has("deltaToken") {
			without(r, "$top")
		}
	}), caught: "deltas/delta has pages"},
}

var versionDefects = []defect{
	{does: "has no ETag", server: headerless(aTask, "ETag"), caught: "versions/If-None-Match of the present ETag is 304"},
	{does: "has an ETag that never changes", server: func(next http.Handler) http.Handler {
		fixed := answers(aTask, func(x *exchange) { x.header.Set("ETag", `"1"`) })(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if concerns(aTask)(r) && strings.Contains(r.Header.Get("If-None-Match"), `"1"`) {
				w.Header().Set("ETag", `"1"`)
				w.WriteHeader(304)
				return
			}
			fixed.ServeHTTP(w, r)
		})
	}, caught: "versions/ETag changes with the record"},
	{does: "ignores If-None-Match", server: requests(`GET .*`, func(r *http.Request) { r.Header.Del("If-None-Match") }), caught: "versions/If-None-Match of the present ETag is 304"},
	{does: "takes any If-None-Match for the present one", server: answers(`GET .*`, func(x *exchange) {
		if x.request.Header.Get("If-None-Match") != "" {
			x.answer(304, nil)
		}
	}), caught: "versions/If-None-Match of another ETag is 200"},
	{does: "has no ETag with 304", server: answers(`GET .*`, func(x *exchange) {
		if x.status == 304 {
			x.header.Del("ETag")
		}
	}), caught: "versions/If-None-Match of the present ETag is 304"},
	{does: "takes a stale If-Match", server: requests(`PATCH .*`, func(r *http.Request) { r.Header.Del("If-Match") }), caught: "versions/If-Match of an earlier ETag is refused and changes nothing"},
	{does: "deletes whatever version there is", server: requests(`DELETE .*`, func(r *http.Request) { r.Header.Del("If-Match") }), caught: "versions/If-Match of an earlier ETag keeps a record from being deleted"},
	{does: "refuses and changes nevertheless", server: func(next http.Handler) http.Handler {
		return answers(patchTask, func(x *exchange) {
			if x.status == 409 {
				again := x.request.Clone(x.request.Context())
				again.Header.Del("If-Match")
				restore(again, `{"name":"Third"}`)
				handled(next, again)
			}
		})(next)
	}, caught: "versions/If-Match of an earlier ETag is refused and changes nothing"},
	{does: "refuses every If-Match", server: requests(`PATCH .*`, func(r *http.Request) {
		if r.Header.Get("If-Match") != "" {
			r.Header.Set("If-Match", `"0"`)
		}
	}), caught: "versions/If-Match of the present ETag is taken"},
}

var operationDefects = []defect{
	{does: "has an operation that never ends", server: member(operation, "operation", func(r map[string]any) { r["status"], r["percentComplete"] = "Running", 50 }), caught: "operations/operation ends as Succeeded at 100 percent"},
	{does: "ends at 50 percent", server: member(operation, "operation", func(r map[string]any) { r["percentComplete"] = 50 }), caught: "operations/operation ends as Succeeded at 100 percent"},
	{does: "has 150 percent", server: member(operation, "operation", func(r map[string]any) { r["percentComplete"] = 150 }), caught: "operations/operation ends as Succeeded at 100 percent"},
	{does: "has a status of its own", server: member(operation, "operation", func(r map[string]any) { r["subStatus"], r["status"] = "Done", "Done" }), caught: "operations/operation ends as Succeeded at 100 percent"},
	{does: "leaves out why nothing failed", server: member(operation, "operation", func(r map[string]any) { delete(r, "failureDescription") }), caught: "operations/operation ends as Succeeded at 100 percent"},
	{does: "has all operations at an end", server: coded("OperationNotFound", func(x *exchange) {
		x.answer(200, map[string]any{"operation": map[string]any{"status": "Succeeded"}})
	}), caught: "operations/conversation operations.get"},
	{does: "shows operations of other schedules", server: coded("OperationNotFound", func(x *exchange) {
		x.answer(200, map[string]any{"operation": map[string]any{"status": "Succeeded"}})
	}), caught: "operations/conversation operations.get"},
}

var webhookDefects = []defect{
	{does: "answers 201 in the place of 202", server: recoded(newWebhook, 202, 201), caught: "webhooks/conversation webhooks.create"},
	{does: "makes webhooks active", server: answers(newWebhook, func(x *exchange) {
		if x.status == 202 {
			x.body["active"] = true
		}
	}), caught: "webhooks/conversation webhooks.create"},
	{does: "does not show a generated secret", server: answers(newWebhook, func(x *exchange) { delete(x.body, "secret") }), caught: "webhooks/create generates a secret where there is none"},
	{does: "shows the secret again", server: func(next http.Handler) http.Handler {
		secrets := make(map[any]any)
		made := answers(newWebhook, func(x *exchange) { secrets[x.body["id"]] = x.body["secret"] })(next)
		return answers(`GET /webhooks/[^/]+`, func(x *exchange) { x.body["secret"] = secrets[x.body["id"]] })(made)
	}, caught: "webhooks/secret is shown once"},
	{does: "takes unknown members", server: bodies(newWebhook, func(b map[string]any) { delete(b, "activ") }), caught: "webhooks/conversation webhooks.create"},
	{does: "takes plain HTTP", server: bodies(newWebhook, func(b map[string]any) {
		if u, _ := b["callbackUrl"].(string); strings.HasPrefix(u, "http://") {
			b["callbackUrl"] = "https" + strings.TrimPrefix(u, "http")
		}
	}), caught: "webhooks/conversation webhooks.create"},
	{does: "takes a change of scope", server: bodies(`PATCH /webhooks/.*`, func(b map[string]any) { delete(b, "scope") }), caught: "webhooks/conversation webhooks.update"},
	{does: "does not sign", delivery: inboxed(func(h http.Header, _ map[string]any) { h.Del("Signature") }), caught: "deliveries/delivery is signed with the secret"},
	{does: "signs with another secret", delivery: inboxed(func(h http.Header, b map[string]any) {
		receiver.Sign(h, "x", time.Now(), []byte(encoded(b)), "another secret")
	}), caught: "deliveries/delivery is signed with the secret"},
	{does: "signs another body", delivery: inboxed(func(_ http.Header, b map[string]any) { b["twinId"] = "another" }), caught: "deliveries/delivery is signed with the secret"},
	{does: "names another algorithm", delivery: inboxed(func(h http.Header, _ map[string]any) {
		h.Set("Signature", "sha512="+strings.TrimPrefix(h.Get("Signature"), "sha256="))
	}), caught: "deliveries/delivery is signed with the secret"},
	{does: "has a new message id in each attempt", delivery: func(next http.Handler) http.Handler {
		var n atomic.Int64 // several webhooks are delivered to at once
		return inboxed(func(_ http.Header, b map[string]any) { b["messageId"] = fmt.Sprint(n.Add(1)) })(next)
	}, caught: "deliveries/repeated delivery has the messageId of the first"},
	{does: "has one message id for all", delivery: inboxed(func(_ http.Header, b map[string]any) { b["messageId"] = "1" }), caught: "deliveries/two events have two messageIds"},
	{does: "leaves the type out", delivery: inboxed(func(_ http.Header, b map[string]any) { delete(b, "eventType") }), caught: "deliveries/delivery has the documented members"},
	{does: "loses deliveries", delivery: func(http.Handler) http.Handler {
		return http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	}, caught: "deliveries/delivery has the documented members"},
	{does: "continues delivering when it is stopped", server: requests(`PATCH /webhooks/.*`, func(r *http.Request) {
		if text := drained(r.Body); text == `{"active":false}` {
			restore(r, `{}`)
		} else {
			restore(r, text)
		}
	}), caught: "deliveries/inactive webhook receives nothing"},
}
