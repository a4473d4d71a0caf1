package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

func userFieldRows(svc *schedules.Service) rows {
	n := &noun{path: inSchedule + "/user-fields", many: "userFields", one: "userField", things: "User Fields", thing: "a User Field"}
	return rows{
		listIn(n, paging{}, bind(svc.In, schedules.Plan.UserFields),
			text("name", "List the user fields whose name equals or contains this.", func(q *schedules.UserFieldQuery) *string { return &q.Name }),
		).spec("S6"),
		getIn(n, bind(svc.In, schedules.Plan.UserField)),
		createIn(n, bind(svc.In, schedules.Plan.CreateUserField)),
		deleteIn(n, bindDelete(svc.In, schedules.Plan.DeleteUserField)),
	}
}

// valueTarget is a kind of object that user fields are assigned to, as the rows
// of their values name it.
type valueTarget struct {
	category   schedules.UserFieldCategory
	name       string // of its operations that the specification does not have
	collection string // segment of the path
	object     string // name of the object's id
	article    string
	noun       string
}

func userFieldValueRows(svc *schedules.Service) rows {
	tasks := valueTarget{schedules.TaskField, "taskUserFieldValues", "tasks", "taskId", "a", "Task"}.rows(svc, assigned("userFieldValue"))
	resources := valueTarget{schedules.ResourceField, "resourceUserFieldValues", "resources", "resourceId", "a", "Resource"}.rows(svc, assigned("userFieldValue"))
	resources.of("resourceUserFieldValues.set").spec("S1").preview()
	groups := valueTarget{schedules.ResourceGroupField, "resourceGroupUserFieldValues", "resource-groups", "resourceGroupId", "a", "Resource Group"}.rows(svc, assigned("userFieldValue"))
	groups.of("resourceGroupUserFieldValues.list").spec("S4")
	entities := valueTarget{schedules.Entity3DField, "entity3dUserFieldValues", "entities-3d", "entity3dId", "an", "Entity 3D"}.rows(svc, accepted(subject{}))
	entities.of("entity3dUserFieldValues.set").spec("S12")
	return append(slices.Concat(tasks, resources, groups, entities), valueBatchRow(svc, "tasks", "Task", schedules.TaskField), valueBatchRow(svc, "resources", "Resource", schedules.ResourceField))
}

// valueBatchRow sets the values of several objects.
func valueBatchRow(svc *schedules.Service, collection, thing string, category schedules.UserFieldCategory) *row {
	n := &noun{path: inSchedule + "/" + collection + "/user-field-values", many: "userFieldValues", things: thing + " User Field Values", name: strings.ToLower(thing) + "UserFieldValues"}
	o := n.operation("setMany", http.MethodPost, n.path+"/batch", "Create "+n.things)
	return writes(o, batched("batch", subject{}), func(ctx context.Context, x *exchange, b batchOf[schedules.NewUserFieldValue]) (twinplatform.Result[schedules.UserFieldValue], error) {
		return svc.In(x.path("scheduleId")).SetUserFieldValues(ctx, category, b.Batch, x.preconditions()...)
	}).onRecord().needing(strings.ToLower(thing) + "Id")
}

// rows are those of a kind of object; set is how setting a value is answered.
func (t valueTarget) rows(svc *schedules.Service, set ending) rows {
	type query = schedules.UserFieldValueQuery
	all := &noun{
		path: inSchedule + "/" + t.collection + "/user-field-values", many: "userFieldValues", one: "userFieldValue",
		things: t.noun + " User Field Values of a Schedule", thing: t.article + " " + t.noun + " User Field Value", name: t.name,
	}
	of := &noun{
		path: inSchedule + "/" + t.collection + "/{" + t.object + "}/user-field-values", many: "userFieldValues", one: "userField",
		things: "User Field Values of one " + t.noun, thing: "a User Field Value of one " + t.noun, name: t.name,
	}
	byField := text("userFieldId", "List the values of this user field.", func(q *query) *string { return &q.UserFieldID })
	return rows{
		listIn(all, paging{}, func(ctx context.Context, scheduleID string, q query) (twinplatform.Page[schedules.UserFieldValue], error) {
			return svc.In(scheduleID).UserFieldValues(ctx, t.category, q)
		}, text(t.object, "List the values of this object.", func(q *query) *string { return &q.ObjectID }), byField),
		writes(all.creates(), set, func(ctx context.Context, x *exchange, n schedules.NewUserFieldValue) (twinplatform.Result[schedules.UserFieldValue], error) {
			return svc.In(x.nth(0)).SetUserFieldValue(ctx, t.category, n, x.preconditions()...)
		}).named(t.name + ".set").needing(t.object).onRecord(),
		listBelow(of, paging{}, func(ctx context.Context, scheduleID, objectID string, q query) (twinplatform.Page[schedules.UserFieldValue], error) {
			return svc.In(scheduleID).UserFieldValuesOf(ctx, t.category, objectID, q)
		}, byField).named(t.name + ".listOf"),
		discardRow(of.deletes(), func(ctx context.Context, x *exchange) error {
			return svc.In(x.nth(0)).DeleteUserFieldValue(ctx, t.category, x.nth(1), x.nth(2), x.preconditions()...)
		}),
	}
}
