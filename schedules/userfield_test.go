package schedules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

var noField = refusal{kind: twinplatform.NotFound, code: "UserFieldNotFound", target: "userFieldId"}

// The enumerations as the specification spells them.
var (
	allCategories = []userfields.UserFieldCategory{"Task", "Entity3d", "Resource", "ResourceGroup", "Unknown"}
	allFieldTypes = []userfields.UserFieldType{"Integer", "String", "StartDate", "FinishDate", "Boolean", "Float", "Unknown"}
)

// field makes a user field with its id for a name.
func (p *plan) field(id string, category userfields.UserFieldCategory, fieldType userfields.UserFieldType) {
	p.Helper()
	_, err := userfields.In(p.in()).CreateUserField(p.ctx, userfields.NewUserField{ID: id, Name: id, Category: category, Type: fieldType})
	if err != nil {
		p.Fatal(err)
	}
}

func (p *plan) fields(q userfields.UserFieldQuery) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[userfields.UserField], error) {
		q.ListOptions = o
		return userfields.In(p.in()).UserFields(p.ctx, q)
	})
	return idList(all, func(f userfields.UserField) (string, bool) { return f.ID, f.Deleted }), delta
}

// covers: User field categories and types
func TestUserFieldOfEveryCategoryAndType(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	for _, category := range allCategories {
		for _, fieldType := range allFieldTypes {
			res, err := userfields.In(p.in()).CreateUserField(p.ctx, userfields.NewUserField{Name: "f", Category: category, Type: fieldType, Color: "#12abEF"})
			if err != nil {
				t.Fatal(err)
			}
			got, err := userfields.In(p.in()).UserField(p.ctx, res.Value().ID)
			want := userfields.UserField{ID: res.Value().ID, Name: "f", Category: category, Type: fieldType, Color: "#12abEF"}
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
	p.field("f", userfields.ResourceField, userfields.StringField)
	rec, err := userfields.In(p.in()).UserField(p.ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "wire form", string(rec.JSON), `{"category":"Resource","color":"#808080","deleted":false,"id":"f","name":"f","type":"String"}`)
}

func TestUserFieldThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.field("there", userfields.TaskField, userfields.FloatField)
	//nolint:paralleltest // what follows the loop looks at what it has left
	for name, tt := range map[string]struct {
		ask  userfields.NewUserField
		want refusal
	}{
		"nothing given":    {userfields.NewUserField{}, invalid("MissingRequiredProperty name", "MissingRequiredProperty category", "MissingRequiredProperty type")},
		"no such category": {userfields.NewUserField{Name: "f", Category: "task", Type: "Float"}, invalid("InvalidValue category")},
		"no such type":     {userfields.NewUserField{Name: "f", Category: "Task", Type: "Double"}, invalid("InvalidValue type")},
		"no color":         {userfields.NewUserField{Name: "f", Category: "Task", Type: "Float", Color: "blue"}, invalid("InvalidValue color")},
		"bad id":           {userfields.NewUserField{ID: "a/b", Name: "f", Category: "Task", Type: "Float"}, invalid("InvalidValue id")},
		"long name":        {userfields.NewUserField{Name: strings.Repeat("x", schedules.MaxText+1), Category: "Task", Type: "Float"}, invalid("InvalidValue name")},
		"id taken":         {userfields.NewUserField{ID: "there", Name: "f", Category: "Task", Type: "Float"}, idTaken},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := userfields.In(p.in()).CreateUserField(p.ctx, tt.ask)
			tt.want.check(t, err)
		})
	}
	_, err := userfields.In(p.in()).UserField(p.ctx, "x")
	noField.check(t, err)
	_, err = userfields.In(p.svc.In("nowhere")).UserField(p.ctx, "there")
	noField.check(t, err)
	_, err = userfields.In(p.in()).DeleteUserField(p.ctx, "x")
	noField.saying("'x'").check(t, err)
	_, err = userfields.In(p.svc.In("nowhere")).UserFields(p.ctx, userfields.UserFieldQuery{})
	noSchedule.check(t, err)
	_, err = userfields.In(p.in()).UserFields(p.ctx, userfields.UserFieldQuery{ListOptions: twinplatform.ListOptions{Delta: "x"}})
	invalid("InvalidValue delta").check(t, err)
}

