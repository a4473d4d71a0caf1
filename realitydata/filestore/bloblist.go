package filestore

import (
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// maxResults is how many files and folders a page of a list has at most.
const maxResults = 5_000

// included are the parts of a list that clients may ask for. Of most there is nothing to list.
var included = map[string]bool{
	"": true, "metadata": true, "snapshots": true, "versions": true, "deleted": true, "deletedwithversions": true,
	"copy": true,
	"tags": true, "immutabilitypolicy": true, "legalhold": true,
}

// blobPage is a page of a list.
type blobPage struct {
	XMLName         xml.Name `xml:"EnumerationResults"`
	ServiceEndpoint string   `xml:",attr"`
	ContainerName   string   `xml:",attr"`
	Prefix          string   `xml:",omitempty"`
	Marker          string   `xml:",omitempty"`
	MaxResults      int
	Delimiter       string `xml:",omitempty"`
	Blobs           struct {
		Items []any
	}
	NextMarker string
}

// blobItem is a file in a list.
type blobItem struct {
	XMLName    xml.Name `xml:"Blob"`
	Name       blobName
	Properties struct {
		CreationTime       string `xml:"Creation-Time"`
		LastModified       string `xml:"Last-Modified"`
		ETag               string `xml:"Etag"`
		ContentLength      int64  `xml:"Content-Length"`
		ContentType        string `xml:"Content-Type"`
		ContentEncoding    string `xml:"Content-Encoding"`
		ContentLanguage    string `xml:"Content-Language"`
		ContentMD5         string `xml:"Content-MD5"`
		CacheControl       string `xml:"Cache-Control"`
		ContentDisposition string `xml:"Content-Disposition"`
		BlobType           string
		LeaseStatus        string
		LeaseState         string
	}
	Metadata *itemMetadata
}

// itemMetadata is the metadata of a file in a list, an element for each name.
type itemMetadata struct{ Values []itemValue }

type itemValue struct {
	XMLName xml.Name
	Value   string `xml:",chardata"`
}

// blobFolder is what several files in a list have in common.
type blobFolder struct {
	XMLName xml.Name `xml:"BlobPrefix"`
	Name    blobName
}

// blobName is a name in a list, in the escapes of addresses where XML cannot have it.
type blobName struct {
	Encoded bool   `xml:",attr,omitempty"`
	Name    string `xml:",chardata"`
}

func newBlobName(name string) blobName {
	for _, r := range name {
		if r < ' ' || r == '\uFFFE' || r == '\uFFFF' || r == utf8.RuneError {
			return blobName{true, url.PathEscape(name)}
		}
	}
	return blobName{false, name}
}

// blobQuery is which files a client lists.
type blobQuery struct {
	prefix, delimiter, marker string
	after                     string
	max                       int
	metadata                  bool
}

func (c *blobCall) query() (q blobQuery, err error) {
	q = blobQuery{
		prefix: c.params.Get("prefix"), delimiter: c.params.Get("delimiter"), marker: c.params.Get("marker"),
		max: maxResults,
	}
	if given := c.params.Get("maxresults"); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 {
			return q, errOutOfRange
		}
		q.max = min(n, maxResults)
	}
	after, err := base64.RawURLEncoding.DecodeString(q.marker)
	if err != nil {
		return q, errOutOfRange
	}
	q.after = string(after)
	for _, list := range c.params["include"] {
		for part := range strings.SplitSeq(strings.ToLower(list), ",") {
			if !included[part] {
				return q, unsupportedParam("include")
			}
			q.metadata = q.metadata || part == "metadata"
		}
	}
	return q, nil
}

// list lists the files of a container (List Blobs).
func (c *blobCall) list() error {
	if c.s.shelf == nil {
		return errNotHere
	}
	q, err := c.query()
	if err != nil {
		return err
	}
	leave, err := c.s.enter(c.s.downloads, c.g.caller(), maxDownloads)
	if err != nil {
		return err
	}
	defer leave()
	p := blobPage{
		ServiceEndpoint: c.s.cfg.BaseURL + "/", ContainerName: c.g.containerID,
		Prefix: q.prefix, Marker: q.marker, MaxResults: q.max, Delimiter: q.delimiter,
	}
	if err := c.fillPage(c.r.Context(), q, &p); err != nil {
		return err
	}
	return c.answer(p)
}

