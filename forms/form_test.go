package forms_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

// decode reads fields as a client sends them.
func decode(t testing.TB, body string) (f forms.FormFields) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

var (
	ann = `"` + guid("ann") + `"`
	bob = `"` + guid("bob") + `"`
)

// everything is every property that can be set.
var everything = `{
	"subject":"Crack","description":"In the wall","dueDate":"2026-02-01T00:00:00Z","status":"In Review",
	"assignee":{"id":` + ann + `,"displayName":"Ann"},
	"assignees":[{"id":` + ann + `,"displayName":"Ann"},{"id":` + bob + `,"displayName":"Masons","isRole":true}],
	"sourceEntity":{"modelElement":{"modelId":"m1","elementId":"0x20 0x21","changeSetId":"c1","modelName":"Tower"}},
	"boundingBox":{"lowerLeftPoint3D":{"x":0,"y":0,"z":0},"upperRightPoint3D":{"x":1.5,"y":2,"z":3}},
	"modelPin":{"location":{"x":1,"y":2,"z":3},"description":"here"},
	"modelView":{"cameraView":{"viewPoint":{"x":9,"y":9,"z":9},"direction":{"x":0,"y":1,"z":0},"up":{"x":0,"y":0,"z":1},"fieldOfView":45.5},"modelJsView":"view-1"},
	"modelEventDateTime":"2026-03-01T12:00:00Z",
	"location":{"latitude":60.17,"longitude":24.94,"elevation":12.5,"description":"yard"},
	"properties":{"text":"a","number":9007199254740993,"exact":1.50,"flag":true,"list":[1,"b",null],"object":{"deep":{"er":[{}]}}}
}`

// covers: Form data representation: rule _links to related entities, whose ids Go has
// covers: Form data representation: rule values of properties may be of any JSON type
// covers: Form data summary (F1, minimal)
// covers: Form data representation
func TestFormHasEveryDocumentedProperty(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition(func(n *forms.NewFormDefinition) { n.IDPrefix = "CRK" })
	res, err := o.CreateForm(o.as("creator"), forms.NewForm{FormID: d.ID, FormFields: decode(t, everything)})
	f := done(t, res, err)
	want := `{"id":"` + f.ID + `","formId":"` + d.ID + `","displayName":"Crack","type":"RFI","discipline":"Structure","number":"CRK-00001",
		"state":"Open","statusColor":"#fb8c00","createdBy":"Creator","createdDateTime":"2026-01-05T09:00:00Z",
		"lastModifiedBy":"Creator","lastModifiedDateTime":"2026-01-05T09:00:00Z",` +
		strings.Replace(everything[1:], `"displayName":"Ann"},{`, `"displayName":"Ann","isRole":false},{`, 1)
	sameJSON(t, want, res.Records[0].JSON)
	for _, verbatim := range []string{"9007199254740993", `"exact":1.50`} {
		if !strings.Contains(string(res.Records[0].JSON), verbatim) {
			t.Errorf("%s is not kept digit for digit", verbatim)
		}
	}
	rec, err := o.Form(o.as("viewer"), f.ID)
	if err != nil {
		t.Fatal(err)
	}
	if string(rec.JSON) != string(res.Records[0].JSON) || rec.ETag != res.Records[0].ETag || rec.ETag == "" {
		t.Errorf("read back %s %s", rec.ETag, rec.JSON)
	}
	if v := rec.Value; v.TwinID != tower || v.CreatedByID != guid("creator") || v.LastModifiedByID != guid("creator") {
		t.Errorf("in addition to the wire form: %+v", v)
	}
	page, err := o.FormSummaries(o.as("viewer"), forms.FormQuery{TwinID: tower})
	if err != nil || page.Len() != 1 {
		t.Fatalf("%d, %v", page.Len(), err)
	}
	sameJSON(t, `{"id":"`+f.ID+`","displayName":"Crack","type":"RFI","discipline":"Structure","state":"Open"}`, page.JSON()[0])
}

