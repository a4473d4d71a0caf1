package schedules_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// valueTarget is one of the four kinds of objects that user fields are assigned to.
type valueTarget struct {
	category userfields.UserFieldCategory
	param    string
	missing  refusal
	make     func(p *plan, ids ...string)
	remove   func(p *plan, id string) error
	ask      func(id string) userfields.NewUserFieldValue
	object   func(userfields.UserFieldValue) string
	// goneTarget is the target of the 404 of a deletion.
	goneTarget string
}

var valueTargets = []valueTarget{
	{
		category: userfields.TaskField, param: "taskId", missing: noTask, goneTarget: "taskId",
		make:   func(p *plan, ids ...string) { p.tasks(ids...) },
		remove: func(p *plan, id string) error { _, err := p.in().DeleteTasks(p.ctx, []string{id}); return err },
		ask:    func(id string) userfields.NewUserFieldValue { return userfields.NewUserFieldValue{TaskID: id} },
		object: func(v userfields.UserFieldValue) string { return v.TaskID },
	},
	{
		category: userfields.ResourceField, param: "resourceId", missing: noResource, goneTarget: "resourceId",
		make:   func(p *plan, ids ...string) { p.resources(ids...) },
		remove: func(p *plan, id string) error { _, err := p.in().DeleteResources(p.ctx, []string{id}); return err },
		ask:    func(id string) userfields.NewUserFieldValue { return userfields.NewUserFieldValue{ResourceID: id} },
		object: func(v userfields.UserFieldValue) string { return v.ResourceID },
	},
	{
		category: userfields.ResourceGroupField, param: "resourceGroupId", missing: noGroup, goneTarget: "resourceGroupId",
		make: func(p *plan, ids ...string) {
			for _, id := range ids {
				p.group(schedules.NewResourceGroup{ID: id})
			}
		},
		remove: func(p *plan, id string) error {
			_, err := p.in().DeleteResourceGroups(p.ctx, []string{id})
			return err
		},
		ask:    func(id string) userfields.NewUserFieldValue { return userfields.NewUserFieldValue{ResourceGroupID: id} },
		object: func(v userfields.UserFieldValue) string { return v.ResourceGroupID },
	},
	{
		category: userfields.Entity3DField, param: "entity3dId", missing: noEntity, goneTarget: "entity3dId",
		make: func(p *plan, ids ...string) {
			p.Helper()
			for _, id := range ids {
				if _, err := animation.In(p.in()).CreateEntity3D(p.ctx, animation.NewEntity3D{ID: id, Name: id}); err != nil {
					p.Fatal(err)
				}
			}
		},
		remove: func(p *plan, id string) error {
			_, err := animation.In(p.in()).DeleteEntities3D(p.ctx, []string{id})
			return err
		},
		ask:    func(id string) userfields.NewUserFieldValue { return userfields.NewUserFieldValue{Entity3DID: id} },
		object: func(v userfields.UserFieldValue) string { return v.Entity3DID },
	},
}

// onEachTarget runs a test for every kind of object, over a plan that can hold
// all of them.
func onEachTarget(t *testing.T, run func(p *plan, b valueTarget)) {
	t.Helper()
	for _, b := range valueTargets {
		t.Run(string(b.category), func(t *testing.T) {
			t.Parallel()
			onEachEngine(t, func(p *plan) { run(p.v65(), b) })
		})
	}
}

// integers makes Integer fields of the target's category.
func (b valueTarget) integers(p *plan, ids ...string) {
	p.Helper()
	for _, id := range ids {
		p.field(id, b.category, userfields.IntegerField)
	}
}

// set assigns an integer.
func (b valueTarget) set(p *plan, object, field string, n int64) {
	p.Helper()
	ask := b.ask(object)
	ask.UserFieldID, ask.IntValue = field, &n
	p.value(b.category, ask)
}

