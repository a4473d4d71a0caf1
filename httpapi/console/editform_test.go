package console_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// typed is what a browser sends of a page's form in which nothing was typed or chosen.
func typed(t testing.TB, page []byte) url.Values {
	t.Helper()
	var root element
	if err := xml.Unmarshal(page, &root); err != nil {
		t.Fatal(err)
	}
	form := make(url.Values)
	root.typed(form)
	return form
}

// element is one of a page, with what is in it.
type element struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	In      []element  `xml:",any"`
}

func (e *element) at(name string) (value string, is bool) {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

func (e *element) typed(form url.Values) {
	name, named := e.at("name")
	value, _ := e.at("value")
	switch e.XMLName.Local {
	case "input":
		if named {
			form.Add(name, value)
		}
	case "textarea":
		form.Add(name, strings.TrimPrefix(e.Text, "\n"))
	case "select":
		for i, option := range e.In {
			value, _ := option.at("value")
			_, many := e.at("multiple")
			if _, chosen := option.at("selected"); chosen {
				if !many {
					form.Del(name)
				}
				form.Add(name, value)
			} else if i == 0 && !many {
				form.Add(name, value)
			}
		}
	}
	for i := range e.In {
		e.In[i].typed(form)
	}
}

// TestAFormThatIsSentAsItIsChangesNothing sends the form of each operation that changes a
// record, filled with the record.
func TestAFormThatIsSentAsItIsChangesNothing(t *testing.T) {
	t.Parallel()
	b := openBridge(t, httpapi.Operation{})
	most, sent := testsize.Of(1000, 4), 0
	for _, o := range httpapi.Operations() {
		if o.Method != http.MethodPatch || strings.HasSuffix(o.ID, "Many") || sent == most {
			continue
		}
		values, missing := b.filledForm(o.ID)
		if missing != "" || values == nil {
			continue
		}
		query := make(url.Values)
		for name := range values {
			if strings.HasPrefix(name, "path.") {
				query.Set(name, values.Get(name))
			}
		}
		form := "/console/edit/" + o.ID + "?" + query.Encode()
		res := b.get(form)
		if res.Code != http.StatusOK {
			continue // nothing of the kind can be looked at
		}
		sent++
		parse(t, form, res.Body.Bytes())
		before := typed(t, res.Body.Bytes())
		res = b.post("/console/edit/"+o.ID, before)
		if res.Code != http.StatusSeeOther && !strings.Contains(res.Body.String(), "no changes") {
			t.Errorf("%s answers %d: %s", form, res.Code, parse(t, form, res.Body.Bytes()).text)
			continue
		}
		after := typed(t, b.get(form).Body.Bytes())
		before.Del("etag")
		after.Del("etag")
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s was sent as it is, and changed (-before +after):\n%s", form, diff)
		}
	}
	if sent < min(most, 30) {
		t.Errorf("the forms of %d operations were sent", sent)
	}
}

// sendForm sends the form of a page with some of its fields filled in.
func (b *visitor) sendForm(page []byte, path string, fields ...string) (form url.Values, answer []byte) {
	b.w.t.Helper()
	form = typed(b.w.t, page)
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	res := b.post(path, form)
	if res.Code == http.StatusOK {
		parse(b.w.t, path, res.Body.Bytes())
	}
	return form, bytes.Clone(res.Body.Bytes())
}

func TestListsOfObjectsAreTypedIntoFieldsAndGrowByAButton(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	const create = "/console/edit/calendars.create"
	page := b.get(create + "?path.scheduleId=" + plan).Body.Bytes()
	// One more day type, and one more block of hours within the first.
	_, page = b.sendForm(
		page, create, "m.name", "Shifts", "m.dayTypes.0.id", "work", "m.dayTypes.0.type", "Normal",
		"m.dayTypes.0.timeBlocks.0.startTime", "06:00", "m.dayTypes.0.timeBlocks.0.endTime", "14:00",
		"more", "dayTypes.0.timeBlocks",
	)
	_, page = b.sendForm(
		page, create, "m.dayTypes.0.timeBlocks.1.startTime", "15:00", "m.dayTypes.0.timeBlocks.1.endTime", "19:00",
		"m.dayTypes.1.id", "off", "m.dayTypes.1.type", "NonWorking", "m.week.mondayDayTypeId", "work",
		"more", "dayTypes",
	)
	if form := typed(t, page); form.Get("m.dayTypes.1.id") != "off" || !form.Has("m.dayTypes.2.id") || form.Has("m.dayTypes.3.id") {
		t.Errorf("the form does not have one empty day type: %v", form)
	}
	_, page = b.sendForm(page, create, "more", "dayTypes")
	form := typed(t, page)
	if form.Get("m.dayTypes.2.id") != "" || !form.Has("m.dayTypes.3.id") || form.Has("m.dayTypes.4.id") {
		t.Errorf("the form does not have two empty day types: %v", form)
	}
	if res := b.post(create, form); res.Code != http.StatusSeeOther {
		t.Fatalf("the form answers %d: %s", res.Code, res.Body)
	}
	got := w.ask(ownerToken, "GET", "/schedules/"+plan+"/calendars", "").Body.String()
	for _, want := range []string{
		`"timeBlocks":[{"startTime":"06:00","endTime":"14:00"},{"startTime":"15:00","endTime":"19:00"}]`, `"id":"off"`,
	} {
		if !strings.Contains(strings.ReplaceAll(got, " ", ""), want) {
			t.Errorf("the calendar is made without %s: %s", want, got)
		}
	}
}