// covers: Form data representation: rule properties never set are omitted
func TestPropertiesNeverSetAreOmitted(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition(func(n *forms.NewFormDefinition) { n.Discipline = "" }).ID, decode(t, `{
		"subject":null,"description":null,"dueDate":null,"modelEventDateTime":null,"assignee":null,"assignees":null,"location":{},
		"boundingBox":null,"modelPin":{"description":null},"modelView":null,"sourceEntity":{},"properties":{"gone":null}}`))
	rec, err := o.Form(o.system(), f.ID)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, `{"id":"`+f.ID+`","formId":"`+f.FormID+`","displayName":"RFI-00001","type":"RFI","number":"RFI-00001","status":"Open","state":"Open",
		"statusColor":"#1e88e5","createdBy":"System","createdDateTime":"2026-01-05T09:00:00Z","lastModifiedBy":"System",
		"lastModifiedDateTime":"2026-01-05T09:00:00Z"}`, rec.JSON)
	page, err := o.FormSummaries(o.system(), forms.FormQuery{TwinID: tower})
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, `{"id":"`+f.ID+`","displayName":"RFI-00001","type":"RFI","discipline":"","state":"Open"}`, page.JSON()[0])
}

func TestPatchSetsWhatItSendsAndNullClears(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ patch, changed string }{
		"nothing":                     {`{}`, `{}`},
		"a text":                      {`{"subject":"New"}`, `{"subject":"New","displayName":"New"}`},
		"texts cleared":               {`{"subject":null,"description":null}`, `{"subject":null,"description":null,"displayName":"RFI-00001"}`},
		"dates cleared":               {`{"dueDate":null,"modelEventDateTime":null}`, `{"dueDate":null,"modelEventDateTime":null}`},
		"a date without a zone":       {`{"dueDate":"2026-04-01T10:00:00"}`, `{"dueDate":"2026-04-01T10:00:00Z"}`},
		"a part of an object":         {`{"location":{"latitude":10}}`, `{"location":{"latitude":10,"longitude":24.94,"elevation":12.5,"description":"yard"}}`},
		"a part cleared":              {`{"location":{"elevation":null}}`, `{"location":{"latitude":60.17,"longitude":24.94,"elevation":null,"description":"yard"}}`},
		"an object cleared":           {`{"location":null}`, `{"location":{"latitude":null,"longitude":null,"elevation":null,"description":null}}`},
		"a box cleared":               {`{"boundingBox":null}`, `{"boundingBox":{"lowerLeftPoint3D":null,"upperRightPoint3D":null}}`},
		"a corner moved":              {`{"boundingBox":{"upperRightPoint3D":{"x":5,"y":5,"z":5}}}`, `{"boundingBox":{"lowerLeftPoint3D":{"x":0,"y":0,"z":0},"upperRightPoint3D":{"x":5,"y":5,"z":5}}}`},
		"a pin cleared":               {`{"modelPin":null}`, `{"modelPin":{"location":null,"description":null}}`},
		"a pin moved":                 {`{"modelPin":{"location":{"x":7,"y":7,"z":7}}}`, `{"modelPin":{"location":{"x":7,"y":7,"z":7},"description":"here"}}`},
		"a view cleared":              {`{"modelView":null}`, `{"modelView":{"cameraView":null,"modelJsView":null}}`},
		"a camera replaced":           {`{"modelView":{"cameraView":{"viewPoint":{"x":1,"y":1,"z":1},"direction":{"x":1,"y":0,"z":0},"up":{"x":0,"y":0,"z":1},"viewToWorldScale":0.5}}}`, `{"modelView":{"cameraView":{"viewPoint":{"x":1,"y":1,"z":1},"direction":{"x":1,"y":0,"z":0},"up":{"x":0,"y":0,"z":1},"viewToWorldScale":0.5},"modelJsView":"view-1"}}`},
		"a source cleared":            {`{"sourceEntity":null}`, `{"sourceEntity":{"modelElement":null}}`},
		"another sort of source":      {`{"sourceEntity":{"storageFile":{"fileId":"f","folderId":"d","fileName":null}}}`, `{"sourceEntity":{"storageFile":{"fileId":"f","folderId":"d","fileName":null}}}`},
		"properties left alone":       {`{"properties":null}`, `{}`},
		"properties merged":           {`{"properties":{"text":null,"flag":false,"new":{"a":null}}}`, `{"properties":{"number":9007199254740993,"exact":1.50,"flag":false,"list":[1,"b",null],"object":{"deep":{"er":[{}]}},"new":{"a":null}}}`},
		"the status":                  {`{"status":"Closed"}`, `{"status":"Closed","state":"Closed","statusColor":"#546e7a"}`},
		"the initial status":          {`{"status":null}`, `{"status":"Open","state":"Open","statusColor":"#1e88e5"}`},
		"to draft":                    {`{"status":"Draft"}`, `{"status":"Draft","state":"Draft","statusColor":"#9e9e9e"}`},
		"the primary assignee":        {`{"assignee":{"id":"` + guid("carl") + `"}}`, `{"assignee":{"id":"` + guid("carl") + `","displayName":"` + guid("carl") + `"},"assignees":[{"id":"` + guid("carl") + `","displayName":"` + guid("carl") + `","isRole":false},{"id":` + bob + `,"displayName":"Masons","isRole":true}]}`},
		"no primary assignee":         {`{"assignee":null}`, `{"assignee":null,"assignees":[{"id":` + bob + `,"displayName":"Masons","isRole":true}]}`},
		"a role alone":                {`{"assignees":[{"id":` + bob + `,"displayName":"Masons","isRole":true}]}`, `{"assignee":null,"assignees":[{"id":` + bob + `,"displayName":"Masons","isRole":true}]}`},
		"no assignees":                {`{"assignees":[]}`, `{"assignee":null,"assignees":null}`},
		"assignees cleared":           {`{"assignees":null}`, `{"assignee":null,"assignees":null}`},
		"the first user succeeds":     {`{"assignees":[{"id":` + bob + `,"displayName":"Masons","isRole":true},{"id":"` + guid("carl") + `","displayName":"Carl"}]}`, `{"assignee":{"id":"` + guid("carl") + `","displayName":"Carl"},"assignees":[{"id":` + bob + `,"displayName":"Masons","isRole":true},{"id":"` + guid("carl") + `","displayName":"Carl","isRole":false}]}`},
		"an assignee is counted once": {`{"assignees":[{"id":"` + strings.ToUpper(guid("ann")) + `","displayName":"Ann"},{"id":` + ann + `,"displayName":"Ann"}]}`, `{"assignees":[{"id":` + ann + `,"displayName":"Ann","isRole":false}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := open(t)
			f := o.form(o.definition().ID, decode(t, everything))
			rec, err := o.Form(o.system(), f.ID)
			if err != nil {
				t.Fatal(err)
			}
			o.now.Add(60)
			res, err := o.UpdateForm(o.as("full"), f.ID, forms.FormPatch{FormFields: decode(t, test.patch)})
			done(t, res, err)
			var want, changed map[string]any
			for raw, into := range map[string]*map[string]any{string(rec.JSON): &want, test.changed: &changed} {
				if err := json.Unmarshal([]byte(raw), into); err != nil {
					t.Fatal(err)
				}
			}
			maps.Copy(want, changed)
			if len(changed) > 0 {
				want["lastModifiedBy"], want["lastModifiedDateTime"] = "Full", "2026-01-05T09:01:00Z"
			} else if rec.ETag != res.Records[0].ETag {
				t.Error("a patch that changes nothing makes another version")
			}
			raw, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			sameJSON(t, string(raw), res.Records[0].JSON)
			after, err := o.Form(o.system(), f.ID)
			if err != nil || string(after.JSON) != string(res.Records[0].JSON) {
				t.Errorf("stored %s, %v", after.JSON, err)
			}
		})
	}
}

// covers: Form data representation: rule one of viewToWorldScale and fieldOfView
func TestWrongPropertiesOfAFormAreReportedTogether(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("x", n) }
	many := make([]string, 51)
	for i := range many {
		many[i] = fmt.Sprintf(`{"id":"00000000-0000-4000-8000-%012d"}`, i)
	}
	point := `{"x":1,"y":2,"z":3}`
	for name, test := range map[string]struct {
		body string
		want []string
	}{
		"texts":            {`{"subject":"` + long(1001) + `","description":"` + long(32001) + `"}`, []string{"InvalidValue:subject", "InvalidValue:description"}},
		"no GUID":          {`{"assignee":{"id":"ann"},"assignees":[{"id":` + ann + `},{"id":"bob"},{}]}`, []string{"InvalidValue:assignee.id", "InvalidValue:assignees[1].id", "MissingRequiredProperty:assignees[2].id"}},
		"name":             {`{"assignee":{"id":` + ann + `,"displayName":"` + long(256) + `"}}`, []string{"InvalidValue:assignee.displayName"}},
		"51 assignees":     {`{"assignees":[` + strings.Join(many, ",") + `]}`, []string{"InvalidValue:assignees"}},
		"status":           {`{"status":"Lost"}`, []string{"InvalidValue:status"}},
		"location":         {`{"location":{"latitude":90.1,"longitude":-180.1}}`, []string{"InvalidValue:location.latitude", "InvalidValue:location.longitude"}},
		"half a box":       {`{"boundingBox":{"lowerLeftPoint3D":` + point + `}}`, []string{"MissingRequiredProperty:boundingBox.upperRightPoint3D"}},
		"the other half":   {`{"boundingBox":{"upperRightPoint3D":` + point + `}}`, []string{"MissingRequiredProperty:boundingBox.lowerLeftPoint3D"}},
		"empty camera":     {`{"modelView":{"cameraView":{}}}`, []string{"MissingRequiredProperty:modelView.cameraView.direction", "MissingRequiredProperty:modelView.cameraView.up", "MissingRequiredProperty:modelView.cameraView.viewPoint"}},
		"scale and angle":  {`{"modelView":{"cameraView":{"viewPoint":` + point + `,"direction":` + point + `,"up":` + point + `,"viewToWorldScale":1,"fieldOfView":45}}}`, []string{"InvalidValue:modelView.cameraView.fieldOfView"}},
		"file without id":  {`{"sourceEntity":{"storageFile":{}}}`, []string{"MissingRequiredProperty:sourceEntity.storageFile.fileId"}},
		"element":          {`{"sourceEntity":{"modelElement":{}}}`, []string{"MissingRequiredProperty:sourceEntity.modelElement.modelId", "MissingRequiredProperty:sourceEntity.modelElement.elementId"}},
		"two sources":      {`{"sourceEntity":{"storageFile":{"fileId":"f"},"modelElement":{"modelId":"m","elementId":"e"}}}`, []string{"InvalidValue:sourceEntity"}},
		"properties":       {`{"properties":{"a":"` + long(64<<10) + `"}}`, []string{"InvalidValue:properties"}},
		"unnamed property": {`{"properties":{"":1}}`, []string{"InvalidValue:properties"}},
		"several":          {`{"subject":"` + long(1001) + `","location":{"latitude":91},"sourceEntity":{"storageFile":{}},"assignee":{"id":"x"},"properties":{"":1}}`, []string{"InvalidValue:subject", "InvalidValue:assignee.id", "InvalidValue:properties", "InvalidValue:location.latitude", "MissingRequiredProperty:sourceEntity.storageFile.fileId"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := open(t)
			d := o.definition()
			fields := decode(t, test.body)
			_, err := o.CreateForm(o.as("full"), forms.NewForm{FormID: d.ID, FormFields: fields})
			fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", test.want...)
			f := o.form(d.ID)
			_, err = o.UpdateForm(o.as("full"), f.ID, forms.FormPatch{FormFields: fields})
			fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", test.want...)
		})
	}
}

func TestNumbersThatJSONCannotCarryAreRefused(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition()
	nan, inf := twinplatform.Set(math.NaN()), twinplatform.Set(math.Inf(1))
	bad := twinplatform.Set(forms.Point3D{X: math.NaN(), Z: math.Inf(-1)})
	_, err := o.CreateForm(o.system(), forms.NewForm{FormID: d.ID, FormFields: forms.FormFields{
		Location:   twinplatform.Set(forms.Location{Latitude: nan, Elevation: inf}),
		ModelPin:   twinplatform.Set(forms.ModelPin{Location: bad}),
		Properties: twinplatform.Set(forms.Properties{"n": math.NaN()}),
	}})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:properties", "InvalidValue:location.elevation",
		"InvalidValue:location.latitude", "InvalidValue:modelPin.location.x", "InvalidValue:modelPin.location.z")
	early, late := twinplatform.At(moment.AddDate(-3000, 0, 0)), twinplatform.At(moment.AddDate(9000, 0, 0))
	_, err = o.CreateForm(o.system(), forms.NewForm{FormID: d.ID, FormFields: forms.FormFields{DueDate: twinplatform.Set(early), ModelEventDateTime: twinplatform.Set(late)}})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:dueDate", "InvalidValue:modelEventDateTime")
	var p forms.Point3D
	for _, raw := range []string{`{}`, `{"x":1,"y":2}`, `{"x":1,"y":2,"z":null}`, `[1,2,3]`, `{"x":"1","y":2,"z":3}`} {
		if err := json.Unmarshal([]byte(raw), &p); err == nil {
			t.Errorf("%s is read as a point", raw)
		}
	}
}

// covers: Form data representation: limit latitude -90 to 90, longitude -180 to 180
func TestBoundsAreInclusive(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition()
	for _, body := range []string{
		`{"location":{"latitude":90,"longitude":180}}`, `{"location":{"latitude":-90,"longitude":-180}}`,
		`{"subject":"` + strings.Repeat("ä", 1000) + `","description":"` + strings.Repeat("ä", 32000) + `"}`,
		`{"properties":{"a":"` + strings.Repeat("x", 64<<10-8) + `"}}`,
	} {
		o.form(d.ID, decode(t, body))
	}
	f := o.form(d.ID, decode(t, `{"properties":{"a":"`+strings.Repeat("x", 60<<10)+`"}}`))
	_, err := o.UpdateForm(o.system(), f.ID, forms.FormPatch{FormFields: decode(t, `{"properties":{"b":"`+strings.Repeat("x", 5<<10)+`"}}`)})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:properties")
}

func TestNewFormIsAssignedToItsCreator(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition()
	res, err := o.CreateForm(o.as("creator"), forms.NewForm{FormID: d.ID})
	want := forms.Person{DisplayName: "Creator", ID: guid("creator")}
	f := done(t, res, err)
	if diff := cmp.Diff(want, f.Assignee.Or(forms.Person{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]forms.Assignee{{DisplayName: "Creator", ID: guid("creator")}}, f.Assignees.Or(nil)); diff != "" {
		t.Error(diff)
	}
	for _, body := range []string{`{"assignee":null}`, `{"assignees":[]}`} {
		res, err := o.CreateForm(o.as("creator"), forms.NewForm{FormID: d.ID, FormFields: decode(t, body)})
		if f := done(t, res, err); f.Assignee.Present() || f.Assignees.Present() {
			t.Errorf("%s: %+v", body, f.Assignee)
		}
	}
	p := twinplatform.Principal{ID: "no GUID", AccountID: "acme", AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"}}
	res, err = o.CreateForm(twinplatform.WithPrincipal(t.Context(), p), forms.NewForm{FormID: d.ID})
	if f := done(t, res, err); f.Assignee.Present() || f.CreatedBy != "no GUID" {
		t.Errorf("assigned to %+v, created by %q", f.Assignee, f.CreatedBy)
	}
}

// covers: Form data representation: rule type, discipline, number, state are read-only and follow from the definition
// covers: Form data representation: rule number is a prefix and a counter that never repeats
// covers: Form definition values: rule without idPrefix the prefix follows the type
func TestNumbersGrowByPrefixAndAreNeverUsedTwice(t *testing.T) {
	t.Parallel()
	o := open(t)
	number := func(d forms.FormDefinition) string { return o.form(d.ID).Number }
	rfi := o.definition(func(n *forms.NewFormDefinition) { n.ShareType = forms.ReadOnly })
	clash := o.definition(func(n *forms.NewFormDefinition) { n.Type = "Clash issue (2)" })
	prefixed := o.definition(func(n *forms.NewFormDefinition) { n.IDPrefix = "Q-7" })
	sharing := o.definition(func(n *forms.NewFormDefinition) { n.IDPrefix = "rfi" })
	nameless := o.definition(func(n *forms.NewFormDefinition) { n.Type = "Ääh" })
	foreign := o.definition(func(n *forms.NewFormDefinition) { n.Type = "日本" })
	for i, want := range []string{"RFI-00001", "Clashissue2-00001", "Q-7-00001", "rfi-00002", "h-00001", "Form-00001"} {
		if got := number([]forms.FormDefinition{rfi, clash, prefixed, sharing, nameless, foreign}[i]); got != want {
			t.Errorf("number %s, want %s", got, want)
		}
	}
	last := o.form(rfi.ID)
	if err := o.DeleteForm(o.system(), last.ID); err != nil {
		t.Fatal(err)
	}
	if got := number(rfi); got != "RFI-00004" {
		t.Errorf("after a deletion: %s", got)
	}
	res, err := o.CreateForm(o.system(), forms.NewForm{FormID: rfi.ID, TwinID: bridge})
	if got := done(t, res, err).Number; got != "RFI-00001" {
		t.Errorf("in another twin: %s", got)
	}
	patched, err := o.UpdateFormDefinition(o.system(), rfi.ID, forms.FormDefinitionPatch{IDPrefix: twinplatform.Set("NEW"), Status: twinplatform.Set(forms.Maintenance)})
	done(t, patched, err)
	patched, err = o.UpdateFormDefinition(o.system(), rfi.ID, forms.FormDefinitionPatch{Status: twinplatform.Set(forms.Approved)})
	done(t, patched, err)
	if got := number(rfi); got != "NEW-00001" {
		t.Errorf("with another prefix: %s", got)
	}
}

func TestConcurrentFormsHaveDifferentNumbers(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition()
	const n = 100
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := make(map[string]bool)
	for range n {
		wg.Go(func() {
			res, err := o.CreateForm(t.Context(), forms.NewForm{FormID: d.ID})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			seen[res.Value().Number] = true
		})
	}
	wg.Wait()
	if len(seen) != n || !seen["RFI-00001"] || !seen["RFI-00100"] {
		t.Errorf("%d numbers for %d forms", len(seen), n)
	}
}

// covers: States of forms
func TestStateFollowsFromTheStatusByTheWorkflow(t *testing.T) {
	t.Parallel()
	o := open(t)
	for status, state := range map[string]forms.State{
		"Draft": "Draft", "Open": "Open", "In Progress": "Open", "In Review": "Open", "Approved": "Closed", "Rejected": "Closed", "Closed": "Closed",
	} {
		f := o.form(o.definition().ID, forms.FormFields{Status: twinplatform.Set(status)})
		if f.Status != status || f.State != state || len(f.StatusColor) != 7 || f.StatusColor[0] != '#' {
			t.Errorf("%s: %s %s %s", status, f.Status, f.State, f.StatusColor)
		}
	}
}

func TestTypesMayHaveTheirOwnWorkflows(t *testing.T) {
	t.Parallel()
	svc := openWith(t, forms.Config{Workflows: map[string]forms.Workflow{
		"":     {Initial: "New", Statuses: []forms.WorkflowStatus{{Name: "New", State: forms.StateOpen}}},
		"Task": {Initial: "To do", Statuses: []forms.WorkflowStatus{{Name: "To do", State: forms.StateDraft}, {Name: "Done", State: forms.StateClosed, Color: "#00ff00"}}},
	}})
	for kind, want := range map[string]string{"RFI": "New Open", "Task": "To do Draft"} {
		res, err := svc.CreateFormDefinition(t.Context(), forms.NewFormDefinition{TwinID: tower, DisplayName: kind, Type: kind, Status: forms.Approved})
		made, err := svc.CreateForm(t.Context(), forms.NewForm{FormID: done(t, res, err).ID})
		f := done(t, made, err)
		if got := f.Status + " " + string(f.State); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
		if strings.Contains(string(made.Records[0].JSON), "statusColor") {
			t.Errorf("a color that the status does not have: %s", made.Records[0].JSON)
		}
		_, err = svc.UpdateForm(t.Context(), f.ID, forms.FormPatch{FormFields: forms.FormFields{Status: twinplatform.Set("Closed")}})
		fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:status")
	}
}

func TestFormIsDeletedWithAllThatItHas(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	res, err := o.CreateComment(o.system(), f.ID, forms.NewComment{Text: "Why?"})
	done(t, res, err)
	if err := o.DeleteForm(o.as("deleter"), f.ID); err != nil {
		t.Fatal(err)
	}
	_, err = o.Form(o.system(), f.ID)
	fails(t, err, twinplatform.NotFound, "FormDataNotFound", "id")
	fails(t, o.DeleteForm(o.as("deleter"), f.ID), twinplatform.NotFound, "FormDataNotFound", "id")
	page, err := o.FormSummaries(o.system(), forms.FormQuery{TwinID: tower})
	if err != nil || page.Len() != 0 {
		t.Errorf("%d forms are left, %v", page.Len(), err)
	}
}

func TestPatchHoldsToIfMatch(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	rec, err := o.Form(o.system(), f.ID)
	if err != nil {
		t.Fatal(err)
	}
	p := forms.FormPatch{FormFields: forms.FormFields{Subject: twinplatform.Set("one")}}
	res, err := o.UpdateForm(o.system(), f.ID, p, twinplatform.IfMatch(rec.ETag))
	done(t, res, err)
	p.Subject = twinplatform.Set("two")
	_, err = o.UpdateForm(o.system(), f.ID, p, twinplatform.IfMatch(rec.ETag))
	fails(t, err, twinplatform.Conflict, "VersionMismatch", twinplatform.TargetIfMatch)
}
