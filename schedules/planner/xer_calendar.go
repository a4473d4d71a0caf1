package planner

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// calendar reads a calendar, whose week and exceptions are one text of nested parentheses
// in a field.
func (x *xer) calendar(r row) error {
	c := Calendar{ID: r.get("clndr_id"), Name: r.get("clndr_name"), BaseID: r.get("base_clndr_id")}
	if r.get("clndr_type") == projectCalendar {
		c.ProjectID = r.get("proj_id")
	}
	if err := c.readP6(r.get("clndr_data")); err != nil {
		x.warn("calendar "+c.ID, "Its working time cannot be read: "+err.Error())
	}
	x.Calendars = append(x.Calendars, c)
	return nil
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
		if err != nil {
			return n, err
		}
		n.below = append(n.below, child)
	}
}

// readP6 reads the working time of a calendar.
func (c *Calendar) readP6(text string) error {
	t := &tree{text: text}
	if b, ok := t.next(); !ok || b != '(' {
		return errCalendar
	}
	root, err := t.node(0)
	if err != nil {
		return err
	}
	for _, part := range root.below {
		switch part.name {
		case "DaysOfWeek":
			err = c.readWeek(part.below)
		case "Exceptions":
			err = c.readExceptions(part.below)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readWeek reads the days of a week, of which Sunday is 1.
func (c *Calendar) readWeek(days []node) error {
	c.Week = make(worktime.Week)
	for _, d := range days {
		n, err := strconv.Atoi(d.name)
		if err != nil || n < 1 || n > 7 {
			return fmt.Errorf("%q is no day of a week", d.name)
		}
		hours, err := readShifts(d.below)
		if err != nil {
			return err
		}
		c.Week[time.Weekday(n-1)] = hours
	}
	return nil
}

// zeroDay is from which P6 counts days.
var zeroDay = worktime.Date(1899, time.December, 30, 0, 0, 0)

// readExceptions reads the days that differ from the week, by their number since the day
// from which P6 counts.
func (c *Calendar) readExceptions(days []node) error {
	for _, d := range days {
		n, err := strconv.ParseInt(d.attributes["d"], 10, 32)
		if err != nil {
			return fmt.Errorf("%q is no day", d.attributes["d"])
		}
		hours, err := readShifts(d.below)
		if err != nil {
			return err
		}
		day := zeroDay + worktime.Time(n)*worktime.Day
		c.Exceptions = append(c.Exceptions, worktime.Exception{First: day, Last: day, Hours: hours})
	}
	return nil
}

// readShifts reads the hours of a day.
func readShifts(shifts []node) (hours worktime.Hours, err error) {
	hours = worktime.Hours{}
	for _, s := range shifts {
		from, err := readClock(s.attributes["s"])
		if err != nil {
			return nil, err
		}
		to, err := readClock(s.attributes["f"])
		if err != nil {
			return nil, err
		}
		hours = addPeriod(hours, from, to)
	}
	return cleanHours(hours), nil
}

// readClock reads "08:00", "8:00" or "08:00:00" as seconds since midnight.
func readClock(s string) (seconds int, err error) {
	parts := strings.Split(s, ":")
	for i, unit := range []int{worktime.Hour, worktime.Minute, 1} {
		if i == len(parts) && i > 1 {
			break
		}
		n, most := -1, 59
		if i == 0 {
			most = 24
		}
		if i < len(parts) {
			n, err = strconv.Atoi(parts[i])
		}
		if err != nil || n < 0 || n > most || len(parts) > 3 {
			return 0, fmt.Errorf("%q is no time of day", s)
		}
		seconds += n * unit
	}
	return min(seconds, worktime.Day), nil
}
