package userfields

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// UserFieldValue assigns a user field to an object. Exactly one of the four
// object ids is set.
type UserFieldValue struct {
	Deleted         bool   `json:"deleted"`                   // the assignment is gone; true in deltas alone
	Entity3DID      string `json:"entity3dId,omitempty"`      // what has it; one of the four is not empty
	ResourceGroupID string `json:"resourceGroupId,omitempty"` // what has it; one of the four is not empty
	ResourceID      string `json:"resourceId,omitempty"`      // what has it; one of the four is not empty
	TaskID          string `json:"taskId,omitempty"`          // what has it; one of the four is not empty
	UserFieldID     string `json:"userFieldId"`               // the field it is a value of
	// Value is the value as a string, whatever the type of the field: whole
	// numbers and the shortest decimal form of others, true or false, and
	// date-times in ISO 8601 and UTC.
	Value string `json:"value"`
}

// object is the id of what the field is assigned to.
func (v *UserFieldValue) object() string {
	return v.TaskID + v.ResourceID + v.ResourceGroupID + v.Entity3DID
}

// The values are kept apart by what the field is assigned to.
var (
	taskValues     = valueRecords(model.TaskValues.Name)
	resourceValues = valueRecords("resource-values")
	groupValues    = valueRecords("resource-group-values")
	entity3DValues = valueRecords("entity-3d-values")
)

func valueRecords(name string) *records.Collection[UserFieldValue] {
	return &records.Collection[UserFieldValue]{
		Name:        name,
		ID:          func(v *UserFieldValue) string { return records.Join(v.object(), v.UserFieldID) },
		MarkDeleted: func(v *UserFieldValue) { v.Deleted = true },
		Indexes: []records.Index[UserFieldValue]{{
			Name:  model.ValuesOfField,
			Value: func(v *UserFieldValue) string { return v.UserFieldID },
		}},
	}
}

// valueTarget is a kind of object that user fields are assigned to.
type valueTarget struct {
	of       *model.Subject
	category UserFieldCategory
	values   *records.Collection[UserFieldValue]
	op       string // name of its lists
	name     string // that its operations of the API are called after
	resource string
	param    string // how requests call the object's id
	missing  *problem.Absent
	// object and requested point at the object's id in a value, and get it
	// from a request.
	object    func(*UserFieldValue) *string
	requested func(NewUserFieldValue) string
}

var valueTargets = []*valueTarget{
	targets(model.Tasks, TaskField, taskValues, func(v *UserFieldValue) *string { return &v.TaskID },
		func(n NewUserFieldValue) string { return n.TaskID }),
	targets(model.Resources, ResourceField, resourceValues, func(v *UserFieldValue) *string { return &v.ResourceID },
		func(n NewUserFieldValue) string { return n.ResourceID }),
	targets(model.ResourceGroups, ResourceGroupField, groupValues,
		func(v *UserFieldValue) *string { return &v.ResourceGroupID },
		func(n NewUserFieldValue) string { return n.ResourceGroupID }),
	targets(model.Entities3D, Entity3DField, entity3DValues, func(v *UserFieldValue) *string { return &v.Entity3DID },
		func(n NewUserFieldValue) string { return n.Entity3DID }),
}

// targets are records of the core as what fields of a category are assigned to.
func targets(of *model.Subject, category UserFieldCategory, values *records.Collection[UserFieldValue],
	object func(*UserFieldValue) *string, requested func(NewUserFieldValue) string,
) *valueTarget {
	return &valueTarget{
		of: of, category: category, values: values, op: of.One + "Values", name: of.One +
			"UserFieldValues", resource: of.Resource,
		param: of.One + "Id", missing: of.Missing, object: object, requested: requested,
	}
}

// targetOf returns the kind of objects that fields of a category are assigned
// to.
func targetOf(category UserFieldCategory) (*valueTarget, error) {
	for _, b := range valueTargets {
		if b.category == category {
			return b, nil
		}
	}
	return nil, model.Invalid(problem.BadValue("category", "User fields are assigned to a %s, %s, %s or %s.", TaskField,
		ResourceField, ResourceGroupField, Entity3DField))
}

func (b *valueTarget) exists(id string) func(*records.View, records.Scope) error {
	return func(v *records.View, s records.Scope) error { return b.need(v, s, id) }
}

