package conformance

import (
	"net/url"
	"slices"
	"strings"
)

// workTypes are the task types that have dates and a duration of their own.
const workTypes = `Work Rfi ChangeOrder Testing Delivery Meeting Rework Design Maintenance Manufacture Storage Purchase Receive Delay WeatherDelay Unknown`

var taskChecks = []Check{
	{Name: "every documented type is taken", run: func(p *probe) {
		s := p.aPlan()
		for typ := range strings.FieldsSeq(workTypes) {
			s.task("of-"+typ, object{"type": typ})
		}
		for _, r := range first(p.list(s.path+"/tasks", "tasks")) {
			if id, _ := r["id"].(string); "of-"+r["type"].(string) != id {
				p.failf("The task %s has the type %v.", id, r["type"])
			}
		}
	}},
	{Name: "comment has at most 1000 characters", run: func(p *probe) {
		s := p.aPlan()
		s.task("at", object{"comment": strings.Repeat("ü", 1000)})
		p.wantError(p.post(s.path+"/tasks", object{"name": "x", "type": "Work", "comment": strings.Repeat("ü", 1001)}),
			invalid("InvalidValue comment"))
	}},
	{Name: "id that is taken is 409 AlreadyExists", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig", object{"name": "First"})
		p.wantError(p.post(s.path+"/tasks", object{"id": "dig", "name": "Second", "type": "Work"}),
			problem{status: 409, code: "AlreadyExists", target: "id"})
		a := p.want(p.get(s.path+"/tasks/dig"), 200)
		p.wantMembers(a, p.object(a, "task"), object{"name": "First"})
	}},
	{Name: "create in a missing schedule is 404 ScheduleNotFound", run: func(p *probe) {
		a := p.post("/schedules/"+unused()+"/tasks", object{"name": "x", "type": "Work"})
		p.wantError(a, notFound("ScheduleNotFound", "scheduleId"))
	}},
	{Name: "create names an unknown member, or passes over it", run: func(p *probe) {
		p.wantNamedOrPassed(p.post(p.aPlan().path+"/tasks",
			object{"name": "Dig", "type": "Work", "somethingElse": true}))
	}},
	{Name: "patch changes what it holds and keeps the rest", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig", object{"comment": "C25/30", "plannedDuration": 3600})
		p.await(p.want(p.patch(s.path+"/tasks/dig", object{"name": "Dig deeper"}), 200, 202))
		a := p.want(p.get(s.path+"/tasks/dig"), 200)
		p.wantMembers(a, p.object(a, "task"),
			object{"name": "Dig deeper", "comment": "C25/30", "plannedDuration": 3600})
	}},
	{Name: "patch clears with null", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("build")
		s.task("dig", object{"parentId": "build", "comment": "C25/30"})
		p.await(p.want(p.patch(s.path+"/tasks/dig", object{"parentId": nil, "comment": nil}), 200, 202))
		a := p.want(p.get(s.path+"/tasks/dig"), 200)
		p.wantMembers(a, p.object(a, "task"), object{"parentId": nil, "comment": ""})
	}},
	{Name: "patch that is refused changes nothing", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig", object{"comment": "as it was"})
		p.wantError(p.patch(s.path+"/tasks/dig", object{"comment": "changed", "type": "Digging"}),
			invalid("InvalidValue type"))
		a := p.want(p.get(s.path+"/tasks/dig"), 200)
		p.wantMembers(a, p.object(a, "task"), object{"comment": "as it was"})
	}},
	{Name: "batch is created whole or not at all", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("a", "b", "c")
		p.wantError(p.post(s.path+"/tasks/batch",
			object{"batch": []object{{"id": "d", "name": "D", "type": "Work"}, {"id": "e", "type": "Work"}}}),
			problem{status: 400, code: "InvalidSchedulesRequest"})
		p.wantIDs(s.path+"/tasks", "tasks", "a", "b", "c")
	}},
	{Name: "links go with their tasks", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("a", "b", "c")
		link := func(id, from, to string, lag int) object {
			return object{"id": id, "predecessorId": from, "successorId": to, "type": "FinishToStart", "lag": lag}
		}
		p.await(p.want(p.post(s.path+"/task-links/batch",
			object{"batch": []object{link("ab", "a", "b", -3600), link("bc", "b", "c", 0)}}), 200, 202))
		a := p.want(p.get(s.path+"/task-links/ab"), 200)
		p.wantMembers(a, p.object(a, "taskLink"), link("ab", "a", "b", -3600))
		p.wantIDs(s.path+"/task-links?predecessorId=b", "taskLinks", "bc")
		p.await(p.want(p.delete(s.path+"/tasks?taskIds=a"), 202))
		p.wantIDs(s.path+"/task-links", "taskLinks", "bc")
	}},
}

// first drops the token behind a list.
func first(records []object, _ string) []object { return records }

// wantIDs checks which records a list has, in the order of their ids.
func (p *probe) wantIDs(path, name string, want ...string) {
	records, _ := p.list(path, name)
	if came := idsOf(records, "id"); !slices.Equal(came, want) {
		p.failf("The list %s should have %v, and has %v.", path, want, came)
	}
}

// wantOperation checks the operation in an answer.
func (p *probe) wantOperation(a *answer, s *plan) {
	id := p.header(a, "Operation-Id")
	want := p.BaseURL + s.path + "/operations/" + url.PathEscape(id)
	if got := p.header(a, "Operation-Location"); got != want {
		p.failf("The specification asks for the header Operation-Location: %s.\n\t%v", want, a)
	}
	if a.status != 202 {
		return // done already: the body has what was done
	}
	if p.text(a, p.object(a, "operation"), "id") != id {
		p.failf("The specification asks for the operation's id in the header Operation-Id.\n\t%v", a)
	}
	if got := href(a.body, "operationLocation"); got != want {
		p.failf("The specification asks for _links.operationLocation to lead to %s.\n\t%v", want, a)
	}
}
