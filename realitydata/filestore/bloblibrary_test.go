package filestore_test

import (
	"os"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/blobclient"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

func TestMain(m *testing.M) {
	blobclient.Serve(func(what string, cfg filestore.Config) (*filestore.Store, error) {
		kind, dir, _ := strings.Cut(what, ":")
		if kind == "shared" {
			return filestore.OpenShared(dir, cfg)
		}
		return filestore.Open(dir, cfg)
	})
	os.Exit(m.Run())
}

func TestBlockBlobLibraryUploadsResumesAndReadsFiles(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"alone", "shared"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			blobclient.Run(t, blobclient.Own(kind+":"+t.TempDir()))
		})
	}
}
