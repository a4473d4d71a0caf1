package model

import (
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Narrow lists only the records that match. property and value say what is
// asked of them.
func Narrow[T any](q *records.Query[T], property, value string, match func(*T) bool) {
	q.Filter += property + "=" + strconv.Quote(value) + ";"
	if also := q.Match; also != nil {
		q.Match = func(v *T) bool { return also(v) && match(v) }
		return
	}
	q.Match = match
}

// NarrowName lists only the records whose name equals or contains a text, in
// upper or lower case. An empty text is in every name.
func NarrowName[T any](q *records.Query[T], text string, name func(*T) string) {
	if text == "" {
		return
	}
	text = strings.ToLower(text)
	Narrow(q, "name", text, func(v *T) bool { return strings.Contains(strings.ToLower(name(v)), text) })
}

// Exists checks within a list that the record which it belongs to is there.
func Exists[T any](c *records.Collection[T], id string) func(*records.View, records.Scope) error {
	return func(v *records.View, s records.Scope) error {
		has, err := c.Has(v, s, id)
		if err == nil && !has {
			err = records.ErrNotFound
		}
		return err
	}
}

// EqualDuration reports whether two durations are the same; nil is none.
func EqualDuration[T int32 | int64](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }
