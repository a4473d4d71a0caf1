package cycle

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Base appends the address of the handler's root, without a slash at its end:
// the configured one, or else the host that the request names, over TLS or not
// as it came, and the prefix under which the handler is mounted.
//
// The prefix is what a server around the handler took off the path, as http.StripPrefix
// does: the path of the request line ends in the path that the handler got, and whatever
// is before that is the prefix. A path that was changed in another way has no prefix;
// such a server sets Config.BaseURL.
func (x *Exchange) Base(b []byte) []byte {
	if x.server.BaseURL != "" {
		return append(b, x.server.BaseURL...)
	}
	if x.R.TLS != nil {
		b = append(b, "https://"...)
	} else {
		b = append(b, "http://"...)
	}
	b = append(b, x.R.Host...)
	sent, _, _ := strings.Cut(x.R.RequestURI, "?")
	if !strings.HasPrefix(sent, "/") {
		// The absolute form, as sent to a proxy.
		if u, err := url.Parse(sent); err == nil {
			sent = u.EscapedPath()
		}
	}
	// Names that are taken in any case may have been put into another one.
	path := x.R.URL.EscapedPath()
	if n := len(sent) - len(path); n > 0 && strings.EqualFold(sent[n:], path) {
		b = append(b, sent[:n]...)
	}
	return b
}

// Resolve makes an address that a service gives relative to the root of the API,
// beginning with a slash, one that clients can follow.
func (x *Exchange) Resolve(address string) string {
	if !strings.HasPrefix(address, "/") {
		return address
	}
	return string(append(x.Base(nil), address...))
}

// self appends the address of the request, as it was sent.
func (x *Exchange) self(b []byte) []byte {
	b = append(x.Base(b), x.R.URL.EscapedPath()...)
	if q := x.R.URL.RawQuery; q != "" {
		b = append(append(b, '?'), q...)
	}
	return b
}

// next appends the address of the page behind the one that was asked for: the
// request's own, with another token. A delta token goes, since the token of the
// page stands for it.
func (x *Exchange) next(b []byte, p Paging, token string) []byte {
	b = append(x.Base(b), x.R.URL.EscapedPath()...)
	sep := byte('?')
	for pair := range strings.SplitSeq(x.R.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if pair == "" || err != nil {
			continue
		}
		if name, _ = x.Route.parameter(name); name == p.Continuation || name == p.Delta {
			continue
		}
		b = append(append(b, sep), pair...)
		sep = '&'
	}
	b = append(append(b, sep), x.Route.parameterName(p.Continuation)...)
	return append(append(b, '='), url.QueryEscape(token)...)
}

// Member appends the address of a record in the collection that the request is for.
func (x *Exchange) Member(b []byte, id string) []byte {
	b = append(x.Base(b), strings.TrimSuffix(x.R.URL.EscapedPath(), "/")...)
	return append(append(b, '/'), url.PathEscape(id)...)
}

// OperationAt appends the address where a long-running operation is asked for.
func (x *Exchange) OperationAt(b []byte, id string) []byte {
	b = x.Base(b)
	operations := x.Route.Operations
	if x.Route.Wording != nil {
		operations = x.Route.Wording.OperationsAt
	}
	for segment := range strings.SplitSeq(strings.TrimPrefix(operations, "/"), "/") {
		b = append(b, '/')
		switch {
		case segment == "{operationId}":
			b = append(b, url.PathEscape(id)...)
		case strings.HasPrefix(segment, "{"):
			b = append(b, url.PathEscape(x.Path(strings.Trim(segment, "{}")))...)
		default:
			b = append(b, segment...)
		}
	}
	return b
}

// Links are the links of a record, by their names.
type Links map[string]Link

// Link is the address of something.
type Link struct {
	Href string `json:"href"`
}

// To is a link to a place below the root of the API; names are escaped.
func (x *Exchange) To(path string, names ...string) Link {
	b := append(x.Base(nil), x.server.Dialect.At(path)...)
	for _, name := range names {
		b = append(append(b, '/'), url.PathEscape(name)...)
	}
	return Link{string(b)}
}

// WithLinks puts links in front of the properties of a record.
func WithLinks(record []byte, links Links) []byte {
	if len(links) == 0 {
		return record
	}
	b, err := wire.Append([]byte(`{"_links":`), links)
	if err != nil {
		panic(err) // texts always encode
	}
	return append(append(b, ','), record[1:]...)
}

// Filled is a link to a place of the route's area whose path has names in braces, with
// values in their places.
func (x *Exchange) Filled(path string, values ...string) string {
	b := x.Base(nil)
	for segment := range strings.SplitSeq(strings.TrimPrefix(x.Lexicon().Path(path), "/"), "/") {
		if b = append(b, '/'); strings.HasPrefix(segment, "{") {
			segment, values = url.PathEscape(values[0]), values[1:]
		}
		b = append(b, segment...)
	}
	return string(b)
}

// FromRoot makes an address that the twins area gives, of a file below one of its paths,
// one that clients can follow.
func (x *Exchange) FromRoot(address string) string {
	path, name, _ := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	return x.To("/"+path, name).Href
}

// Rerooted is a record with a member that holds an address below the root of the API as
// one that clients can follow. Within a text there are no quotes, and so nothing that
// looks like a member.
func (x *Exchange) Rerooted(stored []byte, member, address string) []byte {
	if address == "" {
		return stored
	}
	as := func(value string) []byte { return wire.AppendString([]byte(`"`+member+`":`), value) }
	return bytes.Replace(stored, as(address), as(x.FromRoot(address)), 1)
}
