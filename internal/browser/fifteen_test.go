package browser_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/seed-933f9a09/twinplatform/internal/browser"
)

// anID is what no one types: ids of the seed, GUIDs and those that the platform chooses.
var anID = regexp.MustCompile(`^(task-\d+|[0-9a-f-]{36}|[0-9a-v]{20})$`)

// types types a text into a field.
func (b *tab) types(selector chromedp.CSS, text string) {
	b.t.Helper()
	if anID.MatchString(text) {
		b.t.Errorf("the id %s is typed on %s", text, b.address())
	}
	b.do(chromedp.SendKeys(selector, text))
}

// find begins a task with the search for everything, which every page has, and opens what is called so.
func (b *tab) find(text string) {
	b.t.Helper()
	b.begin()
	b.types("#everything", text)
	ctx, cancel := b.step()
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		b.t.Fatal(err)
	}
	b.click(link(text))
}

// opens clicks on what opens in place.
func (b *tab) opens(what string) {
	b.t.Helper()
	b.clicks++
	b.do(chromedp.Click(what))
}

// tasks are those of people who plan and build. Each begins at the first page and takes at most mostClicks.
var tasks = []struct {
	name string
	do   func(*tab)
}{
	{"a plan is opened", func(b *tab) {
		b.begin()
		b.click(section("Schedules"))
		b.click(link(planName))
		b.shows("P1-Task 1")
	}},
	{"a task is found", func(b *tab) {
		b.find("P1-Task 7")
		b.shows("Predecessors", "Successors")
	}},
	{"a task is moved, and what follows is seen first", func(b *tab) {
		b.find("P1-Task 7")
		b.do(chromedp.SetValue(chromedp.CSS("#start"), "2027-03-01T09:00"))
		b.click(button("Show what follows"))
		b.shows("Nothing has been changed yet", "What moves the farthest")
		b.click(button("Apply"))
		b.shows("Saved, and the plan was rescheduled")
	}},
	{"the move is undone", func(b *tab) {
		b.find("P1-Task 9")
		b.do(chromedp.SetValue(chromedp.CSS("#start"), "2027-04-05T09:00"))
		b.click(button("Show what follows"))
		b.click(button("Apply"))
		b.click(`//button[starts-with(normalize-space(), "Undo")]`)
		b.shows("The change was undone")
	}},
	{"two tasks are linked by name", func(b *tab) {
		b.find("P1-Task 7")
		b.opens(`//summary[normalize-space()="Add a successor"]`)
		b.types("#successor-other", "P2-Task 30")
		b.click(`//details[summary="Add a successor"]//button`)
		b.shows("is linked")
	}},
	{"an update is imported, and what changes is seen first", func(b *tab) {
		b.find("small.xml")
		b.click(link("Import"))
		b.do(chromedp.SetUploadFiles(chromedp.CSS(`input[type="file"]`), []string{b.update()}))
		b.click(button("Show what would change"))
		b.shows("Nothing has been changed yet", "Finish then", "1 task")
		b.click(button("Apply"))
		b.shows("The file was imported")
	}},
	{"a rescheduling is previewed by names", func(b *tab) {
		b.find(planName)
		b.click(link("Reschedule"))
		b.shows("A preview of the changes. Nothing has been changed yet.", "Finish")
	}},
	{"why the finish moved is seen", func(b *tab) {
		b.find(planName)
		b.click(link("Baselines"))
		b.click(`//main//a[@aria-label="Compare with Contract"]`)
		b.shows("Why the finish moved", "P1-Task 3")
	}},
	{"plan and baseline are compared in the chart", func(b *tab) {
		b.find(planName)
		b.click(link("Baselines"))
		b.click(`//main//a[@aria-label="Draw with Contract"]`)
		if eval[int](b, `document.querySelectorAll(".picture path.b").length`) == 0 {
			b.t.Error("the chart has no bars of the baseline")
		}
	}},
	{"what drives a task is seen", func(b *tab) {
		b.find("P1-Task 32")
		b.shows("Driving path", "Waits by")
	}},
	{"the use of resources is seen", func(b *tab) {
		b.find(planName)
		b.click(link("Progress"))
		b.do(chromedp.SetValue(chromedp.CSS("#view"), "resource-histogram"))
		b.click(button("Show"))
		b.shows("Tower crane", "1 at times beyond", "Over-allocations", "P1-Task 5", "P1-Task 8")
	}},
	{"a file is attached to an issue", func(b *tab) {
		b.find("A crack")
		b.click(link("Attachments"))
		b.do(chromedp.SetUploadFiles(chromedp.CSS(`input[type="file"]`), []string{b.update()}))
		b.click(button("Attach"))
		b.shows("update.xml")
	}},
	{"a plan is played on its model", func(b *tab) {
		b.find(planName)
		b.click(link("4D"))
		b.until(`document.querySelector("#site-words").textContent.includes("195 objects")`)
		b.opens(`//button[normalize-space()="Next change"]`)
	}},
	{"reality data are uploaded", func(b *tab) {
		b.find("Flight")
		b.click(link("Files"))
		b.do(chromedp.SetUploadFiles(chromedp.CSS(fileField), []string{b.update()}))
		b.opens(`//button[normalize-space()="Upload"]`)
		b.until(said + ` === "1 file uploaded."`)
		b.shows("update.xml")
	}},
	{"someone is invited", func(b *tab) {
		b.find("Multiproject j30")
		b.click(link("Share"))
		b.types("#email", "ana@example.com")
		b.click(button("Share"))
		b.shows("They are invited", "ana@example.com")
	}},
	{"a webhook is activated and paused", func(b *tab) {
		b.visit("/console/sign-in")
		b.click(button("Continue as Demo service"))
		b.begin()
		b.click(section("Webhooks"))
		b.click(row("receiver.invalid"))
		b.click(button("Activate"))
		b.shows("The webhook is active")
		b.click(button("Pause"))
		b.shows("The webhook is paused")
	}},
	{"a delivery is sent again", func(b *tab) {
		b.begin()
		b.until(`fetch("webhooks").then((r) => r.text()).then((text) => text.includes("host name"))`)
		b.click(section("Webhooks"))
		b.click(row("receiver.invalid"))
		b.click(`(//main//tbody//th//a)[1]`)
		b.click(button("Redeliver"))
		b.shows("The redelivery was started")
	}},
}

