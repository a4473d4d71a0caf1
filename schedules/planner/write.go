package planner

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Write writes a plan as a file of a format, XER, P6XML or MSPDI. What was read from that format
// is written with equal meaning: reading it again gives the plan, with what the tool asks for
// besides. What the format cannot hold, or not so, the warnings name: of Microsoft Project also names
// of resources and calendars that it refuses. An XER is in the code page of the options, in
// Windows1252 when that is empty.
//
// A plan of another format is scheduled twice, by its own rules and, as it was written, by
// those of the tool that the file is for. A warning says how many tasks are at other dates,
// if some are. Constraints and splits hold a plan of P6 behind its data date in Microsoft
// Project, as far as one constraint for each task can.
//
// Errors: ErrFormat for any other format, ErrCodePage, and those of w.
func (o Options) Write(w io.Writer, p *Plan, f Format) ([]Warning, error) {
	if _, err := o.page(); err != nil {
		return nil, err
	}
	out := &writer{Plan: p, page: o.Page, lost: make(map[loss][]string)}
	var write func()
	var id func(*Task) string // of a task, in the file
	switch f {
	case XER:
		x := &xerWriter{p6Writer: &p6Writer{writer: out, to: XER}}
		write, id = x.write, x.taskID
	case MSPDI:
		x := &mspdiWriter{writer: out}
		write, id = x.write, x.taskID
	case P6XML:
		x := &p6xmlWriter{p6Writer: &p6Writer{writer: out, to: P6XML}}
		write, id = x.write, x.taskID
	default:
		return nil, fmt.Errorf("planner: XER, P6XML and MSPDI are written, %q is not: %w", f, ErrFormat)
	}
	compare := func() []Warning { return nil }
	if f != p.Format {
		c := &conversion{id: id}
		w, compare = io.MultiWriter(w, &c.file), func() []Warning { return c.compare(o) }
		if c.was, c.failure = p.Schedule(); c.failure == nil {
			out.scheduled = c.was
		}
	}
	out.w = bufio.NewWriterSize(w, 64<<10)
	write()
	if err := out.w.Flush(); err != nil {
		return nil, err
	}
	return append(compare(), out.warnings()...), nil
}

// Write is the method of that name without options.
func Write(w io.Writer, p *Plan, f Format) ([]Warning, error) { return Options{}.Write(w, p, f) }

// writer is what writing takes in any format.
type writer struct {
	*Plan
	w    *bufio.Writer // it keeps its first error
	page CodePage
	lost map[loss][]string
	// scheduled is the plan with its dates where it is of another format and has some.
	scheduled *Scheduled
}

// loss is what items of a kind lose.
type loss struct{ kind, text string }

// lose records that an item loses something.
func (w *writer) lose(kind, id, text string) {
	l := loss{kind, text}
	w.lost[l] = append(w.lost[l], id)
}

// maxNamed is how many items a warning names.
const maxNamed = 20

// warnings name what was lost.
func (w *writer) warnings() (all []Warning) {
	for _, l := range slices.SortedFunc(
		maps.Keys(w.lost),
		func(a, b loss) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.text, b.text)) },
	) {
		ids := w.lost[l]
		what := l.kind + " " + strings.Join(ids[:min(len(ids), maxNamed)], ", ")
		if more := len(ids) - maxNamed; more > 0 {
			what += fmt.Sprintf(" and %d more", more)
		}
		all = append(all, Warning{What: strings.TrimSpace(what), Text: l.text})
	}
	return all
}

// print writes text as it is. Errors of the writer are kept by it until it is flushed.
func (w *writer) print(parts ...string) {
	for _, s := range parts {
		w.w.WriteString(s) //nolint:errcheck // Flush reports it
	}
}

// element writes an element with text, which it escapes.
func (w *writer) element(name, text string) {
	w.print("<", name, ">")
	xml.EscapeText(w.w, []byte(text)) //nolint:errcheck // Flush reports it
	w.print("</", name, ">")
}

