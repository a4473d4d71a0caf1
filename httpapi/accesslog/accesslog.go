// Package accesslog logs the requests of an API after they are answered: those that failed or
// were slow, or all of them.
//
//	access := accesslog.New(accesslog.Config{Handler: logger.Handler()})
//	api, err := httpapi.New(httpapi.Config{Authenticator: tokens, Schedules: svc, Observer: access.Observe, Unlogged: true})
//	if err != nil {
//		return err
//	}
//	go access.Run(ctx)
//
// A line has method, path and query, operation, status, size of the answer's body in bytes,
// duration in seconds, who sent it from where, the request's id and its trace, and where it
// failed the code and what lies behind it: at a 403 the permissions that are missing. It has
// no token, no signature, no key and nothing of a body.
package accesslog

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

// The defaults of a Config.
const (
	DefaultSlow    = time.Second
	DefaultWaiting = 4096
)

// Config sets what is logged. The zero value of each field but Handler is ready.
type Config struct {
	// Handler takes the lines.
	Handler slog.Handler
	// All logs each request at level Info. Without it those that neither failed nor
	// were slow are logged at level Debug.
	All bool
	// Slow is how long a request takes to be logged. 0 means DefaultSlow; negative: none is slow.
	Slow time.Duration
	// TrustedProxies are the networks of those whose X-Forwarded-For is believed. Empty: no one's
	// is.
	TrustedProxies []netip.Prefix
	// Vocabulary is the vocabulary with which the API is served.
	Vocabulary httpapi.Vocabulary
	// Waiting is how many lines may wait to be written; what comes beyond them is counted and
	// not logged. 0 means DefaultWaiting.
	Waiting int
	// Batch is called around the writing of several lines, to write them at once. Nil calls
	// them as they are.
	Batch func(write func())
}

// Log is an access log. It is safe for concurrent use.
type Log struct {
	cfg     Config
	secrets journal.Secrets
	lines   chan line
	left    atomic.Int64 // out, since too many waited
	ended   atomic.Bool  // Run writes no more
}

// line is a request as it waits to be logged.
type line struct {
	level     slog.Level
	at        time.Time // when it was answered
	duration  time.Duration
	method    string
	target    string // as it was sent
	sealed    bool   // all values in it are secrets
	operation string
	status    int
	size      int64
	remote    string
	forwarded []string // of the header; nil unless there are trusted proxies
	principal string
	code      string
	reason    error
	lacks     []string
	requestID string
	trace     twinplatform.Trace
	detailed  bool // whether agent and unread are logged
	agent     string
	unread    []string
}

// New returns a log that writes while it runs.
func New(cfg Config) *Log {
	if cfg.Slow == 0 {
		cfg.Slow = DefaultSlow
	}
	if cfg.Waiting <= 0 {
		cfg.Waiting = DefaultWaiting
	}
	if cfg.Handler == nil {
		cfg.Handler = slog.DiscardHandler
	}
	if cfg.Batch == nil {
		cfg.Batch = func(write func()) { write() }
	}
	return &Log{cfg: cfg, secrets: journal.NewSecrets(cfg.Vocabulary), lines: make(chan line, cfg.Waiting)}
}

