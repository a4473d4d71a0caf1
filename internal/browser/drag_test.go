package browser_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// shift is the key as the browser's protocol counts keys that are held.
const shift = 8

// point is a place on the screen.
type point struct{ X, Y float64 }

// barPlace is where the bar of a row of the chart is.
type barPlace struct {
	Middle, Before, Behind point // Before and Behind are where links are drawn from
	Day                    float64
	Start, Name, Task      string
	Other                  string // the name of the task two rows below
}

// bar is the bar of the task with a name, as it is in view.
func (b *tab) bar(name string) barPlace {
	b.t.Helper()
	return eval[barPlace](b, fmt.Sprintf(`(() => {
		const rows = Array.from(document.querySelectorAll(".plan tbody tr"));
		const at = rows.findIndex((row) => row.querySelector(".to").textContent.endsWith(%q));
		rows[at].scrollIntoView({block: "nearest"});
		const g = document.querySelector('g[data-row="' + at + '"]'), [x0, x1] = g.dataset.bar.split(" ").map(Number);
		const picture = document.querySelector(".picture"), svg = g.ownerSVGElement;
		picture.scrollLeft = (x0 + x1 - picture.clientWidth) / 2;
		const left = svg.getBoundingClientRect().left, box = rows[at].getBoundingClientRect(), Y = box.top + box.height / 2;
		const to = rows[at].querySelector(".to");
		return {
			Middle: {X: left + (x0 + x1) / 2, Y}, Before: {X: left + x0 - 7, Y}, Behind: {X: left + x1 + 7, Y},
			Day: Number(svg.dataset.day), Start: g.dataset.start, Name: to.textContent,
			Task: new URL(to.href).pathname.split("/").pop(), Other: rows[at + 2].querySelector(".to").textContent,
		};
	})()`, name))
}

func (b *tab) mouse(kind input.DispatchMouseEventType, at point, keys int64) {
	b.t.Helper()
	p := input.DispatchMouseEventParams{
		Type: kind, X: at.X, Y: at.Y, Modifiers: keys, PointerType: input.DispatchMouseEventPointerTypeMouse,
		Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1,
	}
	if kind == input.DispatchMouseEventTypeMouseReleased {
		p.Buttons = 0
	}
	call(b, input.DispatchMouseEvent, p)
}

// hover moves the mouse without a button.
func (b *tab) hover(at point) {
	b.t.Helper()
	call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseMoved, X: at.X, Y: at.Y, PointerType: input.DispatchMouseEventPointerTypeMouse,
	})
}

// drag presses the mouse at one place and moves it to another, where it is still pressed.
func (b *tab) drag(from, to point, keys int64) {
	b.t.Helper()
	b.mouse(input.DispatchMouseEventTypeMousePressed, from, keys)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, point{(from.X + to.X) / 2, (from.Y + to.Y) / 2}, keys)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, to, keys)
}

func (b *tab) drop(at point, keys int64) {
	b.t.Helper()
	b.mouse(input.DispatchMouseEventTypeMouseReleased, at, keys)
}

// dropped is the query of the page of a task to which a drop has led.
func (b *tab) dropped(task, page string) url.Values {
	b.t.Helper()
	b.until(fmt.Sprintf(`location.pathname.endsWith(%q) && document.querySelector("main h1")`, "/tasks/"+task+page))
	query, err := url.ParseQuery(eval[string](b, "location.search.slice(1)"))
	if err != nil {
		b.t.Fatal(err)
	}
	return query
}

// later is a start that is so much later.
func later(t *testing.T, start string, by time.Duration) string {
	t.Helper()
	const layout = "2006-01-02T15:04"
	at, err := time.Parse(layout, start)
	if err != nil {
		t.Fatal(err)
	}
	return at.Add(by).Format(layout)
}

const days = 24 * time.Hour

