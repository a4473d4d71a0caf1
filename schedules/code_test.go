package schedules_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
)

var (
	noCode      = refusal{kind: twinplatform.NotFound, code: "CodeNotFound", target: "codeId"}
	noCodeValue = refusal{kind: twinplatform.NotFound, code: "CodeValueNotFound", target: "codeValueId"}
	notAssigned = refusal{kind: twinplatform.NotFound, code: "CodeValueAssignmentNotFound", target: "codeValueId"}
	noRule      = refusal{kind: twinplatform.NotFound, code: "RuleNotFound", target: "ruleId"}
)

// coded makes a code of phases, of which groundwork lies below site, and one of accounts, a
// task with two values, and a rule.
func (p *plan) coded() {
	p.Helper()
	must := func(err error) {
		p.Helper()
		if err != nil {
			p.Fatal(err)
		}
	}
	p.tasks("coded")
	for _, n := range []codes.NewCode{
		{ID: "phase", Name: "Phase", Category: codes.ActivityCode},
		{ID: "account", Name: "Account", Category: codes.CostCode},
		{ID: "trade", Name: "Trade", Category: codes.ResourceCode},
	} {
		_, err := codes.In(p.in()).CreateCode(p.ctx, n)
		must(err)
	}
	_, err := codes.In(p.in()).CreateCodeValues(p.ctx, []codes.NewCodeValue{
		{ID: "groundwork", CodeID: "phase", Name: "Groundwork", ParentID: "site"},
		{ID: "site", CodeID: "phase", Name: "Site", Description: "At first", Color: "#a0b1c2"},
		{ID: "shell", CodeID: "phase", Name: "Shell"},
		{ID: "labour", CodeID: "account", Name: "Labour"},
		{ID: "welder", CodeID: "trade", Name: "Welder"},
	})
	must(err)
	_, err = codes.In(p.in()).CreateCodeValueAssignments(p.ctx, []codes.NewCodeValueAssignment{
		{TaskID: "coded", CodeValueID: "shell"}, {TaskID: "coded", CodeValueID: "labour"},
	})
	must(err)
	_, err = p.in().CreateRule(p.ctx, schedules.NewRule{ID: "rule", Description: "Rule", Rate: 14.5, Unit: units.Meter, UserDefinedID: "RUL00010"})
	must(err)
}

func codeListed(v codes.Code) (string, bool) { return v.ID, v.Deleted }

func codeValueListed(v codes.CodeValue) (string, bool) { return v.ID, v.Deleted }

// having lists the code values of tasks, as coded/shell.
func (p *plan) having(q codes.CodeValueAssignmentQuery) (said, delta string) {
	p.Helper()
	all, delta := readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[codes.CodeValueAssignment], error) {
		q.ListOptions = o
		return codes.In(p.in()).CodeValueAssignments(p.ctx, q)
	})
	return idList(all, func(v codes.CodeValueAssignment) (string, bool) { return v.TaskID + "/" + v.CodeValueID, v.Deleted }), delta
}

// covers: Codes, their values and rules
// covers: operations codes.get codeValues.get
func TestCodesAndTheirValuesOnTheWire(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.coded()
		code, err := codes.In(p.in()).Code(p.ctx, "phase")
		if err != nil {
			p.Fatal(err)
		}
		expect(p, "code", string(code.JSON), `{"category":"Activity","deleted":false,"id":"phase","name":"Phase"}`)
		value, err := codes.In(p.in()).CodeValue(p.ctx, "site")
		if err != nil {
			p.Fatal(err)
		}
		expect(p, "value", string(value.JSON), `{"codeId":"phase","color":"#a0b1c2","deleted":false,"description":"At first","id":"site","name":"Site","parentId":null}`)
		value, err = codes.In(p.in()).CodeValue(p.ctx, "groundwork")
		if err != nil {
			p.Fatal(err)
		}
		expect(p, "value below", string(value.JSON), `{"codeId":"phase","color":null,"deleted":false,"description":"","id":"groundwork","name":"Groundwork","parentId":"site"}`)
		page, err := pageOf(codes.In(p.in()).CodeValueAssignments(p.ctx, codes.CodeValueAssignmentQuery{CodeValueID: "shell"}))
		if err != nil {
			p.Fatal(err)
		}
		if diff := cmp.Diff([]string{`{"codeValueId":"shell","deleted":false,"taskId":"coded"}`}, page.ids); diff != "" {
			p.Error(diff)
		}
	})
}

