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
	if !strings.Contains(
		page, "2 tasks on this page without dates, so without a bar. The dates of a WBS task",
	) || strings.Contains(page, "Pit no dates") {
		t.Errorf("a WBS task without dates says %s", page)
	}
}
