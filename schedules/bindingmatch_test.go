package schedules_test

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// elements are the elements of the model "site".
type elements []animation.Element

func (e elements) Elements(context.Context, string) iter.Seq2[animation.Element, error] {
	return func(yield func(animation.Element, error) bool) {
		for _, one := range e {
			if !yield(one, nil) {
				return
			}
		}
	}
}

// matchable is a plan with tasks that have codes, user fields and activity codes, and a model with elements.
func matchable(t *testing.T) *plan {
	t.Helper()
	p := newPlan(t, memory.New(), schedules.Config{Elements: elements{
		{ID: "0x1", Code: "A10-wall", GUID: "g1", Properties: map[string]any{"Name": "Lay", "zone": 1}},
		{ID: "0x2", Code: "A20", GUID: "g2", Properties: map[string]any{"name": "Top"}},
		{ID: "0x3", Code: "fence"},
	}})
	p.create(
		schedules.NewTask{ID: "lay", Name: "Lay", Type: schedules.Work, UserDefinedID: "A10"},
		schedules.NewTask{ID: "top", Name: "Top", Type: schedules.Work, UserDefinedID: "A20"},
	)
	p.profiles("install")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := userfields.In(p.in()).CreateUserField(p.ctx, userfields.NewUserField{ID: "guid", Name: "GUID", Category: userfields.TaskField, Type: userfields.StringField})
	must(err)
	guid := "g2"
	_, err = userfields.In(p.in()).SetUserFieldValue(p.ctx, userfields.TaskField, userfields.NewUserFieldValue{TaskID: "top", UserFieldID: "guid", StringValue: &guid})
	must(err)
	_, err = codes.In(p.in()).CreateCode(p.ctx, codes.NewCode{ID: "zone", Name: "Zone", Category: codes.ActivityCode})
	must(err)
	_, err = codes.In(p.in()).CreateCodeValue(p.ctx, codes.NewCodeValue{ID: "first", CodeID: "zone", Name: "1"})
	must(err)
	_, err = codes.In(p.in()).CreateCodeValueAssignment(p.ctx, codes.NewCodeValueAssignment{TaskID: "lay", CodeValueID: "first"})
	must(err)
	return p
}

func TestElementsOfAModelAreBoundToTasksByARule(t *testing.T) {
	t.Parallel()
	p := matchable(t)
	for _, c := range []struct {
		name, want string
		rule       animation.BindingMatch
	}{
		{"by code", "0x2 top", animation.BindingMatch{}},
		{"by the beginning of the code", "0x1 lay 0x2 top", animation.BindingMatch{Kind: fourd.PrefixMatch}},
		{"by a pattern", "0x1 lay 0x2 top", animation.BindingMatch{Kind: fourd.PatternMatch, Pattern: `^A\d+`}},
		{"by name", "0x1 lay 0x2 top", animation.BindingMatch{EntityKey: animation.EntityName, TaskKey: animation.TaskName}},
		{"by GUID and user field", "0x2 top", animation.BindingMatch{EntityKey: animation.EntityGUID, TaskKey: animation.TaskUserField, UserFieldID: "guid"}},
		{"by property and activity code", "0x1 lay", animation.BindingMatch{
			EntityKey: animation.EntityProperty, Property: "Zone", TaskKey: animation.TaskActivityCode, CodeID: "zone",
		}},
	} {
		c.rule.ModelID = "site"
		found, err := animation.In(p.in()).PreviewMatch(p.ctx, c.rule)
		if err != nil {
			p.Fatal(err)
		}
		var got []string
		for _, b := range found.Bound {
			got = append(got, b.AnimatedEntityID, b.TaskID)
		}
		left := found.BoundCount + found.LeftEntityCount
		if strings.Join(got, " ") != c.want || left != 3 || found.LeftTaskCount != 2-found.BoundCount {
			p.Errorf("%s: %+v, not %q", c.name, found, c.want)
		}
	}
	if all, _ := p.bindings(animation.BindingQuery{}); all != "" {
		p.Errorf("a preview made the bindings %s", all)
	}
	rule := animation.BindingMatch{ModelID: "site", Kind: fourd.PrefixMatch, AppearanceProfileID: "install"}
	if _, err := animation.In(p.in()).MatchBindings(p.ctx, rule); err != nil {
		p.Fatal(err)
	}
	page, err := animation.In(p.in()).Bindings(p.ctx, animation.BindingQuery{})
	made, _ := page.Values()
	if err != nil || len(made) != 2 || made[0].AppearanceProfileID != "install" {
		p.Errorf("the rule made %+v, %v", made, err)
	}
	again, err := animation.In(p.in()).PreviewMatch(p.ctx, rule)
	if err != nil || again.BoundCount != 0 || again.BoundAlreadyCount != 2 {
		p.Errorf("afterwards it would bind %+v, %v", again, err)
	}
	_, err = animation.In(p.in()).MatchBindings(p.ctx, rule)
	invalid("InvalidValue kind").check(p, err)
}

