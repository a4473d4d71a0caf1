package schedules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/units"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var noResource = refusal{kind: twinplatform.NotFound, code: "ResourceNotFound", target: "resourceId"}

// resources makes Human resources from lines such as "crew" or "digger crew",
// where the second word is the parent.
func (p *plan) resources(lines ...string) {
	p.Helper()
	batch := make([]schedules.NewResource, len(lines))
	for i, line := range lines {
		id, parent, _ := strings.Cut(line, " ")
		batch[i] = schedules.NewResource{ID: id, Name: id, Type: schedules.HumanResource, ParentID: parent}
	}
	for chunk := range slices.Chunk(batch, schedules.MaxBatch) {
		if _, err := p.in().CreateResources(p.ctx, chunk); err != nil {
			p.Fatal(err)
		}
	}
}

func (p *plan) resource(n schedules.NewResource) schedules.Resource {
	p.Helper()
	res, err := p.in().CreateResource(p.ctx, n)
	if err != nil {
		p.Fatal(err)
	}
	rec, err := p.in().Resource(p.ctx, res.Value().ID)
	if err != nil {
		p.Fatal(err)
	}
	same(p, rec, res.Records[0])
	return rec.Value
}

// same fails the test when what a write returned is not what is stored.
func same[T any](t testing.TB, stored, returned twinplatform.Record[T]) {
	t.Helper()
	if string(stored.JSON) != string(returned.JSON) || stored.ETag != returned.ETag {
		t.Fatalf("what was written is not what is stored:\nreturned %s %s\nstored   %s %s", returned.ETag, returned.JSON, stored.ETag, stored.JSON)
	}
	if diff := cmp.Diff(stored.Value, returned.Value); diff != "" {
		t.Fatalf("what was written is not what is stored (-stored +returned):\n%s", diff)
	}
}

func (p *plan) patchResource(id string, patch schedules.ResourcePatch, pre ...twinplatform.Precondition) schedules.Resource {
	p.Helper()
	res, err := p.in().UpdateResource(p.ctx, id, patch, pre...)
	if err != nil {
		p.Fatal(err)
	}
	return res.Value()
}

func (p *plan) deleteResources(ids ...string) twinplatform.Operation {
	p.Helper()
	res, err := p.in().DeleteResources(p.ctx, ids)
	if err != nil {
		p.Fatal(err)
	}
	return res.Operation
}

func (p *plan) allResources(o twinplatform.ListOptions) (resources []schedules.Resource, delta string) {
	p.Helper()
	return readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Resource], error) {
		return p.in().Resources(p.ctx, schedules.ResourceQuery{ListOptions: o})
	})
}

// idList is what a list has of its records: their ids, with a minus before those that are
// deleted.
func idList[T any](records []T, of func(T) (id string, deleted bool)) string {
	var out []string
	for _, r := range records {
		id, deleted := of(r)
		if deleted {
			id = "-" + id
		}
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

func resourceListed(r schedules.Resource) (string, bool) { return r.ID, r.Deleted }

func expect(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func TestResourceKeepsEverythingItIsGiven(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("yard")
		p.calendar(working("calendar", "08:00-16:00"))
		got := p.resource(schedules.NewResource{
			ID: "sand", Name: "Sand", Type: schedules.MaterialResource, Description: "washed", ParentID: "yard",
			CalendarID: "calendar", RuleID: "rule", LeadTime: 86_400, Renewable: new(true), UnitType: units.MetricTon,
			WholeUnits: new(true), URL: "https://sand.example", UserDefinedID: "S-1",
		})
		want := schedules.Resource{
			ID: "sand", Name: "Sand", Type: schedules.MaterialResource, Description: "washed", ParentID: "yard",
			CalendarID: "calendar", RuleID: "rule", LeadTime: 86_400, Renewable: true, UnitType: units.MetricTon,
			WholeUnits: true, URL: "https://sand.example", UserDefinedID: "S-1",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			p.Error(diff)
		}
	})
}

// covers: Rules of resources: rule calendarId, parentId, ruleId, url, userDefinedId are null when not set
// covers: Resource (S17, S20)
func TestResourceOnTheWire(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resource(schedules.NewResource{ID: "ann", Name: "Ann", Type: schedules.HumanResource, Email: "ann@example.com"})
	rec, err := p.in().Resource(p.ctx, "ann")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "wire form", string(rec.JSON), `{"calendarId":null,"deleted":false,"description":"","email":"ann@example.com","id":"ann",`+
		`"leadTime":0,"name":"Ann","parentId":null,"renewable":true,"ruleId":null,"type":"Human","unitType":"Unknown","url":null,`+
		`"userDefinedId":null,"wholeUnits":true}`)
}

