package objectstore_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/seed-933f9a09/twinplatform/internal/blobclient"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/realitydata/objectstore"
)

// place is how a separate process finds its bucket.
type place struct {
	Endpoint, Dir string
	Certificate   []byte // of its server
}

func TestMain(m *testing.M) {
	blobclient.Serve(func(what string, cfg filestore.Config) (*filestore.Store, error) {
		var at place
		if err := json.Unmarshal([]byte(what), &at); err != nil {
			return nil, err
		}
		trusted, err := x509.ParseCertificate(at.Certificate)
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		pool.AddCert(trusted)
		bucket, err := objectstore.Open(context.Background(), objectstore.Config{
			Endpoint: at.Endpoint, Bucket: "twins", Prefix: "platform/files", Dir: at.Dir,
			Transport:   &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, MaxIdleConnsPerHost: 64},
			Credentials: credentials.NewStaticV4(accessKey, secretKey, token),
		})
		if err != nil {
			return nil, err
		}
		return filestore.New(bucket, cfg)
	})
	os.Exit(m.Run())
}

// ServeHTTP makes the object store one that other processes reach.
func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := r.Clone(r.Context())
	out.URL.Scheme, out.URL.Host = "https", r.Host
	res, err := f.RoundTrip(out)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer func() { _ = res.Body.Close() }()
	maps.Copy(w.Header(), res.Header)
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body)
}

func TestBlockBlobLibraryUploadsResumesAndReadsFiles(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	server := httptest.NewTLSServer(f) // over HTTP parts are sent in an encoding that this one keeps
	t.Cleanup(server.Close)
	what, err := json.Marshal(place{server.URL, t.TempDir(), server.Certificate().Raw})
	if err != nil {
		t.Fatal(err)
	}
	blobclient.Run(t, blobclient.Own(what))
}
