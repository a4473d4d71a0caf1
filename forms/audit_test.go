package forms_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

func trail(t testing.TB, o *office, formID string) []forms.AuditTrailEntry {
	t.Helper()
	page, err := o.AuditTrail(o.as("viewer"), formID, twinplatform.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := page.Values()
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func TestNewFormOpensItsAuditTrail(t *testing.T) {
	t.Parallel()
	o := open(t)
	res, err := o.CreateForm(o.as("creator"), forms.NewForm{FormID: o.definition().ID})
	f := done(t, res, err)
	page, err := o.AuditTrail(o.as("viewer"), f.ID, twinplatform.ListOptions{})
	if err != nil || page.Len() != 1 {
		t.Fatalf("%d entries, %v", page.Len(), err)
	}
	entries, err := page.Values()
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, `{"id":"`+entries[0].ID+`","action":"Opened","changeBy":"Creator","changeById":"`+guid("creator")+`",
		"changeDateTime":"2026-01-05T09:00:00Z","changes":[{"property":"Closed","oldValue":null,"newValue":"False"}]}`, page.JSON()[0])
	if !entries[0].ChangeDateTime.Equal(moment) {
		t.Errorf("read as %v", entries[0].ChangeDateTime)
	}
	closed := o.form(f.FormID, forms.FormFields{Status: twinplatform.Set("Closed")})
	if got := trail(t, o, closed.ID)[0].Changes[0].NewValue; got != "True" {
		t.Errorf("a form that begins closed: %s", got)
	}
}

func TestAuditTrailListsChangesNewestFirst(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	type change = forms.Change
	for _, step := range []struct {
		patch string
		want  []forms.AuditTrailEntry
	}{
		{`{"status":"Closed"}`, []forms.AuditTrailEntry{{Action: "Status", Changes: []change{{Property: "Status", OldValue: "Open", NewValue: "Closed"}, {Property: "Closed", OldValue: "False", NewValue: "True"}}}}},
		{`{"status":"Rejected"}`, []forms.AuditTrailEntry{{Action: "Status", Changes: []change{{Property: "Status", OldValue: "Closed", NewValue: "Rejected"}}}}},
		{`{"assignee":{"id":` + ann + `,"displayName":"Ann"}}`, []forms.AuditTrailEntry{{Action: "Assigned", Changes: []change{{Property: "Assignee", NewValue: "Ann"}, {Property: "Assignees", NewValue: "Ann"}}}}},
		{`{"assignees":[{"id":` + ann + `,"displayName":"Ann"},{"id":` + bob + `,"displayName":"Bob"}]}`, []forms.AuditTrailEntry{{Action: "Assigned", Changes: []change{{Property: "Assignees", OldValue: "Ann", NewValue: "Ann, Bob"}}}}},
		{`{"subject":"Crack","properties":{"width":2.50,"note":"deep"}}`, []forms.AuditTrailEntry{{Action: "Modified", Changes: []change{{Property: "Properties.note", NewValue: "deep"}, {Property: "Properties.width", NewValue: "2.50"}, {Property: "Subject", NewValue: "Crack"}}}}},
		{`{"subject":null,"location":{"latitude":1}}`, []forms.AuditTrailEntry{{Action: "Modified", Changes: []change{{Property: "Location", NewValue: `{"latitude":1}`}, {Property: "Subject", OldValue: "Crack"}}}}},
		{`{"properties":{"width":null}}`, []forms.AuditTrailEntry{{Action: "Modified", Changes: []change{{Property: "Properties.width", OldValue: "2.50"}}}}},
		{`{"description":"` + strings.Repeat("ä", 1001) + `"}`, []forms.AuditTrailEntry{{Action: "Modified", Changes: []change{{Property: "Description", NewValue: twinplatform.NullString(strings.Repeat("ä", 1000) + "…")}}}}},
		{`{"subject":"S","status":"Open","assignee":null}`, []forms.AuditTrailEntry{
			{Action: "Status", Changes: []change{{Property: "Status", OldValue: "Rejected", NewValue: "Open"}, {Property: "Closed", OldValue: "True", NewValue: "False"}}},
			{Action: "Assigned", Changes: []change{{Property: "Assignee", OldValue: "Ann"}, {Property: "Assignees", OldValue: "Ann, Bob", NewValue: "Bob"}}},
			{Action: "Modified", Changes: []change{{Property: "Subject", NewValue: "S"}}},
		}},
		{`{"subject":"S","status":"Open","properties":null}`, nil},
	} {
		before := trail(t, o, f.ID)
		o.now.Add(1)
		res, err := o.UpdateForm(o.as("full"), f.ID, forms.FormPatch{FormFields: decode(t, step.patch)})
		done(t, res, err)
		after := trail(t, o, f.ID)
		fresh := after[:len(after)-len(before)]
		for i := range fresh {
			if fresh[i].ChangeBy != "Full" || string(fresh[i].ChangeByID) != guid("full") || fresh[i].ID == "" {
				t.Errorf("%s: by %s", step.patch, fresh[i].ChangeBy)
			}
			fresh[i] = forms.AuditTrailEntry{Action: fresh[i].Action, Changes: fresh[i].Changes}
		}
		opt := cmp.Transformer("JSON", func(e forms.AuditTrailEntry) string {
			b, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		})
		if diff := cmp.Diff(step.want, append([]forms.AuditTrailEntry(nil), fresh...), opt); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.patch, diff)
		}
	}
}

func TestAuditTrailGoesInPages(t *testing.T) {
	t.Parallel()
	o := open(t)
	f := o.form(o.definition().ID)
	for i := range 60 {
		status := []string{"Closed", "Open"}[i%2]
		res, err := o.UpdateForm(o.system(), f.ID, forms.FormPatch{FormFields: forms.FormFields{Status: twinplatform.Set(status)}})
		done(t, res, err)
	}
	var got []string
	for e, err := range twinplatform.AllIn(o.system(), o.AuditTrail, f.ID, twinplatform.ListOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(e.Action)+string(e.Changes[0].NewValue))
	}
	if len(got) != 61 || got[0] != "StatusOpen" || got[1] != "StatusClosed" || got[60] != "OpenedFalse" {
		t.Errorf("%d entries: %v", len(got), got)
	}
	_, err := o.AuditTrail(o.system(), f.ID, top(51))
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:top")
	_, err = o.AuditTrail(o.system(), f.ID, twinplatform.ListOptions{Continuation: "x"})
	fails(t, err, twinplatform.Unprocessable, "InvalidFormDataRequest", "", "InvalidValue:continuation")
}