// covers: Rules of resources: rule renewable and wholeUnits are Booleans
// covers: Resource types
func TestResourceTypeDecidesWhatIsUsual(t *testing.T) {
	t.Parallel()
	tests := []struct {
		resourceType          schedules.ResourceType
		renewable, wholeUnits bool
	}{
		{schedules.MaterialResource, false, false},
		{schedules.LocationResource, true, false},
		{schedules.EquipmentResource, true, true},
		{schedules.HumanResource, true, true},
		{schedules.UnknownResourceType, true, false},
	}
	p := inMemory(t)
	for _, tt := range tests {
		r := p.resource(schedules.NewResource{Name: "r", Type: tt.resourceType})
		if r.Renewable != tt.renewable || r.WholeUnits != tt.wholeUnits || r.UnitType != units.Unknown {
			t.Errorf("%s: renewable %v, whole units %v, unit %s", tt.resourceType, r.Renewable, r.WholeUnits, r.UnitType)
		}
		r = p.resource(schedules.NewResource{Name: "r", Type: tt.resourceType, Renewable: new(!tt.renewable), WholeUnits: new(!tt.wholeUnits)})
		if r.Renewable == tt.renewable || r.WholeUnits == tt.wholeUnits {
			t.Errorf("%s: what was asked for is not what it is", tt.resourceType)
		}
		back := p.patchResource(r.ID, schedules.ResourcePatch{Renewable: twinplatform.Null[bool](), WholeUnits: twinplatform.Null[bool]()})
		if back.Renewable != tt.renewable || back.WholeUnits != tt.wholeUnits {
			t.Errorf("%s: null does not bring back what is usual", tt.resourceType)
		}
	}
}

// covers: Rules of resources: rule a unit is for material and locations alone
// covers: Resource unit types
func TestEveryUnitIsForMaterialAndLocationAlone(t *testing.T) {
	t.Parallel()
	names := strings.Fields(`CubicFeet CubicMeter Liter Millimeter Meter Feet Each Pair Dozen Gross SqFoot SqYard SqMeter Pound Gram Kilo
		Bag Box Bucket Bundle Card Carton Coil Pack Pegs Length Outer Pallet Roll Sachet Set Sheet Ton Person Item CubicYard MetricTon Hour
		LinearMeter Unknown`)
	p := inMemory(t)
	for _, unit := range names {
		u := units.ResourceUnitType(unit)
		for _, measured := range []schedules.ResourceType{schedules.MaterialResource, schedules.LocationResource} {
			if r := p.resource(schedules.NewResource{Name: "r", Type: measured, UnitType: u}); r.UnitType != u {
				t.Errorf("%s in %s has the unit %s", measured, u, r.UnitType)
			}
		}
		for _, other := range []schedules.ResourceType{schedules.EquipmentResource, schedules.HumanResource, schedules.UnknownResourceType} {
			_, err := p.in().CreateResource(p.ctx, schedules.NewResource{Name: "r", Type: other, UnitType: u})
			if unit == "Unknown" {
				if err != nil {
					t.Errorf("%s with the unit Unknown: %v", other, err)
				}
				continue
			}
			invalid("InvalidValue unitType").check(t, err)
		}
	}
}

