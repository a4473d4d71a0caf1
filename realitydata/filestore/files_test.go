package filestore_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"testing"
)

// A job writes its output so. The attributes are counted to the account, and no request may come
// that takes them away.
func TestAFileThatNoRequestWritesLeavesNoMetadataOfTheOneBefore(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		_, address := w.data(w.of("acme", "ann"))
		w.blob("PUT", address, "a", "", "before", "x-ms-meta-crs", "EPSG:4326").want(t, 201)
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.files.WriteFile(t.Context(), path.Base(u.Path), "acme", "a", strings.NewReader("after")); err != nil {
			t.Fatal(err)
		}
		w.wantFile(address, "a", "after")
		if got := w.onDisk(); len(got) != 1 {
			t.Errorf("there are %q", got)
		}
	})
}

func TestAFileThatIsThereStaysUnderIfNoneMatch(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, w *world) {
		_, address := w.data(w.of("acme", "ann"))
		once := func(body string) *httptest.ResponseRecorder {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPut, at(t, address, "a/b.las"), strings.NewReader(body))
			r.Header.Set("If-None-Match", "*")
			rec := httptest.NewRecorder()
			w.files.ServeHTTP(rec, r)
			return rec
		}
		if res := once("first"); res.Code != http.StatusCreated {
			t.Fatal(res.Code, res.Body)
		}
		if res := once("second"); res.Code != http.StatusConflict || !strings.Contains(res.Body.String(), "FileAlreadyExists") {
			t.Errorf("a second file answers %d %s", res.Code, res.Body)
		}
		w.wantFile(address, "a/b.las", "first")
		if status, answer := w.put(address, "a/b.las", "third"); status != http.StatusCreated {
			t.Errorf("without the condition it answers %d %s", status, answer)
		}
		w.wantFile(address, "a/b.las", "third")
	})
}
