package console_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestWebhooksAreListedNewestFirstWithTheAgeOfTheirLastAttempt(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	b := w.browser()
	b.signIn(programToken)
	for _, name := range []string{"first", "second", "third"} {
		w.now = w.now.Add(time.Minute)
		if res := b.post(newWebhook, url.Values{
			"where": {"there"}, "callbackUrl": {"https://receiver.example.com/" + name}, "eventTypes": {"twins.twinUpdated.v1"},
			"of": {planTwin}, "active": {"true"},
		}); res.Code >= http.StatusBadRequest {
			t.Fatalf("the form answers %d %s", res.Code, res.Body)
		}
	}
	w.write("PATCH", "/twins/"+planTwin, `{"displayName": "Longer bridge"}`)
	if _, err := w.platform.Webhooks.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(150 * time.Second)
	p := b.text("/console/webhooks", http.StatusOK)
	first, second, third := strings.Index(p, "/first"), strings.Index(p, "/second"), strings.Index(p, "/third")
	if third < 0 || third > second || second > first {
		t.Errorf("they are not listed newest first: %s", p)
	}
	if !strings.Contains(p, "2 min ago") {
		t.Errorf("the list has no age of the last attempts: %s", p)
	}
}

func TestAnEmptyListOfWebhooksHasTheNextStep(t *testing.T) {
	t.Parallel()
	p := open(t, demo).browser().source("/console/webhooks", http.StatusOK)
	for _, want := range []string{"edit/webhooks.create", "curl -s -X POST"} {
		if !strings.Contains(p, want) {
			t.Errorf("it has no %q: %s", want, p)
		}
	}
}

func TestADraftOfAFormDefinitionIsListed(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	form := "/console/edit/formDefinitions.create?m.twinId=" + planTwin
	b.lead(form, b.fill(form, "m.twinId", planTwin, "m.displayName", "Snag list", "m.type", "Issue", "m.status", "Draft"), "Snag list")
}

func TestAFormIsMadeOfADefinitionThatIsChosenByItsName(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	w.write("POST", "/forms/formDefinitions", `{"twinId": "`+planTwin+`", "displayName": "Snag list", "type": "Issue", "status": "Approved"}`)
	list := "/console/browse/forms?twinId=" + planTwin
	form := resolve(t, list, html.UnescapeString(regexp.MustCompile(`[^"]*edit/forms\.create[^"]*`).FindString(b.source(list, http.StatusOK))))
	chosen := regexp.MustCompile(`<option value="([^"]+)"[^>]*>Snag list</option>`).FindStringSubmatch(b.source(form, http.StatusOK))
	if chosen == nil {
		t.Fatalf("the form does not offer the definition: %s", b.source(form, http.StatusOK))
	}
	b.lead(form, b.fill(form, "m.twinId", planTwin, "m.formId", chosen[1], "m.subject", "A crack"), "A crack")
}

func TestASavedViewIsMadeOfTheModelOfItsList(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	form := "/console/edit/models.create?m.twinId=" + planTwin
	b.lead(form, b.fill(form, "m.twinId", planTwin, "m.displayName", "Steel frame"), "Steel frame")
	models := b.source("/console/browse/models?twinId="+planTwin, http.StatusOK)
	id := regexp.MustCompile(`models/([^"/?]+)"[^>]*>Steel frame`).FindStringSubmatch(models)
	if id == nil {
		t.Fatal(models)
	}
	views := b.source("/console/browse/saved-views?modelId="+id[1], http.StatusOK)
	if want := "edit/savedViews.create?m.modelId=" + id[1]; !strings.Contains(views, want) {
		t.Errorf("the list has no link with %s: %s", want, views)
	}
}

func TestLinksAreListedByTheNamesAndDatesOfTheirTasksWithLagsInDays(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	path := "/schedules/" + plan
	w.write("POST", path+"/tasks/batch", `{"batch": [
		{"id": "dig", "name": "Dig the pit", "userDefinedId": "A10", "type": "Work", "plannedStart": "2026-03-02T09:00:00Z", "plannedDuration": 28800},
		{"id": "pour", "name": "Pour", "type": "Work"}]}`)
	w.write("POST", path+"/task-links/batch", `{"batch": [
		{"id": "l", "predecessorId": "dig", "successorId": "pour", "type": "FinishToStart", "lag": 43200}]}`)
	for _, page := range []string{"/console/browse" + path + "/task-links", "/console/browse" + path + "/task-links/l"} {
		p := b.source(page, http.StatusOK)
		for _, want := range []string{"A10 Dig the pit</a>", "2 Mar 2026 09:00 – ", ">Pour</a>", `<span title="12 h">1.5 d</span>`} {
			if !strings.Contains(p, want) {
				t.Errorf("%s has no %q: %s", page, want, p)
			}
		}
	}
}
