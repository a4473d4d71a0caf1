package console_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/console"
)

var inputs = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"/>`)

// hidden are the values that a form sends besides those that are typed.
func hidden(page string) url.Values {
	form := make(url.Values)
	for _, m := range inputs.FindAllStringSubmatch(page, -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	return form
}

// fill sends the form at an address with some of its fields filled in.
func (b *visitor) fill(form string, fields ...string) *httptest.ResponseRecorder {
	b.w.t.Helper()
	values := hidden(b.source(form, http.StatusOK))
	for i := 0; i+1 < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	path, _, _ := strings.Cut(form, "?")
	return b.post(path, values)
}

// lead follows where a form leads, and holds that page to a text.
func (b *visitor) lead(form string, res *httptest.ResponseRecorder, text string) {
	b.w.t.Helper()
	base, err := url.Parse(form)
	if err != nil {
		b.w.t.Fatal(err)
	}
	next, err := base.Parse(res.Header().Get("Location"))
	if res.Code != http.StatusSeeOther || err != nil {
		b.w.t.Fatalf("%s answers %d %s", form, res.Code, res.Body)
	}
	if p := b.source(next.RequestURI(), http.StatusOK); !strings.Contains(p, text) {
		b.w.t.Errorf("%s leads to %s without %q: %s", form, next, text, p)
	}
}

func TestTasksAreMadeChangedAndDeletedByForms(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	form := "/console/edit/tasks.create?path.scheduleId=" + plan
	b.lead(form, b.fill(form, "m.id", "dig", "m.name", "Dig the pit", "m.type", "Work", "m.plannedDuration", "1 d"), "Dig the pit")

	form = "/console/edit/tasks.update?path.scheduleId=" + plan + "&path.taskId=dig"
	stale := hidden(b.source(form, http.StatusOK))
	b.lead(form, b.fill(form, "m.name", "Dig deeper", "m.type", "Work", "m.plannedDuration", "16 h"), "<h1>Dig deeper</h1>")
	if p := b.source("/console/schedules/"+plan+"/tasks/dig", http.StatusOK); !strings.Contains(p, ">2 d<") {
		t.Errorf("the duration is not changed: %s", p)
	}
	stale.Set("m.name", "Late")
	if res := b.post("/console/edit/tasks.update", stale); !strings.Contains(res.Body.String(), "It was changed meanwhile") ||
		!strings.Contains(res.Body.String(), `value="Late"`) {
		t.Errorf("a change of what has changed meanwhile answers %d %s", res.Code, res.Body)
	}

	form = "/console/edit/tasks.delete?path.scheduleId=" + plan + "&path.taskId=dig"
	b.lead(form, b.fill(form), "There are no tasks yet")
}

func TestFormsShowWhatIsWrongAtItsField(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	form := "/console/edit/tasks.create?path.scheduleId=" + plan
	for field, wrong := range map[string]string{"plannedDuration": "-5", "plannedStart": "tomorrow", "splits": "[1,"} {
		res := b.fill(form, "m.name", "Dig <the> pit", "m.type", "Work", "m."+field, wrong)
		p := res.Body.String()
		parse(t, form, res.Body.Bytes())
		if !strings.Contains(p, `id="m-`+field+`-wrong"`) || !strings.Contains(p, `aria-invalid="true"`) {
			t.Errorf("%s has no reason at its field: %s", field, p)
		}
		if !strings.Contains(p, "Dig &lt;the") {
			t.Errorf("with a wrong %s what was typed is lost: %s", field, p)
		}
	}
}

func TestADeletionNamesWhatGoesWithTheRecord(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	path := "/schedules/" + plan
	w.write("POST", path+"/tasks/batch", `{"batch": [{"id": "dig", "name": "Dig", "type": "Work"}, {"id": "pour", "name": "Pour", "type": "Work"}]}`)
	w.write("POST", path+"/task-links/batch", `{"batch": [{"id": "l", "predecessorId": "dig", "successorId": "pour", "type": "FinishToStart"}]}`)
	for form, want := range map[string]string{
		"/console/edit/tasks.delete?path.scheduleId=" + plan + "&path.taskId=dig": "Task links by predecessor: 1 (l)",
		"/console/edit/schedules.delete?path.scheduleId=" + plan:                  "Tasks: 2 (Dig, Pour)",
		"/console/edit/twins.delete?path.twinId=" + planTwin:                      "Schedules: ",
	} {
		if p := b.text(form, http.StatusOK); !strings.Contains(p, want) || !strings.Contains(p, "cannot be undone") {
			t.Errorf("%s does not say %q: %s", form, want, p)
		}
	}
}

func TestEveryKindOfRecordIsMadeChangedAndDeletedByTheSameForms(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	path := "/schedules/" + plan
	w.write("POST", path+"/calendars", tenHours)
	w.write("POST", path+"/tasks/batch", `{"batch": [{"id": "dig", "name": "Dig", "type": "Work"}, {"id": "pour", "name": "Pour", "type": "Work"}]}`)
	access := "/access-control/twins/" + planTwin
	for _, test := range []struct{ list, operation, in, fields, row string }{
		{"/browse" + path + "/resources", "resources.create", "path.scheduleId=" + plan, "m.name=Crane&m.type=Equipment", "Crane"},
		{
			"/browse" + path + "/task-links", "taskLinks.createMany", "path.scheduleId=" + plan,
			"m.id=l&m.predecessorId=dig&m.successorId=pour&m.type=FinishToStart&m.lag=1h", "l",
		},
		{
			"/browse" + path + "/calendars", "calendars.create", "path.scheduleId=" + plan,
			"m.id=other&m.name=Other&m.parentId=ten&m.dayTypes=" + url.QueryEscape(`[{"id": "off", "type": "NonWorking"}]`), "Other",
		},
		{"/browse" + access + "/roles", "roles.create", "path.twinId=" + planTwin, "m.displayName=Clerk", "Clerk"},
		{
			"/browse/forms/formDefinitions?twinId=" + planTwin, "formDefinitions.create", "m.twinId=" + planTwin,
			"m.twinId=" + planTwin + "&m.displayName=Snag&m.type=Issue&m.status=Approved", "Snag",
		},
	} {
		form := "/console/edit/" + test.operation + "?" + test.in
		list := b.get("/console" + test.list)
		if links := parse(t, test.list, list.Body.Bytes()).links; !slices.ContainsFunc(links, func(link string) bool {
			return strings.Contains(link, "edit/"+test.operation)
		}) {
			t.Errorf("%s does not lead to its form: %q", test.list, links)
		}
		values, err := url.ParseQuery(test.fields)
		if err != nil {
			t.Fatal(err)
		}
		fields := []string{}
		for name := range values {
			fields = append(fields, name, values.Get(name))
		}
		if res := b.fill(form, fields...); res.Code != http.StatusSeeOther {
			t.Errorf("%s answers %d %s", form, res.Code, res.Body)
			continue
		}
		page := parse(t, test.list, b.get("/console"+test.list).Body.Bytes())
		if !strings.Contains(page.text, test.row) {
			t.Errorf("%s does not show %q: %s", test.list, test.row, page.text)
		}
	}
	for page, wants := range map[string][]string{
		"/console/browse" + path + "/calendars/ten": {"edit/calendars.update", "edit/calendars.delete"},
		"/console/browse" + path + "/task-links/l":  {"edit/taskLinks.updateMany", "edit/taskLinks.delete"},
		"/console/browse/twins/" + planTwin:         {"edit/twins.update", "edit/twins.delete"},
		"/console/schedules/" + plan + "/tasks/dig": {"edit/tasks.update", "edit/tasks.delete"},
		"/console/browse" + access + "/members":     {"edit/members.create"},
		"/console/browse/forms?twinId=" + planTwin:  {"edit/forms.create"},
		"/console/webhooks":                         {"edit/webhooks.create"},
	} {
		for _, want := range wants {
			if p := b.source(page, http.StatusOK); !strings.Contains(p, want) {
				t.Errorf("%s does not lead to %s", page, want)
			}
		}
	}
	form := "/console/edit/taskLinks.updateMany?path.scheduleId=" + plan + "&id=l"
	values := hidden(b.source(form, http.StatusOK))
	for name := range values {
		if was, ok := strings.CutPrefix(name, "was."); ok {
			values.Set("m."+was, values.Get(name))
		}
	}
	values.Set("m.lag", "2 h")
	b.lead(form, b.post("/console/edit/taskLinks.updateMany", values), "2 h")
}

func TestAReadOnlyConsoleChangesNoRecords(t *testing.T) {
	t.Parallel()
	w := open(t, func(cfg *console.Config) { demo(cfg); cfg.ReadOnly = true })
	b := w.browser()
	before := w.state()
	form := "/console/edit/twins.delete?path.twinId=" + planTwin
	if p := b.source(form, http.StatusOK); strings.Contains(p, ">Delete</button>") {
		t.Errorf("a read-only console has a form: %s", p)
	}
	if res := b.post("/console/edit/twins.delete", url.Values{"path.twinId": {planTwin}}); res.Code != http.StatusForbidden {
		t.Errorf("a read-only console answers %d", res.Code)
	}
	if w.state() != before {
		t.Error("a read-only console has changed something")
	}
}