// covers: Resource user field value (S1): rule the value is a string whatever the type
func TestValueIsAStringWhateverItsType(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 5, 4, 14, 0, 0, 0, time.FixedZone("", 2*60*60))
	tests := []struct {
		fieldType userfields.UserFieldType
		ask       userfields.NewUserFieldValue
		want      string
	}{
		{"Boolean", userfields.NewUserFieldValue{BoolValue: new(true)}, "true"},
		{"Boolean", userfields.NewUserFieldValue{BoolValue: new(false)}, "false"},
		{"Integer", userfields.NewUserFieldValue{IntValue: new(int64(0))}, "0"},
		{"Integer", userfields.NewUserFieldValue{IntValue: new(int64(math.MinInt64))}, "-9223372036854775808"},
		{"Float", userfields.NewUserFieldValue{FloatValue: new(14.5)}, "14.5"},
		{"Float", userfields.NewUserFieldValue{FloatValue: new(3.0)}, "3"},
		{"Float", userfields.NewUserFieldValue{FloatValue: new(math.Nextafter(0.3, 1))}, "0.30000000000000004"},
		{"Float", userfields.NewUserFieldValue{FloatValue: new(math.MaxFloat64)}, "1.7976931348623157e+308"},
		{"Float", userfields.NewUserFieldValue{FloatValue: new(0.0)}, "0"},
		{"StartDate", userfields.NewUserFieldValue{DateValue: twinplatform.DateTime{Time: noon}}, "2026-05-04T12:00:00Z"},
		{"FinishDate", userfields.NewUserFieldValue{DateValue: twinplatform.At(noon.Add(500 * time.Millisecond))}, "2026-05-04T12:00:00.500Z"},
		{"String", userfields.NewUserFieldValue{StringValue: new("C30/37 <ä> \"")}, "C30/37 <ä> \""},
		{"String", userfields.NewUserFieldValue{StringValue: new("")}, ""},
		{"String", userfields.NewUserFieldValue{StringValue: new(strings.Repeat("ä", schedules.MaxText))}, strings.Repeat("ä", schedules.MaxText)},
	}
	p := inMemory(t)
	p.resources("r")
	for i, tt := range tests {
		field := fmt.Sprint("f", i)
		p.field(field, userfields.ResourceField, tt.fieldType)
		tt.ask.ResourceID, tt.ask.UserFieldID = "r", field
		got := p.value(userfields.ResourceField, tt.ask)
		want := userfields.UserFieldValue{ResourceID: "r", UserFieldID: field, Value: tt.want}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		stored, _ := p.values(userfields.ResourceField, userfields.UserFieldValueQuery{UserFieldID: field})
		if diff := cmp.Diff([]userfields.UserFieldValue{want}, stored); diff != "" {
			t.Errorf("stored: %s", diff)
		}
	}
}

// covers: Value properties (S1, S12)
func TestValueGoesByTheTypeOfItsField(t *testing.T) {
	t.Parallel()
	values := map[string]func(*userfields.NewUserFieldValue){
		"boolValue":   func(n *userfields.NewUserFieldValue) { n.BoolValue = new(true) },
		"dateValue":   func(n *userfields.NewUserFieldValue) { n.DateValue = twinplatform.At(morning) },
		"floatValue":  func(n *userfields.NewUserFieldValue) { n.FloatValue = new(1.5) },
		"intValue":    func(n *userfields.NewUserFieldValue) { n.IntValue = new(int64(1)) },
		"stringValue": func(n *userfields.NewUserFieldValue) { n.StringValue = new("s") },
	}
	takes := map[userfields.UserFieldType]string{
		"Boolean": "boolValue", "StartDate": "dateValue", "FinishDate": "dateValue", "Float": "floatValue", "Integer": "intValue", "String": "stringValue", "Unknown": "",
	}
	onEachTarget(t, func(p *plan, b valueTarget) {
		b.make(p, "o")
		for _, fieldType := range allFieldTypes {
			p.field(string(fieldType), b.category, fieldType)
			for property, give := range values {
				ask := b.ask("o")
				ask.UserFieldID = string(fieldType)
				give(&ask)
				_, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, b.category, ask)
				if property == takes[fieldType] {
					if err != nil {
						p.Errorf("%s for a field of type %s: %v", property, fieldType, err)
					}
					continue
				}
				invalid("InvalidValue "+property).check(p, err)
			}
		}
	})
}