// need fails with records.ErrNotFound when there is no such object.
func (b *valueTarget) need(tx records.Reading, s records.Scope, id string) error {
	has, err := b.of.Has(tx, s, id)
	if err == nil && !has {
		err = records.ErrNotFound
	}
	return err
}

// UserFieldValueQuery selects the user field values to list.
type UserFieldValueQuery struct {
	twinplatform.ListOptions
	// ObjectID lists the values of one task, resource, resource group or 3D
	// entity.
	ObjectID string
	// UserFieldID lists the values of one user field.
	UserFieldID string
}

func (q UserFieldValueQuery) query(op string) records.Query[UserFieldValue] {
	query := records.Query[UserFieldValue]{ListOptions: q.ListOptions, Op: op}
	if q.ObjectID != "" {
		query.Prefix = records.Join(q.ObjectID, "")
	}
	if q.UserFieldID != "" {
		query.Index, query.Equals = "field", q.UserFieldID
	}
	return query
}

// UserFieldValues lists the values of the user fields of a category (S4 for
// ResourceGroupField, and its siblings) by object and field.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta, and category for one that nothing has values of).
func (p Plan) UserFieldValues(ctx context.Context, category UserFieldCategory,
	q UserFieldValueQuery,
) (page twinplatform.Page[UserFieldValue], err error) {
	b, err := targetOf(category)
	if err != nil {
		return page, err
	}
	return model.List(ctx, p.calls.area.DB, p.calls.area.Read, p.id, model.ScheduleMissing, b.values, q.query(b.op),
		nil)
}

// UserFieldValuesOf lists the values of one object by field. Of the query it
// takes the options and UserFieldID.
//
// Errors: TaskNotFound, ResourceNotFound, ResourceGroupNotFound or
// Entity3dNotFound, also for a schedule that is missing or not for the caller to
// see; InvalidSchedulesRequest as UserFieldValues.
func (p Plan) UserFieldValuesOf(ctx context.Context, category UserFieldCategory, objectID string,
	q UserFieldValueQuery,
) (page twinplatform.Page[UserFieldValue], err error) {
	b, err := targetOf(category)
	if err != nil {
		return page, err
	}
	q.ObjectID = objectID
	return model.List(ctx, p.calls.area.DB, p.calls.area.Read, p.id, b.missing, b.values, q.query(b.op+"Of"),
		b.exists(objectID))
}

// valueOperations are the operations of the API that do the same to values of objects of
// each kind.
func valueOperations(verb string) (names []string) {
	for _, b := range valueTargets {
		names = append(names, b.name+verb)
	}
	return names
}

// valueChange names a value that is set or deleted.
type valueChange struct {
	Category    UserFieldCategory `json:"category"`
	ObjectID    string            `json:"objectId"`
	UserFieldID string            `json:"userFieldId"`
	Value       sentValue         `json:"value"`
}

// DeleteUserFieldValue takes a user field off an object. It needs
// PermissionModify and is never left to the background.
//
// Errors: InvalidSchedulesRequest with InvalidParameter (such as userFieldId,
// resourceGroupId) when the object has no such value, or InvalidValue
// (category); ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// TaskNotFound, ResourceNotFound, ResourceGroupNotFound or Entity3dNotFound; VersionMismatch.
func (p Plan) DeleteUserFieldValue(ctx context.Context, category UserFieldCategory, objectID, userFieldID string,
	pre ...twinplatform.Precondition,
) error {
	if _, err := targetOf(category); err != nil {
		return err
	}
	_, err := p.calls.remove.Start(ctx, p.id, model.AtOnce, []string{objectID},
		valueChange{Category: category, ObjectID: objectID, UserFieldID: userFieldID}, pre...)
	return err
}

func removeValue(u *records.Update, e *model.Edit[valueChange, UserFieldValue]) error {
	b, err := targetOf(e.Request.Category)
	if err != nil {
		return err
	}
	if err := b.need(u, e.Scope, e.Request.ObjectID); err != nil {
		return problem.NotFound(b.missing.Code, b.param, b.resource).Or(err)
	}
	id := records.Join(e.Request.ObjectID, e.Request.UserFieldID)
	err = b.values.Check(u, e.Scope, id, e.Condition)
	if err == nil {
		err = b.values.Delete(u, e.Scope, id)
	}
	if errors.Is(err, records.ErrNotFound) {
		return model.BadParameter("userFieldId, "+b.param,
			"The value cannot be deleted: the user field is not assigned to the object.")
	}
	return problem.Precondition(err)
}
