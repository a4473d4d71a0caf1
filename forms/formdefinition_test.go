package forms_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

// covers: Form definition summary (D1)
func TestDefinitionHasItsDocumentedForm(t *testing.T) {
	t.Parallel()
	o := open(t)
	res, err := o.CreateFormDefinition(o.as("definer"), forms.NewFormDefinition{
		TwinID: strings.ToUpper(tower), DisplayName: "Request", Type: "RFI", Discipline: "Structure",
		ShareType: forms.ReadOnly, IDPrefix: "R", Status: forms.Maintenance,
	})
	d := done(t, res, err)
	sameJSON(t, `{"id":"`+d.ID+`","displayName":"Request","type":"RFI","status":"Maintenance","shareType":"ReadOnly","idPrefix":"R",
		"errorStatus":"None","_links":{"design":{"href":"https://designer.example.com/`+d.ID+`"}}}`, res.Records[0].JSON)

	rec, err := o.FormDefinition(o.as("viewer"), d.ID)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, `{"id":"`+d.ID+`","displayName":"Request","type":"RFI","status":"Maintenance","shareType":"ReadOnly","idPrefix":"R","errorStatus":"None"}`, rec.JSON)
	if rec.Value.Discipline != "Structure" || rec.Value.TwinID != tower || rec.Value.AccountID != "acme" {
		t.Errorf("stored in addition to the wire form: %+v", rec.Value)
	}
}

func TestNewDefinitionIsADraftThatIsNotShared(t *testing.T) {
	t.Parallel()
	o := open(t)
	res, err := o.CreateFormDefinition(o.system(), forms.NewFormDefinition{TwinID: tower, DisplayName: "Request", Type: "RFI"})
	d := done(t, res, err)
	sameJSON(t, `{"id":"`+d.ID+`","displayName":"Request","type":"RFI","status":"Draft","shareType":null,"idPrefix":null,
		"errorStatus":"None","_links":{"design":{"href":"https://designer.example.com/`+d.ID+`"}}}`, res.Records[0].JSON)
}

func TestNewDefinitionReportsAllViolations(t *testing.T) {
	t.Parallel()
	o := open(t)
	for name, test := range map[string]struct {
		n    forms.NewFormDefinition
		want []string
	}{
		"empty": {forms.NewFormDefinition{}, []string{"MissingRequiredProperty:twinId", "MissingRequiredProperty:displayName", "MissingRequiredProperty:type"}},
		"all out of bounds": {
			forms.NewFormDefinition{
				TwinID: "tower", DisplayName: strings.Repeat("n", 256), Type: strings.Repeat("t", 256), Discipline: strings.Repeat("d", 256),
				IDPrefix: twinplatform.NullString(strings.Repeat("p", 26)), Status: "Open", ShareType: "Everywhere",
			},
			[]string{
				"InvalidValue:twinId", "InvalidValue:displayName", "InvalidValue:type", "InvalidValue:discipline",
				"InvalidValue:idPrefix", "InvalidValue:status", "InvalidValue:shareType",
			},
		},
		"control character in the prefix": {forms.NewFormDefinition{TwinID: tower, DisplayName: "n", Type: "t", IDPrefix: "a\nb"}, []string{"InvalidValue:idPrefix"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := o.CreateFormDefinition(o.system(), test.n)
			fails(t, err, twinplatform.Unprocessable, "InvalidFormDefRequest", "", test.want...)
		})
	}
	o.definition(func(n *forms.NewFormDefinition) { n.IDPrefix = twinplatform.NullString(strings.Repeat("ä", 25)) })
}

