package filestore_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/blobclient"
	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// over sends a request of the blob protocol to a server.
func over(ctx context.Context, t *testing.T, method, address, file, query, body string, header ...string) (answer, error) {
	t.Helper()
	u := at(t, address, file)
	if query != "" {
		u += "&" + query
	}
	r, err := http.NewRequestWithContext(ctx, method, u, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	r.Header.Set("x-ms-version", since[1])
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return answer{}, err
	}
	got, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	return answer{res.StatusCode, res.Header, string(got)}, err
}

// versionOf is the block of a version of a file.
func versionOf(n, part int) string { return strings.Repeat(fmt.Sprintf("%d of %d ", part, n), 20_000) }

// writeVersions writes one version of a file after the other, each in three blocks and with
// metadata that name it, until the server is gone, and reports each that was acknowledged.
func writeVersions(ctx context.Context, t *testing.T, address string, first int, acknowledged chan<- int) {
	t.Helper()
	defer close(acknowledged)
	for n := first; ; n++ {
		for part := range 3 {
			got, err := over(ctx, t, "PUT", address, "a", blockQuery(blockID(part)), versionOf(n, part))
			if err != nil {
				return
			}
			if got.status != 201 {
				t.Errorf("block %d: %d %s", part, got.status, got.body)
				return
			}
		}
		got, err := over(ctx, t, "PUT", address, "a", "comp=blocklist",
			list("Uncommitted", blockID(0), "Uncommitted", blockID(1), "Uncommitted", blockID(2)), "x-ms-meta-version", fmt.Sprint(n))
		if err != nil {
			return
		}
		if got.status != 201 {
			t.Errorf("the list: %d %s", got.status, got.body)
			return
		}
		acknowledged <- n
	}
}

// Whenever the process dies, the file is one version with the metadata of that, and no older one than
// was acknowledged.
func TestKilledServerLeavesTheOldFileOrTheNewOne(t *testing.T) {
	t.Parallel()
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for _, kind := range []string{"alone", "shared"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			server, last := blobclient.Own(kind+":"+t.TempDir()), 0
			for round := range rounds {
				address, kill := server.Start(t)
				acknowledged := make(chan int)
				go writeVersions(t.Context(), t, address.Write, last+1, acknowledged)
				for n := range acknowledged {
					if last = n; n%3 == round%3 {
						kill() // while the next one is written
					}
				}
				address, kill = server.Start(t)
				got, err := over(t.Context(), t, "GET", address.Read, "a", "", "")
				if err != nil {
					t.Fatal(err)
				}
				var version int
				if _, err := fmt.Sscan(got.header.Get("x-ms-meta-version"), &version); err != nil || version < last {
					t.Errorf("the metadata are of version %q, and %d was acknowledged", got.header.Get("x-ms-meta-version"), last)
				}
				if want := versionOf(version, 0) + versionOf(version, 1) + versionOf(version, 2); got.body != want {
					t.Errorf("with the metadata of version %d there are %d bytes that begin with %.20q", version, len(got.body), got.body)
				}
				last = version
				kill()
			}
		})
	}
}

// emptied takes an answer and keeps nothing of it.
type emptied struct {
	header http.Header
	bytes  int64
}

func (e *emptied) Header() http.Header { return e.header }
func (e *emptied) WriteHeader(int)     {}
func (e *emptied) Write(b []byte) (int, error) {
	e.bytes += int64(len(b))
	return len(b), nil
}

// zeros is a body that is made as it is read.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// It runs in parallel with no other test: what is measured is the process.
func TestUploadInBlocksHoldsNoMoreThanABlockInMemory(t *testing.T) { //nolint:paralleltest // see above
	const block = 8 << 20
	blocks := 25
	if testing.Short() {
		blocks = 3
	}
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	read, peak := heapgauge.Peak(t, func() int64 {
		ids := make([]string, 0, 2*blocks)
		turns, done := make(chan int), make(chan bool)
		for range 4 {
			go func() {
				for i := range turns {
					u := at(t, address, "a") + "&" + blockQuery(blockID(i))
					w.request("PUT", u, io.LimitReader(zeros{}, block), since...).want(t, 201)
				}
				done <- true
			}()
		}
		for i := range blocks {
			ids = append(ids, "Latest", blockID(i))
			turns <- i
		}
		close(turns)
		for range 4 {
			<-done
		}
		w.blob("PUT", address, "a", "comp=blocklist", list(ids...)).want(t, 201)
		out := &emptied{header: make(http.Header)}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at(t, address, "a"), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("x-ms-version", since[1])
		w.files.ServeHTTP(out, r)
		return out.bytes
	})
	if read != int64(blocks)*block {
		t.Errorf("%d bytes were read", read)
	}
	if peak > block {
		t.Errorf("%d blocks of %d bytes took %d bytes of memory", blocks, block, peak)
	}
	if got := w.onDisk(); len(got) != 2 { // the file, and its list
		t.Errorf("there are %q", got)
	}
}
