package browser_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// until waits for an expression to become true.
func (b *tab) until(expression string) {
	b.t.Helper()
	waits := fmt.Sprintf(`new Promise((done) => {
		const end = performance.now() + 20000;
		const look = () => (%s) ? done(true) : performance.now() > end ? done(false) : requestAnimationFrame(look);
		look();
	})`, expression)
	if !eval[bool](b, waits) {
		b.t.Errorf("%s: it does not become true: %s", b.address(), expression)
	}
}

func TestAChartIsUsedWithoutLeavingItsPage(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.do(chromedp.EmulateViewport(1280, 900))
	b.visit("/console/schedules/mp-j30-a2-nr1")
	eval[bool](b, "window.stays = true")

	// A bar opens its task, with its links.
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('g[data-row="4"] path').dispatchEvent(new MouseEvent("click", {bubbles: true}))`))
	b.until(`document.querySelector(".drawer h2")`)
	if name := eval[string](b, `document.querySelectorAll(".plan .to")[4].textContent`); !strings.Contains(name, b.text(".drawer h2")) {
		t.Errorf("the drawer shows %q for the bar of %q", b.text(".drawer h2"), name)
	}
	b.until(`document.querySelectorAll(".plan path.chosen[data-from]").length > 0 && document.querySelectorAll(".plan tr.linked").length > 0`)
	b.look("the drawer of a task")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector(".drawer") && !document.querySelector(".plan .chosen")`)

	// Zoom is in place, and the address is that of the view.
	b.do(chromedp.EmulateViewport(1280, 900))
	b.do(chromedp.Evaluate[chromedp.Void](`(() => { const s = document.getElementById("scale"); s.value = "day"; s.dispatchEvent(new Event("change", {bubbles: true})); })()`))
	b.until(`location.search.includes("scale=day") && document.querySelector(".picture").scrollWidth > 2 * document.querySelector(".picture").clientWidth`)

	// Dragging moves the picture.
	at := eval[[]float64](b, `(() => { const r = document.querySelector(".picture").getBoundingClientRect(); return [r.right - 40, r.top + 20]; })()`)
	for _, step := range []struct {
		kind input.DispatchMouseEventType
		x    float64
	}{{input.DispatchMouseEventTypeMousePressed, at[0]}, {input.DispatchMouseEventTypeMouseMoved, at[0] - 120}, {input.DispatchMouseEventTypeMouseReleased, at[0] - 120}} {
		call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: step.kind, X: step.x, Y: at[1], Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1, PointerType: input.DispatchMouseEventPointerTypeMouse,
		})
	}
	b.until(`document.querySelector(".picture").scrollLeft > 100`)

	// Keys go from row to row, show a task and zoom.
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".plan .to").focus()`), chromedp.KeyEvent(kb.ArrowDown))
	b.until(`document.activeElement === document.querySelectorAll(".plan .to")[1]`)
	b.do(chromedp.KeyEvent(" "))
	b.until(`document.querySelector(".drawer h2") === document.activeElement`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`document.activeElement === document.querySelectorAll(".plan .to")[1]`)
	b.do(chromedp.KeyEvent("-"))
	b.until(`location.search.includes("scale=week")`)
	if !eval[bool](b, "window.stays === true") {
		t.Error("the page was left")
	}
	b.do(chromedp.Evaluate[chromedp.Void]("history.back()"))
	b.until(`location.search.includes("scale=day") && window.stays`)
	b.errors("the chart")
}

func TestTasksAreFoldedInPlace(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "small.xml")
	writePlan(t, file, 3, 5)
	b := open(t, serve(t, "-import", file).URL)
	b.visit("/console/schedules/small-xml")
	eval[bool](b, "window.stays = true")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".plan .fold").click()`))
	b.until(`document.querySelectorAll(".plan tbody tr").length === 13 && document.activeElement.matches(".fold")`)
	b.do(chromedp.KeyEvent(kb.ArrowRight))
	b.until(`document.querySelectorAll(".plan tbody tr").length === 18`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".folding a").click()`))
	b.until(`document.querySelectorAll(".plan tbody tr").length === 3 && window.stays`)
	b.look("a folded plan")
}

func TestTheTableOfAChartIsWidenedByKeysAndStaysAsWide(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.do(chromedp.EmulateViewport(1280, 900))
	b.visit("/console/schedules/mp-j30-a2-nr1")
	const wide = `Math.round(document.querySelector(".plan .rows").getBoundingClientRect().width)`
	const line = `document.querySelector(".plan [role=separator]")`
	if tops := eval[int](b, `new Set([...document.querySelectorAll("form.search > .field")].map(e => Math.round(e.getBoundingClientRect().top))).size`); tops != 1 {
		t.Errorf("the filters are in %d rows", tops)
	}
	if said := eval[int](b, `[...document.querySelectorAll("h1, .picture svg text")].filter(e => e.textContent.trim() === document.querySelector("h1").textContent.trim()).length`); said != 1 {
		t.Errorf("the title is there %d times", said)
	}
	before := eval[int](b, wide)
	b.do(chromedp.Evaluate[chromedp.Void](line+`.focus()`), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	b.until(fmt.Sprint(wide, " === ", before+48))
	b.until(line + `.getAttribute("aria-valuenow") === String(` + wide + `)`)
	b.do(chromedp.KeyEvent(kb.ArrowLeft))
	b.until(fmt.Sprint(wide, " === ", before+24))
	b.do(chromedp.Evaluate[chromedp.Void](`(() => { const s = document.getElementById("scale"); s.value = "day"; s.dispatchEvent(new Event("change", {bubbles: true})); })()`))
	b.until(fmt.Sprint(`location.search.includes("scale=day") && `, wide, " === ", before+24))
	b.visit("/console/schedules/mp-j30-a2-nr1")
	b.until(fmt.Sprint(wide, " === ", before+24))
	b.look("a chart whose table is wider")
	const most = `document.querySelector(".plan").clientWidth - 120`
	b.do(chromedp.Evaluate[chromedp.Void](line+`.focus()`), chromedp.KeyEvent(kb.End))
	for _, width := range []int64{800, 1000} {
		b.do(chromedp.EmulateViewport(width, 900))
		b.until(fmt.Sprint("innerWidth === ", width, " && ", wide, " === ", most))
		for _, value := range []string{"aria-valuenow", "aria-valuemax"} {
			b.until(line + `.getAttribute("` + value + `") === String(` + most + `)`)
		}
	}
	b.do(chromedp.EmulateViewport(390, 900))
	b.do(chromedp.Evaluate[chromedp.Void](line+`.focus()`), chromedp.KeyEvent(kb.Home))
	b.until(wide + " === 120")
	b.errors("a narrow chart")
}
