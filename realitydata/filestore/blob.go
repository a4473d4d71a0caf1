package filestore

import (
	"crypto/rand"
	"encoding/xml"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/pace"
)

// Query parameters of the blob protocol that make another request of it than their path
// and their method say.
const (
	compParam    = "comp"
	restypeParam = "restype"
)

// otherState are query parameters of the blob protocol that name another state of a file
// than the one that is there, or other files than the rest of the request says.
var otherState = []string{
	"snapshot", "versionid", "prevsnapshot", "deletetype", "copyid", "startfrom", "endbefore",
	"where",
}

// vendorPrefix begins the headers of the blob protocol.
const vendorPrefix = "X-Ms-"

// commonHeaders are the headers of the blob protocol that any request may have, and that
// are met or ask for nothing.
var commonHeaders = []string{
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

// blobOperation is a request that the blob protocol has.
type blobOperation struct {
	method, restype, comp string
	headers               []string // more of them than commonHeaders; metadataPrefix for all of metadata
	serve                 func(*blobCall) error
}

// blobOperations are the requests that are understood.
var blobOperations = []blobOperation{
	{"PUT", "", "", []string{md5Header, crcHeader, metadataPrefix}, (*blobCall).put},
	{"GET", "", "", []string{rangeHeader, rangeMD5Header, rangeCRCHeader}, (*blobCall).get},
	{"HEAD", "", "", nil, (*blobCall).get},
	{"DELETE", "", "", []string{snapshotsHeader}, (*blobCall).remove},
	{"PUT", "", "block", []string{crcHeader}, (*blobCall).putBlock},
	{"PUT", "", "blocklist", []string{md5Header, crcHeader, metadataPrefix}, (*blobCall).putBlockList},
	{"GET", "", "blocklist", nil, (*blobCall).blockList},
	{"GET", "", "metadata", nil, (*blobCall).metadata},
	{"HEAD", "", "metadata", nil, (*blobCall).metadata},
	{"PUT", "", "metadata", []string{metadataPrefix}, (*blobCall).setMetadata},
	{"PUT", "", "properties", []string{md5Header}, (*blobCall).setProperties},
	{"GET", "container", "list", nil, (*blobCall).list},
	{"GET", "container", "", nil, (*blobCall).container},
	{"HEAD", "container", "", nil, (*blobCall).container},
	{"PUT", "container", "", nil, func(*blobCall) error { return errContainerThere }},
}

// Headers of the blob protocol that not all requests have.
const (
	md5Header       = "X-Ms-Blob-Content-Md5"
	crcHeader       = "X-Ms-Content-Crc64"
	rangeHeader     = "X-Ms-Range"
	rangeMD5Header  = "X-Ms-Range-Get-Content-Md5"
	rangeCRCHeader  = "X-Ms-Range-Get-Content-Crc64"
	snapshotsHeader = "X-Ms-Delete-Snapshots"
)

// speaksBlob reports whether a request is one of the blob protocol. A query that cannot
// be read is looked at too: what would be lost of it must not make a block a file.
func speaksBlob(r *http.Request) bool {
	for name := range r.Header {
		if strings.HasPrefix(name, vendorPrefix) {
			return true
		}
	}
	for piece := range strings.FieldsFuncSeq(r.URL.RawQuery, func(c rune) bool { return c == '&' || c == ';' }) {
		name, _, _ := strings.Cut(piece, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if name = strings.ToLower(name); name == compParam || name == restypeParam {
			return true
		}
	}
	return false
}

// blobCall is a request of the blob protocol.
type blobCall struct {
	s         *Store
	w         http.ResponseWriter
	r         *http.Request
	g         *grant
	accountID string
	name      string     // of the file; empty for the container
	params    url.Values // by names in lower case
}

// serveBlob serves a request of the blob protocol.
func (s *Store) serveBlob(w http.ResponseWriter, r *http.Request, g *grant, file string) error {
	c := &blobCall{s: s, w: w, r: r, g: g}
	op, err := c.understand()
	if err != nil {
		return err
	}
	if !g.write && op.method != http.MethodGet && op.method != http.MethodHead {
		return errReadOnly
	}
	if c.accountID, err = s.admit(r, g); err != nil {
		return err
	}
	if op.comp == "" && isFolderStub(r) {
		file = strings.TrimSuffix(file, "/") + "/"
	}
	switch {
	case op.restype == "":
		if c.name, err = fileName(r, file); err != nil {
			return err
		}
	case file != "":
		return unsupportedParam(restypeParam)
	}
	return op.serve(c)
}

// isFolderStub reports whether a request writes what stands for a folder: some tools send a file
// without bytes that has the name of the folder and says so in its metadata.
func isFolderStub(r *http.Request) bool {
	says := r.Header.Get(metadataPrefix + "Hdi_isfolder")
	return r.Method == http.MethodPut && r.ContentLength == 0 && strings.EqualFold(says, "true")
}

// understand finds out what a request asks for. It fails where it asks for something that
// it would not get.
func (c *blobCall) understand() (*blobOperation, error) {
	given, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return nil, unsupportedParam(compParam)
	}
	c.params = make(url.Values)
	for name, values := range given {
		name = strings.ToLower(name)
		c.params[name] = append(c.params[name], values...)
	}
	for name := range c.params {
		if slices.Contains(otherState, name) {
			return nil, unsupportedParam(name)
		}
	}
	op, err := c.operation()
	if err != nil {
		return nil, err
	}
	for name, values := range c.r.Header {
		switch {
		case !strings.HasPrefix(name, vendorPrefix):
		case strings.HasPrefix(name, metadataPrefix) && slices.Contains(op.headers, metadataPrefix):
		case !slices.Contains(commonHeaders, name) && !slices.Contains(op.headers, name),
			name == "X-Ms-Blob-Type" && !slices.Equal(values, []string{"BlockBlob"}),
			name == snapshotsHeader && !slices.Equal(values, []string{"include"}):
			return nil, unsupportedHeader(name)
		}
	}
	return op, nil
}

// operation is what a request names.
func (c *blobCall) operation() (*blobOperation, error) {
	restype, comp := c.params[restypeParam], c.params[compParam]
	for i := range blobOperations {
		op := &blobOperations[i]
		if op.method == c.r.Method && only(restype, op.restype) && only(comp, op.comp) {
			return op, nil
		}
	}
	switch {
	case len(comp) > 0:
		return nil, unsupportedParam(compParam)
	case len(restype) > 0:
		return nil, unsupportedParam(restypeParam)
	}
	return nil, errMethod
}

// only reports whether a parameter was given with one value, or where that is empty, not at
// all.
func only(given []string, value string) bool {
	if value == "" {
		return len(given) == 0
	}
	return len(given) == 1 && strings.EqualFold(given[0], value)
}

// blobVersion is the version of the protocol that answers name where the request names none.
const blobVersion = "2021-12-02"

// introduce writes the headers of every answer of the blob protocol.
func introduce(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Ms-Request-Id", rand.Text())
	version := r.Header.Get("X-Ms-Version")
	if _, err := time.Parse(time.DateOnly, version); err != nil {
		version = blobVersion
	}
	header.Set("X-Ms-Version", version)
	if id := r.Header.Get("X-Ms-Client-Request-Id"); id != "" && len(id) <= 1024 {
		header.Set("X-Ms-Client-Request-Id", id)
	}
}

// answer answers with XML.
func (c *blobCall) answer(v any) error {
	body, err := xml.Marshal(v)
	if err != nil {
		return err
	}
	body = append([]byte(xml.Header), body...)
	header := c.w.Header()
	header.Set("Content-Type", "application/xml")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	out := &pacedWriter{c.w, pace.Writer{To: c.w, Control: http.NewResponseController(c.w), Pace: c.s.pace()}}
	_, _ = out.Write(body)
	out.finish()
	return nil
}
