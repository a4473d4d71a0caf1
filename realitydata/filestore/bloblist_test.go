package filestore_test

import (
	"encoding/xml"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// blobPage is a page of a list as clients read it.
type blobPage struct {
	Blobs struct {
		Blob []struct {
			Name struct {
				Encoded bool   `xml:",attr"`
				Name    string `xml:",chardata"`
			}
			Properties struct {
				Etag          string
				ContentLength int64  `xml:"Content-Length"`
				ContentType   string `xml:"Content-Type"`
				LastModified  string `xml:"Last-Modified"`
				BlobType      string
			}
			Metadata struct {
				Crs string `xml:"crs"`
			}
		}
		BlobPrefix []struct{ Name string }
	}
	NextMarker string
}

// page reads a page of a list.
func (w *world) page(address string, query url.Values) (p blobPage) {
	w.t.Helper()
	query.Set("restype", "container")
	query.Set("comp", "list")
	u, _, _ := strings.Cut(at(w.t, address, ""), "?")
	_, right, _ := strings.Cut(address, "?")
	got := w.request("GET", strings.TrimSuffix(u, "/")+"?"+right+"&"+query.Encode(), nil, since...).want(w.t, 200)
	if err := xml.Unmarshal([]byte(got.body), &p); err != nil {
		w.t.Fatal(err, got.body)
	}
	return p
}

// listed reads all pages of a list: names, and folders in brackets.
func (w *world) listed(address string, query url.Values) (names []string) {
	w.t.Helper()
	for {
		p := w.page(address, query)
		var these []string
		for _, b := range p.Blobs.Blob {
			name := b.Name.Name
			if b.Name.Encoded {
				name, _ = url.PathUnescape(name)
			}
			these = append(these, name)
		}
		for _, f := range p.Blobs.BlobPrefix {
			these = append(these, "["+f.Name+"]")
		}
		names = append(names, these...)
		if p.NextMarker == "" {
			return names
		}
		if n := fmt.Sprint(len(these)); n != query.Get("maxresults") {
			w.t.Errorf("a page of %s has %s", query.Get("maxresults"), n)
		}
		query.Set("marker", p.NextMarker)
	}
}

func TestBlobsAreListedInPages(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		_, other := w.data(w.of("acme", "ann"))
		w.put(other, "a/secret", "x")
		_, address := w.data(w.of("acme", "ann"))
		files := []string{"a-b", "a/x", "a/y/1", "a/y/2", "a/z", "ab", "b\x01&<c>", "é/1", "🌉"}
		for _, name := range files {
			if status, body := w.put(address, name, name); status != 201 {
				t.Fatal(name, status, body)
			}
		}
		w.stage(address, "a/staged", blockID(1), "x") // which is no file
		for _, test := range []struct {
			query url.Values
			want  []string
		}{
			{url.Values{}, files},
			{url.Values{"prefix": {"a"}}, files[:6]},
			{url.Values{"prefix": {"a/"}}, files[1:5]},
			{url.Values{"prefix": {"a/y"}}, files[2:4]},
			{url.Values{"prefix": {"a/x/"}}, nil},
			{url.Values{"prefix": {"none"}}, nil},
			{url.Values{"prefix": {"../"}}, nil},
			{url.Values{"prefix": {"a/../a/"}}, nil},
			{url.Values{"prefix": {"/"}}, nil},
			{url.Values{"delimiter": {"/"}}, []string{"a-b", "ab", "b\x01&<c>", "🌉", "[a/]", "[é/]"}},
			{url.Values{"delimiter": {"/"}, "prefix": {"a"}}, []string{"a-b", "ab", "[a/]"}},
			{url.Values{"delimiter": {"/"}, "prefix": {"a/"}}, []string{"a/x", "a/z", "[a/y/]"}},
			{url.Values{"delimiter": {"y"}}, []string{"a-b", "a/x", "a/z", "ab", "b\x01&<c>", "é/1", "🌉", "[a/y]"}},
		} {
			for _, most := range []string{"", "1", "2", "5000"} {
				query := maps.Clone(test.query)
				if most != "" {
					query.Set("maxresults", most)
				}
				got := w.listed(address, query)
				slices.Sort(got)
				want := slices.Sorted(slices.Values(test.want))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%v in pages of %q: %s", test.query, most, diff)
				}
			}
		}
	})
}

func TestListShowsTheStateOfFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	put := w.blob("PUT", address, "a.json", "", "{}", "x-ms-blob-content-type", "application/json", "x-ms-meta-Crs", "EPSG:25832").want(t, 201)
	b := w.page(address, url.Values{"include": {"metadata,snapshots"}}).Blobs.Blob[0]
	if b.Properties.Etag != strings.Trim(put.header.Get("ETag"), `"`) || b.Properties.LastModified != put.header.Get("Last-Modified") ||
		b.Properties.ContentLength != 2 || b.Properties.ContentType != "application/json" || b.Properties.BlobType != "BlockBlob" || b.Metadata.Crs != "EPSG:25832" {
		t.Errorf("got %+v, written as %v", b, put.header)
	}
	if b := w.page(address, url.Values{}).Blobs.Blob[0]; b.Metadata.Crs != "" {
		t.Errorf("metadata that no one asked for: %+v", b)
	}
}

func TestWrongListsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	container, right, _ := strings.Cut(address, "?")
	for query, code := range map[string]string{
		"maxresults=0": "OutOfRangeQueryParameterValue", "maxresults=many": "OutOfRangeQueryParameterValue", "marker=%3F": "OutOfRangeQueryParameterValue",
		"include=uncommittedblobs": "UnsupportedQueryParameter", "snapshot=x": "UnsupportedQueryParameter",
	} {
		wantBlobError(t, w.request("GET", container+"?"+right+"&restype=container&comp=list&"+query, nil), 400, code)
	}
	wantBlobError(t, w.request("GET", container+"/folder?"+right+"&restype=container&comp=list", nil), 400, "UnsupportedQueryParameter")
	wantBlobError(t, w.request("GET", container+"?restype=container&comp=list", nil), 403, "AuthenticationFailed")
	w.request("HEAD", container+"?"+right+"&restype=container", nil).want(t, 200)
	wantBlobError(t, w.request("PUT", container+"?"+right+"&restype=container", nil), 409, "ContainerAlreadyExists")
}
