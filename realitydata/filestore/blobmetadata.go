package filestore

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// metadataPrefix begins the headers that have the metadata of a file.
const metadataPrefix = "X-Ms-Meta-"

// maxMetadata is how many bytes the names and values of a file's metadata have at most.
const maxMetadata = 8 << 10

// properties are the headers that are kept with a file and answered with it, and those by which
// clients set them.
var properties = map[string]string{
	"Cache-Control":       "X-Ms-Blob-Cache-Control",
	"Content-Disposition": "X-Ms-Blob-Content-Disposition",
	"Content-Encoding":    "X-Ms-Blob-Content-Encoding",
	"Content-Language":    "X-Ms-Blob-Content-Language",
	"Content-Md5":         md5Header,
	"Content-Type":        "X-Ms-Blob-Content-Type",
}

// defaultType is the type of files for which none was given.
const defaultType = "application/octet-stream"

func (a *attributes) contentType() string {
	if t := a.Properties["Content-Type"]; t != "" {
		return t
	}
	return defaultType
}

// metadataNames are the names of the metadata in their order.
func (a *attributes) metadataNames() []string { return slices.Sorted(maps.Keys(a.Metadata)) }

// writeHeaders writes the headers that are kept with a file. A type that a client chose is
// shown by no browser as a page.
func (a *attributes) writeHeaders(header http.Header) {
	header.Set("Content-Type", a.contentType())
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	for name, value := range a.Properties {
		header.Set(name, value)
	}
	a.writeMetadata(header)
}

func (a *attributes) writeMetadata(header http.Header) {
	names := header["Access-Control-Expose-Headers"]
	for _, name := range a.metadataNames() {
		header.Set(metadataPrefix+name, a.Metadata[name])
		if len(names) > 0 {
			names[0] += ", " + strings.ToLower(metadataPrefix) + name
		}
	}
}

// sentAttributes reads the headers that a request wants kept with its file.
func (c *blobCall) sentAttributes() (*attributes, error) {
	a := new(attributes)
	if err := c.sentMetadata(a); err != nil {
		return nil, err
	}
	return a, c.sentProperties(a)
}

func (c *blobCall) sentMetadata(a *attributes) error {
	size := 0
	for name, values := range c.r.Header {
		key, ok := strings.CutPrefix(name, metadataPrefix)
		if !ok {
			continue
		}
		if c.s.marking == nil {
			return unsupportedHeader(name)
		}
		key, value := strings.ToLower(key), strings.Join(values, ",")
		if !isIdentifier(key) || !isPlain(value) {
			return errMetadata
		}
		if size += len(key) + len(value); size > maxMetadata {
			return errMuchMetadata
		}
		if a.Metadata == nil {
			a.Metadata = make(map[string]string)
		}
		a.Metadata[key] = value
	}
	return nil
}

func (c *blobCall) sentProperties(a *attributes) error {
	for name, by := range properties {
		value := c.r.Header.Get(by)
		if value == "" {
			continue
		}
		if !isPlain(value) {
			return badHeader(by)
		}
		if a.Properties == nil {
			a.Properties = make(map[string]string)
		}
		a.Properties[name] = value
	}
	return nil
}

// isIdentifier reports whether a name can be that of metadata, and of an XML element.
func isIdentifier(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// isPlain reports whether a value is one that headers carry unchanged.
func isPlain(value string) bool {
	for _, r := range value {
		if r < ' ' || r > '~' {
			return false
		}
	}
	return true
}

// metadata answers the metadata of a file (Get Blob Metadata).
func (c *blobCall) metadata() error {
	b, err := c.state(c.r.Context())
	if err == nil && b == nil {
		err = errNoFile.Err()
	}
	if err != nil {
		return err
	}
	c.writeHeaders(b)
	if err := conditionsOf(c.r.Header).reading(b); err != nil {
		return err
	}
	b.writeMetadata(c.w.Header())
	c.w.WriteHeader(http.StatusOK)
	return nil
}

// setMetadata replaces the metadata of a file (Set Blob Metadata).
func (c *blobCall) setMetadata() error {
	sent := new(attributes)
	if err := c.sentMetadata(sent); err != nil {
		return err
	}
	return c.setAttributes(func(a *attributes) { a.Metadata = sent.Metadata })
}

// setProperties replaces the headers that are kept with a file (Set Blob Properties).
func (c *blobCall) setProperties() error {
	sent := new(attributes)
	if err := c.sentProperties(sent); err != nil {
		return err
	}
	return c.setAttributes(func(a *attributes) { a.Properties = sent.Properties })
}

// setAttributes changes what is kept with a file, whose bytes stay.
func (c *blobCall) setAttributes(change func(*attributes)) error {
	if c.s.marking == nil {
		return errNotHere
	}
	known := c.s.container(c.g.containerID, c.accountID)
	known.commit.Lock()
	defer known.commit.Unlock()
	ctx := c.r.Context()
	if _, err := c.s.judge(ctx, c.g, true); err != nil {
		return err
	}
	b, err := c.state(ctx)
	if err == nil && b == nil {
		err = errNoFile.Err()
	}
	if err == nil {
		err = conditionsOf(c.r.Header).changing(b)
	}
	if err != nil {
		return err
	}
	change(&b.attributes)
	b.Revision++
	b.Changed = time.Now()
	ctx = context.WithoutCancel(ctx)
	if err := c.s.keepAttributes(ctx, c.g.containerID, c.accountID, c.name, b.mark, &b.attributes, 0); err != nil {
		return err
	}
	c.writeHeaders(newBlob(b.attributes, Entry{Size: b.size, Modified: b.appeared, ETag: b.etag, Mark: b.mark}))
	c.w.WriteHeader(http.StatusOK)
	return nil
}

// keep keeps what a request sent with the file that is about to appear.
func (c *blobCall) keep(ctx context.Context, d Draft, a *attributes, goes int64) error {
	if c.s.marking == nil || a.empty() {
		return nil
	}
	mark, err := c.s.marking.Mark(d)
	if err != nil {
		return err
	}
	return c.s.keepAttributes(ctx, c.g.containerID, c.accountID, c.name, mark, a, goes)
}
