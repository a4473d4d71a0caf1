package shape

import (
	"unicode"
	"unicode/utf8"
)

// Fold returns a name in a form that is equal for names that differ in nothing
// but case, as bytes.EqualFold understands it: the Kelvin sign is a k.
func Fold(name []byte) string {
	out := make([]byte, 0, len(name))
	for len(name) > 0 {
		r, size := utf8.DecodeRune(name)
		out = utf8.AppendRune(out, foldRune(r))
		name = name[size:]
	}
	return string(out)
}

// foldRune returns the least of the characters that differ from r in case
// alone.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf && (r < 'A' || r > 'Z' && r < 'a' || r > 'z') {
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}
