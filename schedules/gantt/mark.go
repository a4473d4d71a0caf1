package gantt

import (
	"math"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// mark is a line where a date is. Its name is below the rows.
type mark struct {
	class string
	x     float64
	parts []extent // its heights
	words string
	lane  int // of its name
}

// Heights of names of marks.
const (
	markLane = 13.0
	maxMarks = 40 // names on a page
)

// setMarks finds the data dates of the rows, and today, where they are on the page, and
// places their names apart.
func (c *chart) setMarks() {
	places := make(map[worktime.Time]int)
	add := func(class, name string, at worktime.Time, top, bottom float64) {
		x := c.axis.x(at)
		if at == 0 || x < c.axis.left || x > c.axis.right {
			return
		}
		// Projects with the same data date share a mark. Today has one of its own even
		// then.
		i, ok := places[at]
		if !ok || class == "y" {
			i = len(c.marks)
			places[at] = i
			c.marks = append(c.marks, mark{class: class, x: x, words: name + " " + date(at)})
		}
		c.marks[i].parts = append(c.marks[i].parts, extent{top, bottom})
	}
	for i := 0; i < len(c.rows); {
		from, at := i, c.plan.ProjectOf(c.rows[i].task).DataDate
		for i < len(c.rows) && c.plan.ProjectOf(c.rows[i].task).DataDate == at {
			i++
		}
		top := middle(from) - rowHeight/2
		if from == 0 {
			top -= 4
		}
		add("z", "data date", at, top, middle(i-1)+rowHeight/2)
	}
	add("y", "today", c.options.Today, headHeight-4, c.bottom())
	c.placeMarks()
}

// placeMarks gives the names of marks lanes in which none overlaps another.
func (c *chart) placeMarks() {
	slices.SortStableFunc(c.marks, func(a, b mark) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	var ends []float64 // of the lanes
	for i := range c.marks {
		m := &c.marks[i]
		if i >= maxMarks {
			m.words = ""
			continue
		}
		half := narrow * float64(len(m.words)) / 2
		for m.lane = 0; m.lane < len(ends) && m.x-half < ends[m.lane]; m.lane++ {
			continue
		}
		if m.lane == len(ends) {
			ends = append(ends, math.Inf(-1))
		}
		ends[m.lane] = m.x + half + narrow
	}
}

// markHeight is what the names of marks take below the rows.
func (c *chart) markHeight() float64 {
	lanes := 0
	for _, m := range c.marks {
		if m.words != "" {
			lanes = max(lanes, m.lane+1)
		}
	}
	return float64(lanes) * markLane
}

// marked reports whether the page has marks of a class.
func (c *chart) marked(class string) bool {
	return slices.ContainsFunc(c.marks, func(m mark) bool { return m.class == class })
}

// drawMarks draws the lines and their names.
func (c *chart) drawMarks() {
	for _, m := range c.marks {
		c.put(`<path class="`, m.class, `" d="`)
		for _, p := range m.parts {
			c.put("M", m.x, " ", p.x0, "V", p.x1)
		}
		c.put("\"/>")
		if m.words != "" {
			c.put(`<text class="m e" x="`, m.x, `" y="`, c.bottom()+markLane*float64(m.lane+1)-2, `">`, m.words,
				"</text>")
		}
		c.put("\n")
	}
}

// dataDates writes the data date, or where projects differ the first and the last, for the
// head of the picture, and before it how many projects there are.
func (c *chart) dataDates() string {
	var first, last worktime.Time
	for i := range c.plan.Projects {
		if at := c.plan.Projects[i].DataDate; at != 0 {
			if first == 0 || at < first {
				first = at
			}
			last = max(last, at)
		}
	}
	s := ""
	if n := len(c.plan.Projects); n > 1 {
		s = " · " + strconv.Itoa(n) + " projects"
	}
	switch {
	case first == 0:
		return s
	case first == last:
		return s + " · data date " + date(first)
	}
	return s + " · data dates " + date(first) + " to " + date(last)
}
