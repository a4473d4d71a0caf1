package userfields

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// UserFieldCategory is what kind of object a user field can be assigned to.
type UserFieldCategory string

// The user field categories. A field of category Unknown cannot be assigned.
const (
	TaskField            UserFieldCategory = "Task"
	Entity3DField        UserFieldCategory = "Entity3d"
	ResourceField        UserFieldCategory = "Resource"
	ResourceGroupField   UserFieldCategory = "ResourceGroup"
	UnknownFieldCategory UserFieldCategory = "Unknown"
)

var userFieldCategories = []UserFieldCategory{
	TaskField, Entity3DField, ResourceField, ResourceGroupField,
	UnknownFieldCategory,
}

// UserFieldType is what kind of value a user field takes.
type UserFieldType string

// The user field types. A field of type Unknown takes no value.
const (
	IntegerField     UserFieldType = "Integer"
	StringField      UserFieldType = "String"
	StartDateField   UserFieldType = "StartDate"
	FinishDateField  UserFieldType = "FinishDate"
	BooleanField     UserFieldType = "Boolean"
	FloatField       UserFieldType = "Float"
	UnknownFieldType UserFieldType = "Unknown"
)

var userFieldTypes = []UserFieldType{
	IntegerField, StringField, StartDateField, FinishDateField, BooleanField, FloatField, UnknownFieldType,
}

// UserField is a field that a schedule adds to its tasks, resources, resource
// groups or 3D entities.
type UserField struct {
	Category UserFieldCategory `json:"category"` // what can have values of it; Unknown: nothing
	// Color is the colour of the field's graph, in the form #RRGGBB.
	Color   string        `json:"color"`
	Deleted bool          `json:"deleted"` // true in deltas alone
	ID      string        `json:"id"`      // unique in the schedule; never changes
	Name    string        `json:"name"`    // 1 to MaxText characters
	Type    UserFieldType `json:"type"`    // what its values are; Unknown takes none
}

var userFieldRecords = records.Collection[UserField]{
	Name:        model.UserFields.Name,
	ID:          func(f *UserField) string { return f.ID },
	MarkDeleted: func(f *UserField) { f.Deleted = true },
}

var userFieldMissing = problem.NotFound("UserFieldNotFound", "userFieldId", "user field")

var userFieldKind = entity.Kind[UserField, NewUserField, entity.None]{
	Records: &userFieldRecords, One: "userField", Many: "userFields", Resource: "user field",
	Missing: userFieldMissing, Bad: &model.InvalidRequest,
	Members: func(f *UserField, n *NewUserField, _ *entity.None) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, nil, false),
			entity.ID(&f.ID, &n.ID, nil),
			entity.Text("name", &f.Name, &n.Name, nil).Max(model.MaxText).Required(),
			entity.Enum("category", &f.Category, &n.Category, nil, userFieldCategories).Required(),
			entity.Enum("type", &f.Type, &n.Type, nil, userFieldTypes).Required(),
			entity.Text("color", &f.Color, &n.Color, nil).Valid(model.CheckColor, model.Color).Default(DefaultColor),
		}
	},
}

// NewUserField asks for a user field. Null and left out are the same in it.
type NewUserField struct {
	// ID is chosen by the platform when empty.
	ID string `json:"id"`
	// Name, Category and Type are required.
	Name     string            `json:"name"`
	Category UserFieldCategory `json:"category"`
	Type     UserFieldType     `json:"type"`
	// Color is in the form #RRGGBB, and DefaultColor when empty.
	Color   string                      `json:"color"`
	Deleted twinplatform.Optional[bool] `json:"deleted,omitzero"` // nothing is made deleted
}

// DefaultColor is the color of a user field that names none.
const DefaultColor = "#808080"

// CreateUserField makes a user field. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name, category,
// type) or InvalidValue (id, name, category, type, color); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (p Plan) CreateUserField(ctx context.Context, n NewUserField) (twinplatform.Result[UserField], error) {
	return p.calls.fields.Create(ctx, p.id, n)
}

// UserField returns a user field. Errors: UserFieldNotFound, also for a schedule
// that is missing or not for the caller to see.
func (p Plan) UserField(ctx context.Context, userFieldID string) (twinplatform.Record[UserField], error) {
	return p.calls.fields.Get(ctx, p.id, userFieldID)
}

// UserFieldQuery selects the user fields to list.
type UserFieldQuery struct {
	twinplatform.ListOptions
	// Name lists the fields whose name equals or contains it, in upper or
	// lower case.
	Name string
}

// UserFields lists the user fields of a schedule by id (S6).
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) UserFields(ctx context.Context, q UserFieldQuery) (twinplatform.Page[UserField], error) {
	query := records.Query[UserField]{ListOptions: q.ListOptions}
	model.NarrowName(&query, q.Name, func(f *UserField) string { return f.Name })
	return p.calls.fields.List(ctx, p.id, query)
}

// DeleteUserField deletes a user field with its values, as a long-running
// operation that goes in steps when it is large. It needs PermissionModify.
//
// Errors: ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// UserFieldNotFound; VersionMismatch.
func (p Plan) DeleteUserField(ctx context.Context, userFieldID string,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[UserField], error) {
	return p.calls.fields.Remove(ctx, p.id, []string{userFieldID}, pre)
}