// covers: Codes, their values and rules: rule a schedule has one cost code
// covers: Codes, their values and rules: error CostCodeExists
// covers: Code categories
// covers: operations codes.create
func TestScheduleHasOneCostCodeAndAnyNumberOfOthers(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	for _, category := range []codes.CodeCategory{"Activity", "Resource", "ResourceGroup", "Cost"} {
		res, err := codes.In(p.in()).CreateCode(p.ctx, codes.NewCode{ID: string(category), Name: "n", Category: category})
		if err != nil || res.Value().Category != category {
			t.Errorf("%s: %+v, %v", category, res.Records, err)
		}
		_, err = codes.In(p.in()).CreateCode(p.ctx, codes.NewCode{Name: "n", Category: category})
		if category == codes.CostCode {
			refusal{kind: twinplatform.Conflict, code: "CostCodeExists", target: "category"}.check(t, err)
		} else if err != nil {
			t.Error(err)
		}
	}
	if _, err := codes.In(p.in()).DeleteCode(p.ctx, "Cost"); err != nil {
		t.Fatal(err)
	}
	if _, err := codes.In(p.in()).CreateCode(p.ctx, codes.NewCode{Name: "n", Category: codes.CostCode}); err != nil {
		t.Errorf("once the cost code is gone: %v", err)
	}
}

// covers: Codes, their values and rules: error CodeNotFound
func TestCodeThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.coded()
	for name, test := range map[string]struct {
		n    codes.NewCode
		want refusal
	}{
		"nothing":            {codes.NewCode{}, invalid("MissingRequiredProperty name", "MissingRequiredProperty category")},
		"no such category":   {codes.NewCode{Name: "n", Category: "Costs"}, invalid("InvalidValue category")},
		"an id that is used": {codes.NewCode{ID: "phase", Name: "n", Category: codes.ActivityCode}, idTaken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := codes.In(p.in()).CreateCode(p.ctx, test.n)
			test.want.check(t, err)
		})
	}
	_, err := codes.In(p.in()).UpdateCode(p.ctx, "phase", codes.CodePatch{Category: twinplatform.Set(codes.CostCode)})
	invalid("InvalidValue category").check(t, err)
	_, err = codes.In(p.in()).UpdateCode(p.ctx, "nothing", codes.CodePatch{})
	noCode.check(t, err)
	_, err = codes.In(p.in()).DeleteCode(p.ctx, "nothing")
	noCode.check(t, err)
}

// covers: Codes, their values and rules: rule values lie below others of their code
// covers: Codes, their values and rules: error CodeValueNotFound
// covers: operations codeValues.create
func TestCodeValueThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.coded()
	for name, test := range map[string]struct {
		n    codes.NewCodeValue
		want refusal
	}{
		"nothing":                {codes.NewCodeValue{}, invalid("MissingRequiredProperty codeId", "MissingRequiredProperty name")},
		"no such code":           {codes.NewCodeValue{CodeID: "none", Name: "n"}, invalid("InvalidValue codeId")},
		"no color":               {codes.NewCodeValue{CodeID: "phase", Name: "n", Color: "red"}, invalid("InvalidValue color")},
		"no such parent":         {codes.NewCodeValue{CodeID: "phase", Name: "n", ParentID: "none"}, invalid("InvalidValue parentId")},
		"parent of another code": {codes.NewCodeValue{CodeID: "phase", Name: "n", ParentID: "labour"}, invalid("InvalidValue parentId")},
		"an id that is used":     {codes.NewCodeValue{ID: "site", CodeID: "phase", Name: "n"}, idTaken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := codes.In(p.in()).CreateCodeValue(p.ctx, test.n)
			test.want.check(t, err)
		})
	}
	for name, patch := range map[string]codes.CodeValuePatch{
		"codeId":   {CodeID: twinplatform.Set("account")},
		"parentId": {ParentID: twinplatform.Set("groundwork")},
		"color":    {Color: twinplatform.Set("#12345")},
	} {
		_, err := codes.In(p.in()).UpdateCodeValue(p.ctx, "site", patch)
		invalid("InvalidValue "+name).check(t, err)
	}
	_, err := codes.In(p.in()).UpdateCodeValue(p.ctx, "nothing", codes.CodeValuePatch{})
	noCodeValue.check(t, err)
	_, err = codes.In(p.in()).CodeValuesOfCode(p.ctx, "nothing", codes.CodeValueQuery{})
	noCode.check(t, err)
}

