package gantt

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// draw writes the picture: what lies behind first.
func (c *chart) draw() []byte {
	c.out = make([]byte, 0, 8<<10+600*len(c.rows))
	width, height := math.Ceil(c.axis.right+margin), c.height()
	c.put(`<svg xmlns="http://www.w3.org/2000/svg" class="gantt" role="img" aria-labelledby="gantt-title` +
		` gantt-desc"`)
	if c.options.Bare {
		c.put(` data-day="`, strconv.FormatFloat(c.axis.day, 'g', 6, 64), `"`)
	}
	c.put(` width="`, width, `" height="`, height,
		`" viewBox="0 0 `, width, " ", height, `"><title id="gantt-title">`)
	c.text(c.title())
	c.put(`</title><desc id="gantt-desc">`)
	c.text(c.subtitle())
	c.put("</desc>\n")
	if !c.options.Bare {
		c.put("<style>", style, "</style>\n")
	}
	c.put(`<defs><marker id="gantt-al" viewBox="0 0 7 7" refX="6.5" refY="3.5" markerWidth="7" markerHeight="7"`+
		` markerUnits="userSpaceOnUse" orient="auto"><path class="al" d="M0 .5 7 3.5 0 6.5z"/></marker>`,
		`<marker id="gantt-ac" viewBox="0 0 7 7" refX="6.5" refY="3.5" markerWidth="7" markerHeight="7"`+
			` markerUnits="userSpaceOnUse" orient="auto"><path class="ac" d="M0 .5 7 3.5 0 6.5z"/></marker>`,
		c.clip(), "</defs>\n",
		`<path class="bg" d="M0 0h`, width, "v", height, "H0z\"/>\n")
	c.ground()
	c.head()
	c.grid()
	c.links()
	for i := range c.rows {
		c.row(i)
	}
	c.stubTexts()
	c.drawMarks()
	c.legend()
	c.put("</svg>\n")
	return c.out
}

// clip keeps names that are wider than expected within their column.
func (c *chart) clip() string {
	if len(c.columns) == 0 {
		return ""
	}
	return `<clipPath id="gantt-name"><path d="M0-16H` + string(appendNumber(nil, c.columns[daysColumn].left)) + "v" +
		string(appendNumber(nil, rowHeight)) + `H0z"/></clipPath>`
}

// put appends texts as they are, and numbers.
func (c *chart) put(parts ...any) {
	for _, p := range parts {
		switch v := p.(type) {
		case string:
			c.out = append(c.out, v...)
		case float64:
			c.out = appendNumber(c.out, v)
		}
	}
}

// text appends text of the user.
func (c *chart) text(s string) { c.out = appendText(c.out, s) }

// title returns the heading of the picture: the option, else the name of the plan. The text
// comes from users, so it is cleaned of control characters.
func (c *chart) title() string {
	switch {
	case c.options.Title != "":
		return clean(c.options.Title)
	case c.plan.Name != "":
		return clean(c.plan.Name)
	}
	return "Plan"
}

// Summary is what the tasks of a plan come to. Tasks that span others are not counted.
type Summary struct {
	Tasks, Critical int
	Start, Finish   worktime.Time // of the first and of the last task; 0 where none has dates
}

// SummaryOf counts the tasks of a plan.
func SummaryOf(p *dated.Plan) (s Summary) {
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if t.Start != 0 && (s.Start == 0 || t.Start < s.Start) {
			s.Start = t.Start
		}
		s.Finish = max(s.Finish, t.Finish)
		if isSummary(t) {
			continue
		}
		s.Tasks++
		if Critical(t) {
			s.Critical++
		}
	}
	return s
}

// subtitle reports what is in the picture, in words.
func (c *chart) subtitle() string {
	sum := SummaryOf(c.plan)
	s := count(sum.Tasks, "task")
	if sum.Critical > 0 {
		s += fmt.Sprintf(", %d critical", sum.Critical)
	}
	if sum.Start != 0 {
		s += " · " + date(sum.Start) + " to " + date(sum.Finish)
	}
	s += c.dataDates()
	if len(c.rows) < len(c.all) {
		s += fmt.Sprintf(" · rows %d to %d of %d", c.first+1, c.first+len(c.rows), len(c.all))
	}
	if c.brokenLinks > 0 {
		s += " · " + count(c.brokenLinks, "link") + " not kept"
	}
	if c.unseen > 0 {
		s += " · " + count(c.unseen, "link") + " not drawn"
	}
	return s
}

// count writes a number with the English plural of a thing.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// ground is what lies behind all: bands of summaries and days off.
func (c *chart) ground() {
	c.put(`<path class="bd" d="`)
	for i, r := range c.rows {
		if isSummary(&c.plan.Tasks[r.task]) {
			c.put("M0 ", middle(i)-rowHeight/2, "H", c.axis.right, "v", rowHeight, "H0z")
		}
	}
	c.put("\"/>\n")
	c.daysOff()
}

// head is the title, the names of the columns and the two tiers of time.
func (c *chart) head() {
	if !c.options.WithoutTable { // what has a table next to it has a heading above it
		c.put(`<text class="t" x="`, margin, `" y="20">`)
		c.text(apart(fit(c.title(), 1.1*c.axis.right/1.5)))
		c.put("</text>")
	}
	c.put(`<text class="m" x="`, margin, `" y="36">`)
	c.text(c.subtitle())
	c.put("</text>\n")
	for _, k := range c.columns {
		c.put(`<text class="m`, map[bool]string{true: " n"}[k.right], `" x="`, k.x, `" y="`, headHeight-5, `">`,
			k.title, "</text>")
	}
	c.put("\n")
	upper, lower := c.axis.tiers()
	c.tier(upper, "u", titleHeight+13)
	c.tier(lower, "m", titleHeight+tierHeight+13)
}

