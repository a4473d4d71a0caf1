package entity

import (
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// Orders are the properties that a list can be ordered by, with how they compare.
type Orders[T any] map[string]func(a, b *T) int

// Read reads a property, and asc or desc behind it. canonical is the one text of what
// was meant; without an order, that is empty and compare nil. such is the property that
// errors give as an example.
func (o Orders[T]) Read(c *problem.Checks, orderBy, such string) (canonical string, compare func(a, b *T) int) {
	if orderBy == "" {
		return "", nil
	}
	name, direction, _ := strings.Cut(strings.TrimSpace(orderBy), " ")
	by, ok := o[name]
	switch direction = strings.TrimSpace(direction); {
	case !ok || direction != "" && direction != "asc" && direction != "desc":
		c.Bad(twinplatform.TargetOrderBy, "The order is a property, such as '%s', followed by asc or desc.", such)
		return "", nil
	case direction == "desc":
		return name + " desc", func(a, b *T) int { return by(b, a) }
	}
	return name, by
}
