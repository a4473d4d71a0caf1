package compress_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/compress"
)

var long = strings.Repeat(`{"id": "dig", "name": "Dig the pit"},`, 200)

// ask is the answer of a handler to a client that sends an Accept-Encoding.
func ask(h http.HandlerFunc, method, accepted string, more ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	if accepted != "" {
		r.Header.Set("Accept-Encoding", accepted)
	}
	for i := 0; i+1 < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	w := httptest.NewRecorder()
	compress.Handler(h).ServeHTTP(w, r)
	return w
}

// says answers with a text, as one whole or in pieces.
func says(text string, pieces int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		for i := range pieces {
			_, _ = io.WriteString(w, text[len(text)*i/pieces:len(text)*(i+1)/pieces])
		}
	}
}

// body is that of an answer, decompressed where it is compressed.
func body(t *testing.T, w *httptest.ResponseRecorder) (text string, compressed bool) {
	t.Helper()
	if w.Header().Get("Content-Encoding") != "gzip" {
		return w.Body.String(), false
	}
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), true
}

const json = "application/json"

func TestClientsThatAcceptGzipGetIt(t *testing.T) {
	t.Parallel()
	for accepted, want := range map[string]bool{
		"gzip": true, "GZIP": true, "x-gzip": true, "*": true, "br, gzip;q=0.1": true, "deflate, gzip; q=1.0, *;q=0": true,
		"gzip;q=0.5, identity;q=0.5": true,
		"":                           false, "br": false, "gzip;q=0": false, "gzip;q=0, *": false, "*;q=0": false, "identity": false,
		"gzip;q=0.5, identity": false, "gzip;q=much": false, "gzip;q=NaN": false, "gzip;q=2": false, "agzip": false, ",;,": false,
	} {
		w := ask(says(long, 1, "Content-Type", json, "Content-Length", fmt.Sprint(len(long))), "GET", accepted)
		text, compressed := body(t, w)
		if compressed != want || text != long {
			t.Errorf("Accept-Encoding %q: compressed %t, want %t; whole: %t", accepted, compressed, want, text == long)
		}
		if diff := cmp.Diff([]string{"Accept-Encoding"}, w.Header().Values("Vary")); diff != "" {
			t.Errorf("Accept-Encoding %q: Vary (-want +got):\n%s", accepted, diff)
		}
		if compressed && w.Header().Get("Content-Length") != "" {
			t.Errorf("a compressed answer says that it has %s bytes", w.Header().Get("Content-Length"))
		}
	}
}

func TestOnlyWhatIsWorthItIsCompressed(t *testing.T) {
	t.Parallel()
	status := func(status int, headers ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", json)
			for i := 0; i+1 < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(status)
			if status != http.StatusNotModified && status != http.StatusNoContent {
				_, _ = io.WriteString(w, long)
			}
		}
	}
	for name, c := range map[string]struct {
		h    http.HandlerFunc
		want bool
	}{
		"JSON":                    {says(long, 1, "Content-Type", json), true},
		"JSON in small pieces":    {says(long, 400, "Content-Type", json), true},
		"a page":                  {says(long, 3, "Content-Type", "text/html; charset=utf-8"), true},
		"a picture of text":       {says(long, 1, "Content-Type", "image/svg+xml"), true},
		"an error":                {status(http.StatusUnprocessableEntity), true},
		"a short answer":          {says(long[:1000], 1, "Content-Type", json), false},
		"a short one in pieces":   {says(long[:1000], 9, "Content-Type", json), false},
		"a photo":                 {says(long, 1, "Content-Type", "image/png"), false},
		"no type":                 {says(long, 1), false},
		"a download":              {says(long, 1, "Content-Type", json, "Content-Disposition", `attachment; filename="a"`), false},
		"an encoding":             {says(long, 1, "Content-Type", json, "Content-Encoding", "br"), false},
		"what is not transformed": {says(long, 1, "Content-Type", json, "Cache-Control", "no-store, no-transform"), false},
		"what has ranges":         {says(long, 1, "Content-Type", "text/plain", "Accept-Ranges", "bytes"), false},
		"a range":                 {status(http.StatusPartialContent, "Content-Range", "bytes 0-1/2"), false},
		"nothing new":             {status(http.StatusNotModified), false},
		"nothing":                 {status(http.StatusNoContent), false},
		"a stream":                {says(long, 1, "Content-Type", "text/event-stream"), false},
	} {
		w := ask(c.h, "GET", "gzip")
		if _, compressed := body(t, w); compressed != c.want {
			t.Errorf("%s: compressed %t, want %t", name, compressed, c.want)
		}
	}
	if _, compressed := body(t, ask(says(long, 1, "Content-Type", json), "GET", "gzip", "Range", "bytes=0-9")); compressed {
		t.Error("the answer to a question for a range is compressed")
	}
	if _, compressed := body(t, ask(says("", 1, "Content-Type", json, "Content-Length", "7400"), "HEAD", "gzip")); compressed {
		t.Error("the answer to HEAD is compressed")
	}
}

