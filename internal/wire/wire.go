// Package wire writes JSON as it is in answers, in events and in the store: compact, and
// with <, > and & as they are, so that links can be read. It is the only writer: whatever
// is put together by hand appends its strings and its values with it, and so equals what
// encoding/json would have written.
package wire

import (
	"encoding/json"
	"unicode/utf8"
)

// AppendString appends s as a JSON string. Bytes that are no UTF-8 become
// U+FFFD, as an escape.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	done := 0
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if literal(r, size) {
			i += size
			continue
		}
		b = appendEscaped(append(b, s[done:i]...), r)
		i += size
		done = i
	}
	return append(append(b, s[done:]...), '"')
}

// literal reports whether a character of size bytes is written as it is. The line
// separators U+2028 and U+2029 are valid JSON, but end a line of JavaScript.
func literal(r rune, size int) bool {
	return r >= utf8.RuneSelf && r != '\u2028' && r != '\u2029' && (r != utf8.RuneError || size > 1)
}

func appendEscaped(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', hex[r>>12&0xf], hex[r>>8&0xf], hex[r>>4&0xf], hex[r&0xf])
}

// Append appends v as encoding/json writes it, by its tags and methods. After an
// error b is returned as it was.
func Append(b []byte, v any) ([]byte, error) {
	to := appender(b)
	enc := json.NewEncoder(&to)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return b, err
	}
	return to[:len(to)-1], nil // the encoder ends each value with a line break
}

// Marshal is Append to nothing.
func Marshal(v any) ([]byte, error) { return Append(nil, v) }

// appender is a slice as the encoder writes to it.
type appender []byte

func (a *appender) Write(p []byte) (int, error) {
	*a = append(*a, p...)
	return len(p), nil
}
