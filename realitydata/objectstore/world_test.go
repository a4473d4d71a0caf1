package objectstore_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/realitydata/objectstore"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// world is what nodes share: an object store and records.
type world struct {
	*fake

	records storage.Store
	log     bytes.Buffer
}

func newWorld(t *testing.T) *world { return &world{fake: newFake(t), records: memory.New()} }

// node is one process of a world.
type node struct {
	*realitydata.Service
	w      *world
	bucket *objectstore.Bucket
	files  *filestore.Store
}

func (w *world) node(cfg objectstore.Config, limits filestore.Config) *node {
	w.t.Helper()
	n := &node{w: w, bucket: w.open(cfg)}
	limits.BaseURL, limits.Key = "https://files.test", bytes.Repeat([]byte{7}, filestore.MinKey)
	limits.Logger = slog.New(slog.NewTextHandler(&w.log, nil))
	var err error
	if n.files, err = filestore.New(n.bucket, limits); err != nil {
		w.t.Fatal(err)
	}
	n.Service = realitydata.New(w.records, realitydata.Config{Containers: n.files})
	if err := n.files.Follow(w.t.Context(), n.Service); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// data makes reality data, and returns an address to write their bytes to.
func (n *node) data() (id, address string) {
	n.w.t.Helper()
	res, err := n.CreateRealityData(n.w.t.Context(), realitydata.NewRealityData{TwinID: "bridge", DisplayName: "Scan", Type: "LAS", Authoring: true})
	if err != nil {
		n.w.t.Fatal(err)
	}
	a, err := n.WriteAccess(n.w.t.Context(), res.Value().ID, "")
	if err != nil {
		n.w.t.Fatal(err)
	}
	return res.Value().ID, a.URL
}

// do sends a request for a file.
func (n *node) do(ctx context.Context, method, address, file string, body io.Reader) *httptest.ResponseRecorder {
	n.w.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		n.w.t.Fatal(err)
	}
	u.Path += "/" + file
	rec := httptest.NewRecorder()
	n.files.ServeHTTP(rec, httptest.NewRequestWithContext(ctx, method, u.String(), body))
	return rec
}

func (n *node) want(status int, method, address, file, body string) http.Header {
	n.w.t.Helper()
	res := n.do(n.w.t.Context(), method, address, file, strings.NewReader(body))
	if res.Code != status {
		n.w.t.Errorf("%s %s: %d %s, want %d", method, file, res.Code, res.Body, status)
	}
	return res.Header()
}

// large is a file of three parts.
var large = strings.Repeat("x", 2*objectstore.MinPartSize+1)

// begin sends the first parts of a file, as a process does that dies then.
func (n *node) begin(container, name string) filestore.Draft {
	n.w.t.Helper()
	d, err := n.bucket.Create(n.w.t.Context(), container, name)
	if err == nil {
		_, err = io.WriteString(d, large)
	}
	if err != nil {
		n.w.t.Fatal(err)
	}
	return d
}
