package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/console"
)

func TestTasksAreLinkedByNameOrCodeWithALagInDays(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	w.write("POST", path+"/tasks/batch", `{"batch": [
		{"id": "roof", "name": "Roof", "userDefinedId": "B10", "type": "Work", "plannedDuration": 28800},
		{"id": "roof2", "name": "Roof of the porch", "userDefinedId": "B20", "type": "Work", "plannedDuration": 28800}]}`)
	task := "/console" + path + "/tasks/pour"
	link := func(fields ...string) (status int, body string) {
		form := url.Values{"side": {"successor"}, "type": {"StartToStart"}, "lag": {"1,5"}}
		for i := 0; i < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		res := b.post(task+"/links", form)
		parseUnlessRedirect(t, task, res.Code, res.Body.Bytes())
		return res.Code, res.Body.String()
	}
	for name, c := range map[string]struct {
		fields []string
		want   string
	}{
		"a part of one name": {[]string{"other", "oof o"}, "Choose it if it is the one"},
		"that one, chosen":   {[]string{"other", "oof o", "task", "roof2"}, ""},
		"none":               {[]string{"other", "Chimney"}, "No other task has this"},
		"itself":             {[]string{"other", "A20"}, "No other task has this"},
		"nothing":            {[]string{"other", ""}, "Type the name or the code of a task"},
		"no lag":             {[]string{"other", "Roof", "lag", "soon"}, "Type days as a number"},
		"a circle": {
			[]string{"other", "Dig the pit", "side", "predecessor", "type", "Sometime"}, "InvalidValue",
		},
	} {
		status, body := link(c.fields...)
		if c.want == "" {
			if status != http.StatusSeeOther {
				t.Errorf("%s: %d %s", name, status, body)
			}
			continue
		}
		if status != http.StatusOK || !strings.Contains(body, c.want) || !strings.Contains(body, `value="`+c.fields[1]+`"`) {
			t.Errorf("%s: %d, without %q or what was typed: %s", name, status, c.want, body)
		}
	}
	if status, body := link("other", "roo"); status != http.StatusOK || !strings.Contains(body, "Several tasks") ||
		!strings.Contains(body, `<option value="roof2">B20 Roof of the porch</option>`) {
		t.Errorf("several tasks: %d %s", status, body)
	}
	if status, body := link("other", "roo", "task", "roof"); status != http.StatusSeeOther {
		t.Errorf("one of several: %d %s", status, body)
	}
	page := packed(b.source(task, http.StatusOK))
	for _, want := range []string{">Roof</a></th><td>B10</td>", ">Roof of the porch</a></th>", `<span title="12 h">1.5 d</span>`, "Start to start"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the task has no %q: %s", want, page)
		}
	}
}

func TestALinkThatWasDrawnIsAFormWithBothTasks(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	w.write("POST", path+"/tasks/batch", `{"batch": [
		{"id": "roof", "name": "Roof", "type": "Work", "plannedDuration": 28800},
		{"id": "other-roof", "name": "Roof", "type": "Work", "plannedDuration": 28800},
		{"id": "gable", "name": "Gable", "userDefinedId": "C-1", "type": "Work", "plannedDuration": 28800}]}`)
	task := "/console" + path + "/tasks/pour"
	for query, want := range map[string][]string{
		"?type=StartToStart&task=gable": {
			`value="C-1"`, `<option value="gable">C-1 Gable</option>`, `<option value="StartToStart" selected="">`,
		},
		"?task=other-roof":                {`value="Roof"`, `<option value="other-roof">Roof</option>`, `<option value="FinishToStart" selected="">`},
		"?task=gable&side=predecessor":    {"Add a predecessor of", `id="predecessor-other"`},
		"?task=pour":                      {"A task has no link with itself"},
		"?task=gone":                      {"This task is not in the plan any more"},
		"":                                {"Add a successor of"},
		"?side=%3Cscript%3E&type=Nothing": {"Add a successor of"},
	} {
		before := w.state()
		page := b.source(task+"/links"+query, http.StatusOK)
		parse(t, query, []byte(page))
		for _, text := range want {
			if !strings.Contains(packed(page), text) {
				t.Errorf("%s: the form has no %q: %s", query, text, page)
			}
		}
		if w.state() != before {
			t.Errorf("%s: opening the form changes something", query)
		}
	}
	res := b.post(task+"/links", url.Values{
		"side": {"successor"}, "type": {"FinishToStart"}, "lag": {"0"}, "other": {"Roof"}, "task": {"other-roof"},
	})
	if page := b.source(task, http.StatusOK); res.Code != http.StatusSeeOther || !strings.Contains(page, `/tasks/other-roof"`) ||
		strings.Contains(page, `/tasks/roof"`) {
		t.Errorf("the one of two tasks of a name to which the link was drawn is not linked: %d %s", res.Code, page)
	}
	if res := b.get("/console" + path + "/tasks/gone/links"); res.Code != http.StatusNotFound {
		t.Errorf("the form of a task that is not there answers %d", res.Code)
	}
}

func TestBarsAreDraggedWhereTheConsoleMayChangeSomething(t *testing.T) {
	t.Parallel()
	for _, readOnly := range []bool{false, true} {
		w := open(t, func(cfg *console.Config) { demo(cfg); cfg.ReadOnly = readOnly })
		path := "/console" + w.linkedPlan()
		page := w.browser().source(path, http.StatusOK)
		if strings.Contains(page, `class="changes"`) == readOnly || strings.Contains(page, "Drag a bar") == readOnly {
			t.Errorf("read-only %t: the chart says otherwise: %s", readOnly, page)
		}
		if res := w.browser().get(path + "/tasks/pour/links"); (res.Code == http.StatusNotFound) != readOnly {
			t.Errorf("read-only %t: the form of a link answers %d", readOnly, res.Code)
		}
	}
}

// parseUnlessRedirect holds a page to what every page keeps.
func parseUnlessRedirect(t *testing.T, where string, status int, body []byte) {
	t.Helper()
	if status != http.StatusSeeOther {
		parse(t, where, body)
	}
}
