package planner

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// xer is an XER while it is read: lines of fields between tabs, of which the first says
// what a line is. The tables come in any order, so that what refers to others is put
// together at the end.
type xer struct {
	reading
	page    *decoding
	records counter
	table   *table
	row     []byte // of the table, until the next line shows that it is whole
	within  bool   // a row
	ended   bool
	behind  int      // rows behind the end
	found   []string // names of tables
	rows    int      // of tasks
	money   string   // the currency of the database, as the first line has it

	moneyed, moneyNamed bool // the file has a currency, and it has the one of money

	nodes    []Task            // of the WBS
	schedule map[string]*row   // how projects are scheduled, by project
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
	read   func(*xer, *row)
	rest   []int // the columns that nothing else is made of
	kept   *Table
}

// row is one of a table.
type row struct {
	*table
	values []string
}

// take is get: a row keeps its fields.
func (r *row) take(field string) string { return r.get(field) }

// get is the field of a row by its name; empty where the table has no such field.
func (r *row) get(field string) string {
	if i, ok := r.fields[field]; ok && i < len(r.values) {
		return r.values[i]
	}
	return ""
}

// readXER reads tables as they come. A table may name records of one that comes later, so
// references are judged at the end.
func readXER(in *bufio.Reader, page *decoding) (*Plan, error) {
	x := &xer{
		reading: reading{Plan: &Plan{Format: XER}}, page: page, schedule: make(map[string]*row),
		baseOf:  make(map[string]string),
		current: make(map[string]bool), topics: make(map[string]string), units: make(map[string]string),
		work: make(map[string]float64),
		attached: attached{
			codes: make(map[string][]string), resourceCodes: make(map[string][]string),
			projectCodes: make(map[string][]string),
			values:       make(map[string][]Value), resourceValues: make(map[string][]Value),
			projectValues: make(map[string][]Value),
			notes:         make(map[string][]memo), projectNotes: make(map[string][]memo),
			rates: make(map[string][]Rate),
			steps: make(map[string][]numberedStep),
		},
	}
	lines := lineReader{in: in}
	for more := true; more; {
		line, err := lines.next()
		if more = err == nil; err != nil && !errors.Is(err, io.EOF) {
			return nil, malformed(err)
		}
		if err := x.line(line); err != nil {
			return nil, malformed(fmt.Errorf("line %d: %w", lines.number, err))
		}
	}
	if err := x.take(); err != nil {
		return nil, malformed(fmt.Errorf("line %d: %w", lines.number, err))
	}
	if err := x.whole(); err != nil {
		return nil, err
	}
	x.finish()
	return x.understood(x.rows)
}

// whole reports what is there besides the rows: the table without which there is no plan, and
// the end of the file.
func (x *xer) whole() error {
	if !slices.Contains(x.found, "TASK") {
		what := "no table at all"
		if len(x.found) > 0 {
			what = "the tables " + strings.Join(x.found[:min(len(x.found), maxShown)], ", ")
		}
		return noPlan("it has no table TASK, which the activities of a plan are in; it has " + what)
	}
	if !x.ended {
		x.warn("file", "It has no line %%E at its end: it may be cut off, and tasks and links may be missing.")
	}
	if x.behind > 0 {
		x.warn("file", "Rows behind its end, the line %%E, are left out: %d of them.", x.behind)
	}
	x.page.report(x.Plan)
	return nil
}

// lineReader reads lines that end with LF, CRLF or CR.
type lineReader struct {
	in     *bufio.Reader
	number int
	end    byte
	rest   []byte // of a line that has others within it
}

