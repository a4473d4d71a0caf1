package gantt

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// Widths of characters in pixels, as wide as the widest of common fonts has them.
const (
	slim   = 4.0
	narrow = 6.8 // most
	broad  = 8.0
	wide   = 11.5
	bold   = 1.1 // times as wide
)

// ellipsis stands for what has no room.
const ellipsis = "…"

// maxText is how many bytes of a text are shown at all.
const maxText = 1_000

// clean is text without what cannot be in XML or would turn the text around it: control
// characters and those that embed and override directions. It is one line.
func clean(s string) string {
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + ellipsis
	}
	if !strings.ContainsFunc(s, unclean) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unclean(r) && r != utf8.RuneError:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// unclean reports whether a rune is a control character, reverses the direction of text,
// breaks the line, or is no valid character of XML.
func unclean(r rune) bool {
	return r < 0x20 || r >= 0x7F && r < 0xA0 || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 ||
		r == 0x2028 || r == 0x2029 || r&0xFFFE == 0xFFFE || r == utf8.RuneError
}

// fit is text in so many pixels.
func fit(s string, room float64) string {
	s = clean(s)
	if float64(len(s))*wide <= room && ascii(s) {
		return s
	}
	at, end := 0.0, 0 // the last place where an ellipsis has room
	for i, r := range s {
		w := width(r)
		if w > 0 && at+narrow*1.5 <= room { // never between a character and its accents
			end = i
		}
		if at += w; at > room {
			return strings.TrimRight(s[:end], " ") + ellipsis
		}
	}
	return s
}

// width is how many pixels a character takes.
func width(r rune) float64 {
	switch {
	case strings.ContainsRune(" .,:;'|!()[]ijlft", r):
		return slim
	case strings.ContainsRune("WMmw@%", r):
		return wide
	case r >= 'A' && r <= 'Z':
		return broad
	case r < 0x300:
		return narrow
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && r <= 0x115F, r >= 0x2E80 && r <= 0xA4CF, r >= 0xAC00 && r <= 0xD7A3, r >= 0xF900 && r <= 0xFAFF,
		r >= 0xFE30 && r <= 0xFE6F, r >= 0xFF00 && r <= 0xFF60, r >= 0xFFE0 && r <= 0xFFE6, r >= 0x1F000:
		return wide
	default:
		return narrow
	}
}

// ascii reports whether all of a text is ASCII, whose width in pixels can be estimated.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// rightToLeft reports whether text has letters that are written so. Such text is kept
// apart from what is next to it.
func rightToLeft(s string) bool {
	return !ascii(s) && strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x590 && r <= 0x8FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC ||
			r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
	})
}

// apart is text that does not turn the direction of what is next to it.
func apart(s string) string {
	if rightToLeft(s) {
		return "\u2068" + s + "\u2069"
	}
	return s
}

// appendText appends text to XML, within an element or an attribute.
func appendText(b []byte, s string) []byte {
	from := 0
	for i := range len(s) {
		var escaped string
		switch s[i] {
		case '&':
			escaped = "&amp;"
		case '<':
			escaped = "&lt;"
		case '>':
			escaped = "&gt;"
		case '"':
			escaped = "&quot;"
		default:
			continue
		}
		b = append(append(b, s[from:i]...), escaped...)
		from = i + 1
	}
	return append(b, s[from:]...)
}

// appendNumber appends a number with one decimal at most.
func appendNumber(b []byte, v float64) []byte {
	n := int64(math.Round(v * 10))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/10, 10)
	if n%10 != 0 {
		b = append(b, '.', byte('0'+n%10))
	}
	return b
}

// date is the day of a time, as a chart writes it everywhere.
func date(t worktime.Time) string {
	if t == 0 {
		return ""
	}
	return clock(t).Format("2 Jan 06")
}

// moment is a time to the minute.
func moment(t worktime.Time) string { return clock(t).Format("2 Jan 06 15:04") }

// days is working time in days of a calendar.
func days(seconds int64, c *worktime.Calendar) string {
	return string(appendNumber(nil, float64(seconds)/float64(c.Day())))
}
