package planner

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// CodePage is the encoding of a text in which a byte is a letter.
type CodePage string

// The code pages. What is not listed can be converted to UTF-8 before it is read.
const (
	UTF8        CodePage = "utf-8"
	Windows1252 CodePage = "windows-1252" // of the west of Europe and of America
	Windows1251 CodePage = "windows-1251" // Cyrillic
)

// The letters of the upper halves of code pages, from 0x80 on.
var (
	upper1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ" +
		"\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ")
	upper1251 = []rune("ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u0098™љ›њќћџ" +
		"\u00a0ЎўЈ¤Ґ¦§Ё©Є«¬\u00ad®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя")
)

// text is a line in UTF-8: as it is if it is so, and else by the code page.
func (p CodePage) text(line []byte) string {
	if utf8.Valid(line) {
		return string(line)
	}
	return p.convert(line)
}

// convert is text in UTF-8.
func (p CodePage) convert(line []byte) string {
	upper := upper1252
	if p == Windows1251 {
		upper = upper1251
	}
	var s strings.Builder
	s.Grow(len(line) + len(line)/4)
	for _, b := range line {
		if b < utf8.RuneSelf {
			s.WriteByte(b)
		} else {
			s.WriteRune(upper[b-utf8.RuneSelf])
		}
	}
	return s.String()
}

// encode is a text in the code page, with question marks for letters that it has not, and
// whether it has them all and reads as it was.
func (p CodePage) encode(s string) (encoded []byte, ok bool) {
	upper := upper1252
	switch p {
	case UTF8:
		return []byte(s), true
	case Windows1251:
		upper = upper1251
	}
	ok = true
	encoded = make([]byte, 0, len(s))
	for _, r := range s {
		at := slices.Index(upper, r)
		switch {
		case r < utf8.RuneSelf:
			encoded = append(encoded, byte(r))
		case at >= 0:
			encoded = append(encoded, byte(utf8.RuneSelf+at))
		default:
			encoded, ok = append(encoded, '?'), false
		}
	}
	return encoded, ok && (len(encoded) == len(s) || !utf8.Valid(encoded))
}

// pageReader reads text of a code page as UTF-8.
type pageReader struct {
	in   *bufio.Reader
	page CodePage
	left []byte
}

// Read converts what there is at a time; what does not fit into b is kept for the next
// call.
func (r *pageReader) Read(b []byte) (int, error) {
	if len(r.left) == 0 {
		chunk := make([]byte, 4096)
		n, err := r.in.Read(chunk)
		if n == 0 {
			return 0, err
		}
		r.left = []byte(r.page.convert(chunk[:n]))
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