// next reads a line without its end, which is good until the next one is read. At the end
// of the file it fails with io.EOF and returns what is left.
func (l *lineReader) next() ([]byte, error) {
	l.number++
	if len(l.rest) > 0 {
		return l.cut(l.rest), nil
	}
	if l.end == 0 {
		l.end = '\n'
		begin, _ := l.in.Peek(l.in.Size())
		if at := bytes.IndexAny(begin, "\r\n"); at >= 0 && !bytes.HasPrefix(begin[at:], []byte("\r\n")) {
			l.end = begin[at]
		}
	}
	var line []byte
	for {
		part, err := l.in.ReadSlice(l.end)
		if line == nil && !errors.Is(err, bufio.ErrBufferFull) {
			line = part // as most lines, which fit the buffer
		} else {
			line = append(line, part...)
		}
		if len(line) > maxLine {
			return nil, ErrTooLarge
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		line = bytes.TrimRight(line, "\r\n")
		if err != nil {
			return line, err
		}
		return l.cut(line), nil
	}
}

// cut is the first of the lines in one: some tools mix their ends.
func (l *lineReader) cut(line []byte) []byte {
	l.rest = nil
	for from := 0; ; {
		at := bytes.IndexAny(line[from:], "\r\n")
		if at < 0 {
			return line
		}
		from += at + 1
		if rest := bytes.TrimLeft(line[from:], "\r\n"); len(rest) > 1 && rest[0] == '%' &&
			strings.IndexByte("TFRE", rest[1]) >= 0 &&
			(len(rest) == 2 || rest[2] == '\t') {
			l.rest = rest
			return line[:from-1]
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
		if x.ended {
			if marked[1] == 'R' {
				x.behind++
			}
			return nil
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
	case "ERMHDR":
		if names := strings.Split(x.page.text(rest), "\t"); len(names) > headerMoney {
			x.money = strings.TrimSpace(names[headerMoney])
		}
	case "%E":
		x.ended = true
	case "%T":
		x.begin(strings.TrimSpace(x.page.text(rest)))
	case "%F":
		return x.head(strings.Split(x.page.text(rest), "\t"))
	case "%R":
		x.row, x.within = append(x.row[:0], rest...), true
	}
	return nil
}

// headerMoney is where the first line has the currency of the database.
const headerMoney = 7

// maxFields is how many fields a table may have, and maxShown how many names an error has.
const maxFields, maxShown = 1000, 20

// currencies is the table of currencies, which is kept as it is.
const currencies = "CURRTYPE"

// begin begins a table. The case of its name does not count.
func (x *xer) begin(name string) {
	if upper := strings.ToUpper(name); xerTables[upper] != nil || upper == currencies {
		name = upper
	}
	x.table = &table{name: name, read: xerTables[name]}
	if name = cutName(name); !slices.Contains(x.found, name) && len(x.found) < maxFields {
		x.found = append(x.found, name)
	}
}

// head takes up the names of the fields of a table.
func (x *xer) head(names []string) error {
	if len(names) > maxFields {
		return fmt.Errorf("%w: a table of more than %d fields", ErrMalformed, maxFields)
	}
	if x.table == nil {
		x.warn("table", "The fields of one are left out: nothing says how it is called.")
		return nil
	}
	t := x.table
	t.names, t.fields = names, make(map[string]int, len(names))
	for i, name := range names {
		name = strings.TrimRight(strings.TrimSpace(name), "\x00")
		t.fields[strings.ToLower(name)] = i
		if t.read != nil {
			name = strings.ToLower(name)
		}
		names[i] = name
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
	r := &row{x.table, strings.Split(text, "\t")}
	if strings.IndexByte(text, 0) >= 0 {
		x.withoutNUL(r.values)
	}
	if n := len(r.names); len(r.values) > n && strings.Join(r.values[n:], "") != "" {
		x.warn("table "+name, "What rows of it have behind its last field is left out.")
	}
	r.keep()
	if r.read == nil {
		if name == currencies {
			x.currency(r)
		}
		return nil
	}
	if strings.ContainsAny(text, "\x7f\"") {
		for i, v := range r.values {
			r.values[i] = unescape.Replace(v)
		}
	}
	r.read(x, r)
	return nil
}

// withoutNUL takes the characters away with which some tools fill up texts.
func (x *xer) withoutNUL(values []string) {
	for i, v := range values {
		if v = strings.TrimRight(v, "\x00"); strings.IndexByte(v, 0) >= 0 {
			x.warn("table "+x.table.name, "Characters U+0000 within its texts are left out.")
			v = strings.ReplaceAll(v, "\x00", "")
		}
		values[i] = v
	}
}

// keep keeps what nothing else is made of.
func (r *row) keep() {
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
