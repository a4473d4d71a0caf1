package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// paging is how a list spells what it pages by. The zero value is the spelling
// of most lists.
type paging struct {
	continuation string // parameter; empty means $continuationToken
	delta        string // parameter; empty means deltaToken
	// noDelta marks a list that follows no changes.
	noDelta bool
	// noETag marks a list that has no version and never answers 304.
	noETag bool
	// bare marks a list that has no links but that of the next page, and none at
	// all on the last: its clients refuse a next link that is null.
	bare bool
}

var (
	// deltaDollar is the paging of the lists that spell it $deltaToken.
	deltaDollar = paging{delta: "$deltaToken"}
	// tokenForward is the paging of lists that go forward by a token and follow
	// no changes.
	tokenForward = paging{continuation: "continuationToken", noDelta: true, noETag: true}
)

func (p paging) withDefaults() paging {
	if p.continuation == "" {
		p.continuation = "$continuationToken"
	}
	switch {
	case p.noDelta:
		p.delta = ""
	case p.delta == "":
		p.delta = "deltaToken"
	}
	return p
}

// parameters are those of paging. Both spellings of the delta token are
// understood everywhere.
func (p paging) parameters() []Parameter {
	out := []Parameter{
		{Name: "$top", Number: true, Description: "The number of records on a page."},
		{Name: p.continuation, Description: "The token of the page, from the page before."},
	}
	if p.noDelta {
		return out
	}
	alias := "$deltaToken"
	if p.delta == alias {
		alias = "deltaToken"
	}
	return append(out, Parameter{Name: p.delta, alias: alias, Description: "List only what has changed since the listing that the token comes from."})
}

// page is a page of a list without the type of its records, of which an answer
// needs no more than the wire form.
type page = twinplatform.Page[any]

// pageOf is what a service returned, whatever its records are.
func pageOf[T any](p twinplatform.Page[T], err error) (page, error) { return page(p), err }

// remade is a page of what a list returns with what the handler alone knows of each
// record, as [completed] adds it to single ones.
func remade[T any](x *exchange, from twinplatform.Page[T], complete func(x *exchange, rec *T, stored []byte) ([]byte, error)) (page, error) {
	values, err := from.Values()
	if err != nil {
		return page{}, err
	}
	wire := slices.Clone(from.JSON())
	for i := range values {
		if wire[i], err = complete(x, &values[i], wire[i]); err != nil {
			return page{}, err
		}
	}
	return twinplatform.MapPage[any](from, wire, nil), nil
}

// lister gets a page from a service. q points at the query that it asks with.
type lister func(ctx context.Context, x *exchange, q any) (page, error)

// list is a row that answers with a page of records.
func list[Q, T any, PQ query[Q]](n *noun, p paging, call func(ctx context.Context, q Q) (twinplatform.Page[T], error), filters ...filter) *row {
	return n.listRow(p, reflect.TypeFor[T](), reflect.TypeFor[Q](), func(ctx context.Context, _ *exchange, q any) (page, error) {
		p, err := call(ctx, *q.(*Q))
		return page(p), err
	}, filters)
}

// listIn is list of what the one thing in the path holds.
func listIn[Q, T any, PQ query[Q]](n *noun, p paging, call func(ctx context.Context, in string, q Q) (twinplatform.Page[T], error), filters ...filter) *row {
	return n.listRow(p, reflect.TypeFor[T](), reflect.TypeFor[Q](), func(ctx context.Context, x *exchange, q any) (page, error) {
		p, err := call(ctx, x.nth(0), *q.(*Q))
		return page(p), err
	}, filters)
}

// listBelow is list of what the second of two things in the path holds.
func listBelow[Q, T any, PQ query[Q]](n *noun, p paging, call func(ctx context.Context, in, of string, q Q) (twinplatform.Page[T], error), filters ...filter) *row {
	return n.listRow(p, reflect.TypeFor[T](), reflect.TypeFor[Q](), func(ctx context.Context, x *exchange, q any) (page, error) {
		p, err := call(ctx, x.nth(0), x.nth(1), *q.(*Q))
		return page(p), err
	}, filters)
}

// listOf is a list of records of a type that call takes more from the request
// for, or makes more of.
func listOf[Q any, PQ query[Q]](n *noun, p paging, record reflect.Type, call func(ctx context.Context, x *exchange, q Q) (page, error), filters ...filter) *row {
	return n.listRow(p, record, reflect.TypeFor[Q](), func(ctx context.Context, x *exchange, q any) (page, error) {
		return call(ctx, x, *q.(*Q))
	}, filters)
}

