package schedules

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// NewUserFieldValue assigns a user field to an object. Null and left out are the
// same in it, and exactly one of the five values is given.
type NewUserFieldValue struct {
	// The id of the object is required: TaskID for fields of category Task,
	// and so on. The other three are refused unless empty.
	Entity3DID      string `json:"entity3dId"`
	ResourceGroupID string `json:"resourceGroupId"`
	ResourceID      string `json:"resourceId"`
	TaskID          string `json:"taskId"`
	// UserFieldID is required.
	UserFieldID string `json:"userFieldId"`

	BoolValue   *bool                 `json:"boolValue"`   // for Boolean fields
	DateValue   twinplatform.DateTime `json:"dateValue"`   // for StartDate and FinishDate fields
	FloatValue  *float64              `json:"floatValue"`  // for Float fields
	IntValue    *int64                `json:"intValue"`    // for Integer fields
	StringValue *string               `json:"stringValue"` // for String fields

	// Value may be given as it will be read, beside one of the five.
	Value   twinplatform.Optional[string] `json:"value,omitzero"`
	Deleted twinplatform.Optional[bool]   `json:"deleted,omitzero"` // nothing is made deleted
}

// sentValue is a value in the property that it was sent in, as a string.
type sentValue struct {
	Property string `json:"property"`
	Text     string `json:"text"`
}

// typesOf are the types of fields that a property is for.
var typesOf = map[string][]UserFieldType{
	"boolValue":   {BooleanField},
	"dateValue":   {StartDateField, FinishDateField},
	"floatValue":  {FloatField},
	"intValue":    {IntegerField},
	"stringValue": {StringField},
}

// value checks the request but for its object, and is the one value that is given.
func (n NewUserFieldValue) value(c *problem.Checks) sentValue {
	c.Need("userFieldId", n.UserFieldID, MaxText)
	c.Holds(schema.May("stringValue", schema.AtMost(MaxText)))
	var sent []sentValue
	if n.BoolValue != nil {
		sent = append(sent, sentValue{"boolValue", strconv.FormatBool(*n.BoolValue)})
	}
	if !n.DateValue.IsZero() {
		c.Date("dateValue", n.DateValue)
		sent = append(sent, sentValue{"dateValue", strings.Trim(string(n.DateValue.AppendJSON(nil)), `"`)})
	}
	if n.FloatValue != nil {
		sent = append(sent, sentValue{"floatValue", formatFloat(c, *n.FloatValue)})
	}
	if n.IntValue != nil {
		sent = append(sent, sentValue{"intValue", strconv.FormatInt(*n.IntValue, 10)})
	}
	if n.StringValue != nil {
		c.AtMost("stringValue", *n.StringValue, MaxText)
		sent = append(sent, sentValue{"stringValue", *n.StringValue})
	}
	if len(sent) != 1 {
		c.Add(twinplatform.Detail{
			Code:    mutuallyExclusive,
			Message: "Exactly one of 'boolValue', 'dateValue', 'floatValue', 'intValue' and 'stringValue' must be provided.",
		})
		return sentValue{}
	}
	return sent[0]
}

// formatFloat is the shortest text that reads as the same number, as JSON has
// it.
func formatFloat(c *problem.Checks, f float64) string {
	text, err := json.Marshal(f)
	if err != nil {
		c.Bad("floatValue", "The value of 'floatValue' is a finite number.")
	}
	return string(text)
}

// SetUserFieldValue assigns a user field to an object of the field's category,
// or changes the value that is assigned (S1 for ResourceField, S12 for
// Entity3DField, and their siblings). It is a long-running operation and needs
// PermissionModify.
//
// Errors: InvalidSchedulesRequest with MissingRequiredProperty (the object's id,
// userFieldId), MutuallyExclusivePropertiesProvided without a target unless
// exactly one value is given, or InvalidValue (category; userFieldId for a field
// of another category; the value's property for a field of another type);
// ScheduleNotFound; InsufficientPermissions; ScheduleNotInitialized;
// TaskNotFound, ResourceNotFound, ResourceGroupNotFound, Entity3dNotFound or
// UserFieldNotFound.
func (s *Service) SetUserFieldValue(ctx context.Context, scheduleID string, category UserFieldCategory, n NewUserFieldValue) (res twinplatform.Result[UserFieldValue], err error) {
	b, err := targetOf(category)
	if err != nil {
		return res, err
	}
	var c problem.Checks
	request := valueChange{Category: category, ObjectID: b.requested(n), UserFieldID: n.UserFieldID}
	c.Need(b.param, request.ObjectID, MaxText)
	request.Value = n.value(&c)
	problem.AsIs(&c, "value", n.Value, request.Value.Text)
	problem.AsIs(&c, "deleted", n.Deleted, false)
	for _, other := range valueTargets {
		if id := other.requested(n); other != b && id != "" {
			c.Bad(other.param, "The user field value is assigned to a %s.", b.noun)
		}
	}
	if err := c.Err(InvalidRequest); err != nil {
		return res, err
	}
	return s.values.set.start(ctx, scheduleID, tracked, []string{request.ObjectID}, request)
}

func setValue(u *records.Update, e *edit[valueChange, UserFieldValue]) error {
	req := e.Request
	b, err := targetOf(req.Category)
	if err != nil {
		return err
	}
	if err := b.need(u, e.scope, req.ObjectID); err != nil {
		return b.missing.Or(err)
	}
	field, err := userFieldRecords.Value(u, e.scope, req.UserFieldID)
	if err != nil {
		return userFieldMissing.Or(err)
	}
	var c problem.Checks
	if field.Category != req.Category {
		c.Bad("userFieldId", "The user field is for objects of category %s.", field.Category)
	}
	if !slices.Contains(typesOf[req.Value.Property], field.Type) {
		c.Bad(req.Value.Property, "The value of a user field of type %s cannot be given as '%s'.", field.Type, req.Value.Property)
	}
	if err := c.Err(InvalidRequest); err != nil {
		return err
	}
	v := &UserFieldValue{UserFieldID: req.UserFieldID, Value: req.Value.Text}
	*b.object(v) = req.ObjectID
	rec, err := b.values.Put(u, e.scope, v)
	e.wrote(rec)
	return err
}