func TestDefinitionIsMadeByThoseWhoMayDefine(t *testing.T) {
	t.Parallel()
	o := open(t)
	for caller, want := range map[string]string{
		"definer": "", "viewer": "InsufficientPermissions", "full": "InsufficientPermissions", "neighbour": "ProjectNotFound", "stranger": "ProjectNotFound",
	} {
		_, err := o.CreateFormDefinition(o.as(caller), forms.NewFormDefinition{TwinID: tower, DisplayName: "n", Type: "t"})
		if got := code(err); got != want {
			t.Errorf("%s: %q, want %q", caller, got, want)
		}
	}
	_, err := o.CreateFormDefinition(o.as("definer"), forms.NewFormDefinition{TwinID: nowhere, DisplayName: "n", Type: "t"})
	fails(t, err, twinplatform.NotFound, "ProjectNotFound", "twinId")
	if _, err := o.CreateFormDefinition(o.of("acme", "boss", "Account Administrator"), forms.NewFormDefinition{TwinID: tower, DisplayName: "n", Type: "t"}); err != nil {
		t.Errorf("an organization administrator: %v", err)
	}
	_, err = o.CreateFormDefinition(o.of("other", "boss", "Account Administrator"), forms.NewFormDefinition{TwinID: tower, DisplayName: "n", Type: "t"})
	fails(t, err, twinplatform.NotFound, "ProjectNotFound", "twinId")
}

func code(err error) string {
	if e, ok := errors.AsType[*twinplatform.Error](err); ok {
		return e.Code
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// covers: Form definition values
func TestStatusShowsWhatCanBeDone(t *testing.T) {
	t.Parallel()
	for status, can := range map[forms.FormDefinitionStatus]struct{ edit, fill bool }{
		forms.Draft: {true, false}, forms.Maintenance: {true, false}, forms.Approved: {false, true}, forms.Archived: {false, false},
	} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			o := open(t)
			d := o.definition(func(n *forms.NewFormDefinition) { n.Status = status })
			if status.LayoutEditable() != can.edit || status.CanFillOut() != can.fill {
				t.Errorf("editable %t, can be filled out %t", status.LayoutEditable(), status.CanFillOut())
			}
			switch err := o.SetLayout(o.as("definer"), d.ID, forms.Layout{Definition: `{"pages":[]}`, ErrorStatus: forms.Warning}); {
			case can.edit && err != nil:
				t.Error(err)
			case !can.edit:
				fails(t, err, twinplatform.Conflict, "FormDefIsClosed", "")
			}
			switch _, err := o.CreateForm(o.as("creator"), forms.NewForm{FormID: d.ID}); {
			case can.fill && err != nil:
				t.Error(err)
			case !can.fill:
				fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:formId")
			}
			_, err := o.UpdateFormDefinition(o.as("definer"), d.ID, forms.FormDefinitionPatch{DisplayName: twinplatform.Set("Renamed")})
			switch {
			case can.edit && err != nil:
				t.Error(err)
			case !can.edit:
				fails(t, err, twinplatform.Conflict, "FormDefIsClosed", "")
			}
			rec, err := o.FormDefinition(o.as("definer"), d.ID)
			if err != nil || (rec.Value.Links != nil) != can.edit {
				t.Errorf("link to the designer %v, %v", rec.Value.Links, err)
			}
			for _, caller := range []string{"viewer", "full"} {
				if rec, err = o.FormDefinition(o.as(caller), d.ID); err != nil || rec.Value.Links != nil {
					t.Errorf("%s: link to the designer %v, %v", caller, rec.Value.Links, err)
				}
			}
		})
	}
}

// covers: Form definition values
func TestDefinitionMovesFromAnyStatusToAnyOther(t *testing.T) {
	t.Parallel()
	o := open(t)
	all := []forms.FormDefinitionStatus{forms.Draft, forms.Approved, forms.Maintenance, forms.Archived}
	for _, from := range all {
		for _, to := range all {
			d := o.definition(func(n *forms.NewFormDefinition) { n.Status = from })
			res, err := o.UpdateFormDefinition(o.as("definer"), d.ID, forms.FormDefinitionPatch{Status: twinplatform.Set(to)})
			if got := done(t, res, err).Status; got != to {
				t.Errorf("%s to %s: %s", from, to, got)
			}
		}
	}
}

