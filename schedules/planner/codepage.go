package planner

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/schedules/planner/internal/codepage"
)

// CodePage is the encoding of a file: UTF-8, or a page of Windows by its name, "windows-1252". There are
// 874, 932, 936, 949, 950 and those from 1250 to 1258.
type CodePage string

// The code pages that are used most. [ParseCodePage] knows all others.
const (
	UTF8        = CodePage(codepage.UTF8)
	Windows1252 = CodePage(codepage.Windows1252) // of the west of Europe and of America
	Windows1251 = CodePage(codepage.Windows1251) // Cyrillic
)

// ErrCodePage is what an unknown code page fails with.
var ErrCodePage = errors.New("planner: unknown code page")

// ParseCodePage is the code page that a name means, as "windows-1256", "cp1256" or "1256", or another
// name of it such as "shift_jis". The name "" is none.
//
// Errors: ErrCodePage, with the pages that there are.
func ParseCodePage(name string) (CodePage, error) {
	if name == "" {
		return "", nil
	}
	p, ok := codepage.Find(name)
	if !ok {
		return "", fmt.Errorf("%w %s: there are %s", ErrCodePage, quoted(name), codepage.Names())
	}
	return CodePage(p), nil
}

// page returns the code page that the options name, and Windows-1252 where they name none:
// P6 writes it in Western Europe and America.
func (o Options) page() (codepage.Page, error) {
	p, err := ParseCodePage(string(o.Page))
	if p == "" {
		p = Windows1252
	}
	return codepage.Page(p), err
}

// decoding reads the text of a file that may not be in UTF-8.
type decoding struct {
	page   codepage.Page
	chosen bool   // by the caller
	lines  int    // that were not in UTF-8
	sample string // the value with the most letters beyond ASCII
	most   int    // of it
	// letters counts the letters beyond ASCII, and lost those of them that the page does
	// not have.
	letters, lost int
}

// text is a line in UTF-8: as it is if it is so, and else by the code page.
func (d *decoding) text(line []byte) string {
	if utf8.Valid(line) {
		return string(line)
	}
	text, _, lost := codepage.Decode(d.page, line, true)
	d.lines, d.lost = d.lines+1, d.lost+lost
	for value := range strings.SplitSeq(text, "\t") {
		letters := 0
		for _, r := range value {
			if r >= utf8.RuneSelf {
				letters++
			}
		}
		if d.letters += letters; letters > d.most && len(value) < maxQuoted {
			d.most, d.sample = letters, strings.Clone(value)
		}
	}
	return text
}

// report warns of text that is read by a page which no one has named, or which does not have its
// letters.
func (d *decoding) report(p *Plan) {
	if d.lines > 0 && !d.chosen {
		p.warn("file", "%d lines of it are not in UTF-8; they are read by the code page %s, such as %s. Another one "+
			"can be named.",
			d.lines, d.page, quoted(d.sample))
	}
	switch {
	case d.lost == 0:
	case 2*d.lost >= d.letters:
		p.warn("file", "Most of its text beyond ASCII cannot be read, %d of %d characters: it is hardly in the code "+
			"page %s.",
			d.lost, d.letters, d.page)
	default:
		p.warn("file", "%d characters of its text cannot be read: the code page %s does not have them.", d.lost, d.page)
	}
}

// encode is a text in the code page, with question marks for letters that it has not, and
// whether it has them all and reads as it was.
func (p CodePage) encode(s string) (encoded []byte, ok bool) {
	page, err := Options{Page: p}.page()
	if err != nil || page == codepage.UTF8 {
		return []byte(s), err == nil
	}
	return codepage.Encode(page, s)
}

// pageReader reads text of a code page as UTF-8.
type pageReader struct {
	in   *bufio.Reader
	page codepage.Page
	left string
}

// Read converts what there is at a time; what does not fit into b is kept for the next
// call.
func (r *pageReader) Read(b []byte) (int, error) {
	for r.left == "" {
		chunk, err := r.in.Peek(4096)
		if len(chunk) == 0 {
			return 0, err
		}
		text, used, _ := codepage.Decode(r.page, chunk, err != nil)
		r.in.Discard(used) //nolint:errcheck // they were just seen
		r.left = text
	}
	n := copy(b, r.left)
	r.left = r.left[n:]
	return n, nil
}

// wideReader reads UTF-16 as UTF-8.
type wideReader struct {
	in    *bufio.Reader
	order binary.ByteOrder
	left  []byte
}

// Read decodes one character at a time and passes over byte order marks.
func (r *wideReader) Read(b []byte) (int, error) {
	for len(r.left) == 0 {
		u, err := r.unit()
		if err != nil {
			return 0, err
		}
		if utf16.IsSurrogate(u) {
			v, err := r.unit()
			if err != nil {
				return 0, err
			}
			u = utf16.DecodeRune(u, v)
		}
		if r.left = utf8.AppendRune(r.left[:0], u); u == '\uFEFF' {
			r.left = nil
		}
	}
	n := copy(b, r.left)
	r.left = r.left[n:]
	return n, nil
}

// unit reads a code unit.
func (r *wideReader) unit() (rune, error) {
	var pair [2]byte
	if _, err := io.ReadFull(r.in, pair[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
		return 0, err
	}
	return rune(r.order.Uint16(pair[:])), nil
}
