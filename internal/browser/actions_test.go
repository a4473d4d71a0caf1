package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const plannerFile = "schedules/planner/testdata/mspdi-mp_j30_a2_nr1.xml"

// click clicks what an expression of XPath finds, and waits for the page to which that
// leads.
func (b *tab) click(what string) {
	b.t.Helper()
	b.clicks++
	ctx, cancel := b.step()
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Click(what)); err != nil {
		b.t.Fatalf("clicking %s on %s: %v", what, b.address(), err)
	}
}

// button and link are expressions for what says a text.
func button(text string) string { return fmt.Sprintf(`//button[normalize-space()=%q]`, text) }
func link(text string) string   { return fmt.Sprintf(`//main//a[normalize-space()=%q]`, text) }

func (b *tab) shows(texts ...string) {
	b.t.Helper()
	main := b.text("main")
	for _, text := range texts {
		if !strings.Contains(main, text) {
			b.t.Errorf("%s does not say %q: %.600s", b.address(), text, main)
		}
	}
}

func TestAPlanIsImportedAndItsCriticalPathIsSeen(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	file, err := filepath.Abs(filepath.Join(root, plannerFile))
	if err != nil {
		t.Fatal(err)
	}
	b.visit("/console/schedules")
	b.click(link("Multiproject j30"))
	b.do(chromedp.SendKeys(chromedp.CSS(`input[name="name"]`), "Tower"))
	b.click(button("Create"))
	b.do(chromedp.SetUploadFiles(chromedp.CSS(`input[type="file"]`), []string{file}))
	b.click(button("Show what would change"))
	b.shows("Nothing has been changed yet", "Finish then", "Created", "Tasks", "The new plan")
	b.look("the preview of an import")
	b.click(button("Apply"))
	b.shows("The file was imported")
	b.look("the result of an import")
	b.click(link("Chart"))
	b.shows("P1-Task 1")
	b.do(chromedp.Click(chromedp.CSS(`input[name="critical"]`)))
	b.click(button("Show"))
	rows := eval[int](b, `document.querySelectorAll(".plan tbody tr.critical").length`)
	bars := eval[int](b, `document.querySelectorAll(".plan svg").length`)
	if rows != 20 || bars != 1 {
		t.Errorf("%d critical tasks in %d charts, want 20 as in Microsoft Project", rows, bars)
	}
	b.look("the critical tasks")

	b.click(link("Baselines"))
	b.do(chromedp.SendKeys(chromedp.CSS(`main input[name="name"]`), "As imported"))
	b.click(button("Take a baseline"))
	b.shows("As imported")
	b.click(`//main//a[@aria-label="Compare with As imported"]`)
	b.look("a comparison")
	b.click(link("Quality"))
	b.shows("Relationship")
	b.look("the quality")
	b.click(link("Reschedule"))
	b.look("a rescheduling")
}

func TestATaskIsMovedAndLinkedFromItsPageAndTheMoveIsSetBack(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.visit("/console/schedules/mp-j30-a2-nr1")
	b.do(chromedp.SendKeys(chromedp.CSS(`input[name="search"]`), "P1-Task 7"))
	b.click(button("Show"))
	b.click(`(//main//a[@class="to"])[1]`)
	was := eval[string](b, `document.getElementById("start").value`)
	b.do(chromedp.SetValue(chromedp.CSS("#start"), "2027-03-01T08:00"))
	b.click(button("Show what follows"))
	b.shows("Nothing has been changed yet", "no earlier than 1 Mar 2027 08:00", "Finish then", "What moves the farthest")
	b.look("the preview of a move")
	b.click(button("Apply"))
	b.shows("Saved, and the plan was rescheduled", "starts no earlier than 1 Mar 2027 08:00")
	b.click(`//button[starts-with(normalize-space(), "Undo")]`)
	b.shows("The change was undone")
	if is := eval[string](b, `document.getElementById("start").value`); is != was {
		t.Errorf("the task starts at %s, and did at %s", is, was)
	}
	b.do(chromedp.Click(`//summary[normalize-space()="Add a successor"]`))
	b.do(chromedp.SendKeys(chromedp.CSS("#successor-other"), "P2-Task"))
	b.do(chromedp.SetValue(chromedp.CSS("#successor-lag"), "2"))
	b.click(`//details[summary="Add a successor"]//button`)
	b.shows("Several tasks have this in their names")
	b.look("the form of a link")
	b.click(button("Link"))
	b.shows("is linked", "2 d")
}

