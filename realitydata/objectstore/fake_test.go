package objectstore_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/seed-933f9a09/twinplatform/realitydata/objectstore"
)

const (
	accessKey = "AKIDEXAMPLE"
	secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
	token     = "session/token/of+the+test=="
)

// fake is an object store in memory, that is reached without a network.
type fake struct {
	t     *testing.T
	inner http.Handler

	mu       sync.Mutex
	ahead    time.Duration // of this clock
	requests []string      // method, path and what of it
	meddle   func(*http.Request) *http.Response
}

// attributesFolder begins the folders of what is kept besides the bytes of files.
var attributesFolder = "c-" + base64.RawURLEncoding.EncodeToString([]byte("attributes/."))[:14]

// ofAttributes reports whether a request lists what is kept besides the bytes of files.
func ofAttributes(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Query().Get("prefix"), "platform/files/"+attributesFolder)
}

func newFake(t *testing.T) *fake {
	f := &fake{t: t}
	backend := s3mem.New(s3mem.WithTimeSource(f))
	if err := backend.CreateBucket("twins"); err != nil {
		t.Fatal(err)
	}
	f.inner = gofakes3.New(backend, gofakes3.WithTimeSource(f), gofakes3.WithTimeSkewLimit(0), gofakes3.WithoutVersioning()).Server()
	return f
}

func (f *fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return time.Now().Add(f.ahead)
}

func (f *fake) Since(t time.Time) time.Duration { return f.Now().Sub(t) }

// advance moves the clock of the object store.
func (f *fake) advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ahead += d
}

// meddling has fn answer requests, or nil leave them alone.
func (f *fake) meddling(fn func(*http.Request) *http.Response) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.meddle = fn
}

// made returns what was asked for since it was last asked.
func (f *fake) made() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	made := f.requests
	f.requests = nil
	return made
}

func (f *fake) RoundTrip(r *http.Request) (*http.Response, error) {
	what := ""
	for _, name := range []string{"uploads", "uploadId", "list-type", "delete", "X-Amz-Signature"} {
		if r.URL.Query().Has(name) {
			what += " " + name
		}
	}
	if ofAttributes(r) {
		what = " list of attributes"
	}
	f.mu.Lock()
	f.requests = append(f.requests, r.Method+what)
	meddle := f.meddle
	f.mu.Unlock()
	if meddle != nil {
		if res := meddle(r); res != nil {
			return res, nil
		}
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.URL.Query().Has("X-Amz-Signature") {
		if why := f.unsigned(r); why != "" {
			return answer(http.StatusForbidden, why), nil
		}
	} else if !strings.Contains(r.Header.Get("Authorization"), "Credential="+accessKey+"/") {
		return answer(http.StatusForbidden, "AccessDenied"), nil
	}
	in := r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	in.Header.Set("Content-Length", strconv.FormatInt(in.ContentLength, 10))
	if why := badSum(in); why != "" {
		return answer(http.StatusBadRequest, why), nil
	}
	in.RequestURI = in.URL.RequestURI()
	if etag := in.Header.Get("If-Match"); etag != "" && etag != f.etag(in) {
		return answer(http.StatusPreconditionFailed, "PreconditionFailed"), nil
	}
	rec := httptest.NewRecorder()
	rec.Header().Set("Date", f.Now().UTC().Format(http.TimeFormat))
	f.inner.ServeHTTP(rec, in)
	res := rec.Result()
	res.Request = r
	return res, nil
}

// etag is that of the object of a request.
func (f *fake) etag(r *http.Request) string {
	head := r.Clone(r.Context())
	head.Method = http.MethodHead
	head.Header = make(http.Header)
	rec := httptest.NewRecorder()
	f.inner.ServeHTTP(rec, head)
	return rec.Header().Get("ETag")
}

// badSum reports whether a body is another than its signed sum is of.
func badSum(r *http.Request) string {
	want := r.Header.Get("X-Amz-Content-Sha256")
	if len(want) != sha256.Size*2 {
		return ""
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return "IncompleteBody"
	}
	if got := sha256.Sum256(body); hex.EncodeToString(got[:]) != want {
		return "XAmzContentSHA256Mismatch"
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return ""
}

// unsigned reports what is wrong with a presigned address, as S3 reads it.
func (f *fake) unsigned(r *http.Request) string {
	q := r.URL.Query()
	at, err := time.Parse("20060102T150405Z", q.Get("X-Amz-Date"))
	seconds, _ := strconv.Atoi(q.Get("X-Amz-Expires"))
	if err != nil || f.Now().After(at.Add(time.Duration(seconds)*time.Second)) {
		return "AccessDenied" // it has expired
	}
	signature := q.Get("X-Amz-Signature")
	q.Del("X-Amz-Signature")
	scope := strings.TrimPrefix(q.Get("X-Amz-Credential"), accessKey+"/")
	canonical := strings.Join([]string{
		r.Method, r.URL.EscapedPath(), strings.ReplaceAll(q.Encode(), "+", "%20"), "host:" + r.URL.Host + "\n", "host", "UNSIGNED-PAYLOAD",
	}, "\n")
	sum := sha256.Sum256([]byte(canonical))
	key := []byte("AWS4" + secretKey)
	for _, part := range append(strings.Split(scope, "/"), "AWS4-HMAC-SHA256\n"+q.Get("X-Amz-Date")+"\n"+scope+"\n"+hex.EncodeToString(sum[:])) {
		mac := hmac.New(sha256.New, key)
		_, _ = io.WriteString(mac, part)
		key = mac.Sum(nil)
	}
	if hex.EncodeToString(key) != signature {
		return "SignatureDoesNotMatch"
	}
	return ""
}

// answer is what an object store says when it does not do something.
func answer(status int, code string) *http.Response {
	rec := httptest.NewRecorder()
	rec.Header().Set("Content-Type", "application/xml")
	rec.WriteHeader(status)
	_, _ = fmt.Fprintf(rec, "<Error><Code>%s</Code><Message>no</Message></Error>", code)
	return rec.Result()
}

func (f *fake) config() objectstore.Config {
	return objectstore.Config{
		Endpoint: "https://s3.test", Bucket: "twins", Prefix: "platform/files", Transport: f,
		Credentials: credentials.NewStaticV4(accessKey, secretKey, token),
		PartSize:    objectstore.MinPartSize, Dir: f.t.TempDir(),
	}
}

func (f *fake) open(cfg objectstore.Config) *objectstore.Bucket {
	f.t.Helper()
	b, err := objectstore.Open(f.t.Context(), cfg)
	if err != nil {
		f.t.Fatal(err)
	}
	return b
}

// objects are the names of all objects.
func (f *fake) objects() []string { return f.list("list-type=2", "<Key>", "</Key>") }

// uploads are the ids of all multipart uploads.
func (f *fake) uploads() []string { return f.list("uploads", "<UploadId>", "</UploadId>") }

func (f *fake) list(query, before, after string) (found []string) {
	f.t.Helper()
	rec := httptest.NewRecorder()
	f.inner.ServeHTTP(rec, httptest.NewRequestWithContext(f.t.Context(), http.MethodGet, "https://s3.test/twins?"+query, nil))
	for _, piece := range strings.Split(rec.Body.String(), before)[1:] {
		name, _, _ := strings.Cut(piece, after)
		found = append(found, name)
	}
	slices.Sort(found)
	return found
}

var _ http.RoundTripper = (*fake)(nil)
