package console_test

import (
	"cmp"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// linkedPlan is a plan in the zone of Berlin: two days of digging, and one of pouring behind it.
func (w *world) linkedPlan() (path string) {
	w.t.Helper()
	path = "/schedules/" + w.plan("Works")
	w.write("PATCH", path+"/project-scheduling", `{"timeZone": "Europe/Berlin", "startDate": "2026-03-02T07:00:00Z"}`)
	w.write("POST", path+"/calendars", tenHours)
	w.write("POST", path+"/tasks/batch", `{"batch": [
		{"id": "dig", "name": "Dig the pit", "userDefinedId": "A10", "type": "Work", "plannedStart": "2026-03-02T07:00:00Z", "plannedDuration": 57600},
		{"id": "pour", "name": "Pour the slab", "userDefinedId": "A20", "type": "Work", "plannedStart": "2026-03-04T07:00:00Z", "plannedDuration": 28800}]}`)
	w.write("POST", path+"/task-links/batch", `{"batch": [
		{"id": "l", "predecessorId": "dig", "successorId": "pour", "type": "FinishToStart"}]}`)
	w.write("POST", path+"/tasks/reschedule", `{"taskIds": []}`)
	return path
}

var moveStart = regexp.MustCompile(`name="start" value="([^"]*)"`)

func TestATaskIsMovedByTypingAStartAndStaysThereWhenThePlanIsRescheduled(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	task := "/console" + path + "/tasks/dig"
	was := moveStart.FindStringSubmatch(b.source(task, http.StatusOK))
	if p := b.text(task, http.StatusOK); !strings.Contains(p, "Planned start2 Mar 2026 09:00") {
		t.Errorf("the page of the task has other times than its box: %s", p)
	}
	if was == nil || !strings.HasPrefix(was[1], "2026-03-02T09:00") {
		t.Fatalf("the box has the start %q, want that of the clocks in Berlin", was)
	}
	before := w.state()
	form := task + "/move?start=2026-03-09T09:00"
	shown := b.text(form, http.StatusOK)
	for _, want := range []string{
		"no earlier than 9 Mar 2026 09:00", "Tasks that move2", "Why the finish moves", "Pour the slab", "Europe/Berlin",
		"Finish then", "+5 d",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("the preview has no %q: %s", want, shown)
		}
	}
	if w.state() != before {
		t.Error("the preview has changed something")
	}
	page := b.source(form, http.StatusOK)
	res := b.post(task+"/move", hidden(page))
	operation, err := url.Parse(res.Header().Get("Location"))
	if res.Code != http.StatusSeeOther || err != nil {
		t.Fatalf("Apply answers %d %s", res.Code, res.Body)
	}
	from, _ := url.Parse(task + "/move")
	b.ends(from.ResolveReference(operation).RequestURI(), "Saved, and the plan was rescheduled.")
	w.write("POST", path+"/tasks/reschedule", `{"taskIds": []}`)
	now := b.source(task, http.StatusOK)
	if is := moveStart.FindStringSubmatch(now); is[1] != "2026-03-09T09:00" || !strings.Contains(now, "starts no earlier than 9 Mar 2026 09:00") {
		t.Errorf("the task starts at %q: %s", is, now)
	}
	// What holds it is shown without, and taken from it.
	form = task + "/move?free=true"
	shown = b.text(form, http.StatusOK)
	if !strings.Contains(shown, "The task loses its constraint") {
		t.Errorf("without the constraint: %s", shown)
	}
	if res := b.post(task+"/move", hidden(b.source(form, http.StatusOK))); res.Code != http.StatusSeeOther {
		t.Errorf("without the constraint Apply answers %d %s", res.Code, res.Body)
	}
}

// ends follows an operation to the page that it leads to, which has a text.
func (b *visitor) ends(operation, text string) {
	b.w.t.Helper()
	res := b.get(operation)
	next, err := url.Parse(res.Header().Get("Location"))
	if res.Code != http.StatusSeeOther || err != nil {
		b.w.t.Fatalf("%s answers %d %s, and does not lead to its result", operation, res.Code, res.Body)
	}
	from, err := url.Parse(operation)
	if err != nil {
		b.w.t.Fatal(err)
	}
	if p := b.text(from.ResolveReference(next).RequestURI(), http.StatusOK); !strings.Contains(p, text) {
		b.w.t.Errorf("%s leads to %s without %q: %s", operation, next, text, p)
	}
}

