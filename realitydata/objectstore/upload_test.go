package objectstore_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// A node that dies while a file is sent leaves nothing to see, and what it leaves is
// removed when no client can be sending it any more, not before.
func TestUploadOfADeadNodeIsSweptByAge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.node(w.config(), filestore.Config{}), w.node(w.config(), filestore.Config{})
	id, address := n.data()
	n.begin(id, "dead")
	if got := w.uploads(); len(got) != 1 || len(w.objects()) > 0 {
		t.Fatalf("uploads %q and objects %q", got, w.objects())
	}
	n.want(404, "GET", address, "dead", "")
	if size, err := other.files.ContainerSize(t.Context(), id); size != 0 || err != nil {
		t.Errorf("there are %d bytes, %v", size, err)
	}
	const longest = 10 * time.Hour
	w.advance(longest)
	alive := other.begin(id, "alive")
	w.advance(longest)
	if err := other.bucket.Sweep(t.Context(), longest); err != nil || len(w.uploads()) != 2 {
		t.Errorf("what may still be sent was swept: %q, %v", w.uploads(), err)
	}
	w.advance(2 * time.Hour)
	if err := other.bucket.Sweep(t.Context(), longest); err != nil || len(w.uploads()) != 1 {
		t.Errorf("what no one sends was not swept: %q, %v", w.uploads(), err)
	}
	err := alive.Close()
	if err == nil {
		err = alive.Commit(t.Context())
	}
	alive.Discard()
	if err != nil || len(w.objects()) != 1 || len(w.uploads()) != 0 {
		t.Errorf("the file of the other node: %v; %q, %q", err, w.objects(), w.uploads())
	}
}

// broken is a body whose sender leaves.
type broken struct {
	io.Reader
	leave func()
}

func (b broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		b.leave()
		return n, io.ErrUnexpectedEOF
	}
	return n, err
}

func TestSenderWhoLeavesLeavesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cfg := w.config()
	n := w.node(cfg, filestore.Config{})
	_, address := n.data()
	for _, content := range []string{"small", large} {
		ctx, leave := context.WithCancel(t.Context())
		n.do(ctx, http.MethodPut, address, "f", broken{strings.NewReader(content), leave})
	}
	if len(w.objects())+len(w.uploads()) > 0 {
		t.Errorf("there remain %q, %q", w.objects(), w.uploads())
	}
	if left, err := os.ReadDir(cfg.Dir); err != nil || len(left) > 0 {
		t.Errorf("next to the node there remain %v, %v", left, err)
	}
}

// One request for a small file, besides the question whether it replaces another, of which
// something may be left; and as many as it has parts, and two, for a large one.
func TestRequestsOfAnUpload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.node(w.config(), filestore.Config{})
	_, address := n.data()
	n.want(201, "PUT", address, "first", "x")
	w.made()
	n.want(201, "PUT", address, "small", "x")
	if diff := cmp.Diff([]string{"HEAD", "PUT"}, w.made()); diff != "" {
		t.Errorf("a small file (-want +got):\n%s", diff)
	}
	n.want(201, "PUT", address, "small", "y")
	if diff := cmp.Diff([]string{"HEAD", "PUT", "GET list of attributes"}, w.made()); diff != "" {
		t.Errorf("in the place of another (-want +got):\n%s", diff)
	}
	n.want(201, "PUT", address, "large", large)
	if diff := cmp.Diff([]string{"POST uploads", "PUT uploadId", "PUT uploadId", "PUT uploadId", "HEAD", "POST uploadId"}, w.made()); diff != "" {
		t.Errorf("a large file (-want +got):\n%s", diff)
	}
	n.want(307, "GET", address, "small", "")
	if diff := cmp.Diff([]string{"HEAD"}, w.made()); diff != "" {
		t.Errorf("reading (-want +got):\n%s", diff)
	}
}

