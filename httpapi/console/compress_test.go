package console_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/compress"
)

// hundredTasks makes a schedule with so many tasks.
func (w *world) hundredTasks() (plan string) {
	plan = w.plan("Works")
	var batch []string
	for i := range 100 {
		start := time.Date(2026, 3, 2+i, 8, 0, 0, 0, time.UTC)
		batch = append(batch, fmt.Sprintf(
			`{"id": "t%d", "name": "Place element %d of section %c", "userDefinedId": "A%d", "type": "Work", "plannedStart": %q, "plannedDuration": %d}`,
			i, i*7, 'A'+i%20, 1000+10*i, start.Format(time.RFC3339), 28800*(1+i%5),
		))
	}
	w.write("POST", "/schedules/"+plan+"/tasks/batch", `{"batch": [`+strings.Join(batch, ",")+`]}`)
	return plan
}

// compressed asks for a path of a handler with gzip, as a caller.
func compressed(h http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host, r.RemoteAddr = "localhost", "127.0.0.1:51000"
	r.Header.Set("Authorization", "Bearer "+ownerToken)
	r.Header.Set("Accept-Encoding", "gzip")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

func TestPagesAreCompressedForBrowsersThatAcceptIt(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	plain := b.get("/console/webhooks")
	b.header.Set("Accept-Encoding", "gzip, deflate, br")
	res := b.get("/console/webhooks")
	if plain.Header().Get("Content-Encoding") != "" || res.Header().Get("Content-Encoding") != "gzip" {
		t.Fatalf("the page has the encodings %q and %q", plain.Header().Get("Content-Encoding"), res.Header().Get("Content-Encoding"))
	}
	z, err := gzip.NewReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if page, err := io.ReadAll(z); err != nil || string(page) != plain.Body.String() {
		t.Errorf("the compressed page is another one (%v)", err)
	}
	asset := ""
	for link := range strings.SplitSeq(plain.Body.String(), `"`) {
		if strings.HasSuffix(link, ".css") {
			asset = "/console/" + link
		}
	}
	style := b.get(asset)
	if tag := style.Header().Get("ETag"); style.Header().Get("Content-Encoding") != "gzip" || !strings.HasPrefix(tag, "W/") {
		t.Errorf("%s has the encoding %q and the ETag %s", asset, style.Header().Get("Content-Encoding"), tag)
	}
	b.header.Set("If-None-Match", style.Header().Get("ETag"))
	if again := b.get(asset); again.Code != http.StatusNotModified {
		t.Errorf("%s answers %d to its own ETag", asset, again.Code)
	}
}

func TestAWeakETagOfACompressedAnswerIsAPrecondition(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	path := "/schedules/" + w.plan("Works") + "/tasks/dig"
	w.write("POST", strings.TrimSuffix(path, "/dig"), `{"id": "dig", "name": "Dig", "type": "Work", "comment": "`+strings.Repeat("long ", 190)+`"}`)
	api := compress.Handler(w.handler)
	read := compressed(api, "GET", path, "")
	tag := read.Header().Get("ETag")
	if read.Header().Get("Content-Encoding") != "gzip" || !strings.HasPrefix(tag, "W/") {
		t.Fatalf("the task has the encoding %q and the ETag %s", read.Header().Get("Content-Encoding"), tag)
	}
	if res := compressed(api, "GET", path, "", "If-None-Match", tag); res.Code != http.StatusNotModified {
		t.Errorf("the version that the client has is answered with %d", res.Code)
	}
	change := func() int {
		return compressed(api, "PATCH", path, `{"name": "Dig deeper"}`, "If-Match", tag, "Content-Type", "application/json").Code
	}
	if first, second := change(), change(); first >= 300 || second != http.StatusConflict {
		t.Errorf("a change of that version answers %d, and of a former one %d", first, second)
	}
}

// BenchmarkCompression is what a page of 100 tasks of the API, a page of the console and a chart cost,
// as they are and compressed.
func BenchmarkCompression(b *testing.B) {
	w := open(b, demo)
	plan := w.hundredTasks()
	h := compress.Handler(w.handler)
	for name, target := range map[string]string{
		"tasks": "/schedules/" + plan + "/tasks?$top=100", "chart": "/console/schedules/" + plan,
	} {
		for _, encoding := range []string{"identity", "gzip"} {
			b.Run(name+"/"+encoding, func(b *testing.B) {
				n := 0
				for b.Loop() {
					res := compressed(h, "GET", target, "", "Accept-Encoding", encoding, "Sec-Fetch-Site", "same-origin")
					if n = res.Body.Len(); res.Code != http.StatusOK {
						b.Fatal(res.Code, res.Body)
					}
				}
				b.ReportMetric(float64(n), "bytes/answer")
			})
		}
	}
}
