package console_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// ask asks the API something, as a program does.
func (w *world) ask(token, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	return rec
}

func (b *visitor) text(target string, status int) string {
	b.w.t.Helper()
	res := b.get(target)
	if res.Code != status {
		b.w.t.Errorf("%s answers %d, want %d", target, res.Code, status)
	}
	return parse(b.w.t, target, res.Body.Bytes()).text
}

func TestRequestIsShownWithWhatNothingReadAndAsCurl(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	w.ask(
		ownerToken, "POST", "/twins?colour=red",
		`{"class": "Thing", "displayNam": "it's", "secret": "hunter2", "n": 12345678901234567890}`,
	)
	b := w.browser()
	text := b.text("/console/requests/1", http.StatusOK)
	for _, want := range []string{
		"422 Unprocessable Entity", "InvalidTwinsRequest", "twins.create", "Unknown: colour displayNam",
		"12345678901234567890", `"secret": "•••"`,
		`curl -s -X POST -H "Authorization: Bearer $TOKEN"`,
		`--data-raw '{"class": "Thing", "displayNam": "it'\''s", "secret": "•••", "n": 12345678901234567890}'`,
		"'http://example.com/twins?colour=•••'",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the request is shown without %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, ownerToken) || strings.Contains(text, "hunter2") {
		t.Errorf("a secret is shown:\n%s", text)
	}
}

func TestRequestsAreFilteredAndOthersAreNotShown(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	w.ask(ownerToken, "GET", "/twins?$top=1", "")
	w.ask(ownerToken, "GET", "/schedules/none", "")
	w.ask(strangerTok, "GET", "/twins?$top=2", "")
	w.ask("", "GET", "/twins?$top=3", "")
	b, stranger := w.browser(), w.browser()
	b.signIn(ownerToken)
	stranger.signIn(strangerTok)
	for _, tt := range []struct {
		who           *visitor
		target        string
		shown, hidden []string
	}{
		{b, "/console/requests", []string{"$top=1", "/schedules/none"}, []string{"$top=2", "$top=3"}},
		{b, "/console/requests?status=4xx", []string{"/schedules/none"}, []string{"$top=1"}},
		{b, "/console/requests?operation=twins.list", []string{"$top=1"}, []string{"/schedules/none"}},
		{stranger, "/console/requests", []string{"$top=2"}, []string{"$top=1", "$top=3", "/schedules/none"}},
	} {
		text := tt.who.text(tt.target, http.StatusOK)
		for _, want := range tt.shown {
			if !strings.Contains(text, want) {
				t.Errorf("%s shows no %s", tt.target, want)
			}
		}
		for _, not := range tt.hidden {
			if strings.Contains(text, not) {
				t.Errorf("%s shows %s", tt.target, not)
			}
		}
	}
	stranger.text("/console/requests/1", http.StatusNotFound)
	stranger.text("/console/requests/4", http.StatusNotFound)
	b.text("/console/requests/4", http.StatusNotFound)
	if res := stranger.post(
		"/console/requests/recording", url.Values{"recording": {"off"}},
	); res.Code != http.StatusForbidden || !w.journal.Recording() {
		t.Errorf("someone who does not operate the server ends the journal: %d", res.Code)
	}
	stranger.post("/console/requests/clear", nil)
	b.text("/console/requests/1", http.StatusOK)
	stranger.text("/console/requests/3", http.StatusNotFound)
	if text := b.text("/console/", http.StatusOK); !strings.Contains(text, "requests, yours 2 requests") {
		t.Errorf("the overview shows others' requests:\n%s", text)
	}
}

func TestJournalIsSwitchedByWhoOperatesTheServer(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	for _, on := range []string{"off", "on"} {
		res := b.post("/console/requests/recording", url.Values{"recording": {on}})
		if res.Code != http.StatusSeeOther || w.journal.Recording() != (on == "on") {
			t.Fatalf("switching it %s answers %d", on, res.Code)
		}
		text := b.text(strings.Replace(res.Header().Get("Location"), "..", "/console", 1), http.StatusOK)
		if !strings.Contains(text, "recorded") {
			t.Errorf("the page does not show that it is %s:\n%s", on, text)
		}
	}
	if text := b.text(
		"/console/requests?notice=Q2FsbCB0aGlzIG51bWJlcg", http.StatusOK,
	); strings.Contains(text, "Call this") {
		t.Error("an address makes the console say what someone wrote")
	}
}

