package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// skipping is the paging of lists that are paged by number: the place where a
// page begins stands where other lists have a token.
var skipping = paging{continuation: "$skip", delta: "$skip"}

var windowParameters = []Parameter{
	{Name: "$top", Number: true, Description: "The number of records on a page."},
	{Name: "$skip", Number: true, Description: "The number of records before the page."},
}

// skip puts the number of records before the page into a query.
func skip[P any](at func(q P) *int) filter {
	f := count("$skip", "", at)
	f.Parameter = Parameter{} // which windowParameters have
	return f
}

// count is a filter by a whole number that is 0 when it was not given.
func count[P any](name, about string, at func(q P) *int) filter {
	return filter{Parameter: Parameter{Name: name, Description: about, is: reflect.TypeFor[int32]()}, set: func(x *exchange, q any) error {
		n, err := x.number(name)
		if n != nil {
			*at(q.(P)) = *n
		}
		return err
	}}
}

// window is a row that answers with a page of records, of a list that is paged by
// $top and $skip; one of the filters is skip.
func window[Q, T any, PQ query[Q]](n *noun, call func(ctx context.Context, q Q) (twinplatform.Page[T], error), filters ...filter) *row {
	return n.windowRow(reflect.TypeFor[T](), reflect.TypeFor[Q](), func(ctx context.Context, _ *exchange, q any) (page, error) {
		p, err := call(ctx, *q.(*Q))
		return page(p), err
	}, filters)
}

// windowIn is window of what the one thing in the path holds.
func windowIn[Q, T any, PQ query[Q]](n *noun, call func(ctx context.Context, in string, q Q) (twinplatform.Page[T], error), filters ...filter) *row {
	return n.windowRow(reflect.TypeFor[T](), reflect.TypeFor[Q](), func(ctx context.Context, x *exchange, q any) (page, error) {
		p, err := call(ctx, x.nth(0), *q.(*Q))
		return page(p), err
	}, filters)
}

func (n *noun) windowRow(record, query reflect.Type, call lister, filters []filter) *row {
	o := n.lists().filtered(filters)
	o.Query = append(o.Query, windowParameters...)
	selects := slices.ContainsFunc(o.Query, func(p Parameter) bool { return p.Name == "$select" })
	key, open := n.many, []byte(`{"`+n.many+`":[`)
	r := &row{
		cost:      byRequest,
		Operation: o,
		serve: func(ctx context.Context, x *exchange) (err error) {
			q := reflect.New(query).Interface().(optioned)
			if q.Options().Top, err = x.top(); err != nil {
				return err
			}
			q.Options().IfNoneMatch = x.header("If-None-Match")
			if err := x.fill(q, filters); err != nil {
				return err
			}
			page, err := call(ctx, x, q)
			if err != nil {
				return err
			}
			if page.ETag != "" {
				x.w.Header().Set("ETag", page.ETag)
			}
			if page.NotModified {
				return x.sendNothing(http.StatusNotModified)
			}
			b := x.windowLinks(append(make([]byte, 0, 1024), `],"_links":`...), page.Top, x.place(page))
			return x.sendJoined(open, page.JSON(), append(b, '}'))
		},
	}
	r.replies = []reply{{status: http.StatusOK, schema: func(s *document.Schemas) map[string]any {
		listed := s.Records(record, r.short)
		if selects {
			listed = s.Chosen(record, r.short)
		}
		return document.Object(key, listed, "_links", s.WindowLinks())
	}}, notModified}
	r.replies[0].headers = []string{"ETag"}
	for _, h := range o.Headers {
		if h.Number { // which the answer tells
			r.replies[0].headers = append(r.replies[0].headers, h.Name)
		}
	}
	return r
}

// place is where the page behind one begins; empty when it is the last.
func (x *exchange) place(p page) string {
	if p.Next == "" {
		return ""
	}
	n := p.Len()
	if skip, _ := x.number("$skip"); skip != nil {
		n += *skip
	}
	return strconv.Itoa(n)
}

// windowLinks appends the links of a page: self, prev but for the first page,
// and next, which leads nowhere on the last.
func (x *exchange) windowLinks(b []byte, top int, next string) []byte {
	b = append(wire.AppendString(append(b, `{"self":{"href":`...), string(x.self(nil))), '}')
	if skip, _ := x.number("$skip"); skip != nil && *skip > 0 {
		before := strconv.Itoa(max(*skip-top, 0))
		b = append(wire.AppendString(append(b, `,"prev":{"href":`...), string(x.next(nil, skipping, before))), '}')
	}
	if next != "" {
		next = string(x.next(nil, skipping, next))
	}
	return append(bytes.TrimSuffix(x.link(append(b, ','), "next", next), []byte(",")), '}')
}
