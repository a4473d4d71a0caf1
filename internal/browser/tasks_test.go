package browser_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Ten tasks of people who work with a server. Each begins at the first page of the console
// and takes at most mostClicks, besides typing.
const mostClicks = 4

const (
	plan     = "mp-j30-a2-nr1"
	planTwin = "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"
)

// begin opens the first page, from which the clicks of a task are counted.
func (b *tab) begin() {
	b.t.Helper()
	b.visit("/console/")
	b.clicks = 0
}

// done ends a task: it has taken few clicks, and no page on its way complained.
func (b *tab) done(what string) {
	b.t.Helper()
	if b.clicks > mostClicks {
		b.t.Errorf("%s takes %d clicks, want at most %d", what, b.clicks, mostClicks)
	}
	b.look(what)
}

// section is an entry of the navigation.
func section(name string) string {
	return fmt.Sprintf(`//nav[@aria-label="Console"]//a[normalize-space()=%q]`, name)
}

// row is the first link of a row of a table that says a text.
func row(text string) string {
	return fmt.Sprintf(`(//main//tbody/tr[contains(., %q)]//a)[1]`, text)
}

// api sends a request as one of the demo's callers.
func (b *tab) api(token, method, path, body string, want int) map[string]any {
	b.t.Helper()
	return b.apiAt(b.base, token, method, path, body, want)
}

// apiAt is api at another server than that of the page.
func (b *tab) apiAt(server, token, method, path, body string, want int) map[string]any {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, server+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || res.StatusCode != want {
		b.t.Fatalf("%s %s answers %d %v, %v", method, path, res.StatusCode, answer, err)
	}
	return answer
}

// failingWebhook makes a webhook whose deliveries fail, and one of them.
func (b *tab) failingWebhook() {
	b.t.Helper()
	made := b.api("demo-service", http.MethodPost, "/webhooks", `{
		"callbackUrl": "https://receiver.invalid/events", "eventTypes": ["twins.twinCreated.v1"], "scope": "Account",
		"scopeId": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "secret": "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"
	}`, http.StatusAccepted)
	b.api("demo-service", http.MethodPost, fmt.Sprintf("/webhooks/%s/test", made["id"]), "", http.StatusAccepted)
}

func TestWhyAWebhookFailsIsSeenAndItIsRedelivered(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.failingWebhook()
	b.visit("/console/sign-in")
	b.click(button("Continue as Demo service"))
	b.begin()
	b.until(`fetch("webhooks").then((r) => r.text()).then((text) => text.includes("host name"))`)
	b.click(section("Webhooks"))
	b.shows("https://receiver.invalid/events", "The host name was not found")
	b.click(row("receiver.invalid"))
	b.click(`(//main//tbody//th//a)[1]`)
	b.shows("The host name was not found", "no answer")
	b.click(button("Redeliver"))
	b.shows("The redelivery was started")
	b.done("why a webhook fails")
}

func TestTheLastRequestOfAClientIsSeenWithItsRefusal(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.api("demo", http.MethodPost, "/access-control/twins/"+planTwin+"/roles",
		`{"displayName": "", "permisions": ["schedules_read"]}`, http.StatusUnprocessableEntity)
	b.begin()
	b.click(section("Requests"))
	b.click(row("/roles"))
	b.shows("422", "permisions", "displayName", "curl")
	b.done("the last request of a client")
}

func TestAPlanIsImportedIntoAScheduleAndItsCriticalPathIsSeen(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.api("demo", http.MethodPost, "/schedules", `{"name": "Étage 7", "twinId": "`+planTwin+`"}`,
		http.StatusCreated)
	file, err := filepath.Abs(filepath.Join(root, plannerFile))
	if err != nil {
		t.Fatal(err)
	}
	b.begin()
	b.click(section("Schedules"))
	b.click(link("Étage 7"))
	b.do(chromedp.SetUploadFiles(chromedp.CSS(`input[type="file"]`), []string{file}))
	b.click(button("Show what would change"))
	b.shows("Nothing has been changed yet")
	b.click(button("Apply"))
	b.shows("The file was imported")
	b.visit(eval[string](b, `document.evaluate('//main//a[normalize-space()="Chart"]', document).iterateNext().pathname`))
	if n := eval[int](b, `document.querySelectorAll(".plan tbody tr.critical").length`); n != 20 {
		t.Errorf("%d tasks are shown as critical, want 20", n)
	}
	b.done("an imported plan")
}