func TestWhatIsWrongWithinAListIsShownAtItsField(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	form := "/console/edit/tasks.create?path.scheduleId=" + plan
	// The first row is empty, so that what is wrong is with the first that is sent.
	_, page := b.sendForm(
		b.get(form).Body.Bytes(), form, "m.name", "Dig", "m.type", "Work", "m.plannedDuration", "1 d",
		"m.splits.1.after", "28800", "m.splits.1.duration", "60", "m.steps.0.weight", "-1",
	)
	for _, id := range []string{"m-splits-0-after-wrong", "m-steps-0-name-wrong"} {
		if !strings.Contains(string(page), `id="`+id+`"`) {
			t.Errorf("nothing is wrong at %s: %s", id, page)
		}
	}
	if got := typed(t, page); got.Get("m.splits.0.after") != "28800" || got.Get("m.splits.1.after") != "" {
		t.Errorf("what was typed has become %v", got)
	}

	form = "/console/edit/taskLinks.createMany?path.scheduleId=" + plan
	_, page = b.sendForm(
		b.get(form).Body.Bytes(), form, "m.predecessorId", "a", "m.successorId", "b", "m.type", "FinishToStart", "m.lag", "soon",
	)
	if !strings.Contains(string(page), `id="m-lag-wrong"`) {
		t.Errorf("nothing is wrong at the lag of a link that is one of several: %s", page)
	}
}

