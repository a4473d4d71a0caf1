package vocabulary

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// Lexicon is how one area speaks: the tables of the area before those of all.
type Lexicon []Names

// Of is the lexicon of an area, or of the operations of a family in it: models, or
// models.savedViews.
func (v Vocabulary) Of(area string) Lexicon {
	var out Lexicon
	if own, ok := v.Areas[area]; ok {
		out = append(out, own)
	}
	if above, _, ok := strings.Cut(area, "."); ok {
		if own, ok := v.Areas[above]; ok {
			out = append(out, own)
		}
	}
	return append(out, v.Names)
}

// lexiconOf is the lexicon of an operation, and the narrowest name of Areas that it is under;
// empty: none.
func (v Vocabulary) lexiconOf(o *Operation) (l Lexicon, area string) {
	for _, area := range []string{o.family(), o.Area} {
		if _, ok := v.Areas[area]; ok {
			return v.Of(area), area
		}
	}
	return v.Of(""), ""
}

// Member is what a member of bodies is called.
func (l Lexicon) Member(name string) string {
	return l.composed(func(n Names) map[string]string { return n.Members }, name)
}

// Parameter is what a parameter of queries is called.
func (l Lexicon) Parameter(name string) string {
	return l.composed(func(n Names) map[string]string { return n.Query }, name)
}

// Code is what a code of errors is called.
func (l Lexicon) Code(name string) string {
	return l.composed(func(n Names) map[string]string { return n.Codes }, name)
}

// Word is what a word of an enumeration is called.
func (l Lexicon) Word(name string) string {
	if isEvent(name) {
		return l.composed(func(n Names) map[string]string { return n.Events }, name)
	}
	if as, ok := l.whole(permissionsOf, name); ok {
		return as
	}
	if as, ok := l.whole(func(n Names) map[string]string { return n.Values }, name); ok {
		return as
	}
	return name
}

func permissionsOf(n Names) map[string]string { return n.Permissions }

// Content is what a member of the content of an event is called.
func (l Lexicon) Content(name string) string {
	if as, ok := l.whole(func(n Names) map[string]string { return n.Contents }, name); ok {
		return as
	}
	return l.Member(name)
}

// omits reports whether a member is left out of answers.
func (l Lexicon) omits(name string) bool {
	return slices.ContainsFunc(l, func(n Names) bool { return slices.Contains(n.Omit, name) })
}

// testSent is the event that no change causes, and that the catalogue leaves out.
var testSent = event.Kind{Content: event.TestSent{}}

// isEvent reports whether a word of an enumeration is an event type.
func isEvent(word string) bool {
	_, ok := event.Lookup(word)
	return ok || word == event.TypeTestSent
}

// whole looks a whole name up.
func (l Lexicon) whole(table func(Names) map[string]string, name string) (string, bool) {
	for _, n := range l {
		if as, ok := table(n)[name]; ok {
			return as, true
		}
	}
	return name, false
}

// composed looks a name up as a whole and then part by part.
func (l Lexicon) composed(table func(Names) map[string]string, name string) string {
	if as, ok := l.whole(table, name); ok {
		return as
	}
	var b strings.Builder
	for _, part := range camelWords(name) {
		b.WriteString(l.part(part))
	}
	return b.String()
}

// part looks a word of a name up.
func (l Lexicon) part(word string) string {
	table := func(n Names) map[string]string { return n.Parts }
	if as, ok := l.whole(table, word); ok {
		return as
	}
	if as, ok := l.whole(table, inSmall(word)); ok {
		return inCapital(as)
	}
	return word
}

// camelWords are the words of a name in camel case; what are no letters and digits stands
// for itself. An abbreviation goes together with what comes behind it.
func camelWords(name string) []string {
	var out []string
	from := 0
	for i, r := range name {
		before, _ := utf8.DecodeLastRuneInString(name[:i])
		if i > from && (!isWord(r) || !isWord(before) || unicode.IsUpper(r) && !unicode.IsUpper(before)) {
			out = append(out, name[from:i])
			from = i
		}
	}
	return append(out, name[from:])
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func inSmall(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToLower(r)) + word[size:]
}

func inCapital(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[size:]
}

// Path is what a path of the table is called: the longest beginning that has a name, and
// the segments behind it one by one. What is in braces stays.
func (l Lexicon) Path(path string) string {
	begin, as := "", ""
	for _, n := range slices.Backward(l) {
		for p, other := range n.Paths {
			if len(p) >= len(begin) && isBelow(path, p) {
				begin, as = p, other
			}
		}
	}
	var b strings.Builder
	b.WriteString(as)
	for segment := range strings.SplitSeq(path[len(begin):], "/") {
		if segment == "" {
			continue
		}
		as, _ := l.whole(func(n Names) map[string]string { return n.Segments }, segment)
		b.WriteString("/" + as)
	}
	return b.String()
}

// isBelow reports whether a path is at or below another one.
func isBelow(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || rest[0] == '/')
}