// covers: Errors: error MutuallyExclusivePropertiesProvided
// covers: Value properties (S1, S12)
func TestExactlyOneValueIsGiven(t *testing.T) {
	t.Parallel()
	onEachTarget(t, func(p *plan, b valueTarget) {
		b.make(p, "o")
		p.field("f", b.category, userfields.StringField)
		ask := b.ask("o")
		ask.UserFieldID = "f"
		_, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, b.category, ask)
		invalid("MutuallyExclusivePropertiesProvided ").check(p, err)
		ask.StringValue, ask.BoolValue = new("s"), new(false)
		_, err = userfields.In(p.in()).SetUserFieldValue(p.ctx, b.category, ask)
		invalid("MutuallyExclusivePropertiesProvided ").check(p, err)
		ask.IntValue, ask.FloatValue, ask.DateValue = new(int64(0)), new(0.0), twinplatform.At(morning)
		_, err = userfields.In(p.in()).SetUserFieldValue(p.ctx, b.category, ask)
		invalid("MutuallyExclusivePropertiesProvided ").check(p, err)

		_, err = userfields.In(p.in()).SetUserFieldValue(p.ctx, b.category, userfields.NewUserFieldValue{StringValue: new("s")})
		invalid("MissingRequiredProperty "+b.param, "MissingRequiredProperty userFieldId").check(p, err)
		_, err = userfields.In(p.in()).SetUserFieldValue(p.ctx, b.category, userfields.NewUserFieldValue{})
		invalid("MissingRequiredProperty "+b.param, "MissingRequiredProperty userFieldId", "MutuallyExclusivePropertiesProvided ").check(p, err)
		if all, _ := p.values(b.category, userfields.UserFieldValueQuery{}); len(all) != 0 {
			p.Errorf("refused requests have left %v", all)
		}
	})
}

func TestValueThatHasNoFormIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("r")
	//nolint:paralleltest // what follows the loop looks at what it has left
	for name, tt := range map[string]struct {
		ask  userfields.NewUserFieldValue
		want refusal
	}{
		"not a number":    {userfields.NewUserFieldValue{FloatValue: new(math.NaN())}, invalid("InvalidValue floatValue")},
		"infinity":        {userfields.NewUserFieldValue{FloatValue: new(math.Inf(1))}, invalid("InvalidValue floatValue")},
		"a year too late": {userfields.NewUserFieldValue{DateValue: twinplatform.At(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC))}, invalid("InvalidValue dateValue")},
		"too long":        {userfields.NewUserFieldValue{StringValue: new(strings.Repeat("x", schedules.MaxText+1))}, invalid("InvalidValue stringValue")},
	} {
		t.Run(name, func(t *testing.T) {
			tt.ask.ResourceID, tt.ask.UserFieldID = "r", "f"
			_, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, userfields.ResourceField, tt.ask)
			tt.want.check(t, err)
		})
	}
}

func TestFieldGoesToObjectsOfItsCategoryAlone(t *testing.T) {
	t.Parallel()
	onEachTarget(t, func(p *plan, b valueTarget) {
		b.make(p, "o")
		for _, category := range allCategories {
			p.field(string(category), category, userfields.IntegerField)
			ask := b.ask("o")
			ask.UserFieldID, ask.IntValue = string(category), new(int64(1))
			_, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, b.category, ask)
			if category == b.category {
				if err != nil {
					p.Error(err)
				}
				continue
			}
			invalid("InvalidValue userFieldId").check(p, err)
			ask.IntValue, ask.BoolValue = nil, new(true)
			_, err = userfields.In(p.in()).SetUserFieldValue(p.ctx, b.category, ask)
			invalid("InvalidValue userFieldId", "InvalidValue boolValue").check(p, err)
		}
	})
	t.Run("no such category", func(t *testing.T) {
		p := inMemory(t)
		for _, category := range []userfields.UserFieldCategory{userfields.UnknownFieldCategory, "task", ""} {
			_, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, category, userfields.NewUserFieldValue{})
			invalid("InvalidValue category").check(t, err)
			_, err = userfields.In(p.in()).UserFieldValues(p.ctx, category, userfields.UserFieldValueQuery{})
			invalid("InvalidValue category").check(t, err)
			_, err = userfields.In(p.in()).UserFieldValuesOf(p.ctx, category, "o", userfields.UserFieldValueQuery{})
			invalid("InvalidValue category").check(t, err)
			invalid("InvalidValue category").check(t, userfields.In(p.in()).DeleteUserFieldValue(p.ctx, category, "o", "f"))
		}
	})
}

