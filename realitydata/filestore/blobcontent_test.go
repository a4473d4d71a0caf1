package filestore_test

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// since is a version of the blob protocol, which makes a request one of it.
var since = []string{"x-ms-version", "2021-12-02"}

// blob sends a request of the blob protocol.
func (w *world) blob(method, address, file, query, body string, header ...string) answer {
	w.t.Helper()
	return w.send(method, address, file, query, body, append(header, since...)...)
}

// want wants an answer of a status.
func (a answer) want(t *testing.T, status int) answer {
	t.Helper()
	if a.status != status {
		t.Errorf("%d %s %v, want %d", a.status, a.body, a.header, status)
	}
	return a
}

func sum(content string) string {
	s := md5.Sum([]byte(content))
	return base64.StdEncoding.EncodeToString(s[:])
}

// both runs a test over a folder of one process and over one that several share.
func both(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	for name, shared := range map[string]bool{"alone": false, "shared": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := filestore.Config{Rate: filestore.Unlimited}
			w := newWorld(t, cfg)
			if shared {
				w.reopenShared(cfg)
			}
			test(t, w)
		})
	}
}

// reopenShared opens the folder as one that others have open too.
func (w *world) reopenShared(cfg filestore.Config) {
	w.t.Helper()
	if err := w.files.Close(); err != nil {
		w.t.Fatal(err)
	}
	cfg.Key = bytes.Repeat([]byte{7}, filestore.MinKey)
	w.shared = true
	w.open(cfg)
}

func TestBlobIsWrittenReadAndRemoved(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		_, address := w.data(w.of("acme", "ann"))
		put := w.blob("PUT", address, "tiles/é 1.bin", "", "0123456789", "x-ms-blob-type", "BlockBlob", "x-ms-client-request-id", "7d5f").want(t, 201)
		for name, want := range map[string]string{
			"Content-Md5": sum("0123456789"), "X-Ms-Client-Request-Id": "7d5f", "X-Ms-Version": "2021-12-02",
		} {
			if got := put.header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		if put.header.Get("X-Ms-Request-Id") == "" || put.header.Get("Last-Modified") == "" {
			t.Errorf("the answer has %v", put.header)
		}
		got := w.blob("GET", address, "tiles/é 1.bin", "", "").want(t, 200)
		if got.body != "0123456789" || got.header.Get("ETag") != put.header.Get("ETag") || got.header.Get("X-Ms-Blob-Type") != "BlockBlob" {
			t.Errorf("%q %v, written as %v", got.body, got.header, put.header)
		}
		head := w.blob("HEAD", address, "tiles/é 1.bin", "", "").want(t, 200)
		if head.body != "" || head.header.Get("Content-Length") != "10" || head.header.Get("ETag") != put.header.Get("ETag") {
			t.Errorf("HEAD: %q %v", head.body, head.header)
		}
		w.blob("DELETE", address, "tiles/é 1.bin", "", "", "x-ms-delete-snapshots", "include").want(t, 202)
		wantBlobError(t, w.blob("GET", address, "tiles/é 1.bin", "", ""), 404, "BlobNotFound")
		wantBlobError(t, w.blob("DELETE", address, "tiles/é 1.bin", "", ""), 404, "BlobNotFound")
	})
}

func TestRangesOfBlobsAreRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	w.blob("PUT", address, "a", "", "0123456789").want(t, 201)
	for _, test := range []struct{ name, value, body, span string }{
		{"Range", "bytes=2-4", "234", "bytes 2-4/10"},
		{"x-ms-range", "bytes=2-4", "234", "bytes 2-4/10"},
		{"x-ms-range", "bytes=8-", "89", "bytes 8-9/10"},
		{"x-ms-range", "bytes=5-500", "56789", "bytes 5-9/10"},
	} {
		got := w.blob("GET", address, "a", "", "", test.name, test.value, "x-ms-range-get-content-md5", "true").want(t, 206)
		if got.body != test.body || got.header.Get("Content-Range") != test.span || got.header.Get("Content-Md5") != sum(test.body) {
			t.Errorf("%s: %s: %q %v", test.name, test.value, got.body, got.header)
		}
	}
	// The check value of the CRC: what it is of the digits from 1 to 9.
	if got := w.blob("GET", address, "a", "", "", "x-ms-range", "bytes=1-9", "x-ms-range-get-content-crc64", "true").want(t, 206); got.header.Get("x-ms-content-crc64") != "iJh5CoYUi64=" {
		t.Errorf("the CRC of a range: %v", got.header)
	}
	wantBlobError(t, w.blob("GET", address, "a", "", "", "x-ms-range", "bytes=10-12"), 416, "InvalidRange")
	for _, wrong := range []string{"bytes=x-", "bytes=5-2", "bytes=-3", "bytes=0-1,4-5", "lines=1-2", "bytes=1"} {
		wantBlobError(t, w.blob("GET", address, "a", "", "", "x-ms-range", wrong), 400, "InvalidHeaderValue")
		status, body := 200, "0123456789"
		if wrong == "bytes=-3" {
			status, body = 206, "789"
		}
		if got := w.blob("GET", address, "a", "", "", "Range", wrong).want(t, status); got.body != body {
			t.Errorf("Range: %s: %q", wrong, got.body)
		}
	}
	if got := w.blob("GET", address, "a", "", "", "Range", "bytes=0-1", "x-ms-range", "bytes=3-3").want(t, 206); got.body != "3" {
		t.Errorf("of two ranges %q was read", got.body)
	}
}