// tier writes the labels of units: of each where it has room, and else of every nth. What
// begins before the chart has its label where the chart begins, if it has room there.
func (c *chart) tier(u unit, class string, y float64) {
	times := 1.0
	if class == "u" {
		times = bold
	}
	wide := func(label string) float64 { return 3 + narrow*times*float64(len(label)) + 4 }
	whole := u.days * c.axis.day
	if u.months == 1 {
		whole = 28 * c.axis.day // each of them gets the same form of label
	}
	most := 0.0
	c.axis.each(u, func(t time.Time, _, _ float64) { most = math.Max(most, wide(u.label(t, whole))) })
	every := 1
	if u.days > 1 {
		every = max(int(math.Ceil(most/whole)), 1)
	}
	i := 0
	c.axis.each(u, func(t time.Time, x0, x1 float64) {
		place, label := u.number(t), u.label(t, whole)
		i++
		switch {
		case u.days == 1:
			if x1-x0 >= 0.6*whole {
				c.put(`<text class="m e" x="`, (x0+x1)/2, `" y="`, y, `">`, label, "</text>")
			}
			return
		case place%every != 0 && i > 1:
			return
		}
		next := x1 + float64(every-1-place%every)*whole
		if x0+wide(label) > math.Min(next, c.axis.right+4) {
			return
		}
		c.put(`<text class="`, class, `" x="`, x0+3, `" y="`, y, `">`, label, "</text>")
	})
	c.put("\n")
}

// grid are the lines between rows and between units of time.
func (c *chart) grid() {
	c.put(`<path class="g1" d="`)
	for i := range c.rows {
		c.put("M0 ", headHeight+float64(i+1)*rowHeight, "H", c.axis.right)
	}
	upper, lower := c.axis.tiers()
	c.axis.each(lower, func(_ time.Time, x0,
		_ float64,
	) {
		c.put("M", x0, " ", titleHeight+tierHeight, "V", c.bottom())
	})
	c.put("\"/>\n", `<path class="g2" d="`)
	c.axis.each(upper, func(_ time.Time, x0, _ float64) { c.put("M", x0, " ", titleHeight, "V", c.bottom()) })
	for _, k := range c.columns[min(1, len(c.columns)):] {
		c.put("M", k.left+margin/2, " ", titleHeight+tierHeight, "V", c.bottom())
	}
	c.put("\"/>\n", `<path class="g3" d="M0 `, headHeight, "H", c.axis.right, "M", c.axis.left, " ", titleHeight, "V",
		c.bottom(), "\"/>\n")
}

// links are the lines of each class in a group.
func (c *chart) links() {
	classes := [...]string{
		otherLink:   c.otherClass() + `" marker-end="url(#gantt-al)`,
		drivingLink: `ld" marker-end="url(#gantt-al)`, criticalLink: `lc" marker-end="url(#gantt-ac)`,
		brokenLink: `lb" marker-end="url(#gantt-ac)`,
	}
	for i := 0; i < len(c.routes); {
		of := c.routes[i].class
		c.put(`<g class="`, classes[of], "\">\n")
		for ; i < len(c.routes) && c.routes[i].class == of; i++ {
			c.put("<path")
			if c.options.Bare {
				c.put(` data-from="`, float64(c.routes[i].from), `" data-to="`, float64(c.routes[i].to), `"`)
			}
			c.put(` d="`)
			c.line(c.routes[i].points)
			c.put("\"/>\n")
		}
		c.put("</g>\n")
	}
}

// line draws a line with rounded bends, so that a bend differs from a crossing.
func (c *chart) line(points []point) {
	c.put("M", points[0].x, " ", points[0].y)
	for i := 1; i < len(points); i++ {
		at, before := points[i], points[i-1]
		if i+1 == len(points) {
			c.to(before, at)
			return
		}
		next := points[i+1]
		r := math.Min(3, math.Min(length(before, at), length(at, next))/2)
		dx, dy := sign(at.x-before.x), sign(at.y-before.y)
		ex, ey := sign(next.x-at.x), sign(next.y-at.y)
		c.to(before, point{at.x - dx*r, at.y - dy*r})
		c.put("q", dx*r, space(dy*r), dy*r, space(dx*r+ex*r), dx*r+ex*r, space(dy*r+ey*r), dy*r+ey*r)
	}
}

// to draws a line along one axis.
func (c *chart) to(from, to point) {
	if from.x == to.x {
		c.put("V", to.y)
	} else {
		c.put("H", to.x)
	}
}

// space is what parts a number from the one before it.
func space(v float64) string {
	if math.Round(v*10) < 0 {
		return ""
	}
	return " "
}

func length(a, b point) float64 { return math.Abs(a.x-b.x) + math.Abs(a.y-b.y) }

// sign returns 1, 0 or -1, as v is above, at or below zero.
func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// isSummary reports whether a task is drawn as one that spans others.
func isSummary(t *dated.Task) bool { return t.Kind == summaryKind }

// otherClass returns the CSS class of links that do not drive, which a crowded picture
// draws faintly.
func (c *chart) otherClass() string {
	if c.faded {
		return "lo q"
	}
	return "lo"
}
