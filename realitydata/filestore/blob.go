package filestore

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Query parameters of the blob protocol that make another request of it than their path
// and their method say.
const (
	compParam    = "comp"
	restypeParam = "restype"
)

// otherState are query parameters of the blob protocol that name another state of a file
// than the one that is there.
var otherState = []string{"snapshot", "versionid", "prevsnapshot", "deletetype"}

// vendorPrefix begins the headers of the blob protocol.
const vendorPrefix = "X-Ms-"

// understoodHeaders are the headers of the blob protocol that any request may have, and that
// are met or ask for nothing.
var understoodHeaders = []string{
	"X-Ms-Blob-Cache-Control",
	"X-Ms-Blob-Content-Disposition",
	"X-Ms-Blob-Content-Encoding",
	"X-Ms-Blob-Content-Language",
	"X-Ms-Blob-Content-Type",
	"X-Ms-Blob-Type",
	"X-Ms-Client-Request-Id",
	"X-Ms-Command-Name",
	"X-Ms-Date",
	"X-Ms-Return-Client-Request-Id",
	"X-Ms-Useragent",
	"X-Ms-Version",
}

// speaksBlob says whether a request is one of the blob protocol. A query that cannot be
// read is looked at too: what would be lost of it must not make a block a file.
func speaksBlob(r *http.Request) bool {
	for name := range r.Header {
		if strings.HasPrefix(name, vendorPrefix) {
			return true
		}
	}
	return len(protocolParams(r.URL)) > 0
}

// protocolParams are the names of the query parameters that make another request of one, in
// lower case.
func protocolParams(u *url.URL) (names []string) {
	for piece := range strings.FieldsFuncSeq(u.RawQuery, func(c rune) bool { return c == '&' || c == ';' }) {
		name, _, _ := strings.Cut(piece, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if name = strings.ToLower(name); name == compParam || name == restypeParam {
			names = append(names, name)
		}
	}
	return names
}

// understood fails for a request of the blob protocol that asks for something that it would
// not get.
func understood(r *http.Request) error {
	if names := protocolParams(r.URL); len(names) > 0 {
		return unsupportedParam(names[0])
	}
	for name := range r.URL.Query() {
		if name = strings.ToLower(name); slices.Contains(otherState, name) {
			return unsupportedParam(name)
		}
	}
	for name, values := range r.Header {
		if strings.HasPrefix(name, vendorPrefix) && !slices.Contains(understoodHeaders, name) {
			return unsupportedHeader(name)
		}
		if name == "X-Ms-Blob-Type" && !slices.Equal(values, []string{"BlockBlob"}) {
			return unsupportedHeader(name)
		}
	}
	return nil
}