func TestMissingObjectOrFieldIsReported(t *testing.T) {
	t.Parallel()
	onEachTarget(t, func(p *plan, b valueTarget) {
		b.make(p, "o")
		b.integers(p, "f")
		set := func(schedule, object, field string) error {
			ask := b.ask(object)
			ask.UserFieldID, ask.IntValue = field, new(int64(1))
			_, err := userfields.In(p.svc.In(schedule)).SetUserFieldValue(p.ctx, b.category, ask)
			return err
		}
		b.missing.check(p, set(p.id, "x", "f"))
		noField.check(p, set(p.id, "o", "x"))
		noSchedule.check(p, set("nowhere", "o", "f"))
		_, err := userfields.In(p.svc.In("nowhere")).UserFieldValues(p.ctx, b.category, userfields.UserFieldValueQuery{})
		noSchedule.check(p, err)
		_, err = userfields.In(p.in()).UserFieldValuesOf(p.ctx, b.category, "x", userfields.UserFieldValueQuery{})
		b.missing.check(p, err)
		_, err = userfields.In(p.svc.In("nowhere")).UserFieldValuesOf(p.ctx, b.category, "o", userfields.UserFieldValueQuery{})
		b.missing.check(p, err)
		_, err = userfields.In(p.in()).UserFieldValues(p.ctx, b.category, userfields.UserFieldValueQuery{ListOptions: twinplatform.ListOptions{Top: -1}})
		invalid("InvalidValue top").check(p, err)
		_, err = userfields.In(p.in()).UserFieldValues(p.ctx, b.category, userfields.UserFieldValueQuery{ListOptions: twinplatform.ListOptions{Continuation: "x"}})
		invalid("InvalidValue continuation").check(p, err)
		_, err = userfields.In(p.in()).UserFieldValues(p.ctx, b.category, userfields.UserFieldValueQuery{ListOptions: twinplatform.ListOptions{Delta: "x"}})
		invalid("InvalidValue delta").check(p, err)
	})
}

// covers: Filters
// covers: operations resourceGroupUserFieldValues.list
func TestValuesAreListedByObjectAndField(t *testing.T) {
	t.Parallel()
	onEachTarget(t, func(p *plan, b valueTarget) {
		b.make(p, "a", "ab", "b")
		b.integers(p, "f", "g")
		b.set(p, "a", "f", 1)
		b.set(p, "a", "g", 2)
		b.set(p, "ab", "f", 3)
		b.set(p, "b", "g", 4)
		b.set(p, "b", "g", 5) // instead of 4
		one := twinplatform.ListOptions{Top: 1}
		for _, tt := range []struct {
			query userfields.UserFieldValueQuery
			want  string
		}{
			{userfields.UserFieldValueQuery{ListOptions: one}, "a/f=1 a/g=2 ab/f=3 b/g=5"},
			{userfields.UserFieldValueQuery{ListOptions: one, ObjectID: "a"}, "a/f=1 a/g=2"},
			{userfields.UserFieldValueQuery{ListOptions: one, UserFieldID: "f"}, "a/f=1 ab/f=3"},
			{userfields.UserFieldValueQuery{ListOptions: one, ObjectID: "a", UserFieldID: "g"}, "a/g=2"},
			{userfields.UserFieldValueQuery{ObjectID: "x"}, ""},
			{userfields.UserFieldValueQuery{UserFieldID: "x"}, ""},
		} {
			got, _ := p.values(b.category, tt.query)
			expect(p, fmt.Sprintf("%+v", tt.query), idList(got, valueListed), tt.want)
			for _, v := range got {
				if !strings.HasPrefix(b.object(v), "a") && b.object(v) != "b" {
					p.Errorf("%+v names its object otherwise than %s", v, b.param)
				}
			}
		}
		of := func(o twinplatform.ListOptions) (string, string) {
			p.Helper()
			got, delta := readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[userfields.UserFieldValue], error) {
				return userfields.In(p.in()).UserFieldValuesOf(p.ctx, b.category, "a", userfields.UserFieldValueQuery{ListOptions: o})
			})
			return idList(got, valueListed), delta
		}
		got, ofDelta := of(one)
		expect(p, "values of a", got, "a/f=1 a/g=2")
		_, allDelta := p.values(b.category, userfields.UserFieldValueQuery{})
		_, fieldDelta := p.values(b.category, userfields.UserFieldValueQuery{UserFieldID: "g"})

		b.set(p, "a", "f", 1) // as it is
		b.set(p, "a", "g", 7)
		if err := userfields.In(p.in()).DeleteUserFieldValue(p.ctx, b.category, "ab", "f"); err != nil {
			p.Fatal(err)
		}
		if err := b.remove(p, "b"); err != nil {
			p.Fatal(err)
		}
		got, _ = of(twinplatform.ListOptions{Delta: ofDelta})
		expect(p, "delta of a", got, "a/g=7")
		changes, _ := p.values(b.category, userfields.UserFieldValueQuery{ListOptions: twinplatform.ListOptions{Delta: allDelta}})
		expect(p, "delta of all", idList(changes, valueListed), "a/g=7 -ab/f=3 -b/g=5")
		changes, _ = p.values(b.category, userfields.UserFieldValueQuery{UserFieldID: "g", ListOptions: twinplatform.ListOptions{Delta: fieldDelta}})
		expect(p, "delta of g", idList(changes, valueListed), "a/g=7 -b/g=5")
	})
}

