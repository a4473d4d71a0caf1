// Package table writes plans as tables that people work on in Excel, LibreOffice or Numbers: as XLSX with
// real dates and numbers, and as CSV.
//
//	err := table.XLSX(w, table.Tasks(plan))
//
// Durations, floats and variances are in working days of the calendar that they are measured by, dates are
// local to the plan, to the minute. A column says which rows are summaries: leave these out when you add up,
// since they span the rows below them.
//
// Text of a plan is never a formula: XLSX has it as text, and in CSV text that begins with = + - @ gets an
// apostrophe before it. Excel writes control characters, which XML forbids, as _x0001_, and so does XLSX.
package table

import (
	"errors"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/spreadsheet"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Limits of XLSX.
const (
	MaxRows = 1_048_576 // of a sheet, with the row of names
	MaxText = 32_767    // characters of a cell, in UTF-16
)

// ErrTooLarge is what XLSX fails with for a table that no sheet holds. CSV holds any.
var ErrTooLarge = errors.New("XLSX does not hold the table")

// Table is rows below the names of their columns. The rows are made when they are written, from the plan as it
// is then.
type Table struct {
	name   string
	names  []string
	widths []float64 // in characters
	rows   iter.Seq[[]cell]
}

// Name is what the sheet of the table is called.
func (t *Table) Name() string { return t.name }

// cell is a field of a row.
type cell struct {
	kind   kind
	text   string
	number float64 // of days since 1970 in a date
}

type kind uint8

const (
	empty  kind = iota
	text        // of the plan
	word        // of this package
	number      //
	date        //
)

func textOf(s string) cell { return cell{kind: text, text: s} }
func wordOf(s string) cell { return cell{kind: word, text: s} }

// rounded is a number with four decimals, which is three seconds of a day of eight hours. Zero has no sign.
func rounded(n float64) cell { return cell{kind: number, number: math.Round(n*1e4)/1e4 + 0} }

func daysOf(seconds, day int64) cell { return rounded(float64(seconds) / float64(day)) }

// optional is a span in days, empty where it is nil.
func optional(seconds *int64, day int64) cell {
	if seconds == nil {
		return cell{}
	}
	return daysOf(*seconds, day)
}

func timeOf(t worktime.Time) cell {
	if t == 0 {
		return cell{}
	}
	return cell{kind: date, text: minute(t), number: float64(t) / worktime.Day}
}

// minute is a time as spreadsheets read it.
func minute(t worktime.Time) string {
	return strings.Replace(t.String()[:len("2026-01-05T08:00")], "T", " ", 1)
}

func yesOf(b bool) cell {
	if b {
		return wordOf("yes")
	}
	return wordOf("no")
}

// column is one of a table of T.
type column[T any] struct {
	name  string
	width float64
	of    func(T) cell
}

// build makes a table of its columns.
func build[T any](name string, columns []column[T], rows iter.Seq[T]) *Table {
	t := &Table{name: name}
	for _, c := range columns {
		t.names, t.widths = append(t.names, c.name), append(t.widths, c.width)
	}
	t.rows = func(yield func([]cell) bool) {
		line := make([]cell, len(columns))
		for r := range rows {
			for i, c := range columns {
				line[i] = c.of(r)
			}
			if !yield(line) {
				return
			}
		}
	}
	return t
}

// CSV writes a table in lines of fields below the names of the columns. It begins with a byte order mark, without
// which Excel takes UTF-8 for another code page.
func CSV(w io.Writer, t *Table) error {
	if _, err := io.WriteString(w, "\uFEFF"); err != nil {
		return err
	}
	out := spreadsheet.NewWriter(w)
	err := out.Names(t.names...)
	for line := range t.rows {
		if err != nil {
			break
		}
		fields := make([]spreadsheet.Cell, len(line))
		for i, c := range line {
			fields[i] = c.field()
		}
		err = out.Write(fields...)
	}
	return errors.Join(err, out.Flush())
}

func (c cell) field() spreadsheet.Cell {
	switch c.kind {
	case text:
		return spreadsheet.Text(c.text)
	case number:
		return spreadsheet.Plain(strconv.FormatFloat(c.number, 'f', -1, 64))
	default:
		return spreadsheet.Plain(c.text)
	}
}
