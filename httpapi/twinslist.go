package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// skipping is the paging of lists that are paged by number: the place where a
// page begins stands where other lists have a token.
var skipping = paging{continuation: "$skip", delta: "$skip"}

// window is the part of a list that is paged by $top and $skip.
type window struct {
	twinplatform.ListOptions
	skip int
}

var windowParameters = []Parameter{
	{Name: "$top", Number: true, Description: "The number of records on a page."},
	{Name: "$skip", Number: true, Description: "The number of records before the page."},
}

func decodeWindow(x *exchange) (w window, err error) {
	if w.Top, err = x.number("$top"); err != nil {
		return w, err
	}
	if skip, err := x.number("$skip"); err != nil {
		return w, err
	} else if skip != nil {
		w.skip = *skip
	}
	w.IfNoneMatch = x.header("If-None-Match")
	return w, nil
}

// windowLinks appends the links of a page: self, prev but for the first page,
// and next, which is null on the last.
func (x *exchange) windowLinks(b []byte, top int, next string) []byte {
	b = append(wire.AppendString(append(b, `{"self":{"href":`...), string(x.self(nil))), '}')
	if skip, _ := x.number("$skip"); skip != nil && *skip > 0 {
		before := strconv.Itoa(max(*skip-top, 0))
		b = append(wire.AppendString(append(b, `,"prev":{"href":`...), string(x.next(nil, skipping, before))), '}')
	}
	if next == "" {
		return append(b, `,"next":null}`...)
	}
	b = wire.AppendString(append(b, `,"next":{"href":`...), string(x.next(nil, skipping, next)))
	return append(b, "}}"...)
}

// numbered is a row that answers with a page of records under key, of a list
// that is paged by $top and $skip.
func numbered[T any](o Operation, key string, call func(context.Context, *exchange, twinplatform.ListOptions, int) (twinplatform.Page[T], error)) *row {
	o.Method = http.MethodGet
	o.Query = append(o.Query, windowParameters...)
	open := []byte(`{"` + key + `":[`)
	r := op(o, decodeWindow,
		func(ctx context.Context, x *exchange, w window) (page twinplatform.Page[T], err error) {
			return call(ctx, x, w.ListOptions, w.skip)
		},
		func(x *exchange, page twinplatform.Page[T]) error {
			if page.ETag != "" {
				x.w.Header().Set("ETag", page.ETag)
			}
			if page.NotModified {
				return x.sendNothing(http.StatusNotModified)
			}
			b := x.windowLinks(append(make([]byte, 0, 1024), `],"_links":`...), page.Top, page.Next)
			return x.sendJoined(open, page.JSON(), append(b, '}'))
		})
	r.replies = []reply{{status: http.StatusOK, schema: func(s *schemas) map[string]any {
		link := object("href", map[string]any{"type": "string", "format": "uri"})
		return object(key, arrayOf(s.of(reflect.TypeFor[T]())), "_links", object("self", link, "prev", link, "next", link))
	}}, {status: http.StatusNotModified}}
	return r
}

// wantsAll reports whether the client prefers whole records to short ones in a
// list (Prefer: return=representation). Only a row that says so gives them.
func (x *exchange) wantsAll() bool {
	if !x.row.Prefers {
		return false
	}
	for _, value := range x.r.Header.Values("Prefer") {
		for preference := range strings.SplitSeq(value, ",") {
			preference, _, _ = strings.Cut(preference, ";")
			name, value, _ := strings.Cut(preference, "=")
			if strings.EqualFold(strings.TrimSpace(name), "return") {
				// The first of its name counts.
				return strings.EqualFold(strings.Trim(strings.TrimSpace(value), `"`), "representation")
			}
		}
	}
	return false
}

// boolean returns the value of a parameter that is true or false; false when it
// was not given.
func (x *exchange) boolean(name string) (bool, error) {
	switch value, ok := x.lookup(name); {
	case !ok, strings.EqualFold(value, "false"):
		return false, nil
	case strings.EqualFold(value, "true"):
		return true, nil
	}
	return false, x.row.invalid(badValue(name, "The value of '"+name+"' is true or false."))
}
