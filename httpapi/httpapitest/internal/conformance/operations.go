package conformance

import "strings"

const operationMembers = "id createdAt updatedAt percentComplete status subStatus failureDescription"

var operationChecks = []Check{
	{Name: "operation ends as Succeeded at 100 percent", run: func(p *probe) {
		s := p.aPlan()
		a := p.want(p.post(s.path+"/tasks", object{"id": "dig", "name": "Dig", "type": "Work"}), 202)
		last := -1.0
		op := p.watch(a, func(state *answer, op object) {
			p.wantState(state, op)
			percent, _ := op["percentComplete"].(float64)
			if percent < last {
				p.failf("The progress of an operation does not go back, and went from %v to %v.\n\t%v", last, percent, state)
			}
			last = percent
		})
		if op["percentComplete"] != 100.0 || op["failureDescription"] != nil || op["id"] != a.header.Get("Operation-Id") {
			p.failf("The specification asks for 100 percent, no failureDescription and the operation's own id at its end, and %s came.", encoded(op))
		}
		p.want(p.get(s.path+"/tasks/dig"), 200)
	}},
	{Name: "operation has an ETag", run: func(p *probe) {
		s := p.aPlan()
		a := p.want(p.post(s.path+"/tasks", object{"name": "Dig", "type": "Work"}), 202)
		p.follow(a)
		at := a.header.Get("Operation-Location")
		etag := p.header(p.want(p.get(at), 200), "ETag")
		p.want(p.get(at, "If-None-Match: "+etag), 304)
	}},
	{Name: "every accepted write names its operation", run: func(p *probe) {
		s := p.aPlan()
		s.task("dig")
		writes := []*answer{
			p.post(s.path+"/tasks", object{"name": "x", "type": "Work"}),
			p.delete(s.path + "/tasks?taskIds=dig"),
		}
		for _, a := range writes {
			p.wantOperation(p.want(a, 202), s)
			p.settle(a)
		}
	}},
	{Name: "missing one is 404 OperationNotFound", run: func(p *probe) {
		s := p.aPlan()
		p.wantError(p.get(s.path+"/operations/nobody"), notFound("OperationNotFound", "operationId"))
	}},
	{Name: "one of another schedule is 404 OperationNotFound", run: func(p *probe) {
		s, other := p.aPlan(), p.aPlan()
		a := p.settle(p.want(p.post(s.path+"/tasks", object{"name": "x", "type": "Work"}), 202))
		at := other.path + "/operations/" + a.header.Get("Operation-Id")
		p.wantError(p.get(at), notFound("OperationNotFound", "operationId"))
	}},
}

// wantState checks the record of an operation in any of its states.
func (p *probe) wantState(a *answer, op object) {
	p.wantOnly(a, op, operationMembers)
	if status, _ := op["status"].(string); !strings.Contains(" NotStarted Running Succeeded Failed ", " "+status+" ") {
		p.failf("The status of an operation is NotStarted, Running, Succeeded or Failed, not %q.\n\t%v", status, a)
	}
	percent, ok := op["percentComplete"].(float64)
	if done := op["status"] == "Succeeded" || op["status"] == "Failed"; !ok || percent < 0 || percent > 100 || percent == 100 != done {
		p.failf("The specification asks for percentComplete from 0 to 100, and 100 at the end alone.\n\t%v", a)
	}
	for _, name := range []string{"createdAt", "updatedAt"} {
		p.text(a, op, name)
	}
}