func TestOperationsAreTriedOut(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	text := b.text(
		"/console/try/tasks.list?send=1&path.scheduleId=mp-j30-a2-nr1&query.$top=1&query.colour=red", http.StatusOK,
	)
	if !strings.Contains(text, "200 OK") || !strings.Contains(text, `"tasks": [`) || !strings.Contains(
		text, "/schedules/mp-j30-a2-nr1/tasks?%24top=1'",
	) {
		t.Errorf("listing tasks shows\n%s", text)
	}
	res := b.post(
		"/console/try/twins.create",
		url.Values{"body": {`{"class": "Thing", "displayName": "Made by hand", "number": "17"}`}},
	)
	if text = parse(
		t, "/console/try/twins.create", res.Body.Bytes(),
	).text; res.Code != http.StatusOK || !strings.Contains(text, "201 Created") {
		t.Errorf("making a twin answers %d:\n%s", res.Code, text)
	}
	if !strings.Contains(b.text("/console/", http.StatusOK), "Made by hand") {
		t.Error("the twin is not on the overview")
	}
	if text = b.text("/console/requests", http.StatusOK); !strings.Contains(text, "POST /twins") {
		t.Errorf("what was tried is not among the requests:\n%s", text)
	}
	if strings.Contains(text, "GET /twins?$top=20") {
		t.Error("what pages ask for is among the requests")
	}
	text = b.text("/console/try/tasks.list?send=1", http.StatusOK)
	if !strings.Contains(text, "Which scheduleId?") {
		t.Errorf("a path without a name shows\n%s", text)
	}
	if res := b.post("/console/try/tasks.list", nil); res.Code != http.StatusMethodNotAllowed {
		t.Errorf("a form that changes something sends a GET: %d", res.Code)
	}
	if res := b.get("/console/try/twins.create?send=1&body=%7B%7D"); strings.Contains(res.Body.String(), "id=\"result\"") {
		t.Error("an address makes a twin")
	}
	if res := b.get("/console/try/none"); res.Code != http.StatusNotFound {
		t.Errorf("an operation that is not there answers %d", res.Code)
	}
}

// The example of each body is one that the operation can read.
func TestExamplesOfBodiesAreRead(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	for _, operation := range []string{"S11", "twins.create", "tasks.update", "S1", "forms.create"} {
		body := w.browser().get("/console/try/" + operation).Body.String()
		if !strings.Contains(body, "&#34;") {
			t.Errorf("%s has no example", operation)
		}
	}
}

func TestErrorsOfTheAPIArePagesWithTheirStatus(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	for target, want := range map[string]int{
		"/console/nowhere": 404, "/console/requests/999": 404, "/console/requests/x": 404,
		"/console/assets/x.css": 404,
	} {
		if res := b.get(target); res.Code != want {
			t.Errorf("%s answers %d, want %d", target, res.Code, want)
		}
	}
	if res := b.do("DELETE", "/console/requests", nil); res.Code != http.StatusMethodNotAllowed {
		t.Errorf("a method that is not there answers %d", res.Code)
	}
	if res := b.post(
		"/console/try/twins.create", url.Values{"body": {strings.Repeat("x", 5<<20)}},
	); res.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a form that is too large answers %d", res.Code)
	}
}

// unmet are the forms that only say what is missing: what a program has to upload, or to
// make with its own secret, and what the world does not have, as a group that is no
// member yet.
var unmet = map[string]string{
	"analysisJobs.update":                 "jobId",
	"conversionJobs.update":               "jobId",
	"groupMembers.create":                 "groupId",
	"plannerImports.create":               "fileId",
	"plannerImports.synchronize":          "fileId, synchronizerId",
	"microsoftProjectImports.create":      "fileId",
	"microsoftProjectImports.synchronize": "fileId, synchronizerId",
	"webhooks.update":                     "webhookId",
	"webhooks.replay":                     "webhookId",
	"webhooks.test":                       "webhookId",
}

// bridgeAccount is that of the seed that has every list.
const bridgeAccount = "b0000000-0000-4000-8000-000000000001"

