package schedules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

var noField = refusal{kind: twinplatform.NotFound, code: "UserFieldNotFound", target: "userFieldId"}

// The enumerations as the specification spells them.
var (
	allCategories = []schedules.UserFieldCategory{"Task", "Entity3d", "Resource", "ResourceGroup", "Unknown"}
	allFieldTypes = []schedules.UserFieldType{"Integer", "String", "StartDate", "FinishDate", "Boolean", "Float", "Unknown"}
)

// field makes a user field with its id for a name.
func (p *plan) field(id string, category schedules.UserFieldCategory, fieldType schedules.UserFieldType) {
	p.Helper()
	_, err := p.in().CreateUserField(p.ctx, schedules.NewUserField{ID: id, Name: id, Category: category, Type: fieldType})
	if err != nil {
		p.Fatal(err)
	}
}

func (p *plan) fields(q schedules.UserFieldQuery) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.UserField], error) {
		q.ListOptions = o
		return p.in().UserFields(p.ctx, q)
	})
	return told(all, func(f schedules.UserField) (string, bool) { return f.ID, f.Deleted }), delta
}

// covers: User field categories and types
func TestUserFieldOfEveryCategoryAndType(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	for _, category := range allCategories {
		for _, fieldType := range allFieldTypes {
			res, err := p.in().CreateUserField(p.ctx, schedules.NewUserField{Name: "f", Category: category, Type: fieldType, Color: "#12abEF"})
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.in().UserField(p.ctx, res.Value().ID)
			want := schedules.UserField{ID: res.Value().ID, Name: "f", Category: category, Type: fieldType, Color: "#12abEF"}
			if diff := cmp.Diff(want, got.Value); diff != "" || err != nil {
				t.Error(diff, err)
			}
		}
	}
}

// covers: User field (S6)
func TestUserFieldOnTheWire(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.field("f", schedules.ResourceField, schedules.StringField)
	rec, err := p.in().UserField(p.ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "wire form", string(rec.JSON), `{"category":"Resource","color":"#808080","deleted":false,"id":"f","name":"f","type":"String"}`)
}

func TestUserFieldThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.field("there", schedules.TaskField, schedules.FloatField)
	//nolint:paralleltest // what follows the loop looks at what it has left
	for name, tt := range map[string]struct {
		ask  schedules.NewUserField
		want refusal
	}{
		"nothing given":    {schedules.NewUserField{}, invalid("MissingRequiredProperty name", "MissingRequiredProperty category", "MissingRequiredProperty type")},
		"no such category": {schedules.NewUserField{Name: "f", Category: "task", Type: "Float"}, invalid("InvalidValue category")},
		"no such type":     {schedules.NewUserField{Name: "f", Category: "Task", Type: "Double"}, invalid("InvalidValue type")},
		"no color":         {schedules.NewUserField{Name: "f", Category: "Task", Type: "Float", Color: "blue"}, invalid("InvalidValue color")},
		"bad id":           {schedules.NewUserField{ID: "a/b", Name: "f", Category: "Task", Type: "Float"}, invalid("InvalidValue id")},
		"long name":        {schedules.NewUserField{Name: strings.Repeat("x", schedules.MaxText+1), Category: "Task", Type: "Float"}, invalid("InvalidValue name")},
		"id taken":         {schedules.NewUserField{ID: "there", Name: "f", Category: "Task", Type: "Float"}, idTaken},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.in().CreateUserField(p.ctx, tt.ask)
			tt.want.check(t, err)
		})
	}
	_, err := p.in().UserField(p.ctx, "x")
	noField.check(t, err)
	_, err = p.svc.In("nowhere").UserField(p.ctx, "there")
	noField.check(t, err)
	_, err = p.in().DeleteUserField(p.ctx, "x")
	noField.saying("'x'").check(t, err)
	_, err = p.svc.In("nowhere").UserFields(p.ctx, schedules.UserFieldQuery{})
	noSchedule.check(t, err)
	_, err = p.in().UserFields(p.ctx, schedules.UserFieldQuery{ListOptions: twinplatform.ListOptions{Delta: "x"}})
	invalid("InvalidValue delta").check(t, err)
}

