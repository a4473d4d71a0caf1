package odata

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/seed-933f9a09/twinplatform"
)

// operand is one side of a comparison.
type operand struct {
	kind    kind
	literal bool
	words   []string // that it can be
	of      func(record any) value
}

func constant(v value) operand {
	return operand{kind: v.kind, literal: true, of: func(any) value { return v }}
}

// operand reads a literal, a property, or a text in other letters.
func (p *parser) operand() operand {
	defer p.deeper()()
	for name, change := range map[string]func(string) string{"tolower": strings.ToLower, "toupper": strings.ToUpper} {
		if p.function(name) {
			return p.changed(change)
		}
	}
	t := p.token
	if t.kind == quoted {
		p.next()
		return constant(value{kind: text, text: t.text})
	}
	if t.kind != word {
		p.fail("a property or a value is missing")
	}
	if property, ok := p.properties.named(t.text); ok {
		p.next()
		p.named = append(p.named, property.name)
		return operand{kind: property.kind, words: property.words, of: property.of}
	}
	v, ok := literal(t.text)
	if !ok {
		p.fail("'%s' is neither a property nor a value; texts stand in single quotation marks", t.text)
	}
	p.next()
	return constant(v)
}

// changed reads the operand of a function behind its parenthesis.
func (p *parser) changed(change func(string) string) operand {
	inner := p.operand()
	if inner.kind != text {
		p.fail("its operand is a text")
	}
	p.expect(")")
	return operand{kind: text, literal: inner.literal, of: func(record any) value {
		v := inner.of(record)
		v.text = change(v.text)
		return v
	}}
}

// literal is a value without quotation marks.
func literal(s string) (v value, ok bool) {
	if s == "null" {
		return value{kind: nothing}, true
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
		return value{kind: number, number: n}, true
	}
	return moment(s)
}

// moment is a time in ISO 8601, or a day at its beginning.
func moment(s string) (v value, ok bool) {
	at, err := twinplatform.ParseDateTime(s)
	if day, e := time.Parse(time.DateOnly, s); e == nil {
		at.Time, err = day, nil
	}
	return value{kind: instant, time: at.Time}, err == nil
}

// match makes sure that two operands can be compared. A text is a time where the other
// is one.
func (p *parser) match(left, right *operand, equality bool) {
	for _, pair := range [][2]*operand{{left, right}, {right, left}} {
		known, other := pair[0], pair[1]
		if known.kind == instant && other.literal && other.kind == text {
			if v, ok := moment(other.of(nil).text); ok {
				*other = constant(v)
			}
		}
		if known.words != nil && other.literal && other.kind == text && equality {
			if s := other.of(nil).text; !slices.Contains(known.words, s) {
				p.fail("'%s' is none of %s", s, strings.Join(known.words, ", "))
			}
		}
	}
	switch null := left.kind == nothing || right.kind == nothing; {
	case null && !equality:
		p.fail("null is neither more nor less than anything")
	case !null && left.kind != right.kind:
		p.fail("%s is not compared with %s", left.kind, right.kind)
	}
}

// tokenKind is what a token is.
type tokenKind int

const (
	end tokenKind = iota
	word
	quoted
	sign
)

// token is a piece of an expression, and where it begins.
type token struct {
	kind tokenKind
	text string
	at   int
}

// lexer divides an expression into tokens.
type lexer struct {
	text  string
	at    int // behind the token
	token token
}

// next goes to the next token.
func (l *lexer) next() {
	rest := strings.TrimLeftFunc(l.text[l.at:], unicode.IsSpace)
	l.at = len(l.text) - len(rest)
	l.token = token{at: l.at}
	switch {
	case rest == "":
	case rest[0] == '\'':
		l.quotation(rest)
	case strings.IndexByte("(),", rest[0]) >= 0:
		l.token.kind, l.token.text = sign, rest[:1]
		l.at++
	default:
		n := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(),'", r) })
		if n < 0 {
			n = len(rest)
		}
		l.token.kind, l.token.text = word, rest[:n]
		l.at += n
	}
}

// quotation takes a text in quotation marks; two within it are one.
func (l *lexer) quotation(rest string) {
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		if rest[i] == '\'' {
			if i+1 == len(rest) || rest[i+1] != '\'' {
				l.token.kind, l.token.text = quoted, b.String()
				l.at += i + 1
				return
			}
			i++
		}
		b.WriteByte(rest[i])
	}
	panic(fault(l.at, "the quotation mark is not closed"))
}

// word goes past a word, if it is the next.
func (l *lexer) word(w string) bool {
	if l.token.kind != word || l.token.text != w {
		return false
	}
	l.next()
	return true
}

// function goes past the name of a function and its parenthesis, if they are next.
func (l *lexer) function(name string) bool {
	if l.token.kind != word || l.token.text != name ||
		!strings.HasPrefix(strings.TrimLeftFunc(l.text[l.at:], unicode.IsSpace), "(") {
		return false
	}
	l.next()
	l.next()
	return true
}

// sign goes past a parenthesis or comma, if it is the next.
func (l *lexer) sign(s string) bool {
	if l.token.kind != sign || l.token.text != s {
		return false
	}
	l.next()
	return true
}

// expect goes past a parenthesis or comma that must be there.
func (l *lexer) expect(s string) {
	if !l.sign(s) {
		panic(fault(l.token.at, "'%s' is missing", s))
	}
}