// covers: Resource user field value (S1)
// covers: Resource group user field value (S4)
func TestValueOnTheWireNamesItsObjectAlone(t *testing.T) {
	t.Parallel()
	onEachTarget(t, func(p *plan, b valueTarget) {
		b.make(p, "o")
		b.integers(p, "f")
		b.set(p, "o", "f", 12)
		page, err := userfields.In(p.in()).UserFieldValues(p.ctx, b.category, userfields.UserFieldValueQuery{})
		if err != nil {
			p.Fatal(err)
		}
		expect(p, "wire form", string(page.JSON()[0]), fmt.Sprintf(`{"deleted":false,"%s":"o","userFieldId":"f","value":"12"}`, b.param))
	})
}

func TestValueIsDeletedOnce(t *testing.T) {
	t.Parallel()
	onEachTarget(t, func(p *plan, b valueTarget) {
		b.make(p, "o")
		b.integers(p, "f")
		b.set(p, "o", "f", 1)
		if err := userfields.In(p.in()).DeleteUserFieldValue(p.ctx, b.category, "o", "f"); err != nil {
			p.Fatal(err)
		}
		none := invalid("InvalidParameter userFieldId, " + b.param)
		none.check(p, userfields.In(p.in()).DeleteUserFieldValue(p.ctx, b.category, "o", "f"))
		none.check(p, userfields.In(p.in()).DeleteUserFieldValue(p.ctx, b.category, "o", "x"))
		gone := b.missing
		gone.target = b.goneTarget
		gone.check(p, userfields.In(p.in()).DeleteUserFieldValue(p.ctx, b.category, "x", "f"))
		noSchedule.check(p, userfields.In(p.svc.In("nowhere")).DeleteUserFieldValue(p.ctx, b.category, "o", "f"))
		b.set(p, "o", "f", 2)
		all, _ := p.values(b.category, userfields.UserFieldValueQuery{})
		expect(p, "set again", idList(all, valueListed), "o/f=2")
	})
}

func TestObjectWithManyValuesIsDeletedInSteps(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	p := inMemory(t).v65()
	for _, b := range valueTargets {
		b.make(p, "o", "other")
	}
	for i := range 1_100 {
		for _, b := range valueTargets {
			field := fmt.Sprintf("%s-%04d", b.category, i)
			b.integers(p, field)
			b.set(p, "o", field, 1)
		}
	}
	for _, b := range valueTargets {
		b.set(p, "other", string(b.category)+"-0000", 1)
		if err := b.remove(p, "o"); err != nil {
			t.Fatal(err)
		}
		left, _ := p.values(b.category, userfields.UserFieldValueQuery{ListOptions: twinplatform.ListOptions{Top: schedules.MaxTop}})
		expect(t, string(b.category), idList(left, valueListed), "other/"+string(b.category)+"-0000=1")
	}
}