func (c *blobCall) fillPage(ctx context.Context, q blobQuery, p *blobPage) error {
	of := Listing{Prefix: q.prefix, After: q.after, Level: q.delimiter == "/"}
	var found []Entry
	group, last := "", "" // of the files that are listed as one; the name listed last
	for e, err := range c.s.shelf.List(ctx, c.g.containerID, of) {
		if err != nil {
			return err
		}
		if isFolderMark(e.Name) {
			continue
		}
		if group != "" && strings.HasPrefix(e.Name, group) {
			last = e.Name
			continue
		}
		if len(found) == q.max {
			p.NextMarker = base64.RawURLEncoding.EncodeToString([]byte(last))
			break
		}
		last, group = e.Name, ""
		if q.delimiter != "" {
			if before, _, ok := strings.Cut(e.Name[len(q.prefix):], q.delimiter); ok {
				group = q.prefix + before + q.delimiter
				e = Entry{Name: group} // of no moment
			}
		}
		found = append(found, e)
	}
	return c.items(ctx, q, found, p)
}

// lookUps is how many files of a list are looked up at once: what is far away takes long.
const lookUps = 32

// items puts files, and folders, which are of no moment, into a page.
func (c *blobCall) items(ctx context.Context, q blobQuery, found []Entry, p *blobPage) error {
	described, err := c.described(ctx, found)
	if err != nil {
		return err
	}
	p.Blobs.Items = make([]any, len(found))
	errs := make([]error, lookUps)
	var all sync.WaitGroup
	for worker := range lookUps {
		all.Go(func() {
			for i := worker; i < len(found) && errs[worker] == nil; i += lookUps {
				if e := found[i]; e.Modified.IsZero() {
					p.Blobs.Items[i] = blobFolder{Name: newBlobName(e.Name)}
				} else {
					p.Blobs.Items[i], errs[worker] = c.item(ctx, q, e, described)
				}
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// described reports which files of a list may have more than their bytes. Where only Open knows
// which mark a file has, that is worth a separate list; beyond a page or two it is not read to its
// end.
func (c *blobCall) described(ctx context.Context, found []Entry) (may func(name string) bool, err error) {
	some := c.s.marking != nil
	if !slices.ContainsFunc(found, func(e Entry) bool { return e.Mark == "" && !e.Modified.IsZero() }) {
		return func(string) bool { return some }, nil
	}
	folders := make(map[string]bool)
	for e, err := range c.s.shelf.List(ctx, attributesPrefix+c.g.containerID, Listing{Level: true}) {
		if err != nil {
			return nil, err
		}
		if folders[e.Name] = true; len(folders) > 2*maxResults {
			return func(string) bool { return some }, nil
		}
	}
	return func(name string) bool { return some && folders[attachedFolder(name)+"/"] }, nil
}

// item is a file as a list has it.
func (c *blobCall) item(ctx context.Context, q blobQuery, e Entry, described func(string) bool) (blobItem, error) {
	item := blobItem{Name: newBlobName(e.Name)}
	b := newBlob(attributes{}, e)
	if described(e.Name) {
		known, err := c.attributesOf(ctx, &e)
		if err != nil {
			return item, err
		}
		b = newBlob(known, e)
	}
	p := &item.Properties
	p.CreationTime = e.Modified.UTC().Format(http.TimeFormat)
	p.LastModified = b.modified.UTC().Truncate(time.Second).Format(http.TimeFormat)
	p.ETag = strings.Trim(b.tag, `"`)
	p.ContentLength = b.size
	p.ContentType = b.contentType()
	p.ContentEncoding, p.ContentLanguage = b.Properties["Content-Encoding"], b.Properties["Content-Language"]
	p.ContentMD5, p.CacheControl = b.Properties["Content-Md5"], b.Properties["Cache-Control"]
	p.ContentDisposition = b.Properties["Content-Disposition"]
	p.BlobType, p.LeaseStatus, p.LeaseState = "BlockBlob", "unlocked", "available"
	if q.metadata {
		item.Metadata = new(itemMetadata)
		for _, name := range b.metadataNames() {
			item.Metadata.Values = append(item.Metadata.Values, itemValue{xml.Name{Local: name}, b.Metadata[name]})
		}
	}
	return item, nil
}

// attributesOf returns the attributes of a file in a list. Where that has no mark, the file is shown as it
// is now, unless it has gone meanwhile.
func (c *blobCall) attributesOf(ctx context.Context, e *Entry) (attributes, error) {
	if e.Mark != "" {
		known, _, err := c.s.attributes(ctx, c.g.containerID, e.Name, e.Mark)
		return known, err
	}
	one := *c
	one.name = e.Name
	content, b, err := one.open(ctx)
	if isNoFile(err) {
		return attributes{}, nil
	}
	if err != nil {
		return attributes{}, err
	}
	e.Size, e.Modified, e.ETag, e.Mark = b.size, b.appeared, b.etag, b.mark
	return b.attributes, content.Close()
}

// container answers that a container is there (Get Container Properties).
func (c *blobCall) container() error {
	header := c.w.Header()
	header.Set("X-Ms-Lease-State", "available")
	header.Set("X-Ms-Lease-Status", "unlocked")
	c.w.WriteHeader(http.StatusOK)
	return nil
}