// covers: Rules of resources
func TestResourceThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("there")
	long := strings.Repeat("x", schedules.MaxText+1)
	tests := []struct {
		name string
		ask  schedules.NewResource
		want refusal
	}{
		{"nothing given", schedules.NewResource{}, invalid("MissingRequiredProperty name", "MissingRequiredProperty type")},
		{"blank name", schedules.NewResource{Name: " ", Type: schedules.HumanResource}, invalid("MissingRequiredProperty name")},
		{"no such type", schedules.NewResource{Name: "r", Type: "human"}, invalid("InvalidValue type")},
		{"no such unit", schedules.NewResource{Name: "r", Type: schedules.MaterialResource, UnitType: "Stone"}, invalid("InvalidValue unitType")},
		{"email of a machine", schedules.NewResource{Name: "r", Type: schedules.EquipmentResource, Email: "a@example.com"}, invalid("InvalidValue email").saying("Human")},
		{"email without a place", schedules.NewResource{Name: "r", Type: schedules.HumanResource, Email: "ann"}, invalid("InvalidValue email")},
		{"email with a name", schedules.NewResource{Name: "r", Type: schedules.HumanResource, Email: "Ann <ann@example.com>"}, invalid("InvalidValue email")},
		{"email too long", schedules.NewResource{Name: "r", Type: schedules.HumanResource, Email: strings.Repeat("a", 250) + "@example.com"}, invalid("InvalidValue email")},
		{"negative lead time", schedules.NewResource{Name: "r", Type: schedules.HumanResource, LeadTime: -1}, invalid("InvalidValue leadTime")},
		{"parent missing", schedules.NewResource{Name: "r", Type: schedules.HumanResource, ParentID: "nobody"}, invalid("InvalidValue parentId").saying("nobody")},
		{"its own parent", schedules.NewResource{ID: "r", Name: "r", Type: schedules.HumanResource, ParentID: "r"}, invalid("InvalidValue parentId")},
		{"id with a slash", schedules.NewResource{ID: "a/b", Name: "r", Type: schedules.HumanResource}, invalid("InvalidValue id")},
		{"id too long", schedules.NewResource{ID: strings.Repeat("x", schedules.MaxID+1), Name: "r", Type: schedules.HumanResource}, invalid("InvalidValue id")},
		{"id taken", schedules.NewResource{ID: "there", Name: "r", Type: schedules.HumanResource}, idTaken},
		{
			"all texts too long",
			schedules.NewResource{Name: long, Type: schedules.HumanResource, Description: long, CalendarID: long, RuleID: long, URL: long, UserDefinedID: long},
			invalid("InvalidValue name", "InvalidValue description", "InvalidValue calendarId", "InvalidValue ruleId", "InvalidValue url", "InvalidValue userDefinedId"),
		},
	}
	//nolint:paralleltest // what follows the loop looks at what it has left
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := p.in().CreateResource(p.ctx, tt.ask)
			tt.want.check(t, err)
		})
	}
	if all, _ := p.allResources(twinplatform.ListOptions{}); len(all) != 1 {
		t.Errorf("%d resources are left by refused requests, want the one of before", len(all))
	}
}

func TestBatchOfResourcesIsMadeWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("site")
		res, err := p.in().CreateResources(p.ctx, []schedules.NewResource{
			{ID: "digger", Name: "Digger", Type: schedules.EquipmentResource, ParentID: "crew"},
			{ID: "crew", Name: "Crew", Type: schedules.HumanResource, ParentID: "site"},
			{Name: "Sand", Type: schedules.MaterialResource},
		})
		if err != nil {
			p.Fatal(err)
		}
		var names []string
		for _, r := range res.Values() {
			names = append(names, r.Name)
		}
		expect(p, "order of the answer", strings.Join(names, " "), "Digger Crew Sand")
		if res.Operation.ID != "" {
			p.Error("a batch that is done at once leaves an operation")
		}

		human := func(id, parent string) schedules.NewResource {
			return schedules.NewResource{ID: id, Name: id, Type: schedules.HumanResource, ParentID: parent}
		}
		tests := []struct {
			name  string
			batch []schedules.NewResource
			want  refusal
		}{
			{"empty", nil, invalid("MissingRequiredProperty batch")},
			{"too many", make([]schedules.NewResource, schedules.MaxBatch+1), invalid("InvalidValue batch")},
			{"one of them wrong", []schedules.NewResource{human("a", ""), {ID: "b"}}, invalid("MissingRequiredProperty batch[1].name", "MissingRequiredProperty batch[1].type")},
			{"parent missing", []schedules.NewResource{human("a", ""), human("b", "nobody")}, invalid("InvalidValue batch[1].parentId")},
			{"circle", []schedules.NewResource{human("a", "b"), human("b", "c"), human("c", "a")}, invalid("InvalidValue batch[2].parentId")},
			{"own parent", []schedules.NewResource{human("a", "a")}, invalid("InvalidValue batch[0].parentId")},
			{"id twice", []schedules.NewResource{human("a", ""), human("a", "")}, idTaken},
			{"id taken", []schedules.NewResource{human("a", ""), human("crew", "")}, idTaken},
		}
		for _, tt := range tests {
			_, err := p.in().CreateResources(p.ctx, tt.batch)
			tt.want.check(p, err)
		}
		if all, _ := p.allResources(twinplatform.ListOptions{}); len(all) != 4 {
			p.Errorf("%d resources, want 4", len(all))
		}
	})
}

