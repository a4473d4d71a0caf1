package planner

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// maxNesting is how deep the elements of a file may be.
const maxNesting = 64

// tokens reads the tokens of an XML, of which none is longer than a line may be, and none
// deeper than what a planning tool writes.
type tokens struct {
	in    *bufio.Reader
	d     *xml.Decoder
	left  int // of what the next token may have
	depth int
	// budget is how many elements there may be until something sets it again.
	budget int
}

// maxElements is how many elements what is read at once may have.
const maxElements = 1_000_000

// newDecoder returns a decoder of an XML from anyone.
func newDecoder(in *bufio.Reader) (*xml.Decoder, *tokens) {
	t := &tokens{in: in, left: maxLine, budget: math.MaxInt}
	t.d = xml.NewDecoder(t)
	t.d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is in UTF-8 by now
	return xml.NewTokenDecoder(t), t
}

// ReadByte counts each byte against maxLine, so that one endless token of a hostile file
// cannot fill the memory.
func (t *tokens) ReadByte() (byte, error) {
	if t.left--; t.left < 0 {
		return 0, ErrTooLarge
	}
	return t.in.ReadByte()
}

// Read reads from the file as ReadByte does, and counts the bytes in the same way.
func (t *tokens) Read(b []byte) (int, error) {
	if t.left <= 0 {
		return 0, ErrTooLarge
	}
	n, err := t.in.Read(b)
	t.left -= n
	return n, err
}

// Token returns the next token. It fails with ErrTooLarge behind as many elements as the
// budget admits, and with ErrMalformed where elements lie deeper than maxNesting.
func (t *tokens) Token() (xml.Token, error) {
	t.left = maxLine
	token, err := t.d.RawToken()
	switch token.(type) {
	case xml.StartElement:
		if t.budget--; t.budget < 0 {
			return nil, ErrTooLarge
		}
		if t.depth++; t.depth > maxNesting {
			return nil, fmt.Errorf("%w: elements lie more than %d deep", ErrMalformed, maxNesting)
		}
	case xml.EndElement:
		t.depth--
	}
	return token, err
}

// members are what an element holds, by name.
type members map[string]string

// take is a member, which is not left over then.
func (m members) take(name string) string {
	s := m[name]
	delete(m, name)
	return s
}

// reader reads the elements of a file, and keeps what nothing else is made of.
type reader struct {
	reading
	d       *xml.Decoder
	tokens  *tokens
	records counter
	left    map[string]*leftTable
	skipped map[string]int // elements with others below them, by name
	names   []string       // of the elements of the file
}

// leftTable is what is left of the elements of a kind.
type leftTable struct {
	Table
	columns map[string]int
}

// newReader begins an empty plan of a format.
func newReader(d *xml.Decoder, t *tokens, f Format) *reader {
	return &reader{
		reading: reading{Plan: &Plan{Format: f}}, d: d, tokens: t, left: make(map[string]*leftTable),
		skipped: make(map[string]int),
	}
}

// name takes up the name of an element of the file, for an error.
func (r *reader) name(e xml.StartElement) {
	if name := cutName(e.Name.Local); len(r.names) < maxShown && !slices.Contains(r.names, name) {
		r.names = append(r.names, name)
	}
}

// elementNames are what a file has instead of what it should have.
func (r *reader) elementNames() string {
	if len(r.names) == 0 {
		return "nothing"
	}
	return "the elements " + strings.Join(r.names, ", ")
}

// bounded calls a function that reads what has so many elements and no more.
func (r *reader) bounded(read func() error) error {
	r.tokens.budget = maxElements
	defer func() { r.tokens.budget = math.MaxInt }()
	return read()
}

// record counts a record and reads it.
func (r *reader) record(e xml.StartElement, read func(xml.StartElement) error) error {
	if err := r.records.count(e.Name.Local); err != nil {
		return err
	}
	return read(e)
}

// each reads the elements of a name below the one at hand.
func (r *reader) each(name string, read func(xml.StartElement) error) error {
	return elements(r.d, func(e xml.StartElement) error {
		if e.Name.Local != name {
			return r.skip(e)
		}
		return r.record(e, read)
	})
}

// skip leaves an element out, and counts it.
func (r *reader) skip(e xml.StartElement) error {
	r.count(e)
	return r.d.Skip()
}

// count counts an element that is left out, of so many names at most.
func (r *reader) count(e xml.StartElement) {
	if _, ok := r.skipped[e.Name.Local]; ok || len(r.skipped) < maxFields {
		r.skipped[e.Name.Local]++
	}
}

// text reads the text of an element, unless it has others below it.
func (r *reader) text(e xml.StartElement) (text string, err error) {
	var b strings.Builder
	for below := false; ; {
		token, err := r.d.Token()
		if err != nil {
			return "", malformed(err)
		}
		switch t := token.(type) {
		case xml.CharData:
			if b.Len()+len(t) > maxLine {
				return "", ErrTooLarge
			}
			b.Write(t)
		case xml.StartElement:
			if !below {
				below = true
				r.count(e)
			}
			if err := r.d.Skip(); err != nil {
				return "", malformed(err)
			}
		case xml.EndElement:
			if below {
				return "", nil
			}
			return strings.TrimSpace(b.String()), nil
		}
	}
}

// members reads what the element at hand holds. What has its own function is read by
// that.
func (r *reader) members(own map[string]func(xml.StartElement) error) (members, error) {
	m := make(members, 32)
	return m, elements(r.d, func(e xml.StartElement) error {
		if read := own[e.Name.Local]; read != nil {
			return r.record(e, read)
		}
		text, err := r.text(e)
		if text != "" {
			if len(m) >= maxFields {
				return fmt.Errorf("%w: an element of more than %d members", ErrMalformed, maxFields)
			}
			m[e.Name.Local] = text
		}
		return err
	})
}

// maxLeft is how many members of a kind are kept of which nothing else is made.
const maxLeft = 300

// keep keeps what is left of an element by its id.
func (r *reader) keep(kind, key, id string, m members) {
	if len(m) == 0 || id == "" {
		return
	}
	t := r.left[kind]
	if t == nil {
		t = &leftTable{Table: Table{Name: kind, Fields: []string{key}}, columns: make(map[string]int)}
		r.left[kind] = t
	}
	row := make([]string, len(t.Fields), len(t.Fields)+len(m))
	row[0] = id
	for _, name := range slices.Sorted(maps.Keys(m)) {
		at, ok := t.columns[name]
		if !ok {
			if len(t.Fields) >= maxLeft {
				continue
			}
			at = len(t.Fields)
			t.columns[name], t.Fields, row = at, append(t.Fields, name), append(row, "")
		}
		row[at] = lines.Replace(m[name])
	}
	t.Rows = append(t.Rows, strings.TrimRight(strings.Join(row, "\t"), "\t"))
}

// lines puts text into one line without tabs, as an XER has it.
var lines = strings.NewReplacer("\t", " ", "\r\n", "\x7f\x7f", "\n", "\x7f\x7f", "\r", "\x7f\x7f")

// leave hands over what is left, and names what is left out.
func (r *reader) leave() {
	for _, kind := range slices.Sorted(maps.Keys(r.left)) {
		r.Tables = append(r.Tables, r.left[kind].Table)
	}
	for _, name := range slices.Sorted(maps.Keys(r.skipped)) {
		what := "element " + name
		r.warned(Warning{What: what, Text: fmt.Sprintf("It is left out with what is in it, %d of them.",
			r.skipped[name]), Kind: what})
	}
}
