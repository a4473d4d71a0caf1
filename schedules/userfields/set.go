package userfields

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
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
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

	// Value may be given as it will be read, besides one of the five.
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

// value checks the request except for its object, and is the one value that is given.
func (n NewUserFieldValue) value(c *problem.Checks) sentValue {
	c.Need("userFieldId", n.UserFieldID, model.MaxText)
	c.Holds(schema.May("stringValue", schema.AtMost(model.MaxText)))
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
		c.AtMost("stringValue", *n.StringValue, model.MaxText)
		sent = append(sent, sentValue{"stringValue", *n.StringValue})
	}
	if len(sent) != 1 {
		c.Add(twinplatform.Detail{
			Code: model.MutuallyExclusive,
			Message: "Exactly one of 'boolValue', 'dateValue', 'floatValue', 'intValue' and 'stringValue' must be " +
				"provided.",
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
// UserFieldNotFound; VersionMismatch.
func (p Plan) SetUserFieldValue(ctx context.Context, category UserFieldCategory, n NewUserFieldValue,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[UserFieldValue], err error) {
	b, err := targetOf(category)
	if err != nil {
		return res, err
	}
	var c problem.Checks
	request := b.change(n, &c)
	if err := c.Err(model.InvalidRequest); err != nil {
		return res, err
	}
	ctx = twinplatform.WithOperationKind(ctx, b.name+".set")
	return p.calls.set.Start(ctx, p.id, model.Tracked, []string{request.ObjectID}, request, pre...)
}

// SetUserFieldValues assigns up to MaxBatch values to objects of a category, all or none
// (POST …/resources/user-field-values/batch, and tasks also). Of several values of one
// field for one object the last holds. It is a long-running operation and needs
// PermissionModify.
//
// Errors: as SetUserFieldValue, with targets such as batch[3].floatValue, and batch[3] for
// MutuallyExclusivePropertiesProvided; MissingRequiredProperty or InvalidValue (batch) for
// none or more than MaxBatch; InvalidParameter (scheduleId) for a schedule that is not of
// type v10; VersionMismatch.
func (p Plan) SetUserFieldValues(ctx context.Context, category UserFieldCategory, batch []NewUserFieldValue,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[UserFieldValue], err error) {
	b, err := targetOf(category)
	if err == nil {
		err = model.CheckBatch("batch", len(batch))
	}
	if err != nil {
		return res, err
	}
	var c problem.Checks
	requests, objects := make([]valueChange, len(batch)), make([]string, len(batch))
	for i, n := range batch {
		c.At("batch", i)
		requests[i] = b.change(n, &c)
		objects[i] = requests[i].ObjectID
	}
	if err := c.Err(model.InvalidRequest); err != nil {
		return res, err
	}
	ctx = twinplatform.WithOperationKind(ctx, b.name+".setMany")
	return p.calls.setMany.Start(ctx, p.id, model.Tracked, objects, requests, pre...)
}

// change is what a request asks for.
func (b *valueTarget) change(n NewUserFieldValue, c *problem.Checks) valueChange {
	v := valueChange{Category: b.category, ObjectID: b.requested(n), UserFieldID: n.UserFieldID}
	c.Need(b.param, v.ObjectID, model.MaxText)
	v.Value = n.value(c)
	problem.AsIs(c, "value", n.Value, v.Value.Text)
	problem.AsIs(c, "deleted", n.Deleted, false)
	for _, other := range valueTargets {
		if id := other.requested(n); other != b && id != "" {
			c.Bad(other.param, "The user field value is assigned to a %s.", b.resource)
		}
	}
	return v
}

func setValue(u *records.Update, e *model.Edit[valueChange, UserFieldValue]) error {
	if err := e.Request.judge(u, e.Scope, e.Condition); err != nil {
		return err
	}
	rec, err := e.Request.put(u, e.Scope, &problem.Checks{})
	e.Wrote(rec)
	return err
}

func setValues(u *records.Update, e *model.Edit[[]valueChange, UserFieldValue]) error {
	if err := records.Large(u, len(e.Request)); err != nil {
		return err
	}
	for i := range e.Request { // before the first is written: a value may be set twice
		if err := e.Request[i].judge(u, e.Scope, e.Condition); err != nil {
			return err
		}
	}
	for i := range e.Request {
		var c problem.Checks
		c.At("batch", i)
		rec, err := e.Request[i].put(u, e.Scope, &c)
		if err != nil {
			return err
		}
		e.Wrote(rec)
	}
	return nil
}

// judge judges a condition of the value that is there, if its object is.
func (r *valueChange) judge(tx records.Reading, s records.Scope, cond twinplatform.Condition) error {
	if cond == "" {
		return nil
	}
	b, err := targetOf(r.Category)
	if err == nil {
		err = b.missing.Or(b.need(tx, s, r.ObjectID))
	}
	if err != nil {
		return err
	}
	return problem.Precondition(b.values.CheckPut(tx, s, records.Join(r.ObjectID, r.UserFieldID), cond))
}

// put writes a value. c identifies it among several.
func (r *valueChange) put(u *records.Update, s records.Scope,
	c *problem.Checks,
) (rec twinplatform.Record[UserFieldValue], err error) {
	b, err := targetOf(r.Category)
	if err != nil {
		return rec, err
	}
	if err := b.need(u, s, r.ObjectID); err != nil {
		return rec, b.missing.Or(err)
	}
	field, err := userFieldRecords.Value(u, s, r.UserFieldID)
	if err != nil {
		return rec, userFieldMissing.Or(err)
	}
	if field.Category != r.Category {
		c.Bad("userFieldId", "The user field is for objects of category %s.", field.Category)
	}
	if !slices.Contains(typesOf[r.Value.Property], field.Type) {
		c.Bad(r.Value.Property, "The value of a user field of type %s cannot be given as '%s'.", field.Type,
			r.Value.Property)
	}
	if err := c.Err(model.InvalidRequest); err != nil {
		return rec, err
	}
	v := &UserFieldValue{UserFieldID: r.UserFieldID, Value: r.Value.Text}
	*b.object(v) = r.ObjectID
	return b.values.Put(u, s, v)
}

// needs are what is read before a value is written.
func (r *valueChange) needs(s records.Scope) []records.Need {
	b, err := targetOf(r.Category)
	if err != nil {
		return nil
	}
	needs := append(b.of.Needs(s, r.ObjectID), userFieldRecords.Needs(s, r.UserFieldID)...)
	return append(needs, b.values.NeedsOfNew(s, records.Join(r.ObjectID, r.UserFieldID))...)
}

// needsOfChanges are what is read before values are written.
func needsOfChanges(s records.Scope, all *[]valueChange) (needs []records.Need) {
	for i := range *all {
		needs = append(needs, (*all)[i].needs(s)...)
	}
	return needs
}
