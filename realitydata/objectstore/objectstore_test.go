package objectstore_test

import (
	"crypto/rand"
	"net/http"
	"os"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore/filestoretest"
	"github.com/seed-933f9a09/twinplatform/realitydata/objectstore"
)

func TestBucket(t *testing.T) {
	t.Parallel()
	large := 2*objectstore.MinPartSize + 100
	if testsize.Raced { // which marks each byte that is copied; tests of uploads send parts under it, too
		large = 1 << 20
	}
	for name, through := range map[string]bool{"clients read from it": false, "files go through the node": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			filestoretest.Run(t, func(t *testing.T) filestoretest.Place {
				f := newFake(t)
				cfg := f.config()
				cfg.Through = through
				return filestoretest.Place{
					Open:   func(*testing.T) filestore.Backend { return f.open(cfg) },
					Client: &http.Client{Transport: f},
					Large:  large,
				}
			})
		})
	}
}

// TestServer holds an object store of one's own to the same promises:
//
//	OBJECTSTORE_ENDPOINT=http://127.0.0.1:7070 OBJECTSTORE_BUCKET=twins AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… go test -run TestServer .
func TestServer(t *testing.T) {
	t.Parallel()
	endpoint, bucket := os.Getenv("OBJECTSTORE_ENDPOINT"), os.Getenv("OBJECTSTORE_BUCKET")
	if endpoint == "" {
		t.Skip("OBJECTSTORE_ENDPOINT names no server")
	}
	for name, through := range map[string]bool{"clients read from it": false, "files go through the node": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			filestoretest.Run(t, func(t *testing.T) filestoretest.Place {
				cfg := objectstore.Config{
					Endpoint: endpoint, Bucket: bucket, Region: os.Getenv("AWS_REGION"), Prefix: "test-" + rand.Text(),
					Through: through, PartSize: objectstore.MinPartSize, Dir: t.TempDir(),
				}
				return filestoretest.Place{
					Open: func(*testing.T) filestore.Backend {
						b, err := objectstore.Open(t.Context(), cfg)
						if err != nil {
							t.Fatal(err)
						}
						return b
					},
					Large: 2*objectstore.MinPartSize + 100,
				}
			})
		})
	}
}