func TestABarIsDraggedToAStartWhoseConsequencesAreShownFirst(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	chart := func() barPlace {
		b.visit("/console/schedules/" + plan + "?scale=day")
		b.do(chromedp.EmulateViewport(1280, 900))
		return b.bar("P1-Task 7")
	}
	for name, c := range map[string]struct {
		days float64
		keys int64
		want time.Duration
	}{
		"whole days":         {7.3, 0, 7 * days},
		"back":               {-2.2, 0, -2 * days},
		"hours with Shift":   {2.5, shift, 60 * time.Hour},
		"less than a day":    {0.4, 0, 0},
		"pressed, not moved": {0, 0, 0},
	} {
		bar := chart()
		to := point{bar.Middle.X + c.days*bar.Day, bar.Middle.Y}
		b.drag(bar.Middle, to, c.keys)
		if c.want == 0 {
			b.drop(to, c.keys)
			if at := b.address(); strings.Contains(at.Path, "/move") {
				t.Errorf("%s: it leads to %s", name, at)
			}
			continue
		}
		b.until(`document.querySelector(".ghost rect")`)
		b.drop(to, c.keys)
		if got, want := b.dropped(bar.Task, "/move").Get("start"), later(t, bar.Start, c.want); got != want {
			t.Errorf("%s: the new start is %s, want %s, from %s", name, got, want, bar.Start)
		}
	}
	b.errors("a dragged bar")
	bar := chart()
	to := point{bar.Middle.X + 7*bar.Day, bar.Middle.Y}
	b.drag(bar.Middle, to, 0)
	b.look("a bar that is dragged")
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.KeyEvent(kb.Escape))
	b.drop(to, 0)
	bar = chart()
	to = point{bar.Middle.X + 7*bar.Day, bar.Middle.Y}
	b.drag(bar.Middle, to, 0)
	b.drop(to, 0)
	b.dropped(bar.Task, "/move")
	b.shows("Nothing has been changed yet", "What moves the farthest")
	b.click(button("Apply"))
	b.shows("Saved, and the plan was rescheduled", "starts no earlier than")
}

