package httpapi_test

import (
	"io"
	"net/http"
	"runtime"
	"strconv"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// outsideWorld is a platform whose bytes are in a folder.
func outsideWorld(t *testing.T, cfg filestore.Config) *httpapitest.Harness {
	t.Helper()
	files, err := filestore.Open(t.TempDir(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	})
	return httpapitest.New(t, httpapitest.WithPlatform(func(c *platform.Config) { c.Env.Bytes = files }))
}

// held is how many bytes of memory are in use once what no one needs is given back.
func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// zeros are so many bytes.
type zeros int

func (z *zeros) Read(b []byte) (int, error) {
	n := min(len(b), int(*z))
	clear(b[:n])
	if *z -= zeros(n); n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestUploadsTakeNoMemory holds what is taken up by a planner file that is uploaded in parts.
//
//nolint:paralleltest // it measures the memory of the whole process
func TestUploadsTakeNoMemory(t *testing.T) {
	tw := outsideWorld(t, filestore.Config{})
	res, err := tw.Schedules.CreateSchedule(t.Context(), schedules.NewSchedule{Name: "Plan", TwinID: tw.NewTwin("Tower")})
	if err != nil {
		t.Fatal(err)
	}
	const length, part = 64 << 20, 16 << 20
	files := tw.URL + "/schedules/" + res.Value().ID + "/files"
	send := func(method, address string, status int, body io.Reader, header ...string) http.Header {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, address, body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Tus-Resumable", "1.0.0")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := tw.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if resp.Body.Close(); resp.StatusCode != status || err != nil {
			t.Fatalf("%s: %d %s, %v; want %d", method, resp.StatusCode, text, err, status)
		}
		return resp.Header
	}
	before := held()
	at := send(http.MethodPost, files, http.StatusCreated, http.NoBody, "Upload-Length", strconv.Itoa(length)).Get("Location")
	for offset := 0; offset < length; offset += part {
		body := zeros(part)
		send(http.MethodPatch, at, http.StatusNoContent, &body, "Upload-Offset", strconv.Itoa(offset), "Content-Type", "application/offset+octet-stream")
	}
	if grown := held() - before; grown > 4<<20 {
		t.Errorf("an upload of %d MiB takes up %d MiB of memory", length>>20, grown>>20)
	} else {
		t.Logf("an upload of %d MiB takes up %d KiB of memory", length>>20, grown>>10)
	}
	send(http.MethodDelete, at, http.StatusNoContent, http.NoBody)
}
