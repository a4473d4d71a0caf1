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
				p.failf("The progress of an operation does not go back, and went from %v to %v.\n\t%v", last, percent,
					state)
			}
			last = percent
		})
		if op["percentComplete"] != 100.0 || op["failureDescription"] != nil ||
			op["id"] != a.header.Get("Operation-Id") {
			p.failf("The specification asks for 100 percent, no failureDescription and the operation's own id at its "+
				"end, and %s came.", encoded(op))
		}
		p.want(p.get(s.path+"/tasks/dig"), 200)
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
			p.await(a)
		}
	}},
}

// wantState checks the record of an operation in any of its states.
func (p *probe) wantState(a *answer, op object) {
	p.wantOnly(a, op, operationMembers)
	if status, _ := op["status"].(string); !strings.Contains(" NotStarted Running Succeeded Failed ", " "+status+" ") {
		p.failf("The status of an operation is NotStarted, Running, Succeeded or Failed, not %q.\n\t%v", status, a)
	}
	percent, ok := op["percentComplete"].(float64)
	if done := op["status"] == "Succeeded" || op["status"] == "Failed"; !ok || percent < 0 || percent > 100 ||
		percent == 100 != done {
		p.failf("The specification asks for percentComplete from 0 to 100, and 100 at the end alone.\n\t%v", a)
	}
	for _, name := range []string{"createdAt", "updatedAt"} {
		p.text(a, op, name)
	}
}