// covers: Form definition values: error FormDefIsClosed
func TestClosedDefinitionIsEditedByTheMoveThatOpensIt(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition()
	edit := forms.FormDefinitionPatch{DisplayName: twinplatform.Set("Renamed"), IDPrefix: twinplatform.Set("Q")}
	_, err := o.UpdateFormDefinition(o.as("definer"), d.ID, edit)
	fails(t, err, twinplatform.Conflict, "FormDefIsClosed", "")
	archive := edit
	archive.Status = twinplatform.Set(forms.Archived)
	_, err = o.UpdateFormDefinition(o.as("definer"), d.ID, archive)
	fails(t, err, twinplatform.Conflict, "FormDefIsClosed", "")
	edit.Status = twinplatform.Set(forms.Maintenance)
	res, err := o.UpdateFormDefinition(o.as("definer"), d.ID, edit)
	if d := done(t, res, err); d.DisplayName != "Renamed" || d.IDPrefix != "Q" || d.Status != forms.Maintenance {
		t.Errorf("%+v", d)
	}
	res, err = o.UpdateFormDefinition(o.as("definer"), d.ID, forms.FormDefinitionPatch{DisplayName: twinplatform.Set("Again"), Status: twinplatform.Set(forms.Approved)})
	if d := done(t, res, err); d.DisplayName != "Again" || d.Status != forms.Approved {
		t.Errorf("%+v", d)
	}
	res, err = o.UpdateFormDefinition(o.as("definer"), d.ID, forms.FormDefinitionPatch{DisplayName: twinplatform.Set("Again"), IDPrefix: twinplatform.Set("Q")})
	if done(t, res, err); err != nil {
		t.Errorf("the values that it has: %v", err)
	}
}

// covers: Form definition values: rule once shared never unshared
// covers: Form definition values: rule once shared the share type stays
func TestSharedDefinitionStaysSharedAsItIs(t *testing.T) {
	t.Parallel()
	o := open(t)
	null, readOnly, readWrite := twinplatform.Null[forms.ShareType](), twinplatform.Set(forms.ReadOnly), twinplatform.Set(forms.ReadWrite)
	for _, first := range []forms.ShareType{forms.ReadOnly, forms.ReadWrite} {
		for _, status := range []forms.FormDefinitionStatus{forms.Draft, forms.Approved} {
			d := o.definition(func(n *forms.NewFormDefinition) { n.Status = status })
			for i, p := range []twinplatform.Optional[forms.ShareType]{null, twinplatform.Set(first), twinplatform.Set(first), null, twinplatform.Set(forms.NotShared), readOnly, readWrite} {
				want := i < 3 || p.Or("") == first
				res, err := o.UpdateFormDefinition(o.as("definer"), d.ID, forms.FormDefinitionPatch{ShareType: p})
				if want {
					done(t, res, err)
					continue
				}
				fails(t, err, twinplatform.Unprocessable, "InvalidFormDefRequest", "", "InvalidValue:shareType")
			}
			rec, err := o.FormDefinition(o.system(), d.ID)
			if err != nil || rec.Value.ShareType != first {
				t.Errorf("%v %v", rec.Value.ShareType, err)
			}
		}
	}
}