// Files of one container do not wait for one another.
func TestFilesOfAContainerAppearConcurrently(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.node(w.config(), filestore.Config{})
	_, address := n.data()
	const files = 5
	var arrived sync.WaitGroup
	arrived.Add(files)
	w.meddling(func(r *http.Request) *http.Response {
		if r.Method == http.MethodPut {
			arrived.Done()
			arrived.Wait()
		}
		return nil
	})
	var sending sync.WaitGroup
	for i := range files {
		sending.Go(func() { n.want(201, "PUT", address, string(rune('a'+i)), "x") })
	}
	sending.Wait()
}

// A node that removes a container removes it also from under a file that another node is
// just putting into it, of one part or several.
func TestFileDoesNotOutliveItsContainer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		content string
		last    func(*http.Request) bool // the request by which the file appears
	}{
		"of one part": {"small", func(r *http.Request) bool { return r.Method == http.MethodPut }},
		"of several":  {large, func(r *http.Request) bool { return r.Method == http.MethodPost && r.URL.Query().Has("uploadId") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			n, other := w.node(w.config(), filestore.Config{MaxAccount: int64(len(large))}), w.node(w.config(), filestore.Config{})
			id, address := n.data()
			n.want(201, "PUT", address, "before", "")
			var once sync.Once
			w.meddling(func(r *http.Request) *http.Response {
				if test.last(r) {
					once.Do(func() {
						if err := other.DeleteRealityData(context.Background(), id); err != nil {
							t.Error(err)
						}
					})
				}
				return nil
			})
			res := n.do(t.Context(), http.MethodPut, address, "late", strings.NewReader(test.content))
			if res.Code == http.StatusCreated || len(w.objects())+len(w.uploads()) > 0 {
				t.Errorf("%d; there remain %q, %q", res.Code, w.objects(), w.uploads())
			}
			// Nor does it take up room.
			_, address = n.data()
			n.want(201, "PUT", address, "full", large)
		})
	}
}

// Who reads a file that another takes the place of gets an error, and no mixture.
func TestReaderOfAFileThatIsReplaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.node(w.config(), filestore.Config{})
	id, address := n.data()
	n.want(201, "PUT", address, "f", large)
	f, err := n.bucket.Open(t.Context(), id, "f")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Content.Close() }()
	if _, err := io.ReadFull(f.Content, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	n.want(201, "PUT", address, "f", strings.Repeat("y", len(large)))
	rest, err := io.ReadAll(f.Content)
	if err == nil || strings.Contains(string(rest), "y") {
		t.Errorf("%d bytes more, %v", len(rest), err)
	}
}

func TestObjectStoreThatDoesNotAnswerIsUnavailable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cfg := w.config()
	n := w.node(cfg, filestore.Config{})
	id, address := n.data()
	n.want(201, "PUT", address, "there", "x")
	down := func(r *http.Request) *http.Response {
		res := answer(http.StatusForbidden, "InvalidAccessKeyId")
		res.Header.Set("X-Amz-Request-Id", secretKey)
		return res
	}
	w.meddling(down)
	for _, method := range []string{"PUT", "GET", "DELETE"} {
		if n.want(503, method, address, "there", "y").Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After header", method)
		}
	}
	if _, err := n.files.ContainerSize(t.Context(), id); err == nil {
		t.Error("a size was measured")
	}
	if err := n.DeleteRealityData(t.Context(), id); err != nil {
		t.Error(err)
	}
	w.meddling(nil)
	if got := w.objects(); len(got) != 1 {
		t.Errorf("there are %q", got)
	}
	// What could not be removed is, when someone begins.
	w.node(cfg, filestore.Config{})
	if got := w.objects(); len(got) > 0 {
		t.Errorf("there remain %q", got)
	}
	for _, secret := range []string{secretKey, token, accessKey, "X-Amz-Signature"} {
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("the log has %q:\n%s", secret, w.log.String())
		}
	}
	if !strings.Contains(w.log.String(), "403 InvalidAccessKeyId") {
		t.Errorf("the log does not say what is the matter:\n%s", w.log.String())
	}
}

