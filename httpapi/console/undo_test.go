package console_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestTheLastChangeOfAPlanIsSetBackWithinFiveMinutesUnlessSomeoneWroteSince(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	plan := strings.TrimPrefix(path, "/schedules/")
	page, form := "/console"+path+"/tasks/dig", "/console/edit/tasks.update?path.scheduleId="+plan+"&path.taskId=dig"
	offered := func(where string) bool {
		t.Helper()
		return strings.Contains(b.source(where, http.StatusOK), `action="../../../undo"`)
	}
	undo := func(where string) *httptest.ResponseRecorder {
		t.Helper()
		return b.post("/console/undo", hidden(b.source(where, http.StatusOK)))
	}
	rename := func(name string) {
		t.Helper()
		values := typed(t, b.get(form).Body.Bytes())
		values.Set("m.name", name)
		if res := b.post("/console/edit/tasks.update", values); res.Code != http.StatusSeeOther {
			t.Fatalf("renaming answers %d %s", res.Code, res.Body)
		}
	}
	if offered(page) {
		t.Error("something is to be undone before anything was changed")
	}
	rename("Dig deeper")
	if !offered(page) || strings.Contains(b.source("/console/webhooks", http.StatusOK), "Undo: ") {
		t.Error("the change is not to be undone on the pages of its plan, and on these alone")
	}
	old := hidden(b.source(page, http.StatusOK))
	rename("Dig deepest")
	if res := b.post("/console/undo", old); res.Code != http.StatusConflict || !strings.Contains(res.Body.String(), "changed something else since") {
		t.Errorf("the button for another change answers %d %s", res.Code, res.Body)
	}
	b.lead("/console/undo", undo(page), "<h1>Dig deeper</h1>")
	if offered(page) {
		t.Error("what was undone can be undone again")
	}

	set := typed(t, b.get(form).Body.Bytes())
	set.Set("m.deadline", "2026-07-01T15:30:00.000Z")
	if res := b.post("/console/edit/tasks.update", set); res.Code != http.StatusSeeOther {
		t.Fatalf("what is stored in another way answers %d %s", res.Code, res.Body)
	}
	b.lead("/console/undo", undo(page), "The change was undone.")

	rename("Dig by one")
	w.write("PATCH", path+"/tasks/dig", `{"name": "Dig by another"}`)
	if res := undo(page); res.Code != http.StatusConflict || !strings.Contains(res.Body.String(), "Someone has changed it since") {
		t.Errorf("undoing what someone else changed since answers %d %s", res.Code, res.Body)
	}
	if p := b.text(page, http.StatusOK); !strings.Contains(p, "Dig by another") {
		t.Errorf("the change of someone else is lost: %s", p)
	}

	rename("Dig once more")
	late := hidden(b.source(page, http.StatusOK))
	w.now = w.now.Add(6 * time.Minute)
	if offered(page) {
		t.Error("a change is to be undone after five minutes")
	}
	if res := b.post("/console/undo", late); res.Code != http.StatusConflict {
		t.Errorf("undoing after five minutes answers %d", res.Code)
	}
}

func TestAViewerOfAnotherAccountWithTheSameIdUndoesNothing(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	w.tokens[strangerTok] = principal(w.tokens[ownerToken].ID, w.tokens[strangerTok].AccountID)
	b.fill("/console/edit/tasks.update?path.scheduleId="+strings.TrimPrefix(path, "/schedules/")+"&path.taskId=dig", "m.name", "Dig deeper")
	button := hidden(b.source("/console"+path+"/tasks/dig", http.StatusOK))
	other := w.browser()
	other.signIn(strangerTok)
	if res := other.post("/console/undo", button); res.Code != http.StatusConflict || !strings.Contains(res.Body.String(), "There is nothing to undo") {
		t.Errorf("another account undoes it: %d %s", res.Code, res.Body)
	}
	b.lead("/console/undo", b.post("/console/undo", button), "<h1>Dig the pit</h1>")
}

func TestAMoveIsSetBackWithWhatFollowedFromIt(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	task := "/console" + path + "/tasks/dig"
	was := b.source("/console"+path+"/tasks/pour", http.StatusOK)
	b.post(task+"/move", hidden(b.source(task+"/move?start=2026-03-09T09:00", http.StatusOK)))
	res := b.post("/console/undo", hidden(b.source(task, http.StatusOK)))
	next, err := url.Parse(res.Header().Get("Location"))
	if res.Code != http.StatusSeeOther || err != nil {
		t.Fatalf("undoing answers %d %s", res.Code, res.Body)
	}
	b.ends("/console/"+strings.TrimPrefix(next.String(), "./"), "The change was undone.")
	before := moveStart.FindStringSubmatch(was)
	if is := moveStart.FindStringSubmatch(b.source("/console"+path+"/tasks/pour", http.StatusOK)); is[1] != before[1] {
		t.Errorf("the successor starts at %s, and did at %s", is[1], before[1])
	}
}
