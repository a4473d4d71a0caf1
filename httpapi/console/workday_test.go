package console_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// tenHours is a calendar whose days have ten hours.
const tenHours = `{"id": "ten", "name": "Ten hours", "dayTypes": [{"id": "long", "type": "Normal",
	"timeBlocks": [{"startTime": "07:00", "endTime": "12:00"}, {"startTime": "13:00", "endTime": "18:00"}]}],
	"week": {"mondayDayTypeId": "long", "tuesdayDayTypeId": "long", "wednesdayDayTypeId": "long"}}`

func (w *world) write(method, path, body string) {
	w.t.Helper()
	if a := w.ask(ownerToken, method, path, body); a.Code >= 300 {
		w.t.Fatalf("%s %s answers %d %s", method, path, a.Code, a.Body)
	}
}

// packed is a page without white space between its elements.
func packed(page string) string { return regexp.MustCompile(`>\s+<`).ReplaceAllString(page, "><") }

func TestLinksOfATaskAreShownByNameCodeDatesAndDaysOfLag(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	path := "/schedules/" + plan
	w.write("POST", path+"/calendars", tenHours)
	w.write("POST", path+"/tasks/batch", `{"batch": [
		{"id": "dig", "name": "Dig the pit", "userDefinedId": "A10", "type": "Work", "plannedStart": "2026-03-02T08:00:00Z",
			"plannedDuration": 28800},
		{"id": "pour", "name": "Pour the slab", "userDefinedId": "A20", "type": "Work", "plannedStart": "2026-03-04T07:00:00Z",
			"plannedDuration": 54000, "calendarId": "ten"}]}`)
	w.write("POST", path+"/task-links/batch", `{"batch": [
		{"id": "l", "predecessorId": "dig", "successorId": "pour", "type": "FinishToStart", "lag": 28800}]}`)
	page := packed(b.source("/console"+path+"/tasks/pour", http.StatusOK))
	for _, want := range []string{
		">Dig the pit</a></th><td>A10</td><td>2 Mar 2026 08:00</td>", `<span title="8 h">1 d</span>`, `<span title="15 h">1.5 d</span>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the successor has no %s: %s", want, page)
		}
	}
	if page := packed(b.source("/console"+path+"/tasks/dig", http.StatusOK)); !strings.Contains(page, ">Pour the slab</a></th><td>A20</td>") {
		t.Errorf("the page of the predecessor shows %s", page)
	}
}
