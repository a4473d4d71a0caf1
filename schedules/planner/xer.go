package planner

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// xer is an XER while it is read: lines of fields between tabs, of which the first says
// what a line is. The tables come in any order, so that what refers to others is put
// together at the end.
type xer struct {
	*Plan
	page    CodePage
	records counter
	table   *table
	row     []byte // of the table, until the next line shows that it is whole
	within  bool   // a row

	nodes    []Task            // of the WBS
	schedule map[string]row    // how projects are scheduled, by project
	baseOf   map[string]string // the project whose baseline a project is
	current  map[string]bool   // baselines with which P6 compares
	topics   map[string]string // of notebooks
	units    map[string]string // in which material is counted
	attached attached
	values   []valueRow
	work     map[string]float64 // that was planned for tasks
}

// valueRow is a value of a user field while it is not known what that is.
type valueRow struct{ field, of, date, number, text string }

// attached is what other tables have of items, by their ids.
type attached struct {
	codes, resourceCodes, projectCodes    map[string][]string
	values, resourceValues, projectValues map[string][]Value
	notes, projectNotes                   map[string][]memo
	rates                                 map[string][]Rate
	steps                                 map[string][]numberedStep
}

// memo is a note whose topic is not known yet.
type memo struct{ topic, text string }

// table is one of an XER while it is read.
type table struct {
	name   string
	fields map[string]int
	names  []string
	read   func(*xer, row) error
	rest   []int // the columns that nothing else is made of
	kept   *Table
}

// row is one of a table.
type row struct {
	*table
	values []string
}

// get is the field of a row by its name; empty where the table has no such field.
func (r row) get(field string) string {
	if i, ok := r.fields[field]; ok && i < len(r.values) {
		return r.values[i]
	}
	return ""
}

// readXER reads tables as they come. A table may name records of one that comes later, so
// references are judged at the end.
func readXER(in *bufio.Reader, page CodePage) (*Plan, error) {
	x := &xer{
		Plan: &Plan{Format: XER}, page: page, schedule: make(map[string]row), baseOf: make(map[string]string),
		current: make(map[string]bool), topics: make(map[string]string), units: make(map[string]string), work: make(map[string]float64),
		attached: attached{
			codes: make(map[string][]string), resourceCodes: make(map[string][]string), projectCodes: make(map[string][]string),
			values: make(map[string][]Value), resourceValues: make(map[string][]Value), projectValues: make(map[string][]Value),
			notes: make(map[string][]memo), projectNotes: make(map[string][]memo), rates: make(map[string][]Rate),
			steps: make(map[string][]numberedStep),
		},
	}
	for more := true; more; {
		line, err := readLine(in)
		if more = err == nil; err != nil && !errors.Is(err, io.EOF) {
			return nil, malformed(err)
		}
		if err := x.line(line); err != nil {
			return nil, malformed(err)
		}
	}
	if err := x.take(); err != nil {
		return nil, malformed(err)
	}
	if err := x.finish(); err != nil {
		return nil, malformed(err)
	}
	return x.Plan, nil
}

// readLine reads a line without its end, which is good until the next one is read. At the end
// of the file it fails with io.EOF and returns what is left.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if line == nil && !errors.Is(err, bufio.ErrBufferFull) {
			line = part // as most lines, which fit the buffer
		} else {
			line = append(line, part...)
		}
		if len(line) > maxLine {
			return nil, ErrTooLarge
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// line takes up a line. One without a mark continues the row before it, in whose
// last field the text was broken.
func (x *xer) line(line []byte) error {
	line = bytes.TrimPrefix(line, []byte(mark))
	marked, rest, _ := bytes.Cut(line, []byte("\t"))
	switch string(marked) {
	case "%T", "%F", "%R", "%E", "ERMHDR":
		if err := x.take(); err != nil {
			return err
		}
	default:
		if x.within {
			x.row = append(append(x.row, '\n'), line...)
			if len(x.row) > maxLine {
				return ErrTooLarge
			}
		}
		return nil
	}
	switch string(marked) {
	case "%T":
		x.begin(strings.TrimSpace(x.page.text(rest)))
	case "%F":
		return x.head(strings.Split(x.page.text(rest), "\t"))
	case "%R":
		x.row, x.within = append(x.row[:0], rest...), true
	}
	return nil
}

// maxFields is how many fields a table may have.
const maxFields = 1000

// begin begins a table.
func (x *xer) begin(name string) {
	x.table = &table{name: name, read: xerTables[name]}
}

// head takes up the names of the fields of a table.
func (x *xer) head(names []string) error {
	if x.table == nil || len(names) > maxFields {
		return fmt.Errorf("%w: a table without a name, or of more than %d fields", ErrMalformed, maxFields)
	}
	t := x.table
	t.names, t.fields = names, make(map[string]int, len(names))
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		t.fields[names[i]] = i
	}
	read, key := xerColumns[t.name], 0
	kept := Table{Name: t.name}
	if t.read != nil {
		i, ok := t.fields[read[0]]
		if keyless[t.name] || !ok {
			return nil
		}
		key, kept.Fields = i, []string{read[0]}
	}
	for i, name := range names {
		if t.read == nil || i != key && t.fields[name] == i && !slices.Contains(read, name) {
			t.rest, kept.Fields = append(t.rest, i), append(kept.Fields, name)
		}
	}
	if len(t.rest) > 0 || t.read == nil {
		x.Tables = append(x.Tables, kept)
		t.kept = &x.Tables[len(x.Tables)-1]
	}
	return nil
}