// What a server refuses for good is known by its name, and not sent again: of servers over folders the words
// are those that they were seen to say (rclone serve s3 1.76.0, versitygw 1.8.0).
func TestRefusalsForGoodAreNotToBeSentAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status        int
		code, message string
		want          int
	}{
		"a file where a folder would be": {http.StatusBadRequest, "InvalidRequest", `Directory "x" is the name of an object`, http.StatusConflict},
		"a folder where the file would be": {
			http.StatusBadRequest, "InvalidRequest", `Object name "x" is the name of a directory`, http.StatusConflict,
		},
		"a name that is too long":     {http.StatusBadRequest, "KeyTooLongError", "", http.StatusUnprocessableEntity},
		"a part that is too long":     {http.StatusInternalServerError, "InternalError", "open x: file name too long", http.StatusUnprocessableEntity},
		"an argument":                 {http.StatusBadRequest, "InvalidArgument", "", http.StatusUnprocessableEntity},
		"a request for a later time":  {http.StatusServiceUnavailable, "SlowDown", "", http.StatusServiceUnavailable},
		"a request with wrong clocks": {http.StatusForbidden, "RequestTimeTooSkewed", "", http.StatusServiceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			n := w.node(w.config(), filestore.Config{})
			_, address := n.data()
			w.meddling(func(r *http.Request) *http.Response {
				if r.Method != http.MethodPut && r.Method != http.MethodPost {
					return nil
				}
				res := answer(test.status, test.code)
				body := "<Error><Code>" + test.code + "</Code><Message>" + test.message + "</Message></Error>"
				res.Body, res.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
				return res
			})
			again := n.want(test.want, "PUT", address, "there", "x").Get("Retry-After")
			if (again != "") != (test.want == http.StatusServiceUnavailable) {
				t.Errorf("Retry-After is %q", again)
			}
		})
	}
}

// A bucket is asked for what is in a container once in a while, and more seldom when that
// takes long.
func TestContainerIsCountedWhenItIsWrittenTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now()
	clock := &now
	n := w.node(w.config(), filestore.Config{Now: func() time.Time { return *clock }})
	_, address := n.data()
	lists := func() (count int) {
		for _, r := range w.made() {
			if strings.Contains(r, "list-type") {
				count++
			}
		}
		return count
	}
	if got := lists(); got > 0 {
		t.Errorf("%d lists at the start", got)
	}
	put := func(want int, after time.Duration) {
		t.Helper()
		*clock = clock.Add(after)
		n.want(201, "PUT", address, "f", "x")
		if got := lists(); got != want {
			t.Errorf("%d lists %v later, want %d", got, after, want)
		}
	}
	put(1, 0)
	put(0, 0)
	put(0, n.bucket.Fresh()-time.Second)
	put(1, time.Second)
	w.meddling(func(r *http.Request) *http.Response {
		if r.URL.Query().Has("list-type") && !ofAttributes(r) {
			*clock = clock.Add(10 * time.Second)
		}
		return nil
	})
	put(1, n.bucket.Fresh())
	put(0, 199*time.Second)
	put(1, 2*time.Second)
	n.want(307, "GET", address, "f", "")
	n.want(204, "DELETE", address, "f", "")
	if got := w.made(); slices.Contains(got, "GET list-type") {
		t.Errorf("reading and removing count: %q", got)
	}
}

// What appears while a container is counted counts, whether the list has it or not, and
// does not wait for it.
func TestFileThatAppearsWhileItsContainerIsCountedCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Now()
	clock := &now
	n := w.node(w.config(), filestore.Config{MaxContainer: 10, Now: func() time.Time { return *clock }})
	_, address := n.data()
	n.want(201, "PUT", address, "a", "1")
	*clock = clock.Add(n.bucket.Fresh())
	w.meddling(func(r *http.Request) *http.Response {
		if !r.URL.Query().Has("list-type") {
			return nil
		}
		w.meddling(nil)
		before, err := w.RoundTrip(r)
		if err != nil {
			t.Error(err)
		}
		n.want(201, "PUT", address, "meanwhile", "12345678")
		return before
	})
	n.want(201, "PUT", address, "b", "1")
	n.want(409, "PUT", address, "c", "1")
}
