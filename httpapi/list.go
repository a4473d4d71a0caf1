package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
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
}

// deltaDollar is the paging of the lists that spell it $deltaToken.
var deltaDollar = paging{delta: "$deltaToken"}

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

// list is a row that answers with a page of records under key, which may be a
// path of two names (forms.formDataInstances).
func list[T any](o Operation, p paging, key string, call func(context.Context, *exchange, twinplatform.ListOptions) (twinplatform.Page[T], error)) *row {
	p = p.withDefaults()
	o.Query = append(o.Query, p.parameters()...)
	outer, _, nested := strings.Cut(key, ".")
	open := []byte(`{"` + strings.ReplaceAll(key, ".", `":{"`) + `":[`)
	end := "}}"
	if nested {
		end += "}"
	}
	r := op(o,
		func(x *exchange) (twinplatform.ListOptions, error) { return x.listOptions(p) },
		call,
		func(x *exchange, page twinplatform.Page[T]) error {
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
			b := append(make([]byte, 0, 1024), `],"_links":{"self":{"href":`...)
			b = wire.AppendString(b, string(x.self(nil)))
			b = append(b, `},"next":`...)
			if page.Next == "" {
				b = append(b, "null"...)
			} else {
				header.Set("Continuation-Token", page.Next)
				b = append(b, `{"href":`...)
				b = wire.AppendString(b, string(x.next(nil, p, page.Next)))
				b = append(b, '}')
			}
			return x.sendJoined(open, page.JSON(), append(b, end...))
		})
	headers := []string{"Continuation-Token", "Delta-Token", "ETag"}
	if p.noETag {
		headers = headers[:2]
	}
	r.replies = []reply{{
		status: http.StatusOK, headers: headers,
		schema: func(s *schemas) map[string]any {
			if nested {
				return object(outer, s.page(key[len(outer)+1:], reflect.TypeFor[T]()))
			}
			return s.page(key, reflect.TypeFor[T]())
		},
	}}
	if !p.noETag {
		r.replies = append(r.replies, reply{status: http.StatusNotModified})
	}
	return r
}

// listOptions are what the request asks of a list.
func (x *exchange) listOptions(p paging) (o twinplatform.ListOptions, err error) {
	if o.Top, err = x.number("$top"); err != nil {
		return o, err
	}
	o.Continuation = x.query(p.continuation)
	o.Delta = x.query(p.delta)
	if !p.noETag {
		o.IfNoneMatch = x.header("If-None-Match")
	}
	return o, nil
}
