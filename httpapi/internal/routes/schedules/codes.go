package schedules

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
)

func codeRoutes(svc *schedules.Service) cycle.Routes {
	in := func(scheduleID string) codes.Plan { return codes.In(svc.In(scheduleID)) }
	n := &route.Resource{
		Path: route.Schedule + "/codes", Many: "codes", One: "code", Plural: "Codes",
		Singular: "a Code",
	}
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{}, route.Bind(in, codes.Plan.Codes),
			route.Text("name", "List the codes whose name equals or contains this.",
				func(q *codes.CodeQuery) *string { return &q.Name })),
		route.GetIn(n, route.Bind(in, codes.Plan.Code)),
		route.AcceptIn(n, route.On(in, codes.Plan.CreateCode)),
		route.UpdateIn(n, route.On(in, codes.Plan.UpdateCode)),
		route.DeleteIn(n, route.BindDelete(in, codes.Plan.DeleteCode)),
	}
}

func codeValueRoutes(svc *schedules.Service) cycle.Routes {
	in := func(scheduleID string) codes.Plan { return codes.In(svc.In(scheduleID)) }
	n := &route.Resource{
		Path: route.Schedule + "/codes/code-values", Many: "codeValues", One: "codeValue",
		Plural: "Values of Codes", Singular: "a Value of a Code",
	}
	ofCode := &route.Resource{
		Path: route.Schedule + "/codes/{codeId}/code-values", Many: n.Many,
		Plural: "Values of one Code",
	}
	single := cycle.Routes{
		route.GetIn(n, route.Bind(in, codes.Plan.CodeValue)),
		route.UpdateIn(n, route.On(in, codes.Plan.UpdateCodeValue)),
		route.DeleteIn(n, route.BindDelete(in, codes.Plan.DeleteCodeValue)),
	}
	for _, r := range single {
		r.Apart = "code-values"
	}
	return append(single,
		route.ListIn(n, cycle.Paging{}, route.Bind(in, codes.Plan.CodeValues),
			route.Text("codeId", "List the values of this code.",
				func(q *codes.CodeValueQuery) *string { return &q.CodeID })),
		route.AcceptIn(n, route.On(in, codes.Plan.CreateCodeValue)),
		route.CreateManyIn(n, route.On(in, codes.Plan.CreateCodeValues)),
		route.ListBelow(ofCode, cycle.Paging{},
			route.BindBelow(in, codes.Plan.CodeValuesOfCode)).Named("codeValues.listOfCode"),
	)
}

func codeValueAssignmentRoutes(svc *schedules.Service) cycle.Routes {
	in := func(scheduleID string) codes.Plan { return codes.In(svc.In(scheduleID)) }
	type query = codes.CodeValueAssignmentQuery
	n := &route.Resource{
		Path: route.Schedule + "/tasks/code-value-assignments", Many: "codeValueAssignments",
		One:    "codeValueAssignment",
		Plural: "the Code Values of Tasks", Singular: "a Code Value of a Task",
	}
	take := n.Operation("delete", http.MethodDelete,
		route.Schedule+"/tasks/{taskId}/code-value-assignments/{codeValueId}", "Take a Code Value from a Task")
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{}, route.Bind(in, codes.Plan.CodeValueAssignments),
			route.Text("taskId", "List the code values of this task.", func(q *query) *string { return &q.TaskID }),
			route.Text("codeValueId", "List the tasks that have this code value.",
				func(q *query) *string { return &q.CodeValueID })),
		route.PostIn(n, route.Assigned(n.One),
			route.On(in, codes.Plan.CreateCodeValueAssignment)).Summarized("Give a Task a Code Value"),
		route.CreateManyIn(n, route.On(in, codes.Plan.CreateCodeValueAssignments)).Summarized("Give Tasks Code Values"),
		route.DiscardRoute(take, func(ctx context.Context, x *cycle.Exchange) error {
			return codes.In(svc.In(x.Nth(0))).DeleteCodeValueAssignment(ctx, x.Nth(1), x.Nth(2), x.Preconditions()...)
		}),
	}
}

func ruleRoutes(svc *schedules.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Schedule + "/rules", Many: "rules", One: "rule", Plural: "Rules",
		Singular: "a Rule",
	}
	return route.Family(n,
		route.Bind(svc.In, schedules.Plan.Rules),
		route.Bind(svc.In, schedules.Plan.Rule),
		route.On(svc.In, schedules.Plan.CreateRule),
		route.On(svc.In, schedules.Plan.UpdateRule),
		route.BindDelete(svc.In, schedules.Plan.DeleteRule),
	)
}
