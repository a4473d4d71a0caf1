package browser_test

import (
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// press presses keys as a keyboard does: what a page does on the way down decides whether a
// character is typed.
func (b *tab) press(keys string, modifiers ...chromedp.Modifier) {
	b.t.Helper()
	for _, key := range keys {
		events := kb.Encode(key)
		down, up := *events[0], *events[len(events)-1]
		for _, m := range modifiers {
			down.Modifiers |= int64(m)
			up.Modifiers |= int64(m)
		}
		if len(modifiers) == 0 && len(events) == 3 {
			down.Text = events[1].Text
		}
		call(b, input.DispatchKeyEvent, down)
		call(b, input.DispatchKeyEvent, up)
	}
}

// enter presses Enter, and waits for the page to which that leads.
func (b *tab) enter() {
	b.t.Helper()
	ctx, cancel := b.step()
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		b.t.Fatalf("Enter on %s: %v", b.address(), err)
	}
}

func TestAColleagueGetsReadRights(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.begin()
	b.click(link("Multiproject j30"))
	b.click(link("Share"))
	b.look("the form that shares a twin")
	b.do(chromedp.SendKeys(chromedp.CSS("#email"), "ana@example.com"))
	b.click(button("Share"))
	b.shows("They are invited", "ana@example.com", "Pending")
	b.done("a colleague with read rights")
	b.visit("/console/browse/access-control/twins/" + planTwin + "/roles")
	b.shows("Reader", "schedules_read", "models_read")
}

func TestATaskIsFoundFromTheFirstPageAndItsDurationIsChanged(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.begin()
	b.press("/")
	b.until(`document.activeElement.id === "everything"`)
	b.press("P1-Task 7")
	b.enter()
	b.look("what was found")
	b.click(link("P1-Task 7"))
	b.click(link("Edit"))
	b.do(chromedp.SetValue(chromedp.CSS("#m-plannedDuration"), "3 d"))
	b.click(button("Save"))
	b.shows("The changes were saved", "3 d")
	b.done("a task with another duration")
}

func TestAPageIsReachedByTheKeysOfThePaletteAlone(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.visit("/console/schedules")
	b.press("k", chromedp.ModifierCtrl)
	b.until(`document.querySelector(".palette[open] input") === document.activeElement`)
	b.look("the palette")
	b.press(kb.Escape)
	b.until(`!document.querySelector(".palette[open]")`)
	b.press("k", chromedp.ModifierCtrl)
	b.press("oper")
	b.press(kb.ArrowDown + kb.ArrowUp)
	b.enter()
	if at := b.address().Path; at != "/console/operations" {
		t.Errorf("the palette leads to %s", at)
	}
	b.press("k", chromedp.ModifierCtrl)
	b.press("P1-Task 7")
	b.enter()
	b.shows("P1-Task 7", "6 mp_j30_a2_nr1")

	// What is typed into a field is text, and the key of the search can be turned off.
	b.visit("/console/search")
	b.do(chromedp.Focus(chromedp.CSS("#q")))
	b.press("a/b")
	if typed := eval[string](b, `document.getElementById("q").value`); typed != "a/b" {
		t.Errorf("%q is typed", typed)
	}
	b.press("k", chromedp.ModifierCtrl)
	b.press("turn the key")
	b.press(kb.Enter)
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	b.press("/")
	if at := eval[string](b, "document.activeElement.id"); at == "everything" {
		t.Error("a key that is turned off leads to the search")
	}
	b.errors("the palette")
}

// TestTheOverviewOfTwentyTwinsFitsAPhone holds it to 1,000 pixels.
func TestTheOverviewOfTwentyTwinsFitsAPhone(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	for _, name := range []string{
		"Brücke Süd", "Kai 4", "Étage 7", "Depot", "Plaza Nueva", "Tunnel N-2", "Lager West", "Quai B", "Hall 12", "Mole",
		"Viaduct of the northern ring road", "Silo", "Atrium", "Dock 3", "Gate A", "Ramp", "Stand K", "Pylon 9", "Weir", "Yard",
	} {
		b.api("demo", http.MethodPost, "/twins", `{"class": "Endeavor", "subClass": "Project", "displayName": "`+name+`"}`, http.StatusCreated)
	}
	b.do(chromedp.EmulateViewport(375, 800))
	b.visit("/console/")
	if height := eval[int](b, "document.documentElement.scrollHeight"); height > 1000 {
		t.Errorf("the overview is %d pixels high, want at most 1000", height)
	}
	b.look("the overview of twenty twins")
}
