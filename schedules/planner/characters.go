package planner

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/schedules/planner/internal/codepage"
)

// declared is the encoding that an XML names.
var declared = regexp.MustCompile(`^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)["']`)

// decoded is an XML in UTF-8. What is in UTF-16 has been converted by its mark.
func decoded(in *bufio.Reader, wide bool) (*bufio.Reader, error) {
	begin, _ := in.Peek(512)
	named := declared.FindSubmatch(begin)
	if named == nil || wide || bytes.EqualFold(named[1], []byte("utf-16")) {
		return in, nil
	}
	page, ok := codepage.Find(string(named[1]))
	if !ok {
		return nil, fmt.Errorf("%w: its encoding is %s; there are %s", ErrFormat, quoted(string(named[1])),
			codepage.Names())
	}
	if page == codepage.UTF8 {
		return in, nil
	}
	return bufio.NewReaderSize(&pageReader{in: in, page: page}, 64<<10), nil
}

// allowed reads an XML without what XML 1.0 forbids and tools write nevertheless: control
// characters, as they are or as references. For bytes that are not UTF-8 there is U+FFFD.
type allowed struct {
	in    *bufio.Reader
	line  int
	plan  *Plan  // warnings
	left  []byte // to be read before what comes
	chunk [8]byte
}

// longestReference is longer than any reference to a character.
const longestReference = 12

// Read reads up to the next thing that is forbidden, of which Peek holds enough to tell.
func (a *allowed) Read(b []byte) (int, error) {
	for {
		if len(a.left) > 0 {
			n := copy(b, a.left)
			a.left = a.left[n:]
			return n, nil
		}
		chunk, err := a.in.Peek(4096)
		if len(chunk) == 0 {
			return 0, err
		}
		chunk = chunk[:min(len(chunk), max(len(b), 64))]
		if n := clean(chunk); n > 0 {
			n = copy(b, chunk[:n])
			a.line += bytes.Count(b[:n], []byte("\n"))
			a.in.Discard(n) //nolint:errcheck // they were just seen
			return n, nil
		}
		a.in.Discard(a.forbidden(chunk)) //nolint:errcheck // they were just seen
	}
}

// clean is how many bytes there are before the first that may be forbidden.
func clean(chunk []byte) int {
	for i := 0; i < len(chunk); {
		switch c := chunk[i]; {
		// A reference may stand for a forbidden character, which forbidden finds out.
		case c == '&':
			if i+1 == len(chunk) || chunk[i+1] == '#' {
				return i
			}
			i++
		case c >= ' ' && c < utf8.RuneSelf || c == '\n' || c == '\t' || c == '\r':
			i++
		case c < ' ':
			return i
		default:
			r, size := utf8.DecodeRune(chunk[i:])
			if r == utf8.RuneError && size == 1 || !inXML(r) {
				return i
			}
			i += size
		}
	}
	return len(chunk)
}

// inXML reports whether XML 1.0 allows a character.
func inXML(r rune) bool {
	return r >= ' ' && r < 0xD800 || r > 0xDFFF && r < 0xFFFE || r > 0xFFFF && r <= utf8.MaxRune || r == '\n' ||
		r == '\t' || r == '\r'
}

// forbidden looks at what a chunk begins with, and returns how much of it is done with.
func (a *allowed) forbidden(chunk []byte) int {
	if chunk[0] == '&' {
		end := bytes.IndexByte(chunk[:min(len(chunk), longestReference)], ';')
		if end > 2 {
			digits, base := string(chunk[2:end]), 10
			if digits[0] == 'x' || digits[0] == 'X' {
				digits, base = digits[1:], 16
			}
			if n, err := strconv.ParseUint(digits, base, 32); err == nil && !inXML(rune(min(n, utf8.MaxRune+1))) {
				a.warn(fmt.Sprintf("U+%04X", n), "left out")
				return end + 1
			}
		}
		// Any other reference is passed on as it is: the decoder understands it.
		a.left = append(a.chunk[:0], '&')
		return 1
	}
	r, size := utf8.DecodeRune(chunk)
	if r == utf8.RuneError && size == 1 {
		// A damaged letter stays visible, so that a reader of the plan can correct it.
		a.left = utf8.AppendRune(a.chunk[:0], utf8.RuneError)
		a.warn(fmt.Sprintf("0x%02X, which is not UTF-8,", chunk[0]), "replaced by U+FFFD")
		return 1
	}
	a.warn(fmt.Sprintf("U+%04X", r), "left out")
	return size
}

// warn warns of a character with the line that it is on. All warnings of one outcome have
// the same Kind, by which callers group them.
func (a *allowed) warn(what, outcome string) {
	a.plan.warned(Warning{
		What: "line " + strconv.Itoa(a.line), Text: fmt.Sprintf("The character %s is %s: XML does not allow it.", what,
			outcome),
		Kind: "A character is " + outcome + ": XML does not allow it.",
	})
}

var _ io.Reader = (*allowed)(nil)
