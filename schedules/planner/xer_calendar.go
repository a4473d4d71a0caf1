package planner

import (
	"errors"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// calendar reads a calendar, whose week and exceptions are one text of nested parentheses
// in a field. One without any is as its base, or as the tool's own where it has none.
func (x *xer) calendar(r *row) {
	c := Calendar{ID: r.get("clndr_id"), Name: r.get("clndr_name"), BaseID: r.get("base_clndr_id")}
	if r.get("clndr_type") == projectCalendar {
		c.ProjectID = r.get("proj_id")
	}
	f := x.fields("calendar", c.ID, r)
	if data := r.get("clndr_data"); strings.Trim(data, "\x7f\n ") != "" {
		f.readP6(&c, data)
	}
	x.Calendars = append(x.Calendars, c)
}

// node is one of the tree in which P6 writes a calendar: (0||name(key|value|…)(nodes)).
type node struct {
	name       string
	attributes map[string]string
	below      []node
}

// maxNodes bounds the tree of a calendar, and maxDepth how deep it is.
const (
	maxNodes = 200_000
	maxDepth = 16
)

var errCalendar = errors.New("its parentheses do not match")

// tree reads a calendar. Only parentheses and bars are structure; what else is between
// nodes is padding.
type tree struct {
	text  string
	at    int
	nodes int
}

// next is the next parenthesis, without what is before it.
func (t *tree) next() (byte, bool) {
	i := strings.IndexAny(t.text[t.at:], "()")
	if i < 0 {
		return 0, false
	}
	t.at += i + 1
	return t.text[t.at-1], true
}

// node reads a node behind its opening parenthesis, up to the closing one.
func (t *tree) node(depth int) (n node, err error) {
	if t.nodes++; t.nodes > maxNodes || depth > maxDepth {
		return n, errCalendar
	}
	begin := t.at
	if b, ok := t.next(); !ok || b != '(' {
		return n, errCalendar
	}
	head := strings.Split(t.text[begin:t.at-1], "||")
	n.name = strings.TrimSpace(strings.Trim(head[len(head)-1], "\x7f\n "))
	begin = t.at
	if b, ok := t.next(); !ok || b != ')' {
		return n, errCalendar
	}
	n.attributes = make(map[string]string)
	pairs := strings.Split(t.text[begin:t.at-1], "|")
	for i := 0; i+1 < len(pairs); i += 2 {
		n.attributes[strings.TrimSpace(pairs[i])] = strings.TrimSpace(pairs[i+1])
	}
	if b, ok := t.next(); !ok || b != '(' {
		return n, errCalendar
	}
	for {
		b, ok := t.next()
		switch {
		case !ok:
			return n, errCalendar
		case b == ')':
			if b, ok := t.next(); !ok || b != ')' {
				return n, errCalendar
			}
			return n, nil
		}
		child, err := t.node(depth + 1)
		n.below = append(n.below, child) // as far as it goes
		if err != nil {
			return n, err
		}
	}
}

// readP6 reads the working time of a calendar. What cannot be read is left out alone, and what is
// behind parentheses that do not match.
func (f *fields) readP6(c *Calendar, text string) {
	t := &tree{text: text}
	if b, ok := t.next(); !ok || b != '(' {
		f.warn(f.what(), "Its working time %s cannot be read: %v.", quoted(text), errCalendar)
		return
	}
	root, err := t.node(0)
	if err != nil {
		f.warn(f.what(), "Its working time behind %s is left out: %v.", quoted(text[max(0, t.at-20):t.at]), errCalendar)
	}
	for _, part := range root.below {
		switch part.name {
		case "DaysOfWeek":
			f.readWeek(c, part.below)
		case "Exceptions":
			f.readExceptions(c, part.below)
		}
	}
}

// readWeek reads the days of a week, of which Sunday is 1.
func (f *fields) readWeek(c *Calendar, days []node) {
	all := make(map[time.Weekday]*shifts)
	for _, d := range days {
		if n := number(d.name); n < 1 || n > 7 {
			f.warn(f.what(), "A day of its week is left out: %s is no day from 1 to 7.", quoted(d.name))
		} else {
			all[time.Weekday(n-1)] = f.readShifts(d.below)
		}
	}
	f.week(c, all)
}

// zeroDay is from which P6 counts days.
var zeroDay = worktime.Date(1899, time.December, 30, 0, 0, 0)

// readExceptions reads the days that differ from the week, by their number since the day
// from which P6 counts.
func (f *fields) readExceptions(c *Calendar, days []node) {
	for _, d := range days {
		n := number(d.attributes["d"])
		if n < 0 {
			f.warn(f.what(), "An exception of it is left out: %s is no number of a day.", quoted(d.attributes["d"]))
			continue
		}
		day := zeroDay + worktime.Time(n)*worktime.Day
		c.Exceptions = append(c.Exceptions,
			worktime.Exception{First: day, Last: day, Hours: f.exception(f.readShifts(d.below))})
	}
}

// readShifts reads the hours of a day.
func (f *fields) readShifts(all []node) *shifts {
	s := &shifts{}
	for _, one := range all {
		f.shift(s, one.attributes["s"], one.attributes["f"])
	}
	return s
}