func TestMapsAndObjectsOfAFormAreFields(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	const create, update = "/console/edit/forms.create", "/console/edit/forms.update"
	made := w.ask(ownerToken, "POST", "/forms/formDefinitions", `{"twinId": "`+planTwin+
		`", "displayName": "Snag", "type": "Issue", "status": "Approved"}`)
	var definition struct{ FormDefinition struct{ ID string } }
	if err := json.Unmarshal(made.Body.Bytes(), &definition); err != nil || made.Code != http.StatusCreated {
		t.Fatal(made.Code, made.Body, err)
	}
	_, page := b.sendForm(
		b.get(create).Body.Bytes(), create, "m.formId", definition.FormDefinition.ID, "m.subject", "A door",
		"m.properties.0.name", "colour", "m.properties.0.value", "red", "m.properties.1.name", "colour",
	)
	if !strings.Contains(string(page), `id="m-properties-1-name-wrong"`) {
		t.Errorf("a name that is there twice is taken: %s", page)
	}
	form := typed(t, page)
	for name, value := range map[string]string{
		"m.properties.1.name": "floors", "m.properties.1.value": "[1, 2]", "m.properties.2.name": "code",
		"m.properties.2.value": `"17"`, "m.location.latitude": "60.5", "m.location.description": "yard",
	} {
		form.Set(name, value)
	}
	res := b.post(create, form)
	if res.Code != http.StatusSeeOther {
		t.Fatalf("the form answers %d: %s", res.Code, res.Body)
	}
	var list struct {
		Forms struct {
			FormDataInstances []struct{ ID, DisplayName string }
		}
	}
	answer := w.ask(ownerToken, "GET", "/forms/?twinId="+planTwin, "").Body.Bytes()
	if err := json.Unmarshal(answer, &list); err != nil {
		t.Fatal(err)
	}
	id := ""
	for _, one := range list.Forms.FormDataInstances {
		if one.DisplayName == "A door" {
			id = one.ID
		}
	}
	record := func() (r struct {
		FormData struct {
			Properties map[string]any
			Location   map[string]any
		}
	},
	) {
		if err := json.Unmarshal(w.ask(ownerToken, "GET", "/forms/"+id, "").Body.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := map[string]any{"colour": "red", "floors": []any{1.0, 2.0}, "code": "17"}
	if diff := cmp.Diff(want, record().FormData.Properties); diff != "" {
		t.Errorf("the properties that were typed (-want +got):\n%s", diff)
	}

	// A value that is more than a text or a number is JSON, as a whole. What is emptied in an
	// object that is merged into what is there is cleared.
	changed := update + "?path.formId=" + id
	form = typed(t, b.get(changed).Body.Bytes())
	if !strings.Contains(form.Get("m.properties"), `"floors": [`) || form.Get("m.location.description") != "yard" {
		t.Errorf("the form is filled with %v", form)
	}
	form.Set("m.location.description", "")
	form.Set("m.properties", `{"floors": null}`)
	if res = b.post(update, form); res.Code != http.StatusSeeOther {
		t.Fatalf("the form answers %d: %s", res.Code, res.Body)
	}
	after := record().FormData
	if diff := cmp.Diff(map[string]any{"latitude": 60.5, "description": nil}, after.Location); diff != "" {
		t.Errorf("the location that was changed (-want +got):\n%s", diff)
	}
	form = typed(t, b.get(changed).Body.Bytes())
	if form.Get("m.properties.0.value") != `"17"` || form.Get("m.properties.1.value") != "red" {
		t.Errorf("plain properties are shown as %v", form)
	}
	_, page = b.sendForm(b.get(changed).Body.Bytes(), update, "json", "properties")
	if form = typed(t, page); !strings.Contains(form.Get("m.properties"), `"code": "17"`) {
		t.Errorf("as JSON the properties are %v", form)
	}
}

// mustBe are the fields of a form that take no other text than a number or a time, with what they have.
func (e *element) mustBe(fields map[string]string) {
	name, _ := e.at("name")
	kind, _ := e.at("type")
	mode, _ := e.at("inputmode")
	if e.XMLName.Local == "input" && strings.HasPrefix(name, "m.") && (kind == "datetime-local" || mode == "decimal") {
		fields[name], _ = e.at("value")
	}
	for i := range e.In {
		e.In[i].mustBe(fields)
	}
}

// field is that of a form with a name.
func (e *element) field(name string) *element {
	if got, _ := e.at("name"); got == name && e.XMLName.Local != "button" {
		if kind, _ := e.at("type"); kind != "hidden" {
			return e
		}
	}
	for i := range e.In {
		if found := e.In[i].field(name); found != nil {
			return found
		}
	}
	return nil
}

// TestEveryFieldThatIsTypedWrongIsMarkedAndKeepsWhatWasTyped sends a text to each field of each form that takes a number
// or a time.
func TestEveryFieldThatIsTypedWrongIsMarkedAndKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := openBridge(t, httpapi.Operation{})
	most, sent := testsize.Of(10_000, 40), 0
	for _, o := range httpapi.Operations() {
		if o.Method != http.MethodPatch && o.Method != http.MethodPost || strings.HasSuffix(o.ID, "Many") || sent >= most {
			continue
		}
		values, missing := b.filledForm(o.ID)
		if missing != "" || values == nil {
			continue
		}
		query := make(url.Values)
		for name := range values {
			if strings.HasPrefix(name, "path.") {
				query.Set(name, values.Get(name))
			}
		}
		form := "/console/edit/" + o.ID + "?" + query.Encode()
		res := b.get(form)
		if res.Code != http.StatusOK {
			continue // nothing of the kind can be looked at, or it has a page of its own
		}
		var page element
		if err := xml.Unmarshal(res.Body.Bytes(), &page); err != nil {
			t.Fatal(form, err)
		}
		fields := make(map[string]string)
		page.mustBe(fields)
		for name := range fields {
			const wrong = "not <a> number"
			sent++
			filled := typed(t, res.Body.Bytes())
			filled.Set(name, wrong)
			answer := b.post("/console/edit/"+o.ID+"?"+query.Encode(), filled)
			var again element
			if err := xml.Unmarshal(answer.Body.Bytes(), &again); err != nil || answer.Code >= 300 && answer.Code < 400 {
				t.Errorf("%s: %s typed wrong answers %d %v", form, name, answer.Code, err)
				continue
			}
			field := again.field(name)
			if field == nil {
				t.Errorf("%s: %s is not in the answer", form, name)
				continue
			}
			marked, _ := field.at("aria-invalid")
			if value, _ := field.at("value"); marked != "true" || value != wrong {
				t.Errorf("%s: %s has %q, and is marked: %q", form, name, value, marked)
			}
		}
	}
	if sent < 30 {
		t.Errorf("%d fields were typed wrong", sent)
	}
}
