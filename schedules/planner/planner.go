// Package planner reads the files in which planning tools keep plans, those of Primavera
// P6 (XER and XML) and of Microsoft Project (XML), into one form, schedules it by the
// rules of the tool that wrote it, and writes it in any of these formats. It needs no store
// and no schedule.
//
//	file, err := os.Open("plan.xer")
//	if err != nil {
//		log.Fatal(err)
//	}
//	plan, err := planner.Read(file)
//	if err != nil {
//		log.Fatal(err)
//	}
//	s, err := plan.Schedule()
//	if err != nil {
//		log.Fatal(err)
//	}
//	for i, task := range plan.Tasks {
//		if dates := s.Dates(i); dates.Critical {
//			fmt.Println(task.Code, task.Name, dates.Start, dates.Finish)
//		}
//	}
//
// The command planner of this module does that, draws the plan, and compares it with others:
//
//	go run github.com/seed-933f9a09/twinplatform/cmd/planner plan.xer
//
// Times are local and have no zone, as planning tools write them. Durations, lags and
// floats are whole seconds of working time.
package planner

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits on what is read.
const (
	MaxBytes = 1 << 30
	// MaxRecords is how many tasks, links, resources and whatever else there are, of which
	// a task or a resource counts as four, an assignment as two.
	MaxRecords = 5_000_000
	MaxNote    = 64 << 10 // bytes of a note
	maxLine    = 16 << 20
)

var (
	// ErrFormat is what a file fails with that is none of a format that is read.
	ErrFormat = errors.New("planner: the file is no XER, no XML of P6 and no XML of Microsoft Project")
	// ErrMPP is what a file fails with that is Microsoft Project's own.
	ErrMPP = fmt.Errorf("%w: it is an MPP; save it as XML (*.xml) in Microsoft Project", ErrFormat)
	// ErrMalformed is what a file fails with that cannot be read to its end.
	ErrMalformed = errors.New("planner: the file is damaged")
	// ErrTooLarge is what a file fails with that is beyond MaxBytes or MaxRecords.
	ErrTooLarge = fmt.Errorf("planner: the file has more than %d bytes or %d records", MaxBytes, MaxRecords)
)

// Options say how to read and to write a file.
type Options struct {
	// Page is the code page of an XER, when it is read of one that is not in UTF-8:
	// Windows1252 when empty, with a warning.
	Page CodePage
}

// Read reads the plan of a file whose format it finds out.
//
// Errors: ErrFormat, ErrMPP, ErrMalformed, ErrTooLarge; with options ErrCodePage.
func Read(r io.Reader) (*Plan, error) { return Options{}.Read(r) }

// Read is the function of that name, with options.
func (o Options) Read(r io.Reader) (*Plan, error) {
	p, err := o.read(r)
	if err != nil && len(err.Error()) > maxError {
		err = quotingError{err}
	}
	return p, err
}

// maxError bounds what an error says, in bytes: it quotes the file, which may have anything in
// place of a name or a date.
const maxError = 500

// quotingError is one whose text is cut.
type quotingError struct{ error }

func (e quotingError) Error() string {
	return strings.ToValidUTF8(e.error.Error()[:maxError], "") + "…"
}

func (e quotingError) Unwrap() error { return e.error }

// read finds the format by how the file begins, and reads it. A byte order mark announces
// UTF-16, in which some tools export XML.
func (o Options) read(r io.Reader) (*Plan, error) {
	if r == nil {
		return nil, ErrFormat
	}
	page, err := o.page()
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(&limited{r: r, left: MaxBytes}, 64<<10)
	begin, err := in.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	wide := true
	switch {
	case bytes.HasPrefix(begin, []byte("\xFF\xFE")):
		in = bufio.NewReaderSize(&wideReader{in: in, order: binary.LittleEndian}, 64<<10)
	case bytes.HasPrefix(begin, []byte("\xFE\xFF")):
		in = bufio.NewReaderSize(&wideReader{in: in, order: binary.BigEndian}, 64<<10)
	default:
		wide = false
	}
	begin, _ = in.Peek(512)
	switch begin = bytes.TrimSpace(bytes.TrimPrefix(begin, []byte(mark))); {
	case bytes.HasPrefix(begin, []byte("ERMHDR")):
		return readXER(in, &decoding{page: page, chosen: o.Page != ""})
	case bytes.HasPrefix(begin, []byte("\xD0\xCF\x11\xE0")):
		return nil, ErrMPP
	case bytes.HasPrefix(begin, []byte("<")):
		return readXML(in, wide)
	}
	return nil, foreign(begin)
}

// mark is what a file in UTF-8 may begin with.
const mark = "\xEF\xBB\xBF"

// limited is a reader that fails behind so many bytes.
type limited struct {
	r    io.Reader
	left int64
}

// Read fails once as much was read as a file may have, rather than end as if the file
// did.
func (l *limited) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, ErrTooLarge
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}

// readXML reads the format that the first element of a file names.
func readXML(in *bufio.Reader, wide bool) (*Plan, error) {
	if begin, _ := in.Peek(len(mark)); string(begin) == mark {
		in.Discard(len(mark)) //nolint:errcheck // they were just seen
	}
	in, err := decoded(in, wide)
	if err != nil {
		return nil, err
	}
	characters := &allowed{in: in, line: 1, plan: &Plan{}}
	d, t := newDecoder(bufio.NewReaderSize(characters, 64<<10))
	for {
		token, err := d.Token()
		if err != nil {
			return nil, malformed(err)
		}
		root, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		var p *Plan
		switch {
		case root.Name.Local == "Project" && (root.Name.Space == "" || strings.HasPrefix(root.Name.Space, mspdiSpace)):
			p, err = readMSPDI(d, t, root)
		case root.Name.Local == "APIBusinessObjects" &&
			(root.Name.Space == "" || strings.Contains(strings.ToLower(root.Name.Space), p6Space)):
			p, err = readP6XML(d, t)
		default:
			return nil, foreignRoot(root)
		}
		if err != nil && !errors.Is(err, ErrFormat) {
			return nil, fmt.Errorf("%w (line %d)", err, characters.line)
		}
		if err != nil {
			return nil, err
		}
		p.Warnings = append(characters.plan.Warnings, p.Warnings...)
		return p, nil
	}
}

// malformed is why a file cannot be read.
func malformed(err error) error {
	if errors.Is(err, ErrTooLarge) || errors.Is(err, ErrMalformed) || errors.Is(err, ErrFormat) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrMalformed, err)
}

// elements calls a function for each element at hand, until the one around them ends.
func elements(d *xml.Decoder, each func(xml.StartElement) error) error {
	for {
		token, err := d.Token()
		if err != nil {
			return malformed(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if err := each(t); err != nil {
				return malformed(err)
			}
		case xml.EndElement:
			return nil
		}
	}
}

// counter counts the records of a file.
type counter int

// weights are how many records count for one of those that take up more memory than
// others, by its table or its element.
var weights = map[string]int{
	"TASK": 4, "RSRC": 4, "TASKRSRC": 2, "PROJECT": 8, "CALENDAR": 8,
	"Task": 4, "Activity": 4, "WBS": 4, "Resource": 4, "Assignment": 2, "ResourceAssignment": 2, "Project": 8,
	"BaselineProject": 8, "Calendar": 8, "TimephasedData": 0,
}

// count fails once the records read so far weigh more than a plan may, each by what it
// takes in memory.
func (c *counter) count(kind string) error {
	weight, ok := weights[kind]
	if !ok {
		weight = 1
	}
	if *c += counter(weight); *c > MaxRecords {
		return ErrTooLarge
	}
	return nil
}