func TestPatchChangesWhatItNamesAlone(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("yard", "depot")
	p.calendar(working("c", "08:00-16:00"))
	was := p.resource(schedules.NewResource{
		ID: "sand", Name: "Sand", Type: schedules.MaterialResource, ParentID: "yard", UnitType: units.Ton, Description: "d", CalendarID: "c", RuleID: "r",
		URL: "u", UserDefinedID: "i", LeadTime: 60,
	})
	want := was
	want.Name, want.LeadTime, want.ParentID, want.UnitType = "Gravel", 90, "depot", units.Kilo
	got := p.patchResource("sand", schedules.ResourcePatch{
		Name: twinplatform.Set("Gravel"), LeadTime: twinplatform.Set[int32](90), ParentID: twinplatform.Set("depot"), UnitType: twinplatform.Set(units.Kilo),
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	none := twinplatform.Null[string]()
	got = p.patchResource("sand", schedules.ResourcePatch{
		Description: none, ParentID: none, CalendarID: none, RuleID: none, URL: none, UserDefinedID: none,
		LeadTime: twinplatform.Null[int32](), UnitType: twinplatform.Null[units.ResourceUnitType](),
	})
	if diff := cmp.Diff(schedules.Resource{ID: "sand", Name: "Gravel", Type: schedules.MaterialResource, UnitType: units.Unknown}, got); diff != "" {
		t.Errorf("null does not clear: %s", diff)
	}
}

func TestNewTypeClearsWhatItDoesNotHave(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resource(schedules.NewResource{ID: "r", Name: "r", Type: schedules.HumanResource, Email: "r@example.com"})
	r := p.patchResource("r", schedules.ResourcePatch{Type: twinplatform.Set(schedules.MaterialResource), UnitType: twinplatform.Set(units.Bag)})
	if r.Email != "" || r.UnitType != units.Bag {
		t.Errorf("material has email %q and unit %s", r.Email, r.UnitType)
	}
	if r = p.patchResource("r", schedules.ResourcePatch{Type: twinplatform.Set(schedules.EquipmentResource)}); r.UnitType != units.Unknown {
		t.Errorf("equipment has the unit %s", r.UnitType)
	}
}

func TestPatchThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("top", "middle top", "low middle")
	p.resource(schedules.NewResource{ID: "sand", Name: "Sand", Type: schedules.MaterialResource})
	long := twinplatform.Set(strings.Repeat("x", schedules.MaxText+1))
	tests := []struct {
		name, id string
		patch    schedules.ResourcePatch
		want     refusal
	}{
		{"no name", "top", schedules.ResourcePatch{Name: twinplatform.Null[string]()}, invalid("MissingRequiredProperty name")},
		{"type cleared", "top", schedules.ResourcePatch{Type: twinplatform.Null[schedules.ResourceType]()}, invalid("InvalidValue type")},
		{"email of sand", "sand", schedules.ResourcePatch{Email: twinplatform.Set("s@example.com")}, invalid("InvalidValue email")},
		{"no email", "top", schedules.ResourcePatch{Email: twinplatform.Set("@")}, invalid("InvalidValue email")},
		{"unit of a human", "top", schedules.ResourcePatch{UnitType: twinplatform.Set(units.Bag)}, invalid("InvalidValue unitType")},
		{"no such unit", "sand", schedules.ResourcePatch{UnitType: twinplatform.Set[units.ResourceUnitType]("x")}, invalid("InvalidValue unitType")},
		{"negative lead time", "top", schedules.ResourcePatch{LeadTime: twinplatform.Set[int32](-1)}, invalid("InvalidValue leadTime")},
		{"below its own child", "top", schedules.ResourcePatch{ParentID: twinplatform.Set("low")}, invalid("InvalidValue parentId")},
		{"below itself", "top", schedules.ResourcePatch{ParentID: twinplatform.Set("top")}, invalid("InvalidValue parentId")},
		{"parent missing", "top", schedules.ResourcePatch{ParentID: twinplatform.Set("nobody")}, invalid("InvalidValue parentId")},
		{"two things wrong", "sand", schedules.ResourcePatch{Email: twinplatform.Set("s@example.com"), ParentID: twinplatform.Set("nobody")}, invalid("InvalidValue email", "InvalidValue parentId")},
		{
			"texts too long", "top",
			schedules.ResourcePatch{Name: long, Description: long, CalendarID: long, RuleID: long, URL: long, UserDefinedID: long},
			invalid("InvalidValue name", "InvalidValue description", "InvalidValue calendarId", "InvalidValue ruleId", "InvalidValue url", "InvalidValue userDefinedId"),
		},
		{"missing", "nobody", schedules.ResourcePatch{}, noResource},
	}
	before, _ := p.allResources(twinplatform.ListOptions{})
	//nolint:paralleltest // what follows the loop looks at what it has left
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := p.in().UpdateResource(p.ctx, tt.id, tt.patch)
			tt.want.check(t, err)
		})
	}
	_, err := p.in().UpdateResource(p.ctx, "top", schedules.ResourcePatch{}, twinplatform.IfMatch(`"1"`))
	otherVersion.check(t, err)
	after, _ := p.allResources(twinplatform.ListOptions{})
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("a refused patch has changed something: %s", diff)
	}
}

func TestDeletedResourceTakesAllBelowItAlong(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("top", "left top", "right top", "leaf left", "other")
		_, delta := p.allResources(twinplatform.ListOptions{})
		op := p.deleteResources("top", "leaf")
		if op.Status != twinplatform.OperationSucceeded || !slices.Equal(op.Subjects, []string{"top", "leaf"}) {
			p.Errorf("operation is %s about %v", op.Status, op.Subjects)
		}
		all, _ := p.allResources(twinplatform.ListOptions{})
		expect(p, "left", idList(all, resourceListed), "other")
		changes, _ := p.allResources(twinplatform.ListOptions{Delta: delta})
		expect(p, "delta", idList(changes, resourceListed), "-leaf -left -right -top")
	})
}

