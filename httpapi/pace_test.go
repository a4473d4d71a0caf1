package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// slowly sends so many bytes over a connection, a piece each second.
func slowly(conn net.Conn, size, perSecond int) {
	piece := strings.Repeat("x", perSecond)
	for sent := 0; sent < size; sent += perSecond {
		time.Sleep(time.Second) // on the bubble's clock
		if _, err := io.WriteString(conn, piece[:min(perSecond, size-sent)]); err != nil {
			return
		}
	}
}

// bytesSent take more than three minutes at the pace that is asked for.
const bytesSent = 4 << 20

// upload is an operation whose body is bytes.
type upload struct {
	world  func(testing.TB) *httpapi.Handler
	caller string
	line   string
	header string
	want   int
}

func uploads() map[string]upload {
	withFile := func(t testing.TB) *httpapi.Handler {
		h := newWorld(t).handler
		if w := ask(h, "POST", "/schedules/plan/files", "", "Authorization: Bearer writer", "Tus-Resumable: 1.0.0", fmt.Sprint("Upload-Length: ", bytesSent)); w.Code != 201 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return h
	}
	return map[string]upload{
		"formAttachments.write":  {formsWorld, "owner", "PUT /forms/crack/attachments/photo", "", 204},
		"issueAttachments.write": {formsWorld, "owner", "PUT /issues/crack/attachments/photo", "", 204},
		"twinImages.set":         {newTwinsWorld, "writer", "PUT /twins/" + towerID + "/image", "", 422}, // no picture: it was read to its end
		"models.importGltf":      {newDataWorld, "writer", "POST /models/free/gltf", "", 422},            // no glTF: as above
		"files.update": {
			withFile, "writer", "PATCH /schedules/plan/files/new-01",
			"Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n", 204,
		},
	}
}

// Every operation that takes bytes takes them for as long as they come at 16 KiB a second,
// and gives up who sends more slowly.
func TestBytesAreTakenAtThePaceOfTheClient(t *testing.T) {
	t.Parallel()
	for _, o := range httpapi.Operations() {
		if _, tried := uploads()[o.ID]; httpapi.TakesBytes(o.ID) != tried {
			t.Errorf("%s is not tried", o.ID)
		}
	}
	for id, up := range uploads() {
		t.Run(id+" steady", func(t *testing.T) {
			t.Parallel()
			up.send(t, 20<<10, up.want, 4*time.Minute)
		})
		t.Run(id+" slow", func(t *testing.T) {
			t.Parallel()
			up.send(t, 1<<10, 503, 2*time.Minute)
		})
	}
}

func (up upload) send(t *testing.T, perSecond, want int, within time.Duration) {
	t.Helper()
	h := up.world(t)
	synctest.Test(t, func(t *testing.T) {
		l := serve(t, &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second})
		conn := l.dial()
		began := time.Now()
		var sender sync.WaitGroup
		sender.Go(func() {
			_, _ = io.WriteString(conn, up.line+" HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer "+up.caller+"\r\n"+
				up.header+fmt.Sprintf("Content-Length: %d\r\n\r\n", bytesSent))
			slowly(conn, bytesSent, perSecond)
		})
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("after %v: %v", time.Since(began), err)
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		if took := time.Since(began); res.StatusCode != want || took > within {
			t.Errorf("after %v: %d %s", took, res.StatusCode, body)
		}
		_ = conn.Close()
		sender.Wait()
		time.Sleep(time.Minute) // until the server has noticed
	})
}

// A client that reads 16 KiB a second gets all bytes; a slower one is cut off.
func TestBytesAreGivenAtThePaceOfTheClient(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		perSecond int
		whole     bool
	}{"steady": {20 << 10, true}, "slow": {1 << 10, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := formsWorld(t)
			if w := ask(h, "PUT", "/forms/crack/attachments/photo", strings.Repeat("x", bytesSent), "Authorization: Bearer owner"); w.Code != 204 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			synctest.Test(t, func(t *testing.T) {
				l := serve(t, &http.Server{Handler: h})
				conn := l.dial()
				began, got := time.Now(), int64(0)
				_, _ = io.WriteString(conn, "GET /forms/crack/attachments/photo HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\nAuthorization: Bearer owner\r\n\r\n")
				for {
					time.Sleep(time.Second) // on the bubble's clock
					n, err := io.CopyN(io.Discard, conn, int64(tt.perSecond))
					if got += n; err != nil {
						break
					}
				}
				if whole := got > bytesSent; whole != tt.whole || time.Since(began) > 10*time.Minute {
					t.Errorf("%d of %d bytes in %v", got, bytesSent, time.Since(began))
				}
				_ = conn.Close()
			})
		})
	}
}
