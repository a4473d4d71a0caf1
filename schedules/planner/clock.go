package planner

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// parseTime reads a time as P6 writes it, "2026-01-05 08:00", as XML does, and as tools in other
// languages do: "2026-1-05 08.00", "29-JAN-24". Zones and parts of seconds do not count. It
// reports whether the order of day and month is sure; where it is open, there is no time.
func parseTime(s string) (t worktime.Time, sure, ok bool) {
	if len(s) >= len("2026-01-05") && s[4] == '-' && s[7] == '-' {
		year, month, day := number(s[:4]), number(s[5:7]), number(s[8:10])
		switch {
		case len(s) == 10:
			return date(year, month, day, 0)
		case s[10] != ' ' && s[10] != 'T':
		case len(s) == len("2026-01-05 08:00") && s[13] == ':':
			if h, m := number(s[11:13]), number(s[14:]); h < 24 && m < 60 && min(h, m) >= 0 {
				return date(year, month, day, h*worktime.Hour+m*worktime.Minute)
			}
		case len(s) == len("2026-01-05 08:00:00") && s[13] == ':' && s[16] == ':':
			if h, m, sec := number(s[11:13]), number(s[14:16]), number(s[17:]); h < 24 && m < 60 && sec < 60 &&
				min(h, m, sec) >= 0 {
				return date(year, month, day, h*worktime.Hour+m*worktime.Minute+sec)
			}
		}
	}
	return parseForeignTime(strings.TrimSpace(s))
}

// number is a number of digits alone, or -1.
func number(s string) (n int) {
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return -1
		}
		n = 10*n + int(c)
	}
	if s == "" || len(s) > 8 {
		return -1
	}
	return n
}

// date is a time of a day that there is.
func date(year, month, day, seconds int) (t worktime.Time, sure, ok bool) {
	if year < 1 || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, true, false
	}
	if day > 28 && time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() < day {
		return 0, true, false
	}
	return worktime.Date(year, time.Month(month), day, 0, 0, seconds), true, true
}

// months are the months by the first letters of their English names.
var months = map[string]int{
	"JAN": 1, "FEB": 2, "MAR": 3, "APR": 4, "MAY": 5, "JUN": 6, "JUL": 7, "AUG": 8, "SEP": 9, "OCT": 10, "NOV": 11,
	"DEC": 12,
}

// dateParts cuts a date into its three parts, the first separator, and the rest, which
// holds the time of day. The separator counts because countries order day and month
// differently by it.
func dateParts(s string) (parts [3]string, between byte, rest string) {
	for i := range parts {
		end := 0
		letters := func(b byte) bool { return 'A' <= b&^0x20 && b&^0x20 <= 'Z' }
		for end < len(s) && (s[end]-'0' <= 9 || letters(s[end])) && (end == 0 || letters(s[end]) == letters(s[0])) {
			end++
		}
		parts[i], s = s[:end], s[end:]
		if i < 2 {
			cut := strings.TrimLeft(s, "-/., ")
			if i == 0 && cut != s {
				between = s[0]
			}
			s = cut
		}
	}
	return parts, between, s
}

// parseForeignTime reads a time that is not as the formats have it.
func parseForeignTime(s string) (t worktime.Time, sure, ok bool) {
	p, between, rest := dateParts(s)
	seconds := 0
	if rest = strings.TrimLeft(rest, "T, "); rest != "" {
		var err error
		if seconds, err = readClock(rest); err != nil {
			return 0, true, false
		}
	}
	at := func(year, month, day string) (worktime.Time, bool, bool) {
		y, m := number(year), number(month)
		if m < 0 && len(month) >= 3 {
			m = months[strings.ToUpper(month[:3])]
		}
		if len(year) == 2 && y >= 0 { // of this century, but for what is far in the future
			if y += 2000; y >= 2070 {
				y -= 100
			}
		}
		if len(year) != 2 && len(year) != 4 {
			return 0, true, false
		}
		return date(y, m, number(day), seconds)
	}
	first, second := number(p[0]), number(p[1])
	switch {
	case len(p[0]) == 4 && first >= 0:
		return at(p[0], p[1], p[2])
	case first >= 0 && second < 0:
		return at(p[2], p[1], p[0])
	case first < 0 && second >= 0:
		return at(p[2], p[0], p[1])
	case len(p[2]) != 4:
		return 0, true, false
	case between == '.' || first > 12 || first == second:
		t, _, ok = at(p[2], p[1], p[0])
	case second > 12:
		t, _, ok = at(p[2], p[0], p[1])
	}
	return t, false, ok
}

