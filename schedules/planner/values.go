package planner

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// reading is a plan while it is read from a file.
type reading struct {
	*Plan
	notation notation
}

// source is a record of a file, whose members are taken by their names.
type source interface{ take(name string) string }

// held is a record whose members stay with what nothing else is made of.
type held members

func (h held) take(name string) string { return h[name] }

// alone is a value that has no record around it.
type alone string

func (a alone) take(string) string { return string(a) }

// fields reads the values of a record. Each has one of three outcomes: it is read, it is read
// with a warning of what is taken for it, or it is left out with a warning, and what it would
// be read into stays as it was. Of several names the first that has a value counts.
type fields struct {
	*reading
	record   source
	kind, id string // of the record, for warnings
}

// fields begins to read a record. kind and id name it in warnings.
func (r *reading) fields(kind, id string, record source) fields { return fields{r, record, kind, id} }

// alone reads a value that stands alone as one of the record.
func (f *fields) alone(value string) *fields { return &fields{f.reading, alone(value), f.kind, f.id} }

// text is the first value that there is, and the name of its member.
func (f *fields) text(names ...string) (value, name string) {
	for _, n := range names {
		if v := f.record.take(n); value == "" && v != "" {
			value, name = v, n
		}
	}
	return value, name
}

// left warns of a value that is left out: it is no such thing.
func (f *fields) left(name, value, thing string) { f.tell(name, value, "is "+thing, "it is left out") }

// taken warns of a value that is read in a way that the file need not mean.
func (f *fields) taken(name, value, doubt, as string) {
	f.tell(name, value, doubt, "it is taken as "+as)
}

func (f *fields) tell(name, value, what, outcome string) {
	f.warned(Warning{
		What: f.what(), Text: fmt.Sprintf("Its %s %s %s: %s.", name, quoted(value), what, outcome),
		Kind: fmt.Sprintf("Its %s %s.", name, what),
	})
}

// what is the record for warnings.
func (f *fields) what() string { return strings.TrimSpace(f.kind + " " + f.id) }

// maxQuoted bounds what a warning quotes of a value, in bytes.
const maxQuoted = 60

func quoted(value string) string {
	return strconv.Quote(short(value, maxQuoted))
}

// time reads a time: see parseTime. NA is none.
func (f *fields) time(t *worktime.Time, names ...string) {
	s, name := f.text(names...)
	if s == "" || s == "NA" {
		return
	}
	v, sure, ok := parseTime(s)
	if !ok {
		f.left(name, s, "no time")
		return
	}
	if !sure {
		f.taken(name, s, "is in no order that the format has", v.String())
	}
	*t = v
}

// maxNumber is the largest number that a file may have.
const maxNumber = 1e15

// number reads a decimal in the notation of the file.
func (f *fields) number(n *float64, names ...string) {
	if s, name := f.text(names...); s != "" {
		f.decimal(n, name, s)
	}
}

// decimal reads a decimal, and reports whether it is one.
func (f *fields) decimal(n *float64, name, s string) bool {
	v, sure, ok := f.notation.parse(s)
	if !ok || math.Abs(v) > maxNumber {
		f.left(name, s, "no number")
		return false
	}
	if !sure {
		f.taken(name, s, "can be read in two ways", decimal(v))
	}
	*n = v
	return true
}

// sum reads numbers and adds them.
func (f *fields) sum(n *float64, names ...string) {
	for _, name := range names {
		var v float64
		f.number(&v, name)
		*n += v
	}
}

// maxHours is longer than the times that calendars know.
const maxHours = 1e8

// scaled reads a number of units as seconds, and reports whether there is one.
func (f *fields) scaled(seconds *int64, unit float64, names []string) bool {
	s, name := f.text(names...)
	var n float64
	if s == "" || !f.decimal(&n, name, s) {
		return false
	}
	if n *= unit; math.Abs(n) > maxHours*worktime.Hour {
		f.left(name, s, "too long")
		return false
	}
	*seconds = int64(math.Round(n))
	return true
}

// hours reads hours as seconds.
func (f *fields) hours(seconds *int64, names ...string) { f.scaled(seconds, worktime.Hour, names) }

// tenths reads tenths of a minute as seconds.
func (f *fields) tenths(seconds *int64, names ...string) { f.scaled(seconds, 6, names) }

// float is hours for what may be missing.
func (f *fields) float(seconds **int64, names ...string) {
	var v int64
	if f.scaled(&v, worktime.Hour, names) {
		*seconds = &v
	}
}

// share reads a share of one as percents.
func (f *fields) share(percent *float64, names ...string) {
	var n float64
	f.number(&n, names...)
	*percent = math.Round(n*1e8) / 1e6
}

// cents reads an amount that is given in hundredths.
func (f *fields) cents(n *float64, names ...string) {
	var hundredths float64
	if s, name := f.text(names...); s == "" || !f.decimal(&hundredths, name, s) {
		return
	}
	// Moving the decimal point of the text keeps cents exact, which a division would not.
	if v, err := strconv.ParseFloat(decimal(hundredths)+"e-2", 64); err == nil {
		*n = v
	}
}

// whole reads a whole number within bounds, and reports whether there is one.
func (f *fields) whole(n *int, least, most int, names ...string) bool {
	s, name := f.text(names...)
	if s == "" {
		return false
	}
	v, sure, ok := f.notation.parse(s)
	if !ok || !sure || v != math.Trunc(v) || v < float64(least) || v > float64(most) {
		f.left(name, s, fmt.Sprintf("no whole number from %d to %d", least, most))
		return false
	}
	*n = int(v)
	return true
}