func TestAnOperationIsHeldAndFailed(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed, "-test-controls").URL)
	b.visit("/console/operations")
	b.do(chromedp.SetValue(chromedp.CSS(`select[name="kind"]`), "baselines.create"))
	b.click(button("Hold"))
	b.shows("baselines.create are now held")
	b.visit("/console/schedules/mp-j30-a2-nr1/baselines")
	b.do(chromedp.SendKeys(chromedp.CSS(`main input[name="name"]`), "Held"))
	b.click(button("Take a baseline"))
	b.visit("/console/operations")
	b.shows("baselines.create", "Running", "held", "50 %")
	b.look("held operations")
	b.click(link("baselines.create"))
	b.look("a held operation")
	b.do(chromedp.SetValue(chromedp.CSS(`select[name="code"]`), "ScheduleNotInitialized"))
	b.click(button("Fail"))
	b.shows("failed with ScheduleNotInitialized", "Failed")
	b.look("a failed operation")
	b.click(link("Operations"))
	b.shows("ScheduleNotInitialized")
	b.look("operations of a schedule")
}

// writePlan writes a plan with groups of so many tasks each, which follow one another.
func writePlan(t *testing.T, file string, groups, each int) {
	t.Helper()
	start := worktime.Date(2026, time.March, 2, 8, 0, 0)
	p := planner.Plan{Format: planner.MSPDI, Projects: []planner.Project{{ID: "1", Name: "Large", Start: start}}}
	for g := range groups {
		above := fmt.Sprint(1 + g*(each+1))
		p.Tasks = append(p.Tasks, planner.Task{ID: above, Name: "Group " + above, ProjectID: "1", Kind: cpm.Summary})
		for n := range each {
			id := fmt.Sprint(2 + g*(each+1) + n)
			p.Tasks = append(p.Tasks, planner.Task{ID: id, Name: "Task " + id, ProjectID: "1", ParentID: above, Planned: 8 * worktime.Hour, Remaining: 8 * worktime.Hour})
			if n > 0 {
				before := fmt.Sprint(1 + g*(each+1) + n)
				p.Links = append(p.Links, planner.Link{ID: id, PredecessorID: before, SuccessorID: id})
			}
		}
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := planner.Write(f, &p, planner.MSPDI); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestALargePlanPagesAndFolds has 5,000 tasks below 100 others.
func TestALargePlanPagesAndFolds(t *testing.T) {
	t.Parallel()
	const groups, each = 100, 50
	file := filepath.Join(t.TempDir(), "large.xml")
	writePlan(t, file, groups, each)
	b := open(t, serve(t, "-import", file).URL)
	b.visit("/console/schedules/large-xml")
	for _, at := range []struct {
		name    string
		click   string
		inPlace bool
		rows    int
	}{
		{"the first page", "", false, 200},
		{"the next page", link("Next page"), false, 200},
		{"all folded", link("Fold all"), true, groups},
		{"a group unfolded", `(//main//a[starts-with(@aria-label, "Unfold ")])[1]`, true, groups + each},
	} {
		switch {
		case at.inPlace:
			b.do(chromedp.Click(at.click))
			b.until(fmt.Sprintf(`document.querySelectorAll(".plan tbody tr").length === %d`, at.rows))
		case at.click != "":
			b.click(at.click)
		}
		rows := eval[int](b, `document.querySelectorAll(".plan tbody tr").length`)
		nodes := eval[int](b, `document.querySelectorAll("*").length`)
		bytes := eval[int](b, `performance.getEntriesByType("navigation")[0].decodedBodySize`)
		if rows != at.rows || nodes > 20_000 || bytes > 1_000_000 {
			t.Errorf("%s has %d rows, want %d, in %d nodes and %d bytes", at.name, rows, at.rows, nodes, bytes)
		}
		b.errors(at.name)
	}
}

// focus is where the focus is.
type focus struct {
	Place            int // among all elements
	Visible, Outline bool
	What             string
}

// TestTheWayThroughAPageByKeyboardIsThatOfItsText takes steps of the focus and sees where
// they lead.
func TestTheWayThroughAPageByKeyboardIsThatOfItsText(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	for _, at := range []string{"/console/", "/console/schedules", "/console/schedules/mp-j30-a2-nr1"} {
		b.visit(at)
		last := -1
		for step := range 40 {
			b.do(chromedp.KeyEvent(kb.Tab))
			focus := eval[focus](b, `(() => {
				const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
				return {
					Place: Array.from(document.querySelectorAll("*")).indexOf(e), What: e.outerHTML.slice(0, 120),
					Visible: r.width > 0 && r.bottom > 0 && r.right > 0, Outline: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0,
				};
			})()`)
			if focus.What == "" || strings.HasPrefix(focus.What, "<body") {
				break // behind the last one
			}
			if focus.Place <= last || !focus.Visible || !focus.Outline {
				t.Errorf("%s: step %d comes to %+v behind place %d", at, step+1, focus, last)
			}
			last = focus.Place
		}
		b.errors(at)
	}
}

func TestTheFirstStopLeadsToTheContent(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.visit("/console/schedules")
	b.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	if got := eval[string](b, "document.activeElement.id"); got != "main" {
		t.Errorf("the focus is on %q, want main", got)
	}
}

const callers = `[
  {"token": "reader-1", "principal": {"id": "reader", "displayName": "Reader", "accountId": "one", "kind": "User", "scopes": ["twin-platform"]}, "grants": []}
]`

func TestASessionSeesWhatItsTokenMaySeeAndNoOneElseSeesAnything(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "callers.json")
	if err := os.WriteFile(file, []byte(callers), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, serve(t, "-seed", seed, "-tokens", file, "-console", "true").URL)
	outside := func(who string) {
		t.Helper()
		status, _ := b.visit("/console/schedules/mp-j30-a2-nr1")
		if asked := eval[bool](b, `document.querySelector("input[type=password]") !== null`); status != http.StatusUnauthorized || !asked || strings.Contains(b.text("main"), "j30") {
			t.Errorf("%s is answered with %d: %.300s", who, status, b.text("main"))
		}
	}
	outside("who has not signed in")
	sign := func(token string) {
		b.do(chromedp.SetValue(chromedp.CSS(`input[type="password"]`), token))
		b.click(button("Sign in"))
	}
	sign("wrong")
	b.look("the wrong token")
	if text := eval[string](b, "document.body.textContent"); strings.Contains(text, "Reader") {
		t.Error("the wrong token signs someone in")
	}
	sign("reader-1")
	if text := eval[string](b, "document.body.textContent"); !strings.Contains(text, "Reader") {
		t.Errorf("no one is signed in: %.400s", text)
	}
	if status, _ := b.visit("/console/schedules/mp-j30-a2-nr1"); status != http.StatusNotFound && status != http.StatusForbidden {
		t.Errorf("a plan that the caller may not read is answered with %d", status)
	}
	if got := eval[string](b, "document.cookie"); got != "" {
		t.Errorf("scripts see the cookie: %s", got)
	}
	b.click(button("Sign out"))
	outside("who has signed out")
}

// TestLiveRequestsComeUntilTheyArePaused lets the time of the page pass at once.
func TestLiveRequestsComeUntilTheyArePaused(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	ask := func(path string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer demo")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	pass := func(seconds float64) {
		_, err := chromedp.Run(b, chromedp.WaitEvent(emulation.VirtualTimeBudgetExpired, nil, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, emulation.SetVirtualTimePolicy, emulation.SetVirtualTimePolicyParams{
				Policy: emulation.VirtualTimePolicyPauseIfNetworkFetchesPending, Budget: new(seconds * 1000),
			})
			return err
		})))
		if err != nil {
			t.Fatal(err)
		}
	}
	b.visit("/console/requests")
	ask("/schedules/first-seen")
	pass(10)
	seen := []bool{strings.Contains(b.text("main"), "first-seen")}
	b.do(chromedp.Click(button("Pause")))
	ask("/schedules/not-seen")
	pass(30)
	seen = append(seen, strings.Contains(b.text("main"), "not-seen"))
	b.do(chromedp.Click(button("Resume")))
	pass(10)
	seen = append(seen, strings.Contains(b.text("main"), "not-seen"))
	if diff := cmp.Diff([]bool{true, false, true}, seen); diff != "" {
		t.Errorf("seen live, paused and resumed (-want +got)\n%s", diff)
	}
	b.errors("the requests")
}
