package filestore_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// lengthless hides how long a body is.
type lengthless struct{ io.Reader }

func TestLimitsAreHeldAndFreedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{MaxFile: 10, MaxContainer: 15, MaxAccount: 25, MaxFiles: 3})
	_, first := w.data(w.of("acme", "ann"))
	_, second := w.data(w.of("acme", "bob"))
	_, abroad := w.data(w.of("other", "eve"))
	for _, step := range []struct {
		name, address, file string
		bytes, status       int
		code                string
	}{
		{"a file of the largest size", first, "a", 10, 201, ""},
		{"one larger", first, "b", 11, 413, "RequestTooLarge"},
		{"more than the container holds", first, "b", 6, 409, "ContainerFull"},
		{"as much as it holds", first, "b", 5, 201, ""},
		{"another container", second, "a", 10, 201, ""},
		{"more than the account holds", second, "b", 1, 409, "AccountStorageFull"},
		{"another account", abroad, "a", 10, 201, ""},
		{"an empty file", first, "c", 0, 201, ""},
		{"one file too many", first, "d", 0, 409, "ContainerFull"},
	} {
		for _, known := range []bool{true, false} {
			body := io.Reader(strings.NewReader(strings.Repeat("x", step.bytes)))
			if !known {
				body = lengthless{body}
			}
			status, answer := w.do(http.MethodPut, step.address, step.file, body)
			if status != step.status || !strings.Contains(answer, step.code) {
				t.Errorf("%s, length known %v: %d %s", step.name, known, status, answer)
			}
			if status == 201 {
				break // a file in place of itself needs the room of both
			}
		}
	}
	if status, _ := w.do(http.MethodDelete, first, "a", nil); status != 204 {
		t.Fatal(status)
	}
	if status, answer := w.put(second, "b", "12345"); status != 201 {
		t.Errorf("after a removal: %d %s", status, answer)
	}
	if got := w.onDisk(); len(got) != 5 {
		t.Errorf("there are %q", got)
	}
}

// TestNoCallerFillsTheDiskOfOthers has a disk with little room left.
func TestNoCallerFillsTheDiskOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{MinFree: 1_000, Free: func() (int64, error) { return 1_010, nil }})
	_, address := w.data(w.of("acme", "ann"))
	if status, body := w.put(address, "a", strings.Repeat("x", 10)); status != 201 {
		t.Errorf("what leaves enough: %d %s", status, body)
	}
	for _, body := range []io.Reader{strings.NewReader(strings.Repeat("x", 11)), lengthless{strings.NewReader(strings.Repeat("x", 11))}} {
		if status, answer := w.do(http.MethodPut, address, "b", body); status != 503 || !strings.Contains(answer, "StorageFull") {
			t.Errorf("what leaves too little: %d %s", status, answer)
		}
	}
}

// TestUploadsAtOnceAreCounted has one principal and one account send as many files at
// once as they may, and another account send one at the same time.
func TestUploadsAtOnceAreCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{MaxUploads: 2, MaxAccountUploads: 3})
	_, ann := w.data(w.of("acme", "ann"))
	_, bob := w.data(w.of("acme", "bob"))
	_, eve := w.data(w.of("other", "eve"))
	var sending sync.WaitGroup
	started, goOn := make(chan bool), make(chan bool)
	send := func(address, file string) {
		body := &waiting{started: started, goOn: goOn}
		sending.Go(func() {
			if status, answer := w.do(http.MethodPut, address, file, lengthless{body}); status != 201 {
				t.Errorf("%s: %d %s", file, status, answer)
			}
		})
		<-started
	}
	send(ann, "1")
	send(ann, "2")
	if status, answer := w.put(ann, "3", "x"); status != 429 || !strings.Contains(answer, "RateLimitExceeded") {
		t.Errorf("the third of a principal: %d %s", status, answer)
	}
	send(bob, "1")
	if status, _ := w.put(bob, "2", "x"); status != 429 {
		t.Errorf("the fourth of an account: %d", status)
	}
	if status, answer := w.put(eve, "1", "x"); status != 201 {
		t.Errorf("another account: %d %s", status, answer)
	}
	close(goOn)
	sending.Wait()
	if status, answer := w.put(ann, "3", "x"); status != 201 {
		t.Errorf("afterwards: %d %s", status, answer)
	}
}

// waiting is a body that ends when its channel is closed.
type waiting struct {
	started chan<- bool
	goOn    <-chan bool
	once    sync.Once
}

func (w *waiting) Read([]byte) (int, error) {
	w.once.Do(func() { w.started <- true })
	<-w.goOn
	return 0, io.EOF
}

func TestRateIsThatOfAPrincipal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{Rate: 2})
	_, ann := w.data(w.of("acme", "ann"))
	_, bob := w.data(w.of("acme", "bob"))
	for i, want := range []int{404, 404, 429} {
		if status, _ := w.do(http.MethodGet, ann, "none", nil); status != want {
			t.Errorf("request %d: %d", i+1, status)
		}
		if status, _ := w.do(http.MethodGet, "http://files.test/data", "none", nil); status != map[int]int{404: 403, 429: 429}[want] {
			t.Errorf("request %d without an address: %d", i+1, status)
		}
	}
	if status, _ := w.do(http.MethodGet, bob, "none", nil); status != 404 {
		t.Errorf("another principal: %d", status)
	}
}

func TestNamesThatNoFileCanHaveAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	if status, _ := w.put(address, "folder/file", "x"); status != 201 {
		t.Fatal(status)
	}
	for file, want := range map[string]int{
		"folder": 409, "folder/file/below": 409, ".part-x": 422, "a/.part-x": 422,
		strings.Repeat("a/", 33) + "b": 422, strings.Repeat("a", 300): 422, strings.Repeat("a", 1_025): 422, "": 404,
	} {
		if status, body := w.put(address, file, "x"); status != want || !strings.HasPrefix(body, `{"error":{"code":"`) {
			t.Errorf("%.20q: %d %s, want %d", file, status, body, want)
		}
	}
	if got := w.onDisk(); len(got) != 1 {
		t.Errorf("there are %q", got)
	}
}
