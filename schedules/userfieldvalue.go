package schedules

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// UserFieldValue assigns a user field to an object. Exactly one of the four
// object ids is set.
type UserFieldValue struct {
	Deleted         bool   `json:"deleted"`
	Entity3DID      string `json:"entity3dId,omitempty"`
	ResourceGroupID string `json:"resourceGroupId,omitempty"`
	ResourceID      string `json:"resourceId,omitempty"`
	TaskID          string `json:"taskId,omitempty"`
	UserFieldID     string `json:"userFieldId"`
	// Value is the value as a string, whatever the type of the field.
	Value twinplatform.NullString `json:"value"`
}

// object is the id of what the field is assigned to.
func (v *UserFieldValue) object() string {
	return v.TaskID + v.ResourceID + v.ResourceGroupID + v.Entity3DID
}

// The values are kept apart by what the field is assigned to.
var (
	taskValues     = valueRecords("task-values")
	resourceValues = valueRecords("resource-values")
	groupValues    = valueRecords("resource-group-values")
	entity3DValues = valueRecords("entity-3d-values")
)

func valueRecords(name string) *records.Collection[UserFieldValue] {
	return &records.Collection[UserFieldValue]{
		Name:        name,
		ID:          func(v *UserFieldValue) string { return records.Join(v.object(), v.UserFieldID) },
		MarkDeleted: func(v *UserFieldValue) { v.Deleted = true },
		Indexes:     []records.Index[UserFieldValue]{{Name: "field", Value: func(v *UserFieldValue) string { return v.UserFieldID }}},
	}
}

// removeValues deletes the user field values of an object, and reports false
// when the budget of records ended before that.
func removeValues(u *records.Update, s records.Scope, c *records.Collection[UserFieldValue], objectID string, budget *int) (whole bool, err error) {
	for v, err := range c.All(u, s, records.Join(objectID, "")) {
		if err != nil {
			return false, err
		}
		if *budget--; *budget < 0 {
			return false, nil
		}
		if err := c.Delete(u, s, records.Join(objectID, v.UserFieldID)); err != nil {
			return false, err
		}
	}
	return true, nil
}
