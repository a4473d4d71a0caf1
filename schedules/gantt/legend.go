package gantt

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
)

// key is a sign and what it means.
type key struct {
	shape string // from 0 0 on, in a box of 24 pixels by 12
	words string
	x, y  float64 // from the first
}

// setKeys chooses the signs that the page has, and puts them into lines.
func (c *chart) setKeys() {
	work := func(t *dated.Task) bool { return !t.Milestone() && !t.Hammock() && !isSummary(t) }
	x, y := margin, 0.0
	add := func(used bool, words, shape string) {
		if !used {
			return
		}
		// A sign with its gap takes 30 pixels, and 14 separate it from the next one.
		width := 30 + narrow*float64(len(words)) + 14
		if x > margin && x+width > c.axis.right {
			x, y = margin, y+tierHeight
		}
		c.keys = append(c.keys, key{shape: shape, words: words, x: x, y: y})
		x += width
	}
	add(c.shows(func(t *dated.Task) bool { return work(t) && t.ActualStart != 0 }), "done",
		`<path class="d" d="M0 0h24v12H0z"/>`)
	add(c.shows(func(t *dated.Task) bool { return work(t) && !t.Ended() && !Critical(t) }), "remaining",
		`<path class="r" d="M0 0h24v12H0z"/>`)
	add(c.shows(func(t *dated.Task) bool { return work(t) && Critical(t) }), "critical",
		`<path class="c" d="M0 0h24v12H0z"/>`)
	add(c.shows(func(t *dated.Task) bool { return t.HasFloat && t.TotalFloat > 0 && !isSummary(t) }), "float",
		`<path class="f" d="M0 6h24m0-3v6"/>`)
	add(c.shows(func(t *dated.Task) bool { return t.HasFloat && t.TotalFloat < 0 && !isSummary(t) }), "late by",
		`<path class="v" d="M24 6H0m0-3v6"/>`)
	add(c.shows(func(t *dated.Task) bool { return t.Baseline.Start != 0 }), "baseline",
		`<path class="b" d="M0 5h24v3H0z"/>`)
	for _, m := range []struct{ class, words string }{
		{"k", "milestone"},
		{"c", "critical milestone"},
		{"d", "milestone reached"},
	} {
		is := func(t *dated.Task) bool { return t.Milestone() && milestoneClass(t) == m.class }
		add(c.shows(is), m.words, `<path class="`+m.class+`" d="M5 6l7-7 7 7-7 7z"/>`)
	}
	add(c.shows(isSummary), "summary", `<path class="s" d="M0 1h24v10l-5-5H5l-5 5z"/>`)
	add(c.shows((*dated.Task).Hammock), "hammock", `<path class="h" d="M0 .5h24v11H0z"/>`)
	add(c.routed(criticalLink), "critical link", `<path class="lc" marker-end="url(#gantt-ac)" d="M0 6h24"/>`)
	add(c.routed(drivingLink), "driving link", `<path class="ld" marker-end="url(#gantt-al)" d="M0 6h24"/>`)
	add(c.routed(otherLink), "other link", `<path class="`+c.otherClass()+`" marker-end="url(#gantt-al)" d="M0 6h24"/>`)
	add(c.routed(brokenLink), "link not kept", `<path class="lb" marker-end="url(#gantt-ac)" d="M0 6h24"/>`)
	add(c.marked("z"), "data date", `<path class="z" d="M12-1v14"/>`)
	add(c.marked("y"), "today", `<path class="y" d="M12-1v14"/>`)
}

// shows reports whether a function holds for a task whose bar the page has.
func (c *chart) shows(holds func(*dated.Task) bool) bool {
	for i, r := range c.rows {
		if c.bars[i].there() && holds(&c.plan.Tasks[r.task]) {
			return true
		}
	}
	return false
}

// routed reports whether the page has links of a class.
func (c *chart) routed(of class) bool {
	return slices.ContainsFunc(c.routes, func(r route) bool { return r.class == of })
}

// legend draws the signs and what they mean.
func (c *chart) legend() {
	for _, k := range c.keys {
		c.put(`<g transform="translate(`, k.x, " ", c.bottom()+c.markHeight()+11+k.y, `)">`, k.shape,
			`<text class="m" x="30" y="10">`, k.words, "</text></g>\n")
	}
}

// stubTexts are short lines where links leave the page, with the tasks at their other
// ends.
func (c *chart) stubTexts() {
	for i := range c.stubs {
		s := &c.stubs[i]
		e, y := c.bars[s.row], middle(s.row)
		line, arrow := "lo", ` marker-end="url(#gantt-al)"`
		if s.critical {
			line, arrow = "lc", ` marker-end="url(#gantt-ac)"`
		}
		if s.in && s.out {
			arrow = ""
		}
		words := s.words
		x, to, class := e.x0, e.x0-stubLine, "m n"
		if s.right {
			x, to, class = e.x1, e.x1+stubLine, "m"
		}
		at := to + sign(to-x)*2
		if s.in {
			x, to = to, x
		}
		c.put(`<path class="`, line, `"`, arrow, ` d="M`, x, " ", y, "H", to, `"/>`)
		c.label(class, at, y+4, words)
		c.put("\n")
	}
}

// elsewhere names tasks of other pages, as many as have room.
func (c *chart) elsewhere(rows []int) (words string) {
	for i, at := range rows {
		label := cmp.Or(c.plan.Label(c.all[at].task), clean(c.plan.Tasks[c.all[at].task].Name))
		if i == 2 || i == 1 && len(words)+len(label) > 12 {
			return words + " +" + strconv.Itoa(len(rows)-i)
		}
		arrow := "↓"
		if at < c.first {
			arrow = "↑"
		}
		if i > 0 {
			words += " "
		}
		words += arrow + fit(label, 60)
	}
	return words
}
