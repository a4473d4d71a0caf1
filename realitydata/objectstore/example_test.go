package objectstore_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/realitydata/objectstore"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// Two nodes serve the files of one bucket. Readers are redirected to the bucket.
func Example() {
	ctx := context.Background()
	backend := s3mem.New()
	if err := backend.CreateBucket("twins"); err != nil {
		log.Fatal(err)
	}
	s3 := httptest.NewServer(gofakes3.New(backend).Server())
	defer s3.Close()

	records := memory.New() // a storage/postgres that both open
	node := func() (*realitydata.Service, *filestore.Store) {
		bucket, err := objectstore.Open(ctx, objectstore.Config{
			Endpoint: s3.URL, Bucket: "twins", Credentials: credentials.NewStaticV4("key", "secret", ""),
		})
		if err != nil {
			log.Fatal(err)
		}
		files, err := filestore.New(bucket, filestore.Config{BaseURL: "/files", Key: []byte("32 random bytes that nodes share")})
		if err != nil {
			log.Fatal(err)
		}
		svc := realitydata.New(records, realitydata.Config{Containers: files})
		if err := files.Follow(ctx, svc); err != nil {
			log.Fatal(err)
		}
		return svc, files
	}
	svc, one := node()
	_, other := node()

	survey, err := svc.CreateRealityData(ctx, realitydata.NewRealityData{TwinID: "bridge", DisplayName: "Survey", Type: "LAS", Authoring: true})
	if err != nil {
		log.Fatal(err)
	}
	access, err := svc.WriteAccess(ctx, survey.Value().ID, "")
	if err != nil {
		log.Fatal(err)
	}
	address := strings.Replace(strings.TrimPrefix(access.URL, "/files"), "?", "/points.las?", 1)
	send := func(files *filestore.Store, method, body string) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		files.ServeHTTP(rec, httptest.NewRequestWithContext(ctx, method, address, strings.NewReader(body)))
		fmt.Println(method, rec.Code)
		return rec
	}
	send(one, "PUT", "LASF")
	at := send(other, "GET", "").Header().Get("Location")
	res, err := http.Get(at)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	content, err := io.ReadAll(res.Body)
	fmt.Println(strings.HasPrefix(at, s3.URL), string(content), err)
	// Output:
	// PUT 201
	// GET 307
	// true LASF <nil>
}