func TestAScheduleIsComparedWithABaseline(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.visit("/console/schedules/" + plan + "/baselines")
	b.clicks = 0
	b.do(chromedp.SendKeys(chromedp.CSS(`main input[name="name"]`), "Q3"))
	b.click(button("Take a baseline"))
	b.click(`//main//a[@aria-label="Compare with Q3"]`)
	b.shows("Compared with Q3", "0 changed", "All tasks are unchanged")
	b.done("a comparison with a baseline")
}

func TestWhatMovedIsSeenAndWhy(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.visit("/console/schedules/" + plan + "/baselines")
	b.do(chromedp.SendKeys(chromedp.CSS(`main input[name="name"]`), "Q4"))
	b.click(button("Take a baseline"))
	b.api("demo", http.MethodPatch, "/schedules/"+plan+"/tasks/task-3", `{"plannedDuration": 2592000}`, http.StatusOK)
	b.api("demo", http.MethodPost, "/schedules/"+plan+"/tasks/reschedule", `{"taskIds": []}`, http.StatusAccepted)
	b.begin()
	b.click(section("Schedules"))
	b.click(link("6 mp_j30_a2_nr1"))
	b.click(link("Baselines"))
	b.click(`//main//a[@aria-label="Compare with Q4"]`)
	b.shows("Why the finish moved", "Duration", "P1-Task 3")
	b.done("what moved and why")
}

func TestAFormIsMade(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	made := b.api("demo", http.MethodPost, "/forms/formDefinitions",
		`{"displayName": "Constat", "twinId": "`+planTwin+`", "type": "Issue", "status": "Approved"}`, http.StatusCreated)
	definition, _ := made["formDefinition"].(map[string]any)["id"].(string)
	b.begin()
	b.click(section("Forms"))
	b.click(link("Multiproject j30"))
	b.click(link("New"))
	b.do(chromedp.SendKeys(chromedp.CSS("#m-subject"), "Fissure au mur est"),
		chromedp.SetValue(chromedp.CSS("#m-formId"), definition))
	b.click(button("Create"))
	b.shows("It was created")
	b.done("a new form")
}

func TestAHeldOperationIsReleased(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed, "-test-controls").URL)
	b.visit("/console/operations")
	b.do(chromedp.SetValue(chromedp.CSS(`select[name="kind"]`), "baselines.create"))
	b.click(button("Hold"))
	b.visit("/console/schedules/" + plan + "/baselines")
	b.do(chromedp.SendKeys(chromedp.CSS(`main input[name="name"]`), "Held"))
	b.click(button("Take a baseline"))
	b.begin()
	b.click(section("Operations"))
	b.click(link("baselines.create"))
	b.click(button("Release"))
	b.shows("Succeeded")
	b.done("a held operation")
}

func TestATwinIsDeletedAndIsGone(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.api("demo", http.MethodPost, "/twins", `{"class": "Endeavor", "subClass": "Project", "displayName": "Brücke Süd", "number": "B-7"}`, http.StatusCreated)
	b.begin()
	b.click(section("Twins"))
	b.click(link("Brücke Süd"))
	b.click(link("Delete"))
	b.shows("cannot be undone")
	b.click(button("Delete"))
	if main := b.text("main"); strings.Contains(main, "Brücke Süd") {
		t.Errorf("the twin is still shown: %.400s", main)
	}
	b.done("the list without the twin")
}

func TestPagesOfLargePlansAreForEverybody(t *testing.T) {
	t.Parallel()
	for _, groups := range []int{20, 200} {
		t.Run(fmt.Sprint(groups*100, " tasks"), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "plan.xml")
			writePlan(t, file, groups, 99)
			b := open(t, serve(t, "-import", file).URL)
			for _, page := range []string{"", "?levels=1", "/baselines", "/quality", "/progress", "/reschedule"} {
				b.visit("/console/schedules/plan-xml" + page)
				b.look(page)
			}
		})
	}
}