// covers: Filters: rule S6: name equals or contains
// covers: operations userFields.list
func TestUserFieldsAreFoundByName(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		for _, id := range []string{"Concrete", "concrete class", "Steel"} {
			p.field(id, schedules.TaskField, schedules.StringField)
		}
		for name, want := range map[string]string{"": "Concrete Steel concrete class", "CONCRETE": "Concrete concrete class", "Steel": "Steel", "class": "concrete class", "wood": ""} {
			got, _ := p.fields(schedules.UserFieldQuery{Name: name, ListOptions: twinplatform.ListOptions{Top: 1}})
			expect(p, name, got, want)
		}
		_, delta := p.fields(schedules.UserFieldQuery{Name: "steel"})
		if _, err := p.in().DeleteUserField(p.ctx, "Steel"); err != nil {
			p.Fatal(err)
		}
		p.field("Steel grade", schedules.TaskField, schedules.StringField)
		got, _ := p.fields(schedules.UserFieldQuery{Name: "steel", ListOptions: twinplatform.ListOptions{Delta: delta}})
		expect(p, "delta", got, "-Steel Steel grade")
	})
}

func TestDeletedUserFieldTakesItsValuesAlong(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.field("gone", schedules.TaskField, schedules.IntegerField)
		p.field("stays", schedules.TaskField, schedules.IntegerField)
		for chunk := range slices.Chunk(many(1_300), schedules.MaxBatch) {
			p.create(chunk...)
			for _, task := range chunk {
				p.value(schedules.TaskField, schedules.NewUserFieldValue{TaskID: task.ID, UserFieldID: "gone", IntValue: new(int64(1))})
			}
		}
		p.value(schedules.TaskField, schedules.NewUserFieldValue{TaskID: "task-000000", UserFieldID: "stays", IntValue: new(int64(1))})
		_, delta := p.values(schedules.TaskField, schedules.UserFieldValueQuery{})
		res, err := p.in().DeleteUserField(p.ctx, "gone")
		if err != nil || res.Status != twinplatform.OperationSucceeded || !slices.Equal(res.Subjects, []string{"gone"}) {
			p.Fatalf("operation %+v (%v)", res.Operation, err)
		}
		left, _ := p.values(schedules.TaskField, schedules.UserFieldValueQuery{})
		expect(p, "values left", told(left, valueTold), "task-000000/stays=1")
		changes, _ := p.values(schedules.TaskField, schedules.UserFieldValueQuery{ListOptions: twinplatform.ListOptions{Delta: delta, Top: schedules.MaxTop}})
		if len(changes) != 1_300 || !changes[0].Deleted || changes[0].Value != "1" {
			p.Errorf("the delta tells of %d values, the first %+v", len(changes), changes[0])
		}
	})
}

// value assigns a user field.
func (p *plan) value(category schedules.UserFieldCategory, n schedules.NewUserFieldValue) schedules.UserFieldValue {
	p.Helper()
	res, err := p.in().SetUserFieldValue(p.ctx, category, n)
	if err != nil {
		p.Fatal(err)
	}
	return res.Value()
}

func (p *plan) values(category schedules.UserFieldCategory, q schedules.UserFieldValueQuery) (all []schedules.UserFieldValue, delta string) {
	p.Helper()
	return readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.UserFieldValue], error) {
		q.ListOptions = o
		return p.in().UserFieldValues(p.ctx, category, q)
	})
}

func valueTold(v schedules.UserFieldValue) (string, bool) {
	return fmt.Sprintf("%s%s%s%s/%s=%s", v.TaskID, v.ResourceID, v.ResourceGroupID, v.Entity3DID, v.UserFieldID, v.Value), v.Deleted
}
