package filestore_test

import (
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// answer is what came back for a request.
type answer struct {
	status int
	header http.Header
	body   string
}

// send sends a request for a file with more in its query, and with headers.
func (w *world) send(method, address, file, query, body string, header ...string) answer {
	w.t.Helper()
	u := at(w.t, address, file)
	if query != "" {
		u += "&" + query
	}
	return w.request(method, u, strings.NewReader(body), header...)
}

// request sends a request with headers.
func (w *world) request(method, address string, body io.Reader, header ...string) answer {
	w.t.Helper()
	r := httptest.NewRequestWithContext(w.t.Context(), method, address, body)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	w.files.ServeHTTP(rec, r)
	return answer{rec.Code, rec.Header(), rec.Body.String()}
}

// wantBlobError wants a failure as the blob protocol has it.
func wantBlobError(t *testing.T, res answer, status int, code string) {
	t.Helper()
	var e struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
		Message string
	}
	if err := xml.Unmarshal([]byte(res.body), &e); err != nil || !strings.HasPrefix(res.body, "<?xml") {
		t.Errorf("%d %s: %v", res.status, res.body, err)
		return
	}
	if res.status != status || e.Code != code || e.Message == "" || res.header.Get("x-ms-error-code") != code || res.header.Get("Content-Type") != "application/xml" {
		t.Errorf("%d %s %v, want %d %s", res.status, res.body, res.header, status, code)
	}
}

// A request that would mean something else without a part of it does nothing.
func TestWhatIsNotUnderstoodOfTheBlobProtocolChangesNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method, query string
		header        []string
		code          string
	}{
		"an unknown part":             {"PUT", "comp=page", nil, "UnsupportedQueryParameter"},
		"a part in other case":        {"PUT", "Comp=PAGE", nil, "UnsupportedQueryParameter"},
		"a part in escapes":           {"PUT", "%63omp=page", nil, "UnsupportedQueryParameter"},
		"a part that cannot be read":  {"PUT", "x;comp=page", nil, "UnsupportedQueryParameter"},
		"an empty part":               {"PUT", "comp", nil, "UnsupportedQueryParameter"},
		"tags":                        {"PUT", "comp=tags", nil, "UnsupportedQueryParameter"},
		"a lease":                     {"PUT", "comp=lease", []string{"x-ms-lease-action", "acquire"}, "UnsupportedQueryParameter"},
		"a container that is removed": {"DELETE", "restype=container", nil, "UnsupportedQueryParameter"},
		"a snapshot":                  {"DELETE", "snapshot=2026-05-04T12:00:00Z", []string{"x-ms-version", "2021-12-02"}, "UnsupportedQueryParameter"},
		"a copy":                      {"PUT", "", []string{"x-ms-copy-source", "http://files.test/other"}, "UnsupportedHeader"},
		"a page blob":                 {"PUT", "", []string{"x-ms-blob-type", "PageBlob"}, "UnsupportedHeader"},
		"a lease that must be held":   {"DELETE", "", []string{"x-ms-lease-id", "5f7e"}, "UnsupportedHeader"},
		"a key of the client's":       {"PUT", "", []string{"x-ms-encryption-key", "x"}, "UnsupportedHeader"},
		"a header of a later version": {"PUT", "", []string{"x-ms-unheard-of", "x"}, "UnsupportedHeader"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, filestore.Config{})
			_, address := w.data(w.of("acme", "ann"))
			if status, body := w.put(address, "a", "before"); status != 201 {
				t.Fatal(status, body)
			}
			wantBlobError(t, w.send(test.method, address, "a", test.query, "after", test.header...), 400, test.code)
			if status, body := w.do("GET", address, "a", nil); status != 200 || body != "before" {
				t.Errorf("the file is now %d %q", status, body)
			}
			if got := w.onDisk(); len(got) != 1 {
				t.Errorf("there are %q", got)
			}
		})
	}
}

func TestHeadersThatBlobClientsAlwaysSendAreUnderstood(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	res := w.send("PUT", address, "a", "", "content",
		"x-ms-version", "2021-12-02", "x-ms-date", "Mon, 04 May 2026 12:00:00 GMT", "x-ms-client-request-id", "7d5f",
		"x-ms-return-client-request-id", "true", "x-ms-useragent", "azsdk-js", "x-ms-blob-type", "BlockBlob", "x-ms-blob-content-type", "text/plain")
	if res.status != 201 {
		t.Errorf("%d %s", res.status, res.body)
	}
	if status, body := w.do("GET", address, "a", nil); status != 200 || body != "content" {
		t.Errorf("%d %q", status, body)
	}
}

func TestFailuresAreInTheWordsOfTheRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{MaxFile: 10})
	_, address := w.data(w.of("acme", "ann"))
	version := []string{"x-ms-version", "2021-12-02"}
	wantBlobError(t, w.send("GET", address, "none", "", "", version...), 404, "BlobNotFound")
	wantBlobError(t, w.send("PUT", address, "large", "", "more than ten bytes", version...), 413, "RequestBodyTooLarge")
	wantBlobError(t, w.send("PUT", address, ".part-x", "", "", version...), 400, "InvalidResourceName")
	wantBlobError(t, w.send("GET", "http://files.test/data?sig=x", "a", "", "", version...), 403, "AuthenticationFailed")
	if res := w.send("HEAD", address, "none", "", "", version...); res.status != 404 || res.header.Get("x-ms-error-code") != "BlobNotFound" {
		t.Errorf("HEAD: %d %v", res.status, res.header)
	}
	res := w.send("GET", address, "none", "", "")
	const want = `{"error":{"code":"FileNotFound","message":"The requested file is not available."}}`
	if res.status != 404 || res.body != want || res.header.Get("x-ms-error-code") != "" {
		t.Errorf("without the protocol: %d %s %v", res.status, res.body, res.header)
	}
}
