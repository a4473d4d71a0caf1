package schedules

import (
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// narrow lists only the records that match. property and value say what is
// asked of them.
func narrow[T any](q *records.Query[T], property, value string, match func(*T) bool) {
	q.Filter += property + "=" + strconv.Quote(value) + ";"
	if also := q.Match; also != nil {
		q.Match = func(v *T) bool { return also(v) && match(v) }
		return
	}
	q.Match = match
}

// narrowName lists only the records whose name equals or contains a text, in
// upper or lower case. An empty text is in every name.
func narrowName[T any](q *records.Query[T], text string, name func(*T) string) {
	if text == "" {
		return
	}
	text = strings.ToLower(text)
	narrow(q, "name", text, func(v *T) bool { return strings.Contains(strings.ToLower(name(v)), text) })
}

// exists checks within a list that the record which it belongs to is there.
func exists[T any](c *records.Collection[T], id string) func(*records.View, records.Scope) error {
	return func(v *records.View, s records.Scope) error {
		has, err := c.Has(v, s, id)
		if err == nil && !has {
			err = records.ErrNotFound
		}
		return err
	}
}
