package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestATaskIsEditedInDaysByTheClocksOfItsScheduleAndByNames(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	form := "/console/edit/tasks.update?path.scheduleId=" + strings.TrimPrefix(path, "/schedules/") + "&path.taskId=dig"
	page := b.get(form).Body.Bytes()
	parse(t, form, page)
	was := typed(t, page)
	for field, want := range map[string]string{
		"m.plannedDuration": "2 d", "m.plannedStart": "2026-03-02T09:00", "m.name": "Dig the pit", "m.userDefinedId": "A10",
	} {
		if got := was.Get(field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	shown, order := string(page), []string{">Name", ">Code<", ">Kind of task", ">Part of<", ">Planned start<", ">Duration<", ">Status<", ">Comment<", "More fields"}
	at := make([]int, len(order))
	for i, label := range order {
		at[i] = strings.Index(shown, label)
	}
	if !slices.IsSorted(at) || at[0] < 0 {
		t.Errorf("the fields %q are at %v", order, at)
	}
	for _, want := range []string{`type="datetime-local" id="m-plannedStart"`, "By the clocks of Europe/Berlin.", ">Start on</option>", `<textarea id="m-comment"`} {
		if !strings.Contains(shown, want) {
			t.Errorf("the form has no %s: %s", want, shown)
		}
	}
	before := w.state()
	if res := b.post("/console/edit/tasks.update", was); res.Code != http.StatusSeeOther || w.state() != before {
		t.Errorf("a form that is sent as it is changes the task: %d %s", res.Code, res.Body)
	}
	_, page = b.sendForm(b.get(form).Body.Bytes(), "/console/edit/tasks.update", "m.plannedDuration", "two weeks", "m.deadline", "soon", "m.name", "Dig <deep>")
	for _, want := range []string{"Type a duration, such as 2 d", "Type a date with a time", `value="two weeks"`, `value="Dig &lt;deep&gt;"`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("what is wrong is answered without %q: %s", want, page)
		}
	}
	b.sendForm(
		b.get(form).Body.Bytes(), "/console/edit/tasks.update", "m.plannedDuration", "4,5h", "m.deadline", "2026-07-01T17:30",
	)
	var now struct {
		Task struct {
			PlannedDuration int
			Deadline        string
		}
	}
	if err := json.Unmarshal(w.ask(ownerToken, "GET", path+"/tasks/dig", "").Body.Bytes(), &now); err != nil {
		t.Fatal(err)
	}
	if now.Task.PlannedDuration != 16200 || now.Task.Deadline != "2026-07-01T15:30:00Z" {
		t.Errorf("the task has become %+v", now)
	}
}

func TestDaysAreThoseOfTheCalendarThatIsChosen(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	in := "?path.scheduleId=" + strings.TrimPrefix(path, "/schedules/")
	made := func(target string, fields ...string) {
		t.Helper()
		if res := b.fill("/console/edit/"+target, fields...); res.Code != http.StatusSeeOther {
			t.Fatalf("%s answers %d %s", target, res.Code, res.Body)
		}
	}
	duration := func(record, member string, want int) {
		t.Helper()
		body := w.ask(ownerToken, "GET", path+record, "").Body.String()
		if !strings.Contains(body, fmt.Sprintf(`"%s":%d`, member, want)) {
			t.Errorf("%s has not the %s %d: %s", record, member, want, body)
		}
	}
	made("tasks.createMany"+in, "m.id", "long", "m.name", "Long", "m.type", "Work", "m.calendarId", "ten", "m.plannedDuration", "1 d")
	duration("/tasks/long", "plannedDuration", 36000)
	made("taskLinks.createMany"+in, "m.id", "lagged", "m.predecessorId", "long", "m.successorId", "dig", "m.type", "FinishToStart", "m.lag", "1 d")
	duration("/task-links", "lag", 36000)
	form := "/console/edit/tasks.update" + in + "&path.taskId=dig"
	for text, want := range map[string]int{"20 h": 72000, "3 d": 108000} {
		w.write("PATCH", path+"/tasks/dig", `{"plannedDuration": 57600, "calendarId": null}`)
		values := typed(t, b.get(form).Body.Bytes())
		values.Set("m.calendarId", "ten")
		values.Set("m.plannedDuration", text)
		if res := b.post("/console/edit/tasks.update", values); res.Code != http.StatusSeeOther {
			t.Fatalf("another calendar answers %d %s", res.Code, res.Body)
		}
		duration("/tasks/dig", "plannedDuration", want)
	}
}

func TestTasksOfALargePlanAreNamedByCodeOrName(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	var many []string
	for i := range 210 {
		many = append(many, fmt.Sprintf(`{"id": "x%d", "name": "Pile %d", "userDefinedId": "P%d", "type": "Work"}`, i, i, i))
	}
	w.write("POST", path+"/tasks/batch", `{"batch": [`+strings.Join(many, ",")+`]}`)
	create := "/console/edit/taskLinks.createMany?path.scheduleId=" + strings.TrimPrefix(path, "/schedules/")
	send := func(predecessor, successor string) (int, string) {
		res := b.fill(create, "m.predecessorId", predecessor, "m.successorId", successor, "m.type", "FinishToStart", "m.lag", "-1 d")
		return res.Code, res.Body.String()
	}
	if status, body := send("Pile", "P7"); status != http.StatusOK || !strings.Contains(body, "No task, or more than one") || !strings.Contains(body, `value="Pile"`) {
		t.Errorf("a name that many have: %d %s", status, body)
	}
	if status, body := send("Dig the pit", "P7"); status != http.StatusSeeOther {
		t.Errorf("a name and a code: %d %s", status, body)
	}
	if p := packed(b.source("/console"+path+"/tasks/x7", http.StatusOK)); !strings.Contains(p, ">Dig the pit</a>") || !strings.Contains(p, ">-1 d<") {
		t.Errorf("the task is not linked: %s", p)
	}
}

func TestATaskOfALargePlanIsSavedAlthoughTheCodeOfItsParentIsNotItsAlone(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	many := []string{
		`{"id": "w1", "name": "Dig", "userDefinedId": "1", "type": "Work"}`,
		`{"id": "w2", "name": "Twice", "type": "Work"}`,
		`{"id": "w3", "name": "Twice", "type": "Work"}`,
		`{"id": "c1", "name": "Survey", "userDefinedId": "C1", "type": "Work", "parentId": "w1"}`,
		`{"id": "c2", "name": "Fence", "userDefinedId": "C2", "type": "Work", "parentId": "w2"}`,
	}
	for i := range 210 {
		many = append(many, fmt.Sprintf(`{"id": "x%d", "name": "Pile %d", "userDefinedId": "P%d", "type": "Work"}`, i, i, i))
	}
	w.write("POST", path+"/tasks/batch", `{"batch": [`+strings.Join(many, ",")+`]}`)
	plan := strings.TrimPrefix(path, "/schedules/")
	for task, parent := range map[string]string{"c1": "1", "c2": "w2"} {
		form := "/console/edit/tasks.update?path.scheduleId=" + plan + "&path.taskId=" + task
		values := typed(t, b.get(form).Body.Bytes())
		if got := values.Get("m.parentId"); got != parent {
			t.Errorf("%s is shown below %q, want %q", task, got, parent)
		}
		values.Set("m.name", "Renamed")
		if res := b.post("/console/edit/tasks.update", values); res.Code != http.StatusSeeOther {
			t.Errorf("%s: renaming answers %d %s", task, res.Code, res.Body)
		}
		// What is a part of a name is no task.
		values = typed(t, b.get(form).Body.Bytes())
		values.Set("m.parentId", "ig the p")
		if res := b.post("/console/edit/tasks.update", values); !strings.Contains(res.Body.String(), "No task, or more than one") {
			t.Errorf("%s: a part of a name answers %d %s", task, res.Code, res.Body)
		}
	}
}

func TestAnIssueIsAssignedByNameAndItsStatusIsSuggested(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	w.history(1)
	const person = "90000000-0000-4000-8000-000000000000"
	form := "/console/edit/issues.create?m.twinId=" + planTwin
	page := b.source(form, http.StatusOK)
	for _, want := range []string{
		`<option value="` + person + `">Person 0</option>`, ">Person", `<option value="In Review">`, `type="datetime-local" id="m-dueDate"`,
		`<textarea id="m-description"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the form of an issue has no %s: %s", want, page)
		}
	}
}
