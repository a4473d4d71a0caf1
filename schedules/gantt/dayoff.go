package gantt

import (
	"strconv"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// maxCalendars is how many different ones have their days off on a page; tasks of others
// have none.
const maxCalendars = 24

// daysOff draws the days off of the calendars of the tasks, behind their rows.
func (c *chart) daysOff() {
	// Below 4 pixels a day the stripes would blur into one grey.
	if c.axis.day < 4 || len(c.rows) == 0 {
		return
	}
	off := make(map[*worktime.Calendar]int) // places of what is drawn
	same := make(map[string]int)
	var drawn []string
	var rows [][]int
	for i, r := range c.rows {
		calendar := c.plan.CalendarOf(r.task)
		at, ok := off[calendar]
		if !ok {
			path := c.daysOffOf(calendar)
			if at, ok = same[path]; !ok {
				at = len(drawn)
				same[path], drawn, rows = at, append(drawn, path), append(rows, nil)
			}
			off[calendar] = at
		}
		rows[at] = append(rows[at], i)
	}
	for at, path := range drawn {
		switch {
		case path == "" || at >= maxCalendars:
		case len(drawn) == 1:
			c.put(`<path class="w" d="`, path, "\"/>\n")
		default:
			// Tasks of several calendars share the page: each pattern is clipped to the
			// rows of its tasks.
			id := "gantt-w" + strconv.Itoa(at)
			c.put(`<clipPath id="`, id, `"><path d="`)
			for i := 0; i < len(rows[at]); i++ {
				from := rows[at][i]
				for i+1 < len(rows[at]) && rows[at][i+1] == rows[at][i]+1 {
					i++
				}
				c.put("M", c.axis.left, " ", middle(from)-rowHeight/2, "H", c.axis.right, "V",
					middle(rows[at][i])+rowHeight/2, "H", c.axis.left, "z")
			}
			c.put(`"/></clipPath><path class="w" clip-path="url(#`, id, `)" d="`, path, "\"/>\n")
		}
	}
}

// daysOffOf is a path around the days off of a calendar, as high as all rows.
func (c *chart) daysOffOf(calendar *worktime.Calendar) string {
	if calendar == worktime.Continuous {
		return ""
	}
	var b []byte
	bottom := c.bottom()
	add := func(letter string, v float64) { b = appendNumber(append(b, letter...), v) }
	for t := c.axis.from.Midnight(); t < c.axis.to; {
		end := t + worktime.Day
		if calendar.Between(t, end) > 0 {
			t = end
			continue
		}
		for end < c.axis.to && calendar.Between(end, end+worktime.Day) == 0 {
			end += worktime.Day
		}
		add("M", c.axis.within(t))
		add(" ", headHeight)
		add("H", c.axis.within(end))
		add("V", bottom)
		add("H", c.axis.within(t))
		b = append(b, 'z')
		t = end
	}
	return string(b)
}