func TestADragIsCancelledByEscapeAndOpensNothing(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.visit("/console/schedules/" + plan + "?scale=day")
	b.do(chromedp.EmulateViewport(1280, 900))
	bar, before := b.bar("P1-Task 7"), b.address().String()
	to := point{bar.Middle.X + 5*bar.Day, bar.Middle.Y}
	b.drag(bar.Middle, to, 0)
	b.until(`document.querySelector(".ghost") && document.querySelector("#chart.dragging")`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector(".ghost, #chart.dragging")`)
	b.drop(to, 0)
	if eval[bool](b, `new Promise((done) => requestAnimationFrame(() => done(document.querySelector(".drawer") !== null)))`) ||
		b.address().String() != before {
		t.Errorf("the drag that was cancelled leads to %s", b.address())
	}
	// A click still opens the task.
	b.mouse(input.DispatchMouseEventTypeMousePressed, bar.Middle, 0)
	b.drop(bar.Middle, 0)
	b.until(`document.querySelector(".drawer h2")`)
	b.errors("the chart")
}

func TestALinkIsDrawnFromTheEndOrTheBeginningOfABarToAnotherTask(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	for _, c := range []struct {
		from  func(barPlace) point
		kind  string
		label string
	}{
		{func(at barPlace) point { return at.Behind }, "FinishToStart", "Finish to start"},
		{func(at barPlace) point { return at.Before }, "StartToStart", "Start to start"},
	} {
		b.visit("/console/schedules/" + plan + "?scale=day")
		b.do(chromedp.EmulateViewport(1280, 900))
		other := b.bar(b.bar("P1-Task 7").Other)
		bar := b.bar("P1-Task 7") // both are in view
		b.hover(bar.Middle)
		b.until(`document.querySelectorAll(".end").length === 2`)
		to := point{bar.Middle.X, other.Middle.Y}
		b.drag(c.from(bar), to, 0)
		b.until(`document.querySelector(".drawn") && document.querySelectorAll("tr.target").length === 1`)
		b.drop(to, 0)
		query := b.dropped(bar.Task, "/links")
		if query.Get("task") != other.Task || query.Get("type") != c.kind {
			t.Errorf("%s: the drop leads to %v", c.label, query)
		}
		form := eval[string](b, `document.querySelector("#successor-type").selectedOptions[0].textContent + ": " +
			document.querySelector("#which").selectedOptions[0].textContent`)
		if form != c.label+": "+other.Name {
			t.Errorf("the form says %q, want %s with %q", form, c.label, other.Name)
		}
		b.look("the form of a link that was drawn")
		b.click(button("Link"))
		b.shows("is linked")
	}
}

func TestAPictureMovesOnUnderADragThatIsHeldStillAtItsEdge(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.visit("/console/schedules/" + plan + "?scale=day")
	b.do(chromedp.EmulateViewport(1280, 900))
	bar := b.bar("P1-Task 7")
	const left, box = `document.querySelector(".picture").scrollLeft`, `document.querySelector(".picture").getBoundingClientRect()`
	before, edge := eval[float64](b, left), eval[float64](b, box+".left")
	b.drag(bar.Middle, point{edge + 8, bar.Middle.Y}, 0)
	b.until(fmt.Sprint(left, " < ", max(before-60, 1)))
	b.do(chromedp.KeyEvent(kb.Escape))
	b.errors("a chart that moved")
}

func TestALinkLeadsToNoTaskOutsideThePicture(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.visit("/console/schedules/" + plan + "?scale=day")
	b.do(chromedp.EmulateViewport(1280, 900))
	other := b.bar(b.bar("P1-Task 7").Other)
	bar := b.bar("P1-Task 7")
	b.hover(bar.Middle)
	b.until(`document.querySelectorAll(".end").length === 2`)
	table := eval[float64](b, `document.querySelector(".plan .rows").getBoundingClientRect().left`)
	b.drag(bar.Behind, point{bar.Middle.X, other.Middle.Y}, 0)
	b.until(`document.querySelectorAll("tr.target").length === 1`)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, point{table + 20, other.Middle.Y}, 0)
	b.until(`!document.querySelector("tr.target")`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.errors("a link to nowhere")
}

// TestABarIsHeldAndDraggedByTouch does the same on a phone, where a swipe moves the picture.
func TestABarIsHeldAndDraggedByTouch(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	touch := func(kind input.DispatchTouchEventType, at ...point) {
		p := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
		for _, x := range at {
			p.TouchPoints = append(p.TouchPoints, &input.TouchPoint{X: x.X, Y: x.Y})
		}
		call(b, input.DispatchTouchEvent, p)
	}
	start := func() barPlace {
		b.visit("/console/schedules/" + plan + "?scale=day")
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".plan tbody tr")[8].scrollIntoView({block: "center"})`))
		return b.bar("P1-Task 7")
	}
	bar := start()
	touch(input.DispatchTouchEventTypeTouchStart, bar.Middle)
	b.until(`document.querySelector(".ghost") && document.querySelectorAll(".end").length === 2`)
	to := point{bar.Middle.X + 2*bar.Day, bar.Middle.Y}
	touch(input.DispatchTouchEventTypeTouchMove, to)
	touch(input.DispatchTouchEventTypeTouchEnd)
	if got, want := b.dropped(bar.Task, "/move").Get("start"), later(t, bar.Start, 2*days); got != want {
		t.Errorf("the new start is %s, want %s", got, want)
	}
	bar = start()
	touch(input.DispatchTouchEventTypeTouchStart, bar.Middle)
	for x := range 8 {
		touch(input.DispatchTouchEventTypeTouchMove, point{bar.Middle.X - 15*float64(x), bar.Middle.Y})
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
	if at := b.address(); strings.Contains(at.Path, "/move") {
		t.Errorf("a swipe leads to %s", at)
	}
	b.errors("the chart by touch")
}
