// Package problem is how every domain refuses: the checks that collect all that is
// wrong with a request, and the errors that the domains share.
package problem

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Detail codes.
const (
	InvalidValue    = "InvalidValue"
	MissingProperty = "MissingRequiredProperty"
)

// BadValue is the detail of a value that cannot be taken.
func BadValue(target, format string, args ...any) twinplatform.Detail {
	return twinplatform.Detail{Code: InvalidValue, Message: fmt.Sprintf(format, args...), Target: target}
}

// Missing is the detail of a property that must be there and is not.
func Missing(target string) twinplatform.Detail {
	return twinplatform.Detail{
		Code: MissingProperty, Target: target,
		Message: fmt.Sprintf("The required property '%s' is missing.", target),
	}
}

// With is family, the error of a kind of request, with details.
func With(family twinplatform.Error, details ...twinplatform.Detail) *twinplatform.Error {
	family.Details = details
	return &family
}

// Checks collects everything that is wrong with a request, so that the caller gets all of
// it at once. The zero value is ready.
type Checks struct {
	list    string // that targets are in: batch[3].name
	item    int
	details []twinplatform.Detail
	rules   *Rules // nil but in RulesOf
}

// Rules is what checks hold members to, by their targets.
type Rules []schema.Member

// RulesOf runs checks of a value that stands for all of its type, to learn what they hold
// it to. So a schema has only what is checked.
func RulesOf(check func(c *Checks)) Rules {
	var rules Rules
	check(&Checks{rules: &rules})
	return rules
}

// In are the rules for the members of one member, by their own names.
func (r Rules) In(target string) Rules {
	var in Rules
	for _, m := range r {
		if name, is := strings.CutPrefix(m.Name, target+"."); is && !strings.Contains(name, ".") {
			m.Name = name
			in = append(in, m)
		}
	}
	return in
}

// Own are the rules for members that are in no other.
func (r Rules) Own() Rules {
	return slices.DeleteFunc(slices.Clone(r), func(m schema.Member) bool { return strings.Contains(m.Name, ".") })
}

// Holds declares what the check next to it requires of a member.
func (c *Checks) Holds(m schema.Member) {
	if c.rules != nil {
		*c.rules = append(*c.rules, m)
	}
}

// Err is what is wrong as the error of a kind of request, or nil.
func (c *Checks) Err(family twinplatform.Error) error {
	if len(c.details) == 0 {
		return nil
	}
	return With(family, c.details...)
}

// At makes targets name the i-th item of a list from now on; a request without a
// list is a single item.
func (c *Checks) At(list string, i int) { c.list, c.item = list, i }

// Target is how a property of the present item is called, or, without one, the item.
func (c *Checks) Target(property string) string {
	if c.list == "" {
		return property
	}
	item := c.list + "[" + strconv.Itoa(c.item) + "]"
	if property == "" {
		return item
	}
	return item + "." + property
}

// Add adds a detail.
func (c *Checks) Add(d twinplatform.Detail) {
	d.Target = c.Target(d.Target)
	c.details = append(c.details, d)
}

// Bad adds a value that cannot be taken.
func (c *Checks) Bad(target, format string, args ...any) { c.Add(BadValue(target, format, args...)) }

// Missing adds a property that must be there and is not.
func (c *Checks) Missing(target string) { c.Add(Missing(target)) }

// Need checks a text that must be there, of at most limit characters.
func (c *Checks) Need(target, value string, limit int) {
	if c.rules != nil {
		c.Holds(schema.NeedText(target, limit))
	}
	if strings.TrimSpace(value) == "" {
		c.Missing(target)
		return
	}
	c.AtMost(target, value, limit)
}

// Given checks that a member is there, and reports it.
func (c *Checks) Given(target string, given bool) bool {
	if c.rules != nil {
		c.Holds(schema.Need(target, schema.Value{}))
	}
	if !given {
		c.Missing(target)
	}
	return given
}

// GivenText checks that a text is there, and reports it.
func (c *Checks) GivenText(target, value string) bool {
	if c.rules != nil {
		c.Holds(schema.Need(target, schema.Value{MinLength: 1}))
	}
	return c.Given(target, value != "")
}

// GUID checks a text that may be empty, and is a GUID otherwise.
func (c *Checks) GUID(target, value string) {
	if c.rules != nil {
		c.Holds(schema.May(target, schema.GUID))
	}
	if value != "" && !IsGUID(value) {
		c.Add(notGUID(target))
	}
}

func notGUID(target string) twinplatform.Detail {
	return BadValue(target, "The value of '%s' is not a GUID.", target)
}

// Strange is the detail for the id of a twin that the caller does not see and that is no
// GUID, so that no list is empty for it; nil for any other. A directory of one's own may
// call its twins otherwise.
func Strange(target, twinID string, visible bool) []twinplatform.Detail {
	if visible || twinID == "" || IsGUID(twinID) {
		return nil
	}
	return []twinplatform.Detail{notGUID(target)}
}

