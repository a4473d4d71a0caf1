package vocabulary

import (
	"maps"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// Value is the value of a parameter in the specification's words: those of an
// enumeration, and the members that an expression names. A word of the specification
// that is called otherwise is strange.
func (w *Wording) Value(parameter, value string) (_ string, strange bool) {
	p := w.operation.parameter(parameter)
	switch {
	case p == nil:
		return value, false
	case p.Expression:
		return w.expression(value)
	case !p.Enumerates:
		return value, false
	}
	words := strings.Split(value, ",")
	for i, word := range words {
		if words[i], strange = w.inside(w.Word, w.values, word); strange {
			return word, true
		}
	}
	return strings.Join(words, ","), false
}

// HeaderWord is the value of a header in the specification's words. A word of the
// specification that is called otherwise is strange.
func (w *Wording) HeaderWord(name, value string) (_ string, strange bool) {
	if w == nil || w.headings[name] == nil {
		return value, false
	}
	return w.inside(w.Word, w.headings[name], value)
}

// outside is the value of a parameter in the deployment's words.
func (w *Wording) outside(parameter, value string) string {
	switch p := w.operation.parameter(parameter); {
	case p == nil:
		return value
	case p.Expression:
		return w.expressed(value)
	case !p.Enumerates:
		return value
	}
	words := strings.Split(value, ",")
	for i, word := range words {
		words[i] = w.Word(word)
	}
	return strings.Join(words, ",")
}

// inside is what a name that comes is called inside.
func (*Wording) inside(renamed func(string) string, names map[string]string, name string) (_ string, strange bool) {
	if known, ok := names[name]; ok {
		return known, false
	}
	return name, renamed(name) != name
}

// expressed is an expression with the deployment's names of members.
func (w *Wording) expressed(text string) string {
	names := make(map[string]string, len(w.columns))
	for _, name := range w.columns {
		names[name] = w.Member(name)
	}
	pieces := strings.Split(text, "'")
	for i := 0; i < len(pieces); i += 2 {
		pieces[i] = identifier.ReplaceAllStringFunc(pieces[i], func(name string) string {
			if as, ok := names[name]; ok {
				return as
			}
			return name
		})
	}
	return strings.Join(pieces, "'")
}

// expression is an expression with the specification's names of members. What is within
// quotation marks is a value.
func (w *Wording) expression(text string) (_ string, strange bool) {
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
			name, strange := w.inside(w.Member, w.columns, pieces[i][:n])
			if strange && w.columns[w.Member(name)] != "" {
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
			for _, as := range append(t.Seconds(name), t.Member(name)) {
				out[as] = name
			}
		}
	}
	return out
}

// valuesOf are the words of enumerations by what they are called.
func (l Lexicon) valuesOf() map[string]string {
	out := make(map[string]string)
	for _, n := range l {
		for word := range maps.Keys(n.Values) {
			out[l.Word(word)] = word
		}
	}
	return out
}