func TestAMoveThatCannotBeSaysWhatIsRightAndKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	task := "/console" + path + "/tasks/pour/move?"
	for query, want := range map[string]string{
		"start=2026-03-29T02:30": "that the clocks there show",
		"start=tomorrow":         "Type a date with a time", "": "Pick another start",
		"start=2026-03-09T08:00&finish=2026-03-10T08:00": "not both",
	} {
		p := b.source(task+query, http.StatusOK)
		if !strings.Contains(p, want) || !strings.Contains(p, `aria-invalid="true"`) {
			t.Errorf("%q answers without %q: %s", query, want, p)
		}
		if typed, _ := url.ParseQuery(query); !strings.Contains(html.UnescapeString(p), `value="`+typed.Get("start")) {
			t.Errorf("%q: what was typed is lost: %s", query, p)
		}
	}
	// A start that its predecessor forbids is no start that it gets.
	if p := b.text(task+"start=2026-03-01T08:00", http.StatusOK); !strings.Contains(p, "put it on") {
		t.Errorf("a start before that of the predecessor: %s", p)
	}
	// Someone else was faster.
	stale := hidden(b.source(task+"start=2026-03-19T08:00", http.StatusOK))
	w.write("PATCH", path+"/tasks/pour", `{"name": "Pour it"}`)
	res := b.post("/console"+path+"/tasks/pour/move", stale)
	if body := res.Body.String(); !strings.Contains(body, "changed the task meanwhile") || !strings.Contains(body, `value="2026-03-19T08:00"`) {
		t.Errorf("a stale form answers %d %s", res.Code, res.Body)
	}
	// The plan around the task was changed.
	form := hidden(b.source(task+"start=2026-03-19T08:00", http.StatusOK))
	w.write("POST", path+"/tasks/batch", `{"batch": [{"id": "cure", "name": "Cure", "type": "Work", "plannedDuration": 28800}]}`)
	w.write("POST", path+"/task-links/batch", `{"batch": [{"predecessorId": "pour", "successorId": "cure", "type": "FinishToStart"}]}`)
	before := w.state()
	res = b.post("/console"+path+"/tasks/pour/move", form)
	if body := res.Body.String(); !strings.Contains(body, "The plan was changed meanwhile") || !strings.Contains(body, "Cure") || w.state() != before {
		t.Errorf("a form of another preview answers %d %s", res.Code, res.Body)
	}
	if res := b.post("/console"+path+"/tasks/pour/move", hidden(res.Body.String())); res.Code != http.StatusSeeOther {
		t.Errorf("the preview that it shows then answers %d %s", res.Code, res.Body)
	}
	// What holds it now is named.
	if p := b.text(task+"start=2026-03-26T08:00", http.StatusOK); !strings.Contains(p, "in place of: starts no earlier than 19 Mar 2026 08:00") {
		t.Errorf("the constraint that it has is dropped in silence: %s", p)
	}
	// What has begun stays.
	w.write("PATCH", path+"/tasks/dig", `{"status": "Started", "actualStart": "2026-03-02T07:00:00Z"}`)
	if p := b.text("/console"+path+"/tasks/dig", http.StatusOK); !strings.Contains(p, "It has begun") {
		t.Errorf("the page of a task that has begun: %s", p)
	}
}

func TestAReschedulingIsShownByNamesBeforeItIsDone(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	w.write("PATCH", path+"/tasks/dig", `{"plannedDuration": 144000}`)
	page := "/console" + path + "/reschedule"
	p := b.text(page, http.StatusOK)
	for _, want := range []string{"Pour the slab", "A20", "Why the finish moves", "Dig the pit", "Without a predecessor: Dig the pit"} {
		if !strings.Contains(p, want) {
			t.Errorf("the preview has no %q: %s", want, p)
		}
	}
	form := hidden(b.source(page, http.StatusOK))
	w.write("PATCH", path+"/tasks/dig", `{"plannedDuration": 172800}`)
	before := w.state()
	if res := b.post(page, form); !strings.Contains(res.Body.String(), "The plan was changed meanwhile") || w.state() != before {
		t.Errorf("another plan than the preview was of is rescheduled: %d %s", res.Code, res.Body)
	}
	res := b.post(page, hidden(b.source(page, http.StatusOK)))
	to, err := url.Parse(res.Header().Get("Location"))
	if err != nil || res.Code != http.StatusSeeOther {
		t.Fatalf("rescheduling answers %d %s", res.Code, res.Body)
	}
	from, _ := url.Parse(page)
	b.ends(from.ResolveReference(to).RequestURI(), "The plan was rescheduled.")
	if p := b.text(page, http.StatusOK); !strings.Contains(p, "Every task is where its links and calendars put it.") {
		t.Errorf("after it: %s", p)
	}
}

