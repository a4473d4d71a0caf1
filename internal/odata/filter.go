package odata

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// MaxFilter is the length of a filter, in bytes.
	MaxFilter = 4_096
	// MaxDepth is how deep parentheses, negations and functions may lie in each other.
	MaxDepth = 64
)

// Filter reports whether a record, which it is given a pointer to, is meant.
type Filter func(record any) bool

// Filter reads an expression of eq, ne, gt, ge, lt, le, in, and, or, not, parentheses,
// contains, startswith, endswith, tolower and toupper over the properties, with texts
// in single quotation marks, numbers, times in ISO 8601 and null. An empty text is no
// filter. named are the properties that it names.
//
// Nothing but eq, ne and in holds for what is null. A text that a property cannot be is
// an error, so that a misspelt word of an enumeration does not list everything else.
func (ps Properties) Filter(expression string) (filter Filter, named []string, err error) {
	if strings.TrimSpace(expression) == "" {
		return nil, nil, nil
	}
	if len(expression) > MaxFilter {
		return nil, nil, fault(MaxFilter, "it is longer than %d bytes", MaxFilter)
	}
	p := parser{properties: ps, lexer: lexer{text: expression}}
	defer func() {
		switch wrong := recover().(type) {
		case nil:
		case *SyntaxError:
			filter, named, err = nil, nil, wrong
		default:
			panic(wrong)
		}
	}()
	p.next()
	filter = p.either()
	if p.token.kind != end {
		p.fail("an operator is missing, or there is something behind the end")
	}
	return filter, p.named, nil
}

// parser reads an expression by recursive descent. Faults leave it as a panic with a
// [*SyntaxError].
type parser struct {
	lexer
	properties Properties
	named      []string
	depth      int
}

func (p *parser) fail(format string, args ...any) { panic(fault(p.token.at, format, args...)) }

// deeper counts how deep the parser is, and is called for the way back.
func (p *parser) deeper() (back func()) {
	if p.depth++; p.depth > MaxDepth {
		p.fail("it is nested deeper than %d", MaxDepth)
	}
	return func() { p.depth-- }
}

// either reads terms with or between them.
func (p *parser) either() Filter {
	terms := []Filter{p.all()}
	for p.word("or") {
		terms = append(terms, p.all())
	}
	return func(record any) bool {
		return slices.ContainsFunc(terms, func(term Filter) bool { return term(record) })
	}
}

// all reads terms with and between them.
func (p *parser) all() Filter {
	terms := []Filter{p.term()}
	for p.word("and") {
		terms = append(terms, p.term())
	}
	return func(record any) bool {
		return !slices.ContainsFunc(terms, func(term Filter) bool { return !term(record) })
	}
}

// term reads a comparison, a function that is true or false, or what is in parentheses
// or behind a not.
func (p *parser) term() Filter {
	defer p.deeper()()
	switch {
	case p.word("not"):
		term := p.term()
		return func(record any) bool { return !term(record) }
	case p.sign("("):
		inner := p.either()
		p.expect(")")
		return inner
	}
	for name, holds := range predicates {
		if p.function(name) {
			return p.predicate(holds)
		}
	}
	return p.comparison()
}

// predicates are the functions of two texts that are true or false.
var predicates = map[string]func(s, part string) bool{
	"contains": strings.Contains, "startswith": strings.HasPrefix, "endswith": strings.HasSuffix,
}

// predicate reads the operands of a function behind its parenthesis.
func (p *parser) predicate(holds func(s, part string) bool) Filter {
	s := p.operand()
	p.expect(",")
	part := p.operand()
	for _, o := range []operand{s, part} {
		if o.kind != text {
			p.fail("its operands are texts")
		}
	}
	p.expect(")")
	return func(record any) bool {
		s, part := s.of(record), part.of(record)
		return s.kind == text && part.kind == text && holds(s.text, part.text)
	}
}

// comparisons are the operators between two operands: which orders they accept.
var comparisons = map[string]func(order int) bool{
	"eq": func(order int) bool { return order == 0 },
	"ne": func(order int) bool { return order != 0 },
	"gt": func(order int) bool { return order > 0 },
	"ge": func(order int) bool { return order >= 0 },
	"lt": func(order int) bool { return order < 0 },
	"le": func(order int) bool { return order <= 0 },
}

// comparison reads two operands and the operator between them, or an operand and those
// that it may be.
func (p *parser) comparison() Filter {
	left := p.operand()
	if p.word("in") {
		return p.oneOf(left)
	}
	operator := p.token.text
	holds := comparisons[operator]
	if holds == nil || p.token.kind != word {
		p.fail("an operator is missing, such as eq")
	}
	p.next()
	right := p.operand()
	equality := operator == "eq" || operator == "ne"
	p.match(&left, &right, equality)
	return func(record any) bool {
		a, b := left.of(record), right.of(record)
		if (a.kind == nothing || b.kind == nothing) && !equality {
			return false
		}
		return holds(a.compare(b))
	}
}

// oneOf reads what an operand may be.
func (p *parser) oneOf(left operand) Filter {
	p.expect("(")
	var values []operand
	for {
		right := p.operand()
		p.match(&left, &right, true)
		values = append(values, right)
		if !p.sign(",") {
			break
		}
	}
	p.expect(")")
	return func(record any) bool {
		v := left.of(record)
		return slices.ContainsFunc(values, func(o operand) bool { return v.compare(o.of(record)) == 0 })
	}
}

// SyntaxError reports where an expression cannot be understood, and why.
type SyntaxError struct {
	// Position counts bytes from the beginning.
	Position int
	// Reason is a part of a sentence.
	Reason string
}

func fault(at int, format string, args ...any) *SyntaxError {
	return &SyntaxError{at, fmt.Sprintf(format, args...)}
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("The expression cannot be understood at position %d: %s.", e.Position, e.Reason)
}
