package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// DefaultMaxBytes is how much traffic is kept, in bytes.
const DefaultMaxBytes = 64 << 20

// maxKept is how much of one body is kept, in bytes: a request with a larger one is not in the
// conversations, and an answer with a larger one without its body.
const maxKept = 1 << 20

// Config sets what is recorded. Target and Dir are required.
type Config struct {
	// Target is the URL of the deployment's API.
	Target string
	// Dir is the folder that is written. It must not exist, or be empty.
	Dir string
	// MaxBytes bounds the traffic that is kept, in memory until Close. What comes later passes
	// through and is counted. 0 means DefaultMaxBytes.
	MaxBytes int64
	// Vocabulary is what is known of the deployment's names; the draft adds to it.
	Vocabulary httpapi.Vocabulary
	// Transport sends the requests to the deployment. Nil means http.DefaultTransport.
	Transport http.RoundTripper
	// Logger receives failures. Nil means that nothing is logged.
	Logger *slog.Logger
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// Recorder is a reverse proxy in front of a deployment, which keeps what it has seen until Close
// writes it down. Bodies stream through it as they come; links to the deployment in them lead
// through the recorder. Nothing is written before Close, and secrets and names of people never.
type Recorder struct {
	cfg    Config
	target *url.URL
	proxy  *httputil.ReverseProxy
	began  time.Time

	mu     sync.Mutex
	kept   []*exchange
	bytes  int64
	passed int // exchanges that there was no room for
	closed bool
}

// exchange is a request and its answer, as they were sent.
type exchange struct {
	caller         string // the credentials that were sent, until they are numbered
	method, target string // below the address of the API
	header         http.Header
	body           clipped
	status         int
	answered       http.Header
	answer         clipped
}

// clipped is as much of a body as is kept.
type clipped struct {
	mu   sync.Mutex // a request may still be sent when it is answered
	kept bytes.Buffer
	over bool // there was more
}

// take keeps a piece, as far as there is room for it.
func (c *clipped) take(piece []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	room := max(maxKept-c.kept.Len(), 0)
	c.over = c.over || len(piece) > room
	c.kept.Write(piece[:min(len(piece), room)])
}

// Bytes returns a copy of the bytes that are kept.
func (c *clipped) Bytes() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.kept.Bytes())
}

