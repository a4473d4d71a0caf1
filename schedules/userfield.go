package schedules

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// UserFieldCategory says what kind of object a user field can be assigned to.
type UserFieldCategory string

// The user field categories. A field of category Unknown cannot be assigned.
const (
	TaskField            UserFieldCategory = "Task"
	Entity3DField        UserFieldCategory = "Entity3d"
	ResourceField        UserFieldCategory = "Resource"
	ResourceGroupField   UserFieldCategory = "ResourceGroup"
	UnknownFieldCategory UserFieldCategory = "Unknown"
)

var userFieldCategories = []UserFieldCategory{TaskField, Entity3DField, ResourceField, ResourceGroupField, UnknownFieldCategory}

// UserFieldType says what kind of value a user field takes.
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
	// Color is that of the field's graph, in the form #RRGGBB.
	Color   string        `json:"color"`
	Deleted bool          `json:"deleted"` // true in deltas alone
	ID      string        `json:"id"`      // unique in the schedule; never changes
	Name    string        `json:"name"`    // 1 to MaxText characters
	Type    UserFieldType `json:"type"`    // what its values are; Unknown takes none
}

var userFieldRecords = records.Collection[UserField]{
	Name:        "user-fields",
	ID:          func(f *UserField) string { return f.ID },
	MarkDeleted: func(f *UserField) { f.Deleted = true },
}

var userFieldMissing = refuse.NotFound("UserFieldNotFound", "userFieldId", "user field")

var userFieldRules = rules[UserField]{
	records: &userFieldRecords, noun: "user field", missing: userFieldMissing,
	clear: clearUserField,
}

// clearUserField deletes the values of a user field.
func clearUserField(u *records.Update, s records.Scope, id string, budget *int) (whole bool, err error) {
	for _, c := range []*records.Collection[UserFieldValue]{taskValues, resourceValues, groupValues, entity3DValues} {
		for value := range c.IDs(u, s, "field", id) {
			if whole, err := drop(u, s, c, value, budget); !whole || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// userFieldKinds are the sorts of change to user fields.
type userFieldKinds struct {
	create kind[NewUserField, UserField]
	remove kind[deletion, UserField]
}

func defineUserFieldKinds(s *Service) userFieldKinds {
	return userFieldKinds{
		create: creates[NewUserField](s, "userField.create", &userFieldRules),
		remove: removes(s, "userField.delete", "userFieldId", &userFieldRules),
	}
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

func (n NewUserField) record() *UserField {
	f := &UserField{ID: n.ID, Name: n.Name, Category: n.Category, Type: n.Type, Color: n.Color}
	if f.Color == "" {
		f.Color = DefaultColor
	}
	return f
}

func (n NewUserField) check(c *refuse.Checks) {
	asIs(c, "deleted", n.Deleted, false)
	c.ID("id", n.ID)
	c.Need("name", n.Name, MaxText)
	if n.Category == "" {
		c.Add(refuse.Missing("category"))
	} else {
		refuse.OneOf(c, "category", n.Category, userFieldCategories)
	}
	if n.Type == "" {
		c.Add(refuse.Missing("type"))
	} else {
		refuse.OneOf(c, "type", n.Type, userFieldTypes)
	}
	if n.Color != "" {
		checkColor(c, n.Color)
	}
}

// CreateUserField makes a user field. It needs PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (name, category,
// type) or InvalidValue (id, name, category, type, color); ScheduleNotFound;
// InsufficientPermissions; ScheduleNotInitialized; AlreadyExists.
func (s *Service) CreateUserField(ctx context.Context, scheduleID string, n NewUserField) (twinplatform.Result[UserField], error) {
	n.ID = s.idOr(n.ID)
	return create(ctx, s.userFields.create, scheduleID, n.ID, n)
}

// UserField returns a user field. Errors: UserFieldNotFound, also for a schedule
// that is missing or not for the caller to see.
func (s *Service) UserField(ctx context.Context, scheduleID, userFieldID string) (twinplatform.Record[UserField], error) {
	return get(ctx, s, scheduleID, userFieldMissing, &userFieldRecords, userFieldID)
}

// UserFieldQuery says which user fields to list.
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
func (s *Service) UserFields(ctx context.Context, scheduleID string, q UserFieldQuery) (twinplatform.Page[UserField], error) {
	query := records.Query[UserField]{ListOptions: q.ListOptions, Op: "userFields"}
	narrowName(&query, q.Name, func(f *UserField) string { return f.Name })
	return list(ctx, s, scheduleID, scheduleMissing, &userFieldRecords, query, nil)
}

// DeleteUserField deletes a user field with its values, as a long-running
// operation that goes in steps when it is large. It needs PermissionModify.
//
// Errors: ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// UserFieldNotFound.
func (s *Service) DeleteUserField(ctx context.Context, scheduleID, userFieldID string) (twinplatform.Result[UserField], error) {
	return remove(ctx, s.userFields.remove, scheduleID, "userFieldId", []string{userFieldID})
}
