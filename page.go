package twinplatform

import (
	"encoding/json"
	"iter"
	"strings"
)

// ListOptions selects which part of a list to return. The zero value asks for the first
// page of the default size.
type ListOptions struct {
	// Top is the number of records on a page; 0 means the list's default.
	// Schedules lists take 1 to 10,000 and default to 100.
	Top int
	// Continuation is Page.Next of the page before; empty for the first page.
	Continuation string
	// Delta is Page.Delta of an earlier listing: only what has changed since
	// is listed, each record once, with deleted ones marked as deleted.
	Delta string
	// IfNoneMatch is the value of an If-None-Match header: when it names the
	// ETag that the page would have, Page.NotModified is set and nothing is
	// read.
	IfNoneMatch string
}

// Options are the options themselves, also of a query that embeds them.
func (o *ListOptions) Options() *ListOptions { return o }

// What the target of an error calls the parts of a query that lists have in
// common, and the precondition of a change. Other parts, and the properties of
// bodies, are called as the REST API calls them.
const (
	TargetTop          = "top"          // ListOptions.Top
	TargetContinuation = "continuation" // ListOptions.Continuation
	TargetDelta        = "delta"        // ListOptions.Delta
	TargetSkip         = "skip"         // the Skip of queries that have one
	TargetFilter       = "filter"       // Filter
	TargetOrderBy      = "orderBy"      // OrderBy
	TargetSearch       = "search"       // Search
	TargetSelect       = "select"       // Select
	TargetMaxReturn    = "maxReturn"    // MaxReturn
	TargetQueryScope   = "scope"        // the Scope of a query
	TargetIfMatch      = "ifMatch"      // [IfMatch]
	TargetIfNoneMatch  = "ifNoneMatch"  // [IfNoneMatch]
)

// Record is a value as it is stored, with its version and its wire form.
type Record[T any] struct {
	Value T      // what JSON decodes to, with what the wire does not show
	ETag  string // quoted, as in the HTTP header
	JSON  []byte // the stored wire form; must not be changed
}

// NamesETag reports whether the value of an If-Match or If-None-Match header
// names an ETag: it is *, or a list with the tag in it, weak or strong.
func NamesETag(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == "*" || tag != "" && tag == etag {
			return true
		}
	}
	return false
}

// Page is one page of a list, which may have more: [All] follows them, and [Sync]
// what changes. It holds records in their wire form and decodes only those that
// a caller looks at.
type Page[T any] struct {
	Next        string // token of the next page; empty on the last
	Delta       string // on the last page: the token that lists later changes
	ETag        string // quoted, as in the HTTP header
	Top         int    // the page size that was in force
	NotModified bool   // IfNoneMatch named the ETag: the page was not read

	wire [][]byte
	// read sets what into points at, a T, to the i-th record. Its type does not depend on
	// T, so pages of all records are the same in memory: they are converted into one
	// another, and share the code that hands them on.
	read func(i int, into any) error
}

// NewPage makes a page of records in wire form. decode turns the i-th into a
// value; nil unmarshals its JSON.
func NewPage[T any](wire [][]byte, decode func(i int) (T, error)) Page[T] {
	if decode == nil {
		return Page[T]{wire: wire}
	}
	return Page[T]{wire: wire, read: func(i int, into any) (err error) {
		*into.(*T), err = decode(i)
		return err
	}}
}

// ReadPage makes a page of records in wire form whose type is not known where it is made:
// the caller converts it to the page of its list. read sets what into points at to the i-th
// record; what is there is the zero value.
func ReadPage(wire [][]byte, read func(i int, into any) error) Page[any] {
	return Page[any]{wire: wire, read: read}
}

// MapPage is p with other records in place of its own, as many as those.
func MapPage[U, T any](p Page[T], wire [][]byte, decode func(i int) (U, error)) Page[U] {
	other := NewPage(wire, decode)
	p.wire, p.read = wire, other.read
	return Page[U](p)
}

// PageOf is a page with these records.
func PageOf[T any](recs []Record[T]) Page[T] {
	wire := make([][]byte, len(recs))
	for i, rec := range recs {
		wire[i] = rec.JSON
	}
	return Page[T]{wire: wire, read: func(i int, into any) error {
		*into.(*T) = recs[i].Value
		return nil
	}}
}

// Map returns the page with each record as fn makes it, value and wire form. Its
// tokens and its ETag stay. The records that fn is given have no ETag.
func (p Page[T]) Map(fn func(Record[T]) (Record[T], error)) (Page[T], error) {
	recs := make([]Record[T], len(p.wire))
	for i := range p.wire {
		recs[i].JSON = p.wire[i]
		err := p.at(i, &recs[i].Value)
		if err == nil {
			recs[i], err = fn(recs[i])
		}
		if err != nil {
			return p, err
		}
	}
	q := PageOf(recs)
	p.wire, p.read = q.wire, q.read
	return p, nil
}

// Len is the number of records on the page.
func (p Page[T]) Len() int { return len(p.wire) }

// JSON is the wire form of every record on the page, in order. Neither the
// slice nor what it holds may be changed.
func (p Page[T]) JSON() [][]byte { return p.wire }

// OnPage yields the records of this page in order, and none of the pages behind
// it: [All] follows those. Decoding fails only when the store holds what this
// version cannot read; the error ends the sequence.
func (p Page[T]) OnPage() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var v, zero T
		for i := range p.wire {
			v = zero
			err := p.at(i, &v)
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// Values returns the records of this page in order.
func (p Page[T]) Values() ([]T, error) {
	out := make([]T, len(p.wire))
	for i := range out {
		if err := p.at(i, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// at reads a record into a zero value that is pointed at.
func (p *Page[T]) at(i int, into any) error {
	if p.read != nil {
		return p.read(i, into)
	}
	return json.Unmarshal(p.wire[i], into)
}