// planName is what the plan of the seed is called.
const planName = "6 mp_j30_a2_nr1"

// update is a file with a later state of the plan that small.xml has.
func (b *tab) update() string {
	b.t.Helper()
	dir := b.t.TempDir()
	was := filepath.Join(dir, "small.xml")
	writePlan(b.t, was, 3, 5)
	text, err := os.ReadFile(was)
	if err != nil {
		b.t.Fatal(err)
	}
	later := bytes.Replace(text, []byte(">Task 3<"), []byte(">Task 3, in winter<"), 1)
	is := filepath.Join(dir, "update.xml")
	if err := os.WriteFile(is, later, 0o600); err != nil || bytes.Equal(text, later) {
		b.t.Fatal("the file has no third task", err)
	}
	return is
}

// TestTasksOfPeopleTakeFewClicksAndNoIDs does them one after the other at one server.
//
//nolint:paralleltest // a task finds what the one before has left
func TestTasksOfPeopleTakeFewClicksAndNoIDs(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "small.xml")
	writePlan(t, file, 3, 5)
	b := open(t, serve(t, "-seed", seed, "-import", file).URL)
	made := b.api("demo", http.MethodPost, "/forms/formDefinitions",
		`{"displayName": "Snag", "twinId": "`+planTwin+`", "type": "Issue", "status": "Approved"}`, http.StatusCreated)
	definition, _ := made["formDefinition"].(map[string]any)["id"].(string)
	b.api("demo", http.MethodPost, "/issues", `{"formId": "`+definition+`", "subject": "A crack"}`, http.StatusCreated)
	b.api("demo", http.MethodPost, "/schedules/"+plan+"/baselines", `{"name": "Contract"}`, http.StatusCreated)
	b.api("demo", http.MethodPatch, "/schedules/"+plan+"/tasks/task-3", `{"plannedDuration": 2592000}`, http.StatusOK)
	b.api("demo", http.MethodPost, "/schedules/"+plan+"/tasks/reschedule", `{"taskIds": []}`, http.StatusAccepted)
	b.api("demo", http.MethodPost, "/reality-management/reality-data",
		`{"twinId": "`+planTwin+`", "displayName": "Flight", "type": "LAS"}`, http.StatusCreated)
	if err := browser.UseCrane(b, b.base); err != nil {
		t.Fatal(err)
	}
	b.failingWebhook()
	for _, task := range tasks {
		t.Run(strings.ReplaceAll(task.name, ",", ""), func(t *testing.T) {
			whole := b.t
			b.t = t
			defer func() { b.t = whole }()
			task.do(b)
			if b.clicks > mostClicks {
				t.Errorf("it takes %d clicks, want at most %d", b.clicks, mostClicks)
			}
			b.errors(task.name)
		})
	}
}
