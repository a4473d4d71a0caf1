package userfields

import (
	"context"
	"fmt"
	"slices"
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
	Read:  readUserFieldValues, Seed: seedUserFieldValues,
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

// seedUserFieldValues makes values, in a schedule of type v10 those of one category together.
func seedUserFieldValues(ctx context.Context, c *content, list string, items []UserFieldValueSeed) error {
	values, types := slices.Clone(items), make(map[string]UserFieldType)
	for i := range values {
		if err := complete(ctx, in(c), &values[i], types); err != nil {
			return fmt.Errorf("%s[%d]: %w", list, i, err)
		}
	}
	if c.Of != model.V10 {
		return model.Single(in, seedUserFieldValue)(ctx, c, list, values)
	}
	for begin := 0; begin < len(values); {
		category, end := values[begin].category(), begin
		var batch []NewUserFieldValue
		for ; end < len(values) && values[end].category() == category && len(batch) < model.MaxBatch; end++ {
			batch = append(batch, values[end].NewUserFieldValue)
		}
		if _, err := in(c).SetUserFieldValues(ctx, category, batch); err != nil {
			// Nothing is set. One after the other they tell which of them is refused.
			for i := begin; i < end; i++ {
				if _, err := seedUserFieldValue(in(c), ctx, values[i]); err != nil {
					return fmt.Errorf("%s[%d]: %w", list, i, err)
				}
			}
		}
		begin = end
	}
	return nil
}

func seedUserFieldValue(
	p Plan, ctx context.Context, v UserFieldValueSeed,
) (twinplatform.Result[UserFieldValue], error) {
	return p.SetUserFieldValue(ctx, v.category(), v.NewUserFieldValue)
}

// complete makes the member of the create request of the wire form of a value. types are those of the fields that
// were asked for before.
func complete(ctx context.Context, p Plan, v *UserFieldValueSeed, types map[string]UserFieldType) error {
	if v.Value == nil {
		return nil
	}
	if _, known := types[v.UserFieldID]; !known {
		field, err := p.UserField(ctx, v.UserFieldID)
		if err != nil {
			return err
		}
		types[v.UserFieldID] = field.Value.Type
	}
	return v.read(types[v.UserFieldID])
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
