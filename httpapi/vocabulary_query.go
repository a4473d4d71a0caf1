package httpapi

import (
	"maps"
	"reflect"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// value is the value of a parameter in the specification's words: those of an
// enumeration, and the members that an expression names. A word of the specification
// that is called otherwise is strange.
func (w *wording) value(p *Parameter, value string) (_ string, strange bool) {
	if w == nil {
		return value, false
	}
	switch option(p.Name) {
	case option("$filter"), option("$orderby"), option("select"):
		return w.expression(value)
	}
	if !p.enumerates() {
		return value, false
	}
	words := strings.Split(value, ",")
	for i, word := range words {
		if words[i], strange = w.inside(w.word, w.values, word); strange {
			return word, true
		}
	}
	return strings.Join(words, ","), false
}

// enumerates reports whether a parameter takes words of an enumeration.
func (q Parameter) enumerates() bool {
	if q.is == nil {
		return false
	}
	t := q.is
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.Kind() == reflect.String && t.PkgPath() != ""
}

// inside is what a name that comes is called inside.
func (*wording) inside(said func(string) string, names map[string]string, name string) (_ string, strange bool) {
	if known, ok := names[name]; ok {
		return known, false
	}
	return name, said(name) != name
}

// expression is an expression with the specification's names of members. What stands
// within quotation marks is a value.
func (w *wording) expression(text string) (_ string, strange bool) {
	pieces := strings.Split(text, "'")
	for i := 0; i < len(pieces); i += 2 {
		var b strings.Builder
		for len(pieces[i]) > 0 {
			n := strings.IndexFunc(pieces[i], func(r rune) bool { return !isWord(r) && r != '_' })
			switch {
			case n < 0:
				n = len(pieces[i])
			case n == 0:
				b.WriteByte(pieces[i][0])
				pieces[i] = pieces[i][1:]
				continue
			}
			name, strange := w.inside(w.member, w.columns, pieces[i][:n])
			if strange && w.columns[w.member(name)] != "" {
				return name, true
			}
			b.WriteString(name)
			pieces[i] = pieces[i][n:]
		}
		pieces[i] = b.String()
	}
	return strings.Join(pieces, "'"), false
}

// columnsOf are the members of the records of an answer that lists them, by what they
// are called.
func (t *translation) columnsOf(answer *shape.Shape) map[string]string {
	out := make(map[string]string)
	if answer == nil {
		return out
	}
	for _, p := range answer.Fields {
		if p.In == nil || p.In.Elem == nil {
			continue
		}
		for name := range p.In.Elem.Fields {
			out[t.member(name)] = name
		}
	}
	return out
}

// valuesOf are the words of enumerations by what they are called.
func (l lexicon) valuesOf() map[string]string {
	out := make(map[string]string)
	for _, n := range l {
		for word := range maps.Keys(n.Values) {
			out[l.word(word)] = word
		}
	}
	return out
}
