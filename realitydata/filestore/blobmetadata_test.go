package filestore_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// metadataIn are the metadata that an answer has.
func metadataIn(h http.Header) map[string]string {
	found := make(map[string]string)
	for name := range h {
		if key, ok := strings.CutPrefix(name, "X-Ms-Meta-"); ok {
			found[strings.ToLower(key)] = h.Get(name)
		}
	}
	return found
}

func TestMetadataStayWithTheirFile(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		id, address := w.data(w.of("acme", "ann"))
		wantMetadata := func(want map[string]string) (tag string) {
			t.Helper()
			for _, query := range []string{"", "comp=metadata"} {
				for _, method := range []string{"GET", "HEAD"} {
					got := w.blob(method, address, "a", query, "").want(t, 200)
					if diff := cmp.Diff(want, metadataIn(got.header)); diff != "" {
						t.Errorf("%s %s: %s", method, query, diff)
					}
					tag = got.header.Get("ETag")
				}
			}
			return tag
		}
		w.blob("PUT", address, "a", "", "content", "x-ms-meta-CRS", "EPSG:25832", "x-ms-meta-flight", "7, east").want(t, 201)
		first := wantMetadata(map[string]string{"crs": "EPSG:25832", "flight": "7, east"})
		set := w.blob("PUT", address, "a", "comp=metadata", "", "x-ms-meta-crs", "EPSG:4326", "If-Match", first).want(t, 200)
		second := wantMetadata(map[string]string{"crs": "EPSG:4326"})
		if second == first || second != set.header.Get("ETag") {
			t.Errorf("the ETags are %s, %s and %s", first, set.header.Get("ETag"), second)
		}
		w.wantFile(address, "a", "content")
		wantBlobError(t, w.blob("PUT", address, "a", "comp=metadata", "", "x-ms-meta-crs", "other", "If-Match", first), 412, "ConditionNotMet")
		wantBlobError(t, w.blob("PUT", address, "none", "comp=metadata", "", "x-ms-meta-crs", "x"), 404, "BlobNotFound")

		// They outlive the process.
		if err := w.files.Close(); err != nil {
			t.Fatal(err)
		}
		cfg := filestore.Config{Key: []byte(strings.Repeat("k", filestore.MinKey))}
		w.open(cfg)
		a, err := w.WriteAccess(w.of("acme", "ann"), id, "")
		if err != nil {
			t.Fatal(err)
		}
		address = a.URL
		if third := wantMetadata(map[string]string{"crs": "EPSG:4326"}); third != second {
			t.Errorf("the ETag was %s and is %s", second, third)
		}
		w.blob("PUT", address, "a", "comp=metadata", "").want(t, 200)
		wantMetadata(map[string]string{})
		w.wantFile(address, "a", "content")

		// Another file of the name has none, by any writer.
		w.blob("PUT", address, "a", "comp=metadata", "", "x-ms-meta-crs", "x").want(t, 200)
		w.put(address, "a", "another")
		wantMetadata(map[string]string{})
		w.stage(address, "a", blockID(1), "block")
		w.blob("PUT", address, "a", "comp=blocklist", list("Latest", blockID(1)), "x-ms-meta-by", "blocks").want(t, 201)
		wantMetadata(map[string]string{"by": "blocks"})
		w.do("DELETE", address, "a", nil)
		w.put(address, "a", "again")
		wantMetadata(map[string]string{})
		if got := w.onDisk(); len(got) != 1 {
			t.Errorf("there are %q", got)
		}
	})
}

func TestHeadersOfAFileAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	w.blob("PUT", address, "a", "", "zipped", "x-ms-blob-content-type", "text/html", "x-ms-blob-content-encoding", "gzip",
		"x-ms-blob-cache-control", "no-cache", "x-ms-blob-content-disposition", "attachment", "x-ms-blob-content-language", "de", "Content-MD5", sum("zipped")).want(t, 201)
	want := map[string]string{
		"Content-Type": "text/html", "Content-Encoding": "gzip", "Cache-Control": "no-cache", "Content-Disposition": "attachment",
		"Content-Language": "de", "Content-Md5": sum("zipped"), "Content-Length": "6",
		"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'",
	}
	for _, method := range []string{"GET", "HEAD"} {
		got := w.blob(method, address, "a", "", "").want(t, 200)
		for name, value := range want {
			if got.header.Get(name) != value {
				t.Errorf("%s: %s is %q, want %q", method, name, got.header.Get(name), value)
			}
		}
	}
	part := w.blob("GET", address, "a", "", "", "x-ms-range", "bytes=0-1").want(t, 206)
	if part.header.Get("Content-Md5") != "" || part.header.Get("x-ms-blob-content-md5") != sum("zipped") {
		t.Errorf("of a range: %v", part.header)
	}
	// Who does not speak the protocol sees none of it.
	plain := w.send("GET", address, "a", "", "").want(t, 200)
	if plain.header.Get("Content-Type") != "application/octet-stream" || plain.header.Get("Content-Encoding") != "" || plain.header.Get("ETag") != "" {
		t.Errorf("without the protocol: %v", plain.header)
	}
	w.blob("PUT", address, "a", "comp=properties", "", "x-ms-blob-content-type", "image/png").want(t, 200)
	if got := w.blob("GET", address, "a", "", "").want(t, 200); got.header.Get("Content-Type") != "image/png" || got.header.Get("Content-Encoding") != "" || got.body != "zipped" {
		t.Errorf("after the change: %q %v", got.body, got.header)
	}
}

func TestWrongMetadataAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	w.put(address, "a", "before")
	for _, test := range [][3]string{
		{"x-ms-meta-", "x", "InvalidMetadata"},
		{"x-ms-meta-a-b", "x", "InvalidMetadata"},
		{"x-ms-meta-1a", "x", "InvalidMetadata"},
		{"x-ms-meta-a", "Straße", "InvalidMetadata"},
		{"x-ms-meta-a", strings.Repeat("x", 8<<10), "MetadataTooLarge"},
		{"x-ms-blob-content-type", "text/plain; n=ß", "InvalidHeaderValue"},
		{"x-ms-tags", "a=b", "UnsupportedHeader"},
	} {
		for _, query := range []string{"", "comp=metadata", "comp=blocklist"} {
			if query == "comp=metadata" && test[2] == "InvalidHeaderValue" {
				continue // which asks for none
			}
			wantBlobError(t, w.blob("PUT", address, "a", query, list(), test[0], test[1]), 400, test[2])
		}
	}
	w.wantFile(address, "a", "before")
	if got := w.onDisk(); len(got) != 1 {
		t.Errorf("there are %q", got)
	}
}
