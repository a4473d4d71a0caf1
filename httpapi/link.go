package httpapi

import (
	"net/url"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// base appends the address of the handler's root, without a slash at its end:
// the configured one, or else the host that the request names, over TLS or not
// as it came, and the prefix under which the handler is mounted.
//
// The prefix is what a server around the handler took off the path, as
// http.StripPrefix does: the path of the request line ends in the path that the
// handler got, and whatever stands before that is the prefix. A path that was
// changed in another way has no prefix; such a server sets Config.BaseURL.
func (x *exchange) base(b []byte) []byte {
	if x.h.cfg.BaseURL != "" {
		return append(b, x.h.cfg.BaseURL...)
	}
	if x.r.TLS != nil {
		b = append(b, "https://"...)
	} else {
		b = append(b, "http://"...)
	}
	b = append(b, x.r.Host...)
	sent, _, _ := strings.Cut(x.r.RequestURI, "?")
	if !strings.HasPrefix(sent, "/") {
		// The absolute form, as sent to a proxy.
		if u, err := url.Parse(sent); err == nil {
			sent = u.EscapedPath()
		}
	}
	// Names that are taken in any case may have been put into another one.
	path := x.r.URL.EscapedPath()
	if n := len(sent) - len(path); n > 0 && strings.EqualFold(sent[n:], path) {
		b = append(b, sent[:n]...)
	}
	return b
}

// resolve makes an address that a service gives relative to the root of the API,
// beginning with a slash, one that clients can follow.
func (x *exchange) resolve(address string) string {
	if !strings.HasPrefix(address, "/") {
		return address
	}
	return string(append(x.base(nil), address...))
}

// self appends the address of the request, as it was sent.
func (x *exchange) self(b []byte) []byte {
	b = append(x.base(b), x.r.URL.EscapedPath()...)
	if q := x.r.URL.RawQuery; q != "" {
		b = append(append(b, '?'), q...)
	}
	return b
}

// next appends the address of the page behind the one that was asked for: the
// request's own, with another token. A delta token goes, since the token of the
// page stands for it.
func (x *exchange) next(b []byte, p paging, token string) []byte {
	b = append(x.base(b), x.r.URL.EscapedPath()...)
	sep := byte('?')
	for pair := range strings.SplitSeq(x.r.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if pair == "" || err != nil {
			continue
		}
		if name, _ = x.row.parameter(name); name == p.continuation || name == p.delta {
			continue
		}
		b = append(append(b, sep), pair...)
		sep = '&'
	}
	b = append(append(b, sep), x.row.saidParameter(p.continuation)...)
	return append(append(b, '='), url.QueryEscape(token)...)
}

// member appends the address of a thing in the collection that the request is
// for.
func (x *exchange) member(b []byte, id string) []byte {
	b = append(x.base(b), strings.TrimSuffix(x.r.URL.EscapedPath(), "/")...)
	return append(append(b, '/'), url.PathEscape(id)...)
}

// operation appends the address where a long-running operation is asked for.
func (x *exchange) operation(b []byte, id string) []byte {
	b = x.base(b)
	operations := x.row.operations
	if x.row.wording != nil {
		operations = x.row.wording.OperationsAt
	}
	for segment := range strings.SplitSeq(strings.TrimPrefix(operations, "/"), "/") {
		b = append(b, '/')
		switch {
		case segment == "{operationId}":
			b = append(b, url.PathEscape(id)...)
		case strings.HasPrefix(segment, "{"):
			b = append(b, url.PathEscape(x.path(strings.Trim(segment, "{}")))...)
		default:
			b = append(b, segment...)
		}
	}
	return b
}

// hrefs are the links of a record, by their names.
type hrefs map[string]href

type href struct {
	Href string `json:"href"`
}

// to is a link to a place below the root of the API; names are escaped.
func (x *exchange) to(path string, names ...string) href {
	b := append(x.base(nil), x.h.dialect.At(path)...)
	for _, name := range names {
		b = append(append(b, '/'), url.PathEscape(name)...)
	}
	return href{string(b)}
}

// withLinks puts links in front of the properties of a record.
func withLinks(record []byte, links hrefs) []byte {
	if len(links) == 0 {
		return record
	}
	b, err := wire.Append([]byte(`{"_links":`), links)
	if err != nil {
		panic(err) // texts always encode
	}
	return append(append(b, ','), record[1:]...)
}
