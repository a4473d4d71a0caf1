package twins

import (
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // which names are time zones is the same on every machine
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform"
)

// checks collects everything that is wrong with a request, so that the caller
// is told all of it at once.
type checks struct {
	code    string // of the refusal; empty means InvalidTwinsRequest
	details []twinplatform.Detail
}

// err is what is wrong, or nil.
func (c *checks) err() error {
	if len(c.details) == 0 {
		return nil
	}
	code := c.code
	if code == "" {
		code = invalidTwins
	}
	return unprocessable(code, c.details...)
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
func (c *checks) need(target, value string) {
	if strings.TrimSpace(value) == "" {
		c.missing(target)
		return
	}
	c.atMost(target, value, MaxText)
}

// atMost checks the length of a text that may be empty.
func (c *checks) atMost(target, value string, limit int) {
	if n := utf8.RuneCountInString(value); n > limit {
		c.bad(target, "The value of '%s' has %d characters; at most %d are allowed.", target, n, limit)
	} else if !utf8.ValidString(value) {
		c.bad(target, "The value of '%s' is not valid UTF-8.", target)
	}
}

// degrees checks a coordinate that may be absent.
func (c *checks) degrees(target string, value *float64, limit float64) {
	if value != nil && !(*value >= -limit && *value <= limit) {
		c.bad(target, "The value of '%s' is a number from %.1f to %.1f.", target, -limit, limit)
	}
}

// zone checks the name of a time zone that may be absent.
func (c *checks) zone(target string, value twinplatform.Optional[string]) {
	name, given := value.Get()
	if given && !isZone(name) {
		c.bad(target, "The value of '%s' is not the name of an IANA time zone, such as Europe/Berlin.", target)
	}
}

// isZone reports whether the name is in the IANA time zone database. Machines
// keep files beside it that load as zones and are none.
func isZone(name string) bool {
	switch name {
	case "", "Local", "localtime", "posixrules":
		return false
	}
	if strings.HasPrefix(name, "posix/") || strings.HasPrefix(name, "right/") {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// oneOf checks a value of an enumeration.
func oneOf[E ~string](c *checks, target string, value E, values []E) bool {
	if slices.Contains(values, value) {
		return true
	}
	c.bad(target, "The value of '%s' is one of %s.", target, alternatives(values))
	return false
}

func alternatives[E ~string](values []E) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}

// isGUID reports whether an id has the form of a GUID.
func isGUID(id string) bool {
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