// covers: operations resourceUserFieldValues.set entity3dUserFieldValues.set
func TestValueIsSetByATrackedOperation(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("r")
	p.field("f", userfields.ResourceField, userfields.IntegerField)
	ask := userfields.NewUserFieldValue{ResourceID: "r", UserFieldID: "f", IntValue: new(int64(1))}
	res, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, userfields.ResourceField, ask)
	if err != nil || res.Status != twinplatform.OperationSucceeded || !slices.Equal(res.Subjects, []string{"r"}) || res.Records[0].ETag == "" {
		t.Fatalf("result %+v (%v)", res, err)
	}
	op, err := p.in().Operation(p.ctx, res.Operation.ID)
	if err != nil || op.Value.PercentComplete != 100 {
		t.Errorf("operation %+v (%v)", op.Value, err)
	}
}

// covers: Operations of schedules: rule S1 answers 200 when done, 202 in background
func TestValueInBackgroundIsSetByRun(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Background: true}})
	p.background()
	r, err := p.in().CreateResource(p.ctx, schedules.NewResource{ID: "r", Name: "r", Type: schedules.HumanResource})
	if err != nil {
		t.Fatal(err)
	}
	p.await(r.Operation)
	f, err := userfields.In(p.in()).CreateUserField(p.ctx, userfields.NewUserField{ID: "f", Name: "f", Category: userfields.ResourceField, Type: userfields.StartDateField})
	if err != nil {
		t.Fatal(err)
	}
	p.await(f.Operation)
	ask := userfields.NewUserFieldValue{ResourceID: "r", UserFieldID: "f", DateValue: twinplatform.At(morning)}
	v, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, userfields.ResourceField, ask)
	if err != nil || len(v.Records) != 0 || v.Operation.ID == "" {
		t.Fatalf("accepted as %+v (%v)", v, err)
	}
	p.await(v.Operation)
	all, _ := p.values(userfields.ResourceField, userfields.UserFieldValueQuery{})
	expect(t, "values", idList(all, valueListed), "r/f=2026-03-02T08:00:00Z")
	if err := userfields.In(p.in()).DeleteUserFieldValue(p.ctx, userfields.ResourceField, "r", "f"); err != nil {
		t.Fatal(err)
	}
	ask.UserFieldID = "x"
	_, err = userfields.In(p.in()).SetUserFieldValue(p.ctx, userfields.ResourceField, ask)
	noField.check(t, err)
}

// readers lets the principal called reader read, and no one else do anything.
type readers struct{}

func (readers) Allowed(_ context.Context, p twinplatform.Principal, permission string, _ twinplatform.Target) (bool, error) {
	return p.ID == "reader" && permission == schedules.PermissionRead, nil
}