func TestDeletingManyResourcesGoesInSteps(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		// A deep chain and a broad family, more than two steps together.
		lines := []string{"root"}
		for i := range 1_200 {
			parent := "root"
			if i > 0 {
				parent = fmt.Sprintf("deep-%04d", i-1)
			}
			lines = append(lines, fmt.Sprintf("deep-%04d %s", i, parent), fmt.Sprintf("broad-%04d root", i))
		}
		p.resources(append(lines, "stays")...)
		if op := p.deleteResources("root"); op.Status != twinplatform.OperationSucceeded || op.PercentComplete != 100 {
			p.Errorf("operation is %s at %d percent", op.Status, op.PercentComplete)
		}
		all, _ := p.allResources(twinplatform.ListOptions{})
		expect(p, "left", idList(all, resourceListed), "stays")
	})
}

// A transaction takes no more than so many bytes.
func TestResourcesWithLongTextsAreDeletedTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	p := inMemory(t)
	p.field("f", userfields.ResourceField, userfields.StringField)
	long := strings.Repeat("😀", schedules.MaxText)
	var ids []string
	for i := range 250 {
		id := fmt.Sprintf("r-%03d", i)
		p.resource(schedules.NewResource{ID: id, Name: long, Type: schedules.HumanResource, Description: long, URL: long, UserDefinedID: fmt.Sprintf("%03d", i) + long[:len(long)-12]})
		p.value(userfields.ResourceField, userfields.NewUserFieldValue{ResourceID: id, UserFieldID: "f", StringValue: &long})
		p.group(schedules.NewResourceGroup{ID: "g-" + id, Description: long, ForemanResourceID: id})
		p.join("g-"+id, id)
		ids = append(ids, id)
	}
	if op := p.deleteResources(ids...); op.Status != twinplatform.OperationSucceeded {
		t.Errorf("operation is %s: %v", op.Status, op.Failure)
	}
	if all, _ := p.allResources(twinplatform.ListOptions{}); len(all) != 0 {
		t.Errorf("%d resources are left", len(all))
	}
}

func TestDeletionOfResourcesIsRefusedWhole(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("a")
	//nolint:paralleltest // what follows the loop looks at what it has left
	for name, tt := range map[string]struct {
		ids  []string
		want refusal
	}{
		"none given": {nil, invalid("MissingRequiredProperty resourceIds")},
		"too many":   {make([]string, schedules.MaxBatch+1), invalid("InvalidValue resourceIds")},
		"one missing": {
			[]string{"a", "nobody"},
			refusal{kind: twinplatform.NotFound, code: "ResourceNotFound", target: "resourceIds", says: "nobody"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.in().DeleteResources(p.ctx, tt.ids)
			tt.want.check(t, err)
		})
	}
	if all, _ := p.allResources(twinplatform.ListOptions{}); len(all) != 1 {
		t.Error("a refused deletion has deleted")
	}
}

// covers: operations resources.get
func TestResourceIsReadAgainOnlyWhenItChanged(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("a", "b", "c")
		first, err := p.in().Resource(p.ctx, "a")
		if err != nil {
			p.Fatal(err)
		}
		p.patchResource("b", schedules.ResourcePatch{Name: twinplatform.Set("B")})
		p.patchResource("a", schedules.ResourcePatch{}, twinplatform.IfMatch(first.ETag)) // changes nothing
		again, err := p.in().Resource(p.ctx, "a")
		if err != nil || again.ETag != first.ETag {
			p.Errorf("the version has become %s from %s (%v)", again.ETag, first.ETag, err)
		}
		page, err := p.in().Resources(p.ctx, schedules.ResourceQuery{ListOptions: twinplatform.ListOptions{Top: 2}})
		if err != nil || page.Len() != 2 || page.Next == "" || page.Delta != "" {
			p.Fatalf("first page has %d of 3 (%v)", page.Len(), err)
		}
		same, err := p.in().Resources(p.ctx, schedules.ResourceQuery{ListOptions: twinplatform.ListOptions{Top: 2, IfNoneMatch: page.ETag}})
		if err != nil || !same.NotModified {
			p.Errorf("an unchanged list counts as changed (%v)", err)
		}
	})
}