func TestACompressedAnswerHasAWeakETag(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{`"a.1"`: `W/"a.1"`, `W/"a.1"`: `W/"a.1"`, "": ""} {
		headers := []string{"Content-Type", json}
		if sent != "" {
			headers = append(headers, "ETag", sent)
		}
		if got := ask(says(long, 1, headers...), "GET", "gzip").Header().Get("ETag"); got != want {
			t.Errorf("the ETag %s becomes %s, want %s", sent, got, want)
		}
		if got := ask(says(long[:10], 1, headers...), "GET", "gzip").Header().Get("ETag"); got != sent {
			t.Errorf("the ETag %s of what is not compressed becomes %s", sent, got)
		}
	}
}

func TestVaryKeepsWhatElseAnswersDependOn(t *testing.T) {
	t.Parallel()
	for _, accepted := range []string{"gzip", ""} {
		for range 2 {
			w := ask(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Add("Vary", "Origin")
				says(long, 1, "Content-Type", json)(w, r)
			}, "GET", accepted)
			if diff := cmp.Diff([]string{"Accept-Encoding", "Origin"}, w.Header().Values("Vary")); diff != "" {
				t.Errorf("Accept-Encoding %q: Vary (-want +got):\n%s", accepted, diff)
			}
		}
	}
}

func TestWhatIsFlushedArrives(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	seen := 0
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	compress.Handler(http.HandlerFunc(func(a http.ResponseWriter, _ *http.Request) {
		a.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(a, "first")
		if err := http.NewResponseController(a).Flush(); err != nil {
			t.Error(err)
		}
		seen = w.Body.Len()
		_, _ = io.WriteString(a, long)
	})).ServeHTTP(w, r)
	if seen != len("first") || w.Body.String() != "first"+long {
		t.Errorf("%d bytes had arrived when they were flushed, and %d in the end", seen, w.Body.Len())
	}
}

func TestAnAnswerThatIsCutOffIsNotCompleted(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(compress.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", json)
		_, _ = io.WriteString(w, long)
		panic(http.ErrAbortHandler)
	})))
	defer server.Close()
	res, err := server.Client().Get(server.URL)
	if err != nil {
		return // cut off before its header
	}
	defer res.Body.Close()
	if b, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("the client takes %d bytes for the whole", len(b))
	}
}

//nolint:paralleltest // it counts allocations
func TestClientsThatDoNotAskPayNothing(t *testing.T) {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Encoding", "br, identity;q=0.5")
	w := &discarding{header: make(http.Header, 8)}
	h := compress.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	if n := testing.AllocsPerRun(100, func() { clear(w.header); h.ServeHTTP(w, r) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// discarding is an answer that counts its bytes.
type discarding struct {
	header http.Header
	n      int
}

func (d *discarding) Header() http.Header         { return d.header }
func (d *discarding) WriteHeader(int)             {}
func (d *discarding) Write(p []byte) (int, error) { d.n += len(p); return len(p), nil }

func BenchmarkAnswer(b *testing.B) {
	records := strings.Repeat(long, 4)
	for _, size := range []int{2 << 10, len(records)} {
		for _, accepted := range []string{"identity", "gzip"} {
			b.Run(fmt.Sprintf("%s/%d", accepted, size), func(b *testing.B) {
				r := httptest.NewRequest("GET", "/", nil)
				r.Header.Set("Accept-Encoding", accepted)
				text := []byte(records[:size])
				h := compress.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header()["Content-Type"] = []string{json}
					_, _ = w.Write(text)
				}))
				w := &discarding{header: make(http.Header)}
				b.ReportAllocs()
				for b.Loop() {
					clear(w.header)
					w.n = 0
					h.ServeHTTP(w, r)
				}
				b.ReportMetric(float64(w.n), "bytes/answer")
			})
		}
	}
}
