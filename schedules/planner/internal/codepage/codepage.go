// Package codepage reads and writes text in the code pages of Windows, in which P6 and older
// tools keep their files.
package codepage

import (
	"bytes"
	"compress/flate"
	_ "embed" // of the tables
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Page is a code page by its name, such as "windows-1252".
type Page string

// The pages of which others depend on the name.
const (
	UTF8        Page = "utf-8"
	Windows1251 Page = "windows-1251"
	Windows1252 Page = "windows-1252"
)

// pages lists the code pages in the order in which the packed tables hold them.
var pages = []Page{
	"windows-874", "windows-1250", Windows1251, Windows1252, "windows-1253", "windows-1254", "windows-1255",
	"windows-1256",
	"windows-1257", "windows-1258", "windows-932", "windows-936", "windows-949", "windows-950",
}

// firstWide is the first page in which letters take two bytes.
const firstWide = 10

// others are how the pages are called elsewhere.
var others = map[string]Page{
	string(UTF8): UTF8, "utf8": UTF8, "65001": UTF8, "ascii": Windows1252, "us-ascii": Windows1252,
	"iso-8859-1": Windows1252, "latin1": Windows1252,
	"iso-8859-9": "windows-1254", "latin5": "windows-1254", "iso-8859-11": "windows-874", "tis-620": "windows-874",
	"shift_jis": "windows-932", "shift-jis": "windows-932", "sjis": "windows-932", "windows-31j": "windows-932",
	"gbk": "windows-936", "gb2312": "windows-936", "euc-kr": "windows-949", "ks_c_5601-1987": "windows-949",
	"uhc":  "windows-949",
	"big5": "windows-950", "big-5": "windows-950",
}

// Find is the page that a name means: "windows-1256", "cp1256", "1256", or as it is called
// elsewhere, whatever its case.
func Find(name string) (Page, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if p, ok := others[name]; ok {
		return p, true
	}
	number := name
	for _, prefix := range []string{"windows-", "windows", "cp-", "cp", "ms"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			number = rest
			break
		}
	}
	at := slices.Index(pages, Page("windows-"+number))
	if at < 0 {
		return "", false
	}
	return pages[at], true
}

// Names lists the names of all pages for a message.
func Names() string {
	all := []string{string(UTF8)}
	for _, p := range pages {
		all = append(all, string(p))
	}
	return strings.Join(all, ", ")
}

// Letters of two bytes are in a table from 0x8140 to 0xFEFE.
const (
	firstLead, lastLead   = 0x81, 0xFE
	firstTrail, lastTrail = 0x40, 0xFE
	trails                = lastTrail - firstTrail + 1
	pairs                 = (lastLead - firstLead + 1) * trails
)

// table are the letters of a page, 0 for what is none.
type table struct {
	upper [128]uint16
	wide  []uint16 // by lead and trail
	bytes func() map[rune]uint16
}

//go:embed tables
var packed []byte

// tables unpacks the tables of all pages at first use. The command codepages of the tools
// generates the packed file.
var tables = sync.OnceValue(func() map[Page]*table {
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic(fmt.Sprintf("codepage: the tables are damaged: %v", err))
	}
	next := func() uint16 {
		v := binary.LittleEndian.Uint16(raw)
		raw = raw[2:]
		return v
	}
	all := make(map[Page]*table, len(pages))
	for i, p := range pages {
		t := &table{}
		for b := range t.upper {
			t.upper[b] = next()
		}
		if i >= firstWide {
			t.wide = make([]uint16, pairs)
			before := uint16(0)
			for at := range t.wide {
				before += next()
				t.wide[at] = before
			}
		}
		t.bytes = sync.OnceValue(t.inverse)
		all[p] = t
	}
	return all
})

// inverse are the bytes of the letters: one, or two of which the lead is the upper half.
func (t *table) inverse() map[rune]uint16 {
	all := make(map[rune]uint16)
	for b, r := range t.upper {
		if r != 0 {
			all[rune(r)] = uint16(utf8.RuneSelf + b)
		}
	}
	for at, r := range t.wide {
		if _, ok := all[rune(r)]; r != 0 && !ok {
			all[rune(r)] = uint16(firstLead+at/trails)<<8 | uint16(firstTrail+at%trails)
		}
	}
	return all
}

// Decode is text in UTF-8, how many bytes of b it is made of, and how many of its letters the
// page does not have, for which U+FFFD stands. The last byte of b stays where it may be the
// first one of a letter, unless b is the end.
func Decode(p Page, b []byte, end bool) (text string, used, lost int) {
	t := tables()[p]
	if t == nil { // UTF-8
		return strings.ToValidUTF8(string(b), string(utf8.RuneError)), len(b), 0
	}
	var s strings.Builder
	s.Grow(len(b) + len(b)/2)
	for used < len(b) {
		r, size := t.letter(b[used:])
		if size == 0 {
			if !end {
				break
			}
			size = 1
		}
		if used += size; r == 0 || r >= 0x80 && r < 0xA0 {
			lost++
		}
		if r == 0 {
			r = utf8.RuneError
		}
		s.WriteRune(r)
	}
	return s.String(), used, lost
}

// letter is the one with which some bytes begin, 0 for what is none, and how many bytes it has: none
// where the next one is needed.
func (t *table) letter(b []byte) (r rune, size int) {
	c := b[0]
	if c < utf8.RuneSelf {
		return rune(c), 1
	}
	if r := t.upper[c-utf8.RuneSelf]; r != 0 || t.wide == nil || c < firstLead || c > lastLead {
		return rune(r), 1
	}
	if len(b) == 1 {
		return 0, 0
	}
	if b[1] >= firstTrail && b[1] <= lastTrail {
		if r := t.wide[int(c-firstLead)*trails+int(b[1]-firstTrail)]; r != 0 {
			return rune(r), 2
		}
	}
	return 0, 1
}

// Encode is a text in the page, with question marks for letters that it does not have, and whether
// it has them all and reads as it was.
func Encode(p Page, s string) (encoded []byte, ok bool) {
	t := tables()[p]
	if t == nil {
		return []byte(s), true
	}
	ok = true
	encoded = make([]byte, 0, len(s))
	for _, r := range s {
		c, known := t.bytes()[r]
		switch {
		case r < utf8.RuneSelf:
			encoded = append(encoded, byte(r))
		case !known:
			encoded, ok = append(encoded, '?'), false
		case c < 0x100:
			encoded = append(encoded, byte(c))
		default:
			encoded = append(encoded, byte(c>>8), byte(c))
		}
	}
	return encoded, ok && (len(encoded) == len(s) || !utf8.Valid(encoded))
}