// NewRecorder returns a recorder. It fails where the target is no URL, or Dir holds something.
func NewRecorder(cfg Config) (*Recorder, error) {
	u, err := url.Parse(strings.TrimSuffix(cfg.Target, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.User != nil {
		return nil, fmt.Errorf("the target %q is no absolute http(s) address without credentials", cfg.Target)
	}
	if err := mustBeFree(cfg.Dir); err != nil {
		return nil, err
	}
	if cfg.MaxBytes == 0 {
		cfg.MaxBytes = DefaultMaxBytes
	}
	if cfg.MaxBytes < 0 {
		return nil, errors.New("the traffic that is kept cannot be less than nothing")
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	r := &Recorder{cfg: cfg, target: u, began: cfg.Now()}
	r.proxy = &httputil.ReverseProxy{
		Rewrite: r.outward, ModifyResponse: r.inward, Transport: cfg.Transport, FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, req *http.Request, err error) {
			cfg.Logger.ErrorContext(req.Context(), "the deployment did not answer", "error", err)
			w.WriteHeader(http.StatusBadGateway)
		},
		ErrorLog: slog.NewLogLogger(cfg.Logger.Handler(), slog.LevelError),
	}
	return r, nil
}

// mustBeFree refuses a folder that holds something.
func mustBeFree(dir string) error {
	there, err := os.ReadDir(dir)
	switch {
	case dir == "":
		return errors.New("there is no folder to write to")
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(there) > 0:
		return fmt.Errorf("%s is not empty, and nothing is overwritten", dir)
	}
	return nil
}

// ServeHTTP hands a request on.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) { r.proxy.ServeHTTP(w, req) }

// under returns the exchange of a request, and where clients see the recorder.
type under struct {
	*exchange

	base string
}

type underKey struct{}

// outward makes a request one to the deployment, and keeps what is sent.
func (r *Recorder) outward(p *httputil.ProxyRequest) {
	base := "http://" + p.In.Host
	if p.In.TLS != nil {
		base = "https://" + p.In.Host
	}
	x := &exchange{
		method: p.In.Method, target: p.In.URL.RequestURI(), header: p.In.Header.Clone(),
		caller: credentials(p.In.Header),
	}
	p.SetURL(r.target)
	p.Out.Host = ""
	p.Out.Header.Del("Accept-Encoding") // so that it can be read
	if p.Out.Body != nil {
		p.Out.Body = &tee{ReadCloser: p.Out.Body, into: &x.body}
	}
	p.Out = p.Out.WithContext(withUnder(p.Out.Context(), under{x, base}))
}

// credentials are what identifies the caller.
func credentials(h http.Header) string {
	if auth := h.Get("Authorization"); auth != "" {
		return auth
	}
	return h.Get("Cookie")
}

// inward keeps an answer while it streams to the client.
func (r *Recorder) inward(res *http.Response) error {
	u, ok := underOf(res.Request.Context())
	if !ok {
		return nil
	}
	u.status, u.answered = res.StatusCode, res.Header.Clone()
	if res.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	res.Body = &tee{ReadCloser: res.Body, into: &u.answer, done: func() { r.keep(u.exchange) }}
	for _, name := range []string{"Location", "Operation-Location"} {
		if at := res.Header.Get(name); at != "" {
			res.Header.Set(name, strings.Replace(at, r.target.String(), u.base, 1))
		}
	}
	if strings.Contains(res.Header.Get("Content-Type"), "json") && res.Header.Get("Content-Encoding") == "" {
		res.Body = &relinked{ReadCloser: res.Body, from: []byte(r.target.String()), to: []byte(u.base)}
		res.Header.Del("Content-Length")
		res.ContentLength = -1
	}
	return nil
}

// keep notes an exchange if there is room for it.
func (r *Recorder) keep(x *exchange) {
	size := int64(len(x.body.Bytes()) + len(x.answer.Bytes()) + len(x.target) + 1024)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
	case r.bytes+size > r.cfg.MaxBytes:
		r.passed++
	default:
		r.kept, r.bytes = append(r.kept, x), r.bytes+size
	}
}

// tee keeps what is read, as far as it is to be kept.
type tee struct {
	io.ReadCloser

	into *clipped
	done func() // once, at the end; nil: nothing
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.into.take(p[:n])
	if err != nil {
		t.end()
	}
	return n, err
}

func (t *tee) Close() error {
	t.end()
	return t.ReadCloser.Close()
}

func (t *tee) end() {
	if done := t.done; done != nil {
		t.done = nil
		done()
	}
}

// relinked replaces addresses while they stream. It holds back no more than what may be the
// beginning of one.
type relinked struct {
	io.ReadCloser

	from, to []byte
	held     []byte // read, and not yet replaced
	ready    []byte // replaced
	err      error
}

func (l *relinked) Read(p []byte) (int, error) {
	for len(l.ready) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		chunk := make([]byte, 32<<10)
		n, err := l.ReadCloser.Read(chunk)
		all := bytes.ReplaceAll(append(l.held, chunk[:n]...), l.from, l.to)
		keep := 0
		if l.err = err; err == nil {
			keep = beginning(all, l.from)
		}
		l.ready, l.held = all[:len(all)-keep], bytes.Clone(all[len(all)-keep:])
	}
	n := copy(p, l.ready)
	l.ready = l.ready[n:]
	return n, nil
}

// beginning is how many bytes at the end of a text may begin a word.
func beginning(text, word []byte) int {
	for n := min(len(word)-1, len(text)); n > 0; n-- {
		if bytes.HasPrefix(word, text[len(text)-n:]) {
			return n
		}
	}
	return 0
}