func TestChangesAreForThoseWhoMayAndSchedulesThatAreReady(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("r")
	p.group(schedules.NewResourceGroup{ID: "g"})
	p.statuses("c", "c/s", "c/s/i")
	p.field("f", userfields.ResourceField, userfields.IntegerField)
	reader := twinplatform.WithPrincipal(p.ctx, twinplatform.Principal{ID: "reader"})
	stranger := twinplatform.WithPrincipal(p.ctx, twinplatform.Principal{ID: "stranger"})
	p.svc = newService(p.store, schedules.Config{Env: twinplatform.Env{Authorizer: readers{}}})
	writes := map[string]func(p *plan) error{
		"create a group": func(p *plan) error {
			_, err := p.in().CreateResourceGroup(p.ctx, schedules.NewResourceGroup{Name: "n"})
			return err
		},
		"update a group": func(p *plan) error {
			_, err := p.in().UpdateResourceGroup(p.ctx, "g", schedules.ResourceGroupPatch{})
			return err
		},
		"delete a group": func(p *plan) error { _, err := p.in().DeleteResourceGroups(p.ctx, []string{"g"}); return err },
		"add a member":   func(p *plan) error { _, err := p.in().AddResourcesToGroup(p.ctx, "g", []string{"r"}); return err },
		"remove a member": func(p *plan) error {
			_, err := p.in().RemoveResourcesFromGroup(p.ctx, "g", []string{"r"})
			return err
		},
		"create a category": func(p *plan) error {
			_, err := statuses.In(p.in()).CreateResourceStatusCategory(p.ctx, statuses.NewResourceStatusCategory{Name: "n"})
			return err
		},
		"update a category": func(p *plan) error {
			_, err := statuses.In(p.in()).UpdateResourceStatusCategory(p.ctx, "c", statuses.ResourceStatusCategoryPatch{})
			return err
		},
		"delete a category": func(p *plan) error {
			_, err := statuses.In(p.in()).DeleteResourceStatusCategory(p.ctx, "c")
			return err
		},
		"create a status set": func(p *plan) error {
			_, err := statuses.In(p.in()).CreateResourceStatusSet(p.ctx, statuses.NewResourceStatusSet{Name: "n", StatusCategoryID: "c"})
			return err
		},
		"update a status set": func(p *plan) error {
			_, err := statuses.In(p.in()).UpdateResourceStatusSet(p.ctx, "s", statuses.ResourceStatusSetPatch{})
			return err
		},
		"delete a status set": func(p *plan) error { _, err := statuses.In(p.in()).DeleteResourceStatusSet(p.ctx, "s"); return err },
		"create a status item": func(p *plan) error {
			_, err := statuses.In(p.in()).CreateResourceStatusItem(p.ctx, statuses.NewResourceStatusItem{Name: "n", StatusSetID: "s", Color: "#000000"})
			return err
		},
		"update a status item": func(p *plan) error {
			_, err := statuses.In(p.in()).UpdateResourceStatusItem(p.ctx, "i", statuses.ResourceStatusItemPatch{})
			return err
		},
		"delete a status item": func(p *plan) error { _, err := statuses.In(p.in()).DeleteResourceStatusItem(p.ctx, "i"); return err },
		"create a user field": func(p *plan) error {
			_, err := userfields.In(p.in()).CreateUserField(p.ctx, userfields.NewUserField{Name: "n", Category: "Task", Type: "Float"})
			return err
		},
		"delete a user field": func(p *plan) error { _, err := userfields.In(p.in()).DeleteUserField(p.ctx, "f"); return err },
		"set a value": func(p *plan) error {
			_, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, "Resource", userfields.NewUserFieldValue{ResourceID: "r", UserFieldID: "f", IntValue: new(int64(1))})
			return err
		},
		"delete a value": func(p *plan) error { return userfields.In(p.in()).DeleteUserFieldValue(p.ctx, "Resource", "r", "f") },
		"create a resource": func(p *plan) error {
			_, err := p.in().CreateResource(p.ctx, schedules.NewResource{Name: "n", Type: "Human"})
			return err
		},
		"update a resource": func(p *plan) error {
			_, err := p.in().UpdateResource(p.ctx, "r", schedules.ResourcePatch{})
			return err
		},
		"delete a resource": func(p *plan) error { _, err := p.in().DeleteResources(p.ctx, []string{"r"}); return err },
		"create many resources": func(p *plan) error {
			_, err := p.in().CreateResources(p.ctx, []schedules.NewResource{{Name: "n", Type: "Human"}})
			return err
		},
	}
	for name, write := range writes {
		as := *p
		as.ctx = reader
		t.Run(name+" without the right", func(t *testing.T) { forbidden.check(t, write(&as)) })
		as.ctx = stranger
		t.Run(name+" unseen", func(t *testing.T) { noSchedule.check(t, write(&as)) })
	}
	if err := p.svc.SetState(p.ctx, p.id, schedules.Processing); err != nil {
		t.Fatal(err)
	}
	//nolint:paralleltest // what follows the loop looks at what it has left
	for name, write := range writes {
		t.Run(name+" while processing", func(t *testing.T) { processing.check(t, write(p)) })
	}
	if all, _ := p.allResources(twinplatform.ListOptions{}); len(all) != 1 {
		t.Errorf("reading while processing finds %d resources", len(all))
	}
}
