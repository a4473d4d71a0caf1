package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

func TestOneSearchFindsRecordsOfEveryKind(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Quarry works")
	path := "/schedules/" + plan
	w.write("POST", path+"/tasks/batch", `{"batch": [{"id": "dig", "name": "Dig the Quarry", "userDefinedId": "Q-10", "type": "Work"}, {"id": "pour", "name": "Pour", "type": "Work"}]}`)
	w.write("POST", "/models", `{"twinId": "`+planTwin+`", "displayName": "Quarry model"}`)
	w.write("POST", "/forms/formDefinitions", `{"twinId": "`+planTwin+`", "displayName": "Snag", "type": "Issue", "status": "Approved"}`)
	p := b.source("/console/search?q=QUARRY", http.StatusOK)
	parse(t, "/console/search", []byte(p))
	for _, want := range []string{"<h2>Schedules</h2>", ">Quarry works</a>", "<h2>Tasks</h2>", ">Dig the Quarry</a>", "Q-10", "<h2>Models</h2>", ">Quarry model</a>"} {
		if !strings.Contains(p, want) {
			t.Errorf("the search for a name does not find %q: %s", want, p)
		}
	}
	if strings.Contains(p, ">Pour</a>") {
		t.Errorf("the search finds what does not match: %s", p)
	}
	for find, want := range map[string]string{
		"q-10": ">Dig the Quarry</a>", plan: ">Quarry works</a>", planTwin: `href="browse/twins/` + planTwin + `"`, w.addTask(plan, "more"): "<h2>Operations</h2>",
	} {
		if p := b.source("/console/search?q="+url.QueryEscape(find), http.StatusOK); !strings.Contains(p, want) {
			t.Errorf("the search for %s does not find %q: %s", find, want, p)
		}
	}
}

func TestASearchFindsWhatTheViewerMaySee(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	w.plan("Quarry works")
	b := w.browser()
	b.signIn(strangerTok)
	if p := b.text("/console/search?q=Quarry", http.StatusOK); strings.Contains(p, "Quarry works") || !strings.Contains(p, "Nothing that you may see") {
		t.Errorf("a stranger finds %s", p)
	}
	b = w.browser()
	b.signIn(ownerToken)
	for _, find := range []string{"", "x", "<script>", "../..", "..", "a%2Fb", strings.Repeat("long", 100)} {
		target := "/console/search?q=" + url.QueryEscape(find)
		parse(t, target, b.get(target).Body.Bytes())
	}
	if p := b.source("/console/search?q=Quarry&twinId="+planTwin, http.StatusOK); !strings.Contains(p, ">Quarry works</a>") || !strings.Contains(p, `selected=""`) {
		t.Errorf("in its twin the schedule is not found: %s", p)
	}
}

func TestEveryPageHasTheSearch(t *testing.T) {
	t.Parallel()
	b := open(t, demo).browser()
	for _, target := range []string{"/console/", "/console/webhooks", "/console/search?q=bridge"} {
		if p := b.source(target, http.StatusOK); !strings.Contains(p, `id="everything"`) {
			t.Errorf("%s has no search", target)
		}
	}
	if p := b.w.browser().get("/console/sign-in").Body.String(); strings.Contains(p, `id="everything"`) && !strings.Contains(p, "Signed in as") {
		t.Error("the page to sign in has the search")
	}
}

func TestASearchLooksIntoTheTwinsThatHavePlansHoweverManyThereAre(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	for i := range 30 {
		w.write("POST", "/twins", fmt.Sprintf(`{"class": "Thing", "displayName": "Pump house %d", "number": "PH-%d"}`, i, i))
	}
	made := w.ask(ownerToken, "POST", "/twins", `{"class": "Endeavor", "displayName": "Zone works", "number": "Z-1"}`)
	var body struct{ Twin struct{ ID string } }
	if err := json.Unmarshal(made.Body.Bytes(), &body); err != nil || made.Code != http.StatusCreated {
		t.Fatal(made.Code, made.Body, err)
	}
	for _, name := range []string{"Older", "Newer"} {
		w.now = w.now.Add(time.Minute)
		made = w.ask(ownerToken, "POST", "/schedules", `{"twinId": "`+body.Twin.ID+`", "name": "`+name+`"}`)
		var plan struct{ Schedule struct{ ID string } }
		if err := json.Unmarshal(made.Body.Bytes(), &plan); err != nil || made.Code != http.StatusCreated {
			t.Fatal(made.Code, made.Body, err)
		}
		w.write("POST", "/schedules/"+plan.Schedule.ID+"/tasks/batch", `{"batch": [{"name": "Concrete zone 18", "type": "Work"}]}`)
	}
	p := packed(w.browser().source("/console/search?q=concrete+zone+18", http.StatusOK))
	newer, older := strings.Index(p, "<td>Newer</td>"), strings.Index(p, "<td>Older</td>")
	if newer < 0 || older < newer {
		t.Errorf("the tasks of the plans, the one that was changed last first, are at %d and %d: %s", newer, older, p)
	}
	if strings.Contains(p, "not searched") {
		t.Errorf("it says that something was not searched: %s", p)
	}
}

func TestASearchNamesThePlansThatItDidNotLookInto(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	w := open(t, demo)
	for i := range 205 {
		w.plan(fmt.Sprintf("Works %d", i))
	}
	p := w.browser().source("/console/search?q=concrete", http.StatusOK)
	if !strings.Contains(p, "schedules were not searched: Works") {
		t.Errorf("it does not say what was not searched: %s", p)
	}
}
