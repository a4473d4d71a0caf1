package console_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/console"
)

// commandOf is the command that a page shows, with the text of its document decoded.
var commandOf = regexp.MustCompile(`curl -s -X POST -H "Authorization: Bearer \$TOKEN" .*`)

// runs sends what a command of a page would, with the token of the owner.
func (w *world) runs(command string) *httptest.ResponseRecorder {
	w.t.Helper()
	_, rest, _ := strings.Cut(command, "--data-raw ")
	body, address, _ := strings.Cut(rest, ` \ `)
	body = strings.ReplaceAll(strings.Trim(strings.TrimSpace(body), "'"), `'\''`, "'")
	address, _, _ = strings.Cut(strings.TrimSpace(address), " ")
	target, ok := strings.CutPrefix(strings.Trim(address, "'"), "http://localhost:4790")
	if !ok || body == "" {
		w.t.Fatalf("the command is %s", command)
	}
	return w.ask(ownerToken, "POST", target, body)
}

// twin makes one that holds nothing.
func (w *world) twin(name string) (id string) {
	w.t.Helper()
	made := w.ask(ownerToken, "POST", "/twins", `{"class": "Thing", "displayName": "`+name+`", "number": "`+name+`"}`)
	found := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(made.Body.String())
	if made.Code != http.StatusCreated || found == nil {
		w.t.Fatalf("making a twin answers %d %s", made.Code, made.Body)
	}
	return found[1]
}

func TestAnEmptyListLeadsToTheFormThatAddsToItAndShowsACommandThatWorks(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	twin := w.twin("Annexe")
	for _, list := range []string{
		"/console/browse/schedules/" + plan + "/tasks", "/console/browse/schedules/" + plan + "/resources",
		"/console/browse/forms/formDefinitions?twinId=" + twin, "/console/browse/models?twinId=" + twin,
	} {
		text := b.text(list, http.StatusOK)
		command := commandOf.FindString(text)
		p := parse(t, list, b.get(list).Body.Bytes())
		if !strings.Contains(strings.Join(p.links, " "), "/edit/") {
			t.Errorf("%s leads to no form: %q", list, p.links)
		}
		if command == "" {
			t.Errorf("%s shows no command: %s", list, text)
			continue
		}
		if res := w.runs(command); res.Code != http.StatusCreated && res.Code != http.StatusAccepted {
			t.Errorf("the command of %s is answered %d %s: %s", list, res.Code, res.Body, command)
		}
	}
}

func TestAnEmptyListNamesWhatHasToBeThereFirst(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	for list, needs := range map[string]string{
		"/console/browse/schedules/" + w.plan("Works") + "/task-links": "There is nothing yet for: ",
		"/console/browse/forms?twinId=" + w.twin("Annexe"):             "There is nothing yet for: formId.",
	} {
		if text := w.browser().text(list, http.StatusOK); commandOf.MatchString(text) || !strings.Contains(text, needs) {
			t.Errorf("%s does not say what has to be there first: %s", list, text)
		}
	}
}

func TestAListInWhichNothingWasFoundHasNoNextStep(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	text := w.browser().text("/console/browse/twins?$search=nothing+of+this+name", http.StatusOK)
	if !strings.Contains(text, "Nothing matches.") || commandOf.MatchString(text) {
		t.Errorf("the list is %s", text)
	}
}

func TestAnEmptyListOfAReadOnlyConsoleHasNoNextStep(t *testing.T) {
	t.Parallel()
	w := open(t, func(cfg *console.Config) {
		demo(cfg)
		cfg.ReadOnly = true
	})
	text := w.browser().text("/console/browse/schedules/"+w.plan("Works")+"/tasks", http.StatusOK)
	if !strings.Contains(text, "There are no tasks.") || commandOf.MatchString(text) {
		t.Errorf("the list is %s", text)
	}
}