// covers: Form definition values: limit idPrefix: 25 characters
// covers: Form definition values: error UpsertNotSupported
// covers: Form definition values: error InvalidFormDefRequest
// covers: Form definition values: rule the detail of status lists the valid values
func TestUpdateOfADefinitionHasItsDocumentedErrors(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition(func(n *forms.NewFormDefinition) { n.Status = forms.Draft })
	patch := forms.FormDefinitionPatch{DisplayName: twinplatform.Set("Renamed")}

	_, err := o.UpdateFormDefinition(o.as("definer"), "missing", patch)
	fails(t, err, twinplatform.Conflict, "UpsertNotSupported", "id")
	_, err = o.UpdateFormDefinition(o.as("stranger"), d.ID, patch)
	fails(t, err, twinplatform.Conflict, "UpsertNotSupported", "id")
	for _, caller := range []string{"viewer", "full"} {
		_, err = o.UpdateFormDefinition(o.as(caller), d.ID, patch)
		fails(t, err, twinplatform.Forbidden, "InsufficientPermissions", "")
	}
	_, err = o.UpdateFormDefinition(o.as("definer"), d.ID, forms.FormDefinitionPatch{
		DisplayName: twinplatform.Null[string](), Status: twinplatform.Set(forms.FormDefinitionStatus("Open")),
		ShareType: twinplatform.Set(forms.ShareType("Everywhere")), IDPrefix: twinplatform.Set(strings.Repeat("p", 26)),
	})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDefRequest", "",
		"InvalidValue:displayName", "InvalidValue:status", "InvalidValue:shareType", "InvalidValue:idPrefix")
	if e := twinplatform.AsError(err); !strings.Contains(e.Details[1].Message, "Draft, Approved, Maintenance, Archived") {
		t.Errorf("the statuses are not listed: %s", e.Details[1].Message)
	}
	_, err = o.UpdateFormDefinition(o.as("definer"), d.ID, forms.FormDefinitionPatch{DisplayName: twinplatform.Set(strings.Repeat("n", 256)), Status: twinplatform.Null[forms.FormDefinitionStatus]()})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDefRequest", "", "InvalidValue:displayName", "InvalidValue:status")
	_, err = o.UpdateFormDefinition(o.as("definer"), d.ID, forms.FormDefinitionPatch{DisplayName: twinplatform.Set(" \t")})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDefRequest", "", "InvalidValue:displayName")
	_, err = o.UpdateFormDefinition(o.as("definer"), d.ID, patch, twinplatform.IfMatch(`"other"`))
	fails(t, err, twinplatform.Conflict, "VersionMismatch", twinplatform.TargetIfMatch)
	rec, err := o.FormDefinition(o.system(), d.ID)
	if err != nil || rec.Value.DisplayName != "Request" {
		t.Errorf("a refused patch changed %+v, %v", rec.Value, err)
	}
	res, err := o.UpdateFormDefinition(o.as("definer"), d.ID, patch, twinplatform.IfMatch(rec.ETag))
	done(t, res, err)
	res, err = o.UpdateFormDefinition(o.as("definer"), d.ID, forms.FormDefinitionPatch{IDPrefix: twinplatform.Set(strings.Repeat("p", 25))})
	done(t, res, err)
	res, err = o.UpdateFormDefinition(o.as("definer"), d.ID, forms.FormDefinitionPatch{IDPrefix: twinplatform.Null[string]()})
	if d := done(t, res, err); d.IDPrefix != "" {
		t.Errorf("prefix %q", d.IDPrefix)
	}
}