// AtMost checks a text that may be empty, of at most limit characters. Where the member is a
// name, no character of it misleads.
func (c *Checks) AtMost(target, value string, limit int) {
	if c.rules != nil {
		c.Holds(schema.May(target, schema.AtMost(limit)))
	}
	if utf8.RuneCountInString(value) > limit {
		c.Bad(target, "The value of '%s' has more than %d characters.", target, limit)
	} else if !utf8.ValidString(value) {
		c.Bad(target, "The value of '%s' is not valid UTF-8.", target)
	} else if isName(target) && strings.ContainsFunc(value, Misleads) {
		c.Bad(target, "A name has neither NUL nor characters that change the direction of text.")
	}
}

// isName reports whether a member is a name: it is called that, or something's.
func isName(target string) bool {
	return strings.HasSuffix(target, "name") || strings.HasSuffix(target, "Name")
}

// Misleads reports whether a character makes a name look like another one: NUL, which programs
// in C take for its end, and the embeddings, overrides and isolates of direction. Marks of
// direction between words are not among them.
func Misleads(r rune) bool {
	return r == 0 || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// MaxID is the length of an id that a caller chooses, in characters.
const MaxID = 128

// ID checks an id that the caller chose; an empty one is left to the platform.
func (c *Checks) ID(target, id string) {
	if c.rules != nil {
		c.Holds(schema.May(target, schema.AtMost(MaxID)))
	}
	if id == "" {
		return
	}
	if !Printable(id) || strings.Contains(id, "/") || utf8.RuneCountInString(id) > MaxID || isDots(id) {
		c.Bad(target, "An id has 1 to %d printable characters without '/'.", MaxID)
	}
}

// Segment checks that the path of a URL can name an id, even one that others chose.
func (c *Checks) Segment(target, id string) {
	if isDots(id) {
		c.Bad(target, "No path of a URL can name the id '%s'.", id)
	}
}

// isDots reports whether clients and proxies remove an id from paths.
func isDots(id string) bool { return id == "." || id == ".." }

// Printable reports whether a text has no control characters.
func Printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) })
}

// Date checks an instant, which may be the zero one.
func (c *Checks) Date(target string, d twinplatform.DateTime) {
	if !d.Valid() {
		c.Bad(target, "The year of a date-time is 1 to 9999.")
	}
}

// Writable checks that what v points at can be stored: at any depth its instants are in the
// years 1 to 9999 and its numbers are finite. An empty target is the present item.
func (c *Checks) Writable(target string, v any) {
	e := records.Unwritable(v)
	switch {
	case e == nil:
	case target == "" || e.Path == "" || strings.HasPrefix(e.Path, "["):
		c.Bad(target+e.Path, "%s", e.Why)
	default:
		c.Bad(target+"."+e.Path, "%s", e.Why)
	}
}

// Found is how many things are wrong so far.
func (c *Checks) Found() int { return len(c.details) }

// Quantity checks a number that is 0 or more. Infinity and what is no number
// have no wire form.
func (c *Checks) Quantity(target string, value float64) {
	if c.rules != nil {
		c.Holds(schema.May(target, schema.AtLeast(0)))
	}
	if !(value >= 0 && value <= math.MaxFloat64) {
		c.Bad(target, "The value of '%s' is 0 or more.", target)
	}
}

// Finite checks a number of any sign.
func (c *Checks) Finite(target string, value float64) {
	if !(math.Abs(value) <= math.MaxFloat64) {
		c.Bad(target, "The value of '%s' is a finite number.", target)
	}
}

// Skip checks how many of a list are left out from its beginning.
func (c *Checks) Skip(n int, what string) {
	if n < 0 {
		c.Bad(twinplatform.TargetSkip, "The number of %s is 0 or more.", what)
	}
}

// Within checks a number and its bounds, which belong to it.
func (c *Checks) Within(target string, value, low, high float64) {
	if c.rules != nil {
		c.Holds(schema.May(target, schema.Range(low, high)))
	}
	if !(value >= low && value <= high) {
		c.Bad(target, "The value of '%s' is a number from %g to %g.", target, low, high)
	}
}

// OneOf checks a value of an enumeration and reports whether it is one. The message
// calls a member of a member by its own name.
func OneOf[E ~string](c *Checks, target string, value E, values []E) bool {
	if slices.Contains(values, value) {
		return true
	}
	c.Bad(target, "The value of '%s' is one of %s.", target[strings.LastIndexByte(target, '.')+1:],
		Alternatives(values))
	return false
}

// Alternatives names the values of an enumeration.
func Alternatives[E ~string](values []E) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}

// IsGUID reports whether an id has the form of a GUID.
func IsGUID(id string) bool {
	if len(id) != 36 {
		return false
	}
	for i := range len(id) {
		switch ch := id[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if ch != '-' {
				return false
			}
		case ch < '0' || ch > '9' && ch < 'A' || ch > 'F' && ch < 'a' || ch > 'f':
			return false
		}
	}
	return true
}

// AsIs refuses a member that the platform sets itself, unless it is sent as it
// is, or will be, or as null. A client may send a record back as it read it: so
// the bodies of creates and patches know every member of the record.
func AsIs[V comparable](c *Checks, target string, sent twinplatform.Optional[V], is ...V) {
	v, given := sent.Get()
	if given && !slices.Contains(is, v) {
		c.Bad(target, "The value of '%s' is set by the platform and cannot be changed.", target)
	}
}