// readClock reads a time of day as seconds since midnight: "08:00", "8:00:00", "07.00", "7:00 AM",
// and with parts of a second and a zone, which do not count.
func readClock(s string) (seconds int, err error) {
	text, half := clockText(s)
	parts := clockParts(text)
	if len(parts) > 3 || len(parts) == 1 && half == 0 {
		return 0, notClock(s)
	}
	for i, unit := range []int{worktime.Hour, worktime.Minute, 1}[:len(parts)] {
		n, most := number(parts[i]), 59
		if i == 0 {
			n, most = hour(n, half), 24
		}
		if n < 0 || n > most {
			return 0, notClock(s)
		}
		seconds += n * unit
	}
	return min(seconds, worktime.Day), nil
}

func notClock(s string) error { return fmt.Errorf("%s is no time of day", quoted(s)) }

// clockText is a time of day without its zone, and A or P for one of which half of the day.
func clockText(s string) (text string, half byte) {
	text = strings.ToUpper(strings.TrimSpace(s))
	for _, end := range []string{"AM", "PM", "A.M.", "P.M."} {
		if rest, ok := strings.CutSuffix(text, end); ok {
			text, half = strings.TrimSpace(rest), end[0]
		}
	}
	text = strings.TrimSuffix(text, "Z")
	if at := strings.IndexAny(text, "+-"); at > 0 && number(strings.Replace(text[at+1:], ":", "", 1)) >= 0 {
		text = text[:at]
	}
	return text, half
}

// clockParts are hours, minutes and seconds, without parts of these.
func clockParts(text string) []string {
	parts := strings.Split(text, ":")
	switch len(parts) {
	case 1:
		return strings.Split(text, ".")
	case 3:
		whole, part, _ := strings.Cut(strings.Replace(parts[2], ",", ".", 1), ".")
		if strings.Trim(part, "0123456789") == "" {
			parts[2] = whole
		}
	}
	return parts
}

// hour converts an hour of a 12-hour clock, with half 'A' for a.m. and 'P' for p.m., to one
// of 24 hours. It returns n as it is where half is 0, and -1 where no such hour is before
// noon.
func hour(n int, half byte) int {
	switch {
	case half == 0:
		return n
	case n > 12 && half == 'A':
		return -1
	case n == 12 && half == 'A':
		return 0
	case n >= 0 && n < 12 && half == 'P':
		return n + 12
	}
	return n
}

// parseSpan reads a span of time of ISO 8601 as seconds: weeks of seven days of 24 hours, months of 30
// days, years of 365. It reports whether no such day counts, of which others make as many hours as
// people work.
func parseSpan(s string) (seconds float64, sure, ok bool) {
	text, minus := strings.CutPrefix(strings.ToUpper(strings.TrimSpace(s)), "-")
	sure = true
	text, ok = strings.CutPrefix(text, "P")
	date, clock, timed := strings.Cut(text, "T")
	if !ok || date+clock == "" || timed && clock == "" {
		return 0, true, false
	}
	for _, half := range []struct{ text, units string }{{date, "YMWD"}, {clock, "HMS"}} {
		for rest, units := half.text, half.units; rest != ""; {
			at := strings.IndexFunc(rest, func(r rune) bool { return 'A' <= r && r <= 'Z' })
			if at < 1 {
				return 0, true, false
			}
			unit := strings.IndexByte(units, rest[at])
			n, err := strconv.ParseFloat(strings.Replace(rest[:at], ",", ".", 1), 64)
			if unit < 0 || err != nil || strings.Trim(rest[:at], "0123456789.,") != "" {
				return 0, true, false
			}
			sure = sure && (half.units[0] == 'H' || n == 0)
			seconds += n * spanUnit(rest[at], half.units[0] == 'H')
			rest, units = rest[at+1:], units[unit+1:]
		}
	}
	if minus {
		seconds = -seconds
	}
	return seconds, sure, true
}

// spanUnit is a unit of a span in seconds.
func spanUnit(letter byte, clock bool) float64 {
	switch letter {
	case 'Y':
		return 365 * worktime.Day
	case 'W':
		return 7 * worktime.Day
	case 'D':
		return worktime.Day
	case 'H':
		return worktime.Hour
	case 'M':
		if clock {
			return worktime.Minute
		}
		return 30 * worktime.Day
	default:
		return 1
	}
}