func TestDefinitionsAreListedByTwinTypeNameAndStatus(t *testing.T) {
	t.Parallel()
	o := open(t)
	make := func(name, kind, twin string, status forms.FormDefinitionStatus, share forms.ShareType) {
		o.definition(func(n *forms.NewFormDefinition) {
			n.DisplayName, n.Type, n.TwinID, n.Status, n.ShareType = name, kind, twin, status, share
		})
	}
	make("Tower draft", "RFI", tower, forms.Draft, "")
	make("Tower approved", "RFI", tower, forms.Approved, "")
	make("Tower issue", "Issue", tower, forms.Approved, "")
	make("Tower maintenance", "RFI", tower, forms.Maintenance, "")
	make("Tower archived", "RFI", tower, forms.Archived, "")
	make("Bridge own", "RFI", bridge, forms.Approved, "")
	make("Bridge shared", "RFI", bridge, forms.Approved, forms.ReadOnly)
	make("Abroad shared", "RFI", abroad, forms.Approved, forms.ReadWrite)
	for name, test := range map[string]struct {
		q    forms.FormDefinitionQuery
		want []string
	}{
		"approved by default": {forms.FormDefinitionQuery{}, []string{"Tower approved", "Tower issue", "Bridge shared"}},
		"any": {
			forms.FormDefinitionQuery{Status: "any"},
			[]string{"Tower draft", "Tower approved", "Tower issue", "Tower maintenance", "Tower archived", "Bridge shared"},
		},
		"status":                  {forms.FormDefinitionQuery{Status: "Draft"}, []string{"Tower draft"}},
		"type":                    {forms.FormDefinitionQuery{Type: "Issue"}, []string{"Tower issue"}},
		"search in any case":      {forms.FormDefinitionQuery{Search: "SHARED"}, []string{"Bridge shared"}},
		"all filters":             {forms.FormDefinitionQuery{Search: "m", Type: "RFI", Status: "Maintenance"}, []string{"Tower maintenance"}},
		"another twin":            {forms.FormDefinitionQuery{TwinID: bridge}, []string{"Bridge own", "Bridge shared"}},
		"another account's twin":  {forms.FormDefinitionQuery{TwinID: abroad}, []string{"Abroad shared"}},
		"nothing that is so":      {forms.FormDefinitionQuery{Type: "Nothing"}, []string{}},
		"in pages, one at a time": {forms.FormDefinitionQuery{ListOptions: top(1)}, []string{"Tower approved", "Tower issue", "Bridge shared"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := test.q
			if q.TwinID == "" {
				q.TwinID = tower
			}
			got := []string{}
			for d, err := range twinplatform.All(o.system(), o.FormDefinitions, q) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, d.DisplayName)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDefinitionListHasItsErrors(t *testing.T) {
	t.Parallel()
	o := open(t)
	o.definition()
	for name, test := range map[string]struct {
		q    forms.FormDefinitionQuery
		want []string
	}{
		"no twin":      {forms.FormDefinitionQuery{}, []string{"MissingRequiredParameter:twinId"}},
		"no GUID":      {forms.FormDefinitionQuery{TwinID: "tower"}, []string{"MissingRequiredParameter:twinId"}},
		"status":       {forms.FormDefinitionQuery{TwinID: tower, Status: "Open"}, []string{"InvalidValue:status"}},
		"everything":   {forms.FormDefinitionQuery{Status: "Open"}, []string{"MissingRequiredParameter:twinId", "InvalidValue:status"}},
		"page of none": {forms.FormDefinitionQuery{TwinID: tower, ListOptions: top(-1)}, []string{"InvalidValue:top"}},
		"page of 51":   {forms.FormDefinitionQuery{TwinID: tower, ListOptions: top(51)}, []string{"InvalidValue:top"}},
		"token":        {forms.FormDefinitionQuery{TwinID: tower, ListOptions: twinplatform.ListOptions{Continuation: "x"}}, []string{"InvalidValue:continuation"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := o.FormDefinitions(o.as("viewer"), test.q)
			fails(t, err, twinplatform.Unprocessable, "InvalidFormDefRequest", "", test.want...)
		})
	}
	for caller, twin := range map[string]string{"stranger": tower, "neighbour": tower, "viewer": nowhere} {
		_, err := o.FormDefinitions(o.as(caller), forms.FormDefinitionQuery{TwinID: twin})
		fails(t, err, twinplatform.NotFound, "ProjectNotFound", "twinId")
	}
}

// covers: Form definition summary (D1): rule the design link is for those who may edit, while it is editable
func TestDesignLinkIsThereWhereTheLayoutMayBeEdited(t *testing.T) {
	t.Parallel()
	o := open(t)
	for _, share := range []forms.ShareType{forms.NotShared, forms.ReadOnly, forms.ReadWrite} {
		o.definition(func(n *forms.NewFormDefinition) {
			n.DisplayName, n.Status, n.ShareType = "share "+string(share), forms.Draft, share
		})
	}
	o.definition(func(n *forms.NewFormDefinition) { n.DisplayName = "closed" })
	for name, test := range map[string]struct {
		caller, twin string
		minimal      bool
		want         []string
	}{
		"own twin":          {caller: "definer", twin: tower, want: []string{"share ", "share ReadOnly", "share ReadWrite"}},
		"another twin":      {caller: "neighbour", twin: bridge, want: []string{"share ReadWrite"}},
		"viewer":            {caller: "viewer", twin: tower, want: []string{}},
		"in short, minimal": {caller: "definer", twin: tower, minimal: true, want: []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := o.FormDefinitions(o.as(test.caller), forms.FormDefinitionQuery{TwinID: test.twin, Status: "any", Representation: !test.minimal})
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for d, err := range page.OnPage() {
				if err != nil {
					t.Fatal(err)
				}
				if d.Links != nil {
					got = append(got, d.DisplayName)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// covers: Form definition values: value ReadOnly
// covers: Form definition values: value ReadWrite
func TestLayoutIsEditedWhereTheShareTypeAllows(t *testing.T) {
	t.Parallel()
	o := open(t)
	for share, want := range map[forms.ShareType]string{forms.NotShared: "FormDefinitionNotFound", forms.ReadOnly: "InsufficientPermissions", forms.ReadWrite: ""} {
		d := o.definition(func(n *forms.NewFormDefinition) { n.Status, n.ShareType = forms.Draft, share })
		err := o.SetLayout(o.as("neighbour"), d.ID, forms.Layout{Definition: `{}`, TwinID: bridge})
		if got := code(err); got != want {
			t.Errorf("%q from another twin: %q, want %q", share, got, want)
		}
		if err := o.SetLayout(o.as("definer"), d.ID, forms.Layout{Definition: `{"v":1}`, ErrorStatus: forms.Critical}); err != nil {
			t.Error(err)
		}
		l, err := o.Layout(o.as("viewer"), d.ID)
		if err != nil || l.Definition != `{"v":1}` || l.ErrorStatus != forms.Critical {
			t.Errorf("%+v, %v", l, err)
		}
		if err := o.SetLayout(o.as("viewer"), d.ID, forms.Layout{Definition: `{}`}); code(err) != "InsufficientPermissions" {
			t.Errorf("a viewer: %v", err)
		}
		if err := o.SetLayout(o.as("foreigner"), d.ID, forms.Layout{Definition: `{}`, TwinID: abroad}); code(err) == "" {
			t.Error("a twin of another account")
		}
	}
	d := o.definition(func(n *forms.NewFormDefinition) { n.Status = forms.Draft })
	if l, err := o.Layout(o.as("viewer"), d.ID); err != nil || l.Definition != "" || l.ErrorStatus != forms.NoError {
		t.Errorf("before it is set: %+v, %v", l, err)
	}
	err := o.SetLayout(o.as("definer"), d.ID, forms.Layout{Definition: `{`, ErrorStatus: "Bad"})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDefRequest", "", "InvalidValue:definition", "InvalidValue:errorStatus")
	for _, status := range []forms.ErrorStatus{forms.NoError, forms.Warning, forms.Faulty, forms.Critical, forms.UnknownError} {
		if err := o.SetLayout(o.as("definer"), d.ID, forms.Layout{Definition: `{}`, ErrorStatus: status}); err != nil {
			t.Error(err)
		}
		if rec, err := o.FormDefinition(o.system(), d.ID); err != nil || rec.Value.ErrorStatus != status {
			t.Errorf("error status %v, %v", rec.Value.ErrorStatus, err)
		}
	}
}

func TestDefinitionIsDeletedWhenItHasNoForms(t *testing.T) {
	t.Parallel()
	o := open(t)
	d := o.definition(func(n *forms.NewFormDefinition) { n.ShareType = forms.ReadOnly })
	res, err := o.CreateForm(o.as("neighbour"), forms.NewForm{FormID: d.ID, TwinID: bridge})
	f := done(t, res, err)

	fails(t, o.DeleteFormDefinition(o.as("viewer"), d.ID), twinplatform.Forbidden, "InsufficientPermissions", "")
	fails(t, o.DeleteFormDefinition(o.of("other", "stranger"), d.ID), twinplatform.NotFound, "FormDefinitionNotFound", "id")
	fails(t, o.DeleteFormDefinition(o.as("definer"), "missing"), twinplatform.NotFound, "FormDefinitionNotFound", "id")
	fails(t, o.DeleteFormDefinition(o.as("definer"), d.ID), twinplatform.Conflict, "FormDefinitionInUse", "id")
	if err := o.DeleteForm(o.system(), f.ID); err != nil {
		t.Fatal(err)
	}
	if err := o.DeleteFormDefinition(o.as("definer"), d.ID); err != nil {
		t.Fatal(err)
	}
	_, err = o.FormDefinition(o.system(), d.ID)
	fails(t, err, twinplatform.NotFound, "FormDefinitionNotFound", "id")
	_, err = o.CreateForm(o.system(), forms.NewForm{FormID: d.ID})
	fails(t, err, twinplatform.NotFound, "FormDefinitionNotFound", "formId")
}

func TestDefinitionListGoesInPagesOfFifty(t *testing.T) {
	t.Parallel()
	o := open(t)
	for i := range 120 {
		o.definition(func(n *forms.NewFormDefinition) { n.DisplayName = fmt.Sprint(i) })
	}
	page, err := o.FormDefinitions(o.as("viewer"), forms.FormDefinitionQuery{TwinID: tower})
	if err != nil || page.Len() != 50 || page.Top != 50 || page.Next == "" || page.Delta != "" {
		t.Fatalf("%d of %d, next %q, delta %q, %v", page.Len(), page.Top, page.Next, page.Delta, err)
	}
}
