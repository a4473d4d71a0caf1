package filestore_test

import (
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
