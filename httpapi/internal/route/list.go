package route

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
)

// PageOf is what a service returned, whatever its records are.
func PageOf[T any](p twinplatform.Page[T], err error) (cycle.Page, error) { return cycle.Page(p), err }

// MapPage is a page of what a list returns, each record completed with what only the
// handler knows of it, as [Completed] does for single ones.
func MapPage[T any](x *cycle.Exchange, from twinplatform.Page[T],
	complete func(x *cycle.Exchange, rec *T, stored []byte) ([]byte, error),
) (cycle.Page, error) {
	values, err := from.Values()
	if err != nil {
		return cycle.Page{}, err
	}
	wire := slices.Clone(from.JSON())
	for i := range values {
		if wire[i], err = complete(x, &values[i], wire[i]); err != nil {
			return cycle.Page{}, err
		}
	}
	return twinplatform.MapPage[any](from, wire, nil), nil
}

// lister gets a page from a service. q points at the query that it asks with.
type lister func(ctx context.Context, x *cycle.Exchange, q any) (cycle.Page, error)

// List is a route that answers with a page of records.
func List[Q, T any, PQ query[Q]](n *Resource, p cycle.Paging,
	call func(ctx context.Context, q Q) (twinplatform.Page[T], error), filters ...Filter,
) *cycle.Route {
	return n.listRoute(p, reflect.TypeFor[T](), reflect.TypeFor[Q](),
		func(ctx context.Context, _ *cycle.Exchange, q any) (cycle.Page, error) {
			p, err := call(ctx, *q.(*Q))
			return cycle.Page(p), err
		}, filters)
}

// ListIn is list of what the one record in the path holds.
func ListIn[Q, T any, PQ query[Q]](n *Resource, p cycle.Paging,
	call func(ctx context.Context, in string, q Q) (twinplatform.Page[T], error), filters ...Filter,
) *cycle.Route {
	return n.listRoute(p, reflect.TypeFor[T](), reflect.TypeFor[Q](),
		func(ctx context.Context, x *cycle.Exchange, q any) (cycle.Page, error) {
			p, err := call(ctx, x.Nth(0), *q.(*Q))
			return cycle.Page(p), err
		}, filters)
}

// ListBelow is list of what the second of two records in the path holds.
func ListBelow[Q, T any, PQ query[Q]](n *Resource, p cycle.Paging,
	call func(ctx context.Context, in, of string, q Q) (twinplatform.Page[T], error), filters ...Filter,
) *cycle.Route {
	return n.listRoute(p, reflect.TypeFor[T](), reflect.TypeFor[Q](),
		func(ctx context.Context, x *cycle.Exchange, q any) (cycle.Page, error) {
			p, err := call(ctx, x.Nth(0), x.Nth(1), *q.(*Q))
			return cycle.Page(p), err
		}, filters)
}

// ListOf is a list of records of a type that call takes more from the request
// for, or makes more of.
func ListOf[Q any, PQ query[Q]](n *Resource, p cycle.Paging, record reflect.Type,
	call func(ctx context.Context, x *cycle.Exchange, q Q) (cycle.Page, error), filters ...Filter,
) *cycle.Route {
	return n.listRoute(p, record, reflect.TypeFor[Q](),
		func(ctx context.Context, x *cycle.Exchange, q any) (cycle.Page, error) {
			return call(ctx, x, *q.(*Q))
		}, filters)
}

// TopVersion is the version of the media type in which lists that are within another
// name have their records and links at the top.
const TopVersion = 1

// listRoute is a route that answers with a page of records under the plural key,
// which may be a path of two names (forms.formDataInstances).
func (n *Resource) listRoute(p cycle.Paging, record, query reflect.Type, call lister, filters []Filter) *cycle.Route {
	p = p.WithDefaults()
	o, key := Filtered(n.Lists(), filters), n.Many
	o.Query = append(o.Query, p.Parameters()...)
	outer, inner, nested := strings.Cut(key, ".")
	open, end := []byte(`{"`+strings.ReplaceAll(key, ".", `":{"`)+`":[`), "]}"
	flat := []byte(`{"` + inner + `":[`)
	r := &cycle.Route{PaidBy: cycle.ByRequest, Operation: o, Serve: func(ctx context.Context, x *cycle.Exchange) error {
		q := reflect.New(query).Interface().(optioned)
		if err := x.ListOptions(q.Options(), p); err != nil {
			return err
		}
		if err := Fill(x, q, filters); err != nil {
			return err
		}
		page, err := call(ctx, x, q)
		if err != nil {
			return err
		}
		if nested && len(x.Route.Versions) > 0 && x.Version() == TopVersion {
			return x.SendPage(p, page, flat, end)
		}
		if nested {
			return x.SendPage(p, page, open, end+"}")
		}
		return x.SendPage(p, page, open, end)
	}}
	r.Replies = []cycle.Reply{{
		Status: http.StatusOK, Perhaps: []string{"Continuation-Token"},
		Schema: func(s *document.Schemas) map[string]any {
			if nested && len(r.Versions) > 0 {
				either := s.Page(inner, record, r.Short)
				either["properties"].(map[string]any)[outer] = s.Page(inner, record, r.Short)
				delete(either, "required") // the version of the answer says which is there
				return either
			}
			if nested {
				return document.Object(outer, s.Page(inner, record, r.Short))
			}
			if p.Bare {
				bare := document.Object(key, s.Records(record, r.Short))
				bare["properties"].(map[string]any)["_links"] = document.Object("next", document.Link())
				return bare
			}
			return s.Page(key, record, r.Short)
		},
	}}
	listed := &r.Replies[0]
	if !p.NoDelta {
		listed.Perhaps = append(listed.Perhaps, "Delta-Token")
	}
	if !p.NoETag {
		listed.Headers = append(listed.Headers, "ETag")
		r.Replies = append(r.Replies, NotModified)
	}
	return r.Listing(key, record)
}