func TestRuleThatCannotBindIsRefused(t *testing.T) {
	t.Parallel()
	p := matchable(t)
	for detail, rule := range map[string]animation.BindingMatch{
		"MissingRequiredProperty modelId":     {},
		"InvalidValue entityKey":              {ModelID: "site", EntityKey: "Colour"},
		"InvalidValue taskKey":                {ModelID: "site", TaskKey: "Colour"},
		"InvalidValue kind":                   {ModelID: "site", Kind: "Guess"},
		"MissingRequiredProperty property":    {ModelID: "site", EntityKey: animation.EntityProperty},
		"MissingRequiredProperty userFieldId": {ModelID: "site", TaskKey: animation.TaskUserField},
		"MissingRequiredProperty codeId":      {ModelID: "site", TaskKey: animation.TaskActivityCode},
		"MissingRequiredProperty pattern":     {ModelID: "site", Kind: fourd.PatternMatch},
		"InvalidValue pattern":                {ModelID: "site", Kind: fourd.PatternMatch, Pattern: "("},
	} {
		_, err := animation.In(p.in()).PreviewMatch(p.ctx, rule)
		invalid(detail).check(t, err)
		_, err = animation.In(p.in()).MatchBindings(p.ctx, rule)
		invalid(detail).check(t, err)
	}
	p.v65()
	_, err := animation.In(p.in()).PreviewMatch(p.ctx, animation.BindingMatch{ModelID: "site"})
	invalid("InvalidParameter scheduleId").check(t, err)
}

func TestPropertyIsATextANumberOrABooleanAndOfSeveralNamesTheFirstCounts(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Elements: elements{
		{ID: "0x1", Properties: map[string]any{"ZONE": "A20", "zone": "A10", "zOne": "A10"}},
		{ID: "0x2", Properties: map[string]any{"zone": []any{"A10"}}},
		{ID: "0x3", Properties: map[string]any{"Zone": json.Number("7"), "zone": "A10"}},
		{ID: "0x4", Properties: map[string]any{"Zone": true}},
		{ID: "0x5", Properties: map[string]any{"Zone": map[string]any{}}},
	}})
	p.create(
		schedules.NewTask{ID: "a", Name: "A20", Type: schedules.Work}, schedules.NewTask{ID: "b", Name: "7", Type: schedules.Work},
		schedules.NewTask{ID: "c", Name: "true", Type: schedules.Work}, schedules.NewTask{ID: "d", Name: "[A10]", Type: schedules.Work},
		schedules.NewTask{ID: "e", Name: "map[]", Type: schedules.Work},
	)
	for range 10 {
		found, err := animation.In(p.in()).PreviewMatch(p.ctx, animation.BindingMatch{
			ModelID: "site", EntityKey: animation.EntityProperty, Property: "Zone", TaskKey: animation.TaskName,
		})
		want := []animation.Match{
			{AnimatedEntityID: "0x1", TaskID: "a"}, {AnimatedEntityID: "0x3", TaskID: "b"}, {AnimatedEntityID: "0x4", TaskID: "c"},
		}
		if diff := cmp.Diff(want, found.Bound); diff != "" || err != nil {
			t.Fatalf("(-want +got) %v\n%s", err, diff)
		}
	}
}

// meanwhile are elements of a model of which the first reading takes so long that something else happens.
type meanwhile struct {
	elements
	happens func()
}

func (m *meanwhile) Elements(ctx context.Context, modelID string) iter.Seq2[animation.Element, error] {
	if once := m.happens; once != nil {
		m.happens = nil
		once()
	}
	return m.elements.Elements(ctx, modelID)
}

func TestTwoRulesAtOnceBindEachElementOnce(t *testing.T) {
	t.Parallel()
	model := &meanwhile{elements: elements{{ID: "0x1", Code: "A10"}}}
	p := newPlan(t, memory.New(), schedules.Config{Elements: model})
	p.create(schedules.NewTask{ID: "lay", Name: "Lay", Type: schedules.Work, UserDefinedID: "A10"})
	rule := animation.BindingMatch{ModelID: "site"}
	bind := func() error {
		_, err := animation.In(p.in()).MatchBindings(p.ctx, rule)
		return err
	}
	model.happens = func() {
		if err := bind(); err != nil {
			t.Error(err)
		}
	}
	invalid("InvalidValue kind").check(t, bind())
	page, err := animation.In(p.in()).Bindings(p.ctx, animation.BindingQuery{})
	if made, _ := page.Values(); err != nil || len(made) != 1 {
		t.Errorf("the rules made %+v, %v", made, err)
	}
}
