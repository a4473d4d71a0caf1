package pagers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

// Idiom is a way to read a collection by pages of a size; 0 leaves the size to the API.
type Idiom struct {
	Name  string
	Reads func(c Collection) bool // whether the collection is read so
	Read  func(ctx context.Context, api API, c Collection, size int) ([]Record, error)
}

func byTokens(c Collection) bool { return c.Token != "" }

// Idioms lists all idioms.
var Idioms = []Idiom{
	{"links", func(Collection) bool { return true }, byLinks},
	{"tokens in headers", byTokens, byHeaders},
	{"tokens out of links", byTokens, byTokensOfLinks},
	{"tokens without the size", byTokens, byTokensAlone},
	{"numbers to skip", func(c Collection) bool { return !byTokens(c) }, bySkips},
	{"links back", func(c Collection) bool { return !byTokens(c) }, byLinksBack},
}

var errEmpty = errors.New("a page that has a next one is empty")

// byLinks follows the links to next pages as they are.
func byLinks(ctx context.Context, api API, c Collection, size int) (all []Record, err error) {
	a, records, err := api.page(ctx, c, size, nil)
	for {
		if err != nil {
			return nil, err
		}
		all = append(all, records...)
		next := a.link(c, "next")
		if next == "" {
			return all, nil
		}
		if len(records) == 0 {
			return nil, errEmpty
		}
		a, records, err = api.records(ctx, c, size, next)
	}
}

// byHeaders asks for the next page by the token in the header of the one before.
func byHeaders(ctx context.Context, api API, c Collection, size int) (all []Record, err error) {
	return byToken(ctx, api, c, size, size,
		func(a *Answer) (string, error) { return a.Get(in(api.Headers, "Continuation-Token")), nil })
}

// byTokensOfLinks takes the tokens out of the links, as clients do that build their addresses.
func byTokensOfLinks(ctx context.Context, api API, c Collection, size int) ([]Record, error) {
	return byToken(ctx, api, c, size, size,
		func(a *Answer) (string, error) { return tokenOf(a.link(c, "next"), in(api.Query, c.Token)) })
}

// byTokensAlone reports how large a page is for the first one alone.
func byTokensAlone(ctx context.Context, api API, c Collection, size int) ([]Record, error) {
	return byToken(ctx, api, c, size, 0,
		func(a *Answer) (string, error) { return a.Get(in(api.Headers, "Continuation-Token")), nil })
}

func tokenOf(link, name string) (string, error) {
	if link == "" {
		return "", nil
	}
	u, err := url.Parse(link)
	if err != nil {
		return "", err
	}
	if token := u.Query().Get(name); token != "" {
		return token, nil
	}
	return "", fmt.Errorf("the link %s has no %s", link, name)
}

func byToken(ctx context.Context, api API, c Collection, first, then int,
	next func(*Answer) (string, error),
) (all []Record, err error) {
	var more url.Values
	for size := first; ; size = then {
		a, records, err := api.page(ctx, c, size, more)
		if err != nil {
			return nil, err
		}
		all = append(all, records...)
		token, err := next(a)
		if err != nil || token == "" {
			return all, err
		}
		if len(records) == 0 {
			return nil, errEmpty
		}
		more = url.Values{c.Token: {token}}
	}
}

// bySkips counts until a page is not full.
func bySkips(ctx context.Context, api API, c Collection, size int) (all []Record, err error) {
	for {
		_, records, err := api.page(ctx, c, size, url.Values{"$skip": {strconv.Itoa(len(all))}})
		if err != nil {
			return nil, err
		}
		if all = append(all, records...); len(records) < size || len(records) == 0 {
			return all, nil
		}
	}
}

// byLinksBack goes to the last page and from there back to the first.
func byLinksBack(ctx context.Context, api API, c Collection, size int) ([]Record, error) {
	a, records, err := api.page(ctx, c, size, nil)
	for err == nil && a.link(c, "next") != "" {
		a, records, err = api.records(ctx, c, size, a.link(c, "next"))
	}
	var pages [][]Record
	for {
		if err != nil {
			return nil, err
		}
		pages = append(pages, records)
		back := a.link(c, "prev")
		if back == "" {
			slices.Reverse(pages)
			return slices.Concat(pages...), nil
		}
		a, records, err = api.records(ctx, c, size, back)
	}
}

// Charted reads the rows of the chart of a schedule by the numbers of pages, and returns the ids
// of their tasks.
func Charted(ctx context.Context, api API, schedule string, size int) (tasks []string, err error) {
	for page := 1; ; page++ {
		q := url.Values{"page": {strconv.Itoa(page)}, "rows": {strconv.Itoa(size)}}
		a, err := api.Call(ctx, http.MethodGet, schedule+"/gantt.json?"+q.Encode(), nil)
		if err != nil {
			return nil, err
		}
		rows, _ := a.Member("gantt", "rows").([]any)
		pages, _ := a.Member("gantt", "pageCount").(float64)
		if len(rows) == 0 || len(rows) > size {
			return nil, fmt.Errorf("page %d of %v has %d rows", page, pages, len(rows))
		}
		for _, row := range rows {
			id, _ := api.member(row, "taskId").(string)
			tasks = append(tasks, id)
		}
		if page >= int(pages) {
			return tasks, nil
		}
	}
}

// Since reads what has changed since a delta token by pages of a size, and returns the token of
// the changes after those. Without a token it reads the whole collection.
func Since(ctx context.Context, api API, c Collection, size int, token string) (all []Record, next string, err error) {
	var more url.Values
	if token != "" {
		more = url.Values{"deltaToken": {token}}
	}
	a, records, err := api.page(ctx, c, size, more)
	for {
		if err != nil {
			return nil, "", err
		}
		all = append(all, records...)
		token, link := a.Get("Delta-Token"), a.link(c, "next")
		if (token == "") != (link != "") {
			return nil, "", fmt.Errorf("a page has the delta token %q and the link %q", token, link)
		}
		if link == "" {
			return all, token, nil
		}
		a, records, err = api.records(ctx, c, size, link)
	}
}
