package console_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestTasksWithoutDatesAreShownWithoutDates(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	plan := w.plan("Works")
	add := func(tasks string) string {
		t.Helper()
		if a := w.ask(
			ownerToken, "POST", "/schedules/"+plan+"/tasks/batch", `{"batch": [`+tasks+`]}`,
		); a.Code != http.StatusOK {
			t.Fatalf("making tasks answers %d %s", a.Code, a.Body)
		}
		return w.browser().text("/console/schedules/"+plan, http.StatusOK)
	}
	page := add(
		`{"id": "dig", "name": "Dig", "type": "Work", "plannedStart": "2026-03-02T09:00:00Z", "plannedDuration": 28800}`,
	)
	if strings.Contains(page, "no dates") || strings.Contains(page, "without dates") {
		t.Errorf("a plan with dates says %s", page)
	}
	page = add(`{"id": "roof", "name": "Roof", "type": "Work"}`)
	if !strings.Contains(page, "Roof no dates") || !strings.Contains(
		page, "1 task on this page without dates, so without a bar.",
	) || strings.Contains(page, "WBS task") {
		t.Errorf("a task without dates says %s", page)
	}
	page = add(`{"id": "site", "name": "Site", "type": "Work", "isWbs": true},
		{"id": "pit", "name": "Pit", "type": "Work", "parentId": "site", "plannedStart": "2026-03-02T09:00:00Z", "plannedDuration": 28800}`)
	if !strings.Contains(page, "1 task on this page without dates, so without a bar.") ||
		!strings.Contains(page, "Site critical 1 2 Mar 26") || strings.Contains(page, "WBS task has") {
		t.Errorf("a WBS task above one with dates says %s", page)
	}
	task := w.browser().text("/console/schedules/"+plan+"/tasks/site", http.StatusOK)
	if !strings.Contains(task, "First start below it2 Mar 2026 09:00") || strings.Contains(task, "Planned start") {
		t.Errorf("the page of a WBS task says %s", task)
	}
	page = add(`{"id": "later", "name": "Later", "type": "Work", "isWbs": true}, {"id": "roofs", "name": "Roofs", "type": "Work", "parentId": "later"}`)
	if !strings.Contains(page, "3 tasks on this page without dates, so without a bar. A WBS task has the dates of the tasks below it") {
		t.Errorf("a WBS task above one without dates says %s", page)
	}
}

func TestATypedStartThatNothingHoldsIsShownOnThePageOfItsTask(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	says := func(task string, shown bool) {
		t.Helper()
		page := b.text("/console"+path+"/tasks/"+task, http.StatusOK)
		if strings.Contains(page, "Nothing holds its planned start, 20 Mar 2026 09:00: rescheduling the plan moves it to 4 Mar 2026") != shown {
			t.Errorf("that nothing holds %s is to be shown: %t: %s", task, shown, page)
		}
	}
	w.write("PATCH", path+"/tasks/pour", `{"plannedStart": "2026-03-20T08:00:00Z"}`)
	says("pour", true)
	says("dig", false)
	if p := b.text("/console"+path+"/reschedule", http.StatusOK); !strings.Contains(p, "Planned later than anything holds it: Pour the slab") {
		t.Errorf("the preview of a rescheduling says %s", p)
	}
	w.write("PATCH", path+"/tasks/pour", `{"constraintType": "StartAfter", "constraintEarlyDate": "2026-03-20T08:00:00Z"}`)
	says("pour", false)
}

func TestRiskIsSimulatedOnceItIsAskedFor(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	page := b.source("/console"+path+"/risk", http.StatusOK)
	if !strings.Contains(page, "Nothing is simulated until you select Simulate.") || strings.Contains(page, "<svg") {
		t.Errorf("before it is asked for: %s", page)
	}
	w.write("PATCH", path+"/tasks/dig", `{"status": "Finished", "actualStart": "2026-03-02T07:00:00Z", "actualFinish": "2026-03-03T14:00:00Z"}`)
	page = b.source("/console"+path+"/risk?run=true&runs=10", http.StatusOK)
	if !strings.Contains(page, "<svg") || !strings.Contains(page, ">Pour the slab</a>") || strings.Contains(page, ">Dig the pit</a>") ||
		strings.Contains(page, "JSON") {
		t.Errorf("once it is: %s", page)
	}
}

func TestLoadingOfResourcesSaysWhoIsUsedTooMuchWhenAndByWhat(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	w.write("POST", path+"/tasks/batch", `{"batch": [
		{"id": "fence", "name": "Fence", "type": "Work", "plannedStart": "2026-03-02T07:00:00Z", "plannedDuration": 28800}]}`)
	use := func(id, task, resource string) {
		t.Helper()
		w.write("POST", path+"/tasks/resource-assignments", `{"id": "`+id+`", "taskId": "`+task+`", "resourceId": "`+resource+
			`", "appearanceProfileId": "neutral", "plannedUtilization": {"resourceCount": 1, "resourceUnits": 8}}`)
	}
	w.write("POST", path+"/resources/batch", `{"batch": [
		{"id": "crane", "name": "Tower crane", "type": "Equipment", "renewable": true, "quantity": 1},
		{"id": "ann", "name": "Ann", "type": "Human", "renewable": true}]}`)
	use("a", "dig", "crane")
	use("b", "fence", "ann")
	shown := func() string { return b.text("/console"+path+"/progress?view=resource-histogram", http.StatusOK) }
	if p := shown(); !strings.Contains(p, "This resource has no maximum units: Ann.") ||
		!strings.Contains(p, "No resource with maximum units is used beyond them.") {
		t.Errorf("where enough is there: %s", p)
	}
	use("c", "fence", "crane")
	if p := shown(); !strings.Contains(p, "Tower crane 2 Mar 2026 09:00 2 Mar 2026 17:00 1 2 1 Fence, Dig the pit") {
		t.Errorf("where too much is used: %s", p)
	}
}
