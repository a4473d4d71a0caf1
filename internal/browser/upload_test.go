package browser_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/seed-933f9a09/twinplatform/internal/browser"
)

// cable leads to a server, until so many bytes were sent to it.
type cable struct {
	net.Listener

	to   string
	left atomic.Int64 // bytes until it is cut; nothing passes below 0
	sent atomic.Int64
}

// lay lays a cable to a server that is cut after some bytes.
func lay(t *testing.T, to string, left int64) *cable {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{Listener: listener, to: to}
	c.left.Store(left)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go c.pass(from)
		}
	}()
	return c
}

// pass passes on what a client sends and gets.
func (c *cable) pass(from net.Conn) {
	defer from.Close()
	if c.left.Load() < 0 {
		return
	}
	to, err := new(net.Dialer).Dial("tcp", c.to)
	if err != nil {
		return
	}
	defer to.Close()
	go func() {
		_, _ = io.Copy(from, to)
		_ = from.Close()
	}()
	_, _ = io.Copy(to, counting{c, from})
}

type counting struct {
	c    *cable
	from io.Reader
}

func (r counting) Read(b []byte) (int, error) {
	n, err := r.from.Read(b)
	r.c.sent.Add(int64(n))
	if r.c.left.Add(-int64(n)) < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// dataOf makes reality data, and returns the address of the page with their files.
func (b *tab) dataOf(server string) string {
	b.t.Helper()
	made := b.apiAt(server, "demo", http.MethodPost, "/reality-management/reality-data",
		`{"twinId": "`+planTwin+`", "displayName": "Scan Süd", "type": "LAS"}`, http.StatusCreated)
	id, _ := made["realityData"].(map[string]any)["id"].(string)
	return "/console/reality-management/reality-data/" + id + "/files"
}

// scan writes a file of 40 MiB, which no two alike of parts make.
func scan(t *testing.T, dir string) (file string, content []byte) {
	t.Helper()
	content = make([]byte, 40<<20)
	random := rand.NewChaCha8([32]byte{5, 3})
	_, _ = random.Read(content)
	file = filepath.Join(dir, "Bauteil ä.las")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file, content
}

// wants fails unless a file of the page has a content.
func (b *tab) wants(server, page, name string, content []byte) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, server+page+"/"+name, http.NoBody)
	if err != nil {
		b.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil || sha256.Sum256(got) != sha256.Sum256(content) {
		b.t.Errorf("%s has %d bytes, %v, not those of the file with %d", name, len(got), err, len(content))
	}
}

// cutAt is a browser at the files of reality data, whose connection to the server is cut after some bytes.
func cutAt(t *testing.T, bytes int64) (server *browser.Server, c *cable, b *tab, page string) {
	t.Helper()
	server = serve(t, "-seed", seed)
	c = lay(t, server.URL[len("http://"):], bytes)
	b = open(t, "http://"+c.Addr().String())
	return server, c, b, b.dataOf(server.URL)
}

const (
	said      = `document.querySelector("#upload [role=status]").textContent`
	lost      = said + `.includes("The connection is lost")`
	fileField = `#upload input[id="file"]`
)

