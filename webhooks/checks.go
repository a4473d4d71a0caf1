package webhooks

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/egress"
)

// checks are those of internal/refuse with the one code that the area knows for
// members of a body.
type checks struct{ problem.Checks }

func (c *checks) bad(target, format string, args ...any) { c.Add(badBody(target, format, args...)) }

func (c *checks) required(target, value string) bool {
	c.Holds(schema.Need(target, schema.Value{}))
	if value == "" {
		c.bad(target, "The required property '%s' is missing.", target)
		return false
	}
	return true
}

func (c *checks) callbackURL(g egress.Guard, text string) {
	c.Holds(schema.Need("callbackUrl", schema.Format("uri", "https://example.com/hook").And(schema.AtMost(MaxURL))))
	if !c.required("callbackUrl", text) {
		return
	}
	if wrong := g.CheckURL(text); wrong != "" {
		c.bad("callbackUrl", "%s", wrong)
	}
}

// secret checks a secret; the zero one asks for a generated one.
func (c *checks) secret(s Secret) {
	c.Holds(schema.May("secret", schema.Length(MinSecret, MaxSecret)))
	if !s.IsZero() && !s.hasValidLength() {
		c.bad("secret", "A secret has %d to %d characters.", MinSecret, MaxSecret)
	}
}

// eventTypes checks a subscription and returns it without repetitions.
func (c *checks) eventTypes(types []EventType) []EventType {
	c.Holds(schema.Need("eventTypes", schema.List(1, 0, schema.Value{})))
	if len(types) == 0 {
		c.bad("eventTypes", "A webhook subscribes to at least one event type.")
		return nil
	}
	var out []EventType
	for _, t := range types {
		if _, ok := lookUp(t); !ok {
			c.bad("eventTypes", "'%.100s' is not one of the documented event types.", string(t))
			return nil
		}
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