// list writes an element around others, if there are some.
func (w *writer) list(name string, n int, rows func()) {
	if n == 0 {
		return
	}
	w.print("<", name, ">\n")
	rows()
	w.print("</", name, ">\n")
}

// numbers are ids as numbers: those that are keep theirs, all others get new ones, unless
// the format is the one that they are from.
type numbers struct {
	given map[string]string
	taken map[int]bool
	last  int
}

// maxID is the largest id that planning tools know.
const maxID = 1<<31 - 1

// newNumbers keeps ids that are numbers already. same says that the file is of the format
// that they are from: then all are kept, so that a file that is read and written has the
// ids that it had.
func newNumbers(same bool, ids ...string) *numbers {
	return numbersOf(same, ids, func(id string) string { return id })
}

// numbersOf is newNumbers for ids of which a part may be the number.
func numbersOf(same bool, ids []string, number func(id string) string) *numbers {
	n := &numbers{given: make(map[string]string, len(ids)), taken: make(map[int]bool, len(ids))}
	var others []string
	for _, id := range ids {
		switch {
		case n.given[id] != "" || n.keep(id, number(id)):
		case same:
			n.given[id] = id
		case id != "":
			others = append(others, id)
		}
	}
	for _, id := range others {
		if n.given[id] == "" {
			n.given[id] = n.next()
		}
	}
	return n
}

// keep gives an id a number, if it is one that no other id has.
func (n *numbers) keep(id, number string) bool {
	v, err := strconv.Atoi(number)
	if err != nil || v <= 0 || v > maxID || strconv.Itoa(v) != number || n.taken[v] {
		return false
	}
	n.given[id], n.taken[v] = number, true
	return true
}

// numbered are the numbers of so many ids.
func (w *writer) numbered(f Format, n int, id func(int) string) *numbers {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = id(i)
	}
	return newNumbers(w.Format == f, ids...)
}

// next is a number that nothing has.
func (n *numbers) next() string {
	for n.last++; n.taken[n.last]; n.last++ {
		continue
	}
	n.taken[n.last] = true
	return strconv.Itoa(n.last)
}

// of is the number of an id, nothing for none.
func (n *numbers) of(id string) string { return n.given[id] }

// rest are the tables with what nothing else is made of, by their names.
func (w *writer) rest() map[string]*leftRows {
	all := make(map[string]*leftRows)
	for i := range w.Tables {
		t := &w.Tables[i]
		if all[t.Name] == nil {
			all[t.Name] = &leftRows{rows: make(map[string]string, len(t.Rows))}
		}
		all[t.Name].add(t)
	}
	return all
}

// leftRows are rows of what is left, by the ids in their first fields.
type leftRows struct {
	fields []string // behind the first
	rows   map[string]string
}

// add takes up the rows of a table by their ids, which are in its first field; the first
// row of an id counts.
func (l *leftRows) add(t *Table) {
	if l.fields != nil || len(t.Fields) == 0 {
		return
	}
	l.fields = t.Fields[1:]
	for _, r := range t.Rows {
		id, rest, _ := strings.Cut(r, "\t")
		if _, ok := l.rows[id]; !ok {
			l.rows[id] = rest
		}
	}
}

// of are the values of an id, as many as there are fields.
func (l *leftRows) of(id string) []string {
	if l == nil {
		return nil
	}
	values := make([]string, len(l.fields))
	if row, ok := l.rows[id]; ok {
		copy(values, strings.Split(row, "\t"))
	}
	return values
}

// member is the value of an id in a field.
func (l *leftRows) member(id, field string) string {
	if l == nil {
		return ""
	}
	if at := slices.Index(l.fields, field); at >= 0 {
		return l.of(id)[at]
	}
	return ""
}

// text is one without what no format can hold.
func (w *writer) text(kind, id, s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
		w.lose(kind, id, "Text of it is not in UTF-8.")
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return ' '
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0xFFFE || r == 0xFFFF || r == 0xFEFF:
			return -1
		}
		return r
	}, s)
	if clean != s {
		w.lose(kind, id, "Control characters of its text are left out.")
	}
	if trimmed := strings.TrimSpace(clean); trimmed != clean {
		w.lose(kind, id, "White space around its text is left out.")
		return trimmed
	}
	return clean
}