// covers: operations codeValues.createMany
func TestCodeValuesLieAtMostSoDeep(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.coded()
	batch := []codes.NewCodeValue{{ID: "v1", CodeID: "phase", Name: "n"}}
	for i := 2; i <= schedules.MaxDepth; i++ {
		batch = append(batch, codes.NewCodeValue{ID: fmt.Sprint("v", i), CodeID: "phase", Name: "n", ParentID: fmt.Sprint("v", i-1)})
	}
	if _, err := codes.In(p.in()).CreateCodeValues(p.ctx, batch); err != nil {
		t.Fatal(err)
	}
	_, err := codes.In(p.in()).CreateCodeValue(p.ctx, codes.NewCodeValue{CodeID: "phase", Name: "n", ParentID: fmt.Sprint("v", schedules.MaxDepth)})
	invalid("InvalidValue parentId").check(t, err)
}

// covers: operations codes.list codeValues.list codeValues.listOfCode
func TestCodesAreListedByNameAndTheirValuesByCode(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.coded()
	named, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[codes.Code], error) {
		return codes.In(p.in()).Codes(p.ctx, codes.CodeQuery{ListOptions: o, Name: "PHA"})
	})
	expect(t, "by name", idList(named, codeListed), "phase")
	values, _ := readAll(p, twinplatform.ListOptions{Top: 2}, func(o twinplatform.ListOptions) (twinplatform.Page[codes.CodeValue], error) {
		return codes.In(p.in()).CodeValuesOfCode(p.ctx, "phase", codes.CodeValueQuery{ListOptions: o})
	})
	expect(t, "of a code", idList(values, codeValueListed), "groundwork shell site")
	values, _ = readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[codes.CodeValue], error) {
		return codes.In(p.in()).CodeValues(p.ctx, codes.CodeValueQuery{ListOptions: o, CodeID: "account"})
	})
	expect(t, "of a code among all", idList(values, codeValueListed), "labour")
}

