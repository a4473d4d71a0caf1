package entity

import (
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Member is one member of a record: where it is in the record, in the request
// that makes one and in the patch that changes one, and what it may be. A member
// that a request or a patch does not have is nil there.
type Member interface {
	checkRequest(c *problem.Checks)
	make()
	checkPatch(id string, c *problem.Checks)
	apply()
	describe() schema.Member
	// about is what the row says besides; nil: nothing.
	about() *facts
}

// Of is a member with values of one type.
type Of[V any] struct {
	facts

	name     string
	asked    func() (v V, given bool)       // of the request; nil: no request has it
	patched  func() (v V, given, sent bool) // of the patch
	store    func(V)
	blank    func(V) bool // such a value is as none; nil: none is
	clears   bool         // a blank value in a patch is as null
	text     bool         // it is one, of which a required one is not blank
	required bool
	emptied  string // what is wrong with a patch that empties it, if it is more than missing
	kept     bool   // no patch clears it
	initial  V      // of what is left out, or cleared
	// hasDefault reports that initial was given, and is not what values of the type are
	// anyway.
	hasDefault bool
	checks     []func(c *problem.Checks, name string, v V)
	// of what can be stored, unless the checks refuse it; nil: all can
	bounds func(c *problem.Checks, name string, v V)
	says   schema.Value // what they hold a value to
}

// Required reports that a request must give the member, and that no patch clears it.
func (m *Of[V]) Required() *Of[V] {
	m.required, m.kept = true, true
	return m
}

// NeverEmptied is Required, where the error of a patch that empties the member names that
// mistake, instead of a missing member.
func (m *Of[V]) NeverEmptied(message string) *Of[V] {
	m.emptied = message
	return m.Required()
}

// Default is what the member is when it is left out of a request, and what a
// patch clears it to.
func (m *Of[V]) Default(v V) *Of[V] {
	m.initial, m.hasDefault, m.kept = v, true, m.required
	return m
}

// Blank reports which values are as none, and as null in a patch.
func (m *Of[V]) Blank(is func(V) bool) *Of[V] {
	m.blank, m.clears, m.kept = is, true, m.required
	return m
}

// Cleared lets null in a patch make the member what it is without a value.
func (m *Of[V]) Cleared() *Of[V] {
	m.kept = false
	return m
}

// Valid adds a check of a value that is given, and what a schema can declare of it.
func (m *Of[V]) Valid(check func(c *problem.Checks, name string, v V), says ...schema.Value) *Of[V] {
	m.checks = append(m.checks, check)
	for _, s := range says {
		m.says = m.says.And(s)
	}
	return m
}

func (m *Of[V]) describe() schema.Member {
	var nothing V
	d := schema.Member{Name: m.name, Required: m.required, Kept: m.kept}
	for _, rule := range problem.RulesOf(func(c *problem.Checks) { m.check(c, nothing) }) {
		if rule.Name == m.name {
			d.Value = d.And(rule.Value)
		}
	}
	d.Value = d.And(m.says)
	d.RefersTo, d.Person = m.collection(), m.person
	if m.text && m.required {
		d.Value = schema.Filled.And(d.Value)
	}
	if m.hasDefault {
		d.Default = m.initial
	}
	return d
}

func (m *Of[V]) check(c *problem.Checks, v V) {
	before := c.Found()
	for _, check := range m.checks {
		check(c, m.name, v)
	}
	if m.bounds != nil && c.Found() == before {
		m.bounds(c, m.name, v)
	}
}

// storable checks that values of a type can be stored, at any depth; nil where all can. So no
// table of members has to say that of its dates and numbers.
func storable[V any]() func(c *problem.Checks, name string, v V) {
	var of V
	switch any(of).(type) {
	case string, bool, int, int32, int64, []string:
		return nil
	case twinplatform.DateTime:
		return func(c *problem.Checks, name string, v V) { c.Date(name, any(v).(twinplatform.DateTime)) }
	case float64:
		return func(c *problem.Checks, name string, v V) { c.Finite(name, any(v).(float64)) }
	}
	return func(c *problem.Checks, name string, v V) { c.Writable(name, &v) }
}

func (m *Of[V]) checkRequest(c *problem.Checks) {
	if m.asked == nil {
		return
	}
	v, given := m.asked()
	switch {
	case m.required && (!given || m.blank != nil && m.blank(v)):
		c.Missing(m.name)
	case given:
		m.check(c, v)
	}
}

func (m *Of[V]) make() {
	if m.asked == nil {
		return
	}
	v, given := m.asked()
	if !given {
		v = m.initial
	}
	m.store(v)
}

func (m *Of[V]) checkPatch(_ string, c *problem.Checks) {
	v, given, sent := m.change()
	switch {
	case !sent:
	case m.required && m.blank != nil && m.blank(v):
		if m.emptied == "" {
			c.Missing(m.name)
			return
		}
		c.Bad(m.name, "%s", m.emptied)
	case given || m.kept:
		m.check(c, v)
	}
}

func (m *Of[V]) apply() {
	if v, _, sent := m.change(); sent {
		m.store(v)
	}
}

// change is what a patch makes of the member.
func (m *Of[V]) change() (v V, given, sent bool) {
	v, given, sent = m.patched()
	if given && m.clears && m.blank(v) {
		given = false
	}
	if !given {
		v = m.initial
	}
	return v, given, sent
}

// in is what a patch holds of a member; one that has no such member is nil.
func in[V any](patch *twinplatform.Optional[V]) func() (v V, given, sent bool) {
	return func() (v V, given, sent bool) {
		if patch != nil {
			v, given = patch.Get()
			sent = patch.Present()
		}
		return v, given, sent
	}
}

// TextMember is a member with a text.
type TextMember struct{ Of[string] }

// Text is a text. An empty one is as none.
func Text[R, N ~string](name string, record *R, request *N, patch *twinplatform.Optional[string]) *TextMember {
	m := &TextMember{Of[string]{
		name:  name,
		text:  true,
		store: func(v string) { *record = R(v) },
		blank: func(v string) bool { return strings.TrimSpace(v) == "" },

		patched: in(patch),
	}}
	if request != nil {
		m.asked = func() (string, bool) { return string(*request), *request != "" }
	}
	return m
}

// Max limits the text to so many characters.
func (m *TextMember) Max(characters int) *TextMember {
	m.Valid(func(c *problem.Checks, name, v string) { c.AtMost(name, v, characters) })
	return m
}

// Enum is one of several words. An empty one is as none. Without a Default, or
// Cleared, no patch clears it.
func Enum[E ~string](name string, record, request *E, patch *twinplatform.Optional[E], values []E) *Of[E] {
	m := &Of[E]{
		name:  name,
		asked: func() (E, bool) { return *request, *request != "" },
		kept:  true,
		store: func(v E) { *record = v },

		patched: in(patch),
	}
	return m.Valid(func(c *problem.Checks, name string, v E) { problem.OneOf(c, name, v, values) })
}

// Value is a value that is left out as the zero one.
func Value[V any](name string, record, request *V, patch *twinplatform.Optional[V]) *Of[V] {
	m := &Of[V]{
		name:   name,
		store:  func(v V) { *record = v },
		bounds: storable[V](),

		patched: in(patch),
	}
	if request != nil {
		m.asked = func() (V, bool) { return *request, true }
	}
	return m
}

// Pointer is a value that is left out as nil.
func Pointer[V any](name string, record *V, request **V, patch *twinplatform.Optional[V]) *Of[V] {
	return &Of[V]{
		name: name,
		asked: func() (v V, given bool) {
			if *request != nil {
				v, given = **request, true
			}
			return v, given
		},
		store:  func(v V) { *record = v },
		bounds: storable[V](),

		patched: in(patch),
	}
}

// part is a member that has members itself, and is nil in a record without it. P points
// at such a value.
type part[P any] struct {
	facts

	name            string
	record, request *P
	patched         func() (v P, sent bool) // v is nil where the patch clears the member
	given           func(v P) bool
	check           func(c *problem.Checks, name string, v P)
	says            schema.Value
}

// Part is a member that has members itself, and is nil in a record without it. A
// patch gives the whole of it, or clears it.
func Part[V any](
	name string, record, request **V, patch *twinplatform.Optional[V], check func(c *problem.Checks, name string, v *V),
	says ...schema.Value,
) *PartMember[V] {
	m := partOf(name, record, request, check, says)
	m.given = func(v *V) bool { return v != nil }
	m.patched = func() (v *V, sent bool) {
		if patch == nil || !patch.Present() {
			return nil, false
		}
		patch.ApplyPointer(&v)
		return v, true
	}
	return &PartMember[V]{m}
}

// PartMember is a member that has members itself.
type PartMember[V any] struct{ *part[*V] }

func partOf[P any](name string, record, request *P, check func(c *problem.Checks, name string, v P),
	says []schema.Value,
) *part[P] {
	m := &part[P]{name: name, record: record, request: request, check: check}
	for _, s := range says {
		m.says = m.says.And(s)
	}
	return m
}

func (m *part[P]) describe() schema.Member { return schema.Member{Name: m.name, Value: m.says} }

func (m *part[P]) make() { *m.record = *m.request }

func (m *part[P]) apply() {
	if v, sent := m.patched(); sent {
		*m.record = v
	}
}

func (m *part[P]) checkRequest(c *problem.Checks) { m.checkGiven(c, *m.request) }

func (m *part[P]) checkPatch(_ string, c *problem.Checks) {
	v, _ := m.patched()
	m.checkGiven(c, v)
}

func (m *part[P]) checkGiven(c *problem.Checks, v P) {
	if !m.given(v) {
		return
	}
	before := c.Found()
	if m.check(c, m.name, v); c.Found() == before {
		c.Writable(m.name, &v)
	}
}

// Optional is a value for which null in a request differs from leaving it out.
func Optional[R, V ~string](name string, record *R, request, patch *twinplatform.Optional[V]) *Of[V] {
	return &Of[V]{
		name: name, asked: func() (V, bool) { return request.Get() }, store: func(v V) { *record = R(v) },
		patched: in(patch),
	}
}

// Set is a set of texts: sorted, and each once.
func Set(name string, record, request *[]string, patch *twinplatform.Optional[[]string]) *Of[[]string] {
	return texts(Sorted, name, record, request, patch)
}

// Distinct is a list of texts in the order in which they were sent, each once.
func Distinct(name string, record, request *[]string, patch *twinplatform.Optional[[]string]) *Of[[]string] {
	return texts(Once, name, record, request, patch)
}

// texts is a list of texts that is kept in one form.
func texts(form func([]string) []string, name string, record, request *[]string,
	patch *twinplatform.Optional[[]string],
) *Of[[]string] {
	return &Of[[]string]{
		name:    name,
		asked:   func() ([]string, bool) { return form(*request), len(*request) > 0 },
		store:   func(v []string) { *record = v },
		blank:   func(v []string) bool { return len(v) == 0 },
		initial: []string{},
		patched: func() ([]string, bool, bool) {
			v, given, sent := in(patch)()
			return form(v), given, sent
		},
	}
}

// Once is a list of texts without those that are in it before; it is never nil.
func Once(texts []string) []string {
	out, met := make([]string, 0, len(texts)), make(map[string]bool, len(texts))
	for _, text := range texts {
		if !met[text] {
			met[text] = true
			out = append(out, text)
		}
	}
	return out
}

// Sorted is a set of texts in its one form, which is never nil.
func Sorted(texts []string) []string {
	out := append([]string{}, texts...)
	slices.Sort(out)
	return slices.Compact(out)
}

// idMember is the id of a record.
type idMember struct {
	record, request *string
	patch           *twinplatform.Optional[string]
}

// ID is the id of a record, which the caller may choose. A patch may hold it as it
// is.
func ID(record, request *string, patch *twinplatform.Optional[string]) Member {
	return idMember{record, request, patch}
}

func (m idMember) checkRequest(c *problem.Checks) { c.ID("id", *m.request) }
func (m idMember) make()                          { *m.record = *m.request }
func (m idMember) apply()                         {}
func (m idMember) about() *facts                  { return nil }

var callersID = schema.AtMost(problem.MaxID).And(schema.Pattern(`^[^/]*$`, "dig"))

func (m idMember) describe() schema.Member { return schema.Member{Name: "id", Value: callersID} }

func (m idMember) checkPatch(id string, c *problem.Checks) {
	if m.patch != nil {
		problem.AsIs(c, "id", *m.patch, id)
	}
}

// fixed is a member that the platform sets itself.
type fixed[V comparable] struct {
	name           string
	request, patch *twinplatform.Optional[V]
	values         []V
}

// Fixed is a member that the platform sets itself: it may be sent as one of the
// values, or as null.
func Fixed[V comparable](name string, request, patch *twinplatform.Optional[V], values ...V) Member {
	return fixed[V]{name, request, patch, values}
}

func (m fixed[V]) checkRequest(c *problem.Checks)         { m.check(m.request, c) }
func (m fixed[V]) checkPatch(_ string, c *problem.Checks) { m.check(m.patch, c) }
func (m fixed[V]) make()                                  {}
func (m fixed[V]) apply()                                 {}
func (m fixed[V]) about() *facts                          { return nil }

func (m fixed[V]) describe() schema.Member { return schema.Member{Name: m.name} }

func (m fixed[V]) check(sent *twinplatform.Optional[V], c *problem.Checks) {
	if sent != nil {
		problem.AsIs(c, m.name, *sent, m.values...)
	}
}
