package userfields

import (
	"context"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// Lists are the lists of a world that have the user fields of a schedule.
type Lists struct {
	UserFields      *[]NewUserField
	UserFieldValues *[]UserFieldValueSeed
}

type content = model.Content[Lists]

func in(c *content) Plan { return In(c.Plan) }

var fieldsInWorld = model.Listed[*content, NewUserField]{
	Name:  "userFields",
	Items: func(c *content) *[]NewUserField { return c.Lists.UserFields },
	Read:  model.Reading[NewUserField](in, Plan.UserFields), Seed: model.Single(in, Plan.CreateUserField),
}

// UserFieldValueSeed is the value of a user field that one of the four objects has in a
// world. Value is its wire form; the members of the create request do as well.
type UserFieldValueSeed struct {
	NewUserFieldValue
	Value *string `json:"value,omitempty"`
}

var valuesInWorld = model.Listed[*content, UserFieldValueSeed]{
	Name:  "userFieldValues",
	Items: func(c *content) *[]UserFieldValueSeed { return c.Lists.UserFieldValues },
	Read:  readUserFieldValues, Seed: model.Single(in, seedUserFieldValue),
}.List()

func readUserFieldValues(ctx context.Context, c *content) (values []UserFieldValueSeed, err error) {
	categories := []UserFieldCategory{TaskField, ResourceField, ResourceGroupField}
	if c.Of == model.V65 {
		categories = append(categories, Entity3DField)
	}
	for _, category := range categories {
		of := func(p Plan, ctx context.Context, q UserFieldValueQuery) (twinplatform.Page[UserFieldValue], error) {
			return p.UserFieldValues(ctx, category, q)
		}
		some, err := model.Reading[UserFieldValueSeed](in, of)(ctx, c)
		if err != nil {
			return nil, err
		}
		values = append(values, some...)
	}
	return values, nil
}

func seedUserFieldValue(
	p Plan, ctx context.Context, v UserFieldValueSeed,
) (res twinplatform.Result[UserFieldValue], err error) {
	if v.Value != nil {
		field, err := p.UserField(ctx, v.UserFieldID)
		if err == nil {
			err = v.read(field.Value.Type)
		}
		if err != nil {
			return res, err
		}
	}
	return p.SetUserFieldValue(ctx, v.category(), v.NewUserFieldValue)
}

// category reports which of the four objects has the value.
func (v *UserFieldValueSeed) category() UserFieldCategory {
	switch {
	case v.TaskID != "":
		return TaskField
	case v.ResourceID != "":
		return ResourceField
	case v.ResourceGroupID != "":
		return ResourceGroupField
	case v.Entity3DID != "":
		return Entity3DField
	}
	return UnknownFieldCategory
}

// read makes the member of the create request of the wire form of a value.
func (v *UserFieldValueSeed) read(fieldType UserFieldType) (err error) {
	text := *v.Value
	switch fieldType {
	case BooleanField:
		v.BoolValue, err = parsed(strconv.ParseBool(text))
	case IntegerField:
		v.IntValue, err = parsed(strconv.ParseInt(text, 10, 64))
	case FloatField:
		v.FloatValue, err = parsed(strconv.ParseFloat(text, 64))
	case StartDateField, FinishDateField:
		err = v.DateValue.UnmarshalJSON([]byte(strconv.Quote(text)))
	default:
		v.StringValue = &text
	}
	return err
}

func parsed[T any](v T, err error) (*T, error) { return &v, err }