// covers: Codes, their values and rules: rule tasks have values of activities and costs
// covers: Codes, their values and rules: error CodeValueAssignmentNotFound
// covers: operations codeValueAssignments.list codeValueAssignments.create codeValueAssignments.createMany
// covers: operations codeValueAssignments.delete
func TestTasksHaveCodeValuesOfActivitiesAndCostsOnce(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.coded()
		p.tasks("other")
		give := func(task, value string) error {
			_, err := codes.In(p.in()).CreateCodeValueAssignment(p.ctx, codes.NewCodeValueAssignment{TaskID: task, CodeValueID: value})
			return err
		}
		invalid("MissingRequiredProperty taskId", "MissingRequiredProperty codeValueId").check(p, give("", ""))
		invalid("InvalidValue taskId", "InvalidValue codeValueId").check(p, give("nobody", "nothing"))
		invalid("InvalidValue codeValueId").check(p, give("other", "welder"))
		refusal{kind: twinplatform.Conflict, code: "AlreadyExists", target: "codeValueId"}.check(p, give("coded", "shell"))
		if err := give("other", "shell"); err != nil {
			p.Fatal(err)
		}
		for q, want := range map[codes.CodeValueAssignmentQuery]string{
			{}:                                      "coded/labour coded/shell other/shell",
			{TaskID: "coded"}:                       "coded/labour coded/shell",
			{CodeValueID: "shell"}:                  "coded/shell other/shell",
			{TaskID: "coded", CodeValueID: "shell"}: "coded/shell",
		} {
			if got, _ := p.having(q); got != want {
				p.Errorf("%+v lists %q, want %q", q, got, want)
			}
		}
		if err := codes.In(p.in()).DeleteCodeValueAssignment(p.ctx, "coded", "shell"); err != nil {
			p.Fatal(err)
		}
		notAssigned.check(p, codes.In(p.in()).DeleteCodeValueAssignment(p.ctx, "coded", "shell"))
		noTask.check(p, codes.In(p.in()).DeleteCodeValueAssignment(p.ctx, "nobody", "shell"))
		noCodeValue.check(p, codes.In(p.in()).DeleteCodeValueAssignment(p.ctx, "coded", "nothing"))
		_, err := codes.In(p.in()).CreateCodeValueAssignments(p.ctx, []codes.NewCodeValueAssignment{{TaskID: "coded", CodeValueID: "site"}, {TaskID: "nobody", CodeValueID: "site"}})
		invalid("InvalidValue batch[1].taskId").check(p, err)
		if got, _ := p.having(codes.CodeValueAssignmentQuery{TaskID: "coded"}); got != "coded/labour" {
			p.Errorf("left: %s", got)
		}
	})
}

// covers: operations codes.delete codeValues.delete
func TestWhatGoesTakesItsCodeValuesAlong(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.coded()
		p.tasks("other")
		_, err := codes.In(p.in()).CreateCodeValueAssignments(p.ctx, []codes.NewCodeValueAssignment{
			{TaskID: "coded", CodeValueID: "groundwork"}, {TaskID: "other", CodeValueID: "groundwork"}, {TaskID: "other", CodeValueID: "shell"},
		})
		if err != nil {
			p.Fatal(err)
		}
		_, delta := p.having(codes.CodeValueAssignmentQuery{})
		if _, err := codes.In(p.in()).DeleteCodeValue(p.ctx, "site"); err != nil {
			p.Fatal(err)
		}
		_, err = codes.In(p.in()).CodeValue(p.ctx, "groundwork")
		noCodeValue.check(p, err)
		p.delete("other")
		if got, _ := p.having(codes.CodeValueAssignmentQuery{}); got != "coded/labour coded/shell" {
			p.Errorf("left of a value and a task: %s", got)
		}
		if _, err := codes.In(p.in()).DeleteCode(p.ctx, "phase"); err != nil {
			p.Fatal(err)
		}
		if got, _ := p.having(codes.CodeValueAssignmentQuery{}); got != "coded/labour" {
			p.Errorf("left of a code: %s", got)
		}
		got, _ := p.having(codes.CodeValueAssignmentQuery{ListOptions: twinplatform.ListOptions{Delta: delta}})
		expect(p, "delta", got, "-coded/groundwork -other/groundwork -other/shell -coded/shell")
	})
}

// covers: operations codes.update codeValues.update
func TestCodesAreChangedByWhatIsGiven(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.coded()
	code, err := codes.In(p.in()).UpdateCode(p.ctx, "phase", codes.CodePatch{Name: twinplatform.Set("Stage"), Category: twinplatform.Set(codes.ActivityCode)})
	if err != nil || code.Value() != (codes.Code{ID: "phase", Name: "Stage", Category: codes.ActivityCode}) {
		t.Errorf("%+v, %v", code.Records, err)
	}
	value, err := codes.In(p.in()).UpdateCodeValue(p.ctx, "groundwork", codes.CodeValuePatch{
		Description: twinplatform.Set("Digging"), Color: twinplatform.Set("#010203"), ParentID: twinplatform.Null[string](),
	})
	want := codes.CodeValue{ID: "groundwork", CodeID: "phase", Name: "Groundwork", Description: "Digging", Color: "#010203"}
	if err != nil || value.Value() != want {
		t.Errorf("%+v, %v", value.Records, err)
	}
}

