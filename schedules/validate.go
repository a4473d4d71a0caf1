package schedules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform"
)

// checks collects everything that is wrong with a request, so that the caller
// is told all of it at once.
type checks struct {
	prefix  string // of targets: batch[3].
	details []twinplatform.Detail
}

// err is what is wrong, or nil.
func (c *checks) err() error {
	if len(c.details) == 0 {
		return nil
	}
	return invalid(c.details...)
}

// at makes targets name the i-th item of a list from now on; a request without
// a list is a single item.
func (c *checks) at(list string, i int) {
	if list != "" {
		c.prefix = fmt.Sprintf("%s[%d].", list, i)
	}
}

func (c *checks) add(d twinplatform.Detail) {
	d.Target = c.prefix + d.Target
	c.details = append(c.details, d)
}

func (c *checks) bad(target, format string, args ...any) {
	c.add(badValue(target, format, args...))
}

// need checks a text that must be there.
func (c *checks) need(target, value string) {
	if strings.TrimSpace(value) == "" {
		c.add(required(target))
		return
	}
	c.text(target, value)
}

// text checks a text that may be empty.
func (c *checks) text(target, value string) { c.atMost(target, value, MaxText) }

func (c *checks) atMost(target, value string, limit int) {
	if utf8.RuneCountInString(value) > limit {
		c.bad(target, "The value of '%s' has more than %d characters.", target, limit)
	}
}

// quantity checks a number that is 0 or more. Infinity and what is no number
// have no wire form.
func (c *checks) quantity(target string, value float64) {
	if !(value >= 0 && value <= math.MaxFloat64) {
		c.bad(target, "The value of '%s' is 0 or more.", target)
	}
}

// date checks an instant, which may be the zero one. The years are those that
// can be read back, with room for dates derived from it.
func (c *checks) date(target string, d twinplatform.DateTime) {
	if year := d.UTC().Year(); year < 1 || year > 9899 {
		c.bad(target, "The year of a date-time is 1 to 9899.")
	}
}

// id checks an id that the caller chose; an empty one is left to the platform.
func (c *checks) id(target, id string) {
	if id == "" {
		return
	}
	printable := !strings.ContainsFunc(id, func(r rune) bool { return r == '/' || r == utf8.RuneError || !unicode.IsPrint(r) })
	if !printable || utf8.RuneCountInString(id) > MaxID || id == "." || id == ".." {
		c.bad(target, "An id has 1 to %d printable characters without '/'.", MaxID)
	}
}

// oneOf checks a value of an enumeration.
func oneOf[E ~string](c *checks, target string, value E, values []E) {
	if slices.Contains(values, value) {
		return
	}
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	c.bad(target, "The value of '%s' is one of %s.", target, strings.Join(names, ", "))
}