// truth reads whether something holds, and reports whether the record says it.
func (f *fields) truth(names ...string) (is, ok bool) {
	s, name := f.text(names...)
	switch s {
	case "":
		return false, false
	case "1", "Y":
		return true, true
	case "0", "N":
		return false, true
	}
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "1", "-1", "y", "yes", "t", "true":
		return true, true
	case "0", "n", "no", "f", "false":
		return false, true
	}
	f.left(name, s, "neither true nor false")
	return false, false
}

// flag reads whether something holds; what is not said stays as it was.
func (f *fields) flag(is *bool, names ...string) {
	if v, ok := f.truth(names...); ok {
		*is = v
	}
}

// known is a flag for what may be missing.
func (f *fields) known(is **bool, names ...string) {
	if v, ok := f.truth(names...); ok {
		*is = &v
	}
}

// holds is a flag of what does not hold where the record does not say so.
func (f *fields) holds(names ...string) bool {
	is, _ := f.truth(names...)
	return is
}

// span reads a span of time as seconds: see parseSpan.
func (f *fields) span(seconds *int64, names ...string) {
	s, name := f.text(names...)
	if s == "" {
		return
	}
	n, sure, ok := parseSpan(s)
	switch {
	case !ok:
		f.left(name, s, "no span of time")
		return
	case math.Abs(n) > maxHours*worktime.Hour:
		f.left(name, s, "too long")
		return
	case !sure:
		f.taken(name, s, "counts in days or more", decimal(n/worktime.Hour)+" hours")
	}
	*seconds = int64(math.Round(n))
}

// work reads a span of time as hours.
func (f *fields) work(hours *float64, names ...string) {
	seconds := int64(math.MinInt64) // nothing was read
	if f.span(&seconds, names...); seconds != math.MinInt64 {
		*hours = float64(seconds) / worktime.Hour
	}
}

// notation is how the numbers of a file are written.
type notation struct {
	// point and group are the signs before decimals and between groups of three digits, where
	// the file says which they are.
	point, group byte
	// proven is what stood before decimals although the file says that it is between groups.
	proven byte
}

// parse reads a number, and reports whether it can be read in one way alone.
func (n *notation) parse(s string) (v float64, sure, ok bool) {
	points := 0
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9' || c == '-':
		case c == '.' && points == 0 && (n.point == '.' || n.point == 0):
			points++
		default:
			return n.parseForeign(s)
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, true, err == nil
}

// foreignNumber is a number while it is found out what its signs mean.
type foreignNumber struct {
	minus, exponent string
	digits          []byte
	signs           []sign
}

// sign is a comma, a point or another sign, for which an apostrophe stands, behind so many digits.
type sign struct {
	is byte
	at int
}

// parseForeign reads a number with signs of any language: blanks and apostrophes between groups, commas
// and points before decimals or between groups.
func (n *notation) parseForeign(s string) (v float64, sure, ok bool) {
	f, ok := scanNumber(s)
	if !ok {
		return 0, true, false
	}
	point, sure := n.decimals(f)
	for i, one := range f.signs {
		next := point
		if i+1 < len(f.signs) {
			next = f.signs[i+1].at
		}
		if next-one.at != 3 || i == 0 && (one.at < 1 || one.at > 3) {
			return 0, true, false
		}
	}
	v, err := strconv.ParseFloat(f.minus+string(f.digits[:point])+"."+string(f.digits[point:])+f.exponent, 64)
	return v, sure, err == nil
}

// scanNumber takes a number apart, and reports whether it is one.
func scanNumber(s string) (*foreignNumber, bool) {
	f := &foreignNumber{}
	s = strings.Replace(strings.TrimSpace(s), "−", "-", 1)
	if rest, below := strings.CutPrefix(s, "-"); below {
		s, f.minus = rest, "-"
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	if at := strings.IndexAny(s, "eE"); at >= 0 {
		s, f.exponent = s[:at], s[at:]
	}
	for _, c := range s {
		switch c {
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			f.digits = append(f.digits, byte(c))
		case '.', ',':
			f.signs = append(f.signs, sign{byte(c), len(f.digits)})
		case ' ', '\u00a0', '\u2009', '\u202f', '\'', '’':
			f.signs = append(f.signs, sign{'\'', len(f.digits)})
		default:
			return nil, false
		}
	}
	return f, len(f.digits) > 0
}

// decimals is behind how many digits the decimals begin, and whether that is sure. The signs that are
// left are between groups: several of one kind are, and the last one is not where it is of another.
func (n *notation) decimals(f *foreignNumber) (point int, sure bool) {
	last := len(f.signs) - 1
	if last < 0 || f.signs[last].is == '\'' {
		return len(f.digits), true
	}
	one := f.signs[last]
	if slices.ContainsFunc(f.signs[:last], func(other sign) bool { return other.is == one.is }) {
		return len(f.digits), true
	}
	sure = true
	if last == 0 && one.is != n.point {
		grouped := len(f.digits)-one.at == 3 && one.at > 0 && one.at <= 3 && f.digits[0] != '0'
		switch {
		case one.is == n.group && grouped && n.proven != one.is:
			return len(f.digits), true
		case one.is == n.group:
			n.proven, sure = one.is, !grouped
		default:
			sure = !grouped || one.is == '.' && n.point == 0
		}
	}
	f.signs = f.signs[:last]
	return one.at, sure
}
