// Package blocks uses the addresses of files as clients of block-blob storage do: it uploads a
// file in blocks, reads it by ranges, and lists what there is.
package blocks

import (
	"bytes"
	"context"
	"crypto/md5" //nolint:gosec // a checksum of the protocol
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Container is the address of a container, as the API hands it out.
type Container string

// Upload sends a file in blocks of so many bytes, the last one first, and then the list of them.
func (c Container) Upload(ctx context.Context, name, contentType string, content []byte, size int) error {
	var list struct {
		XMLName xml.Name `xml:"BlockList"`
		Latest  []string
	}
	var pieces [][]byte
	for rest := content; len(rest) > 0; {
		n := min(size, len(rest))
		list.Latest = append(list.Latest,
			base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "block %06d", len(pieces))))
		pieces, rest = append(pieces, rest[:n]), rest[n:]
	}
	for i, piece := range slices.Backward(pieces) {
		sum := md5.Sum(piece) //nolint:gosec // a checksum of the protocol
		header := http.Header{"Content-Md5": {base64.StdEncoding.EncodeToString(sum[:])}}
		q := url.Values{"comp": {"block"}, "blockid": {list.Latest[i]}}
		if _, err := c.send(ctx, http.MethodPut, name, q, header, piece, http.StatusCreated); err != nil {
			return err
		}
	}
	if _, err := c.send(ctx, http.MethodGet, name, nil, nil, nil, http.StatusNotFound); err != nil {
		return fmt.Errorf("before the list of blocks: %w", err)
	}
	body, err := xml.Marshal(list)
	if err != nil {
		return err
	}
	header := http.Header{"X-Ms-Blob-Content-Type": {contentType}}
	_, err = c.send(ctx, http.MethodPut, name, url.Values{"comp": {"blocklist"}}, header, body, http.StatusCreated)
	return err
}

// Download reads a file by ranges of so many bytes, and returns its content type too.
func (c Container) Download(ctx context.Context, name string, size int) (content []byte, contentType string,
	err error,
) {
	for {
		header := http.Header{"Range": {fmt.Sprintf("bytes=%d-%d", len(content), len(content)+size-1)}}
		a, err := c.send(ctx, http.MethodGet, name, nil, header, nil, http.StatusPartialContent)
		if err != nil {
			return nil, "", err
		}
		begin := len(content)
		content, contentType = append(content, a.body...), a.Header.Get("Content-Type")
		var first, last, all int
		of := a.Header.Get("Content-Range")
		if _, err := fmt.Sscanf(of, "bytes %d-%d/%d", &first, &last, &all); err != nil || first != begin ||
			last != len(content)-1 {
			return nil, "", fmt.Errorf("bytes from %d to %d have the range %q", begin, len(content), of)
		}
		if len(content) == all {
			return content, contentType, nil
		}
	}
}

// List returns the names of the files that begin with a prefix, by pages of so many, and the
// number of pages.
func (c Container) List(ctx context.Context, prefix string, size int) (names []string, pages int, err error) {
	for marker := ""; ; pages++ {
		q := url.Values{
			"restype": {"container"}, "comp": {"list"}, "prefix": {prefix},
			"maxresults": {strconv.Itoa(size)},
		}
		if marker != "" {
			q.Set("marker", marker)
		}
		a, err := c.send(ctx, http.MethodGet, "", q, nil, nil, http.StatusOK)
		if err != nil {
			return nil, 0, err
		}
		var page struct {
			Blobs struct {
				Blob []struct{ Name string }
			}
			NextMarker string
		}
		if err := xml.Unmarshal(a.body, &page); err != nil {
			return nil, 0, err
		}
		if len(page.Blobs.Blob) > size || len(page.Blobs.Blob) == 0 && page.NextMarker != "" {
			return nil, 0, fmt.Errorf("a page of %d has %d files", size, len(page.Blobs.Blob))
		}
		for _, blob := range page.Blobs.Blob {
			names = append(names, blob.Name)
		}
		if marker = page.NextMarker; marker == "" {
			return names, pages + 1, nil
		}
	}
}

type answer struct {
	http.Header

	body []byte
}

// send sends a request to a file, or to the container where there is no name.
func (c Container) send(ctx context.Context, method, name string, q url.Values, header http.Header, body []byte,
	want int,
) (*answer, error) {
	at, err := url.Parse(string(c))
	if err != nil {
		return nil, err
	}
	all := at.Query()
	if len(all) == 0 {
		return nil, errors.New("the address of the container has no signature")
	}
	maps.Copy(all, q)
	at.RawQuery = all.Encode()
	if name != "" {
		segments := strings.Split(name, "/")
		for i, segment := range segments {
			segments[i] = url.PathEscape(segment)
		}
		at = at.JoinPath(segments...)
	}
	req, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-Ms-Version", "2023-11-03")
	maps.Copy(req.Header, header)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	got, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err == nil && res.StatusCode != want {
		err = fmt.Errorf("%s %s: %d, not %d: %s", method, at, res.StatusCode, want, got)
	}
	return &answer{res.Header, got}, err
}