func TestAnUploadGoesOnWhereTheConnectionWasCut(t *testing.T) {
	t.Parallel()
	server, c, b, page := cutAt(t, 30<<20)
	dir := t.TempDir()
	file, content := scan(t, dir)
	small := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(small, []byte("dry"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.visit(page)
	b.look("the files of reality data, which are none yet")
	b.do(chromedp.SetUploadFiles(chromedp.CSS(fileField), []string{file, small}))
	b.do(chromedp.Click(button("Upload")))
	b.until(lost)
	b.look("an upload whose connection is lost")
	c.left.Store(1 << 40)
	b.until(said + ` === "2 files uploaded."`)
	if sent := c.sent.Load(); sent > 50<<20 {
		t.Errorf("of 40 MiB, %d bytes were sent: it began anew", sent)
	}
	b.wants(server.URL, page, "Bauteil%20%C3%A4.las", content)
	b.shows("notes.txt", "40.0 MiB")
	b.look("the files of reality data")
}

func TestAnUploadGoesOnWhenTheSameFilesAreChosenAgain(t *testing.T) {
	t.Parallel()
	server, c, b, page := cutAt(t, 30<<20)
	dir := filepath.Join(t.TempDir(), "flight 1")
	for i := range 20 {
		inner := filepath.Join(dir, fmt.Sprint("row ", i%3))
		if err := os.MkdirAll(inner, 0o700); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(inner, fmt.Sprint(i, ".txt"))
		if err := os.WriteFile(name, bytes.Repeat([]byte{byte(i)}, 100+i), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, content := scan(t, dir)
	choose := func() {
		b.visit(page)
		b.do(chromedp.SetUploadFiles(chromedp.CSS(`#upload input[id="folder"]`), []string{dir}))
		b.do(chromedp.Click(button("Upload")))
	}
	choose()
	b.until(lost)
	c.left.Store(1 << 40)
	b.do(chromedp.Click(button("Pause"))) // or the browser asks whether to leave the page
	choose()
	b.until(said + `.includes("had been uploaded before")`)
	if sent := c.sent.Load(); sent > 60<<20 {
		t.Errorf("of 40 MiB, %d bytes were sent: it began anew", sent)
	}
	b.wants(server.URL, page, "flight%201/Bauteil%20%C3%A4.las", content)
	b.wants(server.URL, page, "flight%201/row%201/19.txt", bytes.Repeat([]byte{19}, 119))
	b.errors("an upload that was chosen again")
}

// write writes a file as if it had always been written at the same time.
func write(t *testing.T, file string, content []byte) {
	t.Helper()
	then := time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)
	if err := errors.Join(os.WriteFile(file, content, 0o600), os.Chtimes(file, then, then)); err != nil {
		t.Fatal(err)
	}
}

// send chooses a file on the page that is open, and uploads it.
func (b *tab) send(file string) {
	b.t.Helper()
	b.do(chromedp.SetUploadFiles(chromedp.CSS(fileField), []string{file}))
	b.do(chromedp.Click(button("Upload")))
}

func TestAnotherFileOfTheSameNameSizeAndTimeIsReplacedOnlyWhereOneSaysSo(t *testing.T) {
	t.Parallel()
	server := serve(t, "-seed", seed)
	b := open(t, server.URL)
	page, file := b.dataOf(server.URL), filepath.Join(t.TempDir(), "DJI_0001.JPG")
	first, second := []byte("flight 1"), []byte("flight 2")
	const waits = said + `.includes("1 file waits for you")`
	b.visit(page)
	write(t, file, first)
	b.send(file)
	b.until(said + ` === "1 file uploaded."`)
	b.send(file)
	b.until(said + ` === "0 files uploaded. 1 file had been uploaded before."`)
	write(t, file, second)
	b.send(file)
	b.until(waits)
	b.look("a file whose name another one has")
	b.do(chromedp.Click(chromedp.CSS(`#upload [data-does="Keep"]`)))
	b.until(`document.querySelector("[data-there]").hidden`)
	b.wants(server.URL, page, "DJI_0001.JPG", first)
	b.send(file)
	b.until(waits)
	b.do(chromedp.Click(chromedp.CSS(`#upload [data-does="Replace"]`)))
	b.until(said + ` === "1 file uploaded."`)
	b.wants(server.URL, page, "DJI_0001.JPG", second)
}

func TestAnUploadThatWasCutTakesNoBlocksOfAnotherFileOfTheSameSizeAndTime(t *testing.T) {
	t.Parallel()
	server, c, b, page := cutAt(t, 30<<20)
	file, content := scan(t, t.TempDir())
	write(t, file, content)
	b.visit(page)
	b.send(file)
	b.until(lost)
	c.left.Store(1 << 40)
	b.do(chromedp.Click(button("Pause")))
	content[5], content[20<<20] = content[5]+1, content[20<<20]+1
	write(t, file, content)
	b.visit(page)
	b.send(file)
	b.until(said + ` === "1 file uploaded."`)
	b.wants(server.URL, page, "Bauteil%20%C3%A4.las", content)
}

func TestAFileThatIsChosenAgainWhileItIsSentIsSentOnce(t *testing.T) {
	t.Parallel()
	server, c, b, page := cutAt(t, 30<<20)
	file, content := scan(t, t.TempDir())
	b.visit(page)
	b.send(file)
	b.until(lost)
	b.send(file)
	c.left.Store(1 << 40)
	b.until(said + `.includes("uploaded")`)
	if got := eval[string](b, said); got != "1 file uploaded." {
		t.Errorf("it says %q", got)
	}
	b.wants(server.URL, page, "Bauteil%20%C3%A4.las", content)
}

func TestAnUploadThatIsRefusedAtEachAddressEndsAndSaysSo(t *testing.T) {
	t.Parallel()
	server := serve(t, "-seed", seed)
	to, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var puts atomic.Int64
	pass := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}}
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			pass.ServeHTTP(w, r)
			return
		}
		puts.Add(1)
		w.WriteHeader(http.StatusForbidden)
	}))
	defer refusing.Close()
	b := open(t, refusing.URL)
	file := filepath.Join(t.TempDir(), "notes.txt")
	write(t, file, []byte("dry"))
	b.visit(b.dataOf(server.URL))
	b.send(file)
	b.until(said + ` === "0 files uploaded. 1 file could not be sent."`)
	b.shows("notes.txt was not sent: The server answered 403.")
	if n := puts.Load(); n != 5 {
		t.Errorf("it was sent %d times", n)
	}
}