func TestAPreviewOfMoreTasksThanAreNamedCountsThemWithThoseAboveThem(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), "/schedules/"+w.plan("Large")
	const batches, size = 11, 1000
	w.write("PATCH", path+"/project-scheduling", `{"startDate": "2026-03-02T07:00:00Z"}`)
	w.write("POST", path+"/tasks/batch", `{"batch": [
		{"id": "top", "name": "Top", "type": "Work"}, {"id": "t", "name": "T", "type": "Work", "plannedDuration": 28800, "parentId": "top"}]}`)
	for i := range batches {
		all := make([]string, size)
		for k := range all {
			all[k] = fmt.Sprintf(`{"id": "t%d-%d", "name": "T", "type": "Work", "plannedDuration": 28800, "parentId": "top"}`, i, k)
		}
		w.write("POST", path+"/tasks/batch", `{"batch": [`+strings.Join(all, ",")+`]}`)
	}
	p := b.text("/console"+path+"/reschedule", http.StatusOK)
	if want := fmt.Sprintf("Tasks that move%d, with those that others are below", batches*size+2); !strings.Contains(p, want) {
		t.Errorf("the preview has no %q: %.800s", want, p)
	}
}

func TestTheDrivingPathShowsActualDatesLinksLagsAndConstraints(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, path := w.browser(), w.linkedPlan()
	w.write("PATCH", path+"/task-links", `{"taskLinks": [{"id": "l", "lag": 57600}]}`)
	w.write("PATCH", path+"/tasks/dig", `{"status": "Finished", "actualStart": "2026-02-26T08:00:00Z", "actualFinish": "2026-03-03T14:00:00Z"}`)
	w.write("POST", path+"/tasks/batch", `{"batch": [
		{"id": "roof", "name": "Roof", "type": "Work", "plannedDuration": 28800, "constraintType": "StartBefore", "constraintLateDate": "2026-06-01T08:00:00Z"}]}`)
	w.write("POST", path+"/task-links/batch", `{"batch": [{"predecessorId": "pour", "successorId": "roof", "type": "StartToStart"}]}`)
	w.write("POST", path+"/tasks/reschedule", `{"taskIds": []}`)
	shows := func(query string, wants ...string) {
		t.Helper()
		_, driving, _ := strings.Cut(packed(b.source("/console"+path+"/tasks/roof"+query, http.StatusOK)), "<h2>Driving path</h2>")
		driving, _, _ = strings.Cut(driving, "<h2>Values</h2>")
		for _, want := range wants {
			if without, is := strings.CutPrefix(want, "!"); strings.Contains(driving, cmp.Or(without, want)) == is {
				t.Errorf("the driving path of %s: %s: %s", query, want, driving)
			}
		}
	}
	const actual = ` <small class="muted">actual</small></td>`
	dug := ">Dig the pit</a></th><td>A10</td><td>26 Feb 2026 09:00" + actual + "<td>3 Mar 2026 15:00" + actual
	shows("", dug, "<td>Finish to start, &#43;2 d lag</td>", "<td>Start to start</td><td>starts no later than 1 Jun 2026 10:00</td>",
		"!Compare with the baseline", "!later than in")
	w.write("POST", path+"/baselines", `{"id": "first", "name": "First"}`)
	w.write("PATCH", path+"/tasks/dig", `{"actualFinish": "2026-03-04T14:00:00Z"}`)
	shows("", "later than in First", "Compare with the baseline")
	shows("?baselineId=first", "later than in First",
		"<td>4 Mar 2026 15:00"+actual+`<td class="number"><span title="0">0 d</span></td><td class="number"><span title="8 h">1 d</span></td>`)
	shows("?baselineId=none", "<td>4 Mar 2026 15:00"+actual+"<td></td>", "!later than in")
	shows("?baselineId=gone", "Not available")
}