func TestBlobIsChangedWhileItsConditionsHold(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		_, address := w.data(w.of("acme", "ann"))
		wantBlobError(t, w.blob("PUT", address, "a", "", "x", "If-Match", `"any"`), 412, "ConditionNotMet")
		first := w.blob("PUT", address, "a", "", "x", "If-None-Match", "*").want(t, 201).header
		wantBlobError(t, w.blob("PUT", address, "a", "", "y", "If-None-Match", "*"), 409, "BlobAlreadyExists")
		second := w.blob("PUT", address, "a", "", "y", "If-Match", first.Get("ETag")).want(t, 201).header
		if first.Get("ETag") == second.Get("ETag") {
			t.Errorf("two files have the ETag %s", first.Get("ETag"))
		}
		past, ahead := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat), time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
		for _, stale := range [][]string{{"If-Match", first.Get("ETag")}, {"If-Unmodified-Since", past}} {
			wantBlobError(t, w.blob("PUT", address, "a", "", "z", stale...), 412, "ConditionNotMet")
			wantBlobError(t, w.blob("DELETE", address, "a", "", "", stale...), 412, "ConditionNotMet")
			wantBlobError(t, w.blob("GET", address, "a", "", "", stale...), 412, "ConditionNotMet")
		}
		for _, unread := range [][]string{{"If-None-Match", second.Get("ETag")}, {"If-Modified-Since", ahead}} {
			if got := w.blob("GET", address, "a", "", "", unread...).want(t, 304); got.body != "" || got.header.Get("ETag") != second.Get("ETag") {
				t.Errorf("%v: %q %v", unread, got.body, got.header)
			}
			wantBlobError(t, w.blob("PUT", address, "a", "", "z", unread...), 412, "ConditionNotMet")
		}
		for _, met := range [][]string{{"If-Match", second.Get("ETag")}, {"If-None-Match", first.Get("ETag")}, {"If-Modified-Since", past}, {"If-Unmodified-Since", ahead}} {
			if got := w.blob("GET", address, "a", "", "", met...).want(t, 200); got.body != "y" {
				t.Errorf("%v: %q", met, got.body)
			}
		}
		for _, change := range [][2]string{{"PUT", "comp=metadata"}, {"PUT", "comp=properties"}, {"DELETE", ""}} { // which write no file
			wantBlobError(t, w.blob(change[0], address, "a", change[1], "", "If-None-Match", "*"), 412, "ConditionNotMet")
		}
		w.blob("DELETE", address, "a", "", "", "If-Match", second.Get("ETag")).want(t, 202)
	})
}

// A replacement of a file during an upload decides the condition of the upload.
func TestConditionIsJudgedWhenTheFileAppears(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		_, address := w.data(w.of("acme", "ann"))
		u := at(t, address, "a")
		late := &atEnd{Reader: strings.NewReader("late"), end: func() error {
			w.put(address, "a", "early")
			return nil
		}}
		got := w.request("PUT", u, late, append([]string{"If-None-Match", "*"}, since...)...)
		wantBlobError(t, got, 409, "BlobAlreadyExists")
		if _, body := w.do("GET", address, "a", nil); body != "early" {
			t.Errorf("the file is %q", body)
		}
	})
}

func TestBytesThatChangedOnTheirWayAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	// The check value of the CRC: what it is of the digits from 1 to 9.
	const digits, crc = "123456789", "iJh5CoYUi64="
	if got := w.blob("PUT", address, "a", "", digits).want(t, 201).header.Get("X-Ms-Content-Crc64"); got != crc {
		t.Errorf("the CRC is %s, want %s", got, crc)
	}
	w.blob("PUT", address, "a", "", digits, "Content-MD5", sum(digits), "x-ms-content-crc64", crc, "x-ms-blob-content-md5", sum(digits)).want(t, 201)
	for _, test := range [][3]string{
		{"Content-MD5", sum("others"), "Md5Mismatch"},
		{"x-ms-blob-content-md5", sum("others"), "Md5Mismatch"},
		{"x-ms-content-crc64", "AAAAAAAAAAA=", "Crc64Mismatch"},
		{"Content-MD5", "no sum", "InvalidMd5"},
		{"x-ms-content-crc64", "AAAA", "InvalidHeaderValue"},
	} {
		wantBlobError(t, w.blob("PUT", address, "a", "", "other", test[0], test[1]), 400, test[2])
	}
	if diff := cmp.Diff(digits, w.blob("GET", address, "a", "", "").body); diff != "" {
		t.Error(diff)
	}
	if got := w.onDisk(); len(got) != 2 { // the file, and its sum
		t.Errorf("there are %q", got)
	}
}

func TestWhoMayOnlyReadWritesNoBlob(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	id, address := w.data(w.of("acme", "ann"))
	w.blob("PUT", address, "a", "", "x").want(t, 201)
	a, err := w.ReadAccess(w.of("acme", "ann"), id, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"", blockQuery(blockID(1)), "comp=blocklist", "comp=metadata", "comp=properties"} {
		wantBlobError(t, w.blob("PUT", a.URL, "a", query, list()), 403, "AuthorizationPermissionMismatch")
	}
	wantBlobError(t, w.blob("DELETE", a.URL, "a", "", ""), 403, "AuthorizationPermissionMismatch")
	if got := w.blob("GET", a.URL, "a", "", "").want(t, 200); got.body != "x" {
		t.Errorf("read %q", got.body)
	}
}

func TestOfChangesUnderOneConditionOneIsMade(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		_, address := w.data(w.of("acme", "ann"))
		w.stage(address, "a", blockID(1), "block")
		tag := w.blob("PUT", address, "a", "", "before").want(t, 201).header.Get("ETag")
		w.stage(address, "a", blockID(1), "block")
		var made atomic.Int64
		var all sync.WaitGroup
		for i := range 9 {
			all.Go(func() {
				query, body := "", fmt.Sprint("after ", i)
				switch i % 3 {
				case 1:
					query, body = "comp=blocklist", list("Latest", blockID(1))
				case 2:
					query = "comp=metadata"
				}
				got := w.blob("PUT", address, "a", query, body, "If-Match", tag, "x-ms-meta-by", fmt.Sprint(i))
				switch {
				case got.status < 300:
					made.Add(1)
				case got.header.Get("x-ms-error-code") != "ConditionNotMet" && got.header.Get("x-ms-error-code") != "InvalidBlockList":
					t.Errorf("%d %s", got.status, got.body)
				}
			})
		}
		all.Wait()
		if made.Load() != 1 {
			t.Errorf("%d changes were made", made.Load())
		}
	})
}

// Whatever readers find of a file is of one and the same: bytes, metadata and ETag.
func TestReadersHaveTheOldFileOrTheNewOne(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		_, address := w.data(w.of("acme", "ann"))
		write := func(i int) {
			content := fmt.Sprint("content ", i)
			if i%2 == 0 {
				w.blob("PUT", address, "a", "", content, "x-ms-meta-is", content).want(t, 201)
				return
			}
			w.stage(address, "a", blockID(1), content)
			w.blob("PUT", address, "a", "comp=blocklist", list("Uncommitted", blockID(1)), "x-ms-meta-is", content).want(t, 201)
		}
		write(0)
		var reading sync.WaitGroup
		var done atomic.Bool
		var seen sync.Map
		for range 3 {
			reading.Go(func() {
				for !done.Load() {
					got := w.blob("GET", address, "a", "", "").want(t, 200)
					if got.body != got.header.Get("x-ms-meta-is") {
						t.Errorf("%q has the metadata of %q", got.body, got.header.Get("x-ms-meta-is"))
					}
					if was, _ := seen.LoadOrStore(got.header.Get("ETag"), got.body); was != got.body {
						t.Errorf("%q and %q have one ETag", was, got.body)
					}
				}
			})
		}
		for i := range testsize.Of(12, 4) {
			write(i + 1)
		}
		done.Store(true)
		reading.Wait()
	})
}
