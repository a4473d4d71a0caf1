package realitydata_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// files is a folder behind the address that it gives out.
type files struct {
	t      *testing.T
	folder *filestore.Store
	now    time.Time
}

func newFiles(t *testing.T) *files {
	f := &files{t: t, now: noon}
	var err error
	f.folder, err = filestore.Open(t.TempDir(), filestore.Config{BaseURL: "http://files.test/", Now: func() time.Time { return f.now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.folder.Close() })
	return f
}

// do sends a request for a file in the container of an address.
func (f *files) do(method, address, file, body string) (status int, answer string) {
	f.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		f.t.Fatal(err)
	}
	u.Path += "/" + file
	w := httptest.NewRecorder()
	f.folder.ServeHTTP(w, httptest.NewRequestWithContext(f.t.Context(), method, u.String(), strings.NewReader(body)))
	got, _ := io.ReadAll(w.Result().Body)
	return w.Code, string(got)
}

// covers: Reality data: rule size is in kilobytes
// covers: Operations of reality data: rule what is complete is not written
func TestBytesAreWrittenReadAndMeasured(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	w := newWorld(t, f.folder)
	d := w.create(realitydata.NewRealityData{Authoring: true})
	access, err := w.WriteAccess(t.Context(), d.ID, "bridge")
	if err != nil || access.Type != "AzureBlobSasUrl" || access.Access != "Write" || !strings.HasPrefix(access.URL, "http://files.test/"+d.ID+"?") {
		t.Fatalf("got %+v, %v", access, err)
	}
	body := strings.Repeat("x", 2000)
	for _, file := range []string{"mesh/root.json", "mesh/tiles/0.bin"} {
		if status, text := f.do(http.MethodPut, access.URL, file, body); status != http.StatusCreated {
			t.Fatalf("writing %s: %d %s", file, status, text)
		}
	}
	if status, _ := f.do(http.MethodPut, access.URL, "mesh/root.json", "{}"); status != http.StatusCreated {
		t.Errorf("overwriting: %d", status)
	}
	read, err := w.ReadAccess(t.Context(), d.ID, "")
	if err != nil || read.Access != "Read" {
		t.Fatal(read, err)
	}
	if status, got := f.do(http.MethodGet, read.URL, "mesh/root.json", ""); status != 200 || got != "{}" {
		t.Errorf("reading: %d %q", status, got)
	}
	if status, got := f.do(http.MethodGet, access.URL, "mesh/tiles/0.bin", ""); status != 200 || got != body {
		t.Errorf("reading with the right to write: %d", status)
	}
	res, err := w.UpdateRealityData(t.Context(), d.ID, realitydata.RealityDataPatch{Authoring: twinplatform.Set(false)})
	if err != nil || res.Value().Size != 2 {
		t.Errorf("2,002 bytes are %d kB, %v", res.Value().Size, err)
	}
	if status, _ := f.do(http.MethodDelete, access.URL, "mesh/root.json", ""); status != http.StatusConflict {
		t.Errorf("deleting from what is complete: %d", status)
	}
	if _, err := w.UpdateRealityData(t.Context(), d.ID, realitydata.RealityDataPatch{Authoring: twinplatform.Set(true)}); err != nil {
		t.Fatal(err)
	}
	if status, _ := f.do(http.MethodDelete, access.URL, "mesh/root.json", ""); status != http.StatusNoContent {
		t.Errorf("deleting: %d", status)
	}
	if status, _ := f.do(http.MethodGet, read.URL, "mesh/root.json", ""); status != http.StatusNotFound {
		t.Errorf("reading what is deleted: %d", status)
	}
	if err := w.DeleteRealityData(t.Context(), d.ID); err != nil {
		t.Fatal(err)
	}
	if n, err := f.folder.ContainerSize(t.Context(), d.ID); n != 0 || err != nil {
		t.Errorf("deleted data still have %d bytes, %v", n, err)
	}
}

// covers: Reality data: rule lastAccessedDateTime follows access to the bytes
func TestAccessIsRemembered(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	w := newWorld(t, f.folder)
	d := w.create(realitydata.NewRealityData{})
	w.now = noon.Add(time.Hour)
	if _, err := w.ReadAccess(t.Context(), d.ID, ""); err != nil {
		t.Fatal(err)
	}
	rec, err := w.RealityData(t.Context(), d.ID, "")
	if err != nil || !rec.Value.LastAccessedDateTime.Equal(w.now) || !rec.Value.ModifiedDateTime.Equal(noon) {
		t.Errorf("got %+v, %v", rec.Value, err)
	}
}

func TestAddressIsGoodForWhatItWasSignedForAlone(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	data := newWorld(t, f.folder).create(realitydata.NewRealityData{}).ID
	get := func(write bool) string {
		u, err := f.folder.ContainerURL(t.Context(), data, write)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	read, write := get(false), get(true)
	if status, _ := f.do(http.MethodPut, write, "a", "x"); status != http.StatusCreated {
		t.Fatal(status)
	}
	for name, test := range map[string]struct{ method, address, file string }{
		"write with the right to read":  {http.MethodPut, read, "a"},
		"delete with the right to read": {http.MethodDelete, read, "a"},
		"rights changed":                {http.MethodPut, strings.Replace(read, "sp=r", "sp=rw", 1), "a"},
		"another container":             {http.MethodGet, strings.Replace(read, "/"+data+"?", "/other?", 1), "a"},
		"no signature":                  {http.MethodGet, "http://files.test/" + data, "a"},
		"time changed":                  {http.MethodGet, strings.Replace(read, "se=", "se=9", 1), "a"},
	} {
		if status, _ := f.do(test.method, test.address, test.file, "y"); status != http.StatusForbidden {
			t.Errorf("%s: %d", name, status)
		}
	}
	if status, _ := f.do(http.MethodPost, write, "a", "y"); status != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", status)
	}
	for _, file := range []string{"../../etc/passwd", "..", ".", "", "b", "a/b"} {
		if status, got := f.do(http.MethodGet, read, file, ""); status == http.StatusOK {
			t.Errorf("%q is served: %q", file, got)
		}
	}
	if status, _ := f.do(http.MethodPut, write, "../outside", "y"); status == http.StatusCreated {
		if n, _ := f.folder.ContainerSize(t.Context(), data); n != 2 {
			t.Errorf("a path out of the container wrote elsewhere")
		}
	}
	f.now = noon.Add(time.Hour + time.Second)
	if status, _ := f.do(http.MethodGet, read, "a", ""); status != http.StatusForbidden {
		t.Errorf("an hour later: %d", status)
	}
}