// level is at which a request is logged.
func (l *Log) level(status int, d time.Duration) slog.Level {
	switch {
	case status >= http.StatusInternalServerError, l.cfg.Slow > 0 && d >= l.cfg.Slow:
		return slog.LevelWarn
	case l.cfg.All, status == 0, status >= http.StatusBadRequest:
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// Observe logs a request. It is an [httpapi.Observer].
func (l *Log) Observe(ctx context.Context, o httpapi.Observation) {
	level := l.level(o.Status, o.Duration)
	if !l.cfg.Handler.Enabled(ctx, level) {
		return
	}
	n := line{
		level: level, at: o.Began.Add(o.Duration), duration: o.Duration, method: o.Method, operation: o.Operation,
		status: o.Status, size: o.Size,
		principal: o.Principal.ID, lacks: o.Lacks, requestID: o.RequestID, trace: o.Trace,
	}
	if o.Err != nil {
		n.code = o.Err.Code
		if o.Status == http.StatusUnauthorized || o.Status == http.StatusForbidden {
			n.reason = twinplatform.Cause(o.Err)
		}
	}
	if o.Request != nil {
		l.asked(ctx, &n, o.Request)
		n.unread = o.Unread
	}
	l.take(ctx, n)
}

// asked notes what is logged of a request.
func (l *Log) asked(ctx context.Context, n *line, r *http.Request) {
	n.remote, n.target = r.RemoteAddr, r.RequestURI
	if n.target == "" {
		n.target = r.URL.RequestURI()
	}
	if len(l.cfg.TrustedProxies) > 0 {
		n.forwarded = r.Header["X-Forwarded-For"]
	}
	if n.detailed = l.cfg.Handler.Enabled(ctx, slog.LevelDebug); n.detailed {
		n.agent = r.UserAgent()
	}
}

// take has a line written, unless too many wait for that.
func (l *Log) take(ctx context.Context, n line) {
	if l.ended.Load() {
		_ = l.cfg.Handler.Handle(ctx, l.record(&n))
		return
	}
	select {
	case l.lines <- n:
	default:
		l.left.Add(1)
	}
}

// batch is how many lines are written at once.
const batch = 256

// Run writes lines until ctx is done, and then those that still wait. What comes later is
// written where it comes from.
func (l *Log) Run(ctx context.Context) error {
	out := context.WithoutCancel(ctx)
	for {
		select {
		case n := <-l.lines:
			l.cfg.Batch(func() { l.write(out, n) })
		case <-ctx.Done():
			l.ended.Store(true)
			l.Flush(out)
			return nil
		}
	}
}

// Flush writes the lines that wait, once Run has ended.
func (l *Log) Flush(ctx context.Context) {
	for {
		select {
		case n := <-l.lines:
			l.cfg.Batch(func() { l.write(ctx, n) })
		default:
			l.logUnread(ctx)
			return
		}
	}
}

// write writes a line, and others that wait.
func (l *Log) write(ctx context.Context, n line) {
	for range batch {
		_ = l.cfg.Handler.Handle(ctx, l.record(&n))
		select {
		case n = <-l.lines:
		default:
			l.logUnread(ctx)
			return
		}
	}
	_ = l.cfg.Handler.Handle(ctx, l.record(&n))
}

// logUnread reports how many requests were not logged, if any were not.
func (l *Log) logUnread(ctx context.Context) {
	if left := l.left.Swap(0); left > 0 && l.cfg.Handler.Enabled(ctx, slog.LevelWarn) {
		r := slog.NewRecord(time.Now(), slog.LevelWarn,
			"requests were not logged: there were more than could be written", 0)
		r.AddAttrs(slog.Int64("requests", left))
		_ = l.cfg.Handler.Handle(ctx, r)
	}
}

// record is a line as it is logged.
func (l *Log) record(n *line) slog.Record {
	path, query, _ := strings.Cut(n.target, "?")
	client, proxy := l.client(n)
	target := l.secrets.Target
	if n.sealed {
		target = l.secrets.Sealed
	}
	r := slog.NewRecord(n.at, n.level, "request", 0)
	r.AddAttrs(
		slog.String("method", n.method), slog.String("path", target(n.operation, path, query)), slog.String("operation",
			n.operation),
		slog.Int("status", n.status), slog.Int64("size", n.size), slog.Float64("duration",
			n.duration.Round(time.Microsecond).Seconds()),
		slog.String("client", client),
	)
	if proxy != "" {
		r.AddAttrs(slog.String("proxy", proxy))
	}
	r.AddAttrs(slog.String("principal", n.principal))
	if n.code != "" {
		r.AddAttrs(slog.String("code", n.code))
	}
	if n.reason != nil {
		r.AddAttrs(slog.String("reason", n.reason.Error()))
	}
	if len(n.lacks) > 0 {
		r.AddAttrs(slog.String("permission", strings.Join(n.lacks, " ")))
	}
	if n.detailed {
		r.AddAttrs(slog.String("agent", n.agent))
		if len(n.unread) > 0 {
			r.AddAttrs(slog.String("unread", strings.Join(n.unread, " ")))
		}
	}
	r.AddAttrs(slog.String("request", n.requestID), slog.String("trace_id", n.trace.TraceID()),
		slog.String("span_id", n.trace.SpanID()))
	return r
}