// covers: Errors: error ResourceNotFound
func TestResourcesAreForThoseWhoMayAlone(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("a")
	stranger := twinplatform.WithPrincipal(p.ctx, twinplatform.Principal{ID: "x", AccountID: "elsewhere"})
	_, err := p.in().Resource(stranger, "a")
	noResource.check(t, err)
	_, err = p.in().Resources(stranger, schedules.ResourceQuery{})
	noSchedule.check(t, err)
	_, err = p.in().CreateResource(stranger, schedules.NewResource{Name: "r", Type: schedules.HumanResource})
	noSchedule.check(t, err)
	_, err = p.svc.In("nowhere").Resource(p.ctx, "a")
	noResource.check(t, err)
	_, err = p.in().Resource(p.ctx, "nobody")
	noResource.check(t, err)
}

func TestProcessingScheduleTakesNoResources(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("a")
	if err := p.svc.SetState(p.ctx, p.id, schedules.Processing); err != nil {
		t.Fatal(err)
	}
	_, err := p.in().CreateResource(p.ctx, schedules.NewResource{Name: "r", Type: schedules.HumanResource})
	processing.check(t, err)
	_, err = p.in().CreateResources(p.ctx, []schedules.NewResource{{Name: "r", Type: schedules.HumanResource}})
	processing.check(t, err)
	_, err = p.in().UpdateResource(p.ctx, "a", schedules.ResourcePatch{})
	processing.check(t, err)
	_, err = p.in().DeleteResources(p.ctx, []string{"a"})
	processing.check(t, err)
	if _, err := p.in().Resource(p.ctx, "a"); err != nil {
		t.Errorf("reading while processing: %v", err)
	}
}

func TestResourcesInBackgroundAreMadeByRun(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Background: true}})
	p.background()
	res, err := p.in().CreateResource(p.ctx, schedules.NewResource{ID: "a", Name: "A", Type: schedules.HumanResource, Renewable: new(false), Email: "a@example.com"})
	if err != nil || len(res.Records) != 0 || res.Operation.ID == "" || !slices.Equal(res.Subjects, []string{"a"}) {
		t.Fatalf("accepted as %+v (%v)", res, err)
	}
	p.await(res.Operation)
	got, err := p.in().Resource(p.ctx, "a")
	if err != nil || got.Value.Renewable || got.Value.Email != "a@example.com" {
		t.Fatalf("made %+v (%v)", got.Value, err)
	}
	updated, err := p.in().UpdateResource(p.ctx, "a", schedules.ResourcePatch{Email: twinplatform.Null[string](), LeadTime: twinplatform.Set[int32](5)}, twinplatform.IfMatch(got.ETag))
	if err != nil {
		t.Fatal(err)
	}
	p.await(updated.Operation)
	if got, err = p.in().Resource(p.ctx, "a"); err != nil || got.Value.LeadTime != 5 || got.Value.Email != "" {
		t.Fatalf("became %+v (%v)", got.Value, err)
	}
	p.await(p.deleteResources("a"))
	_, err = p.in().Resource(p.ctx, "a")
	noResource.check(t, err)
	_, err = p.in().CreateResource(p.ctx, schedules.NewResource{Name: "r", Type: schedules.HumanResource, ParentID: "a"})
	invalid("InvalidValue parentId").check(t, err)
}

// background works operations off until the test ends.
func (p *plan) background() {
	done := make(chan error, 1)
	ctx := p.ctx
	go func() { done <- p.svc.Run(ctx) }()
	p.Cleanup(func() {
		if err := <-done; err != nil {
			p.Error(err)
		}
	})
}

// await waits for an operation to succeed.
func (p *plan) await(op twinplatform.Operation) {
	p.Helper()
	op, err := p.in().Wait(p.ctx, op.ID)
	if err != nil || op.Status != twinplatform.OperationSucceeded {
		p.Fatalf("operation has come to %s: %v, %v", op.Status, op.Failure, err)
	}
}