// covers: Filters: rule S6: name equals or contains
// covers: operations userFields.list
func TestUserFieldsAreFoundByName(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		for _, id := range []string{"Concrete", "concrete class", "Steel"} {
			p.field(id, userfields.TaskField, userfields.StringField)
		}
		for name, want := range map[string]string{"": "Concrete Steel concrete class", "CONCRETE": "Concrete concrete class", "Steel": "Steel", "class": "concrete class", "wood": ""} {
			got, _ := p.fields(userfields.UserFieldQuery{Name: name, ListOptions: twinplatform.ListOptions{Top: 1}})
			expect(p, name, got, want)
		}
		_, delta := p.fields(userfields.UserFieldQuery{Name: "steel"})
		if _, err := userfields.In(p.in()).DeleteUserField(p.ctx, "Steel"); err != nil {
			p.Fatal(err)
		}
		p.field("Steel grade", userfields.TaskField, userfields.StringField)
		got, _ := p.fields(userfields.UserFieldQuery{Name: "steel", ListOptions: twinplatform.ListOptions{Delta: delta}})
		expect(p, "delta", got, "-Steel Steel grade")
	})
}

func TestDeletedUserFieldTakesItsValuesAlong(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.field("gone", userfields.TaskField, userfields.IntegerField)
		p.field("stays", userfields.TaskField, userfields.IntegerField)
		for chunk := range slices.Chunk(many(1_300), schedules.MaxBatch) {
			p.create(chunk...)
			for _, task := range chunk {
				p.value(userfields.TaskField, userfields.NewUserFieldValue{TaskID: task.ID, UserFieldID: "gone", IntValue: new(int64(1))})
			}
		}
		p.value(userfields.TaskField, userfields.NewUserFieldValue{TaskID: "task-000000", UserFieldID: "stays", IntValue: new(int64(1))})
		_, delta := p.values(userfields.TaskField, userfields.UserFieldValueQuery{})
		res, err := userfields.In(p.in()).DeleteUserField(p.ctx, "gone")
		if err != nil || res.Status != twinplatform.OperationSucceeded || !slices.Equal(res.Subjects, []string{"gone"}) {
			p.Fatalf("operation %+v (%v)", res.Operation, err)
		}
		left, _ := p.values(userfields.TaskField, userfields.UserFieldValueQuery{})
		expect(p, "values left", idList(left, valueListed), "task-000000/stays=1")
		changes, _ := p.values(userfields.TaskField, userfields.UserFieldValueQuery{ListOptions: twinplatform.ListOptions{Delta: delta, Top: schedules.MaxTop}})
		if len(changes) != 1_300 || !changes[0].Deleted || changes[0].Value != "1" {
			p.Errorf("the delta lists %d values, the first %+v", len(changes), changes[0])
		}
	})
}

// value assigns a user field.
func (p *plan) value(category userfields.UserFieldCategory, n userfields.NewUserFieldValue) userfields.UserFieldValue {
	p.Helper()
	res, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, category, n)
	if err != nil {
		p.Fatal(err)
	}
	return res.Value()
}

func (p *plan) values(category userfields.UserFieldCategory, q userfields.UserFieldValueQuery) (all []userfields.UserFieldValue, delta string) {
	p.Helper()
	return readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[userfields.UserFieldValue], error) {
		q.ListOptions = o
		return userfields.In(p.in()).UserFieldValues(p.ctx, category, q)
	})
}

func valueListed(v userfields.UserFieldValue) (string, bool) {
	return fmt.Sprintf("%s%s%s%s/%s=%s", v.TaskID, v.ResourceID, v.ResourceGroupID, v.Entity3DID, v.UserFieldID, v.Value), v.Deleted
}
