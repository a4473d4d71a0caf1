// Package odata reads the options of lists in OData's language: expressions that say
// which records are meant ($filter), in which order ($orderby) and with which members
// ($select).
package odata

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// kind is what values a property has.
type kind string

const (
	text    kind = "a text"
	number  kind = "a number"
	instant kind = "a time"
	nothing kind = "null"
)

// value is the value of a property or a literal.
type value struct {
	kind   kind // nothing: it is null
	text   string
	number float64
	time   time.Time
}

// compare orders two values of one kind; null is below all.
func (v value) compare(other value) int {
	if v.kind == nothing || other.kind == nothing {
		return cmp.Compare(v.rank(), other.rank())
	}
	return cmp.Or(cmp.Compare(v.text, other.text), cmp.Compare(v.number, other.number), v.time.Compare(other.time))
}

// order is compare for lists: the case of texts counts where all else is equal.
func (v value) order(other value) int {
	if v.kind == nothing || other.kind == nothing {
		return v.compare(other)
	}
	return cmp.Or(CompareTexts(v.text, other.text), v.compare(other))
}

// CompareTexts orders two texts without their case, and by their bytes where they differ
// only by case.
func CompareTexts(a, b string) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
}

func (v value) rank() int {
	if v.kind == nothing {
		return 0
	}
	return 1
}

// Property is a member of a record that the options of a list may name.
type Property struct {
	name  string
	kind  kind
	words []string // that it can be; none: any
	of    func(record any) value
}

// Text is a property that is a text of any kind; an empty one is null.
func Text[T any, S ~string](name string, of func(*T) S) Property {
	return Property{name: name, kind: text, of: func(record any) value {
		if s := of(record.(*T)); s != "" {
			return value{kind: text, text: string(s)}
		}
		return value{kind: nothing}
	}}
}

// Enum is a property that is one of several words.
func Enum[T any, S ~string](name string, words []S, of func(*T) S) Property {
	p := Text(name, of)
	for _, word := range words {
		p.words = append(p.words, string(word))
	}
	return p
}

// Number is a property that is a number, or null.
func Number[T any](name string, of func(*T) *float64) Property {
	return Property{name: name, kind: number, of: func(record any) value {
		if n := of(record.(*T)); n != nil {
			return value{kind: number, number: *n}
		}
		return value{kind: nothing}
	}}
}

// Time is a property that is a time.
func Time[T any](name string, of func(*T) twinplatform.DateTime) Property {
	return Property{name: name, kind: instant, of: func(record any) value {
		return value{kind: instant, time: of(record.(*T)).Time}
	}}
}

// Properties lists what the options of one list may name, in the order in which its records
// carry them.
type Properties []Property

func (ps Properties) named(name string) (Property, bool) {
	i := slices.IndexFunc(ps, func(p Property) bool { return p.name == name })
	if i < 0 {
		return Property{}, false
	}
	return ps[i], true
}

// Has reports whether there is such a property.
func (ps Properties) Has(name string) bool {
	_, ok := ps.named(name)
	return ok
}

// Order reads properties separated by commas, each with asc or desc behind it, by
// which pointers to two records are compared. An empty text is no order.
func (ps Properties) Order(orderBy string) (compare func(a, b any) int, err error) {
	var by []func(a, b any) int
	for part := range strings.SplitSeq(orderBy, ",") {
		words := strings.Fields(part)
		if len(words) == 0 && strings.TrimSpace(orderBy) == "" {
			return nil, nil
		}
		if len(words) == 0 || len(words) > 2 || len(words) == 2 && words[1] != "asc" && words[1] != "desc" {
			return nil, fault(0, "an order is a property, and asc or desc behind it")
		}
		p, ok := ps.named(words[0])
		if !ok {
			return nil, fault(0, "nothing can be ordered by '%s'", words[0])
		}
		sign := 1
		if words[len(words)-1] == "desc" {
			sign = -1
		}
		by = append(by, func(a, b any) int { return sign * p.of(a).order(p.of(b)) })
	}
	return func(a, b any) int {
		for _, compare := range by {
			if n := compare(a, b); n != 0 {
				return n
			}
		}
		return 0
	}, nil
}

// Pick is a record, an object in JSON, with none but the named members, in the order
// of the properties.
func (ps Properties) Pick(record []byte, names []string) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(record, &members); err != nil {
		return nil, err
	}
	b := []byte("{")
	for _, p := range ps {
		if member, ok := members[p.name]; ok && slices.Contains(names, p.name) {
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = append(append(append(append(b, '"'), p.name...), `":`...), member...)
		}
	}
	return append(b, '}'), nil
}
