package route

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

var windowParameters = []cycle.Parameter{
	{Name: "$top", Number: true, Description: "The number of records on a page."},
	{Name: "$skip", Number: true, Description: "The number of records before the page."},
}

// Skip puts the number of records before the page into a query.
func Skip[P any](at func(q P) *int) Filter {
	f := Count("$skip", "", at)
	f.Parameter = cycle.Parameter{} // which windowParameters have
	return f
}

// Count is a filter by a whole number that is 0 when it was not given.
func Count[P any](name, about string, at func(q P) *int) Filter {
	return Filter{Parameter: cycle.WithTraits(cycle.Parameter{Name: name, Description: about},
		cycle.Traits{Type: reflect.TypeFor[int32]()}), Set: func(x *cycle.Exchange, q any) error {
		n, err := x.Number(name)
		if n != nil {
			*at(q.(P)) = *n
		}
		return err
	}}
}

// AtLeastOne is Count where 0 means that the number was not given: a 0 that is given is refused.
func AtLeastOne[P any](name, about string, at func(q P) *int) Filter {
	f := Count(name, about, at)
	set := f.Set
	f.Set = func(x *cycle.Exchange, q any) error {
		err := set(x, q)
		if err == nil && x.Query(name) != "" && *at(q.(P)) == 0 {
			err = x.Route.Invalid(cycle.BadValue(name, "The value of '"+name+"' is a whole number from 1 on."))
		}
		return err
	}
	return f
}

// Window is a route that answers with a page of records, of a list that is paged by
// $top and $skip; one of the filters is skip.
func Window[Q, T any, PQ query[Q]](n *Resource, call func(ctx context.Context, q Q) (twinplatform.Page[T], error),
	filters ...Filter,
) *cycle.Route {
	return n.WindowRoute(reflect.TypeFor[T](), reflect.TypeFor[Q](),
		func(ctx context.Context, _ *cycle.Exchange, q any) (cycle.Page, error) {
			p, err := call(ctx, *q.(*Q))
			return cycle.Page(p), err
		}, filters)
}

// WindowIn is window of what the one record in the path holds.
func WindowIn[Q, T any, PQ query[Q]](n *Resource,
	call func(ctx context.Context, in string, q Q) (twinplatform.Page[T], error), filters ...Filter,
) *cycle.Route {
	return n.WindowRoute(reflect.TypeFor[T](), reflect.TypeFor[Q](),
		func(ctx context.Context, x *cycle.Exchange, q any) (cycle.Page, error) {
			p, err := call(ctx, x.Nth(0), *q.(*Q))
			return cycle.Page(p), err
		}, filters)
}

// WindowRoute is a route that answers with a page of records, paged by $top and $skip.
func (n *Resource) WindowRoute(record, query reflect.Type, call lister, filters []Filter) *cycle.Route {
	o := Filtered(n.Lists(), filters)
	o.Query = append(o.Query, windowParameters...)
	selects := slices.ContainsFunc(o.Query, func(p cycle.Parameter) bool { return p.Name == "$select" })
	key, open := n.Many, []byte(`{"`+n.Many+`":[`)
	r := &cycle.Route{
		PaidBy:    cycle.ByRequest,
		Operation: o,
		Serve: func(ctx context.Context, x *cycle.Exchange) (err error) {
			q := reflect.New(query).Interface().(optioned)
			if q.Options().Top, err = x.Top(); err != nil {
				return err
			}
			q.Options().IfNoneMatch = x.Header("If-None-Match")
			if err := Fill(x, q, filters); err != nil {
				return err
			}
			page, err := call(ctx, x, q)
			if err != nil {
				return err
			}
			if page.ETag != "" {
				x.Set("Etag", page.ETag)
			}
			if page.NotModified {
				return x.SendNothing(http.StatusNotModified)
			}
			b := x.WindowLinks(append(make([]byte, 0, 1024), `],"_links":`...), page.Top, x.Place(page))
			return x.SendJoined(open, page.JSON(), append(b, '}'))
		},
	}
	r.Replies = []cycle.Reply{{Status: http.StatusOK, Schema: func(s *document.Schemas) map[string]any {
		if selects {
			return document.Object(key, s.Chosen(record), "_links", s.WindowLinks())
		}
		return document.Object(key, s.Records(record, r.Short), "_links", s.WindowLinks())
	}}, NotModified}
	r.Replies[0].Headers = []string{"ETag"}
	for _, h := range o.Headers {
		if h.Number { // which the answer has
			r.Replies[0].Headers = append(r.Replies[0].Headers, h.Name)
		}
	}
	return r.Listing(key, record)
}

// WindowOf is a route that answers with one record under its key, whose lists are paged by
// $top and $skip. call returns it with the size of the page and the place where the next
// one begins, 0 on the last.
func WindowOf[Q, T any](
	o cycle.Operation, key string, call func(ctx context.Context, x *cycle.Exchange, q Q) (record T, top, next int,
		err error), top, skip func(*Q) *int,
	filters ...Filter,
) *cycle.Route {
	filters = append(filters, Skip(skip))
	o = Filtered(o, filters)
	o.Query = append(o.Query, windowParameters...)
	return &cycle.Route{
		PaidBy:    cycle.ByWork,
		Operation: o,
		Replies: []cycle.Reply{{Status: http.StatusOK, Schema: func(s *document.Schemas) map[string]any {
			return document.Object(key, s.Of(reflect.TypeFor[T]()), "_links", s.WindowLinks())
		}}},
		Serve: func(ctx context.Context, x *cycle.Exchange) (err error) {
			var q Q
			if *top(&q), err = x.Top(); err != nil {
				return err
			}
			if err := Fill(x, &q, filters); err != nil {
				return err
			}
			record, size, next, err := call(ctx, x, q)
			if err != nil {
				return err
			}
			text, err := wire.Marshal(record)
			if err != nil {
				return err
			}
			place := ""
			if next > 0 {
				place = strconv.Itoa(next)
			}
			text = append(append([]byte(`{"`+key+`":`), text...), `,"_links":`...)
			return x.Send(http.StatusOK, append(x.WindowLinks(text, size, place), '}'))
		},
	}
}
