package httpapi

import (
	"context"
	"net/http"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// bearer is a kind of object that user fields are assigned to, as its rows name
// it.
type bearer struct {
	category   schedules.UserFieldCategory
	id         string // of its operations that the specification does not have
	collection string // segment of the path
	object     string // name of the object's id
	noun       string
}

func userFieldValueRows(svc *schedules.Service) []*row {
	tasks := bearer{schedules.TaskField, "taskUserFieldValues", "tasks", "taskId", "Task"}
	resources := bearer{schedules.ResourceField, "resourceUserFieldValues", "resources", "resourceId", "Resource"}
	groups := bearer{schedules.ResourceGroupField, "resourceGroupUserFieldValues", "resource-groups", "resourceGroupId", "Resource Group"}
	entities := bearer{schedules.Entity3DField, "entity3dUserFieldValues", "entities-3d", "entity3dId", "Entity 3D"}
	return slices.Concat(
		tasks.rows(svc, Operation{}, tasks.assigned(svc, Operation{})),
		resources.rows(svc, Operation{}, resources.assigned(svc, Operation{ID: "S1", Preview: true})),
		groups.rows(svc, Operation{ID: "S4"}, groups.assigned(svc, Operation{})),
		entities.rows(svc, Operation{}, entities.accepted(svc, Operation{ID: "S12"})),
	)
}

func (b bearer) path() string { return inSchedule + "/" + b.collection + "/user-field-values" }

// named fills in what the specification does not say of an operation.
func (b bearer) named(o Operation, what, summary string) Operation {
	if o.ID == "" {
		o.ID, o.Addition = b.id+"."+what, true
	}
	o.Summary = summary
	return o
}

// assigned is the row that sets a value, and answers 200 once it is set.
func (b bearer) assigned(svc *schedules.Service, o Operation) *row {
	o = b.named(o, "set", "Create a "+b.noun+" User Field Value")
	o.Method, o.Path = http.MethodPost, b.path()
	return assign(o, "userFieldValue", b.set(svc))
}

// accepted is the row that sets a value, and answers 202.
func (b bearer) accepted(svc *schedules.Service, o Operation) *row {
	o = b.named(o, "set", "Create an "+b.noun+" User Field Value")
	o.Method, o.Path = http.MethodPost, b.path()
	return accept(o, subject{}, b.set(svc))
}

func (b bearer) set(svc *schedules.Service) func(context.Context, *exchange, schedules.NewUserFieldValue) (twinplatform.Result[schedules.UserFieldValue], error) {
	return func(ctx context.Context, x *exchange, n schedules.NewUserFieldValue) (twinplatform.Result[schedules.UserFieldValue], error) {
		return svc.SetUserFieldValue(ctx, x.path("scheduleId"), b.category, n)
	}
}

// rows are those of a kind of object: list is the list of all values, set the
// row that sets one.
func (b bearer) rows(svc *schedules.Service, all Operation, set *row) []*row {
	each := inSchedule + "/" + b.collection + "/{" + b.object + "}/user-field-values"
	byField := Parameter{Name: "userFieldId", Description: "List the values of this user field."}
	all = b.named(all, "list", "List "+b.noun+" User Field Values of a Schedule")
	all.Path, all.Query = b.path(), []Parameter{{Name: b.object, Description: "List the values of this object."}, byField}
	of := b.named(Operation{}, "listOf", "List User Field Values of one "+b.noun)
	of.Path, of.Query = each, []Parameter{byField}
	unset := b.named(Operation{}, "delete", "Delete a User Field Value of one "+b.noun)
	unset.Method, unset.Path = http.MethodDelete, each+"/{userFieldId}"
	return []*row{
		listIn(all, paging{}, "userFieldValues",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.UserFieldValue], error) {
				return svc.UserFieldValues(ctx, scheduleID, b.category, schedules.UserFieldValueQuery{
					ListOptions: o, ObjectID: x.query(b.object), UserFieldID: x.query("userFieldId"),
				})
			}),
		set,
		listIn(of, paging{}, "userFieldValues",
			func(ctx context.Context, scheduleID string, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[schedules.UserFieldValue], error) {
				return svc.UserFieldValuesOf(ctx, scheduleID, b.category, x.path(b.object), schedules.UserFieldValueQuery{
					ListOptions: o, UserFieldID: x.query("userFieldId"),
				})
			}),
		discard(unset, func(ctx context.Context, x *exchange) error {
			return svc.DeleteUserFieldValue(ctx, x.path("scheduleId"), b.category, x.path(b.object), x.path("userFieldId"))
		}),
	}
}