// openBridge opens a world in which someone of the bridge's account, of a kind that may do
// an operation, is signed in.
func openBridge(t *testing.T, o httpapi.Operation) *visitor {
	t.Helper()
	w := open(t, demo)
	caller := principal("11111111-1111-4111-8111-111111111111", bridgeAccount, twinplatform.AccountAdministrator)
	if strings.Contains(o.Permission, "service applications") {
		caller.Kind = twinplatform.Service
	}
	w.tokens[ownerToken] = caller
	// No one is notified that a schedule is still being set up.
	if err := w.platform.Schedules.SetState(t.Context(), "nb-import", schedules.Ready); err != nil {
		t.Fatal(err)
	}
	return w.browser()
}

var (
	formInputs  = regexp.MustCompile(`<input id="[^"]*" name="([^"]*)" value="([^"]*)"`)
	formBody    = regexp.MustCompile(`(?s)<textarea[^>]*name="body"[^>]*>(.*?)</textarea>`)
	formMissing = regexp.MustCompile(`There is nothing yet for: ([^<]*)\.<`)
)

// filledForm is what the form of an operation has in it, nil without a field for a body, and
// what it says is missing.
func (b *visitor) filledForm(target string) (values url.Values, missing string) {
	page := b.get("/console/try/" + target).Body.String()
	body := formBody.FindStringSubmatch(page)
	if body == nil {
		return nil, ""
	}
	values = url.Values{"body": {html.UnescapeString(body[1])}}
	for _, in := range formInputs.FindAllStringSubmatch(page, -1) {
		values.Set(html.UnescapeString(in[1]), html.UnescapeString(in[2]))
	}
	if withNotice := formMissing.FindStringSubmatch(page); withNotice != nil {
		missing = withNotice[1]
	}
	return values, missing
}

// accepted sends a form and complains unless it is answered with success.
func (b *visitor) accepted(t *testing.T, id string, values url.Values) {
	t.Helper()
	text := parse(t, id, b.post("/console/try/"+id, values).Body.Bytes()).text
	if !strings.Contains(text, "Answer 20") {
		t.Errorf("%s with %v:\n%s", id, values, text)
	}
}

// TestFormsAreFilledWithWhatIsAccepted sends the form of each operation that takes a body, as
// it is filled in its own world.
func TestFormsAreFilledWithWhatIsAccepted(t *testing.T) {
	if testing.Short() {
		t.Skip("opens a world for each operation")
	}
	t.Parallel()
	withNotice := make(map[string]string)
	for _, o := range httpapi.Operations() {
		if o.Method == http.MethodGet || o.Method == http.MethodDelete {
			continue
		}
		b := openBridge(t, o)
		values, missing := b.filledForm(o.ID)
		switch {
		case missing != "":
			withNotice[o.ID] = missing
		case values != nil:
			if o.ID == "animationBindings.match" { // the rule of the example binds nothing there, which a preview says
				values.Set("query.dryRun", "true")
			}
			b.accepted(t, o.ID, values)
		}
	}
	if diff := cmp.Diff(unmet, withNotice); diff != "" {
		t.Errorf("what forms say is missing (-want +got):\n%s", diff)
	}
}

func TestFormsAreFilledOnceThereIsWhatTheyAreAbout(t *testing.T) {
	t.Parallel()
	makers := map[string]string{
		"webhooks.update": "webhooks.create", "webhooks.test": "webhooks.create", "groupMembers.create": "groups.create",
		"analysisJobs.update": "analysisJobs.create", "conversionJobs.update": "conversionJobs.create",
	}
	for _, o := range httpapi.Operations() {
		maker, ok := makers[o.ID]
		if !ok {
			continue
		}
		b := openBridge(t, o)
		for _, id := range []string{maker, o.ID} {
			values, missing := b.filledForm(id)
			if missing != "" {
				t.Errorf("%s lacks %s", id, missing)
			}
			b.accepted(t, id, values)
		}
	}
}

// What an address names is what the rest of its form is about, wherever else there is more.
func TestFormsAreFilledAboutWhatTheirAddressNames(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"modelMembers.create?path.modelId=nb-issued": "nb-issued",
		"tasks.create?path.scheduleId=nb-import":     "nb-import",
		"entities3d.create?path.scheduleId=sb-plan":  "sb-plan",
	} {
		id, query, _ := strings.Cut(target, "?")
		b := openBridge(t, httpapi.Operation{})
		values, missing := b.filledForm(target)
		field, _, _ := strings.Cut(query, "=")
		if got := values.Get(field); got != want || missing != "" {
			t.Errorf("%s is about %s and lacks %q", target, got, missing)
		}
		b.accepted(t, id, values)
	}
}
