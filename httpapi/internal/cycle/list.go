package cycle

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Paging is how a list spells what it pages by. The zero value is the spelling
// of most lists.
type Paging struct {
	Continuation string // parameter; empty means $continuationToken
	Delta        string // parameter; empty means deltaToken
	// NoDelta marks a list that follows no changes.
	NoDelta bool
	// NoETag marks a list that has no version and never answers 304.
	NoETag bool
	// Bare marks a list that has no links but that of the next page, and none at
	// all on the last: its clients refuse a next link that is null.
	Bare bool
}

var (
	// DeltaDollar is the paging of the lists that spell it $deltaToken.
	DeltaDollar = Paging{Delta: "$deltaToken"}
	// TokenForward is the paging of lists that go forward by a token and follow
	// no changes.
	TokenForward = Paging{Continuation: "continuationToken", NoDelta: true, NoETag: true}
)

// WithDefaults has a name for each parameter that the list reads.
func (p Paging) WithDefaults() Paging {
	if p.Continuation == "" {
		p.Continuation = "$continuationToken"
	}
	switch {
	case p.NoDelta:
		p.Delta = ""
	case p.Delta == "":
		p.Delta = "deltaToken"
	}
	return p
}

// Parameters returns the query parameters by which clients page a list. Each list
// understands both spellings of the delta token.
func (p Paging) Parameters() []Parameter {
	out := []Parameter{
		{Name: "$top", Number: true, Description: "The number of records on a page."},
		{Name: p.Continuation, Description: "The token of the page, from the page before."},
	}
	if p.NoDelta {
		return out
	}
	alias := "$deltaToken"
	if p.Delta == alias {
		alias = "deltaToken"
	}
	return append(out, WithTraits(Parameter{
		Name:        p.Delta,
		Description: "List only what has changed since the listing that the token comes from.",
	}, Traits{Alias: alias}))
}

// Page is a page of a list without the type of its records, of which an answer
// needs no more than the wire form.
type Page = twinplatform.Page[any]

// ListOptions are what the request asks of a list.
func (x *Exchange) ListOptions(o *twinplatform.ListOptions, p Paging) (err error) {
	if o.Top, err = x.Top(); err != nil {
		return err
	}
	o.Continuation = x.Query(p.Continuation)
	o.Delta = x.Query(p.Delta)
	if !p.NoETag {
		o.IfNoneMatch = x.Header("If-None-Match")
	}
	return nil
}

// SendPage answers with the records of a page between open and end, and with
// what leads to the next page: its address, and its token in a header as well.
func (x *Exchange) SendPage(p Paging, page Page, open []byte, end string) error {
	if page.ETag != "" && !p.NoETag {
		x.Set("Etag", page.ETag)
	}
	if page.NotModified {
		return x.SendNothing(http.StatusNotModified)
	}
	if page.Delta != "" {
		x.Set("Delta-Token", page.Delta)
	}
	if page.Next != "" {
		x.Set("Continuation-Token", page.Next)
	}
	if p.Bare && page.Next == "" && !x.nullLinks() {
		return x.SendJoined(open, page.JSON(), []byte(end))
	}
	b := append(make([]byte, 0, 1024), `],"_links":{`...)
	if !p.Bare {
		b = append(wire.AppendString(append(b, `"self":{"href":`...), string(x.self(nil))), "},"...)
	}
	next := ""
	if page.Next != "" {
		next = string(x.next(nil, p, page.Next))
	}
	b = append(bytes.TrimSuffix(x.AppendLink(b, "next", next), []byte(",")), '}')
	return x.SendJoined(open, page.JSON(), append(b, end[1:]...))
}

// AppendLink appends a link under a name. One that leads nowhere is null or left out; then
// nothing is behind the comma before it.
func (x *Exchange) AppendLink(b []byte, name, href string) []byte {
	if href == "" && !x.nullLinks() {
		return b
	}
	b = append(append(append(b, '"'), name...), `":`...)
	if href == "" {
		return append(b, "null"...)
	}
	return append(wire.AppendString(append(b, `{"href":`...), href), '}')
}

// WantsWhole reports whether the client prefers whole records to short ones in a list
// (Prefer: return=representation). Only a route that declares it gives them.
func (x *Exchange) WantsWhole() bool {
	if !x.Route.Prefers {
		return false
	}
	for _, value := range x.R.Header.Values("Prefer") {
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