// flat is a calendar with all that it has of its bases.
func (w *writer) flat(c *Calendar) (worktime.Week, []worktime.Exception) {
	bases := index(w.Calendars, func(c *Calendar) string { return c.ID })
	week, all := make(worktime.Week), [][]worktime.Exception(nil)
	for steps := 0; c != nil && steps <= len(w.Calendars); steps++ {
		for day, hours := range c.Week {
			if _, ok := week[day]; !ok {
				week[day] = hours
			}
		}
		all = append(all, c.Exceptions)
		at, ok := bases[c.BaseID]
		if c = nil; ok {
			c = &w.Calendars[at]
		}
	}
	slices.Reverse(all)
	return week, slices.Concat(all...)
}

// daily are exceptions for one day each, as those of P6 are.
func (w *writer) daily(c *Calendar, week worktime.Week, exceptions []worktime.Exception) []worktime.Exception {
	var days []worktime.Exception
	for _, x := range exceptions {
		if x.Repeat != nil || x.First.Midnight() != x.Last.Midnight() {
			made, err := worktime.New(worktime.Definition{Week: week, Exceptions: exceptions})
			usual, err2 := worktime.New(worktime.Definition{Week: week})
			if err := cmp.Or(err, err2); err != nil {
				w.lose("calendar", c.ID, "Its exceptions are left out: it has no working time, or too many of them.")
				return nil
			}
			return ranged(exceptions, made, usual)
		}
		days = append(days, worktime.Exception{First: x.First.Midnight(), Last: x.First.Midnight(), Hours: x.Hours})
	}
	return days
}

// ranged are the days of exceptions on which a calendar works in other hours than usual.
func ranged(exceptions []worktime.Exception, made, usual *worktime.Calendar) (days []worktime.Exception) {
	done := make(map[worktime.Time]bool)
	for _, x := range exceptions {
		for day := x.First.Midnight(); day <= x.Last; day += worktime.Day {
			if hours := made.Hours(day); !done[day] && !slices.Equal(hours, usual.Hours(day)) {
				days = append(days, worktime.Exception{First: day, Last: day, Hours: hours})
			}
			done[day] = true
		}
	}
	return days
}

// clock is a time of day, with its seconds where it has some.
func clock(seconds int) string {
	seconds %= worktime.Day
	if s := seconds % worktime.Minute; s != 0 {
		return fmt.Sprintf("%02d:%02d:%02d", seconds/worktime.Hour, seconds/worktime.Minute%60, s)
	}
	return fmt.Sprintf("%02d:%02d", seconds/worktime.Hour, seconds/worktime.Minute%60)
}

// inverse is a map the other way round.
func inverse[K, V comparable](m map[K]V) map[V]K {
	out := make(map[V]K, len(m))
	for k, v := range m {
		out[v] = k
	}
	return out
}

// projectNodes are the ids of the nodes of the WBS that projects of an XER are, by the ids
// of these: the first at the top that is called as the project is.
func (p *Plan) projectNodes() map[string]string {
	type key struct{ project, name string }
	named := make(map[key]string)
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if k := (key{t.ProjectID, t.Name}); t.ParentID == "" && t.Kind == cpm.Summary && named[k] == "" {
			named[k] = t.ID
		}
	}
	nodes := make(map[string]string, len(p.Projects))
	for i := range p.Projects {
		x := &p.Projects[i]
		nodes[x.ID] = named[key{x.ID, x.Name}]
	}
	return nodes
}

// project is the first of an id.
func (w *writer) project(id string) *Project {
	for i := range w.Projects {
		if w.Projects[i].ID == id {
			return &w.Projects[i]
		}
	}
	return nil
}

// lag returns the lag of a link in seconds of working time. A lag in percent counts from
// the duration of the predecessor.
func (w *writer) lag(l *Link, durations map[string]int64) int64 {
	if l.Percent {
		return durations[l.PredecessorID] * l.Lag / 100
	}
	return l.Lag
}
