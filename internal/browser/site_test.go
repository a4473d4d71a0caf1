package browser_test

import (
	"bytes"
	"encoding/base64"
	le "encoding/binary"
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// paints are the colours of the objects of a site while their tasks are under way and later: hues that no other thing in
// the picture has.
var paints = []string{"#ff0000", "#00ff00", "#0000ff", "#ffff00", "#00ffff", "#ff00ff"}

const siteDay = "2026-03-%02dT%02d:00:00Z"

// site makes a schedule whose tasks a row of objects shows, each in a colour of its own, and opens its page.
func (b *tab) site() {
	b.t.Helper()
	want := http.StatusCreated
	post := func(path string, body any) {
		b.t.Helper()
		text, err := json.Marshal(body)
		if err != nil {
			b.t.Fatal(err)
		}
		b.api("demo", http.MethodPost, path, string(text), want)
	}
	type m = map[string]any
	post("/schedules", m{"id": "site", "name": "Site", "twinId": planTwin, "modelId": "site"})
	post("/models", m{"id": "site", "displayName": "Row", "twinId": planTwin})
	var elements []m
	for i := range paints {
		low := m{"x": 4e5 + float64(4*i), "y": 5e6, "z": 0}
		elements = append(elements, m{
			"id": fmt.Sprint("wall", i), "class": "Wall", "category": "Walls", "code": fmt.Sprint("W", i), "parentId": nil,
			"boundingBox": m{"low": low, "high": m{"x": low["x"].(float64) + 3, "y": 5e6 + 3, "z": 6}},
		})
	}
	post("/models/site/changesets", m{"id": "one", "description": "a row", "inserted": elements})
	want = http.StatusAccepted
	for i := range paints { // two days each, a day apart
		post("/schedules/site/tasks", m{
			"id": fmt.Sprint("t", i), "name": fmt.Sprint("Build ", i), "userDefinedId": fmt.Sprint("A", i), "type": "Work",
			"plannedStart": fmt.Sprintf(siteDay, 2+i, 8), "plannedDuration": 2 * 8 * 3600,
		})
	}
	want = http.StatusCreated
	for range 1000 {
		if made := b.api("demo", http.MethodGet, "/schedules/site/tasks", "", http.StatusOK); len(made["tasks"].([]any)) == len(paints) {
			break
		}
	}
	for i, color := range paints { // the fourth is taken down by its task
		id := fmt.Sprint("t", i)
		still := m{"color": color, "transparency": 0}
		profile := m{"id": "p" + id, "name": "Build " + color, "action": "Install", "startAppearance": still, "endAppearance": still, "activeAppearance": m{
			"color": color, "growthSimulation": m{"mode": "BottomTop"},
		}}
		if i == 3 {
			profile["action"] = "Remove"
			profile["activeAppearance"] = m{"color": color, "startTransparency": 10, "finishTransparency": 90}
		}
		want = http.StatusAccepted
		post("/schedules/site/appearance-profiles", profile)
		want = http.StatusCreated
		post("/schedules/site/animation-bindings", m{"animatedEntityId": fmt.Sprint("wall", i), "taskId": id, "appearanceProfileId": "p" + id})
	}
	b.visit("/console/schedules/site/4d")
	b.until(`document.querySelector("#site-words")?.textContent.includes("object")`)
	b.t.Logf("the first picture is there after at most %.0f ms", eval[float64](b, "performance.now()"))
}

// at moves the page to a time, and returns what it says.
func (b *tab) at(moment time.Time) string {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
		const s = document.getElementById("site-time");
		s.value = %d;
		s.dispatchEvent(new Event("input", {bubbles: true}));
	})()`, moment.UnixMilli())))
	return b.text("#site-words")
}

// seen counts the pixels of the picture in the hue of each of the colours.
func (b *tab) seen() (counts [6]int) {
	b.t.Helper()
	eval[bool](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	shot, err := png.Decode(bytes.NewReader(ask(b, chromedp.Screenshot("#site canvas"))))
	if err != nil {
		b.t.Fatal(err)
	}
	for y := shot.Bounds().Min.Y; y < shot.Bounds().Max.Y; y++ {
		for x := shot.Bounds().Min.X; x < shot.Bounds().Max.X; x++ {
			r, g, bl, _ := shot.At(x, y).RGBA()
			code := 0
			for k, v := range [3]uint32{r, g, bl} {
				if v > 0x6000 {
					code |= 1 << k
				} else if v > 0x4000 {
					code |= 8
				}
			}
			if i := map[int]int{1: 1, 2: 2, 4: 3, 3: 4, 6: 5, 5: 6}[code]; i > 0 {
				counts[i-1]++
			}
		}
	}
	return counts
}

func TestTheSiteIsSeenAsTheAPISaysItIs(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.do(chromedp.EmulateViewport(1280, 900))
	b.site()
	moments := []string{"2026-03-10T12:00:00Z", "2026-03-02T06:00:00Z", "2026-03-04T12:00:00Z", "2026-03-07T12:00:00Z"}
	var built [6]int // at the first of the moments, when nothing grows any more
	for i, moment := range moments {
		at, err := time.Parse(time.RFC3339, moment)
		if err != nil {
			t.Fatal(err)
		}
		words := b.at(at)
		if want := at.Format("Mon 2 Jan 2006 15:04") + ": "; !strings.HasPrefix(words, want) {
			t.Errorf("the page says %q, want it of %q", words, want)
		}
		counts := b.seen()
		if i == 0 {
			built = counts
		}
		b.compare(moment, counts, built)
	}
	b.errors("the site")
}

// compare holds how many pixels of each colour the picture has to the states at a time.
func (b *tab) compare(moment string, counts, built [6]int) {
	b.t.Helper()
	states := b.api("demo", http.MethodGet, "/schedules/site/animation-state?modelId=site&time="+moment, "", http.StatusOK)
	for _, v := range states["animationStates"].([]any) {
		o := v.(map[string]any)
		i := int(o["animatedEntityId"].(string)[4] - '0')
		growth, _ := o["growth"].(map[string]any)
		share := 1.0
		if growth != nil {
			share = growth["share"].(float64)
		}
		switch n := counts[i]; {
		case o["isPresent"] == false:
			if n > 0 {
				b.t.Errorf("%s: %s is not there, and has %d pixels", moment, paints[i], n)
			}
		case o["transparency"].(float64) > 0: // its colour is mixed with what is behind it
		case n < 500 || share == 1 && n < built[i]/2:
			b.t.Errorf("%s: %s is there (%v), and has %d pixels", moment, paints[i], share, n)
		case share < 0.5 && n > built[i]*3/4:
			b.t.Errorf("%s: of %s the share %v is there, and it has %d pixels of %d", moment, paints[i], share, n, built[i])
		}
	}
	b.t.Log(moment, counts)
}

func TestTheSiteIsPlayedAndAskedByMouseKeysAndFingers(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.do(chromedp.EmulateViewport(1280, 900))
	b.site()
	b.at(time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC))

	// A click on an object shows its task, a click on the task its objects.
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('[data-do="top"]').click()`))
	b.seen()
	const middle = `(() => { const r = document.querySelector("#site canvas").getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`
	center := eval[[]float64](b, middle)
	found, at := "", 0.0
	for dx := -120.0; dx <= 120 && found == ""; dx += 15 {
		at = dx
		b.clickAt(center[0]+dx, center[1])
		if title := b.text("#site-chosen"); strings.HasPrefix(title, "W") {
			found = title
		}
	}
	if found == "" || !strings.Contains(found, "stands") {
		t.Fatalf("no click chooses an object that stands: %q", found)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#site-of button").click()`))
	if title, list := b.text("#site-chosen"), b.text("#site-of"); title[1] != found[1] || !strings.HasPrefix(list, found[:2]) {
		t.Errorf("the task of %q is %q, whose objects are %q", found, title, list)
	}
	if href := eval[string](b, `document.getElementById("site-page").getAttribute("href")`); !strings.HasSuffix(href, "/tasks/t"+found[1:2]) {
		t.Errorf("the page of the task is %q", href)
	}

	// A click with the right button chooses nothing.
	for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: center[0] + at, Y: center[1], Button: input.MouseButtonRight, Buttons: 2, ClickCount: 1, PointerType: input.DispatchMouseEventPointerTypeMouse,
		})
	}
	if got := b.text("#site-chosen"); !strings.HasPrefix(got, "A") {
		t.Errorf("the right button chooses %q", got)
	}

	// Keys: the time by days and weeks, the picture turned, played and paused, nothing chosen.
	slider := func(keys string) string {
		b.do(chromedp.Focus("#site-time"), chromedp.KeyEvent(keys))
		return b.text("#site-date")
	}
	for keys, want := range map[string]string{kb.ArrowLeft: "Wed 4 Mar", kb.ArrowRight: "Fri 6 Mar", kb.PageDown: "Mon 2 Mar"} {
		b.at(time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC))
		if got := slider(keys); !strings.HasPrefix(got, want) {
			t.Errorf("a key leads to %q, want %q", got, want)
		}
	}
	before := ask(b, chromedp.Screenshot("#site canvas"))
	b.do(chromedp.Focus("#site canvas"), chromedp.KeyEvent(kb.ArrowLeft))
	b.seen()
	if bytes.Equal(before, ask(b, chromedp.Screenshot("#site canvas"))) {
		t.Error("the arrow keys do not turn the picture")
	}
	b.at(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC))
	b.do(chromedp.Focus("#site canvas"), chromedp.KeyEvent(" "))
	b.until(`document.querySelector('[data-do="play"]').textContent === "Pause" && !document.getElementById("site-date").textContent.startsWith("Mon 2 Mar")`)
	b.do(chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.Escape))
	b.until(`document.querySelector('[data-do="play"]').textContent === "Play" && document.getElementById("site-chosen").textContent === "Nothing is chosen"`)

	// The wheel scrolls the page until the picture has the focus.
	wheel := eval[[]bool](b, `(() => {
		const c = document.querySelector("#site canvas"), turned = (o) => !c.dispatchEvent(new WheelEvent("wheel", {deltaY: 1, cancelable: true, ...o}));
		c.blur();
		const taken = [turned({}), turned({ctrlKey: true})];
		c.focus();
		return [...taken, turned({})];
	})()`)
	if !slices.Equal(wheel, []bool{false, true, true}) {
		t.Errorf("the picture takes the wheel without focus, with Ctrl and with focus: %v", wheel)
	}
	b.until(`document.getElementById("site-said").textContent === document.getElementById("site-words").textContent`)

	// The next change is that of a task; the address has the time.
	b.at(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC))
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('[data-do="+task"]').click()`))
	if got := b.text("#site-date"); got != "Mon 2 Mar 2026 08:00" {
		t.Errorf("the next change is at %q", got)
	}
	b.until(`location.hash === "#2026-03-02T08:00"`)

	// A finger turns the picture.
	before = ask(b, chromedp.Screenshot("#site canvas"))
	center = eval[[]float64](b, middle)
	for i, kind := range []input.DispatchTouchEventType{input.DispatchTouchEventTypeTouchStart, input.DispatchTouchEventTypeTouchMove, input.DispatchTouchEventTypeTouchEnd} {
		points := []*input.TouchPoint{{X: center[0] + float64(60*i), Y: center[1]}}
		if i == 2 {
			points = []*input.TouchPoint{}
		}
		call(b, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
	}
	b.seen()
	if bytes.Equal(before, ask(b, chromedp.Screenshot("#site canvas"))) {
		t.Error("a finger does not turn the picture")
	}
	b.do(chromedp.Evaluate[chromedp.Void](`(() => { const f = document.getElementById("site-find"); f.value = "A4"; f.dispatchEvent(new Event("input", {bubbles: true})); })()`))
	if got := b.text("#site-found"); !strings.HasPrefix(got, "A4 Build 4") {
		t.Errorf("A4 is found as %q", got)
	}
	b.look("the site")
	b.visit("/console/schedules/site/4d?against=Actual")
	b.until(`document.querySelector("#site-words")?.textContent.includes("Actual")`)
	b.look("the site next to what was done")
	b.visit("/console/schedules/site/4d/match?entityKey=Code&taskKey=Code&kind=Exact&profile=new")
	b.look("the page that matches")
}

// clickAt clicks with the mouse.
func (b *tab) clickAt(x, y float64) {
	b.t.Helper()
	for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		call(b, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1, PointerType: input.DispatchMouseEventPointerTypeMouse,
		})
	}
}

// TestTheShapesOfAModelAreDrawn imports a flat red triangle into a model: its box alone would be seen in another colour.
func TestTheShapesOfAModelAreDrawn(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	b.do(chromedp.EmulateViewport(1280, 900))
	var data bytes.Buffer
	_ = le.Write(&data, le.LittleEndian, []float32{0, 0, 0, 10, 0, 0, 0, 10, 0})
	_ = le.Write(&data, le.LittleEndian, []uint16{0, 1, 2, 0})
	file := fmt.Sprintf(`{
		"asset": {"version": "2.0"}, "buffers": [{"byteLength": 44, "uri": "data:application/octet-stream;base64,%s"}],
		"bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
		"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [10, 10, 0]},
			{"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
		"materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
		"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
		"nodes": [{"name": "Gable", "mesh": 0, "extras": {"id": "gable"}}], "scenes": [{"nodes": [0]}], "scene": 0
	}`, base64.StdEncoding.EncodeToString(data.Bytes()))
	b.api("demo", http.MethodPost, "/models", `{"id": "gable", "displayName": "Gable", "twinId": "`+planTwin+`"}`, http.StatusCreated)
	b.api("demo", http.MethodPost, "/models/gable/gltf", file, http.StatusCreated)
	b.api("demo", http.MethodPost, "/schedules/"+plan+"/animation-bindings", `{"animatedEntityId": "gable", "taskId": "task-2"}`, http.StatusCreated)
	b.visit("/console/schedules/" + plan + "/4d?modelId=gable")
	b.until(`document.querySelector("#site-words")?.textContent.includes("object")`)
	red := 0
	for range 20 {
		if red = b.seen()[0]; red > 2000 {
			break
		}
	}
	if red < 2000 {
		t.Errorf("%d pixels of the picture are red", red)
	}
	if got := b.text("#site-words"); !strings.Contains(got, "1 object stands") {
		t.Errorf("the page says %q", got)
	}
	b.errors("the gable")
}