// topVersion is the version of the media type in which lists that are within another
// name have their records and links at the top.
const topVersion = 1

// listRow is a row that answers with a page of records under the plural key,
// which may be a path of two names (forms.formDataInstances).
func (n *noun) listRow(p paging, record, query reflect.Type, call lister, filters []filter) *row {
	p = p.withDefaults()
	o, key := n.lists().filtered(filters), n.many
	o.Query = append(o.Query, p.parameters()...)
	outer, inner, nested := strings.Cut(key, ".")
	open, end := []byte(`{"`+strings.ReplaceAll(key, ".", `":{"`)+`":[`), "]}"
	flat := []byte(`{"` + inner + `":[`)
	r := &row{cost: byRequest, Operation: o, serve: func(ctx context.Context, x *exchange) error {
		q := reflect.New(query).Interface().(optioned)
		if err := x.listOptions(q.Options(), p); err != nil {
			return err
		}
		if err := x.fill(q, filters); err != nil {
			return err
		}
		page, err := call(ctx, x, q)
		if err != nil {
			return err
		}
		if nested && len(x.row.shapes) > 0 && x.version() == topVersion {
			return x.sendPage(p, page, flat, end)
		}
		if nested {
			return x.sendPage(p, page, open, end+"}")
		}
		return x.sendPage(p, page, open, end)
	}}
	r.replies = []reply{{status: http.StatusOK, perhaps: []string{"Continuation-Token"}, schema: func(s *document.Schemas) map[string]any {
		if nested && len(r.shapes) > 0 {
			return map[string]any{"anyOf": []any{document.Object(outer, s.Page(inner, record, r.short)), s.Page(inner, record, r.short)}}
		}
		if nested {
			return document.Object(outer, s.Page(inner, record, r.short))
		}
		if p.bare {
			bare := document.Object(key, s.Records(record, r.short))
			bare["properties"].(map[string]any)["_links"] = document.Object("next", document.Link())
			return bare
		}
		return s.Page(key, record, r.short)
	}}}
	listed := &r.replies[0]
	if !p.noDelta {
		listed.perhaps = append(listed.perhaps, "Delta-Token")
	}
	if !p.noETag {
		listed.headers = append(listed.headers, "ETag")
		r.replies = append(r.replies, notModified)
	}
	return r
}

// listOptions are what the request asks of a list.
func (x *exchange) listOptions(o *twinplatform.ListOptions, p paging) (err error) {
	if o.Top, err = x.top(); err != nil {
		return err
	}
	o.Continuation = x.query(p.continuation)
	o.Delta = x.query(p.delta)
	if !p.noETag {
		o.IfNoneMatch = x.header("If-None-Match")
	}
	return nil
}

// sendPage answers with the records of a page between open and end, and with
// what leads to the next page: its address, and its token in a header as well.
func (x *exchange) sendPage(p paging, page page, open []byte, end string) error {
	header := x.w.Header()
	if page.ETag != "" && !p.noETag {
		header.Set("ETag", page.ETag)
	}
	if page.NotModified {
		return x.sendNothing(http.StatusNotModified)
	}
	if page.Delta != "" {
		header.Set("Delta-Token", page.Delta)
	}
	if page.Next != "" {
		header.Set("Continuation-Token", page.Next)
	}
	if p.bare && page.Next == "" && !x.nullLinks() {
		return x.sendJoined(open, page.JSON(), []byte(end))
	}
	b := append(make([]byte, 0, 1024), `],"_links":{`...)
	if !p.bare {
		b = append(wire.AppendString(append(b, `"self":{"href":`...), string(x.self(nil))), "},"...)
	}
	next := ""
	if page.Next != "" {
		next = string(x.next(nil, p, page.Next))
	}
	b = append(bytes.TrimSuffix(x.link(b, "next", next), []byte(",")), '}')
	return x.sendJoined(open, page.JSON(), append(b, end[1:]...))
}

// link appends a link under a name. One that leads nowhere is null or left out; then
// nothing is behind the comma before it.
func (x *exchange) link(b []byte, name, href string) []byte {
	if href == "" && !x.nullLinks() {
		return b
	}
	b = append(append(append(b, '"'), name...), `":`...)
	if href == "" {
		return append(b, "null"...)
	}
	return append(wire.AppendString(append(b, `{"href":`...), href), '}')
}
