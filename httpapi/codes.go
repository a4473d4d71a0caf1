package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform/schedules"
)

func codeRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/codes", many: "codes", one: "code", things: "Codes", thing: "a Code"}
	return rows{
		listIn(n, paging{}, bind(svc.In, schedules.Plan.Codes),
			text("name", "List the codes whose name equals or contains this.", func(q *schedules.CodeQuery) *string { return &q.Name })),
		getIn(n, bind(svc.In, schedules.Plan.Code)),
		acceptIn(n, bind(svc.In, schedules.Plan.CreateCode)),
		updateIn(n, bindUpdate(svc.In, schedules.Plan.UpdateCode)),
		deleteIn(n, bindDelete(svc.In, schedules.Plan.DeleteCode)),
	}
}

func codeValueRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/codes/code-values", many: "codeValues", one: "codeValue", things: "Values of Codes", thing: "a Value of a Code"}
	ofCode := &noun{path: inSchedule + "/codes/{codeId}/code-values", many: n.many, things: "Values of one Code"}
	single := rows{
		getIn(n, bind(svc.In, schedules.Plan.CodeValue)),
		updateIn(n, bindUpdate(svc.In, schedules.Plan.UpdateCodeValue)),
		deleteIn(n, bindDelete(svc.In, schedules.Plan.DeleteCodeValue)),
	}
	for _, r := range single {
		r.apart = "code-values"
	}
	return append(single,
		listIn(n, paging{}, bind(svc.In, schedules.Plan.CodeValues),
			text("codeId", "List the values of this code.", func(q *schedules.CodeValueQuery) *string { return &q.CodeID })),
		acceptIn(n, bind(svc.In, schedules.Plan.CreateCodeValue)),
		createManyIn(n, bind(svc.In, schedules.Plan.CreateCodeValues)),
		listBelow(ofCode, paging{}, bindBelow(svc.In, schedules.Plan.CodeValuesOfCode)).named("codeValues.listOfCode"),
	)
}

func codeValueAssignmentRows(svc *schedules.Service) rows {
	type query = schedules.CodeValueAssignmentQuery
	n := &noun{
		path: inSchedule + "/tasks/code-value-assignments", many: "codeValueAssignments", one: "codeValueAssignment",
		things: "the Code Values of Tasks", thing: "a Code Value of a Task",
	}
	take := n.operation("delete", http.MethodDelete, inSchedule+"/tasks/{taskId}/code-value-assignments/{codeValueId}", "Take a Code Value from a Task")
	return rows{
		listIn(n, paging{}, bind(svc.In, schedules.Plan.CodeValueAssignments),
			text("taskId", "List the code values of this task.", func(q *query) *string { return &q.TaskID }),
			text("codeValueId", "List the tasks that have this code value.", func(q *query) *string { return &q.CodeValueID })),
		postIn(n, assigned(n.one), bind(svc.In, schedules.Plan.CreateCodeValueAssignment)).says("Give a Task a Code Value"),
		createManyIn(n, bind(svc.In, schedules.Plan.CreateCodeValueAssignments)).says("Give Tasks Code Values"),
		discardRow(take, func(ctx context.Context, x *exchange) error {
			return svc.In(x.nth(0)).DeleteCodeValueAssignment(ctx, x.nth(1), x.nth(2), x.preconditions()...)
		}),
	}
}

func ruleRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/rules", many: "rules", one: "rule", things: "Rules", thing: "a Rule"}
	return family(n,
		bind(svc.In, schedules.Plan.Rules),
		bind(svc.In, schedules.Plan.Rule),
		bind(svc.In, schedules.Plan.CreateRule),
		bindUpdate(svc.In, schedules.Plan.UpdateRule),
		bindDelete(svc.In, schedules.Plan.DeleteRule),
	)
}
