package records

import (
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// Query says which records to list.
type Query[T any] = queryOf[*T]

// queryOf is a Query of records that P points at.
type queryOf[P any] struct {
	twinplatform.ListOptions

	// Op names the operation; tokens of one are not good for another.
	Op string
	// DefaultTop and MaxTop bound the page size; 0 means 100 and 10,000.
	DefaultTop, MaxTop int
	// KeepTop makes a page that names no size as large as the one before.
	KeepTop bool

	// Skip leaves out so many records from the beginning of a list that is
	// paged by number instead of by token.
	Skip int

	// Prefix lists only the ids that begin with it.
	Prefix string
	// Descending lists the last ids first, which are the newest where ids sort by
	// creation. Such a list has no delta, and neither Index nor Among.
	Descending bool
	// Index and Equals list only the records with that value in the index.
	Index, Equals string
	// Among, in the place of Equals, lists the records with any of several values in
	// the index, by value and then by id; without an index, in the place of Prefix, those
	// whose ids begin with any of several. Such a list has no delta. Nil means that there
	// is one value.
	Among func(tx Reading, s Scope) (values []string, err error)
	// Also names values that records have in further indexes. It spares reading those
	// that only Index finds, and leaves to Match what is asked of a record.
	Also []Equal
	// Match lists only what it is true for; Filter is its canonical text.
	// Both or neither are set.
	Match  func(P) bool
	Filter string
	// Compare orders the list otherwise than by id, and Order is its canonical
	// text. Both or neither are set. Such a list is read whole for the first page, and
	// again for one behind it when the scope has changed, which is then a place in the
	// list as it is by that time.
	Compare func(a, b P) int
	Order   string
	// View is whatever else the answer depends on, such as what the caller
	// may see.
	View string
}

// Equal is a value that records have in an index.
type Equal struct{ Index, Value string }

// In lists only the records with a value in an index, in all indexes when it is asked
// for several; nothing is asked by an empty value. A list that can be followed asks in
// Match, too, for what is behind the first.
func (q *queryOf[P]) In(index, value string) {
	switch {
	case value == "":
	case q.Index == "":
		q.Index, q.Equals = index, value
	default:
		q.Also = append(q.Also, Equal{index, value})
	}
}

// Erasure is a Query with its type erased.
type Erasure = queryOf[any]

func (q *queryOf[P]) Erase() Erasure {
	out := Erasure{
		ListOptions: q.ListOptions, Op: q.Op, DefaultTop: q.DefaultTop, MaxTop: q.MaxTop, KeepTop: q.KeepTop,
		Skip:   q.Skip,
		Prefix: q.Prefix, Descending: q.Descending, Index: q.Index, Equals: q.Equals, Among: q.Among, Also: q.Also,
		Filter: q.Filter, Order: q.Order, View: q.View,
	}
	if q.Match != nil {
		out.Match = func(v any) bool { return q.Match(v.(P)) }
	}
	if q.Compare != nil {
		out.Compare = func(a, b any) int { return q.Compare(a.(P), b.(P)) }
	}
	return out
}

// bind is what the tokens of a list are good for.
func (q *queryOf[P]) bind(s Scope) string {
	return strings.Join([]string{
		q.Op, strings.TrimSuffix(string(s), divides), q.Prefix, q.Index, q.Equals, q.Filter,
		q.Order, q.View,
	}, "\x00")
}

func (q *queryOf[P]) filtered() bool { return q.Index != "" || q.Match != nil }
