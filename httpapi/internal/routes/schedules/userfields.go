package schedules

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

func userFieldRoutes(svc *schedules.Service) cycle.Routes {
	in := func(scheduleID string) userfields.Plan { return userfields.In(svc.In(scheduleID)) }
	n := &route.Resource{
		Path: route.Schedule + "/user-fields", Many: "userFields", One: "userField",
		Plural: "User Fields", Singular: "a User Field",
	}
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{}, route.Bind(in, userfields.Plan.UserFields),
			route.Text("name", "List the user fields whose name equals or contains this.",
				func(q *userfields.UserFieldQuery) *string { return &q.Name }),
		).AsSpecified("S6"),
		route.GetIn(n, route.Bind(in, userfields.Plan.UserField)),
		route.CreateIn(n, route.On(in, userfields.Plan.CreateUserField)),
		route.DeleteIn(n, route.BindDelete(in, userfields.Plan.DeleteUserField)),
	}
}

// valueTarget is a kind of object that user fields are assigned to, as the routes
// of their values name it.
type valueTarget struct {
	category   userfields.UserFieldCategory
	name       string // of its operations that the specification does not have
	collection string // segment of the path
	object     string // name of the object's id
	article    string
	resource   string
}

func userFieldValueRoutes(svc *schedules.Service) cycle.Routes {
	tasks := valueTarget{userfields.TaskField, "taskUserFieldValues", "tasks", "taskId", "a", "Task"}.routes(svc,
		route.Assigned("userFieldValue"))
	resources := valueTarget{
		userfields.ResourceField, "resourceUserFieldValues", "resources", "resourceId", "a",
		"Resource",
	}.routes(svc, route.Assigned("userFieldValue"))
	resources.Of("resourceUserFieldValues.set").AsSpecified("S1").AsPreview()
	groups := valueTarget{
		userfields.ResourceGroupField, "resourceGroupUserFieldValues", "resource-groups",
		"resourceGroupId", "a", "Resource Group",
	}.routes(svc, route.Assigned("userFieldValue"))
	groups.Of("resourceGroupUserFieldValues.list").AsSpecified("S4")
	entities := valueTarget{
		userfields.Entity3DField, "entity3dUserFieldValues", "entities-3d", "entity3dId", "an",
		"Entity 3D",
	}.routes(svc, route.Accepted(route.Subject{}))
	entities.Of("entity3dUserFieldValues.set").AsSpecified("S12")
	return append(slices.Concat(tasks, resources, groups, entities),
		valueBatchRoute(svc, "tasks", "Task", userfields.TaskField), valueBatchRoute(svc, "resources", "Resource",
			userfields.ResourceField))
}

// valueBatchRoute sets the values of several objects.
func valueBatchRoute(svc *schedules.Service, collection, record string,
	category userfields.UserFieldCategory,
) *cycle.Route {
	n := &route.Resource{
		Path: route.Schedule + "/" + collection + "/user-field-values", Many: "userFieldValues",
		Plural: record + " User Field Values", Name: strings.ToLower(record) + "UserFieldValues",
	}
	o := n.Operation("setMany", http.MethodPost, n.Path+"/batch", "Create "+n.Plural)
	return route.Writes(o, route.Batched("batch", route.Subject{}),
		func(ctx context.Context, x *cycle.Exchange,
			b route.Batch[userfields.NewUserFieldValue],
		) (twinplatform.Result[userfields.UserFieldValue], error) {
			return userfields.In(svc.In(x.Path("scheduleId"))).SetUserFieldValues(ctx, category, b.Batch,
				x.Preconditions()...)
		}).OnRecord().Needing(strings.ToLower(record) + "Id")
}

// routes makes the routes for values of user fields on one kind of object; set is how
// setting a value is answered.
func (t valueTarget) routes(svc *schedules.Service, set route.WriteReply) cycle.Routes {
	type query = userfields.UserFieldValueQuery
	all := &route.Resource{
		Path: route.Schedule + "/" + t.collection +
			"/user-field-values", Many: "userFieldValues", One: "userFieldValue",
		Plural: t.resource + " User Field Values of a Schedule", Singular: t.article + " " + t.resource +
			" User Field Value", Name: t.name,
	}
	of := &route.Resource{
		Path: route.Schedule + "/" + t.collection + "/{" + t.object +
			"}/user-field-values", Many: "userFieldValues", One: "userField",
		Plural: "User Field Values of one " + t.resource, Singular: "a User Field Value of one " +
			t.resource, Name: t.name,
	}
	byField := route.Text("userFieldId", "List the values of this user field.",
		func(q *query) *string { return &q.UserFieldID })
	return cycle.Routes{
		route.ListIn(all, cycle.Paging{},
			func(ctx context.Context, scheduleID string, q query) (twinplatform.Page[userfields.UserFieldValue],
				error,
			) {
				return userfields.In(svc.In(scheduleID)).UserFieldValues(ctx, t.category, q)
			}, route.Text(t.object, "List the values of this object.", func(q *query) *string { return &q.ObjectID }),
			byField),
		route.Writes(all.Creates(), set,
			func(ctx context.Context, x *cycle.Exchange,
				n userfields.NewUserFieldValue,
			) (twinplatform.Result[userfields.UserFieldValue], error) {
				return userfields.In(svc.In(x.Nth(0))).SetUserFieldValue(ctx, t.category, n, x.Preconditions()...)
			}).Named(t.name + ".set").Needing(t.object).OnRecord(),
		route.ListBelow(of, cycle.Paging{},
			func(ctx context.Context, scheduleID, objectID string,
				q query,
			) (twinplatform.Page[userfields.UserFieldValue], error) {
				return userfields.In(svc.In(scheduleID)).UserFieldValuesOf(ctx, t.category, objectID, q)
			}, byField).Named(t.name + ".listOf"),
		route.DiscardRoute(of.Deletes(), func(ctx context.Context, x *cycle.Exchange) error {
			return userfields.In(svc.In(x.Nth(0))).DeleteUserFieldValue(ctx, t.category, x.Nth(1), x.Nth(2),
				x.Preconditions()...)
		}),
	}
}