// covers: Codes, their values and rules
// covers: operations rules.get
func TestRuleOnTheWire(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.coded()
		rec, err := p.in().Rule(p.ctx, "rule")
		if err != nil {
			p.Fatal(err)
		}
		expect(p, "wire form", string(rec.JSON), `{"deleted":false,"description":"Rule","id":"rule","parentId":null,"rate":14.5,"unit":"Meter","userDefinedId":"RUL00010"}`)
	})
}

// covers: Codes, their values and rules: error RuleNotFound
// covers: operations rules.create
func TestRuleThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.coded()
	for name, test := range map[string]struct {
		n    schedules.NewRule
		want refusal
	}{
		"a rate below 0":      {schedules.NewRule{Rate: -1}, invalid("InvalidValue rate")},
		"no rate":             {schedules.NewRule{Rate: math.NaN()}, invalid("InvalidValue rate")},
		"no such unit":        {schedules.NewRule{Unit: "Furlong"}, invalid("InvalidValue unit")},
		"no such parent":      {schedules.NewRule{ParentID: "nobody"}, invalid("InvalidValue parentId")},
		"an id that is used":  {schedules.NewRule{ID: "rule"}, idTaken},
		"a user id in use":    {schedules.NewRule{UserDefinedID: "RUL00010"}, refusal{kind: twinplatform.Conflict, code: "AlreadyExists", target: "userDefinedId"}},
		"an id with a stroke": {schedules.NewRule{ID: "a/b"}, invalid("InvalidValue id")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := p.in().CreateRule(p.ctx, test.n)
			test.want.check(t, err)
		})
	}
	_, err := p.in().UpdateRule(p.ctx, "rule", schedules.RulePatch{ParentID: twinplatform.Set("rule")})
	invalid("InvalidValue parentId").check(t, err)
	_, err = p.in().Rule(p.ctx, "nothing")
	noRule.check(t, err)
}

// covers: operations rules.list rules.update rules.delete
func TestDeletedRuleGoesWithThoseBelowIt(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.coded()
		for _, n := range []schedules.NewRule{{ID: "below", ParentID: "rule", UserDefinedID: "x"}, {ID: "deeper", ParentID: "below"}, {ID: "apart"}} {
			if _, err := p.in().CreateRule(p.ctx, n); err != nil {
				p.Fatal(err)
			}
		}
		res, err := p.in().UpdateRule(p.ctx, "below", schedules.RulePatch{Rate: twinplatform.Set(0.5), Unit: twinplatform.Set(units.Ton), UserDefinedID: twinplatform.Null[string]()})
		if err != nil || res.Value() != (schedules.Rule{ID: "below", ParentID: "rule", Rate: 0.5, Unit: units.Ton}) {
			p.Errorf("%+v, %v", res.Records, err)
		}
		rules := func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Rule], error) {
			return p.in().Rules(p.ctx, schedules.RuleQuery{ListOptions: o})
		}
		ruleListed := func(v schedules.Rule) (string, bool) { return v.ID, v.Deleted }
		all, delta := readAll(p, twinplatform.ListOptions{}, rules)
		expect(p, "rules", idList(all, ruleListed), "apart below deeper rule")
		if _, err := p.in().DeleteRule(p.ctx, "rule"); err != nil {
			p.Fatal(err)
		}
		all, _ = readAll(p, twinplatform.ListOptions{Delta: delta}, rules)
		expect(p, "delta", idList(all, ruleListed), "-deeper -below -rule")
	})
}

// covers: Codes, their values and rules: rule codes and rules are made in v10 schedules
func TestCodesAndRulesAreOfV10Schedules(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.id = "old"
	p.schedule(schedules.NewSchedule{ID: "old", Name: "Old", TwinID: "twin", Type: schedules.V65})
	for _, c := range writesOfCodes {
		p.Log(c.name)
		notOfV65.check(t, c.do(p.ctx, p.svc, "old"))
	}
	if got, _ := p.having(codes.CodeValueAssignmentQuery{}); got != "" {
		t.Errorf("it has %s", got)
	}
}
