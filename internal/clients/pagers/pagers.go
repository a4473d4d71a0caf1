// Package pagers reads whole collections in each way in which the API gives them by pages, as
// clients that are written by hand do, in the words of the specification or of a deployment.
package pagers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Words are the names of a deployment; what is in no table has the name that the
// specification has for it.
type Words struct{ Segments, Members, Values, Query, Headers map[string]string }

// Garden holds the words of httpapi/testdata/garden.json that pagers meet.
var Garden = Words{
	Segments: map[string]string{
		"schedules": "seasons", "tasks": "chores", "twins": "gardens", "models": "plots", "formDefinitions": "patterns",
		"operations":     "errands",
		"access-control": "gate", "reality-data": "soil", "readaccess": "look",
	},
	Members: map[string]string{
		"displayName": "label", "_links": "_paths", "next": "onward", "tasks": "chores", "task": "chore",
		"twin": "garden", "twins": "gardens",
		"twinId": "gardenId", "taskId": "choreId", "model": "plot", "models": "plots", "type": "kind",
	},
	Values:  map[string]string{"Thing": "Bed"},
	Query:   map[string]string{"$top": "$most", "deltaToken": "sinceToken", "twinId": "gardenId"},
	Headers: map[string]string{"Continuation-Token": "Onward-Token"},
}

func in(table map[string]string, name string) string {
	if as, ok := table[name]; ok {
		return as
	}
	return name
}

// path is a path in words, as it is up to the query.
func (w Words) path(path string) string {
	if len(w.Segments) == 0 {
		return path
	}
	path, query, asked := strings.Cut(strings.Replace(path, "/reality-management/reality-data", "/reality-data", 1),
		"?")
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		segments[i] = in(w.Segments, segment)
	}
	if path = strings.Join(segments, "/"); asked {
		path += "?" + query
	}
	return path
}

// Said is a body in words.
func (w Words) Said(body map[string]any) map[string]any {
	out := make(map[string]any, len(body))
	for name, value := range body {
		if text, ok := value.(string); ok {
			value = in(w.Values, text)
		}
		out[in(w.Members, name)] = value
	}
	return out
}

// API is where the collections are, for the bearer of a token.
type API struct {
	Words

	URL, Token string
}

// Answer is one with a body of JSON, or none.
type Answer struct {
	http.Header

	Status int
	Body   map[string]any
	words  Words
}

// Member is what is at the end of a path of members, by their names in the specification.
func (a *Answer) Member(names ...string) any { return a.words.member(a.Body, names...) }

func (w Words) member(v any, names ...string) any {
	for _, name := range names {
		inner, _ := v.(map[string]any)
		v = inner[in(w.Members, name)]
	}
	return v
}

// Call sends a request to a path of the specification, or to an address as an answer has it.
func (api API) Call(ctx context.Context, method, path string, body map[string]any) (*Answer, error) {
	if strings.HasPrefix(path, "/") {
		path = api.URL + api.path(path)
	}
	var sent []byte
	if body != nil {
		var err error
		if sent, err = json.Marshal(api.Said(body)); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+api.Token)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("%s %s: %d %s", method, path, res.StatusCode, raw)
	}
	a := &Answer{Header: res.Header, Status: res.StatusCode, words: api.Words}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &a.Body); err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
	}
	return a, nil
}

// Collection is one that is read by pages.
type Collection struct {
	Path   string
	Query  url.Values // besides that of pages
	Within []string   // members around the records and the links; none for most
	Member string     // of the records
	// Token is the parameter of the next page; empty: pages have a number to skip.
	Token string
}

// Record is one of a collection.
type Record = map[string]any

// page asks for one, with parameters.
func (api API) page(ctx context.Context, c Collection, size int, more url.Values) (*Answer, []Record, error) {
	q := make(url.Values)
	for _, values := range []url.Values{c.Query, more} {
		for name, value := range values {
			q[in(api.Words.Query, name)] = value
		}
	}
	if size > 0 {
		q.Set(in(api.Query, "$top"), strconv.Itoa(size))
	}
	at := c.Path
	if len(q) > 0 {
		at += "?" + q.Encode()
	}
	return api.records(ctx, c, size, at)
}

// records asks for a page at an address.
func (api API) records(ctx context.Context, c Collection, size int, at string) (*Answer, []Record, error) {
	a, err := api.Call(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, nil, err
	}
	all, ok := a.Member(append(c.Within, c.Member)...).([]any)
	if !ok || size > 0 && len(all) > size {
		return nil, nil, fmt.Errorf("%s: a page of %d has %d of %s: %v", at, size, len(all), in(api.Members, c.Member),
			a.Body)
	}
	out := make([]Record, len(all))
	for i, record := range all {
		out[i], _ = record.(map[string]any)
	}
	return a, out, nil
}

// link is where a link leads, if it is there.
func (a *Answer) link(c Collection, name string) string {
	href, _ := a.Member(append(append([]string(nil), c.Within...), "_links", name, "href")...).(string)
	return href
}