// take takes up the row that is whole.
func (x *xer) take() error {
	if !x.within {
		return nil
	}
	x.within = false
	text := x.page.text(bytes.TrimRight(x.row, "\r\n")) // blank lines between tables are no text
	text = strings.ReplaceAll(text, "\uFEFF", "")       // a mark of UTF-8, which memos begin with
	if strings.Count(text, "\t") >= maxFields {
		return fmt.Errorf("%w: a row of more than %d fields", ErrMalformed, maxFields)
	}
	name := ""
	if x.table != nil {
		name = x.table.name
	}
	if err := x.records.count(name); err != nil {
		return err
	}
	if x.table == nil || x.table.fields == nil {
		x.warn("table", "A row of it is left out: nothing says what its fields are.")
		return nil
	}
	r := row{x.table, strings.Split(text, "\t")}
	r.keep()
	if r.read == nil {
		return nil
	}
	if strings.ContainsAny(text, "\x7f\"") {
		for i, v := range r.values {
			r.values[i] = unescape.Replace(v)
		}
	}
	return r.read(x, r)
}

// keep keeps what nothing else is made of.
func (r row) keep() {
	if r.kept == nil {
		return
	}
	var text strings.Builder
	if r.read != nil {
		text.WriteString(r.get(r.kept.Fields[0]))
	}
	some := r.read == nil
	for i, column := range r.rest {
		if i > 0 || r.read != nil {
			text.WriteByte('\t')
		}
		if column < len(r.values) && r.values[column] != "" {
			some = true
			text.WriteString(strings.ReplaceAll(r.values[column], "\n", "\x7f"))
		}
	}
	if some {
		r.kept.Rows = append(r.kept.Rows, strings.TrimRight(text.String(), "\t"))
	}
}

// unescape is how P6 writes a new line and a quote within a field.
var unescape = strings.NewReplacer("\x7f\x7f", "\n", "\x7f", "\n", `""`, `"`)

// fields reads the fields of a row, and keeps the first failure.
type fields struct{ err error }

// of is the failure, if there was one, with the record in which it was.
func (f *fields) of(kind, id string) error {
	if f.err != nil {
		return fmt.Errorf("%w: %s %q: %w", ErrMalformed, kind, id, f.err)
	}
	return nil
}

// failed keeps the first error: a record is reported once, by what is wrong with it first.
func (f *fields) failed(err error) {
	if f.err == nil {
		f.err = err
	}
}

// time reads a time as P6 writes it, "2026-01-05 08:00", or as XML does. Zones and parts
// of seconds do not count; NA is none.
func (f *fields) time(t *worktime.Time, s string) {
	if s == "" || s == "NA" {
		return
	}
	const layout = "2006-01-02T15:04:05"
	whole := s
	switch {
	case len(s) == len("2006-01-02"):
		whole += "T00:00:00"
	case len(s) == len("2006-01-02 15:04"):
		whole += ":00"
	case len(s) > len(layout):
		whole = s[:len(layout)]
	}
	u, err := worktime.Parse(strings.Replace(whole, " ", "T", 1))
	if err != nil {
		f.failed(fmt.Errorf("%q is no time", s))
		return
	}
	*t = u
}

// number reads a decimal with a point or a comma. Where it has both, the last one is that
// of the decimal.
func (f *fields) number(n *float64, s string) {
	if s == "" {
		return
	}
	if at := strings.LastIndexByte(s, ','); at >= 0 {
		if point := strings.LastIndexByte(s, '.'); point < at {
			s = strings.NewReplacer(".", "", ",", ".").Replace(s)
		} else {
			s = strings.ReplaceAll(s, ",", "")
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > 1e15 {
		f.failed(fmt.Errorf("%q is no number", s))
		return
	}
	*n = v
}

// sum reads numbers and adds them.
func (f *fields) sum(n *float64, all ...string) {
	for _, s := range all {
		var v float64
		f.number(&v, s)
		*n += v
	}
}

// maxHours is longer than the times that calendars know.
const maxHours = 1e8

// hours reads hours as seconds.
func (f *fields) hours(seconds *int64, s string) {
	var n float64
	if f.number(&n, s); math.Abs(n) > maxHours {
		f.failed(fmt.Errorf("%q hours are too many", s))
		return
	}
	*seconds = int64(math.Round(n * worktime.Hour))
}

// float is hours for what may be missing.
func (f *fields) float(seconds **int64, s string) {
	if s != "" {
		*seconds = new(int64)
		f.hours(*seconds, s)
	}
}
