package twins

import (
	"strings"
	"time"
	_ "time/tzdata" // which names are time zones is the same on every machine

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// checks collects everything that is wrong with a request, so that the caller
// is told all of it at once.
type checks struct {
	refuse.Checks
	family *twinplatform.Error // of the refusal; nil means InvalidRequest
}

// err is what is wrong, or nil.
func (c *checks) err() error {
	if c.family == nil {
		return c.Err(InvalidRequest)
	}
	return c.Err(*c.family)
}

// degrees checks a coordinate that may be absent.
func (c *checks) degrees(target string, value *float64, limit float64) {
	if value != nil && !(*value >= -limit && *value <= limit) {
		c.Bad(target, "The value of '%s' is a number from %.1f to %.1f.", target, -limit, limit)
	}
}

// zone checks the name of a time zone that may be absent.
func (c *checks) zone(target string, value twinplatform.Optional[string]) {
	name, given := value.Get()
	if given && !isZone(name) {
		c.Bad(target, "The value of '%s' is not the name of an IANA time zone, such as Europe/Berlin.", target)
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
