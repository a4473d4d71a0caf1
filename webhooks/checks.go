package webhooks

import "github.com/seed-933f9a09/twinplatform/internal/problem"

// checks collects refusals as internal/problem does, with the one code that the area knows for
// members of a body.
type checks struct{ problem.Checks }

func (c *checks) bad(target, format string, args ...any) { c.Add(badBody(target, format, args...)) }
