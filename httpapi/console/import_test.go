package console_test

import (
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

func TestAnUpdateOfAPlanIsShownInCountsAndCausesBeforeABaselineAndTheImport(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	admin, _ := seeded(t, "world-j30.json", false)
	into := admin.send("/console/schedules", url.Values{"twinId": {oneTwin(t, admin)}, "name": {"Weekly"}})
	form, _, _ := strings.Cut(into, "?")
	schedule := strings.TrimSuffix(form, "/import")
	apply := func(update string, fields url.Values) (preview, result page) {
		t.Helper()
		shown := admin.upload(form, filepath.Join("..", "..", "schedules", "planner", "testdata", "updates", update))
		preview = admin.see(shown)
		at, err := url.Parse(shown)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"file", "name"} {
			fields.Set(name, at.Query().Get(name))
		}
		body := admin.ask(http.MethodGet, shown, "", http.NoBody).Body.String()
		for _, name := range []string{"synchronizer", "preview"} {
			fields.Set(name, hidden(body).Get(name))
		}
		return preview, admin.see(admin.result(admin.send(schedule+"/import/start", fields)))
	}
	_, result := apply("update-1.xer", url.Values{})
	if said := strings.Join(strings.Fields(result.text), " "); !strings.Contains(said, "The file was imported.") ||
		!strings.Contains(said, "New: 4") || !strings.Contains(said, "Deleted: nothing.") {
		t.Errorf("the result of the first import is %s", said)
	}
	preview, result := apply("update-2.xer", url.Values{"baseline": {"true"}})
	before := strings.Join(strings.Fields(preview.text), " ")
	for _, want := range []string{"Nothing has been changed yet", "Changed: ", "Finish now", "+6 d", "Why the finish moves", "Excavate 1.1 Duration +3 d", "Days later", "Take a baseline"} {
		if !strings.Contains(before, want) {
			t.Errorf("the preview of an update has no %q: %s", want, before)
		}
	}
	_, said, _ := strings.Cut(before, "Changed: ")
	said, _, _ = strings.Cut(said, " Finish now")
	if after := strings.Join(strings.Fields(result.text), " "); !strings.Contains(after, said) {
		t.Errorf("the preview says %q, and the result is %s", said, after)
	}
	if p := admin.see(schedule + "/baselines"); !strings.Contains(p.text, "Before update-2.xer") {
		t.Errorf("no baseline was taken before: %s", p.text)
	}
}

func TestAnImportDeletesAsManyTasksAsThePageSaysAndOnlyFromThePlanThatItHasShown(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	admin, _ := seeded(t, "world-j30.json", false)
	into := admin.send("/console/schedules", url.Values{"twinId": {oneTwin(t, admin)}, "name": {"Weekly"}})
	form, _, _ := strings.Cut(into, "?")
	start := form + "/start"
	shown := func(file string) string {
		return admin.upload(form, filepath.Join("..", "..", "schedules", "planner", "testdata", file))
	}
	source := func(page string) string { return admin.ask(http.MethodGet, page, "", http.NoBody).Body.String() }
	first := hidden(source(shown("updates/update-1.xer")))
	admin.see(admin.result(admin.send(start, first)))
	again := admin.ask(http.MethodPost, start, "application/x-www-form-urlencoded", strings.NewReader(first.Encode()))
	if body := again.Body.String(); again.Code != http.StatusOK || !strings.Contains(body, "The plan was changed meanwhile") {
		t.Errorf("the preview of the plan before is applied: %d %s", again.Code, body)
	}
	body := source(shown("p6-5.0-roles-resources.xer"))
	said := regexp.MustCompile(`Delete these ([0-9]+) tasks all the same`).FindStringSubmatch(body)
	if said == nil {
		t.Fatalf("the preview does not say how many tasks go: %s", body)
	}
	fields := hidden(body)
	fields.Set("delete", "true")
	if done := admin.see(admin.result(admin.send(start, fields))); !strings.Contains(
		strings.Join(strings.Fields(done.text), " "), "Deleted: "+said[1]+" tasks",
	) {
		t.Errorf("%s tasks were to be deleted, and the result is %s", said[1], done.text)
	}
}

// oneTwin is the id of a twin that the page of schedules names.
func oneTwin(t *testing.T, b browser) (twin string) {
	t.Helper()
	for _, link := range b.see("/console/schedules").links {
		if _, id, ok := strings.Cut(link, "twinId="); ok {
			twin = id
		}
	}
	return twin
}
