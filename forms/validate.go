package forms

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
// is told all of it at once. code is that of the whole.
type checks struct {
	code    string
	details []twinplatform.Detail
}

// err is what is wrong, or nil.
func (c *checks) err() error {
	if len(c.details) == 0 {
		return nil
	}
	return invalid(c.code, c.details...)
}

func (c *checks) bad(target, format string, args ...any) {
	c.details = append(c.details, badValue(target, format, args...))
}

func (c *checks) missing(target string) {
	c.details = append(c.details, twinplatform.Detail{
		Code: missingProperty, Target: target,
		Message: fmt.Sprintf("The required property '%s' is missing.", target),
	})
}

// need checks a text that must be there.
func (c *checks) need(target, value string, limit int) {
	if strings.TrimSpace(value) == "" {
		c.missing(target)
		return
	}
	c.text(target, value, limit)
}

// text checks a text that may be empty.
func (c *checks) text(target, value string, limit int) {
	if utf8.RuneCountInString(value) > limit {
		c.bad(target, "The value of '%s' has more than %d characters.", target, limit)
	}
}

// finite checks a number that JSON can carry.
func (c *checks) finite(target string, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		c.bad(target, "The value of '%s' is not a number.", target)
	}
}

// within checks a number and its bounds.
func (c *checks) within(target string, value, low, high float64) {
	if !(value >= low && value <= high) {
		c.bad(target, "The value of '%s' is from %g to %g.", target, low, high)
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

// parseGUID returns a GUID in lower case, and whether s is one.
func parseGUID(s string) (string, bool) {
	if len(s) != 36 {
		return "", false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return "", false
			}
		case c < '0' || c > '9' && c < 'A' || c > 'F' && c < 'a' || c > 'f':
			return "", false
		}
	}
	return strings.ToLower(s), true
}

// printable reports whether a text has no control characters.
func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) })
}
